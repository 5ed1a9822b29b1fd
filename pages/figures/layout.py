"""How large the cells of a board can be, and what has to be left out.

The rule of fit: draw operands and result with every decimal asked for; where they do not fit, draw
the result alone; where its numbers do not fit their cells, draw fewer decimals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pages.figures.blocks import Block, Metrics, Operator, Part, metrics
from pages.figures.figure import Style
from pages.figures.measure import text_width
from pages.figures.numerals import decimals_needed, numbers
from pages.figures.symbols import symbol_width

# Room beside the widest number of a block, left and right together.
_PADDING_EM = 0.7


@dataclass(frozen=True)
class Layout:
    """Sizes that make the parts fit.

    Parameters
    ----------
    parts : tuple of Block and Operator
        The parts kept.
    sizes : Metrics
        The budget, with the room that labels were given.
    font : int
        Size of the numbers in pixels.
    cell_height : float
        Of every block, in pixels.
    cell_widths, decimals : tuple
        One entry a block.
    fits : bool
        False only where even the smallest layout is too large.
    alone, reduced : bool
        Whether operands, or decimals, were left out.
    """

    parts: tuple[Part, ...]
    sizes: Metrics
    font: int
    cell_height: float
    cell_widths: tuple[float, ...]
    decimals: tuple[int, ...]
    fits: bool
    alone: bool = False
    reduced: bool = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks kept, in order."""
        return tuple(part for part in self.parts if isinstance(part, Block))


def _widest_number(block: Block, decimals: int) -> float:
    """Return the width of a block's widest number in em, which holds for every font size."""
    # Hidden values count too: a practice board keeps the cells of the board with its answers.
    texts = {text for row in numbers(block.values, decimals) for text in row}
    return max(text_width(text, 1) for text in texts)


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
    """Return the line under a block's symbol: what it is, and its shape."""
    if block.brief:
        return ""
    return f"{block.caption}  {shape_text(block)}" if block.caption else shape_text(block)


def _heading_width(block: Block, sizes: Metrics) -> float:
    caption = text_width(caption_text(block), sizes.caption)
    return max(symbol_width(block.symbol, sizes.symbol), caption)


def heading_height(block: Block, sizes: Metrics) -> float:
    """Return the height of everything above the cells."""
    labels = sizes.label * 1.5 if block.column_labels else 0.0
    return sizes.symbol * 1.3 + sizes.caption * 1.5 + sizes.label * 0.3 + labels


def block_width(block: Block, cell_width: float, sizes: Metrics) -> float:
    """Return the width a block takes, labels and heading included."""
    return gutter(block, sizes) + max(block.shape[1] * cell_width, _heading_width(block, sizes))


def operator_width(operator: Operator, sizes: Metrics) -> float:
    """Return the width an operator takes, its remark included."""
    symbol = symbol_width(operator.symbol, sizes.operator, bold=False)
    return max(symbol, text_width(operator.remark, sizes.remark))


def total_width(parts: tuple[Part, ...], cell_widths: tuple[float, ...], sizes: Metrics) -> float:
    """Return the width of all parts with the gaps between them."""
    widths = iter(cell_widths)
    each = [
        block_width(part, next(widths), sizes)
        if isinstance(part, Block)
        else operator_width(part, sizes)
        for part in parts
    ]
    return sum(each) + sizes.gap * (len(parts) - 1)


def _cell_height(blocks: tuple[Block, ...], sizes: Metrics) -> float:
    heights = [(sizes.height - heading_height(b, sizes)) / b.shape[0] for b in blocks]
    return min(sizes.cell_height, *heights)


def _needed_widths(
    numbers_em: tuple[float, ...], font: int, height: float, uniform: bool
) -> tuple[float, ...]:
    least = min(height, font * 2.2)
    needed = [max((em + _PADDING_EM) * font, least) for em in numbers_em]
    return tuple([max(needed)] * len(needed)) if uniform else tuple(needed)


def _grow(parts: tuple[Part, ...], widths: tuple[float, ...], sizes: Metrics) -> tuple[float, ...]:
    """Share what is left of the width among the cells, up to the widest that looks good."""
    low, high = 0.0, 2.0
    for _ in range(7):
        share = (low + high) / 2
        if total_width(parts, _wider(widths, sizes, share), sizes) <= sizes.width:
            low = share
        else:
            high = share
    return _wider(widths, sizes, low)


def _wider(widths: tuple[float, ...], sizes: Metrics, share: float) -> tuple[float, ...]:
    return tuple(max(w, w + (sizes.cell_width - w) * min(share, 1.0)) for w in widths)


def _try(layout: Layout, numbers_em: tuple[float, ...], font: int, uniform: bool) -> Layout:
    """Return the layout at one font size, with whether it fits."""
    parts, sizes = layout.parts, layout.sizes
    widths = _needed_widths(numbers_em, font, layout.cell_height, uniform)
    narrow = total_width(parts, widths, sizes) <= sizes.width
    if not narrow or layout.cell_height < font * 1.4:
        return replace(layout, font=font, cell_widths=widths, fits=False)
    return replace(layout, font=font, cell_widths=_grow(parts, widths, sizes), fits=True)


def _fit_parts(parts: tuple[Part, ...], decimals: tuple[int, ...], sizes: Metrics) -> Layout:
    blocks = tuple(part for part in parts if isinstance(part, Block))
    numbers_em = tuple(_widest_number(b, d) for b, d in zip(blocks, decimals, strict=True))
    height = _cell_height(blocks, sizes)
    empty = Layout(parts, sizes, sizes.fonts[-1], height, (), decimals, fits=False)
    least = _try(empty, numbers_em, sizes.fonts[-1], uniform=False)
    if not least.fits:
        return least
    for uniform in (True, False):
        for font in sizes.fonts:
            layout = _try(empty, numbers_em, font, uniform)
            if layout.fits:
                return layout
    return least


def _decimals(parts: tuple[Part, ...], most: int) -> tuple[int, ...]:
    return tuple(
        decimals_needed(p.values, most, typed=p.typed) for p in parts if isinstance(p, Block)
    )


def _result_alone(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    first = next(i for i, p in enumerate(parts) if isinstance(p, Block) and p.result)
    return tuple(p for p in parts[first:] if isinstance(p, Block))


def fit(parts: tuple[Part, ...], style: Style) -> Layout:
    """Return the largest layout that fits: all, else the result alone, else fewer decimals."""
    sizes = metrics(style)
    for share in (1.0, 0.6):
        narrower = replace(sizes, label_room=sizes.label_room * share)
        layout = _fit_parts(parts, _decimals(parts, style.decimals), narrower)
        if layout.fits:
            return layout
    return _fit_alone(_result_alone(parts), style, alone=len(parts) > 1)


def _fit_alone(parts: tuple[Part, ...], style: Style, alone: bool) -> Layout:
    wanted = _decimals(parts, style.decimals)
    for most in range(style.decimals, -1, -1):
        layout = _fit_parts(parts, _decimals(parts, most), metrics(style))
        if layout.fits:
            break
    return replace(layout, alone=alone, reduced=layout.decimals != wanted)
