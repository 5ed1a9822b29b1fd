"""What the patterns of masks and the kinds of padding masks are called, in every form in use."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.masks.padding import Kind
from engine.experiments.masks.spec import Pattern
from pages.text.marking import mark

# To choose from.
PATTERNS: dict[Pattern, str] = {
    "none": mark("None: bidirectional"),
    "causal": mark("Causal"),
    "window": mark("Sliding window"),
    "prefix": mark("Prefix"),
}
# What a drawing may start from, on a small button.
STARTS: dict[Pattern, str] = {
    "none": mark("All"),
    "causal": mark("Causal"),
    "window": mark("Window"),
    "prefix": mark("Prefix"),
}


@dataclass(frozen=True)
class KindNames:
    """One kind of padding mask: to choose, what it hides, the same said in full, and a title."""

    button: str
    hidden: str
    said: str
    title: str


PADDING: dict[Kind, KindNames] = {
    "none": KindNames(
        mark("Hide nothing"),
        mark("nothing"),
        mark("nothing hidden"),
        mark("Three sentences in one batch, padding not hidden"),
    ),
    "keys": KindNames(
        mark("Hide keys"),
        mark("padding keys"),
        mark("padding keys hidden"),
        mark("Three sentences in one batch, padding hidden as keys"),
    ),
    "queries": KindNames(
        mark("Hide queries"),
        mark("padding queries"),
        mark("padding queries hidden"),
        mark("Three sentences in one batch, padding hidden as queries"),
    ),
    "both": KindNames(
        mark("Hide both"),
        mark("padding keys and queries"),
        mark("both hidden"),
        mark("Three sentences in one batch, padding hidden as keys and as queries"),
    ),
}
