"""The budgets across a plot of bytes: thin lines, and labels beside it that keep apart."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.memory.budgets import Budget
from pages.figures.annotate import draw_words, spread, words_width
from pages.figures.canvas import HATCH
from pages.figures.figure import Style
from pages.figures.palette import mix
from pages.figures.panel import Panel, sizes_of, smallest_of
from pages.figures.series import polyline
from pages.text import translator
from pages.text.memory_words import bytes_words

_LINE = 1.25  # label sizes between two labels
_LEADER = 2.0  # label sizes between the plot and its labels
_DASH = (3.0, 3.0)
_PALE = 0.35  # of the background in the line of a budget


@dataclass(frozen=True)
class Label:
    """What stands beside the plot at a number of bytes; ``pale`` labels are those of budgets."""

    at: float
    text: str
    colour: str
    bold: bool = False


def budget_labels(
    budgets: tuple[Budget, ...], chosen: Budget, style: Style, *, brief: bool
) -> list[Label]:
    """Return the labels of budgets; where there is little room, this machine has no number."""
    t, colours = translator(style.language), style.colours
    found = []
    for budget in budgets:
        text = bytes_words(budget.bytes, t)
        if budget.name:
            text = t("this machine") if brief else t("this machine {amount}", amount=text)
        is_chosen = budget == chosen
        colour = colours.text if is_chosen or budget.name else colours.muted
        found.append(Label(float(budget.bytes), text, colour, is_chosen))
    return found


def labels_room(labels: list[Label], style: Style) -> float:
    """Return what the labels take to the right of a plot, in pixels."""
    size, smallest = sizes_of(style).label, smallest_of(style)
    widths = [words_width(label.text, size, label.bold, smallest) for label in labels]
    return max(widths) + size * (_LEADER + 0.3)


def draw_budget(panel: Panel, budget: Budget, *, chosen: bool) -> None:
    """Draw the line of a budget: the chosen one solid, others thin and dashed."""
    colours, y = panel.style.colours, panel.y.at(budget.bytes)
    ends, thick = [(panel.left, y), (panel.right, y)], panel.sizes.line * 0.5
    path = polyline(ends, () if chosen else _DASH, thick)
    pale = mix(colours.muted, colours.background, _PALE)
    colour = colours.text if chosen else colours.muted if budget.name else pale
    panel.canvas.path(path, stroke=colour, stroke_width=thick, level=HATCH)


def draw_labels(panel: Panel, labels: list[Label]) -> None:
    """Write labels to the right of the plot, each as near to its number as there is room."""
    size = panel.sizes.label
    ends = [panel.y.at(label.at) for label in labels]
    places = spread(ends, size * _LINE, panel.top, panel.bottom)
    start = panel.right + size * _LEADER
    for label, end, y in zip(labels, ends, places, strict=True):
        leader = f"M{panel.right + 3:.2f},{end:.2f}L{start - size * 0.3:.2f},{y:.2f}"
        pale = mix(label.colour, panel.style.colours.background, 0.35)
        panel.canvas.path(leader, stroke=pale, stroke_width=1.25, level=HATCH)
        draw_words(panel.canvas, start, y, label.text, size, label.colour, bold=label.bold)
