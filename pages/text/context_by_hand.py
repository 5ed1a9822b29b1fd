"""The words of the two layers built by hand: features, what a layer brings, its arithmetic."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.context.two_layers import TwoLayersResult, Walk
from engine.shapes import Array
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.digits import digits
from pages.text.marking import mark
from pages.text.memory_measured_words import share_words
from pages.text.translator import Translator

_FEATURES = {
    "living": mark("living"),
    "width": mark("width"),
    "pronoun": mark("pronoun"),
    "asks": mark("asks"),
    "asks_living": mark("asks living"),
    "asks_width": mark("asks width"),
}
DECIMALS = 3
_SMALL = 0.0005
_TINY = 1e-4
_LARGE = 1e6  # from here on a sum is written as a power of ten


def weight_text(weight: float) -> str:
    """Return a weight with three decimals, or as a power of ten where these would be noughts."""
    return number(weight, DECIMALS) if weight >= _SMALL else size(weight)


def setting_text(value: float) -> str:
    """Return a number that someone chose, of 0 or more: all of its digits, up to six."""
    return share_words(value) if 0 < value < _TINY else digits(float(value), 6)


def feature_name(key: str, t: Translator) -> str:
    """Return the name of a feature, or of a column of W_Q and W_K."""
    return t(_FEATURES[key])


def feature_words(result: TwoLayersResult, walk: Walk, place: int, t: Translator) -> str:
    """Return what a word is before any layer; empty where it has no feature."""
    held = np.flatnonzero(walk.states[0][place]).tolist()
    return t.listing(feature_name(result.features[each], t) for each in held)


def brought(walk: Walk, query: int, layer: int, decimals: int) -> list[int]:
    """Return which features a layer, from 0, brings to "it", the largest first."""
    found: Array = walk.traces[layer].output[query]
    order = sorted(range(len(found)), key=lambda each: -float(found[each]))
    return [each for each in order if round(float(found[each]), decimals) != 0]


def brought_words(
    result: TwoLayersResult, walk: Walk, layer: int, decimals: int, t: Translator, *, most: int = 2
) -> str:
    """Return what a layer, from 0, brings to "it": ``+ asks living 0.845``.

    Without a residual connection it stands after ``=``: nothing else is left. Of more than ``most``
    features the largest are named.
    """
    output = walk.traces[layer].output[result.query]
    found = brought(walk, result.query, layer, decimals)
    parts = [
        f"{feature_name(result.features[each], t)} {number(float(output[each]), decimals)}"
        for each in found[:most]
    ]
    text = t.listing(parts) if parts else t("nothing")
    more = " …" if len(found) > most else ""
    return f"{'+' if result.params.residual else '='} {text}{more}"


def found_words(walk: Walk, t: Translator, *, brief: bool = False) -> str:
    """Return how the sentence ends and which word "it" finds in it."""
    ending = "… " + " ".join(walk.tokens[-2:])
    word = "?" if walk.found is None else walk.tokens[walk.found]
    if brief:
        return f"{ending} → {word}"
    if walk.found is None:
        return t("{ending}: “it” finds no word", ending=ending)
    return t("{ending}: “it” finds “{word}”", ending=ending, word=word)


def built_words(result: TwoLayersResult, t: Translator) -> str:
    """Return how the model was made."""
    strength = setting_text(result.params.strength)
    if result.params.residual:
        return t("Built by hand, not trained: strength {strength}, residual connections.",
                 strength=strength)  # fmt: skip
    return t("Built by hand, not trained: strength {strength}, no residual connections.",
             strength=strength)  # fmt: skip


def layer_role_words(layer: int, t: Translator) -> str:
    """Return what the matrices of a layer, from 0, do."""
    if layer == 0:
        return t("W_Q lets a pronoun look, W_K lets a word answer that asks something, W_V hands "
                 "on what it asks.")  # fmt: skip
    return t("W_Q looks for what is asked, W_K shows what a word is, W_V hands that on.")


def path_words(result: TwoLayersResult, walk: Walk, t: Translator) -> str:
    """Return the weights of "it" for the words that matter, with one ending."""
    first, second = (walk.row(layer) for layer in (0, 1))
    return t(
        "With “{last}”, “it” gives “{last}” {hears} in layer 1; in layer 2 it gives “animal” "
        "{animal} and “street” {street}.",
        last=walk.tokens[result.last],
        hears=weight_text(float(first[result.last])),
        animal=weight_text(float(second[result.animal])),
        street=weight_text(float(second[result.street])),
    )


def step_words(result: TwoLayersResult, walk: Walk, layer: int, place: int, t: Translator) -> str:
    """Return the arithmetic of one weight of "it" in a layer, from 0: score, exponential, share."""
    trace = walk.traces[layer]
    q, k = trace.q[result.query].tolist(), trace.k[place].tolist()
    scaled = trace.scaled[result.query].tolist()
    total = math.fsum(map(math.exp, scaled))
    return t(
        "Layer {layer}, “it” to “{word}”: ({product}) / √{d_k} = {score}; exp({score}) / {total} "
        "= {weight}.",
        layer=layer + 1,
        word=walk.tokens[place],
        product=" + ".join(f"{_short(one)} × {_short(other)}" for one, other in zip(q, k,
                                                                                  strict=True)),
        d_k=len(q),
        score=_short(scaled[place]),
        total=digits(total, 4) if total < _LARGE else f"({share_words(total, 3)})",
        weight=weight_text(float(trace.weights[result.query, place])),
    )  # fmt: skip


def _short(value: float) -> str:
    """Return a number with as few decimals as it needs, three at the most."""
    return digits(round(value, DECIMALS), 6) if value else "0"
