"""The words of claims 19, 20 and 21: whom "it" attends to, how far layers look, and causes."""

from __future__ import annotations

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_context import OFTEN
from pages.figures.numerals import number
from pages.text import Translator, mark
from pages.text.amounts import between, size
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import real, reals, texts, whole

DECIMALS = 3  # of a weight
PLACES = 2  # decimals of a distance and of a correlation

# Two endings ----------------------------------------------------------------------------------


def _reference(finding: Finding, _t: Translator) -> dict[str, object]:
    counts = ("drawn_heads", "heads", "turning", "against", "layer", "head")
    pairs = ("tired", "wide", "mean_tired", "mean_wide")
    changes = ("drawn_difference", "first_difference")
    if finding.case == "unmeasured":
        return {}
    return {
        **{name: whole(finding, name) for name in (*counts, "others", "others_turning")},
        **{name: _ratio(reals(finding, name)) for name in pairs},
        **{name: size(real(finding, name)) for name in changes},
    }


def _ratio(weights: tuple[float, ...]) -> str:
    return " : ".join(number(weight, DECIMALS) for weight in weights)


def _reference_measured(finding: Finding, t: Translator) -> str:
    if not whole(finding, "turning"):
        return t("no head turns so")
    return t(
        "layer {layer}, head {head}: animal : street {tired} → {wide}", **_reference(finding, t)
    )


_KEPT = mark(
    "Not in one layer: the logarithm of animal : street changes by {drawn_difference} at most in "
    "{drawn_heads} random heads and by {first_difference} in layer 1 of MiniLM, as recorded, which "
    "is rounding."
)
_CHANGED = {
    "both": mark(
        "The logarithm of animal : street changes in one layer already: by up to "
        "{drawn_difference} in {drawn_heads} random heads, by up to {first_difference} in layer 1 "
        "of MiniLM, as recorded."
    ),
    "drawn": mark(
        "The logarithm of animal : street changes in one layer already: by up to "
        "{drawn_difference} in {drawn_heads} random heads, but not in layer 1 of MiniLM, as "
        "recorded, beyond rounding."
    ),
    "first": mark(
        "The logarithm of animal : street changes in one layer already: by up to "
        "{first_difference} in layer 1 of MiniLM, as recorded, but not in {drawn_heads} random "
        "heads, beyond rounding."
    ),
}
_UNMEASURED = mark(
    "In layer 1 of MiniLM, as recorded, no head gives both nouns a weight in both sentences, so "
    "that there is no ratio to compare."
)
_TURNING = mark(
    "Heads of MiniLM that turn so: {turning} of {heads}, the clearest in layer {layer}, head "
    "{head}, from {tired} to {wide}; that turn the other way: {against}."
)
_NONE = mark(
    "No head of MiniLM gives the animal more with “tired” and the street more with “wide”."
)
_MEAN = mark(
    "The mean over all heads is {mean_tired} with “tired”, {mean_wide} with “wide”; other recorded "
    "pairs in which a head turns so: {others_turning} of {others}."
)

REFERENCE = ClaimWords(
    19,
    mark("“With the last word, tired or wide, ‘it’ attends to the animal or to the street.”"),
    mark("The last word decides whom ‘it’ attends to"),
    {
        "deeper": (_KEPT, _TURNING, _MEAN),
        "nowhere": (_KEPT, _NONE),
        **{case_of("at_once", who): (said, _TURNING, _MEAN) for who, said in _CHANGED.items()},
        **{case_of("unclear", who): (said, _NONE) for who, said in _CHANGED.items()},
        "unmeasured": (_UNMEASURED,),
    },
    _reference,
    mark(
        "Qualified where one layer alone keeps animal : street, to rounding, whichever word comes "
        "last, and some deeper head gives the animal more with “tired” and the street more with "
        "“wide”; wrong where none does. Confirmed where one layer changes the ratio too and some "
        "head turns so; else not decided."
    ),
    measured=_reference_measured,
)

# How far layers look --------------------------------------------------------------------------


def _distance(finding: Finding, t: Translator) -> dict[str, object]:
    shown, own = (reals(finding, name) for name in ("shown", "own"))
    special = reals(finding, "special")
    return {
        **{name: whole(finding, name) for name in ("texts", "half", "farther", "ways")},
        "shown": t.listing(_far(distance) for distance in shown),
        "own": t.listing(_far(distance) for distance in own),
        "shown_even": _far(real(finding, "shown_even")),
        "own_even": _far(real(finding, "own_even")),
        "own_last": _far(real(finding, "own_last")),
        "special": between(min(special), max(special), PLACES),
        "first": _far(shown[0]),
        "last": _far(shown[-1]),
    }


def _far(distance: float) -> str:
    return number(distance, PLACES)


