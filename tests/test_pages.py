"""Every page through the frame, in both languages, as a person would use its widgets."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine import backends
from engine.backends import registry
from engine.errors import BackendError
from engine.experiments.presets import random_example, textbook, three_scores
from engine.experiments.worked_example import STEPS, Params, sizes_of
from pages.documents import csv_matrix, link
from pages.text import LANGUAGES, translator
from pages.ui import frame
from pages.ui.example import state
from pages.ui.overview import WAY_PAGES, WAYS
from tests import oracles
from tests.conftest import require_backend
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    APP,
    EXAMPLE,
    MEMORY,
    PAGES,
    address_of,
    elements,
    english_sentences,
    open_page,
    problems,
    untimed,
    words,
)


def params(app: AppTest) -> Params:
    """Return the matrices that the page works on."""
    return app.session_state["worked-example.params"]


def paste(app: AppTest, text: str, matrix: str = "x") -> AppTest:
    """Paste text as one matrix and press the button."""
    app.session_state["example.matrix"] = matrix
    app.run()
    app.text_area(key="example.pasted").set_value(text)
    return app.button(key="example.use_pasted").click().run()


@pytest.fixture(autouse=True)
def navigation_has_run():
    with after_the_first_visit():
        yield


# Every page, whole -------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_has_one_title_and_a_status_line(page, language):
    app = open_page(page, lang=language)
    assert problems(app) == []
    assert len(app.title) == 1
    (line,) = [text for text in words(app) if text.startswith("NumPy ·")]
    precision = translator(language)("whole numbers") if page == MEMORY else "float64"
    assert precision in line


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_and_step_runs(language, backend):
    require_backend(backend)
    app = open_page(EXAMPLE, lang=language, backend=backend)
    for tab in state.TABS:
        app.session_state["example.tab"] = tab
        assert problems(app.run()) == [], tab
    app.session_state["example.tab"] = "steps"
    for step in STEPS:
        app.session_state["example.step"] = step
        assert problems(app.run()) == [], step
        assert app.session_state["worked-example.last"].result.backend_name == backend


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_chinese_page_shows_no_english_sentence(page):
    app = open_page(page, lang="zh")
    for tab in state.TABS if page == EXAMPLE else [""]:
        if tab:
            app.session_state["example.tab"] = tab
            app.run()
        assert english_sentences(app) == [], tab


def test_the_check_for_english_can_fail():
    assert english_sentences(open_page(PAGES["overview"]))


def test_every_choice_survives_a_change_of_language_and_back():
    app = open_page(EXAMPLE, example="random", seed="4", tab="copy", mask="causal", S="6")
    app.session_state["example.copy_kind"] = "latex"
    before = address_of(app.run())
    for language in ("zh", "en", "zh", "en"):
        app.segmented_control(key="lang").set_value(language).run()
        assert problems(app) == []
        shown = address_of(app)
        shown.pop("lang", None)
        assert shown == before


def test_the_language_changes_the_words():
    english, chinese = (words(open_page(EXAMPLE, lang=language)) for language in LANGUAGES)
    assert set(english) & set(chinese) <= {
        text for text in english if translator("zh")(text) == text
    }
    assert any("\u4e00" <= character <= "\u9fff" for text in chinese for character in text)


# Backends ----------------------------------------------------------------------------------


def test_a_missing_backend_is_said_and_replaced(monkeypatch):
    reason = BackendError("The package {name} is not installed; install it.", name="mlx")
    monkeypatch.setitem(registry._found, "mlx", reason)
    app = open_page(EXAMPLE, backend="mlx")
    assert problems(app) == []
    assert any("mlx is not installed" in str(w.value) for w in app.warning)
    radio = next(radio for radio in app.radio if radio.key == "backend@en")
    assert "MLX" in radio.options
    assert app.session_state["worked-example.last"].result.backend_name == "numpy"


def test_the_backends_agree_on_the_page():
    require_backend("mlx")
    outputs = []
    for name in backends.available_backends():
        app = open_page(EXAMPLE, backend=name)
        outputs.append(app.session_state["worked-example.last"].result.trace.output)
    for output in outputs:
        np.testing.assert_allclose(output, outputs[0], atol=1e-6)


def test_a_fault_of_ours_becomes_a_sentence_without_a_trace(monkeypatch, caplog):
    def broken(_result):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("pages.ui.example.steps.draw", broken)
    app = open_page(EXAMPLE)
    assert len(problems(app)) == 1
    assert "secret detail" in caplog.text
    assert "secret detail" not in " ".join(words(app))
    assert "Traceback" not in " ".join(words(app))


def test_a_missing_chinese_font_is_said_before_a_file_is_offered(monkeypatch):
    monkeypatch.setattr("pages.export.fonts.missing_font", lambda _language: "Some Font")
    monkeypatch.setattr("pages.export.convert.missing_font", lambda _language: "Some Font")
    app = open_page(EXAMPLE, lang="zh")
    assert any("Some Font" in text for text in words(app))
    blocked = {e.proto.label: e.proto.disabled for e in elements(app, "download_button")}
    assert blocked["PNG"]
    assert blocked["PDF"]
    assert blocked["PPTX"]
    assert not blocked["SVG"]
    assert not blocked["CSV"]


# The worked example ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "expected"),
    [("textbook", textbook()), ("three-scores", three_scores())],
)
def test_a_preset_loads_its_matrices(preset, expected):
    app = open_page(EXAMPLE)
    app.selectbox(key="example.preset@en").set_value(preset).run()
    assert problems(app) == []
    assert params(app) == expected
    for name in ("T", "d_model", "d_k", "d_v"):
        assert app.number_input(key=f"example.{name}").value == getattr(sizes_of(expected), name)


def test_random_follows_its_seed_and_sizes():
    app = open_page(EXAMPLE)
    app.selectbox(key="example.preset@en").set_value("random").run()
    app.number_input(key="example.seed").set_value(7).run()
    app.number_input(key="example.T").set_value(12).run()
    app.number_input(key="example.d_k").set_value(8).run()
    assert problems(app) == []
    assert params(app) == random_example(7, 12, 4, 8, 2)


def test_identity_keeps_its_matrices_identities_at_every_size():
    app = open_page(EXAMPLE)
    app.selectbox(key="example.preset@en").set_value("identity").run()
    for name, size in (("d_model", 8), ("d_k", 3), ("d_v", 5)):
        app.number_input(key=f"example.{name}").set_value(size).run()
        assert problems(app) == []
        for matrix in (params(app).w_q, params(app).w_k, params(app).w_v):
            np.testing.assert_array_equal(np.array(matrix), np.eye(size))


@pytest.mark.parametrize(
    ("T", "d_model", "d_k", "d_v"),
    [(1, 1, 1, 1), (12, 12, 8, 8), (1, 12, 1, 8), (12, 1, 8, 1)],
)
def test_the_extreme_sizes_run_in_every_step(T, d_model, d_k, d_v):
    app = open_page(
        EXAMPLE, example="random", T=str(T), d_model=str(d_model), d_k=str(d_k), d_v=str(d_v)
    )
    for step in STEPS:
        app.session_state["example.step"] = step
        assert problems(app.run()) == []
    for tab in state.TABS:
        app.session_state["example.tab"] = tab
        assert problems(app.run()) == [], tab
    assert sizes_of(params(app)).d_model == d_model


def test_resizing_keeps_what_fits():
    app = open_page(EXAMPLE)
    app.number_input(key="example.T").set_value(6).run()
    app.number_input(key="example.d_model").set_value(3).run()
    kept = params(app)
    before = textbook()
    assert [row[:3] for row in before.x] == list(kept.x[:4])
    assert kept.tokens[:4] == before.tokens
    assert before.w_q[:3] == kept.w_q


def test_cross_attention_needs_no_square_scores():
    app = open_page(EXAMPLE)
    app.segmented_control(key="example.input@en").set_value("cross").run()
    app.number_input(key="example.S").set_value(7).run()
    result = app.session_state["worked-example.last"].result
    assert result.trace.scores.shape == (4, 7)
    app.segmented_control(key="example.input@en").set_value("self").run()
    assert params(app) == textbook()


def test_a_causal_mask_that_cannot_apply_is_refused_and_the_last_result_stays():
    app = open_page(EXAMPLE)
    app.segmented_control(key="example.mask@en").set_value("causal").run()
    app.segmented_control(key="example.input@en").set_value("cross").run()
    app.number_input(key="example.S").set_value(2).run()
    assert len(problems(app)) == 1
    assert "4 queries and 2 keys" in problems(app)[0]
    assert app.session_state["worked-example.last"].result.trace.scores.shape == (4, 6)


def test_the_switches_change_the_weights():
    app = open_page(EXAMPLE)
    app.toggle(key="example.scaled").set_value(False).run()
    x, w_q, w_k, w_v = (np.array(getattr(Params(), name)) for name in ("x", "w_q", "w_k", "w_v"))
    weights = app.session_state["worked-example.last"].result.trace.weights
    expected = oracles.trace(x, w_q, w_k, w_v, scale=1.0)
    np.testing.assert_allclose(weights, expected["weights"], atol=1e-12)


# Editing -----------------------------------------------------------------------------------


def test_editing_one_token_moves_the_others_and_the_page_says_so():
    app = open_page(EXAMPLE)
    rows = [list(row) for row in textbook().x]
    rows[2][0] = 3.0
    paste(app, "\n".join(",".join(map(str, row)) for row in rows))
    assert problems(app) == []
    before = oracles.trace(*(np.array(getattr(Params(), n)) for n in ("x", "w_q", "w_k", "w_v")))
    changed = np.array(rows)
    after = oracles.trace(changed, *(np.array(getattr(Params(), n)) for n in ("w_q", "w_k", "w_v")))
    moved = np.abs(after["output"] - before["output"]).max(axis=1)
    said = [str(info.value) for info in app.info]
    assert len(said) == 1
    assert "x3" in said[0]
    assert f"output 1 by up to {moved[0]:.3f}" in said[0]
    app.run()
    assert len(app.info) == 1, "a rerun keeps the message"
    app.button(key="example.undo").click().run()
    assert params(app) == textbook()


def test_the_message_knows_the_causal_mask():
    app = open_page(EXAMPLE, mask="causal")
    rows = [list(row) for row in textbook().x]
    rows[2][0] = 3.0
    paste(app, "\n".join(",".join(map(str, row)) for row in rows))
    assert "Outputs before position 3" in str(app.info[0].value)


BAD_TEXTS = {
    "letters": ("1,0,1,0\n0,b,0,1\n1,1,0,0\n0,0,1,1", "row 2, column 2"),
    "an empty cell": ("1,0,1,0\n0,,0,1\n1,1,0,0\n0,0,1,1", "row 2, column 2"),
    "NaN": ("1,0,1,0\n0,1,0,1\nnan,1,0,0\n0,0,1,1", "row 3, column 1"),
    "infinity": ("1,0,1,0\n0,1,0,1\n1,1,0,0\n0,0,1,inf", "row 4, column 4"),
    "a wrong shape": ("1,0\n0,1", "4 x 4"),
    "ragged rows": ("1,0,1,0\n0,1\n1,1,0,0\n0,0,1,1", "row 2"),
    "nothing": ("", "4 x 4"),
    "a binary": ("\x00\x01\x02", "4 x 4"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("text", "place"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_a_bad_paste_is_refused_in_one_sentence_and_nothing_is_lost(text, place, language):
    app = open_page(EXAMPLE, lang=language)
    before = params(app)
    paste(app, text)
    assert len(problems(app)) == 1
    if language == "en":
        assert place in problems(app)[0]
    assert params(app) == before
    assert (app.text_area(key="example.pasted").value or "") == text
    app.run()
    assert problems(app) == [], "a refusal is said once"


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_overflow_is_refused_and_the_last_good_result_stays(backend):
    require_backend(backend)
    app = open_page(EXAMPLE, backend=backend)
    good = app.session_state["worked-example.last"].result.trace.output.copy()
    paste(app, csv_matrix.dump(((1e300,) * 4,) * 4))
    paste(app, csv_matrix.dump(((1e300,) * 2,) * 4), "w_q")
    assert len(problems(app)) == 1
    np.testing.assert_array_equal(
        app.session_state["worked-example.last"].result.trace.output, good
    )
    app.button(key="example.undo").click().run()
    app.button(key="example.undo").click().run()
    assert problems(app) == []


def test_all_zeros_and_one_token_are_fine():
    app = open_page(EXAMPLE)
    paste(app, "0,0,0,0\n" * 4)
    assert problems(app) == []
    app.number_input(key="example.T").set_value(1).run()
    assert problems(app) == []
    assert app.session_state["worked-example.last"].result.trace.weights.tolist() == [[1.0]]


def test_undo_brings_back_the_preset_and_the_seed_with_the_matrices():
    app = open_page(EXAMPLE)
    app.selectbox(key="example.preset@en").set_value("random").run()
    drawn = params(app)
    app.number_input(key="example.seed").set_value(5).run()
    app.button(key="example.undo").click().run()
    assert params(app) == drawn
    assert app.number_input(key="example.seed").value == 1
    app.button(key="example.undo").click().run()
    assert params(app) == textbook()
    assert app.selectbox(key="example.preset@en").value == "textbook"
    assert "inputs" not in address_of(app)


def test_undo_after_identity_keeps_every_size():
    app = open_page(EXAMPLE, example="random", d_model="12")
    app.selectbox(key="example.preset@en").set_value("identity").run()
    app.button(key="example.undo").click().run()
    assert app.number_input(key="example.d_model").value == 12
    app.number_input(key="example.T").set_value(5).run()
    assert sizes_of(params(app)).d_model == 12


def test_the_second_input_survives_self_attention():
    app = open_page(EXAMPLE, S="2")
    paste(app, "9,0,0,0\n0,9,0,0", "context")
    app.segmented_control(key="example.input@en").set_value("self").run()
    app.segmented_control(key="example.input@en").set_value("cross").run()
    assert params(app).context == ((9.0, 0.0, 0.0, 0.0), (0.0, 9.0, 0.0, 0.0))


def test_a_small_movement_does_not_read_as_none():
    app = open_page(EXAMPLE)
    paste(app, "1,0,1,0\n0,1,0,1\n1.0001,1,0,0\n0,0,1,1")
    assert "0.000" not in str(app.info[0].value)
    assert "e-05" in str(app.info[0].value)


def test_a_change_is_said_on_every_tab():
    app = open_page(EXAMPLE, tab="practice")
    paste(app, "1,0,1,0\n0,1,0,1\n3,1,0,0\n0,0,1,1")
    assert "x3" in str(app.info[0].value)


def test_cross_attention_with_a_mask_names_no_mask_for_what_x_cannot_do():
    app = open_page(EXAMPLE, S="6", mask="causal")
    paste(app, "1,0,1,0\n0,1,0,1\n3,1,0,0\n0,0,1,1")
    assert "mask" not in str(app.info[0].value)


def test_a_reader_s_words_are_never_read_as_markdown():
    hostile = "**x**"
    app = open_page(EXAMPLE)
    paste(app, f"1,0,1,0\n0,{hostile},0,1\n1,1,0,0\n0,0,1,1")
    assert r"\*\*x\*\*" in problems(app)[0]
    app = open_page(EXAMPLE, step="![x](//a)")
    assert "![x](" not in problems(app)[0]


# The address -------------------------------------------------------------------------------


def test_the_usual_view_has_a_short_address():
    app = open_page(EXAMPLE)
    assert {name for name in app.query_params if name != "lang"} == set()


@pytest.mark.parametrize(
    "address",
    [
        {"example": "random", "seed": "9", "T": "5", "d_v": "3", "mask": "causal"},
        {"example": "three-scores", "scale": "off", "step": "softmax", "row": "2"},
        {"example": "identity", "S": "3", "decimals": "5", "tab": "shapes"},
        {"tab": "practice", "step": "output", "role": "v"},
    ],
)
def test_a_link_reproduces_a_view(address):
    first = open_page(EXAMPLE, **address)
    assert problems(first) == []
    shown = address_of(first)
    assert shown == address
    second = open_page(EXAMPLE, **shown)
    assert params(second) == params(first)
    assert untimed(second) == untimed(first)


def test_a_link_carries_edited_matrices():
    first = open_page(EXAMPLE)
    paste(first, "1,0,1,0\n0,1,0,1\n1,1,0,0.5\n0,0,1,-2.25")
    shown = address_of(first)
    assert link.decode(shown["inputs"]) == params(first)
    second = open_page(EXAMPLE, **shown)
    assert params(second) == params(first)


@pytest.mark.parametrize(
    "address",
    [
        {"example": "nonsense"},
        {"T": "99"},
        {"T": "-1"},
        {"d_k": "2.5"},
        {"seed": "many"},
        {"step": "<script>"},
        {"decimals": "40"},
        {"row": "0"},
        {"inputs": "broken"},
        {"inputs": "A" * 5000},
        {"mask": "sideways"},
    ],
    ids=str,
)
def test_a_bad_address_is_said_and_the_usual_view_shown(address):
    app = open_page(EXAMPLE, **address)
    assert len(problems(app)) == 1
    assert params(app) == textbook()


def test_a_view_that_cannot_be_computed_is_kept_and_its_reason_said():
    app = open_page(EXAMPLE, S="2", mask="causal")
    assert len(problems(app)) == 1
    assert "4 queries and 2 keys" in problems(app)[0]
    assert params(app).causal
    assert len(params(app).context or ()) == 2
    again = open_page(EXAMPLE, **address_of(app))
    assert params(again) == params(app)


def test_a_link_to_a_tab_keeps_the_matrices_and_one_to_a_preset_replaces_them():
    app = open_page(EXAMPLE)
    paste(app, "1,0,1,0\n0,1,0,1\n1,1,0,0.5\n0,0,1,-2.25")
    edited = params(app)
    for address, kept in (
        ({"tab": "shapes"}, True),
        ({"mask": "causal"}, True),
        ({"T": "3"}, False),
    ):
        app.switch_page(PAGES["overview"]).run()
        app.query_params.clear()  # as a browser does that follows a link to another page
        app.query_params.update(address)
        app.switch_page(EXAMPLE).run()
        assert (params(app).x == edited.x) is kept, address
    assert params(app).causal is False


def test_the_same_link_works_twice():
    app = open_page(EXAMPLE, tab="practice")
    app.session_state["example.tab"] = "steps"
    app.run()
    app.switch_page(PAGES["overview"]).run()
    app.query_params.clear()
    app.query_params["tab"] = "practice"
    app.switch_page(EXAMPLE).run()
    assert app.session_state["example.tab"] == "practice"


@pytest.mark.parametrize(("name", "value"), [("lang", "xx"), ("backend", "cuda")])
def test_an_unknown_language_or_backend_is_said(name, value):
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params[name] = value
    app.run()
    assert len(problems(app)) == 1
    assert value in problems(app)[0]


def test_every_wrong_part_of_an_address_is_named():
    app = open_page(EXAMPLE, row="0", column="99", T="13")
    assert len(problems(app)) == 3


def test_nothing_is_lost_on_another_page():
    app = open_page(EXAMPLE)
    paste(app, "1,0,1,0\n0,1,0,1\n1,1,0,0.5\n0,0,1,-2.25")
    app.session_state["example.step"] = "output"
    app.run()
    edited = params(app)
    app.switch_page(PAGES["overview"]).run()
    app.switch_page(EXAMPLE).run()
    assert params(app) == edited
    assert app.session_state["example.step"] == "output"
    assert str(app.text_area(key="example.pasted").value).startswith("1,0,1,0")


# Practice ----------------------------------------------------------------------------------


def test_nothing_is_judged_before_check_is_pressed():
    app = open_page(EXAMPLE, tab="practice")
    fields = [f for f in app.text_input if str(f.key).startswith("example.answer.")]
    fields[0].set_value("0.5")
    app.run()
    assert not app.warning
    assert problems(app) == []


def test_a_verdict_is_forgotten_when_the_numbers_change():
    app = practise(["0.109", "0.111", "0.221", "0.221"])
    assert len(problems(app)) == 1
    app.segmented_control(key="example.mask@en").set_value("causal").run()
    assert problems(app) == []


def practise(answers: list[str], **address: str) -> AppTest:
    """Type a row of weights and check it."""
    app = open_page(EXAMPLE, tab="practice", **address)
    fields = [field for field in app.text_input if str(field.key).startswith("example.answer.")]
    for field, answer in zip(fields, answers, strict=True):
        field.set_value(answer)
    return app.button(key="example.check").click().run()


def weights_by_loops(scale: float) -> list[float]:
    """Return the first row of weights of the textbook example, worked out here."""
    scores = [2.0, 4.0, 3.0, 3.0]
    exponentials = [math.exp(score * scale) for score in scores]
    return [value / sum(exponentials) for value in exponentials]


def test_practice_says_right():
    app = practise([f"{weight:.7f}" for weight in weights_by_loops(1 / math.sqrt(2))])
    assert len(app.success) == 1
    assert "Right:" in str(app.success[0].value)


def test_practice_says_right_to_the_digits():
    app = practise([f"{weight:.3f}" for weight in weights_by_loops(1 / math.sqrt(2))])
    assert "3" in str(app.success[0].value)
    assert "digits" in str(app.success[0].value)


def test_practice_names_the_forgotten_scale():
    app = practise([f"{weight:.3f}" for weight in weights_by_loops(1.0)])
    assert [str(w.value) for w in app.warning] == [
        r"Exactly this row comes out when the scores were not divided by $\sqrt{d_k}$."
    ]


def test_practice_says_wrong_without_giving_it_away():
    right = [f"{weight:.3f}" for weight in weights_by_loops(1 / math.sqrt(2))]
    app = practise([right[0], "0.111", right[2], right[3]])
    assert "x2" in problems(app)[0]
    assert right[1] not in problems(app)[0]


@pytest.mark.parametrize("answer", ["", "abc", "0,449", "1/0"])
def test_practice_names_an_unreadable_answer(answer):
    app = practise(["0.109", answer, "0.221", "0.221"])
    assert problems(app) == []
    assert "column 2" in str(app.warning[0].value)


def test_the_hidden_values_are_hidden_everywhere_on_the_practice_tab():
    app = open_page(EXAMPLE, tab="practice")
    specs = [json.dumps(chart.proto.spec) for chart in elements(app, "vega_lite_chart")]
    specs += [str(chart.proto) for chart in elements(app, "vega_lite_chart")]
    text = " ".join([*words(app), *specs])
    for weight in weights_by_loops(1 / math.sqrt(2)):
        assert f"{weight:.3f}" not in text
    assert "1.414" in text, "what the row is worked out from is there"


# The frame ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_the_device_is_told_in_words(kind, language):
    status = backends.BackendStatus("mlx", True, True, kind, "Apple M3 Max", "float32", None)
    sentence = frame.describe(status, translator(language))
    assert "Apple M3 Max" in sentence
    assert "float32" in sentence


@pytest.mark.parametrize("purpose", list(WAYS))
def test_every_way_of_the_overview_leads_to_an_address_that_stays(purpose):
    """Another one would be an entry of the browser's history that Back cannot get past."""
    for way in WAYS[purpose]:
        app = open_page(WAY_PAGES[way.page][0], **way.view)
        assert problems(app) == [], way.title
        assert address_of(app) == way.view, way.title


def test_a_usual_value_leaves_the_address_once_the_reader_has_chosen_another():
    app = open_page(PAGES["attention-properties"], tab="order", seed="1")
    assert address_of(app) == {"tab": "order", "seed": "1"}
    for tab in ("reach", "order"):
        app.segmented_control(key="properties.tab@en").set_value(tab).run()
    assert address_of(app) == {"seed": "1"}


def test_what_is_chosen_before_the_page_has_run_to_its_end_is_not_undone_by_its_link(monkeypatch):
    """Else a reader could do nothing while a linked view is computed for seconds."""
    monkeypatch.setattr("pages.ui.properties.link_state.publish", lambda: None)  # not reached
    app = open_page(PAGES["attention-properties"], tab="order", seed="7")
    app.session_state["properties.tab"] = "reach"
    monkeypatch.undo()
    with after_the_first_visit():
        app.run()
    assert app.session_state["properties.tab"] == "reach"
    assert app.session_state["properties.seed"] == 7
