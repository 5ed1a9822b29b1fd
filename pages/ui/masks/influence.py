"""Influence: each token changes in turn, and every output that moves is measured."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.experiments.masks.influence import Influence, InfluenceResult
from pages.figures.numerals import measured_number
from pages.gallery import exhibit
from pages.gallery.masks import INFLUENCE, InfluenceView
from pages.text import Translator
from pages.text.markup import quoted
from pages.text.mask_words import spec_words
from pages.ui import choices, figure_view, settings, workspace
from pages.ui.masks import computing, state, words

CHANGED, WATCHED = 2, 0  # claim 17: token 3 changes, output 1 is watched


def draw() -> None:
    """Draw the tab of measured influence."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.influence(t)
    side: state.SideName = "a" if state.get("side") == "a" else "b"
    found = result.a if side == "a" else result.b
    shown = exhibit(
        INFLUENCE,
        result,
        params=result.params,
        view=InfluenceView(side),
        backend=result.backend_name,
    )
    workspace.draw(
        lambda: numbers(found, decimals, t),
        lambda: workspace.notice(t, *notices(result, found, decimals, t)),
        lambda: figure_view.show(shown, INFLUENCE, decimals=decimals),
    )


def controls(t: Translator) -> None:
    """Draw the choice of the mask that is looked at."""
    params = state.params()
    titles = {
        "a": t("Mask {name}: {mask}", name="A", mask=spec_words(params.a, t, inside=True)),
        "b": t("Mask {name}: {mask}", name="B", mask=spec_words(params.b, t, inside=True)),
    }
    st.segmented_control(
        t("Mask"),
        options=list(state.SIDES),
        format_func=titles.__getitem__,
        key=choices.widget(state.key("side"), t),
        on_change=choices.taker(state.key("side"), t),
        required=True,
        label_visibility="collapsed",
    )


def numbers(found: Influence, decimals: int, t: Translator) -> None:
    """Draw the largest move at hidden positions and the smallest at visible ones."""
    T = len(found.visible)
    hidden = off_diagonal(~found.visible)
    visible = off_diagonal(found.visible)
    workspace.metric(
        t("Largest move, hidden"),
        measured_number(found.leak, decimals) if hidden.any() else "–",
        t("of {count} off the diagonal", count=int(hidden.sum())),
        help=t(
            "The largest move of an output when another token changes that its query may not see."
        ),
    )
    workspace.metric(
        t("Smallest move, visible"),
        measured_number(float(found.moves[visible].min()), decimals) if visible.any() else "–",
        t("of {count} off the diagonal", count=int(visible.sum())),
        help=t("The smallest move of an output when another token changes that its query may see."),
    )
    workspace.metric(
        t("Largest move"),
        measured_number(float(found.moves.max()), decimals),
        place_of(found.moves, T, t),
    )


def off_diagonal(cells: np.ndarray) -> np.ndarray:
    """Return bool cells without the diagonal, where the query itself changes."""
    return np.asarray(cells & ~np.eye(len(cells), dtype=np.bool_))


def place_of(moves: np.ndarray, T: int, t: Translator) -> str:
    """Return which token moved which output most."""
    output, changed = divmod(int(moves.argmax()), T)
    return t("token {token}, output {output}", token=changed + 1, output=output + 1)


def notices(result: InfluenceResult, found: Influence, decimals: int, t: Translator) -> list[str]:
    """Return what to notice, as it is true for this mask."""
    return [
        hidden_said(found, t),
        t("On the diagonal a token changes its own query too."),
        example_said(result, found, decimals, t),
    ]


def hidden_said(found: Influence, t: Translator) -> str:
    """Return what the hidden pairs show."""
    if found.visible.all():
        return t("This mask hides nothing, so every token can move every output.")
    if len(found.visible) == 1:
        return t("The one token is hidden from itself, and there is no other.")
    if not off_diagonal(~found.visible).any():
        return t(
            "This mask hides a token only from itself, so every other token can move every output."
        )
    if found.leak == 0:
        return t(
            "Where the mask hides another token, the output does not move: the change is 0 to the "
            "last bit."
        )
    return t("Outputs move although the mask hides the token: the mask leaks.")


def example_said(result: InfluenceResult, found: Influence, decimals: int, t: Translator) -> str:
    """Return how far output 1 moves when token 3 changes, the example of the texts."""
    if len(found.visible) <= CHANGED:
        return ""
    moved = float(found.moves[WATCHED, CHANGED])
    return t(
        "When “{changed}” changes, the output of “{watched}” moves by {size}.",
        changed=quoted(words.token(result.head, CHANGED)),
        watched=quoted(words.token(result.head, WATCHED)),
        size=measured_number(moved, decimals),
    )
