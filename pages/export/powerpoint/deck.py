"""Slides in, the bytes of one PowerPoint file out."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from pages.export import archive
from pages.export.clean import one_line
from pages.export.identity import PROGRAM, TAGS
from pages.export.powerpoint.slide import add_slide, picture_of
from pages.export.powerpoint.template import template

if TYPE_CHECKING:
    from pages.export.deck import Each
    from pages.export.slides import Deck

# In place of the day on which the file is written: the same deck gives the same bytes.
_WHEN = datetime(2000, 1, 1)
_LONGEST = 255  # characters of a property


def pptx_bytes(
    deck: Deck,
    title: str = "",
    *,
    progress: Callable[[int, int], None] | None = None,
    each: Each = map,
) -> bytes:
    """Return a deck as a PowerPoint file.

    Parameters
    ----------
    deck : tuple of Slide
        One at least.
    title : str
        Of the file; the first slide's where there is none.
    progress : callable, optional
        Called with the slides done and all of them after each slide.
    each : callable, optional
        Draws all pictures, as ``map`` does.

    Raises
    ------
    ExportError
        When a figure cannot be drawn, or a character of it would come out as a box.
    """
    themes = tuple(dict.fromkeys(slide.style.theme for slide in deck))
    presentation = Presentation(io.BytesIO(template(themes)))
    pictures = each(picture_of, deck)
    for done, (slide, picture) in enumerate(zip(deck, pictures, strict=True), start=1):
        master = presentation.slide_masters[themes.index(slide.style.theme)]
        add_slide(presentation, slide, picture, master)
        if progress is not None:
            progress(done, len(deck))
    _list_notes_master(presentation)
    _describe(presentation, one_line(title or deck[0].title), deck[0].style.language)
    buffer = io.BytesIO()
    presentation.save(buffer)
    return archive.again(buffer.getvalue())


def _list_notes_master(presentation: Any) -> None:
    """Name the master of the notes in the presentation, which python-pptx leaves out."""
    part = presentation.part
    identifier = part.relate_to(part.notes_master_part, RT.NOTES_MASTER)
    listed = parse_xml(
        f"<p:notesMasterIdLst {nsdecls('p', 'r')}>"
        f'<p:notesMasterId r:id="{identifier}"/></p:notesMasterIdLst>'
    )
    part._element.sldMasterIdLst.addnext(listed)


def _describe(presentation: Any, title: str, language: str) -> None:
    """Say what the file is, and nothing of who wrote it or when."""
    properties = presentation.core_properties
    properties.title = title[:_LONGEST]
    properties.author = PROGRAM
    properties.last_modified_by = PROGRAM
    properties.language = TAGS[language]
    properties.created = properties.modified = _WHEN
    properties.revision = 1
