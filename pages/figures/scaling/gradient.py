"""The Jacobian of softmax, and how much gradient reaches each input."""

from __future__ import annotations

from typing import Literal

from engine.experiments.scaling.reach import ReachResult
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.masks.common import cells_table
from pages.figures.panels import Panel, panels_figure
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import HALF_NAMED, log_axis, stem, way_kind, words_of
from pages.text import Translator, translator
from pages.text.scaling_readings import jacobian_words, reach_words
from pages.text.scaling_words import way_sign, way_words

Reached = Literal["projections", "vectors"]
_REACHED: dict[Reached, tuple[str, str]] = {"projections": ("w_q", "w_k"), "vectors": ("q", "k")}
_SYMBOLS = {"w_q": "W_Q", "w_k": "W_K", "q": "q", "k": "k"}
_ROLES = {"w_q": "query", "w_k": "key", "q": "query", "k": "key"}


def jacobian_figure(result: ReachResult, style: Style) -> Figure:
    """Draw the Jacobian of one row, scaled beside unscaled, on one colour scale around 0."""
    t = translator(style.language)
    d_k = max(result.params.d_ks)
    title = t("The Jacobian of softmax for one row, divided and not divided")
    note = t.sentences(
        t(
            "A cell is the derivative of one weight by one score that enters softmax, at d_k = "
            "{d_k}.",
            d_k=f"{d_k:,}",
        ),
        jacobian_words(result, t),
    )
    T = result.params.T
    labels = [str(place + 1) for place in range(T)]
    blocks = [
        (way_words(scaled, t), {"derivative": result.jacobian[scaled]}) for scaled in (False, True)
    ]
    return panels_figure(
        tuple(_panel(result, scaled, t) for scaled in (False, True)),
        style,
        words_of(stem("jacobian", f"T{T}", f"dk{d_k}"), title, note, "scores", t),
        row_title=t("weight"),
        column_title=t("score"),
        table=cells_table(blocks, labels, labels, ("rule", "weight", "score")),
    )


def _panel(result: ReachResult, scaled: bool, t: Translator) -> Panel:
    return Panel(
        way_sign(scaled, t),
        result.jacobian[scaled],
        "scores",
        measure=t("derivative"),
        trimmed=True,
        rounded=True,
    )


def reach_figure(
    result: ReachResult, style: Style, of: Reached = "projections", *, screen: Screen = HALF_NAMED
) -> Figure:
    """Draw the size of the gradients of W_Q and W_K, or of q and k, against d_k, both ways."""
    t = translator(style.language)
    d_ks = sorted({d_k for d_k, _ in result.found})
    places = tuple(float(d_k) for d_k in d_ks)
    series = tuple(
        _line(result, d_ks, name, scaled, style, t)
        for scaled in (False, True)
        for name in _REACHED[of]
    )
    values = [value for each in series for value in each.values]
    title = (
        t("The gradient that reaches the projections at the start")
        if of == "projections"
        else t("The gradient that reaches queries and keys at the start")
    )
    note = reach_words(result, _REACHED[of][0], t)
    return line_figure(
        places,
        series,
        style,
        words_of(stem("gradients", of, f"T{result.params.T}"), title, note, "query", t),
        x_axis=Axis("d_k", scale="log2"),
        y_axis=log_axis(t("root mean square of the gradient"), values),
        table=_reach_table(result, d_ks, t),
        dots=places,
        symbols=True,
        screen=screen,
    )


def _line(
    result: ReachResult, d_ks: list[int], name: str, scaled: bool, style: Style, t: Translator
) -> Series:
    values = tuple(result.found[d_k, scaled].sizes[name][0] for d_k in d_ks)
    words = t("{symbol}, {way}", symbol=_SYMBOLS[name], way=way_sign(scaled, t))
    return Series(words, values, style.colours.roles[_ROLES[name]], kind=way_kind(scaled))


def _reach_table(result: ReachResult, d_ks: list[int], t: Translator) -> Table:
    rows = tuple(
        (d_k, way_words(scaled, t), name, *size)
        for d_k in d_ks
        for scaled in (False, True)
        for name, size in result.found[d_k, scaled].sizes.items()
    )
    columns = ("d_k", "rule", "gradient of", "root mean square", "standard error")
    return Table(columns, rows)
