"""Reach: how many steps information needs between two positions, by architecture."""

from __future__ import annotations

from engine.experiments.properties.paths import Architecture, PathResult
from pages.gallery.properties import PATHS_FIGURE, REACHED
from pages.text import Translator
from pages.text.properties_readings import paths_notices
from pages.text.properties_words import architecture_words
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_plain
from pages.ui.properties import computing

SHOWN: tuple[Architecture, ...] = ("rnn", "window", "full")


def draw() -> None:
    """Draw the tab of reach."""
    t = settings.translate()
    result = computing.paths(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, paths_notices(result, t))),
        lambda: result_figures.show(PATHS_FIGURE, result),
    )
    result_figures.show(REACHED, result)


def numbers(result: PathResult, t: Translator) -> None:
    """Draw how many steps the longest way takes."""
    T = f"{result.params.T:,}"
    for name in SHOWN:
        steps = result.longest[name]
        workspace.metric(
            architecture_words(name, t),
            f"{steps:,}",
            t("step to position {T}", T=T) if steps == 1 else t("steps to position {T}", T=T),
            help=t("From position 1 to the last, counted by walking."),
        )
