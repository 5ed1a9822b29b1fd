"""What the reader chose on this page, and the parameters that follow from it."""

from __future__ import annotations

import numpy as np

from engine import EngineError
from engine.experiments.masks.inputs import InputParams, head_of
from engine.experiments.properties.graph import GraphParams
from engine.experiments.properties.order import OrderParams
from engine.experiments.properties.paths import PathParams
from engine.experiments.properties.permutations import read_permutation
from engine.experiments.properties.smoothing import SmoothingParams
from pages.gallery.properties import InfluenceParams
from pages.text import mark
from pages.ui.choice_store import ChoiceStore
from pages.ui.number_lists import different, numbers_of, text_of
from pages.ui.token_source import source_defaults, source_fields

PAGE = "attention-properties"
TABS = {
    "order": mark("Order"),
    "reach": mark("Reach"),
    "depth": mark("Depth"),
    "influence": mark("Influence"),
    "graph": mark("Graph"),
}
_ORDER, _PATHS, _DEPTH, _GRAPH = OrderParams(), PathParams(), SmoothingParams(), GraphParams()
PATHS = {"paths_T": "T", "kernel": "kernel", "window": "window", "steps": "layers"}
DEPTH = {"depth_T": "T", "d_model": "d_model", "layers": "layers", "norm": "norm"}

HEAD = "head_"  # begins the choices of the input that the tabs of influence and of the graph share

STORE = ChoiceStore(
    "properties",
    {
        "tab": "order",
        **source_defaults(_ORDER),
        **source_defaults(_GRAPH, HEAD),
        "permutation": "",  # reversed
        "query": _ORDER.query,
        "moved": _ORDER.moved,
        "positions": False,
        **{choice: getattr(_PATHS, name) for choice, name in PATHS.items()},
        **{choice: getattr(_DEPTH, name) for choice, name in DEPTH.items()},
        "heads": text_of(_DEPTH.heads),
        "seeds": text_of(_DEPTH.seeds),
        "changed": 3,
        "causal": _GRAPH.causal,
        "threshold": _GRAPH.threshold,
    },
)
key, get, word, whole, put = STORE.key, STORE.get, STORE.word, STORE.whole, STORE.put


def order_params() -> OrderParams:
    """Return the input and its other order; raises EngineError when that is no list."""
    return OrderParams(
        **source_fields(STORE),
        permutation=read_permutation(word("permutation")),
        query=place("query"),
        moved=place("moved"),
    )


def place(name: str) -> int:
    """Return the token of a choice, counted from 1; 0, the figure's own, where it is not there."""
    chosen = whole(name)
    return chosen if chosen <= len(tokens()) else 0


def path_params() -> PathParams:
    """Return the sequence, and how far one layer looks."""
    return PathParams(**{name: STORE.field(choice) for choice, name in PATHS.items()})


def smoothing_params() -> SmoothingParams:
    """Return the stacks; raises EngineError when a list is none."""
    return SmoothingParams(
        heads=different(numbers_of(word("heads"))),
        seeds=different(numbers_of(word("seeds"))),
        **{name: STORE.field(choice) for choice, name in DEPTH.items()},
    )


def influence_params() -> InfluenceParams:
    """Return the input, without a mask beside the causal one."""
    return InfluenceParams(**source_fields(STORE, HEAD))


def graph_params() -> GraphParams:
    """Return the input, and which of its edges are shown."""
    return GraphParams(
        **source_fields(STORE, HEAD), causal=bool(get("causal")), threshold=STORE.field("threshold")
    )


def tokens(prefix: str = "") -> tuple[str, ...]:
    """Return the tokens of an input; none while they cannot be read."""
    try:
        return head_of(InputParams(**source_fields(STORE, prefix))).tokens
    except EngineError:  # said where the result is computed
        return ()


# Callbacks ------------------------------------------------------------------------------------


def shuffle() -> None:
    """Take a permutation at random, never the present one where there is another."""
    T = len(tokens())
    before = word("permutation")
    while T > 1:
        chosen = np.random.default_rng().permutation(T) + 1
        if (text := text_of(chosen.tolist())) != before:
            put("permutation", text)
            return


OF_TAB: dict[str, tuple[str, ...]] = {
    "order": (*source_defaults(_ORDER), "permutation", "query", "moved", "positions"),
    "reach": tuple(PATHS),
    "depth": (*DEPTH, "heads", "seeds"),
    "influence": (*source_defaults(_GRAPH, HEAD), "changed"),
    "graph": (*source_defaults(_GRAPH, HEAD), "causal", "threshold"),
}


def show_usual(tab: str, **chosen: object) -> None:
    """Go to a tab with its usual input and some choices of its own."""
    STORE.put_usual(*OF_TAB[tab], tab=tab, **chosen)
