"""What a line plot shows, checked: lines, bands, crosses and references on two axes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pages.figures.figure import Band, Crosses, Look, Reference, Series
from pages.figures.panel import Axis


@dataclass(frozen=True)
class Lines:
    """What a line plot shows; checked."""

    x: tuple[float, ...]
    series: tuple[Series, ...]
    x_axis: Axis
    y_axis: Axis
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    references: tuple[Reference, ...]
    dots: tuple[float, ...]
    bands: tuple[Band, ...] = ()
    crosses: tuple[Crosses, ...] = ()
    symbols: bool = False
    legend: bool = False

    @property
    def any_ends_early(self) -> bool:
        """Whether a line ends before its plot does, so that no name stands at its end."""
        return any(each.x is not None and each.x[-1] < self.x[-1] for each in self.series)

    def kind(self, index: int) -> int:
        """Return which dash and marker the series at ``index`` takes."""
        kind = self.series[index].kind
        return index if kind is None else kind

    def whole(self) -> tuple[Series, ...]:
        """Return the series for an editable chart: no line has a break in it."""
        if not any(each.breaks for each in self.series):
            return self.series
        found = []
        for index, each in enumerate(self.series):
            for place, piece in enumerate(each.pieces(self.x)):
                x, values = zip(*piece, strict=True)
                look: Look = "rest" if place else each.look
                kind = self.kind(index)
                found.append(replace(each, values=values, x=x, look=look, kind=kind, breaks=()))
        return tuple(found)

    def edges(self) -> tuple[Series, ...]:
        """Return the edges of the bands as thin lines, inside the axis."""
        low, high = self.y_range
        return tuple(
            Series(
                band.name, tuple(min(max(value, low), high) for value in edge), band.colour,
                band.x, "edge",
            )
            for band in self.bands
            for edge in (band.low, band.high)
        )  # fmt: skip

    def across(self, axis: str) -> tuple[Reference, ...]:
        """Return the references of one axis."""
        return tuple(reference for reference in self.references if reference.axis == axis)
