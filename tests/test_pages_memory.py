"""The page on memory through the frame, in both languages, as a person would use its widgets."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine.backends.machine_memory import machine_bytes
from engine.backends.measuring import MEASURING
from engine.experiments.memory.measured import MeasuredParams, run
from engine.experiments.memory.predicted import Params
from engine.experiments.memory.presets import PRESETS
from engine.experiments.memory.saved import to_json
from pages.gallery.claim_results import results_of
from pages.gallery.memory_measured import CHUNKED, SWEPT
from pages.gallery.memory_measured import MEASURED as MEASURED_RUNS
from pages.text import LANGUAGES
from pages.ui.memory import heads_tab, loaded_runs, measured_tab, state
from tests.conftest import require_backend
from tests.interrupting import interrupt_after
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    MEMORY,
    PAGES,
    address_of,
    charts,
    elements,
    english_sentences,
    open_page,
    problems,
    text_of,
    untimed,
    words,
)

# Measurements that cost next to nothing.
QUICK = {"lengths": "8, 16, 32, 64", "head_sizes": "4, 6", "swept_T": "16",
         "measured_heads": "2", "measured_d_k": "4", "repeats": "1"}  # fmt: skip
MEASURED, HEADS = measured_tab.WORK, heads_tab.WORK
GIB = 2**30


@pytest.fixture(autouse=True)
def navigation_has_run() -> Iterator[None]:
    MEASURED_RUNS.clear()
    SWEPT.clear()
    with after_the_first_visit():
        yield


def metric(app: AppTest, label: str) -> str:
    """Return a measured number of the page."""
    return next(str(each.value) for each in app.metric if each.label == label)


def field(app: AppTest, name: str, kind: str = "text_input") -> Any:
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"memory.{name}@field")


def type_in(app: AppTest, name: str, text: object, kind: str = "text_input") -> AppTest:
    """Type text into a field."""
    return field(app, name, kind).set_value(str(text)).run()


def shown(app: AppTest) -> Params:
    """Return the parameters whose prediction is shown."""
    params: Params = app.session_state["computed.last"][f"{state.PAGE}.predicted"]
    return params


def found(app: AppTest, work: str = MEASURED) -> Any:
    """Return the newest result of a measurement."""
    return app.session_state["later.works"][work].found


def start(app: AppTest, work: str = MEASURED) -> AppTest:
    return app.button(key=f"{work}.start").click().run()


# Every tab ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(MEMORY, lang=language, backend=backend, **QUICK)
    for tab in state.TABS:
        app.segmented_control(key=f"memory.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) >= 3, tab
        if language == "zh":
            assert english_sentences(app) == [], tab


def test_a_tab_shows_its_own_controls_and_no_others():
    fields = {"bytes": "block", "measured": "measured_d_k", "heads": "swept_T"}
    for tab, name in fields.items():
        app = open_page(MEMORY, tab=tab, **QUICK)
        keys = {each.key for each in app.text_input}
        every = {f"memory.{each}@field" for each in fields.values()}
        assert every & keys == {f"memory.{name}@field"}


# Predictions ---------------------------------------------------------------------------------


def test_the_default_numbers_are_those_of_a_calculation_by_hand():
    app = open_page(MEMORY)
    queries, keys = 32 * 8192 * 128 * 2, 8 * 8192 * 128 * 2  # bytes, bfloat16
    cache = 2 * 32 * keys
    (below,) = [str(each.delta) for each in app.metric if each.label == "Fused"]
    assert below == f"KV cache: {cache // GIB} GiB" == "KV cache: 1 GiB"
    fused = 2 * queries + cache
    matrices = 2 * 32 * 8192**2 * 2
    assert metric(app, "Fused") == f"{fused / GIB:.3g} GiB"
    assert metric(app, "Materialised") == f"{(fused + matrices) / GIB:.3g} GiB"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_model_brings_its_own_shape(preset):
    app = open_page(MEMORY)
    box = app.selectbox(key="memory.preset@en")
    assert box.value == "llama-3-8b"
    box.set_value(preset.name).run()
    assert shown(app).shape == preset.shape
    assert (shown(app).T, shown(app).cache) == (preset.T, preset.decoder)
    assert app.selectbox(key="memory.preset@en").value == preset.name, "BERT is not GPT-2"
    again = open_page(MEMORY, **address_of(app))
    assert shown(again) == shown(app)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_source_of_a_model_is_a_line_with_its_address(language):
    app = open_page(MEMORY, lang=language)
    for preset in PRESETS:
        app.selectbox(key=f"memory.preset@{language}").set_value(preset.name).run()
        (line,) = [each.value for each in app.caption if preset.address in each.value]
        assert f"[{preset.source}]({preset.address})" in line
    type_in(app, "layers", 33)
    assert not any("https://" in each.value for each in app.caption)


def test_bytes_of_several_devices_are_named_as_those_of_each():
    app = open_page(MEMORY, devices="8")
    labels = [each.label for each in app.metric]
    assert labels[:2] == ["Materialised, each device", "Fused, each device"]
    assert labels[2:] == ["Materialised, largest T", "Fused, largest T"]
    assert [str(each.delta) for each in app.metric][2:] == ["on 8 devices of 24 GiB"] * 2


def test_a_shape_of_the_readers_own_is_named_so():
    app = open_page(MEMORY)
    type_in(app, "layers", 33)
    assert app.selectbox(key="memory.preset@en").value == "own"
    assert shown(app).layers == 33
    type_in(app, "layers", 32)
    assert app.selectbox(key="memory.preset@en").value == "llama-3-8b"


def test_a_budget_of_nothing_is_this_machine():
    app = open_page(MEMORY, tab="fits", budget="0")
    assert any("this machine" in str(each.delta) for each in app.metric)
    one, other = (
        open_page(MEMORY, tab="fits", budget=repr(budget))
        for budget in (0.0, machine_bytes() / GIB)
    )
    assert [each.value for each in one.metric] == [each.value for each in other.metric]


def test_lists_of_budgets_are_one_click_away():
    app = open_page(MEMORY)
    for title in ("Macs", "GPUs"):
        app.button(key=f"memory.budgets.{title}").click().run()
        assert problems(app) == []
        assert len(shown(app).budgets) == {"Macs": 8, "GPUs": 3}[title]


OTHER = {"T": 999, "batch": 3, "block": 64, "window": 100, "budget": 3, "devices": 4,
         "budgets": "1, 2", "layers": 3, "heads": 16, "kv_heads": 4, "d_k": 48,
         "d_model": 640, "d_ff": 100}  # fmt: skip


@pytest.mark.parametrize("tab", ["bytes", "fits", "work"])
def test_every_control_of_a_tab_changes_what_it_shows(tab):
    usual = open_page(MEMORY, tab=tab)
    fields = [str(each.key).removeprefix("memory.").removesuffix("@field")
              for each in usual.text_input]  # fmt: skip
    assert set(fields) <= set(OTHER)
    for name in fields:
        app = open_page(MEMORY, tab=tab)
        type_in(app, name, OTHER[name])
        assert problems(app) == []
        assert drawn(app) != drawn(usual), name
    for toggle in usual.toggle:
        app = open_page(MEMORY, tab=tab)
        app.toggle(key=str(toggle.key)).set_value(not toggle.value).run()
        assert drawn(app) != drawn(usual), toggle.label


def drawn(app: AppTest) -> list[str]:
    """Return the figures and the numbers of a page."""
    specs = [str(each.proto.spec) for each in elements(app, "vega_lite_chart")]
    return [*specs, *(str(each.value) for each in app.metric)]


def test_the_trap_is_one_click_away():
    app = open_page(MEMORY, T="5", dtype="float16")
    app.button(key="memory.trap").click().run()
    assert "training keeps those of 96 heads × 96 layers: 144 GiB" in text_of(app)


# What cannot be predicted ----------------------------------------------------------------------

REFUSED = [
    ("T", 0, "T must be a whole number of tokens from 1 to"),
    ("T", 10**12, "T must be a whole number of tokens from 1 to"),
    ("T", "", "T must be a whole number of tokens"),
    ("T", "many", "T must be a whole number of tokens"),
    ("kv_heads", 5, "KV heads must divide the number of heads: `5` does not divide `32`"),
    ("heads", 0, "The number of heads must be a whole number from 1"),
    ("layers", 2.5, "The number of layers must be a whole number from 1"),
    ("batch", -1, "The batch size must be"),
    ("d_k", 10**6, "d_k"),
    ("d_ff", -1, "d_ff"),
    ("block", 0, "The block size must be"),
    ("window", 0, "The window must be"),
    ("budget", -1, "The budget must be a number of GiB"),
    ("budgets", "24, -80", "Each budget must be a number of GiB"),
    ("budgets", "0", "Each budget must be a number of GiB"),
    ("budgets", "", "1 to"),
    ("budgets", "1 2 3 4 5 6 7 8 9", "1 to"),
    ("budgets", "24 GB", "such as 16, 24, 80, has numbers only"),
    ("devices", 0, "The number of devices must be"),
    ("devices", 10**9, "The number of devices must be"),
]


@pytest.mark.parametrize(("name", "value", "said"), REFUSED)
def test_what_cannot_be_predicted_is_refused_once_and_nothing_is_lost(name, value, said):
    app = open_page(MEMORY, T="100")
    before = charts(app)
    type_in(app, name, value)
    (refusal,) = problems(app)
    assert said.replace("`", "") in refusal.replace("\\", "").replace("`", "").replace("$", "")
    assert len(refusal) < 300
    assert charts(app) == before
    assert shown(app).T == 100
    kept = field(app, name).value
    assert kept.replace(",", "") == str(value).replace(",", "")
    app.segmented_control(key="memory.tab@en").set_value("work").run()
    assert len(problems(app)) == 1
    assert field(app, "T").value in (kept, "100")


def test_a_link_to_what_is_refused_refuses_it_and_shows_the_usual_view():
    app = open_page(MEMORY)
    type_in(app, "T", 10**12)
    (refusal,) = problems(open_page(MEMORY, **address_of(app)))
    assert "The address asks for T" in refusal


@pytest.mark.parametrize("tab", state.TABS)
def test_a_field_that_the_browser_has_thrown_away_is_drawn_with_its_value(tab):
    """It may have been spoken of in the browser's last message all the same."""
    app = open_page(MEMORY, tab=tab, **QUICK).run()
    fields = [*app.text_input, *app.text_area]
    assert len(fields) > 2
    for each in fields:
        assert each.proto.set_value or each.proto.default == each.value, each.key


