"""One figure in, the bytes of one file out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.dom import minidom

from pages.export import converter, pdf
from pages.export.drawing import draw, text_of
from pages.export.errors import ExportError
from pages.export.fonts import first_missing, is_chinese, missing_font
from pages.export.identity import TAGS
from pages.export.table import to_csv
from pages.figures.slide import unframed

if TYPE_CHECKING:
    from pages.figures.figure import Figure

FIGURE_FORMATS = ("png", "svg", "pdf", "csv")

# A figure is measured in pixels of 1/96 inch: a slide of 1280 x 720 is 13.3 x 7.5 inches, as in
# Keynote and PowerPoint. PDF counts 72 points to the inch, and so does the converter's PNG.
_POINTS_PER_PIXEL = 72 / 96
_PIXELS_PER_INCH = 300


def to_bytes(figure: Figure, format: str) -> bytes:
    """Return a figure as a file.

    Several threads may call this at once: nothing is kept between calls. The converter holds
    the interpreter while it draws, 0.2 to 0.5 s, so call it when a file is asked for. The same
    figure gives the same bytes.

    Parameters
    ----------
    figure : Figure
        What to save. The file shows its specification and nothing else.
    format : str
        ``"png"`` (300 pixels per inch: a slide of 1280 x 720 becomes 4000 x 2250), ``"svg"``
        (text stays text), ``"pdf"`` (vectors, fonts embedded) or ``"csv"`` (the data behind it).

    Raises
    ------
    ExportError
        For another format, for a figure that cannot be drawn, and for PNG and PDF when a
        character would come out as a box because no font on this machine has it.
    """
    if format not in FIGURE_FORMATS:
        raise ExportError(
            "A figure is saved as {formats}, got {format}.",
            formats=", ".join(FIGURE_FORMATS),
            format=format,
        )
    if format == "csv":
        return to_csv(figure.table)
    if format == "png":
        return to_png(figure)
    drawing = draw(figure)
    if format == "svg":
        return _to_svg(drawing)
    _refuse_boxes(drawing)
    page = pdf.Page(_to_pdf(drawing, figure.name), figure.title)
    return pdf.join([page], figure.title, language_of(figure.title))


def to_png(figure: Figure, scale: float = 1.0) -> bytes:
    """Return a picture with 300 pixels per inch, ``scale`` times as large as the figure.

    Raises
    ------
    ExportError
        As `to_bytes`.
    """
    drawing = draw(figure)
    _refuse_boxes(drawing)
    return _to_png(drawing, figure.name, scale)


def to_images(figure: Figure) -> tuple[bytes, bytes]:
    """Return PNG and SVG, drawn once; the same bytes as `to_bytes` and the same errors."""
    drawing = draw(figure)
    _refuse_boxes(drawing)
    return _to_png(drawing, figure.name), _to_svg(drawing)


def to_page(figure: Figure) -> bytes:
    """Return a PDF page as the converter wrote it, ready for `pages.export.pdf.join`."""
    drawing = draw(figure)
    _refuse_boxes(drawing)
    return _to_pdf(drawing, figure.name)


def language_of(text: str) -> str:
    """Return the language tag of a text: Chinese as soon as it holds a Chinese character."""
    return TAGS["zh" if any(map(is_chinese, text)) else "en"]


def refusal(figure: Figure, format: str) -> ExportError | None:
    """Return why a file of this figure's characters would be refused, or None.

    It reads the specification and draws nothing but characters it has not met before, so that a
    page can ask before it offers a file.
    """
    if format not in ("png", "pdf", "pptx"):
        return None
    spec = unframed(figure.spec) if format == "pptx" else figure.spec
    return _boxes_in(json.dumps(spec, ensure_ascii=False, default=str))


def _refuse_boxes(drawing: minidom.Element) -> None:
    refused = _boxes_in(text_of(drawing))
    if refused is not None:
        raise refused


def _to_svg(drawing: minidom.Element) -> bytes:
    return drawing.toxml().encode("utf-8")


def _to_png(drawing: minidom.Element, name: str, scale: float = 1.0) -> bytes:
    scale *= _POINTS_PER_PIXEL
    return converter.to_png(drawing.toxml(), name, scale=scale, ppi=_PIXELS_PER_INCH)


def _to_pdf(drawing: minidom.Element, name: str) -> bytes:
    """Return a page of the figure's size in points; the drawing's own units stay what they are."""
    for side in ("width", "height"):
        drawing.setAttribute(side, str(float(drawing.getAttribute(side)) * _POINTS_PER_PIXEL))
    return converter.to_pdf(drawing.toxml(), name)


def _boxes_in(text: str) -> ExportError | None:
    """Return why a picture of ``text`` would show boxes, or None."""
    character = first_missing(text)
    if character is None:
        return None
    if is_chinese(character):
        return ExportError(
            "The picture would show boxes: no font on this machine draws Chinese. Install {font} "
            "and start the app again, or save the figure as SVG.",
            font=missing_font("zh"),
        )
    return ExportError(
        "The picture would show a box: no font on this machine draws {character}. Use another "
        "character, install a font that has it and start the app again, or save as SVG.",
        character=character,
    )
