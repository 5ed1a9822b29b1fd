"""How fast the pages on soft lookup, on the properties and on the claims are."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from engine.experiments.claims import ledger
from pages.ui.lookup import state as lookup
from pages.ui.lookup import table_cells
from pages.ui.properties import state as properties
from tests.navigation import after_the_first_visit
from tests.open_pages import APP, CLAIMS, LOOKUP, PROPERTIES
from tests.timing import milliseconds

TIMED = "cost"  # its tab measures for seconds
TARGETS: dict[str, float | None] = {
    "soft lookup, first visit (ms)": 300.0,
    "soft lookup, rerun of its slowest tab (ms)": 60.0,
    "properties, first visit (ms)": 300.0,
    "properties, rerun of its slowest tab (ms)": 60.0,
    "claims, first visit (ms)": 300.0,
    "all claims from a cold start (s)": 30.0,
}
Change = Callable[[AppTest, int], None]


def new_pages() -> dict[str, float]:
    """Measure everything; each tab is printed at once."""
    with after_the_first_visit():
        values = (
            *of_tabs(LOOKUP, [tab for tab in lookup.TABS if tab != TIMED], change_lookup),
            *of_tabs(PROPERTIES, list(properties.TABS), change_properties),
            visit(CLAIMS, "", lambda _app, _turn: None)[0],
        )
    return dict(zip(TARGETS, (*values, cold_ledger()), strict=True))


def of_tabs(page: str, tabs: list[str], change: Change) -> tuple[float, float]:
    """Return the milliseconds of a page's first visit, and of a rerun of its slowest tab."""
    taken = {tab: visit(page, tab if place else "", change) for place, tab in enumerate(tabs)}
    said = (f"{tab} {first:.0f}, {again:.0f}" for tab, (first, again) in taken.items())
    print(f"{page}, each tab at first and again (ms): " + "; ".join(said))
    return taken[tabs[0]][0], max(again for _, again in taken.values())


def visit(page: str, tab: str, change: Change) -> tuple[float, float]:
    """Return the milliseconds of one tab at its first visit, and the median of reruns."""
    app = AppTest.from_file(APP, default_timeout=120).run()
    if tab:
        app.query_params["tab"] = tab
    first = milliseconds(lambda: app.switch_page(page).run())

    def rerun(turn: int) -> float:
        change(app, turn)
        return milliseconds(app.run)

    return first, statistics.median(rerun(turn) for turn in range(11))


def change_lookup(app: AppTest, turn: int) -> None:
    """Let the next run look up another query, at another temperature, or draw other heads."""
    table = table_cells.usual()
    query = (str(1 + turn / 10), *table.query[1:])
    app.session_state["lookup.table"] = table_cells.Table(
        table.names, table.keys, table.values, query
    )
    app.session_state["soft-lookup.revision"] = turn + 1
    app.session_state["lookup.seed"] = turn + 2


def change_properties(app: AppTest, turn: int) -> None:
    """Let the next run compute other heads and stacks."""
    app.session_state["properties.seed"] = turn + 2
    app.session_state["properties.seeds"] = ", ".join(str(turn + each) for each in range(2, 6))
    app.session_state["properties.paths_T"] = 64 + turn


def cold_ledger() -> float:
    """Return the seconds of all claims where nothing is kept."""
    started = time.perf_counter()
    ledger.run(ledger.LedgerParams())
    return time.perf_counter() - started
