"""Lets AppTest run pages through app.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from streamlit.runtime.pages_manager import PagesManager


@contextmanager
def after_the_first_visit() -> Iterator[None]:
    """Be a process in which st.navigation has run once, as a server is after its first visit.

    AppTest makes every run a process's first, in which Streamlit serves the files of pages/
    without app.py.
    """
    original = PagesManager.__init__

    def start(self: PagesManager, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        PagesManager.uses_pages_directory = False

    with patch.object(PagesManager, "__init__", start):
        yield
