"""Slides, and every file that is asked for, in memory: nothing is written here."""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pages.export.cli.drawing import Drawing
from pages.export.cli.errors import RequestError, reason_of
from pages.export.cli.files import Files, resolved
from pages.export.cli.request import Request
from pages.export.deck import Each, deck_bytes, slide_bytes
from pages.export.deck_json import deck_from_json
from pages.export.limits import LARGEST_FILE
from pages.export.names import file_name
from pages.export.slides import Deck, Slide, slide_of
from pages.gallery import Exhibit, prepare
from pages.gallery.model import Listener

Step = Callable[[int], object]


@dataclass(frozen=True)
class Job:
    """One slide as one file.

    Parameters
    ----------
    path : Path
        Where it goes.
    slide : Slide
    format : str
    """

    path: Path
    slide: Slide
    format: str


def slides_of(request: Request, computed: Listener | None = None) -> Deck:
    """Return the slides asked for, drawn or read; ``computed`` hears what share is computed.

    Raises
    ------
    EngineError
        When something asked for does not exist, does not apply, or cannot be computed or drawn.
    """
    if request.source is not None:
        return deck_from_json(_read(request.source))
    exhibits = prepare(request.figures, request.assignments, request.backend, computed)
    return _drawn(exhibits, request)


def _drawn(exhibits: Iterable[Exhibit], request: Request) -> Deck:
    deck = []
    with Drawing() as now:
        for exhibit in exhibits:
            now.name = exhibit.entry.name
            deck.append(slide_of(exhibit, request.style))
    return tuple(deck)


def jobs_of(request: Request, deck: Deck) -> list[Job]:
    """Return the files of single slides; one of the same name as another gets a number.

    Raises
    ------
    EngineError
        When the file of the deck would be one of them, or a place cannot be told.
    """
    jobs = _numbered(deck, request.folder, request.formats) if request.folder is not None else []
    if request.deck is not None and _place(request.deck) in {_place(job.path) for job in jobs}:
        raise RequestError(
            "{path} is the name of a figure's file in the folder of --to; give the file of --deck "
            "another one.",
            path=str(request.deck),
        )
    return jobs


def _numbered(deck: Deck, folder: Path, formats: Iterable[str]) -> list[Job]:
    jobs: list[Job] = []
    taken: set[str] = set()
    for slide in deck:
        for format_ in formats:
            path = _unused(folder / file_name(slide.figure, format_, slide.style), taken)
            taken.add(_place(path))
            jobs.append(Job(path, slide, format_))
    return jobs


def steps_of(request: Request, jobs: Iterable[Job], deck: Deck) -> int:
    """Return how many steps `files_of` takes: each file one, and each slide of the deck."""
    return len(list(jobs)) + (len(deck) if request.deck is not None else 0)


def drawings_of(request: Request, jobs: Iterable[Job], deck: Deck) -> int:
    """Return how often `files_of` draws: data and saved decks are only written."""
    saved = request.deck is None or _suffix(request.deck) == "json"
    return sum(job.format != "csv" for job in jobs) + (0 if saved else len(deck))


def files_of(
    request: Request, jobs: Sequence[Job], deck: Deck, step: Step, each: Each = map
) -> Files:
    """Return every file with its content; ``step(1)`` is called after each step.

    ``each`` draws all, as ``map`` does.

    Raises
    ------
    EngineError
        When a figure cannot be drawn, or a character of it would come out as a box.
    """
    files: Files = {}
    with Drawing() as now:
        drawn = each(slide_bytes, [job.slide for job in jobs], [job.format for job in jobs])
        for job in jobs:
            now.name = job.slide.figure.name
            files[job.path] = next(drawn)
            step(1)
        if request.deck is not None:
            files[request.deck] = _together(request.deck, deck, now, step, each)
    return files


def _together(path: Path, deck: Deck, now: Drawing, step: Step, each: Each) -> bytes:
    """Return the file of the whole deck."""
    last = 0

    def report(done: int, _total: int) -> None:
        nonlocal last
        step(done - last)
        last = done
        now.name = deck[min(done, len(deck) - 1)].figure.name

    return deck_bytes(deck, _suffix(path), progress=report, each=each)


def _suffix(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def _unused(path: Path, taken: set[str]) -> Path:
    """Return the path, numbered where a slide of the same name came before."""
    number, free = 1, path
    while _place(free) in taken:
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _place(path: Path) -> str:
    """Return what two spellings of one file share; a Mac makes no difference of capitals."""
    return unicodedata.normalize("NFC", str(resolved(path))).casefold()


def _read(path: Path) -> bytes:
    """Return what a file holds, or one byte more than may be read."""
    try:
        ordinary = stat.S_ISREG(path.stat().st_mode)
        if ordinary:
            with path.open("rb") as stream:
                return stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise RequestError(
            "{path} could not be read: {reason}.", path=str(path), reason=reason_of(error)
        ) from None
    # A device may never end, and a pipe may never begin.
    raise RequestError("{path} could not be read: it is not an ordinary file.", path=str(path))
