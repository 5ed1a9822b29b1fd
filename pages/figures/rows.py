"""How the parts of a board stand: side by side, or in rows, the result below its operands.

In rows, the first block of the lower row stands exactly under a block of the upper one, so that
columns that belong together are one column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pages.figures.blocks import Block, Metrics, Operator, Part
from pages.figures.measure import text_width
from pages.figures.symbols import symbol_width

Row = tuple[Part, ...]
Span = tuple[float, float]


@dataclass(frozen=True)
class Arrangement:
    """The rows of a board.

    Parameters
    ----------
    rows : tuple of tuple of Block and Operator
        From top to bottom, each from left to right.
    anchor : int
        Which block of the first row the first blocks of the others stand under.
    """

    rows: tuple[Row, ...]
    anchor: int = 0

    @property
    def stacked(self) -> bool:
        """Whether there is more than one row."""
        return len(self.rows) > 1

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts in order."""
        return tuple(part for row in self.rows for part in row)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order."""
        return blocks_of(self.parts)


def blocks_of(parts: tuple[Part, ...]) -> tuple[Block, ...]:
    """Return the blocks among the parts."""
    return tuple(part for part in parts if isinstance(part, Block))


def arrangements(parts: tuple[Part, ...]) -> tuple[Arrangement, ...]:
    """Return every way the parts may stand, the plainest first."""
    found = [Arrangement((parts,))]
    # The operator before the result opens the last row.
    last = next((i for i, p in enumerate(parts) if isinstance(p, Block) and p.result), 0) - 1
    if last < 1:
        return tuple(found)
    upper, lower = parts[:last], parts[last:]
    count = len(blocks_of(upper))
    found += [Arrangement((upper, lower), anchor) for anchor in range(count - 1, -1, -1)]
    if count > 1:
        found.append(Arrangement((*_one_a_row(upper), lower)))
    return tuple(found)


def _one_a_row(parts: tuple[Part, ...]) -> tuple[Row, ...]:
    """Split before every operator that is followed by a block."""
    rows: list[Row] = [()]
    for place, part in enumerate(parts):
        opens = isinstance(part, Operator) and len(blocks_of(parts[place:])) > 0
        if opens:
            rows.append(())
        rows[-1] = (*rows[-1], part)
    return tuple(rows)


# ---- sizes of single parts


def gutter(block: Block, sizes: Metrics) -> float:
    """Return the room for row labels to the left of the cells."""
    if not block.row_labels:
        return 0.0
    widest = max(text_width(label, sizes.label) for label in block.row_labels)
    return min(widest, sizes.label_room) + sizes.label * 0.6


def shape_text(block: Block) -> str:
    """Return a block's shape, ``4 × 2``."""
    return f"{block.shape[0]} × {block.shape[1]}"


def caption_text(block: Block) -> str:
    """Return what stands with a block's symbol: what it is, and its shape."""
    if block.brief:
        return ""
    return f"{block.caption}  {shape_text(block)}" if block.caption else shape_text(block)


def _heading_width(block: Block, sizes: Metrics) -> float:
    caption = text_width(caption_text(block), sizes.caption)
    symbol = symbol_width(block.symbol, sizes.symbol)
    if sizes.one_line:
        return symbol + caption_gap(sizes) + caption if caption else symbol
    return max(symbol, caption)


def caption_gap(sizes: Metrics) -> float:
    """Return what lies between a symbol and its caption where both stand on one line."""
    return sizes.caption * 0.6


def heading_height(block: Block, sizes: Metrics) -> float:
    """Return the height of everything above the cells."""
    labels = sizes.label * 1.5 if block.column_labels else 0.0
    if sizes.one_line:
        return sizes.symbol * 1.3 + sizes.label * 0.3 + labels
    return sizes.symbol * 1.3 + sizes.caption * 1.5 + sizes.label * 0.3 + labels


def block_width(block: Block, cell_width: float, sizes: Metrics) -> float:
    """Return the width a block takes, labels and heading included."""
    return gutter(block, sizes) + max(block.shape[1] * cell_width, _heading_width(block, sizes))


def operator_width(operator: Operator, sizes: Metrics) -> float:
    """Return the width an operator takes, its remark included."""
    symbol = symbol_width(operator.symbol, sizes.operator, bold=False)
    return max(symbol, text_width(operator.remark, sizes.remark))


# ---- where parts begin and end


