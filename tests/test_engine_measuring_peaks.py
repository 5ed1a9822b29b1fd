"""Peaks are those of the computation: with every thread's memory, and without anybody else's."""

from __future__ import annotations

import threading
import time
import tracemalloc
from concurrent.futures import Future

import numpy as np
import pytest

from engine.backends import blocked_plan, gathering, threads
from engine.backends.measuring import OverlongError, measured
from engine.backends.numpy_backend import NumpyBackend

HEADS, T, D = 8, 256, 64
ARRAYS = [
    np.random.default_rng(1).standard_normal((1, HEADS, T, D)).astype(np.float32) for _ in range(3)
]


def peak_of_attend(peaks=3):
    found = NumpyBackend().measure_within(
        None, *ARRAYS, repeats=1, peaks=peaks, longest=60.0, scale=0.125, causal=False
    )
    return found.peak_bytes


@pytest.fixture
def two_cores(monkeypatch):
    """Two threads share the work, whatever the machine; each holds the scores of two heads."""
    monkeypatch.setattr(blocked_plan, "available_cores", lambda: 2)
    monkeypatch.setattr(threads, "available_cores", lambda: 2)
    pool = threads._pool
    pool.cache_clear()
    yield 4 * HEADS * T * D + 2 * (4 * 2 * T * T)  # the output, and the scores of two threads
    pool.cache_clear()


def test_a_helper_that_wakes_late_is_waited_for(monkeypatch, two_cores):
    pool = threads._pool()

    class Late:
        def submit(self, work):
            def later():
                time.sleep(0.02)  # ten times what the whole computation takes
                work()

            return pool.submit(later)

    monkeypatch.setattr(threads, "_pool", Late)
    assert two_cores < peak_of_attend() < 1.7 * two_cores


def test_helpers_that_never_come_are_done_without(monkeypatch, two_cores):
    class Absent:
        def submit(self, _work):
            return Future()

    monkeypatch.setattr(threads, "_pool", Absent)
    monkeypatch.setattr(gathering, "PATIENCE", 0.01)
    assert two_cores / 2 < peak_of_attend(1) < two_cores


@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("one_at_a_time", [True, False])
def test_what_other_threads_hold_for_a_while_is_not_counted(one_at_a_time):
    calm = peak_of_attend()
    done = threading.Event()

    def disturb():
        while not done.is_set():
            for _ in range(8):
                held = [np.ones(2**20)]  # 8 MiB, far more than attend takes
                time.sleep(0.001)
                if one_at_a_time:
                    held.clear()
            held = []
            time.sleep(0.05)

    other = threading.Thread(target=disturb)
    other.start()
    try:
        assert peak_of_attend() == pytest.approx(calm, rel=0.15)
    finally:
        done.set()
        other.join()


def test_threads_are_held_up_only_where_they_are_gathered():
    seen: list[int] = []

    def worker():
        return seen.append

    started = time.perf_counter()
    threads.run_all(range(8), worker, threads=2)
    assert sorted(seen) == [*range(8)]
    with gathering.gathered() as found:
        threads.run_all(range(8), worker, threads=1)
        assert found.complete
    assert [*gathering.gate(4)(iter("ab"))] == ["a", "b"]  # nobody waits for three others
    assert time.perf_counter() - started < 5


@pytest.mark.usefixtures("two_cores")
def test_a_fault_of_one_thread_ends_the_others_too(monkeypatch):
    def worker():
        raise MemoryError

    monkeypatch.setattr(gathering, "PATIENCE", 0.01)
    with gathering.gathered(), pytest.raises(MemoryError):
        threads.run_all(range(8), worker, threads=2)
    assert gathering._gathering.get() is None


def test_a_quiet_moment_is_not_waited_for_without_end():
    done = threading.Event()

    def disturb():
        while not done.is_set():
            np.ones(2**18).sum()

    other = threading.Thread(target=disturb)
    other.start()
    started = time.perf_counter()
    try:
        NumpyBackend().measure(lambda _, a: a + 1, np.ones(9), repeats=1)
    finally:
        done.set()
        other.join()
    assert time.perf_counter() - started < 5
    assert not tracemalloc.is_tracing()


def test_the_refusal_of_a_long_wait_says_what_is_allowed():
    with pytest.raises(OverlongError) as error:
        measured(lambda: 3.0, lambda: 1, repeats=4, longest=11.0)
    assert "at most 11.0 s" in str(error.value)
    assert error.value.seconds == 3.0 * 6
