"""How far a measurement is that grows point by point, and what disturbed it meanwhile."""

from __future__ import annotations

from typing import Any

TELLING = 1.0  # seconds of measuring: the time of other programs is counted in steps of 0.01


class Growing:
    """The points so far of a measurement; whoever inherits has these as fields.

    Attributes
    ----------
    points : tuple
    total : int
        Points in all.
    seconds : float
        Spent on measuring, without what others did between two results.
    elsewhere : float
        Seconds of all cores together that other programs took while points were measured.
    """

    points: tuple[Any, ...]
    total: int
    seconds: float
    elsewhere: float

    @property
    def busy(self) -> float:
        """Cores that other programs kept busy meanwhile; 0 where it was too short to tell."""
        return self.elsewhere / self.seconds if self.seconds >= TELLING else 0.0

    @property
    def share(self) -> float:
        """Share of the points that are done."""
        return len(self.points) / self.total

    @property
    def done(self) -> bool:
        """Whether every point is measured or refused."""
        return len(self.points) == self.total
