"""What every drawing of the flow of shapes is made of: small matrices, arrows, operations.

Shape legend: T query positions, S key positions (T itself in self-attention).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.experiments.worked_example import Result
from pages.figures.board import hatching
from pages.figures.canvas import BACK, CELLS, FRAME, HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.layout import largest_of
from pages.figures.palette import role_fill, score_fill, weight_fill
from pages.figures.symbols import draw_symbol
from pages.text import translator

Point = tuple[float, float]
# The matrices of the last five steps, which stand in one row.
CHAIN = ("S", "S′", "S″", "A", "O")


@dataclass(frozen=True)
class Node:
    """One matrix of the flow."""

    symbol: str
    role: str
    ramp: str
    values: np.ndarray
    masked: np.ndarray | None = None
    limit: float | None = None


@dataclass(frozen=True)
class Sizes:
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


def nodes_of(result: Result) -> dict[str, Node]:
    """Return the matrices of a worked example by their symbols, in the order of the flow."""
    params, trace = result.params, result.trace
    hidden = None if trace.mask is None else ~np.asarray(trace.mask, dtype=bool)
    limit = largest_of(trace.scores)
    nodes = [
        Node("X", "input", "role", np.array(params.x)),
        Node("W_Q", "query", "role", np.array(params.w_q)),
        Node("W_K", "key", "role", np.array(params.w_k)),
        Node("W_V", "value", "role", np.array(params.w_v)),
        Node("Q", "query", "role", trace.q),
        Node("K", "key", "role", trace.k),
        Node("V", "value", "role", trace.v),
        Node("S", "scores", "scores", trace.scores, limit=limit),
        Node("S′", "scores", "scores", trace.scaled, limit=limit),
        Node("S″", "scores", "scores", trace.masked, limit=limit, masked=hidden),
        Node("A", "weights", "weights", trace.weights, masked=hidden),
        Node("O", "output", "role", trace.output),
    ]
    if params.context is not None:
        nodes.insert(1, Node("C", "input", "role", np.array(params.context)))
    return {node.symbol: node for node in nodes}


class FlowDrawing:
    """Draws the pieces of a flow; what stands where is the matter of its children.

    Parameters
    ----------
    result : Result
        A computed worked example.
    style : Style
        Theme, language and size.
    canvas : Canvas
        Where to draw.
    sizes : Sizes
        Room and fonts.
    """

    def __init__(self, result: Result, style: Style, canvas: Canvas, sizes: Sizes) -> None:
        self.style, self.canvas, self.sizes = style, canvas, sizes
        self.t = translator(style.language)
        self.result = result
        self.nodes = nodes_of(result)
        longest: int = max(max(node.values.shape) for node in self.nodes.values())
        self.unit = min(sizes.cell, sizes.glyph / longest)
        self.centres: dict[str, Point] = {}

    def draw(self) -> None:
        """Draw everything."""
        raise NotImplementedError

    def half(self, symbol: str) -> Point:
        """Return half the width and half the height of a matrix."""
        rows, columns = self.nodes[symbol].values.shape
        return float(columns * self.unit / 2), float(rows * self.unit / 2)

    # ---- arrows

    def right(self, symbol: str) -> Point:
        """Return where an arrow leaves a matrix to the right."""
        x, y = self.centres[symbol]
        return x + self.half(symbol)[0] + 4, y

    def left(self, symbol: str) -> Point:
        """Return where an arrow arrives at a matrix from the left."""
        x, y = self.centres[symbol]
        return x - self.half(symbol)[0] - 5, y

    def colour_of(self, symbol: str) -> str:
        """Return the colour of a matrix's role."""
        return self.style.colours.roles[self.nodes[symbol].role]

    def arrow(self, start: Point, end: Point, colour: str, bend: float | None = None) -> None:
        """Draw an arrow that leaves and arrives level, turning at ``x = bend`` where given."""
        head = 4 * self.sizes.line
        path = _elbow(start, (end[0] - head * 0.6, end[1]), bend)
        self.line(path, colour)
        x, y = end
        self.head(f"M{x:.1f},{y:.1f}l{-head:.1f},{-head / 2:.1f}v{head:.1f}Z", colour)

    def line(self, path: str, colour: str) -> None:
        """Draw the line of an arrow."""
        self.canvas.path(path, stroke=colour, stroke_width=self.sizes.line, level=BACK)

    def head(self, triangle: str, colour: str) -> None:
        """Draw the head of an arrow."""
        self.canvas.path(triangle, fill=colour, stroke_width=0, level=BACK)

    def drop(self, start: Point, corner: float, end: float, colour: str) -> None:
        """Draw an arrow that goes level to ``x = corner``, then up or down to ``y = end``."""
        head = 4 * self.sizes.line
        down = 1 if end > start[1] else -1
        turn = min(10.0, abs(end - start[1]) / 2)
        path = (
            f"M{start[0]:.1f},{start[1]:.1f}H{corner - turn:.1f}"
            f"Q{corner:.1f},{start[1]:.1f} {corner:.1f},{start[1] + down * turn:.1f}"
            f"V{end - down * head * 0.6:.1f}"
        )
        self.line(path, colour)
        self.head(f"M{corner:.1f},{end:.1f}l{-head / 2:.1f},{-down * head:.1f}h{head:.1f}Z", colour)

    def badge(self, centre: Point, symbol: str) -> None:
        """Draw an operation in a circle."""
        colours, radius = self.style.colours, self.sizes.badge
        x, y = centre
        fill = "transparent" if self.style.transparent else colours.background
        self.canvas.rect(
            x - radius, y - radius, 2 * radius, 2 * radius, fill=fill,
            stroke=colours.muted, stroke_width=self.sizes.line, radius=radius, level=FRAME,
        )  # fmt: skip
        size = self.sizes.badge * 1.6
        draw_symbol(self.canvas, x, y, symbol, size, colours.text, bold=False, align="center")

    def between(self, left: str, right: str) -> Point:
        """Return the point half way between two matrices, at the height of the right one."""
        x = (self.centres[left][0] + self.centres[right][0]) / 2
        return x, self.centres[right][1]

    def chain(self) -> None:
        """Draw the arrows from the scores to the weights, each with what happens on the way."""
        t, params = self.t, self.result.params
        steps = (
            ("S", "S′", "÷ √d_k" if params.scaled else t("not scaled")),
            ("S′", "S″", "+ M" if self.result.trace.mask is not None else t("no mask")),
            ("S″", "A", t("softmax")),
        )
        for left, right, operation in steps:
            self.arrow(self.right(left), self.left(right), self.colour_of(right))
            x, y = self.between(left, right)
            self.operation(x, y, operation)

    def operation(self, x: float, y: float, operation: str) -> None:
        """Name an operation above its arrow."""
        size, colour = self.sizes.operator, self.style.colours.text
        above = y - size * 0.95
        draw_symbol(self.canvas, x, above, operation, size, colour, bold=False, align="center")

    # ---- matrices

    def glyph(self, symbol: str) -> None:
        """Draw a matrix."""
        node = self.nodes[symbol]
        (x, y), (half_width, half_height) = self.centres[symbol], self.half(symbol)
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
            stroke=self.colour_of(symbol), stroke_width=self.sizes.line * 0.7,
            radius=3, level=FRAME,
        )  # fmt: skip

    def _fill(self, node: Node, row: int, column: int, limit: float) -> str:
        value, theme = float(node.values[row, column]), self.style.theme
        if node.masked is not None and node.masked[row, column]:
            return self.style.colours.masked
        if node.ramp == "weights":
            return weight_fill(value, theme)
        if node.ramp == "scores":
            return score_fill(value, limit, theme)
        return role_fill(node.role, value / limit if limit else 0.0, theme)

    def names(self, symbol: str) -> None:
        """Write the symbol of a matrix above it, and its shape below."""
        (x, y), (_, half_height) = self.centres[symbol], self.half(symbol)
        sizes, colours = self.sizes, self.style.colours
        above = y - half_height - sizes.symbol * 0.75
        draw_symbol(
            self.canvas, x, above, symbol, sizes.symbol, self.colour_of(symbol), align="center"
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
