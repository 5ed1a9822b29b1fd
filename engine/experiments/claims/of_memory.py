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
HALFWAY = 0.5  # from it: up to there it is the nearest whole power
COUNTED = "counted"  # the case in which nothing has been measured
Standing = Literal["square", "other", "unsure", "open", "few", "disturbed"]
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
        return Finding(11, judge_growth(scores), values, COUNTED)
    growths = {
        name: result.growth("materialised", quantity) for name, quantity in _QUANTITIES.items()
    }
    time, peak = map(standing_of, growths.values())
    if result.disturbed:
        time = "disturbed"
        values |= {"busy": result.busy, "cores": result.machine.cores}
    for name, growth in growths.items():
        values |= _growth_values(name, growth)
    verdict = judge_growth(scores, time, peak)
    return Finding(11, verdict, values, case_of(f"time:{time}", f"peak:{peak}"))


def scores_at(T: int) -> int:
    """Return how many scores one head has: the numbers of the tensor that the page predicts."""
    params = Params(T=T, heads=1, kv_heads=1, batch=1)
    (scores,) = (each for each in tensors_of(params, "materialised") if each.name == "scores")
    return math.prod(scores.shape)


def standing_of(growth: Growth | None) -> Standing:
    """Return whether an exponent is the claimed one, surely another, or does not tell.

    It is the claimed one where it is near, and surely nearer to it than to any other whole power;
    ``"unsure"`` where it is clear, but its error leaves room for both.
    """
    if growth is None:
        return "few"
    if not growth.is_clear:
        return "open"
    if growth.is_below(SQUARE - NEAR) or growth.is_above(SQUARE + NEAR):
        return "other"
    sure = growth.is_above(SQUARE - HALFWAY) and growth.is_below(SQUARE + HALFWAY)
    return "square" if sure and abs(growth.exponent - SQUARE) <= NEAR else "unsure"


def judge_growth(
    scores: tuple[int, ...], time: Standing | None = None, peak: Standing | None = None
) -> Verdict:
    """Return the verdict: by counting, and by the exponents.

    Peak memory is the same in every run, times are not: it confirms the claim, and they may
    contradict it.

    Parameters
    ----------
    scores : tuple of int
        As many as one head has at ``LANDMARKS``.
    time, peak : Standing or None
        None where nothing has been measured.
    """
    if scores != CLAIMED_SCORES:
        return "wrong"
    if "other" in (time, peak):
        return "qualified"
    return "confirmed" if peak == "square" else "open"


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
# As many heads as the page measures at first, so that its figures show the same peaks.
CHUNKS = ChunkedParams(heads=MeasuredParams().heads)


def of_chunks(results: Results) -> Finding:
    """Compute attention whole and in chunks, and measure both peaks."""
    with measuring_turn():
        return chunks_found(results.of(CHUNKS, compare))


def chunks_found(found: Chunked | None) -> Finding:
    """Return how far both results are apart, and what each holds at its peak."""
    if found is None:
        return Finding(22, "open", {}, AWAITED)
    return Finding(
        22,
        judge_chunks(found),
        {
            "T": found.T,
            "heads": found.heads,
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
