"""Turns the English text of the code into the reader's language."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from engine.errors import EngineError

LANGUAGES: dict[str, str] = {"en": "English", "zh": "中文"}
LOCALE_FOLDER = Path(__file__).parent / "locale"
_LOCALES = {"zh": "zh_CN"}


class Translator:
    """Translates whole sentences and fills in their values.

    Parameters
    ----------
    language : str
        ``"en"`` or ``"zh"``.
    catalogue : gettext.NullTranslations
        Where the translations come from; the null catalogue returns the English text.
    """

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str, /, **values: object) -> str:
        """Return ``text`` in this language, its ``{names}`` filled from ``values``."""
        translated = self._catalogue.gettext(text) if text else text
        return translated.format(**values) if values else translated

    def listing(self, items: Iterable[object]) -> str:
        """Return items in a row, separated as this language separates them."""
        return ("、" if self.language == "zh" else ", ").join(map(str, items))

    def clauses(self, items: Iterable[str]) -> str:
        """Return clauses in a row, separated as this language separates them."""
        return ("；" if self.language == "zh" else "; ").join(items)

    def sentences(self, *parts: str) -> str:
        """Return sentences one after the other; Chinese leaves no space between them."""
        return ("" if self.language == "zh" else " ").join(filter(None, parts))

    def error(self, error: EngineError, *, each: Callable[[str], str] = str) -> str:
        """Return the sentence of an engine error in this language.

        ``each`` is applied to every value that is text, which may be a reader's own.
        """
        values = {name: self._shown(value, each) for name, value in error.values.items()}
        return self._catalogue.gettext(error.template).format(**values)

    def _shown(self, value: object, each: Callable[[str], str]) -> object:
        if isinstance(value, EngineError):
            return self.error(value, each=each)
        if isinstance(value, tuple):
            return self.listing(each(str(item)) for item in value)
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{value:,}"
        return each(value) if isinstance(value, str) else value


@lru_cache(maxsize=len(LANGUAGES))
def translator(language: str) -> Translator:
    """Return the translator of one language.

    Raises
    ------
    KeyError
        When ``language`` is not one of ``LANGUAGES``.
    """
    if language not in LANGUAGES:
        raise KeyError(f"language must be one of {', '.join(LANGUAGES)}, got {language!r}")
    if language not in _LOCALES:
        return Translator(language, gettext.NullTranslations())
    catalogue = gettext.translation(
        "workbench", localedir=LOCALE_FOLDER, languages=[_LOCALES[language]], fallback=True
    )
    return Translator(language, catalogue)
