"""Claims 19, 20 and 21: whom "it" attends to, how far layers look, and what weights tell of cause.

What is said of a model is read from its record, which ships with the product. Every case of a
finding is named here, with what holds in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.context.endings import EndingsParams, EndingsResult, compare_endings
from engine.experiments.context.knock import KnockParams, KnockResult, knock
from engine.experiments.context.layers import Layers, layers_of
from engine.experiments.context.sentences import PAIRS, RECORDED
from engine.experiments.context.single_layer import SingleLayerParams, compare_in_one_layer
from engine.experiments.context.study import Study, StudyParams, study
from engine.shapes import Array

# Two endings ----------------------------------------------------------------------------------

# One layer of random heads: as the page shows it first, without positions, narrower, sharper.
SINGLES: tuple[SingleLayerParams, ...] = (
    SingleLayerParams(),
    SingleLayerParams(seed=2, positions=False),
    SingleLayerParams(seed=3, d_model=64, d_k=8),
    SingleLayerParams(seed=4, spread=2.0),
)
ReferenceCase = Literal["deeper", "nowhere", "at_once", "unclear", "unmeasured"]
Changed = Literal["drawn", "first", "both"]  # whose ratio changes in one layer


def of_reference(results: Results) -> Finding:
    """Check whether "it" turns from the animal to the street when the last word changes.

    The case is ``"deeper"`` where no head of a first layer changes the ratio of the two weights,
    and some head past it turns; ``"nowhere"`` where none does; ``"at_once"`` where some head turns
    and a first layer changes the ratio too; ``"unclear"`` where only that does; beside both stands
    whether the random heads change it (``"drawn"``), the model's first layer (``"first"``), or
    ``"both"``. ``"unmeasured"`` where the first layer has no ratio: its weights are nought.
    """
    singles = [results.of(params, compare_in_one_layer) for params in SINGLES]
    found = results.of(EndingsParams(), compare_endings)
    drawn = {
        "drawn_difference": max(single.largest_difference for single in singles),
        "drawn_rounding": min(single.rounding for single in singles),
    }
    moved = (
        any(not single.ratio_is_kept for single in singles),
        found.first_layer_difference > found.ratio_rounding,
    )
    turning = int(turns_as_claimed(found).sum())
    measured = not math.isnan(found.first_layer_difference)
    return Finding(
        19,
        judge_reference(kept=not any(moved), turning=turning) if measured else "open",
        {
            "drawn_heads": sum(single.params.heads for single in singles),
            **drawn,
            "first_difference": found.first_layer_difference,
            "first_rounding": found.ratio_rounding,
            "heads": found.turned.size,
            "turning": turning,
            "against": int(found.turned.sum()) - turning,
            **_clearest(found),
            **_means(found),
            **_others(results),
        },
        _reference_case(*moved, turning=turning) if measured else "unmeasured",
    )


def judge_reference(*, kept: bool, turning: int) -> Verdict:
    """Return the verdict.

    Parameters
    ----------
    kept : bool
        Whether first layers keep the ratio of both weights, to rounding.
    turning : int
        Heads that favour the animal with "tired" and the street with "wide".
    """
    if kept:
        return "qualified" if turning else "wrong"
    return "confirmed" if turning else "open"


def _reference_case(drawn: bool, first: bool, *, turning: int) -> str:
    """Return the case; drawn and first say whether the ratio changes in one layer."""
    cases: tuple[ReferenceCase, ReferenceCase] = ("nowhere", "deeper")
    if not (drawn or first):
        return cases[turning > 0]
    changed: Changed = "both" if drawn and first else "drawn" if drawn else "first"
    cases = ("unclear", "at_once")
    return case_of(cases[turning > 0], changed)


def turns_as_claimed(found: EndingsResult) -> Array:
    """Return which heads (L, H) favour the one meant in the first text, and in the second."""
    turned: Array = found.turned & (found.preference[0] > 0)
    return turned


def _clearest(found: EndingsResult) -> dict[str, Value]:
    """Return the head that turns most as claimed, counted from 1, and its weights; none: zeros."""
    turned = turns_as_claimed(found)
    change = np.where(turned, found.preference[0] - found.preference[1], 0.0)
    layer, head = (int(place) for place in np.unravel_index(change.argmax(), change.shape))
    pairs = {name: _pair(found, side, layer, head) for side, name in enumerate(("tired", "wide"))}
    there = bool(turned.any())
    return {"layer": (layer + 1) * there, "head": (head + 1) * there, **pairs}


def _pair(found: EndingsResult, side: int, layer: int, head: int) -> tuple[float, float]:
    """Return the weights of the query on the two it may mean, in one text and head."""
    row = (found.first, found.second)[side].attention[layer, head, found.query[side]]
    return float(row[found.one[side]]), float(row[found.other[side]])


def _means(found: EndingsResult) -> dict[str, Value]:
    """Return the means of both weights over all heads."""
    layers, heads = found.turned.shape
    every = [(layer, head) for layer in range(layers) for head in range(heads)]
    means = {
        name: np.mean([_pair(found, side, *place) for place in every], axis=0)
        for side, name in enumerate(("mean_tired", "mean_wide"))
    }
    return {name: (float(one), float(other)) for name, (one, other) in means.items()}


def _others(results: Results) -> dict[str, Value]:
    """Return how many other recorded pairs have a head that turns as claimed."""
    found = [
        results.of(EndingsParams(first=pair.first, second=pair.second), compare_endings)
        for pair in PAIRS[1:]
    ]
    readable = [each for each in found if _is_readable(each.first) and _is_readable(each.second)]
    return {
        "others": len(readable),
        "others_turning": sum(bool(turns_as_claimed(each).any()) for each in readable),
    }


def _is_readable(text: Study) -> bool:
    """Say whether the model knows every piece of a text."""
    return not bool(text.unknown.any())


# How far layers look --------------------------------------------------------------------------

DistanceCase = Literal["rises", "halves", "falls", "mixed"]


def of_distance(results: Results) -> Finding:
    """Check whether deep layers look farther than shallow ones.

    Each recorded text whose pieces the model knows is measured twice: as it is, and among its own
    tokens, without the special ones. The case is ``"rises"`` where every layer looks farther than
    the one before, in each text both ways; ``"halves"`` where the last half of the layers looks
    farther than the first half, in each text both ways; ``"falls"`` where it does in none;
    ``"mixed"`` where it does in some. Beside it stands ``"within"`` where the last half looks, in
    the mean, no farther among the shown text's own tokens than equal weights would, else
    ``"beyond"``.
    """
    studies = [results.of(StudyParams(text=text), study) for text in RECORDED]
    readable = [each for each in studies if _is_readable(each)]
    shown, own = ([layers_of(each, way) for each in readable] for way in ("shown", "renormalised"))
    every = [*shown, *own]
    farther = [_last_half(each) > _first_half(each) for each in every]
    rising = all(bool((np.diff(each.mean_distance) > 0).all()) for each in every)
    return Finding(
        20,
        judge_distance(farther, rising=rising),
        {
            "texts": len(readable),
            "half": studies[0].layers // 2,
            "own_last": _last_half(own[0]),
            **_distances("shown", shown[0]),
            **_distances("own", own[0]),
            "special": tuple(float(share) for share in shown[0].special_share.mean(axis=1)),
            "farther": sum(farther),
            "ways": len(farther),
        },
        case_of(
            _distance_case(farther, rising=rising),
            "within" if _last_half(own[0]) <= own[0].even_distance else "beyond",
        ),
    )


def judge_distance(farther: Sequence[bool], *, rising: bool) -> Verdict:
    """Return the verdict.

    Parameters
    ----------
    farther : sequence of bool
        Whether the last half of the layers looks farther than the first, text by text and way by
        way.
    rising : bool
        Whether every layer always looks farther than the one before.
    """
    if all(farther):
        return "confirmed" if rising else "qualified"
    return "open" if any(farther) else "wrong"


def _distance_case(farther: Sequence[bool], *, rising: bool) -> DistanceCase:
    if all(farther):
        return "rises" if rising else "halves"
    return "mixed" if any(farther) else "falls"


def _distances(name: str, found: Layers) -> dict[str, Value]:
    """Return the mean distance of each layer, and what equal weights would give."""
    return {
        name: tuple(float(distance) for distance in found.mean_distance),
        f"{name}_even": found.even_distance,
    }


def _first_half(found: Layers) -> float:
    return float(found.mean_distance[: len(found.mean_distance) // 2].mean())


def _last_half(found: Layers) -> float:
    return float(found.mean_distance[-(len(found.mean_distance) // 2) :].mean())


# Weight and cause -----------------------------------------------------------------------------

OFTEN = 0.1  # share of the heads in which the largest weight must not have the largest effect
EVERYWHERE = KnockParams()  # what the page shows of the claim
CauseCase = Literal["correlated", "unrelated", "always", "rarely", "unmeasured"]


def of_cause(results: Results) -> Finding:
    """Check whether the key with the largest weight is the one whose loss has the largest effect.

    Each key is cut in one head at a time, and once in all heads of all layers. The case is
    ``"correlated"`` where weight and effect go together in most heads, yet the largest weight
    often lacks the largest effect; ``"unrelated"`` where it does and they do not go together;
    ``"always"`` where it has it in every head; ``"rarely"`` where it lacks it in few;
    ``"unmeasured"`` where there is no head in which both weights and effects differ. Heads in
    which they do not are left out. Of several keys with the largest weight, or effect, one that
    has both is enough.
    """
    shown = results.of(EVERYWHERE, knock)
    found = [
        each for each in _in_each_head(results, shown.study) if not math.isnan(each.correlation)
    ]
    if not found or not shown.measured:
        return Finding(21, "open", {"heads": 0, "often": OFTEN}, "unmeasured")
    related = sum(each.correlation > each.chance for each in found)
    missed = sum(set(each.top_weights).isdisjoint(each.top_effects) for each in found)
    return Finding(
        21,
        judge_cause(related, missed, len(found)),
        {
            "heads": len(found),
            "keys": shown.measured,
            "median": float(np.median([each.correlation for each in found])),
            "related": related,
            "missed": missed,
            "everywhere": shown.correlation,
            "top_weight": tuple(shown.study.tokens[key] for key in shown.top_weights),
            "top_effect": tuple(shown.study.tokens[key] for key in shown.top_effects),
            "often": OFTEN,
        },
        _cause_case(related, missed, len(found)),
    )


def judge_cause(related: int, missed: int, heads: int) -> Verdict:
    """Return the verdict on a claim of two parts: weights go with effects, and are not causes.

    Parameters
    ----------
    related : int
        Heads in which the ranks of weight and effect go together by more than chance.
    missed : int
        Heads in which the key with the largest weight is not the one with the largest effect.
    heads : int
        All of them.
    """
    verdicts: dict[CauseCase, Verdict] = {
        "correlated": "confirmed",
        "unrelated": "qualified",
        "always": "wrong",
        "rarely": "open",
        "unmeasured": "open",
    }
    return verdicts[_cause_case(related, missed, heads)]


def _cause_case(related: int, missed: int, heads: int) -> CauseCase:
    if missed < OFTEN * heads:
        return "rarely" if missed else "always"
    return "correlated" if 2 * related > heads else "unrelated"


def _in_each_head(results: Results, shown: Study) -> list[KnockResult]:
    return [
        results.of(KnockParams(scope="head", layer=layer, head=head), knock)
        for layer in range(1, shown.layers + 1)
        for head in range(1, shown.heads + 1)
    ]


CLAIMS: tuple[Claim, ...] = (
    Claim(19, "context", "2.1.3", of_reference),
    Claim(20, "context", "2.1.6", of_distance),
    Claim(21, "context", "2.1.4", of_cause),
)
