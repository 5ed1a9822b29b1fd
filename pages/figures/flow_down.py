"""The flow of shapes from top to bottom, for sheets that are taller than a slide.

Inputs, projections, and queries, keys and values stand in three lanes, one below the other; the
scores, the weights and the output follow in one row at the foot.
"""

from __future__ import annotations

from itertools import pairwise

from engine.experiments.worked_example import Result
from pages.figures.canvas import Canvas
from pages.figures.figure import SizeName, Style
from pages.figures.flow_parts import CHAIN, FlowDrawing, Point, Sizes
from pages.figures.measure import text_width, wrap_text
from pages.figures.slide import Room
from pages.figures.symbols import draw_symbol

_SIZES: dict[SizeName, Sizes] = {
    "half": Sizes(576, 508, 52, 13, 26, 18, 18, 13, 2.25),
    "square": Sizes(648, 508, 60, 15, 28, 18, 19, 14, 2.25),
}
# Shares of the free width between the matrices of the row at the foot.
_GAPS = (66, 60, 82, 80)
_WIDEST_SHAPE = "(12, 12)"
# What the outline of a matrix takes beyond its cells.
_OUTLINE = 3.0


class FlowDown(FlowDrawing):
    """Places the matrices in a room, then draws them and the arrows between them.

    Parameters
    ----------
    result, style, canvas
        As for `FlowDrawing`.
    room : tuple
        Left, top, width and height.
    """

    def __init__(self, result: Result, style: Style, canvas: Canvas, room: Room) -> None:
        super().__init__(result, style, canvas, _SIZES[style.size])
        self.centres = self._centres(room)

    def _centres(self, room: Room) -> dict[str, Point]:
        left, top, width, height = room
        top, height = top + _OUTLINE, height - _OUTLINE
        sizes, glyph = self.sizes, self.sizes.glyph
        margin = max(glyph, text_width(_WIDEST_SHAPE, sizes.shape)) / 2
        free = (width - 2 * margin - 4 * glyph) / sum(_GAPS)
        foot = [left + margin + sum(_GAPS[:i]) * free + i * glyph for i in range(5)]
        # Free heights: two plain arrows, and a longer one with an operation on its way.
        words = sizes.symbol * 1.4 + sizes.shape * 1.5
        step = (height - 4 * glyph - words) / 3.6
        levels = [top + glyph / 2 + i * (glyph + step) for i in range(3)]
        levels.append(top + height - sizes.shape * 1.5 - glyph / 2)
        lanes = (foot[0], (foot[0] + (foot[3] + foot[4]) / 2) / 2, (foot[3] + foot[4]) / 2)
        centres = {"X": (lanes[1], levels[0])}
        if "C" in self.nodes:
            centres = {"X": (lanes[0], levels[0]), "C": ((lanes[1] + lanes[2]) / 2, levels[0])}
        for letter, lane in zip("QKV", lanes, strict=True):
            centres[f"W_{letter}"] = (lane, levels[1])
            centres[letter] = (lane, levels[2])
        for symbol, x in zip(CHAIN, foot, strict=True):
            centres[symbol] = (x, levels[3])
        return centres

    def draw(self) -> None:
        """Draw everything."""
        self._projections()
        self._scores()
        self.chain()
        self._output()
        for symbol in self.nodes:
            self.glyph(symbol)
            if symbol in CHAIN:
                self.names(symbol)
            else:
                self._names_beside(symbol)

    # ---- arrows

    def _bottom(self, symbol: str) -> Point:
        x, y = self.centres[symbol]
        return x, y + self.half(symbol)[1] + 4

    def _top(self, symbol: str) -> Point:
        x, y = self.centres[symbol]
        return x, y - self.half(symbol)[1] - 5

    def _down(self, start: Point, end: Point, colour: str, bend: float | None = None) -> None:
        """Draw an arrow that leaves and arrives upright, turning at ``y = bend`` where given."""
        head = 4 * self.sizes.line
        (x1, y1), (x2, y2) = start, end
        path = f"M{x1:.1f},{y1:.1f}"
        if bend is not None and abs(x1 - x2) >= 1:
            right = 1 if x2 > x1 else -1
            turn = min(10.0, abs(x2 - x1) / 2)
            path += (
                f"V{bend - turn:.1f}Q{x1:.1f},{bend:.1f} {x1 + right * turn:.1f},{bend:.1f}"
                f"H{x2 - right * turn:.1f}Q{x2:.1f},{bend:.1f} {x2:.1f},{bend + turn:.1f}"
            )
        self.line(f"{path}V{y2 - head * 0.6:.1f}", colour)
        self.head(f"M{x2:.1f},{y2:.1f}l{-head / 2:.1f},{-head:.1f}h{head:.1f}Z", colour)

    def _down_then_left(self, start: Point, end: Point, colour: str) -> None:
        """Draw an arrow that goes down to the height of ``end`` and then left to it."""
        head, turn = 4 * self.sizes.line, 10.0
        (x1, y1), (x2, y2) = start, end
        self.line(
            f"M{x1:.1f},{y1:.1f}V{y2 - turn:.1f}Q{x1:.1f},{y2:.1f} {x1 - turn:.1f},{y2:.1f}"
            f"H{x2 + head * 0.6:.1f}",
            colour,
        )
        self.head(f"M{x2:.1f},{y2:.1f}l{head:.1f},{-head / 2:.1f}v{head:.1f}Z", colour)

    def _projections(self) -> None:
        muted = self.style.colours.muted
        for letter in "QKV":
            source = "C" if letter != "Q" and "C" in self.nodes else "X"
            start, end = self._bottom(source), self._top(f"W_{letter}")
            low, high = self._level("X", 1), self._level("W_Q", -1)
            self._down(start, end, muted, (low + high) / 2)
            self._down(self._bottom(f"W_{letter}"), self._top(letter), self.colour_of(letter))

    def _level(self, symbol: str, side: int) -> float:
        """Return the lower (1) or upper (-1) edge of the largest matrix at this level."""
        return self.centres[symbol][1] + side * self.sizes.glyph / 2

    def _scores(self) -> None:
        sizes, (x, foot) = self.sizes, self.centres["S"]
        name_top = foot - self.half("S")[1] - sizes.symbol * 1.3
        y = (self._level("Q", 1) + self._level("S", -1) - sizes.symbol * 1.3) / 2
        self._down(self._bottom("Q"), (x, y - sizes.badge - 3), self.colour_of("Q"))
        self._down_then_left(self._bottom("K"), (x + sizes.badge + 3, y), self.colour_of("K"))
        self._down((x, y + sizes.badge), (x, name_top), self.colour_of("S"))
        self.badge((x, y), "×")
        left, above = x + sizes.badge + 18, y - sizes.operator * 0.85
        draw_symbol(
            self.canvas, left, above, "Q K^T", sizes.operator, self.style.colours.text, bold=False
        )

    def _output(self) -> None:
        x, y = self.between("A", "O")
        radius = self.sizes.badge
        self.arrow(self.right("A"), (x - radius - 3, y), self.colour_of("A"))
        self._down(self._bottom("V"), (x, y - radius - 3), self.colour_of("V"))
        self.arrow((x + radius, y), self.left("O"), self.colour_of("O"))
        self.badge((x, y), "×")

    # ---- words

    def operation(self, x: float, y: float, operation: str) -> None:
        """Name an operation above its arrow, in two lines where one is too wide."""
        size, glyph = self.sizes.operator, self.sizes.glyph
        free = min(b[0] - a[0] for a, b in self._neighbours() if a[0] < x < b[0]) - glyph
        lines = [operation]
        if "_" not in operation:
            lines = wrap_text(operation, size, free * 1.1)
        for place, line in enumerate(reversed(lines)):
            super().operation(x, y - place * size * 1.15, line)

    def _neighbours(self) -> list[tuple[Point, Point]]:
        row = [self.centres[symbol] for symbol in CHAIN]
        return list(pairwise(row))

    def _names_beside(self, symbol: str) -> None:
        """Write the symbol of a matrix and its shape to its right."""
        (x, y), sizes = self.centres[symbol], self.sizes
        left = x + self.half(symbol)[0] + 10
        draw_symbol(
            self.canvas, left, y - sizes.symbol * 0.5, symbol, sizes.symbol, self.colour_of(symbol)
        )
        rows, columns = self.nodes[symbol].values.shape
        self.canvas.text(
            left,
            y + sizes.shape * 0.75,
            f"({rows}, {columns})",
            sizes.shape,
            self.style.colours.muted,
            align="left",
        )
