"""Ends a run in the middle of long work, as a click of the reader would."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from pages.ui import later


def interrupt_after(monkeypatch: pytest.MonkeyPatch, results: int) -> list[bool]:
    """Let a run end after some results, as a click of the reader would."""
    happened: list[bool] = []

    def follow(work: Any, wish: Any) -> None:
        for _ in range(results):
            wish.tell(work.next())
            if work.fresh:
                wish.draw(work.found)
        happened.append(True)
        raise _Interrupted

    class _Interrupted(BaseException):
        """As Streamlit's own, no Exception."""

    original = later.carry_on

    def carry_on() -> None:
        with suppress(_Interrupted):
            original()

    monkeypatch.setattr(later, "_follow", follow)
    monkeypatch.setattr(later, "carry_on", carry_on)
    return happened
