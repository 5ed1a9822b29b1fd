"""Every figure of the product in every format, theme, language and size."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from xml.etree import ElementTree

import pytest
import vl_convert
from PIL import Image
from pypdf import PdfReader

from pages.export import Slide, file_name, slide_bytes, to_bytes
from pages.export.fonts import is_chinese
from pages.figures.figure import Style
from pages.figures.slide import SHEETS
from pages.gallery import ENTRIES
from tests import ink
from tests.export_cases import STYLES, exhibits, name_of, shared_out, slides, turned

SVG = "{http://www.w3.org/2000/svg}"
every_style = pytest.mark.parametrize("style", STYLES, ids=name_of)
# What takes long is shared out: each figure meets one style as PDF, and one that has nothing in
# common with it as PNG. Every style is met in both.
PDF_TURNS, PNG_TURNS = shared_out(STYLES), shared_out(turned(STYLES, 11))


def by_turns(turns: list[tuple[Style, tuple[Slide, ...]]]) -> pytest.MarkDecorator:
    names = [name_of(style) for style, _ in turns]
    return pytest.mark.parametrize(("style", "shown"), turns, ids=names)


@lru_cache(maxsize=400)
def svg_of(style: Style, number: int) -> bytes:
    return to_bytes(slides(style)[number].figure, "svg")


def drawings(style: Style) -> list[bytes]:
    return [svg_of(style, number) for number in range(len(slides(style)))]


def words_of(svg: bytes) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def letters(text: str) -> str:
    return "".join(text.split())


def test_every_figure_of_the_gallery_is_tested():
    assert [exhibit.entry.name for exhibit in exhibits()] == list(ENTRIES)
    for turns in (PDF_TURNS, PNG_TURNS):
        met = [slide.figure.name for _, shown in turns for slide in shown]
        assert sorted(met) == sorted(slide.figure.name for slide in slides(STYLES[0]))


@every_style
def test_names_differ_so_that_no_file_overwrites_another(style):
    names = [file_name(slide.figure, "png", style) for slide in slides(style)]
    assert len(set(names)) == len(names) == len(ENTRIES)


# The theme changes colours alone: each figure is drawn in both languages and all sizes, and the
# dark ones by turns.
@pytest.mark.parametrize("style", [s for s in STYLES if s.theme == "light"], ids=name_of)
def test_svg_has_live_text_its_title_and_nothing_from_outside(style):
    for slide, svg in zip(slides(style), drawings(style), strict=True):
        root = ElementTree.fromstring(svg)
        assert any(words_of(svg)), slide.figure.name
        assert root.findtext(f"{SVG}title") == slide.figure.title
        assert root.findtext(f"{SVG}desc") == slide.figure.alt
        for element in root.iter():
            links = [value for name, value in element.attrib.items() if name.endswith("href")]
            assert all(link.startswith(("#", "data:")) for link in links), slide.figure.name


@every_style
def test_a_figure_speaks_the_language_of_its_style(style):
    for slide in slides(style):
        for words in (slide.title, slide.figure.note, slide.figure.alt, slide.notes):
            own = "".join(character for character in words if character not in "我们注意它")
            assert any(map(is_chinese, own)) == (style.language == "zh"), words


@every_style
def test_a_figure_has_the_size_of_its_style(style):
    for slide in slides(style):
        size = (slide.figure.spec["width"], slide.figure.spec["height"])
        if style.size == "screen":
            assert size[0] <= 900
        else:
            assert size == (SHEETS[style.size].width, SHEETS[style.size].height)


@every_style
def test_csv_read_back_is_the_table(style):
    for slide in slides(style):
        table = slide.figure.table
        text = slide_bytes(slide, "csv").decode("utf-8-sig")
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        assert tuple(header) == table.columns
        assert len(rows) == len(table.rows) > 0
        for cells, values in zip(rows, table.rows, strict=True):
            for cell, value in zip(cells, values, strict=True):
                if isinstance(value, str | bool):
                    assert cell in (str(value), f"'{value}")
                else:
                    assert value is not None
                    assert float(cell) == value


@by_turns(PDF_TURNS)
def test_pdf_is_one_page_with_all_the_text_of_the_svg(style, shown):
    for slide in shown:
        reader = PdfReader(io.BytesIO(slide_bytes(slide, "pdf")))
        (page,) = reader.pages
        sides = (float(page.mediabox.width), float(page.mediabox.height))
        spec = slide.figure.spec
        assert sides == pytest.approx((spec["width"] * 0.75, spec["height"] * 0.75), abs=0.01)
        text = letters(page.extract_text())
        for word in words_of(svg_of(style, slides(style).index(slide))):
            assert letters(word) in text, (slide.figure.name, word)
        assert reader.metadata is not None
        assert reader.metadata.title == slide.title


def title_box(style: Style) -> tuple[int, int, int, int] | None:
    """Return where the title stands in a picture, in its pixels."""
    if style.size == "screen":
        return None
    sheet = SHEETS[style.size]
    box = (sheet.margin + 20, 20, sheet.width - sheet.margin, 100)
    left, top, right, bottom = (round(side * 300 / 96) for side in box)
    return left, top, right, bottom


@by_turns(PNG_TURNS)
def test_png_is_sharp_has_its_background_and_enough_ink(style, shown):
    for slide in shown:
        data = slide_bytes(slide, "png")
        image = Image.open(io.BytesIO(data))
        spec = slide.figure.spec
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        assert image.width == pytest.approx(spec["width"] * 300 / 96, abs=1)
        assert image.height == pytest.approx(spec["height"] * 300 / 96, abs=1)
        corner = image.convert("RGBA").getpixel((0, 0))
        assert isinstance(corner, tuple)
        assert (sum(corner[:3]) < 384) == (style.theme == "dark")
        assert ink.faults(data, title_box(style)) == [], slide.figure.name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_transparent_picture_has_no_background_but_its_ink(theme):
    style = Style(theme, "en", "slide", transparent=True)
    slide = next(s for s in slides(style) if s.figure.name.startswith("worked-example-scores"))
    alpha = Image.open(io.BytesIO(slide_bytes(slide, "png"))).convert("RGBA").getchannel("A")
    assert alpha.getextrema() == (0, 255)
    assert alpha.getpixel((2, 2)) == 0


def test_the_ink_test_fails_on_an_empty_picture():
    empty = b'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>'
    assert ink.faults(vl_convert.svg_to_png(empty.decode()))


def test_the_ink_test_fails_on_letters_that_no_font_has():
    style = Style("light", "zh", "slide")
    slide = slides(style)[0]
    svg = to_bytes(slide.figure, "svg").decode()
    assert ink.faults(png_of(svg), title_box(style)) == []
    # Unassigned characters: every font draws its box, as it does for Chinese that it lacks.
    boxes = "".join("\u0378" if is_chinese(character) else character for character in svg)
    assert ink.faults(png_of(boxes), title_box(style)) == ["the title is a row of boxes"]


def png_of(svg: str) -> bytes:
    return vl_convert.svg_to_png(svg, scale=0.75, ppi=300)


def test_token_labels_are_drawn_in_any_language():
    for language in ("en", "zh"):
        style = Style("light", language, "screen")
        labelled = [svg for svg in drawings(style) if "注意" in words_of(svg)]
        assert len(labelled) >= 8  # Q, K, V and the five steps after them


def test_a_label_that_looks_like_a_formula_is_harmless_in_csv():
    tables = [slide_bytes(slide, "csv").decode("utf-8-sig") for slide in slides(Style())]
    cells = [cell for table in tables for row in csv.reader(io.StringIO(table)) for cell in row]
    assert "'=它" in cells
    assert "=它" not in cells
