"""What fits: the largest T of each method in each budget, and on N devices."""

from __future__ import annotations

from engine.experiments.memory.predicted import Result
from pages.gallery.memory import DEVICES, FITS
from pages.text import Translator
from pages.text.memory_predictions import fit_notices, largest_help, largest_words
from pages.text.memory_words import about_method, method_words
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import typeset
from pages.ui.memory import computing, wide_metric


def draw() -> None:
    """Draw the tab of what fits."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, fit_notices(result, t))),
        lambda: result_figures.show(FITS, result),
    )
    result_figures.show(DEVICES, result)


def numbers(result: Result, t: Translator) -> None:
    """Draw the largest T of every method in the chosen budget."""
    for fit in result.at_budget:
        value, place = largest_words(result, fit.method, t)
        about = t.sentences(about_method(fit.method, t), largest_help(place, t))
        wide_metric.draw(method_words(fit.method, t), value, place, typeset(about))
