"""Masks against definitions written as loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    NumberError,
    OptionError,
    ShapeError,
    causal_mask,
    combine_masks,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)

sizes = st.integers(1, 9)


def by_loop(T, S, visible):
    return np.array([[visible(i, j) for j in range(S)] for i in range(T)])


@given(sizes, sizes)
def test_causal_lower_right(T, S):
    expected = by_loop(T, S, lambda i, j: j - (S - T) <= i)
    np.testing.assert_array_equal(causal_mask(T, S), expected)
    assert causal_mask(T, S).dtype == bool


@given(sizes, sizes)
def test_causal_upper_left(T, S):
    expected = by_loop(T, S, lambda i, j: j <= i)
    np.testing.assert_array_equal(causal_mask(T, S, align="upper-left"), expected)


@given(sizes)
def test_causal_is_square_by_default(T):
    np.testing.assert_array_equal(causal_mask(T), by_loop(T, T, lambda i, j: j <= i))


@given(sizes, sizes, sizes)
def test_sliding_window(T, S, window):
    expected = by_loop(T, S, lambda i, j: j <= i + S - T < j + window)
    np.testing.assert_array_equal(sliding_window_mask(T, window, S), expected)


@given(sizes, sizes, st.data())
def test_prefix(T, S, data):
    prefix = data.draw(st.integers(0, S))
    expected = by_loop(T, S, lambda i, j: j < prefix or j <= i + S - T)
    np.testing.assert_array_equal(prefix_mask(T, prefix, S), expected)


@given(sizes, st.data())
def test_padding(S, data):
    lengths = data.draw(st.lists(st.integers(0, S), min_size=1, max_size=4))
    mask = padding_mask(lengths, S)
    assert mask.shape == (len(lengths), 1, 1, S)
    assert [row.sum() for row in mask] == lengths
    for length, row in zip(lengths, mask, strict=True):
        assert row[0, 0, :length].all()


def test_padding_of_one_sequence():
    np.testing.assert_array_equal(padding_mask(2, 4), [[True, True, False, False]])


def test_combined_masks_let_through_what_all_let_through():
    combined = combine_masks(causal_mask(3), padding_mask([1, 3], 3))
    assert combined.shape == (2, 1, 3, 3)
    np.testing.assert_array_equal(combined[0, 0], [[True, False, False]] * 3)
    np.testing.assert_array_equal(combined[1, 0], np.tri(3, dtype=bool))
    combined[0] = False  # its own memory, not a view of an input


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: causal_mask(0), OptionError, "`T` must be at least 1, got 0"),
        (lambda: causal_mask(2, 0), OptionError, "`S` must be at least 1, got 0"),
        (lambda: causal_mask(2, align="left"), OptionError, "`align` must be lower-right or"),
        (lambda: sliding_window_mask(2, 0), OptionError, "`window` must be at least 1, got 0"),
        (lambda: prefix_mask(2, 3), OptionError, "between 0 and S = 2, got 3"),
        (lambda: prefix_mask(2, -1), OptionError, "`prefix` must be at least 0, got -1"),
        (lambda: padding_mask([1, 5], 4), OptionError, "between 0 and S = 4, got 5"),
        (lambda: padding_mask(-1, 4), OptionError, "between 0 and S = 4, got -1"),
        (lambda: padding_mask([0.5], 4), OptionError, "`lengths` must be a whole number"),
        (lambda: padding_mask([], 4), OptionError, "`lengths` must be a whole number"),
        (lambda: combine_masks(), OptionError, "needs at least one mask"),
        (lambda: combine_masks([[1, 0]]), NumberError, "`mask 1` must hold True"),
        (
            lambda: combine_masks(np.ones(2, bool), np.ones(3, bool)),
            ShapeError,
            r"broadcast together, got shapes \(2,\), \(3,\)",
        ),
    ],
)
def test_impossible_masks_are_refused(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()