# Measurements -----------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_the_first_visit_measures_by_itself_and_names_the_device(backend):
    require_backend(backend)
    app = open_page(MEMORY, tab="measured", backend=backend, **QUICK)
    result = found(app)
    assert result.done
    assert result.backend_name == backend
    assert [point.T for point in result.of("attend")] == [8, 16, 32, 64]
    assert charts(app) >= 3
    assert result.machine.device in text_of(app)


def test_a_measurement_of_another_session_is_shown_and_not_repeated():
    before = found(open_page(MEMORY, tab="measured", **QUICK))
    assert found(open_page(MEMORY, tab="measured", **QUICK)) is before


def test_other_values_wait_for_the_start():
    app = open_page(MEMORY, tab="measured", **QUICK)
    type_in(app, "measured_d_k", 5)
    assert "Start measures with those chosen now" in text_of(app)
    assert found(app).params.d_k == 4
    start(app)
    assert found(app).params.d_k == 5
    assert "Start measures with those chosen now" not in text_of(app)


def test_stopping_keeps_the_points_so_far(monkeypatch):
    app = open_page(MEMORY, tab="measured", **QUICK)
    type_in(app, "measured_d_k", 5)
    interrupt_after(monkeypatch, results=3)
    start(app)
    monkeypatch.undo()
    app.button(key=f"{MEASURED}.stop").click().run()
    result = found(app)
    assert (result.params.d_k, len(result.points), result.done) == (5, 3, False)
    assert problems(app) == []
    assert charts(app) >= 2


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Ts", "0, 8", "T must be a whole number from 1"),
        ("Ts", "", "There must be 1 to"),
        ("Ts", "131073", "T must be a whole number from 1"),
        ("Ts", "1000000000", "at most 9 digits"),
        ("Ts", "8, many", "whole numbers only"),
        ("measured_heads", 0, "heads must be a whole number from 1"),
        ("measured_d_k", 100_000, "must be a whole number from 1"),
        ("measured_batch", "two", "The batch size must be a whole number from 1"),
        ("repeats", 0, "repeats must be a whole number from 1"),
        ("seed", -1, "seed must be a whole number from 0"),
    ],
)
def test_what_cannot_be_measured_is_refused_and_cannot_be_started(name, value, said):
    app = open_page(MEMORY, tab="measured", **QUICK)
    before = charts(app)
    type_in(app, name, value, "text_area" if name == "Ts" else "text_input")
    (refusal,) = problems(app)
    assert said in refusal.replace("`", "").replace("\\", "")
    assert charts(app) == before
    assert app.button(key=f"{MEASURED}.start").disabled


