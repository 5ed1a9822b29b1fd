"""The words of the two layers built by hand: features, what a layer brings, its arithmetic."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.context.two_layers import TwoLayersResult, Walk
from engine.shapes import Array
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.context_amounts import told_apart, weight_text, weights_apart
from pages.text.digits import digits
from pages.text.marking import mark
from pages.text.memory_measured_words import share_words
from pages.text.translator import Translator

_FEATURES = {
    "living": mark("living"),
    "width": mark("width"),
    "pronoun": mark("pronoun"),
    "asks": mark("is said of"),
    "asks_living": mark("said of living"),
    "asks_width": mark("said of width"),
}
DECIMALS = 3
_SMALL = 0.0005
_TINY = 1e-4
_LARGE = 1e6  # from here on a sum is written as a power of ten


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
    text = t.listing(parts) if parts else t("no feature")
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


def said_of_words(t: Translator) -> str:
    """Return what the features of the last words mean."""
    return t("“tired” can be said of living things, “wide” of what has a width.")


def layer_role_words(layer: int, t: Translator) -> str:
    """Return what the matrices of a layer, from 0, do."""
    if layer == 0:
        return t("W_Q lets a pronoun look for what is said of something, W_K marks such words, W_V "
                 "hands on what they can be said of.")  # fmt: skip
    return t("W_Q looks for what the last word can be said of, W_K shows what a word is, W_V hands "
             "that on.")  # fmt: skip


def path_words(result: TwoLayersResult, walk: Walk, t: Translator) -> str:
    """Return the weights of "it" for the words that matter, with one ending."""
    animal, street = _nouns(result, walk)
    return t(
        "With “{last}”, “it” gives “{last}” {hears} in layer 1; in layer 2 it gives “animal” "
        "{animal} and “street” {street}.",
        last=walk.tokens[result.last],
        hears=weight_text(float(walk.row(0)[result.last])),
        animal=animal,
        street=street,
    )


def _nouns(result: TwoLayersResult, walk: Walk) -> list[str]:
    """Return the weights of both nouns in layer 2, told apart where one of them is found."""
    animal, street = (float(walk.row(1)[place]) for place in (result.animal, result.street))
    if walk.found is None:
        return [weight_text(animal), weight_text(street)]
    return weights_apart(animal, street)


def itself_words(result: TwoLayersResult, decimals: int, t: Translator) -> str:
    """Return what "it" gives itself, which no arrow shows."""
    told = {
        tuple(number(float(walk.row(layer)[result.query]), decimals) for layer in (0, 1))
        for walk in result.endings
    }
    if len(told) > 1:  # rounding may part them in a last decimal
        return t("“it” gives itself what is missing to 1.")
    first, second = told.pop()
    return t("“it” gives itself {first}, then {second}.", first=first, second=second)


# ---- step by step


def steps_of(result: TwoLayersResult, walk: Walk, t: Translator) -> list[str]:
    """Return the arithmetic of "it" with one ending: queries, keys, scores, weights, values."""
    heard = walk.tokens[result.last]
    return [
        t("Layer 1: “it” has q = x W_Q = {q}; k = x W_K is {k} of “{word}” and {zero} of every "
          "other word.", q=_query(result, walk, 0), k=_vector(walk, 0, result.last), word=heard,
          zero=_vector(walk, 0, 0)),
        _score_words(result, walk, 0, result.last, t),
        t("Weight of “{word}”: {share}.", word=heard, share=_share(walk, result, 0, result.last)),
        _handed(result, walk, 0, t),
        t("Layer 2: “it” has q = x W_Q = {q}; k = x W_K is {animal} of “animal”, {street} of "
          "“street” and {zero} of every other word.", q=_query(result, walk, 1),
          animal=_vector(walk, 1, result.animal), street=_vector(walk, 1, result.street),
          zero=_vector(walk, 1, 0)),
        _score_words(result, walk, 1, _met(result, walk), t),
        t("Weights: “animal” {animal}, “street” {street}.",
          animal=_share(walk, result, 1, result.animal),
          street=_share(walk, result, 1, result.street)),
        _handed(result, walk, 1, t),
    ]  # fmt: skip


def _met(result: TwoLayersResult, walk: Walk) -> int:
    """Return the noun that has what the last word asks for."""
    return result.animal if walk.name == "tired" else result.street


def _query(result: TwoLayersResult, walk: Walk, layer: int) -> str:
    """Return the query of "it" as products and as numbers: ``(0.845 × 4, 0) = (3.381, 0)``."""
    x, matrix = walk.states[layer][result.query], result.layers[layer].w_q
    products = []
    for column in matrix.T:
        rows = [row for row in np.flatnonzero(column).tolist() if x[row]]
        products.append(" + ".join(f"{_short(float(x[row]))} × {_short(float(column[row]))}"
                                   for row in rows) or "0")  # fmt: skip
    found = f"({', '.join(_short(value) for value in walk.traces[layer].q[result.query].tolist())})"
    made = f"({', '.join(products)})"
    return found if made == found else f"{made} = {found}"


def _vector(walk: Walk, layer: int, place: int) -> str:
    """Return the key of a word."""
    return f"({', '.join(_short(value) for value in walk.traces[layer].k[place].tolist())})"


def _score_words(result: TwoLayersResult, walk: Walk, layer: int, place: int, t: Translator) -> str:
    """Return one score, the other ones, and the sum of all exponentials."""
    trace = walk.traces[layer]
    q, k = trace.q[result.query].tolist(), trace.k[place].tolist()
    score = _short(float(trace.scaled[result.query, place]))
    return t(
        "Score of “{word}”: q · k / √d_k = ({product}) / √{d_k} = {score}, of the others 0; "
        "exp({score}) + {others} × exp(0) = {total}.",
        word=walk.tokens[place],
        product=" + ".join(f"{_short(a)} × {_short(b)}" for a, b in zip(q, k, strict=True)),
        d_k=len(q),
        score=score,
        others=len(walk.tokens) - 1,
        total=_total(walk, result, layer),
    )


def _share(walk: Walk, result: TwoLayersResult, layer: int, place: int) -> str:
    """Return a weight as a share of the sum of all exponentials."""
    total, score = (
        _total(walk, result, layer),
        float(walk.traces[layer].scaled[result.query, place]),
    )
    weight = weight_text(float(walk.row(layer)[place]))
    if layer == 1:
        weight = _nouns(result, walk)[(result.animal, result.street).index(place)]
    inside = f"({total})" if "×" in total else total
    return f"exp({_short(score)}) / {inside} = {weight}"


def _total(walk: Walk, result: TwoLayersResult, layer: int) -> str:
    """Return the sum of the exponentials of all scores of "it", in four digits or more."""
    scores = walk.traces[layer].scaled[result.query].tolist()
    total, words = math.fsum(map(math.exp, scores)), len(scores)
    if total >= _LARGE:
        return share_words(total, 3)
    if total == words:
        return str(words)
    return told_apart((total, float(words)), digits, 4)[0]


def _handed(result: TwoLayersResult, walk: Walk, layer: int, t: Translator) -> str:
    """Return what a layer brings to "it"."""
    return t("Each weight times x W_V, added up, brings “it”: {carried}.",
             carried=brought_words(result, walk, layer, DECIMALS, t))  # fmt: skip


def _short(value: float) -> str:
    """Return a number with as few decimals as it needs, three at the most; small ones in full."""
    if value and abs(value) < _SMALL:
        return size(value)
    return digits(round(value, DECIMALS), 6) if value else "0"
