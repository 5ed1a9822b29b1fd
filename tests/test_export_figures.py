"""Every figure of the product in every format, theme, language and size."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

import pytest
import vl_convert
from PIL import Image

from pages.export import Slide, file_name, slide_bytes, to_bytes
from pages.export.fonts import is_chinese
from pages.figures.figure import Style
from pages.figures.slide import SHEETS
from pages.gallery import ENTRIES
from tests import ink
from tests.export_cases import LANGUAGES, SIZES, STYLES, THEMES, exhibits, name_of, slides
from tests.export_checks import (
    faults,
    faults_of,
    files_of,
    prepare_process,
    title_box,
    words_of,
)

FORMATS = ("svg", "png", "pdf", "pptx")
every_style = pytest.mark.parametrize("style", STYLES, ids=name_of)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    """Processes that draw and check, as many as there are cores."""
    cores = os.cpu_count() or 1
    fresh = multiprocessing.get_context("spawn")  # a fork would copy threads in mid-work
    with ProcessPoolExecutor(cores, fresh, initializer=prepare_process) as pool:
        yield pool


def formats_of(style: Style, number: int) -> tuple[str, ...]:
    """Return the formats in which figure ``number`` is checked in a style.

    SVG in every size, in both languages and themes, so that four neighbours meet every style; each
    slow format, which is made from the same drawing, in one of these, so that sixteen neighbours
    meet every style. A figure of the screen is no slide: those that meet the other formats there
    are one in another size.
    """
    size, turn = SIZES.index(style.size), number // 4
    theme, language = (size + number) % 2, (size // 2 + number // 2) % 2
    if (style.theme, style.language) != (THEMES[theme], LANGUAGES[language]):
        return ()
    drawn = FORMATS[:-1] if size == turn % len(SIZES) else FORMATS[:1]
    sheet = size == 1 + turn % (len(SIZES) - 1)
    return (*drawn, *FORMATS[-1:]) if sheet else drawn


@pytest.mark.parametrize("number", range(48))
def test_every_figure_meets_every_format(number):
    met = [form for style in STYLES for form in formats_of(style, number)]
    assert {form: met.count(form) for form in FORMATS} == {"svg": 4, "png": 1, "pdf": 1, "pptx": 1}


@pytest.mark.parametrize("number", range(4))
def test_every_figure_is_drawn_in_every_size_and_in_both_languages_and_themes(number):
    drawn = [style for style in STYLES if formats_of(style, number)]
    assert sorted(style.size for style in drawn) == sorted(SIZES)
    assert {style.theme for style in drawn} == set(THEMES)
    assert {style.language for style in drawn} == set(LANGUAGES)
    neighbours = (style for n in range(number, number + 4) for style in STYLES
                  if formats_of(style, n))  # fmt: skip
    assert {*neighbours} == set(STYLES)


def test_neighbours_meet_every_style_in_every_format():
    met = {style for style in STYLES for n in range(16) if "pdf" in formats_of(style, n)}
    assert met == set(STYLES)
    slides_met = {style for style in STYLES for n in range(48) if "pptx" in formats_of(style, n)}
    assert slides_met == {style for style in STYLES if style.size != "screen"}


def test_every_figure_of_the_gallery_is_tested():
    assert [exhibit.entry.name for exhibit in exhibits()] == list(ENTRIES)


@every_style
def test_names_differ_so_that_no_file_overwrites_another(style):
    names = [file_name(slide.figure, "png", style) for slide in slides(style)]
    assert len(set(names)) == len(names) == len(ENTRIES)


@pytest.mark.xdist_group("processes")  # one pool takes every core, two would only wait
@every_style
def test_every_figure_in_every_format_is_whole(style, processes):
    numbers = range(len(ENTRIES))
    asked = [
        processes.submit(faults_of, style, number, formats_of(style, number)) for number in numbers
    ]
    assert [fault for each in asked for fault in each.result()] == []


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
def test_powers_are_raised_and_indices_lowered_by_hand(style):
    # The fonts of drawings lack ⁻ and the digits beyond ³: a line with one is set in another font.
    for slide in slides(style):
        for layer in slide.figure.spec["layer"]:
            if layer["mark"]["type"] != "text":
                continue
            for line in (row["text"] for row in layer["data"]["values"]):
                assert not set("⁻⁰⁴⁵⁶⁷⁸⁹") & set(line), (slide.figure.name, line)
                if layer.get("name") in ("title", "caption"):
                    assert not re.search(r"[A-Za-z][_^]", line), (slide.figure.name, line)


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_transparent_picture_has_no_background_but_its_ink(theme):
    style = Style(theme, "en", "slide", transparent=True)
    slide = next(s for s in slides(style) if s.figure.name.startswith("worked-example-scores"))
    alpha = Image.open(io.BytesIO(slide_bytes(slide, "png"))).convert("RGBA").getchannel("A")
    assert alpha.getextrema() == (0, 255)
    assert alpha.getpixel((2, 2)) == 0


@lru_cache(maxsize=1)
def good_files() -> tuple[Slide, dict[str, bytes]]:
    slide = slides(Style("light", "zh", "slide"))[0]
    return slide, files_of(slide, FORMATS)


def test_the_checks_find_no_fault_in_good_files():
    assert list(faults(*good_files())) == []


SPOILED: dict[str, tuple[dict[str, Callable[[bytes], bytes]], str]] = {
    "another kind of file": ({"png": lambda data: b"GIF" + data}, "png begins with"),
    "a drawing without words": (
        {"svg": lambda data: re.sub(rb"<text.*?</text>", b"", data, flags=re.DOTALL)},
        "svg: there is no live text",
    ),
    "a picture that is too small": (
        {"png": lambda _: vl_convert.svg_to_png(BLANK, ppi=300)}, "png: it is (",
    ),
    "a picture without ink": (
        {"png": lambda _: vl_convert.svg_to_png(BLANK, ppi=300)}, "of it is ink",
    ),
    "a picture of few pixels per inch": (
        {"png": lambda _: vl_convert.svg_to_png(BLANK)}, "pixels per inch",
    ),
    "a picture of another colour": (
        {"png": lambda _: vl_convert.svg_to_png(BLANK)}, "png: its corner is",
    ),
    "a page without its words": (
        {"pdf": lambda _: vl_convert.svg_to_pdf(BLANK)}, "is missing",
    ),
    "a page in another language": (
        {"pdf": lambda _: vl_convert.svg_to_pdf(BLANK)}, "speaks the other language",
    ),
    "another slide": (
        {"pptx": lambda _: slide_bytes(good_files()[0].renamed("Other"), "pptx")}, "its title is",
    ),
    "a slide of the other theme": (
        {"pptx": lambda _: slide_bytes(slides(Style("dark", "zh", "slide"))[0], "pptx")},
        "its background is",
    ),
}  # fmt: skip
BLANK = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"/>'


@pytest.mark.parametrize("fault", SPOILED)
def test_the_checks_find(fault):
    slide, files = good_files()
    changes, complaint = SPOILED[fault]
    spoiled = {kind: changes.get(kind, bytes)(data) for kind, data in files.items()}
    assert any(complaint in found for found in faults(slide, spoiled)), list(faults(slide, spoiled))


@pytest.mark.xdist_group("processes")
def test_a_fault_in_another_process_fails_here(processes):
    with pytest.raises(IndexError):
        processes.submit(faults_of, STYLES[0], len(ENTRIES), FORMATS).result()
    with pytest.raises(UserWarning, match="an error, as in pytest"):
        processes.submit(warnings.warn, "an error, as in pytest").result()


def test_the_ink_test_fails_on_letters_that_no_font_has():
    slide, files = good_files()
    svg = files["svg"].decode()
    assert ink.faults(picture_of(svg), title_box(slide.style)) == []
    # Unassigned characters: every font draws its box, as it does for Chinese that it lacks.
    boxes = "".join("\u0378" if is_chinese(character) else character for character in svg)
    faults = ink.faults(picture_of(boxes), title_box(slide.style))
    assert faults == ["the title is a row of boxes"]


def picture_of(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=0.75, ppi=300)))


def test_token_labels_are_drawn_in_any_language():
    for language in ("en", "zh"):
        drawings = (to_bytes(s.figure, "svg") for s in slides(Style("light", language, "screen")))
        labelled = [svg for svg in drawings if "注意" in words_of(svg)]
        assert len(labelled) >= 8  # Q, K, V and the five steps after them


def test_a_label_that_looks_like_a_formula_is_harmless_in_csv():
    tables = [slide_bytes(slide, "csv").decode("utf-8-sig") for slide in slides(Style())]
    cells = [cell for table in tables for row in csv.reader(io.StringIO(table)) for cell in row]
    assert "'=它" in cells
    assert "=它" not in cells


def compiled(spec) -> list[tuple[bool, bool]]:
    """Return of every mark of a drawing whether the pointer meets it, and whether it has a tip.

    As Vega-Lite compiles it where a page shows the data of all marks; one row a layer is enough.
    """
    layers = [{**layer, "data": {"values": layer["data"]["values"][:1]}} for layer in spec["layer"]]
    loud = {**spec["config"], "mark": {"tooltip": {"content": "data"}}}
    drawing = vl_convert.vegalite_to_vega({**spec, "layer": layers, "config": loud})
    found = []
    for mark in drawing["marks"]:
        tip = mark["encode"]["update"].get("tooltip", {})
        assert "x2" not in str(tip)
        found.append((mark.get("interactive", True), "datum" in str(tip)))
    return found


def test_the_pointer_meets_nothing_over_a_tip_and_reads_nothing_else():
    # Numbers, outlines and what is transparent lie over cells with a tip.
    known = set()
    for slide in slides(Style()):
        spec = slide.figure.spec
        for layer in spec["layer"]:
            silent = layer["mark"].get("tooltip", "") is None
            assert silent != ("tooltip" in layer["encoding"]), slide.figure.name
        form = str([{**layer, "data": ""} for layer in spec["layer"]])
        if form not in known:
            known.add(form)
            marks = compiled(spec)
            tipped = any(tip for _, tip in marks)
            assert all(tip or not (meets and tipped) for meets, tip in marks), slide.figure.name
    assert known