# Runs of other machines ---------------------------------------------------------------------------


def load(app: AppTest, data: bytes) -> AppTest:
    app.file_uploader(key=loaded_runs._FILE).upload("run.json", data, "application/json")
    return app.run()


def another_run() -> Any:
    result = run(MeasuredParams(Ts=(8, 16, 32), heads=1, d_k=4, repeats=1), backend="numpy")
    return replace(result, machine=replace(result.machine, device="Apple M9 Ultra"))


def test_a_saved_run_of_another_machine_is_drawn_beside_this_one():
    app = open_page(MEMORY, tab="measured", **QUICK)
    load(app, to_json(another_run()).encode())
    assert problems(app) == []
    assert "Apple M9 Ultra" in text_of(app)
    specs = [json.dumps(json.loads(e.proto.spec)) for e in elements(app, "vega_lite_chart")]
    assert any("Apple M9 Ultra" in spec for spec in specs)
    app.button(key=f"{loaded_runs._RUNS}.0").click().run()
    assert "Apple M9 Ultra" not in text_of(app)


def test_a_loaded_run_is_numbered_and_asks_the_page_for_nothing():
    app = open_page(MEMORY, tab="measured", **QUICK)
    load(app, to_json(another_run()).encode())
    assert "**run 1** · Apple M9 Ultra" in text_of(app)
    run_ = another_run()
    hostile = replace(run_.machine, device="![i](http://evil.example/i.png)")
    load(app, to_json(replace(run_, machine=hostile)).encode())
    (refusal,) = problems(app)
    assert "it must be a name" in refusal
    assert not any("![i](" in text for text in words(app))


