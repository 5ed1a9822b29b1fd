"""One slide, or a deck of them, as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pages.export import archive, pdf
from pages.export.convert import FIGURE_FORMATS, to_bytes, to_images, to_page
from pages.export.deck_json import deck_to_json
from pages.export.errors import ExportError
from pages.export.identity import TAGS
from pages.export.limits import MOST_SLIDES
from pages.export.names import file_name
from pages.text import translator

if TYPE_CHECKING:
    from pages.export.slides import Deck, Slide

MEDIA_TYPES: dict[str, str] = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "csv": "text/csv",
    "zip": "application/zip",
    "json": "application/json",
}
FORMATS = ("png", "svg", "pdf", "pptx", "csv")
DECK_FORMATS = ("pptx", "pdf", "zip", "json")

Progress = Callable[[int, int], None]
Each = Callable[..., Iterator[Any]]  # as ``map``


def slide_bytes(slide: Slide, format: str) -> bytes:
    """Return one slide as a file.

    Parameters
    ----------
    slide : Slide
        What to save.
    format : str
        One of `FORMATS`; all but ``"pptx"`` are `to_bytes` of its figure.

    Raises
    ------
    ExportError
        As `to_bytes`.
    """
    if format == "pptx":
        return deck_bytes((slide,), "pptx")
    if format not in FIGURE_FORMATS:
        raise _unknown(format, FORMATS)
    return to_bytes(slide.figure, format)


def deck_bytes(
    deck: Deck, format: str, *, progress: Progress | None = None, each: Each = map
) -> bytes:
    """Return a deck as one file; the same deck gives the same bytes.

    Parameters
    ----------
    deck : tuple of Slide
        In order; one at least and `MOST_SLIDES` at most.
    format : str
        ``"pptx"``, ``"pdf"``, ``"zip"`` (PNG and SVG of every slide, numbered) or ``"json"``
        (from which `deck_from_json` gives the deck back).
    progress : callable, optional
        Called with the slides done and all of them, before the first and after each.
    each : callable, optional
        Draws all slides, as ``map`` does; another one may draw several at once.

    Raises
    ------
    ExportError
        For another format, an empty or too large deck, and whatever `to_bytes` refuses.
    """
    if format not in DECK_FORMATS:
        raise _unknown(format, DECK_FORMATS)
    if not 1 <= len(deck) <= MOST_SLIDES:
        raise ExportError(
            "A deck has 1 to {most} slides, and this one has {count}.",
            most=MOST_SLIDES,
            count=len(deck),
        )
    write = {"pptx": _pptx, "pdf": _pdf, "zip": _zip, "json": _json}[format]
    report: Progress = progress or (lambda _done, _total: None)
    report(0, len(deck))
    return write(deck, report, each)


def title_of(deck: Deck) -> str:
    """Return the title of a deck: that of its only slide, or how many figures it has."""
    if len(deck) == 1:
        return deck[0].title
    t = translator(deck[0].style.language)
    return t("Attention in {count} figures", count=len(deck))


def _unknown(format: str, formats: tuple[str, ...]) -> ExportError:
    return ExportError(
        "A figure is saved as {formats}, got {format}."
        if formats == FORMATS
        else "A deck is saved as {formats}, got {format}.",
        formats=", ".join(formats),
        format=format,
    )


def _pptx(deck: Deck, report: Progress, each: Each) -> bytes:
    # Imported where a file is written: a page that only shows figures starts without it.
    from pages.export.powerpoint import pptx_bytes

    return pptx_bytes(deck, title_of(deck), progress=report, each=each)


def _pdf(deck: Deck, report: Progress, each: Each) -> bytes:
    pages: list[pdf.Page] = []
    for content in each(to_page, [slide.figure for slide in deck]):
        pages.append(pdf.Page(content, deck[len(pages)].title))
        report(len(pages), len(deck))
    return pdf.join(pages, title_of(deck), TAGS[deck[0].style.language])


def _zip(deck: Deck, report: Progress, each: Each) -> bytes:
    files = []
    drawn = each(to_images, [slide.figure for slide in deck])
    for number, (slide, images) in enumerate(zip(deck, drawn, strict=True), start=1):
        for kind, content in zip(("png", "svg"), images, strict=True):
            name = file_name(slide.figure, kind, slide.style)
            files.append((f"{number:0{max(2, len(str(len(deck))))}}-{name}", content))
        report(number, len(deck))
    return archive.zipped(files)


def _json(deck: Deck, report: Progress, _each: Each) -> bytes:
    content = deck_to_json(deck)
    report(len(deck), len(deck))
    return content
