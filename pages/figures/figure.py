"""What a figure is: one finished specification, and the data and words that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from pages.figures.palette import Theme, theme
from pages.figures.series import dash_of

ThemeName = Literal["light", "dark"]
LanguageCode = Literal["en", "zh"]
SizeName = Literal["screen", "slide", "half", "square"]
Look = Literal["line", "area", "dots", "edge", "rest"]


@dataclass(frozen=True)
class Style:
    """How a figure is drawn.

    Parameters
    ----------
    theme : {"light", "dark"}
        Colours, background included.
    language : {"en", "zh"}
        Language of every word in the figure.
    size : {"screen", "slide", "half", "square"}
        ``"screen"`` fits a column of the page (at most 868 x 420 pixels, text of 12 px or more);
        the others carry title and caption, with text of 18 px or more: ``"slide"`` is exactly
        1280 x 720, ``"half"`` 640 x 720, ``"square"`` 720 x 720.
    decimals : int
        Digits after the point, where they fit.
    transparent : bool
        Whether the background is left out; the colours stay those of the theme.
    """

    theme: ThemeName = "light"
    language: LanguageCode = "en"
    size: SizeName = "screen"
    decimals: int = 3
    transparent: bool = False

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
class Series:
    """One line, or one bar in every group: its name, its values, and its colour as ``#rrggbb``.

    What follows is for lines.

    Parameters
    ----------
    x : tuple of float or None
        Where it has its values, never falling; None where it has one at every x of its plot. A
        line may end early, or go straight up where two values share a place.
    look : {"line", "area", "dots", "edge", "rest"}
        A line; a line with a light tint below it; markers without a line. Only an editable chart
        holds the thin edge of a band, and the rest of a line that has a break before it.
    kind : int or None
        Which dash and marker it takes; None is its place among the series.
    breaks : tuple of int
        Places among its values, from 0, at which a new piece of the line begins.
    weight : float or None
        Of a solid line: its width, as a share of the usual one; None is the usual width, and the
        dash of its kind. A curve that jumps at every step cannot be followed in dashes.
    """

    name: str
    values: tuple[float, ...]
    colour: str
    x: tuple[float, ...] | None = None
    look: Look = "line"
    kind: int | None = None
    breaks: tuple[int, ...] = ()
    weight: float | None = None

    @property
    def thickness(self) -> float:
        """Its width, as a share of the usual one."""
        return 1.0 if self.weight is None else self.weight

    def dash(self, kind: int) -> tuple[float, ...]:
        """Return its dash as a line of a kind, in units of its width; empty is a solid line."""
        return dash_of(kind) if self.weight is None else ()

    def pieces(self, x: tuple[float, ...]) -> list[list[tuple[float, float]]]:
        """Return its points, piece by piece; ``x`` are the places of its plot."""
        points = list(zip(x if self.x is None else self.x, self.values, strict=True))
        ends = [0, *self.breaks, len(points)]
        return [points[start:end] for start, end in pairwise(ends)]


@dataclass(frozen=True)
class Band:
    """A filled area between two lines, such as where 95 of 100 measured values lie.

    Parameters
    ----------
    name : str
        What it holds.
    low, high : tuple of float
        Its two edges.
    colour : str
        As ``#rrggbb``, of the line that it belongs to; the area is a light tint of it.
    x : tuple of float or None
        As of a `Series`.
    named : bool
        Whether a legend says what it holds.
    """

    name: str
    low: tuple[float, ...]
    high: tuple[float, ...]
    colour: str
    x: tuple[float, ...] | None = None
    named: bool = False


@dataclass(frozen=True)
class Crosses:
    """Places along x without a value, marked in a row above the plot: their name says why."""

    name: str
    at: tuple[float, ...]
    colour: str


@dataclass(frozen=True)
class Reference:
    """A dashed line at a value that matters, with its name.

    Parameters
    ----------
    at : float
        A value of its axis.
    label : str
        A few words; a symbol such as ``√d_k`` gets a real index.
    axis : {"x", "y"}
        An ``"x"`` reference stands upright.
    colour : str
        As ``#rrggbb``, of the line that an upright one belongs to; empty where it belongs to none.
    """

    at: float
    label: str
    axis: Literal["x", "y"] = "x"
    colour: str = ""


@dataclass(frozen=True)
class Chart:
    """What a line or bar figure plots, so that a slide can hold it as an editable chart.

    Parameters
    ----------
    kind : {"bar", "line"}
        Groups of bars over categories, or lines over a number axis.
    x_title, y_title : str
        Names of the axes, with units.
    x : tuple
        Categories as text for bars, numbers for lines.
    series : tuple of Series
        Each with one finite value for every entry of ``x``, or of its own ``x``. The edges of a
        band are two of them.
    y_range : tuple of float
        Least and largest value of the y axis.
    x_log, y_log : bool
        Whether an axis of a line chart is logarithmic; its numbers are above 0 then.
    references : tuple of Reference
        Named dashed lines; a line chart holds them, bars do not.
    dots : tuple of float
        Values of ``x`` at which every line carries its marker.
    hidden : tuple of int
        Groups of bars that a mask hides.
    decimals : int or None
        Digits of the values on the bars; None where no values stand there.
    """

    kind: Literal["bar", "line"]
    x_title: str
    y_title: str
    x: tuple[str, ...] | tuple[float, ...]
    series: tuple[Series, ...]
    y_range: tuple[float, float]
    x_log: bool = False
    y_log: bool = False
    references: tuple[Reference, ...] = ()
    dots: tuple[float, ...] = ()
    hidden: tuple[int, ...] = ()
    decimals: int | None = None


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
    chart : Chart or None
        For line and bar figures: the same data as an editable chart.
    """

    name: str
    title: str
    spec: dict[str, Any]
    table: Table
    note: str
    alt: str
    chart: Chart | None = None
