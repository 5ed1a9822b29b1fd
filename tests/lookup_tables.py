"""Tables of soft lookup that are hard to draw, and drawn ones that are hard in every way."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from hypothesis import strategies as st

from engine.experiments.lookup.soft import Result, run
from engine.experiments.lookup.table import SIMILARITIES, Params

NAMES = ("apple", "W" * 12, "苹果香蕉橙子柠檬葡萄西瓜", "it", "…", "a b c", "=x", "d_k", "梨",
         "transformers", "i", "q")  # fmt: skip
CELLS = st.one_of(
    st.integers(-40, 40).map(lambda tenths: tenths / 10),
    st.sampled_from((0.0, 1000.0, -1000.0, 999.999, -0.001, 1e-6, 123.456)),
)


@st.composite
def hard_tables(draw, d: int | None = None) -> Params:
    """Draw a table of any allowed size; only cosine refuses zero vectors, and is not drawn."""
    n, e = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    width = draw(st.integers(1, 8)) if d is None else d
    vector = st.tuples(*[CELLS] * width)
    keys = draw(st.lists(vector, min_size=1, max_size=n, unique=True))
    values = st.lists(st.tuples(*[CELLS] * e), min_size=len(keys), max_size=len(keys))
    return Params(
        names=NAMES[: len(keys)],
        keys=tuple(keys),
        values=tuple(draw(values)),
        query=draw(vector),
        similarity=draw(st.sampled_from([each for each in SIMILARITIES if each != "cosine"])),
        temperature=draw(st.sampled_from((0.001, 0.25, 1.0, 12.345678, 1000.0))),
    )


def _matrix(n: int, width: int, scale: float) -> tuple[tuple[float, ...], ...]:
    drawn = np.random.default_rng([n, width]).normal(size=(n, width)) * scale
    return tuple(tuple(float(cell) for cell in row) for row in np.clip(drawn, -1000, 1000).round(3))


TABLES = {
    "default": Params(),
    "exact": Params(query=(0.5, 1.5), temperature=0.25),
    "one": Params(("only",), ((1.0, 0.5),), ((5.0,),), (1.0, 0.0)),
    "most": Params(NAMES, _matrix(12, 8, 700), _matrix(12, 4, 700), _matrix(1, 8, 700)[0],
                   "gaussian", 1000.0),
    "twelve": Params(NAMES, _matrix(12, 2, 1), _matrix(12, 2, 1), (0.5, 1.0), "scaled", 0.5),
    "zero query": Params(query=(0.0, 0.0)),
    "zero key": Params(keys=((0.0, 0.0), (0.5, 1.5), (-1.0, 1.0), (0.0, -1.5)),
                       similarity="additive", temperature=0.1),
    "close": Params(("a", "b", "c"), ((1.0, 1.0), (1.0, 1.001), (2.0, 2.0)),
                    ((1.0,), (2.0,), (-4.0,)), (1.0, 1.0), "cosine", 0.25),
    "stacked": Params(NAMES, tuple((1 + place * 1e-3, 1.0) for place in range(12)),
                      _matrix(12, 1, 1), (1.0, 1.0)),
    "far": Params(NAMES, ((1000.0, 1000.0), *_matrix(11, 2, 1)), _matrix(12, 1, 1), (1.0, 1.0)),
}  # fmt: skip


@lru_cache(maxsize=32)
def looked(case: str) -> Result:
    """Return the lookup in one of the tables."""
    return run(TABLES[case], backend="numpy")
