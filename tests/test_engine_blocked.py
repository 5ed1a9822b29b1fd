"""Attention in blocks on NumPy: every boundary, every short cut, memory, and several threads."""

from __future__ import annotations

import math
import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from engine import BackendError, NumberError, attend, causal_mask, sliding_window_mask
from engine.backends import blocked_plan, blocked_problem, threads
from engine.backends.blocked import blocked_attention, working_bytes
from engine.backends.blocked_plan import KEY_BLOCK, QUERY_BLOCK
from engine.backends.blocked_rows import MOST_SUM, Rows
from engine.backends.bounds import columns_within
from engine.backends.numpy_backend import NumpyBackend
from tests import oracles
from tests.test_engine_attention import calls, expected_of
from tests.test_engine_backends import run_python
from tests.tolerances import assert_close

PLAIN: dict[str, Any] = {"mask": None, "bias": None, "causal": False, "scale": 1.0}


def numbers(*shape, size=1.0, dtype="float64", seed=1):
    return (size * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


def inputs(B=1, H=1, H_kv=1, T=8, S=8, D=3, E=2, **options):
    return {
        "q": numbers(B, H, T, D, **options),
        "k": numbers(B, H_kv, S, D, **options | {"seed": 2}),
        "v": numbers(B, H_kv, S, E, **options | {"seed": 3, "size": 1.0}),
    }


def compare(call, **options):
    """Compute in blocks and compare with the loops."""
    with np.errstate(all="ignore"):  # as the backend does
        output = blocked_attention(**call, **options)
    expected, scores = expected_of(call)
    assert_close(output, expected, output.dtype.name, largest=np.abs(call["v"]).max(initial=1),
                 scores=scores)  # fmt: skip
    return output


@pytest.fixture
def bounds_for_few(monkeypatch):
    """Let a call of any size look for short cuts, as a large one does."""
    monkeypatch.setattr(blocked_problem, "FEW_SCORES", 0)


@pytest.fixture
def shared_for_few(monkeypatch):
    """Let a call of any size use threads, as a large one does."""
    monkeypatch.setattr(blocked_plan, "SMALL_PRODUCT", 0)
    monkeypatch.setattr(blocked_plan, "SHARED_PRODUCTS", 0)


@pytest.fixture(params=[True, False], ids=["2^x", "e^x"])
def exponential(request, monkeypatch):
    monkeypatch.setattr(blocked_problem, "exp2_is_faster", lambda: request.param)


# --- boundaries --------------------------------------------------------------------------------


@pytest.mark.parametrize("S", [1, 4, 5, 6, 11])
@pytest.mark.parametrize("T", [3, 4, 5, 9])
@pytest.mark.parametrize("size", [1.0, 12.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.usefixtures("bounds_for_few", "exponential")
def test_sizes_around_a_block(T, S, size, dtype):
    call = inputs(T=T, S=S, size=size, dtype=dtype) | PLAIN
    compare(call, query_block=4, key_block=5)
    compare(call | {"mask": numbers(1, 1, T, S) > 0.5}, query_block=4, key_block=5)
    if T <= S:
        compare(call | {"causal": True}, query_block=4, key_block=5)


@pytest.mark.parametrize(("T", "S", "causal"), [
    (QUERY_BLOCK + 1, KEY_BLOCK + 1, True),
    (QUERY_BLOCK - 1, KEY_BLOCK, False),
    (1, KEY_BLOCK - 1, True),
])  # fmt: skip
def test_sizes_around_the_real_blocks(T, S, causal):
    call = inputs(T=T, S=S, D=1, E=1, dtype="float32") | PLAIN
    compare(call | {"causal": causal})


@pytest.mark.parametrize("width", [1, 3, 6])
@pytest.mark.usefixtures("bounds_for_few", "exponential")
def test_a_window_that_empties_blocks(width):
    call = inputs(T=12, S=12, dtype="float32") | PLAIN
    compare(call | {"mask": sliding_window_mask(12, width)[None, None]}, query_block=2, key_block=3)


@pytest.mark.parametrize("size", [1.0, 12.0])
@pytest.mark.usefixtures("bounds_for_few", "exponential")
def test_blocks_and_rows_that_are_hidden_whole(size):
    call = inputs(T=6, S=9, size=size, dtype="float32") | PLAIN
    mask = np.ones((1, 1, 6, 9), bool)
    mask[..., 3:6] = False  # a block of keys
    mask[..., 2:4, :] = False  # a block of queries
    mask[..., 5, :6] = False  # a row that sees its first key late
    output = compare(call | {"mask": mask}, query_block=2, key_block=3)
    assert (output[..., 2:4, :] == 0).all()
    compare(call | {"mask": mask, "bias": numbers(1, 1, 6, 9)}, query_block=2, key_block=3)


@given(
    call=calls(),
    query_block=st.integers(1, 4),
    key_block=st.integers(1, 4),
    count=st.integers(1, 3),
)
@pytest.mark.usefixtures("bounds_for_few", "shared_for_few")
def test_any_call_in_shared_blocks_equals_the_loops(call, query_block, key_block, count):
    scale = 1 / math.sqrt(call["q"].shape[3]) if call["scale"] is None else call["scale"]
    compare(call | {"scale": scale}, query_block=query_block, key_block=key_block, threads=count)


@pytest.mark.parametrize("layout", ["positions first", "backwards", "columns first", "one key"])
def test_arrays_in_any_layout_give_the_same(layout):
    call = inputs(B=2, H=4, H_kv=2, T=5, S=6, D=4, E=4)
    views: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "positions first": lambda a: np.ascontiguousarray(a.swapaxes(1, 2)).swapaxes(1, 2),
        "backwards": lambda a: np.ascontiguousarray(a[..., ::-1])[..., ::-1],
        "columns first": lambda a: np.ascontiguousarray(a.swapaxes(2, 3)).swapaxes(2, 3),
        "one key": lambda a: np.broadcast_to(a[:, :, :1], a.shape),
    }
    compare({name: views[layout](array) for name, array in call.items()} | PLAIN)


# --- short cuts --------------------------------------------------------------------------------


@pytest.mark.usefixtures("bounds_for_few")
def test_small_scores_are_not_shifted_and_large_ones_are(monkeypatch):
    shifted = counting(monkeypatch, "_shifted")
    compare(inputs(T=6, S=6) | PLAIN, query_block=2, key_block=2)
    assert not shifted
    compare(inputs(T=6, S=6, size=9.0) | PLAIN, query_block=2, key_block=2)
    assert len(shifted) >= 9


def counting(monkeypatch, name):
    """Note every call of a method of Rows."""
    seen = []
    method = getattr(Rows, name)

    def noted(*arguments, **options):
        seen.append(1)
        return method(*arguments, **options)

    monkeypatch.setattr(Rows, name, noted)
    return seen


@pytest.mark.parametrize(
    ("step", "raised", "computed"),
    [
        (0.9, 1, 4),
        (20.0, 2, 5),  # the last block grew too much and is repeated
        (50.0, 4, 5),  # the second is repeated, and those after it are expected to grow
        (200.0, 4, 4),  # so large that growth is expected at once
        (-20.0, 1, 4),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.usefixtures("bounds_for_few")
def test_the_shift_follows_only_scores_that_grow_much(monkeypatch, step, raised, computed, dtype):
    raises, computes = counting(monkeypatch, "_raised"), counting(monkeypatch, "_scores")
    keys = (100.0 + step * (np.arange(8) // 2)).reshape(1, 1, 8, 1).astype(dtype)
    call = {"q": np.ones((1, 1, 1, 1), dtype), "k": keys, "v": numbers(1, 1, 8, 2, dtype=dtype)}
    compare(call | PLAIN, key_block=2)
    assert (len(raises), len(computes)) == (raised, computed)
    hidden = np.tile([True, False], 4)[None, None, None]  # what is hidden must not come back
    compare(call | PLAIN | {"mask": hidden}, key_block=2)


@pytest.mark.parametrize("score", [-500.0, 500.0])
def test_a_row_that_sees_its_first_key_late(score):
    call = inputs(T=2, S=6, D=1, dtype="float32")
    call |= {"q": np.ones((1, 1, 2, 1), "float32"), "k": np.full((1, 1, 6, 1), score, "float32")}
    mask = np.ones((1, 1, 2, 6), bool)
    mask[0, 0, 1, :3] = False
    compare(call | PLAIN | {"mask": mask}, key_block=2)


def test_huge_values_under_scores_that_grow():
    keys = np.array([0.0, 0, 35, 35, 20, 35], np.float32).reshape(1, 1, 6, 1)
    v = np.full((1, 1, 6, 1), 3e38, np.float32)
    with np.errstate(all="ignore"):
        output = blocked_attention(np.ones((1, 1, 1, 1), np.float32), keys, v, **PLAIN, key_block=2)
    np.testing.assert_allclose(output, v[:, :, :1], rtol=1e-5)


def test_only_what_products_read_slowly_is_copied():
    wide = numbers(1, 6, 4, 8, dtype="float32")
    for view in (wide, wide.swapaxes(1, 2), wide[..., :3], wide[:, :, ::2]):
        assert blocked_problem._ready(view, wide.dtype) is view
    once = np.broadcast_to(wide[:, :, :1], wide.shape)
    for view in (wide[..., ::-1], wide.swapaxes(2, 3), once, wide.astype(np.float16)):
        copy = blocked_problem._ready(view, wide.dtype)
        assert copy.flags.c_contiguous
        np.testing.assert_array_equal(copy, view.astype(np.float32))


def test_a_sum_near_the_limit_is_exact():
    grown = math.log(MOST_SUM)
    keys = np.array([100.0, 100 + grown - 0.1, 100 + grown + 0.1, 100]).reshape(1, 1, 4, 1)
    call = {"q": np.ones((1, 1, 1, 1)), "k": keys, "v": numbers(1, 1, 4, 2)}
    compare(call | PLAIN, key_block=1)


@pytest.mark.parametrize("score", [-75.0, -25.0, 0.0, 25.0, 75.0])
@pytest.mark.parametrize("value", [1e-37, 1e-20, 1e-16, 1e16, 1e30, 3e38])
@pytest.mark.usefixtures("bounds_for_few", "exponential")
def test_huge_and_tiny_values_keep_their_precision(score, value):
    q = np.full((1, 1, 3, 1), 5.0, np.float32)
    k = np.full((1, 1, 6, 1), score / 5, np.float32)
    v = (value * np.array([1, 0.5, 0.25, 1, 1, 0.5])).reshape(1, 1, 6, 1).astype(np.float32)
    with np.errstate(all="ignore"):
        output = blocked_attention(q, k, v, **PLAIN, query_block=2, key_block=2)
    np.testing.assert_allclose(output, v.mean(dtype=np.float64), rtol=1e-5)


@pytest.mark.usefixtures("bounds_for_few")
def test_a_huge_column_beside_a_tiny_one():
    q, k = np.ones((1, 1, 3, 1), np.float32), np.full((1, 1, 6, 1), -25.0, np.float32)
    v = np.ones((1, 1, 6, 2), np.float32)
    v[..., 1] = 1e-36
    output = blocked_attention(q, k, v, **PLAIN, key_block=2)
    np.testing.assert_allclose(output, v[:, :, :3], rtol=1e-5)


@pytest.mark.parametrize(
    ("columns", "within"),
    [([1, 1], True), ([1, 1e-3], True), ([1, 1e3], True), ([1, 1e-5], False), ([1, 1e5], False),
     ([1, 0], False), ([1e-30, 1], False), ([1, 1e30], False)],
)  # fmt: skip
def test_the_size_of_columns(columns, within):
    v = np.ones((2, 2, 3, 2), np.float32)
    v[1, 0] = columns
    assert columns_within(v, 1e-4, 1e4) == within


# --- memory ------------------------------------------------------------------------------------


SIZES = [
    {},
    {"T": 2048, "S": 2048},
    {"T": 700, "S": 1500, "H": 4, "H_kv": 2, "D": 40, "E": 24},
    {"T": 1, "S": 20_000, "H": 8, "D": 32},
    {"B": 2, "T": 64, "S": 64, "H": 8, "D": 64, "E": 64},
    {"T": 512, "S": 512, "D": 256, "E": 256, "H": 2, "H_kv": 2},
]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_bytes_it_works_with(monkeypatch, sizes, dtype):
    monkeypatch.setattr(blocked_plan, "available_cores", lambda: 1)
    call = inputs(**sizes, dtype=dtype)
    peak, said = peak_bytes(call), said_bytes(call, dtype)
    # Beside the arrays there are Python's own objects.
    assert abs(peak - said) <= 0.05 * peak + 32_768, (peak, said)


def test_the_bytes_it_works_with_on_two_threads(monkeypatch):
    monkeypatch.setattr(blocked_plan, "available_cores", lambda: 2)
    call = inputs(T=2048, S=2048, dtype="float32")
    peak, said = peak_bytes(call), said_bytes(call, "float32")
    # At most, since the helper can be late.
    assert peak <= 1.05 * said + 32_768
    assert said > 1.5 * said_bytes(call, "float32", threads=1)


def peak_bytes(call):
    with threads.one_blas_thread():  # what the first call in a process imports is not counted
        pass
    tracemalloc.start()
    try:
        attend(**call, backend="numpy")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def said_bytes(call, dtype, **options):
    B, H, T, D = call["q"].shape
    _, H_kv, S, E = call["v"].shape
    return working_bytes(B, H, H_kv, T, S, D, E, dtype, **options)


def test_memory_grows_like_the_sequence_and_not_like_its_square():
    peaks = [working_bytes(1, 8, 8, T, T, 64, 64, "float32", threads=2) for T in (8192, 16_384)]
    assert peaks[1] < 64e6
    assert peaks[1] < 2.1 * peaks[0]
    many = working_bytes(1, 8, 8, 16_384, 16_384, 64, 64, "float32", threads=16)
    assert peaks[1] < many < 64e6


# --- threads -----------------------------------------------------------------------------------


def blas_threads():
    return [
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    ]


@pytest.mark.parametrize("causal", [False, True])
def test_any_number_of_threads_gives_the_same_bits(causal):
    call = inputs(H=2, H_kv=2, T=600, S=700, D=32, E=32, dtype="float32")
    call |= PLAIN | {"causal": causal}
    first, *others = (blocked_attention(**call, threads=count) for count in (1, 2, 3, 7))
    for other in others:
        np.testing.assert_array_equal(other, first)


@pytest.mark.usefixtures("shared_for_few")
def test_sessions_at_once_get_what_each_gets_alone():
    before = blas_threads()
    problems = [
        inputs(H=2, H_kv=1, T=40 + turn, S=50, seed=turn, size=1.0 + 4 * turn) | PLAIN
        for turn in range(8)
    ]
    options: dict[str, Any] = {"query_block": 8, "key_block": 8}
    alone = [blocked_attention(**call, **options, threads=1) for call in problems]
    with ThreadPoolExecutor(4) as sessions:
        together = list(
            sessions.map(lambda call: blocked_attention(**call, **options, threads=3), problems * 3)
        )
    for turn, output in enumerate(together):
        np.testing.assert_array_equal(output, alone[turn % len(alone)])
    assert blas_threads() == before


def on_a_helper(monkeypatch, error):
    """Let the first part that a helper takes raise an error; the caller waits for that."""
    begun = threading.Event()
    compute = Rows.attend

    def attend_or_fail(self, output):
        if threading.current_thread().name.startswith("attention"):
            begun.set()
            raise error
        assert begun.wait(timeout=10)
        compute(self, output)

    monkeypatch.setattr(threads, "available_cores", lambda: 2)
    monkeypatch.setattr(Rows, "attend", attend_or_fail)


@pytest.mark.parametrize(
    ("error", "expected"),
    [(NumberError("The scores overflow."), NumberError), (MemoryError("full"), BackendError)],
)
@pytest.mark.usefixtures("shared_for_few")
def test_an_error_on_a_helper_reaches_the_caller(monkeypatch, error, expected):
    monkeypatch.setattr(blocked_plan, "available_cores", lambda: 2)
    before = blas_threads()
    call = inputs(T=QUERY_BLOCK * 6) | PLAIN
    with monkeypatch.context() as patched:
        on_a_helper(patched, error)
        with pytest.raises(expected):
            NumpyBackend().attend(**call)
    assert blas_threads() == before
    compare(inputs(T=9, S=9) | PLAIN, query_block=2, threads=2)  # the pool still works


@pytest.mark.parametrize("place", [0, 30, 59])
@pytest.mark.usefixtures("shared_for_few", "bounds_for_few")
def test_an_overflow_anywhere_is_refused_in_the_same_words(place):
    call = inputs(T=60, S=60) | PLAIN
    call["q"][0, 0, place] = 1e200
    call["k"][0, 0, place] = 1e200
    with (
        np.errstate(all="ignore"),
        pytest.raises(NumberError, match="^The scores overflow float64; use smaller numbers.$"),
    ):
        blocked_attention(**call, query_block=4, key_block=4, threads=3)


def test_the_parts_after_an_error_are_dropped():
    done = []

    def worker():
        def do(part):
            done.append(part)
            if part == 2:
                raise ValueError(part)

        return do

    with pytest.raises(ValueError, match="2"):
        threads.run_all(range(10), worker, threads=1)
    assert done == [0, 1, 2]


def test_an_error_on_a_helper_stops_the_caller_too():
    begun, done = threading.Event(), []

    def worker():
        helping = threading.current_thread().name.startswith("attention")

        def do(part):
            if helping:
                begun.set()
                raise ValueError("here")
            assert begun.wait(timeout=10)
            time.sleep(0.005)
            done.append(part)

        return do

    with pytest.raises(ValueError, match="here"):
        threads.run_all(range(200), worker, threads=2)
    assert len(done) < 100


def test_an_error_on_the_caller_waits_for_what_a_helper_has_begun():
    begun, ended = threading.Event(), threading.Event()

    def worker():
        helping = threading.current_thread().name.startswith("attention")

        def do(_):
            if helping:
                begun.set()
                time.sleep(0.05)
                ended.set()
                return
            assert begun.wait(timeout=10)
            raise ValueError("here")

        return do

    with pytest.raises(ValueError, match="here"):
        threads.run_all(range(200), worker, threads=2)
    assert ended.is_set()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_part_is_done_once_with_one_worker_a_thread(count):
    done: list[int] = []
    workers: list[threading.Thread] = []

    def worker():
        workers.append(threading.current_thread())
        return done.append

    threads.run_all(range(100), worker, threads=count)
    assert sorted(done) == list(range(100))
    assert 1 <= len(workers) <= count
    threads.run_all([], worker, threads=count)


def test_a_hold_inside_a_hold_is_lifted_by_the_last():
    before = blas_threads()
    with threads.one_blas_thread():
        with threads.one_blas_thread():
            assert set(blas_threads()) == {1}
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


def test_a_fork_has_threads_of_its_own():
    done = run_python(
        """
import os, sys, warnings
import numpy as np
from engine import attend
warnings.simplefilter("ignore")
if not hasattr(os, "fork"):
    sys.exit(0)
x = np.random.default_rng(1).normal(size=(1, 4, 600, 32))
first = attend(x, x, x, backend="numpy")
child = os.fork()
if child == 0:
    os._exit(0 if (attend(x, x, x, backend="numpy") == first).all() else 3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("shared_for_few")
def test_attention_of_a_causal_mask_equals_causal():
    call = inputs(T=40, S=40, H=2, H_kv=2)
    masked = attend(**call, mask=causal_mask(40), backend="numpy")
    np.testing.assert_allclose(attend(**call, causal=True, backend="numpy"), masked, rtol=1e-12)
    assert masked[0, 0, 0] == pytest.approx(call["v"][0, 0, 0])
    assert oracles.attend(**call, causal=True) == pytest.approx(masked)


def test_without_a_thread_more_the_caller_works_alone(monkeypatch):
    class Full:
        def submit(self, _work: object) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_pool", Full)
    done: list[int] = []
    threads.run_all(range(10), lambda: done.append, threads=2)
    assert sorted(done) == list(range(10))


@pytest.mark.parametrize(
    ("config", "faster"),
    [
        ({}, False),  # as where NumPy was built without any
        ({"SIMD Extensions": {"baseline": ["NEON"]}}, False),
        ({"SIMD Extensions": {"baseline": ["X86_V2"], "found": ["X86_V3"]}}, False),
        ({"SIMD Extensions": {"baseline": ["X86_V2"], "found": ["X86_V3", "X86_V4"]}}, True),
        ({"SIMD Extensions": {"baseline": ["X86_V4"]}}, True),
    ],
)
def test_whether_2_to_the_x_is_fast_is_known_on_every_build(monkeypatch, config, faster):
    monkeypatch.setattr(np, "show_config", lambda **_mode: config)
    assert blocked_problem.exp2_is_faster.__wrapped__() == faster
