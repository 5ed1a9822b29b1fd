"""The words of the product: English in the code, Chinese from a gettext catalogue.

A translator is always an argument, never a global: two browser tabs may read two languages.
"""

from pages.text.marking import mark
from pages.text.translator import LANGUAGES, Translator, translator

__all__ = ["LANGUAGES", "Translator", "mark", "translator"]
