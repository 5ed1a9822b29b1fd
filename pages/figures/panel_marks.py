"""What stands on the cells of a panel: what is no number, what should be 0, rows set apart."""

from __future__ import annotations

import numpy as np

from pages.figures.board import hatching
from pages.figures.canvas import BACK, CELLS, FRAME, FRONT, HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.levels import Flags
from pages.figures.matrix import Grid
from pages.figures.matrix_cells import LEAST_HATCHED, MatrixCells, Numbers
from pages.figures.palette import visible_fill
from pages.figures.panel import sizes_of
from pages.figures.slide import Room

# Pixels: between two lines of a hatching, of the shortest line, and what a line is told apart by.
_STEP, _SHORTEST, _FINE = 9.0, 3.0, 0.5
_LEAST_CROSSED = 8.0  # pixels: a smaller cell that is no number is filled
_LEAST_SINGLE = 14.0  # pixels: smaller cells are outlined together
BRACKET = 8.0  # pixels that a bracket and its gap take beside the cells


def draw_hidden(canvas: Canvas, style: Style, grid: Grid, hidden: Flags) -> None:
    """Hatch hidden cells that are too small for lines of their own: lines run across all of them.

    Parameters
    ----------
    canvas, style, grid
    hidden : np.ndarray of bool
    """
    if not hidden.any() or min(grid.cell(0, 0)[2:]) >= LEAST_HATCHED:
        return
    offsets = np.arange(_STEP / 2, grid.width + grid.height, _STEP)
    # Half a pixel is finer than any cell. Each line rises to the right, through its offset below.
    xs = np.arange(0.0, grid.width, _FINE)
    columns = np.minimum((xs / grid.across).astype(int), hidden.shape[1] - 1)
    rows = np.floor((offsets[:, None] - xs) / grid.down).astype(int)
    inside = (rows >= 0) & (rows < hidden.shape[0])
    under = inside & hidden[np.where(inside, rows, 0), columns]
    pieces = [
        f"M{grid.left + x:.1f},{grid.top + offset - x:.1f}l{length:.1f},{-length:.1f}"
        for offset, x, length in (
            (float(offsets[line]), start * _FINE, (end - start) * _FINE)
            for line, start, end in _runs(under)
        )
        if length >= _SHORTEST
    ]
    canvas.path("".join(pieces), stroke=style.colours.hatch, stroke_width=1, level=HATCH)


def draw_muted(
    canvas: Canvas, style: Style, cells: MatrixCells, muted: Flags, numbers: Numbers | None
) -> None:
    """Draw cells without a colour, their numbers in pale ink.

    Parameters
    ----------
    canvas, style
    cells : MatrixCells
        The others, which are drawn already.
    muted : np.ndarray of bool
    numbers : Numbers or None
        What is written in the cells.
    """
    for row, column in np.argwhere(muted).tolist():
        place = cells.grid.cell(row, column)
        canvas.cell(place, style.colours.background, cells.tip(row, column), None)
        canvas.rect(*place, stroke=style.colours.line, stroke_width=1, level=FRAME)
        if numbers is not None and numbers.texts[row][column]:
            x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
            text, colour = numbers.texts[row][column], style.colours.muted
            canvas.text(x, y, text, numbers.font, colour)


def draw_wrong(canvas: Canvas, style: Style, grid: Grid, wrong: Flags, font: int) -> None:
    """Mark the cells that are no number: by that word in a ``font``, by a cross, or by colour.

    Parameters
    ----------
    canvas, style, grid
    wrong : np.ndarray of bool
    font : int
        0 where the word does not fit.
    """
    if min(grid.across, grid.down) < _LEAST_CROSSED:
        return  # filled with the colour of an alert
    for row, column in np.argwhere(wrong).tolist():
        place = grid.cell(row, column)
        canvas.rect(*place, fill=style.colours.surface, level=HATCH)
        if font:
            x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
            canvas.text(x, y, "NaN", font, style.colours.alert, bold=True)
        else:
            canvas.path(_cross(place), stroke=style.colours.alert, stroke_width=1.5, level=FRAME)


def _cross(place: Room, share: float = 0.5) -> str:
    """Return a cross in the middle of a place, as an SVG path."""
    x, y, width, height = place
    side = min(width, height) * share
    left, top = x + (width - side) / 2, y + (height - side) / 2
    return f"M{left:.2f},{top:.2f}l{side:.2f},{side:.2f}m{-side:.2f},0l{side:.2f},{-side:.2f}"


