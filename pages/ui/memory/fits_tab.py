"""What fits: the largest T of each method in each budget, and on N devices."""

from __future__ import annotations

from engine.experiments.memory.predicted import Result
from pages.gallery.memory import DEVICES, FITS
from pages.text import Translator
from pages.text.memory_predictions import doubled, fit_notices, ratio_words, spread
from pages.text.memory_words import NOTHING, method_words, place_words
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_bound
from pages.ui.memory import computing

COMPARED = ("materialised", "fused")


def draw() -> None:
    """Draw the tab of what fits."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_bound, fit_notices(result, t))),
        lambda: result_figures.show(FITS, result),
    )
    result_figures.show(DEVICES, result)


def numbers(result: Result, t: Translator) -> None:
    """Draw what the table does not say: by which factors the largest T grows."""
    workspace.wide_metric(
        t("Fused against materialised"),
        ratio_words(result),
        place_words(result.chosen, result.params.devices, t),
        t("The largest T of fused attention, divided by that of the materialised one."),
    )
    for method in COMPARED:
        factor, tokens = doubled(result, method)
        workspace.wide_metric(
            t("{method}, twice the budget", method=method_words(method, t)),
            factor,
            _tokens(tokens),
            t("By which factor the largest T grows when there is twice as much memory."),
        )
    for method in COMPARED:
        devices, factor, tokens = spread(result, method)
        workspace.wide_metric(
            t("{method}, {count} devices", method=method_words(method, t), count=f"{devices:,}"),
            factor,
            _tokens(tokens),
            t("By which factor the largest T grows from one device to several of the same memory."),
        )


def _tokens(most: str) -> str:
    """Return what stands below a factor: the largest T, nothing where not one token fits."""
    if most == NOTHING:
        return ""
    return f"T {most}" if most.startswith("≥") else f"T = {most}"
