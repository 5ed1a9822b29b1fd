"""Time and memory measured: the numbers, the guard in front of them, and the saved run."""

from __future__ import annotations

import csv
import io
import json
import math
import threading
import time
import tracemalloc
import weakref
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BackendError, EngineError, OptionError
from engine.backends import blocked_plan, mlx_kernel
from engine.backends.measuring import MEASURING, OverlongError, measured
from engine.backends.mlx_backend import MlxBackend
from engine.experiments.memory import (
    chunked,
    device,
    gap,
    guard,
    head_sizes,
    load,
    materialised,
    needs,
    saved,
    series,
    spread,
)
from engine.experiments.memory import measured as module
from engine.experiments.memory.amounts import bytes_text, seconds_text
from engine.experiments.memory.growth import Growth, fitted
from engine.experiments.memory.measured import WAYS, MeasuredParams, measure, run
from engine.experiments.memory.needs import Sizes
from engine.experiments.memory.point import measured_point
from tests import oracles
from tests.memory_machines import GPU, MACHINE, fake_backend, point, result, whole_run

SMALL = MeasuredParams(Ts=(16, 32), heads=2, d_k=8, repeats=1)


def kind_of(point_):
    """Return why a point was refused, None where it was not."""
    return None if point_.refused is None else point_.refused.kind


# ---- one measurement


def test_the_warm_up_counts_for_nothing_and_the_middle_peak_counts():
    times, peaks = iter([50.0, 3.0, 1.0, 2.0]), iter([9, 7, 8])
    found = measured(lambda: next(times), lambda: next(peaks), repeats=3)
    assert (found.seconds, found.all_seconds, found.peak_bytes) == (2.0, (3.0, 1.0, 2.0), 9)
    times, peaks = iter([50.0, 3e-3, 1e-3, 2e-3]), iter([9, 7, 8])
    found = measured(lambda: next(times), lambda: next(peaks), repeats=3, peaks=3)
    assert (found.seconds, found.peak_bytes) == (2e-3, 8)
    times, peaks = iter([1e-3] * 4), iter([7, 9, 8])
    found = measured(lambda: next(times), lambda: next(peaks), repeats=3, peaks=3, counts=max)
    assert found.peak_bytes == 9  # where nobody else is counted


def test_a_warm_up_that_foretells_too_long_a_wait_ends_the_measurement():
    times = iter([2.0])
    with pytest.raises(OverlongError) as error:
        measured(lambda: next(times), lambda: 1, repeats=4, peaks=3, longest=11.0)
    assert error.value.seconds == 2.0 * (1 + 4 + 1)  # warm-up, repeats, one peak of a long run


def test_every_point_is_there_smallest_first_and_both_ways_in_turn(backend):
    found = list(measure(SMALL, backend=backend))
    assert [len(each.points) for each in found] == [1, 2, 3, 4]
    last = found[-1]
    assert last.done
    assert last.share == 1
    assert [(p.way, p.T) for p in last.points] == [(w, T) for T in (16, 32) for w in WAYS]
    for each in last.points:
        assert each.refused is None
        assert len(each.all_seconds) == 1
        assert 0 < each.seconds < 60
        assert each.peak_bytes >= 2 * each.T * 8 * 4  # it holds its output at least
    assert last.backend_name == backend.name == last.machine.backend_name
    assert last.machine.cores >= 1
    assert last.seconds > 0


def test_both_ways_compute_what_loops_compute(backend):
    job = MeasuredParams(heads=2, d_k=4, batch=2).job("materialised", 9)
    q, k, v = job.inputs()
    for causal in (False, True):
        wanted = oracles.attend(*(a.astype(np.float64) for a in (q, k, v)), causal=causal)
        found = backend.run(materialised.compute, q, k, v, scale=0.5, causal=causal)
        assert np.allclose(found, wanted, atol=1e-5)


def test_blocks_compute_the_same_and_hold_less(backend):
    found = chunked.compare(chunked.ChunkedParams(T=512), backend=backend)
    assert found.is_same
    assert 0 < found.difference < 1e-5
    matrix = found.heads * found.T**2 * 4
    assert found.materialised_peak >= matrix
    assert found.blocked_peak < found.materialised_peak
    if backend.name == "numpy":
        assert found.blocked_peak < matrix / 2


def test_the_formula_grows_with_the_square_of_t_and_blocks_do_not(backend):
    params = MeasuredParams(Ts=(128, 256, 512), heads=2, d_k=16, repeats=1)
    found = run(params, backend=backend)
    formula, attend = ([p.peak_bytes for p in found.of(way)] for way in WAYS)
    assert 3 < formula[2] / formula[1] < 5
    growth: Any = found.growth("materialised", "peak_bytes")
    assert abs(growth.exponent - 2) < 0.2
    if found.points[1].kernel == "blocked":
        assert attend[2] / attend[1] < 2.6
        assert attend[2] < formula[2] / 3


