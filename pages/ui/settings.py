"""What the reader chose for the whole product: language, backend, theme.

Every accessor has a default, so that a page also runs when the frame (app.py) did not.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import engine
from pages.figures.figure import LanguageCode, Style, ThemeName
from pages.text import Translator, mark, translator

LANGUAGE_KEY = "lang"
BACKEND_KEY = "backend"
AUTOMATIC = "auto"
BACKEND_TITLES = {AUTOMATIC: mark("Automatic"), "mlx": "MLX", "numpy": "NumPy"}


def put(key: str, value: object) -> None:
    """Set a choice from code; only before its widget is drawn."""
    st.session_state[key] = value


def language() -> LanguageCode:
    """Return the reader's language, ``"en"`` or ``"zh"``."""
    chosen = st.session_state.get(LANGUAGE_KEY)
    return "zh" if chosen == "zh" else "en"


def translate() -> Translator:
    """Return the translator of the reader's language."""
    return translator(language())


def theme() -> ThemeName:
    """Return ``"light"`` or ``"dark"``, as the browser shows the product."""
    return "dark" if st.context.theme.get("type") == "dark" else "light"


def screen_style(decimals: int = 3) -> Style:
    """Return the style of figures on this screen."""
    return Style(theme=theme(), language=language(), size="screen", decimals=decimals)


def chosen_backend() -> str:
    """Return the choice itself: ``"auto"``, ``"mlx"`` or ``"numpy"``."""
    chosen = st.session_state.get(BACKEND_KEY)
    return chosen if chosen in BACKEND_TITLES else AUTOMATIC


def in_address() -> dict[str, str | None]:
    """Return language and backend as an address holds them; None where they are the usual ones."""
    language_, backend_ = language(), chosen_backend()
    return {
        LANGUAGE_KEY: None if language_ == "en" else language_,
        BACKEND_KEY: None if backend_ == AUTOMATIC else backend_,
    }


def with_choices(view: Mapping[str, str]) -> dict[str, str]:
    """Return the address of a view with the reader's language and backend.

    A link without them would be an entry of the browser's history in another language.
    """
    return {**{name: text for name, text in in_address().items() if text}, **view}


def backend() -> engine.Backend:
    """Return the backend that computes this view; a missing choice falls back to the automatic one.

    The frame says so in words whenever that happens.
    """
    name = chosen_backend()
    available = name in engine.available_backends()
    return engine.get_backend(name if available else None)


def backend_title(t: Translator) -> str:
    """Return the name of the backend that computes this view, for people."""
    return t(BACKEND_TITLES[backend().name])
