"""The frame of a plot: scales, grid, ticks, axis titles and reference lines.

The caller says how much room it needs above the plot and beside it; the rest is the plot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from pages.figures.annotate import Flag, Span, draw_words, place_flags, words_width
from pages.figures.canvas import BACK, HATCH, Canvas
from pages.figures.figure import Reference, Style
from pages.figures.series import polyline
from pages.figures.slide import SMALLEST, Room, body, open_sheet, sheet_of
from pages.figures.ticks import Scale, ScaleName, Ticks, full_ticks

SCREEN_PADDING = 8.0
REFERENCE_DASH, REFERENCE_WIDTH = (4.0, 3.0), 1.5  # in widths, and in pixels
_LABEL_GAP = 0.3  # of a tick label's size, between two of them
_TITLE_GAP = 0.7  # of a tick label's size, between the title of the y axis and the plot


@dataclass(frozen=True)
class Axis:
    """A number axis.

    Parameters
    ----------
    title : str
        What it measures, with its unit.
    least, most : float or None
        Its ends; None takes them from the data.
    scale : {"linear", "log10", "log2"}
        A logarithmic axis shows numbers above 0 only.
    ticks : tuple of float
        Rising; where ticks stand along the bottom in place of round numbers, with as many labels
        as fit.
    written : callable or None
        How a value of an upright axis reads, beside its ticks and under the pointer: 3 × 2^30 bytes
        as ``3 GiB``; None writes the number itself.
    """

    title: str
    least: float | None = None
    most: float | None = None
    scale: ScaleName = "linear"
    ticks: tuple[float, ...] = ()
    written: Callable[[float], str] | None = None


@dataclass(frozen=True)
class Words:
    """The name and the words of a plot, as in `Figure`, and the role whose colour leads it."""

    name: str
    title: str
    note: str
    alt: str
    role: str = "weights"


@dataclass(frozen=True)
class Screen:
    """The size of a plot on screen.

    Parameters
    ----------
    width, height : float
        At most 868 x 420 pixels.
    edges : tuple of float or None
        Where the plot itself begins and ends from the top, so that two plots side by side line up
        and stay where they are when their numbers change; None gives it all the room there is.
    """

    width: float = 868.0
    height: float = 380.0
    edges: tuple[float, float] | None = None

    @property
    def inside(self) -> float:
        """Width inside the padding."""
        return self.width - 2 * SCREEN_PADDING


@dataclass(frozen=True)
class Sizes:
    """The fonts and strokes of one output, in pixels."""

    tick: int
    title: int
    label: int
    line: float
    marker: float
    gap: float

    @property
    def row(self) -> float:
        """Height of one line of labels."""
        return self.label * 1.4


_SIZES = {
    "screen": Sizes(tick=12, title=13, label=13, line=2.25, marker=4, gap=8),
    "slide": Sizes(tick=18, title=20, label=20, line=3.5, marker=6.5, gap=14),
    "half": Sizes(tick=18, title=18, label=18, line=3.25, marker=6, gap=10),
    "square": Sizes(tick=18, title=18, label=18, line=3.25, marker=6, gap=10),
}


def sizes_of(style: Style) -> Sizes:
    """Return the sizes of a style."""
    return _SIZES[style.size]


def smallest_of(style: Style) -> float:
    """Return the smallest font of a style."""
    return 12 if style.size == "screen" else SMALLEST


def open_plot(style: Style, words: Words, screen: Screen) -> tuple[Canvas, Room]:
    """Return a canvas and the room for a plot: a sheet's body, or the whole of a screen figure."""
    if style.size != "screen":
        return open_sheet(style, words.title, words.note, words.role)
    canvas = Canvas(screen.width, screen.height, style.colours, transparent=style.transparent)
    return canvas, room_of(style, words.note, screen)


def room_of(style: Style, note: str, screen: Screen) -> Room:
    """Return the room that `open_plot` gives."""
    if style.size != "screen":
        return body(style, note)
    height = screen.height - 2 * SCREEN_PADDING
    return SCREEN_PADDING, SCREEN_PADDING, screen.inside, height


def inside_width(style: Style, screen: Screen) -> float:
    """Return the width of the room that `open_plot` gives."""
    return screen.inside if style.size == "screen" else sheet_of(style).inside


@dataclass(frozen=True)
class Panel:
    """A plot whose frame is drawn: its canvas, its sizes, its edges and its scales."""

    canvas: Canvas
    style: Style
    sizes: Sizes
    left: float
    top: float
    right: float
    bottom: float
    y: Scale

    def x(self, least: float, most: float, name: ScaleName = "linear") -> Scale:
        """Return the scale of a number axis along the bottom."""
        return Scale(least, most, self.left, self.right, name)


