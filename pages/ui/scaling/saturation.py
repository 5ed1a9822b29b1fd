"""Saturation: what softmax makes of scores that grow with d_k."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from engine.experiments.scaling.pair import Pair, pair_of
from engine.experiments.scaling.saturation import NEARLY_ONE, TABLE, SaturationResult
from pages.figures.numerals import number
from pages.gallery import exhibit
from pages.gallery.scaling import (
    PAIR,
    SATURATION,
    SATURATION_TABLE,
    MeasureView,
    PairParams,
)
from pages.text import Translator, mark
from pages.text.scaling_readings import grouped, percent
from pages.ui import figure_view, messages, settings, workspace
from pages.ui.maths import typeset
from pages.ui.scaling import computing, figures, state

DIGITS = 3
NEARLY_ALL = 0.9  # of the keys
MEASURES = {
    "largest": mark("Largest weight"),
    "effective": mark("Effective keys"),
    "saturated": mark("Rows over 0.99"),
    "jacobian": mark("Jacobian norm"),
}


def draw() -> None:
    """Draw the tab of saturation."""
    t = settings.translate()
    result = computing.saturation(t)
    params, pair = shown_pair(t)
    view = MeasureView(next(each for each in state.MEASURES if each == state.get("measure")))
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, notices(result, t))),
        lambda: workspace.side_by_side(
            lambda: figures.show(SATURATION, result, view),
            lambda: figure_view.show(exhibit(PAIR, pair, params=params), PAIR),
        ),
    )
    figures.show(SATURATION_TABLE, result)


def controls(t: Translator) -> None:
    """Draw the choice of the measure."""
    words = {name: t(title) for name, title in MEASURES.items()}
    figures.choose(t("Measure of saturation"), "measure", words, t)


def shown_pair(t: Translator) -> tuple[PairParams, Pair]:
    """Return the two scores; scores that are refused give way to the usual ones."""
    params = state.pair_params()
    try:
        return params, pair_of((params.first, params.second), params.temperature)
    except EngineError as error:
        shown = t("Shown below is the usual example.")
        st.error(t.sentences(messages.sentence(error, t), shown), icon=":material/error:")
        return PairParams(), pair_of()


def numbers(result: SaturationResult, t: Translator) -> None:
    """Draw what softmax makes of the largest d_k, unscaled and scaled."""
    d_k = result.d_ks[-1]
    found = [result.found[d_k, rule] for rule in ("unscaled", "sqrt")]
    about = typeset(t("unscaled | ÷√d_k"))
    place = typeset(t("At d_k = {d_k}, the largest.", d_k=f"{d_k:,}"))
    workspace.metric(
        t("Largest weight"),
        " | ".join(number(each.largest, DIGITS) for each in found),
        about,
        help=t.sentences(t("Mean over the rows."), place),
    )
    workspace.metric(
        t("Effective keys"),
        " | ".join(grouped(each.effective, 2) for each in found),
        t("of {S}, on average", S=f"{result.params.keys:,}"),
        help=t.sentences(
            t("How many keys share the weight: exp of the entropy of the row."), place
        ),
    )
    workspace.metric(
        t("Rows over {share}", share=NEARLY_ONE),
        " | ".join(percent(each.saturated) for each in found),
        about,
        help=t.sentences(
            t("Rows in which one key has more than {share}.", share=NEARLY_ONE), place
        ),
    )


def notices(result: SaturationResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these rows."""
    rows = [result.found[d_k, "unscaled"] for d_k in (TABLE[0], TABLE[-1])]
    between = [d_k for d_k in result.d_ks if TABLE[0] <= d_k <= TABLE[-1]]
    divided = [result.found[d_k, "sqrt"].largest for d_k in between]
    said = t(
        "From d_k = {low} to {high} the largest weight goes from {first} to {last} unscaled; "
        "divided by √d_k it stays between {least} and {most}.",
        first=number(rows[0].largest, DIGITS),
        last=number(rows[1].largest, DIGITS),
        low=f"{TABLE[0]:,}",
        high=f"{TABLE[-1]:,}",
        least=number(min(divided), DIGITS),
        most=number(max(divided), DIGITS),
    )
    linear = result.found[result.d_ks[-1], "linear"]
    flat = t(
        "Dividing by d_k goes too far: {effective} of {S} keys share the weight.",
        effective=grouped(linear.effective, 2),
        S=f"{result.params.keys:,}",
    )
    return [said, flat if linear.effective > NEARLY_ALL * result.params.keys else ""]
