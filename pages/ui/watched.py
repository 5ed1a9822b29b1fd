"""A measurement: begun, watched, stopped, and kept for other sessions when it is whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from engine import EngineError
from pages.gallery.kept_results import Kept
from pages.text import Translator, mark
from pages.ui import later, long_run, result_figures, settings
from pages.ui.long_run import Growing, Places

WORDS = long_run.Words(
    mark("What is shown was measured with other values; Start measures with those chosen now."),
    mark("Until the first new point the measurement before it is shown."),
    mark("Measured with {before}; Start measures with {now}."),
    mark("What goes on is measured with {before}; {now} waits for the next start."),
)


class Measured(Growing, Protocol):
    """A measurement that grows point by point."""

    @property
    def points(self) -> Sequence[Any]:
        """The points so far."""

    @property
    def total(self) -> int:
        """How many there will be."""

    @property
    def done(self) -> bool:
        """Whether every one is there."""

    @property
    def waiting(self) -> bool:
        """Whether another measurement of this process has its turn first."""


_Params = TypeVar("_Params", bound=Hashable)
_Result = TypeVar("_Result", bound=Measured)


@dataclass(frozen=True)
class Watched(Generic[_Params, _Result]):
    """What a tab measures.

    Attributes
    ----------
    work : str
        The name of the work.
    asked : callable
        Returns what the reader chose; raises EngineError when there is nothing to measure.
    require : callable
        Raises EngineError for parameters that cannot be measured.
    measure : callable
        Returns the results, one after the other.
    kept : Kept
        What this process has measured: time and memory are the machine's, whatever the session.
    """

    work: str
    asked: Callable[[], _Params]
    require: Callable[[_Params], None]
    measure: Callable[..., Iterator[_Result]]
    kept: Kept[_Params, _Result]

    def begin(self) -> Iterator[_Result]:
        """Return the measurement that is chosen; a whole one is kept for other sessions."""
        params = self.asked()
        for result in self.measure(params, backend=settings.backend().name):
            if result.done:
                self.kept.put(params, result.backend_name, result)
            yield result

    def chosen(self) -> _Params:
        """Return what is chosen; raises EngineError when it cannot be measured."""
        params = self.asked()
        self.require(params)
        return params

    def shown(self) -> _Result | None:
        """Return the reader's own measurement as far as it went, or one that is kept."""
        own: _Result | None = later.found(self.work)
        if own is None:
            try:
                own = self.kept.peek(self.chosen(), settings.backend().name)
            except EngineError:  # said where the result is shown
                return None
            if own is not None:  # so that it stays when other values are chosen
                later.put(self.work, own)
        return own

    def controls(self, tab: long_run.Tab[_Result], t: Translator) -> None:
        """Draw start and stop; the first visit begins by itself: it is watched, and can stop."""
        if tab.ready and self.shown() is None and not later.begun(self.work):
            tab.start()
        tab.buttons(t)

    def nothing_said(self, t: Translator) -> str:
        """Return why nothing is shown yet."""
        if later.goes_on(self.work):
            return t("The figures begin with the first point.")
        return t("Nothing is measured yet; Start begins.")


def said(result: Measured, t: Translator) -> str:
    """Return how far a measurement is, in a line."""
    if result.waiting:
        return t("Another measurement of this program has its turn …")
    return t("Point {done} of {total}", done=len(result.points), total=result.total)


def draw_pair(
    places: Places, names: Sequence[str], result: Measured, *, live: bool, view: Any = None
) -> None:
    """Draw two figures beside each other; without export bars while the result still grows."""
    for place, name in zip(places.sides, names, strict=True):
        if live:
            result_figures.show_live(place, name, result, view)
        else:
            with place.container():
                result_figures.show(name, result, view)
