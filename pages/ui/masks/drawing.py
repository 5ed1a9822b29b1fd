"""A mask drawn by hand: a grid with one button for each query and key."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks.spec import MOST_DRAWN
from pages.figures.palette import readable_on, theme, visible_fill
from pages.text import Translator, mark
from pages.text.markup import quoted
from pages.ui import settings
from pages.ui.masks import state
from pages.ui.masks.drawing_text import rows_of, with_row
from pages.ui.masks.state import SideName

STARTS = {
    "none": mark("All"),
    "causal": mark("Causal"),
    "window": mark("Window"),
    "prefix": mark("Prefix"),
}
NOTHING = mark("Nothing")
GRID = '[class*="st-key-masks-grid-"]'


def dress() -> None:
    """Give the grids their look, once a page: small cells in the colours of the figures."""
    name = settings.theme()
    colours, visible = theme(name), visible_fill(name)
    st.html(f"""
<style>
{GRID} {{ counter-reset: query; }}
{GRID} [data-testid="stButtonGroup"] {{
  counter-increment: query; display: flex; align-items: center; min-height: 0;
}}
{GRID} [data-testid="stButtonGroup"]::before {{
  content: counter(query); flex: 0 0 1.1rem; margin-right: 0.375rem; text-align: right;
  font-size: 0.6875rem; color: {colours.muted};
}}
{GRID} [data-testid="stButtonGroup"] [role="toolbar"] {{
  flex: 1 1 auto; flex-wrap: nowrap; gap: 1px;
}}
{GRID} [role="toolbar"] button {{
  flex: 1 1 0; min-width: 0; max-width: 2.25rem; min-height: 0; height: 1.25rem;
  margin: 0 0 1px; padding: 0; justify-content: center; border: none; border-radius: 2px;
  color: {colours.text}; background: repeating-linear-gradient(
    135deg, {colours.hatch} 0 1px, {colours.masked} 1px 5px);
}}
{GRID} [role="toolbar"] button[aria-pressed="true"] {{
  color: {readable_on(visible, name)}; background: {visible};
}}
{GRID} button p {{ font-size: 0.625rem; line-height: 1; }}
</style>
""")


def draw(side: SideName, tokens: tuple[str, ...], t: Translator) -> None:
    """Draw the grid of one mask and what it can start from."""
    T = len(tokens)
    if T > MOST_DRAWN:
        st.caption(
            t(
                "A mask is drawn for up to {most} tokens; there are {T}, so this one hides "
                "nothing.",
                most=MOST_DRAWN,
                T=T,
            )
        )
        return
    starts(side, T, t)
    with st.container(gap=None, key=f"masks.grid.{side}"):
        for query, keys in enumerate(rows_of(state.drawing(side, T))):
            row(side, query, keys, tokens, t)
    st.caption(t("A row is a query, a number a key; filled means that it may look."))


def starts(side: SideName, T: int, t: Translator) -> None:
    """Draw the buttons that fill the whole grid."""
    st.caption(t("Fill with"))
    with st.container(horizontal=True, gap="xsmall", key=f"masks.starts.{side}"):
        for pattern, title in STARTS.items():
            st.button(
                t(title),
                key=state.key(f"start.{side}.{pattern}"),
                type="tertiary",
                on_click=state.start_drawing,
                args=(side, pattern, T),
            )
        st.button(
            t(NOTHING),
            key=state.key(f"start.{side}.nothing"),
            type="tertiary",
            on_click=state.hide_all,
            args=(side, T),
        )


def row(
    side: SideName, query: int, keys: list[int], tokens: tuple[str, ...], t: Translator
) -> None:
    """Draw the keys of one query; pressed means visible."""
    place = state.key(f"cell.{side}.{query}")
    if st.session_state.get(place) != keys:
        st.session_state[place] = keys

    def take() -> None:
        drawn = state.drawing(side, len(tokens))
        state.put(f"{side}_drawn", with_row(drawn, query, st.session_state[place]))

    st.segmented_control(
        t("Keys that query {query} may see", query=quoted(f"{query + 1} · {tokens[query]}")),
        options=list(range(len(tokens))),
        format_func=lambda key: str(key + 1),
        selection_mode="multi",
        key=place,
        on_change=take,
        label_visibility="collapsed",
        width="stretch",
    )
