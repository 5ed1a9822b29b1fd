"""Refusals of this page: they call a field by the name that stands above it."""

from __future__ import annotations

from engine import EngineError
from pages.text import Translator, mark
from pages.ui import messages
from pages.ui.scaling import state

# Tab -> the engine's name of a parameter -> what stands above its field.
_FIELDS = {
    "saturation": {"N": mark("Queries")},
    "gradient": {"repeats": mark("Heads")},
    "training": {"steps": mark("Steps")},
    "rates": {"steps": mark("Steps")},
}


def sentence(error: EngineError, t: Translator) -> str:
    """Return a refusal on the present tab as Markdown."""
    fields = _FIELDS.get(state.word("tab"), {})
    name = error.values.get("name")
    if isinstance(name, str) and name in fields:
        error = error.with_values({**error.values, "name": t(fields[name])})
    return messages.sentence(error, t)
