"""The Jacobian of softmax, and how much gradient reaches each input."""

from __future__ import annotations

from typing import Literal

from engine.experiments.scaling.reach import ReachResult
from pages.figures.cells_table import cells_table
from pages.figures.figure import Band, Figure, Series, Style, Table
from pages.figures.panels import Panel, panels_figure
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import (
    HALF_NAMED,
    log_axis,
    stem,
    way_colour,
    way_kind,
    words_of,
)
from pages.text import Translator, translator
from pages.text.scaling_readings import jacobian_words, norm_words, reach_words
from pages.text.scaling_words import gradient_symbol, measure_words, way_sign, way_words

Reached = Literal["projections", "vectors"]
REACHED: dict[Reached, tuple[str, str]] = {"projections": ("w_q", "w_k"), "vectors": ("q", "k")}
_ROLES = {"w_q": "query", "w_k": "key", "q": "query", "k": "key"}


def norm_figure(result: ReachResult, style: Style, *, screen: Screen = HALF_NAMED) -> Figure:
    """Draw the mean norm of the Jacobian against d_k, both ways, with its standard error."""
    t = translator(style.language)
    d_ks = sorted({d_k for d_k, _ in result.found})
    places = tuple(float(d_k) for d_k in d_ks)
    drawn = [_norms(result, d_ks, scaled, style, t) for scaled in (False, True)]
    title = t("How large the Jacobian of softmax is")
    note = norm_words(result, t)
    return line_figure(
        places,
        [series for series, _ in drawn],
        style,
        words_of(stem("jacobian-norm", f"T{result.params.T}"), title, note, "weights", t),
        x_axis=Axis("d_k", scale="log2", ticks=places),
        y_axis=Axis(measure_words("jacobian", t), 0.0),
        table=_norm_table(result, d_ks, t),
        dots=places,
        bands=[band for _, band in drawn],
        symbols=True,
        screen=screen,
    )


def _norms(
    result: ReachResult, d_ks: list[int], scaled: bool, style: Style, t: Translator
) -> tuple[Series, Band]:
    found = [result.found[d_k, scaled].norm for d_k in d_ks]
    colour = way_colour(scaled, style)
    return _measured(way_sign(scaled, t), found, colour, way_kind(scaled), t)


def _measured(
    name: str, found: list[tuple[float, float]], colour: str, kind: int, t: Translator
) -> tuple[Series, Band]:
    """Return means as a line, and one standard error on either side of it as a band."""
    means, low, high = zip(
        *((mean, mean - error, mean + error) for mean, error in found), strict=True
    )
    return Series(name, means, colour, kind=kind), Band(t("standard error"), low, high, colour)


def _norm_table(result: ReachResult, d_ks: list[int], t: Translator) -> Table:
    rows = tuple(
        (d_k, way_words(scaled, t), *result.found[d_k, scaled].norm)
        for d_k in d_ks
        for scaled in (False, True)
    )
    return Table(("d_k", "rule", "mean norm of the Jacobian", "standard error"), rows)


def jacobian_figure(result: ReachResult, style: Style, row: int = 1) -> Figure:
    """Draw the Jacobian of one row, unscaled beside scaled, on one colour scale around 0.

    It is a row of the first head, counted from 1, at the largest d_k.
    """
    t = translator(style.language)
    d_k = max(result.params.d_ks)
    title = t("The Jacobian of softmax for one row, unscaled and scaled")
    note = t.sentences(
        t(
            "Row {row} of the first head at d_k = {d_k}, the largest; a cell is the derivative of "
            "one weight by one score that enters softmax.",
            row=row,
            d_k=f"{d_k:,}",
        ),
        jacobian_words(result, row, t),
    )
    T = result.params.T
    labels = [str(place + 1) for place in range(T)]
    blocks = [
        (way_words(scaled, t), {"derivative": result.jacobian(scaled, row)})
        for scaled in (False, True)
    ]
    return panels_figure(
        tuple(_panel(result, row, scaled, t) for scaled in (False, True)),
        style,
        words_of(stem("jacobian", f"T{T}", f"dk{d_k}", f"row{row}"), title, note, "scores", t),
        row_title=t("weight"),
        column_title=t("score"),
        table=cells_table(blocks, labels, labels, ("rule", "weight", "score")),
    )


def _panel(result: ReachResult, row: int, scaled: bool, t: Translator) -> Panel:
    return Panel(
        way_sign(scaled, t),
        result.jacobian(scaled, row),
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
    drawn = [
        _line(result, d_ks, name, scaled, style, t)
        for scaled in (False, True)
        for name in REACHED[of]
    ]
    values = [value for _, band in drawn for edge in (band.low, band.high) for value in edge]
    title = (
        t("The gradient that reaches the projections at the start")
        if of == "projections"
        else t("The gradient that reaches queries and keys at the start")
    )
    note = reach_words(result, REACHED[of][0], t)
    return line_figure(
        places,
        [series for series, _ in drawn],
        style,
        words_of(stem("gradients", of, f"T{result.params.T}"), title, note, "query", t),
        x_axis=Axis("d_k", scale="log2", ticks=places),
        y_axis=log_axis(t("root mean square of the gradient"), values),
        table=_reach_table(result, d_ks, t),
        dots=places,
        bands=[band for _, band in drawn],
        symbols=True,
        screen=screen,
    )


def _line(
    result: ReachResult, d_ks: list[int], name: str, scaled: bool, style: Style, t: Translator
) -> tuple[Series, Band]:
    found = [result.found[d_k, scaled].sizes[name] for d_k in d_ks]
    words = t("{symbol}, {way}", symbol=gradient_symbol(name), way=way_sign(scaled, t))
    return _measured(words, found, style.colours.roles[_ROLES[name]], way_kind(scaled), t)


def _reach_table(result: ReachResult, d_ks: list[int], t: Translator) -> Table:
    rows = tuple(
        (d_k, way_words(scaled, t), name, *size)
        for d_k in d_ks
        for scaled in (False, True)
        for name, size in result.found[d_k, scaled].sizes.items()
    )
    columns = ("d_k", "rule", "gradient of", "root mean square", "standard error")
    return Table(columns, rows)
