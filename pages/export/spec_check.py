"""What the specification of a saved slide may hold: the narrow form that `Canvas` writes.

Vega-Lite could do much more: load addresses, evaluate expressions, make a million rows out of one
line. So nothing is searched for what is forbidden; everything must be one of the few things that
our own figures hold.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image

from pages.export.deck_check import Refusal, number, text
from pages.figures.canvas import SCHEMA, TIP_SELECTION, Canvas, selection
from pages.figures.figure import Style
from pages.figures.palette import LIGHT, ROLES
from pages.figures.slide import BAR, CAPTION, SHEETS, TITLE, Room

_PART = "spec"
MOST_PIXELS = 4096  # a side of a figure, and of a picture inside it
MOST_MARKS = 4_000  # a heatmap of 32 x 32 cells and its tips take 1,700
MOST_CHARACTERS = 700_000  # of tips and paths; a heatmap of 128 x 128 cells takes 510,000
MOST_LETTERS = 10_000  # of all words that are drawn: each letter is measured, which takes long
_MOST_PICTURES = 1  # a raster heatmap is one
_LEAST_PIXELS = 32
_FOOT = 54  # pixels below a body, at the least: the caption lies there
_MOST_LAYERS = 200
_FARTHEST = 100_000.0  # pixels
_LONGEST_WORDS = 2_000  # characters of one line, and of one tip
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}|transparent")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE .,+-]*")
_PICTURE = "data:image/png;base64,"
_PNG_END = b"IEND\xaeB`\x82"
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
_MEMBERS = {
    "$schema", "description", "usermeta", "width", "height", "padding", "autosize", "background",
    "view", "encoding", "layer", "config",
}  # fmt: skip
_LAYER_MEMBERS = {"name", "data", "mark", "encoding", "params"}


def check_spec(value: object, style: Style) -> dict[str, Any]:
    """Return the specification of a slide in this style, when it is one that our figures have.

    Raises
    ------
    Refusal
        When it holds anything else.
    """
    spec = _object(value, _MEMBERS, optional={"usermeta"})
    _require(spec["$schema"] == SCHEMA)
    text(spec["description"], _PART)
    width, height = (_side(spec[name]) for name in ("width", "height"))
    _check_frame(spec.get("usermeta"), style, width, height)
    _require(_same(_fixed(spec), _fixed(Canvas(width, height, LIGHT).spec(""))))
    _check_colour(spec["background"])
    layers = spec["layer"]
    _require(isinstance(layers, list) and 1 <= len(layers) <= _MOST_LAYERS)
    _require(sum(map(_check_layer, layers)) <= MOST_MARKS)
    _require(_characters(layers, "tip", "path") <= MOST_CHARACTERS)
    _require(1 <= _characters(layers, "text") <= MOST_LETTERS)
    _require(sum("url" in row for row in _rows(layers)) <= _MOST_PICTURES)
    names = [layer["name"] for layer in layers if "name" in layer]
    _require(len(set(names)) == len(names))
    return spec


def _fixed(spec: dict[str, Any]) -> dict[str, Any]:
    """Return what every specification of one size has in common."""
    return {name: spec[name] for name in ("padding", "autosize", "view", "encoding", "config")}


def _same(value: object, other: object) -> bool:
    return json.dumps(value, sort_keys=True) == json.dumps(other, sort_keys=True)


def _require(condition: bool) -> None:
    if not condition:
        raise Refusal(_PART)


def _object(value: object, allowed: set[str], optional: set[str] | None = None) -> dict[str, Any]:
    """Require an object with all the allowed members, of which some may be missing."""
    if not isinstance(value, dict) or not set(value) <= allowed:
        raise Refusal(_PART)
    _require(allowed - set(value) <= (optional or set()))
    return value


def _side(value: object) -> int:
    _require(type(value) is int and _LEAST_PIXELS <= value <= MOST_PIXELS)
    return int(value)  # type: ignore[call-overload, no-any-return]


def _check_frame(value: object, style: Style, width: int, height: int) -> None:
    """Require the frame of the style's sheet, or none for a figure of the screen."""
    if style.size == "screen":
        _require(value is None)
        return
    sheet = SHEETS[style.size]
    _require((width, height) == (sheet.width, sheet.height))
    frame = _object(_object(value, {"frame"})["frame"], {"size", "body", "role"})
    _require(frame["size"] == style.size and frame["role"] in ROLES)
    _require(isinstance(frame["body"], list) and len(frame["body"]) == 4)
    left, top, inside, high = (number(each, _PART) for each in frame["body"])
    _require(left >= 0 and top >= 0 and inside >= 1 and high >= 1)
    _require(left + inside <= width and top + high <= height - _FOOT)


