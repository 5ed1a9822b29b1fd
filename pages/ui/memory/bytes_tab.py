"""Bytes: what every tensor of attention needs, by method, against T."""

from __future__ import annotations

from engine.experiments.memory.predicted import Params, Result
from engine.experiments.memory.tensors import needed
from pages.gallery.memory import BYTES, LADDER, TENSORS
from pages.text import Translator
from pages.text.memory_predictions import byte_notices, cache_bytes, largest_help, largest_words
from pages.text.memory_words import (
    about_method,
    bytes_words,
    each_words,
    method_words,
    parameters_words,
)
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_bound, typeset
from pages.ui.memory import computing


def draw() -> None:
    """Draw the tab of bytes."""
    t = settings.translate()
    result = computing.predicted(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_bound, byte_notices(result, t))),
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
        workspace.wide_metric(
            _title(method, params, t),
            bytes_words(needed(params, method), t),
            below,
            _about(method, params, t),
        )
    for method in ("materialised", "fused"):
        value, place = largest_words(result, method, t)
        workspace.wide_metric(
            t("{method}, largest T", method=method_words(method, t)),
            value,
            place,
            largest_help(place, t),
        )


def _title(method: str, params: Params, t: Translator) -> str:
    """Return the name of a method; with several devices it says that the bytes are of one."""
    name = method_words(method, t)
    return name if params.devices == 1 else t("{method}, each device", method=name)


def _about(method: str, params: Params, t: Translator) -> str:
    """Return what a method is, and what is counted."""
    counted = t(
        "Every tensor of attention at its peak at T = {T}, of all layers that keep it.",
        T=f"{params.T:,}",
    )
    return typeset(
        t.sentences(
            about_method(method, t), counted, parameters_words(params, t), each_words(params, t)
        )
    )
