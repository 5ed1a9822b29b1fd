"""What deep stacks of random layers show; every sentence holds for any result."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.properties.smoothing import Measure, SmoothingParams, SmoothingResult
from engine.shapes import Array
from pages.figures.numerals import number
from pages.text.translator import Translator

ALIKE = 0.9  # mean cosine from which on positions are called alike: some 26 degrees apart
COMPARED = 4  # layers after which both ways are compared
DIGITS = 2


def cosine_words(result: SmoothingResult, t: Translator) -> str:
    """Return after how many layers the positions are alike, without residual and with it."""
    return t.sentences(_from_words(result, False, t), _from_words(result, True, t))


def _from_words(result: SmoothingResult, residual: bool, t: Translator) -> str:
    """Return after which layer every stack of one way has a mean cosine of at least 0.9."""
    name = t("Without residual") if not residual else t("With residual")
    first = alike_from(result, residual)
    values = {"name": name, "alike": number(ALIKE, 1)}
    if first is not None:
        return t("{name} the mean cosine is {alike} or more from layer {layer} on.",
                 layer=first, **values)  # fmt: skip
    last = last_mean(result, "cosine", residual)
    if last is None:
        return t("{name} a vector becomes zero, and has no cosine.", name=name)
    return t("{name} the mean cosine after the last layer is {last}.", name=name,
             last=number(last, DIGITS))  # fmt: skip


def alike_from(result: SmoothingResult, residual: bool) -> int | None:
    """Return the layer from which on every stack of one way is alike; None without one."""
    low = lowest(result, residual)
    alike = ~(low < ALIKE) & ~np.isnan(low)
    if not alike[-1]:
        return None
    unlike = np.flatnonzero(~alike)
    return int(unlike[-1]) + 1 if unlike.size else 0


def lowest(result: SmoothingResult, residual: bool) -> Array:
    """Return the lowest mean cosine of all stacks of one way after each layer, NaN where any is."""
    every = np.concatenate([result.cosine[residual, heads] for heads in result.heads])
    return np.asarray(every.min(axis=0))


def last_mean(result: SmoothingResult, measure: Measure, residual: bool) -> float | None:
    """Return the mean of all stacks of one way after the last layer; None where one has none."""
    last = [float(result.of(measure)[residual, heads][:, -1].mean()) for heads in result.heads]
    mean = sum(last) / len(last)
    return None if math.isnan(mean) else mean


def rank_words(result: SmoothingResult, t: Translator) -> str:
    """Return the effective rank after the last layer, without residual and with it."""
    first = float(np.mean([result.rank[False, heads][:, 0].mean() for heads in result.heads]))
    ends = [_rank_end(result, residual, t) for residual in (False, True)]
    return t(
        "The effective rank is {first} at first; after layer {layers} it is {without} without "
        "residual, {residual} with it.",
        first=number(first, 1),
        layers=result.params.layers,
        without=ends[0],
        residual=ends[1],
    )


def _rank_end(result: SmoothingResult, residual: bool, t: Translator) -> str:
    last = last_mean(result, "rank", residual)
    return t("none") if last is None else number(last, 1)


def stack_words(params: SmoothingParams, t: Translator) -> str:
    """Return what was drawn: random layers of attention alone."""
    norm = t("with layer normalisation") if params.norm else t("without layer normalisation")
    return t(
        "Random layers of attention alone, {norm}; T = {T}, d_model = {d_model}.",
        norm=norm,
        T=params.T,
        d_model=params.d_model,
    )


def lead_words(result: SmoothingResult, t: Translator) -> str:
    """Return the mean cosines of both ways after a few layers; of several numbers of heads none."""
    if len(result.heads) > 1:
        return ""
    layer = min(COMPARED, result.params.layers)
    without, residual = (result.cosine[way, result.heads[0]][:, layer] for way in (False, True))
    if np.isnan([without, residual]).any():
        return ""
    values = {"layer": layer, "without": number(float(without.mean()), DIGITS),
              "residual": number(float(residual.mean()), DIGITS)}  # fmt: skip
    said = t("After layer {layer} the mean cosine is {without} without residual and {residual} "
             "with it.", **values)  # fmt: skip
    if without.min() > residual.max() and len(without) > 1:
        return t.sentences(said, t("Every seed is lower with it."))
    return said


def heads_words(result: SmoothingResult, t: Translator) -> str:
    """Return between which mean cosines the numbers of heads lie, after a few layers."""
    if len(result.heads) < 2:
        return ""
    layer = min(COMPARED, result.params.layers)
    means = [float(result.cosine[True, heads][:, layer].mean()) for heads in result.heads]
    if np.isnan(means).any():
        return ""
    least, most = (number(end(means), DIGITS) for end in (min, max))
    values = {"layer": layer, "least": least, "most": most, "heads": t.listing(result.heads)}
    if least == most:
        return t("With residual the mean cosine after layer {layer} is {most} for {heads} heads.",
                 **values)  # fmt: skip
    said = t("With residual the mean cosines after layer {layer} lie between {least} and {most} "
             "for {heads} heads.", **values)  # fmt: skip
    return t.sentences(said, _little_words(result, layer, max(means) - min(means), t))


def _little_words(result: SmoothingResult, layer: int, change: float, t: Translator) -> str:
    """Return that heads change less than seeds do, where it holds for every number of heads."""
    every = (result.cosine[True, heads][:, layer] for heads in result.heads)
    apart = min(float(np.ptp(values)) for values in every)
    shown = math.floor(apart * 10**DIGITS) / 10**DIGITS
    if change >= shown:
        return ""
    return t(
        "The number of heads changes them less than the seed does: the seeds of one number of "
        "heads lie {apart} or more apart.",
        apart=number(shown, DIGITS),
    )
