"""Claims 9, 10, 17, 18 and 24: order, reach, influence, depth and the graph view.

Each is checked on several inputs: a sentence and random vectors of several seeds, besides what the
page shows first. Every case of a finding is named here, with what holds in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.backends import Backend
from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.masks import compare
from engine.experiments.masks.influence import InfluenceResult, measure_influence
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.properties.graph import GraphParams, pass_messages
from engine.experiments.properties.order import OrderParams, compare_order
from engine.experiments.properties.paths import PathParams, PathResult, count_paths
from engine.experiments.properties.smoothing import (
    SmoothingParams,
    SmoothingResult,
    measure_smoothing,
)
from engine.shapes import Array

SEEDS = (1, 2, 3)  # of the sentences and random vectors that are looked at besides

# Order ----------------------------------------------------------------------------------------

ROTATED = (*range(5, 17), *range(1, 5))  # sixteen tokens, the first four at the end
ORDERS: tuple[OrderParams, ...] = (
    *(OrderParams(seed=seed) for seed in SEEDS),
    *(OrderParams(source="random", seed=seed, permutation=ROTATED) for seed in SEEDS),
)
OrderCase = Literal["broken", "unbroken", "unequal"]


def of_order(results: Results) -> Finding:
    """Check whether outputs move with their tokens.

    The case is ``"broken"`` where they do, and added positions break it for every input;
    ``"unbroken"`` where they do, and positions do not; ``"unequal"`` where they do not. The values
    have the worst of all inputs, and those of the input that the page shows first.
    """
    found = [results.of(params, compare_order) for params in ORDERS]
    difference = max(result.difference for result in found)
    rounding = min(result.rounding for result in found)
    broken = all(result.difference_positions > result.rounding_positions for result in found)
    verdict = judge_order(difference, rounding)
    case: OrderCase = "broken" if broken else "unbroken"
    return Finding(
        9,
        verdict,
        {
            "difference": difference,
            "rounding": rounding,
            "largest": max(result.largest for result in found),
            "difference_positions": min(result.difference_positions for result in found),
            "shown_difference": found[0].difference,
            "shown_positions": found[0].difference_positions,
            "inputs": len(found),
        },
        case if verdict == "confirmed" else "unequal",
    )


def judge_order(difference: float, rounding: float) -> Verdict:
    """Return the verdict: whether f(PX) and P f(X) are the same, to rounding.

    Parameters
    ----------
    difference : float
        The largest one between their components.
    rounding : float
        What two orders of adding up may differ by.
    """
    return "confirmed" if difference <= rounding else "wrong"


# Reach ----------------------------------------------------------------------------------------

LENGTHS = (16, 64, 256)  # positions of the sequences that are walked through
LINEAR = 0.95  # exponent of T in a number of steps that counts as growing like it
REACHES: tuple[compare.Params, ...] = tuple(
    compare.Params(source="random", seed=seed) for seed in SEEDS
)


def of_paths(results: Results) -> Finding:
    """Check how many steps information needs between two positions.

    That one layer is enough is measured too: each token changes in turn, and every output must
    move. A pass in which nothing changes is equal to the last bit, so that any move counts.

    The case is ``"direct"`` where one step is enough, and those of the recurrent net grow like T;
    ``"direct_only"`` where one step is enough, but those grow slower; ``"far"`` where more steps
    are needed, ``"still"`` where some output does not move, ``"far still"`` where both hold.
    """
    walks = [_walk(results, T) for T in LENGTHS]
    shown = _walk(results, PathParams().T)
    full, recurrent = (tuple(walk.longest[name] for walk in walks) for name in ("full", "rnn"))
    reaches = [results.of(params, measure_influence) for params in REACHES]
    least = min(float(each.a.moves.min()) for each in reaches)
    exponent = growth_between(LENGTHS, recurrent)
    verdict = judge_paths(max(full), least, exponent)
    cases = {"confirmed": "direct", "qualified": "direct_only"}
    short = case_of("" if max(full) == 1 else "far", "" if least > 0 else "still")
    return Finding(
        10,
        verdict,
        {
            "lengths": LENGTHS,
            "full": full,
            "recurrent": recurrent,
            "exponent": exponent,
            "least_move": least,
            "tokens": len(reaches[0].head.tokens),
            "inputs": len(reaches),
            "shown_T": shown.params.T,
            "shown_full": shown.longest["full"],
            "shown_recurrent": shown.longest["rnn"],
        },
        cases.get(verdict, short),
    )


def judge_paths(full: int, least_move: float, exponent: float) -> Verdict:
    """Return the verdict.

    Parameters
    ----------
    full : int
        The most steps between two positions under full attention.
    least_move : float
        The least move of an output of one layer, over all tokens that change.
    exponent : float
        Of T in the steps of the recurrent net.
    """
    if full != 1 or not least_move > 0:
        return "wrong"
    return "confirmed" if exponent >= LINEAR else "qualified"


def growth_between(lengths: Sequence[int], steps: Sequence[int]) -> float:
    """Return the exponent of T in the steps, from the shortest length to the longest."""
    return math.log(steps[-1] / steps[0]) / math.log(lengths[-1] / lengths[0])


def _walk(results: Results, T: int) -> PathResult:
    return results.of(PathParams(T=T), _count_paths, backend="numpy")


def _count_paths(params: PathParams, *, backend: Backend | str | None = None) -> PathResult:  # noqa: ARG001 - counting needs none
    return count_paths(params)


# Influence ------------------------------------------------------------------------------------

CHANGED, WATCHED = 3, 1  # tokens, counted from 1
INFLUENCES: tuple[compare.Params, ...] = (
    compare.Params(),
    *(compare.Params(source="sentence", seed=seed) for seed in SEEDS),
)


def of_influence(results: Results) -> Finding:
    """Check whether the output of token 1 moves when token 3 changes, without a mask and with one.

    The case is ``"masked"`` where it moves for every input, and under a causal mask not by a bit;
    ``"unmasked"`` where it moves under that too; ``"still"`` where it does not move for some input.
    """
    found = [results.of(params, measure_influence) for params in INFLUENCES]
    moves = [float(each.a.moves[WATCHED - 1, CHANGED - 1]) for each in found]
    causal = max(float(each.b.moves[WATCHED - 1, CHANGED - 1]) for each in found)
    rounding = max(_rounding_of(each) for each in found)
    verdict = judge_influence(min(moves), rounding)
    case = "masked" if causal == 0 else "unmasked"
    return Finding(
        17,
        verdict,
        {
            "changed": CHANGED,
            "watched": WATCHED,
            "move": moves[0],
            "least_move": min(moves),
            "causal_move": causal,
            "rounding": rounding,
            "inputs": len(found),
        },
        case if verdict == "confirmed" else "still",
    )


def judge_influence(least_move: float, rounding: float) -> Verdict:
    """Return the verdict: whether the least move of all inputs is more than rounding."""
    return "confirmed" if least_move > rounding else "wrong"


def _rounding_of(result: InfluenceResult) -> float:
    head = result.head
    return rounding_of((head.x @ head.w_v).astype(result.precision))


# Depth ----------------------------------------------------------------------------------------

SMOOTH = 0.9  # mean cosine: the vectors of two positions lie some 26 degrees apart
HELPED = 0.1  # by how much the mean cosine of a stack must be lower to count as helped
EARLY, COMPARED = 2, 4  # layers at which stacks without and with the residual are told
# Random layers as the page shows them first, and normalised ones, deep enough for both ways.
STACKS: tuple[SmoothingParams, ...] = (
    SmoothingParams(),
    SmoothingParams(layers=48, norm=True),
)


@dataclass(frozen=True)
class Depth:
    """Mean cosines of one setting with one head: (seeds, layers + 1), without and with residual."""

    without: Array
    residual: Array

    @property
    def smooths(self) -> bool:
        """Whether without the residual every seed starts below ``SMOOTH`` and ends above it."""
        return bool((self.without[:, 0] < SMOOTH).all() and (self.without[:, -1] >= SMOOTH).all())

    @property
    def helps(self) -> bool:
        """Whether after ``COMPARED`` layers every seed is lower with the residual, clearly."""
        lead = self.without[:, COMPARED] - self.residual[:, COMPARED]
        return bool((lead >= HELPED).all())


def of_depth(results: Results) -> Finding:
    """Check whether outputs become alike with depth, and whether residual connections help.

    The case is ``"delayed"`` where both hold, and with residual connections every stack becomes as
    smooth in the end; ``"helped"`` where both hold and some stack does not; ``"unhelped"`` where
    only the first holds; ``"distinct"`` where outputs do not become alike.
    """
    found = [results.of(params, measure_smoothing) for params in STACKS]
    depths = [_depth_of(result) for result in found]
    verdict = judge_depth(
        smooths=all(depth.smooths for depth in depths), helps=all(depth.helps for depth in depths)
    )
    late = [smooth_from(depth.residual) for depth in depths]
    cases = {"confirmed": "delayed" if all(late) else "helped", "qualified": "unhelped"}
    values: dict[str, Value] = {
        "seeds": len(STACKS[0].seeds),
        "T": STACKS[0].T,
        "d_model": STACKS[0].d_model,
        "early": EARLY,
        "compared": COMPARED,
        "layers": tuple(params.layers for params in STACKS),
        "without_from": tuple(smooth_from(depth.without) for depth in depths),
        "residual_from": tuple(late),
    }
    usual = depths[0]
    return Finding(
        18,
        verdict,
        {
            **values,
            **_spread("without", usual.without[:, EARLY]),
            **_spread("residual", usual.residual[:, COMPARED]),
            "residual_end": float(usual.residual[:, -1].mean()),
        },
        cases.get(verdict, "distinct"),
    )


def judge_depth(*, smooths: bool, helps: bool) -> Verdict:
    """Return the verdict on a claim of two parts: outputs become alike, and residuals help."""
    if not smooths:
        return "wrong"
    return "confirmed" if helps else "qualified"


def smooth_from(cosines: Array) -> int:
    """Return the first layer after which every seed is at ``SMOOTH`` or above; 0 where none is."""
    smooth = (cosines[:, 1:] >= SMOOTH).all(axis=0)
    return int(np.argmax(smooth)) + 1 if smooth.any() else 0


def _depth_of(result: SmoothingResult) -> Depth:
    heads = result.heads[0]
    return Depth(result.cosine[False, heads], result.cosine[True, heads])


def _spread(name: str, values: Array) -> dict[str, Value]:
    """Return the mean over the seeds, the lowest and the highest."""
    return {
        name: float(values.mean()),
        f"{name}_low": float(values.min()),
        f"{name}_high": float(values.max()),
    }


# The graph view -------------------------------------------------------------------------------

GRAPHS: tuple[GraphParams, ...] = (
    GraphParams(),
    *(GraphParams(source="sentence", seed=seed) for seed in SEEDS),
)


def of_graph(results: Results) -> Finding:
    """Check whether messages along weighted edges give what attention gives.

    The case is ``"complete"`` where they do, and every token hears of every token;
    ``"incomplete"`` where they do, and some edge is missing; ``"unequal"`` where they do not.
    """
    found = [results.of(params, pass_messages) for params in GRAPHS]
    difference = max(result.difference for result in found)
    rounding = min(result.rounding for result in found)
    complete = all(result.is_complete for result in found)
    verdict = judge_graph(difference, rounding, complete=complete)
    cases = {"confirmed": "complete", "qualified": "incomplete"}
    return Finding(
        24,
        verdict,
        {
            "difference": difference,
            "rounding": rounding,
            "largest": max(result.largest for result in found),
            "shown_difference": found[0].difference,
            "tokens": len(found[0].tokens),
            "edges": len(found[0].edges),
            "inputs": len(found),
        },
        cases.get(verdict, "unequal"),
    )


def judge_graph(difference: float, rounding: float, *, complete: bool) -> Verdict:
    """Return the verdict.

    Parameters
    ----------
    difference : float
        The largest one between a component of both outputs.
    rounding : float
        What two orders of adding up may differ by.
    complete : bool
        Whether every token hears of every token.
    """
    if not difference <= rounding:
        return "wrong"
    return "confirmed" if complete else "qualified"


CLAIMS: tuple[Claim, ...] = (
    Claim(9, "properties", "2.9", of_order),
    Claim(10, "properties", "2.9", of_paths),
    Claim(17, "properties", "2.1.5", of_influence),
    Claim(18, "properties", "2.1.6", of_depth),
    Claim(24, "properties", "2.1.6", of_graph),
)
