"""The frame of a sheet: title above, caption below, the rest for the picture.

A sheet is a figure of one of the fixed sizes that slides need. Its title stands in a band of fixed
height, so another title never moves the picture; the caption takes as many lines as it has words
for, and the picture takes what is left.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, SizeName, Style
from pages.figures.measure import ELLIPSIS, balance_text, fit_text, has_wide, widest_word, wrap_text
from pages.figures.palette import LIGHT
from pages.text.binding import bound

SMALLEST = 18  # pixels: the smallest text of a sheet
TITLE, BAR, CAPTION = "title", "bar", "caption"
# Left, top, width, height in pixels.
Room = tuple[float, float, float, float]
_TITLE_LINE = 1.22
_TITLE_INDENT = 24.0
_TITLE_MIDDLE, _TOP = 60.0, 104.0
_CAPTION_FONTS = (20, SMALLEST)
_CAPTION_LINE = 1.45
_BOTTOM, _ABOVE_CAPTION = 32.0, 18.0
# However long a caption is, the picture keeps this much.
LEAST_BODY = 240.0


@dataclass(frozen=True)
class Sheet:
    """One of the sizes that slides need, in pixels.

    Parameters
    ----------
    width, height, margin : int
        Of the whole, and what stays free to the left and to the right.
    titles : tuple
        Font sizes of the title with the most lines each may take, the best one first.
    caption_lines : int
        As many lines are written in the larger font of captions; more take the smaller one.
    bar : int
        Height of the coloured bar before the title.
    """

    width: int
    height: int
    margin: int
    titles: tuple[tuple[int, int], ...]
    caption_lines: int
    bar: int

    @property
    def inside(self) -> float:
        """Width between the margins."""
        return float(self.width - 2 * self.margin)


_NARROW_TITLES = ((32, 1), (30, 1), (28, 2), (26, 2), (24, 2), (22, 3), (20, 3), (SMALLEST, 3))
SHEETS: dict[SizeName, Sheet] = {
    "slide": Sheet(
        1280,
        720,
        56,
        ((36, 1), (34, 1), (32, 1), (30, 2), (28, 2), (26, 2), (24, 2), (20, 3), (SMALLEST, 3)),
        3,
        44,
    ),
    "half": Sheet(640, 720, 32, _NARROW_TITLES, 4, 56),
    "square": Sheet(720, 720, 36, _NARROW_TITLES, 4, 56),
}


def sheet_of(style: Style) -> Sheet:
    """Return the sheet of a style.

    Raises
    ------
    KeyError
        For the size ``"screen"``, which has no frame.
    """
    return SHEETS[style.size]


def open_sheet(style: Style, title: str, note: str, role: str) -> tuple[Canvas, Room]:
    """Return a canvas with its frame drawn, and the room that is left for the picture.

    Parameters
    ----------
    style : Style
        Of any size but ``"screen"``.
    title, note : str
        Title and caption.
    role : str
        Role whose colour the bar before the title takes.
    """
    sheet = sheet_of(style)
    canvas = Canvas(sheet.width, sheet.height, style.colours, SMALLEST, style.transparent)
    draw_frame(canvas, style, title, note, role)
    return canvas, body(style, note)


def body(style: Style, note: str) -> Room:
    """Return left, top, width and height of the room between title and caption."""
    sheet = sheet_of(style)
    lines, font = _caption(sheet, note)
    bottom = sheet.height - _BOTTOM - len(lines) * font * _CAPTION_LINE
    return float(sheet.margin), _TOP, sheet.inside, bottom - _ABOVE_CAPTION - _TOP


def draw_frame(canvas: Canvas, style: Style, title: str, note: str, role: str) -> None:
    """Write title and caption; a bar in the role's colour stands before the title."""
    sheet, colours = sheet_of(style), canvas.colours
    place = (sheet.margin, _TITLE_MIDDLE - sheet.bar / 2, 8, sheet.bar)
    canvas.rect(*place, fill=colours.roles[role], radius=2, group=BAR)
    _write_title(canvas, sheet, title, colours.text)
    lines, font = _caption(sheet, note)
    step = font * _CAPTION_LINE
    first = sheet.height - _BOTTOM - (len(lines) - 0.5) * step
    for index, line in enumerate(lines):
        y = first + index * step
        canvas.text(
            sheet.margin,
            y,
            line,
            font,
            colours.muted,
            align="left",
            group=CAPTION,
            wide=has_wide(note),
            symbols=True,
        )
    frame = {"size": style.size, "body": list(body(style, note)), "role": role}
    canvas.usermeta["frame"] = frame


