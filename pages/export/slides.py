"""A slide: one figure as it was when it was chosen, with its words, and a deck of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pages.figures.figure import Figure, Style
from pages.figures.slide import retitled

if TYPE_CHECKING:
    from pages.gallery import Exhibit


@dataclass(frozen=True)
class Slide:
    """One figure, kept as its specification.

    Parameters
    ----------
    figure : Figure
        As it was drawn; never drawn again.
    style : Style
        How it was drawn.
    notes : str
        Speaker notes in the style's language.
    """

    figure: Figure
    style: Style
    notes: str

    @property
    def title(self) -> str:
        """The title that the figure shows."""
        return self.figure.title

    def renamed(self, title: str) -> Slide:
        """Return the slide under another title, in the drawing too."""
        return replace(self, figure=retitled(self.figure, title))


Deck = tuple[Slide, ...]


def slide_of(exhibit: Exhibit, style: Style) -> Slide:
    """Draw an exhibit in a style, once, and write its speaker notes."""
    # Imported where a slide is made: a process that only draws some starts without the ideas.
    from pages.gallery import speaker_notes

    figure = exhibit.draw(style)
    return Slide(figure, style, speaker_notes(exhibit, figure, style))
