"""Chooses how up to three matrices stand: in a row, or on narrow sheets in other ways.

Of all ways the one is taken that holds the numbers, cuts no title and leaves the largest cells.
"""

from __future__ import annotations

from dataclasses import replace

from pages.figures.figure import Style
from pages.figures.panels_cells import Arrangement
from pages.figures.panels_needs import Layout, Needs, Way
from pages.figures.panels_place import placed
from pages.figures.slide import Room

_Found = tuple[Arrangement, Layout]


def _ways(style: Style, count: int) -> tuple[Way, ...]:
    row, stack = Way(1, count), Way(count, 1)
    if count == 1 or style.size in ("screen", "slide"):
        return (row, Way(2, 2)) if count > 3 else (row,)
    stacks = (stack, replace(stack, beside=True))
    if count == 2:
        return (row, *stacks)
    return (Way(2, 2), *stacks, row)


def lay_out(needs: Needs, style: Style, room: Room, top: float | None = None) -> Layout:
    """Return the arrangement that holds the numbers, cuts no title and has the largest cells.

    Parameters
    ----------
    needs : Needs
    style : Style
    room : tuple
        Left, top, width and height of what there is.
    top : float, optional
        Where the cells must begin; None puts them where they look best.
    """
    found: list[_Found] = []
    for way in _ways(style, len(needs.shapes)):
        found.append(_tried(Arrangement(needs, style, room, way, top)))
        if cut := _rows_cut(*found[-1]):
            taller = Arrangement(needs, style, room, way, top, cut)
            if taller.has_room_above:
                found.append(_tried(taller))
    return max(found, key=_merit)[1]


def _tried(arrangement: Arrangement) -> _Found:
    return arrangement, placed(arrangement)


def _merit(found: _Found) -> tuple[bool, bool, float]:
    """Return what makes one arrangement better than another."""
    arrangement, layout = found
    across, down = arrangement.needs.number
    holds = 0 < across <= layout.across and down <= layout.down
    return holds, not _rows_cut(*found), round(min(layout.across, layout.down), 2)


def _rows_cut(arrangement: Arrangement, layout: Layout) -> frozenset[int]:
    """Return the rows of panels above which a title is cut short."""
    return frozenset(
        row
        for index, row, _ in arrangement.panels()
        if arrangement.needs.titles[index] and layout.places[index].heading.cut
    )
