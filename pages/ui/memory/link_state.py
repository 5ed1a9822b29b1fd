"""The page on memory in the address bar: read from a link, written after every run."""

from __future__ import annotations

from engine.experiments.memory import head_sizes, measured, predicted, shape
from engine.experiments.memory.tensors import MODES
from pages.ui import link_fields
from pages.ui.link_fields import Names, Real, Switch, Text, Whole, Word
from pages.ui.memory import state
from pages.ui.number_lists import link_text, link_text_once

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    "T": ("T", Whole(1, predicted.MOST_T)),
    "batch": ("batch", Whole(1, predicted.MOST_BATCH)),
    "layers": ("layers", Whole(1, shape.MOST_LAYERS)),
    "heads": ("heads", Whole(1, shape.MOST_HEADS)),
    "kv_heads": ("kv_heads", Whole(1, shape.MOST_HEADS)),
    "d_k": ("d_k", Whole(1, shape.MOST_D_K)),
    "d_model": ("d_model", Whole(1, shape.MOST_WIDTH)),
    "d_ff": ("d_ff", Whole(0, shape.MOST_WIDTH)),
    "gated": ("gated", Switch()),
    "dtype": ("dtype", Word(tuple(shape.DTYPES))),
    "use": ("mode", Word(MODES)),
    "cache": ("cache", Switch()),
    "block": ("block", Whole(1, predicted.MOST_BLOCK)),
    "window": ("window", Whole(1, predicted.MOST_T)),
    "weights": ("weights", Switch()),
    "devices": ("devices", Whole(1, predicted.MOST_DEVICES)),
    "budget": ("budget", Real(0, predicted.MOST_BUDGET)),
    "budgets": ("budgets", Text(link_text)),
    "lengths": ("Ts", Text(link_text_once)),
    "measured_heads": ("measured_heads", Whole(1, measured.MOST_HEADS)),
    "measured_d_k": ("measured_d_k", Whole(1, measured.MOST_D_K)),
    "measured_batch": ("measured_batch", Whole(1, measured.MOST_BATCH)),
    "measured_dtype": ("measured_dtype", Word(measured.DTYPES)),
    "causal": ("causal", Switch()),
    "repeats": ("repeats", Whole(1, measured.MOST_REPEATS)),
    "seed": ("seed", Whole(0, measured.MOST_SEED)),
    "head_sizes": ("d_ks", Text(link_text_once)),
    "swept_T": ("swept_T", Whole(1, head_sizes.MOST_T)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address: what differs from the usual, and nothing else."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
