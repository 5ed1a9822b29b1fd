"""The cost of scores: what is timed is right, is counted right, and ends in time."""

from __future__ import annotations

import math
import statistics
import threading
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from engine.backends.base import Measurement
from engine.backends.measuring import MEASURING, OverlongError
from engine.errors import EngineError
from engine.experiments.lookup import cost, cost_scores
from engine.experiments.lookup.cost import CostParams, CostPoint, CostResult, measure, run
from engine.experiments.lookup.cost_counts import operations_of, tanhs_of
from engine.experiments.lookup.cost_limits import TRIAL
from engine.experiments.lookup.cost_params import pairs_of
from engine.experiments.lookup.start import SCORES, StartParams, measure_start
from engine.experiments.memory.series import Series
from tests import lookup_oracles, oracles

SMALL = CostParams(Ts=(8, 4), d_ks=(2, 3), T=4, d_k=3, repeats=3)


@pytest.mark.parametrize("block", [1, 40, 10_000])
@pytest.mark.parametrize("times", [1, 3])
def test_what_is_timed_are_the_scores_of_every_pair(backend, block, times):
    T, d_k = 7, 3
    q, k, *weights = cost_scores.inputs_of(T, d_k, "additive", 1)
    assert all(each.dtype == np.float32 for each in (q, k, *weights))
    np.testing.assert_array_equal(cost_scores.inputs_of(T, d_k, "dot", 1)[1], k)
    dots = backend.run(cost_scores.dot_scores, q, k, times=times)
    additive = backend.run(cost_scores.additive_scores, q, k, *weights, block=block)
    assert dots.shape == additive.shape == (T, T)
    assert dots.dtype == additive.dtype == np.float32
    for i, j in np.ndindex(T, T):
        score = lookup_oracles.score("dot", q[i], k[j])
        assert dots[i, j] == pytest.approx(score, abs=1e-5)
        score = lookup_oracles.score("additive", q[i], k[j], weights)
        assert additive[i, j] == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize(("T", "d_k"), [(1, 1), (3, 2), (5, 4)])
def test_operations_are_counted_one_by_one(T, d_k):
    way: Any
    for way, counted in (("dot", lookup_oracles.dot_count(T, d_k)),
                         ("additive", lookup_oracles.additive_count(T, d_k))):  # fmt: skip
        assert (operations_of(T, d_k, way), tanhs_of(T, d_k, way)) == counted


def test_additive_scores_never_hold_what_all_pairs_would(backend):
    T, d_k = 256, 64
    inputs = cost_scores.inputs_of(T, d_k, "additive", 1)
    found = backend.measure(cost_scores.additive_scores, *inputs, repeats=1, block=2**14)
    assert found.peak_bytes < T * T * d_k * 4 / 4


def test_every_length_and_width_is_measured_once_with_both_ways(backend):
    results = list(measure(SMALL, backend=backend))
    assert [len(result.points) for result in results] == list(range(1, 7))
    assert [result.share for result in results] == pytest.approx([n / 6 for n in range(1, 7)])
    result = results[-1]
    assert result.done
    assert not results[0].done
    assert [(p.T, p.d_k, p.way) for p in result.points] == [
        (T, d_k, way) for T, d_k in ((4, 2), (4, 3), (8, 3)) for way in ("dot", "additive")
    ]
    assert [point.T for point in result.by_T("dot")] == [4, 8]
    assert [point.d_k for point in result.by_d_k("additive")] == [2, 3]
    for point in result.points:
        assert len(point.all_seconds) == 3
        assert point.seconds == pytest.approx(statistics.median(point.all_seconds))
        assert min(point.all_seconds) > 0
    assert result.pairs == ((4, 2), (4, 3), (8, 3))
    assert results[2].pairs == ((4, 2),)
    assert results[2].ratio(4, 3) is None
    assert (result.backend_name, result.device) == (backend.name, backend.device_name)
    assert result.seconds >= sum(map(sum, (point.all_seconds for point in result.points)))


def made_up(seconds, repeats=((1.0,), (1.0,))):
    """Return a result in which a way takes ``seconds(T, d_k, way)`` times its repeats."""
    params = CostParams(Ts=(16, 32, 64, 128), d_ks=(8, 16, 32), T=64, d_k=16)
    points = [
        CostPoint(T, d_k, way, seconds(T, d_k, way),
                  tuple(each * seconds(T, d_k, way) for each in repeats[place]), 1, 1)
        for T, d_k in pairs_of(params) for place, way in enumerate(cost.WAYS)
    ]  # fmt: skip
    return CostResult(params, tuple(points), len(points), 1.0, "numpy", "Test CPU")


