"""Operations: what is multiplied and added, by part, against T."""

from __future__ import annotations

from engine.experiments.memory.predicted import Result
from pages.gallery.memory import OPERATIONS
from pages.text import Translator
from pages.text.memory_predictions import operations_words, work_notices, work_share
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import typeset
from pages.ui.memory import computing


def draw() -> None:
    """Draw the tab of operations."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, work_notices(result, t))),
        lambda: result_figures.show(OPERATIONS, result),
    )


def numbers(result: Result, t: Translator) -> None:
    """Draw the operations at the chosen T, and where pairs of tokens overtake the rest."""
    pairs, whole = work_share(result)
    at = t("at T = {T}", T=f"{result.params.T:,}")
    workspace.metric(
        t("Forward pass"),
        operations_words(whole),
        at,
        help=t("All layers; a multiplication and an addition are two operations."),
    )
    workspace.metric(t("On pairs of tokens"), operations_words(pairs), at)
    found = result.operations
    workspace.metric(
        t("Over the projections"),
        f"{found.overtakes_projections:,}",
        t("tokens and more"),
        help=t("From this T on, scores and weighted sum take more than the projections."),
    )
    if result.params.d_ff:
        workspace.metric(
            t("Over all the rest"),
            f"{found.overtakes_layer:,}",
            t("tokens and more"),
            help=t("From this T on, they take more than projections and feed-forward layers."),
        )
