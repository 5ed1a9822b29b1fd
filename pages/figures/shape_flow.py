"""The flow of shapes: every matrix of one calculation, drawn small, with its real size.

Shape legend: T query positions, S key positions (T itself in self-attention).
"""

from __future__ import annotations

from engine.experiments.worked_example import Result
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.flow_down import FlowDown
from pages.figures.flow_parts import CHAIN, FlowDrawing, Node, Point, Sizes
from pages.figures.names import file_stem
from pages.figures.slide import Room, open_sheet
from pages.figures.symbols import draw_symbol, plain
from pages.text import Translator, translator

# Share of the free width before each column after the first; operations need more room.
_GAPS = (44, 38, 62, 66, 66, 66, 62)
_SCREEN = Sizes(852, 372, 60, 15, 20, 13, 12, 11, 1.75)
_SLIDE = Sizes(1160, 480, 78, 20, 30, 20, 19, 15, 2.5)


class _FlowAcross(FlowDrawing):
    """The flow from left to right, from the upper left corner ``origin`` of its room."""

    def __init__(self, result: Result, style: Style, canvas: Canvas, origin: Point) -> None:
        super().__init__(result, style, canvas, _SCREEN if style.size == "screen" else _SLIDE)
        self.centres = self._centres(origin)

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
        for symbol, column in zip(CHAIN, columns[3:], strict=True):
            centres[symbol] = (column, lanes[1])
        return centres

    def draw(self) -> None:
        """Draw everything."""
        self._projections()
        self._scores()
        self.chain()
        self._output()
        for symbol in self.nodes:
            self.glyph(symbol)
            self.names(symbol)

    def _projections(self) -> None:
        muted = self.style.colours.muted
        for letter in "QKV":
            source = "C" if letter != "Q" and "C" in self.nodes else "X"
            start, end = self.right(source), self.left(f"W_{letter}")
            bend = self.centres["X"][0] + self.sizes.glyph / 2 + 14
            self.arrow(start, end, muted, bend)
            self.arrow(self.right(f"W_{letter}"), self.left(letter), self.colour_of(letter))

    def _scores(self) -> None:
        x, y = self.between("K", "S")
        radius = self.sizes.badge
        self.drop(self.right("Q"), x, y - radius - 3, self.colour_of("Q"))
        self.arrow(self.right("K"), (x - radius - 3, y), self.colour_of("K"))
        self.arrow((x + radius, y), self.left("S"), self.colour_of("S"))
        self.badge((x, y), "×")
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

    def _output(self) -> None:
        x, y = self.between("A", "O")
        radius = self.sizes.badge
        self.arrow(self.right("A"), (x - radius - 3, y), self.colour_of("A"))
        self.drop(self.right("V"), x, y + radius + 3, self.colour_of("V"))
        self.arrow((x + radius, y), self.left("O"), self.colour_of("O"))
        self.badge((x, y), "×")


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


def _table(nodes: dict[str, Node]) -> Table:
    rows = [(plain(node.symbol), *map(int, node.values.shape)) for node in nodes.values()]
    return Table(("matrix", "rows", "columns"), tuple(rows))


def _on_sheet(result: Result, style: Style, canvas: Canvas, room: Room) -> FlowDrawing:
    """Return the flow that suits a sheet: across a wide one, down a narrow one."""
    left, top, width, height = room
    if style.size != "slide":
        return FlowDown(result, style, canvas, room)
    origin = (left + (width - _SLIDE.width) / 2, top + (height - _SLIDE.height) / 2)
    return _FlowAcross(result, style, canvas, origin)


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
    if style.size == "screen":
        canvas = Canvas(
            _SCREEN.width + 16, _SCREEN.height + 16, style.colours, transparent=style.transparent
        )
        flow: FlowDrawing = _FlowAcross(result, style, canvas, (8.0, 8.0))
    else:
        canvas, room = open_sheet(style, title, note, "scores")
        flow = _on_sheet(result, style, canvas, room)
    flow.draw()
    alt = t.sentences(t("{title}.", title=title), note)
    name = file_stem(result, "shapes")
    return Figure(name, title, canvas.spec(alt), _table(flow.nodes), note, alt)
