"""Rows or columns: softmax along the rows, as attention has it, beside softmax down the columns."""

from __future__ import annotations

from engine.experiments.lookup.axes import AxesResult
from pages.figures.numerals import number
from pages.gallery.lookup import AXES_FIGURE
from pages.text import Translator
from pages.text.amounts import size
from pages.text.lookup_readings import axes_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.lookup import computing
from pages.ui.maths import set_plain

DIGITS = 3


def draw() -> None:
    """Draw the tab of both axes."""
    t = settings.translate()
    result = computing.axes(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, axes_notices(result, t))),
        lambda: result_figures.show(AXES_FIGURE, result),
    )


def numbers(result: AxesResult, t: Translator) -> None:
    """Draw how far rows are from adding up to 1 after softmax down columns, and what follows."""
    sums = result.row_sums_of_columns
    workspace.metric(
        t("Row sums"),
        f"{number(float(sums.min()), DIGITS)}–{number(float(sums.max()), DIGITS)}",
        t("by columns; by rows 1"),
        help=t("What the weights of one query add up to when softmax runs down the columns."),
    )
    workspace.metric(
        t("Weights differ by"),
        size(result.difference_weights),
        t("at most"),
        help=t("The largest difference of a weight between both normalisations."),
    )
    workspace.metric(
        t("Outputs differ by"),
        size(result.difference_output),
        t("largest output {value}", value=size(result.largest_output)),
        help=t("The largest difference of a number of the output."),
    )
