"""What an idea, one of its figures, and a figure with its numbers are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pages.figures.figure import Figure, Style

Described = list[tuple[str, str]]  # what it is, and which: both as a person reads them
Listener = Callable[[float], None]  # hears what share of a computation is done


@dataclass(frozen=True)
class NoParams:
    """The parameters of an idea that has none, and the view of one that shows one thing only."""


@dataclass(frozen=True)
class Entry:
    """One figure of the product, before anything is computed.

    Parameters
    ----------
    name : str
        Under which the command line makes it, such as ``"worked-example-scores"``.
    title : str
        What it shows, as a marked English text.
    draw : callable
        Draws it from a result, a view and a style.
    uses : tuple of str
        The fields of the view that it shows.
    check : callable
        Raises EngineError when the view asks for something that the result does not have.
    """

    name: str
    title: str
    draw: Callable[[Any, Any, Style], Figure]
    uses: tuple[str, ...] = ()
    check: Callable[[Any, Any], None] = lambda _result, _view: None


@dataclass(frozen=True)
class Idea:
    """One idea of the product: its parameters, its computation, its figures.

    Parameters
    ----------
    name : str
        Name of its modules, which is also how the command line names its settings.
    title : str
        As a marked English text.
    params, view : type
        Dataclasses whose fields have defaults: what is computed, and which part is looked at.
    run : callable
        Computes a result from the parameters on the backend of a given name; the third argument,
        if not None, hears what share is done.
    entries : tuple of Entry
        In the order of a lecture.
    readers : Mapping
        Further settings, each read from text into whole parameters.
    encode : callable or None
        Returns the settings, (name, text) pairs, that give these parameters again; None writes
        every field that differs from its default.
    describe : callable or None
        Returns what parameters and view are, as (name, text) pairs in a language; None describes
        every field that differs from its default.
    fixed : tuple of str
        Fields of the parameters that change nothing, so that nobody can set them.
    backend : str or None
        The only one that computes it, whatever is chosen; None where every one does.
    """

    name: str
    title: str
    params: type
    view: type
    run: Callable[[Any, str, Listener | None], Any]
    entries: tuple[Entry, ...]
    readers: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    encode: Callable[[Any], list[tuple[str, str]]] | None = None
    describe: Callable[[Any, Any, str], Described] | None = None
    fixed: tuple[str, ...] = ()
    backend: str | None = None


@dataclass(frozen=True)
class Exhibit:
    """One figure with its numbers: what a page shows and what a file is made from.

    Parameters
    ----------
    idea, entry : Idea and Entry
        What it is.
    params, view : object
        Of the idea's types.
    result : object
        What ``idea.run(params, backend, None)`` gave.
    backend : str
        Name of the backend that computed it.
    """

    idea: Idea
    entry: Entry
    params: Any
    view: Any
    result: Any = field(repr=False)
    backend: str

    def draw(self, style: Style) -> Figure:
        """Draw it in a style."""
        return self.entry.draw(self.result, self.view, style)
