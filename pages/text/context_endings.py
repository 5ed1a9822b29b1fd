"""What to notice in two endings of one sentence, and in keys that are cut out.

Every sentence holds for any result it is said of.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.context.endings import EndingsResult, Places
from engine.experiments.context.knock import KnockParams, KnockResult, Rows, Scope
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.context_names import ending_names, head_name, quote, token_names
from pages.text.marking import mark
from pages.text.translator import Translator

_ROUNDING = 1e-4  # of a logarithm: far above what float32 leaves, far below what a reader sees
_DIGITS = 2  # of a rank correlation


# ---- two endings


def endings_notices(result: EndingsResult, layer: int, head: int, t: Translator) -> list[str]:
    """Return what to notice in two endings; layer and head count from 1."""
    said = [head_words(result, layer, head, t), turns_words(result, t), _first_layer(result, t)]
    return [sentence for sentence in said if sentence]


def head_words(result: EndingsResult, layer: int, head: int, t: Translator) -> str:
    """Return the weights of both words in one head, and whether it turns."""
    where, names = (layer - 1, head - 1), ending_names(result, t)
    one, other = (
        [size(each) for each in weights_on(result, place, *where)]
        for place in (result.one, result.other)
    )
    values = {
        "place": head_name(layer, head, t), "token": query_name(result, t),
        "one": name_of(result, result.one, t), "other": name_of(result, result.other, t),
        "first": names[0], "second": names[1],
        "a": one[0], "b": other[0], "c": one[1], "d": other[1],
    }  # fmt: skip
    if result.turned[where]:
        return t("In {place}, {token} gives {one} {a} and {other} {b} with {first}, but {c} and "
                 "{d} with {second}: it turns.", **values)  # fmt: skip
    return t("In {place}, {token} gives {one} {a} and {other} {b} with {first}, {c} and {d} with "
             "{second}: it does not turn.", **values)  # fmt: skip


def turns_words(result: EndingsResult, t: Translator) -> str:
    """Return how many heads turn, and which one most."""
    count, heads = int(result.turned.sum()), result.turned.size
    if result.most_turned is None:
        return t("No head turns from one word to the other.")
    layer, head = result.most_turned
    place = head_name(layer + 1, head + 1, t)
    if count == 1:
        return t("1 of {heads} heads turns from one word to the other: {place}.", heads=heads,
                 place=place)  # fmt: skip
    return t("{count} of {heads} heads turn from one word to the other, most of all {place}.",
             count=count, heads=heads, place=place)  # fmt: skip


def moved_words(result: EndingsResult, t: Translator) -> str:
    """Return which head moves most, and how far."""
    if result.most_moved is None:
        return t("No head moves by more than rounding.")
    layer, head = result.most_moved
    share = float(result.movement[layer, head])
    return t("{token} moves most in {place}, where at least {share} of its weight goes elsewhere.",
             token=query_name(result, t), place=head_name(layer + 1, head + 1, t),
             share=percent_of(share))  # fmt: skip


def percent_of(share: float) -> str:
    """Return a share of 1 in whole percent, with one decimal where that is under 1."""
    return f"{number(100 * share, 0 if share >= 0.0095 else 1)} %"


def _first_layer(result: EndingsResult, t: Translator) -> str:
    """Return what layer 1 can and cannot do, and where the first head turns."""
    found = result.first_layer_difference
    if math.isnan(found):
        return ""
    if not result.same_places:
        return t("In layer 1 the ratio of both weights differs already, its logarithm by up to "
                 "{found}: the tokens stand at other positions.", found=size(found))  # fmt: skip
    if found > _ROUNDING:
        return ""
    said = t("In layer 1 the ratio of both weights is the same in both texts: its logarithms "
             "differ by at most {found}, which is rounding.", found=size(found))  # fmt: skip
    return t.sentences(said, _first_turn(result, t))


def _first_turn(result: EndingsResult, t: Translator) -> str:
    layers = np.flatnonzero(result.turned.any(axis=1))
    if not layers.size:
        return ""
    return t("The first layer with a head that turns is layer {layer}.", layer=int(layers[0]) + 1)


def weights_on(result: EndingsResult, place: Places, layer: int, head: int) -> tuple[float, float]:
    """Return what the query gives one token in both texts; layer and head from 0."""
    if place in result.shared:
        first, second = result.rows[:, layer, head, result.shared.index(place)].tolist()
        return first, second
    pairs = zip((result.first, result.second), result.query, place, strict=True)
    first, second = (float(each.attention[layer, head, i, j]) for each, i, j in pairs)
    return first, second


def query_name(result: EndingsResult, t: Translator) -> str:
    """Return the token whose row is compared, as the first text has it."""
    return name_of(result, result.query, t)


def name_of(result: EndingsResult, place: Places, t: Translator) -> str:
    """Return a token of both texts, as the first has it, in quotation marks."""
    return quote(token_names(result.first)[place[0]], t)


# ---- keys that are cut


_CUTS: dict[tuple[Rows, Scope], str] = {
    ("token", "head"): mark("Each key is cut for {token} alone, in layer {layer}, head {head}."),
    ("token", "layer"): mark("Each key is cut for {token} alone, in every head of layer {layer}."),
    ("token", "everywhere"): mark("Each key is cut for {token} alone, in every layer."),
    ("all", "head"): mark("Each key is cut for every token, in layer {layer}, head {head}."),
    ("all", "layer"): mark("Each key is cut for every token, in every head of layer {layer}."),
    ("all", "everywhere"): mark("Each key is cut for every token, in every layer."),
}


def cut_words(params: KnockParams, token: str, t: Translator) -> str:
    """Return where a key is cut, and for whom, as a sentence."""
    values = {"layer": params.layer, "head": params.head, "token": token}
    return t(_CUTS[params.rows, params.scope], **values)


def knock_notices(result: KnockResult, t: Translator) -> list[str]:
    """Return what to notice in keys that are cut out."""
    said = [_related(result, t), _tops(result, t), _others(result, t)]
    return [sentence for sentence in said if sentence]


def correlation_words(result: KnockResult, t: Translator) -> str:
    """Return the rank correlation in a few words, for the line above a plot."""
    if math.isnan(result.correlation):
        return t("No rank correlation")
    return t("Rank correlation {value} over {count} keys",
             value=number(result.correlation, _DIGITS), count=result.measured)  # fmt: skip


def _related(result: KnockResult, t: Translator) -> str:
    """Return how far weight and effect go together, and whether that is more than chance."""
    count, found = result.measured, result.correlation
    if count < 3:
        return t("No key was cut.") if not count else t("Too few keys were cut for a rank "
                                                        "correlation.")  # fmt: skip
    if math.isnan(found):
        return t("All weights or all effects are alike, so there is no rank correlation.")
    values = {
        "value": number(found, _DIGITS), "count": count, "chance": number(result.chance, _DIGITS),
    }  # fmt: skip
    if result.chance >= 1:
        return t("Rank correlation {value}, but {count} keys are too few to tell it from chance.",
                 **values)  # fmt: skip
    if abs(found) <= result.chance:
        return t("The rank correlation of weight and effect, {value} over {count} keys, is within "
                 "chance: up to {chance} in 19 of 20 unrelated cases.", **values)  # fmt: skip
    if found < 0:
        return t("More weight tends to go with less effect: rank correlation {value} over "
                 "{count} keys, beyond chance (up to {chance} in 19 of 20 unrelated cases).",
                 **values)  # fmt: skip
    return t("More weight tends to go with more effect: rank correlation {value} over {count} "
             "keys, beyond chance (up to {chance} in 19 of 20 unrelated cases).",
             **values)  # fmt: skip


def _tops(result: KnockResult, t: Translator) -> str:
    """Return which key has the largest weight, and which the largest effect."""
    if not result.measured:
        return ""
    names, top, most = token_names(result.study), result.top_weight, result.top_effect
    values = {
        "one": quote(names[top], t), "other": quote(names[most], t),
        "token": quote(names[result.query], t), "weight": size(float(result.weights[top])),
        "effect": size(float(result.effects[most])), "less": size(float(result.effects[top])),
    }  # fmt: skip
    if top == most:
        return t("{one} has the largest weight, {weight}, and the largest effect: without it the "
                 "last vector of {token} moves by {effect} of its length.", **values)  # fmt: skip
    return t("{one} has the largest weight, {weight}, but without it the last vector of {token} "
             "moves by {less} of its length; without {other} by {effect}.", **values)  # fmt: skip


def _others(result: KnockResult, t: Translator) -> str:
    """Return what the cut leaves to other tokens, and which keys could not be cut."""
    left = result.study.length - result.measured
    return t.sentences(_passed_on(result, t), uncut_words(left, t))


def _passed_on(result: KnockResult, t: Translator) -> str:
    """Return who still reads a key that is cut."""
    scope, study = result.params.scope, result.study
    if result.params.rows == "token":
        return t("All other tokens still read the key and may pass it on.")
    whole = {"head": study.layers * study.heads == 1, "layer": study.layers == 1}
    if whole.get(scope, True):
        return t("No token reads the key at all.")
    return t("Elsewhere the key is still read.")


def uncut_words(count: int, t: Translator) -> str:
    """Return how many keys could not be cut, and why; nothing where all were."""
    if not count:
        return ""
    if count == 1:
        return t("1 key cannot be cut: it is not seen, or a token sees no other.")
    return t("{count} keys cannot be cut: they are not seen, or a token sees no other.",
             count=count)  # fmt: skip


_SCOPES: dict[tuple[Rows, Scope], str] = {
    ("token", "head"): mark("layer {layer}, head {head}, for this token alone"),
    ("token", "layer"): mark("every head of layer {layer}, for this token alone"),
    ("token", "everywhere"): mark("every layer, for this token alone"),
    ("all", "head"): mark("layer {layer}, head {head}, for every token"),
    ("all", "layer"): mark("every head of layer {layer}, for every token"),
    ("all", "everywhere"): mark("every layer, for every token"),
}


def scope_name(params: KnockParams, t: Translator) -> str:
    """Return where a key is cut, and for whom, as a setting reads."""
    return t(_SCOPES[params.rows, params.scope], layer=params.layer, head=params.head)
