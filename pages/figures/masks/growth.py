"""A sequence that grows: which earlier outputs change."""

from __future__ import annotations

import numpy as np

from engine.experiments.masks.growth import Growth, GrowthResult
from engine.experiments.masks.spec import MaskSpec
from engine.shapes import Array
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style
from pages.figures.masks.common import labels_of, spec_stem, stem
from pages.figures.numerals import measured_number
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.text import Translator, translator
from pages.text.mask_words import spec_words


def growth_figure(result: GrowthResult, style: Style) -> Figure:
    """Draw the differences of every shorter sequence to the whole one, under both masks."""
    t = translator(style.language)
    specs = {"a": result.params.a, "b": result.params.b}
    words = {name: spec_words(spec, t, inside=True) for name, spec in specs.items()}
    title = t("One token at a time: do earlier outputs change? {a} and {b}", **words)
    note = _note(result, t)
    sides = (("a", result.a, result.params.a), ("b", result.b, result.params.b))
    blocks = [
        (f"{name}: {spec_stem(spec)}", {"largest difference": _there(growth.differences)})
        for name, growth, spec in sides
    ]
    table = cells_table(
        blocks,
        [str(length) for length in result.a.lengths],
        result.head.tokens,
        ("mask", "length", "output"),
    )
    return panels_figure(
        tuple(_panel(result, growth, spec, t) for _, growth, spec in sides),
        style,
        Words(
            stem("growth", result.params, result.head, result.params.a, result.params.b),
            title,
            note,
            t.sentences(t("{title}.", title=title), note),
            "output",
        ),
        row_title=t("length"),
        column_title=t("output of token"),
        table=table,
    )


def _there(differences: Array) -> Array:
    """Return the differences for a table, which is empty where a token is not there yet."""
    return np.where(np.isnan(differences), "", differences.astype(object))


def _panel(result: GrowthResult, growth: Growth, spec: MaskSpec, t: Translator) -> Panel:
    return Panel(
        spec_words(spec, t),
        growth.differences,
        "output",
        column_labels=labels_of(result.head, result.params),
        absent=np.isnan(growth.differences),
        measure=t("difference"),
        limit=_limit(result),
        row_numbers=growth.lengths,
    )


def _all_rounding(result: GrowthResult) -> bool:
    """Return whether no output changes beyond rounding under either mask."""
    return not (result.a.last_change or result.b.last_change)


def _limit(result: GrowthResult) -> float:
    """Return the end of the scale; where all is rounding, the outputs themselves set it."""
    if _all_rounding(result):
        return float(np.abs(result.output).max(initial=0.0)) or 1.0
    return max(result.a.change, result.b.change)


def _note(result: GrowthResult, t: Translator) -> str:
    said = [
        t(
            "A cell is the largest difference of an output's component between the first tokens "
            "alone and the whole sequence; blank: not there yet."
        ),
        _side(result.a, result.params.a, t),
        _side(result.b, result.params.b, t),
    ]
    if _all_rounding(result):
        said.append(t("The scale runs to the largest output, since all differences are rounding."))
    return t.sentences(*said)


def _side(growth: Growth, spec: MaskSpec, t: Translator) -> str:
    """Return the largest difference under one mask, what it is, and up to where there is one."""
    words = {"mask": spec_words(spec, t), "value": measured_number(growth.change, 3)}
    if growth.change == 0:
        return t("{mask}: largest difference 0, to the last bit.", mask=words["mask"])
    if not growth.last_change:
        return t("{mask}: largest difference {value}, which is rounding.", **words)
    if growth.settled is None:
        return t(
            "{mask}: largest difference {value}; earlier outputs change until the last token is "
            "there.",
            **words,
        )
    return t(
        "{mask}: largest difference {value}; earlier outputs change up to length {last}, and stay "
        "from length {settled} on.",
        last=growth.last_change,
        settled=growth.settled,
        **words,
    )
