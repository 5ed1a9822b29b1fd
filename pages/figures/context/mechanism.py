"""What the figures of the mechanism share: names of files, and a sentence as it ends."""

from __future__ import annotations

from collections.abc import Sequence


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``context-picture-both``."""
    return "-".join(["context", *(str(part) for part in parts if part != "")])


def ending_of(tokens: Sequence[str]) -> str:
    """Return how a sentence ends: ``… too tired``."""
    return "… " + " ".join(tokens[-2:])
