"""From the words of the command to an exit code."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NoReturn

from tqdm import tqdm

from engine.errors import EngineError
from pages.export.cli import options
from pages.export.cli.errors import (
    BAD_REQUEST,
    DONE,
    INTERRUPTED,
    NOT_WRITTEN,
    WriteError,
    reason_of,
    sentence,
)
from pages.export.cli.files import Files, refuse_unfit, refuse_unwritable, resolved, write
from pages.export.cli.listing import listing
from pages.export.cli.produce import drawings_of, files_of, jobs_of, slides_of, steps_of
from pages.export.cli.request import Request, request_of
from pages.export.cli.showing import shown
from pages.export.cli.stopping import taken
from pages.export.cli.streams import complain, tell
from pages.export.cli.workers import shared
from pages.export.slides import Deck
from pages.text import Translator, translator

_SHARE = "{desc}: {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"


def main(words: Sequence[str], stops: Collection[int] = ()) -> int:
    """Do what the words ask for and return the exit code.

    Parameters
    ----------
    words : sequence of str
        Of the command line, without the program.
    stops : collection of int
        Requests to stop that came before this was called.

    Returns
    -------
    int
        0 done; 2 the request cannot be met; 1 a file could not be written; 130 stopped.
    """
    t = translator(options.language_in(words))
    try:
        with taken(_stop):
            if stops:
                raise KeyboardInterrupt
            return _run(words, t)
    except KeyboardInterrupt:
        return _say(t("Stopped; nothing was left half-written."), INTERRUPTED)
    except WriteError as error:
        return _say(sentence(error, t), NOT_WRITTEN)
    except EngineError as error:
        return _say(sentence(error, t), BAD_REQUEST)
    except MemoryError:
        return _say(t("There is not enough memory for this; ask for fewer figures."), NOT_WRITTEN)
    except Exception as error:  # noqa: BLE001 - a fault of ours is a sentence too
        said = t("A fault of this program prevents it: {reason}.", reason=shown(reason_of(error)))
        return _say(said, BAD_REQUEST)


def _stop(_signal: int, _frame: object) -> NoReturn:
    """Take a request to end, as a batch system sends it, like Ctrl-C: clean up, then go."""
    raise KeyboardInterrupt


def _run(words: Sequence[str], t: Translator) -> int:
    try:
        request = request_of(options.read(words))
    except options.HelpAsked as asked:
        return _answer(asked.text)
    if request is None:
        return _answer(listing(t))
    refuse_unwritable(_folders(request))
    if request.deck is not None:
        refuse_unfit(request.deck)
    deck = _computed(request, t)
    files = _drawn(request, deck, t)
    write(files)
    _report(request, files, t)
    return DONE


def _answer(text: str) -> int:
    """Show what was asked for."""
    try:
        tell(sys.stdout, text)
    except OSError as error:
        raise WriteError(
            "The answer could not be written: {reason}.", reason=reason_of(error)
        ) from None
    return DONE


def _folders(request: Request) -> list[Path]:
    folders = [request.folder] if request.folder is not None else []
    return [*folders, *([resolved(request.deck).parent] if request.deck is not None else [])]


def _computed(request: Request, t: Translator) -> Deck:
    """Return the slides, computed while a bar shows what share is done."""
    with _bar(t("Computing"), 1.0, _SHARE) as bar:

        def hear(share: float) -> None:
            bar.update(share - bar.n)

        return slides_of(request, hear)


def _drawn(request: Request, deck: Deck, t: Translator) -> Files:
    """Return the files, drawn while a bar shows how far it is."""
    jobs = jobs_of(request, deck)
    with (
        shared(drawings_of(request, jobs, deck)) as each,
        _bar(t("Drawing"), steps_of(request, jobs, deck)) as bar,
    ):
        return files_of(request, jobs, deck, bar.update, each)


def _bar(title: str, total: float, look: str | None = None) -> tqdm[NoReturn]:
    """Return a bar that goes when it is done; it needs a terminal."""
    hidden = True if sys.stderr is None else None
    return tqdm(total=total, desc=title, unit="", leave=False, disable=hidden, bar_format=look)


def _report(request: Request, files: Files, t: Translator) -> None:
    """Say what was written; it is, even where nobody can be told."""
    lines = []
    if request.folder is not None:
        lines.append(_counted(len(files) - (request.deck is not None), request.folder, t))
    if request.deck is not None:
        lines.append(t("The deck is {path}.", path=shown(str(request.deck))))
    said = t.sentences(*lines)
    try:
        tell(sys.stdout, said + "\n")
    except OSError:
        complain(said)


def _counted(count: int, folder: Path, t: Translator) -> str:
    name = shown(str(folder))
    if count == 1:
        return t("1 file is in {folder}.", folder=name)
    return t("{count} files are in {folder}.", count=count, folder=name)


def _say(text: str, code: int) -> int:
    complain(text)
    return code
