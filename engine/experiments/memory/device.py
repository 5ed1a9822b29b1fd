"""The machine that a run was measured on."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from engine.backends import Backend
from engine.backends.machine import processor_name
from engine.backends.machine_memory import machine_bytes
from engine.backends.mlx_support import installed_version


@dataclass(frozen=True)
class Machine:
    """What a measurement depends on.

    Attributes
    ----------
    backend_name : str
        ``"mlx"`` or ``"numpy"``.
    kind : str
        ``"cpu"`` or ``"gpu"``.
    device : str
        Short proper name of what computed: of the processor, or of the GPU.
    processor : str
        Short proper name of the processor.
    system : str
        Operating system and its version.
    python : str
        Version of Python.
    library : str
        Library and version, such as ``"NumPy 2.4.0"``.
    cores : int
        Logical cores that the process may use.
    memory_bytes : int
        Memory of the machine, or of the container it runs in.
    date : str
        When it was measured, in ISO 8601, UTC.
    """

    backend_name: str
    kind: str
    device: str
    processor: str
    system: str
    python: str
    library: str
    cores: int
    memory_bytes: int
    date: str


def machine_of(backend: Backend) -> Machine:
    """Return what this machine is called now, with a backend that works on it."""
    library = f"MLX {installed_version()}" if backend.name == "mlx" else f"NumPy {np.__version__}"
    return Machine(
        backend_name=backend.name,
        kind=backend.kind,
        device=backend.device_name,
        processor=processor_name(),
        system=_system(),
        python=platform.python_version(),
        library=library,
        cores=_cores(),
        memory_bytes=machine_bytes(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _system() -> str:
    version = platform.mac_ver()[0]
    return f"macOS {version}" if version else f"{platform.system()} {platform.release()}"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