# ---- predictions, against arrays that are there


class Counted(np.ndarray):
    """An array that is counted from its making to its end."""

    alive, most = 0, 0

    def __array_finalize__(self, source):
        if self.ndim == 4 and self.shape[-1] == self.shape[-2]:
            Counted.alive += 1
            Counted.most = max(Counted.most, Counted.alive)
            weakref.finalize(self, Counted.end)

    @staticmethod
    def end():
        Counted.alive -= 1


def test_the_formula_holds_three_matrices_at_once():
    q, k, v = MeasuredParams(heads=2, d_k=4).job("materialised", 8).inputs()
    Counted.alive = Counted.most = 0
    materialised.compute(np, *(a.view(Counted) for a in (q, k, v)), scale=0.5, causal=False)
    assert Counted.most == needs.HELD


@given(st.integers(1, 2), st.integers(1, 3), st.integers(1, 40), st.integers(1, 9))
def test_the_prediction_counts_the_bytes_of_real_arrays(B, H, T, D):
    for dtype in ("float32", "float16"):
        sizes = Sizes(B, H, T, D, dtype)
        scores = np.zeros((B, H, T, T), dtype)
        output = np.zeros((B, H, T, D), dtype)
        wanted = 2 * scores.nbytes + output.nbytes
        assert needs.predicted_bytes("formula", sizes) == wanted
        assert needs.predicted_bytes("fallback", sizes) == wanted  # so few are one block
        assert needs.predicted_bytes("fused", sizes) == output.nbytes


def test_the_prediction_of_the_fallback_stops_at_a_block_of_queries():
    """At most 2^28 bytes of scores in float32 are held at once, and here all would be 2^34."""
    sizes = Sizes(1, 16, 16_384, 64, "float32")
    output = 16 * 16_384 * 64 * 4
    assert needs.predicted_bytes("fallback", sizes) - output <= 2 * 2**28
    assert needs.predicted_bytes("formula", sizes) - output == 2 * 2**34


def test_the_guard_expects_no_less_than_what_is_held(backend):
    for T in (3, 40, 300):
        for way in WAYS:
            for causal in (False, True):
                job = MeasuredParams(heads=2, d_k=16, causal=causal, repeats=1).job(way, T)
                found = measured_point(job, backend)
                inputs = sum(each.nbytes for each in job.inputs())
                # Python's own objects take some hundreds of bytes.
                assert found.working_bytes + 20_000 >= found.peak_bytes + inputs, (way, T)


def test_matrices_are_counted_from_the_peak():
    sizes = Sizes(2, 4, 256, 16, "float32")
    matrix, output = 2 * 4 * 256 * 256 * 4, 2 * 4 * 256 * 16 * 4
    formula = point("materialised", 256, peak=3 * matrix)
    assert gap.matrices(formula, sizes) == 3
    assert gap.is_softmax(formula, sizes)
    assert not gap.is_softmax(replace(formula, peak_bytes=2 * matrix), sizes)
    assert not gap.is_softmax(replace(formula, peak_bytes=4 * matrix), sizes)
    fallback = point("attend", 256, kernel="fallback", peak=output + matrix)
    assert gap.matrices(fallback, sizes) == 1
    assert gap.formed(fallback, sizes) is True
    assert gap.formed(replace(fallback, peak_bytes=output), sizes) is False
    assert gap.formed(fallback, sizes._replace(T=16)) is None


# ---- the kernel of MLX


@pytest.mark.parametrize(("D", "prompt", "single"), [
    (32, False, False), (40, False, False), (64, True, True), (72, True, False), (80, True, False),
    (96, True, True), (128, True, True), (192, False, False), (256, False, True),
])  # fmt: skip
def test_the_kernel_follows_the_rule_of_its_source(D, prompt, single):
    for T, fused in ((8, single), (9, prompt), (4096, prompt)):
        found = mlx_kernel.kernel_of(metal=True, T=T, D=D, E=D)
        assert found == ("fused" if fused else "fallback")
        assert mlx_kernel.kernel_of(metal=False, T=T, D=D, E=D) == "fallback"
    assert mlx_kernel.kernel_of(metal=True, T=64, D=64, E=128) == "fallback"


