"""The page of the square root of d_k, in both languages, as a person would use its widgets."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from engine import EngineError
from engine.experiments.scaling.trainable import RATES as TRIED
from engine.experiments.scaling.variance import Params
from pages.gallery.scaling_head import SWEPT
from pages.text import LANGUAGES
from pages.ui import choice_fields, later, link_fields, number_lists
from pages.ui.scaling import state
from tests.conftest import require_backend
from tests.interrupting import interrupt_after
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    PAGES,
    SCALING,
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

# A training that costs next to nothing.
SMALL = {"trained_d_k": "8", "pairs": "4", "steps": "30", "seeds": "1, 2"}
TRAINING, RATES = "sqrt-dk.training", "sqrt-dk.rates"
WAYS = ("unscaled", "scaled")
SURE = 0.051  # of a loss of one seed, which has two digits


@pytest.fixture(autouse=True)
def navigation_has_run():
    SWEPT.clear()
    with after_the_first_visit():
        yield


def metric(app: AppTest, label: str) -> str:
    """Return a measured number of the page."""
    return next(str(each.value) for each in app.metric if each.label.replace("$", "") == label)


def below(app: AppTest, label: str) -> str:
    """Return what stands below a measured number."""
    return next(str(each.delta) for each in app.metric if each.label.replace("$", "") == label)


def assert_losses(app: AppTest, result: Any, steps: int) -> None:
    """Check the losses shown: the means over the last steps and the seeds, and their spread."""
    for scaled, way in enumerate(WAYS):
        losses = [run.loss[-steps:].mean() for run in result.of(bool(scaled))]
        spread = max(losses) - min(losses)
        name = f"Loss, {way}"
        assert float(metric(app, name)) == pytest.approx(np.mean(losses), abs=0.05 * spread)
        ends = [float(text) for text in below(app, name).split("–")]
        assert ends == pytest.approx([min(losses), max(losses)], abs=0.05 * spread)


def field(app: AppTest, kind: str, name: str) -> Any:
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"scaling.{name}@field")


def type_in(app: AppTest, name: str, text: object) -> AppTest:
    """Type a number into its field."""
    return field(app, "text_input", name).set_value(str(text)).run()


def shown(app: AppTest, tab: str = "variance") -> Any:
    """Return the parameters whose result a tab shows."""
    return app.session_state["computed.last"][f"sqrt-dk.{tab}"]


def found(app: AppTest, work: str = TRAINING) -> Any:
    """Return the newest result of a long work."""
    return app.session_state["later.works"][work].found


def goes_on(app: AppTest) -> bool:
    return bool(app.session_state["later.works"][TRAINING].goes_on)


def press(app: AppTest, name: str) -> AppTest:
    return app.button(key=f"scaling.{name}").click().run()


def start(app: AppTest, work: str) -> AppTest:
    return app.button(key=f"sqrt-dk.{work}.start").click().run()


# Every tab ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(SCALING, lang=language, backend=backend, **SMALL)
    for tab in state.TABS:
        app.segmented_control(key=f"scaling.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) == (5 if tab == "training" else 3), tab
        if language == "zh":
            assert english_sentences(app) == [], tab


def test_a_tab_shows_its_own_controls_and_no_others():
    fields = {"variance": "sigma", "saturation": "exponent", "training": "rate"}
    for tab, name in fields.items():
        app = open_page(SCALING, tab=tab)
        keys = {each.key for each in app.text_input}
        assert {f"scaling.{each}@field" for each in fields.values()} & keys == {
            f"scaling.{name}@field"
        }


# Numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_the_law_of_the_square_root_holds_within_its_error(backend):
    require_backend(backend)
    app = open_page(SCALING, backend=backend, d_k="4 16 64", samples="20000", seed="3")
    assert abs(float(metric(app, "Measured exponent")) - 0.5) < 0.01
    assert abs(float(metric(app, "Deviation, scaled")) - 1) < 4 / math.sqrt(2 * 20_000)
    assert "at d_k" not in text_of(app)  # set as a formula
    assert r"at $d_k$ = 64 is" in text_of(app)


def test_a_broken_assumption_is_told_by_what_is_derived_for_it():
    app = open_page(SCALING, d_k="1, 100", sigma="2")
    assert "4.000 after the division" in text_of(app)  # sigma squared
    app = open_page(SCALING, d_k="1, 100", correlation="0.5")
    expected = math.sqrt(1 + 99 * 0.25)  # of d_k (1 + (d_k - 1) r^2), divided by d_k
    assert f"but {expected:.3f} at" in text_of(app)
    assert "no simple law" in text_of(app)
    app = open_page(SCALING, d_k="64")
    assert "shows no growth" in text_of(app)
    assert metric(app, "Measured exponent") == "–"


def test_the_distribution_is_shown_at_the_width_that_is_chosen():
    app = open_page(SCALING, d_k="4, 16, 25")
    assert r"$\sqrt{16}$ = 4" in text_of(app)
    field(app, "selectbox", "width").set_value(25).run()
    assert r"$\sqrt{25}$ = 5" in text_of(app)
    assert address_of(app)["width"] == "25"
    field(app, "text_area", "d_ks").set_value("2, 9").run()
    assert r"$\sqrt{9}$ = 3" in text_of(app), "a width that is gone gives way"


def test_the_pair_is_the_one_anyone_can_check():
    app = open_page(SCALING, tab="saturation")
    assert "softmax(5, 4) = (0.73106, 0.26894)" in text_of(app)
    press(app, "pair.50")
    assert "softmax(50, 40) = (0.9999546, 0.0000454)" in text_of(app)
    field(app, "select_slider", "temperature").set_value(10.0).run()
    assert "softmax(50/10, 40/10) = (0.73106, 0.26894)" in text_of(app)


def test_a_row_of_two_keys_saturates_as_two_normal_scores_do():
    app = open_page(SCALING, tab="saturation", keys="2", queries="4000", d_k="256")
    found = float(metric(app, "Largest weight").split(" | ")[1])
    # Two scaled scores differ by a normal number of variance 2, nearly.
    apart = np.abs(np.random.default_rng(0).normal(0, math.sqrt(2), 200_000))
    assert abs(found - (1 / (1 + np.exp(-apart))).mean()) < 0.02


def test_the_gradient_is_larger_without_the_division_and_the_page_says_so():
    app = open_page(SCALING, tab="gradient")
    unscaled, scaled = map(float, metric(app, "Gradient of W_Q").split(" | "))
    assert unscaled > 2 * scaled
    times = float(metric(app, "Ratio for W_Q").split()[0])
    assert math.isclose(times, unscaled / scaled, rel_tol=0.05)  # of numbers with two decimals
    assert "A vanishing gradient is not the whole truth" in text_of(app)
    norms = [float(each) for each in metric(app, "Jacobian norm").split(" | ")]
    assert norms[0] < 0.5 * norms[1]
    app.selectbox(key="scaling.reached@en").set_value("vectors").run()
    assert address_of(app)["gradient_of"] == "vectors"


# Claims ------------------------------------------------------------------------------------


def test_claims_of_other_tabs_are_measured_once_they_are_unfolded():
    app = open_page(SCALING)
    assert [text[:20] for text in words(app) if text.startswith("**“")] == ["**“The variance of q"]
    app.session_state["scaling.checked.others"] = True
    app.run()
    lines = [text for text in words(app) if text.startswith("**“")]
    assert len(lines) == 5
    assert "(0.73106, 0.26894) and (0.9999546, 0.0000454)" in lines[1]
    assert "mean largest weight 0." in lines[2]
    assert "guessing has 2.773" in lines[4]  # ln 16


CLAIMS = {
    1: {},
    2: {"tab": "saturation", "first": "50.0", "second": "40.0"},
    3: {"tab": "saturation"},
    4: {"tab": "gradient"},
    5: {"tab": "training"},
}


@pytest.mark.parametrize(("claim", "address"), CLAIMS.items())
def test_a_claim_leads_to_the_view_that_its_numbers_are_of(claim, address):
    chosen = {"d_k": "2, 4", "sigma": "2", "keys": "4", "head_d_k": "4", "steps": "9", "seed": "5"}
    app = open_page(SCALING, tab=address.get("tab", "variance"), **chosen)
    press(app, f"checked.{claim}")
    assert problems(app) == []
    found = address_of(app)
    assert found | address == found
    gone = {1: ("d_k", "sigma", "seed"), 3: ("d_k", "keys", "seed"), 4: ("head_d_k",),
            5: ("steps",)}.get(claim, ())  # fmt: skip
    assert not set(gone) & set(found)


# Training ----------------------------------------------------------------------------------


def test_the_usual_training_is_shown_from_the_start_and_decides_its_claim():
    app = open_page(SCALING, tab="training")
    unscaled, scaled = (float(metric(app, f"Accuracy, {way}").strip(">")) for way in WAYS)
    assert scaled > 0.9 > 0.3 > unscaled
    assert metric(app, "Guessing") == f"{math.log(16):.3f}"
    assert "later.works" not in app.session_state or not app.session_state["later.works"]
    line = next(text for text in words(app) if text.startswith("**“So without"))
    spread, other = below(app, "Accuracy, unscaled"), below(app, "Accuracy, scaled")
    wanted = other or metric(app, "Accuracy, scaled")
    assert f"the accuracy is {spread} without the division and {wanted} with it" in line
    least, most = map(float, spread.split("–"))
    assert least < unscaled < most, "a spread over the seeds"
    assert "In this task it does, within 300 steps" in line


def test_a_claim_says_on_which_backends_its_numbers_were_found_where_they_differ():
    require_backend("mlx")
    for backend, said in (("numpy", False), ("mlx", True)):
        app = open_page(SCALING, tab="training", backend=backend)
        line = next(text for text in words(app) if text.startswith("**“So without"))
        assert ("Trained with NumPy; the gradient at the start is from MLX." in line) == said


def test_a_training_is_started_and_shown_with_its_own_values():
    app = open_page(SCALING, tab="training", **SMALL)
    assert "Start trains with those chosen now" in text_of(app)
    start(app, "training")
    assert problems(app) == []
    result = found(app)
    assert result.finished
    assert (result.params.d_k, result.params.steps, result.params.seeds) == (8, 30, (1, 2))
    assert metric(app, "Guessing") == f"{math.log(4):.3f}"
    assert "Start trains with those chosen now" not in text_of(app)
    assert [each.key for each in app.button if "start" in str(each.key)]
    assert_losses(app, result, steps=3)


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
def test_a_rate_that_diverges_is_shown_as_diverged(optimiser, backend):
    require_backend(backend)
    app = open_page(SCALING, tab="training", backend=backend, **SMALL, optimiser=optimiser)
    type_in(app, "rate", "1e9")
    assert field(app, "text_input", "rate").value == "1,000,000,000"
    start(app, "training")
    assert problems(app) == []
    for way in WAYS:
        assert metric(app, f"Loss, {way}") == metric(app, f"Accuracy, {way}") == "diverged"
        assert below(app, f"Loss, {way}") == "", "no number that rests on anything"
    assert "nan" not in text_of(app).lower().replace("nan rows", "")
    assert charts(app) == 2


def test_stopping_keeps_what_was_done_and_stopping_twice_is_harmless(monkeypatch):
    """A run that is interrupted leaves the newest result and the work to go on with."""
    app = open_page(SCALING, tab="training", **SMALL)
    interrupted = interrupt_after(monkeypatch, results=1)
    start(app, "training")
    assert interrupted == [True]
    assert len(found(app).runs[0].steps) == 25
    stop = app.button(key="sqrt-dk.training.stop")
    monkeypatch.undo()
    stop.click()
    app.run()
    result = found(app)
    assert not result.finished
    assert len(result.runs[0].steps) == 25
    assert "Stopped after step 25 of 30" in text_of(app)
    assert not goes_on(app)
    app.session_state["later.works"][TRAINING].stop()
    app.run()
    assert found(app) is result


@pytest.mark.parametrize("leave", ["tab", "page"])
def test_leaving_ends_a_training_and_keeps_what_was_done(monkeypatch, leave):
    app = open_page(SCALING, tab="training", **SMALL)
    interrupt_after(monkeypatch, results=1)
    start(app, "training")
    monkeypatch.undo()
    if leave == "tab":
        app.segmented_control(key="scaling.tab@en").set_value("variance").run()
    else:
        app.switch_page(PAGES["overview"]).run()
    assert not goes_on(app)
    app.query_params.clear()
    app.switch_page(SCALING).run()
    app.segmented_control(key="scaling.tab@en").set_value("training").run()
    assert len(found(app).runs[0].steps) == 25
    assert "Stopped after step 25 of 30" in text_of(app)


def test_another_choice_of_view_lets_a_training_go_on(monkeypatch):
    app = open_page(SCALING, tab="training", **SMALL)
    interrupt_after(monkeypatch, results=1)
    start(app, "training")
    monkeypatch.undo()
    app.segmented_control(key="scaling.curve@en").set_value("gradient").run()
    assert found(app).finished
    assert "Stopped after" not in text_of(app)


def test_while_a_training_runs_all_of_the_tab_belongs_to_one_result(monkeypatch):
    app = open_page(SCALING, tab="training", **SMALL)
    interrupt_after(monkeypatch, results=1)
    start(app, "training")
    result = found(app)
    assert {len(run.steps) for run in result.runs} == {25}
    assert_losses(app, result, steps=2)
    said = text_of(app)
    assert "So far, after step 25 of 30" in said
    assert not [each for each in ("Stopped", "ln 4 =", "Start trains with") if each in said]
    assert metric(app, "Guessing") == f"{math.log(4):.3f}"


def test_until_its_first_result_a_training_shows_the_one_before_and_says_so(monkeypatch):
    app = open_page(SCALING, tab="training", **SMALL)
    start(app, "training")
    before = metric(app, "Loss, unscaled")
    type_in(app, "d_k", 9)
    interrupt_after(monkeypatch, results=0)
    start(app, "training")
    assert metric(app, "Loss, unscaled") == before
    assert "Until the first result of the new training" in text_of(app)
    assert "So far" not in text_of(app)


def test_values_and_a_backend_chosen_meanwhile_wait_and_are_said_to(monkeypatch):
    app = open_page(SCALING, tab="training", backend="numpy", **SMALL)
    interrupt_after(monkeypatch, results=1)
    start(app, "training")
    monkeypatch.undo()
    interrupt_after(monkeypatch, results=0)
    app.segmented_control(key="lang").set_value("zh").run()
    app.segmented_control(key="lang").set_value("en").run()
    assert goes_on(app)
    type_in(app, "d_k", 9)
    assert "those chosen now wait for the next start" in text_of(app)
    monkeypatch.undo()
    app.run()
    assert (found(app).finished, found(app).params.d_k) == (True, 8)
    assert "Start trains with those chosen now" in text_of(app)


def test_a_backend_chosen_meanwhile_waits_for_the_next_start(monkeypatch):
    require_backend("mlx")
    app = open_page(SCALING, tab="training", backend="numpy", **SMALL)
    interrupt_after(monkeypatch, results=1)
    start(app, "training")
    monkeypatch.undo()
    interrupt_after(monkeypatch, results=0)
    app.radio(key="backend@en").set_value("mlx").run()
    assert "What goes on is trained with NumPy; MLX waits for the next start." in text_of(app)
    monkeypatch.undo()
    app.run()
    assert (found(app).finished, found(app).backend_name) == (True, "numpy")
    assert "Trained with NumPy; Start trains with MLX." in text_of(app)


@pytest.mark.parametrize("tab", state.TABS)
def test_the_status_line_says_the_precision_of_what_is_shown(tab):
    app = open_page(SCALING, tab=tab, backend="numpy", **SMALL)
    precision = "float32" if tab in ("training", "rates") else "float64"
    (line,) = [text for text in words(app) if text.startswith("NumPy ·")]
    assert precision in line.split(" · ")


def test_the_status_line_says_the_precision_of_a_sweep_that_shows_nothing_yet(monkeypatch):
    interrupt_after(monkeypatch, results=0)
    app = open_page(SCALING, tab="rates", backend="numpy", **SMALL)
    assert found(app, RATES) is None
    (line,) = [text for text in words(app) if text.startswith("NumPy ·")]
    assert "float32" in line.split(" · ")


def test_a_sweep_begins_by_itself_is_kept_and_compares_both_ways():
    app = open_page(SCALING, tab="rates", **SMALL)
    result = found(app, RATES)
    assert result.finished
    assert result.rates.tolist() == list(TRIED["adam"])
    table = next(iter(elements(app, "table"))).value
    np.testing.assert_allclose(table.iloc[:, -1].astype(float), result.scaled[:, 0], rtol=SURE)
    best = pytest.approx(result.scaled.min(), rel=SURE)
    assert float(metric(app, "Lowest loss, scaled")) == best
    again = open_page(SCALING, tab="rates", **SMALL)
    assert found(again, RATES) is result, "kept by the process"
    assert float(metric(again, "Lowest loss, scaled")) == best


def test_a_sweep_tries_the_rates_that_are_listed_and_its_link_says_which():
    app = open_page(SCALING, tab="rates", **SMALL, rates="0.1, 1e-3 ０.０２；0.1")
    assert found(app, RATES).rates.tolist() == [1e-3, 0.02, 0.1]
    assert address_of(app)["rates"] == "0.1, 1e-3 ０.０２；0.1"
    field(app, "text_area", "rates").set_value("5, 50").run()
    assert "trained with other values" in text_of(app)
    start(app, "rates")
    assert found(app, RATES).rates.tolist() == [5, 50]
    field(app, "text_area", "rates").set_value("  ").run()
    start(app, "rates")
    assert found(app, RATES).rates.tolist() == list(TRIED["adam"])
    assert problems(app) == []


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.1, x", "A list such as 0.001, 0.01 has numbers only, got x."),
        ("0,001", "In a list a comma ends a number, so write 0.001 and not 0,001; got 001."),
        ("0.1, 0", "The learning rate must be a number above 0"),
        ("-0.1", "The learning rate must be a number above 0"),
        ("2e9", "The learning rate must be a number above 0 and at most"),
        ("1e-400", "A list such as 0.001, 0.01 has numbers only, got 1e"),
        (" ".join(str(n) for n in range(1, 22)), "from 1 to 20 different learning rates, got 21."),
    ],
)
def test_a_list_of_rates_that_cannot_be_trained_is_refused_in_a_sentence(typed, said):
    app = open_page(SCALING, tab="rates", **SMALL, rates=typed)
    (problem,) = problems(app)
    assert said in problem
    assert app.button(key="sqrt-dk.rates.start").disabled
    assert "later.works" not in app.session_state or RATES not in app.session_state["later.works"]


def test_while_a_sweep_runs_all_of_the_tab_belongs_to_the_same_rates(monkeypatch):
    interrupt_after(monkeypatch, results=4)  # two for a rate: 25 steps of 30, and the end
    app = open_page(SCALING, tab="rates", **SMALL)
    result = found(app, RATES)
    total = len(TRIED["adam"])
    assert (result.share, len(result.rates), result.finished) == (2 / total, 2, False)
    table = next(iter(elements(app, "table"))).value
    assert len(table) == 2
    for title, column, losses in (
        ("Lowest loss, unscaled", 1, result.unscaled),
        ("Lowest loss, scaled", 2, result.scaled),
    ):
        listed = table.iloc[:, column].astype(float)
        np.testing.assert_allclose(listed, losses[:, 0], rtol=SURE)
        assert float(metric(app, title)) == listed.min()
    assert f"So far 2 of {total} learning rates" in text_of(app)
    assert "makes up for" not in text_of(app)
    monkeypatch.undo()
    app.button(key="sqrt-dk.rates.stop").click().run()
    assert f"Stopped after 2 of {total} learning rates" in text_of(app)
    assert len(found(app, RATES).rates) == 2


def test_a_sweep_that_is_stopped_before_its_first_rate_says_that_nothing_is_trained(monkeypatch):
    interrupt_after(monkeypatch, results=1)
    app = open_page(SCALING, tab="rates", **SMALL)
    assert "once the first learning rate is trained" in text_of(app)
    monkeypatch.undo()
    app.button(key="sqrt-dk.rates.stop").click().run()
    assert "Nothing is trained yet" in text_of(app)
    assert (problems(app), charts(app)) == ([], 0)


def test_a_first_sweep_says_once_what_is_to_come(monkeypatch):
    interrupt_after(monkeypatch, results=1)  # of two for a rate
    app = open_page(SCALING, tab="rates", **SMALL)
    assert "The figure begins once the first learning rate" in text_of(app)
    assert "Until the first result" not in text_of(app)
    type_in(app, "d_k", 9)
    assert "What goes on was started with other values" in text_of(app)
    assert "Until the first result" not in text_of(app)


@pytest.mark.parametrize("results", [0, 1, 2, 3])
def test_until_its_first_rate_a_sweep_shows_the_one_before_with_its_own_sentences(
    monkeypatch, results
):
    app = open_page(SCALING, tab="rates", **SMALL, rates="0.001, 0.01")
    before = [metric(app, "Lowest loss, scaled"), charts(app), notice(app)]
    field(app, "text_area", "rates").set_value("0.1, 0.2").run()
    interrupt_after(monkeypatch, results)
    start(app, "rates")
    said = text_of(app)
    fresh = results >= 2
    assert ("Until the first result of the new training the one before it is shown" in said) == (
        not fresh
    )
    shown_now = [metric(app, "Lowest loss, scaled"), charts(app), notice(app)]
    assert (shown_now == before) == (not fresh)
    assert ("So far 1 of 2 learning rates" in notice(app)) == fresh
    assert "The figure begins once" not in said
    assert "What goes on was started" not in said
    monkeypatch.undo()
    interrupt_after(monkeypatch, results=0)
    type_in(app, "d_k", 9)
    assert "What goes on was started with other values" in text_of(app)


def notice(app: AppTest) -> str:
    """Return the sentences under "What to notice"."""
    said = words(app)
    (place,) = [place for place, text in enumerate(said) if text == "**What to notice**"]
    return said[place + 1]


@pytest.mark.parametrize("work", ["training", "rates"])
@pytest.mark.parametrize("results", [0, 1])
def test_a_bar_stands_from_the_start_on(monkeypatch, work, results):
    interrupt_after(monkeypatch, results=0)
    app = open_page(SCALING, tab=work, **SMALL)
    if work == "training":
        start(app, "training")
    (bar,) = elements(app, "progress")
    assert (bar.proto.value, bar.proto.text) == (0, "Starting …")
    monkeypatch.undo()
    interrupt_after(monkeypatch, results)
    app.run()
    (bar,) = elements(app, "progress")
    assert (bar.proto.value > 0) == (results > 0)
    monkeypatch.undo()
    interrupt_after(monkeypatch, results=0)
    (again,) = elements(app.run(), "progress")
    assert again.proto.value == bar.proto.value


@pytest.mark.parametrize("results", [0, 1])
def test_what_is_refused_while_a_training_runs_does_not_hide_what_is_shown(monkeypatch, results):
    app = open_page(SCALING, tab="training", **SMALL)
    interrupt_after(monkeypatch, results)
    start(app, "training")
    monkeypatch.undo()
    interrupt_after(monkeypatch, results=0)
    type_in(app, "rate", "0")
    (refusal,) = problems(app)
    assert "the last result that could be computed" not in refusal
    assert "What goes on was started with other values." in refusal
    assert ("Until the first result of the new training" in refusal) == (not results)


def test_the_status_line_names_the_backend_of_what_is_shown(monkeypatch):
    require_backend("mlx")
    app = open_page(SCALING, tab="training", backend="mlx", **SMALL)
    (line,) = status_lines(app)
    assert line.startswith("NumPy ·"), "the usual example, which NumPy trains"
    start(app, "training")
    (line,) = status_lines(app)
    assert line.startswith("MLX ·")
    app.radio(key="backend@en").set_value("numpy").run()
    (line,) = status_lines(app)
    assert line.startswith("MLX ·"), "still what was trained"
    interrupt_after(monkeypatch, results=0)
    start(app, "training")
    (line,) = status_lines(app)
    assert line.startswith("NumPy ·")


def status_lines(app: AppTest) -> list[str]:
    return [text for text in words(app) if text.startswith(("NumPy ·", "MLX ·"))]


# What cannot be computed ---------------------------------------------------------------------

BAD_LISTS = {
    "zero": "0, 2",
    "negative": "-4",
    "a fraction": "2.5",
    "no number": "two",
    "nothing": "  ",
    "too many": ", ".join(map(str, range(1, 10_001))),
    "too wide": "4097",
    "very long": "9" * 5_000,
}


@pytest.mark.parametrize("text", BAD_LISTS.values(), ids=BAD_LISTS)
def test_a_bad_list_of_d_k_is_refused_once_and_nothing_is_lost(text):
    app = open_page(SCALING, d_k="2, 4")
    before = charts(app)
    field(app, "text_area", "d_ks").set_value(text).run()
    (refusal,) = problems(app)
    assert len(refusal) < 300
    assert shown(app).d_ks == (2, 4)
    assert field(app, "text_area", "d_ks").value == text
    assert charts(app) == before
    app.segmented_control(key="scaling.tab@en").set_value("saturation").run()
    assert len(problems(app)) == 1
    assert charts(app) == 3


@pytest.mark.parametrize(
    ("tab", "name", "value", "said"),
    [
        ("variance", "samples", 0, "N must be a whole number from 2"),
        ("variance", "samples", 1, "N must be a whole number from 2"),
        ("variance", "samples", 10**9, "N must be a whole number from 2"),
        ("variance", "sigma", 0.0, "standard deviation must be a number"),
        ("variance", "correlation", 1.0, "correlation"),
        ("variance", "seed", -1, "seed"),
        ("saturation", "keys", 1, "S must be"),
        ("saturation", "exponent", 9.0, "exponent"),
        ("saturation", "first", 1e9, "score"),
        ("gradient", "T", 1, "T must be"),
        ("gradient", "repeats", 1, "Heads must be"),
        ("training", "d_k", 3, "must be a whole number from 4 to"),
        ("training", "steps", 0, "Steps must be"),
        ("training", "rate", 0.0, "learning rate"),
        ("rates", "pairs", 1, "S must be"),
    ],
)
def test_a_number_out_of_range_is_refused_and_the_last_result_stays(tab, name, value, said):
    app = open_page(SCALING, tab=tab, **SMALL)
    before = charts(app)
    type_in(app, name, value)
    (refusal,) = problems(app)
    assert said in refusal
    assert charts(app) == before
    starts = [each for each in app.button if "start" in str(each.key)]
    assert all(each.disabled for each in starts), "nothing to start with"


FIELDS = {
    "variance": ("samples", "seed", "sigma", "mean", "correlation"),
    "saturation": ("keys", "queries", "seed", "exponent", "first", "second"),
    "gradient": ("T", "repeats", "seed"),
    "training": ("d_k", "pairs", "rate", "steps"),
    "rates": ("d_k", "pairs", "steps"),
}


@pytest.mark.parametrize(("typed", "got"), [("", '""'), ("   ", '"'), ("0", "0"), ("-0", "-0"),
                                            ("-1", "-1"), ("-1e-9", "-1e")])  # fmt: skip
def test_a_refused_number_is_shown_as_it_was_typed(typed, got):
    app = open_page(SCALING, tab="training", **SMALL)
    type_in(app, "rate", typed)
    (refusal,) = problems(app)
    shown_text = refusal.partition("1,000,000,000, got ")[2].replace("`", "").replace("\\", "")
    assert shown_text.startswith(got)
    assert "0.0" not in shown_text


@pytest.mark.parametrize("tab", ["variance", "saturation", "gradient", "training"])
def test_an_emptied_field_is_refused_by_its_link_too(tab):
    app = open_page(SCALING, tab=tab, **SMALL)
    for name in FIELDS[tab]:
        usual = field(app, "text_input", name).value
        type_in(app, name, "")
        assert len(problems(app)) == 1
        again = open_page(SCALING, **address_of(app))
        (refusal,) = [text for text in problems(again) if "The address asks for" in text]
        assert "can be" in refusal
        type_in(app, name, usual)
        assert problems(app) == []


NO_NUMBERS = ("two", "", "３，５", "nan", "1e400", "<b>", "9" * 5_000, "1 000")


@pytest.mark.parametrize("tab", FIELDS)
def test_what_is_no_number_is_refused_once_in_every_field_and_stays_as_it_was_typed(tab):
    app = open_page(SCALING, tab=tab, **SMALL)
    for place, name in enumerate(FIELDS[tab]):
        usual = field(app, "text_input", name).value
        text = NO_NUMBERS[place]
        type_in(app, name, text)
        (refusal,) = problems(app)
        assert len(refusal) < 300
        assert "must be a" in refusal
        assert field(app, "text_input", name).value == text
        assert charts(app) >= 1
        type_in(app, name, usual)
        assert problems(app) == []


@pytest.mark.parametrize("typed", ["2.5", "-3", "1e9", "nan", "two", "9" * 5_000])
def test_a_link_to_what_is_refused_refuses_it_and_shows_the_usual_view(typed):
    app = open_page(SCALING, samples="50")
    type_in(app, "samples", typed)
    assert len(problems(app)) == 1
    assert shown(app).samples == 50
    again = open_page(SCALING, **address_of(app))
    (refusal,) = problems(again)
    assert "The address asks for samples" in refusal
    assert shown(again) == Params()


def test_a_refusal_of_the_address_outlasts_the_sweep_that_begins_by_itself():
    app = open_page(SCALING, tab="rates", **SMALL | {"pairs": "65", "steps": "10"})
    assert found(app, RATES).finished
    assert "The address asks for pairs" in problems(app)[0]
    app.run()
    assert problems(app) == []


@pytest.mark.parametrize(
    ("text", "number", "shown"),
    [
        ("2.5", 2.5, "2.5"),
        ("1e9", 10**9, "1,000,000,000"),
        ("1,024", 1024, "1,024"),
        ("１２", 12, "12"),
        ("１，０２４", 1024, "1,024"),
        ("−3", -3, "-3"),
        ("1e-9", 1e-9, "1e-9"),
        ("2.5E-07", 2.5e-7, "2.5e-7"),
        (" 7.0 ", 7, "7"),
        ("3,5", "3,5", "3,5"),
        ("1e400", "1e400", "1e400"),
        ("1e-400", "1e-400", "1e-400"),
        ("", "", ""),
        ("x", "x", "x"),
    ],
)
def test_a_number_is_read_as_people_write_it_and_nothing_else_is_made_of_it(text, number, shown):
    found = choice_fields.whole_of(text)
    assert (found, type(found)) == (number, type(number))
    assert choice_fields.written(found) == shown
    assert choice_fields.real_of(text) == number


@pytest.mark.parametrize("tab", state.TABS)
def test_a_field_that_the_browser_never_drew_is_drawn_with_its_value(tab):
    """A run that is interrupted may never reach the browser; what it put into a field must."""
    app = open_page(SCALING, tab=tab, temperature="3.5", width="64", seed="7")
    before = fields_of(app)
    assert len(before) > 3
    drawn_anew = app._run(WidgetStates())  # as from a browser that has drawn nothing yet
    assert fields_of(drawn_anew) == before
    for each in drawn_fields(drawn_anew):
        usual = getattr(each.proto, "default", None)  # which the browser shows of itself
        drawn = each.index if each.type == "selectbox" else each.value
        assert each.proto.set_value or drawn == usual, each.key


def drawn_fields(app: AppTest) -> list[Any]:
    kinds = ("text_input", "text_area", "slider", "select_slider", "selectbox")
    return [
        each for kind in kinds for each in elements(app, kind) if str(each.key).endswith("@field")
    ]


def fields_of(app: AppTest) -> dict[str, Any]:
    return {each.key: each.value for each in drawn_fields(app)}


@pytest.mark.parametrize("tab", state.TABS)
def test_a_field_that_the_browser_has_thrown_away_is_drawn_with_its_value(tab):
    """It may have been spoken of in the browser's last message all the same."""
    app = open_page(SCALING, tab=tab).run()
    fields = [*app.text_input, *app.text_area]
    assert len(fields) > 2
    for each in fields:
        assert each.proto.set_value or each.proto.default == each.value, each.key


