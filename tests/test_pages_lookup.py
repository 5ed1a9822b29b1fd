"""The page on soft lookup through the frame, in both languages, as a person would use it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from engine.experiments.lookup.table import LEAST_TEMPERATURE, LIMITS, MOST_TEMPERATURE
from pages.gallery.lookup_cost import COST
from pages.text import LANGUAGES
from pages.text.markup import inline
from pages.ui import address
from pages.ui.lookup import cost_tab, state, table_cells
from pages.ui.lookup.table_cells import Table, TableLink
from tests.conftest import require_backend
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    LOOKUP,
    address_of,
    as_typed,
    charts,
    elements,
    english_sentences,
    open_page,
    problems,
    untimed,
)

# Measurements that cost next to nothing.
QUICK = {"Ts": "8, 16", "d_ks": "2, 4", "cost_T": "8", "cost_d_k": "2", "repeats": "2"}


@pytest.fixture(autouse=True)
def navigation_has_run() -> Iterator[None]:
    COST.clear()
    with after_the_first_visit():
        yield


def field(app: AppTest, name: str, kind: str = "text_input") -> Any:
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"lookup.{name}@field")


def type_in(app: AppTest, name: str, text: object, kind: str = "text_input") -> AppTest:
    """Type text into a field."""
    return field(app, name, kind).set_value(str(text)).run()


def metric(app: AppTest, label: str) -> Any:
    """Return a measured number of the page, with what stands below it."""
    return next(each for each in app.metric if each.label == label)


def last(app: AppTest, tab: str) -> Any:
    """Return the parameters whose result a tab shows."""
    return app.session_state["computed.last"][f"{state.PAGE}.{tab}"]


def link_of(names: list[str], keys: Any, values: Any, query: Any) -> str:
    """Return a table as an address holds it."""
    texts = [[[str(cell) for cell in row] for row in rows] for rows in (keys, values)]
    return json.dumps([names, *texts, [str(cell) for cell in query]])


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(LOOKUP, lang=language, backend=backend, draws="20", **QUICK)
    for tab in state.TABS:
        app.segmented_control(key=f"lookup.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) >= 2, tab
        if language == "zh":
            assert english_sentences(app) == [], tab


# The table -----------------------------------------------------------------------------------


def softmax(scores: list[float]) -> list[float]:
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


SMALL = ("⁻¹⁴", "⁻¹⁵", "⁻¹⁶")


def test_the_output_is_that_of_a_calculation_by_hand():
    keys, values, query = [[1, 2], [0, -1], [3, 0]], [[10], [20], [60]], [0.5, 1]
    app = open_page(LOOKUP, table=link_of(["a", "b", "c"], keys, values, query), temperature="0.5")
    scores = [(0.5 * x + y) / 0.5 for x, y in keys]
    weights = softmax(scores)
    output = sum(weight * value for weight, (value,) in zip(weights, values, strict=True))
    assert problems(app) == []
    assert metric(app, "Output, soft").value == f"{output:.3f}"
    assert metric(app, "Output, soft").delta == "hard: 10.000", "the best score is that of a"
    entropy = -sum(weight * math.log(weight) for weight in weights)
    assert metric(app, "Effective keys").value == f"{math.exp(entropy):.2f}"
    assert metric(app, "Rows reversed").value[-3:] in ("0", *SMALL), "rounding at most"


def test_shuffled_rows_give_the_same_output():
    app = open_page(LOOKUP)
    before = metric(app, "Output, soft").value
    table = app.session_state["lookup.table"]
    for _ in range(3):
        shown = app.session_state["lookup.table"]
        app.button(key="lookup.shuffle").click().run()
        assert app.session_state["lookup.table"] != shown
        assert sorted(app.session_state["lookup.table"].names) == sorted(table.names)
        assert metric(app, "Output, soft").value == before
    if app.session_state["lookup.table"] != table:
        app.button(key="lookup.over").click().run()
    assert app.session_state["lookup.table"] == table


def test_a_table_that_shrinks_and_grows_again_loses_nothing():
    names = ["p", "q", "r", "s", "u"]
    cells = [[row + column / 10 for column in range(3)] for row in range(5)]
    app = open_page(LOOKUP, table=link_of(names, cells, [[row] for row in range(5)], [7, 8, 9]))
    before = app.session_state["lookup.table"]
    for name, small in (("rows", 1), ("key", 1)):
        app.number_input(key=f"lookup.size.{name}").set_value(small).run()
        assert problems(app) == []
    for name, large in (("rows", 5), ("key", 3)):
        app.number_input(key=f"lookup.size.{name}").set_value(large).run()
    assert app.session_state["lookup.table"] == before


def test_the_largest_table_can_be_looked_up_and_linked():
    app = open_page(LOOKUP)
    for name, (_, most) in LIMITS.items():
        app.number_input(key=f"lookup.size.{name}").set_value(most).run()
    assert problems(app) == []
    again = open_page(LOOKUP, **address_of(app))
    assert last(again, "lookup") == last(app, "lookup")
    for tab in ("similarity", "lookup"):
        app.segmented_control(key="lookup.tab@en").set_value(tab).run()
        assert problems(app) == []


WRONG_TABLES = {
    "duplicate keys": (["a", "b", "c"], [[1, 0], [2, 2], [1, 0]], [[1], [2], [3]], [1, 1]),
    "duplicate names": (["a", "a"], [[1, 0], [2, 2]], [[1], [2]], [1, 1]),
    "no number": (["a", "b"], [["x", 0], [2, 2]], [[1], [2]], [1, 1]),
    "an empty cell": (["a", "b"], [[1, 0], [2, ""]], [[1], [2]], [1, 1]),
    "an empty name": (["", "b"], [[1, 0], [2, 2]], [[1], [2]], [1, 1]),
    "an empty query": (["a", "b"], [[1, 0], [2, 2]], [[1], [2]], ["", 1]),
    "infinity": (["a", "b"], [[1, 0], [2, 2]], [["inf"], [2]], [1, 1]),
    "too large": (["a", "b"], [[1, 0], [2, 2000]], [[1], [2]], [1, 1]),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_that_is_refused_gets_one_sentence_and_stays(language):
    app = open_page(LOOKUP, lang=language)
    for number, (wrong, (names, keys, values, query)) in enumerate(WRONG_TABLES.items(), 1):
        given = TableLink().read("table", link_of(names, keys, values, query))
        app.session_state["lookup.table"] = given
        app.session_state["soft-lookup.revision"] = number
        app.run()
        assert len(problems(app)) == 1, wrong
        assert charts(app) >= 1, "the usual table is shown"
        assert app.session_state["lookup.table"] == given, "what was typed stays"
        if language == "zh":
            assert english_sentences(app) == [], wrong


@pytest.mark.parametrize(
    "text",
    ["[]", "[[],[],[],[]]", "{}", "[" * 900, '[["a"],[["1"]],[["1"]],["1","2"]]', "null",
     '[["a"],[[1]],[["1"]],["1"]]', '[["a","b"],[["1"]],[["1"]],["1"]]', "x" * 5000,
     '[["a"],[[]],[["1"]],[]]'],
)  # fmt: skip
def test_a_link_without_a_table_says_so(text):
    app = open_page(LOOKUP, table=text)
    assert len(problems(app)) == 1
    assert app.session_state["lookup.table"] == table_cells.usual()


CELLS = some.text(max_size=6)


@settings(max_examples=60, deadline=None)
@given(data=some.data())
def test_a_link_holds_whatever_was_typed(data):
    rows, key, value = (data.draw(some.integers(1, 3)) for _ in range(3))

    def row(width: int) -> tuple[str, ...]:
        return tuple(data.draw(some.lists(CELLS, min_size=width, max_size=width)))

    table = Table(
        row(rows),
        tuple(row(key) for _ in range(rows)),
        tuple(row(value) for _ in range(rows)),
        row(key),
    )
    written = TableLink().write(table)
    assert written is not None
    assert TableLink().read("table", written) == table


TEMPERATURES = {"0": "0.001", "inf": "inf", "nan": "nan", "-1": "0.001", "1e9": "1,000",
                "": '""', "x": "x"}  # fmt: skip


def test_a_temperature_that_is_refused_gets_one_sentence_and_stays():
    app = open_page(LOOKUP)
    for text, said in TEMPERATURES.items():
        type_in(app, "temperature", text)
        assert len(problems(app)) == 1, text
        assert said in problems(app)[0].replace("\\", ""), text
        assert charts(app) >= 1
        assert as_typed(field(app, "temperature").value) == as_typed(text)


def test_both_ends_of_the_temperature_are_those_of_hard_lookup_and_of_the_mean():
    app = open_page(LOOKUP, similarity="dot")
    values = [float(cell) for (cell,) in app.session_state["lookup.table"].values]
    app.select_slider(key="lookup.temperature.slider").set_value(LEAST_TEMPERATURE).run()
    soft = metric(app, "Output, soft")
    assert f"hard: {soft.value}" == soft.delta
    assert field(app, "temperature").value == "0.001"
    app.select_slider(key="lookup.temperature.slider").set_value(MOST_TEMPERATURE).run()
    assert float(metric(app, "Output, soft").value) == pytest.approx(
        sum(values) / len(values), abs=0.02
    )
    app.button(key="lookup.temperature.root").click().run()
    assert last(app, "lookup").temperature == math.sqrt(2)


def test_a_table_that_comes_back_from_an_address_is_shown_and_kept_whole():
    """The editors of the table before it would mix their cells with it."""
    app = open_page(LOOKUP)
    for name, sizes in (("key", (3, 4, 1)), ("rows", (3, 6)), ("value", (2, 1))):
        for size in sizes:
            before = dict(address_of(app)), app.session_state["lookup.table"]
            app.number_input(key=f"lookup.size.{name}").set_value(size).run()
            app.query_params.clear()
            app.query_params.update(before[0] or {"table": TableLink().write(before[1]) or ""})
            with patch.object(address, "_from_history", lambda: True):
                app.run()
            assert app.session_state["lookup.table"] == before[1], (name, size)
            app.run()
            assert app.session_state["lookup.table"] == before[1], "the editors show it too"
            app.number_input(key=f"lookup.size.{name}").set_value(size).run()


@pytest.mark.parametrize("name", ["$x$ **b**", "`c` _d_ ~e~", "<b>q</b> |", ":red[x] #h", "a&lt;"])
def test_names_are_no_markdown(name):
    table = link_of([name, "b"], [[1, 0], [0, 1]], [[1], [2]], [2, 0])
    app = open_page(LOOKUP, table=table)
    app_similar = open_page(LOOKUP, table=table, tab="similarity")
    kinds = ("markdown", "caption")
    shown = [str(each.value) for page in (app, app_similar) for kind in kinds
             for each in elements(page, kind)]  # fmt: skip
    shown += [str(each.delta) for each in app_similar.metric]
    assert sum(inline(name) in text for text in shown) >= 4, "sentences, notes and a number"
    for text in shown:
        assert name not in text.replace(inline(name), ""), text


def test_a_vector_of_zeros_has_no_cosine():
    keys, values = [[1, 0], [0, 2]], [[1], [2]]
    zero = link_of(["a", "b"], keys, values, [0, 0])
    app = open_page(LOOKUP, table=zero)
    assert problems(app) == [], "the dot product does not mind"
    app = open_page(LOOKUP, table=zero, similarity="cosine")
    assert len(problems(app)) == 1
    app = open_page(LOOKUP, table=zero, tab="similarity")
    assert problems(app) == []
    assert metric(app, "Angle").value == "–"


def test_a_query_is_turned_and_stretched():
    app = open_page(LOOKUP, tab="similarity")
    app.slider(key="lookup.length").set_value(2.0).run()
    app.slider(key="lookup.angle").set_value(90).run()
    assert app.session_state["lookup.table"].query == ("0", "2")
    assert problems(app) == []
    assert app.slider(key="lookup.angle").value == 90
    again = open_page(LOOKUP, **address_of(app))
    assert last(again, "lookup") == last(app, "lookup")


def test_a_query_that_is_wider_than_the_plane_has_no_sliders():
    app = open_page(LOOKUP, tab="similarity")
    two = charts(app)
    app.number_input(key="lookup.size.key").set_value(3).run()
    assert problems(app) == []
    assert charts(app) == two - 1, "there is no plane to draw"
    assert not [each for each in app.slider if each.key == "lookup.angle"]


# The other tabs ------------------------------------------------------------------------------

OTHER = {"temperature": 2.5, "roles_T": 8, "roles_d_model": 16, "roles_d_k": 8, "draws": 30,
         "seed": 7, "d_k": 3, "T": 5, "Ts": "8, 32", "d_ks": "2, 8", "cost_T": 16,
         "cost_d_k": 4, "repeats": 3}  # fmt: skip


@pytest.mark.parametrize("tab", ["lookup", "similarity", "roles", "axes", "cost"])
def test_every_field_of_a_tab_changes_what_it_shows_and_stands_in_its_link(tab):
    app = open_page(LOOKUP, tab=tab, source="random", similarity="additive", **QUICK)
    names = [str(each.key).removeprefix("lookup.").removesuffix("@field")
             for each in (*app.text_input, *app.text_area)]  # fmt: skip
    assert set(names) <= set(OTHER)
    for name in names:
        before = chosen(app, tab)
        type_in(app, name, OTHER[name], kind_of(name))
        assert problems(app) == [], name
        assert chosen(app, tab) != before, name
    again = open_page(LOOKUP, **address_of(app))
    assert chosen(again, tab) == chosen(app, tab)
    if tab != "cost":
        assert untimed(again) == untimed(app)


def kind_of(name: str) -> str:
    """Return which widget a choice has."""
    return "text_area" if name in ("Ts", "d_ks") else "text_input"


def chosen(app: AppTest, tab: str) -> Any:
    """Return the parameters that a tab shows, or of the tab that measures, what it is asked."""
    if tab == "cost":
        names = ("Ts", "d_ks", "cost_T", "cost_d_k", "repeats", "seed")
        return [app.session_state[f"lookup.{name}"] for name in names]
    return last(app, "lookup" if tab == "similarity" else tab)


REFUSED = {
    ("roles", "roles_T"): ("0", "65", "x", ""),
    ("roles", "roles_d_k"): ("0", "257"),
    ("roles", "draws"): ("1", "1001", "2.5"),
    ("roles", "seed"): ("-1", "x"),
    ("axes", "T"): ("1", "25", "x"),
    ("axes", "d_k"): ("0", "65"),
    ("cost", "Ts"): ("", "x", "0", "1e9", "100000000"),
    ("cost", "d_ks"): ("", "0", "8, x"),
    ("cost", "repeats"): ("0", "x", ""),
}


@pytest.mark.parametrize("tab", ["roles", "axes", "cost"])
def test_a_value_that_is_refused_gets_one_sentence_and_stays(tab):
    app = open_page(LOOKUP, tab=tab, source="random", **QUICK)
    for name in (name for each, name in REFUSED if each == tab):
        kind = kind_of(name)
        usual = field(app, name, kind).value
        for text in REFUSED[tab, name]:
            type_in(app, name, text, kind)
            assert len(problems(app)) == 1, (name, text)
            assert charts(app) >= 1, "the last result stays"
            assert as_typed(field(app, name, kind).value) == as_typed(text), "nothing is lost"
            if tab == "cost":
                assert app.button(key=f"{cost_tab.WORK}.start").disabled
        type_in(app, name, usual, kind)
        assert problems(app) == [], name


def test_what_is_measured_is_kept_for_other_sessions():
    app = open_page(LOOKUP, tab="cost", **QUICK)
    assert charts(app) == 2
    other = open_page(LOOKUP, tab="cost", **QUICK)
    assert [each.value for each in other.metric] == [each.value for each in app.metric]
