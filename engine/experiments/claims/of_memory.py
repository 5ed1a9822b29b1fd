"""Claims 11 and 22: what T tokens cost, and what computing in chunks saves."""

from __future__ import annotations

import math
from typing import Literal

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.claims.turn import measuring_turn
from engine.experiments.memory import measured
from engine.experiments.memory.chunked import Chunked, ChunkedParams, compare
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult, Quantity
from engine.experiments.memory.predicted import LANDMARKS, Params
from engine.experiments.memory.tensors import tensors_of

# Scores, and how time and memory grow -----------------------------------------------------------

CLAIMED_SCORES = (1_000_000, 100_000_000)  # of one head, at the tokens that the text names
SQUARE = 2.0  # the exponent that is claimed
NEAR = 0.3  # from it: what a fixed cost and caches do to an exponent at these lengths
COUNTED = "counted"  # the case in which nothing has been measured
Standing = Literal["square", "other", "open", "few", "disturbed"]
_QUANTITIES: dict[str, Quantity] = {"time": "seconds", "peak": "peak_bytes"}


def of_growth(results: Results) -> Finding:
    """Count the scores, and measure how time and peak memory of the formula grow with T."""
    with measuring_turn():
        return growth_found(results.of(MeasuredParams(), measured.run))


def growth_found(result: MeasuredResult | None) -> Finding:
    """Return the counts of scores, and how the formula grows where that has been measured."""
    scores = tuple(map(scores_at, LANDMARKS))
    values: dict[str, Value] = {"Ts": LANDMARKS, "scores": scores}
    if result is None:
        return Finding(11, judge_growth(scores, ()), values, COUNTED)
    growths = {
        name: result.growth("materialised", quantity) for name, quantity in _QUANTITIES.items()
    }
    standings = {name: standing_of(growth) for name, growth in growths.items()}
    if result.disturbed:
        standings["time"] = "disturbed"
        values |= {"busy": result.busy, "cores": result.machine.cores}
    for name, growth in growths.items():
        values |= _growth_values(name, growth)
    verdict = judge_growth(scores, tuple(standings.values()))
    return Finding(11, verdict, values, case_of(*(f"{n}:{s}" for n, s in standings.items())))


def scores_at(T: int) -> int:
    """Return how many scores one head has: the numbers of the tensor that the page predicts."""
    params = Params(T=T, heads=1, kv_heads=1, batch=1)
    (scores,) = (each for each in tensors_of(params, "materialised") if each.name == "scores")
    return math.prod(scores.shape)


def standing_of(growth: Growth | None) -> Standing:
    """Return whether an exponent is the claimed one, surely another, or does not tell."""
    if growth is None:
        return "few"
    if not growth.is_clear:
        return "open"
    if abs(growth.exponent - SQUARE) <= NEAR:
        return "square"
    other = growth.is_below(SQUARE - NEAR) or growth.is_above(SQUARE + NEAR)
    return "other" if other else "open"


def judge_growth(scores: tuple[int, ...], standings: tuple[Standing, ...]) -> Verdict:
    """Return the verdict: by counting, and by the exponents where there are some.

    Parameters
    ----------
    scores : tuple of int
        As many as one head has at ``LANDMARKS``.
    standings : tuple of Standing
        Of time and peak memory; empty where nothing has been measured.
    """
    if scores != CLAIMED_SCORES:
        return "wrong"
    return "qualified" if "other" in standings else "confirmed"


def _growth_values(name: str, growth: Growth | None) -> dict[str, Value]:
    """Return an exponent with its error; nothing where there is none."""
    if growth is None:
        return {}
    return {
        name: growth.exponent,
        f"{name}_error": growth.error,
        f"{name}_points": growth.points_used,
        f"{name}_shortest": growth.shortest,
    }


# Chunks -----------------------------------------------------------------------------------------

AWAITED = "awaited"  # the case in which it could not be measured yet


def of_chunks(results: Results) -> Finding:
    """Compute attention whole and in chunks, and measure both peaks."""
    with measuring_turn():
        return chunks_found(results.of(ChunkedParams(), compare))


def chunks_found(found: Chunked | None) -> Finding:
    """Return how far both results are apart, and what each holds at its peak."""
    if found is None:
        return Finding(22, "open", {}, AWAITED)
    return Finding(
        22,
        judge_chunks(found),
        {
            "T": found.T,
            "kernel": found.kernel,
            "share": found.difference / found.largest,
            "materialised": found.materialised_peak,
            "blocked": found.blocked_peak,
        },
        "same" if found.is_same else "apart",
    )


def judge_chunks(found: Chunked) -> Verdict:
    """Return the verdict: the same to rounding (`Chunked.is_same`), and held at once is less."""
    if not found.is_same:
        return "wrong"
    return "confirmed" if found.blocked_peak < found.materialised_peak else "qualified"


CLAIMS: tuple[Claim, ...] = (
    Claim(11, "memory", "2.1.4", of_growth),
    Claim(22, "memory", "2.1.4", of_chunks),
)