def test_the_peak_shows_the_matrix_that_the_rule_says_is_formed(backend):
    params = head_sizes.HeadSizeParams(d_ks=(40, 16), T=256, heads=2, repeats=1)
    found = head_sizes.run(params, backend=backend)
    assert [each.d_k for each in found.points] == [16, 40]
    for each in found.points:
        assert each.kernel == backend.attend_kernel(256, each.d_k)
        if each.kernel in ("fused", "fallback"):
            sizes = Sizes(1, 2, 256, each.d_k, "float32")
            assert gap.formed(each, sizes) == (each.kernel == "fallback")
        pairs = 2 * 256 * 256
        assert found.nanoseconds(each) == pytest.approx(each.seconds * 1e9 / pairs / each.d_k)


def test_a_causal_head_looks_at_fewer_pairs():
    params = head_sizes.HeadSizeParams(T=5, heads=3, batch=2)
    seen = sum(j <= i for i in range(5) for j in range(5))
    assert params.pairs == 3 * 2 * 25
    assert replace(params, causal=True).pairs == 3 * 2 * seen


# ---- free memory


def test_the_gpu_may_take_no_more_than_it_is_allowed(monkeypatch):
    monkeypatch.setattr("engine.backends.machine_memory.free_bytes", lambda: 1000)
    backend: Any = MlxBackend.__new__(MlxBackend)
    backend._worker = SimpleNamespace(call=lambda work: work())
    for kind, allowed, held, wanted in (
        ("gpu", 900, 100, 800), ("gpu", 5000, 100, 1000), ("gpu", None, 0, 1000),
        ("gpu", 100, 300, 0), ("cpu", 900, 100, 1000),
    ):  # fmt: skip
        told = {} if allowed is None else {"max_recommended_working_set_size": allowed}
        backend.kind = kind
        backend._mx = SimpleNamespace(device_info=lambda told=told: told,
                                      get_active_memory=lambda held=held: held)  # fmt: skip
        assert backend.free_bytes() == wanted


def test_free_memory_is_that_of_this_machine(backend):
    assert 0 < backend.free_bytes() <= 2**50


# ---- the guard


def test_a_refused_point_allocates_nothing(backend, monkeypatch):
    monkeypatch.setattr(backend, "free_bytes", lambda: 10**6)
    tracemalloc.start()
    try:
        found = run(MeasuredParams(Ts=(4096, 131_072), heads=64, batch=8), backend=backend)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2**20  # the inputs of the smaller alone are 1.5 GiB
    assert [kind_of(each) for each in found.points] == ["memory"] * 4
    assert found.done
    for each in found.points:
        assert math.isnan(each.seconds)
        assert (each.all_seconds, each.peak_bytes) == ((), 0)
        assert "977 KiB of memory is free" in str(each.refused)
        assert "GiB" in str(each.refused) or "TiB" in str(each.refused)
        assert each.working_bytes > 3 * 8 * 64 * each.T * 64 * 4  # the inputs count


def test_the_guard_leaves_a_margin():
    guard.refuse_large(8, 75, 100)
    with pytest.raises(guard.TooLargeError):
        guard.refuse_large(8, 76, 100)
    guard.refuse_long(8, 60)
    with pytest.raises(guard.TooLongError):
        guard.refuse_long(8, 60.1)


@pytest.mark.parametrize("rate", [1e-11, 1e-10, 1e-9, 1e-8])
def test_what_would_take_over_a_minute_is_refused_before_it_runs(rate):
    backend = fake_backend(rate=rate)
    params = MeasuredParams(Ts=(64, 2048, 8192, 32_768), heads=2, d_k=1, repeats=5)
    found = run(params, backend=backend)
    for each in found.points:
        runs = 1 + 5 + (3 if rate * 2 * each.T**2 < 1.0 else 1)
        takes = rate * 2 * each.T**2 * runs
        assert (each.refused is not None) == (takes > 60), each.T
        if each.refused:
            assert each.refused.kind == "time"
            assert each.refused.numbers["seconds"] == pytest.approx(takes, rel=0.01)
    assert all(rate * heads[1] * T * T * 7 < 60 for _, T, heads in backend.ran)


def test_a_first_point_is_foretold_by_trials():
    backend = fake_backend(rate=1e-8)
    found = run(MeasuredParams(Ts=(32_768,), heads=8, d_k=2), backend=backend)
    assert [kind_of(each) for each in found.points] == ["time", "time"]
    assert backend.ran
    assert all(T < 32_768 or heads[1] < 8 for _, T, heads in backend.ran)


def test_a_first_run_that_is_slow_ends_the_point():
    backend = fake_backend(rate=1e-9, slow_start=1e6)
    found = run(MeasuredParams(Ts=(64,), heads=8, d_k=2), backend=backend)
    assert [kind_of(each) for each in found.points] == ["time", "time"]


