"""The page on soft lookup in the address bar: read from a link, written after every run."""

from __future__ import annotations

from engine.experiments.lookup.axes import MOST_TOKENS as MOST_AXES
from engine.experiments.lookup.cost import MOST_D_K, MOST_REPEATS, MOST_T
from engine.experiments.lookup.roles import LIMITS as OF_ROLES
from engine.experiments.lookup.table import (
    LEAST_TEMPERATURE,
    LIMITS,
    MOST_TEMPERATURE,
    SIMILARITIES,
)
from engine.experiments.masks.inputs import LEAST_RANDOM
from pages.ui import link_fields, token_source
from pages.ui.link_fields import Names, Real, Text, Whole, Word
from pages.ui.lookup import state
from pages.ui.lookup.table_cells import TableLink
from pages.ui.number_lists import link_text_once

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    "table": ("table", TableLink()),
    "similarity": ("similarity", Word(SIMILARITIES)),
    "temperature": ("temperature", Real(LEAST_TEMPERATURE, MOST_TEMPERATURE)),
    "key": ("key", Whole(1, LIMITS["rows"][1])),
    **{choice: (choice, Whole(*OF_ROLES[name])) for choice, name in state.ROLES.items()},
    **token_source.link_names(LEAST_RANDOM, MOST_AXES),
    "Ts": ("Ts", Text(link_text_once)),
    "d_ks": ("d_ks", Text(link_text_once)),
    "cost_T": ("cost_T", Whole(1, MOST_T)),
    "cost_d_k": ("cost_d_k", Whole(1, MOST_D_K)),
    "repeats": ("repeats", Whole(1, MOST_REPEATS)),
    "against": ("against", Word(state.AGAINST)),
}


def restore() -> None:
    """Take over what the address says, when it says something new.

    The editors of another table start afresh: they would go on showing the one before.
    """
    before = state.table()
    if link_fields.restore(state.PAGE, state.STORE, NAMES) and state.table() != before:
        state.revise(state.table())


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
