"""Files that wait beside their places and are put there all together or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pages.export.cli.errors import unwritable


@dataclass(frozen=True)
class Waiting:
    """A file that is written but not yet in its place.

    Parameters
    ----------
    path : Path
        As a person named it.
    place : Path
        Where it really goes, behind links.
    """

    path: Path
    place: Path
    # Unlike the name it will have, this one is short and nobody's yet.
    mark: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def beside(self) -> Path:
        """Where it waits."""
        return self.place.with_name(f".{self.mark}.part")

    @property
    def earlier(self) -> Path:
        """Where the file that it replaces is kept until all are in place."""
        return self.place.with_name(f".{self.mark}.old")


def place_all(files: Sequence[Waiting]) -> None:
    """Put every file into its place, or leave every place as it was.

    Raises
    ------
    WriteError
        When one of them cannot be put there.
    """
    placed: list[Waiting] = []
    fresh = [file for file in files if not file.place.exists()]
    try:
        for file in files:
            _place(file)
            placed.append(file)
    except BaseException:
        for file in placed:
            _take_back(file, fresh)
        raise
    finally:
        for file in files:
            with suppress(OSError):
                file.earlier.unlink(missing_ok=True)


def _place(file: Waiting) -> None:
    with suppress(OSError):  # there is none, or the file system knows no second name for a file
        file.earlier.hardlink_to(file.place)
    try:
        file.beside.replace(file.place)
    except OSError as error:
        raise unwritable(file.path, error) from None


def _take_back(file: Waiting, fresh: Sequence[Waiting]) -> None:
    with suppress(OSError):
        if file in fresh:
            file.place.unlink()
        else:
            file.earlier.replace(file.place)