def test_a_long_list_of_equal_widths_keeps_its_link():
    app = open_page(SCALING, samples="50")
    field(app, "text_area", "d_ks").set_value(", ".join(["4", "16"] * 5_000)).run()
    assert problems(app) == []
    assert shown(app).d_ks == (4, 16)
    again = open_page(SCALING, **address_of(app))
    assert shown(again) == shown(app)


@pytest.mark.parametrize(("tab", "name"), [("variance", "d_ks"), ("training", "seeds")])
def test_a_refused_list_that_no_link_holds_is_refused_by_its_link(tab, name):
    app = open_page(SCALING, tab=tab, **SMALL)
    kind = "text_area" if name == "d_ks" else "text_input"
    field(app, kind, name).set_value(", ".join(map(str, range(1, 10_001)))).run()
    assert len(problems(app)) == 1
    (refusal,) = problems(open_page(SCALING, **address_of(app)))
    assert "too long for a link, which holds its first 1,000 characters" in refusal


@pytest.mark.parametrize("text", ["…", "1, 2…", "1, " * 400 + "…"])
def test_a_list_that_ends_with_dots_was_not_cut_by_a_link(text):
    with pytest.raises(EngineError, match="whole numbers only"):
        number_lists.numbers_of(text)
    with pytest.raises(EngineError, match="holds its first 1000 characters"):
        number_lists.numbers_of(number_lists.link_text("1, " * 400, link_fields.LONGEST_TEXT))


