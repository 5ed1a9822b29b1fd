"""A deck as a JSON document, one slide a line, and back; exact to the last bit."""

from __future__ import annotations

import json
import math
import numbers
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, NoReturn, get_args

from engine.errors import EngineError
from pages.documents.incoming import parse_json
from pages.export import deck_check as check
from pages.export.errors import ExportError
from pages.export.fonts import is_chinese
from pages.export.identity import PROGRAM
from pages.export.limits import (
    LARGEST_FILE,
    LONGEST_NOTE,
    MOST_CHARACTERS,
    MOST_DECIMALS,
    MOST_PARTS,
    MOST_POINTS,
    MOST_SLIDES,
)
from pages.export.slides import Slide
from pages.export.spec_check import check_spec
from pages.figures.figure import Chart, Figure, Look, Reference, Series, Style, Table
from pages.figures.series import MOST_SERIES
from pages.figures.slide import retitled, unframed

if TYPE_CHECKING:
    from pages.export.slides import Deck

KIND = "deck"
VERSION = 1
# JSON has no infinity, so a table's one is written as {"number": "-inf"}.
_NUMBER = "number"
# What a line is unless it says otherwise; written only where it does.
_USUAL: dict[str, object] = {"x": None, "look": "line", "kind": None, "weight": None}
MOST_WEIGHT = 4.0  # of a line: its width as a share of the usual one
_INFINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def deck_to_json(deck: Deck) -> bytes:
    """Write a deck; `deck_from_json` returns the same deck.

    Raises
    ------
    ExportError
        When the document would be too large to be read again.
    """
    head = {"program": PROGRAM, "kind": KIND, "version": VERSION}
    lines = [f"{_text(name)}: {_text(value)}" for name, value in head.items()]
    slides = ",\n".join(_text(_plain(slide)) for slide in deck)
    data = ("{\n" + ",\n".join([*lines, f'"slides": [\n{slides}\n]']) + "\n}\n").encode()
    _require_readable(data)
    return data


def deck_from_json(data: bytes | str) -> Deck:
    """Read a deck that `deck_bytes` wrote.

    Everything in it is checked before it is used: a file may come from anybody. A specification
    may hold only what the figures of this program hold.

    Raises
    ------
    ExportError
        One sentence, when the document is too large, no JSON, of another program, kind or version,
        or when a part of it is not what it must be.
    """
    slides = _require_ours(_parse(data)).get("slides")
    if not isinstance(slides, list) or not 1 <= len(slides) <= MOST_SLIDES:
        raise ExportError("A deck must be a list of 1 to {most} slides.", most=MOST_SLIDES)
    deck = tuple(_slide(members, number) for number, members in enumerate(slides, start=1))
    _require_few_characters(deck)
    return deck


def _require_few_characters(deck: Deck) -> None:
    """Refuse what would take minutes to look for in the fonts of the machine."""
    met: set[str] = set()
    for slide in deck:
        met.update(_text([slide.figure.spec, slide.figure.title]))
    if sum(not (each.isascii() or is_chinese(each)) for each in met) > MOST_CHARACTERS:
        raise ExportError(
            "The slides hold more than {most} different characters beside Latin and Chinese ones; "
            "no figure of this program does.",
            most=MOST_CHARACTERS,
        )


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(slide: Slide) -> dict[str, Any]:
    figure = slide.figure
    rows = [[_cell(value) for value in row] for row in figure.table.rows]
    return {
        "name": figure.name,
        "title": figure.title,
        "style": asdict(slide.style),
        "note": figure.note,
        "alt": figure.alt,
        "notes": slide.notes,
        "spec": figure.spec,
        "chart": None if figure.chart is None else _plain_chart(figure.chart),
        "table": {"columns": figure.table.columns, "rows": rows},
    }


def _plain_chart(chart: Chart) -> dict[str, Any]:
    """Return the members of a chart."""
    members = asdict(chart)
    for series in members["series"]:
        del series["breaks"]  # a chart holds each piece of a line as a series
        for name, usual in _USUAL.items():
            if series[name] == usual:
                del series[name]
    for reference in members["references"]:
        if not reference["colour"]:
            del reference["colour"]
    return members


