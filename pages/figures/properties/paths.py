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
from pages.text.properties_words import architecture_words, longest_words, reads_words

SCREEN = Screen(868.0, 360.0)
_MOST_TICKS, _LEAST = 12, 10  # distances that have ticks of their own, and end of the steps
# Of each architecture: its place among the colours, its dash and marker, and the width of a solid
# line. Those that may lie on each other are a wide solid one below and a thin dashed one above.
_COLOURS: dict[Architecture, int] = {
    "rnn": 4, "convolution": 3, "dilated": 1, "window": 2, "full": 0,
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
    note = t.sentences(longest_words(result, t), _alike_words(result, t), reads_words(result, t))
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
            tuple(map(float, distances)) if T <= _MOST_TICKS else (),
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


def _line(result: PathResult, name: Architecture, style: Style, t: Translator) -> Series:
    values = tuple(float(step) for step in result.steps[name][1:])
    return Series(architecture_words(name, t), values, architecture_colour(name, style),
                  kind=_KINDS[name], weight=_WIDTHS[name])  # fmt: skip


def _alike_words(result: PathResult, t: Translator) -> str:
    """Return which architectures take the same steps everywhere, so that their lines coincide."""
    groups: list[list[Architecture]] = []
    for name in ARCHITECTURES:
        alike = [group for group in groups if _same(result, (group[0], name))]
        if alike:
            alike[0].append(name)
        else:
            groups.append([name])
    said = [
        t("The lines of {names} coincide.",
          names=t.listing(architecture_words(name, t) for name in group))
        for group in groups
        if len(group) > 1
    ]  # fmt: skip
    return t.sentences(*said)


def _same(result: PathResult, names: Sequence[Architecture]) -> bool:
    one, other = (result.steps[name][1:].tolist() for name in names)
    return bool(one == other)


def _table(result: PathResult, t: Translator) -> Table:
    columns = ("distance", *(architecture_words(name, t) for name in ARCHITECTURES))
    steps = [result.steps[name].tolist() for name in ARCHITECTURES]
    return Table(columns, tuple(enumerate_rows(steps)))


def enumerate_rows(steps: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return one row a distance, from 0, with the steps of every architecture."""
    return [(distance, *row) for distance, row in enumerate(zip(*steps, strict=True))]