def test_a_thousands_separator_in_a_list_is_not_read_as_two_numbers():
    with pytest.raises(EngineError, match="write 1024 and not 1,024; got 024"):
        number_lists.numbers_of("16, 1,024")


def test_a_bad_list_of_seeds_cannot_be_started():
    app = open_page(SCALING, tab="training", seeds="1, 1")
    assert "twice" in problems(app)[0]
    assert app.button(key="sqrt-dk.training.start").disabled


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1, 2,4", (1, 2, 4)),
        ("8 16\n32", (8, 16, 32)),
        ("3，5、7；9", (3, 5, 7, 9)),
        ("", ()),
        ("１６， ３２", (16, 32)),
        ("2, 2", (2, 2)),
    ],
)
def test_a_list_is_read_as_people_write_it(text, numbers):
    assert number_lists.numbers_of(text) == numbers
    assert number_lists.numbers_of(number_lists.text_of(numbers)) == numbers


def test_long_drawing_can_be_stopped_and_taken_up_again():
    app = open_page(SCALING, d_k="2, 4")
    app.session_state["computed.stopped"] = ("sqrt-dk.variance", Params(d_ks=(2, 8)), "numpy")
    field(app, "text_area", "d_ks").set_value("2, 8").run()
    assert problems(app) == []
    assert "Stopped." in text_of(app)
    assert shown(app).d_ks == (2, 4)
    next(each for each in app.button if each.label == "Compute it after all").click().run()
    assert shown(app).d_ks == (2, 8)


