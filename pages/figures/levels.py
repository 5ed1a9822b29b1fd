"""How the numbers of a matrix become one of 256 colours, and large matrices a picture.

Most levels are a ramp; the last is that of a hidden cell, which no ramp meets. Where a matrix may
also hold cells that are not numbers or not there, two levels of the ramp are given up for them.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image

from pages.figures.figure import Style
from pages.figures.palette import output_fill, score_fill, theme, visible_fill, weight_fill

Role = Literal["weights", "scores", "output", "mask"]
Values = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.uint8]

LAST, MASKED = 254, 255
# The ramp's last level where it shares the levels with cells that are no number or not there.
LAST_OF_FEWER, WRONG, ABSENT = 252, 253, 254
_RASTER_SIDE = 1024  # pixels: a smaller picture is enlarged to at least this


def levels_of(values: Values, masked: Flags, role: Role, limit: float, last: int = LAST) -> Levels:
    """Return the level of colour of each cell: 0 to ``last``, and 255 where it is masked."""
    shares = np.clip(np.where(masked, 0.0, values) / (limit or 1.0), -1.0, 1.0)
    if role == "scores":
        # The two sides of 0 differ in hue, so a small negative score stays on its side.
        half = last / 2
        shifted = np.rint(half + shares * half)
        levels = np.where(shares < 0, np.minimum(shifted, half - 1), shifted).astype(np.uint8)
    else:
        levels = np.rint(shares * last).astype(np.uint8)
    levels[masked] = MASKED
    return np.asarray(levels)


def colours_of(role: Role, style: Style, last: int = LAST) -> tuple[str, ...]:
    """Return the 256 colours of the levels; the last is that of a masked cell."""
    return _colours(role, style.theme, last)


@lru_cache(maxsize=32)
def _colours(role: Role, theme_name: str, last: int) -> tuple[str, ...]:
    ramp = (_ramp(role, level, last, theme_name) for level in range(last + 1))
    colours = theme(theme_name)
    special = () if last == LAST else (colours.alert, colours.background)
    return (*ramp, *special, colours.masked)


def _ramp(role: Role, level: int, last: int, theme_name: str) -> str:
    if role == "mask":
        return visible_fill(theme_name)
    if role == "scores":
        half = last / 2
        return score_fill((level - half) / half, 1.0, theme_name)
    fill = weight_fill if role == "weights" else output_fill
    return fill(level / last, theme_name)


def reduced(levels: Levels, strength: Values, block: tuple[int, int]) -> Levels:
    """Return the levels of blocks of cells: of each, that of the cell with the most strength."""
    if block == (1, 1):
        return levels
    rows, columns = (
        math.ceil(count / size) for count, size in zip(levels.shape, block, strict=True)
    )
    fill = ((0, rows * block[0] - levels.shape[0]), (0, columns * block[1] - levels.shape[1]))
    blocks = [
        np.pad(array, fill, constant_values=nothing)
        .reshape(rows, block[0], columns, block[1])
        .swapaxes(1, 2)
        .reshape(rows, columns, -1)
        for array, nothing in ((strength, -np.inf), (levels, MASKED))
    ]
    best = blocks[0].argmax(axis=2)[..., None]
    return np.asarray(np.take_along_axis(blocks[1], best, axis=2)[..., 0], dtype=np.uint8)


def picture(
    levels: Levels, colours: Sequence[str], *, enlarge: bool, clear: int | None = None
) -> str:
    """Return a picture of the levels, each as one or more whole pixels, as an address.

    Parameters
    ----------
    levels : np.ndarray, (rows, columns)
    colours : sequence of str
        The 256 colours.
    enlarge : bool
        Whether a small picture gets several pixels a cell, so that no program blurs it.
    clear : int, optional
        The level that is transparent.
    """
    step = math.ceil(_RASTER_SIDE / max(levels.shape)) if enlarge else 1
    if step > 1:
        levels = levels.repeat(step, axis=0).repeat(step, axis=1)
    image = Image.fromarray(np.ascontiguousarray(levels), "P")
    image.putpalette([int(c[i : i + 2], 16) for c in colours for i in (1, 3, 5)])
    file = io.BytesIO()
    options = {} if clear is None else {"transparency": clear}
    image.save(file, "PNG", compress_level=3, **options)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
