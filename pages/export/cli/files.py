"""Files that come all together or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pages.export.cli.errors import WriteError, unwritable
from pages.export.cli.produce import Files


def refuse_unwritable(folders: Iterable[Path]) -> None:
    """Refuse a folder that cannot be written, before anything is drawn for it.

    Raises
    ------
    WriteError
        When the folder, or the nearest one above it that exists, is none or is closed to us.
    """
    for folder in folders:
        place = folder
        while not place.exists() and place != place.parent:
            place = place.parent
        if not place.is_dir():
            raise WriteError(
                "{path} could not be written: {place} is a file, not a folder.",
                path=str(folder),
                place=str(place),
            )
        if not os.access(place, os.W_OK | os.X_OK):
            raise WriteError(
                "{path} could not be written: you may not write to {place}.",
                path=str(folder),
                place=str(place),
            )


def write(files: Files) -> None:
    """Write all files: first each beside its place, then all of them into their places.

    A file that exists is replaced.

    Raises
    ------
    WriteError
        When one of them cannot be written. Nothing half-written stays, and no new folder.
    """
    made: list[Path] = []
    waiting: dict[Path, Path] = {}
    try:
        for path, content in files.items():
            made += _make_folder(path.parent)
            if path.is_dir():
                raise WriteError("{path} could not be written: it is a folder.", path=str(path))
            # Its process number keeps two runs apart.
            beside = path.with_name(f".{path.name}.{os.getpid()}.part")
            waiting[path] = beside
            _write_beside(path, beside, content)
        for path in files:
            _rename(waiting[path], path)
    except BaseException:
        _clean_up(waiting.values(), made)
        raise


def _make_folder(folder: Path) -> list[Path]:
    """Make a folder and those above it, and return those that were missing."""
    missing = []
    place = folder
    while not place.exists():
        missing.append(place)
        place = place.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _clean_up((), missing[::-1])
        raise unwritable(folder, error) from None
    return missing[::-1]


def _write_beside(path: Path, beside: Path, content: bytes) -> None:
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())  # a full disk may show itself only here
    except OSError as error:
        raise unwritable(path, error) from None


def _rename(beside: Path, path: Path) -> None:
    try:
        beside.replace(path)
    except OSError as error:
        raise unwritable(path, error) from None


def _clean_up(files: Iterable[Path], folders: Iterable[Path]) -> None:
    """Remove what was begun; a folder stays where somebody put something into it."""
    for file in files:
        with suppress(OSError):
            file.unlink(missing_ok=True)
    for folder in reversed(list(folders)):
        with suppress(OSError):
            folder.rmdir()
