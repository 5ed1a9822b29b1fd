"""The icon in the browser's tab, drawn here: a named icon would be fetched from the network."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from pages.figures.palette import weight_fill

_CELLS = 3
_SIDE = 20  # pixels of a cell
_GAP = 2


@lru_cache(maxsize=1)
def picture() -> Image.Image:
    """Return a causal matrix of weights, each row shared out evenly."""
    size = _CELLS * _SIDE + (_CELLS + 1) * _GAP
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    drawing = ImageDraw.Draw(image)
    for row in range(_CELLS):
        for column in range(row + 1):
            left, top = (_GAP + place * (_SIDE + _GAP) for place in (column, row))
            box = (left, top, left + _SIDE - 1, top + _SIDE - 1)
            drawing.rounded_rectangle(box, radius=3, fill=weight_fill(1 / (row + 1), "light"))
    return image
