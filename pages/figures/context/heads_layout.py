"""Which small matrix stands where: a row a layer, or the layers as groups of several rows each."""

from __future__ import annotations

import math
from dataclasses import dataclass

APART = 0.5  # of the place of one matrix: what is free between two groups beside each other
_BETTER = 1.2  # by so much larger are matrices in groups that are worth their titles


@dataclass(frozen=True)
class HeadsLayout:
    """How many matrices stand beside each other.

    Parameters
    ----------
    layers, heads : int
        Of the model.
    groups : int
        Layers beside each other.
    columns : int
        Heads of one layer beside each other; the others follow below, row by row.
    """

    layers: int
    heads: int
    groups: int
    columns: int

    @property
    def grouped(self) -> bool:
        """Whether a layer is a group with a title, and not one row."""
        return self.groups > 1 or self.columns < self.heads

    @property
    def rows(self) -> int:
        """Rows of heads in one group."""
        return math.ceil(self.heads / self.columns)

    @property
    def bands(self) -> int:
        """Groups below each other."""
        return math.ceil(self.layers / self.groups)

    @property
    def across(self) -> int:
        """All matrices beside each other."""
        return self.groups * self.columns

    def place(self, width: float, height: float, title: float) -> float:
        """Return the side of the place of one matrix in groups with titles of a height."""
        wide = self.across + APART * (self.groups - 1)
        return min(width / wide, (height - title * self.bands) / (self.rows * self.bands))

    def at(self, layer: int, head: int) -> tuple[int, int, int, int]:
        """Return column and row of a layer among the groups, and of a head in its group."""
        return (layer % self.groups, layer // self.groups,
                head % self.columns, head // self.columns)  # fmt: skip


def in_groups(layers: int, heads: int, width: float, height: float, title: float) -> HeadsLayout:
    """Return the layout in groups with the largest matrices in a room."""
    every = (
        HeadsLayout(layers, heads, groups, columns)
        for groups in range(1, layers + 1)
        for columns in range(1, heads + 1)
    )
    return max(every, key=lambda layout: layout.place(width, height, title))


def is_better(grouped: float, flat: float) -> bool:
    """Return whether matrices in groups are so much larger than in rows that they are drawn so."""
    return grouped > flat * _BETTER
