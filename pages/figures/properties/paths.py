"""How many steps information needs, against how far it has to go."""

from __future__ import annotations

from collections.abc import Sequence

from engine.experiments.properties.paths import ARCHITECTURES, Architecture, PathParams, PathResult
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.figures.properties.common import stem, words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.properties_paths import (
    alike_words,
    growth_note,
    growth_words,
    longest_words,
    reads_words,
)
from pages.text.properties_words import architecture_words

SCREEN = Screen(868.0, 360.0)
_MOST_TICKS, _LEAST = 12, 10  # distances that all have ticks, and end of the steps
_TICKS = tuple(float(factor * power) for power in (1, 10, 100) for factor in (1, 2, 5))
# Of each architecture: its place among the colours, its dash and marker, and the width of a solid
# line. Those that may lie on each other are a wide solid one below and a thin dashed one above.
_COLOURS: dict[Architecture, int] = {
    "rnn": 4, "convolution": 2, "dilated": 1, "window": 3, "full": 0,
}  # fmt: skip
_KINDS: dict[Architecture, int] = {
    "rnn": 0, "convolution": 1, "dilated": 2, "window": 3, "full": 0,
}  # fmt: skip
_WIDTHS: dict[Architecture, float | None] = {
    "rnn": 2.6, "convolution": None, "dilated": None, "window": None, "full": 1.7,
}  # fmt: skip
# The solid ones come first, below the dashed ones.
DRAWN: tuple[Architecture, ...] = ("rnn", "full", "window", "convolution", "dilated")


def architecture_colour(architecture: Architecture, style: Style) -> str:
    """Return the colour of an architecture, the same in every figure."""
    return series_colour(_COLOURS[architecture], style.theme)


def paths_figure(result: PathResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw the steps against the distance, both on logarithmic axes, one line an architecture."""
    t, T = translator(style.language), result.params.T
    distances = tuple(range(1, T))
    title = t("Steps that information needs, against the distance it has to go")
    said = alike_words(result, t), growth_note(result, t), reads_words(result, t)
    note = t.sentences(longest_words(result, t), *said)
    return line_figure(
        tuple(map(float, distances)),
        [_line(result, name, style, t) for name in DRAWN],
        style,
        words_of(path_stem("paths", result.params), title, note, "weights", t),
        x_axis=Axis(
            t("distance between two positions"),
            1.0,
            float(max(T - 1, 2)),
            "log10",
            tuple(map(float, distances)) if T <= _MOST_TICKS else _ticks(T),
        ),
        y_axis=Axis(t("steps"), 1.0, float(max(*result.longest.values(), _LEAST)), "log10"),
        table=_table(result, t),
        dots=(1.0, float(T - 1)),
        symbols=True,  # no name is cut: where one is too long, all stand in a legend
        screen=screen,
    )


def path_stem(word: str, params: PathParams, *parts: object) -> str:
    """Return a file stem: ``properties-paths-T64-kernel3-window8``."""
    return stem(word, f"T{params.T}", f"kernel{params.kernel}", f"window{params.window}", *parts)


def _ticks(T: int) -> tuple[float, ...]:
    return tuple(tick for tick in _TICKS if tick < T)


def _line(result: PathResult, name: Architecture, style: Style, t: Translator) -> Series:
    words, grown = architecture_words(name, t), growth_words(result, name)
    if grown:
        words = t("{name} ({growth})", name=words, growth=grown)
    x, values = zip(*treads(result.steps[name].tolist()), strict=True)
    return Series(words, values, architecture_colour(name, style), x,
                  kind=_KINDS[name], weight=_WIDTHS[name])  # fmt: skip


def treads(steps: Sequence[int]) -> list[tuple[float, float]]:
    """Return the corners of a staircase: every whole distance in the middle of its tread.

    Parameters
    ----------
    steps : sequence of int
        Of the distances 0, 1, 2 and so on; the staircase begins at 1 and ends at the last.
    """
    last = len(steps) - 1
    found: list[tuple[float, float]] = []
    # As many corners for every line: editable charts draw those with fewer points on top.
    for distance, value in enumerate(steps[1:], 1):
        found.append((max(1.0, distance - 0.5), float(value)))
        found.append((min(float(last), distance + 0.5), float(value)))
    return found if last > 1 else found[:1]


def _table(result: PathResult, t: Translator) -> Table:
    columns = ("distance", *(architecture_words(name, t) for name in ARCHITECTURES))
    steps = [result.steps[name].tolist() for name in ARCHITECTURES]
    return Table(columns, tuple(enumerate_rows(steps)))


def enumerate_rows(steps: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return one row a distance, from 0, with the steps of every architecture."""
    return [(distance, *row) for distance, row in enumerate(zip(*steps, strict=True))]
