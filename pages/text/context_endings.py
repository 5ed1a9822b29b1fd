"""What to notice in two endings of one text: the row of one token, and which heads turn."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.context.endings import EndingsResult, Places
from engine.experiments.context.focus import is_word
from engine.experiments.context.sentences import pair_of
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.context_amounts import percent_text, weight_text, weights_apart
from pages.text.context_names import ending_names, head_name, quote, token_names
from pages.text.translator import Translator

_SMALL = 0.00095  # a share that rounds to less than 0.1 percent


def endings_notices(result: EndingsResult, layer: int, head: int, t: Translator) -> list[str]:
    """Return what to notice in two endings; layer and head count from 1."""
    looked = t.sentences(
        head_words(result, layer, head, t), query_words(result, t), chosen_words(result, t)
    )
    said = [looked, turns_words(result, t), _first_layer(result, t)]
    return [sentence for sentence in said if sentence]


def head_words(result: EndingsResult, layer: int, head: int, t: Translator) -> str:
    """Return the weights of both words in one head, and whether it turns."""
    where, names = (layer - 1, head - 1), ending_names(result, t)
    first, second = (_both_weights(result, side, where) for side in (0, 1))
    values = {
        "place": _head_of(result, layer, head, t), "token": query_name(result, t),
        "one": name_of(result, result.one, t), "other": name_of(result, result.other, t),
        "first": names[0], "second": names[1],
        "a": first[0], "b": first[1], "c": second[0], "d": second[1],
    }  # fmt: skip
    if result.turned[where]:
        return t("In {place}, {token} gives {one} {a} and {other} {b} with {first}, but {c} and "
                 "{d} with {second}: it turns.", **values)  # fmt: skip
    return t("In {place}, {token} gives {one} {a} and {other} {b} with {first}, {c} and {d} with "
             "{second}: it does not turn.", **values)  # fmt: skip


def _both_weights(result: EndingsResult, side: int, where: tuple[int, int]) -> list[str]:
    """Return the weights of both words in one text, told apart where more than rounding does."""
    one, other = (weights_on(result, place, *where)[side] for place in (result.one, result.other))
    if abs(float(result.log_ratio[side, *where])) <= result.ratio_rounding:
        return [weight_text(one), weight_text(other)]
    return weights_apart(one, other)


def _head_of(result: EndingsResult, layer: int, head: int, t: Translator) -> str:
    """Return a head, counted from 1, and of what its weights are shares."""
    place = head_name(layer, head, t)
    if not _is_divided(result):
        return place
    return t("{place} (of the weight that special tokens leave)", place=place)


def _is_divided(result: EndingsResult) -> bool:
    """Return whether the weights are shares of what special tokens leave."""
    return result.params.specials == "renormalised" and _has_special(result)


def _is_hidden(result: EndingsResult) -> bool:
    """Return whether weights on special tokens are left out."""
    return result.params.specials == "hidden" and _has_special(result)


def _has_special(result: EndingsResult) -> bool:
    return bool(result.first.special.any() or result.second.special.any())


def query_words(result: EndingsResult, t: Translator) -> str:
    """Return how the token was found whose row is compared; nothing where it was named."""
    place = result.query[0]
    if result.params.query or pair_of(result.first.text) or not is_word(result.first, place):
        return ""
    return t("{token} was not named, but is the first pronoun that both texts share or, where "
             "there is none, the first word.", token=query_name(result, t))  # fmt: skip


def chosen_words(result: EndingsResult, t: Translator) -> str:
    """Return which of the words that are compared was chosen by its weights; nothing for none."""
    if not result.automatic:
        return ""
    asked = ((result.one, result.params.one), (result.other, result.params.other))
    names = [name_of(result, place, t) for place, position in asked if not position]
    if len(names) == 1:
        return t("{name} was not named, but chosen by how its weight changes from the first text "
                 "to the second.", name=names[0])  # fmt: skip
    return t("{one} and {other} were not named, but chosen by how their weights change from the "
             "first text to the second.", one=names[0], other=names[1])  # fmt: skip


def turns_words(result: EndingsResult, t: Translator) -> str:
    """Return how many heads turn which way, and which one most."""
    one, other = name_of(result, result.one, t), name_of(result, result.other, t)
    if result.most_turned is None:
        return t("No head turns between {one} and {other}.", one=one, other=other)
    there = int((result.turned & (result.preference[0] > 0)).sum())
    back = int(result.turned.sum()) - there
    if not there:
        one, other = other, one
    values = {
        "one": one, "other": other, "heads": result.turned.size, "count": there + back,
        "place": head_name(result.most_turned[0] + 1, result.most_turned[1] + 1, t),
        "there": there, "back": back,
    }  # fmt: skip
    if there and back:
        return t("{count} of {heads} heads turn, {there} from {one} to {other}, {back} the other "
                 "way; most of all {place}.", **values)  # fmt: skip
    if result.turned.size == 1:
        return t("The one head turns from {one} to {other}.", **values)
    if there + back == 1:
        return t("1 of {heads} heads turns from {one} to {other}: {place}.", **values)
    return t("{count} of {heads} heads turn from {one} to {other}, none the other way; most of all "
             "{place}.", **values)  # fmt: skip


def moved_words(result: EndingsResult, t: Translator) -> str:
    """Return which head moves most, and how far."""
    if result.most_moved is None:
        return t("No head moves by more than rounding.")
    layer, head = result.most_moved
    values = {
        "token": query_name(result, t),
        "place": head_name(layer + 1, head + 1, t),
        "share": percent_of(float(result.movement[layer, head])),
    }
    if _is_divided(result):
        return t("{token} moves most in {place}, where at least {share} of what special tokens "
                 "leave of its weight goes elsewhere.", **values)  # fmt: skip
    if _is_hidden(result):
        return t("Among the tokens shown, {token} moves most in {place}, where at least {share} of "
                 "its weight goes elsewhere.", **values)  # fmt: skip
    return t("{token} moves most in {place}, where at least {share} of its weight goes elsewhere.",
             **values)  # fmt: skip


def measure_words(result: EndingsResult, t: Translator) -> str:
    """Return what is measured where a head moves."""
    if _is_divided(result):
        return t("Percent of what special tokens leave of the weight of {token} that moves, at "
                 "least: half of what its weights differ by, added up; what only one text has "
                 "counts as one.", token=query_name(result, t))  # fmt: skip
    if _is_hidden(result):
        return t("Percent of the weight of {token} that moves among the tokens shown, at least: "
                 "half of what its weights differ by, added up; what only one text has counts as "
                 "one.", token=query_name(result, t))  # fmt: skip
    return t("Percent of the weight of {token} that moves, at least: half of what its weights "
             "differ by, added up; what only one text has counts as one.",
             token=query_name(result, t))  # fmt: skip


def head_moves_words(result: EndingsResult, layer: int, head: int, t: Translator) -> str:
    """Return how far one head, counted from 0, moves, and whether it turns."""
    share = float(result.movement[layer, head])
    values = {"place": head_name(layer + 1, head + 1, t), "share": percent_of(share)}
    turns = bool(result.turned[layer, head])
    if share <= result.movement_rounding:
        if turns:
            return t("{place}: no more than rounding moves; it turns", **values)
        return t("{place}: no more than rounding moves", **values)
    if turns:
        return t("{place}: at least {share} moves; it turns", **values)
    return t("{place}: at least {share} moves", **values)


def percent_of(share: float) -> str:
    """Return a share of 1 in whole percent; with one decimal below 1, in two digits below 0.1."""
    if share < _SMALL:
        return f"{percent_text(share)} %"
    return f"{number(100 * share, 0 if share >= 0.0095 else 1)} %"


def _first_layer(result: EndingsResult, t: Translator) -> str:
    """Return what layer 1 can and cannot do, and where the first head turns."""
    found = result.first_layer_difference
    if math.isnan(found):
        return ""
    if found > result.ratio_rounding:
        if result.same_places:
            return ""
        return t("In layer 1 the ratio of both weights differs already, its logarithm by up to "
                 "{found}: the tokens stand at other positions.", found=size(found))  # fmt: skip
    if found == 0:
        said = t("In layer 1 the ratio of both weights is the same in both texts, to the last bit.")
        return t.sentences(said, _first_turn(result, t))
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
