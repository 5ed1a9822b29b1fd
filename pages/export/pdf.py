"""Pages of one PDF file, written so that the same pages give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pages.export.clean import one_line
from pages.export.identity import PROGRAM

if TYPE_CHECKING:
    from pypdf import PdfWriter


@dataclass(frozen=True)
class Page:
    """A PDF file of one page, and the name of its entry in the outline."""

    content: bytes
    title: str


def join(pages: Sequence[Page], title: str, language: str) -> bytes:
    """Return the pages as one file.

    The converter writes the fonts of a page in another order each time. Here the names of
    resources are sorted, and the objects are numbered in the order in which they are met.

    Parameters
    ----------
    pages : sequence of Page
        One file of one page each; with two or more, each gets an entry in the outline.
    title : str
        Of the document, for the title bar of a reader.
    language : str
        Such as ``"en"`` or ``"zh-CN"``, for those who listen.
    """
    # Imported where a file is written: a page that only shows figures starts without it.
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    for page in pages:
        source = PdfReader(io.BytesIO(page.content)).pages[0]
        _sort_names(source, set())
        writer.add_page(source)
    if len(pages) > 1:
        for number, page in enumerate(pages):
            writer.add_outline_item(title=one_line(page.title), page_number=number)
    writer.compress_identical_objects()
    _describe(writer, one_line(title), language)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def _describe(writer: PdfWriter, title: str, language: str) -> None:
    """Say what the document is and in which language; neither dates nor random numbers."""
    from pypdf.generic import BooleanObject, DictionaryObject, NameObject, TextStringObject

    writer.add_metadata({"/Title": title, "/Producer": PROGRAM})
    root = writer.root_object
    root[NameObject("/Lang")] = TextStringObject(language)
    shown = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    root[NameObject("/ViewerPreferences")] = shown


def _sort_names(node: Any, seen: set[int]) -> None:
    """Sort the names in every dictionary below ``node``, the objects it refers to included."""
    from pypdf.generic import DictionaryObject, IndirectObject

    if isinstance(node, IndirectObject):
        node = node.get_object()
    if id(node) in seen or not isinstance(node, dict | list):
        return
    seen.add(id(node))
    if isinstance(node, DictionaryObject):
        items = sorted(node.items())
        node.clear()
        node.update(items)
    for value in list(node.values()) if isinstance(node, dict) else node:
        _sort_names(value, seen)
