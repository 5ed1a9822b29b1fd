"""What counts as text."""

from __future__ import annotations

from engine.errors import OptionError


def require_text(name: str, value: object) -> None:
    """Refuse what is not text."""
    if not isinstance(value, str):
        raise OptionError("{name} must be text, got {kind}.", name=name, kind=type(value).__name__)
