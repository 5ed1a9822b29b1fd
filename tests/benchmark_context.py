"""How fast a real model is loaded and run, and how fast its page is.

    python -m tests.benchmark_context [FOLDER]

Without a folder the model that tests use is measured; where it is missing the numbers are NaN.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from engine import available_backends, get_backend
from engine.models.cuts import Cut
from engine.models.forward import run_cuts, run_model
from engine.models.loading import Model, forget, load
from pages.ui.context import state
from tests.benchmark_properties import of_tabs
from tests.navigation import after_the_first_visit
from tests.open_pages import CONTEXT
from tests.real_model import PACKAGE
from tests.timing import milliseconds

TOKENS = 128
LARGEST = 512
CUT_TOKENS = 64
OF_MODEL = 4  # how many of the numbers below are the model's own
TARGETS: dict[str, float | None] = {
    "a model and its tokenizer loaded (s)": 2.0,
    "a model on 128 tokens, NumPy (ms)": 150.0,
    "a model on 512 tokens, NumPy (ms)": None,
    "64 keys cut in 64 tokens, NumPy (s)": None,
    "who is it, first visit (ms)": 300.0,
    "who is it, rerun of its slowest tab (ms)": 60.0,
}


def context(folder: Path | None = None) -> dict[str, float]:
    """Measure everything."""
    return dict(zip(TARGETS, (*of_model(folder or installed()), *of_page()), strict=True))


def of_page() -> tuple[float, float]:
    """Return the milliseconds of the page's first visit, and of a rerun of its slowest tab."""
    with after_the_first_visit():
        return of_tabs(CONTEXT, list(state.TABS), look_elsewhere)


def look_elsewhere(app: AppTest, turn: int) -> None:
    """Let the next run compute other random heads, and look at another head of the model."""
    app.session_state["context.single_seed"] = turn + 2
    app.session_state["context.strength"] = 3.0 + turn / 10
    app.session_state["context.layer"], app.session_state["context.head"] = 1 + turn % 6, 1 + turn


def of_model(folder: Path | None) -> tuple[float, ...]:
    """Return the times of loading a model, of passes, and of cuts; NaN where it is missing."""
    if folder is None:
        return (math.nan,) * OF_MODEL
    loading = statistics.median(load_anew(folder) for _ in range(5)) / 1e3
    model = load(str(folder))
    return (
        loading,
        pass_of(model, TOKENS),
        pass_of(model, LARGEST),
        cuts_of(model, CUT_TOKENS) / 1e3,
    )


def installed() -> Path | None:
    """Return the folder of the model that tests use, or None."""
    found = find_spec(PACKAGE)
    places = found.submodule_search_locations if found is not None else None
    return next((Path(place) / "model" for place in places or ()), None)


def load_anew(folder: Path) -> float:
    """Return the milliseconds of loading a model that is not kept."""
    forget()
    return milliseconds(lambda: load(str(folder)))


def pass_of(model: Model, T: int, backend: str = "numpy") -> float:
    """Return the median of passes over T tokens in milliseconds, after a warm-up."""
    ids = drawn(model, T)
    return median(lambda: run_model(model.config, model.parameters, ids, backend=backend))


def cuts_of(model: Model, T: int) -> float:
    """Return the milliseconds of T runs, in each of which one key is cut everywhere."""
    cuts = [Cut(key) for key in range(T)]
    ids = drawn(model, T)
    return milliseconds(
        lambda: run_cuts(model.config, model.parameters, ids, cuts, backend="numpy")
    )


def drawn(model: Model, T: int) -> np.ndarray:
    """Return T tokens by chance."""
    return np.random.default_rng(0).integers(0, model.config.vocabulary, T)


def median(action: Callable[[], object], repeats: int = 11) -> float:
    """Return the median time of an action in milliseconds, after a warm-up."""
    action()
    return statistics.median(milliseconds(action) for _ in range(repeats))


def main(*folders: str) -> None:
    """Print one line for each number, and passes on every other backend."""
    folder = Path(folders[0]) if folders else installed()
    measured = context(folder)
    for name, target in TARGETS.items():
        goal = "" if target is None else f"   target {target:g}"
        print(f"{name:50} {measured[name]:8.2f}{goal}")
    if folder is None:
        return
    for name in set(available_backends()) - {"numpy"}:
        took = pass_of(load(str(folder)), TOKENS, name)
        print(f"a model on {TOKENS} tokens: {took:.0f} ms; {get_backend(name).device}")


if __name__ == "__main__":
    main(*sys.argv[1:])
