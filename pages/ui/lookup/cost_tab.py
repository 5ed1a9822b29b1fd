"""Cost: the time of additive scores and of dot products, measured on this machine."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.experiments.lookup.cost import CostResult, measure, validate
from pages.gallery.lookup_cost import COST, COST_RATIO, COST_TIME, CostView
from pages.text import Translator
from pages.text.lookup_readings import cost_notices, ratio_words
from pages.ui import choices, long_run, settings
from pages.ui.long_run import Places
from pages.ui.lookup import state
from pages.ui.watched import WORDS, Watched, draw_pair, said

WORK = f"{state.PAGE}.cost"
PRECISION = "float32"  # as it is timed on every backend


def _require(params: Any) -> None:
    validate(params)


WATCHED = Watched(WORK, state.cost_params, _require, measure, COST)


def controls(t: Translator) -> None:
    """Draw start and stop."""
    WATCHED.controls(TAB, t)


def choose(t: Translator) -> None:
    """Draw the choice of what the times are drawn against."""
    titles = {"d_k": t("Against $d_k$"), "T": t("Against $T$")}
    st.segmented_control(
        t("Against"),
        options=list(state.AGAINST),
        format_func=titles.__getitem__,
        key=choices.widget(state.key("against"), t),
        on_change=choices.taker(state.key("against"), t),
        required=True,
        label_visibility="collapsed",
    )


def draw(bar: Any) -> None:
    """Draw the tab; ``bar`` is the place of the progress while it goes on."""
    TAB.draw(WATCHED.shown(), bar, settings.translate())


def fill(places: Places, result: CostResult | None, t: Translator, live: bool) -> None:
    """Draw one result in its places; without export bars while it still grows."""
    if result is None:
        places.words.info(WATCHED.nothing_said(t), icon=":material/info:")
        return
    places.say(measures(result, t), cost_notices(result, t), t)
    view = CostView(next(each for each in state.AGAINST if each == state.get("against")))
    draw_pair(places, (COST_TIME, COST_RATIO), result, live=live, view=view)


def measures(result: CostResult, t: Translator) -> list[tuple[str, str, str, str]]:
    """Return how many times as long additive scores take at the ends of what was measured."""
    about = t(
        "Time of additive scores over that of dot products: the ratio of the medians, and the "
        "middle half of the ratios of single runs."
    )
    shown = []
    for place, (T, d_k) in enumerate(_ends(result)):
        ratio = result.ratio(T, d_k)
        shown.append(
            (
                (t("Ratio, smallest size"), t("Ratio, largest size"))[place],
                "–" if ratio is None else ratio_words(ratio.ratio),
                "–" if ratio is None else t("T = {T}, {d_k} wide", T=f"{T:,}", d_k=f"{d_k:,}"),
                about,
            )
        )
    return shown + [("–", "–", "", "")] * (2 - len(shown))


def _ends(result: CostResult) -> list[tuple[int, int]]:
    """Return the cheapest and the dearest pair of T and d_k that both ways are measured at."""
    return [*result.pairs[:1], *result.pairs[1:][-1:]]


TAB = long_run.Tab(
    WORK,
    WORDS,
    WATCHED.begin,
    WATCHED.chosen,
    fill,
    said,
    numbers=2,
    precision=lambda _result: PRECISION,
)