_LAYERS = mark(
    "In the sentence with “tired”, layer by layer, MiniLM looks {shown} tokens far in the mean; "
    "equal weights would look {shown_even} far."
)
_OWN = mark(
    "Special tokens at the ends get {special} of the weight; without them the distances are {own}, "
    "and {own_even} with equal weights."
)
_WITHIN = mark(
    "Without them the mean of the last {half} layers, {own_last}, is no farther than equal weights "
    "would look."
)
_HALVES: dict[str, str] = {
    "rises": mark(
        "In {texts} recorded sentences every layer looks farther than the one before, with special "
        "tokens and without."
    ),
    "halves": mark(
        "In {texts} recorded sentences the last {half} layers look farther than the first {half}, "
        "with special tokens and without, but not every layer farther than the one before."
    ),
    "falls": mark(
        "In none of {texts} recorded sentences do the last {half} layers look farther than the "
        "first {half}, with special tokens or without."
    ),
    "mixed": mark(
        "In {texts} recorded sentences, each with special tokens and without, the last {half} "
        "layers look farther than the first {half} in {farther} of {ways} cases."
    ),
}


def _distance_cases() -> dict[str, tuple[str, ...]]:
    """Return the sentences of every case, by whether equal weights would look as far."""
    beyond: dict[str, tuple[str, ...]] = {
        case_of(case, "beyond"): (_LAYERS, _OWN, sentence) for case, sentence in _HALVES.items()
    }
    within: dict[str, tuple[str, ...]] = {
        case_of(case, "within"): (_LAYERS, _OWN, _WITHIN, sentence)
        for case, sentence in _HALVES.items()
    }
    return beyond | within


DISTANCE = ClaimWords(
    20,
    mark("“Shallow layers look close by, deep ones far.”"),
    mark("Shallow layers look close by, deep ones far"),
    _distance_cases(),
    _distance,
    mark(
        "Each recorded sentence whose pieces MiniLM knows is measured with its special tokens and "
        "without them. Confirmed where every layer looks farther than the one before, each time; "
        "qualified where only the last half of the layers looks farther than the first half, each "
        "time; wrong where it never does; else not decided."
    ),
    measured=lambda finding, t: t(
        "mean distance {first} in the first layer, {last} in the last; equal weights {shown_even}",
        **_distance(finding, t),
    ),
)

# Weight and cause -----------------------------------------------------------------------------


def _cause(finding: Finding, t: Translator) -> dict[str, object]:
    if not whole(finding, "heads"):
        return {}
    return {
        **{name: whole(finding, name) for name in ("heads", "keys", "related", "missed")},
        **{name: number(real(finding, name), PLACES) for name in ("median", "everywhere")},
        **{name: t.listing(texts(finding, name)) for name in ("top_weight", "top_effect")},
    }


def _cause_measured(finding: Finding, t: Translator) -> str:
    if not whole(finding, "heads"):
        return t("no rank correlation")
    return t(
        "rank correlation {everywhere}; largest weight {top_weight}, largest effect {top_effect}",
        **_cause(finding, t),
    )


_RELATED = mark(
    "In the record of MiniLM each of {keys} keys is cut for ‘it’ in one head at a time: in "
    "{related} of the {heads} heads whose effects are mostly more than rounding, weight and effect "
    "rise together, beyond chance (median rank correlation {median})."
)
_MISSED = mark(
    "Yet in {missed} heads the key with the largest weight is not the one whose cut moves the last "
    "vector of ‘it’ most."
)
_EVERYWHERE = mark(
    "Cut in all heads at once, the largest weight is that of {top_weight}, the largest effect that "
    "of {top_effect}."
)
_CORRELATED = (_RELATED, _MISSED, _EVERYWHERE)

CAUSE = ClaimWords(
    21,
    mark("“A large weight shows a correlation and warrants no cause.”"),
    mark("A large weight is not a cause"),
    {
        "correlated": _CORRELATED,
        "unrelated": (*_CORRELATED, mark("Weight and effect do not go together in most heads.")),
        "always": (
            _RELATED,
            mark("In every head the key with the largest weight has the largest effect."),
        ),
        "rarely": (
            _RELATED,
            mark("The key with the largest weight lacks the largest effect in {missed} of them."),
        ),
        "unmeasured": (
            mark("In no head do both weights and effects differ, so that neither can be ranked."),
        ),
    },
    _cause,
    mark(
        "Confirmed where the key with the largest weight is not the one with the largest effect in "
        "{often} of the heads or more, and weight and effect rise together in most heads, beyond "
        "what chance gives one row in 20; qualified where they do not. Wrong where the largest "
        "weight has the largest effect in every head; else not decided."
    ),
    {"often": f"{OFTEN:.0%}"},
    _cause_measured,
)

WORDS = (REFERENCE, DISTANCE, CAUSE)
