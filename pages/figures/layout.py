"""How large the cells of a board can be, and what has to be left out.

The rule of fit: draw operands and result, side by side or else in rows, with every decimal asked
for or else with fewer, but two; where they do not fit, draw the result alone, with as many decimals
as fit its cells, and where not even one digit fits, the colours alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pages.figures.blocks import Block, Metrics, Part
from pages.figures.measure import text_width
from pages.figures.numerals import decimals_needed, numbers
from pages.figures.rows import Arrangement, arrangements, blocks_of, tallest_cell, total_width

# Room beside the widest number of a block in em, left and right together: usual, and at least.
_PADDING_EM, _LEAST_PADDING_EM = 0.7, 0.3
# The plainest arrangement is taken, unless another one has numbers larger by more than this.
_GOOD_ENOUGH = 0.8
# A cell is no taller than this times its width.
_TALLEST = 1.1
_LABEL_SHARES = (1.0, 0.6)
# Operands and result are drawn with no fewer decimals than this, if more were asked for.
FEWEST = 2


@dataclass(frozen=True)
class Layout:
    """Sizes that make the parts fit.

    Parameters
    ----------
    arrangement : Arrangement
        The parts kept, in rows.
    sizes : Metrics
        The budget, with the room that labels were given.
    font : int
        Size of the numbers in pixels.
    cell_height : float
        Of every block, in pixels.
    cell_widths, decimals : tuple
        One entry a block.
    fits : bool
        False only where the layout is too large.
    alone, reduced, silent : bool
        Whether operands, or decimals, or all numbers were left out.
    """

    arrangement: Arrangement
    sizes: Metrics
    font: int
    cell_height: float
    cell_widths: tuple[float, ...]
    decimals: tuple[int, ...]
    fits: bool
    alone: bool = False
    reduced: bool = False
    silent: bool = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks kept, in order."""
        return self.arrangement.blocks


def largest_of(values: np.ndarray) -> float:
    """Return the largest absolute value of the finite cells, 0 when there are none."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def _widest_number(block: Block, decimals: int) -> float:
    """Return the width of a block's widest number in em, which holds for every font size."""
    # Hidden values count too: a practice board keeps the cells of the board with its answers.
    texts = {text for row in numbers(block.values, decimals) for text in row}
    return max(text_width(text, 1) for text in texts)


class Measured:
    """The parts of a board with the widths of their numbers, each worked out once.

    Parameters
    ----------
    parts : tuple of Block and Operator
        From left to right; one block is the result.
    """

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self.parts = parts
        self.blocks = blocks_of(parts)
        self._decimals: dict[int, tuple[int, ...]] = {}
        self._em: dict[int, tuple[float, ...]] = {}

    def decimals(self, most: int) -> tuple[int, ...]:
        """Return how many decimals each block is drawn with when ``most`` are allowed."""
        if most not in self._decimals:
            needed = (decimals_needed(b.values, most, typed=b.typed) for b in self.blocks)
            self._decimals[most] = tuple(needed)
        return self._decimals[most]

    def em(self, most: int) -> tuple[float, ...]:
        """Return the width of each block's widest number in em."""
        if most not in self._em:
            pairs = zip(self.blocks, self.decimals(most), strict=True)
            self._em[most] = tuple(_widest_number(block, places) for block, places in pairs)
        return self._em[most]

    @cached_property
    def result_alone(self) -> Measured:
        """The result and what belongs to it, without the operands."""
        first = next(i for i, p in enumerate(self.parts) if isinstance(p, Block) and p.result)
        return Measured(blocks_of(self.parts[first:]))


def _needed_widths(
    numbers_em: tuple[float, ...], font: int, height: float, padding: float, uniform: bool
) -> tuple[float, ...]:
    least = min(height, font * 2.2)
    needed = [max((em + padding) * font, least) for em in numbers_em]
    return tuple([max(needed)] * len(needed)) if uniform else tuple(needed)


def _grow(layout: Layout, widths: tuple[float, ...]) -> tuple[float, ...]:
    """Share what is left of the width among the cells, up to the widest that looks good."""
    sizes, low, high = layout.sizes, 0.0, 2.0
    for _ in range(7):
        share = (low + high) / 2
        if total_width(layout.arrangement, _wider(widths, sizes, share), sizes) <= sizes.width:
            low = share
        else:
            high = share
    return _wider(widths, sizes, low)


def _wider(widths: tuple[float, ...], sizes: Metrics, share: float) -> tuple[float, ...]:
    return tuple(max(w, w + (sizes.cell_width - w) * min(share, 1.0)) for w in widths)


def _try(
    layout: Layout, numbers_em: tuple[float, ...], font: int, padding: float, uniform: bool
) -> Layout:
    """Return the layout at one font size, with whether it fits, its cells still narrow."""
    sizes = layout.sizes
    widths = _needed_widths(numbers_em, font, layout.cell_height, padding, uniform)
    narrow = total_width(layout.arrangement, widths, sizes) <= sizes.width
    fits = narrow and layout.cell_height >= font * 1.4
    return replace(layout, font=font, cell_widths=widths, fits=fits)


def _smallest(
    arrangement: Arrangement, measured: Measured, most: int, sizes: Metrics, padding: float
) -> Layout:
    """Return the layout with the smallest numbers, with whether it fits."""
    height, font = tallest_cell(arrangement, sizes), sizes.fonts[-1]
    empty = Layout(arrangement, sizes, font, height, (), measured.decimals(most), fits=False)
    return _try(empty, measured.em(most), font, padding, uniform=False)


