"""Threads and processes: one MLX worker serves them all, and leaves nothing behind."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from engine import BackendError, attend, get_backend, trace_attention
from engine.backends.worker import Worker
from tests.conftest import require_backend
from tests.test_engine_backends import run_python
from tests.tolerances import assert_close

THREADS = 50
CALLS = 10


def live_threads():
    """Count the threads of this process, those of C++ libraries included where that is known."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


def threads_beyond(before):
    """Count the threads beyond ``before``, once those that have been joined are gone."""
    deadline = time.monotonic() + 5
    while live_threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)  # a joined thread may outlive its join by a moment
    return live_threads() - before


def in_threads(work, count=THREADS, at_once=5):
    """Run ``work(number)`` in short-lived threads, a few at a time, and raise what it raised."""
    errors = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - raised again below, in the test's thread
            errors.append(error)

    for first in range(0, count, at_once):
        threads = [
            threading.Thread(target=guarded, args=(number,))
            for number in range(first, min(first + at_once, count))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]


def test_500_calls_from_50_threads_leave_no_thread_behind(backend):
    inputs = [np.random.default_rng(number).normal(size=(4, 3, 3)) for number in range(THREADS)]
    expected = [trace_attention(*given, backend="numpy").output for given in inputs]
    in_threads(lambda number: trace_attention(*inputs[number], backend=backend), count=5)
    before = live_threads()
    done = []

    def work(number):
        for _ in range(CALLS):
            trace = trace_attention(*inputs[number], backend=backend)
            assert_close(
                trace.output, expected[number], backend.precision, largest=10.0, scores=30.0
            )
            done.append(number)

    in_threads(work)
    assert len(done) == THREADS * CALLS
    assert threads_beyond(before) <= 0


def test_attend_in_many_threads(backend):
    q = np.random.default_rng(0).normal(size=(1, 2, 5, 4))
    expected = attend(q, q, q, causal=True, backend="numpy")
    before = live_threads()

    def work(_):
        output = attend(q, q, q, causal=True, backend=backend)
        assert_close(output, expected, backend.precision, largest=3.0, scores=10.0)

    in_threads(work)
    assert threads_beyond(before) <= 0


def test_two_backends_at_once():
    mlx, numpy = require_backend("mlx"), get_backend("numpy")
    inputs = np.random.default_rng(2).normal(size=(4, 3, 3))
    expected = trace_attention(*inputs, backend="numpy").output

    def work(number):
        chosen = (mlx, numpy)[number % 2]
        for _ in range(CALLS):
            trace = trace_attention(*inputs, backend=chosen)
            assert trace.output.dtype == chosen.precision
            assert_close(trace.output, expected, chosen.precision, largest=10.0, scores=30.0)

    in_threads(work, count=20, at_once=2)


def test_first_use_from_many_threads_makes_one_backend():
    require_backend("mlx")
    code = (
        "import threading, engine\n"
        "found = []\n"
        "work = lambda: found.append(engine.get_backend('mlx'))\n"
        "threads = [threading.Thread(target=work) for _ in range(8)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "print(len(found), len(set(map(id, found))))"
    )
    result = run_python(code)
    assert (result.stdout.strip(), result.stderr, result.returncode) == ("8 1", "", 0)


@pytest.mark.parametrize(
    "ending", ["", "raise SystemExit(0)", "del trace; import gc; gc.collect()"]
)
def test_a_process_that_used_mlx_ends_quietly(ending):
    require_backend("mlx")
    code = (
        "import engine\n"
        "one = [[1.0, 2.0], [3.0, 4.0]]\n"
        "trace = engine.trace_attention(one, one, one, one, backend='mlx')\n"
        "engine.attend(one, one, one, causal=True, backend='mlx')\n"
        "engine.get_backend('mlx').measure(lambda xp, a: a + 1, trace.q, repeats=1)\n"
        f"{ending}\n"
    )
    result = run_python(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_the_worker_ends_before_python_does():
    require_backend("mlx")
    code = (
        "import atexit, threading, engine\n"
        "alive = lambda: any(thread.name == 'mlx' for thread in threading.enumerate())\n"
        "atexit.register(lambda: print('after', alive()))\n"  # the last registered runs first
        "engine.get_backend('mlx')\n"
        "print('before', alive())"
    )
    assert run_python(code).stdout.split() == ["before", "True", "after", "False"]


def test_a_fork_may_use_numpy_but_not_mlx_and_both_processes_end():
    require_backend("mlx")
    code = (
        "import os, sys, warnings\n"
        "import engine\n"
        "one = [[1.0]]\n"
        "engine.trace_attention(one, one, one, one, backend='mlx')\n"
        "warnings.simplefilter('ignore')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    engine.trace_attention(one, one, one, one, backend='numpy')\n"
        "    try:\n"
        "        engine.trace_attention(one, one, one, one, backend='mlx')\n"
        "    except engine.BackendError as error:\n"
        "        sys.exit(7 if 'fork' in str(error) else 8)\n"
        "    sys.exit(9)\n"
        "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "engine.trace_attention(one, one, one, one, backend='mlx')\n"
        "print(status)"
    )
    result = run_python(code)
    assert (result.stdout.strip(), result.stderr, result.returncode) == ("7", "", 0)


@pytest.mark.parametrize("given", ["1", "0", None])
def test_mlx_never_rounds_to_tf32(given):
    require_backend("mlx")
    code = (
        "import os, engine\n"
        f"value = {given!r}\n"
        "os.environ.pop('MLX_ENABLE_TF32', None)\n"
        "if value is not None: os.environ['MLX_ENABLE_TF32'] = value\n"
        "engine.get_backend('mlx')\n"
        "print(os.environ['MLX_ENABLE_TF32'])"
    )
    assert run_python(code).stdout.strip() == "0"


def test_a_worker_runs_on_one_thread_of_its_own():
    worker = Worker("test worker")
    names = set()
    in_threads(lambda _: names.add(worker.call(lambda: threading.current_thread().name)), count=6)
    assert names == {"test worker"}
    assert worker.call(lambda: worker.call(lambda: 5)) == 5
    worker.stop()


def test_a_worker_that_has_ended_says_so():
    worker = Worker("test worker")
    last = []
    worker.stop(last=lambda: last.append(threading.current_thread().name))
    worker.stop()
    assert last == ["test worker"]
    with pytest.raises(BackendError, match="worker has ended"):
        worker.call(lambda: 1)


def test_a_worker_survives_any_error():
    worker = Worker("test worker")

    def fail():
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        worker.call(fail)
    assert worker.call(lambda: 2) == 2
    worker.stop()