def _row_width(row: Row, widths: Iterator[float], sizes: Metrics) -> float:
    each = [
        block_width(part, next(widths), sizes)
        if isinstance(part, Block)
        else operator_width(part, sizes)
        for part in row
    ]
    return sum(each) + sizes.gap * (len(row) - 1)


def _before(row: Row, anchor: int, widths: tuple[float, ...], sizes: Metrics) -> float:
    """Return how far a row reaches to the left of the cells of its block number ``anchor``."""
    place = [i for i, part in enumerate(row) if isinstance(part, Block)][anchor]
    before = row[:place]
    reach = _row_width(before, iter(widths), sizes) + sizes.gap if before else 0.0
    block = row[place]
    return reach + (gutter(block, sizes) if isinstance(block, Block) else 0.0)


def _reaches(
    arrangement: Arrangement, widths: tuple[float, ...], sizes: Metrics
) -> list[tuple[float, float]]:
    """Return for each row how far it reaches to the left and right of the common edge."""
    reaches, first = [], 0
    for place, row in enumerate(arrangement.rows):
        count = len(blocks_of(row))
        own = widths[first : first + count]
        left = _before(row, 0 if place else arrangement.anchor, own, sizes)
        reaches.append((left, _row_width(row, iter(own), sizes) - left))
        first += count
    return reaches


def total_width(arrangement: Arrangement, widths: tuple[float, ...], sizes: Metrics) -> float:
    """Return the width of all rows together; ``widths`` are those of the cells, block by block."""
    if not arrangement.stacked:
        return _row_width(arrangement.rows[0], iter(widths), sizes)
    reaches = _reaches(arrangement, widths, sizes)
    return max(left for left, _ in reaches) + max(right for _, right in reaches)


def row_starts(
    arrangement: Arrangement, widths: tuple[float, ...], sizes: Metrics, left: float
) -> list[float]:
    """Return where each row begins when the whole begins at ``left``."""
    if not arrangement.stacked:
        return [left]
    reaches = _reaches(arrangement, widths, sizes)
    edge = left + max(reach for reach, _ in reaches)
    return [edge - reach for reach, _ in reaches]


def spans(row: Row, widths: Iterator[float], sizes: Metrics, left: float) -> list[Span]:
    """Return where the cells (or the operator) of each part of a row begin and end."""
    found, x = [], left
    for part in row:
        if isinstance(part, Operator):
            width = operator_width(part, sizes)
            found.append((x, x + width))
        else:
            cell_width = next(widths)
            width = block_width(part, cell_width, sizes)
            start = x + gutter(part, sizes)
            found.append((start, start + cell_width * part.shape[1]))
        x += width + sizes.gap
    return found


def row_extent(row: Row, cell_height: float, sizes: Metrics) -> tuple[float, float]:
    """Return how far the parts of a row reach above and below their common middle line."""
    halves = [(block, block.shape[0] * cell_height / 2) for block in blocks_of(row)]
    above = max(heading_height(block, sizes) + half for block, half in halves)
    signs = (operator_depth(part, sizes) for part in row if isinstance(part, Operator))
    return above, max(*(half for _, half in halves), *signs, 0.0)


def operator_depth(operator: Operator, sizes: Metrics) -> float:
    """Return how far an operator reaches below its middle line, its remark included."""
    remark = sizes.operator * 0.25 + sizes.remark * 1.1 if operator.remark else 0.0
    return sizes.operator * 0.5 + remark


def row_gap(sizes: Metrics) -> float:
    """Return the free height between two rows."""
    return sizes.gap * 1.1


def total_height(arrangement: Arrangement, cell_height: float, sizes: Metrics) -> float:
    """Return the height of all rows together."""
    each = [sum(row_extent(row, cell_height, sizes)) for row in arrangement.rows]
    return sum(each) + row_gap(sizes) * (len(each) - 1)


def tallest_cell(arrangement: Arrangement, sizes: Metrics) -> float:
    """Return the largest height of a cell with which all rows fit into the budget."""
    if not arrangement.stacked:
        heights = [
            (sizes.height - heading_height(block, sizes)) / block.shape[0]
            for block in arrangement.blocks
        ]
        return min(sizes.cell_height, *heights)
    low, high = 0.0, sizes.cell_height
    if total_height(arrangement, high, sizes) <= sizes.height:
        return high
    # A row is as tall as its tallest heading over its tallest block: not a straight line.
    for _ in range(12):
        middle = (low + high) / 2
        fits = total_height(arrangement, middle, sizes) <= sizes.height
        low, high = (middle, high) if fits else (low, middle)
    return low
