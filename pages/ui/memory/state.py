"""What the reader chose on this page, and the parameters that follow from it."""

from __future__ import annotations

from engine.errors import OptionError
from engine.experiments.memory.head_sizes import HeadSizeParams
from engine.experiments.memory.measured import MeasuredParams
from engine.experiments.memory.predicted import Params, with_preset
from engine.experiments.memory.presets import PRESETS, Preset, preset_named
from engine.experiments.memory.shape import Shape
from pages.text import mark
from pages.ui.choice_store import ChoiceStore
from pages.ui.number_lists import different, numbers_of, reals_of, text_of

PAGE = "memory-scaling"
TABS = {
    "bytes": mark("Bytes"),
    "fits": mark("What fits"),
    "work": mark("Operations"),
    "measured": mark("Measured"),
    "heads": mark("Head size"),
}
_PREDICTED, _MEASURED, _HEADS = Params(), MeasuredParams(), HeadSizeParams()
OF_SHAPE = ("layers", "heads", "kv_heads", "d_k", "d_model", "d_ff", "gated")
OF_INPUT = ("T", "batch", "dtype", "mode", "cache", "block", "window", "weights", "devices")
OF_PREDICTION = (*OF_SHAPE, *OF_INPUT, "budget")
# Choice -> the name of the parameter, of what is measured and of the sweep over head sizes.
MEASURED = {
    "measured_heads": "heads",
    "measured_d_k": "d_k",
    "measured_batch": "batch",
    "measured_dtype": "dtype",
    "causal": "causal",
    "repeats": "repeats",
    "seed": "seed",
}
# The sweep over head sizes is measured with the same choices, but for its own T and d_k.
HEADS = {"swept_T": "T"} | {choice: name for choice, name in MEASURED.items() if name != "d_k"}

STORE = ChoiceStore(
    "memory",
    {
        "tab": "bytes",
        **{name: getattr(_PREDICTED, name) for name in OF_PREDICTION},
        "budgets": ", ".join(f"{budget:g}" for budget in _PREDICTED.budgets),
        "Ts": text_of(_MEASURED.Ts),
        **{choice: getattr(_MEASURED, name) for choice, name in MEASURED.items()},
        "d_ks": text_of(_HEADS.d_ks),
        "swept_T": _HEADS.T,
    },
)
key, get, word, put = STORE.key, STORE.get, STORE.word, STORE.put


def no_budget(part: str) -> OptionError:
    """Return what is said of a part of the list of budgets that is no number."""
    return OptionError(
        "A list of budgets in GiB, such as 16, 24, 80, has numbers only, got {text}.", text=part
    )


def predicted_params() -> Params:
    """Return what is predicted; raises EngineError when the list of budgets is none."""
    budgets = tuple(sorted(set(reals_of(word("budgets"), no_budget))))
    return Params(budgets=budgets, **{name: STORE.field(name) for name in OF_PREDICTION})


def measured_params() -> MeasuredParams:
    """Return what is measured; raises EngineError when the list of T is none."""
    values = {name: STORE.field(choice) for choice, name in MEASURED.items()}
    return MeasuredParams(Ts=tuple(sorted(different(numbers_of(word("Ts"))))), **values)


def head_size_params() -> HeadSizeParams:
    """Return the sweep over head sizes; raises EngineError when the list of d_k is none."""
    values = {name: STORE.field(choice) for choice, name in HEADS.items()}
    return HeadSizeParams(d_ks=tuple(sorted(different(numbers_of(word("d_ks"))))), **values)


def preset() -> Preset | None:
    """Return the published model whose shape is chosen, None for a shape of the reader's own.

    Two of them have the same shape: an encoder, which keeps no cache, and a decoder.
    """
    shape = Shape(**{name: get(name) for name in OF_SHAPE})  # type: ignore[arg-type]
    alike = [each for each in PRESETS if each.shape == shape]
    same_use = [each for each in alike if each.decoder == get("cache")]
    return next(iter(same_use or alike), None)


# Callbacks -----------------------------------------------------------------------------------


def take_preset(name: str) -> None:
    """Choose the shape of a published model, and the length it was published with."""
    chosen = with_preset(Params(), preset_named(name))
    for each in (*OF_SHAPE, "T", "cache"):
        put(each, getattr(chosen, each))


def show_trap() -> None:
    """Show the example of the trap: one layer of GPT-3 in training, and all of them."""
    take_preset("gpt-3")
    STORE.put_usual("batch", tab="bytes", dtype="float32", mode="training")


OF_TAB: dict[str, tuple[str, ...]] = {
    "bytes": OF_PREDICTION,
    "fits": (*OF_PREDICTION, "budgets"),
    "work": OF_PREDICTION,
    "measured": ("Ts", *MEASURED),
    "heads": ("d_ks", *HEADS),
}


def show_usual(tab: str, **chosen: object) -> None:
    """Go to a tab with its usual input and some choices of its own."""
    STORE.put_usual(*OF_TAB[tab], tab=tab, **chosen)
