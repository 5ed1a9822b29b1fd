"""The slides of the deck in a row down the side, each a small picture that can be chosen."""

from __future__ import annotations

import html

import streamlit as st

from engine import EngineError
from pages.text import Translator
from pages.ui.saving import options, picture, tray

PAGE = 30  # slides drawn at once; more stand on further pages
WIDTH = 220  # pixels

# The card is the button: the real one lies over it, unseen, and still has its name and its focus.
STYLE = """
<style>
.st-key-deck-navigator, :has(> .st-key-deck-navigator) {
  flex: none !important; min-height: 20rem; height: calc(100vh - 11.5rem) !important;
}
.st-key-deck-navigator [class*="st-key-deck-card-"] {
  position: relative; gap: 0; padding: 6px; border-radius: 8px; border: 2px solid transparent;
}
.st-key-deck-navigator [class*="st-key-deck-card-"]:hover {
  background: color-mix(in srgb, currentColor 6%, transparent);
}
.st-key-deck-navigator [class*="st-key-deck-card-"]:has(button:focus-visible) {
  outline: 2px solid currentColor;
}
[class*="st-key-deck-choose-"] { position: absolute !important; inset: 0; z-index: 1; }
[class*="st-key-deck-choose-"] * { width: 100%; height: 100%; max-height: none; opacity: 0; }
.deck-thumb { aspect-ratio: 16 / 9; position: relative; overflow: hidden; font-size: 0.75rem; }
.deck-thumb img {
  position: absolute; inset: 0; margin: auto; width: auto; height: auto; max-width: 100%;
  max-height: 100%;
}
.deck-words {
  display: grid; grid-template-columns: auto 1fr; column-gap: 8px; margin-top: 4px;
  font-size: 0.8125rem; line-height: 1.3;
}
.deck-words b { font-variant-numeric: tabular-nums; }
.deck-words span {
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  overflow-wrap: anywhere;
}
.deck-words small { grid-column: 2; font-size: 0.75rem; opacity: 0.65; }
</style>
"""

PAGED_STYLE = """
<style>
.st-key-deck-navigator, :has(> .st-key-deck-navigator) {
  height: calc(100vh - 14.75rem) !important;
}
</style>
"""


def draw(t: Translator) -> None:
    """Draw the cards of the slides around the chosen one."""
    deck, chosen = tray.kept(), tray.chosen()
    st.html(STYLE + _mark(deck[chosen].number) + (PAGED_STYLE if len(deck) > PAGE else ""))
    with st.container(width=WIDTH):
        if len(deck) > PAGE:
            _draw_pages(len(deck), chosen)
        first = chosen // PAGE * PAGE
        with st.container(height=640, border=False, gap="xsmall", key="deck.navigator"):
            for place, each in enumerate(deck[first : first + PAGE], start=first):
                _draw_card(each, place, t)
        _keep_in_sight(deck[chosen].number, chosen)


def _draw_card(each: tray.Kept, place: int, t: Translator) -> None:
    with st.container(key=f"deck.card.{each.number}"):
        words = f"<b>{place + 1}</b><span>{html.escape(each.slide.title)}</span>"
        words += f"<small>{html.escape(options.short_words(each.slide.style, t))}</small>"
        st.html(
            f'<div class="deck-thumb">{_thumbnail(each, t)}</div>'
            f'<div class="deck-words">{words}</div>'
        )
        st.button(
            t("Show slide {number}", number=place + 1),
            key=f"deck.choose.{each.number}",
            on_click=tray.choose,
            args=(place,),
        )


def _thumbnail(each: tray.Kept, t: Translator) -> str:
    """Return the picture, or why there is none; the browser may have the font that we lack."""
    draw = picture.thumbnail if each.refused is None else picture.drawing
    try:
        address = draw(each.slide.figure, each.fingerprint)
    except EngineError as error:
        return f"<small>{html.escape(t.error(error))}</small>"
    behind = f"{picture.EDGE}; {picture.ground(each.slide.style)}"
    return f'<img src="{address}" alt="" style="{behind}">'


def _draw_pages(count: int, chosen: int) -> None:
    """Draw the pages of a long deck; the page shown is always that of the chosen slide."""
    pages, page = -(-count // PAGE), chosen // PAGE + 1
    key = f"deck.page.{page}"  # each page starts the widget afresh
    st.pagination(pages, key=key, default=page, on_change=_turn, args=(key,), width="stretch")


def _turn(key: str) -> None:
    tray.choose((int(st.session_state[key]) - 1) * PAGE)


def _mark(number: int) -> str:
    """Return the style that marks the chosen card."""
    return f"<style>.st-key-deck-card-{number} {{ border-color: currentColor !important; }}</style>"


def _keep_in_sight(number: int, place: int) -> None:
    """Scroll the chosen card into view; the place makes the script run again after a move."""
    script = (
        f"<script>/* {place} */ setTimeout(() => document.querySelector("
        f"'.st-key-deck-card-{number}')?.scrollIntoView({{block: 'nearest'}}), 100)</script>"
    )
    st.html(script, unsafe_allow_javascript=True)
