"""Download buttons of one slide; a file is made when its button is pressed, not before."""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from engine import EngineError
from pages.export import FORMATS, MEDIA_TYPES, Slide, file_name, slide_bytes
from pages.figures.figure import Figure, Style
from pages.text import Translator, mark
from pages.ui import messages

MEANINGS = {
    "png": mark("Picture for any program, 300 pixels per inch"),
    "svg": mark("Vector drawing with editable text"),
    "pdf": mark("Vector page with its fonts inside"),
    "pptx": mark("One PowerPoint slide with its speaker notes."),
    "csv": mark("The numbers behind the figure, at full precision"),
}
NEEDS_FONT = {"png", "pdf", "pptx"}
FAILED = mark(
    "The file could not be made, and nothing was saved. Try again, or save fewer slides; the "
    "details are in the terminal."
)

# Streamlit says in English under the button, for five seconds, that a file could not be made: too
# narrow in a row of buttons. The same place says it in the reader's language, where there is room.
STYLE = """
<style>
[data-testid="stDownloadButtonError"] {{
  position: fixed; z-index: 1000; right: 1.5rem; bottom: 3.5rem; width: 24rem;
  padding: 0.75rem 1rem; border: 1px solid; border-radius: 0.5rem; background: Canvas;
  font-size: 0;
}}
[data-testid="stDownloadButtonError"]::after {{ content: {words}; font-size: 0.875rem; }}
</style>
"""


def dress(t: Translator) -> None:
    """Give the page its words for a file that could not be made; once a page."""
    st.html(STYLE.format(words=json.dumps(t(FAILED), ensure_ascii=False)))


def row(
    make: Callable[[], Slide],
    figure: Figure,
    style: Style,
    place: str,
    *,
    refused: EngineError | None,
    t: Translator,
) -> None:
    """Draw one button a format.

    Parameters
    ----------
    make : callable
        Returns the slide; called outside of any session, so it may only use what it closes over.
    figure : Figure
        Names the file; has a chart where PowerPoint can edit it.
    style : Style
        Of the slide.
    place : str
        Tells these buttons from others on the page.
    refused : EngineError or None
        Why the pictures cannot be made here.
    """
    for kind in FORMATS:
        st.download_button(
            kind.upper(),
            data=_maker(make, kind),
            file_name=file_name(figure, kind, style),
            mime=MEDIA_TYPES[kind],
            key=f"save.{place}.{kind}",
            help=_meaning(kind, figure, style, t),
            on_click="ignore",
            type="tertiary",
            disabled=refused is not None and kind in NEEDS_FONT,
        )


def in_powerpoint(figure: Figure, style: Style, t: Translator) -> str:
    """Return how a slide of PowerPoint differs from the drawing, in one sentence."""
    differences = [t("title and caption are text")]
    if figure.chart is not None:
        differences.append(t("the chart can be edited"))
    if style.size in ("half", "square"):
        differences.append(
            t("the figure stands on the left, its caption and room for your own words on the right")
        )
    return t("In PowerPoint: {differences}.", differences=t.clauses(differences))


def _meaning(kind: str, figure: Figure, style: Style, t: Translator) -> str:
    words = t(MEANINGS[kind])
    return t.sentences(words, in_powerpoint(figure, style, t)) if kind == "pptx" else words


def say_refused(refused: EngineError | None, t: Translator) -> None:
    """Say why pictures cannot be made here, where that is so."""
    if refused is not None:
        st.caption(f":material/font_download_off: {messages.sentence(refused, t)}")


def _maker(make: Callable[[], Slide], kind: str) -> Callable[[], bytes]:
    return lambda: slide_bytes(make(), kind)