def test_memory_that_runs_out_ends_one_way_and_not_the_run():
    backend = fake_backend(rate=1e-12, most_T=256)
    found = run(MeasuredParams(Ts=(128, 256, 512, 1024), heads=1, d_k=2), backend=backend)
    kinds = {w: [kind_of(p) for p in found.points if p.way == w] for w in WAYS}
    assert kinds == {"materialised": [None, "ran-out", "after", "after"], "attend": [None] * 4}
    assert ("materialised", 512, (1, 1)) not in backend.ran
    assert "T = 256" in str(found.points[-2].refused)


def test_memory_that_runs_out_in_numpy_or_mlx_is_a_sentence(backend, monkeypatch):
    def greedy(*_arrays, **_static):
        raise MemoryError("Unable to allocate 1 TiB")

    monkeypatch.setattr(materialised, "compute", greedy)
    found = run(SMALL, backend=backend)
    kinds = [kind_of(each) for each in found.points]
    assert kinds == ["ran-out", None, "after", None]


def test_another_fault_of_a_backend_is_not_taken_for_memory(backend, monkeypatch):
    def broken(*_arguments, **_static):
        raise BackendError("The worker has ended.")

    monkeypatch.setattr(backend, "measure_within", broken)
    with pytest.raises(BackendError, match="ended"):
        run(SMALL, backend=backend)


# ---- taking turns


def test_a_stopped_measurement_keeps_its_points_and_lets_others_measure(backend):
    results: Any = measure(SMALL, backend=backend)
    next(results)
    found = next(results)
    results.close()
    assert len(found.points) == 2
    assert not found.done
    free = []

    def ask():
        if MEASURING.acquire(timeout=5):
            free.append(True)
            MEASURING.release()

    asks = threading.Thread(target=ask)
    asks.start()
    asks.join()
    assert free == [True]


def test_a_second_measurement_waits_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr(series, "TURN", 0.01)
    held, done = threading.Event(), threading.Event()

    def hold():
        with MEASURING:
            held.set()
            done.wait(10)

    other = threading.Thread(target=hold)
    other.start()
    held.wait(10)
    try:
        results = measure(SMALL, backend="numpy")
        waiting = [next(results) for _ in range(3)]
        assert all(each.waiting and not each.points for each in waiting)
    finally:
        done.set()
        other.join()
    rest = [*results]
    # What is yielded last before a point is measured says that nothing waits any more.
    assert not any(each.waiting for each in rest)
    assert [len(each.points) for each in rest] == [0, 1, 2, 3, 4]


def test_the_lock_is_free_whenever_a_result_is_yielded(monkeypatch):
    monkeypatch.setattr(series, "TURN", 0.01)

    def is_free():
        got = MEASURING.acquire(timeout=5)
        if got:
            MEASURING.release()
        return got

    for _ in measure(SMALL, backend=fake_backend()):
        asked: list[bool] = []
        other = threading.Thread(target=lambda asked=asked: asked.append(is_free()))
        other.start()
        other.join()
        assert asked == [True]


