"""The data behind a figure arrives in a spreadsheet as it left the engine."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.export.table import to_csv
from pages.figures.figure import Table


def read(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def one_cell(value: object) -> str:
    return read(to_csv(Table(("value",), ((value,),))))[1][0]


def test_excel_is_told_that_it_is_utf8():
    data = to_csv(Table(("查询",), (("权重",),)))
    assert data.startswith(b"\xef\xbb\xbf")
    assert read(data) == [["查询"], ["权重"]]


@given(st.lists(st.tuples(st.floats(allow_nan=False), st.integers()), max_size=8))
def test_numbers_come_back_exactly(rows):
    header, *cells = read(to_csv(Table(("a", "b"), tuple(rows))))
    assert header == ["a", "b"]
    assert [(float(a), int(b)) for a, b in cells] == rows


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, np.uint8])
def test_numpy_numbers_are_written_as_numbers(kind):
    value = kind(200) / kind(3) if issubclass(kind, np.floating) else kind(200)
    assert kind(float(one_cell(value))) == value


def test_hidden_cells_are_minus_infinity():
    assert one_cell(-math.inf) == "-inf"
    assert one_cell(np.float64(-np.inf)) == "-inf"
    assert one_cell(math.inf) == "inf"


def test_a_value_that_is_not_there_is_an_empty_cell():
    assert read(to_csv(Table(("a", "b"), ((None, 1),))))[1] == ["", "1"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_label_that_a_spreadsheet_would_run_is_made_harmless(start):
    label = f"{start}cmd|'/c calc'!A1"
    assert one_cell(label) == f"'{label}"
    assert read(to_csv(Table((label,), ())))[0][0] == f"'{label}"


@pytest.mark.parametrize("number", [-1.5, -0.0, 1e-300, "-1.5", "+2", "-inf"])
def test_a_number_stays_a_number(number):
    assert float(one_cell(number)) == float(number)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_label_comes_back_and_none_begins_a_formula(label):
    text = one_cell(label)
    assert text.removeprefix("'") == label.removeprefix("'")
    if text.startswith(("=", "+", "-", "@", "\t", "\r")):
        float(text)
