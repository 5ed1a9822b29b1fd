"""The masks page through the frame, in both languages, as a person would use its widgets."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine.experiments.masks import Params
from engine.experiments.masks.mistakes import VARIANTS, MistakesParams, make_mistakes
from engine.experiments.presets import textbook
from pages.gallery.claim_results import finding_of
from pages.text import LANGUAGES, translator
from pages.text.mask_words import verdict_word
from pages.ui import address as address_bar
from pages.ui.masks import computing, drawing_text, state
from tests import oracles
from tests.conftest import require_backend
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    EXAMPLE,
    MASKS,
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


@pytest.fixture(autouse=True)
def navigation_has_run():
    with after_the_first_visit():
        yield


def shown(app: AppTest, tab: str = "compare") -> Any:
    """Return the parameters whose result a tab shows."""
    return app.session_state["attention-masks.last"][tab]


def metric(app: AppTest, label: str) -> str:
    """Return a measured number of the page."""
    return next(str(each.value) for each in app.metric if each.label == label)


def field(app: AppTest, kind: str, name: str):
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"masks.{name}@field")


def by_loops(**masks: str | int) -> dict[str, np.ndarray]:
    """Return the textbook example under one mask, worked out by loops."""
    x, w_q, w_k, w_v = matrices()
    return oracles.trace(x, w_q, w_k, w_v, mask=oracles.mask_of(len(x), **masks))


def matrices() -> list[np.ndarray]:
    return [np.array(getattr(textbook(), name)) for name in ("x", "w_q", "w_k", "w_v")]


# Every tab ---------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(MASKS, lang=language, backend=backend)
    for tab in state.TABS:
        app.segmented_control(key=f"masks.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) == 3, tab
        if language == "zh":
            assert english_sentences(app) == [], tab


@pytest.mark.parametrize(
    ("size", "refused"),
    [
        ({"source": "sentence", "sentence": "Hi"}, {"mistakes"}),  # nothing to hide
        ({"source": "random", "T": "2", "d_k": "1"}, set()),
        ({"source": "random", "T": "256", "d_k": "2"}, set()),
    ],
    ids=str,
)
def test_the_extreme_sizes_run_on_every_tab(size, refused):
    app = open_page(MASKS, a="prefix", b="window", b_window="1", queries="1", keys="16", **size)
    for tab in state.TABS:
        app.session_state["masks.tab"] = tab
        app.run()
        assert len(problems(app)) == int(tab in refused), tab
        assert charts(app) >= 1, tab


def test_a_tab_shows_its_own_controls_and_no_others():
    app = open_page(MASKS)
    assert {"masks.a_pattern@en", "masks.b_pattern@en"} <= {box.key for box in app.selectbox}
    assert not app.text_area
    app = open_page(MASKS, tab="padding")
    assert len(app.text_area) == 3
    assert not app.selectbox
    app = open_page(MASKS, tab="alignment")
    assert not app.selectbox
    assert {slider.label for slider in app.slider} >= {"Queries, $T$", "Keys, $S$"}
    app = open_page(MASKS, tab="mistakes")
    keys = {box.key for box in app.selectbox}
    assert {"masks.b_pattern@en", "masks.dtype@field", "masks.variant@en"} == keys


# Numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_the_numbers_of_the_comparison_are_those_of_the_loops(backend):
    require_backend(backend)
    masks = {"a": "window", "a_window": "2", "b": "prefix", "b_padding": "on", "b_length": "3"}
    app = open_page(MASKS, backend=backend, **masks)
    a = by_loops(pattern="window", window=2)
    b = by_loops(pattern="prefix", prefix=2, length=3)
    moved = np.abs(b["output"] - a["output"]).max(axis=1)
    hidden = [int(np.isneginf(side["masked"]).sum()) for side in (a, b)]
    assert metric(app, "Hidden, A | B") == f"{hidden[0]} | {hidden[1]}"
    assert metric(app, "Output change") == f"{moved.max():.3f}"
    table = next(iter(elements(app, "table"))).value
    np.testing.assert_allclose(
        table[["B, 1", "B, 2"]].astype(float).to_numpy(), b["output"], atol=6e-4
    )


def test_equal_masks_are_said_to_change_nothing():
    app = open_page(MASKS, a="causal")
    assert metric(app, "Output change") == "0"
    assert "Both masks hide the same cells" in text_of(app)


def test_a_query_that_sees_nothing_is_named():
    app = open_page(MASKS, b="drawn", b_drawn="1111/0000/1111/0000")
    assert "Queries that may look nowhere under B: 2" in text_of(app)
    assert "mean of 4 | 2 rows" in {each.delta for each in app.metric}


@pytest.mark.parametrize(
    ("b", "said"),
    [
        ("1000/1100/1110/1111", "visible cells of the same row, since each row still sums to 1"),
        ("0000/0000/0000/0000", "so nothing takes over their weight"),
        ("0000/1100/1111/1111", "where it has any; a row that sees no key sums to 0"),
    ],
)
def test_where_the_weight_of_hidden_cells_goes_is_so(b, said):
    app = open_page(MASKS, a="none", b="drawn", b_drawn=b)
    assert said in text_of(app)
    assert ("each row still sums to 1" in text_of(app)) is (b[:4] != "0000")


def test_a_row_that_sees_nothing_under_both_masks_sums_to_0_all_the_same():
    app = open_page(
        MASKS, a="drawn", a_drawn="0000/1111/1111/1111", b="drawn", b_drawn="0000/1100/1110/1111"
    )
    assert "since each row that sees something still sums to 1" in text_of(app)
    assert "each row still sums to 1" not in text_of(app)


def test_masks_that_each_hide_something_and_leave_a_row_empty():
    app = open_page(MASKS, a="window", a_window="1", b="none", b_padding="on", b_length="2")
    assert "each row still sums to 1" in text_of(app)
    app = open_page(
        MASKS, a="window", a_window="1", a_padding="on", a_length="3", b="drawn",
        b_drawn="0111/1011/1101/1110",
    )  # fmt: skip
    assert "a row that sees none sums to 0" in text_of(app)


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_rounding_is_no_move(backend):
    require_backend(backend)
    app = open_page(MASKS, source="sentence", sentence="a a a a", backend=backend)
    assert "No output moves beyond rounding" in text_of(app)
    assert "moves most" not in text_of(app)


def test_influence_is_exactly_zero_where_the_mask_hides():
    app = open_page(MASKS, tab="influence")
    assert metric(app, "Largest move, hidden") == "0"
    assert float(metric(app, "Smallest move, visible")) > 0
    app.segmented_control(key="masks.side@en").set_value("a").run()
    assert metric(app, "Largest move, hidden") == "–"
    assert "This mask hides nothing" in text_of(app)


def test_a_mask_that_hides_the_diagonal_alone_is_told_from_one_that_hides_nothing():
    app = open_page(MASKS, tab="influence", b="drawn", b_drawn="0111/1011/1101/1110")
    assert "This mask hides nothing" not in text_of(app)
    assert "only from itself" in text_of(app)


def test_hidden_cells_are_counted_off_the_diagonal_and_said_to_be():
    app = open_page(MASKS, tab="influence", b="none", b_padding="on", b_length="3")
    assert "Hidden cells off the diagonal: 3; the largest move there is 0" in text_of(app)
    assert "of 3 off the diagonal" in {each.delta for each in app.metric}
    assert "Where the mask hides another token, the output does not move" in text_of(app)
    assert "hides a token, no output moves" not in text_of(app)


def test_one_token_hidden_from_itself_has_no_other_to_speak_of():
    app = open_page(
        MASKS, tab="influence", source="sentence", sentence="one", b="drawn", b_drawn="0"
    )
    assert text_of(app).count("The one token is hidden from itself, and there is no other.") >= 1
    assert "every other token" not in text_of(app)


def test_the_cache_is_allowed_where_no_query_looks_ahead():
    app = open_page(MASKS, tab="growth")
    assert float(metric(app, "Largest change, A")) > 0.1
    assert "no earlier query looks at a later token" in text_of(app)
    assert "= 12 numbers" in text_of(app)
    field(app, "slider", "step").set_value(4).run()
    assert "= 16 numbers" in text_of(app)
    app = open_page(MASKS, tab="growth", b="none")
    assert "would have to be computed again" in text_of(app)


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_a_cache_may_start_where_outputs_change_no_more(backend):
    require_backend(backend)
    app = open_page(MASKS, tab="growth", a="none", b="prefix", b_prefix="3", backend=backend)
    assert "Under A outputs computed before change until the last token" in text_of(app)
    assert "Under B outputs computed before change up to length 2" in text_of(app)
    assert "from length 3 on they stay" in text_of(app)
    assert "computed again at every step" not in text_of(app)
    app = open_page(MASKS, tab="growth", b="none", b_padding="on", b_length="2", backend=backend)
    assert "from length 2 on they stay" in text_of(app)


def test_a_long_sequence_opens_at_its_last_step_and_goes_where_it_is_told():
    app = open_page(MASKS, tab="growth", source="random", T="13")
    assert field(app, "slider", "step").value == 13
    assert "step" not in address_of(app)
    field(app, "slider", "step").set_value(3).run()
    assert field(app, "slider", "step").value == 3
    assert address_of(app)["step"] == "3"
    next(button for button in app.button if button.label == "Next").click().run()
    assert field(app, "slider", "step").value == 4
    assert field(open_page(MASKS, tab="growth"), "slider", "step").value == 3


def test_a_window_needs_a_rolling_cache_only():
    app = open_page(MASKS, tab="growth", b="window", b_window="2")
    assert "a rolling cache of 2 rows would do" in text_of(app)
    assert "rolling" not in text_of(open_page(MASKS, tab="growth", b="window", b_window="4"))
    app = open_page(MASKS, tab="growth", b="window", b_window="1")
    assert "a rolling cache of one row would do" in text_of(app)


def test_equal_words_change_nothing_beyond_rounding():
    app = open_page(MASKS, tab="growth", b="none", source="sentence", sentence="a a a a")
    assert "Under B queries look ahead, yet with these tokens" in text_of(app)
    assert "a cache would be wrong" not in text_of(app)


def test_padding_is_wrong_until_its_keys_are_hidden():
    app = open_page(MASKS, tab="padding")
    assert float(metric(app, "Error otherwise")) > 0.01
    assert metric(app, "Error as chosen") == "0" or "e−" in metric(app, "Error as chosen")
    app.segmented_control(key="masks.kind@en").set_value("queries").run()
    assert float(metric(app, "Error as chosen")) > 0.01
    assert "wrong axis" in text_of(app)
    app = open_page(MASKS, tab="padding", sentence_1="one", sentence_2="two", sentence_3="three")
    assert "equally long" in text_of(app)


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_a_batch_without_errors_has_a_sentence_instead_of_a_plot(backend):
    require_backend(backend)
    app = open_page(MASKS, tab="padding", causal="on", backend=backend)
    assert charts(app) == 1
    assert "Under every kind of mask each real token has the output" in text_of(app)
    assert charts(open_page(MASKS, tab="padding", backend=backend)) == 2


@pytest.mark.parametrize(("T", "S", "empty"), [(3, 5, 0), (5, 3, 2), (4, 4, 0)])
def test_the_early_rows_of_both_alignments_are_told(T, S, empty):
    app = open_page(MASKS, tab="alignment", queries=str(T), keys=str(S))
    assert metric(app, "Queries that see nothing") == str(empty)
    assert ("refuses" in text_of(app)) is (T > S)
    assert ("same mask" in text_of(app)) is (T == S)


def test_one_key_or_query_has_its_own_words_and_pytorch_its_own_mask():
    for T, S, said in ((4, 5, "nobody sees the last key."), (5, 4, "query 1 comes before")):
        app = open_page(MASKS, tab="alignment", queries=str(T), keys=str(S))
        assert said in text_of(app)
    app = open_page(MASKS, tab="alignment", queries="4", keys="1")
    table = next(iter(elements(app, "table"))).value.set_index("Implementation")
    assert table.loc["PyTorch, is_causal=True", "Alignment"] == "upper left"
    assert table.loc["MLX kernel, boolean mask", "Alignment"] == "handed lower right"
    assert table.loc['MLX kernel, mask="causal"', "Alignment"] == "either"


def test_the_kernel_of_mlx_is_measured_where_it_runs_and_reported_where_not():
    app = open_page(MASKS, tab="alignment", backend="numpy", queries="5", keys="3")
    table = next(iter(elements(app, "table"))).value.set_index("Implementation")
    reported = table.loc['MLX kernel, mask="causal"']
    assert "not run now" in reported["Source"]
    assert reported["Row 1 becomes"] == "the mean of V"
    assert "Choose MLX as the backend" in text_of(app)
    require_backend("mlx")
    app = open_page(MASKS, tab="alignment", backend="mlx", queries="5", keys="3")
    table = next(iter(elements(app, "table"))).value.set_index("Implementation")
    assert table.loc['MLX kernel, mask="causal"', "Row 1 becomes"] == "the mean of V"
    assert table.loc["MLX kernel, 0 and −∞ added", "Row 1 becomes"] == "NaN"
    assert table.loc["MLX kernel, 0 and −∞ added", "Source"] == "measured here"


def test_a_mistake_is_chosen_by_keyboard_and_its_words_follow():
    app = open_page(MASKS, tab="mistakes")
    assert metric(app, "Smallest row sum") == f"{by_loops()['weights'][0, 0]:.3f}"
    app.selectbox(key="masks.variant@en").set_value("renormalise").run()
    assert address_of(app)["mistake"] == "renormalise"
    assert metric(app, "Smallest row sum") == "1.000"
    assert "rowsum" in text_of(app)


def table_format(app: AppTest) -> str:
    """Return the number format that the table of mistakes is measured in, as it is drawn."""
    drawn = str(next(iter(elements(app, "vega_lite_chart"))).proto.spec)
    found = re.search(r"measured in (\w+)", drawn)
    assert found is not None
    return found[1]


def test_every_mistake_has_its_words_and_every_format_is_computed():
    app = open_page(MASKS, tab="mistakes")
    formats = app.selectbox(key="masks.dtype@field").options
    assert list(formats) == ["float16", "bfloat16", "float32", "float64"]
    said = set()
    for variant, dtype in zip(VARIANTS, itertools.cycle(formats), strict=False):
        app.session_state["masks.variant"] = variant
        app.selectbox(key="masks.dtype@field").set_value(dtype).run()
        assert problems(app) == [], (variant, dtype)
        assert table_format(app) == dtype
        said.add(next(text for text in words(app) if "softmax" in text and "`" in text))
    assert len(said) == len(VARIANTS)


def test_another_format_is_drawn_and_not_computed():
    app = open_page(MASKS, tab="mistakes")
    before = computing._mistakes.cache_info().misses
    app.selectbox(key="masks.dtype@field").set_value("bfloat16").run()
    assert table_format(app) == "bfloat16"
    assert computing._mistakes.cache_info().misses == before


def test_rows_that_see_nothing_are_told_beside_the_numbers():
    app = open_page(MASKS, tab="mistakes", b="drawn", b_drawn="0000/1000/0000/1111")
    assert "2 rows of this mask see nothing" in text_of(app)
    assert all("Rows that see nothing are left out: 2." in str(each.help) for each in app.metric)
    assert "Nothing is trained here" in text_of(app)


def test_where_padding_that_was_not_chosen_hides_all_the_page_says_so():
    app = open_page(
        MASKS, tab="mistakes", mistake="wrong-axis",
        source="sentence", sentence="a b", b="drawn", b_drawn="01/00",
    )  # fmt: skip
    assert problems(app) == []
    assert [each.value for each in app.metric] == ["–"] * 3
    assert all("With the last token as padding" in str(each.help) for each in app.metric)
    assert "so there is nothing to judge" in text_of(app)


def test_mlx_says_that_it_has_no_float64_and_keeps_the_choice():
    require_backend("mlx")
    app = open_page(MASKS, tab="mistakes", dtype="float64", backend="mlx")
    assert problems(app) == []
    assert list(app.selectbox(key="masks.dtype@field").options) == [
        "float16",
        "bfloat16",
        "float32",
    ]
    assert "MLX computes in float32 and below here" in text_of(app)
    app.radio(key="backend@en").set_value("numpy").run()
    assert table_format(app) == "float64"


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
def test_the_claims_are_decided_by_what_was_measured(backend):
    require_backend(backend)
    app = open_page(MASKS, backend=backend)
    lines = {
        claim: next(text for text in words(app) if text.startswith(f"**“{start}"))
        for claim, start in (
            (12, "Minus infinity"),
            (13, "Masking after"),
            (14, "The encoder"),
            (15, "Position i"),
            (17, "Changing token 3"),
        )
    }
    formats = {"numpy": 4, "mlx": 3}[backend]
    assert f"with it all {formats} formats here come out right" in lines[12]
    assert "becomes −∞" in lines[12]
    assert f"as little as {by_loops()['weights'][0, 0]:.3f}" in lines[13]
    assert "a hidden score 200 above the visible scores of its row makes it 0/0" in lines[13]
    assert "the float32 column says NaN" in lines[13]
    far = make_mistakes(MistakesParams(), backend=backend).outcome("renormalise-far", "float32")
    assert verdict_word(far, translator("en")) == "NaN"
    assert f"outputs move by up to {multiplied_moves():.3f}." in lines[13]
    assert "4 × 4" in lines[14]
    assert "none of the 16 cells" in lines[14]
    assert "moves output i by 0," in lines[15]
    moved = textbook_moves()
    assert f"{moved:.3f}" in lines[17]
    assert finding_of(17, backend).verdict == "confirmed"


def multiplied_moves() -> float:
    """Return how far a later token moves an output when scores are multiplied by 0 and 1."""
    x, w_q, w_k, w_v = matrices()
    visible, T = np.tril(np.ones((4, 4))), 4

    def output(x: np.ndarray) -> np.ndarray:
        scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(w_q.shape[1]) * visible
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return np.asarray(weights @ (x @ w_v))

    moves = []
    for token in range(1, T):
        changed = x.copy()
        changed[token] += 1.0
        moves.append(np.abs(output(changed) - output(x))[:token].max())
    return float(max(moves))


def textbook_moves() -> float:
    """Return how far output 1 moves when token 3 changes, without a mask, worked out by loops."""
    x, w_q, w_k, w_v = matrices()
    return float(oracles.influence(x, w_q, w_k, w_v, np.ones((4, 4), bool), 1.0)[0, 2])


# Claim -> the address that its button leads to on NumPy.
CLAIMS = {
    12: {"tab": "mistakes", "mistake": "minus-1e9", "dtype": "float16"},
    13: {"tab": "mistakes", "mistake": "renormalise", "dtype": "float64"},
    14: {"families": "on"},
    15: {"tab": "influence"},
    17: {"tab": "influence", "side": "a"},
}


@pytest.mark.parametrize(("claim", "address"), CLAIMS.items())
def test_a_claim_leads_to_the_view_that_its_numbers_are_of(claim, address):
    elsewhere = {"tab": "padding", "side": "b", "source": "random", "a": "window", "b": "prefix"}
    app = open_page(MASKS, backend="numpy", a_padding="on", b_padding="on", **elsewhere)
    app.button(key=f"masks.checked.{claim}").click().run()
    assert problems(app) == []
    stated = {"side": "b"}  # by the link, and right
    assert address_of(app) == stated | address | {"backend": "numpy"}


def test_the_numbers_of_a_claim_stand_on_the_tab_it_leads_to():
    app = open_page(MASKS, tab="padding", backend="numpy", decimals="5")
    assert state.DEFAULTS["decimals"] == 3
    app.button(key="masks.checked.13").click().run()
    assert app.session_state["masks.decimals"] == 3
    line = next(text for text in words(app) if text.startswith("**“Masking after"))
    factor, power = metric(app, "Off the reference").split("e−")
    raised = power.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert f"by at most {factor} × 10⁻{raised}," in line.replace("\N{NO-BREAK SPACE}", " ")
    app.button(key="masks.checked.17").click().run()
    line = next(text for text in words(app) if text.startswith("**“Changing token 3"))
    assert f"{textbook_moves():.3f}" in line
    assert f"{textbook_moves():.3f}" in text_of(app).replace(line, "")


def test_claims_of_the_present_tab_are_open_and_the_others_folded():
    for tab in state.TABS:
        app = open_page(MASKS, tab=tab)
        folded = {
            button.key
            for each in app.expander
            for button in each.button
            if "checked" in str(button.key)
        }
        open_ones = {claim for claim in CLAIMS if f"masks.checked.{claim}" not in folded}
        assert open_ones == {
            claim for claim, view in CLAIMS.items() if view.get("tab", "compare") == tab
        }


def test_the_textbook_can_be_followed_to_its_page():
    app = open_page(MASKS)
    links = [each.proto for each in elements(app, "page_link")]
    follow = [link for link in links if "cell by cell" in link.label]
    assert ["mask=none" in link.query_string for link in follow] == [True, False]
    assert ["mask=causal" in link.query_string for link in follow] == [False, True]
    app = open_page(MASKS, a="prefix", b="window")
    assert not [e for e in elements(app, "page_link") if "cell by cell" in e.proto.label]


# Drawing -----------------------------------------------------------------------------------


def test_a_drawing_starts_from_the_pattern_before_it():
    app = open_page(MASKS)
    app.selectbox(key="masks.b_pattern@en").set_value("drawn").run()
    assert shown(app).b_drawn == "1000/1100/1110/1111"
    app.button(key="masks.start.b.nothing").click().run()
    assert shown(app).b_drawn == "0000/0000/0000/0000"
    app.selectbox(key="masks.b_pattern@en").set_value("window").run()
    app.selectbox(key="masks.b_pattern@en").set_value("drawn").run()
    assert shown(app).b_drawn == "0000/0000/0000/0000", "a drawing is kept"


def test_drawing_a_cell_changes_the_weights():
    app = open_page(MASKS, b="drawn", b_drawn="1000/1100/1110/1111")
    cells(app, 0).set_value([0, 2]).run()
    assert shown(app).b_drawn == "1010/1100/1110/1111"
    a, b = by_loops(), by_loops(drawn="1010/1100/1110/1111")
    moved = np.abs(b["output"] - a["output"]).max()
    assert metric(app, "Output change") == f"{moved:.3f}"
    assert metric(app, "Hidden, A | B") == "0 | 5"


def cells(app: AppTest, query: int, language: str = "en") -> Any:
    """Return the row of a query in the grid of mask B."""
    return app.segmented_control(key=f"masks.cell.b.{query}@{language}")


def test_the_cells_are_named_by_their_tokens_and_stay_pressed_under_other_names():
    app = open_page(
        MASKS, b="drawn", b_drawn="100/110/101", source="sentence", sentence="the cat sat"
    )

    def assert_row(language: str, label: str, last: str) -> None:
        row = cells(app, 2, language)
        assert (row.label, [option.content for option in row.proto.options][2]) == (label, last)
        assert row.value == [0, 2]

    assert_row("en", "3 sat", "query 3 sat, key 3 sat")
    field(app, "text_area", "sentence").set_value("the cat ran").run()
    assert_row("en", "3 ran", "query 3 ran, key 3 ran")
    app.segmented_control(key="lang").set_value("zh").run()
    assert cells(app, 2, "zh").value == [0, 2]
    app.segmented_control(key="lang").set_value("en").run()
    assert_row("en", "3 ran", "query 3 ran, key 3 ran")
    cells(app, 2).set_value([1]).run()
    assert shown(app).b_drawn == "100/110/010"


def test_a_drawing_fits_any_number_of_tokens_and_is_never_lost():
    app = open_page(
        MASKS, b="drawn", b_drawn="10/11", source="sentence", sentence="one two three four"
    )
    assert shown(app).b_drawn == "1011/1111/1111/1111"
    field(app, "text_area", "sentence").set_value("one").run()
    assert shown(app).b_drawn == "1"
    app.segmented_control(key="masks.source@en").set_value("random").run()
    field(app, "number_input", "T").set_value(17).run()
    assert problems(app) == []
    assert shown(app).b_drawn == ""
    assert "drawn for up to 16 tokens; there are 17, so nothing is drawn here" in text_of(app)
    field(app, "number_input", "T").set_value(2).run()
    assert shown(app).b_drawn == "10/11"


def test_an_edit_at_fewer_tokens_leaves_the_rest_of_a_drawing():
    drawn = "100000/110000/111000/111100/111110/011111"
    app = open_page(MASKS, source="random", T="6", b="drawn", b_drawn=drawn)
    field(app, "number_input", "T").set_value(4).run()
    cells(app, 0).set_value([0, 3]).run()
    assert shown(app).b_drawn == "1001/1100/1110/1111"
    field(app, "number_input", "T").set_value(6).run()
    assert shown(app).b_drawn == "100100/110000/111000/111100/111110/011111"


@pytest.mark.parametrize("drawn", ["", "1", "01/11", "111/000/101"])
@pytest.mark.parametrize("T", [1, 2, 4])
def test_a_fitted_drawing_keeps_what_was_drawn(drawn, T):
    rows = drawing_text.fitted(drawn, T).split("/")
    assert [len(row) for row in rows] == [T] * T
    old = drawn.split("/") if drawn else []
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            inside = i < len(old) and j < len(old)
            assert cell == (old[i][j] if inside else "1")


# Lengths and windows -----------------------------------------------------------------------


def test_a_number_beyond_the_tokens_is_cut_and_said_and_comes_back():
    app = open_page(MASKS, b="window", b_window="9", a="prefix", a_prefix="8")
    assert problems(app) == []
    assert (shown(app).b_window, shown(app).a_prefix) == (4, 4)
    assert "9 was chosen; with 4 tokens it is cut to 4." in text_of(app)
    app.segmented_control(key="masks.source@en").set_value("random").run()
    assert (shown(app).b_window, shown(app).a_prefix) == (9, 8)
    assert "is cut to" not in text_of(app)


def test_padding_beyond_the_tokens_is_cut():
    app = open_page(MASKS, b_padding="on", b_length="200")
    assert problems(app) == []
    assert shown(app).b_length == 4


# The reader's own words --------------------------------------------------------------------

BAD_SENTENCES = {
    "nothing": "",
    "spaces": "   \n ",
    "too long": "word " * 10_000,
    "a control character": "one \x07 two",
}


@pytest.mark.parametrize("text", BAD_SENTENCES.values(), ids=BAD_SENTENCES)
def test_a_bad_sentence_is_refused_once_and_nothing_is_lost(text):
    language = "zh" if text else "en"
    app = open_page(MASKS, lang=language, source="sentence", sentence="good words here")
    good = shown(app)
    field(app, "text_area", "sentence").set_value(text).run()
    assert len(problems(app)) == 1
    assert shown(app) == good
    assert field(app, "text_area", "sentence").value == text
    assert charts(app) >= 1
    for tab in ("growth", "padding", "mistakes"):
        app.segmented_control(key=f"masks.tab@{language}").set_value(tab).run()
        uses = tab != "padding"
        assert len(problems(app)) == int(uses), tab
        assert charts(app) >= 1, tab


@pytest.mark.parametrize(
    "text", ["🙂 🙂 👩‍👩‍👧", "注意力机制很有用", "the the the the", "$x^2$ **b** <i>no</i> :red[x]"]
)
def test_unusual_words_are_taken_as_they_are(text):
    app = open_page(MASKS, source="sentence", sentence=text)
    for tab in ("compare", "growth", "mistakes"):
        app.segmented_control(key="masks.tab@en").set_value(tab).run()
        assert problems(app) == [], tab
    shown_text = text_of(app)
    assert ":red[x]" not in shown_text
    assert "**b**" not in shown_text


def test_a_bad_sentence_of_the_batch_is_refused_and_the_batch_stays():
    app = open_page(MASKS, tab="padding")
    good = shown(app, "padding")
    field(app, "text_area", "sentence_2").set_value("word " * 100).run()
    assert len(problems(app)) == 1
    assert shown(app, "padding") == good


def test_a_mask_that_hides_nothing_has_no_mistakes_to_make():
    app = open_page(MASKS, tab="mistakes", b="none")
    assert len(problems(app)) == 1
    assert charts(app) >= 1, "the usual example is shown instead"


# The address -------------------------------------------------------------------------------

LINKS = [
    {"source": "random", "T": "20", "seed": "7", "d_k": "5", "b": "window", "b_window": "4"},
    {"source": "sentence", "sentence": "Füße & 注意 = 1+1?", "a": "prefix", "a_prefix": "0"},
    {"b": "drawn", "b_drawn": "1000/1100/0011/1111", "a_padding": "on", "a_length": "2"},
    {"tab": "influence", "side": "a", "a": "causal", "decimals": "5"},
    {"tab": "growth", "step": "2"},
    {"families": "on", "b": "prefix"},
    {"tab": "padding", "hide": "both", "causal": "on", "sentence_2": "only these four words"},
    {"tab": "alignment", "queries": "6", "keys": "2"},
    {"tab": "mistakes", "mistake": "wrong-axis", "dtype": "float16"},
]


def test_the_usual_view_has_a_short_address():
    assert set(address_of(open_page(MASKS))) <= {"lang"}


@pytest.mark.parametrize("address", LINKS, ids=str)
def test_a_link_reproduces_a_view(address):
    first = open_page(MASKS, **address)
    assert problems(first) == []
    assert address_of(first) == address
    second = open_page(MASKS, **address_of(first))
    tab = address.get("tab", "compare")
    assert shown(second, tab) == shown(first, tab)
    assert untimed(second) == untimed(first)


# Each value is none that its name can have.
HOSTILE = [
    {"tab": "nonsense", "source": "<script>", "T": "1", "d_k": "0", "seed": "-1", "a": "sideways"},
    {"T": "257", "seed": "9" * 40, "b_window": "0", "b_prefix": "-1", "b_length": "0", "side": "c"},
    {"T": "2.5", "b_padding": "perhaps", "b_drawn": "10/1", "step": "0", "hide": "all"},
    {"T": "٣", "b_drawn": "12/11", "causal": "1", "queries": "17", "keys": "0", "decimals": "40"},
    {"b_drawn": "/".join(["1" * 17] * 17), "dtype": "float128", "mistake": "![x](//a)"},
    {"b_drawn": "1" * 5000, "a_drawn": "<b>1</b>"},
    {"b_drawn": "/" * 9000, "a_drawn": "/"},
    {"b_drawn": "1/1", "a_drawn": "２"},
]


@pytest.mark.parametrize("address", HOSTILE, ids=range(len(HOSTILE)))
def test_every_wrong_part_of_an_address_is_said_and_the_usual_view_shown(address):
    app = open_page(MASKS, **address)
    assert len(problems(app)) == len(address)
    assert not any("![x](" in text or "<b>" in text for text in problems(app))
    assert all(len(text) < 400 for text in problems(app))
    assert all("usual value is shown" in text for text in problems(app))
    assert shown(app) == Params()


# Nothing is lost ---------------------------------------------------------------------------


def test_a_text_too_long_for_an_address_outlives_the_history_of_the_browser(monkeypatch):
    app, long = open_page(MASKS, source="sentence", decimals="4"), "word " * 2_000
    field(app, "text_area", "sentence").set_value(long).run()
    assert "sentence" not in address_of(app)
    monkeypatch.setattr(address_bar, "_from_history", lambda: True)
    app.query_params.clear()
    app.query_params["source"] = "sentence"
    app.run()
    assert field(app, "text_area", "sentence").value == long
    assert app.session_state["masks.decimals"] == 3, "what the address leaves out is usual"


CHOSEN = {
    "source": "sentence",
    "sentence": "kept as typed",
    "b": "drawn",
    "b_drawn": "100/010/001",
    "a": "window",
    "a_window": "2",
    "a_padding": "on",
    "decimals": "4",
    "tab": "influence",
    "side": "a",
    "sentence_1": "first of the batch",
    "queries": "7",
    "dtype": "bfloat16",
    "mistake": "inverted",
}


def test_nothing_is_lost_on_another_page_tab_language_or_backend():
    app = open_page(MASKS, **CHOSEN)
    assert problems(app) == []
    before = address_of(app)
    assert before == CHOSEN
    app.switch_page(PAGES["overview"]).run()
    app.query_params.clear()
    app.switch_page(MASKS).run()
    assert address_of(app) == before
    for tab in (*state.TABS, "influence"):
        app.segmented_control(key="masks.tab@en").set_value(tab).run()
        there = before | {"tab": tab}
        if tab == state.DEFAULTS["tab"]:
            del there["tab"]
        assert address_of(app) == there
    for language in ("zh", "en"):
        app.segmented_control(key="lang").set_value(language).run()
        app.radio(key=f"backend@{language}").set_value("numpy").run()
        assert problems(app) == []
    after = address_of(app)
    after.pop("backend")
    assert after == before


def test_a_link_inside_the_product_changes_what_it_names():
    app = open_page(MASKS, **CHOSEN)
    app.switch_page(PAGES["overview"]).run()
    app.query_params.clear()
    app.query_params.update({"tab": "padding"})
    app.switch_page(MASKS).run()
    assert address_of(app) == CHOSEN | {"tab": "padding"}


def test_the_overview_leads_to_the_views_it_names():
    app = open_page(PAGES["overview"])
    links = [each.proto for each in elements(app, "page_link")]
    views = [link.query_string for link in links if "masks" in link.page]
    assert len(views) == 6
    for view in views:
        address = dict(part.split("=") for part in view.split("&"))
        assert problems(open_page(MASKS, **address)) == [], view


def test_the_worked_example_is_as_it_was_after_a_visit_here():
    app = open_page(EXAMPLE, step="output")
    app.switch_page(MASKS).run()
    app.query_params.clear()
    app.switch_page(EXAMPLE).run()
    assert app.session_state["example.step"] == "output"
