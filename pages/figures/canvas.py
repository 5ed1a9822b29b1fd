"""A drawing surface in pixels that ends as one layered Vega-Lite view.

Positions are data on two quantitative scales whose domains are the pixels of the figure, so nothing
is left to automatic sizing: what is laid out is what is drawn, on screen and in every file. Marks
of one kind at one height share a Vega-Lite layer. The dictionary is built directly, since Altair's
object layer takes too long for a page that must rerun in 60 ms; tests check it against the schema.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.figures.measure import has_wide
from pages.figures.palette import CHINESE_FONT, FONT, Theme
from pages.figures.typeset import Piece, pieces, runs_of

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
# Heights at which marks lie, from the back to the front.
UNDER, BACK, CELLS, HATCH, FRAME, TEXT, FRONT = range(-1, 6)
# Selection parameter of a board: Streamlit returns the clicked cell under this name.
CELL_SELECTION = "cell"
# Selection parameter of tips, which nothing ever selects. In a figure that has a selection,
# Vega-Lite makes marks that neither select nor have a tip blind to the pointer: numbers and
# outlines over a cell let it through, so that the cell says its tip wherever it is pointed at.
TIP_SELECTION = "tip"
# A click beside the cells, or on an operand, which has no row and column, must not clear the
# choice. (Streamlit's interpreter of expressions knows no bare `datum` in the filter of an event.)
_ON_A_CELL = "click[event.item && event.item.datum && isNumber(event.item.datum.row)]"
# A mark says nothing but its tip: without this, whatever asks for tips of all marks (a theme, a
# page around the figure) would show where and how a mark is drawn.
_SILENT: dict[str, Any] = {"tooltip": None}


def _raw(name: str, kind: str = "nominal") -> dict[str, Any]:
    """Encode a field as it stands: the data already holds colours, pixels and paths."""
    return {"field": name, "type": kind, "scale": None}


def _axis(name: str, length: float, reverse: bool) -> dict[str, Any]:
    scale = {"domain": [0, length], "nice": False, "zero": False, "reverse": reverse}
    return {"field": name, "type": "quantitative", "axis": None, "scale": scale}


class Canvas:
    """Collects marks, then writes the specification.

    Parameters
    ----------
    width, height : float
        Size of the finished figure in pixels; the origin is its upper left corner.
    colours : Theme
        Gives the background.
    smallest : float
        No text, subscripts included, is smaller than this many pixels.
    transparent : bool
        Whether the background is left out.

    Attributes
    ----------
    usermeta : dict
        What a reader of the specification may want to know of it; left out while it is empty.
    """

    def __init__(
        self,
        width: float,
        height: float,
        colours: Theme,
        smallest: float = 12,
        transparent: bool = False,
    ) -> None:
        self.smallest = smallest
        self.transparent = transparent
        self.usermeta: dict[str, Any] = {}
        self.width = round(width)
        self.height = round(height)
        self.colours = colours
        self._marks: dict[tuple[Any, ...], list[dict[str, Any]]] = {}

    def _add(self, key: tuple[Any, ...], values: dict[str, Any]) -> None:
        self._marks.setdefault(key, []).append(values)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "transparent",
        stroke: str = "transparent",
        stroke_width: float = 0,
        radius: float = 0,
        level: int = BACK,
        group: str = "",
    ) -> None:
        """Draw a rectangle from its upper left corner; a ``group`` has its layers to itself."""
        values = {"x": x, "y": y, "x2": x + width, "y2": y + height, "fill": fill}
        values |= {"stroke": stroke, "strokeWidth": stroke_width}
        self._add((level, "rect", group, radius), values)

    def cell(
        self,
        place: tuple[float, float, float, float],
        fill: str,
        tip: str,
        position: tuple[int, int] | None,
        *,
        radius: float = 0,
    ) -> None:
        """Draw a matrix cell; with a ``position`` it can be clicked.

        Parameters
        ----------
        place : tuple
            Left, top, width, height in pixels.
        fill, tip : str
            Colour, and the text shown under the pointer.
        position : tuple or None
            Row and column from 0, returned when the cell is clicked.
        radius : float
            Rounding of the corners.
        """
        x, y, width, height = place
        values = {"x": x, "y": y, "x2": x + width, "y2": y + height, "fill": fill, "tip": tip}
        if position is not None:
            values |= {"row": position[0], "column": position[1]}
        self._add((CELLS, "cell", "", radius, position is not None), values)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        align: str = "center",
        level: int = TEXT,
        group: str = "",
        wide: bool = False,
        symbols: bool = False,
        upright: bool = False,
    ) -> None:
        """Write one line, centred on ``y``; a ``group`` has its layers to itself.

        ``wide`` sets a line without Chinese in the fonts of its neighbours that have some: the
        lines of a group must make one layer, since two of one name cannot be drawn. ``symbols``
        gives the symbols of formulas their indices (``d_k``, ``W_Q``); powers (``10⁻⁷``) are always
        raised by hand, since few fonts have their digits. An ``upright`` line is read from below,
        centred on ``x``; it has no symbols.
        """
        wide = wide or has_wide(text)
        if upright:
            values = {"x": x, "y": y, "text": text, "size": size, "colour": colour}
            self._add((level, "text", group, align, bold, wide, True), values)
            return
        line = pieces(text, symbols=symbols)
        if any(place for place, _ in line):
            self._set((x, y), line, size, colour, (level, "text", group, "left", bold, wide), align)
            return
        values = {"x": x, "y": y, "text": text, "size": size, "colour": colour}
        self._add((level, "text", group, align, bold, wide), values)

    def _set(
        self,
        place: tuple[float, float],
        line: tuple[Piece, ...],
        size: float,
        colour: str,
        key: tuple[Any, ...],
        align: str,
    ) -> None:
        """Write a line with indices or exponents, run by run from its left edge."""
        bold, wide = key[4:]
        runs, width = runs_of(line, size, smallest=self.smallest, bold=bold, wide=wide)
        left = place[0] - width * {"left": 0.0, "center": 0.5, "right": 1.0}[align]
        for run in runs:
            values = {"x": left + run.along, "y": place[1] + run.down, "text": run.text}
            self._add(key, values | {"size": run.size, "colour": colour})

    def path(
        self,
        path: str,
        *,
        x: float = 0,
        y: float = 0,
        fill: str = "transparent",
        stroke: str = "transparent",
        stroke_width: float = 1.5,
        level: int = FRAME,
    ) -> None:
        """Draw an SVG path whose units are pixels from ``(x, y)``."""
        values = {"x": x, "y": y, "path": path, "fill": fill}
        values |= {"stroke": stroke, "strokeWidth": stroke_width}
        self._add((level, "path", ""), values)

    def image(self, place: tuple[float, float, float, float], url: str) -> None:
        """Draw a picture from a ``data:`` address; its pixels stay sharp however large it gets.

        Parameters
        ----------
        place : tuple
            Left, top, width, height in pixels.
        url : str
            The picture itself, as ``data:image/png;base64,...``.
        """
        x, y, width, height = place
        self._add((CELLS, "image", "", width, height), {"x": x, "y": y, "url": url})

    def layers(self) -> list[dict[str, Any]]:
        """Return the marks as Vega-Lite layers, from the back to the front."""
        found = [_layer(key, self._marks[key]) for key in sorted(self._marks, key=_order)]
        tipped = [layer for layer in found if "tooltip" in layer["encoding"]]
        if tipped and not any("params" in layer for layer in tipped):
            tipped[0]["params"] = selection(TIP_SELECTION)
        return found

    def spec(self, description: str) -> dict[str, Any]:
        """Return the finished Vega-Lite specification."""
        background = "transparent" if self.transparent else self.colours.background
        return {
            "$schema": SCHEMA,
            "description": description,
            **({"usermeta": self.usermeta} if self.usermeta else {}),
            "width": self.width,
            "height": self.height,
            # Streamlit puts 20 pixels under a figure whose bottom padding is left open.
            "padding": {"left": 0, "top": 0, "right": 0, "bottom": 0},
            "autosize": {"type": "none"},
            "background": background,
            "view": {"stroke": None},
            "encoding": {
                "x": _axis("x", self.width, reverse=False),
                "y": _axis("y", self.height, reverse=True),
            },
            "layer": self.layers(),
            "config": {"font": FONT, "text": {"font": FONT}},
        }


def _order(key: tuple[Any, ...]) -> int:
    return int(key[0])


def selection(name: str) -> list[dict[str, Any]]:
    """Return the parameter of a selection of cells with a position."""
    select = {"type": "point", "fields": ["row", "column"], "on": _ON_A_CELL, "clear": False}
    return [{"name": name, "select": select}]


def _layer(key: tuple[Any, ...], values: list[dict[str, Any]]) -> dict[str, Any]:
    draw: dict[str, Callable[..., dict[str, Any]]] = {
        "rect": _rect_layer, "cell": _cell_layer, "text": _text_layer, "path": _path_layer,
        "image": _image_layer,
    }  # fmt: skip
    _, kind, group, *rest = key
    name = {"name": group} if group else {}
    return {**name, "data": {"values": values}, **draw[kind](*rest)}


_OUTLINE = {
    "fill": _raw("fill"),
    "stroke": _raw("stroke"),
    "strokeWidth": _raw("strokeWidth", "quantitative"),
}


def _rect_layer(radius: float) -> dict[str, Any]:
    encoding = {"x2": {"field": "x2"}, "y2": {"field": "y2"}, **_OUTLINE}
    return {"mark": {"type": "rect", "cornerRadius": radius, **_SILENT}, "encoding": encoding}


def _cell_layer(radius: float, selectable: bool) -> dict[str, Any]:
    encoding = {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "fill": _raw("fill")}
    encoding["tooltip"] = {"field": "tip", "type": "nominal"}
    mark: dict[str, Any] = {"type": "rect", "cornerRadius": radius, "strokeWidth": 0}
    layer: dict[str, Any] = {"mark": mark, "encoding": encoding}
    if selectable:
        mark["cursor"] = "pointer"
        layer["params"] = selection(CELL_SELECTION)
    return layer


def _text_layer(align: str, bold: bool, chinese: bool, upright: bool = False) -> dict[str, Any]:
    mark: dict[str, Any] = {"type": "text", "align": align, "baseline": "middle", **_SILENT}
    mark |= {"angle": 270} if upright else {}
    mark["fontWeight"] = "bold" if bold else "normal"
    mark["font"] = CHINESE_FONT if chinese else FONT
    encoding = {
        "text": {"field": "text", "type": "nominal"},
        "size": _raw("size", "quantitative"),
        "color": _raw("colour"),
    }
    return {"mark": mark, "encoding": encoding}


def _path_layer() -> dict[str, Any]:
    # A point of size 4 draws its path at exactly one pixel a unit.
    mark = {"type": "point", "size": 4, "opacity": 1, "strokeCap": "round", **_SILENT}
    encoding = {"shape": _raw("path"), **_OUTLINE}
    return {"mark": mark, "encoding": encoding}


def _image_layer(width: float, height: float) -> dict[str, Any]:
    mark: dict[str, Any] = {"type": "image", "width": width, "height": height, **_SILENT}
    mark |= {"align": "left", "baseline": "top"}
    # Without `aria` off, the whole address is read out to a person who cannot see the picture.
    mark |= {"aspect": False, "smooth": False, "aria": False}
    return {"mark": mark, "encoding": {"url": {"field": "url", "type": "nominal"}}}
