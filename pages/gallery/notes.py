"""Speaker notes: the parameters, the numbers behind a figure, and how to make it again."""

from __future__ import annotations

import shlex
from itertools import groupby

from pages.figures.figure import Figure, Style, Table
from pages.gallery.model import Exhibit
from pages.gallery.settings import differences
from pages.text import Translator, translator

MOST_LINES = 400
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
    parameters = [f"{name}: {text}" for name, text in _parameters(exhibit, t)]
    blocks = [
        [figure.note],
        [t("Parameters"), *parameters] if parameters else [],
        [t("Numbers ({digits} significant digits)", digits=_DIGITS), *_numbers(figure.table, t)],
        [t("How to make this figure again"), command(exhibit, style)],
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
    words = ["python", "-m", "pages.export", *(word for option in options for word in option)]
    return shlex.join([*words, *(["--transparent"] if style.transparent else [])])


def _settings(exhibit: Exhibit) -> list[tuple[str, str]]:
    encode = exhibit.idea.encode or differences
    return [*encode(exhibit.params), *differences(exhibit.view)]


def _parameters(exhibit: Exhibit, t: Translator) -> list[tuple[str, str]]:
    if exhibit.result is None:
        return []
    described = exhibit.idea.describe
    named = described(exhibit.params, t.language) if described else differences(exhibit.params)
    return [*named, *differences(exhibit.view), (t("Computed by"), _backend(exhibit))]


def _backend(exhibit: Exhibit) -> str:
    precision = getattr(exhibit.result, "precision", "")
    return f"{exhibit.backend}, {precision}" if precision else exhibit.backend


def _numbers(table: Table, t: Translator) -> list[str]:
    lines = _matrices(table) if {"matrix", "row", "column", "value"} <= set(table.columns) else None
    if lines is None:
        lines = [_line(table.columns), *map(_line, table.rows)]
    if len(lines) > MOST_LINES:
        left = t("The CSV file holds all {count} rows.", count=len(table.rows))
        return [*lines[:MOST_LINES], left]
    return lines


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
