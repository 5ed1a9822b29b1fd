"""Depth: whether positions grow alike from layer to layer, with and without a residual."""

from __future__ import annotations

import numpy as np

from engine.experiments.properties.smoothing import Measure, SmoothingResult
from pages.figures.numerals import number
from pages.gallery.properties import COSINE, RANK
from pages.text import Translator
from pages.text.properties_readings import smoothing_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_plain
from pages.ui.properties import computing

DIGITS = {"cosine": 3, "rank": 1}


def draw() -> None:
    """Draw the tab of depth."""
    t = settings.translate()
    result = computing.smoothing(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, smoothing_notices(result, t))),
        lambda: workspace.side_by_side(
            lambda: result_figures.show(COSINE, result), lambda: result_figures.show(RANK, result)
        ),
    )


def numbers(result: SmoothingResult, t: Translator) -> None:
    """Draw how alike the positions are after the last layer, and how many directions are left."""
    heads = result.heads[0]
    about = t("after {layers} layers, H = {heads}", layers=result.params.layers, heads=heads)
    if result.params.layers == 1:
        about = t("after 1 layer, H = {heads}", heads=heads)
    meant: tuple[tuple[Measure, str, str], ...] = (
        (
            "cosine",
            t("Mean cosine"),
            t(
                "Between the vectors of two different positions: 1 means that all point the same "
                "way. Without | with a residual connection; the mean over the seeds."
            ),
        ),
        (
            "rank",
            t("Effective rank"),
            t(
                "How many directions the vectors of all positions fill: exp of the entropy of the "
                "singular values. Without | with a residual connection; the mean over the seeds."
            ),
        ),
    )
    for measure, title, meaning in meant:
        found = result.of(measure)
        said = [_mean(found[residual, heads], DIGITS[measure]) for residual in (False, True)]
        workspace.metric(title, " | ".join(said), about, help=meaning)


def _mean(values: np.ndarray, digits: int) -> str:
    """Return the mean over the seeds after the last layer; a dash where it is not defined."""
    last = float(values[:, -1].mean())
    return "–" if np.isnan(last) else number(last, digits)
