"""Decks as PDF, ZIP and JSON: what is in them, the same bytes each time, and the way back."""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from pages.export import (
    DECK_FORMATS,
    FORMATS,
    MEDIA_TYPES,
    MOST_SLIDES,
    ExportError,
    Slide,
    deck_bytes,
    deck_from_json,
    slide_bytes,
    slide_of,
    to_bytes,
)
from pages.export.fonts import is_chinese
from pages.figures.figure import Chart, Series, Style, Table
from pages.figures.heatmap import heatmap
from tests.export_cases import STYLES, exhibits, name_of, slides

ROOT = Path(__file__).resolve().parent.parent
every_style = pytest.mark.parametrize("style", STYLES, ids=name_of)


def small_deck(style: Style | None = None) -> tuple[Slide, ...]:
    """Return three slides of two kinds, one of them twice."""
    every = slides(style or Style("light", "zh", "half"))
    charted = next(slide for slide in every if slide.figure.chart is not None)
    return every[0], charted, every[0].renamed("Once more: 注意")


def test_every_format_has_a_media_type():
    assert set(MEDIA_TYPES) == {*FORMATS, *DECK_FORMATS}


@pytest.mark.parametrize("format_", FORMATS)
def test_a_slide_is_the_file_of_its_figure(format_):
    slide = small_deck()[0]
    if format_ == "pptx":
        assert slide_bytes(slide, format_) == deck_bytes((slide,), "pptx")
    else:
        assert slide_bytes(slide, format_) == to_bytes(slide.figure, format_)


def test_one_pdf_has_a_page_and_an_outline_entry_a_slide():
    deck = small_deck()
    reader = PdfReader(io.BytesIO(deck_bytes(deck, "pdf")))
    assert len(reader.pages) == len(deck)
    assert [entry.title for entry in reader.outline] == [slide.title for slide in deck]  # type: ignore[union-attr]
    for number, (page, slide) in enumerate(zip(reader.pages, deck, strict=True)):
        assert reader.get_destination_page_number(reader.outline[number]) == number  # type: ignore[arg-type]
        assert (page.mediabox.width, page.mediabox.height) == (480, 540)
        assert "".join(slide.title.split()) in "".join(page.extract_text().split())
    assert reader.trailer["/Root"]["/Lang"] == "zh-CN"  # type: ignore[index]
    assert reader.metadata is not None
    assert any(map(is_chinese, str(reader.metadata.title))) or "3" in str(reader.metadata.title)
    assert reader.metadata.creation_date is None


def test_a_zip_holds_png_and_svg_of_every_slide_in_order():
    deck = small_deck()
    with zipfile.ZipFile(io.BytesIO(deck_bytes(deck, "zip"))) as archive:
        names = archive.namelist()
        assert len(set(names)) == len(names) == 2 * len(deck)
        assert names == sorted(names, key=lambda name: int(name[:2]))
        for number, slide in enumerate(deck):
            for format_ in ("png", "svg"):
                (name,) = [n for n in names if n.startswith(f"0{number + 1}-") and format_ in n]
                assert Path(name).name == name
                assert slide.figure.name in name
                assert archive.read(name) == to_bytes(slide.figure, format_)


HASHES = """
import hashlib
from tests.test_export_deck import small_deck
from pages.export import DECK_FORMATS, FORMATS, deck_bytes, slide_bytes
for format_ in DECK_FORMATS:
    print(hashlib.sha256(deck_bytes(small_deck(), format_)).hexdigest())
for format_ in FORMATS:
    print(hashlib.sha256(slide_bytes(small_deck()[1], format_)).hexdigest())
"""


