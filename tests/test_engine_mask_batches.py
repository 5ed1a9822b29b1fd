"""Padding in a batch of three sentences, and causal masks for unequal lengths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import OptionError
from engine.experiments.masks.alignment import AlignmentParams, compare_alignments
from engine.experiments.masks.inputs import projections, word_vectors
from engine.experiments.masks.padding import KINDS, PAD, PaddingParams, compare_padding
from tests import oracles
from tests.conftest import require_backend

WORDS = ("cat", "dog", "猫", "🙂", "the", "Cat", "don't")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
BATCHES = st.tuples(SENTENCES, SENTENCES, SENTENCES)
ROUNDING = {"float64": 1e-12, "float32": 2e-5}
SIZES = st.integers(1, 6)


def hidden(kind, query, key, length, causal):
    """Say whether a mask hides a key from a query, one rule after the other."""
    if causal and key > query:
        return True
    if kind in ("keys", "both") and key >= length:
        return True
    return kind in ("queries", "both") and query >= length


def mask_of(kind, T, length, causal):
    return [[not hidden(kind, i, j, length, causal) for j in range(T)] for i in range(T)]


def attention(params, tokens, mask):
    return oracles.trace(
        word_vectors(tokens, params.seed), *projections(params.seed, params.d_k), mask=mask
    )


@given(sentences=BATCHES, causal=st.booleans(), seed=st.integers(0, 999_999))
@settings(max_examples=12)
def test_a_padded_batch_is_what_loops_make_of_it(backend, sentences, causal, seed):
    params = PaddingParams(sentences, seed, 3, causal)
    result = compare_padding(params, backend=backend)
    words = [tuple(sentence.split()) for sentence in sentences]
    T = max(map(len, words))
    near = ROUNDING[backend.precision]
    assert result.lengths == tuple(map(len, words))
    assert result.tokens == tuple(row + (PAD,) * (T - len(row)) for row in words)
    assert tuple(result.visible) == tuple(result.weights) == tuple(result.errors) == KINDS
    for number, row in enumerate(words):
        alone = attention(params, row, mask_of("none", len(row), len(row), causal))["output"]
        for kind in KINDS:
            mask = mask_of(kind, T, len(row), causal)
            expected = attention(params, result.tokens[number], mask)
            assert result.visible[kind][number].tolist() == mask
            np.testing.assert_allclose(result.weights[kind][number], expected["weights"], atol=near)
            error = np.abs(expected["output"][: len(row)] - alone).max()
            assert result.errors[kind][number] == pytest.approx(error, rel=0, abs=4 * near)


@given(sentences=BATCHES, causal=st.booleans(), seed=st.integers(0, 999_999))
@settings(max_examples=20)
def test_hidden_keys_and_nothing_else_keep_real_tokens_as_they_were(
    backend, sentences, causal, seed
):
    params = PaddingParams(sentences, seed, 4, causal)
    result = compare_padding(params, backend=backend)
    padded = [length < max(result.lengths) for length in result.lengths]
    near = 4 * ROUNDING[backend.precision]
    for kind in KINDS:
        # Padding stands after the words: a causal mask hides it from them anyway.
        harmless = causal or kind in ("keys", "both")
        for error, short in zip(result.errors[kind], padded, strict=True):
            assert (error > near) == (short and not harmless), kind


def test_hiding_queries_alone_changes_nothing_for_real_tokens(backend):
    result = compare_padding(PaddingParams(), backend=backend)
    assert result.errors["queries"] == result.errors["none"]
    for number, length in enumerate(result.lengths):
        assert not result.weights["queries"][number, length:].any()
        assert not result.weights["keys"][number, :, length:].any()
        np.testing.assert_array_equal(
            result.weights["both"][number, :length], result.weights["keys"][number, :length]
        )


def test_the_longest_sentence_is_the_same_under_every_kind(backend):
    result = compare_padding(PaddingParams(), backend=backend)
    assert result.lengths == (6, 2, 4)
    for kind in KINDS:
        assert result.errors[kind][0] == 0
        assert result.visible[kind][0].all()


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        (("a", "b"), "exactly 3 sentences here, got 2"),
        (("a", "b", "c", "d"), "exactly 3 sentences here, got 4"),
        (("a", " \n", "c"), "Sentence 2 of the batch: The sentence is empty.*up to 32"),
        (("a", "b", "x " * 33), "Sentence 3 of the batch: .*more than 32 tokens"),
        (("a", "b", "x " * 10_000), "Sentence 3 of the batch: .*more than 32 tokens"),
        (("w" * 41, "b", "c"), "Sentence 1 of the batch: The word"),
        (("a", "b\x07", "c"), "Sentence 2 of the batch: .*U\\+0007"),
        (("a", 2, "c"), "Sentence 2 of the batch: sentence must be text, got int"),
        ("abc", "must be a row of texts, got str"),
        (3, "must be a row of texts, got int"),
    ],
)
def test_a_sentence_that_cannot_be_used_is_named(sentences, message):
    with pytest.raises(OptionError, match=message) as caught:
        compare_padding(PaddingParams(sentences), backend="numpy")
    assert str(caught.value).count(".") <= 2


def test_32_tokens_are_taken():
    result = compare_padding(PaddingParams(("x " * 32, "猫坐", "🙂")), backend="numpy")
    assert result.lengths == (32, 2, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"d_k": 0}, "d_k must .* from 1 to 64, got 0"), ({"seed": -1}, "seed must be .* got -1")],
)
def test_a_number_out_of_range_is_refused(change, message):
    with pytest.raises(OptionError, match=message):
        compare_padding(replace(PaddingParams(), **change), backend="numpy")
    with pytest.raises(OptionError, match=message):
        compare_alignments(replace(AlignmentParams(), **change), backend="numpy")


def upper_left(T, S):
    return [[j <= i for j in range(S)] for i in range(T)]


def lower_right(T, S):
    return [[j - (S - 1) <= i - (T - 1) for j in range(S)] for i in range(T)]


def random_attention(result, mask):
    """Return the oracle's output for the projections that the result stands on."""
    params = result.params
    x, context = (
        np.random.default_rng([params.seed, stream]).standard_normal((size, 16))
        for stream, size in enumerate((params.T, params.S))
    )
    return oracles.trace(x, *projections(params.seed, params.d_k), context=context, mask=mask)


