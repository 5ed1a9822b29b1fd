"""Bytes: what every tensor of attention needs, by method, against T."""

from __future__ import annotations

from engine.experiments.memory.predicted import Result
from engine.experiments.memory.tensors import needed
from pages.gallery.memory import BYTES, LADDER, TENSORS
from pages.text import Translator
from pages.text.memory_predictions import byte_notices, cache_bytes, largest_words
from pages.text.memory_words import bytes_words, method_words
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import typeset
from pages.ui.memory import computing


def draw() -> None:
    """Draw the tab of bytes."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(typeset, byte_notices(result, t))),
        lambda: result_figures.show(BYTES, result),
    )
    result_figures.show(TENSORS, result)
    result_figures.show(LADDER, result)


def numbers(result: Result, t: Translator) -> None:
    """Draw what is needed at the chosen T, the cache, and the largest T that fits."""
    params = result.params
    at = t("at T = {T}", T=f"{params.T:,}")
    cached = params.mode == "inference" and params.cache
    cache = t("KV cache: {amount}", amount=bytes_words(cache_bytes(result), t))
    for method, below in (("materialised", at), ("fused", cache if cached else at)):
        workspace.metric(
            method_words(method, t),
            bytes_words(needed(params, method), t),
            below,
            help=t(
                "Every tensor of attention at its peak at T = {T}, of all layers that keep it.",
                T=f"{params.T:,}",
            ),
        )
    for method in ("materialised", "fused"):
        value, about = largest_words(result, method, t)
        workspace.metric(
            t("Largest T"),
            value,
            t("{method}, {budget}", method=method_words(method, t), budget=about),
        )
