"""Claims 9, 10, 17, 18 and 24: their numbers, and that each verdict turns when the fact does."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import get_backend
from engine.attention import six_steps
from engine.experiments.claims import of_properties as claims
from engine.experiments.claims.results import Results
from engine.experiments.masks.inputs import head_of
from engine.experiments.properties import graph, order, paths, smoothing
from engine.experiments.properties.order import OrderParams
from tests import oracles, property_oracles

ROUNDING = {"float64": 1e-12, "float32": 1e-3}


def checked(number, backend):
    (claim,) = (each for each in claims.CLAIMS if each.number == number)
    finding = claim.check(Results(backend.name))
    assert finding.claim == number
    return finding


def test_the_five_claims_are_there():
    assert [claim.number for claim in claims.CLAIMS] == [9, 10, 17, 18, 24]
    assert {claim.subject for claim in claims.CLAIMS} == {"properties"}


# --- 9: order -------------------------------------------------------------------------


def outputs(head, rows, *, positions):
    x = head.x[rows]
    x = property_oracles.placed(x) if positions else x
    return oracles.trace(x, head.w_q, head.w_k, head.w_v)["output"]


def off_by(params, *, positions):
    """Return the largest difference between f(PX) and P f(X), by loops."""
    head = head_of(params)
    T = len(head.tokens)
    rows = [n - 1 for n in params.permutation] or list(reversed(range(T)))
    straight = outputs(head, list(range(T)), positions=positions)
    other = outputs(head, rows, positions=positions)
    return max(oracles.largest_step(other[i], straight[row]) for i, row in enumerate(rows))


def test_self_attention_is_equivariant_until_positions_are_added(backend):
    finding = checked(9, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "broken")
    assert finding.values["difference"] <= finding.values["rounding"] < 1e-3
    assert finding.values["inputs"] == len(claims.ORDERS) == 6
    assert max(off_by(params, positions=False) for params in claims.ORDERS) < 1e-12
    broken = [off_by(params, positions=True) for params in claims.ORDERS]
    assert claims.ORDERS[0] == OrderParams(), "what the page shows first"
    assert finding.values["difference_positions"] == pytest.approx(min(broken), abs=1e-4)
    assert finding.values["shown_positions"] == pytest.approx(broken[0], abs=1e-4)


def test_attention_that_counts_positions_is_not_equivariant(backend, monkeypatch):
    def counting(xp, x, *matrices, scale):
        return six_steps(xp, x + xp.arange(x.shape[1])[None, :, None] / 50, *matrices, scale=scale)

    monkeypatch.setattr(order, "six_steps", counting)
    finding = checked(9, backend)
    assert (finding.verdict, finding.case) == ("wrong", "unequal")


def test_positions_that_are_the_same_everywhere_break_nothing(backend, monkeypatch):
    monkeypatch.setattr(order, "sinusoids", lambda T, d_model: np.ones((T, d_model)))
    finding = checked(9, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "unbroken")


def test_one_input_that_positions_leave_alone_is_enough_for_the_case(backend, monkeypatch):
    same = OrderParams(sentence="a cat", permutation=(1, 2))
    monkeypatch.setattr(claims, "ORDERS", (*claims.ORDERS[:1], same))
    assert checked(9, backend).case == "unbroken"


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [(0.0, "confirmed"), (1e-13, "confirmed"), (1.1e-13, "wrong"), (math.nan, "wrong")],
)
def test_the_verdict_on_order_turns_at_rounding(difference, verdict):
    assert claims.judge_order(difference, 1e-13) == verdict


# --- 10: reach ------------------------------------------------------------------------


def test_one_step_is_enough_and_a_recurrent_net_needs_as_many_as_the_distance(backend):
    finding = checked(10, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "direct")
    assert finding.values["full"] == (1, 1, 1)
    assert finding.values["recurrent"] == tuple(T - 1 for T in claims.LENGTHS)
    assert finding.values["exponent"] == pytest.approx(math.log(255 / 15) / math.log(256 / 16))
    assert finding.values["shown_T"] == paths.PathParams().T
    assert finding.values["shown_recurrent"] == paths.PathParams().T - 1
    least = math.inf
    for params in claims.REACHES:
        head = head_of(params)
        T = len(head.tokens)
        moves = oracles.influence(head.x, head.w_q, head.w_k, head.w_v, np.ones((T, T)), 1.0)
        least = min(least, float(moves.min()))
    assert finding.values["least_move"] == pytest.approx(least, rel=1e-2)


def read_by(names, architecture):
    """Return a reader that gives some architectures what another one reads."""
    honest = paths._reader
    return lambda params, name: honest(params, architecture if name in names else name)


def test_attention_that_sees_a_window_needs_more_steps(backend, monkeypatch):
    monkeypatch.setattr(paths, "_reader", read_by({"full"}, "window"))
    finding = checked(10, backend)
    assert (finding.verdict, finding.case) == ("wrong", "far")


def test_a_recurrent_net_that_leaps_does_not_need_so_many(backend, monkeypatch):
    monkeypatch.setattr(paths, "_reader", read_by({"rnn"}, "dilated"))
    finding = checked(10, backend)
    assert (finding.verdict, finding.case) == ("qualified", "direct_only")


def test_one_layer_that_leaves_an_output_where_it_was_is_not_enough(backend, monkeypatch):
    causal = tuple(replace(params, a_pattern="causal") for params in claims.REACHES)
    monkeypatch.setattr(claims, "REACHES", causal)
    finding = checked(10, backend)
    assert (finding.verdict, finding.case) == ("wrong", "still")
    assert finding.values["least_move"] == 0
    monkeypatch.setattr(paths, "_reader", read_by({"full"}, "window"))
    assert checked(10, backend).case == "far still"


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ((1, 1e-9, 1.0), "confirmed"),
        ((1, 1e-9, 0.95), "confirmed"),
        ((1, 1e-9, 0.94), "qualified"),
        ((2, 1e-9, 1.0), "wrong"),
        ((1, 0.0, 1.0), "wrong"),
        ((1, math.nan, 1.0), "wrong"),
    ],
)
def test_the_verdict_on_reach(numbers, verdict):
    assert claims.judge_paths(*numbers) == verdict


# --- 17: influence --------------------------------------------------------------------


def test_token_3_moves_output_1_without_a_mask_alone(backend):
    finding = checked(17, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "masked")
    assert finding.values["causal_move"] == 0
    moves = []
    for params in claims.INFLUENCES:
        head = head_of(params)
        before = oracles.trace(head.x, head.w_q, head.w_k, head.w_v)["output"]
        x = head.x.copy()
        x[2] += 1.0
        after = oracles.trace(x, head.w_q, head.w_k, head.w_v)["output"]
        moves.append(oracles.largest_step(after[0], before[0]))
    assert finding.values["move"] == pytest.approx(moves[0], rel=1e-4)
    assert finding.values["least_move"] == pytest.approx(min(moves), rel=1e-3)
    assert finding.values["inputs"] == len(moves) == 4


def test_an_output_that_stays_contradicts_the_claim(backend, monkeypatch):
    hidden = tuple(replace(params, a_pattern="causal") for params in claims.INFLUENCES)
    monkeypatch.setattr(claims, "INFLUENCES", hidden)
    finding = checked(17, backend)
    assert (finding.verdict, finding.case) == ("wrong", "still")


def test_one_input_whose_output_stays_is_enough(backend, monkeypatch):
    hidden = replace(claims.INFLUENCES[1], a_pattern="causal")
    monkeypatch.setattr(claims, "INFLUENCES", (claims.INFLUENCES[0], hidden))
    finding = checked(17, backend)
    assert (finding.verdict, finding.case) == ("wrong", "still")


def test_a_causal_mask_that_leaks_is_told(backend, monkeypatch):
    leaking = (*claims.INFLUENCES[:-1], replace(claims.INFLUENCES[-1], b_pattern="none"))
    monkeypatch.setattr(claims, "INFLUENCES", leaking)
    finding = checked(17, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "unmasked")
    assert finding.values["causal_move"] > 0


@pytest.mark.parametrize(
    ("move", "verdict"), [(0.1, "confirmed"), (1e-13, "wrong"), (0.0, "wrong"), (math.nan, "wrong")]
)
def test_the_verdict_on_influence_turns_at_rounding(move, verdict):
    assert claims.judge_influence(move, 1e-13) == verdict


# --- 18: depth ------------------------------------------------------------------------


class Recorder:
    """A backend that keeps the weights that it was given."""

    def __init__(self, backend):
        self._backend = backend
        self.name, self.precision = backend.name, backend.precision
        self.inputs: list[np.ndarray] = []
        self.weights: list[np.ndarray] = []

    def run(self, compute, states, weights, **static):
        self.inputs.append(states)
        self.weights.append(weights)
        return self._backend.run(compute, states, weights, **static)


def cosines_of(seeds):
    """Return the mean cosines after layer 2 without the residual and layer 4 with it, by loops."""
    recorder: Any = Recorder(get_backend("numpy"))
    smoothing.measure_smoothing(replace(claims.STACKS[0], layers=4), backend=recorder)
    found = []
    for number in range(seeds):
        x, layers = recorder.inputs[0][0, number], [each[:, number] for each in recorder.weights]
        stacks = (
            list(property_oracles.stack(x, layers, 1, residual=residual, norm=False))
            for residual in (False, True)
        )
        without, residual = stacks
        found.append([property_oracles.mean_cosine(state) for state in (without[2], residual[4])])
    return np.array(found).T


def test_outputs_become_alike_and_residuals_delay_it(backend):
    finding = checked(18, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "delayed")
    for name, expected in zip(("without", "residual"), cosines_of(4), strict=True):
        assert finding.values[name] == pytest.approx(expected.mean(), abs=1e-4)
        assert finding.values[f"{name}_low"] == pytest.approx(expected.min(), abs=1e-4)
        assert finding.values[f"{name}_high"] == pytest.approx(expected.max(), abs=1e-4)
    early, late = finding.values["without_from"], finding.values["residual_from"]
    assert all(0 < first < then for first, then in zip(early, late, strict=True))


@pytest.fixture
def shallow(monkeypatch):
    """Make the check quick: one setting, few layers."""
    monkeypatch.setattr(claims, "STACKS", (smoothing.SmoothingParams(T=8, d_model=16, layers=4),))
    return monkeypatch


def test_layers_that_do_not_mix_contradict_the_claim(backend, shallow):
    shallow.setattr(smoothing, "_attention", lambda _xp, x, _weights, _heads: x)
    finding = checked(18, backend)
    assert (finding.verdict, finding.case) == ("wrong", "distinct")


def test_residuals_that_do_nothing_do_not_help(backend, shallow):
    shallow.setattr(smoothing, "_with_residual", smoothing._without_residual)
    finding = checked(18, backend)
    assert (finding.verdict, finding.case) == ("qualified", "unhelped")


def test_residuals_that_keep_all_apart_are_told(backend, shallow):
    shallow.setattr(smoothing, "_with_residual", lambda _xp, x, _weights, _heads, _norm: x)
    finding = checked(18, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "helped")
    assert finding.values["residual_from"] == (0,)


def depth(*, without=1.0, residual=0.3, start=0.0, end=1.0):
    """Return two seeds over four layers; the second seed is the one that is asked for."""
    usual = [0.0, 0.5, 0.95, 0.99, 1.0], [0.0, 0.1, 0.2, 0.3, 0.4]
    second = [start, 0.5, 0.9, without, end], [0.0, 0.1, 0.2, 0.3, residual]
    return claims.Depth(*(np.array(pair) for pair in zip(usual, second, strict=True)))


def test_every_seed_counts_in_both_parts():
    assert depth().smooths
    assert depth(end=0.9).smooths
    assert not depth(end=0.89).smooths
    assert not depth(start=0.9).smooths
    assert not depth(end=math.nan).smooths
    assert depth(residual=0.89).helps
    assert not depth(residual=0.91).helps
    assert not depth(residual=math.nan).helps


def test_the_verdict_on_depth_has_two_parts():
    assert claims.judge_depth(smooths=True, helps=True) == "confirmed"
    assert claims.judge_depth(smooths=True, helps=False) == "qualified"
    assert claims.judge_depth(smooths=False, helps=True) == "wrong"


def test_smooth_from_the_first_layer_where_every_seed_is():
    assert claims.smooth_from(np.array([[1.0, 0.1, 0.9, 1.0], [1.0, 0.95, 0.8, 0.9]])) == 3
    assert claims.smooth_from(np.array([[0.0, 0.9], [0.0, 0.95]])) == 1
    assert claims.smooth_from(np.array([[0.0, 0.9], [0.0, 0.89]])) == 0


# --- 24: the graph --------------------------------------------------------------------


def test_messages_on_a_complete_graph_are_attention(backend):
    finding = checked(24, backend)
    assert (finding.verdict, finding.case) == ("confirmed", "complete")
    assert finding.values["difference"] <= finding.values["rounding"]
    assert finding.values["rounding"] < ROUNDING[backend.precision]
    assert (finding.values["tokens"], finding.values["edges"]) == (4, 16)
    largest = 0.0
    for params in claims.GRAPHS:
        head = head_of(params)
        output = oracles.trace(head.x, head.w_q, head.w_k, head.w_v)["output"]
        largest = max(largest, float(np.abs(output).max()))
        assert output == pytest.approx(
            graph.pass_messages(params, backend=backend).passed, abs=1e-4
        )
    assert finding.values["largest"] == pytest.approx(largest, rel=1e-4)


def test_a_lost_message_makes_them_unequal(backend, monkeypatch):
    honest = graph._edges_of
    monkeypatch.setattr(graph, "_edges_of", lambda weights: honest(weights)[1:])
    finding = checked(24, backend)
    assert (finding.verdict, finding.case) == ("wrong", "unequal")


def test_a_graph_with_a_mask_is_not_complete(backend, monkeypatch):
    causal = (*claims.GRAPHS[:-1], replace(claims.GRAPHS[-1], causal=True))
    monkeypatch.setattr(claims, "GRAPHS", causal)
    finding = checked(24, backend)
    assert (finding.verdict, finding.case) == ("qualified", "incomplete")


@pytest.mark.parametrize(
    ("difference", "complete", "verdict"),
    [
        (0.0, True, "confirmed"),
        (0.0, False, "qualified"),
        (2e-13, True, "wrong"),
        (math.nan, True, "wrong"),
    ],
)
def test_the_verdict_on_the_graph(difference, complete, verdict):
    assert claims.judge_graph(difference, 1e-13, complete=complete) == verdict
