"""What a figure is: one finished specification, and the data and words that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pages.figures.palette import Theme, theme

ThemeName = Literal["light", "dark"]
LanguageCode = Literal["en", "zh"]


@dataclass(frozen=True)
class Style:
    """How a figure is drawn.

    Parameters
    ----------
    theme : {"light", "dark"}
        Colours, background included.
    language : {"en", "zh"}
        Language of every word in the figure.
    size : {"screen", "slide"}
        ``"screen"`` fits a column of the page (at most 868 x 420 pixels, text of 12 px or more);
        ``"slide"`` is exactly 1280 x 720 with its title and caption, text of 18 px or more.
    decimals : int
        Digits after the point, where they fit.
    """

    theme: ThemeName = "light"
    language: LanguageCode = "en"
    size: Literal["screen", "slide"] = "screen"
    decimals: int = 3

    @property
    def colours(self) -> Theme:
        """The colours of this style's theme."""
        return theme(self.theme)


@dataclass(frozen=True)
class Table:
    """The numbers behind a figure at full precision, for CSV."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


@dataclass(frozen=True)
class Figure:
    """One picture, ready for the screen and for a file.

    Parameters
    ----------
    name : str
        File stem that says what is inside, such as ``"worked-example-scores-T4"``.
    title : str
        Heading, in the style's language.
    spec : dict
        A complete Vega-Lite specification: inline data, own configuration, fixed size.
    table : Table
        The numbers it shows.
    note : str
        Caption of one to three sentences.
    alt : str
        What a person who cannot see the picture needs to know.
    """

    name: str
    title: str
    spec: dict[str, Any]
    table: Table
    note: str
    alt: str
