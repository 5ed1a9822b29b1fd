"""Tokens in a ring: pills with their names, in the order of the sequence, clockwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pages.figures.figure import SizeName
from pages.figures.measure import fit_text, text_width
from pages.figures.series import Point
from pages.figures.slide import Room

_GAP = 5.0  # pixels that two pills keep free between them
_CUT, _SHORTEST = 0.93, 1.2  # of what a name takes, in each try; and of the font, at the least
_HEIGHT, _INSIDE = 1.95, 0.7  # of the font: of a pill, and beside its words
_NEAR = 3.0  # pixels between an arrow and the number beyond it
_FLAT = 1e-9  # rounding of a sine
_FLATTEST = 0.72  # of the height of a room: half the width of a ring of two
BETWEEN = 0.4  # of the font, between a position and a name


@dataclass(frozen=True)
class RingSizes:
    """Pixels of one output.

    Parameters
    ----------
    font, small : int
        Of names, and of positions and numbers.
    longest : float
        What a name may take.
    loop : float
        How far the arrow from a token to itself reaches beyond its pill.
    bend : float
        How far the middle of an arrow lies beside the straight way, at the most.
    number : float
        What the number of an arrow takes across.
    width : float
        Of an arrow whose weight is 1.
    widest : tuple of float
        Of the ring, in heights of it; a wider one is taken where names would have to be cut.
    """

    font: int
    small: int
    longest: float
    loop: float
    bend: float
    number: float
    width: float
    widest: tuple[float, ...]


RING_SIZES: dict[SizeName, RingSizes] = {
    "screen": RingSizes(13, 12, 96, 30, 30, 36, 12, (1.7, 2.0)),
    "slide": RingSizes(22, 18, 180, 46, 46, 54, 20, (1.7, 2.0, 2.3, 2.6)),
    "half": RingSizes(18, 18, 130, 36, 36, 54, 15, (1.5, 1.8)),
    "square": RingSizes(18, 18, 130, 38, 38, 54, 16, (1.5, 1.8)),
}


@dataclass(frozen=True)
class Node:
    """One token: its middle, its size, its name and position, and where outwards is."""

    x: float
    y: float
    width: float
    height: float
    name: str
    position: str
    outward: Point

    @property
    def middle(self) -> Point:
        """The middle of the pill."""
        return self.x, self.y

    def holds(self, point: Point, gap: float = 0.0) -> bool:
        """Return whether a point lies in the pill, or closer to it than ``gap``."""
        straight = max(0.0, (self.width - self.height) / 2)
        beside = max(0.0, abs(point[0] - self.x) - straight)
        return math.hypot(beside, point[1] - self.y) <= self.height / 2 + gap

    def meets(self, other: Node) -> bool:
        """Return whether two pills come too close."""
        across = abs(self.x - other.x) < (self.width + other.width) / 2 + _GAP
        return across and abs(self.y - other.y) < (self.height + other.height) / 2 + _GAP


def ring_of(
    names: Sequence[str], positions: Sequence[str], sizes: RingSizes, room: Room, *, numbered: bool
) -> tuple[Node, ...]:
    """Return the tokens in a ring that fills a room; where two pills meet, the longer name is cut.

    Parameters
    ----------
    names, positions : sequence of str
        Of each token; a position may be empty.
    sizes : RingSizes
    room : tuple
        Left, top, width and height, arrows outside of the ring included.
    numbered : bool
        Whether these arrows have numbers beyond them.
    """
    bare = ("",) * len(names)
    for shown in (positions, bare):  # a cut name takes the place of its position at last
        nodes = _apart(names, shown, sizes, room, numbered)
        if not any(one.meets(other) for i, one in enumerate(nodes) for other in nodes[:i]):
            break
    return nodes


def _apart(
    names: Sequence[str], positions: Sequence[str], sizes: RingSizes, room: Room, numbered: bool
) -> tuple[Node, ...]:
    """Return a wide enough ring, else the widest with names cut as far as it takes."""
    rooms = [min(sizes.longest, text_width(name, sizes.font, bold=True)) for name in names]
    for widest in sizes.widest:
        nodes = _placed(names, positions, sizes, room, rooms, numbered, widest)
        if _longest_met(nodes, rooms) is None:
            return nodes
    while True:
        longest = _longest_met(nodes, rooms)
        if longest is None or rooms[longest] <= _SHORTEST * sizes.font:
            return nodes
        rooms[longest] *= _CUT
        nodes = _placed(names, positions, sizes, room, rooms, numbered, widest)


def _longest_met(nodes: Sequence[Node], rooms: Sequence[float]) -> int | None:
    """Return which token has the longest name of those whose pills meet another; None if none."""
    met = [
        place
        for place, node in enumerate(nodes)
        if any(node.meets(other) for other in nodes if other is not node)
    ]
    return max(met, key=lambda place: rooms[place], default=None)


def _placed(
    names: Sequence[str], positions: Sequence[str], sizes: RingSizes, room: Room,
    rooms: Sequence[float], numbered: bool, widest: float,
) -> tuple[Node, ...]:  # fmt: skip
    shown = [
        fit_text(name, sizes.font, longest + 0.01, bold=True)
        for name, longest in zip(names, rooms, strict=True)
    ]
    widths = [pill_width(*pair, sizes) for pair in zip(shown, positions, strict=True)]
    height, ways = sizes.font * _HEIGHT, directions(len(names))
    across, down, centre = _fitted(ways, widths, height, sizes, room, numbered, widest)
    return tuple(
        Node(centre[0] + across * x, centre[1] + down * y, width, height, name, position, (x, y))
        for (x, y), width, name, position in zip(ways, widths, shown, positions, strict=True)
    )


def pill_width(name: str, position: str, sizes: RingSizes) -> float:
    """Return the width of a pill around a position and a name."""
    inside = text_width(name, sizes.font, bold=True) + text_width(position, sizes.small)
    inside += sizes.font * BETWEEN if name and position else 0.0
    return max(inside + 2 * _INSIDE * sizes.font, sizes.font * _HEIGHT)


def directions(count: int) -> list[Point]:
    """Return where each token stands on a circle of radius 1, from the top clockwise.

    Of an even number two stand on top, so that two tokens stand side by side and four in a square.
    """
    first = -math.pi / 2 - (math.pi / count if count % 2 == 0 else 0.0)
    turns = (first + 2 * math.pi * place / count for place in range(count))
    return [(math.cos(turn), math.sin(turn)) for turn in turns]


def _fitted(
    ways: Sequence[Point], widths: Sequence[float], height: float, sizes: RingSizes, room: Room,
    numbered: bool, widest: float,
) -> tuple[float, float, Point]:  # fmt: skip
    """Return half the width, half the height and the middle of the largest ring in a room."""
    x, above = room[0] + room[2] / 2, min(y for _, y in ways)
    below = max(y for _, y in ways)
    reach = sizes.loop + sizes.width / 2
    # A number stands beyond its arrow: half of it in any case, and more the further it is outwards.
    aside, over = (sizes.number / 2, sizes.small * 1.15 + _NEAR) if numbered else (0.0, 0.0)
    across = min(
        (
            (room[2] / 2 - width / 2 - aside * (1 + abs(far)) - _NEAR) / abs(far) - reach
            for (far, _), width in zip(ways, widths, strict=True)
            if abs(far) > _FLAT
        ),
        default=0.0,
    )
    if below - above < _FLAT:  # one token, or two side by side
        return min(across, _FLATTEST * room[3]), 0.0, (x, room[1] + room[3] / 2)
    # The arrows outside of the ring reach up from the highest token and down from the lowest.
    free = room[3] - height - reach * (below - above) - 2 * over
    down = free / (below - above)
    top = room[1] + over + height / 2 + reach * -above
    return min(across, widest * down), down, (x, top - down * above)
