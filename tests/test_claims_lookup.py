"""Claims 16, 23 and 25: their numbers, and that each verdict turns when the fact does."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from engine.attention import trace_attention
from engine.experiments.claims import of_lookup as claims
from engine.experiments.claims.results import Results
from engine.experiments.lookup import axes, cost, roles
from engine.experiments.lookup.axes import AxesParams
from engine.experiments.lookup.cost import CostParams, CostPoint, CostResult, Ratio
from engine.experiments.lookup.roles import RolesParams
from engine.experiments.masks.inputs import head_of
from pages.text import translator
from pages.text.claims.of_lookup import ADDITIVE
from tests import oracles


def checked(number, backend):
    (claim,) = (each for each in claims.CLAIMS if each.number == number)
    finding = claim.check(Results(backend.name))
    assert finding.claim == number
    return finding


def test_the_three_claims_are_there():
    assert [claim.number for claim in claims.CLAIMS] == [16, 23, 25]
    assert {claim.subject for claim in claims.CLAIMS} == {"lookup"}


# --- 16: the diagonal -----------------------------------------------------------------


def own_weight(seed, *, tied, draws=200, T=16, d=64):
    """Return the mean weight of a token on itself and its error, drawn and computed here alone."""
    drawn, found = np.random.default_rng(seed), []
    for _ in range(draws):
        x, w_q, w_k = (drawn.standard_normal(shape) for shape in ((T, d), (d, d), (d, d)))
        q, k = x @ w_q / math.sqrt(d), x @ (w_q if tied else w_k) / math.sqrt(d)
        shares = np.exp(q @ k.T / math.sqrt(d))
        found.append(float(np.mean(np.diag(shares) / shares.sum(axis=1))))
    return np.mean(found), np.std(found) / math.sqrt(draws)


def test_a_token_favours_itself_with_a_shared_projection_only(backend):
    finding = checked(16, backend)
    assert (finding.verdict, finding.case) == ("wrong", "tied_only")
    values = finding.values
    for name in ("free", "tied"):
        mean, error = own_weight(11, tied=name == "tied")
        assert abs(values[name] - mean) < 4 * math.hypot(error, values[f"{name}_error"])
        assert values[f"{name}_error"] == pytest.approx(error, rel=0.4)
    assert values["even"] == 1 / 16
    assert values["excess"] == pytest.approx(16 * values["free"] - 1)
    assert values["excess_error"] == pytest.approx(16 * values["free_error"])


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_verdict_on_the_diagonal_does_not_hang_on_the_seed(seed, monkeypatch):
    monkeypatch.setattr(claims, "RolesParams", partial(RolesParams, seed=seed))
    finding = claims.of_diagonal(Results("numpy"))
    assert (finding.verdict, finding.case) == ("wrong", "tied_only")


def test_projections_that_are_alike_all_the_same_confirm_the_claim(backend, monkeypatch):
    honest = roles._weights
    monkeypatch.setattr(
        roles, "_weights", lambda xp, x, w_q, _w_k, *, scale: honest(xp, x, w_q, w_q, scale=scale)
    )
    finding = checked(16, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "free")


def test_a_shared_projection_that_pays_nothing_is_another_case(backend, monkeypatch):
    honest = roles._weights

    def apart(xp, x, w_q, w_k, *, scale):
        free, _tied = honest(xp, x, w_q, w_k, scale=scale)
        return [free, free]

    monkeypatch.setattr(roles, "_weights", apart)
    finding = checked(16, backend)
    assert (finding.verdict, finding.case) == ("wrong", "neither")


def test_few_draws_leave_the_claim_open(backend, monkeypatch):
    monkeypatch.setattr(claims, "RolesParams", partial(RolesParams, draws=2, T=4, seed=8))
    finding = checked(16, backend)
    assert (finding.verdict, finding.case) == ("open", "unclear")


@pytest.mark.parametrize(
    ("excess", "error", "verdict"),
    [
        (0.0, 0.0, "wrong"),
        (0.01, 0.02, "wrong"),
        (-0.5, 0.02, "wrong"),
        (0.2, 0.016, "wrong"),
        (0.2, 0.017, "open"),
        (0.25, 0.0, "open"),
        (0.3, 0.017, "open"),
        (0.3, 0.016, "confirmed"),
        (14.0, 1.0, "confirmed"),
        (math.nan, 0.1, "open"),
    ],
)
def test_the_verdict_on_the_diagonal_turns_at_a_quarter_by_three_errors(excess, error, verdict):
    assert claims.judge_diagonal(excess, error) == verdict


# --- 23: additive attention -----------------------------------------------------------

QUICK = partial(CostParams, Ts=(64, 96), d_ks=(16, 32), T=64, d_k=32, repeats=5)


def timed(seconds):
    """Return what stands in for a measurement: the seconds of a way at a T and d_k, five times."""

    def point(T, d_k, way, _params, _backend):
        found = seconds(T, d_k, way)
        return CostPoint(T, d_k, way, found, (found * 0.9, *[found] * 3, found * 1.1), 1, 1)

    return point


def test_additive_attention_is_slower_and_its_quality_is_not_claimed(backend, monkeypatch):
    monkeypatch.setattr(claims, "CostParams", QUICK)
    times = {(64, 16): 3.0, (64, 32): 5.0, (96, 32): 4.0}
    point = timed(lambda T, d_k, way: times[T, d_k] if way == "additive" else 1.0)
    monkeypatch.setattr(cost, "_point", point)
    finding = checked(23, backend)
    assert (finding.verdict, finding.case) == ("qualified", "slower")
    values = finding.values
    assert values["points"] == 3
    assert (values["Ts"], values["d_ks"]) == ((64, 96), (16, 32))
    ends = values["least_ratio"], values["most_ratio"]
    assert ends == pytest.approx((3, 5))
    # The quartiles of all pairs of five repeats each, of which three are alike.
    pairs = sorted(b / a for a in (0.9, 1, 1, 1, 1.1) for b in (0.9, 1, 1, 1, 1.1))
    assert (values["lowest"], values["highest"]) == pytest.approx((3 * pairs[6], 5 * pairs[18]))
    assert values["low"] <= values["ratio"] <= values["high"]
    assert values["start_d_ks"] == (4, 16, 64, 256)
    dot, additive = values["start_dot"], values["start_additive"]
    assert dot[-1] > 2 * dot[0]
    assert additive[-1] < 0.2


@pytest.mark.parametrize(
    ("seconds", "verdict", "case"),
    [
        (lambda _T, _d, way: 1.2 if way == "additive" else 1.0, "qualified", "slower"),
        (lambda _T, _d, way: 0.8 if way == "additive" else 1.0, "wrong", "faster"),
        (lambda _T, _d, _way: 1.0, "open", "unclear"),
        (lambda T, _d, way: T / 100 if way == "additive" else 1.0, "wrong", "not_everywhere"),
        (lambda T, _d, way: 1.0 if way == "dot" or T == 64 else 2.0, "open", "unclear"),
    ],
)
def test_the_verdict_on_the_cost_turns_with_the_times(seconds, verdict, case, monkeypatch):
    monkeypatch.setattr(cost, "_point", timed(seconds))
    finding = claims.of_cost(Results("numpy"))
    assert (finding.verdict, finding.case) == (verdict, case)
    assert finding.values["points"] == 8


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([Ratio(2, 1.01, 3), Ratio(9, 8, 10)], "qualified"),
        ([Ratio(2, 1.0, 3), Ratio(9, 8, 10)], "open"),
        ([Ratio(2, 0.9, 3), Ratio(9, 8, 10)], "open"),
        ([Ratio(0.9, 0.8, 1.0), Ratio(9, 8, 10)], "open"),
        ([Ratio(0.9, 0.8, 0.99), Ratio(9, 8, 10)], "wrong"),
        ([Ratio(0.9, 0.8, 0.99)], "wrong"),
        ([Ratio(math.nan, math.nan, math.nan)], "open"),
    ],
)
def test_the_verdict_on_the_cost_turns_where_quartiles_reach_one(ratios, verdict):
    assert claims.judge_cost(ratios) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (4.1, 9, "qualified"),
        (4.0, 9, "open"),
        (1.2, 9, "open"),
        (0.3, 0.9, "open"),
        (0.1, 0.25, "open"),
        (0.1, 0.24, "wrong"),
        (math.nan, math.nan, "open"),
    ],
)
def test_beside_other_programs_only_ratios_far_from_one_decide(low, high, verdict):
    ratios = [Ratio(low, low, high), Ratio(20, 10, 30)]
    assert claims.judge_cost(ratios, disturbed=True) == verdict


@pytest.mark.parametrize(
    ("slower", "busy", "verdict", "case"),
    [
        (2.0, 0.0, "qualified", "slower"),
        (2.0, 0.26, "open", "unclear disturbed"),
        (2.0, 0.24, "qualified", "slower"),
        (20.0, 0.9, "qualified", "slower disturbed"),
    ],
)
def test_a_busy_machine_is_said_and_counted(slower, busy, verdict, case, monkeypatch):
    """`busy` is the share of the cores that other programs keep busy."""
    monkeypatch.setattr(
        cost, "_point", timed(lambda _T, _d, way: slower if way == "additive" else 1.0)
    )
    monkeypatch.setattr(CostResult, "busy", property(lambda _self: busy * 4))
    monkeypatch.setattr(claims, "available_cores", lambda: 4)
    finding = claims.of_cost(Results("numpy"))
    assert (finding.verdict, finding.case) == (verdict, case)
    said = " ".join(ADDITIVE.sentences(finding, translator("en")))
    assert (f"kept {busy * 4:.1f} of 4 cores busy" in said) == ("disturbed" in case)
    assert "over 16 keys" in said
    ends = (finding.values["first_ratio"], finding.values["last_ratio"])
    assert ends == (slower, slower)
    assert (finding.values["first_T"], finding.values["last_T"]) == (64, 512)


# --- 25: the axis of softmax ----------------------------------------------------------


def columns_of(params):
    head = head_of(params)
    trace = oracles.trace(head.x, head.w_q, head.w_k, head.w_v)
    columns = np.array([oracles.softmax_row(list(column)) for column in trace["scaled"].T]).T
    return columns, oracles.project(columns, trace["v"]) - trace["output"]


def test_rows_add_up_to_one_and_columns_give_another_output(backend):
    finding = checked(25, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "rows")
    values = finding.values
    columns, moved = columns_of(AxesParams())
    assert values["row_error"] <= values["rounding"] < 1e-4
    assert values["least_sum"] == pytest.approx(columns.sum(axis=1).min(), abs=1e-5)
    assert values["most_sum"] == pytest.approx(columns.sum(axis=1).max(), abs=1e-5)
    assert values["difference"] == pytest.approx(np.abs(moved).max(), abs=1e-5)
    least = min(float(np.abs(columns_of(params)[1]).max()) for params in claims.INPUTS)
    assert values["least_difference"] == pytest.approx(least, abs=1e-4)
    assert values["inputs"] == 4


def test_attention_that_normalises_columns_is_found_out(backend, monkeypatch):
    def down(*matrices, **options):
        trace = trace_attention(*matrices, **options)
        shares = np.exp(trace.scaled - trace.scaled.max())
        return replace(trace, weights=shares / shares.sum(axis=0, keepdims=True))

    monkeypatch.setattr(axes, "trace_attention", down)
    finding = checked(25, backend)
    assert (finding.verdict, finding.case) == ("wrong", "not_rows")


def test_one_token_cannot_tell_rows_from_columns(backend, monkeypatch):
    alone = AxesParams(source="sentence", sentence="alone")
    monkeypatch.setattr(claims, "INPUTS", (AxesParams(), alone))
    finding = checked(25, backend)
    assert (finding.verdict, finding.case) == ("open", "alike")


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ((0.0, 1e-13, 1e9), "confirmed"),
        ((1e-13, 1e-13, 1.1), "confirmed"),
        ((1e-13, 1e-13, 1.0), "open"),
        ((1.1e-13, 1e-13, 1e9), "wrong"),
        ((math.nan, 1e-13, 1e9), "wrong"),
        ((0.0, 1e-13, math.nan), "open"),
    ],
)
def test_the_verdict_on_the_axis_turns_at_rounding(numbers, verdict):
    assert claims.judge_axes(*numbers) == verdict
