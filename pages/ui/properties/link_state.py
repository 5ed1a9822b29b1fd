"""The page on the properties in the address bar: read from a link, written after every run."""

from __future__ import annotations

from engine.experiments.masks.inputs import LEAST_RANDOM
from engine.experiments.properties import paths, smoothing
from engine.experiments.properties.order import MOST_TOKENS
from pages.ui import link_fields, token_source
from pages.ui.link_fields import Names, Real, Switch, Text, Whole, Word
from pages.ui.number_lists import link_text, link_text_once
from pages.ui.properties import state

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    **token_source.link_names(LEAST_RANDOM, MOST_TOKENS),
    **token_source.link_names(LEAST_RANDOM, MOST_TOKENS, state.HEAD),
    "permutation": ("permutation", Text(link_text)),
    "query": ("query", Whole(1, MOST_TOKENS)),
    "moved": ("moved", Whole(1, MOST_TOKENS)),
    "positions": ("positions", Switch()),
    "paths_T": ("paths_T", Whole(paths.LEAST_T, paths.MOST_T)),
    "kernel": ("kernel", Whole(paths.LEAST_KERNEL, paths.MOST_KERNEL)),
    "window": ("window", Whole(paths.LEAST_WINDOW, paths.MOST_WINDOW)),
    "steps": ("steps", Whole(1, paths.MOST_LAYERS)),
    "depth_T": ("depth_T", Whole(smoothing.LEAST_T, smoothing.MOST_T)),
    "d_model": ("d_model", Whole(smoothing.LEAST_WIDTH, smoothing.MOST_WIDTH)),
    "layers": ("layers", Whole(1, smoothing.MOST_LAYERS)),
    "norm": ("norm", Switch()),
    "heads": ("heads", Text(link_text_once)),
    "seeds": ("seeds", Text(link_text_once)),
    "changed": ("changed", Whole(1, MOST_TOKENS)),
    "causal": ("causal", Switch()),
    "threshold": ("threshold", Real(0, 1)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
