"""What the reader chose on one page, kept under keys that are no widget's.

A choice is kept as it was made, so that it outlives its widget and may be what cannot be computed:
the page says so, and nothing that was typed is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st


@dataclass(frozen=True)
class ChoiceStore:
    """The choices of one page.

    Attributes
    ----------
    name : str
        Begins the session keys of its choices.
    defaults : Mapping
        Every choice with its usual value.
    """

    name: str
    defaults: Mapping[str, object]

    def key(self, name: str) -> str:
        """Return the session key of the choice called ``name``."""
        return f"{self.name}.{name}"

    def get(self, name: str) -> object:
        """Return a choice of the reader, or its usual value."""
        return st.session_state.get(self.key(name), self.defaults.get(name))

    def word(self, name: str) -> str:
        """Return a choice that is text."""
        return str(self.get(name))

    def field(self, name: str) -> Any:
        """Return a choice; an empty field is said as two quotation marks, spaces between such."""
        value = self.get(name)
        return f'"{value}"' if isinstance(value, str) and not value.strip() else value

    def whole(self, name: str) -> int:
        """Return a choice that is a whole number."""
        return int(self.word(name))

    def put(self, name: str, value: object) -> None:
        """Set a choice from code; only before its widget is drawn, or in a callback."""
        st.session_state[self.key(name)] = value

    def put_usual(self, *names: str, **chosen: object) -> None:
        """Give some choices their usual value, and others one of their own; in a callback."""
        for name, value in ({each: self.defaults[each] for each in names} | chosen).items():
            self.put(name, value)

    def fill_defaults(self) -> None:
        """Give every choice that was never made its usual value."""
        for name, default in self.defaults.items():
            st.session_state.setdefault(self.key(name), default)
