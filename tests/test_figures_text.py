"""Numbers are rounded honestly, and text takes no more room than it was given."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.figures.measure import fit_text, text_width, wrap_text
from pages.figures.numerals import decimals_needed, number, number_in_full
from pages.figures.symbols import plain, runs
from tests.figure_marks import real_width

finite = st.floats(allow_nan=False, allow_infinity=False)
ordinary = st.floats(-999_999, 999_999)
latin = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=12)
words = st.text("查询键值注意力 abcWMil0.,()", min_size=1, max_size=60)


@given(value=ordinary, decimals=st.integers(0, 6))
def test_a_number_is_the_exact_value_rounded(value, decimals):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    shown = Decimal(number(value, decimals).replace("−", "-"))
    assert shown == exact


@given(value=finite, decimals=st.integers(0, 6))
def test_minus_is_a_real_minus_and_zero_has_none(value, decimals):
    shown = number(value, decimals)
    assert "-" not in shown.replace("e-", "")
    if not shown.strip("−0."):
        assert "−" not in shown


@given(value=st.floats(1e6, 1e300), decimals=st.integers(0, 6))
def test_a_large_number_stays_short(value, decimals):
    shown = number(value, decimals)
    assert len(shown) <= decimals + 7
    assert float(shown) == pytest.approx(value, rel=0.5 * 10.0**-decimals + 1e-9)


def test_infinity_is_a_sign():
    assert number(-math.inf, 3) == "−∞"
    assert number_in_full(-math.inf) == "−∞"


@given(value=finite)
def test_a_tooltip_loses_nothing(value):
    text = number_in_full(value)
    assert float(text.replace("−", "-")) == value
    assert not re.search(r"e\D*0\d|\+", text)


@given(values=st.lists(ordinary, min_size=1, max_size=9), most=st.integers(0, 6))
def test_fewer_decimals_only_where_they_are_exact(values, most):
    matrix = np.array([values])
    kept = decimals_needed(matrix, most)
    assert 0 <= kept <= most
    if kept < most:
        for value in values:
            fewer = Decimal(number(value, kept).replace("−", "-"))
            assert float(fewer) == pytest.approx(value, rel=1e-11, abs=1e-11)


def test_whole_numbers_have_no_point():
    assert decimals_needed(np.array([[2.0, -1.0], [0.0, -np.inf]]), 3) == 0
    assert decimals_needed(np.array([[0.25, 0.5]]), 6) == 2
    assert decimals_needed(np.array([[1.0, 1 / 3]]), 4) == 4


@given(text=latin, size=st.sampled_from([12, 15, 18, 28]))
def test_the_estimate_is_not_narrower_than_real_fonts(text, size):
    # Two per cent for kerning, which widens a few pairs of letters.
    assert text_width(text, size) >= real_width(text, size) * 0.98


@given(value=ordinary, decimals=st.integers(0, 6), size=st.sampled_from([12, 15, 18, 30]))
def test_the_estimate_of_a_number_is_safe(value, decimals, size):
    shown = number(value, decimals)
    assert text_width(shown, size) >= real_width(shown, size)


@given(text=words, room=st.floats(5, 300))
def test_a_label_is_shortened_to_its_room(text, room):
    shown = fit_text(text, 12, room)
    assert text_width(shown, 12) <= room
    if text_width(text, 12) <= room:
        assert shown == text
    elif len(shown) > 1:
        assert shown.endswith("…")
        assert text.startswith(shown[:-1])


@given(text=words, room=st.floats(80, 400))
def test_wrapping_keeps_every_word(text, room):
    lines = wrap_text(text, 12, room)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_lines_break_after_words_and_between_chinese_characters():
    assert wrap_text("one two three", 10, 45) == ["one two", "three"]
    lines = wrap_text("每个查询都看得到每个键，分数不变。", 10, 60)
    assert all(text_width(line, 10) <= 70 for line in lines)
    assert not any(line[0] in "，。" for line in lines)


def test_symbols_lower_and_raise_one_character():
    assert runs("W_Q") == (("", "W"), ("_", "Q"))
    assert runs("Q K^T") == (("", "Q K"), ("^", "T"))
    assert plain("K^T") == "Kᵀ"
