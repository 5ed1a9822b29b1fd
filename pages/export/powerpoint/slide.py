"""One slide: title, figure, caption, alternative text, notes."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pages.export.clean import clean, one_line
from pages.export.convert import to_png
from pages.export.powerpoint import geometry
from pages.export.powerpoint.chart import add_chart
from pages.export.powerpoint.colours import rgb
from pages.export.powerpoint.fitting import (
    CAPTION_SIZES,
    COLUMN_SIZES,
    LINE,
    fitted,
    fitted_title,
)
from pages.export.powerpoint.geometry import emu
from pages.export.powerpoint.template import ACCENTS, CAPTION_IDX, FIGURE_IDX, bar
from pages.export.powerpoint.words import write
from pages.figures.measure import wrap_text
from pages.figures.slide import LEAST_BODY, Room, unframed

if TYPE_CHECKING:
    from pages.export.slides import Slide

_LARGEST_SCALE = 1.6  # of a figure that was drawn for the screen


def picture_of(slide: Slide) -> bytes | None:
    """Return the picture of a slide; None where it has a chart instead."""
    if slide.figure.chart is not None:
        return None
    body = replace(slide.figure, spec=unframed(slide.figure.spec))
    figure, _ = _rooms(slide)
    return to_png(body, figure[2] / body.spec["width"])


def add_slide(presentation: Any, slide: Slide, picture: bytes | None, master: Any) -> None:
    """Append a slide with its `picture_of` to a presentation, under one of its masters."""
    beside = slide.style.size in ("half", "square")
    made = presentation.slides.add_slide(master.slide_layouts[1 if beside else 0])
    title, content, caption = (
        next(s for s in made.placeholders if s.placeholder_format.idx == idx)
        for idx in (0, FIGURE_IDX, CAPTION_IDX)
    )
    whole_title, whole_note = one_line(slide.title), clean(slide.figure.note)
    cut = _write_title(title, whole_title)
    figure, words = _rooms(slide)
    shown = _add_figure(made, slide, picture, figure)
    _take_place(shown, content)
    cut += _write_caption(made, caption, whole_note, words, beside)
    _colour(made, slide)
    write(made.notes_slide.notes_text_frame, _with_whole(cut, clean(slide.notes)))


def _with_whole(cut: list[str], notes: str) -> str:
    """Return the notes, before them every text that is not whole on the slide nor in them."""
    return "\n\n".join([*(text for text in cut if text not in notes), notes])


def _rooms(slide: Slide) -> tuple[Room, Room]:
    """Return the room for the figure and for its caption, in pixels."""
    spec, note = slide.figure.spec, slide.figure.note
    if slide.style.size == "screen":
        height = _height_above(note)
        whole = (geometry.MARGIN, geometry.TOP, geometry.INSIDE, height)
        room = whole if slide.figure.chart is not None else _centred(spec, whole)
        return room, _below(geometry.TOP + height)
    left, top, width, height = spec["usermeta"]["frame"]["body"]
    if slide.style.size == "slide":
        return (left, top, width, height), _below(top + height)
    height = height if slide.figure.chart is None else geometry.FOOT - geometry.TOP
    return (geometry.MARGIN, geometry.TOP, width, height), geometry.column_beside(width)


def _height_above(note: str) -> float:
    """Return the height of a figure of the screen that leaves a caption its room below."""
    lines = sum(len(wrap_text(part, CAPTION_SIZES[0], geometry.INSIDE)) or 1
                for part in clean(note).split("\n"))  # fmt: skip
    height = geometry.FOOT - geometry.TOP - lines * CAPTION_SIZES[0] * LINE - 20
    return max(height, LEAST_BODY)


def _below(bottom: float) -> Room:
    top = bottom + geometry.CAPTION_GAP
    return geometry.MARGIN, top, geometry.INSIDE, geometry.FOOT - top


def _centred(spec: dict[str, Any], room: Room) -> Room:
    """Return the largest room of the figure's proportions in the middle of ``room``."""
    left, top, width, height = room
    scale = min(width / spec["width"], height / spec["height"], _LARGEST_SCALE)
    wide, high = spec["width"] * scale, spec["height"] * scale
    return left + (width - wide) / 2, top + (height - high) / 2, wide, high


def _write_title(shape: Any, title: str) -> list[str]:
    """Write the title; return it whole in a list where it had to be shortened."""
    shape.name = "Title"
    text, size = fitted_title(title, geometry.TITLE[2])
    write(shape.text_frame, text, size)
    return [] if text == title else [title]


def _write_caption(made: Any, shape: Any, note: str, room: Room, beside: bool) -> list[str]:
    """Write the caption, last so that it is read after the figure; return it where it is cut."""
    shape.name = "Caption"
    _move(shape, room)
    text, size = fitted(note, COLUMN_SIZES if beside else CAPTION_SIZES, room)
    write(shape.text_frame, text, size)
    made.shapes._spTree.append(shape._element)
    return [] if text == note else [note]


def _move(shape: Any, room: Room) -> None:
    shape.left, shape.top, shape.width, shape.height = map(emu, room)


def _add_figure(made: Any, slide: Slide, picture: bytes | None, room: Room) -> Any:
    """Add the figure as a chart where it is one, else as a picture, with its alternative text."""
    figure = slide.figure
    if figure.chart is not None:
        shown = add_chart(made, figure.chart, slide.style, room)
    else:
        assert picture is not None
        shown = made.shapes.add_picture(io.BytesIO(picture), *map(emu, room))
    properties = shown._element.xpath("./*/p:cNvPr")[0]
    properties.set("name", one_line(figure.name))
    properties.set("descr", clean(figure.alt or figure.title))
    return shown


def _take_place(shown: Any, content: Any) -> None:
    """Let the figure stand in the layout's place for one, so that another layout moves it."""
    (properties,) = shown._element.xpath("./*/p:nvPr")
    properties.append(parse_xml(f'<p:ph {nsdecls("p")} idx="{FIGURE_IDX}"/>'))
    content._element.getparent().remove(content._element)


def _colour(made: Any, slide: Slide) -> None:
    """Give the slide the bar of its role and, unless it is transparent, its background."""
    frame = slide.figure.spec.get("usermeta", {}).get("frame")
    role = frame["role"] if frame else ""
    tree = made.shapes._spTree
    colour = f"accent{ACCENTS.index(role) + 1}" if role in ACCENTS else "tx2"
    identifier = max(int(each.get("id")) for each in tree.iter(qn("p:cNvPr"))) + 1
    spaces = nsdecls("p", "a", "r")
    shape = parse_xml(bar(identifier, colour).replace("<p:sp>", f"<p:sp {spaces}>", 1))
    tree.insert(2, shape)
    if not slide.style.transparent:
        fill = made.background.fill
        fill.solid()
        fill.fore_color.rgb = rgb(slide.style.colours.background)
