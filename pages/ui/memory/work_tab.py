"""Operations: what is multiplied and added, by part, against T."""

from __future__ import annotations

from engine.experiments.memory.predicted import Result
from pages.gallery.memory import OPERATIONS
from pages.text import Translator
from pages.text.memory_predictions import (
    operations_words,
    projections_at,
    work_notices,
    work_share,
)
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_bound
from pages.ui.memory import computing


def draw() -> None:
    """Draw the tab of operations."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_bound, work_notices(result, t))),
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
    workspace.wide_metric(
        t("Scores and weighted sum"),
        operations_words(pairs),
        at,
        t("The products of queries and keys, and of weights and values: the part with T²."),
    )
    workspace.metric(
        t("Projections"),
        operations_words(projections_at(result)),
        at,
        help=t("The products that form Q, K and V, and the output of a layer."),
    )
    crossings(result, t)


def crossings(result: Result, t: Translator) -> None:
    """Draw from which T on the part with the square takes more than the others."""
    found, below = result.operations, t("from this T on")
    workspace.wide_metric(
        t("T² passes projections"),
        f"T = {found.overtakes_projections:,}",
        below,
        t("From this T on, scores and weighted sum take more than the projections."),
    )
    if result.params.d_ff:
        workspace.wide_metric(
            t("T² passes all the rest"),
            f"T = {found.overtakes_layer:,}",
            below,
            t("From this T on, they take more than projections and feed-forward layers."),
        )
