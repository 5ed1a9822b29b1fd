"""Where the number of an arrow stands: on it, and on no pill, head or other number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pages.figures.measure import text_width
from pages.figures.properties.curves import Arrow
from pages.figures.properties.ring import Node
from pages.figures.series import Point
from pages.figures.slide import Room

# Of its arrow, the best first: one across the ring is written apart from where all of them cross.
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
_ACROSS = (0.36, 0.3, 0.42, 0.24, 0.64, 0.58, 0.7, 0.5, 0.18, 0.76, 0.82)
_GAP = 3.0  # pixels
_HIGH = 1.15  # of the font
_CROSSED = 10.0  # what a crossed arrow counts, in steps along the arrow
_FARTHER = 0.35  # of the font: how much farther from its arrow a number may stand beside it
_ALWAYS = 5  # arrows whose numbers may cover any other, if not its head: these are weaker
_MOST_CROSSED = 3  # arrows under a number, where not every arrow has one


@dataclass(frozen=True)
class Label:
    """A number with its place: left, top, width and height."""

    text: str
    left: float
    top: float
    width: float
    height: float

    def holds(self, point: Point, gap: float = _GAP) -> bool:
        """Return whether a point lies in it, or closer than ``gap``."""
        across = self.left - gap <= point[0] <= self.left + self.width + gap
        return across and self.top - gap <= point[1] <= self.top + self.height + gap

    def meets(self, other: Label) -> bool:
        """Return whether two come too close."""
        across = self.left < other.left + other.width + _GAP
        across = across and other.left < self.left + self.width + _GAP
        down = self.top < other.top + other.height + _GAP
        return across and down and other.top < self.top + self.height + _GAP


def place_labels(
    arrows: Sequence[Arrow], texts: Sequence[str], nodes: Sequence[Node], size: float,
    kinds: Sequence[Point | bool],
) -> tuple[Label, ...] | None:  # fmt: skip
    """Return a place for the number of every arrow; None where one has none.

    Parameters
    ----------
    arrows : sequence of Arrow
    texts : sequence of str
        The number of each.
    nodes : sequence of Node
    size : float
        Font.
    kinds : sequence of (float, float) or bool
        Of an arrow from a token to itself, outwards: its number stands beyond it. Of others,
        whether they join neighbours.
    """
    found: dict[int, Label] = {}
    # The shortest arrows have the fewest places.
    for index in sorted(range(len(arrows)), key=lambda index: arrows[index].length):
        wanted = _wanted(arrows[index], texts[index], size, kinds[index])
        best = _best(index, arrows, wanted, nodes, list(found.values()))
        if best is None:
            return None
        found[index] = best[1]
    return tuple(found[index] for index in range(len(arrows)))


def place_some(
    arrows: Sequence[Arrow], texts: Sequence[str], nodes: Sequence[Node], size: float,
    kinds: Sequence[Point | bool], room: Room, most: int,
) -> tuple[Label | None, ...]:  # fmt: skip
    """Return places for the numbers of the first arrows that have one; None for every other.

    A number stands on its arrow, or beside one that is too short for it. One that would cover many
    arrows has no place: it would hide what it is to explain.

    Parameters
    ----------
    arrows, texts, nodes, size, kinds
        As `place_labels` takes them.
    room : tuple
        Left, top, width and height, which no number leaves.
    most : int
        So many numbers at the most.
    """
    found: dict[int, Label] = {}
    for index, arrow in enumerate(arrows):
        taken = list(found.values())
        on = _inside(_wanted(arrow, texts[index], size, kinds[index]), room)
        best = _best(index, arrows, on, nodes, taken)
        if best is None:  # beside it no other arrow may run, which would seem to be the one
            beside = _inside(_beside(arrow, texts[index], size), room)
            best = _best(index, arrows, beside, nodes, taken)
            best = best if best and not best[0] else None
        if best is not None and (best[0] <= _MOST_CROSSED or index < _ALWAYS):
            found[index] = best[1]
        if len(found) == most:
            break
    return tuple(found.get(index) for index in range(len(arrows)))


def _wanted(arrow: Arrow, text: str, size: float, kind: Point | bool) -> Iterator[Label]:
    """Yield the places of a number, the best first: beyond a loop, else along its arrow."""
    if not isinstance(kind, bool):
        x, y = arrow.shaft.at(0.5)
        first = _label((x, y), text, size)
        aside, down = first.width / 2 + _GAP, first.height / 2 + _GAP
        yield _label((x + kind[0] * aside, y + kind[1] * down), text, size)
    for share in _ALONG if kind else _ACROSS:
        yield _label(arrow.shaft.at(share), text, size)


def _beside(arrow: Arrow, text: str, size: float) -> Iterator[Label]:
    """Yield the places beside the middle of an arrow, on either side of it."""
    for share in (0.5, 0.3, 0.7, 0.2, 0.8):
        (x, y), (left, top), (right, bottom) = (
            arrow.shaft.at(each) for each in (share, share - 0.1, share + 0.1)
        )
        way = math.hypot(right - left, bottom - top) or 1.0
        across = (bottom - top) / way, (left - right) / way
        plain = _label((x, y), text, size)
        far = abs(across[0]) * plain.width / 2 + abs(across[1]) * plain.height / 2
        half = math.dist(arrow.head[0], arrow.head[2]) / 2
        for more in (0.0, _FARTHER * size):
            for side in (far + half + more, -far - half - more):
                yield _label((x + across[0] * side, y + across[1] * side), text, size)


def _inside(labels: Iterable[Label], room: Room) -> Iterator[Label]:
    """Yield the numbers that do not leave a room."""
    left, top, width, height = room
    for each in labels:
        across = left <= each.left and each.left + each.width <= left + width
        if across and top <= each.top and each.top + each.height <= top + height:
            yield each


def _best(
    index: int, arrows: Sequence[Arrow], wanted: Iterable[Label], nodes: Sequence[Node],
    taken: list[Label],
) -> tuple[int, Label] | None:  # fmt: skip
    """Return the place that crosses the fewest other arrows, the best by `_CROSSED`, and how many.

    None where no place is free.
    """
    free = [
        (step, _crossed(label, index, arrows), label)
        for step, label in enumerate(wanted)
        if _is_free(label, nodes, arrows, taken)
    ]
    if not free:
        return None
    _, crossed, label = min(free, key=lambda place: place[0] + _CROSSED * place[1])
    return crossed, label


def _label(middle: Point, text: str, size: float) -> Label:
    width, height = text_width(text, size) + size * 0.3, size * _HIGH
    return Label(text, middle[0] - width / 2, middle[1] - height / 2, width, height)


def _is_free(
    label: Label, nodes: Sequence[Node], arrows: Sequence[Arrow], taken: list[Label]
) -> bool:
    pills = (
        Label("", node.x - node.width / 2, node.y - node.height / 2, node.width, node.height)
        for node in nodes
    )
    return not (
        any(label.meets(other) for other in taken)
        or any(label.meets(pill) for pill in pills)
        or any(label.holds(corner) for each in arrows for corner in each.head)
    )


def _crossed(label: Label, own: int, arrows: Sequence[Arrow]) -> int:
    """Return how many other arrows run under a number."""
    return sum(
        any(label.holds(point) for point in each.shaft.samples)
        for index, each in enumerate(arrows)
        if index != own
    )
