"""A tab whose result takes seconds or minutes: its start, stop and progress, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from engine import EngineError
from pages.text import Translator
from pages.ui import later, messages, settings, status, workspace
from pages.ui.maths import typeset

BAR_WIDTH = 360


class Growing(Protocol):
    """A result that grows while it is computed."""

    @property
    def params(self) -> Any:
        """What was asked for."""

    @property
    def backend_name(self) -> str:
        """Which backend computes it."""

    @property
    def seconds(self) -> float:
        """How long it took so far."""

    @property
    def share(self) -> float:
        """What share of it is done, 0 to 1."""


_Result = TypeVar("_Result", bound=Growing)


@dataclass(frozen=True)
class Words:
    """What is said of a work, as marked texts; the last three name backends.

    Attributes
    ----------
    other_values : str
        What is shown belongs to other values than those that are chosen.
    first_awaited : str
        An older result is shown until the first new one.
    other_backend : str
        What is shown is of backend {before}, and {now} is chosen.
    backend_waits : str
        What goes on runs on {before}, and {now} waits for the next start.
    """

    other_values: str
    first_awaited: str
    other_backend: str
    backend_waits: str


class Places:
    """Where the parts of the tab stand, all of which belong to one result at any time.

    Parameters
    ----------
    numbers : int
        How many measured numbers it has.
    """

    def __init__(self, numbers: int) -> None:
        self.above = st.empty()
        self._count = numbers
        self.metrics: list[Any] = []
        self.words: Any = None
        self.sides: list[Any] = []  # left and right
        workspace.draw(self._numbers, self._notice, self._figures)

    def _numbers(self) -> None:
        self.metrics = [workspace.metric_place() for _ in range(self._count)]

    def _notice(self) -> None:
        self.words = st.empty()

    def _figures(self) -> None:
        workspace.side_by_side(self._side, self._side)

    def _side(self) -> None:
        self.sides.append(st.empty())

    def say(
        self, measures: list[tuple[str, str, str, str]], notices: list[str], t: Translator
    ) -> None:
        """Show the numbers, each with title, value, words below and explanation; and sentences."""
        for place, (title, value, about, meaning) in zip(self.metrics, measures, strict=True):
            workspace.fill(place, typeset(title), value, about, typeset(meaning))
        with self.words.container(gap="xsmall"):
            workspace.notice(t, *map(typeset, notices))


@dataclass(frozen=True)
class Tab(Generic[_Result]):
    """A tab of long work.

    Attributes
    ----------
    work : str
        The name of what it does; the keys of its buttons begin with it.
    words : Words
        What is said of it.
    begin : callable
        Returns its results, one after the other; raises EngineError when there can be none.
    chosen : callable
        Returns the parameters that are chosen; raises EngineError when they are refused.
    fill : callable
        Draws a result in its places, without export bars while it is live, that is still grows.
    said : callable
        Returns how far a result is, in a line.
    refused : callable
        Returns a refusal as the page says it.
    worth : callable
        Says whether a result is worth keeping, and showing.
    numbers : int
        How many measured numbers it has.
    precision : callable or None
        Returns in which precision a result is computed, be there one or not, where that is not
        the backend's own; None where it is.
    """

    work: str
    words: Words
    begin: Callable[[], Iterator[_Result]]
    chosen: Callable[[], object]
    fill: Callable[[Places, _Result | None, Translator, bool], None]
    said: Callable[[_Result, Translator], str]
    refused: Callable[[EngineError, Translator], str] = messages.sentence
    worth: Callable[[_Result], bool] = later.everything
    numbers: int = 3
    precision: Callable[[_Result | None], str | None] | None = None

    @property
    def ready(self) -> bool:
        """Whether what is chosen can be computed; why not is said where the result is shown."""
        try:
            self.chosen()
        except EngineError:
            return False
        return True

    def draw(self, result: _Result | None, bar: Any, t: Translator) -> None:
        """Draw a result, if there is one; ``bar`` is the place of the progress, None at rest."""
        places = Places(self.numbers)
        self._show(places, result, t, live=later.goes_on(self.work))
        if self.precision is not None and (said := self.precision(result)) is not None:
            status.record_precision(said)
        if bar is not None:
            status.record_backend(later.order(self.work)[1])
            self._tell(bar, later.latest(self.work), t)
            later.ask(
                self.work,
                lambda found: self._tell(bar, found, t),
                lambda found: self._show(places, found, t, live=True),
            )
        elif result is not None:
            status.record_backend(result.backend_name)
            status.record(result.seconds)

    def _tell(self, bar: Any, result: _Result | None, t: Translator) -> None:
        if result is None:
            bar.progress(0.0, t("Starting …"))
        else:
            bar.progress(result.share, self.said(result, t))

    def _show(self, places: Places, result: _Result | None, t: Translator, *, live: bool) -> None:
        tell_what_is_shown(places.above, self, result, t)
        self.fill(places, result, t, live)

    def start(self) -> None:
        """Begin the work; a callback. What is refused is said at the top of the page."""
        try:
            order = self.chosen(), settings.backend().name
            later.begin(self.work, self.begin(), self.worth, order)
        except EngineError as error:
            messages.keep(error)

    def buttons(self, t: Translator) -> None:
        """Draw the buttons that start and stop the work.

        Both stand all the time, so that a second click never meets the other one.
        """
        running = later.goes_on(self.work)
        st.button(
            t("Start"),
            key=f"{self.work}.start",
            icon=":material/play_arrow:",
            type="primary",
            shortcut="Mod+Enter",
            width="stretch",
            disabled=running or not self.ready,
            on_click=self.start,
        )
        st.button(
            t("Stop"),
            key=f"{self.work}.stop",
            icon=":material/stop:",
            shortcut="Mod+Backspace",
            width="stretch",
            disabled=not running,
            on_click=later.stop,
            args=(self.work,),
        )


def bar(name: str) -> Any:
    """Return the place of the progress of a work while it goes on, else None."""
    if not later.goes_on(name):
        return None
    with st.container(width=BAR_WIDTH):
        return st.empty()


def grows(name: str) -> bool:
    """Say whether what is shown is a result of a work that goes on, and not of one before it."""
    return later.goes_on(name) and later.fresh(name)


def tell_what_is_shown(
    place: Any, tab: Tab[_Result], result: _Result | None, t: Translator
) -> None:
    """Say what is refused, and when other values or another backend are chosen than are shown.

    Parameters
    ----------
    place : DeltaGenerator
        Where it is said; empty where there is nothing to say.
    tab : Tab
    result : Growing or None
    t : Translator
    """
    try:
        params = tab.chosen()
    except EngineError as error:
        last = _beside_refused(tab, result, t)
        said = t.sentences(tab.refused(error, t), last)
        place.error(said, icon=":material/error:")
        return
    said = _beside(tab, result, params, t)
    if said:
        place.info(said, icon=":material/info:")
    else:
        place.empty()


def _beside_refused(tab: Tab[_Result], result: _Result | None, t: Translator) -> str:
    """Return what is shown while what is chosen is refused."""
    if later.goes_on(tab.work):
        return t.sentences(
            _before(tab, result, t), t("What goes on was started with other values.")
        )
    return t("Shown below is the last result that could be computed.") if result else ""


def _beside(tab: Tab[_Result], result: _Result | None, params: object, t: Translator) -> str:
    """Return how what goes on and what is shown differ from what is chosen; empty if they do not.

    Of what goes on it is said from the start on, before there is a result of it.
    """
    if later.goes_on(tab.work):
        return t.sentences(_before(tab, result, t), _waiting(tab, params, t))
    if result is None:
        return ""
    if params != result.params:
        return t(tab.words.other_values)
    if result.backend_name != settings.backend().name:
        return t(tab.words.other_backend, **_names(result.backend_name, t))
    return ""


def _before(tab: Tab[_Result], result: _Result | None, t: Translator) -> str:
    """Return that an older result is shown, where it is."""
    older = result is not None and not later.fresh(tab.work)
    return t(tab.words.first_awaited) if older else ""


def _waiting(tab: Tab[_Result], params: object, t: Translator) -> str:
    """Return what waits for the next start; empty where what goes on is what is chosen."""
    ordered, backend = later.order(tab.work)
    if params != ordered:
        return t("What goes on was started with other values; those chosen now wait for the next "
                 "start.")  # fmt: skip
    if backend != settings.backend().name:
        return t(tab.words.backend_waits, **_names(backend, t))
    return ""


def _names(backend: str, t: Translator) -> dict[str, str]:
    return {"before": settings.BACKEND_TITLES[backend], "now": settings.backend_title(t)}
