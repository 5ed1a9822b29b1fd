"""The largest T that fits each budget, by method, as a table."""

from __future__ import annotations

from engine.experiments.memory.budgets import Budget
from engine.experiments.memory.predicted import METHODS, MOST_T, Result
from pages.figures.figure import Figure, Style, Table
from pages.figures.memory.common import (
    WIDE,
    counted_words,
    method_colour,
    setting_words,
    words_of,
)
from pages.figures.memory.grid import Column, Grid, draw_grid, screen_of
from pages.figures.memory.names import (
    budget_part,
    budgets_part,
    counted_parts,
    devices_part,
    stem,
)
from pages.figures.panel import Screen
from pages.text import Translator, translator
from pages.text.memory_words import budget_words, method_words, tokens_words


def fits_figure(result: Result, style: Style, *, screen: Screen | None = None) -> Figure:
    """Draw the table; the rows of the chosen budget stand out, and a screen is as high as they."""
    t, params = translator(style.language), result.params
    title = t("The most tokens that fit")
    note = t.sentences(setting_words(params, t), counted_words(params, t), _rule_words(result, t),
                       _none_words(result, t))  # fmt: skip
    budgets = list(dict.fromkeys(fit.budget for fit in result.fits))
    found = {(fit.budget, fit.method): fit.T for fit in result.fits}
    rows = tuple(
        (_label(budget, style, t), *(tokens_words(found[budget, method]) for method in METHODS))
        for budget in budgets
    )
    columns = (
        Column(t("memory") if params.devices == 1 else t("memory of each device"), left=True),
        *(Column(method_words(each, t), method_colour(each, style)) for each in METHODS),
    )
    chosen = tuple(i for i, budget in enumerate(budgets) if budget == result.chosen)
    name = stem("fits", params, params.mode, params.dtype, *counted_parts(params),
                devices_part(params), budget_part(params), budgets_part(params))  # fmt: skip
    words = words_of(name, title, note, "weights", t, _alt(result, t))
    grid = Grid(columns, rows, chosen)
    canvas = draw_grid(grid, style, words, screen or screen_of(grid, WIDE.width))
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _label(budget: Budget, style: Style, t: Translator) -> str:
    """Return the name of a row; where there is little room, this machine has no number."""
    if budget.name and style.size in ("half", "square"):
        return t("this machine")
    return budget_words(budget, t)


def _rule_words(result: Result, t: Translator) -> str:
    """Say what the numbers are: exact, of one device or of several."""
    devices, most = result.params.devices, max(fit.T for fit in result.fits)
    said = t("Exact: one token more does not fit.")
    if devices > 1:
        said = t("{count} devices, each with so much; exact: one token more does not fit.",
                 count=f"{devices:,}")  # fmt: skip
    ends = t("At {tokens} tokens the search ends.", tokens=f"{MOST_T:,}")
    return t.sentences(said, ends if most >= MOST_T else "")


def _none_words(result: Result, t: Translator) -> str:
    if all(fit.T for fit in result.fits):
        return ""
    return t("A dash: not one token fits.")


def _alt(result: Result, t: Translator) -> str:
    parts = [
        t("{budget}, {method}: {tokens}", budget=budget_words(fit.budget, t),
          method=method_words(fit.method, t), tokens=tokens_words(fit.T))
        for fit in result.fits
    ]  # fmt: skip
    return t("{parts}.", parts=t.clauses(parts))


def _table(result: Result) -> Table:
    columns = ("budget", "bytes", "method", "largest T")
    rows = tuple(
        (fit.budget.name or "chosen", fit.budget.bytes, fit.method, fit.T) for fit in result.fits
    )
    return Table(columns, rows)
