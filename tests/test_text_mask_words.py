"""The words for masks and their mistakes agree with what was measured, and with what is so."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.mistakes import (
    DTYPES,
    FAR_FILL,
    FAR_UNDERFLOW,
    VARIANTS,
    EmptyRows,
    FullRow,
    MistakesParams,
    make_mistakes,
)
from pages.figures.numerals import measured_number
from pages.text import translator
from pages.text.mask_training import empty_words, excess_words, training_words
from pages.text.mask_words import (
    family_words,
    full_row_words,
    spec_words,
    variant_code,
    variant_title,
    verdict_word,
)

ENGLISH = translator("en")
SENTENCE = "A cat that was hungry ate"
# Every kind of mask: with answers to hide, with padding alone, its own mirror image, an empty row.
CASES = {
    "causal": MistakesParams(),
    "sentence": MistakesParams(source="sentence", sentence=SENTENCE),
    "window": MistakesParams(source="random", T=7, pattern="window", window=2),
    "padding": MistakesParams(source="random", T=6, pattern="none", length=4),
    "both": MistakesParams(source="random", T=6, length=4),
    "mirror": MistakesParams(source="random", T=3, pattern="none", drawn="110/111/011"),
    "empty row": MistakesParams(source="random", T=3, pattern="none", drawn="100/000/110"),
    "empty rows": MistakesParams(source="random", T=4, pattern="none", drawn="0000/1000/0000/1110"),
    "window of one": MistakesParams(source="random", T=4, pattern="window", window=1),
    "drawn": MistakesParams(source="random", T=3, pattern="none", drawn="110/110/111", length=2),
}


@lru_cache(maxsize=len(CASES))
def made(case: str):
    return make_mistakes(CASES[case], backend="numpy")


def sentences(case: str, name: str) -> dict[str, str]:
    """Return what one would see in training, for each dtype."""
    result = made(case)
    variant = result.variant(name)
    return {
        dtype: training_words(result, variant, outcome, ENGLISH)
        for dtype, outcome in variant.outcomes.items()
    }


# ------------------------------------------------------------------------------ masks


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (MaskSpec(), "Bidirectional"),
        (MaskSpec("causal"), "Causal"),
        (MaskSpec("window", window=3), "Sliding window of 3"),
        (MaskSpec("prefix", prefix=2), "Prefix of 2"),
        (MaskSpec("causal", length=4), "Causal, padding after 4"),
        (MaskSpec("window", window=5, length=7), "Sliding window of 5, padding after 7"),
        (MaskSpec(drawn="10/11"), "Drawn by hand"),
        (MaskSpec("causal", drawn="10/11", length=1), "Causal, drawn by hand, padding after 1"),
    ],
)
def test_a_mask_is_named_by_its_parts(spec, words):
    assert spec_words(spec, ENGLISH) == words
    inside = spec_words(spec, ENGLISH, inside=True)
    assert inside == words[0].lower() + words[1:]


@pytest.mark.parametrize("spec", [MaskSpec("window", window=3), MaskSpec(drawn="10/11", length=1)])
def test_chinese_has_one_form_for_the_beginning_and_the_inside(spec):
    chinese = translator("zh")
    assert spec_words(spec, chinese) == spec_words(spec, chinese, inside=True)


@pytest.mark.parametrize(
    ("spec", "models"),
    [
        (MaskSpec(), ("Encoder-only", "BERT", "RoBERTa")),
        (MaskSpec("causal"), ("Decoder-only", "GPT-2", "Llama")),
        (MaskSpec("window"), ("Mistral 7B v0.1",)),
        (MaskSpec("prefix"), ("T5", "UniLM", "PaliGemma")),
        (MaskSpec("prefix", prefix=0), ("Decoder-only", "GPT")),
        (MaskSpec("causal", length=3), ("Decoder-only", "GPT")),
    ],
)
def test_each_pattern_names_its_models(spec, models):
    for model in models:
        assert model in family_words(spec, ENGLISH)


def test_no_model_uses_a_mask_drawn_by_hand():
    assert family_words(MaskSpec("causal", drawn="10/11"), ENGLISH) == ""


# ------------------------------------------------------------------------------ names and code


def test_every_variant_has_its_own_title_and_its_line_of_code():
    assert len({variant_title(name, ENGLISH) for name in VARIANTS}) == len(VARIANTS)
    assert all(variant_code(name) for name in VARIANTS)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def run_line(code, s, m, real):
    """Run one line as it stands, and return what its last part gives."""
    names = {
        "softmax": softmax, "where": np.where, "inf": np.inf, "None": None,
        "rowsum": lambda w: w.sum(axis=-1, keepdims=True), "s": s, "m": m, "real": real,
    }  # fmt: skip
    *first, last = code.split("; ")
    for line in first:
        exec(line, names)
    return eval(last, names)


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("case", ["causal", "sentence", "both"])
def test_the_code_of_a_mistake_makes_its_weights(case, name):
    result = made(case)
    head, spec = result.head, result.params.mask
    q, k = head.x @ head.w_q, head.x @ head.w_k
    s = q @ k.T / np.sqrt(k.shape[1])
    T = len(s)
    far = {"minus-1e4-far": FAR_FILL, "renormalise-far": FAR_UNDERFLOW}.get(name)
    row, column = result.raised
    if far is not None:
        s[row, column] = s[row][result.visible[row]].max() + far
    real = np.arange(T) < result.padded_length
    m = np.tril(np.ones((T, T), dtype=bool))  # what the padding is added to, rightly or not
    if name != "wrong-axis":
        m &= np.arange(T) < (spec.length or T)
    with np.errstate(all="ignore"):
        weights = run_line(variant_code(name), s, m, real)
    found = result.variant(name).outcomes["float64"].weights
    np.testing.assert_allclose(weights, found, rtol=1e-9, atol=1e-12)


# ------------------------------------------------------------------------------ training


@pytest.mark.parametrize(("case", "name"), list(product(CASES, VARIANTS)))
def test_every_outcome_has_a_sentence_that_fits_its_numbers(case, name):
    for dtype, outcome in made(case).variant(name).outcomes.items():
        words = sentences(case, name)[dtype]
        assert words.endswith(".")
        assert not {"{", "}"} & set(words)
        empty = [not any(row) for row in made(case).variant(name).intended.tolist()]
        as_meant = "Trains as meant", "Right in the rows that see something"
        assert [words.startswith(each) for each in as_meant] == [
            outcome.right and not any(empty),
            outcome.right and any(empty),
        ], words
        # A colon follows what is said of the mask, none what a mistake makes of it.
        assert bool(re.search(r"sees? nothing:", words)) is any(empty), words
        if outcome.nan_rows:
            assert "NaN" in words
        if "move" in words:
            assert measured_number(outcome.leak, 3) in words
        if "too good" in words or "nearly 0" in words:
            assert outcome.leaks
            assert verdict_word(outcome, ENGLISH) != "right"


@pytest.mark.parametrize("name", VARIANTS)
def test_padding_alone_hides_no_answer(name):
    for words in sentences("padding", name).values():
        assert "too good" not in words
        assert "nearly 0" not in words


@pytest.mark.parametrize("case", ["causal", "sentence"])
def test_a_causal_mask_that_leaks_makes_the_loss_look_too_good(case):
    for name in ("times-0-1", "plus-0-1", "minus-1e4-far"):
        assert all("too good" in words for words in sentences(case, name).values())
    assert all("nearly 0" in words for words in sentences(case, "transposed").values())


def nan_loss(words: str) -> bool:
    return "loss would be NaN" in words or "so would be the loss" in words


@pytest.mark.parametrize(("case", "name"), list(product(CASES, VARIANTS)))
def test_a_loss_is_nan_or_a_number_and_never_both(case, name):
    for words in sentences(case, name).values():
        numbers = ("too good", "nearly 0", "noisier", "without an error", "Trains as meant: ")
        hypothetical = "would be NaN, and the loss with it"
        found = nan_loss(words.replace(hypothetical, ""))
        assert not (found and any(each in words for each in numbers)), words


@pytest.mark.parametrize("case", ["causal", "sentence"])
def test_an_inverted_causal_mask_leaves_its_last_row_nothing(case):
    T = len(made(case).visible)
    for words in sentences(case, "inverted").values():
        assert words.startswith(f"The loss would be NaN: one of {T} rows sees nothing")


def test_the_answer_in_view_is_that_of_most_queries():
    mostly_prefix = MistakesParams(source="random", T=8, pattern="prefix", prefix=7)
    result = make_mistakes(mostly_prefix, backend="numpy")
    few = result.variant("inverted")
    shown = [i for i in range(7) if not few.intended[i][i + 1]]
    assert len(shown) == 1  # of seven queries with a next token
    # Its rows of NaN set aside, the story of the answers would be told of one query.
    calm = replace(few.outcomes["float64"], nan_rows=0, right=False)
    assert "nearly 0" not in training_words(result, few, calm, ENGLISH)


@pytest.mark.parametrize("case", ["causal", "sentence"])
def test_minus_infinity_exists_and_the_hazard_is_a_row_hidden_whole(case):
    assert "would be NaN" in sentences(case, "minus-infinity")["float32"]
    filled = sentences(case, "minus-1e9")
    assert "−1e9 becomes −∞" in filled["float16"]
    assert "masked_fill" in filled["float16"]  # PyTorch raises there, and does not round
    assert "masked_fill" not in filled["bfloat16"]
    assert "65,504" in filled["float16"]
    assert "would be NaN" in filled["float16"]
    for dtype in ("bfloat16", "float32"):
        assert "all keys equally" in filled[dtype]
    assert "as if there were no mask" in filled["float64"]


@pytest.mark.parametrize("case", ["causal", "sentence"])
def test_zeroing_leaks_and_renormalising_is_right_until_it_underflows(case):
    result = made(case)
    for dtype, words in sentences(case, "zero-after").items():
        least = result.variant("zero-after").outcomes[dtype].row_sums[0]
        assert "depends on hidden tokens" in words
        assert "generation does not have" in words
        assert measured_number(least, 3) in words
    assert "equal to the reference up to rounding" in sentences(case, "renormalise")["float64"]
    far = sentences(case, "renormalise-far")
    assert "0/0" in far["float32"]
    assert far["float64"].startswith("Trains as meant, even with a hidden score 200 above")


def test_padding_on_the_query_axis_is_seen_unless_another_mask_hides_it():
    assert "unlike the same sentence alone" in sentences("padding", "wrong-axis")["float32"]
    assert "unlike the same sentence alone" not in sentences("both", "wrong-axis")["float32"]
    for case in ("padding", "both"):
        assert "rows, from 5 on" in sentences(case, "wrong-axis")["float32"]


def test_why_padding_on_the_query_axis_is_not_seen_is_said():
    assert "Causality hides this padding" in sentences("both", "wrong-axis")["float32"]
    assert "Causality" not in sentences("padding", "wrong-axis")["float32"]
    assert "was drawn hides this padding" in sentences("drawn", "wrong-axis")["float32"]


@pytest.mark.parametrize("case", CASES)
def test_the_last_token_stands_for_padding_that_was_not_chosen(case):
    said = "the last one is taken as padding" in sentences(case, "wrong-axis")["float32"]
    assert said is (CASES[case].length is None)


def words_of(name: str, **params):
    """Return what is said of one mistake, with the result."""
    result = make_mistakes(MistakesParams(**params), backend="numpy")
    variant = result.variant(name)
    return training_words(result, variant, variant.outcomes["float32"], ENGLISH), result


def test_padding_on_that_hides_no_token_is_not_called_off():
    words, _ = words_of("wrong-axis", length=4)
    assert "No token is padding under this mask" in words


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"drawn": "0111/0011/0001/0000", "pattern": "none"}, "2 rows see nothing"),
        ({"pattern": "window", "window": 1}, "one row sees nothing"),
        (
            {"source": "sentence", "sentence": "a b", "drawn": "01/10", "pattern": "none"},
            "one row sees nothing",
        ),
    ],
)
def test_rows_that_see_nothing_because_of_padding_not_chosen_say_so(params, said):
    words, result = words_of("wrong-axis", **params)
    assert f"With the last token as padding, {said}" in words
    assert "of this mask see" not in words
    assert result.outcome("wrong-axis", "float32").empty.count > result.empty_rows


def test_where_no_row_sees_anything_the_verdict_is_neither_right_nor_wrong():
    words, result = words_of(
        "wrong-axis", source="sentence", sentence="a b", drawn="01/00", pattern="none"
    )
    assert words == (
        "With the last token as padding no row sees anything, so there is nothing to judge."
    )
    assert verdict_word(result.outcome("wrong-axis", "float32"), ENGLISH) == "nothing to judge"


def test_a_mask_upside_down_counts_every_row_that_sees_nothing():
    words, _ = words_of("transposed", pattern="window", window=2, length=1)
    assert words.startswith("The loss would be NaN: 3 of 4 rows see nothing this way.")


def test_what_is_wrong_beside_an_empty_row_is_said():
    words, result = words_of(
        "transposed", source="sentence", sentence="a a a a", pattern="none",
        drawn="1111/0111/0011/0001", length=3,
    )  # fmt: skip
    outcome = result.outcome("transposed", "float32")
    assert (outcome.nan_rows, outcome.right) == (0, False)
    assert "Elsewhere queries see what they should not, or miss what they may see." in words


def test_a_window_of_one_leaves_its_padding_nothing_and_says_so():
    words = sentences("window of one", "wrong-axis")["float32"]
    assert words.startswith("Right in the rows that see something.")
    assert "With the last token as padding, one row sees nothing: it is NaN" in words


def test_a_mask_that_is_its_own_mirror_image_may_stand_upside_down():
    assert "mirror image" in sentences("mirror", "transposed")["float32"]


def test_a_scale_that_generation_lacks_is_one_of_answers_to_hide():
    for words in sentences("padding", "zero-after").values():
        assert "generation" not in words


EMPTY = {
    "minus-infinity": ("it is NaN, and so would be the loss", "they are NaN"),
    "minus-1e9": ("it weighs all keys equally", "they weigh all keys equally"),
    "zero-after": ("it has no weights and an output of 0", "they have no weights and outputs of 0"),
    "renormalise": ("it is NaN", "they are NaN"),
}


@pytest.mark.parametrize("name", EMPTY)
def test_rows_that_see_nothing_are_spoken_of_as_they_are(name):
    one, several = EMPTY[name]
    words = sentences("empty row", name)["float32"]
    assert f"One row of this mask sees nothing: {one}" in words
    words = sentences("empty rows", name)["float32"]
    assert f"2 rows of this mask see nothing: {several}" in words
    assert "row that may look nowhere would" not in words


def test_rows_that_see_nothing_may_be_nan_in_part():
    words = empty_words(EmptyRows(3, 1, "other"), ENGLISH)
    assert words.startswith("3 rows of this mask see nothing: one of them is NaN")
    words = empty_words(EmptyRows(3, 2, "other"), ENGLISH, last_as_padding=True)
    assert words.startswith("With the last token as padding, 3 rows see nothing: 2 of them are NaN")
    assert empty_words(EmptyRows(), ENGLISH) == ""


@given(st.floats(1, 1e12, exclude_min=True))
def test_what_is_beyond_rounding_never_reads_as_rounding(excess):
    text = excess_words(excess)
    assert float(text) >= 1
    assert float(text) != 1 or excess < 1 + 1e-6


def test_one_number_that_loses_digits_says_by_how_much():
    params = MistakesParams(source="random", T=32, d_k=1, pattern="none", length=2)
    told = []
    for seed in (168, 468):
        result = make_mistakes(replace(params, seed=seed), backend="numpy")
        outcome = result.outcome("renormalise", "float16")
        assert outcome.right is (outcome.excess <= 1)
        words = training_words(result, result.variant("renormalise"), outcome, ENGLISH)
        assert (f"{excess_words(outcome.excess)} times" in words) is not outcome.right
        told.append(outcome.right)
    assert told == [False, True]


def test_a_leak_that_cannot_be_measured_is_not_given_as_a_number():
    result = made("causal")
    variant = result.variant("zero-after")
    silent = replace(variant.outcomes["float32"], leak=float("nan"), leaks=False)
    words = training_words(result, variant, silent, ENGLISH)
    assert "NaN" not in words
    assert "Trains as meant" not in words


@pytest.mark.parametrize("kind", get_args(FullRow))
def test_a_full_row_has_one_or_two_words(kind):
    outcome = replace(made("causal").variants[0].outcomes["float32"], full_row=kind)
    assert 1 <= len(full_row_words(outcome, ENGLISH).split()) <= 2


def test_the_words_of_all_dtypes_are_there():
    assert set(sentences("causal", "minus-1e9")) == set(DTYPES)


# ------------------------------------------------------------------------------ measured numbers


def test_nothing_rounding_and_not_a_number_are_told_apart():
    written = [measured_number(value, 3) for value in (0.0, -0.0, 6e-8, 0.25, float("nan"))]
    assert written == ["0", "0", "6e−8", "0.250", "NaN"]


@given(st.floats(0, 1e9, exclude_min=True), st.integers(0, 6))
def test_what_is_above_nothing_never_reads_as_nothing(value, decimals):
    assert set(measured_number(value, decimals)) - set("0.")
