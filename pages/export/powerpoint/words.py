"""Paragraphs of a slide or its notes, each with its language."""

from __future__ import annotations

from typing import Any

from pptx.oxml.ns import qn
from pptx.text.text import TextFrame

from pages.export.convert import language_of
from pages.export.identity import TAGS
from pages.export.powerpoint.geometry import POINTS_PER_PIXEL

CHINESE_FONT = "Microsoft YaHei"


def write(frame: TextFrame, text: str, size: float | None = None) -> None:
    """Write a clean text, a paragraph a line.

    Chinese needs a font of its own, or a program takes any it finds; and its language, or a spell
    checker underlines every word.

    Parameters
    ----------
    frame : TextFrame
        Of a placeholder.
    text : str
        Cleaned of what XML forbids.
    size : float, optional
        Font size in pixels; None takes what the layout has.
    """
    frame.text = text
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            if size is not None:
                run.font.size = round(size * POINTS_PER_PIXEL * 2) * 6350  # whole half points
            mark_language(run.font._element, run.text)


def mark_language(properties: Any, text: str) -> None:
    """Set language and East Asian font of a run's properties."""
    language = language_of(text)
    properties.set("lang", language)
    if language == TAGS["zh"]:
        properties.set("altLang", TAGS["en"])
        properties.append(properties.makeelement(qn("a:ea"), {"typeface": CHINESE_FONT}))
