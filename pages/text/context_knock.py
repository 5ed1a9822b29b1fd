"""What to notice in keys that are cut: their weight, the effect, and how both go together."""

from __future__ import annotations

import math

from engine.experiments.context.knock import KnockParams, KnockResult, Rows, Scope
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.context_amounts import sizes_apart, weight_text
from pages.text.context_names import quote, taken_words, token_names
from pages.text.marking import mark
from pages.text.translator import Translator

_MOST_NAMED = 3  # of keys that are tied
_BETWEEN = 2  # places from the first token: from there on one stands between
_DIGITS = 2  # of a rank correlation

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
    taken = taken_words(result.study, result.params.query, result.query, t)
    said = [_related(result, t), t.sentences(tops_words(result, t), taken), _others(result, t)]
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
    still = int((result.effects == 0).sum())
    if 2 * still > count:
        return t("{still} of {count} effects are no more than rounding, so there is no rank "
                 "correlation.", still=still, count=count)  # fmt: skip
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


def tops_words(result: KnockResult, t: Translator) -> str:
    """Return which key has the largest weight, and which the largest effect; ties are said."""
    if not result.measured:
        return ""
    if result.measured == 1:
        return _only_one(result, t)
    if len(result.top_weights) == len(result.top_effects) == 1 and _moves(result):
        return _two_tops(result, t)
    return t.sentences(_heaviest(result, t), _strongest(result, t))


def _moves(result: KnockResult) -> bool:
    """Return whether any cut moves the vector by more than rounding."""
    return float(result.effects[result.top_effect]) > 0


def _only_one(result: KnockResult, t: Translator) -> str:
    if not _moves(result):
        return _strongest(result, t)
    return t("Without {one}, the only key that was cut, the last vector of {token} moves by "
             "{effect} of its length.", **_named(result, t))  # fmt: skip


def _named(result: KnockResult, t: Translator) -> dict[str, object]:
    """Return the names and numbers that the sentences on the largest take."""
    names, top, most = token_names(result.study), result.top_weight, result.top_effect
    less, effect = float(result.effects[top]), float(result.effects[most])
    told = sizes_apart(less, effect)
    return {
        "one": quote(names[top], t), "other": quote(names[most], t),
        "token": quote(names[result.query], t), "weight": weight_text(float(result.weights[top])),
        "effect": told[1], "less": told[0],
    }  # fmt: skip


def _two_tops(result: KnockResult, t: Translator) -> str:
    """Return one key of the largest weight, and one of the largest effect."""
    values, top = _named(result, t), result.top_weight
    if top == result.top_effect:
        return t("{one} has the largest weight, {weight}, and the largest effect: without it the "
                 "last vector of {token} moves by {effect} of its length.", **values)  # fmt: skip
    if float(result.effects[top]) == 0:
        return t("{one} has the largest weight, {weight}, but without it the last vector of "
                 "{token} moves by no more than rounding; without {other} by {effect} of its "
                 "length.", **values)  # fmt: skip
    return t("{one} has the largest weight, {weight}, but without it the last vector of {token} "
             "moves by {less} of its length; without {other} by {effect}.", **values)  # fmt: skip


def _heaviest(result: KnockResult, t: Translator) -> str:
    """Return which keys have the largest weight."""
    keys, values = result.top_weights, {**_named(result, t), "count": len(result.top_weights)}
    if len(keys) == 1:
        return t("{one} has the largest weight, {weight}.", **values)
    if len(keys) == result.measured:
        return t("All {count} keys that were cut weigh the same, {weight}.", **values)
    if len(keys) <= _MOST_NAMED:
        return t("{keys} have the largest weight alike, {weight}.", keys=_listed(result, keys, t),
                 **values)  # fmt: skip
    return t("{count} keys have the largest weight alike, {weight}.", **values)


