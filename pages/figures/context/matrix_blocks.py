"""Where small matrices with named rows and columns stand: the words, and W_Q, W_K and W_V.

The words stand beside the matrices on a wide figure, above them on a narrow one. Columns carry
their names where there is room, in several lines; else the features are numbered, and the numbers
stand before the names at the rows of the matrices.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.shapes import Array
from pages.figures.figure import SizeName, Style
from pages.figures.measure import text_width
from pages.figures.slide import Room

LINE = 1.2  # of the font, from one line of a name to the next
_WIDEST, _TALLEST = 5.2, 2.3  # of the font: the largest cell
_NARROWEST = 2.2  # of the font


@dataclass(frozen=True)
class MatrixBlock:
    """One matrix.

    Parameters
    ----------
    symbol, caption : str
        Its formula symbol, and what it is.
    values : np.ndarray
        (rows, columns).
    role : str
        Role whose colour it takes.
    rows, columns : tuple of str
        Names.
    features : bool
        Whether its columns are the features, which can be numbered.
    marked : int or None
        A row, from 0, that is set apart.
    """

    symbol: str
    caption: str
    values: Array
    role: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    features: bool = False
    marked: int | None = None


Blocks = tuple[MatrixBlock, MatrixBlock, MatrixBlock, MatrixBlock]  # X, W_Q, W_K, W_V


@dataclass(frozen=True)
class BlockSizes:
    """Pixels of one output: font of numbers and names, of symbols, and the gap between blocks."""

    font: int
    symbol: int
    gap: float


BLOCK_SIZES: dict[SizeName, BlockSizes] = {
    "screen": BlockSizes(12, 17, 22),
    "slide": BlockSizes(18, 25, 32),
    "half": BlockSizes(18, 20, 14),
    "square": BlockSizes(18, 20, 18),
}


@dataclass(frozen=True)
class Placed:
    """A block with the corner of its cells, their size, and the names of its rows and columns.

    ``lines`` is how many lines the names of columns take at the most, of any block.
    """

    block: MatrixBlock
    left: float
    top: float
    width: float
    height: float
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    lines: int


@dataclass(frozen=True)
class _Named:
    """The names beside and above the blocks, with what they take."""

    blocks: Blocks
    sizes: BlockSizes
    numbered: bool

    def columns(self, block: MatrixBlock) -> tuple[str, ...]:
        if self.numbered and block.features:
            return tuple(str(place) for place in range(1, len(block.columns) + 1))
        return block.columns

    def rows(self, block: MatrixBlock) -> tuple[str, ...]:
        if self.numbered and block is not self.blocks[0]:
            return tuple(f"{place} {name}" for place, name in enumerate(block.rows, 1))
        return block.rows

    @property
    def head(self) -> float:
        """What stands above the cells: a symbol, and the names of columns."""
        return self.sizes.symbol * 1.35 + (self.lines * LINE + 0.4) * self.sizes.font

    @property
    def lines(self) -> int:
        """How many lines the names of columns take."""
        names = (name for block in self.blocks for name in self.columns(block))
        return max(len(name.split()) for name in names)

    def label(self, *blocks: MatrixBlock) -> float:
        """What the names of rows take."""
        names = (name for block in blocks for name in self.rows(block))
        return max(text_width(name, self.sizes.font) for name in names) + self.sizes.font * 0.6

    def needed(self, *blocks: MatrixBlock) -> float:
        """What a column takes at the least."""
        pieces = (piece for block in blocks for name in self.columns(block)
                  for piece in name.split())  # fmt: skip
        widest = max(text_width(piece, self.sizes.font) for piece in pieces)
        return max(widest + self.sizes.font * 0.4, _NARROWEST * self.sizes.font)

    def placed(self, block: MatrixBlock, corner: tuple[float, float], cell: tuple[float, float],
               *, labelled: bool = True) -> Placed:  # fmt: skip
        rows = self.rows(block) if labelled else ()
        return Placed(block, *corner, *cell, rows, self.columns(block), self.lines)


def place_blocks(blocks: Blocks, style: Style, room: Room) -> tuple[Placed, ...]:
    """Return every block in its place."""
    way = _beside if style.size in ("screen", "slide") else _above
    sizes = BLOCK_SIZES[style.size]
    fits, found = way(_Named(blocks, sizes, numbered=False), room)
    return found if fits else way(_Named(blocks, sizes, numbered=True), room)[1]


def _beside(named: _Named, room: Room) -> tuple[bool, tuple[Placed, ...]]:
    """Return the words to the left; to the right W_Q and W_K above W_V. Also whether they fit."""
    (left, top, width, height), sizes = room, named.sizes
    words, w_q, w_k, w_v = named.blocks
    head, labels = named.head, (named.label(words), named.label(w_v))
    across = len(words.columns) + len(w_v.columns)
    cell = (width - sum(labels) - 2 * sizes.gap) / across
    fits = cell >= named.needed(*named.blocks)
    cell = min(cell, _WIDEST * sizes.font)
    high = min((height - head) / len(words.rows), _TALLEST * sizes.font)
    low = min((height - 2 * head - sizes.gap) / (2 * len(w_v.rows)), high)
    x = left + (width - sum(labels) - 2 * sizes.gap - cell * across) / 2 + labels[0]
    tall = max(high * len(words.rows), 2 * low * len(w_v.rows) + sizes.gap + head)
    y = top + _half_of(height - head - tall) + head
    right = x + cell * len(words.columns) + 2 * sizes.gap + labels[1]
    second = right + cell * len(w_q.columns) + sizes.gap
    below = y + low * len(w_q.rows) + sizes.gap + head
    return fits, (
        named.placed(words, (x, y), (cell, high)),
        named.placed(w_q, (right, y), (cell, low)),
        named.placed(w_k, (second, y), (cell, low), labelled=False),
        named.placed(w_v, (right, below), (cell, low)),
    )


def _above(named: _Named, room: Room) -> tuple[bool, tuple[Placed, ...]]:
    """Return the words on top; below them W_Q, W_K and W_V side by side. Also whether they fit."""
    (left, top, width, height), sizes = room, named.sizes
    words, w_q, w_k, w_v = named.blocks
    head, label = named.head, named.label(words, w_v)
    channels, features = len(w_q.columns) + len(w_k.columns), len(w_v.columns)
    most, free = _WIDEST * sizes.font, width - label - 2 * sizes.gap
    channel = min(max(named.needed(w_q, w_k), free / (channels + features)), most)
    cell = min((free - channels * channel) / features, most)
    wide = min((width - label) / len(words.columns), most)
    fits = cell >= named.needed(w_v) and wide >= named.needed(words)
    down = len(words.rows) + len(w_v.rows)
    high = min((height - 2 * head - sizes.gap) / down, _TALLEST * sizes.font)
    x = left + (free - channel * channels - cell * features) / 2 + label
    y = top + _half_of(height - 2 * head - sizes.gap - high * down) + head
    second = x + channel * len(w_q.columns) + sizes.gap
    third = second + channel * len(w_k.columns) + sizes.gap
    below = y + high * len(words.rows) + sizes.gap + head
    return fits, (
        named.placed(words, (x, y), (wide, high)),
        named.placed(w_q, (x, below), (channel, high)),
        named.placed(w_k, (second, below), (channel, high), labelled=False),
        named.placed(w_v, (third, below), (cell, high), labelled=False),
    )


def _half_of(spare: float) -> float:
    return max(0.0, spare / 2)
