"""Two endings: the row of one token in both texts, and which heads turn from one to the other."""

from __future__ import annotations

import streamlit as st

from engine.experiments.context.endings import EndingsResult
from pages.gallery.context_endings import ENDINGS_FIGURE, MOVEMENT, TURNS, EndingsView
from pages.text import Translator
from pages.text.context_amounts import weights_apart
from pages.text.context_endings import endings_notices
from pages.text.context_names import specials_name, token_names
from pages.text.markup import inline
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, source_line, state
from pages.ui.maths import set_plain


def draw() -> None:
    """Draw the tab of both endings."""
    t = settings.translate()
    result = computing.endings(t)
    view = EndingsView(
        min(state.chosen_layer(), result.first.layers), min(state.chosen_head(), result.first.heads)
    )
    source_line.draw(t, result.first, result.second)
    workspace.draw(
        lambda: numbers(result, view, t),
        lambda: words(result, view, t),
        lambda: result_figures.show(ENDINGS_FIGURE, result, view),
    )
    workspace.side_by_side(
        lambda: result_figures.show(TURNS, result, view, on_pick=state.look_at_cell),
        lambda: result_figures.show(MOVEMENT, result, view, on_pick=state.look_at_cell),
    )


def words(result: EndingsResult, view: EndingsView, t: Translator) -> None:
    """Draw what to notice, and the ways to the heads that stand out."""
    notices = endings_notices(result, view.layer, view.head, t)
    workspace.notice(t, *map(set_plain, notices))
    with st.container(horizontal=True, gap="small"):
        for name, title, place in (
            ("moved", t("The head that moves most"), result.most_moved),
            ("turned", t("The head that turns most"), result.most_turned),
        ):
            layer, head = (0, 0) if place is None else (place[0] + 1, place[1] + 1)
            st.button(
                title,
                key=state.key(f"look.{name}"),
                type="tertiary",
                icon=":material/arrow_forward:",
                disabled=place is None,
                on_click=state.look_at,
                args=(layer, head),
            )


def numbers(result: EndingsResult, view: EndingsView, t: Translator) -> None:
    """Draw the weights of both candidates in both texts, in the head that is looked at."""
    layer, head = view.layer - 1, view.head - 1
    names = [token_names(result.first)[place[0]] for place in (result.one, result.other)]
    title = t("{one} | {other}", one=inline(names[0]), other=inline(names[1]))
    candidates = [result.shared.index(place) for place in (result.one, result.other)]
    abouts = (t("in the first text"), t("in the second text"))
    for row, about in zip(result.rows[:, layer, head], abouts, strict=True):
        weights = [float(row[place]) for place in candidates]
        workspace.metric(
            title,
            " | ".join(weights_apart(*weights)),
            about,
            width=workspace.WIDE,
            help=t(
                "The weights of “{token}” on both candidates in layer {layer}, head {head}; "
                "special tokens: {specials}.",
                token=inline(token_names(result.first)[result.query[0]]),
                layer=view.layer,
                head=view.head,
                specials=specials_name(result.params.specials, t),
            ),
        )
    workspace.metric(
        t("Heads that turn"),
        f"{int(result.turned.sum())}",
        t("of {count}", count=result.turned.size),
        help=t("Heads that give one candidate more in one text and the other in the other."),
    )