@given(T=SIZES, S=SIZES, seed=st.integers(0, 999_999), d_k=st.integers(1, 8))
@settings(max_examples=15)
def test_both_alignments_are_those_of_the_loops(backend, T, S, seed, d_k):
    result = compare_alignments(AlignmentParams(T, S, seed, d_k), backend=backend)
    near = ROUNDING[backend.precision]
    for side, mask in ((result.upper, upper_left(T, S)), (result.lower, lower_right(T, S))):
        expected = random_attention(result, mask)
        assert side.visible.tolist() == mask
        assert side.empty_rows == tuple(i for i, row in enumerate(mask) if not any(row))
        np.testing.assert_allclose(side.weights, expected["weights"], atol=near)
        np.testing.assert_allclose(side.output, expected["output"], atol=4 * near)
    assert result.upper.empty_rows == ()
    assert result.lower.empty_rows == tuple(range(max(0, T - S)))
    assert (len(result.queries), len(result.keys)) == (T, S)


def behaviours_of(backend, T, S, seed=1):
    result = compare_alignments(AlignmentParams(T, S, seed), backend=backend)
    return result, {each.name: each for each in result.behaviours}


@pytest.mark.parametrize(("T", "S"), [(3, 5), (1, 4), (2, 3), (4, 4), (5, 3), (16, 2), (2, 16)])
def test_what_each_implementation_does(backend, T, S):
    result, found = behaviours_of(backend, T, S)
    more_queries = T > S
    aligned = None if T == S else "lower-right"
    assert found["formula"].align == aligned
    assert found["formula"].first_row == ("nan" if more_queries else "attends")
    assert found["formula"].empty_row == "nan"
    engine = found["engine"]
    assert engine.first_row == ("refused" if more_queries else "attends")
    assert engine.align == (None if more_queries else aligned)
    assert (engine.output is None) == more_queries
    assert engine.empty_row == "zero"
    assert found["formula"].handed
    assert not engine.handed
    pytorch = found["pytorch"]
    assert (pytorch.align, pytorch.first_row) == (None if T == S else "upper-left", "attends")
    assert (pytorch.measured, pytorch.empty_row) == (False, "unknown")
    np.testing.assert_array_equal(pytorch.output, result.upper.output)