# The address -------------------------------------------------------------------------------

LINKS = [
    {"d_k": "3, 5, 7", "samples": "500", "components": "laplace", "seed": "8", "sigma": "0.5"},
    {"mean": "-1.5", "correlation": "0.25", "d_k": "4, 16, 64", "width": "64"},
    {"tab": "saturation", "keys": "5", "queries": "40", "exponent": "0.75", "measure": "jacobian"},
    {"tab": "saturation", "first": "2.5", "second": "-1.0", "temperature": "3.7"},
    {"tab": "gradient", "head_d_k": "4, 8", "T": "5", "repeats": "3", "gradient_of": "vectors"},
    {"tab": "training", "curve": "gradient", "rate": "0.01", "optimiser": "sgd", **SMALL},
]


def test_the_usual_view_has_a_short_address():
    assert set(address_of(open_page(SCALING))) <= {"lang"}


@pytest.mark.parametrize("address", LINKS, ids=str)
def test_a_link_reproduces_a_view(address):
    first = open_page(SCALING, **address)
    assert problems(first) == []
    assert address_of(first) == address
    second = open_page(SCALING, **address_of(first))
    assert untimed(second) == untimed(first)


HOSTILE = [
    {"tab": "nonsense", "samples": "1", "seed": "-1", "components": "<b>", "sigma": "0"},
    {"mean": "nan", "correlation": "1", "keys": "1", "queries": "inf", "exponent": "1e99"},
    {"T": "٣", "repeats": "1", "trained_d_k": "2", "pairs": "65", "rate": "1e10", "steps": "0"},
    {"temperature": "0", "first": "1e400", "optimiser": "![x](//a)", "curve": "loss"},
]


