"""A value of a config.json as a sentence quotes it."""

from __future__ import annotations

import json

from engine.experiments.number_text import shortened

LONGEST = 60  # characters


def said(value: object) -> object:
    """Return a value as the file writes it, shortened; text in quotes, or "4" would look like 4.

    Whole numbers stay numbers: an error writes huge ones shortly itself.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        return f'"{shortened(value, LONGEST)}"'
    try:
        return shortened(json.dumps(value, ensure_ascii=False), LONGEST)
    except (TypeError, ValueError, RecursionError):  # no value of a file, or nested without end
        return type(value).__name__
