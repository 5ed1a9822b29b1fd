"""Whether a file of the hub's cache is whole, and what removes one that is not."""

from __future__ import annotations

import hashlib
from pathlib import Path

from engine.errors import ModelError
from engine.models.files import FILES, WEIGHTS, read_json
from engine.models.weights import require_header

_SHA256_DIGITS = 64


def is_whole(path: Path, size: int, mark: str) -> bool:
    """Say whether a file has the size and, where it is a SHA-256, the mark the hub says.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    return path.stat().st_size == size and _has_mark(path, mark)


def is_readable(folder: Path, name: str) -> bool:
    """Say whether one of a model's files is what its name says; what it describes may be anything.

    Quick: of weights only what they say of themselves is read.
    """
    try:
        if name == WEIGHTS:
            require_header(folder)
        else:
            read_json(folder, name)
    except ModelError:
        return False
    return True


def is_undamaged(snapshot: Path) -> bool:
    """Say whether the three files of a snapshot are what the hub gave, as far as they tell.

    The library names what it fetched by its mark, and links to it: weights that changed no
    longer fit theirs.
    """
    try:
        return all(is_readable(snapshot, name) for name in FILES) and _has_mark(
            snapshot / WEIGHTS, (snapshot / WEIGHTS).resolve().name
        )
    except OSError:
        return False


def remove(path: Path) -> None:
    """Remove a file from the cache, under its name and where it really lies.

    Raises
    ------
    OSError
        If the system does not let it be removed.
    """
    real = path.resolve()
    path.unlink(missing_ok=True)
    real.unlink(missing_ok=True)


def _has_mark(path: Path, mark: str) -> bool:
    if len(mark) != _SHA256_DIGITS:
        return True
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == mark