@pytest.mark.parametrize("address", HOSTILE, ids=range(len(HOSTILE)))
def test_every_wrong_part_of_an_address_is_said_and_the_usual_view_shown(address):
    app = open_page(SCALING, **address)
    assert len(problems(app)) == len(address)
    assert not any("![x](" in text or "<b>" in text for text in problems(app))
    assert shown(app) == Params()


@pytest.mark.parametrize("length", [1, 24, 25, 60])
def test_a_refusal_of_the_address_says_that_a_long_value_goes_on(length):
    app = open_page(SCALING, steps="x" * length)
    (refusal,) = problems(app)
    assert "x" * min(length, 24) in refusal
    assert "x" * 25 not in refusal
    assert ("x…" in refusal) == (length > 24)


def test_nothing_is_lost_on_another_page_tab_language_or_backend():
    chosen = {"d_k": "2, 8", "samples": "300", "components": "uniform", "T": "4", "steps": "77"}
    app = open_page(SCALING, **chosen)
    app.switch_page(PAGES["overview"]).run()
    app.query_params.clear()
    app.switch_page(SCALING).run()
    assert address_of(app) == chosen
    for tab in ("saturation", "gradient", "variance"):
        app.segmented_control(key="scaling.tab@en").set_value(tab).run()
    for language in ("zh", "en"):
        app.segmented_control(key="lang").set_value(language).run()
        app.radio(key=f"backend@{language}").set_value("numpy").run()
        assert problems(app) == []
    assert address_of(app) == chosen | {"backend": "numpy"}


