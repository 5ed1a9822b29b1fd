"""Where everything of a graph stands: the ring of tokens, the arrows, their numbers, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.experiments.properties.graph import Edge, GraphResult
from pages.figures.figure import Style
from pages.figures.numerals import number
from pages.figures.properties.curves import Arrow, arrow, bent, loop
from pages.figures.properties.graph_labels import Label, place_labels, place_some
from pages.figures.properties.ring import RING_SIZES, Node, RingSizes, ring_of
from pages.figures.series import Point
from pages.figures.slide import Room

MOST_NUMBERS = 24  # arrows that all have their numbers on them
SOME_NUMBERS = 16  # numbers of the strongest arrows, where not all have room
FEWEST_DECIMALS = 2
_BEND = 0.2  # of its length: how far the middle of an arrow lies aside
_HEAD, _HEAD_SIDE = (0.42, 1.4), (0.26, 0.8)  # of the font, and of the width of the arrow
_FULL_HEAD = 0.1  # weight: lighter arrows have smaller heads
_FREE = 2.0  # pixels between the tip of an arrow and its token
LEGEND = 2.0  # of the font: the row below the ring


@dataclass(frozen=True)
class Plan:
    """Where everything stands.

    Parameters
    ----------
    nodes : tuple of Node
    arrows : tuple of Arrow
        Of the edges that are shown, in their order.
    labels : tuple of Label
        Their numbers; None for an arrow without one, and empty where there are none at all.
    decimals : int or None
        Of the numbers; None where there are none.
    legend : tuple
        Left, top, width and height of its row.
    """

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Label | None, ...]
    decimals: int | None
    legend: Room


def plan_of(result: GraphResult, style: Style, room: Room) -> Plan:
    """Return where everything stands in a room."""
    sizes = RING_SIZES[style.size]
    left, top, width, height = room
    row = sizes.small * LEGEND
    ring = (left, top, width, height - row)
    nodes = ring_of(*_words(result), sizes, ring, numbered=len(result.shown) <= MOST_NUMBERS)
    arrows = tuple(_arrow(edge, nodes, sizes) for edge in result.shown)
    labels, decimals = _numbered(result.shown, arrows, nodes, style, ring)
    return Plan(nodes, arrows, labels, decimals, (left, top + height - row, width, row))


def _words(result: GraphResult) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the tokens, and their positions where the names do not say them."""
    places = range(1, len(result.tokens) + 1)
    if all(name.endswith(str(place)) for name, place in zip(result.tokens, places, strict=True)):
        return result.tokens, ("",) * len(result.tokens)
    return result.tokens, tuple(map(str, places))


def labels_of_tokens(result: GraphResult) -> tuple[str, ...]:
    """Return the names of the tokens; random vectors have none beside their positions."""
    return () if result.params.source == "random" else result.tokens


def width_of(weight: float, sizes: RingSizes) -> float:
    """Return the width of an arrow in pixels."""
    return weight * sizes.width


def _arrow(edge: Edge, nodes: Sequence[Node], sizes: RingSizes) -> Arrow:
    source, target = nodes[edge.source], nodes[edge.target]
    wide = width_of(edge.weight, sizes)
    if edge.source == edge.target:
        reach = _edge_of(source) + sizes.loop + wide / 2
        curve = loop(source.middle, source.outward, reach, sizes.loop * 0.9 + wide)
    else:
        length = max(abs(source.x - target.x), abs(source.y - target.y))
        aside = min(sizes.bend, max(_BEND * length, sizes.font * 0.9))
        curve = bent(source.middle, target.middle, aside)
    least = sizes.font * (0.4 + 0.6 * min(edge.weight / _FULL_HEAD, 1.0))
    head = _HEAD[0] * least + _HEAD[1] * wide, _HEAD_SIDE[0] * least + _HEAD_SIDE[1] * wide
    return arrow(curve, source.holds, lambda point: target.holds(point, _FREE), head)


def _edge_of(node: Node) -> float:
    """Return how far the edge of a pill is from its middle, outwards."""
    low, high = 0.0, node.width
    for _ in range(12):
        middle = (low + high) / 2
        inside = node.holds(_beyond(node, middle))
        low, high = (middle, high) if inside else (low, middle)
    return high


def _beyond(node: Node, reach: float) -> Point:
    return node.x + node.outward[0] * reach, node.y + node.outward[1] * reach


def _numbered(
    edges: Sequence[Edge], arrows: Sequence[Arrow], nodes: Sequence[Node], style: Style, room: Room
) -> tuple[tuple[Label | None, ...], int | None]:
    """Return the numbers of all arrows with as many decimals as fit, else of the strongest."""
    sizes, fewest = RING_SIZES[style.size], min(FEWEST_DECIMALS, style.decimals)
    kinds = [_kind(edge, nodes) for edge in edges]
    for decimals in range(style.decimals, fewest - 1, -1) if len(edges) <= MOST_NUMBERS else ():
        texts = [number(edge.weight, decimals) for edge in edges]
        labels = place_labels(arrows, texts, nodes, sizes.small, kinds)
        if labels is not None:
            return labels, decimals if labels else None
    texts = [number(edge.weight, fewest) for edge in edges]
    some = place_some(arrows, texts, nodes, sizes.small, kinds, room, SOME_NUMBERS)
    return (some, fewest) if any(some) else ((), None)


def _kind(edge: Edge, nodes: Sequence[Node]) -> Point | bool:
    """Return outwards for an arrow from a token to itself, else whether it joins neighbours."""
    if edge.source == edge.target:
        return nodes[edge.source].outward
    return abs(edge.source - edge.target) in (1, len(nodes) - 1)
