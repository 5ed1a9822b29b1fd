"""What a board consists of: blocks, operators between them, and the sizes of each output."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from pages.figures.figure import SizeName, Style

Ramp = Literal["role", "scores", "weights", "plain"]


@dataclass(frozen=True)
class Block:
    """One matrix on a board.

    Parameters
    ----------
    symbol, caption : str
        Its formula symbol (see `symbols`) and what it is.
    values : ndarray
        Two-dimensional; minus infinity is drawn as a masked cell.
    role : str
        Role colour of its heading and tint.
    ramp : str
        How values become colours: tint of the role, diverging scores, weights from 0 to 1, or none.
    row_labels, column_labels : tuple of str
        Names beside the rows and above the columns; empty for none.
    masked : ndarray or None
        Boolean, true where a cell is hidden by the mask.
    result : bool
        True for the block whose cells can be chosen, and which is drawn when not everything fits.
    secret : bool
        True hides the values behind question marks.
    rows, columns : frozenset or None
        The rows and columns that produce the chosen cell: outlined, the rest dimmed. None dims
        nothing.
    chosen : tuple or None
        The chosen cell of the result.
    limit : float or None
        The absolute value that takes the end of the ramp; None is the largest of this block.
    brief : bool
        True leaves the heading at the symbol.
    typed : bool
        True where every value is good to its own last digit: typed, or a weight.
    """

    symbol: str
    caption: str
    values: np.ndarray
    role: str
    ramp: Ramp = "role"
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    masked: np.ndarray | None = field(default=None, compare=False)
    result: bool = False
    secret: bool = False
    rows: frozenset[int] | None = None
    columns: frozenset[int] | None = None
    chosen: tuple[int, int] | None = None
    limit: float | None = None
    brief: bool = False
    typed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return int(self.values.shape[0]), int(self.values.shape[1])


@dataclass(frozen=True)
class Operator:
    """What stands between two blocks: a symbol, and a short remark under it."""

    symbol: str
    remark: str = ""


Part = Block | Operator


@dataclass(frozen=True)
class Metrics:
    """The sizes of one output: budget, fonts and gaps, all in pixels.

    ``one_line`` puts a block's symbol and its caption on one line, which saves height.
    """

    width: float
    height: float
    fonts: tuple[int, ...]
    label: int
    symbol: int
    caption: int
    operator: int
    remark: int
    gap: float
    cell_width: float
    cell_height: float
    label_room: float
    one_line: bool = False


SCREEN = Metrics(
    width=852,
    height=404,
    fonts=(15, 14, 13, 12),
    label=13,
    symbol=22,
    caption=13,
    operator=24,
    remark=12,
    gap=14,
    cell_width=92,
    cell_height=46,
    label_room=92,
)
SLIDE = Metrics(
    width=1168,
    height=470,
    fonts=(36, 33, 30, 28, 26, 24, 22, 20, 19, 18),
    label=20,
    symbol=38,
    caption=20,
    operator=40,
    remark=19,
    gap=22,
    cell_width=200,
    cell_height=120,
    label_room=150,
)
HALF = Metrics(
    width=576,
    height=470,
    fonts=(30, 28, 26, 24, 22, 20, 19, 18),
    label=18,
    symbol=32,
    caption=18,
    operator=32,
    remark=18,
    gap=16,
    cell_width=116,
    cell_height=76,
    label_room=100,
)
_SIZES: dict[SizeName, Metrics] = {
    "screen": SCREEN,
    "slide": SLIDE,
    "half": HALF,
    "square": replace(HALF, width=648, cell_width=130, label_room=120),
}


def metrics(style: Style) -> Metrics:
    """Return the sizes of a style, with the budget of a picture that has a short caption."""
    return _SIZES[style.size]
