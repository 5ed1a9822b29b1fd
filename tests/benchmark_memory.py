"""How fast the page on memory is: its predictions, and a first visit that measures."""

from __future__ import annotations

import statistics

from streamlit.testing.v1 import AppTest

from tests.navigation import after_the_first_visit
from tests.open_pages import APP, MEMORY
from tests.timing import milliseconds

PREDICTED = ("bytes", "fits", "work")
MEASURED = ("measured", "heads")
TARGETS: dict[str, float | None] = {
    "memory, first visit of its first tab (ms)": 400.0,
    "memory, rerun of its slowest prediction (ms)": 60.0,
    "memory, first visit that measures (s)": None,
}


def memory() -> dict[str, float]:
    """Measure everything; each tab is printed at once."""
    with after_the_first_visit():
        taken = {tab: visit(tab) for tab in (*PREDICTED, *MEASURED)}
    said = (f"{tab} {first:.0f}, {again:.0f}" for tab, (first, again) in taken.items())
    print("memory, each tab at first and again (ms): " + "; ".join(said))
    values = (
        taken[PREDICTED[0]][0],
        max(taken[tab][1] for tab in PREDICTED),
        taken[MEASURED[0]][0] / 1e3,
    )
    return dict(zip(TARGETS, values, strict=True))


def visit(tab: str) -> tuple[float, float]:
    """Return the milliseconds of one tab at its first visit, and the median of reruns.

    In each rerun of a prediction another T is predicted and drawn.
    """
    app = AppTest.from_file(APP, default_timeout=120).run()
    if tab != PREDICTED[0]:
        app.query_params["tab"] = tab
    first = milliseconds(lambda: app.switch_page(MEMORY).run())

    def rerun(turn: int) -> float:
        if tab in PREDICTED:
            app.session_state["memory.T"] = 1_000 + turn
        return milliseconds(app.run)

    return first, statistics.median(rerun(turn) for turn in range(15))