@pytest.mark.parametrize("held", [True, False])
def test_one_core_is_said_where_both_ways_are_held_to_it(backend, held, monkeypatch):
    monkeypatch.setattr(cost, "can_hold_blas", lambda: held)
    result = run(CostParams((8,), (4,), 8, 4, 1), backend=backend)
    assert result.one_core == (held and backend.name == "numpy")


def test_the_ratio_has_the_quartiles_of_all_pairs_of_repeats():
    repeats = ((1.0, 2.0, 4.0), (8.0, 16.0, 24.0))
    result = made_up(lambda T, d_k, way: T * d_k * (3 if way == "additive" else 1), repeats)
    ratio = result.ratio(32, 16)
    pairs = sorted(3 * b / a for a in repeats[0] for b in repeats[1])
    assert ratio.ratio == 3
    assert (ratio.low, ratio.high) == pytest.approx((pairs[2], pairs[6]))
    assert result.ratio(32, 8) is None


def test_growth_is_that_of_the_time():
    result = made_up(lambda T, d_k, way: T**2 * (d_k if way == "additive" else d_k**0.5))
    for way, of_width in (("dot", 0.5), ("additive", 1.0)):
        assert result.growth(way).exponent == pytest.approx(2)
        assert result.growth(way, "d_k").exponent == pytest.approx(of_width)
    few = CostParams(Ts=(4, 8), d_ks=(2, 3), T=4, d_k=3)
    assert replace(result, params=few, points=()).growth("dot") is None


@pytest.mark.parametrize(
    ("elsewhere", "seconds", "busy"), [(3.0, 2.0, 1.5), (0.5, 1.0, 0.5), (0.5, 0.9, 0), (0, 2, 0)]
)
def test_other_programs_are_told_where_it_took_long_enough(elsewhere, seconds, busy):
    result = replace(made_up(lambda *_: 1.0), elsewhere=elsewhere, seconds=seconds)
    series = Series(None, machine_of(), (), 4, seconds, elsewhere=elsewhere)
    assert result.busy == series.busy == busy
    assert (result.done, series.done) == (True, False)
    assert (result.share, series.share) == (1, 0)


class _Fake:
    """A backend with a clock and a memory of its own."""

    name, kind, precision, device_name = "numpy", "cpu", "float64", "Fake"

    def __init__(self, each=1e-9, free=2**40):
        self.each, self.free, self.ran = each, free, []

    def run(self, *_arguments, **_static):
        raise AssertionError("a measurement computes by measure_within alone")

    def free_bytes(self):
        return self.free

    def measure_within(self, _compute, q, *_others, repeats, peaks, longest, **_static):
        T, d_k = q.shape
        once = T * T * d_k * self.each
        if once * (1 + repeats + peaks) > longest:
            raise OverlongError("{seconds} {longest}", seconds=once * 7, longest=longest)
        self.ran.append((T, d_k))
        return Measurement(once, 0, (once,) * repeats)


def machine_of(**options) -> Any:
    return _Fake(**options)


LARGE = CostParams(Ts=(2048,), d_ks=(512,), T=2048, d_k=512)


def test_what_would_not_fit_into_memory_is_refused_at_once():
    machine = machine_of(free=2**20)
    with pytest.raises(EngineError, match="1.00 MiB of memory is free, of which 75 % may be used"):
        measure(LARGE, backend=machine)
    with pytest.raises(EngineError, match=r"This needs .* MiB, and"):
        measure(CostParams(), backend=machine)
    assert machine.ran == []
    assert len(list(measure(CostParams(), backend=machine_of(free=2**25)))) == 16


def test_what_would_take_over_a_minute_is_refused_before_it_starts():
    slow = machine_of(each=1e-8)
    with pytest.raises(EngineError, match="would take about 150 s on this machine, and 60 s"):
        list(measure(LARGE, backend=slow))
    assert slow.ran == [TRIAL]
    fast = machine_of(each=3e-9)
    assert len(list(measure(LARGE, backend=fast))) == 2
    assert TRIAL in fast.ran


def test_a_point_that_turns_out_to_take_too_long_is_refused_in_the_same_words():
    with pytest.raises(EngineError, match="choose shorter sequences, smaller d_k or fewer repeats"):
        list(measure(SMALL, backend=machine_of(each=1.0)))