def _filling(layout: Layout) -> Layout:
    """Return a layout that fits with cells as large as the room and good looks allow."""
    grown = _grow(layout, layout.cell_widths)
    height = max(layout.font * 1.6, _TALLEST * max(grown))
    return replace(layout, cell_height=min(layout.cell_height, height), cell_widths=grown)


def _largest(
    arrangement: Arrangement,
    measured: Measured,
    most: int,
    sizes: Metrics,
    padding: float = _PADDING_EM,
) -> Layout:
    """Return the layout of one arrangement with the largest numbers that fit."""
    least = _smallest(arrangement, measured, most, sizes, padding)
    if not least.fits:
        return least
    for uniform in (True, False):
        for font in sizes.fonts:
            layout = _try(least, measured.em(most), font, padding, uniform)
            if layout.fits:
                return _filling(layout)
    return _filling(least)


def holds(measured: Measured, sizes: Metrics) -> bool:
    """Return whether operands and result fit together with the fewest decimals."""
    return any(
        _smallest(arrangement, measured, FEWEST, each, _PADDING_EM).fits
        for arrangement, each in _ways_together(measured, sizes)
    )


def _ways_together(measured: Measured, sizes: Metrics) -> Iterator[tuple[Arrangement, Metrics]]:
    """Yield every arrangement with its sizes; long labels are cut shorter only in the end."""
    for share in _LABEL_SHARES:
        room = sizes.label_room * share
        for arrangement in arrangements(measured.parts):
            yield arrangement, replace(sizes, label_room=room, one_line=arrangement.stacked)


def fit(measured: Measured, sizes: Metrics, decimals: int) -> Layout:
    """Return the best layout that fits.

    Parameters
    ----------
    measured : Measured
        What is to be drawn.
    sizes : Metrics
        Budget, fonts and gaps.
    decimals : int
        Decimals asked for.
    """
    layout = _most_decimals(_together, measured, sizes, decimals, min(FEWEST, decimals))
    if layout is not None:
        return layout
    alone, dropped = measured.result_alone, len(measured.parts) > 1
    layout = _most_decimals(_alone, alone, sizes, decimals, _fewest_decimals(alone, decimals))
    if layout is None:
        layout = _colours_only(alone, sizes, decimals)
    return replace(layout, alone=dropped)


_Way = Callable[[Measured, Metrics, int], Layout | None]


def _most_decimals(
    way: _Way, measured: Measured, sizes: Metrics, most: int, fewest: int
) -> Layout | None:
    """Lay out in one way, with the most decimals from ``most`` to ``fewest`` that fit."""
    layout = way(measured, sizes, most)
    # What does not fit with the fewest decimals need not be tried with more.
    if layout is not None or most == fewest or way(measured, sizes, fewest) is None:
        return layout
    for fewer in range(most - 1, fewest - 1, -1):
        layout = way(measured, sizes, fewer)
        if layout is not None:
            return replace(layout, reduced=measured.decimals(fewer) != measured.decimals(most))
    return None


def _together(measured: Measured, sizes: Metrics, most: int) -> Layout | None:
    """Return the best arrangement, with long labels cut shorter only where that is needed."""
    for share in _LABEL_SHARES:
        narrower = replace(sizes, label_room=sizes.label_room * share)
        layout = _plainest(measured, most, narrower)
        if layout is not None:
            return layout
    return None


def _plainest(measured: Measured, most: int, sizes: Metrics) -> Layout | None:
    """Return the plainest arrangement whose numbers are large enough; None when none fits."""
    found: list[Layout] = []
    for arrangement in arrangements(measured.parts):
        rows = replace(sizes, one_line=arrangement.stacked)
        layout = _largest(arrangement, measured, most, rows)
        if layout.fits:
            found.append(layout)
        if layout.fits and layout.font >= _GOOD_ENOUGH * sizes.fonts[0]:
            break
    largest = max((layout.font for layout in found), default=0)
    return next((layout for layout in found if layout.font >= _GOOD_ENOUGH * largest), None)


def _alone(measured: Measured, sizes: Metrics, most: int) -> Layout | None:
    """Return the layout of the result; shorter labels and narrow cells come before None."""
    arrangement = Arrangement((measured.parts,))
    narrow = replace(sizes, label_room=sizes.label_room * _LABEL_SHARES[-1])
    ways = ((sizes, _PADDING_EM), (narrow, _PADDING_EM), (narrow, _LEAST_PADDING_EM))
    for each, padding in ways:
        layout = _largest(arrangement, measured, most, each, padding)
        if layout.fits:
            return layout
    return None


def _fewest_decimals(measured: Measured, decimals: int) -> int:
    """Return with how many decimals the result still has a digit that is not zero."""
    largest = max(largest_of(block.values) for block in measured.blocks if block.result)
    return min(decimals, math.ceil(-math.log10(largest))) if 0 < largest < 1 else 0


def _colours_only(measured: Measured, sizes: Metrics, decimals: int) -> Layout:
    """Return the layout of the result without its numbers."""
    arrangement = Arrangement((measured.parts,))
    narrow = replace(sizes, label_room=sizes.label_room * _LABEL_SHARES[-1])
    none = tuple(0.0 for _ in measured.blocks)
    height, exact = tallest_cell(arrangement, narrow), measured.decimals(decimals)
    layout = Layout(arrangement, narrow, sizes.fonts[-1], height, none, exact, True, silent=True)
    return replace(layout, cell_widths=_grow(layout, none))
