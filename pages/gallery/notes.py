"""Speaker notes: the parameters, the numbers behind a figure, and how to make it again."""

from __future__ import annotations

import shlex
from itertools import groupby

from pages.figures.figure import Chart, Figure, Style, Table
from pages.gallery.model import Exhibit
from pages.gallery.settings import differences
from pages.text import Translator, mark, translator

MOST_LINES = 400
MOST_POINTS = 21  # of a line; a presenter reads some, the CSV file has all
INTERPRETER = ".venv/bin/python"  # as the README sets it up
# What the columns of the tables are called in the notes; a CSV file keeps the English names.
COLUMNS = {
    "step": mark("step"),
    "name": mark("name"),
    "formula": mark("formula"),
    "shape": mark("shape"),
    "meaning": mark("meaning"),
    "line": mark("line"),
    "place": mark("place"),
    "printed": mark("printed"),
    "computed": mark("computed"),
    "verdict": mark("verdict"),
    "matrix": mark("matrix"),
    "rows": mark("rows"),
    "columns": mark("columns"),
}
_NOWHERE = "–"  # a line that does not run at a place
_DIGITS = 6  # significant digits of a number in the notes; the CSV file has all of them


def speaker_notes(exhibit: Exhibit, figure: Figure, style: Style) -> str:
    """Return the notes of one slide, in the style's language.

    Parameters
    ----------
    exhibit : Exhibit
        What the figure was drawn from.
    figure : Figure
        As drawn in ``style``.
    style : Style
        Language, theme and size, for the text and for the command.
    """
    t = translator(style.language)
    parameters = [t("{name}: {text}", name=n, text=text) for n, text in _parameters(exhibit, t)]
    blocks = [
        [figure.note],
        [t("Parameters"), *parameters] if parameters else [],
        [t("Numbers ({digits} significant digits)", digits=_DIGITS), *_numbers(figure, t)],
        [t("How to make this figure again"), *_whole(exhibit, t), command(exhibit, style)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def command(exhibit: Exhibit, style: Style, format: str = "png") -> str:
    """Return the command that writes the same figure to a file."""
    options = [
        ("--to", "slides"),
        ("--format", format),
        ("--figure", exhibit.entry.name),
        ("--language", style.language),
        ("--theme", style.theme),
        ("--size", style.size),
        ("--decimals", str(style.decimals)),
        ("--backend", exhibit.backend),
        *(("--set", f"{exhibit.idea.name}.{name}={text}") for name, text in _settings(exhibit)),
    ]
    words = [INTERPRETER, "-m", "pages.export", *(word for option in options for word in option)]
    return shlex.join([*words, *(["--transparent"] if style.transparent else [])])


def _settings(exhibit: Exhibit) -> list[tuple[str, str]]:
    encode, fixed = exhibit.idea.encode or differences, exhibit.idea.fixed
    settings = [*encode(exhibit.params), *differences(exhibit.view)]
    return [(name, text) for name, text in settings if name not in fixed]


def _whole(exhibit: Exhibit, t: Translator) -> list[str]:
    """Return that the command goes further than the figure, where that was stopped."""
    if getattr(exhibit.result, "finished", True):
        return []
    return [t("This was stopped before its end; the command computes it to the end.")]


def _parameters(exhibit: Exhibit, t: Translator) -> list[tuple[str, str]]:
    if exhibit.result is None:
        return []
    described = exhibit.idea.describe
    named = (
        described(exhibit.params, exhibit.view, t.language)
        if described
        else [*differences(exhibit.params), *differences(exhibit.view)]
    )
    return [*named, (t("Computed by"), _backend(exhibit))]


def _backend(exhibit: Exhibit) -> str:
    precision = getattr(exhibit.result, "precision", "")
    return f"{exhibit.backend}, {precision}" if precision else exhibit.backend


def _numbers(figure: Figure, t: Translator) -> list[str]:
    """Return the numbers behind a figure, one row a line."""
    table = figure.table
    if figure.chart is not None:
        lines, left = _plotted(figure.chart)
    elif {"matrix", "row", "column", "value"} <= set(table.columns):
        lines, left = _matrices(table), False
    else:
        header = tuple(t(COLUMNS[name]) if name in COLUMNS else name for name in table.columns)
        lines, left = [_line(header), *map(_line, table.rows)], False
    if left or len(lines) > MOST_LINES:
        all_of_them = t("The CSV file holds all {count} rows.", count=len(table.rows))
        return [*lines[:MOST_LINES], all_of_them]
    return lines


def _plotted(chart: Chart) -> tuple[list[str], bool]:
    """Return what a chart plots, and whether points of its lines were left out."""
    named = [series for series in chart.series if series.look not in ("edge", "rest")]
    header = (chart.x_title, *(series.name for series in named))
    if all(series.x is None for series in named):
        rows = list(zip(chart.x, *(series.values for series in named), strict=True))
    else:
        rows = _joined(chart)
    kept = rows if chart.kind == "bar" else _some(rows, {line.at for line in chart.references})
    return [_line(header), *map(_line, kept)], len(kept) < len(rows)


def _joined(chart: Chart) -> list[tuple[object, ...]]:
    """Return lines that have places of their own, one row for each place of any of them."""
    lines: list[dict[float, float]] = []
    for series in chart.series:
        places = map(float, series.x or chart.x)
        points = dict(zip(places, series.values, strict=True))
        if series.look == "rest":
            lines[-1] |= points
        elif series.look != "edge":
            lines.append(points)
    every = sorted({place for points in lines for place in points})
    return [(place, *(points.get(place, _NOWHERE) for points in lines)) for place in every]


def _some(rows: list[tuple[object, ...]], wanted: set[float]) -> list[tuple[object, ...]]:
    """Return some points of a line, evenly spread, its ends and the wanted ones among them."""
    steps = range(MOST_POINTS)
    places = {round(step * (len(rows) - 1) / (MOST_POINTS - 1)) for step in steps}
    return [row for place, row in enumerate(rows) if place in places or row[0] in wanted]


def _matrices(table: Table) -> list[str]:
    """Return a table of cells as matrices, one row a line."""
    place = {name: table.columns.index(name) for name in ("matrix", "row", "value")}
    lines = []
    for matrix, cells in groupby(table.rows, key=lambda row: row[place["matrix"]]):
        lines.append(f"{matrix} =")
        for _, row in groupby(cells, key=lambda cell: cell[place["row"]]):
            lines.append(_line(tuple(cell[place["value"]] for cell in row)))
    return lines


def _line(values: tuple[object, ...]) -> str:
    return "   ".join(map(_shown, values))


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.{_DIGITS}g}"
    return "?" if value == "" else str(value)
