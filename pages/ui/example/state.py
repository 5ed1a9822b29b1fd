"""What the reader chose on the worked-example page, and how one choice changes another.

The matrices live in one `Params`; the widgets live under their own keys and survive a change of
page. A change that replaces matrices remembers the ones before, so that it can be undone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from engine.experiments import presets
from engine.experiments.worked_example import LIMITS, NAMES, STEPS, Params, sizes_of
from pages.text import mark
from pages.ui.choice_store import ChoiceStore

PAGE = "worked-example"
PRESETS = {
    "textbook": mark("The textbook: 4 × 4, d_k = 2"),
    "three-scores": mark("Three scores: 2.1, 0.4, −0.3"),
    "random": mark("Random, from a seed"),
    "identity": mark("W_Q = W_K = W_V = identity"),
}
SEEDED = ("random", "identity")
TABS = {
    "steps": mark("Six steps"),
    "row": mark("One row"),
    "shapes": mark("Shapes"),
    "practice": mark("Practice"),
    "printed": mark("Printed and computed"),
    "copy": mark("Take it with you"),
}
COPY_KINDS = ("python", "latex", "markdown")
CLAIMS = ("6", "7", "8")
DEFAULTS: dict[str, object] = {
    "preset": "textbook",
    "seed": 1,
    "tab": "steps",
    "step": "score",
    "role": "q",
    "row": 0,
    "column": 0,
    "decimals": 3,
    "matrix": "x",
    "practice_step": "softmax",
    "practice_role": "q",
    "practice_row": 0,
    "printed_claim": "6",
    "copy_kind": "python",
}
# The matrices whose rows carry token labels, and where those are kept.
LABELS_OF = {"x": "tokens", "context": "context_tokens"}
SIZES = ("T", "d_model", "d_k", "d_v")  # S belongs to the second input alone
DECIMALS = (2, 6)
MOST_UNDO = 30
LARGEST_SEED = 999_999

STORE = ChoiceStore("example", DEFAULTS)
key, get, whole, put = STORE.key, STORE.get, STORE.whole, STORE.put
fill_defaults = STORE.fill_defaults

_PARAMS = "worked-example.params"
_ORIGIN = "worked-example.origin"
_UNDO = "worked-example.undo"
_REVISION = "worked-example.revision"
_SECOND_INPUT = "worked-example.second-input"


def params() -> Params:
    """Return the matrices as they are now."""
    current = st.session_state.get(_PARAMS)
    return current if isinstance(current, Params) else Params()


def changed(field: str, value: object) -> Params:
    """Return the matrices with one field replaced."""
    fields: dict[str, Any] = {field: value}
    return replace(params(), **fields)


def revision(matrix: str) -> int:
    """Return a number that changes whenever this matrix was replaced rather than edited.

    Each matrix has its own, so that the editor of one stays, with what is being typed in it, when
    only others are replaced.
    """
    return int(st.session_state.get(_REVISION, {}).get(matrix, 0))


def _replace(new: Params) -> None:
    """Put other matrices in the place of the present ones."""
    old, counts = params(), dict(st.session_state.get(_REVISION, {}))
    for matrix in NAMES:
        fields = (matrix, LABELS_OF[matrix]) if matrix in LABELS_OF else (matrix,)
        if any(getattr(old, field) != getattr(new, field) for field in fields):
            counts[matrix] = counts.get(matrix, 0) + 1
    st.session_state[_REVISION] = counts
    st.session_state[_PARAMS] = new
    show_sizes(new)


def edit(new: Params) -> None:
    """Take over matrices that the reader edited in place."""
    if new != params():
        remember()
        st.session_state[_PARAMS] = new


def load(new: Params) -> None:
    """Replace the matrices, and set the widgets that show their sizes and switches."""
    if _PARAMS in st.session_state and new != params():
        remember()
    st.session_state[_ORIGIN] = (get("preset"), seed_now())
    _replace(new)


def show_sizes(new: Params) -> None:
    """Set the size and switch widgets to what the matrices are."""
    sizes = sizes_of(new)
    for name in SIZES:
        put(name, getattr(sizes, name))
    if new.context is not None:
        put("S", sizes.S)
    put("input", "self" if new.context is None else "cross")
    put("mask", "causal" if new.causal else "none")
    put("scaled", new.scaled)


def remember() -> None:
    """Keep the current matrices for undo, with the preset and the seed that they came from.

    The widgets may already hold the next preset or seed, so those are not asked.
    """
    history = st.session_state.setdefault(_UNDO, [])
    origin = st.session_state.get(_ORIGIN, (DEFAULTS["preset"], DEFAULTS["seed"]))
    history.append((origin, params()))
    del history[:-MOST_UNDO]


def can_undo() -> bool:
    """Say whether there is anything to undo."""
    return bool(st.session_state.get(_UNDO))


def undo() -> None:
    """Go back to the matrices before the last change."""
    if can_undo():
        (preset, seed), before = st.session_state[_UNDO].pop()
        put("preset", preset)
        put("seed", seed)
        st.session_state[_ORIGIN] = (preset, seed)
        _replace(before)


def built() -> Params:
    """Return what the preset gives at the present sizes and switches, before any edit."""
    now = params()
    sizes = sizes_of(now)
    seed = seed_now()
    lengths = {name: getattr(sizes, name) for name in SIZES}
    fresh = from_preset(str(get("preset")), seed, now)
    if sizes_of(fresh) != replace(sizes, S=sizes.T):
        fresh = presets.resize(fresh, **lengths, seed=seed)
    if now.context is not None:
        fresh = presets.with_context(fresh, seed, sizes.S)
    return replace(fresh, scaled=now.scaled, causal=now.causal)


def from_preset(preset: str, seed: int, like: Params) -> Params:
    """Return a preset; the seeded ones take their sizes from ``like``."""
    sizes = sizes_of(like)
    if preset == "random":
        return presets.random_example(seed, sizes.T, sizes.d_model, sizes.d_k, sizes.d_v)
    if preset == "identity":
        return presets.identity_example(seed, sizes.T, min(sizes.d_model, LIMITS["d_k"][1]))
    return presets.three_scores() if preset == "three-scores" else presets.textbook()


def seed_now() -> int:
    """Return the seed, a whole number."""
    seed = get("seed")
    return seed if isinstance(seed, int) else 1


def is_edited() -> bool:
    """Say whether the matrices differ from what the preset gives."""
    return built() != params()


# Callbacks ---------------------------------------------------------------------------------


def choose_preset() -> None:
    """Load the chosen preset; the switches for scale and mask stay as they are."""
    now = params()
    fresh = from_preset(str(get("preset")), seed_now(), now)
    load(replace(fresh, scaled=now.scaled, causal=now.causal))


def choose_seed() -> None:
    """Draw again from the chosen seed."""
    load(built())


def draw_again() -> None:
    """Take the next seed."""
    put("seed", (seed_now() + 1) % (LARGEST_SEED + 1))
    load(built())


def start_over() -> None:
    """Drop the edits and go back to the preset as it is."""
    choose_preset()


def choose_sizes(changed: str) -> None:
    """Give the matrices the chosen sizes; what fits stays, new cells are drawn from the seed."""
    now = params()
    sizes = {name: whole(name) for name in SIZES}
    if get("preset") == "identity" and changed in ("d_model", "d_k", "d_v"):
        width = min(sizes[changed], LIMITS["d_k"][1])
        sizes |= {"d_model": width, "d_k": width, "d_v": width}
    length = None if now.context is None else whole("S")
    resized = presets.resize(now, **sizes, S=length, seed=seed_now())
    if get("preset") == "identity":
        square = presets.identity_example(seed_now(), sizes["T"], sizes["d_model"])
        resized = replace(resized, w_q=square.w_q, w_k=square.w_k, w_v=square.w_v)
    load(resized)


def choose_input() -> None:
    """Switch between self-attention and cross-attention."""
    now = params()
    if get("input") == "cross":
        load(second_input_of(now))
    else:
        st.session_state[_SECOND_INPUT] = (now.context, now.context_tokens)
        load(presets.without_context(now))


def second_input_of(now: Params) -> Params:
    """Return cross-attention with the second input as it was last, or a drawn one."""
    context, tokens = st.session_state.get(_SECOND_INPUT, (None, ()))
    if context is not None and len(context[0]) == len(now.x[0]):
        return replace(now, context=context, context_tokens=tokens)
    return presets.with_context(now, seed_now(), min(len(now.x) + 2, LIMITS["S"][1]))


def choose_switches() -> None:
    """Take over the scale and the mask."""
    edit(replace(params(), scaled=bool(get("scaled")), causal=get("mask") == "causal"))


def next_step(by: int) -> None:
    """Go to the step after (+1) or before (-1), where there is one."""
    put("step", STEPS[min(max(STEPS.index(str(get("step"))) + by, 0), len(STEPS) - 1)])
