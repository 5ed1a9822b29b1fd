"""What the reader chose on the masks page, and the parameters that follow from it.

Every choice is kept as it was made, under a key that is no widget's: a window of 9 stays 9 while
only 4 tokens are there, a drawing of 6 tokens stays while 4 are. What is computed is cut to the
tokens there are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import numpy as np
import streamlit as st

from engine import EngineError
from engine.experiments.masks import MaskSpec, Params
from engine.experiments.masks.alignment import AlignmentParams
from engine.experiments.masks.inputs import InputParams, head_of
from engine.experiments.masks.mistakes import Dtype, MistakesParams, dtypes_of
from engine.experiments.masks.padding import PaddingParams
from engine.experiments.masks.spec import MOST_DRAWN, build, drawn_text
from pages.gallery.mask_trouble import MistakeView
from pages.text import mark, mask_names
from pages.ui.choice_store import ChoiceStore
from pages.ui.masks.drawing_text import fitted
from pages.ui.token_source import READ

PAGE = "attention-masks"
TABS = {
    "compare": mark("Compare"),
    "influence": mark("Influence"),
    "growth": mark("One token at a time"),
    "padding": mark("Padding"),
    "alignment": mark("T ≠ S"),
    "mistakes": mark("Mistakes"),
}
SideName = Literal["a", "b"]
SIDES: tuple[SideName, ...] = ("a", "b")
DRAWN = "drawn"  # beside the patterns of the engine: only the drawing hides
PATTERNS = {**dict[str, str](mask_names.PATTERNS.items()), DRAWN: mark("Drawn by hand")}
DECIMALS = (2, 6)
_USUAL, _BATCH, _UNEQUAL = Params(), PaddingParams(), AlignmentParams()
SENTENCES = tuple(f"sentence_{number}" for number in range(1, len(_BATCH.sentences) + 1))


def _mask_defaults(side: SideName) -> dict[str, object]:
    spec: MaskSpec = getattr(_USUAL, side)
    return {
        f"{side}_pattern": spec.pattern,
        f"{side}_window": spec.window,
        f"{side}_prefix": spec.prefix,
        f"{side}_padded": False,
        f"{side}_length": 3,
        f"{side}_drawn": "",
    }


DEFAULTS: dict[str, object] = {
    "tab": "compare",
    "source": _USUAL.source,
    "sentence": _USUAL.sentence,
    "seed": _USUAL.seed,
    "T": _USUAL.T,
    "d_k": _USUAL.d_k,
    **_mask_defaults("a"),
    **_mask_defaults("b"),
    "families": False,
    "side": "b",
    "step": None,  # the figure's own choice
    "kind": "keys",
    "causal": _BATCH.causal,
    **dict(zip(SENTENCES, _BATCH.sentences, strict=True)),
    "queries": _UNEQUAL.T,
    "keys": _UNEQUAL.S,
    "dtype": MistakeView().dtype,
    "variant": MistakeView().variant,
    "decimals": 3,
}
STORE = ChoiceStore("masks", DEFAULTS)
key, get, whole, put = STORE.key, STORE.get, STORE.whole, STORE.put
_TOKENS = f"{PAGE}.tokens"


# The input ---------------------------------------------------------------------------------


def input_fields() -> dict[str, Any]:
    """Return the input as fields of `InputParams`; what its source does not read stays usual."""
    read = READ[str(get("source"))]
    return {"source": get("source")} | {name: get(name) for name in read}


def tokens() -> tuple[str, ...]:
    """Return the tokens; while a sentence is refused, those there were last."""
    try:
        st.session_state[_TOKENS] = _tokens_of(InputParams(**input_fields()))
    except EngineError:  # said where the result is computed
        st.session_state.setdefault(_TOKENS, _tokens_of(InputParams()))
    return tuple(st.session_state[_TOKENS])


@lru_cache(maxsize=16)
def _tokens_of(params: InputParams) -> tuple[str, ...]:
    return head_of(params).tokens


def length() -> int:
    """Return how many tokens there are."""
    return len(tokens())


# The masks ---------------------------------------------------------------------------------


def mask_fields(side: SideName, T: int) -> dict[str, Any]:
    """Return one mask as fields of `MaskSpec`, cut to ``T`` tokens."""
    pattern = str(get(f"{side}_pattern"))
    fields: dict[str, Any] = {"pattern": "none" if pattern == DRAWN else pattern}
    if pattern == "window":
        fields["window"] = fitting(f"{side}_window", 1, T)
    if pattern == "prefix":
        fields["prefix"] = fitting(f"{side}_prefix", 0, T)
    if get(f"{side}_padded"):
        fields["length"] = fitting(f"{side}_length", 1, T)
    if pattern == DRAWN and T <= MOST_DRAWN:
        fields["drawn"] = drawing(side, T)
    return fields


def fitting(name: str, least: int, most: int) -> int:
    """Return a whole number of the reader's, cut to a range."""
    return min(max(whole(name), least), most)


def drawing(side: SideName, T: int) -> str:
    """Return the drawing of one mask at ``T`` tokens; where nothing is drawn, all is visible."""
    return fitted(str(get(f"{side}_drawn")), T)


def start_drawing(side: SideName, pattern: str, T: int) -> None:
    """Draw what a pattern would hide, to go on from by hand."""
    named = {"window": fitting(f"{side}_window", 1, T), "prefix": fitting(f"{side}_prefix", 0, T)}
    spec = MaskSpec(**{"pattern": pattern, **named})  # type: ignore[arg-type]
    put(f"{side}_drawn", drawn_text(build(spec, T)))


def hide_all(side: SideName, T: int) -> None:
    """Draw a mask that hides every key from every query."""
    put(f"{side}_drawn", drawn_text(np.zeros((T, T), dtype=np.bool_)))


# What is computed ----------------------------------------------------------------------------


def params() -> Params:
    """Return the input and both masks."""
    T = length()
    sides = {
        f"{side}_{name}": value for side in SIDES for name, value in mask_fields(side, T).items()
    }
    return Params(**input_fields(), **sides)


def mistakes_params() -> MistakesParams:
    """Return the input and the mask that is meant, which is B."""
    return MistakesParams(**input_fields(), **mask_fields("b", length()))


def dtype(backend: str) -> Dtype:
    """Return the dtype that is looked at: the reader's, where the backend has it."""
    have = dtypes_of(backend)
    return next((each for each in have if each == get("dtype")), have[-1])


def padding_params() -> PaddingParams:
    """Return the batch of sentences."""
    return PaddingParams(
        sentences=tuple(str(get(name)) for name in SENTENCES),
        seed=whole("seed"),
        d_k=whole("d_k"),
        causal=bool(get("causal")),
    )


def alignment_params() -> AlignmentParams:
    """Return the sizes of the causal mask that is not square."""
    return AlignmentParams(T=whole("queries"), S=whole("keys"), seed=whole("seed"))


# Callbacks -----------------------------------------------------------------------------------


OF_TEXTBOOK = ("source", "a_pattern", "b_pattern", "a_padded", "b_padded", "decimals")


def show_textbook(tab: str, **choices: object) -> None:
    """Go to a tab with the textbook example, its usual masks and decimals, and choices there."""
    STORE.put_usual(*OF_TEXTBOOK, tab=tab, **choices)