def _check_layer(value: object) -> int:
    """Require a layer that a canvas writes, and return how many marks it has."""
    layer = _object(value, _LAYER_MEMBERS, optional={"name", "params"})
    _require(layer.get("name", TITLE) in (TITLE, BAR, CAPTION))
    rows = _object(layer["data"], {"values"})["values"]
    _require(isinstance(rows, list))
    usual = next((each for each in _written(layer["mark"]) if _same(_form(each), _form(layer))), {})
    _require(bool(usual))
    names = set(usual["data"]["values"][0])
    for row in rows:
        _check_row(row, names)
    return len(rows)


def _characters(layers: list[dict[str, Any]], *names: str) -> int:
    """Return how long these members of all marks are, together."""
    return sum(len(row[name]) for row in _rows(layers) for name in names if name in row)


def _rows(layers: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every mark."""
    return (row for layer in layers for row in layer["data"]["values"])


def _form(layer: dict[str, Any]) -> dict[str, Any]:
    """Return how a layer draws, without what it draws, and without what only the pointer meets.

    Slides that were saved before marks were silent lack both.
    """
    form: dict[str, Any] = {
        name: layer[name] for name in ("mark", "encoding", "params") if name in layer
    }
    mark = form["mark"]
    if mark.get("tooltip", "") is None:
        form["mark"] = {name: mark[name] for name in mark if name != "tooltip"}
    if form.get("params") == selection(TIP_SELECTION):
        del form["params"]
    return form


def _written(mark: object) -> list[dict[str, Any]]:
    """Return the layers, of one mark each, that a canvas could write with this mark."""
    if not isinstance(mark, dict) or not isinstance(mark.get("type"), str):
        raise Refusal(_PART)
    radius, width, height = (mark.get(name, 0) for name in ("cornerRadius", "width", "height"))
    _require(all(0 <= number(side, _PART) <= MOST_PIXELS for side in (radius, width, height)))
    canvases = []
    for draw in _DRAWINGS.get(mark["type"], ()):
        canvases.append(Canvas(1, 1, LIGHT))
        draw(canvases[-1], radius, (0, 0, width, height))
    return [layer for canvas in canvases for layer in canvas.layers()]


def _texts(canvas: Canvas, _radius: float, _place: Room) -> None:
    for align in ("left", "center", "right"):
        for bold in (False, True):
            for text_ in ("a", "中"):
                for upright in (False, True):
                    canvas.text(0, 0, text_, 18, "#000000", bold=bold, align=align, upright=upright)


_CELL: Room = (0, 0, 1, 1)
_DRAWINGS: dict[str, tuple[Callable[[Canvas, float, Room], None], ...]] = {
    "rect": (
        lambda canvas, radius, _place: canvas.rect(*_CELL, radius=radius),
        lambda canvas, radius, _place: canvas.cell(_CELL, "#000000", "", None, radius=radius),
        lambda canvas, radius, _place: canvas.cell(_CELL, "#000000", "", (0, 0), radius=radius),
    ),
    "text": (_texts,),
    "point": (lambda canvas, _radius, _place: canvas.path(""),),
    "image": (lambda canvas, _radius, place: canvas.image(place, ""),),
}


def _check_row(value: object, names: set[str]) -> None:
    """Require one mark: the usual members, each with a value of its kind."""
    row = _object(value, names)
    for name, member in row.items():
        _CHECKS.get(name, _check_number)(member)


def _check_number(value: object) -> None:
    _require(abs(number(value, _PART)) <= _FARTHEST)


def _check_colour(value: object) -> None:
    _require(isinstance(value, str) and _COLOUR.fullmatch(value) is not None)


def _check_words(value: object) -> None:
    text(value, _PART, _LONGEST_WORDS)


def _check_path(value: object) -> None:
    _require(isinstance(value, str) and _PATH.fullmatch(value) is not None)


def _check_picture(value: object) -> None:
    """Require a PNG picture inside the document, of a size that can be drawn."""
    _require(isinstance(value, str) and value.startswith(_PICTURE))
    try:
        data = base64.b64decode(str(value)[len(_PICTURE) :], validate=True)
    except (binascii.Error, ValueError):
        raise Refusal(_PART) from None
    _require(data.startswith(_PNG) and data.endswith(_PNG_END))
    width, height = struct.unpack(">II", data[len(_PNG) : len(_PNG) + 8])
    _require(1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS)
    try:
        Image.open(io.BytesIO(data), formats=["PNG"]).load()
    except (OSError, ValueError, SyntaxError):
        raise Refusal(_PART) from None


_CHECKS: dict[str, Callable[[object], None]] = {
    "fill": _check_colour,
    "stroke": _check_colour,
    "colour": _check_colour,
    "text": _check_words,
    "tip": _check_words,
    "path": _check_path,
    "url": _check_picture,
}
