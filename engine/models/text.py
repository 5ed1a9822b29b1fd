"""Which texts a model is given."""

from __future__ import annotations

MOST_CHARACTERS = 100_000  # beyond it, splitting alone would take seconds and much memory


def require_model_text(text: object) -> str:
    """Return a text that can be split into pieces.

    Raises
    ------
    OptionError
        If it is not text.
    ModelError
        If it is empty or too long, or holds half a surrogate pair or a NUL.
    """
    raise NotImplementedError