def draw_alert(canvas: Canvas, style: Style, grid: Grid, alert: Flags) -> None:
    """Outline cells one by one, or small ones together."""
    if not alert.any():
        return  # a path of nothing would be drawn as a dot
    colour = style.colours.alert
    if min(grid.across, grid.down) < _LEAST_SINGLE:
        canvas.path(_border(grid, alert), stroke=colour, stroke_width=1.5, level=FRONT)
        return
    for row, column in np.argwhere(alert).tolist():
        x, y, width, height = grid.cell(row, column)
        canvas.rect(
            x + 0.75, y + 0.75, width - 1.5, height - 1.5,
            stroke=colour, stroke_width=_stroke(style), level=FRONT,
        )  # fmt: skip


def _stroke(style: Style) -> float:
    return 2.0 if style.size == "screen" else 3.0


def _border(grid: Grid, flags: Flags) -> str:
    """Return the border of a region of cells, as an SVG path of straight runs."""
    padded = np.pad(flags, 1)
    across = padded[1:, 1:-1] != padded[:-1, 1:-1]  # (rows + 1, columns): edges above each cell
    along = padded[1:-1, 1:] != padded[1:-1, :-1]  # (rows, columns + 1): edges left of each cell
    pieces = [
        f"M{grid.left + start * grid.across:.2f},{grid.top + row * grid.down:.2f}"
        f"h{(end - start) * grid.across:.2f}"
        for row, start, end in _runs(across)
    ]
    pieces += [
        f"M{grid.left + column * grid.across:.2f},{grid.top + start * grid.down:.2f}"
        f"v{(end - start) * grid.down:.2f}"
        for column, start, end in _runs(along.T)
    ]
    return "".join(pieces)


def _runs(flags: Flags) -> list[tuple[int, int, int]]:
    """Return (line, start, end) of every run of true cells in a line."""
    steps = np.diff(np.pad(flags, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    lines, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    return list(zip(lines.tolist(), starts.tolist(), ends.tolist(), strict=True))


def draw_bracket(canvas: Canvas, style: Style, grid: Grid, first: int, last: int) -> None:
    """Draw a bracket to the right of rows ``first`` to ``last``, both included."""
    gap = grid.gap + 0.5
    top, bottom = grid.top + first * grid.down + gap, grid.top + (last + 1) * grid.down - gap
    path = _bracket(grid.left + grid.width + BRACKET, top, bottom)
    canvas.path(path, stroke=style.colours.muted, stroke_width=_stroke(style) * 0.8, level=FRAME)


def _bracket(x: float, top: float, bottom: float) -> str:
    return f"M{x - 4:.2f},{top:.2f}h4V{bottom:.2f}h-4"


def sample_visible(style: Style, canvas: Canvas, place: Room) -> None:
    """Draw a cell that a mask leaves visible, for a legend."""
    canvas.rect(*place, fill=visible_fill(style.theme), level=CELLS)


def sample_masked(style: Style, canvas: Canvas, place: Room) -> None:
    """Draw a hidden cell."""
    canvas.rect(*place, fill=style.colours.masked, level=CELLS)
    canvas.path(hatching(place, 6), stroke=style.colours.hatch, stroke_width=1, level=HATCH)


def sample_muted(style: Style, canvas: Canvas, place: Room) -> None:
    """Draw a cell without a colour."""
    canvas.rect(*place, stroke=style.colours.line, stroke_width=1, level=FRAME)


def sample_alert(style: Style, canvas: Canvas, place: Room) -> None:
    """Draw an outlined cell."""
    x, y, width, height = place
    canvas.rect(
        x + 1, y + 1, width - 2, height - 2,
        stroke=style.colours.alert, stroke_width=_stroke(style), level=FRAME,
    )  # fmt: skip


def sample_wrong(style: Style, grid: Grid, font: int, canvas: Canvas, place: Room) -> None:
    """Draw a cell that is no number, as it looks in this grid."""
    if min(grid.across, grid.down) < _LEAST_CROSSED:
        canvas.rect(*place, fill=style.colours.alert, level=CELLS)
        return
    canvas.rect(*place, fill=style.colours.surface, stroke=style.colours.line, stroke_width=1,
                level=BACK)  # fmt: skip
    if font:
        x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
        canvas.text(x, y, "NaN", sizes_of(style).tick, style.colours.alert, bold=True)
    else:
        canvas.path(_cross(place, 0.7), stroke=style.colours.alert, stroke_width=1.5, level=FRAME)


def sample_bracket(style: Style, canvas: Canvas, place: Room) -> None:
    """Draw a bracket."""
    x, y, width, height = place
    path = _bracket(x + width / 2 + 2, y, y + height)
    canvas.path(path, stroke=style.colours.muted, stroke_width=_stroke(style) * 0.8, level=FRAME)
