"""What the reader chose on this page, and the parameters that follow from it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast, get_args

import numpy as np
import streamlit as st

from engine.experiments.lookup.axes import AxesParams
from engine.experiments.lookup.cost import CostParams
from engine.experiments.lookup.roles import RolesParams
from engine.experiments.lookup.table import Params
from pages.figures.lookup.cost import Against
from pages.gallery.lookup_cost import CostView
from pages.text import mark
from pages.ui.choice_fields import real_of
from pages.ui.choice_store import ChoiceStore
from pages.ui.lookup import table_cells
from pages.ui.lookup.table_cells import Table
from pages.ui.matrix_editor import cell_text
from pages.ui.number_lists import different, numbers_of, text_of
from pages.ui.token_source import source_defaults, source_fields

PAGE = "soft-lookup"
TABS = {
    "lookup": mark("Look up"),
    "similarity": mark("Similarity"),
    "roles": mark("Three roles"),
    "axes": mark("Rows or columns"),
    "cost": mark("Cost"),
}
_LOOKED, _ROLES, _COST = Params(), RolesParams(), CostParams()
ROLES = {"roles_T": "T", "roles_d_model": "d_model", "roles_d_k": "d_k", "draws": "draws"}
COST = {"cost_T": "T", "cost_d_k": "d_k", "repeats": "repeats"}
AGAINST: tuple[Against, ...] = get_args(Against)
DECIMALS = 3  # of a query that was turned

STORE = ChoiceStore(
    "lookup",
    {
        "tab": "lookup",
        "table": table_cells.usual(),
        "similarity": _LOOKED.similarity,
        "temperature": _LOOKED.temperature,
        "seed": _LOOKED.seed,
        "key": 0,  # the row whose angle is drawn; 0 is the figure's own choice
        **{choice: getattr(_ROLES, name) for choice, name in ROLES.items()},
        **source_defaults(AxesParams()),
        "Ts": text_of(_COST.Ts),
        "d_ks": text_of(_COST.d_ks),
        **{choice: getattr(_COST, name) for choice, name in COST.items()},
        "against": CostView().against,
    },
)
key, get, word, whole, put = STORE.key, STORE.get, STORE.word, STORE.whole, STORE.put


def table() -> Table:
    """Return the table as it was typed."""
    return cast(Table, get("table"))


def looked_params() -> Params:
    """Return what is looked up, its cells as they were typed."""
    now = table()
    return Params(
        names=now.names,
        keys=now.keys,  # type: ignore[arg-type]  # text is read, and refused, by the engine
        values=now.values,  # type: ignore[arg-type]
        query=now.query,  # type: ignore[arg-type]
        similarity=STORE.field("similarity"),
        temperature=STORE.field("temperature"),
        seed=STORE.field("seed"),
    )


def roles_params() -> RolesParams:
    """Return what is drawn to compare tied projections with free ones."""
    chosen = {name: STORE.field(choice) for choice, name in ROLES.items()}
    return RolesParams(**chosen, seed=STORE.field("seed"))


def axes_params() -> AxesParams:
    """Return whose scores are normalised along both axes."""
    return AxesParams(**source_fields(STORE))


def cost_params() -> CostParams:
    """Return what is timed; raises EngineError when a list is none."""
    chosen = {name: STORE.field(choice) for choice, name in COST.items()}
    return CostParams(_listed("Ts"), _listed("d_ks"), **chosen, seed=STORE.field("seed"))


def _listed(name: str) -> tuple[int, ...]:
    return tuple(sorted(different(numbers_of(word(name)))))


# The table ------------------------------------------------------------------------------------

_REVISION = f"{PAGE}.revision"


def revision() -> int:
    """Return how often the table was changed from outside its editors."""
    return int(st.session_state.setdefault(_REVISION, 0))


def revise(table: Table) -> None:
    """Take a table that did not come from the editors, which then start afresh."""
    st.session_state[_REVISION] = revision() + 1
    table_cells.keep(table)
    put("table", table)


def take(table: Table) -> None:
    """Take a table as it stands in the editors."""
    table_cells.keep(table)
    put("table", table)


def resize(name: str, size: int) -> None:
    """Give the table so many rows or columns; what is left out is kept; a callback."""
    sizes = table().sizes | {name: size}
    revise(table_cells.corner(table_cells.spare(), **sizes))


def shuffle() -> None:
    """Put the rows into another order, never the present one where there is another; a callback."""
    count = len(table().names)
    order = list(range(count))
    while count > 1 and order == list(range(count)):
        order = np.random.default_rng().permutation(count).tolist()
    revise(table_cells.reordered(table(), order))


def start_over() -> None:
    """Take the usual table; a callback."""
    revise(table_cells.usual())


def is_usual() -> bool:
    """Say whether the table is as the page began."""
    return table() == STORE.defaults["table"]


def numeric_query() -> tuple[float, ...] | None:
    """Return the query as numbers; None while it is none."""
    numbers = [real_of(cell) for cell in table().query]
    read = tuple(number for number in numbers if isinstance(number, float))
    return read if len(read) == len(numbers) else None


def turn(angle: float, length: float) -> None:
    """Give a query in two dimensions a direction, in degrees, and a length; a callback's work."""
    turned = (
        length * math.cos(math.radians(angle)),
        length * math.sin(math.radians(angle)),
    )
    query = tuple(cell_text(round(number, DECIMALS) + 0.0) for number in turned)
    revise(replace(table(), query=query))


# Callbacks ------------------------------------------------------------------------------------

OF_TAB: dict[str, tuple[str, ...]] = {
    "lookup": ("similarity", "temperature", "seed"),
    "similarity": ("similarity", "temperature", "seed", "key"),
    "roles": (*ROLES, "seed"),
    "axes": tuple(source_defaults(AxesParams())),
    "cost": ("Ts", "d_ks", *COST, "seed", "against"),
}


def show_usual(tab: str, **chosen: object) -> None:
    """Go to a tab with its usual input and some choices of its own."""
    if tab in ("lookup", "similarity"):
        start_over()
    STORE.put_usual(*OF_TAB[tab], tab=tab, **chosen)
