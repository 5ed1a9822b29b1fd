"""What is asked for, checked before anything is computed."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from engine.errors import OptionError
from pages.export.cli.errors import RequestError
from pages.export.deck import DECK_FORMATS, FORMATS
from pages.export.limits import MOST_DECIMALS
from pages.figures.figure import LanguageCode, SizeName, Style, ThemeName
from pages.gallery import ENTRIES, entry_named

BACKENDS = ("auto", "numpy", "mlx")
# What a saved deck has decided already.
_FIXED = (
    "figure", "assignments", "language", "theme", "size", "decimals", "transparent", "backend",
)  # fmt: skip


@dataclass(frozen=True)
class Request:
    """What to write where.

    Parameters
    ----------
    folder : Path or None
        Where each figure goes, in each of ``formats``.
    formats : tuple of str
    deck : Path or None
        Where all figures go together.
    source : Path or None
        A saved deck in place of figures that are drawn.
    figures : tuple of str
        Names; none means all.
    assignments : tuple of str
        Settings, as ``idea.name=value``.
    style : Style
        How they are drawn.
    backend : str or None
        What computes; None is the best for this machine.
    """

    folder: Path | None
    formats: tuple[str, ...]
    deck: Path | None
    source: Path | None
    figures: tuple[str, ...]
    assignments: tuple[str, ...]
    style: Style
    backend: str | None


def request_of(options: argparse.Namespace) -> Request | None:
    """Return the request that options state, or None for the list alone.

    Raises
    ------
    RequestError
        When a value is not one of those allowed, when nothing is to be written, or when options
        contradict each other.
    """
    style = _style(options)
    if options.list:
        return None
    if options.to is None and options.deck is None:
        raise RequestError("Nothing to do: say --list, --to FOLDER or --deck FILE.")
    if options.to is None and options.format is not None:
        raise RequestError("--format belongs to --to; the format of --deck is its ending.")
    _refuse_what_is_fixed(options)
    backend = _one_of("--backend", options.backend, BACKENDS, "auto")
    return Request(
        folder=_path("--to", options.to),
        formats=_formats(options.format),
        deck=_deck(options.deck),
        source=_path("--from", options.source),
        figures=_figures(options.figure or ()),
        assignments=tuple(options.assignments or ()),
        style=style,
        backend=None if backend == "auto" else backend,
    )


def _refuse_what_is_fixed(options: argparse.Namespace) -> None:
    if options.source is None:
        return
    for name in _FIXED:
        if name != "language" and getattr(options, name) is not None:
            raise RequestError(
                "--from takes the slides as they were saved; leave out {option}.",
                option="--set" if name == "assignments" else f"--{name}",
            )


def _one_of(option: str, value: str | None, allowed: Iterable[str], usual: str) -> Any:
    if value is None:
        return usual
    if value not in allowed:
        raise RequestError(
            "{option} must be one of {allowed}, got {name}.",
            option=option,
            allowed=", ".join(allowed),
            name=value.strip() or "nothing",
        )
    return value


def _path(option: str, text: str | None) -> Path | None:
    if text is None:
        return None
    if not text.strip():
        raise RequestError("{option} needs a value.", option=option)
    if "\0" in text:
        raise RequestError(
            "{option} needs the path of a file or folder, got {name}.", option=option, name=text
        )
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise RequestError(
            "{option}: the home folder meant by {path} is unknown here; write the whole path.",
            option=option,
            path=text,
        ) from None


def _formats(texts: Iterable[str] | None) -> tuple[str, ...]:
    if texts is None:
        return ("png",)
    words = [word.strip().lower() for text in texts for word in text.split(",")]
    return tuple(dict.fromkeys(_one_of("--format", word, FORMATS, "") for word in words))


def _deck(text: str | None) -> Path | None:
    path = _path("--deck", text)
    if path is not None and path.suffix.lower().removeprefix(".") not in DECK_FORMATS:
        raise RequestError(
            "The file of --deck must end in {allowed}, got {name}.",
            allowed=", ".join(f".{name}" for name in DECK_FORMATS),
            name=path.name,
        )
    return path


def _figures(names: Iterable[str]) -> tuple[str, ...]:
    for name in names:
        if not name.strip():
            raise RequestError("{option} needs a value.", option="--figure")
        try:
            entry_named(name)
        except OptionError as error:
            raise RequestError.of(error).among(ENTRIES) from None
    return tuple(names)


def _style(options: argparse.Namespace) -> Style:
    return Style(
        theme=_one_of("--theme", options.theme, get_args(ThemeName), "light"),
        language=_one_of("--language", options.language, get_args(LanguageCode), "en"),
        size=_one_of("--size", options.size, get_args(SizeName), "slide"),
        decimals=_decimals(options.decimals),
        transparent=bool(options.transparent),
    )


def _decimals(text: str | None) -> int:
    if text is None:
        return Style().decimals
    allowed = [str(number) for number in range(MOST_DECIMALS + 1)]
    if text not in allowed:
        raise RequestError(
            "--decimals must be a whole number from 0 to {most}, got {name}.",
            most=MOST_DECIMALS,
            name=text.strip() or "nothing",
        )
    return int(text)
