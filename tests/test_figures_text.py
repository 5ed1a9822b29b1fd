"""Numbers are rounded honestly, and text takes no more room than it was given."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.figures.canvas import Canvas
from pages.figures.measure import fit_text, text_width, wrap_text
from pages.figures.numerals import decimals_needed, number, number_in_full
from pages.figures.palette import theme
from pages.figures.symbols import plain, runs
from pages.figures.typeset import pieces
from tests.figure_marks import real_width, texts

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


def set_line(text, **options):
    """Return the parts of a line as they are drawn, from left to right."""
    canvas = Canvas(600, 40, theme("light"))
    canvas.text(300, 20, text, 16, "#000000", **options)
    return sorted(texts(canvas.spec("")), key=lambda box: box.left)


@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_a_power_is_raised_wherever_it_is_written(align):
    shown = set_line("about 4 × 10⁻¹⁶ of it", align=align)
    assert [box.text for box in shown] == ["about", "4", "×", "10", "−16", "of it"]
    level = shown[0].top
    assert [box.text for box in shown if box.bottom < shown[0].bottom - 2] == ["−16"]
    assert all(box.top == level for box in shown if box.text != "−16")
    gaps = [after.left - before.right for before, after in pairwise(shown)]
    assert all(-1.5 < gap < 9 for gap in gaps)
    middle = (shown[0].left + shown[-1].right) / 2
    ends = {"left": shown[0].left, "center": middle, "right": shown[-1].right}
    assert ends[align] == pytest.approx(300, abs=6)


def test_what_fonts_have_and_what_readers_write_stays_one_text():
    for text in ("3² of it", "a_b", "my_d_key", "W_Qx"):
        assert pieces(text, symbols=True) == (("", text),)
    assert [box.text for box in set_line("3² of W_Q")] == ["3² of W_Q"]


def test_the_symbols_of_formulas_have_indices_where_they_are_asked_for():
    assert pieces("d_model = 64", symbols=True) == (("", "d"), ("_", "model"), ("", " = 64"))
    assert pieces("√d_k", symbols=True) == (("", "√d"), ("_", "k"))
    assert pieces("QK^T", symbols=True) == (("", "QK"), ("^", "T"))
    shown = set_line("W_Q，各自", symbols=True, align="left", wide=True)
    assert [box.text for box in shown] == ["W", "Q", "，各自"]
    assert shown[1].bottom > shown[0].bottom + 2
