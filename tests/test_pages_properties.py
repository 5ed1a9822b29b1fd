"""The page on the properties through the frame, in both languages, as a person would use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.text import LANGUAGES
from pages.ui.properties import state
from tests.conftest import require_backend
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    PROPERTIES,
    address_of,
    assert_refused,
    charts,
    english_sentences,
    open_page,
    problems,
    text_of,
    untimed,
)


@pytest.fixture(autouse=True)
def navigation_has_run() -> Iterator[None]:
    with after_the_first_visit():
        yield


def field(app: AppTest, name: str, kind: str = "text_input") -> Any:
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"properties.{name}@field")


def type_in(app: AppTest, name: str, text: object, kind: str = "text_input") -> AppTest:
    """Type text into a field."""
    return field(app, name, kind).set_value(str(text)).run()


def metric(app: AppTest, label: str) -> str:
    """Return a measured number of the page."""
    return next(str(each.value) for each in app.metric if each.label == label)


def last(app: AppTest, tab: str) -> Any:
    """Return the parameters whose result a tab shows."""
    return app.session_state["computed.last"][f"{state.PAGE}.{tab}"]


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(PROPERTIES, lang=language, backend=backend, layers="3", seeds="1, 2")
    for tab in state.TABS:
        app.segmented_control(key=f"properties.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) >= 2, tab
        if language == "zh":
            assert english_sentences(app) == [], tab


# What each control may be set to, beside its usual value.
OTHER = {
    "permutation": "2 1 3 4 5 6 7 8 9 10 11",
    "seed": 7,
    "d_k": 3,
    "head_seed": 8,
    "head_d_k": 4,
    "paths_T": 40,
    "kernel": 5,
    "window": 4,
    "steps": 5,
    "depth_T": 9,
    "d_model": 32,
    "layers": 5,
    "heads": "1, 2",
    "seeds": "8, 9",
    "threshold": 0.3,
}


@pytest.mark.parametrize("tab", list(state.TABS))
def test_every_field_of_a_tab_changes_what_it_shows_and_stands_in_its_link(tab):
    app = open_page(PROPERTIES, tab=tab, head_source="sentence")
    names = [str(each.key).removeprefix("properties.").removesuffix("@field")
             for each in app.text_input]  # fmt: skip
    assert set(names) <= set(OTHER)
    for name in names:
        before = last(app, tab)
        type_in(app, name, OTHER[name])
        assert problems(app) == [], name
        assert last(app, tab) != before, name
    again = open_page(PROPERTIES, **address_of(app))
    assert last(again, tab) == last(app, tab)
    assert untimed(again) == untimed(app)


REFUSED = {
    ("order", "permutation"): {"1 2 3": "missing", "1 1 2": "2 times", "a b": "is no position",
                               "0 1": "no such position", "99": "no such position"},
    ("order", "seed"): {"": '""', "-1": "0 to 999,999", "1.5": "1.5", "abc": "abc"},
    ("order", "d_k"): {"0": "1 to 64", "65": "1 to 64"},
    ("reach", "paths_T"): {"1": "2", "513": "512", "": '""'},
    ("reach", "kernel"): {"2": "3 to 63", "4": "odd", "x": "x"},
    ("reach", "window"): {"3": "even", "0": "2 to 512"},
    ("reach", "steps"): {"0": "1", "65": "64"},
    ("depth", "layers"): {"0": "1", "49": "48", "1e9": "48"},
    ("depth", "heads"): {"3": "3", "": "head", "1, 2, 3": "3"},
    ("depth", "seeds"): {"": "seed", "-4": "-4", "x": "x"},
    ("depth", "d_model"): {"1": "2", "257": "256"},
    ("depth", "depth_T"): {"1": "2", "129": "128"},
    ("graph", "threshold"): {"-0.1": "0", "1.5": "1", "x": "x", "": '""'},
}  # fmt: skip


@pytest.mark.parametrize("tab", list(dict.fromkeys(tab for tab, _ in REFUSED)))
def test_a_value_that_is_refused_gets_one_sentence_and_stays(tab):
    app = open_page(PROPERTIES, tab=tab)
    for name in (name for each, name in REFUSED if each == tab):
        assert_refused(app, partial(field, app, name), REFUSED[tab, name])


@pytest.mark.parametrize(("tab", "name"), [("order", "permutation"), ("depth", "layers")])
def test_what_is_refused_is_said_on_its_own_tab_and_outlives_a_visit_of_another(tab, name):
    app = type_in(open_page(PROPERTIES, tab=tab), name, "77")
    assert len(problems(app)) == 1
    app.segmented_control(key="properties.tab@en").set_value("reach").run()
    assert problems(app) == []
    app.segmented_control(key="properties.tab@en").set_value(tab).run()
    assert len(problems(app)) == 1


@pytest.mark.parametrize("tab", ["order", "influence", "graph"])
def test_a_sentence_of_one_token_and_one_of_too_many(tab):
    prefix = "" if tab == "order" else state.HEAD
    start = {"tab": tab, f"{prefix}source": "sentence"}
    app = open_page(PROPERTIES, **start, **{f"{prefix}sentence": "alone"})
    assert problems(app) == []
    letters = " ".join("abcdefghijklmnopqrstuvwxyz")
    app = open_page(PROPERTIES, **start, **{f"{prefix}sentence": letters})
    assert len(problems(app)) == 1
    assert charts(app) >= 1
    for empty in ("", "   "):
        type_in(app, f"{prefix}sentence", empty, "text_area")
        assert len(problems(app)) == 1, tab


def test_shuffling_takes_another_order_and_reversing_goes_back():
    app = open_page(PROPERTIES)
    usual = last(app, "order")
    for _ in range(3):
        before = last(app, "order")
        app.button(key="properties.shuffle").click().run()
        assert sorted(last(app, "order").permutation) == list(range(1, 12))
        assert last(app, "order") != before
    app.button(key="properties.reverse").click().run()
    assert last(app, "order") == usual


def test_a_token_that_is_not_there_any_more_gives_way():
    app = open_page(PROPERTIES, source="random", T="20", query="20", moved="3")
    assert (last(app, "order").query, last(app, "order").moved) == (20, 3)
    app.segmented_control(key="properties.source@en").set_value("textbook").run()
    assert problems(app) == []
    assert (last(app, "order").query, last(app, "order").moved) == (0, 3)
    assert field(app, "query", "selectbox").value == 0


def test_the_token_that_changes_is_cut_to_the_tokens_there_are():
    app = open_page(PROPERTIES, tab="influence", changed="11", head_source="sentence")
    assert field(app, "changed", "selectbox").value == 11
    app = type_in(app, "head_sentence", "only four tokens here", "text_area")
    assert problems(app) == []
    assert field(app, "changed", "selectbox").value == 4


def test_the_first_output_moves_without_a_mask_only():
    app = open_page(PROPERTIES, tab="influence")
    both, causal = metric(app, "Output 1 moves").split(" | ")
    assert float(both) > 0
    assert float(causal) == 0
    assert metric(app, "No mask") == "4 of 4"
    assert metric(app, "Causal") == "2 of 4"


def test_a_link_that_asks_for_what_is_not_there_says_so():
    app = open_page(PROPERTIES, tab="order", query="99", positions="maybe", T="1")
    assert len(problems(app)) == 3
    assert charts(app) >= 1
    assert "Traceback" not in text_of(app)