@pytest.mark.parametrize(("T", "S"), [(3, 5), (4, 4), (5, 3), (16, 2)])
def test_the_kernel_of_mlx_is_measured_where_it_is(backend, T, S):
    result, found = behaviours_of(backend, T, S)
    for name, empty in (("mlx-causal", "mean"), ("mlx-boolean", "mean"), ("mlx-additive", "nan")):
        kernel = found[name]
        assert kernel.align == (None if T == S else "lower-right")
        assert kernel.empty_row == empty
        assert kernel.first_row == (empty if T > S else "attends")
        assert kernel.handed is (name != "mlx-causal")
        if backend.name != "mlx":
            assert (kernel.measured, kernel.output) == (False, None)
            continue
        assert kernel.measured
        seen = [i for i in range(T) if i not in result.lower.empty_rows]
        expected = random_attention(result, lower_right(T, S))
        np.testing.assert_allclose(kernel.output[seen], expected["output"][seen], atol=1e-5)
        lost = kernel.output[list(result.lower.empty_rows)]
        if empty == "nan":
            assert np.isnan(lost).all()
        else:
            mean = np.repeat(expected["v"].mean(axis=0)[None], len(lost), axis=0)
            np.testing.assert_allclose(lost, mean, atol=1e-5)


@pytest.mark.parametrize("T", [1, 2, 4])
@pytest.mark.parametrize("S", [1, 2, 3])
def test_what_is_reported_of_mlx_is_what_is_measured(T, S):
    require_backend("mlx")
    (_, told), (_, measured) = (behaviours_of(name, T, S) for name in ("numpy", "mlx"))
    for name in ("mlx-causal", "mlx-boolean", "mlx-additive"):
        for field in ("align", "first_row", "empty_row", "handed"):
            assert getattr(told[name], field) == getattr(measured[name], field)


@given(seed=st.integers(0, 999_999), T=SIZES, S=st.integers(2, 6))
@settings(max_examples=20)
def test_no_seed_changes_what_an_implementation_is_said_to_do(backend, seed, T, S):
    _, found = behaviours_of(backend, T, S, seed)
    assert found["formula"].align == (None if T == S else "lower-right")
    assert found["pytorch"].align == (None if T == S else "upper-left")
    assert found["formula"].first_row == ("nan" if T > S else "attends")
    assert found["engine"].empty_row == "zero"


def test_one_key_alone_tells_the_alignments_apart_by_the_rows_that_see_nothing(backend):
    _, found = behaviours_of(backend, 4, 1)
    assert found["pytorch"].align == "upper-left"  # by its mask: rows 1 to 3 see the key
    assert found["pytorch"].first_row == "attends"
    assert found["formula"].align == "lower-right"  # rows that are NaN agree with no value
    assert found["mlx-causal"].align is None  # the mean of one value is that value
    _, alone = behaviours_of(backend, 1, 1)
    assert alone["engine"].first_row == "attends"  # to its one value, which is the mean too


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"T": 0}, "T must be a whole number from 1 to 16, got 0"),
        ({"S": 17}, "S must be a whole number from 1 to 16, got 17"),
        ({"S": True}, "S must be a whole number from 1 to 16, got True"),
    ],
)
def test_a_size_out_of_range_is_refused(change, message):
    with pytest.raises(OptionError, match=message):
        compare_alignments(replace(AlignmentParams(), **change), backend="numpy")


def test_the_results_are_closed_to_writing(backend):
    padding = compare_padding(PaddingParams(), backend=backend)
    alignment = compare_alignments(AlignmentParams(), backend=backend)
    arrays = [*padding.visible.values(), *padding.weights.values()]
    arrays += [alignment.upper.visible, alignment.upper.weights, alignment.lower.output]
    arrays += [each.output for each in alignment.behaviours if each.output is not None]
    assert not any(array.flags.writeable for array in arrays)
    assert padding.backend_name == alignment.backend_name == backend.name
