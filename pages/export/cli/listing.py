"""What ``--list`` shows: ideas, their figures, their settings."""

from __future__ import annotations

from collections.abc import Iterator

from pages.gallery import IDEAS, Idea
from pages.gallery.prepare import names_of
from pages.gallery.settings import field_names, written
from pages.text import Translator

_LONGEST = 48  # characters of a usual value


def listing(t: Translator) -> str:
    """Return every figure in the order of a lecture, with its title, and every setting."""
    return "\n".join(line for idea in IDEAS for line in (*_lines(idea, t), ""))


def _lines(idea: Idea, t: Translator) -> Iterator[str]:
    yield t(idea.title)
    width = max(len(entry.name) for entry in idea.entries)
    for entry in idea.entries:
        yield f"  {entry.name:{width}}  {t(entry.title)}"
    settings = names_of(idea)
    if settings:
        yield "  " + t("Settings and their usual values")
    for name in settings:
        usual = _usual(idea, name)
        yield f"    --set {idea.name}.{name}=" + (usual or "...")


def _usual(idea: Idea, name: str) -> str:
    """Return the usual value of a setting, shortened; nothing where it stands for many."""
    if name in idea.readers:
        return ""
    owner = idea.params if name in field_names(idea.params) else idea.view
    text = written(getattr(owner(), name))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
