"""The masks of the masks page, what they are applied to, and two of them compared."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, OptionError
from engine.experiments import worked_example
from engine.experiments.masks import MaskSpec, Params, run
from engine.experiments.masks.inputs import D_MODEL, MOST_SEED, MOST_WIDTH, head_of
from engine.experiments.masks.spec import MOST_DRAWN, build, drawn_text
from engine.experiments.masks.tokens import LONGEST_TOKEN, MOST_TOKENS, tokens_of
from tests import oracles
from tests.mask_specs import by_loop, sides, specs
from tests.tolerances import assert_close

SEEDS = st.integers(0, MOST_SEED)
SIZES = st.integers(1, 9)


def refusal(call, *arguments):
    with pytest.raises(OptionError) as caught:
        call(*arguments)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


# --- masks ----------------------------------------------------------------------------


@given(st.data(), SIZES)
def test_every_pattern_and_combination_is_the_one_written_as_a_loop(data, T):
    spec = data.draw(specs(T))
    visible = build(spec, T)
    assert visible.dtype == np.bool_
    np.testing.assert_array_equal(visible, by_loop(spec, T))


@pytest.mark.parametrize(
    ("spec", "rows"),
    [
        (MaskSpec(), "1111/1111/1111/1111"),
        (MaskSpec("causal"), "1000/1100/1110/1111"),
        (MaskSpec("window", window=2), "1000/1100/0110/0011"),
        (MaskSpec("prefix", prefix=2), "1100/1100/1110/1111"),
        (MaskSpec("prefix", prefix=0), "1000/1100/1110/1111"),
        (MaskSpec(length=3), "1110/1110/1110/1110"),
        (MaskSpec("causal", length=2), "1000/1100/1100/1100"),
        (MaskSpec("causal", drawn="1111/0000/0101/1111"), "1000/0000/0100/1111"),
    ],
)
def test_masks_one_can_check_by_eye(spec, rows):
    assert drawn_text(build(spec, 4)) == rows


@given(st.data(), SIZES)
def test_a_drawing_comes_back_as_it_was(data, T):
    cells = data.draw(st.lists(st.booleans(), min_size=T * T, max_size=T * T))
    visible = np.array(cells).reshape(T, T)
    np.testing.assert_array_equal(build(MaskSpec(drawn=drawn_text(visible)), T), visible)


@pytest.mark.parametrize(
    ("spec", "also"),
    [
        (MaskSpec("none"), MaskSpec("none", window=0, prefix=-1)),
        (MaskSpec("causal"), MaskSpec("causal", window=0, prefix=-1)),
        (MaskSpec("window", window=2), MaskSpec("window", window=2, prefix=-1)),
        (MaskSpec("prefix", prefix=1), MaskSpec("prefix", prefix=1, window=0)),
    ],
)
def test_only_what_belongs_to_the_pattern_is_read(spec, also):
    np.testing.assert_array_equal(build(spec, 3), build(also, 3))


@pytest.mark.parametrize(
    ("spec", "T", "says"),
    [
        (MaskSpec("window", window=0), 4, "The window must be a whole number from 1 to 4"),
        (MaskSpec("window", window=5), 4, "got 5"),
        (MaskSpec("window", window=True), 4, "got True"),
        (MaskSpec("window", window=1.5), 4, "got 1.5"),  # type: ignore[arg-type]
        (MaskSpec("prefix", prefix=-1), 4, "The prefix must be a whole number from 0 to 4"),
        (MaskSpec("prefix", prefix=5), 4, "got 5"),
        (MaskSpec(length=0), 4, "must be a whole number from 1 to 4"),
        (MaskSpec(length=5), 4, "got 5"),
        (MaskSpec(length=float("nan")), 4, "got nan"),  # type: ignore[arg-type]
        (MaskSpec(drawn="11/1"), 2, "row 2 has 1"),
        (MaskSpec(drawn="11/11/11"), 2, "must have 2 rows, one for each token; got 3"),
        (MaskSpec(drawn="1"), 2, "must have 2 rows, one for each token; got 1"),
        (MaskSpec(drawn="11/11/"), 2, "got 3"),
        (MaskSpec(drawn="11\n11"), 2, "holds U+000A"),
        (MaskSpec(drawn="1x/11"), 2, "holds x"),
        (MaskSpec(drawn="１1/11"), 2, "holds １"),
        (MaskSpec(drawn=" "), 2, "holds U+0020"),
        (MaskSpec(drawn="1"), MOST_DRAWN + 1, f"at most {MOST_DRAWN} tokens, and there are 17"),
        (MaskSpec("upper"), 4, "one of none, causal, window, prefix, got upper"),  # type: ignore[arg-type]
    ],
)
def test_an_impossible_mask_is_refused_with_what_is_allowed(spec, T, says):
    assert says in refusal(build, spec, T)


def test_a_mask_as_large_as_can_be_drawn():
    row = "1" * MOST_DRAWN
    assert build(MaskSpec(drawn="/".join([row] * MOST_DRAWN)), MOST_DRAWN).all()


# --- tokens ---------------------------------------------------------------------------

FAMILY, THUMB, FLAGS = "👨‍👩‍👧‍👦", "👍🏽", ("🇩🇪", "🇬🇧")


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("The cat sat", ("The", "cat", "sat")),
        ("  two\t spaces \n", ("two", "spaces")),
        ("full\u3000width\u00a0space", ("full", "width", "space")),
        ("didn't, it’s state-of-the-art!", ("didn't", ",", "it’s", "state-of-the-art", "!")),
        ("“hi” — 'he'", ("“", "hi", "”", "—", "'", "he", "'")),
        ("the The the", ("the", "The", "the")),
        ("今天天气很好。", ("今", "天", "天", "气", "很", "好", "。")),
        ("BERT模型有12层", ("BERT", "模", "型", "有", "12", "层")),
        ("東京タワー", ("東", "京", "タワー")),
        ("한국어 문장", ("한국어", "문장")),
        (f"a{FAMILY}b", ("a", FAMILY, "b")),
        (FAMILY + THUMB + "".join(FLAGS), (FAMILY, THUMB, *FLAGS)),
        ("❤️1️⃣2️⃣", ("❤️", "1️⃣", "2️⃣")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("שלום עולם", ("שלום", "עולם")),
        ("نمی‌خواهم", ("نمی‌خواهم",)),
        ("cafe\u0301 caf\u00e9", ("caf\u00e9", "caf\u00e9")),
        ("zero\u200bwidth \ufeffmark", ("zero", "width", "mark")),
        ("葛\U000e0100城", ("葛\U000e0100", "城")),
        ("a" * LONGEST_TOKEN, ("a" * LONGEST_TOKEN,)),
        ("x " * MOST_TOKENS, ("x",) * MOST_TOKENS),
        ("字" * MOST_TOKENS, ("字",) * MOST_TOKENS),
    ],
)
def test_sentences_become_tokens(sentence, tokens):
    assert tokens_of(sentence) == tokens


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("", "is empty"),
        (" \u3000\t\u200b\ufeff", "is empty"),
        ("word " * (MOST_TOKENS + 1), "more than 256 tokens"),
        ("word " * 10_000, "more than 256 tokens"),
        ("字" * 1_000_000, "more than 256 tokens"),
        ("a" * (LONGEST_TOKEN + 1), "at most 40 characters"),
        ("a" * 1_000_000, "at most 40 characters"),
        ("a" + "\u0301" * 1_000, "at most 40 characters"),
        ("\u0301", "the character U+0301"),
        ("a \u20dd", "the character U+20DD"),
        ("\u200d", "the character U+200D"),
        ("soft\u00adhyphen", "the character U+00AD"),
        ("\u200fשלום", "the character U+200F"),
        ("abc \u202e cba", "the character U+202E"),
        ("nul\x00", "the character U+0000"),
        ("\ud800", "the character U+D800"),
        ("\ue000", "the character U+E000"),
        ("\uffff", "the character U+FFFF"),
        ("\u3164", "the character U+3164"),
        ("\u2060", "the character U+2060"),
    ],
)
def test_a_hostile_sentence_is_refused_in_one_sentence(sentence, says):
    text = refusal(tokens_of, sentence)
    assert says in text
    assert len(text) < 200
    assert text.isprintable()


@given(st.text(max_size=60) | st.text("aé字'-👍🏽\u200d\ufe0f 🇩🇪1\u20e3\u0301", max_size=60))
def test_any_text_becomes_tokens_that_hold_all_of_it_or_is_refused(sentence):
    try:
        tokens = tokens_of(sentence)
    except OptionError as error:
        assert str(error).endswith(".")
        return
    parts = unicodedata.normalize("NFC", sentence)
    kept = "".join(each for each in parts if each not in "\u200b\ufeff" and not each.isspace())
    assert "".join(tokens) == kept
    assert 0 < len(tokens) <= MOST_TOKENS
    assert all(token.strip() == token != "" for token in tokens)
    assert all(len(token) <= LONGEST_TOKEN for token in tokens)
    assert not any(unicodedata.category(token[0]) in ("Mn", "Mc", "Me") for token in tokens)


# --- heads ----------------------------------------------------------------------------


def drawn_again(seed, stream, shape, text=None):
    """Draw the same numbers from NumPy and the hash of the text alone."""
    key = [seed, stream]
    if text is not None:
        key.append(int(hashlib.sha256(text.encode("utf-8")).hexdigest(), 16))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(key))).normal(size=shape)


def test_the_textbook_is_the_worked_example_to_the_last_bit(backend):
    by_page = worked_example.run(worked_example.Params(), backend=backend)
    causal = worked_example.run(worked_example.Params(causal=True), backend=backend)
    result = run(Params(), backend=backend)
    assert result.head.tokens == by_page.params.tokens
    for field in ("q", "k", "v", "scores", "scaled", "masked", "weights", "output"):
        for side, expected in ((result.a, by_page), (result.b, causal)):
            np.testing.assert_array_equal(
                getattr(side.trace, field), getattr(expected.trace, field)
            )


@given(SEEDS, st.integers(1, 12))
def test_a_sentence_is_drawn_from_its_seed_and_its_words(seed, d_k):
    head = head_of(Params(source="sentence", sentence="it is 它 👍🏽 it", seed=seed, d_k=d_k))
    assert head.tokens == ("it", "is", "它", "👍🏽", "it")
    expected = [drawn_again(seed, 4, 16, token) for token in head.tokens]
    np.testing.assert_array_equal(head.x, expected)
    for stream, matrix in enumerate((head.w_q, head.w_k, head.w_v), start=1):
        np.testing.assert_array_equal(matrix, drawn_again(seed, stream, (d_k, 16)).T / 4)


@given(SEEDS, st.integers(2, 40))
def test_random_input_is_drawn_from_its_seed(seed, T):
    head = head_of(Params(source="random", T=T, seed=seed))
    assert head.tokens == tuple(f"x{n + 1}" for n in range(T))
    np.testing.assert_array_equal(head.x, drawn_again(seed, 0, (T, 16)))


@given(SEEDS, st.integers(2, 39), st.integers(1, MOST_WIDTH - 1))
def test_a_larger_input_begins_with_every_smaller_one(seed, T, d_k):
    small = head_of(Params(source="random", seed=seed, T=T, d_k=d_k))
    large = head_of(Params(source="random", seed=seed, T=40, d_k=MOST_WIDTH))
    np.testing.assert_array_equal(large.x[:T], small.x)
    np.testing.assert_array_equal(large.w_k[:, :d_k], small.w_k)


def test_the_same_word_has_the_same_vector_wherever_it_stands():
    params = Params(source="sentence", seed=5)
    alone = head_of(replace(params, sentence="cat")).x[0]
    among = head_of(replace(params, sentence="the cat saw a cat. Cat!"))
    words = np.array(among.tokens)
    np.testing.assert_array_equal(among.x[words == "cat"], [alone, alone])
    for other in ("the", "Cat", "!"):
        assert np.abs(among.x[words == other] - alone).max() > 0.1
    assert np.abs(head_of(replace(params, sentence="cat", seed=6)).x[0] - alone).max() > 0.1


def test_queries_keys_and_values_have_variance_1_and_are_independent():
    heads = [head_of(Params(source="random", seed=seed, T=64, d_k=64)) for seed in range(40)]
    projected = [
        np.concatenate([(head.x @ getattr(head, name)).ravel() for head in heads])
        for name in ("w_q", "w_k", "w_v")
    ]
    assert np.var(projected, axis=1) == pytest.approx(1, abs=0.02)
    assert np.abs(np.corrcoef(projected) - np.eye(3)).max() < 0.02
    assert heads[0].x.shape[1] == D_MODEL


@pytest.mark.parametrize(
    ("params", "says"),
    [
        (Params(source="random", T=1), "T must be a whole number from 2 to 256, got 1"),
        (Params(source="random", T=257), "got 257"),
        (Params(source="random", d_k=0), "d_k must be a whole number from 1 to 64, got 0"),
        (Params(source="sentence", d_k=65), "got 65"),
        (Params(source="sentence", seed=-1), "The seed must be a whole number from 0 to 999999"),
        (Params(source="random", seed=MOST_SEED + 1), "got 1000000"),
        (Params(source="random", seed=True), "got True"),
        (Params(source="random", T=3.0), "got 3.0"),  # type: ignore[arg-type]
        (Params(source="sentence", sentence=""), "is empty"),
        (Params(source="sentence", sentence=5), "sentence must be text, got int"),  # type: ignore[arg-type]
        (Params(source="random", T=np.bool_(True)), "T must be a whole number"),  # type: ignore[arg-type]
        (Params(source="random", T=np.int64(257)), "got 257"),  # type: ignore[arg-type]
        (Params(source="poem"), "one of textbook, sentence, random, got poem"),  # type: ignore[arg-type]
    ],
)
def test_an_impossible_input_is_refused_with_what_is_allowed(params, says):
    assert says in refusal(head_of, params)


def test_only_what_belongs_to_the_source_is_read():
    assert head_of(Params(sentence="", seed=-1, T=0, d_k=0)).tokens == ("x1", "x2", "x3", "x4")
    assert head_of(Params(source="sentence", sentence="one", T=0)).tokens == ("one",)
    assert len(head_of(Params(source="random", sentence="", T=3)).tokens) == 3


# --- two masks compared ---------------------------------------------------------------


@settings(max_examples=25)
@given(data=st.data(), T=st.integers(2, 7), seed=SEEDS, d_k=st.integers(1, 8))
def test_both_sides_are_attention_under_their_masks(backend, data, T, seed, d_k):
    masks = {"a": data.draw(specs(T)), "b": data.draw(specs(T))}
    params = Params(source="random", seed=seed, T=T, d_k=d_k, **sides(**masks))
    result = run(params, backend=backend)
    head = head_of(params)
    expected = {
        name: oracles.trace(head.x, head.w_q, head.w_k, head.w_v, mask=by_loop(spec, T))
        for name, spec in masks.items()
    }
    limits = {"scores": np.abs(expected["a"]["scores"]).max()}
    wide = {**limits, "largest": np.abs(expected["a"]["v"]).max()}
    precision = backend.precision
    assert result.precision == precision
    for name, spec in masks.items():
        side = getattr(result, name)
        assert side.spec == spec
        np.testing.assert_array_equal(side.visible, by_loop(spec, T))
        assert_close(side.trace.weights, expected[name]["weights"], precision, **limits)
        assert_close(side.trace.output, expected[name]["output"], precision, **wide)
        assert not side.trace.weights[~side.visible].any()
    difference = expected["b"]["weights"] - expected["a"]["weights"]
    assert_close(result.difference, difference, precision, **limits)
    moved = [
        oracles.largest_step(*rows)
        for rows in zip(expected["b"]["output"], expected["a"]["output"], strict=True)
    ]
    assert_close(result.moved, moved, precision, **wide)


def test_a_row_that_may_look_nowhere_is_zero_and_named(backend):
    result = run(Params(b_drawn="1000/0000/1111/0000"), backend=backend)
    assert result.b.empty_rows == (1, 3)
    assert result.a.empty_rows == ()
    assert not result.b.trace.weights[[1, 3]].any()
    assert not result.b.trace.output[[1, 3]].any()


def test_the_mean_of_the_effective_keys_leaves_out_rows_that_see_nothing(backend):
    side = run(Params(b_pattern="none", b_drawn="1100/0000/1111/1000"), backend=backend).b
    shares = [list(filter(None, row)) for row in side.trace.weights.tolist()]
    kept = [math.exp(-sum(w * math.log(w) for w in row)) for row in shares if row]
    assert len(kept) == 3
    assert side.mean_keys == pytest.approx(sum(kept) / 3, rel=1e-6)
    hidden = run(Params(b_pattern="none", b_drawn="/".join(["0000"] * 4)), backend=backend).b
    assert hidden.mean_keys == 0


def test_a_sentence_of_one_token_and_one_of_as_many_as_fit(backend):
    one = run(Params(source="sentence", sentence="🙂"), backend=backend)
    np.testing.assert_array_equal(one.a.trace.weights, [[1]])
    assert not one.moved.any()
    most = run(Params(source="sentence", sentence="字" * MOST_TOKENS), backend=backend)
    assert_close(most.a.trace.weights, np.full((256, 256), 1 / 256), backend.precision)


def test_no_one_writes_into_a_result(backend):
    result = run(Params(), backend=backend)
    sides_of = [
        value
        for side in (result.a, result.b)
        for value in (side.visible, *vars(side.trace).values())
    ]
    arrays = [*vars(result).values(), *vars(result.head).values(), *sides_of]
    found = [array for array in arrays if isinstance(array, np.ndarray)]
    assert len(found) == 2 + 4 + 2 * 10
    for array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_whole_numbers_of_numpy_are_whole_numbers():
    one: Any = np.int64(1)
    plain = Params("random", T=2, seed=1, d_k=1, a_pattern="window", a_window=1, b_length=1)
    same = replace(plain, seed=one, d_k=one, a_window=one, b_length=one)
    np.testing.assert_array_equal(run(same).a.trace.output, run(plain).a.trace.output)
    np.testing.assert_array_equal(run(same).b.visible, run(plain).b.visible)


def test_a_drawing_that_is_no_text_is_refused():
    assert "drawn must be text, got int" in refusal(run, Params(b_drawn=1))  # type: ignore[arg-type]


def test_what_is_wrong_with_either_mask_is_said(backend):
    for params in (Params(a_pattern="window", a_window=9), Params(b_length=5), Params(b_drawn="1")):
        with pytest.raises(EngineError, match="4"):
            run(params, backend=backend)
