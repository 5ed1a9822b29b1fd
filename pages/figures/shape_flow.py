"""The flow of shapes: every matrix of one calculation, drawn small, with its real size.

Shape legend: T query positions, S key positions (T itself in self-attention).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.experiments.worked_example import Result
from pages.figures.board import hatching
from pages.figures.canvas import BACK, CELLS, FRAME, HATCH, Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.layout import largest_of
from pages.figures.names import file_stem
from pages.figures.palette import role_fill, score_fill, weight_fill
from pages.figures.slide import open_sheet
from pages.figures.symbols import draw_symbol, plain
from pages.text import Translator, translator

Point = tuple[float, float]


@dataclass(frozen=True)
class _Node:
    """One matrix of the flow."""

    symbol: str
    role: str
    ramp: str
    values: np.ndarray
    masked: np.ndarray | None = None
    limit: float | None = None


@dataclass(frozen=True)
class _Sizes:
    """Pixels of one output: room, largest glyph, fonts."""

    width: float
    height: float
    glyph: float
    cell: float
    symbol: int
    shape: int
    operator: int
    badge: float
    line: float


# Share of the free width before each column after the first; operations need more room.
_GAPS = (44, 38, 62, 66, 66, 66, 62)
_SCREEN = _Sizes(852, 372, 60, 15, 20, 13, 12, 11, 1.75)
_SLIDE = _Sizes(1168, 480, 78, 20, 30, 20, 19, 15, 2.5)


def _nodes(result: Result) -> dict[str, _Node]:
    params, trace = result.params, result.trace
    hidden = None if trace.mask is None else ~np.asarray(trace.mask, dtype=bool)
    limit = largest_of(trace.scores)
    nodes = [
        _Node("X", "input", "role", np.array(params.x)),
        _Node("W_Q", "query", "role", np.array(params.w_q)),
        _Node("W_K", "key", "role", np.array(params.w_k)),
        _Node("W_V", "value", "role", np.array(params.w_v)),
        _Node("Q", "query", "role", trace.q),
        _Node("K", "key", "role", trace.k),
        _Node("V", "value", "role", trace.v),
        _Node("S", "scores", "scores", trace.scores, limit=limit),
        _Node("S′", "scores", "scores", trace.scaled, limit=limit),
        _Node("S″", "scores", "scores", trace.masked, limit=limit, masked=hidden),
        _Node("A", "weights", "weights", trace.weights, masked=hidden),
        _Node("O", "output", "role", trace.output),
    ]
    if params.context is not None:
        nodes.insert(1, _Node("C", "input", "role", np.array(params.context)))
    return {node.symbol: node for node in nodes}


class _Flow:
    """Places the matrices on a canvas, then draws them and the arrows between them.

    Parameters
    ----------
    result : Result
        A computed worked example.
    style : Style
        Theme, language and size.
    canvas : Canvas
        Where to draw.
    origin : tuple
        Upper left corner of the room.
    """

    def __init__(self, result: Result, style: Style, canvas: Canvas, origin: Point) -> None:
        self.result, self.style, self.canvas = result, style, canvas
        self.sizes = _SLIDE if style.size != "screen" else _SCREEN
        self.t = translator(style.language)
        self.nodes = _nodes(result)
        self.unit = self._unit()
        self.centres = self._centres(origin)

    def _unit(self) -> float:
        longest: int = max(max(node.values.shape) for node in self.nodes.values())
        return min(self.sizes.cell, self.sizes.glyph / longest)

    def _centres(self, origin: Point) -> dict[str, Point]:
        left, top = origin
        sizes = self.sizes
        room = (sizes.width - 8 * sizes.glyph) / sum(_GAPS)
        reach = [sum(_GAPS[:i]) * room + i * sizes.glyph for i in range(8)]
        columns = [left + sizes.glyph / 2 + offset for offset in reach]
        lanes = [top + sizes.height * share for share in (1 / 6, 1 / 2, 5 / 6)]
        centres = {"X": (columns[0], lanes[1])}
        if "C" in self.nodes:
            centres = {"X": (columns[0], lanes[0]), "C": (columns[0], (lanes[1] + lanes[2]) / 2)}
        for letter, lane in zip("QKV", lanes, strict=True):
            centres[f"W_{letter}"] = (columns[1], lane)
            centres[letter] = (columns[2], lane)
        for symbol, column in zip(("S", "S′", "S″", "A", "O"), columns[3:], strict=True):
            centres[symbol] = (column, lanes[1])
        return centres

    def _half(self, symbol: str) -> Point:
        rows, columns = self.nodes[symbol].values.shape
        return float(columns * self.unit / 2), float(rows * self.unit / 2)

    def draw(self) -> None:
        """Draw everything."""
        self._projections()
        self._scores()
        self._chain()
        self._output()
        for symbol in self.nodes:
            self._glyph(symbol)
            self._names(symbol)

    # ---- arrows

    def _right(self, symbol: str) -> Point:
        x, y = self.centres[symbol]
        return x + self._half(symbol)[0] + 4, y

    def _left(self, symbol: str) -> Point:
        x, y = self.centres[symbol]
        return x - self._half(symbol)[0] - 5, y

    def _colour(self, symbol: str) -> str:
        return self.style.colours.roles[self.nodes[symbol].role]

    def _arrow(self, start: Point, end: Point, colour: str, bend: float | None = None) -> None:
        """Draw an arrow that leaves and arrives level, turning at ``x = bend`` where given."""
        head = 4 * self.sizes.line
        path = _elbow(start, (end[0] - head * 0.6, end[1]), bend)
        self.canvas.path(path, stroke=colour, stroke_width=self.sizes.line, level=BACK)
        x, y = end
        triangle = f"M{x:.1f},{y:.1f}l{-head:.1f},{-head / 2:.1f}v{head:.1f}Z"
        self.canvas.path(triangle, fill=colour, stroke_width=0, level=BACK)

    def _drop(self, start: Point, corner: float, end: float, colour: str) -> None:
        """Draw an arrow that goes level to ``x = corner``, then up or down to ``y = end``."""
        head = 4 * self.sizes.line
        down = 1 if end > start[1] else -1
        turn = min(10.0, abs(end - start[1]) / 2)
        path = (
            f"M{start[0]:.1f},{start[1]:.1f}H{corner - turn:.1f}"
            f"Q{corner:.1f},{start[1]:.1f} {corner:.1f},{start[1] + down * turn:.1f}"
            f"V{end - down * head * 0.6:.1f}"
        )
        self.canvas.path(path, stroke=colour, stroke_width=self.sizes.line, level=BACK)
        triangle = f"M{corner:.1f},{end:.1f}l{-head / 2:.1f},{-down * head:.1f}h{head:.1f}Z"
        self.canvas.path(triangle, fill=colour, stroke_width=0, level=BACK)

    def _badge(self, centre: Point, symbol: str) -> None:
        """Draw an operation in a circle."""
        colours, radius = self.style.colours, self.sizes.badge
        x, y = centre
        self.canvas.rect(
            x - radius, y - radius, 2 * radius, 2 * radius, fill=colours.background,
            stroke=colours.muted, stroke_width=self.sizes.line, radius=radius, level=FRAME,
        )  # fmt: skip
        size = self.sizes.badge * 1.6
        draw_symbol(self.canvas, x, y, symbol, size, colours.text, bold=False, align="center")

    def _projections(self) -> None:
        muted = self.style.colours.muted
        for letter in "QKV":
            source = "C" if letter != "Q" and "C" in self.nodes else "X"
            start, end = self._right(source), self._left(f"W_{letter}")
            bend = self.centres["X"][0] + self.sizes.glyph / 2 + 14
            self._arrow(start, end, muted, bend)
            self._arrow(self._right(f"W_{letter}"), self._left(letter), self._colour(letter))

    def _between(self, left: str, right: str) -> Point:
        x = (self.centres[left][0] + self.centres[right][0]) / 2
        return x, self.centres[right][1]

    def _scores(self) -> None:
        x, y = self._between("K", "S")
        radius = self.sizes.badge
        self._drop(self._right("Q"), x, y - radius - 3, self._colour("Q"))
        self._arrow(self._right("K"), (x - radius - 3, y), self._colour("K"))
        self._arrow((x + radius, y), self._left("S"), self._colour("S"))
        self._badge((x, y), "×")
        label = y + radius + self.sizes.operator * 0.9
        draw_symbol(
            self.canvas,
            x,
            label,
            "Q K^T",
            self.sizes.operator,
            self.style.colours.muted,
            align="center",
        )

    def _chain(self) -> None:
        t, params = self.t, self.result.params
        steps = (
            ("S", "S′", "÷ √d_k" if params.scaled else t("not scaled")),
            ("S′", "S″", "+ M" if self.result.trace.mask is not None else t("no mask")),
            ("S″", "A", t("softmax")),
        )
        for left, right, operation in steps:
            self._arrow(self._right(left), self._left(right), self._colour(right))
            x, y = self._between(left, right)
            self._operation(x, y, operation)

    def _operation(self, x: float, y: float, operation: str) -> None:
        size, colour = self.sizes.operator, self.style.colours.text
        above = y - size * 0.95
        draw_symbol(self.canvas, x, above, operation, size, colour, bold=False, align="center")

    def _output(self) -> None:
        x, y = self._between("A", "O")
        radius = self.sizes.badge
        self._arrow(self._right("A"), (x - radius - 3, y), self._colour("A"))
        self._drop(self._right("V"), x, y + radius + 3, self._colour("V"))
        self._arrow((x + radius, y), self._left("O"), self._colour("O"))
        self._badge((x, y), "×")

    # ---- matrices

    def _glyph(self, symbol: str) -> None:
        node = self.nodes[symbol]
        (x, y), (half_width, half_height) = self.centres[symbol], self._half(symbol)
        left, top, unit = x - half_width, y - half_height, self.unit
        gap, radius = (0.25, 0.0) if unit < 8 else (0.75, 1.5)
        limit = largest_of(node.values) if node.limit is None else node.limit
        for row, column in np.ndindex(*node.values.shape):
            place = (left + column * unit, top + row * unit, unit - gap, unit - gap)
            fill = self._fill(node, row, column, limit)
            self.canvas.rect(*place, fill=fill, radius=radius, level=CELLS)
            if node.masked is not None and node.masked[row, column]:
                hatch = hatching(place, 5)
                self.canvas.path(
                    hatch, stroke=self.style.colours.hatch, stroke_width=1, level=HATCH
                )
        self.canvas.rect(
            left - 2, top - 2, 2 * half_width + 4 - gap, 2 * half_height + 4 - gap,
            stroke=self._colour(symbol), stroke_width=self.sizes.line * 0.7, radius=3, level=FRAME,
        )  # fmt: skip

    def _fill(self, node: _Node, row: int, column: int, limit: float) -> str:
        value, theme = float(node.values[row, column]), self.style.theme
        if node.masked is not None and node.masked[row, column]:
            return self.style.colours.masked
        if node.ramp == "weights":
            return weight_fill(value, theme)
        if node.ramp == "scores":
            return score_fill(value, limit, theme)
        return role_fill(node.role, value / limit if limit else 0.0, theme)

    def _names(self, symbol: str) -> None:
        (x, y), (_, half_height) = self.centres[symbol], self._half(symbol)
        sizes, colours = self.sizes, self.style.colours
        above = y - half_height - sizes.symbol * 0.75
        draw_symbol(
            self.canvas, x, above, symbol, sizes.symbol, self._colour(symbol), align="center"
        )
        rows, columns = self.nodes[symbol].values.shape
        below = y + half_height + sizes.shape * 0.95
        self.canvas.text(x, below, f"({rows}, {columns})", sizes.shape, colours.muted)


def _elbow(start: Point, end: Point, bend: float | None) -> str:
    """Return a level path from start to end with two rounded corners at ``x = bend``."""
    (x1, y1), (x2, y2) = start, end
    if bend is None or abs(y1 - y2) < 1:
        return f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}"
    down = 1 if y2 > y1 else -1
    turn = min(10.0, abs(y2 - y1) / 2)
    return (
        f"M{x1:.1f},{y1:.1f}H{bend - turn:.1f}"
        f"Q{bend:.1f},{y1:.1f} {bend:.1f},{y1 + down * turn:.1f}"
        f"V{y2 - down * turn:.1f}Q{bend:.1f},{y2:.1f} {bend + turn:.1f},{y2:.1f}H{x2:.1f}"
    )


def _note(result: Result, t: Translator) -> str:
    sizes = result.sizes
    return t(
        "Scores: ({T}, {d_k}) times ({d_k}, {S}) gives ({T}, {S}). "
        "Output: ({T}, {S}) times ({S}, {d_v}) gives ({T}, {d_v}).",
        T=sizes.T,
        S=sizes.S,
        d_k=sizes.d_k,
        d_v=sizes.d_v,
    )


def _table(nodes: dict[str, _Node]) -> Table:
    rows = [(plain(node.symbol), *map(int, node.values.shape)) for node in nodes.values()]
    return Table(("matrix", "rows", "columns"), tuple(rows))


def shape_flow(result: Result, style: Style) -> Figure:
    """Draw every matrix of a worked example with its real size, and what leads to what.

    Parameters
    ----------
    result : Result
        A computed worked example.
    style : Style
        Theme, language, size.

    Returns
    -------
    Figure
    """
    t = translator(style.language)
    title, note = t("The flow of shapes"), _note(result, t)
    if style.size != "screen":
        canvas, (left, top, width, height) = open_sheet(style, title, note, "scores")
        origin = (left + (width - _SLIDE.width) / 2, top + (height - _SLIDE.height) / 2)
    else:
        canvas = Canvas(
            _SCREEN.width + 16, _SCREEN.height + 16, style.colours, transparent=style.transparent
        )
        origin = (8.0, 8.0)
    flow = _Flow(result, style, canvas, origin)
    flow.draw()
    alt = t.sentences(t("{title}.", title=title), note)
    name = file_stem(result, "shapes")
    return Figure(name, title, canvas.spec(alt), _table(flow.nodes), note, alt)
