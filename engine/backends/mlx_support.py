"""Whether this machine can run MLX, found out without importing it."""

from __future__ import annotations

import importlib.metadata
import platform

from engine.backends import machine
from engine.errors import BackendError

OLDEST = (0, 32, 1)  # before it, running out of memory ends the process
OLDEST_GLIBC = (2, 35)
OLDEST_MACOS = (14,)


def refuse_unfit_machine() -> None:
    """Raise a BackendError, with the reason, where MLX cannot work.

    Raises
    ------
    BackendError
        On an Intel Mac, under Rosetta, before macOS 14, or where the package is missing or old.
    """
    if platform.system() == "Darwin":
        _refuse_unfit_mac()
    version = installed_version()
    if version is None:
        raise _missing_package()
    if machine.version_numbers(version) < OLDEST:
        raise BackendError(
            "MLX must be at least {oldest}, got {version}; update it with pip install -U mlx.",
            oldest=_dotted(OLDEST),
            version=version,
        )


def load_failure(error: BaseException) -> BackendError:
    """Say why MLX, although installed, does not load."""
    detail = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    glibc = machine.glibc_version()
    if glibc and glibc < OLDEST_GLIBC:
        return _old_glibc(glibc)
    return BackendError(
        "MLX is installed but does not load on this machine: {detail}.", detail=detail
    )


def installed_version() -> str | None:
    """Return the version of the installed package, None where there is none."""
    try:
        return importlib.metadata.version("mlx")
    except importlib.metadata.PackageNotFoundError:
        return None


def _refuse_unfit_mac() -> None:
    if machine.is_translated():
        raise BackendError(
            "MLX needs a native Python, but this one runs under Rosetta; install Python for "
            "Apple silicon (arm64)."
        )
    if platform.machine() != "arm64":
        raise BackendError(
            "MLX needs Apple silicon, but this Mac has an Intel processor; NumPy does the work."
        )
    version = machine.macos_version()
    if version and version < OLDEST_MACOS:
        raise BackendError(
            "MLX needs macOS 14 or newer, but this is macOS {version}; update macOS.",
            version=_dotted(version),
        )


def _missing_package() -> BackendError:
    glibc = machine.glibc_version()
    if glibc and glibc < OLDEST_GLIBC:
        return _old_glibc(glibc)
    return BackendError(
        "The Python package mlx is not installed; on Apple silicon, pip install mlx adds it."
    )


def _old_glibc(glibc: tuple[int, ...]) -> BackendError:
    return BackendError(
        "MLX on Linux needs glibc 2.35 or newer, but this system has {version}.",
        version=_dotted(glibc),
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