@pytest.mark.parametrize(("tab", "said"), [
    ("measured", "8 points were refused: T = 8, 16, 32, 64 of the formula; T = 8, 16, 32, 64 of"),
    ("heads", "2 points were refused"),
])  # fmt: skip
def test_refusals_are_a_line_above_and_in_full_below(monkeypatch, tab, said):
    monkeypatch.setattr("engine.backends.numpy_backend.NumpyBackend.free_bytes", lambda _: 1)
    app = open_page(MEMORY, tab=tab, **(QUICK | {"seed": "77"}))
    assert problems(app) == []
    assert said in text_of(app)
    below = [text for text in words(app) if text.startswith("Refused, ")]
    assert len(below) == (2 if tab == "measured" else 1)
    assert "So were" in below[0] or "So was" in below[0]


BAD_FILES = {
    "of another program": b'{"program": "another", "points": []}',
    "no JSON": b"\x00\x01PK",
    "a list": b"[1, 2]",
    "empty": b"",
    "huge": b'{"a": "' + b"x" * 2_000_000 + b'"}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_run_is_refused_in_one_sentence(data):
    app = open_page(MEMORY, tab="measured", **QUICK)
    before = charts(app)
    load(app, data)
    (refusal,) = problems(app)
    assert len(refusal) < 400
    assert charts(app) == before


# Claims ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_the_claims_are_decided_by_numbers(backend):
    require_backend(backend)
    app = open_page(MEMORY, tab="measured", backend=backend, **QUICK)
    counted, chunked = [text for text in words(app) if text.startswith("**“")]
    assert "1,000² = 1,000,000 and 10,000² = 100,000,000" in counted
    assert "has not run yet" in counted
    assert "which is rounding" in chunked


# The address -------------------------------------------------------------------------------------

LINKS = [
    {"T": "12345", "batch": "3", "dtype": "float16", "use": "training", "window": "99"},
    {"tab": "fits", "budgets": "1.5, 80", "budget": "0.25", "devices": "16", "weights": "on"},
    {"tab": "work", "layers": "3", "heads": "6", "kv_heads": "2", "d_k": "7", "d_model": "42",
     "d_ff": "0", "gated": "off"},
    {"cache": "off", "block": "64"},
    {"tab": "measured", "causal": "on", "seed": "5", "measured_dtype": "float16", **QUICK},
    {"tab": "heads", "measured_batch": "2", **QUICK},
]  # fmt: skip


def test_the_usual_view_has_a_short_address():
    assert set(address_of(open_page(MEMORY))) <= {"lang"}


@pytest.mark.parametrize("address", LINKS, ids=str)
def test_a_link_reproduces_a_view(address):
    app = open_page(MEMORY, **address)
    assert problems(app) == []
    assert address_of(app) == address
    again = open_page(MEMORY, **address_of(app))
    if address.get("tab") not in ("measured", "heads"):
        assert untimed(again) == untimed(app)


@pytest.mark.parametrize("value", ["0", "1000000000000", "-3", "x", "1e3", ""])
def test_an_address_with_a_bad_number_says_so_and_shows_the_usual(value):
    app = open_page(MEMORY, T=value)
    (refusal,) = problems(app)
    assert "The address asks for T" in refusal
    assert shown(app).T == Params().T


def test_the_overview_leads_to_the_144_gib():
    app = open_page(PAGES["overview"])
    (way,) = [link for link in elements(app, "page_link") if "144 GiB" in link.label]
    assert "memory" in str(way.proto.page)
    address = dict(part.split("=") for part in way.proto.query_string.split("&"))
    there = open_page(MEMORY, **address)
    assert problems(there) == []
    assert "training keeps those of 96 heads × 96 layers: 144 GiB" in text_of(there)


def test_a_claim_waits_while_another_measurement_has_its_turn():
    results_of.cache_clear()
    CHUNKED.clear()
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with MEASURING:
            held.set()
            done.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    held.wait(10)
    try:
        app = open_page(MEMORY)
        app.session_state["memory.checked.others"] = True
        app.run()
        assert problems(app) == []
        assert "It is measured here once no other measurement has its turn" in text_of(app)
    finally:
        done.set()
        other.join()
    app.run()
    assert "which is rounding" in text_of(app)


# The status line -------------------------------------------------------------------------------


def test_the_status_line_names_the_precision_of_what_is_shown():
    wanted = {"bytes": "whole numbers", "measured": "float16", "heads": "float16"}
    for tab, precision in wanted.items():
        app = open_page(MEMORY, tab=tab, measured_dtype="float16", **QUICK)
        (line,) = [text for text in words(app) if text.startswith("NumPy ·")]
        assert precision in line


def test_the_limits_that_an_address_names_are_exact():
    app = open_page(MEMORY, budget="-1")
    (refusal,) = problems(app)
    assert "1,048,576" in refusal.replace("\\", "")
