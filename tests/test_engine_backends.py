"""Which backends there are, why one is missing, and what each promises."""

from __future__ import annotations

import inspect
import os
import platform
import subprocess
import sys
import tracemalloc
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import engine
from engine import BackendError, EngineError, available_backends, backend_statuses, get_backend
from engine.backends import fused, machine, mlx_support, registry
from tests import conftest
from tests.conftest import require_backend

ROOT = Path(__file__).resolve().parent.parent


def run_python(code, **environment):
    """Run code in a fresh interpreter, warnings as errors."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def fresh_registry(monkeypatch):
    """A registry that has looked nothing up yet."""
    monkeypatch.setattr(registry, "_found", {})


def test_importing_the_engine_loads_numpy_only():
    code = (
        "import sys, engine\n"
        "heavy = {'mlx', 'streamlit', 'altair', 'pandas', 'pages'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    result = run_python(code)
    assert result.stdout.strip() == "[]", result.stdout + result.stderr


def test_the_public_names_exist_and_are_documented():
    assert list(engine.__all__) == sorted(engine.__all__)
    for name in engine.__all__:
        assert inspect.getdoc(getattr(engine, name)), name


def test_numpy_is_always_there():
    backend = get_backend("numpy")
    assert (backend.name, backend.kind, backend.precision) == ("numpy", "cpu", "float64")
    assert get_backend("numpy") is backend


def test_a_backend_describes_itself(backend):
    assert backend.name in available_backends()
    assert backend.device.endswith(".")
    assert backend.device_name in backend.device
    assert backend.kind in ("cpu", "gpu")


def test_every_known_backend_has_a_status():
    statuses = backend_statuses()
    assert [status.name for status in statuses] == ["mlx", "numpy"]
    assert [status.name for status in statuses if status.automatic] == [get_backend().name]
    for status in statuses:
        assert status.available == (status.reason is None) == bool(status.device)
        assert status.available == (status.name in available_backends())


@pytest.mark.parametrize(("kind", "order"), [("gpu", ("mlx", "numpy")), ("cpu", ("numpy", "mlx"))])
@pytest.mark.usefixtures("fresh_registry")
def test_mlx_is_picked_only_with_a_gpu(monkeypatch, kind, order):
    found = SimpleNamespace(name="mlx", kind=kind, device_name="M", precision="float32")
    monkeypatch.setattr(registry, "load_mlx_backend", lambda: found)
    assert available_backends() == order
    assert get_backend().name == order[0]
    assert get_backend("mlx") is found
    assert [s.name for s in backend_statuses() if s.automatic] == [order[0]]


@pytest.mark.usefixtures("fresh_registry")
def test_a_missing_backend_says_why(monkeypatch):
    tries = []

    def load():
        tries.append(1)
        raise BackendError("MLX is not for {machine}.", machine="a toaster")

    monkeypatch.setattr(registry, "load_mlx_backend", load)
    assert available_backends() == ("numpy",)
    assert get_backend().name == "numpy"
    depths = []
    for _ in range(3):
        with pytest.raises(BackendError, match=r"^MLX is not for a toaster\.$") as caught:
            get_backend("mlx")
        depths.append(len(caught.traceback))
    assert len(set(depths)) == 1  # the error is kept, but not where it was raised before
    status = backend_statuses()[0]
    assert (status.available, status.automatic, status.kind, status.device) == (
        False,
        False,
        "",
        "",
    )
    assert str(status.reason) == "MLX is not for a toaster."
    assert len(tries) == 1


def pretend(monkeypatch, *, system="Darwin", processor="arm64", macos=(15, 1), glibc=(2, 36),
            translated=False, version="0.32.4"):  # fmt: skip
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: processor)
    monkeypatch.setattr(machine, "is_translated", lambda: translated)
    monkeypatch.setattr(machine, "macos_version", lambda: macos)
    monkeypatch.setattr(machine, "glibc_version", lambda: () if system == "Darwin" else glibc)

    def installed(_):
        if version is None:
            raise metadata.PackageNotFoundError("mlx")
        return version

    monkeypatch.setattr(metadata, "version", installed)


UNFIT: dict[str, tuple[dict[str, Any], str]] = {
    "Rosetta": ({"translated": True, "processor": "x86_64"}, "runs under Rosetta"),
    "Intel": ({"processor": "x86_64"}, "has an Intel processor"),
    "old macOS": ({"macos": (13, 6)}, r"macOS 14 or newer, but this is macOS 13\.6"),
    "no package": ({"version": None}, "mlx is not installed"),
    "no package on Linux": ({"system": "Linux", "version": None}, "mlx is not installed"),
    "old glibc": (
        {"system": "Linux", "version": None, "glibc": (2, 31)},
        r"glibc 2\.35 or newer, but this system has 2\.31",
    ),
    "old package": ({"version": "0.31.2"}, r"at least 0\.32\.1, got 0\.31\.2"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_machine_that_mlx_does_not_fit_is_told_why(monkeypatch, case):
    facts, sentence = UNFIT[case]
    pretend(monkeypatch, **facts)
    with pytest.raises(BackendError, match=sentence) as caught:
        mlx_support.refuse_unfit_machine()
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_a_fit_machine_passes(monkeypatch):
    pretend(monkeypatch)
    mlx_support.refuse_unfit_machine()


def test_a_library_that_does_not_load_says_what_it_said(monkeypatch):
    pretend(monkeypatch, system="Linux")
    error = mlx_support.load_failure(ImportError("libmlx.so: cannot\nopen it."))
    assert str(error).endswith("does not load on this machine: libmlx.so: cannot open it.")
    pretend(monkeypatch, system="Linux", glibc=(2, 28))
    assert "glibc 2.35" in str(mlx_support.load_failure(ImportError("GLIBC_2.35 not found")))


@pytest.mark.usefixtures("fresh_registry")
def test_a_missing_library_ends_in_a_reason(monkeypatch):
    require_backend("mlx")
    monkeypatch.setattr(registry, "_found", {})

    def fail(name):
        raise ImportError(f"no {name} here")

    monkeypatch.setattr("importlib.import_module", fail)
    with pytest.raises(BackendError, match=r"does not load on this machine: no mlx\.core here\."):
        get_backend("mlx")


def test_versions_are_compared_as_numbers():
    assert machine.version_numbers("0.32.10") > machine.version_numbers("0.32.9")
    assert machine.version_numbers("0.32.1.dev4") == (0, 32, 1)
    assert machine.version_numbers("") == ()


def test_this_machine_has_a_name():
    assert machine.processor_name()


def test_linux_names_its_processor(tmp_path):
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor\t: 0\nmodel name\t: Some  CPU @ 3 GHz\nmodel name\t: Other\n")
    assert machine._linux_name(listing) == "Some CPU @ 3 GHz"
    assert machine._linux_name(tmp_path / "missing") == ""
    listing.write_text("processor : 0\n")
    assert machine._linux_name(listing) == ""


def test_a_backend_missing_on_ci_fails_and_elsewhere_skips(monkeypatch):
    missing = SimpleNamespace(name="mlx", available=False, reason=EngineError("Not here."))
    monkeypatch.setattr(conftest, "backend_statuses", lambda: (missing,))
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="mlx is missing: Not here"):
        require_backend("mlx")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="Not here"):
        require_backend("mlx")


# --- what run and measure promise --------------------------------------------------------------


def test_run_converts_in_and_out(backend):
    def compute(_, a, whole, flags, *, factor):
        return {"sum": a + factor, "parts": (whole, [flags]), "plain": factor}

    result = backend.run(compute, np.ones((2, 2)), np.array([3]), np.array([True]), factor=2)
    assert isinstance(result["sum"], np.ndarray)
    assert result["sum"].dtype == backend.precision
    np.testing.assert_array_equal(result["sum"], np.full((2, 2), 3.0))
    assert isinstance(result["parts"], tuple)
    assert result["parts"][0].dtype.kind == "i"
    assert result["parts"][1][0].dtype == np.bool_
    assert result["plain"] == 2


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_run_keeps_the_shorter_floats(backend, dtype):
    assert backend.run(lambda xp, a: xp.exp(a), np.ones(3, dtype)).dtype == dtype


def test_mlx_gives_bfloat16_back_as_float32():
    backend = require_backend("mlx")
    result = backend.run(lambda xp, a: a.astype(xp.bfloat16), np.array([1.0, 2.5]))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, [1.0, 2.5])


def test_overflow_in_run_gives_infinity_without_a_warning(backend):
    large = np.array([np.finfo(backend.precision).max])
    assert backend.run(lambda _, a: a * 2, large)[0] == np.inf


def test_an_error_in_a_computation_reaches_the_caller(backend):
    def compute(_):
        raise ZeroDivisionError("as it was")

    with pytest.raises(ZeroDivisionError, match="as it was"):
        backend.run(compute)
    assert backend.run(lambda xp: xp.array([1.0]))[0] == 1.0


def test_out_of_memory_is_one_sentence(backend):
    def compute(_):
        raise MemoryError("Unable to allocate 8 TiB.")

    with pytest.raises(BackendError, match=r"needs more memory.*Unable to allocate 8.*shorter"):
        backend.run(compute)


def test_mlx_reports_its_own_memory_errors_as_such():
    def compute(_):
        raise RuntimeError("[malloc] Unable to allocate 8 bytes.")

    with pytest.raises(BackendError, match=r"MLX needs more memory.*Unable to allocate 8 bytes\)"):
        require_backend("mlx").run(compute)


def test_numpy_really_runs_out_of_memory():
    with pytest.raises(BackendError, match="NumPy needs more memory than this machine has"):
        get_backend("numpy").run(lambda xp: xp.empty((2**24, 2**24)))


def test_another_runtime_error_is_not_called_memory():
    def compute(_):
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        require_backend("mlx").run(compute)


def test_a_computation_may_use_its_backend_again(backend):
    def compute(xp, a):
        return xp.array(backend.run(lambda _, b: b + 1, np.ones(2))) + a

    np.testing.assert_array_equal(backend.run(compute, np.ones(2)), [3.0, 3.0])


def test_measure_counts_time_and_memory(backend):
    side = 500
    array = np.ones((side, side))
    measured = backend.measure(lambda xp, a: xp.matmul(a, a), array, repeats=2)
    one_matrix = side * side * np.dtype(backend.precision).itemsize
    assert measured.seconds > 0
    assert one_matrix <= measured.peak_bytes < 3 * one_matrix


def test_measure_sees_an_intermediate_that_is_gone_at_the_end(backend):
    def compute(xp, a):
        return xp.sum(xp.exp(a[:, None] - a[None, :]))

    T = 1000
    measured = backend.measure(compute, np.ones(T), repeats=1)
    assert measured.peak_bytes >= T * T * np.dtype(backend.precision).itemsize


def test_measure_leaves_inputs_and_earlier_work_out(backend):
    array = np.ones((500, 500))
    size = array.size * np.dtype(backend.precision).itemsize
    assert backend.measure(lambda xp, a: xp.matmul(a, a), array, repeats=1).peak_bytes >= size
    assert backend.measure(lambda xp, a: xp.sum(a), array, repeats=1).peak_bytes < size / 4


def test_numpy_measures_while_memory_is_already_traced():
    tracemalloc.start()
    try:
        np.ones(10**7).sum()  # large, and gone before the measurement
        measured = get_backend("numpy").measure(lambda _, a: a + 1, np.ones(10**5), repeats=1)
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()
    assert 8e5 <= measured.peak_bytes < 2e6


@pytest.mark.parametrize("sizes", [(1, 32, 32768, 64), (8, 32, 8192, 128), (1, 1, 12, 2)])
def test_one_mlx_evaluation_is_bounded(sizes):
    B, H, T, D = sizes
    q = np.broadcast_to(np.float16(0), (B, H, T, D))
    call = fused.FusedCall(q, q, q, mask=None, bias=None, causal=False, scale=1.0)
    blocks = list(call._blocks(None))
    longest = max(block.stop - block.start for block in blocks)
    assert [i for block in blocks for i in range(block.start, block.stop)] == list(range(T))
    assert 4 * B * H * longest * T <= fused.MOST_SCORE_BYTES
    assert 4 * B * H * longest * T * D <= fused.MOST_OPERATIONS