def test_the_overview_leads_to_the_views_it_names():
    app = open_page(PAGES["overview"])
    links = [each.proto for each in elements(app, "page_link")]
    views = [link.query_string for link in links if link.page.endswith("sqrt-dk")]
    assert len(views) == 3
    for view in views:
        address = dict(part.split("=") for part in view.split("&"))
        assert problems(open_page(SCALING, **address)) == [], view


# Long work ---------------------------------------------------------------------------------


def test_a_work_lets_one_thread_in_at_a_time_and_stops_after_the_result_in_hand():
    entered, go_on = Event(), Event()

    def results():
        yield 1
        entered.set()
        assert go_on.wait(timeout=10)
        yield 2
        yield 3

    work = later.Work(results(), later.everything)
    assert work.next() == 1
    with ThreadPoolExecutor(2) as threads:
        second = threads.submit(work.next)
        assert entered.wait(timeout=10)
        stopping = threads.submit(work.stop)
        assert work.found == 1
        go_on.set()
        assert second.result(timeout=10) == 2
        stopping.result(timeout=10)
    work.stop()
    assert (work.found, work.goes_on, work.next()) == (2, False, None)


def test_many_threads_take_every_result_of_a_work_once():
    work = later.Work(iter(range(1, 201)), later.everything)

    def take() -> list[int]:
        return list(iter(work.next, None))

    with ThreadPoolExecutor(8) as threads:
        taken = [each for part in threads.map(lambda _: take(), range(8)) for each in part]
    assert sorted(taken) == list(range(1, 201))
    assert (work.found, work.goes_on) == (200, False)


def test_what_a_work_has_found_is_its_own_from_its_first_result_on():
    work = later.Work(iter([0, 1]), lambda result: result > 0, found="before")
    assert (work.next(), work.found, work.fresh) == (0, "before", False)
    assert (work.next(), work.found, work.fresh) == (1, 1, True)


def test_a_work_that_fails_in_any_way_ends():
    def results():
        yield 1
        raise MemoryError

    work = later.Work(results(), later.everything)
    work.next()
    with pytest.raises(MemoryError):
        work.next()
    assert (work.found, work.goes_on) == (1, False)


def test_a_work_that_is_refused_on_its_way_ends_and_keeps_what_it_found():
    def results():
        yield "first"
        raise EngineError("No memory is left.")

    work = later.Work(results(), later.everything, found="before")
    assert work.found == "before"
    assert work.next() == "first"
    with pytest.raises(EngineError):
        work.next()
    assert (work.found, work.goes_on) == ("first", False)
