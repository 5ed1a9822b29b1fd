"""Files that come all together or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pages.export.cli.errors import WriteError, unwritable
from pages.export.cli.placing import Waiting, place_all
from pages.export.cli.stopping import held

Files = dict[Path, bytes]


def resolved(path: Path) -> Path:
    """Return where a file or folder really lies, behind links and however it is spelt.

    Raises
    ------
    WriteError
        When that cannot be told.
    """
    try:
        return path.resolve()
    except RuntimeError:
        raise unwritable(path, OSError(errno.ELOOP, os.strerror(errno.ELOOP))) from None
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def refuse_unwritable(folders: Iterable[Path]) -> None:
    """Refuse a folder that cannot be written, before anything is drawn for it.

    Raises
    ------
    WriteError
        When the folder, or the nearest one above it that exists, is none or is closed to us.
    """
    for folder in folders:
        place = resolved(folder)
        while (mode := _mode(folder, place)) is None and place != place.parent:
            place = place.parent
        if mode is None or not stat.S_ISDIR(mode):
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


def refuse_unfit(path: Path) -> None:
    """Refuse a file that cannot be replaced by another, or whose name no file can have.

    Raises
    ------
    WriteError
        When something other than a file is there, or the system refuses to look.
    """
    mode = _mode(path, resolved(path))
    if mode is None or stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise WriteError("{path} could not be written: it is a folder.", path=str(path))
    raise WriteError("{path} could not be written: it is not an ordinary file.", path=str(path))


def _mode(path: Path, place: Path) -> int | None:
    """Return what kind of thing is at ``place``, for the sake of ``path``; None for nothing."""
    try:
        return place.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from None


def write(files: Files) -> None:
    """Write all files: first each beside its place, then all of them into their places.

    A file that exists is replaced; where it is a link, the file behind it is.

    Raises
    ------
    WriteError
        When one of them cannot be written. Nothing half-written stays, and no new folder.
    """
    made: list[Path] = []
    waiting: list[Waiting] = []
    try:
        for path, content in files.items():
            file = Waiting(path, resolved(path))
            _make_folder(file.place.parent, made)
            refuse_unfit(path)
            waiting.append(file)
            _write_beside(file, content)
        with held():
            place_all(waiting)
    except BaseException:
        with held():
            _clean_up(waiting, made)
        raise


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder and those above it; ``made`` receives those that were missing."""
    missing = []
    place = folder
    try:
        while not place.exists():
            missing.append(place)
            place = place.parent
        made += missing[::-1]  # first, so that a stop in between leaves none behind
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise unwritable(folder, error) from None


def _write_beside(file: Waiting, content: bytes) -> None:
    try:
        with file.beside.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())  # a full disk may show itself only here
    except OSError as error:
        raise unwritable(file.path, error) from None


def _clean_up(files: Iterable[Waiting], folders: Iterable[Path]) -> None:
    """Remove what was begun; a folder stays where somebody put something into it."""
    for file in files:
        with suppress(OSError):
            file.beside.unlink(missing_ok=True)
    for folder in reversed(list(folders)):
        with suppress(OSError):
            folder.rmdir()