def _cell(value: object) -> object:
    """Return one value of a table as JSON has it; NumPy's own numbers become Python's."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        return number if math.isfinite(number) else {_NUMBER: repr(number)}
    return str(value)


def _require_readable(data: bytes | str) -> None:
    if len(data) > LARGEST_FILE:
        raise ExportError(
            "A saved deck has at most {most} megabytes, and this one has more; take out slides "
            "with large matrices.",
            most=LARGEST_FILE // 1024**2,
        )


def _require_few_parts(data: bytes | str) -> None:
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    if raw.count(b"[") + raw.count(b"{") > MOST_PARTS:
        raise ExportError("This JSON document has too many parts to be a deck of this program.")


def _parse(data: bytes | str) -> object:
    _require_readable(data)
    _require_few_parts(data)
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data.removeprefix("\ufeff")
        return parse_json(text, _refuse_constant)
    except UnicodeDecodeError:
        raise ExportError("A saved deck is a JSON file in UTF-8, and this file is not.") from None
    except EngineError as error:
        raise ExportError.of(error) from None


def _refuse_constant(constant: str) -> NoReturn:
    raise ExportError(
        "The document holds {constant}, which is no number of JSON.", constant=constant
    )


def _require_ours(document: object) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("program") != PROGRAM:
        raise ExportError(
            "This JSON document was not saved by {program}; choose one that was.", program=PROGRAM
        )
    if document.get("kind") != KIND:
        raise ExportError("This document of {program} is not a deck.", program=PROGRAM)
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise ExportError(
            "This deck was saved in another version of the format; this program reads version "
            "{own}.",
            own=VERSION,
        )
    return document


def _slide(members: object, number: int) -> Slide:
    """Return one slide; whatever is wrong in it is said with its number."""
    try:
        return _checked_slide(members)
    except check.Refusal as refusal:
        part = str(refusal)
    except RecursionError:
        part = "spec"
    raise ExportError(
        "Slide {number} of the deck cannot be read: its {part} is not one that this program "
        "writes.",
        number=number,
        part=part,
    )


def _checked_slide(members: object) -> Slide:
    parts = check.members(
        members,
        "content",
        ("name", "title", "style", "note", "alt", "notes", "spec", "chart", "table"),
    )
    style = _style(parts["style"])
    figure = Figure(
        name=check.name(parts["name"]),
        title=check.title(parts["title"]),
        spec=check_spec(parts["spec"], style),
        table=_table(parts["table"]),
        note=check.text(parts["note"], "note", LONGEST_NOTE),
        alt=check.text(parts["alt"], "alt"),
        chart=None if parts["chart"] is None else _chart(parts["chart"]),
    )
    _require_frame_that_works(figure)
    return Slide(figure, style, check.text(parts["notes"], "notes"))


def _require_frame_that_works(figure: Figure) -> None:
    """Require a title that can be replaced, as renaming will, and a body that can be taken out."""
    try:
        retitled(figure, figure.title)
        unframed(figure.spec)
    except (ValueError, LookupError, TypeError, StopIteration):
        raise check.Refusal("spec") from None


def _style(value: object) -> Style:
    parts = check.members(value, "style", ("theme", "language", "size", "decimals", "transparent"))
    check.style(parts)
    return Style(**parts)


def _table(value: object) -> Table:
    parts = check.members(value, "table", ("columns", "rows"))
    columns = check.texts(parts["columns"], "table")
    rows = check.sequence(parts["rows"], "table")
    return Table(columns, tuple(_row(row, len(columns)) for row in rows))


def _row(value: object, width: int) -> tuple[object, ...]:
    cells = check.sequence(value, "table")
    if len(cells) != width:
        raise check.Refusal("table")
    return tuple(map(_value, cells))


def _value(cell: object) -> object:
    if cell is None or isinstance(cell, bool | int | float):
        return cell
    if isinstance(cell, dict) and list(cell) == [_NUMBER] and str(cell[_NUMBER]) in _INFINITE:
        return _INFINITE[str(cell[_NUMBER])]
    return check.text(cell, "table")


def _chart(value: object) -> Chart:
    parts = check.members(value, "chart", tuple(field.name for field in fields(Chart)))
    kind = check.choice(parts["kind"], ("bar", "line"), "chart")
    x = check.texts(parts["x"], "chart") if kind == "bar" else check.floats(parts["x"], "chart")
    series = check.sequence(parts["series"], "chart")
    low, high = check.pair(parts["y_range"], "chart")
    if not 1 <= len(x) <= MOST_POINTS or not 1 <= len(series) <= MOST_SERIES:
        raise check.Refusal("chart")
    if kind == "line" and len(x) > 1:
        check.pair([min(x), max(x)], "chart")
    chart = Chart(
        kind=kind,  # type: ignore[arg-type]
        x_title=check.text(parts["x_title"], "chart"),
        y_title=check.text(parts["y_title"], "chart"),
        x=x,
        series=tuple(_series(each, len(x)) for each in series),
        y_range=(low, high),
        x_log=check.switch(parts["x_log"], "chart"),
        y_log=check.switch(parts["y_log"], "chart"),
        references=tuple(map(_reference, check.sequence(parts["references"], "chart"))),
        dots=check.floats(parts["dots"], "chart"),
        hidden=tuple(
            check.whole(group, "chart", len(x) - 1)
            for group in check.sequence(parts["hidden"], "chart")
        ),
        decimals=_decimals(parts["decimals"]),
    )
    own_places = any(each.x is not None for each in chart.series)
    if len(chart.references) > MOST_SERIES or (kind == "bar" and own_places):
        raise check.Refusal("chart")
    _require_positive(chart)
    return chart


def _decimals(value: object) -> int | None:
    return None if value is None else check.whole(value, "chart", MOST_DECIMALS)


def _require_positive(chart: Chart) -> None:
    """Require what a logarithmic axis can show."""
    on_x: list[Any] = [chart.x, *([at.at] for at in chart.references if at.axis == "x")]
    on_x += [series.x for series in chart.series if series.x]
    on_y = [chart.y_range, *(series.values for series in chart.series)]
    on_y += [(at.at,) for at in chart.references if at.axis == "y"]
    for is_log, groups in ((chart.x_log, on_x), (chart.y_log, on_y)):
        if is_log and (
            chart.kind == "bar" or any(value <= 0 for group in groups for value in group)
        ):
            raise check.Refusal("chart")


def _reference(value: object) -> Reference:
    given = {"colour": ""} | value if isinstance(value, dict) else value
    parts = check.members(given, "chart", ("at", "label", "axis", "colour"))
    axis = check.choice(parts["axis"], ("x", "y"), "chart")
    at = check.number(parts["at"], "chart")
    colour = parts["colour"] and check.colour(parts["colour"], "chart")
    return Reference(at, check.text(parts["label"], "chart"), axis, colour)  # type: ignore[arg-type]


def _series(value: object, length: int) -> Series:
    given = _USUAL | value if isinstance(value, dict) else value
    parts = check.members(given, "chart", ("name", "values", "colour", *_USUAL))
    places = None if parts["x"] is None else check.floats(parts["x"], "chart")
    values = check.floats(parts["values"], "chart")
    wanted = length if places is None else len(places)
    if len(values) != wanted or not 1 <= wanted <= MOST_POINTS:
        raise check.Refusal("chart")
    return Series(
        check.text(parts["name"], "chart"),
        values,
        check.colour(parts["colour"], "chart"),
        places,
        check.choice(parts["look"], get_args(Look), "chart"),  # type: ignore[arg-type]
        None if parts["kind"] is None else check.whole(parts["kind"], "chart", MOST_SERIES - 1),
        weight=None if parts["weight"] is None else _weight(parts["weight"]),
    )


def _weight(value: object) -> float:
    weight = check.number(value, "chart")
    if not 0 < weight <= MOST_WEIGHT:
        raise check.Refusal("chart")
    return weight
