"""What the page tells the status line of this view: how long it took, where, how precisely."""

from __future__ import annotations

from typing import Protocol, TypeVar

import streamlit as st


class Timed(Protocol):
    """A result that knows how it was computed."""

    @property
    def seconds(self) -> float:
        """How long it took."""

    @property
    def precision(self) -> str:
        """In which precision."""


_Result = TypeVar("_Result", bound=Timed)
_SECONDS, _PRECISION, _BACKEND = "status.seconds", "status.precision", "status.backend"


def reset() -> None:
    """Forget the view before; the frame calls this before a page runs."""
    st.session_state.pop(_SECONDS, None)
    st.session_state.pop(_PRECISION, None)
    st.session_state.pop(_BACKEND, None)


def record(seconds: float) -> None:
    """Add the computing time of a result that is on screen, in seconds."""
    st.session_state[_SECONDS] = st.session_state.get(_SECONDS, 0.0) + seconds


def seconds() -> float | None:
    """Return the computing time of this view, or None when nothing was computed."""
    value = st.session_state.get(_SECONDS)
    return None if value is None else float(value)


def record_precision(precision: str) -> None:
    """Say in which precision what is shown was computed, where it may not be the backend's."""
    st.session_state[_PRECISION] = precision


def precision(usual: str) -> str:
    """Return the precision of this view; ``usual`` where the page says nothing of it."""
    return str(st.session_state.get(_PRECISION, usual))


def record_backend(name: str) -> None:
    """Say which backend computed what is shown, where it may not be the one that is chosen."""
    st.session_state[_BACKEND] = name


def backend(usual: str) -> str:
    """Return the backend of this view; ``usual`` where the page says nothing of it."""
    return str(st.session_state.get(_BACKEND, usual))


def noted(result: _Result) -> _Result:
    """Record how a result was computed that is on screen, and return it."""
    record(result.seconds)
    record_precision(result.precision)
    return result
