"""The page on pronouns in the address bar: read from a link, written after every run.

A link names a model but never loads or fetches one: that takes a button.
"""

from __future__ import annotations

from engine.experiments.context.single_layer import MOST_HEADS, MOST_WIDTH
from engine.experiments.context.two_endings import ENDINGS
from engine.experiments.context.two_layers import MOST_STRENGTH
from engine.experiments.masks.inputs import MOST_SEED
from engine.models.config import MOST_HEADS as MOST_MODEL_HEADS
from engine.models.config import MOST_LAYERS, MOST_POSITIONS
from pages.ui import link_fields
from pages.ui.context import state
from pages.ui.link_fields import LongText, Names, Real, Switch, Whole, Word
from pages.ui.token_source import LONGEST_TEXT

LONGEST_PATH = 400

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    "single_d_model": ("single_d_model", Whole(1, MOST_WIDTH)),
    "single_d_k": ("single_d_k", Whole(1, MOST_WIDTH)),
    "single_heads": ("single_heads", Whole(1, MOST_HEADS)),
    "single_seed": ("single_seed", Whole(0, MOST_SEED)),
    "single_head": ("single_head", Whole(1, MOST_HEADS)),
    "positions": ("positions", Switch()),
    "strength": ("strength", Real(0, MOST_STRENGTH)),
    "residual": ("residual", Switch()),
    "ending": ("ending", Word(ENDINGS)),
    "matrices": ("matrices", Whole(1, 2)),
    "source": ("source", Word(state.SOURCES)),
    "pair": ("pair", Word(state.RECORDED)),
    "text": ("text", Word(state.TEXTS)),
    "first": ("first", LongText(LONGEST_TEXT)),
    "second": ("second", LongText(LONGEST_TEXT)),
    "place": ("place", Word(state.PLACES)),
    "folder": ("folder", LongText(LONGEST_PATH)),
    "repository": ("repository", LongText(LONGEST_PATH)),
    "layer": ("layer", Whole(1, MOST_LAYERS)),
    "head": ("head", Whole(1, MOST_MODEL_HEADS)),
    # 0 is the automatic one, which a link must be able to name.
    "query": ("query", Whole(0, MOST_POSITIONS)),
    "specials": ("specials", Word(state.SPECIALS)),
    "one": ("one", Whole(0, MOST_POSITIONS)),
    "other": ("other", Whole(0, MOST_POSITIONS)),
    "scope": ("scope", Word(state.SCOPES)),
    "rows": ("rows", Word(state.ROWS)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
