"""From the words of the command to an exit code."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from engine.errors import EngineError
from pages.export.cli import options
from pages.export.cli.errors import (
    BAD_REQUEST,
    DONE,
    INTERRUPTED,
    NOT_WRITTEN,
    WriteError,
    sentence,
)
from pages.export.cli.files import refuse_unwritable, write
from pages.export.cli.listing import listing
from pages.export.cli.produce import Files, files_of, slides_of, steps_of
from pages.export.cli.request import Request, request_of
from pages.export.slides import Deck
from pages.text import Translator, translator


def main(words: Sequence[str]) -> int:
    """Do what the words ask for and return the exit code.

    Parameters
    ----------
    words : sequence of str
        Of the command line, without the program.

    Returns
    -------
    int
        0 done; 2 the request cannot be met; 1 a file could not be written; 130 stopped.
    """
    _accept_any_character()
    t = translator(options.language_in(words))
    try:
        with _stopped_alike():
            return _run(words, t)
    except KeyboardInterrupt:
        return _say(t("Stopped; nothing was left half-written."), INTERRUPTED)
    except WriteError as error:
        return _say(sentence(error, t), NOT_WRITTEN)
    except EngineError as error:
        return _say(sentence(error, t), BAD_REQUEST)
    except MemoryError:
        return _say(t("There is not enough memory for this; ask for fewer figures."), NOT_WRITTEN)


def _run(words: Sequence[str], t: Translator) -> int:
    request = request_of(options.read(words))
    if request is None:
        print(listing(t), end="")  # noqa: T201 - the answer itself
        return DONE
    refuse_unwritable(_folders(request))
    deck = slides_of(request)
    files = _drawn(request, deck, t)
    write(files)
    _report(request, files, t)
    return DONE


def _folders(request: Request) -> list[Path]:
    folders = [request.folder] if request.folder is not None else []
    return [*folders, *([request.deck.parent] if request.deck is not None else [])]


def _drawn(request: Request, deck: Deck, t: Translator) -> Files:
    """Return the files, drawn while a bar shows how far it is; a bar needs a terminal."""
    total = steps_of(request, deck)
    with tqdm(total=total, desc=t("Drawing"), unit="", leave=False, disable=None) as bar:
        return files_of(request, deck, bar.update)


def _report(request: Request, files: Files, t: Translator) -> None:
    """Say what was written."""
    lines = []
    if request.folder is not None:
        lines.append(_counted(len(files) - (request.deck is not None), request.folder, t))
    if request.deck is not None:
        lines.append(t("The deck is {path}.", path=str(request.deck)))
    print(t.sentences(*lines))  # noqa: T201 - the last line of the command


def _counted(count: int, folder: Path, t: Translator) -> str:
    if count == 1:
        return t("1 file is in {folder}.", folder=str(folder))
    return t("{count} files are in {folder}.", count=count, folder=str(folder))


def _say(text: str, code: int) -> int:
    print(text, file=sys.stderr)  # noqa: T201 - the only line of a failure
    return code


def _accept_any_character() -> None:
    """Let a terminal that knows only ASCII show a question mark instead of stopping the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def _stopped_alike() -> Iterator[None]:
    """Take a request to end, as a batch system sends it, like Ctrl-C: clean up, then go."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
