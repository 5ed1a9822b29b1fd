"""Where words and their ribbons stand: in a row with ribbons above, or in a column beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from pages.figures.context.ribbons import RibbonSizes, landing, reach_of, ribbons
from pages.figures.figure import SizeName

_HALVINGS = 12
_NEAR = 0.01  # pixels: rounding of sums
_ROWS = (1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.22)  # of the font: words in a column, the best first
_ROUNDEST = 0.62  # of half the span of an arc: its height, where there is room for it
_SPREAD = 3.0  # the gap between two words may grow so far to fill a row


@dataclass(frozen=True)
class FlowSizes:
    """Pixels of one output.

    Parameters
    ----------
    font, small : int
        Of words, and of numbers.
    pad : float
        On either side of a word in its pill.
    gap : float
        Between two words, at the least.
    widest : float
        Of a ribbon whose weight is 1, at the most.
    ribbons : RibbonSizes
    """

    font: int
    small: int
    pad: float
    gap: float
    widest: float
    ribbons: RibbonSizes


FLOW_SIZES: dict[SizeName, FlowSizes] = {
    "screen": FlowSizes(13, 12, 7, 6, 130, RibbonSizes(1.5, 5, 9, 4)),
    "slide": FlowSizes(22, 18, 10, 9, 190, RibbonSizes(2.5, 8, 15, 7)),
    "half": FlowSizes(18, 18, 6, 3, 130, RibbonSizes(1.5, 6, 11, 4)),
    "square": FlowSizes(18, 18, 7, 3, 130, RibbonSizes(1.5, 6, 11, 5)),
}


@dataclass(frozen=True)
class Line:
    """Words along a line, from its begin.

    Parameters
    ----------
    starts, lengths : tuple of float
        Along: of each word.
    unit : float
        Width of a ribbon whose weight is 1.
    bow : float
        How high an arc is at the least, as a share of half its span.
    reach : float
        How far out the ribbons of any of the flows go.
    """

    starts: tuple[float, ...]
    lengths: tuple[float, ...]
    unit: float
    bow: float
    reach: float

    @property
    def middles(self) -> tuple[float, ...]:
        """Along: the middle of each word."""
        pairs = zip(self.starts, self.lengths, strict=True)
        return tuple(start + length / 2 for start, length in pairs)

    @property
    def total(self) -> float:
        """Along: of all words."""
        return self.starts[-1] + self.lengths[-1]


def line_of(
    words: Sequence[float], flows: Sequence[Sequence[float]], query: int, sizes: FlowSizes,
    *, along: float, out: float,
) -> Line | None:  # fmt: skip
    """Return the line with the widest ribbons that fit; None where even the words do not.

    Parameters
    ----------
    words : sequence of float
        What each word takes along, the one that looks included.
    flows : sequence of sequences of float
        Weights of each word, of every flow that is drawn on this line.
    query : int
        Which word looks, from 0.
    sizes : FlowSizes
    along, out : float
        The room.
    """

    def fitting(unit: float, bow: float) -> Line | None:
        found = _line(words, flows, query, sizes, unit, bow, along)
        return found if found.total <= along + _NEAR and found.reach <= out + _NEAR else None

    least = fitting(0.0, 0.0)
    if least is None:
        return None
    widest = min(sizes.widest, _narrowest(words, flows, query))
    wide = _best(lambda unit: fitting(unit, 0.0), widest) or least
    return _best(lambda bow: fitting(wide.unit, bow), _ROUNDEST) or wide


def column_of(
    count: int, flows: Sequence[Sequence[float]], query: int, sizes: FlowSizes,
    along: float, out: float, least: float = 0.0,
) -> Line:  # fmt: skip
    """Return a column of words as high as lets ribbons be widest; one too high where none fits.

    The word that looks takes ``least`` pixels at the least.
    """
    every = [[sizes.font * high] * count for high in _ROWS]
    for words in every:
        words[query] = max(words[query], least)
    found = (line_of(words, flows, query, sizes, along=along, out=out) for words in every)
    fitting = [line for line in found if line is not None]
    if not fitting:  # a caption of many lines leaves little
        return _line(every[-1], flows, query, sizes, 0.0, 0.0, along)
    return max(fitting, key=lambda line: line.unit)


def _narrowest(words: Sequence[float], flows: Sequence[Sequence[float]], query: int) -> float:
    """Return the unit from which some ribbon is wider than the word that it comes from."""
    shares = (
        word / weight
        for each in flows
        for place, (word, weight) in enumerate(zip(words, each, strict=True))
        if weight and place != query
    )
    return min(shares, default=math.inf)


def _best(fitting: Callable[[float], Line | None], most: float) -> Line | None:
    """Return the line of the largest value up to ``most`` that fits; None where none is found."""
    best, low, high = None, 0.0, 2 * most  # so that the first one that is tried is the largest
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        tried = fitting(middle) if middle <= most else None
        best = tried or best
        low, high = (middle, high) if tried else (low, middle)
    return best


def _line(
    words: Sequence[float], flows: Sequence[Sequence[float]], query: int, sizes: FlowSizes,
    unit: float, bow: float, along: float,
) -> Line:  # fmt: skip
    others = [[w for place, w in enumerate(each) if w and place != query] for each in flows]
    least = max(landing(each, unit, sizes.ribbons) for each in others) + 2 * sizes.pad
    lengths = [*words]
    lengths[query] = max(words[query], least)
    free = (along - sum(lengths)) / max(len(words) - 1, 1)
    gap = min(max(free, sizes.gap), _SPREAD * sizes.gap)
    starts = [0.0, *accumulate(length + gap for length in lengths[:-1])]
    line = Line(tuple(starts), tuple(lengths), unit, bow, 0.0)
    found = (ribbons(line.middles, each, query, unit, sizes.ribbons, bow) for each in flows)
    return replace(line, reach=max(map(reach_of, found)))
