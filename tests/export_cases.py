"""The slides that the tests of the export share: every figure of the product, in any style."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import get_args

from pages.export import Slide, slide_of
from pages.figures.figure import LanguageCode, SizeName, Style, ThemeName
from pages.gallery import Exhibit, prepare

THEMES, LANGUAGES, SIZES = get_args(ThemeName), get_args(LanguageCode), get_args(SizeName)
STYLES = [Style(*choice) for choice in product(THEMES, LANGUAGES, SIZES)]
# Labels in two scripts, one of them what a spreadsheet would take for a formula.
SETTINGS = (
    'worked_example.tokens=["我","们","注意","=它"]',
    "worked_example.causal=true",
)


@lru_cache(maxsize=1)
def exhibits() -> tuple[Exhibit, ...]:
    """Return every figure of the product with its numbers."""
    return tuple(prepare(assignments=SETTINGS, backend="numpy"))


@lru_cache(maxsize=len(STYLES))
def slides(style: Style) -> tuple[Slide, ...]:
    """Return every figure of the product in one style."""
    return tuple(slide_of(exhibit, style) for exhibit in exhibits())


def name_of(style: Style) -> str:
    return f"{style.theme}-{style.language}-{style.size}"
