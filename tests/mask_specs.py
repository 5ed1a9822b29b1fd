"""Generated masks, and their parts as the oracle takes them."""

from __future__ import annotations

from dataclasses import asdict

from hypothesis import strategies as st

from engine.experiments.masks.spec import PATTERNS, MaskSpec
from tests import oracles


@st.composite
def specs(draw, T):
    """Draw a mask for T tokens: any pattern, with or without padding and a drawing."""
    row = st.text("01", min_size=T, max_size=T)
    drawing = st.lists(row, min_size=T, max_size=T).map("/".join)
    return MaskSpec(
        pattern=draw(st.sampled_from(PATTERNS)),
        window=draw(st.integers(1, T)),
        prefix=draw(st.integers(0, T)),
        length=draw(st.none() | st.integers(1, T)),
        drawn=draw(st.just("") | drawing),
    )


def by_loop(spec, T):
    """Return the mask of a spec as the oracle builds it."""
    return oracles.mask_of(T, **asdict(spec))


def sides(**masks):
    """Return the fields of `Params` for the masks ``a`` and ``b``."""
    return {
        f"{side}_{field}": value
        for side, spec in masks.items()
        for field, value in asdict(spec).items()
    }
