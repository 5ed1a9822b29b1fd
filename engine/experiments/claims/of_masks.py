"""Claims 12 to 15: minus infinity, masks after softmax, and who sees whom.

All of it is measured on the textbook example.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Claim, Finding, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.masks import Params
from engine.experiments.masks.influence import Influence, InfluenceResult, measure_influence
from engine.experiments.masks.mistakes import (
    FAR_UNDERFLOW,
    MistakesParams,
    MistakesResult,
    Outcome,
    make_mistakes,
)
from engine.experiments.masks.precision import Dtype, Precision

# Minus infinity -------------------------------------------------------------------------------

BILLION = 1e9  # the text replaces minus infinity by minus this
HALF: Dtype = "float16"


def of_infinity(results: Results) -> Finding:
    """Check whether floating point has minus infinity, and whether it masks."""
    return infinity_found(results.of(MistakesParams(), make_mistakes))


def infinity_found(result: MistakesResult) -> Finding:
    """Return in how many formats minus infinity exists and hides what it should."""
    outcomes = result.variant("minus-infinity").outcomes
    count = sum(_masks(outcome) for outcome in outcomes.values())
    half = Precision(HALF).held(-BILLION)
    empty = all(outcome.full_row == "nan" for outcome in outcomes.values())
    return Finding(
        12,
        judge_infinity(count, len(outcomes)),
        {"count": count, "total": len(outcomes), "half": half},
        case_of(
            _how_many(count, len(outcomes)),
            "half" if math.isinf(half) else "",
            "empty" if empty else "",
        ),
    )


def judge_infinity(count: int, total: int) -> Verdict:
    """Return the verdict: minus infinity works in ``count`` of the formats."""
    if count == total:
        return "wrong"
    return "qualified" if count else "confirmed"


def _masks(outcome: Outcome) -> bool:
    """Return whether a format holds minus infinity, and masking with it comes out right."""
    return math.isinf(Precision(outcome.dtype).held(-math.inf)) and outcome.right


def _how_many(count: int, total: int) -> str:
    if count == total:
        return "all"
    return "some" if count else "none"


# After softmax --------------------------------------------------------------------------------

NARROW: Dtype = "float32"  # in which the sum of a row underflows


def of_masking_after(results: Results) -> Finding:
    """Check what becomes of a mask that is applied after softmax."""
    return masking_after_found(results.of(MistakesParams(), make_mistakes))


def masking_after_found(result: MistakesResult) -> Finding:
    """Return how far each way of masking too late, or wrongly, is from the right weights."""
    exact = exact_dtype(result.variant("renormalise").outcomes)
    renormalised, zeroed, multiplied = (
        result.variant(name).outcomes[exact] for name in ("renormalise", "zero-after", "times-0-1")
    )
    underflows = result.variant("renormalise-far").outcomes[NARROW].nan_rows > 0
    hazard = underflows or zeroed.leaks
    return Finding(
        13,
        judge_masking_after(renormalised, hazard=hazard),
        {
            "exact": exact,
            "difference": renormalised.difference,
            "renormalised_leak": renormalised.leak,
            "far": FAR_UNDERFLOW,
            "sum": zeroed.row_sums[0],
            "leak": zeroed.leak,
            "multiplied": multiplied.leak,
        },
        case_of(
            _way_of(renormalised),
            "underflows" if underflows else "",
            "zeroed" if zeroed.leaks else "",
            "multiplied" if multiplied.leaks else "",
        ),
    )


def _way_of(renormalised: Outcome) -> str:
    """Return whether renormalised weights are right, let outputs move, are off, or are NaN."""
    if renormalised.right:
        return "equal"
    if renormalised.leaks:
        return "leaks"
    return "apart" if renormalised.differs else "lost"


def judge_masking_after(renormalised: Outcome, *, hazard: bool) -> Verdict:
    """Return the verdict on "masking after softmax, then renormalising, makes the mask useless".

    Parameters
    ----------
    renormalised : Outcome
        Of the exact format; ``leaks`` and ``right`` allow for rounding.
    hazard : bool
        Whether masking after softmax goes wrong in some other way.
    """
    if renormalised.leaks:
        return "confirmed"
    if not renormalised.right:
        return "qualified"
    return "as_stated" if hazard else "wrong"


def exact_dtype(outcomes: Mapping[Dtype, Outcome]) -> Dtype:
    """Return the widest format that a backend computes in."""
    return "float64" if "float64" in outcomes else "float32"


# Who sees whom --------------------------------------------------------------------------------


def of_encoder(results: Results) -> Finding:
    """Check whether the attention of a sequence with itself is what the text calls it.

    Nothing here is an encoder: that it has self-attention is a definition (Vaswani et al. 2017,
    section 3.2.3). What is measured is that queries, keys and values of one sequence make it.
    """
    return encoder_found(results.of(Params(), measure_influence).a)


def encoder_found(seen: Influence) -> Finding:
    """Return over how many of its own tokens attention without a mask looks."""
    T = len(seen.visible)
    apart = ~np.eye(T, dtype=np.bool_)
    own = int((seen.moves[apart] > 0).sum())
    visible = int(seen.visible.sum())
    verdict = judge_encoder(own, T * (T - 1), visible == T * T)
    return Finding(
        14, verdict, {"T": T, "visible": visible, "own": own, "pairs": T * (T - 1)}, verdict
    )


def judge_encoder(own: int, pairs: int, whole: bool) -> Verdict:
    """Return the verdict on "cross-attention", whose keys and values come from another sequence.

    It is never confirmed: only the attention of a sequence with itself is measured.

    Parameters
    ----------
    own : int
        Pairs of two tokens of the same sequence in which a change of one moves the output of the
        other.
    pairs : int
        All such pairs.
    whole : bool
        Whether no cell is hidden.
    """
    return "slip" if own == pairs and whole else "open"


def of_position(results: Results) -> Finding:
    """Check which tokens an output under the causal mask rests on."""
    return position_found(results.of(Params(), measure_influence))


def position_found(result: InfluenceResult) -> Finding:
    """Return by how much an output moves when the next token changes, and when its own does."""
    moves = result.b.moves
    after, own = float(np.diagonal(moves, 1).max()), float(np.diagonal(moves).min())
    leak = float(np.triu(moves, 1).max())  # whatever the mask hides: of every later token
    admits = bool(np.diagonal(result.b.visible).all())
    verdict = judge_position(leak, own, admits=admits)
    return Finding(
        15,
        verdict,
        {"after": after, "own": own, "leak": leak, "admits": admits},
        verdict,
    )


def judge_position(leak: float, own: float, *, admits: bool) -> Verdict:
    """Return the verdict on "predicted from those before" beside "the mask admits itself".

    Both hold if output i, which predicts token i + 1, rests on token i and on none after it.

    Parameters
    ----------
    leak : float
        The largest move of an output when a later token changes: exactly 0 if none is seen.
    own : float
        The smallest move of an output when its own token changes.
    admits : bool
        Whether the mask lets every query see its own position.
    """
    return "reconciled" if leak == 0 and own > 0 and admits else "wrong"


CLAIMS: tuple[Claim, ...] = (
    Claim(12, "masks", "2.10", of_infinity),
    Claim(13, "masks", "2.1.4", of_masking_after),
    Claim(14, "masks", "2.1.1", of_encoder),
    Claim(15, "masks", "2.10", of_position),
)