def test_two_measurements_that_take_turns_both_come_to_an_end(monkeypatch):
    """One that waits takes its turn though the other asks for the next one at once."""
    monkeypatch.setattr(series, "TURN", 0.005)
    params = MeasuredParams(Ts=(16, 32, 64, 128), heads=1, d_k=2, repeats=1)
    found: list[Any] = []

    def go_on():
        found.append(list(measure(params, backend=fake_backend()))[-1])

    both = [threading.Thread(target=go_on) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join(10)
    assert [each.done for each in found] == [True, True]


def test_each_point_may_be_asked_for_by_another_thread(backend):
    results, found = measure(SMALL, backend=backend), []
    for _ in range(4):
        thread = threading.Thread(target=lambda: found.append(next(results)))
        thread.start()
        thread.join()
    assert found[-1].done


# ---- growth


@given(
    st.floats(-1, 3), st.floats(1e-9, 1e3),
    st.lists(st.integers(1, 131_072), min_size=3, max_size=12, unique=True),
)  # fmt: skip
def test_an_exact_power_is_found(exponent, factor, Ts):
    Ts = sorted(Ts)
    growth: Any = fitted(Ts, [factor * T**exponent for T in Ts])
    used = [T for T in Ts if Ts[-1] <= 8 * T]
    if len(used) < 3:
        assert growth is None
        return
    assert growth.exponent == pytest.approx(exponent, abs=1e-3)
    assert (growth.points_used, growth.shortest) == (len(used), used[0])
    assert growth.at(Ts[-1]) == pytest.approx(factor * float(Ts[-1]) ** exponent, rel=1e-3)


def test_the_error_is_that_of_least_squares():
    Ts, values = (64, 128, 256, 400, 512), [1.0, 5.0, 14.0, 50.0, 70.0]
    growth: Any = fitted(Ts, values)
    rows = np.array([[1.0, math.log(T)] for T in Ts])
    logs = np.log(values)
    best = np.linalg.inv(rows.T @ rows) @ rows.T @ logs
    variance = ((logs - rows @ best) ** 2).sum() / 3
    error = math.sqrt((variance * np.linalg.inv(rows.T @ rows))[1, 1])
    assert (growth.exponent, growth.error) == pytest.approx((best[1], error))


@pytest.mark.parametrize("points", [3, 4, 6, 12])
def test_an_exponent_is_surely_another_one_only_beyond_students_t(points):
    """The share of Student's distribution within the reach is 95 %, by its density."""
    freedom = points - 2
    angles = (np.arange(200_000) + 0.5) / 200_000 * np.pi - np.pi / 2
    at = np.tan(angles)  # the ends go far out
    density = (1 + at**2 / freedom) ** (-(freedom + 1) / 2) * (1 + at**2)
    within = np.cumsum(density) / density.sum()
    reach = float(at[np.searchsorted(within, 0.975)])
    for factor, sure in ((0.97, True), (1.03, False)):
        growth = Growth(2 - 0.1 * reach, 0.1 * factor, points, 64, 1.0)
        assert growth.is_below(2) == sure
        growth = Growth(2 + 0.1 * reach, 0.1 * factor, points, 64, 1.0)
        assert growth.is_above(2) == sure
    assert not Growth(2 - 1e-9, 0.0, points, 64, 1.0).is_below(2)


def timed(*seconds):
    return replace(point("attend", 64, repeats=len(seconds)), all_seconds=seconds,
                   seconds=float(np.median(seconds)))  # fmt: skip


def test_times_are_told_apart_beyond_their_repeats_alone():
    slow = timed(3.0, 3.1, 3.3)
    assert spread.told_apart(timed(1.0, 2.6), timed(5.0, 5.1))
    assert not spread.told_apart(timed(5.0, 5.1), timed(1.0, 2.6))
    assert spread.told_apart(timed(2.5, 2.6, 2.69), slow)
    assert not spread.told_apart(timed(2.5, 2.6, 2.71), slow)  # 0.29 apart, repeats 0.3
    assert not spread.told_apart(timed(1.0), timed(100.0))
    assert not spread.told_apart(timed(1.0), timed(100.0, 100.1))


# ---- what other programs take


def machine_with(monkeypatch, *, cores, busy, own):
    """Make up how long each core has worked, and this process; at one look after the other."""
    looks, owns = iter(busy), iter(own)
    monkeypatch.setattr("psutil.cpu_times", lambda **_: [*map(worked, next(looks))])
    monkeypatch.setattr("os.sched_getaffinity", lambda _: cores, raising=False)
    monkeypatch.setattr("time.process_time", lambda: next(owns))


def worked(seconds):
    return SimpleNamespace(user=seconds, idle=1e4 - seconds)


def test_what_other_programs_take_is_counted_and_ones_own_is_not(monkeypatch):
    machine_with(monkeypatch, cores={0, 1}, busy=[(10, 10), (12.5, 11)], own=[100, 101])
    assert load.Watch().others() == pytest.approx(2.5 + 1 - 1)


def test_cores_that_the_process_may_not_use_are_left_out(monkeypatch):
    machine_with(monkeypatch, cores={1}, busy=[(1, 1), (9, 2)], own=[0, 0])
    assert load.Watch().others() == 1


def test_ones_own_work_counts_for_nothing():
    watch, until = load.Watch(), time.process_time() + 0.1
    while time.process_time() < until:
        pass
    whole = load._busy_seconds() - watch._busy
    assert watch.others() <= max(0.0, whole - 0.08)


def test_a_run_counts_what_others_took(monkeypatch):
    monkeypatch.setattr(series, "Watch", lambda: SimpleNamespace(others=lambda: 0.5))
    found = run(SMALL, backend="numpy")
    assert found.elsewhere == 0.5 * len(found.points)
    assert replace(found, seconds=0.9).busy == 0  # too short to tell
    assert replace(found, seconds=4.0).busy == pytest.approx(0.5)


# ---- threads and blocks


@given(st.integers(1, 2), st.integers(1, 9), st.integers(1, 700), st.integers(1, 80),
       st.integers(1, 3))  # fmt: skip
@settings(max_examples=30)
def test_what_blocks_store_is_what_the_computation_stores(B, H, T, D, cores):
    """Every part of a call is looked at, as it is computed."""
    sizes = Sizes(B, H, T, D, "float32")
    key_block = min(T, 512)
    division = blocked_plan.divide((B, H, 1, T, T), 256, key_block)
    parts = [*division.parts()]
    blocks = [
        (p.heads.stop - p.heads.start) * (p.queries.stop - p.queries.start) * key_block
        for p in parts
    ]
    together = sum(sorted(blocks)[-needs.threads_of(sizes, cores) :])
    whole_head = all(p.queries == slice(0, T) for p in parts) and key_block == T
    wanted = "head" if whole_head else "part"
    if together >= B * H * T * T:
        wanted = "all"
    # Buffers are as large as the largest part.
    assert needs.stored(sizes, cores) in {wanted, "all"}
    if needs.stored(sizes, cores) == "all" != wanted:
        assert max(blocks) * needs.threads_of(sizes, cores) >= B * H * T * T
    masks = 2 * max(p.queries.stop - p.queries.start for p in parts) * key_block
    assert needs.mask_bytes(sizes) == masks


def test_few_points_and_short_sequences_give_no_growth():
    assert fitted((64, 128), (1.0, 2.0)) is None
    assert fitted((1, 2, 4, 1024), (1.0, 2.0, 4.0, 9.0)) is None
    assert fitted((64, 128, 256), (0.0, 2.0, 4.0)) is None
    short = whole_run((64, 128))
    assert short.growth("materialised", "seconds") is None
    assert result([]).growth("attend", "seconds") is None


# ---- what is refused of parameters


@pytest.mark.parametrize("change", [
    {"Ts": ()}, {"Ts": (0,)}, {"Ts": (131_073,)}, {"Ts": (64, 64)}, {"Ts": tuple(range(1, 14))},
    {"Ts": (True,)}, {"Ts": (6.0,)}, {"heads": 0}, {"heads": 129}, {"d_k": 513}, {"batch": 65},
    {"repeats": 0}, {"repeats": 26}, {"seed": -1}, {"dtype": "float64"}, {"causal": 1},
    {"Ts": "x" * 9000}, {"heads": 10**40}, {"heads": "x" * 9000}, {"Ts": ("y" * 9000,)},
    {"batch": [1] * 9000}, {"repeats": "z" * 9000}, {"seed": "9" * 9000}, {"d_k": "x" * 9000},
    {"dtype": "x" * 9000}, {"dtype": []}, {"causal": "x" * 9000}, {"Ts": (1,) * 9000},
])  # fmt: skip
def test_parameters_out_of_their_range_are_refused_at_once(change):
    with pytest.raises(EngineError) as error:
        measure(replace(MeasuredParams(), **change))
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 120


def test_a_refused_parameter_is_called_what_the_page_calls_it():
    shared = {"heads": "number of heads", "batch": "batch size", "repeats": "number of repeats",
              "seed": "seed"}  # fmt: skip
    asked: list[tuple[Any, Any]] = [
        (MeasuredParams(), measure), (head_sizes.HeadSizeParams(), head_sizes.measure)
    ]  # fmt: skip
    for params, check in asked:
        for name, called in shared.items():
            with pytest.raises(OptionError, match=f"The {called} must be .* got -1"):
                check(replace(params, **{name: -1}))


@pytest.mark.parametrize("count", [0, 13, 200])
def test_too_many_values_are_counted(count):
    with pytest.raises(OptionError, match=f"1 to 12 values of T, got {count}"):
        measure(MeasuredParams(Ts=tuple(range(1, count + 1))))


def test_head_sizes_out_of_their_range_are_refused_at_once():
    for change in ({"d_ks": ()}, {"d_ks": (513,)}, {"d_ks": (64, 64)}, {"T": 0}, {"dtype": "x"}):
        with pytest.raises(EngineError):
            head_sizes.measure(replace(head_sizes.HeadSizeParams(), **change))


@pytest.mark.parametrize(("amount", "text"), [
    (0, "0 B"), (999, "999 B"), (1000, "0.98 KiB"), (2**20, "1.00 MiB"), (5 * 2**40, "5.00 TiB"),
    (1023.9 * 2**20, "1.00 GiB"), (12.34 * 2**30, "12.3 GiB"), (999.4 * 2**30, "999 GiB"),
])  # fmt: skip
def test_bytes_are_said_in_three_digits(amount, text):
    assert bytes_text(amount) == text


def test_seconds_are_said_as_people_say_them():
    assert [seconds_text(s) for s in (61, 99.4, 150, 6000)] == ["61 s", "99 s", "150 s", "100 min"]


# ---- saved runs

KINDS = {
    "memory": lambda T: guard.too_large(T, 2**40, 2**33),
    "time": lambda T: guard.too_long(T, 81.25),
    "ran-out": lambda T: guard.ran_out(T, 12_345),
    "after": lambda T: guard.after_ran_out(T, 1),
}


@st.composite
def runs(draw):
    Ts = draw(st.lists(st.integers(1, 131_072), min_size=1, max_size=12, unique=True))
    gpu, repeats = draw(st.booleans()), draw(st.integers(1, 25))
    jobs = [(way, T) for T in sorted(Ts) for way in WAYS]
    positive = st.floats(1e-9, 1e3)
    points = []
    for way, T in jobs[: draw(st.integers(0, len(jobs)))]:
        kernel = "formula"
        if way == "attend":
            kernel = draw(st.sampled_from(["fused", "fallback"])) if gpu else "blocked"
        kind = draw(st.sampled_from([None, None, *KINDS]))
        refused = None if kind is None else KINDS[kind](T)
        made = point(
            way,
            T,
            kernel=kernel,
            seconds=draw(positive),
            peak=draw(st.integers(1, 2**50)),
            predicted=draw(st.integers(1, 2**50)),
            refused=refused,
            d_k=7,
            repeats=repeats,
        )
        if refused is None:
            made = replace(made, seconds=float(np.median(made.all_seconds)))
        points.append(made)
    params = MeasuredParams(tuple(Ts), draw(st.integers(1, 128)), 7, draw(st.integers(1, 64)),
                            draw(st.sampled_from(["float32", "float16"])), draw(st.booleans()),
                            repeats, draw(st.integers(0, 2**32 - 1)))  # fmt: skip
    machine = GPU if gpu else MACHINE
    return module.MeasuredResult(params, machine, tuple(points), len(jobs), draw(st.floats(0, 1e5)),
                                 elsewhere=draw(st.floats(0, 1e5)))  # fmt: skip


@given(runs())
def test_a_saved_run_is_read_back_exactly(run_):
    text = saved.to_json(run_)
    found = saved.from_json(text.encode())
    assert found == run_
    assert [str(p.refused) for p in found.points] == [str(p.refused) for p in run_.points]
    assert saved.to_json(found) == text


def test_a_measured_run_is_read_back_exactly(backend):
    found = run(SMALL, backend=backend)
    assert saved.from_json(saved.to_json(found)) == found


@pytest.mark.parametrize("source", [
    b"", b"[]", b"{}", b"null", b"3", b"\xff\xfe{}", b"{" * 100_000, b"[" * 100_000,
    b"1" * 5000, b'{"program": "other"}', b"x" * (10 * 2**20),
    b'{"program": "attention-workbench"}',
    b'{"program": "attention-workbench", "kind": "worked-example"}',
    b'{"program": "attention-workbench", "kind": "memory-measured"}',
    b'{"program": "attention-workbench", "kind": "memory-measured", "version": 2}',
    b'{"program": "attention-workbench", "kind": "memory-measured", "version": 1, "x": NaN}',
    b'{"a": Infinity}',
])  # fmt: skip
def test_what_is_no_saved_run_is_refused_in_a_sentence(source):
    with pytest.raises(OptionError) as error:
        saved.from_json(source)
    assert str(error.value).endswith(".")
    assert len(str(error.value)) < 250


def leaves(document, path=()):
    """Return the path of every value in a document, those of lists and members included."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))


ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    10**30,
    1e999,
    1.5,
    "",
    "x",
    "=1+1",
    "a" * 5000,
    "\n",
    [],
    {},
    [[]],
    "2026",
]
# Of the odd values, those that a field may have; every other one is refused.
NAMES = ("device", "processor", "system", "python", "library")
MAY_BE: dict[object, list[Any]] = {
    "seconds": [0, 1.5], "elsewhere": [0, 1.5], "causal": [True], "seed": [0], "points": [[]],
    "refused": [None], "all_seconds": [1.5], **{name: ["x", "2026"] for name in NAMES},
}  # fmt: skip


def test_every_field_of_a_saved_run_is_checked():
    document = json.loads(saved.to_json(whole_run((64, 128))))
    for path in leaves(document):
        name = path[-2] if path[-2:-1] == ("all_seconds",) else path[-1]
        may_be = [] if path[-1] == "all_seconds" else MAY_BE.get(name, [])
        for odd in ODD:
            wrong = deepcopy(document)
            place = wrong
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = odd
            text = json.dumps(wrong).replace("Infinity", "1e999")
            if any(type(odd) is type(value) and odd == value for value in may_be):
                found = saved.from_json(text)
                assert saved.from_json(saved.to_json(found)) == found
                continue
            with pytest.raises(EngineError) as error:
                saved.from_json(text)
            assert len(str(error.value)) < 250


def with_member(part, name, value):
    """Return a saved run with another value in its machine or its parameters."""
    document = json.loads(saved.to_json(whole_run((64, 128))))
    document[part][name] = value
    return json.dumps(document)


REAL = (
    "Apple M3 Max", "Intel(R) Xeon(R) CPU @ 2.20GHz", "AMD EPYC 7B13 64-Core Processor",
    "Linux x86_64", "macOS 15.1", "NumPy 2.4.6", "MLX 0.32.4", "3.13.0rc1+", "Linux 6.8.0-1021-aws",
    "QEMU Virtual CPU version 2.5+", "海光 C86 7185", "प्रोसेसर",
)  # fmt: skip
HOSTILE = (
    "**b** $x$ ![i](http://evil.example/i.png)", "[a](b)", "<img src=x>", "`code`", "$x^2$",
    ":red[x]", "http://evil.example", "a\u202eb", "a\tb", "a\nb", "~~x~~", "a|b", "\\", " ",
    "a\u2028b", "a\u00a0b", "x" * 81, "\U0001f600",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_a_machine_are_plain_words(name):
    for real in REAL:
        found = saved.from_json(with_member("machine", name, real))
        assert getattr(found.machine, name) == real
        assert device.named(real) == real
    for hostile in HOSTILE:
        with pytest.raises(OptionError) as error:
            saved.from_json(with_member("machine", name, hostile))
        assert len(str(error.value)) < 250


@given(st.text(max_size=120))
def test_what_this_machine_calls_itself_can_be_read_again(name):
    plain = device.named(name)
    assert device.is_name(plain)
    assert not set(plain) & set("*$![]<>`:~|\\\n")


@pytest.mark.parametrize("date", ["2026-01-02*03:04:05+00:00", "2026-01-02", "2026-W01-1", "now"])
def test_a_moment_is_written_in_one_way(date):
    with pytest.raises(OptionError):
        saved.from_json(with_member("machine", "date", date))


@pytest.mark.parametrize("name", ["heads", "d_k", "batch", "repeats", "seed", "Ts"])
def test_a_whole_number_is_no_list_and_is_quoted_in_short(name):
    for wrong in ([1] * 100_000, "1" * 100_000, {"a": [1] * 1000}, [[1]], 10**60):
        with pytest.raises(OptionError) as error:
            saved.from_json(with_member("params", name, wrong))
        assert len(str(error.value)) < 200


def changed():
    document = json.loads(saved.to_json(whole_run((64, 128, 256))))
    points = document["points"]
    return {
        "one point twice": {**document, "points": [points[0], points[0], *points[2:]]},
        "order": {**document, "points": [points[1], points[0], *points[2:]]},
        "too many": {**document, "points": [*points, points[0]]},
        "other Ts": {**document, "params": {**document["params"], "Ts": [64, 128, 512]}},
        "Ts twice": {**document, "params": {**document["params"], "Ts": [64, 64, 128]}},
        "a kernel of MLX": {
            **document, "points": [points[0], {**points[1], "kernel": "fused"}, *points[2:]]
        },
        "few repeats": {**document, "params": {**document["params"], "repeats": 4}},
        "no machine": {k: v for k, v in document.items() if k != "machine"},
    }  # fmt: skip


@pytest.mark.parametrize("name", list(changed()))
def test_a_run_whose_parts_do_not_fit_together_is_refused(name):
    with pytest.raises(OptionError):
        saved.from_json(json.dumps(changed()[name]))


def test_the_table_of_a_run_has_every_number():
    points = [point("materialised", 64), point("attend", 64, refused=guard.too_long(64, 90))]
    made = result(points, replace(MACHINE, device="=cmd|x"))
    text = saved.to_csv(made)
    assert text.startswith("\ufeff")
    first, second = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert float(first["seconds"]) == points[0].seconds
    assert float(first["least_seconds"]) == min(points[0].all_seconds)
    assert int(first["peak_bytes"]) == points[0].peak_bytes
    assert (first["way"], first["T"], first["dtype"]) == ("materialised", "64", "float32")
    assert first["device"] == "'=cmd|x"
    assert (second["seconds"], second["peak_bytes"]) == ("", "")
    assert second["refused"] == str(points[1].refused)
