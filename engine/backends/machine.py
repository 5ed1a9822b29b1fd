"""What this machine is called and what it can load, asked without importing any backend."""

from __future__ import annotations

import ctypes
import platform
import sys
from pathlib import Path


def processor_name() -> str:
    """Return a short proper name: ``Apple M3 Max``, ``AMD EPYC``, or ``Linux x86_64``."""
    brand = _apple_text("machdep.cpu.brand_string") if sys.platform == "darwin" else _linux_name()
    return brand or f"{platform.system()} {platform.machine()}"


def _linux_name(source: Path = Path("/proc/cpuinfo")) -> str:
    """Return the model of the first processor that Linux lists, empty where it lists none."""
    try:
        lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    names = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return " ".join(next(names, "").split())


def is_translated() -> bool:
    """Say whether an Intel Python runs under Rosetta on Apple silicon."""
    return sys.platform == "darwin" and _apple_number("sysctl.proc_translated") == 1


def macos_version() -> tuple[int, ...]:
    """Return the version of macOS, such as (14, 5), empty elsewhere."""
    return version_numbers(platform.mac_ver()[0])


def glibc_version() -> tuple[int, ...]:
    """Return the version of glibc, empty where the C library is another."""
    library, version = platform.libc_ver()
    return version_numbers(version) if library == "glibc" else ()


def version_numbers(text: str) -> tuple[int, ...]:
    """Return the leading whole numbers of a version: ``0.32.1.dev4`` gives (0, 32, 1)."""
    numbers: list[int] = []
    for part in text.split("."):
        if not part.isdecimal():
            break
        numbers.append(int(part))
    return tuple(numbers)


def _sysctl(name: str, buffer: ctypes.Array[ctypes.c_char]) -> bool:
    try:
        system = ctypes.CDLL(None)
        size = ctypes.c_size_t(len(buffer))
        answer = system.sysctlbyname(name.encode(), buffer, ctypes.byref(size), None, 0)
    except (OSError, AttributeError):
        return False
    return bool(answer == 0)


def _apple_text(name: str) -> str:
    buffer = ctypes.create_string_buffer(256)
    return buffer.value.decode(errors="replace") if _sysctl(name, buffer) else ""


def _apple_number(name: str) -> int:
    buffer = ctypes.create_string_buffer(4)
    return int.from_bytes(buffer.raw, sys.byteorder) if _sysctl(name, buffer) else 0