def test_the_usual_run_needs_no_trial():
    machine = machine_of()
    run(CostParams(), backend=machine)
    assert machine.ran[:2] == [(64, 64), (64, 64)]


def test_another_measurement_has_its_turn_first(monkeypatch):
    monkeypatch.setattr(cost, "TURN", 0.01)
    free, taken = threading.Event(), threading.Event()

    def other():
        with MEASURING:
            taken.set()
            free.wait(5)

    thread = threading.Thread(target=other)
    thread.start()
    assert taken.wait(5)
    results = measure(SMALL, backend=machine_of())
    first = next(results)
    assert (first.waiting, first.points) == (True, ())
    free.set()
    thread.join()
    rest = list(results)
    assert rest[-1].done
    assert not rest[-1].waiting


def test_progress_hears_the_share_that_is_done():
    heard: list[float] = []
    assert run(SMALL, backend=machine_of(), progress=heard.append).done
    assert heard == pytest.approx([n / 6 for n in range(1, 7)])


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"Ts": ()}, "There must be 1 to 12 values of T, got 0"),
        ({"Ts": (4, 4)}, "The values of T must differ"),
        ({"Ts": (4096,)}, "T must be a whole number from 1 to 2048, got 4096"),
        ({"d_ks": (513,)}, "d_k must be a whole number from 1 to 512, got 513"),
        ({"T": 0}, "T must be a whole number from 1 to 2048"),
        ({"d_k": 2.0}, "d_k must be a whole number from 1 to 512"),
        ({"repeats": 26}, "number of repeats must be a whole number from 1 to 25"),
        ({"seed": -1}, "The seed must be a whole number"),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(changed, sentence):
    with pytest.raises(EngineError, match=sentence):
        measure(replace(CostParams(), **changed), backend="numpy")


@pytest.mark.parametrize("wrong", ["", "abc", None, 2.5, True, [], math.nan])
@pytest.mark.parametrize("name", [field.name for field in fields(CostParams)])
def test_a_field_of_any_type_is_refused_and_never_crashes(name, wrong):
    with pytest.raises(EngineError):
        measure(replace(CostParams(), **{name: wrong}), backend="numpy")


# --- Before training ------------------------------------------------------------------


def test_softmax_before_training_is_what_loops_find(backend):
    params = StartParams(d_ks=(3,), networks=2, seed=4)
    result = measure_start(params, backend=backend)
    drawn = np.random.default_rng([4, 3])
    q, k = drawn.standard_normal((2, 16, 3)), drawn.standard_normal((2, 16, 16, 3))
    w_query, w_key = (drawn.standard_normal((2, 3, 3)) / math.sqrt(3) for _ in range(2))
    w = drawn.standard_normal((2, 3)) / math.sqrt(3)
    for kind in SCORES:
        scores = [[[
            # The vectors are rows here: what multiplies a column is transposed.
            lookup_oracles.score(kind, q[n, r], key, (w_query[n].T, w_key[n].T, w[n]))
            for key in k[n, r]] for r in range(16)] for n in range(2)]  # fmt: skip
        largest = [
            statistics.mean(max(oracles.softmax_row(row)) for row in rows) for rows in scores
        ]
        (found,) = result.of(kind)
        assert found.largest == pytest.approx(statistics.mean(largest), abs=1e-5)
        assert found.error == pytest.approx(statistics.stdev(largest) / math.sqrt(2), abs=1e-5)
        assert found.deviation == pytest.approx(np.std(scores), rel=1e-5)
    assert result.even == 1 / 16


def test_only_unscaled_dot_products_saturate_as_they_grow_wider():
    result = measure_start(StartParams(d_ks=(4, 64), networks=12), backend="numpy")
    for kind, rises in zip(SCORES, (True, False, False), strict=True):
        narrow, wide = result.of(kind)
        assert (wide.largest > 1.5 * narrow.largest) == rises


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"d_ks": (257,)}, "d_k must be a whole number from 1 to 256"),
        ({"d_ks": ""}, "d_k must be a whole number"),
        ({"networks": 1}, "The number of networks must be a whole number from 2 to 50, got 1"),
        ({"networks": "abc"}, "The number of networks must be a whole number"),
        ({"seed": 1.5}, "The seed must be a whole number"),
    ],
)
def test_what_cannot_be_drawn_before_training_is_said_in_a_sentence(changed, sentence):
    with pytest.raises(EngineError, match=sentence):
        measure_start(replace(StartParams(), **changed), backend="numpy")
