"""Which backends there are, which work here, and which one is picked by itself."""

from __future__ import annotations

import threading

from engine.backends.base import Backend, BackendStatus
from engine.backends.mlx_backend import load_mlx_backend
from engine.backends.numpy_backend import NumpyBackend
from engine.errors import BackendError, OptionError

KNOWN = ("mlx", "numpy")
PRECISION = {"mlx": "float32", "numpy": "float64"}

_lock = threading.Lock()
_found: dict[str, Backend | BackendError] = {}


def get_backend(name: str | None = None) -> Backend:
    """Return a backend by name, or the best one for this machine.

    Parameters
    ----------
    name : {"mlx", "numpy"}, optional
        None picks MLX where it has a GPU, else NumPy.

    Raises
    ------
    OptionError
        If the name is unknown.
    BackendError
        If that backend does not work on this machine, with the reason.
    """
    found = _look_up(_automatic() if name is None else name)
    if isinstance(found, BackendError):
        raise found.with_traceback(None)
    return found


def available_backends() -> tuple[str, ...]:
    """Return the names of the backends that work here, the automatic one first."""
    best = _automatic()
    names = [name for name in KNOWN if not isinstance(_look_up(name), BackendError)]
    return tuple(sorted(names, key=lambda name: name != best))


def backend_statuses() -> tuple[BackendStatus, ...]:
    """Describe every backend the product knows, available here or not."""
    return tuple(_status(name) for name in KNOWN)


def _status(name: str) -> BackendStatus:
    found = _look_up(name)
    if isinstance(found, BackendError):
        return BackendStatus(name, False, False, "", "", PRECISION[name], found)
    return BackendStatus(
        name, True, name == _automatic(), found.kind, found.device_name, found.precision, None
    )


def _automatic() -> str:
    found = _look_up("mlx")
    # MLX on a CPU is some 20 to 40 times slower than NumPy: only ever chosen by name.
    return "numpy" if isinstance(found, BackendError) or found.kind != "gpu" else "mlx"


def _look_up(name: str) -> Backend | BackendError:
    if name not in KNOWN:
        raise OptionError(
            "`backend` must be one of {known}, got {name}.",
            known=", ".join(KNOWN),
            name=repr(name),
        )
    with _lock:
        if name not in _found:
            _found[name] = _load(name)
        return _found[name]


def _load(name: str) -> Backend | BackendError:
    if name == "numpy":
        return NumpyBackend()
    try:
        return load_mlx_backend()
    except BackendError as error:
        return error