def _strongest(result: KnockResult, t: Translator) -> str:
    """Return which keys have the largest effect."""
    keys, values = result.top_effects, {**_named(result, t), "count": len(result.top_effects)}
    if not _moves(result):
        return t("No cut moves the last vector of {token} by more than rounding.", **values)
    if len(keys) == 1:
        return t("Without {other} the last vector of {token} moves most, by {effect} of its "
                 "length.", **values)  # fmt: skip
    if len(keys) == result.measured:
        return t("Every cut moves the last vector of {token} alike, by {effect} of its length.",
                 **values)  # fmt: skip
    if len(keys) <= _MOST_NAMED:
        return t("Without one of {keys} the last vector of {token} moves most, alike by {effect} "
                 "of its length.", keys=_listed(result, keys, t), **values)  # fmt: skip
    return t("{count} cuts move the last vector of {token} most, alike by {effect} of its length.",
             **values)  # fmt: skip


def _listed(result: KnockResult, keys: tuple[int, ...], t: Translator) -> str:
    names = token_names(result.study)
    return t.listing(quote(names[key], t) for key in keys)


def key_words(result: KnockResult, key: int, t: Translator) -> str:
    """Return the name, the weight and the effect of one key, from 0."""
    effect = float(result.effects[key])
    values = {
        "name": token_names(result.study)[key],
        "weight": weight_text(float(result.weights[key])),
        "effect": "" if math.isnan(effect) else size(effect),
    }
    if math.isnan(effect):
        return t("{name}: weight {weight}, not cut", **values)
    if effect == 0:
        return t("{name}: weight {weight}, effect 0 to rounding", **values)
    return t("{name}: weight {weight}, effect {effect}", **values)


def floor_words(result: KnockResult, t: Translator) -> str:
    """Return what counts as an effect of 0, where there is one."""
    if not bool((result.effects == 0).any()):
        return ""
    return t("Effects up to {floor} are rounding and count as 0.", floor=size(result.floor))


def _others(result: KnockResult, t: Translator) -> str:
    """Return what the cut leaves to other tokens, and which keys could not be cut."""
    left = result.study.length - result.measured
    return t.sentences(_passed_on(result, t), uncut_words(left, t))


def _passed_on(result: KnockResult, t: Translator) -> str:
    """Return who still reads a key that is cut."""
    if not result.measured:
        return ""
    if result.params.rows == "token":
        return t.sentences(_read_elsewhere(result, t), _read_by_others(result, t))
    if _is_whole(result):
        return t("No token reads the key at all.")
    return t("Elsewhere the key is still read.")


def _is_whole(result: KnockResult) -> bool:
    """Return whether the key is cut wherever the model has heads."""
    study = result.study
    whole = {"head": study.layers * study.heads == 1, "layer": study.layers == 1}
    return whole.get(result.params.scope, True)


def _read_elsewhere(result: KnockResult, t: Translator) -> str:
    """Return that the token itself still reads the key, where it is not cut everywhere."""
    if _is_whole(result):
        return ""
    return t("Elsewhere {token} still reads the key itself.", token=query_name(result, t))


def query_name(result: KnockResult, t: Translator) -> str:
    """Return the token whose last vector is compared, in quotation marks."""
    return quote(token_names(result.study)[result.query], t)


def _read_by_others(result: KnockResult, t: Translator) -> str:
    """Return whether others can pass on a key that is cut for one token alone.

    They read it in one layer and are read in a later one, whatever layer the key is cut in; in a
    decoder only those between key and token do.
    """
    study = result.study
    if study.layers == 1:
        return t("There is one layer only, so that no other token can pass the key on.")
    if (result.query if study.causal else study.length - 1) < _BETWEEN:
        return ""
    if study.causal:
        return t("Tokens between the key and {token} still read it and may pass it on in a later "
                 "layer.", token=query_name(result, t))  # fmt: skip
    return t("Other tokens still read the key and may pass it on in a later layer.")


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
