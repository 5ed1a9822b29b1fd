"""Slides, and every file that is asked for, in memory: nothing is written here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pages.export.cli.errors import RequestError
from pages.export.cli.request import Request
from pages.export.deck import deck_bytes, slide_bytes
from pages.export.deck_json import deck_from_json
from pages.export.limits import LARGEST_FILE
from pages.export.names import file_name
from pages.export.slides import Deck, slide_of
from pages.gallery import prepare

Files = dict[Path, bytes]
Step = Callable[[int], object]


def slides_of(request: Request) -> Deck:
    """Return the slides asked for, drawn or read.

    Raises
    ------
    EngineError
        When something asked for does not exist, does not apply, or cannot be computed.
    """
    if request.source is not None:
        return deck_from_json(_read(request.source))
    exhibits = prepare(request.figures, request.assignments, request.backend)
    return tuple(slide_of(exhibit, request.style) for exhibit in exhibits)


def steps_of(request: Request, deck: Deck) -> int:
    """Return how many steps `files_of` takes: each slide once for every format."""
    kinds = len(request.formats) if request.folder is not None else 0
    return len(deck) * (kinds + (request.deck is not None))


def files_of(request: Request, deck: Deck, step: Step) -> Files:
    """Return every file with its content; ``step(1)`` is called after each step.

    Raises
    ------
    ExportError
        When a figure cannot be drawn, or a character of it would come out as a box.
    """
    files: Files = {}
    if request.folder is not None:
        for slide in deck:
            for format_ in request.formats:
                name = file_name(slide.figure, format_, slide.style)
                files[_unused(request.folder / name, files)] = slide_bytes(slide, format_)
                step(1)
    if request.deck is not None:
        kind = request.deck.suffix.lower().removeprefix(".")
        last = 0

        def report(done: int, _total: int) -> None:
            nonlocal last
            step(done - last)
            last = done

        files[_unused(request.deck, files)] = deck_bytes(deck, kind, progress=report)
    return files


def _unused(path: Path, files: Files) -> Path:
    """Return the path, numbered where a slide of the same name came before."""
    number, free = 1, path
    while free in files:
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return bytes(LARGEST_FILE + 1)
        return path.read_bytes()
    except OSError as error:
        raise RequestError(
            "{path} could not be read: {reason}.",
            path=str(path),
            reason=error.strerror or type(error).__name__,
        ) from None
