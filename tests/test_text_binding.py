"""What belongs together stays in one line, and nothing but spaces changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.figures.measure import wrap_text
from pages.text.binding import bound

FIXED = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    "together", ["T = 8,192", "88 %", "24 GiB", "1.5 TiB", "16 B", "d_k = 128", "T × T", "3 PFLOP"]
)
def test_no_line_ends_inside(together):
    text = bound(f"At a place where the words end {together} of them are there")
    for room in range(60, 400, 10):
        lines = wrap_text(text, 12, room)
        assert any(together.replace(" ", FIXED) in line for line in lines) or room < 100


@pytest.mark.parametrize("free", ["96 heads", "a = b", "1 Big", "8 Bytes", "2 × 3 heads", "5 %a"])
def test_other_spaces_stay(free):
    assert bound(free) == free


@given(st.text(st.sampled_from("T =×8%GiB ,a_"), max_size=30))
def test_nothing_but_spaces_changes_and_twice_is_once(text):
    assert bound(text).replace(FIXED, " ") == text
    assert bound(bound(text)) == bound(text)
