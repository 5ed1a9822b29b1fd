"""Every figure of the product becomes every kind of file, in every style."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Literal
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from engine.experiments.printed import printed_claims
from engine.experiments.worked_example import Params, run
from pages.export import file_name, to_bytes
from pages.export.fonts import is_chinese
from pages.figures.figure import Figure, Style
from pages.figures.overview import steps_figure
from pages.figures.printed import printed_figure
from pages.figures.worked_example import figures

SVG = "{http://www.w3.org/2000/svg}"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")
SIZES: tuple[Literal["screen", "slide"], ...] = ("screen", "slide")
STYLES = [Style(*choice) for choice in product(THEMES, LANGUAGES, SIZES)]
# Pixels take the longest: these meet every pair of theme, language and size once.
PIXEL_STYLES = [
    Style("light", "en", "screen"),
    Style("light", "zh", "slide"),
    Style("dark", "en", "slide"),
    Style("dark", "zh", "screen"),
]


@lru_cache(maxsize=len(STYLES))
def all_figures(style: Style) -> tuple[Figure, ...]:
    """Return every figure of the product, the example causal and with Chinese labels."""
    params = replace(Params(), causal=True, tokens=("我", "们", "注意", "=它"))
    example = figures(run(params, backend="numpy"), style)
    printed = [printed_figure(claim, style) for claim in printed_claims(backend="numpy")]
    return (steps_figure(style), *example, *printed)


@lru_cache(maxsize=len(STYLES))
def all_drawings(style: Style) -> tuple[tuple[Figure, bytes], ...]:
    """Return every figure with its SVG."""
    return tuple((figure, to_bytes(figure, "svg")) for figure in all_figures(style))


def words_of(svg: bytes) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def letters(text: str) -> str:
    return "".join(text.split())


def name_of(style: Style) -> str:
    return f"{style.theme}-{style.language}-{style.size}"


every_style = pytest.mark.parametrize("style", STYLES, ids=name_of)


@every_style
def test_names_differ_so_that_no_file_overwrites_another(style):
    names = [file_name(figure, "png", style) for figure in all_figures(style)]
    assert names
    assert len(set(names)) == len(names)


@every_style
def test_svg_has_live_text_and_nothing_from_outside(style):
    for figure, svg in all_drawings(style):
        assert any(words_of(svg)), figure.name
        for element in ElementTree.fromstring(svg).iter():
            links = [value for name, value in element.attrib.items() if name.endswith("href")]
            assert all(link.startswith(("#", "data:")) for link in links), figure.name


@every_style
def test_pdf_has_all_the_text_of_the_svg(style):
    for figure, svg in all_drawings(style):
        (page,) = PdfReader(io.BytesIO(to_bytes(figure, "pdf"))).pages
        text = letters(page.extract_text())
        for word in words_of(svg):
            assert letters(word) in text, (figure.name, word)


@pytest.mark.parametrize("style", PIXEL_STYLES, ids=name_of)
def test_png_is_sharp_has_its_background_and_enough_ink(style):
    for figure in all_figures(style):
        image = Image.open(io.BytesIO(to_bytes(figure, "png")))
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        assert image.width == pytest.approx(figure.spec["width"] * 300 / 96, abs=1)
        assert image.height == pytest.approx(figure.spec["height"] * 300 / 96, abs=1)
        pixels = np.asarray(image.convert("RGB").reduce(4)).astype(np.int16)
        background = pixels[0, 0]
        assert (background.mean() < 128) == (style.theme == "dark")
        ink = np.abs(pixels - background).max(axis=-1) > 16
        assert 0.02 < ink.mean() < 0.9, figure.name


@every_style
def test_slides_are_4000_by_2250_and_screens_fit_a_column(style):
    for figure in all_figures(style):
        size = (figure.spec["width"], figure.spec["height"])
        assert size == (1280, 720) if style.size == "slide" else size[0] <= 900


@every_style
def test_csv_read_back_is_the_table(style):
    for figure in all_figures(style):
        text = to_bytes(figure, "csv").decode("utf-8-sig")
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        assert tuple(header) == figure.table.columns
        assert len(rows) == len(figure.table.rows) > 0
        for cells, values in zip(rows, figure.table.rows, strict=True):
            for cell, value in zip(cells, values, strict=True):
                if isinstance(value, str):
                    assert cell in (value, f"'{value}")
                else:
                    assert value is not None
                    assert float(cell) == value


def test_token_labels_are_drawn_in_any_language():
    for style in (Style(language="en"), Style(language="zh")):
        labelled = [figure for figure, svg in all_drawings(style) if "注意" in words_of(svg)]
        assert len(labelled) >= 8  # Q, K, V and the five steps after them


def test_a_label_that_looks_like_a_formula_is_harmless_in_csv():
    tables = [to_bytes(figure, "csv").decode("utf-8-sig") for figure in all_figures(Style())]
    cells = [cell for table in tables for row in csv.reader(io.StringIO(table)) for cell in row]
    assert "'=它" in cells
    assert "=它" not in cells


@pytest.mark.parametrize("theme", THEMES)
def test_a_chinese_slide_speaks_chinese(theme):
    for figure, svg in all_drawings(Style(theme, "zh", "slide")):
        title = ElementTree.fromstring(svg).findtext(f"{SVG}title")
        assert title == figure.title
        assert any(map(is_chinese, figure.title)), figure.title