def test_another_process_writes_the_same_bytes():
    # With another order of sets, another time zone, and no Chinese locale.
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    finished = subprocess.run(
        [sys.executable, "-c", HASHES],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [deck_bytes(small_deck(), format_) for format_ in DECK_FORMATS]
    here += [slide_bytes(small_deck()[1], format_) for format_ in FORMATS]
    assert finished.stdout.split() == [hashlib.sha256(data).hexdigest() for data in here]


@pytest.mark.parametrize("format_", DECK_FORMATS)
def test_progress_goes_from_none_to_all(format_):
    seen: list[tuple[int, int]] = []
    deck_bytes(small_deck(), format_, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 3)
    assert seen[-1] == (3, 3)
    assert seen == sorted(seen)


@pytest.mark.parametrize("count", [0, MOST_SLIDES + 1])
def test_a_deck_of_no_slide_or_of_too_many_is_refused(count):
    with pytest.raises(ExportError, match=f"1 to {MOST_SLIDES} slides, and this one has {count}"):
        deck_bytes(small_deck()[:1] * count, "pptx")


def test_unknown_formats_are_refused():
    with pytest.raises(ExportError, match="A deck is saved as pptx, pdf, zip, json, got svg"):
        deck_bytes(small_deck(), "svg")
    with pytest.raises(ExportError, match="A figure is saved as png, svg, pdf, pptx, csv, got zip"):
        slide_bytes(small_deck()[0], "zip")


@every_style
def test_every_figure_comes_back_from_json_as_it_was(style):
    deck = slides(style)
    assert deck_from_json(deck_bytes(deck, "json")) == deck


@pytest.mark.parametrize("side", [5, 100, 128, 129, 300])
@pytest.mark.parametrize("size", ["screen", "slide", "square"])
def test_a_heatmap_of_any_size_comes_back(side, size):
    style = Style(size=size)
    values = np.random.default_rng(0).random((side, side)) / side
    hidden = np.triu(np.ones((side, side), bool), 1)
    words: dict[str, Any] = {
        "name": "h",
        "title": "H",
        "note": "n",
        "row_title": "q",
        "column_title": "k",
    }
    figure = heatmap(values, style, masked=hidden, **words)
    deck = (Slide(figure, style, "notes"),)
    assert deck_from_json(deck_bytes(deck, "json")) == deck


def test_one_slide_is_one_line_and_a_text_of_the_document_is_as_good():
    data = deck_bytes(small_deck(), "json")
    lines = data.decode().splitlines()
    assert sum(line.startswith('{"name":') for line in lines) == 3
    assert json.loads(data)["version"] == 1
    assert deck_from_json(data.decode()) == deck_from_json(b"\xef\xbb\xbf" + data) == small_deck()


def test_a_slide_drawn_again_is_the_slide_that_was_kept():
    style = Style("dark", "zh", "square", 2, True)
    again = tuple(slide_of(exhibit, style) for exhibit in exhibits())
    assert deck_from_json(deck_bytes(again, "json")) == slides(style)


finite = st.floats(-1e99, 1e99)
# What XML can hold; the rest is refused, see test_export_hostile.py.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl"]), max_size=60)
cells = st.one_of(texts, st.integers(-(10**18), 10**18), st.floats(), st.booleans(), st.none())


@st.composite
def charts(draw: Any) -> Chart | None:
    kind = draw(st.sampled_from(["bar", "line", None]))
    if kind is None:
        return None
    count = draw(st.integers(1, 4))
    rising = st.lists(st.integers(-9, 9), min_size=count, max_size=count, unique=True)
    words = st.lists(texts, min_size=count, max_size=count)
    x = draw(words.map(tuple) if kind == "bar" else rising.map(sorted).map(tuple))
    values = st.lists(finite, min_size=count, max_size=count).map(tuple)
    weight = st.one_of(st.none(), st.floats(0.1, 4))
    colour = st.sampled_from(["#000000", "#AbCdEf"])
    series = st.builds(Series, texts, values, colour, weight=weight)
    low = draw(st.floats(-1e9, 1e9))
    return Chart(
        kind,
        draw(texts),
        draw(texts),
        x,
        draw(st.lists(series, min_size=1, max_size=3).map(tuple)),
        (low, low + draw(st.floats(1, 1e6))),
    )


@st.composite
def tables(draw: Any) -> Table:
    width = draw(st.integers(0, 3))
    columns = draw(st.lists(texts, min_size=width, max_size=width).map(tuple))
    row = st.lists(cells, min_size=width, max_size=width).map(tuple)
    return Table(columns, draw(st.lists(row, max_size=4).map(tuple)))


@settings(max_examples=60)
@given(tables(), charts(), texts, texts, texts, texts)
def test_any_texts_and_numbers_come_back_exactly(table, chart, title, note, alt, notes):
    slide = small_deck()[0].renamed(title)
    figure = replace(slide.figure, table=table, chart=chart, note=note, alt=alt)
    deck = (replace(slide, figure=figure, notes=notes),)
    # `repr` tells 0.0 from -0.0, 1 from 1.0 and True, and takes one NaN for another.
    back = repr(deck_from_json(deck_bytes(deck, "json")))
    assert back == repr(deck), "a slide came back changed"


def test_infinities_are_written_as_json_has_them():
    slide = small_deck()[0]
    table = Table(("value",), ((math.inf,), (-math.inf,), (np.float64(0.1),), (np.int64(3),)))
    data = deck_bytes((replace(slide, figure=replace(slide.figure, table=table)),), "json")
    json.loads(data, parse_constant=pytest.fail)
    (back,) = deck_from_json(data)
    assert back.figure.table.rows == ((math.inf,), (-math.inf,), (0.1,), (3,))
