"""The machine that a run was measured on."""

from __future__ import annotations

import platform
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from engine.backends import Backend
from engine.backends.machine import processor_name
from engine.backends.machine_memory import machine_bytes
from engine.backends.mlx_support import installed_version
from engine.backends.threads import available_cores

LONGEST_NAME = 80
# In names of processors and systems beside letters and digits: "Intel(R) Xeon(R) CPU @ 2.20GHz".
_MARKS = frozenset(" .,-+/()@&'#_")


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


def is_name(text: str) -> bool:
    """Say whether a text is a plain name: no mark in it asks a page for a link, image or formula.

    Letters and digits of any script, spaces and . , - + / ( ) @ & ' # _, at most ``LONGEST_NAME``.
    """
    return bool(text.strip()) and len(text) <= LONGEST_NAME and all(map(_is_plain, text))


def named(text: str) -> str:
    """Return a name of this machine without what a plain name has not: ``Core™`` is ``Core``."""
    plain = "".join(letter if _is_plain(letter) else " " for letter in text)
    return " ".join(plain.split())[:LONGEST_NAME].strip() or "unknown"


def _is_plain(letter: str) -> bool:
    """Say whether a name may hold a letter; vowel signs of many scripts are marks (M)."""
    category = unicodedata.category(letter)
    return letter in _MARKS or category[0] in "LM" or category == "Nd"


def machine_of(backend: Backend) -> Machine:
    """Return what this machine is called now, with a backend that works on it."""
    library = f"MLX {installed_version()}" if backend.name == "mlx" else f"NumPy {np.__version__}"
    return Machine(
        backend_name=backend.name,
        kind=backend.kind,
        device=named(backend.device_name),
        processor=named(processor_name()),
        system=named(_system()),
        python=named(platform.python_version()),
        library=named(library),
        cores=available_cores(),
        memory_bytes=machine_bytes(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _system() -> str:
    version = platform.mac_ver()[0]
    return f"macOS {version}" if version else f"{platform.system()} {platform.release()}"
