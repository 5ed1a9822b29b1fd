"""How figures are saved: one set of options for the whole product, kept as long as the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.export.limits import MOST_DECIMALS
from pages.figures.figure import LanguageCode, SizeName, Style, ThemeName
from pages.figures.slide import SHEETS
from pages.text import LANGUAGES, Translator, mark
from pages.ui import choices, settings

AS_PAGE = "page"
SIZES: dict[SizeName, str] = {
    "slide": mark("Slide"),
    "half": mark("Half slide"),
    "square": mark("Square"),
}
THEMES: dict[ThemeName, str] = {"light": mark("Light"), "dark": mark("Dark")}
# The same two words inside a line such as "Slide 1280 × 720 · light · English".
THEME_WORDS: dict[ThemeName, str] = {"light": mark("light"), "dark": mark("dark")}
AS_ON_SCREEN = mark("As on screen")
DECIMALS: tuple[str | int, ...] = (AS_PAGE, *range(MOST_DECIMALS + 1))
DEFAULTS: dict[str, object] = {
    "size": "slide",
    "theme": "light",
    "transparent": False,
    "language": AS_PAGE,
    "decimals": AS_PAGE,
}


def key(name: str) -> str:
    """Return the session key of one option."""
    return f"export.{name}"


def get(name: str) -> object:
    """Return one option, or its default."""
    return st.session_state.get(key(name), DEFAULTS[name])


def style(decimals: int = Style().decimals) -> Style:
    """Return the style of saved figures; ``decimals`` are those of the page."""
    chosen_decimals = get("decimals")
    return Style(
        theme=_one_of(THEMES, get("theme")),
        language=language(),
        size=_one_of(SIZES, get("size")),
        decimals=chosen_decimals if isinstance(chosen_decimals, int) else decimals,
        transparent=bool(get("transparent")),
    )


def language() -> LanguageCode:
    """Return the language of saved figures."""
    chosen = get("language")
    if chosen not in LANGUAGES:
        return settings.language()
    return "zh" if chosen == "zh" else "en"


def words(shown: Style, t: Translator) -> str:
    """Return a style in words: ``Slide 1280 × 720 · light · English``."""
    return " · ".join([size_words(shown.size, t), *_manner(shown, t)])


def short_words(shown: Style, t: Translator) -> str:
    """Return a style in words without its pixels: ``Half slide · dark · English``."""
    return " · ".join([t(SIZES.get(shown.size, AS_ON_SCREEN)), *_manner(shown, t)])


def _manner(shown: Style, t: Translator) -> list[str]:
    return [
        t(THEME_WORDS[shown.theme]),
        *([t("transparent")] if shown.transparent else []),
        LANGUAGES[shown.language],
    ]


def size_words(size: SizeName, t: Translator) -> str:
    """Return a size in words: ``Half slide 640 × 720``."""
    if size not in SHEETS:
        return t(AS_ON_SCREEN)
    sheet = SHEETS[size]
    return f"{t(SIZES[size])} {sheet.width} × {sheet.height}"


def draw(t: Translator, place: str = "") -> None:
    """Draw the widgets of all options; ``place`` tells apart several sets of them."""
    _segments(t("Size"), "size", SIZES, t, place)
    _segments(t("Theme"), "theme", THEMES, t, place)
    languages = {AS_PAGE: mark("As the page"), **LANGUAGES}
    _segments(t("Language"), "language", languages, t, place)
    st.selectbox(
        t("Decimals"),
        options=list(DECIMALS),
        format_func=lambda value: t("As the page") if value == AS_PAGE else str(value),
        **_bound("decimals", t, place),
    )
    st.toggle(
        t("Transparent background"),
        help=t("The slide or the page behind shows through; the ink stays that of the theme."),
        **_bound("transparent", t, place),
    )


def _segments(title: str, name: str, titles: Mapping[Any, str], t: Translator, place: str) -> None:
    st.segmented_control(
        title,
        options=list(titles),
        format_func=lambda value: t(titles[value]),
        required=True,
        width="stretch",
        **_bound(name, t, place),
    )


def _bound(name: str, t: Translator, place: str) -> dict[str, Any]:
    """Return the key and callback that tie a widget to an option."""
    st.session_state.setdefault(key(name), DEFAULTS[name])
    take: Callable[[], None] = choices.taker(key(name), t, place=place)
    return {"key": choices.widget(key(name), t, place), "on_change": take}


def _one_of(allowed: Mapping[Any, str], chosen: object) -> Any:
    return chosen if chosen in allowed else next(iter(allowed))
