"""Claims 16, 23 and 25: what a token gives to itself, additive attention, the axis of softmax.

Every case of a finding is named here, with what holds in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from engine.backends.threads import available_cores
from engine.experiments.claims.deciding import SURE, case_of, surely_above
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.claims.turn import measuring_turn
from engine.experiments.lookup import cost
from engine.experiments.lookup.axes import AxesParams, AxesResult, compare_axes
from engine.experiments.lookup.cost import CostParams, CostResult, Ratio
from engine.experiments.lookup.roles import Role, RolesParams, measure_roles
from engine.experiments.lookup.start import StartParams, StartResult, measure_start
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.memory.series import DISTURBED

# The diagonal ---------------------------------------------------------------------------------

# Of 1/T: what a token must give to itself beyond it to be paid for being itself. Long vectors
# alone, which make both query and key long, give about 0.01 at 64 dimensions.
PAY = 0.25
DiagonalCase = Literal["tied_only", "neither", "free", "unclear"]


def of_diagonal(results: Results) -> Finding:
    """Check whether a token favours itself when W_Q and W_K are drawn apart.

    The case is ``"tied_only"`` where it does not, but does with W_K = W_Q; ``"neither"`` where it
    does with neither; ``"free"`` where it does; ``"unclear"`` where chance leaves it open.
    """
    found = results.of(RolesParams(), measure_roles)
    free, tied = (_excess(role, found.even) for role in (found.free, found.tied))
    verdict = judge_diagonal(*free)
    paid = surely_above(tied[0] - PAY, tied[1])
    cases: dict[Verdict, DiagonalCase] = {
        "wrong": "tied_only" if paid else "neither",
        "confirmed": "free",
    }
    values: dict[str, Value] = {
        name: getattr(found.params, name) for name in ("T", "d_k", "d_model", "draws")
    }
    return Finding(
        16,
        verdict,
        {
            **values,
            "even": found.even,
            "free": found.free.mean,
            "free_error": found.free.error,
            "tied": found.tied.mean,
            "tied_error": found.tied.error,
            "excess": free[0],
            "excess_error": free[1],
            "pay": PAY,
            "sure": SURE,
        },
        cases.get(verdict, "unclear"),
    )


def _excess(role: Role, even: float) -> tuple[float, float]:
    """Return what a token gives to itself beyond 1/T, and its error, as shares of 1/T."""
    return role.mean / even - 1, role.error / even


def judge_diagonal(excess: float, error: float) -> Verdict:
    """Return the verdict on what a token gives to itself with W_Q and W_K drawn apart.

    Parameters
    ----------
    excess, error : float
        By how much more than 1/T it is, as a share of 1/T, and its standard error.
    """
    if surely_above(PAY - excess, error):
        return "wrong"
    return "confirmed" if surely_above(excess - PAY, error) else "open"


# Additive attention ---------------------------------------------------------------------------

EQUAL = 1.0  # ratio of two times; quartiles on one side of it are apart by more than chance
# While other programs keep many cores busy: both ways are timed in turn and bear that alike, so
# that a ratio this far from 1 is none of theirs.
FAR = 4.0
CostCase = Literal["slower", "not_everywhere", "faster", "unclear"]


def of_cost(results: Results) -> Finding:
    """Check whether additive attention is slower than the dot product.

    That it is as good is not measured, so that the claim is never confirmed whole. Beside the times
    stands how sharp softmax is before training, which is what may set the two apart at large d_k.

    The case is ``"slower"`` where it is at every width and length; ``"faster"`` where it is faster
    at every one; ``"not_everywhere"`` where it is at some; ``"unclear"`` where the quartiles of
    some ratio lie on both sides of 1 and it is faster nowhere. ``"disturbed"`` stands beside it
    where other programs kept so many cores busy that ratios count only beyond ``FAR``.
    """
    with measuring_turn():
        found = results.of(CostParams(), cost.run)
    ratios = [ratio for pair in found.pairs if (ratio := found.ratio(*pair)) is not None]
    cores = available_cores()
    disturbed = found.busy > DISTURBED * cores
    return Finding(
        23,
        judge_cost(ratios, disturbed=disturbed),
        {
            **_cost_values(found, ratios),
            "cores": cores,
            **_start_values(results.of(StartParams(), measure_start)),
        },
        case_of(_cost_case(ratios, disturbed=disturbed), "disturbed" if disturbed else ""),
    )


def judge_cost(ratios: Sequence[Ratio], *, disturbed: bool = False) -> Verdict:
    """Return the verdict: of a claim of two parts, only that on speed is measured.

    Parameters
    ----------
    ratios : sequence of Ratio
        Time of additive attention over that of the dot product, at every width and length.
    disturbed : bool
        Whether other programs kept so many cores busy that times may be too long.
    """
    verdicts: dict[CostCase, Verdict] = {"slower": "qualified", "unclear": "open"}
    return verdicts.get(_cost_case(ratios, disturbed=disturbed), "wrong")


def _cost_case(ratios: Sequence[Ratio], *, disturbed: bool) -> CostCase:
    edge = FAR if disturbed else EQUAL
    slower = [ratio.low > edge for ratio in ratios]
    faster = [ratio.high < 1 / edge for ratio in ratios]
    if all(slower):
        return "slower"
    if all(faster):
        return "faster"
    return "not_everywhere" if any(faster) else "unclear"


def _cost_values(found: CostResult, ratios: Sequence[Ratio]) -> dict[str, Value]:
    params = found.params
    usual = found.ratio(params.T, params.d_k)
    return {
        "Ts": tuple(sorted(params.Ts)),
        "d_ks": tuple(sorted(params.d_ks)),
        "points": len(ratios),
        "T": params.T,
        "d_k": params.d_k,
        **({} if usual is None else {"ratio": usual.ratio, "low": usual.low, "high": usual.high}),
        "least_ratio": min(ratio.ratio for ratio in ratios),
        "most_ratio": max(ratio.ratio for ratio in ratios),
        "lowest": min(ratio.low for ratio in ratios),
        "highest": max(ratio.high for ratio in ratios),
        **_ends(found),
        "equal": EQUAL,
        "busy": found.busy,
        "device": found.device,
    }


def _ends(found: CostResult) -> dict[str, Value]:
    """Return the ratio at the least work and at the most, as the page tells them first."""
    values: dict[str, Value] = {}
    for name, (T, d_k) in (("first", found.pairs[0]), ("last", found.pairs[-1])):
        ratio = found.ratio(T, d_k)
        assert ratio is not None  # of a pair that was measured
        values |= {f"{name}_T": T, f"{name}_d_k": d_k, f"{name}_ratio": ratio.ratio}
    return values


def _start_values(found: StartResult) -> dict[str, Value]:
    """Return the mean largest weight of each kind of scores, and its error, d_k rising."""
    values: dict[str, Value] = {
        "start_d_ks": tuple(each.d_k for each in found.of("dot")),
        "start_keys": round(1 / found.even),
        "start_even": found.even,
    }
    for kind in ("dot", "scaled", "additive"):
        values[f"start_{kind}"] = tuple(each.largest for each in found.of(kind))
        values[f"start_{kind}_error"] = tuple(each.error for each in found.of(kind))
    return values


# The axis of softmax --------------------------------------------------------------------------

SEEDS = (1, 2, 3)  # of the sentences that are looked at besides the textbook example
INPUTS: tuple[AxesParams, ...] = (
    AxesParams(),
    *(AxesParams(source="sentence", seed=seed) for seed in SEEDS),
)
AxesCase = Literal["rows", "alike", "not_rows"]


def of_axes(results: Results) -> Finding:
    """Check whether each row of weights adds up to 1, and whether columns would do as well.

    The case is ``"rows"`` where each row does, and softmax down the columns gives another output
    for every input; ``"alike"`` where some input cannot tell the two; ``"not_rows"`` where some row
    does not add up to 1.
    """
    found = [results.of(params, compare_axes) for params in INPUTS]
    error = max(float(abs(result.row_sums - 1).max()) for result in found)
    rounding = max(rounding_of(result.rows) for result in found)
    differences = [result.difference_output / _rounding(result) for result in found]
    verdict = judge_axes(error, rounding, min(differences))
    first = found[0]
    cases: dict[Verdict, AxesCase] = {"confirmed": "rows", "open": "alike"}
    return Finding(
        25,
        verdict,
        {
            "row_error": error,
            "rounding": rounding,
            "tokens": len(first.tokens),
            "least_sum": float(first.row_sums_of_columns.min()),
            "most_sum": float(first.row_sums_of_columns.max()),
            "difference": first.difference_output,
            "largest": first.largest_output,
            "least_difference": min(result.difference_output for result in found),
            "inputs": len(found),
        },
        cases.get(verdict, "not_rows"),
    )


def judge_axes(row_error: float, rounding: float, difference: float) -> Verdict:
    """Return the verdict.

    Parameters
    ----------
    row_error : float
        The most by which a sum of a row of weights misses 1.
    rounding : float
        By how much it may through rounding alone.
    difference : float
        The least difference that columns make to an output, in what rounding may make.
    """
    if not row_error <= rounding:
        return "wrong"
    return "confirmed" if difference > 1 else "open"


def _rounding(result: AxesResult) -> float:
    """Return by how much two outputs may differ through rounding alone."""
    return rounding_of(result.output_rows)


CLAIMS: tuple[Claim, ...] = (
    Claim(16, "lookup", "2.1.5", of_diagonal),
    Claim(23, "lookup", "2.4", of_cost),
    Claim(25, "lookup", "2.6", of_axes),
)
