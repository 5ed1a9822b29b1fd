"""A mask drawn by hand: a grid with one button for each query and key."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks.spec import MOST_DRAWN
from pages.figures.palette import theme, visible_fill
from pages.text import Translator, mark
from pages.text.markup import quoted
from pages.text.mask_names import STARTS
from pages.ui import settings
from pages.ui.masks import state
from pages.ui.masks.drawing_text import rows_of, with_row
from pages.ui.masks.state import SideName

NOTHING = mark("Nothing")
GRID = '[class*="st-key-masks-grid-"]'


def dress() -> None:
    """Give the grids their look, once a page: small cells in the colours of the figures."""
    name = settings.theme()
    colours, visible = theme(name), visible_fill(name)
    st.html(f"""
<style>
{GRID} {{ --name: 4.25rem; --cell: 2.25rem; --number: 0.625rem; }}
{GRID}:has(.masks-keys > :nth-child(13)) {{ --name: 3.25rem; --number: 0.5625rem; }}
{GRID} .masks-keys {{
  display: flex; gap: 1px; padding-left: var(--name); font-size: var(--number); line-height: 1.5;
  color: {colours.muted};
}}
{GRID} .masks-keys span {{
  flex: 1 1 0; min-width: 0; max-width: var(--cell); text-align: center;
}}
{GRID} [data-testid="stButtonGroup"] {{ display: flex; align-items: center; min-height: 0; }}
{GRID} [data-testid="stWidgetLabel"] {{
  flex: 0 0 var(--name); min-width: 0; min-height: 0; margin: 0; padding-right: 0.375rem;
}}
{GRID} [data-testid="stWidgetLabel"] :is(span, div) {{ width: 100%; min-width: 0; }}
{GRID} [data-testid="stWidgetLabel"] p {{
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  font-size: 0.6875rem; line-height: 1.25rem; color: {colours.muted};
}}
{GRID} [role="toolbar"] {{ flex: 1 1 auto; flex-wrap: nowrap; gap: 1px; }}
{GRID} [role="toolbar"] button {{
  flex: 1 1 0; min-width: 0; max-width: var(--cell); min-height: 0; height: 1.25rem;
  margin: 0 0 1px; padding: 0; border: none; border-radius: 2px;
  background: repeating-linear-gradient(135deg, {colours.hatch} 0 1px, {colours.masked} 1px 5px);
}}
{GRID} [role="toolbar"] button[aria-pressed="true"] {{ background: {visible}; }}
{GRID} [role="toolbar"] button p {{
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}}
</style>
""")


def draw(side: SideName, tokens: tuple[str, ...], t: Translator) -> None:
    """Draw the grid of one mask and what it can start from."""
    T = len(tokens)
    if T > MOST_DRAWN:
        st.caption(
            t(
                "A mask is drawn for up to {most} tokens; there are {T}, so nothing is drawn here.",
                most=MOST_DRAWN,
                T=T,
            )
        )
        return
    starts(side, T, t)
    with st.container(gap=None, key=f"masks.grid.{side}"):
        st.html(keys_line(T))
        for query, keys in enumerate(rows_of(state.drawing(side, T))):
            row(side, query, keys, tokens, t)
    st.caption(t("Rows are queries, columns are keys; filled means that the query may look."))


def keys_line(T: int) -> str:
    """Return the numbers of the keys above their columns."""
    numbers = "".join(f"<span>{key}</span>" for key in range(1, T + 1))
    return f'<div class="masks-keys" aria-hidden="true">{numbers}</div>'


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
    place = state.key(f"cell.{side}.{query}@{t.language}")
    if st.session_state.get(place) != keys:
        st.session_state[place] = keys

    def take() -> None:
        drawn = str(state.get(f"{side}_drawn"))
        state.put(f"{side}_drawn", with_row(drawn, len(tokens), query, st.session_state[place]))

    st.segmented_control(
        quoted(f"{query + 1} {tokens[query]}"),
        options=list(range(len(tokens))),
        format_func=cell_names(query, tokens, t).__getitem__,
        selection_mode="multi",
        key=place,
        on_change=take,
        width="stretch",
    )


def cell_names(query: int, tokens: tuple[str, ...], t: Translator) -> list[str]:
    """Return what the cells of a row are called; they are empty to the eye."""
    named = [quoted(f"{place} {token}") for place, token in enumerate(tokens, start=1)]
    return [t("query {query}, key {key}", query=named[query], key=key) for key in named]
