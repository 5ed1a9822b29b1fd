"""What is said of a matrix whose cells or colours do not show everything."""

from __future__ import annotations

from pages.figures.matrix_cells import Block
from pages.figures.numerals import number_in_full
from pages.text import Translator


def shared_pixels(block: Block, t: Translator) -> str:
    """Return that a pixel shows one of several cells; empty where each has its own."""
    if block == (1, 1):
        return ""
    return t(
        "There are more cells than pixels: of {rows} × {columns} neighbouring cells each pixel "
        "shows the one furthest from 0.",
        rows=block[0],
        columns=block[1],
    )


def beyond_limit(limit: float, t: Translator) -> str:
    """Return that some cells lie beyond the scale."""
    return t("Beyond {limit} the colour stays the same.", limit=number_in_full(limit))