@dataclass(frozen=True)
class Margins:
    """What a plot keeps free above, to the right and below, in pixels, beyond its own axes."""

    above: float = 0.0
    right: float = 0.0
    below: float = 0.0
    lift: float = 0.0  # between the plot and the title of its y axis
    edges: tuple[float, float] | None = None


class Builder:
    """Draws the frame of a plot into a room, and says where the plot is."""

    def __init__(self, canvas: Canvas, style: Style, room: Room, margins: Margins) -> None:
        self.canvas, self.style, self.sizes = canvas, style, sizes_of(style)
        self.left, self.top, width, height = room
        self.right, self.bottom = self.left + width, self.top + height
        self.margins = margins
        self.lift = 0.0

    def build(
        self,
        x_title: str,
        x_axis: tuple[float, float, ScaleName] | None,
        y_axis: tuple[str, float, float, ScaleName],
        references: tuple[Reference, ...] = (),
        marked: tuple[float, ...] = (),
        written: Callable[[float], str] | None = None,
    ) -> Panel:
        """Draw the frame.

        Parameters
        ----------
        x_title : str
            Written under the plot.
        x_axis : tuple or None
            Least, most and scale of a number axis; None where the caller draws categories.
        y_axis : tuple
            Title, least, most and scale.
        references : tuple of Reference
            Only those of the x axis, which need an ``x_axis``.
        marked : tuple of float
            Where ticks stand on the x axis, as ``ticks`` of an `Axis`.
        written : callable or None
            How the ticks of the y axis read, as ``written`` of an `Axis`.
        """
        title, least, most, name = y_axis
        sizes = self.sizes
        bottom = self.bottom - sizes.title * 1.5 - sizes.tick * 1.5 - self.margins.below
        if self.margins.edges:
            bottom = self.margins.edges[1]
        guess = Scale(least, most, bottom, self.top + 2 * sizes.row + self.margins.above, name)
        ticks = guess.ticks(_most_ticks(guess, sizes.tick * 2.6))
        if written:
            ticks = Ticks(ticks.values, tuple(map(written, ticks.values)))
        gutter = max(words_width(label, sizes.tick, False, self.canvas.smallest)
                     for label in ticks.labels) + sizes.tick * 0.6  # fmt: skip
        left, right = self.left + gutter, self.right - self.margins.right
        right = min(right, self.right - sizes.tick * 0.6)
        across = Scale(*x_axis[:2], left, right, x_axis[2]) if x_axis else None
        lines = [across.at(reference.at) for reference in references] if across else []
        flags, title_row = self.flags(lines, [reference.label for reference in references], title)
        rows = max([title_row, *(flag.row for flag in flags)]) + 1
        self.lift = self.margins.lift + sizes.tick * _TITLE_GAP
        top = self.top + self.margins.above + rows * sizes.row + self.lift
        if self.margins.edges:
            top = self.margins.edges[0]
        panel = Panel(
            self.canvas, self.style, sizes, left, top, right, bottom,
            Scale(least, most, bottom, top, name),
        )  # fmt: skip
        self.y_axis(panel, ticks)
        self.y_title(panel, title, title_row)
        self.x_title(panel, x_title)
        if across is not None:
            if least not in ticks.values:
                self._foot(panel)
            self.x_axis(panel, across, marked)
        self.references(panel, lines, references, flags)
        return panel

    def flags(self, lines: list[float], labels: list[str], title: str) -> tuple[list[Flag], int]:
        """Place the labels of upright reference lines beside the title of the y axis."""
        widths = [words_width(text, self.sizes.label, False, self.canvas.smallest)
                  for text in labels]  # fmt: skip
        end = self.left + words_width(title, self.sizes.title, False, self.canvas.smallest)
        gap = self.sizes.label * 0.4
        return place_flags(lines, widths, Span(self.left, self.right), Span(self.left, end), gap)

    def y_axis(self, panel: Panel, ticks: Ticks) -> None:
        """Draw grid lines and tick labels."""
        colours, sizes = self.style.colours, self.sizes
        for value, label in zip(ticks.values, ticks.labels, strict=True):
            y = panel.y.at(value)
            base = value == 0
            self.canvas.path(
                f"M{panel.left:.2f},{y:.2f}H{panel.right:.2f}",
                stroke=colours.muted if base else colours.line,
                stroke_width=1.5 if base else 1,
                level=BACK,
            )
            draw_words(
                self.canvas, panel.left - sizes.tick * 0.6, y, label, sizes.tick, colours.muted,
                align="right",
            )  # fmt: skip

    def _foot(self, panel: Panel) -> None:
        """Draw the line on which the ticks along the bottom stand, where no grid line is."""
        path = f"M{panel.left:.2f},{panel.bottom:.2f}H{panel.right:.2f}"
        self.canvas.path(path, stroke=self.style.colours.line, stroke_width=1, level=BACK)

    def y_title(self, panel: Panel, title: str, row: int) -> None:
        """Write the title of the y axis above it."""
        y = panel.top - self.lift - (row + 0.5) * self.sizes.row
        colour = self.style.colours.muted
        draw_words(self.canvas, self.left, y, title, self.sizes.title, colour)

    def x_title(self, panel: Panel, title: str) -> None:
        """Write the title of the x axis under the middle of the plot."""
        y = panel.bottom + self.sizes.tick * 1.5 + self.margins.below + self.sizes.title * 0.9
        middle = (panel.left + panel.right) / 2
        draw_words(
            self.canvas, middle, y, title, self.sizes.title, self.style.colours.muted,
            align="center",
        )  # fmt: skip

    def x_axis(self, panel: Panel, scale: Scale, marked: tuple[float, ...] = ()) -> None:
        """Draw the ticks of a number axis along the bottom, the outer labels kept inside."""
        colours, sizes = self.style.colours, self.sizes
        ticks = full_ticks(marked) or self._ticks_apart(scale)
        for value in ticks.values:
            self.canvas.path(
                f"M{scale.at(value):.2f},{panel.bottom:.2f}v{sizes.tick * 0.35:g}",
                stroke=colours.muted,
                stroke_width=1,
                level=BACK,
            )
        labels = [self._under(scale.at(value), label)
                  for value, label in zip(ticks.values, ticks.labels, strict=True)]  # fmt: skip
        y = panel.bottom + sizes.tick * 1.0
        for span, label in apart(labels, sizes.tick * 0.5) if marked else labels:
            middle = (span.left + span.right) / 2
            draw_words(self.canvas, middle, y, label, sizes.tick, colours.muted, align="center")

    def _ticks_apart(self, scale: Scale) -> Ticks:
        """Return as many ticks as there is room for, their labels apart."""
        most = _most_ticks(scale, self.sizes.tick * 4.5)
        for count in range(most, 1, -1):
            ticks = scale.ticks(count)
            spans = [self._under(scale.at(value), label)[0]
                     for value, label in zip(ticks.values, ticks.labels, strict=True)]  # fmt: skip
            gaps = (after.left - before.right for before, after in pairwise(spans))
            if all(gap >= self.sizes.tick * _LABEL_GAP for gap in gaps):
                break
        return ticks

    def _under(self, x: float, label: str) -> tuple[Span, str]:
        """Return a label and its place, as near below ``x`` as it stays inside."""
        half = words_width(label, self.sizes.tick, False, self.canvas.smallest) / 2
        middle = min(max(x, self.left + half), self.right - half)
        return Span(middle - half, middle + half), label

    def references(
        self,
        panel: Panel,
        lines: list[float],
        references: tuple[Reference, ...],
        flags: list[Flag],
    ) -> None:
        """Draw upright reference lines with their labels."""
        colours, sizes = self.style.colours, self.sizes
        for x, reference, flag in zip(lines, references, flags, strict=True):
            y = panel.top - self.lift - (flag.row + 0.5) * sizes.row
            top = y - sizes.label * 0.45
            draw_reference(panel, [(x, panel.bottom), (x, top)], colour=reference.colour)
            draw_words(self.canvas, flag.text.left, y, reference.label, sizes.label,
                       reference.colour or colours.text)  # fmt: skip


def draw_reference(
    panel: Panel, ends: list[tuple[float, float]], level: int = HATCH, colour: str = ""
) -> None:
    """Draw the dashed line of a reference between two points."""
    path = polyline(ends, REFERENCE_DASH, REFERENCE_WIDTH)
    colour = colour or panel.style.colours.muted
    panel.canvas.path(path, stroke=colour, stroke_width=REFERENCE_WIDTH, level=level)


def apart(labels: list[tuple[Span, str]], gap: float) -> list[tuple[Span, str]]:
    """Return the first and the last label, and those between that keep a gap from both."""
    *others, last = labels
    kept = others[:1]
    for span, label in others[1:]:
        if kept[-1][0].right + gap <= span.left and span.right + gap <= last[0].left:
            kept.append((span, label))
    fits = not kept or kept[0][0].right + gap <= last[0].left
    return [*kept, last] if fits else kept


def _most_ticks(scale: Scale, room: float) -> int:
    """Return how many ticks stand at least ``room`` pixels apart."""
    return max(3, min(9, int(abs(scale.end - scale.start) / room) + 1))
