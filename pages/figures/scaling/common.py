"""What the figures of the square root of d_k share: sizes, colours, names of files, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.experiments.scaling.saturation import Rule
from pages.figures.figure import Series, Style
from pages.figures.plot import Axis, Screen, Words
from pages.figures.series import series_colour
from pages.figures.ticks import rounded_down, rounded_up
from pages.text import Translator

# Two figures of these sizes stand side by side, with their plots on one level where they can have
# no row of crosses; one of the third fills the column.
HALF = Screen(424.0, 340.0, edges=(64.0, 294.0))
# The same where no legend stands above either.
HALF_NAMED = Screen(424.0, 330.0, edges=(54.0, 284.0))
HALF_CROSSED = Screen(424.0, 340.0)
WIDE = Screen(868.0, 340.0)
# Without scaling and with it look alike in every figure: the place of a rule among the colours.
_COLOURS: dict[Rule, int] = {"unscaled": 2, "sqrt": 1, "linear": 3, "own": 0}
_KINDS: dict[Rule, int] = {"unscaled": 1, "sqrt": 0, "linear": 2, "own": 3}
WAYS: tuple[tuple[bool, Rule], ...] = ((False, "unscaled"), (True, "sqrt"))


def rule_colour(rule: Rule, style: Style) -> str:
    """Return the colour of a rule."""
    return series_colour(_COLOURS[rule], style.theme)


def rule_kind(rule: Rule) -> int:
    """Return which dash and marker the lines of a rule take."""
    return _KINDS[rule]


def way_colour(scaled: bool, style: Style) -> str:
    """Return the colour of what is divided by the square root of d_k, or not divided."""
    return rule_colour(_rule_of(scaled), style)


def way_kind(scaled: bool) -> int:
    """Return which dash and marker the lines of one way take."""
    return rule_kind(_rule_of(scaled))


def _rule_of(scaled: bool) -> Rule:
    return "sqrt" if scaled else "unscaled"


def stem(*parts: object) -> str:
    """Return a file stem that says what is inside: ``scaling-saturation-largest-S16``."""
    return "-".join(["scaling", *(str(part).replace("+", "") for part in parts if part != "")])


def dots(series: Series, x: Iterable[float]) -> Series:
    """Return a series as markers alone at its own places."""
    return Series(series.name, series.values, series.colour, tuple(x), "dots", series.kind)


def steps(edges: Sequence[float], heights: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the outline of a histogram as the places and heights of a line."""
    places = [edge for edge in edges for _ in range(2)]
    return places, [0.0, *(height for height in heights for _ in range(2)), 0.0]


def log_axis(title: str, values: Sequence[float]) -> Axis:
    """Return a logarithmic axis from a round number to a round number, the values above 0."""
    least, most = rounded_down(min(values)), rounded_up(max(values))
    return Axis(title, least, most if most > least else 2 * least, "log10")


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str = "") -> Words:
    """Return the words of a figure, described by its title and what its numbers say."""
    return Words(name, title, note, t.sentences(t("{title}.", title=title), alt or note), role)