@lru_cache(maxsize=256)
def _caption(sheet: Sheet, note: str) -> tuple[tuple[str, ...], int]:
    """Return the lines of a caption and their font; only one of many pages ends in an ellipsis."""
    note = bound(note)
    for font in _CAPTION_FONTS:
        lines = balance_text(note, font, sheet.inside)
        if len(lines) <= sheet.caption_lines:
            return tuple(lines), font
    font = _CAPTION_FONTS[-1]
    room = sheet.height - _BOTTOM - _ABOVE_CAPTION - _TOP - LEAST_BODY
    lines = wrap_text(note, font, sheet.inside)
    most = int(room / (font * _CAPTION_LINE))
    return tuple(_at_most(lines, most, font, sheet.inside, bold=False)), font


def _at_most(lines: list[str], most: int, font: float, room: float, bold: bool) -> list[str]:
    """Return the first lines, the last of them with an ellipsis where more would follow."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], fit_text(lines[most - 1] + ELLIPSIS, font, room, bold)]


def _title(sheet: Sheet, title: str) -> tuple[list[str], int]:
    """Return the lines of a title and their font: the largest in which no word is broken."""
    words, room = " ".join(title.split()), sheet.inside - _TITLE_INDENT
    for font, most in sheet.titles:
        lines = balance_text(words, font, room, bold=True)
        if len(lines) <= most and widest_word(words, font, bold=True) <= room:
            return lines, font
    font, most = sheet.titles[-1]
    lines = wrap_text(words, font, room, bold=True)
    return _at_most(lines, most, font, room, bold=True), font


def _write_title(canvas: Canvas, sheet: Sheet, title: str, colour: str) -> None:
    lines, font = _title(sheet, title)
    step = font * _TITLE_LINE
    first = _TITLE_MIDDLE - (len(lines) - 1) * step / 2
    x = sheet.margin + _TITLE_INDENT
    # Without a word there is one empty line: the layer that another title takes the place of.
    for index, line in enumerate(lines or [""]):
        y = first + index * step
        canvas.text(
            x, y, line, font, colour, bold=True, align="left", group=TITLE, wide=has_wide(title),
            symbols=True,
        )  # fmt: skip


def _frame(spec: dict[str, Any]) -> dict[str, Any] | None:
    found: dict[str, Any] | None = spec.get("usermeta", {}).get("frame")
    return found


def unframed(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a new specification of the picture alone, without title, bar and caption.

    Parameters
    ----------
    spec : dict
        The specification of a figure; one without a frame is returned as it is.

    Returns
    -------
    dict
        As large as the body of the sheet; what it shows is what the sheet shows there.
    """
    frame = _frame(spec)
    if frame is None:
        return spec
    left, top, width, height = frame["body"]
    kept = [layer for layer in spec["layer"] if layer.get("name") not in (TITLE, BAR, CAPTION)]
    bare = {key: value for key, value in spec.items() if key not in ("usermeta", "layer")}
    bare = copy.deepcopy(bare | {"width": width, "height": height, "layer": kept})
    bare["encoding"]["x"]["scale"]["domain"] = [left, left + width]
    bare["encoding"]["y"]["scale"]["domain"] = [top, top + height]
    return bare


def retitled(figure: Figure, title: str) -> Figure:
    """Return the same figure with another title, in its field and, on a sheet, as it is drawn.

    Everything else stays as it is, the description for those who cannot see it included.
    """
    frame = _frame(figure.spec)
    if frame is None:
        return replace(figure, title=title)
    layers = figure.spec["layer"]
    first = next(i for i, layer in enumerate(layers) if layer.get("name") == TITLE)
    colour = layers[first]["data"]["values"][0]["colour"]
    drawn = _title_layers(SHEETS[frame["size"]], title, colour)
    others = [layer for layer in layers if layer.get("name") != TITLE]
    spec = figure.spec | {"layer": [*others[:first], *drawn, *others[first:]]}
    return replace(figure, title=title, spec=copy.deepcopy(spec))


def _title_layers(sheet: Sheet, title: str, colour: str) -> list[dict[str, Any]]:
    canvas = Canvas(sheet.width, sheet.height, LIGHT, SMALLEST)
    _write_title(canvas, sheet, title, colour)
    return canvas.layers()
