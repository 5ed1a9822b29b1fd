"""A small home-made figure becomes every kind of file, and stays what it was."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from pages.export import (
    MEDIA_TYPES,
    ExportError,
    file_name,
    fonts,
    missing_font,
    refusal,
    to_bytes,
)
from pages.export.convert import FIGURE_FORMATS
from pages.figures.figure import Figure, Style, Table

SVG = "{http://www.w3.org/2000/svg}"
MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<svg ", "pdf": b"%PDF-", "csv": b"\xef\xbb\xbf"}
WORDS = {"en": ("Weights", "query"), "zh": ("注意力权重", "查询")}


def make_spec(title: str, axis: str, width: int = 640, height: int = 360) -> dict[str, Any]:
    """Return a heatmap with a gradient legend and a selectable cell, as the real figures have."""
    cells = [
        {"row": row, "column": column, "weight": (row + 1) / (column + 2)}
        for row in range(3)
        for column in range(3)
    ]
    encoding = {
        "x": {"field": "column", "type": "ordinal"},
        "y": {"field": "row", "type": "ordinal", "title": axis},
    }
    colour = {"color": {"field": "weight", "type": "quantitative"}}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.4.1.json",
        "width": width,
        "height": height,
        "autosize": {"type": "fit", "contains": "padding"},
        "background": "#ffffff",
        "title": title,
        "config": {"font": "Helvetica Neue, sans-serif", "axis": {"labelFontSize": 18}},
        "data": {"values": cells},
        "encoding": encoding,
        "layer": [
            {
                "mark": "rect",
                "encoding": colour,
                "params": [{"name": "cell", "select": {"type": "point"}}],
            },
            {"mark": {"type": "text", "fontSize": 20}, "encoding": {"text": {"field": "weight"}}},
        ],
    }


def make_figure(language: str = "en", **changes: Any) -> Figure:
    title, axis = WORDS[language]
    figure = Figure(
        name="small-weights-T3",
        title=title,
        spec=make_spec(title, axis),
        table=Table(("row", "weight"), ((1, 0.5), (2, 1 / 3))),
        note="",
        alt=f"{title}, 3 x 3",
    )
    return replace(figure, **changes)


def read_pdf(data: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)


def objects_of(reader: PdfReader) -> list[DictionaryObject]:
    """Return every dictionary in a PDF file."""
    references = [IndirectObject(number, 0, reader) for number in reader.xref[0]]
    found = [reference.get_object() for reference in references]
    return [item for item in found if isinstance(item, DictionaryObject)]


def colours_in(data: bytes) -> int:
    """Return how many colours a picture holds; an empty one holds a single colour."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    return len(image.getcolors(maxcolors=image.width * image.height) or [])


@pytest.mark.parametrize("format_", FIGURE_FORMATS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_format_begins_as_its_readers_expect(language, format_):
    assert refusal(make_figure(language), format_) is None
    data = to_bytes(make_figure(language), format_)
    assert data.startswith(MAGIC[format_])
    assert format_ in MEDIA_TYPES


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (640, 360), (641, 333)])
def test_png_has_300_pixels_for_each_inch_of_96(width, height):
    figure = make_figure(spec=make_spec("Weights", "query", width, height))
    image = Image.open(io.BytesIO(to_bytes(figure, "png")))
    assert image.size[0] == pytest.approx(width * 300 / 96, abs=1)
    assert image.size[1] == pytest.approx(height * 300 / 96, abs=1)
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)


def test_a_slide_is_exactly_4000_by_2250():
    figure = make_figure(spec=make_spec("Weights", "query", 1280, 720))
    assert Image.open(io.BytesIO(to_bytes(figure, "png"))).size == (4000, 2250)


def test_a_pdf_slide_is_a_widescreen_slide_in_points():
    figure = make_figure(spec=make_spec("Weights", "query", 1280, 720))
    (page,) = PdfReader(io.BytesIO(to_bytes(figure, "pdf"))).pages
    assert (page.mediabox.width, page.mediabox.height) == (960, 540)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pdf_text_can_be_extracted_and_its_fonts_are_inside(language):
    reader = PdfReader(io.BytesIO(to_bytes(make_figure(language), "pdf")))
    text = reader.pages[0].extract_text()
    assert all(word in text for word in WORDS[language])
    descriptors = [item for item in objects_of(reader) if item.get("/Type") == "/FontDescriptor"]
    assert descriptors
    assert all({"/FontFile2", "/FontFile3"} & set(item) for item in descriptors)


def test_a_pdf_holds_shapes_and_no_picture():
    (page,) = PdfReader(io.BytesIO(to_bytes(make_figure(), "pdf"))).pages
    assert not list(page.images)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_svg_has_live_text_a_description_and_nothing_from_outside(language):
    root = ElementTree.fromstring(to_bytes(make_figure(language), "svg"))
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert all(word in words for word in WORDS[language])
    assert root.findtext(f"{SVG}title") == WORDS[language][0]
    assert root.findtext(f"{SVG}desc") == f"{WORDS[language][0]}, 3 x 3"
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.endswith("href") or "url(" in value:
                assert value.startswith(("#", "url(#", "data:"))


def test_every_reference_inside_an_svg_finds_its_target():
    root = ElementTree.fromstring(to_bytes(make_figure(), "svg"))
    targets = {element.get("id") for element in root.iter()} - {None}
    used = {
        value.removeprefix("url(#").removesuffix(")")
        for element in root.iter()
        for value in element.attrib.values()
        if value.startswith("url(#")
    }
    assert used, "the gradient of the legend is a reference"
    assert used <= targets


def test_every_text_ends_its_families_with_one_that_exists():
    spec = make_spec("Weights", "query")
    spec["config"]["font"] = "No Such Font"
    figure = make_figure(spec=spec)
    assert "Weights" in read_pdf(to_bytes(figure, "pdf"))


@pytest.mark.parametrize("format_", FIGURE_FORMATS)
def test_the_same_figure_gives_the_same_bytes_whatever_came_before(format_):
    first = to_bytes(make_figure(), format_)
    to_bytes(make_figure("zh"), "svg")
    assert to_bytes(make_figure(), format_) == first


def test_the_figure_is_not_changed_by_its_export():
    figure = make_figure()
    for format_ in FIGURE_FORMATS:
        to_bytes(figure, format_)
    assert figure == make_figure()


def test_a_selection_leaves_the_picture_as_it_is():
    plain = make_figure()
    del plain.spec["layer"][0]["params"]
    marks = f".//{SVG}path[@aria-roledescription='rect mark']"
    counts = [
        [path.get("d") for path in ElementTree.fromstring(to_bytes(figure, "svg")).iterfind(marks)]
        for figure in (plain, make_figure())
    ]
    assert len(counts[0]) == 9
    assert counts[0] == counts[1]


def test_a_picture_with_no_marks_has_less_ink():
    # The measure that the real figures are held to must be able to fail.
    empty = {"width": 640, "height": 360, "background": "#ffffff", "mark": "rect"}
    nothing = make_figure(spec={**empty, "data": {"values": []}})
    assert colours_in(to_bytes(nothing, "png")) < 10 < colours_in(to_bytes(make_figure(), "png"))


@pytest.mark.parametrize("format_", FIGURE_FORMATS)
def test_eight_threads_get_what_one_gets(format_):
    languages = ["en", "zh"] * 4
    expected = {language: to_bytes(make_figure(language), format_) for language in ("en", "zh")}
    with ThreadPoolExecutor(8) as threads:
        results = threads.map(lambda name: to_bytes(make_figure(name), format_), languages)
        for language, result in zip(languages, results, strict=True):
            assert result == expected[language]


def test_an_unknown_format_is_refused_in_a_sentence():
    with pytest.raises(ExportError, match="png, svg, pdf, csv, got docx"):
        to_bytes(make_figure(), "docx")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object()])
def test_a_value_that_no_chart_can_show_is_refused(value):
    figure = make_figure(spec={"mark": "bar", "data": {"values": [{"x": value}]}})
    with pytest.raises(ExportError, match="small-weights-T3 holds a value"):
        to_bytes(figure, "svg")


def test_a_broken_specification_is_one_sentence():
    figure = make_figure(spec={"mark": 3, "layer": "none"})
    with pytest.raises(ExportError, match="cannot be drawn") as caught:
        to_bytes(figure, "png")
    assert "\n" not in str(caught.value)


def test_data_from_elsewhere_is_refused():
    figure = make_figure(spec={"mark": "bar", "data": {"url": "https://example.org/a.csv"}})
    with pytest.raises(ExportError, match="must carry its own data"):
        to_bytes(figure, "svg")


def test_a_picture_inside_the_specification_is_kept():
    pixel = Image.new("RGB", (1, 1), "#ff0000")
    buffer = io.BytesIO()
    pixel.save(buffer, "PNG")
    url = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    spec = {
        "width": 100,
        "height": 100,
        "data": {"values": [{}]},
        "mark": {"type": "image", "url": url, "width": 100, "height": 100, "aspect": False},
    }
    image = Image.open(io.BytesIO(to_bytes(make_figure(spec=spec), "png"))).convert("RGB")
    assert image.getpixel((image.width // 2, image.height // 2)) == (255, 0, 0)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (Style(size="slide"), "small-weights-T3.png"),
        (Style("dark", "en", "slide"), "small-weights-T3-dark.png"),
        (Style("light", "zh", "slide"), "small-weights-T3-zh.png"),
        (Style("dark", "zh", "slide"), "small-weights-T3-zh-dark.png"),
        (Style("light", "en", "half"), "small-weights-T3-half.png"),
        (Style("dark", "zh", "square"), "small-weights-T3-zh-dark-square.png"),
        (Style("light", "en", "screen"), "small-weights-T3-screen.png"),
        (Style(size="slide", transparent=True), "small-weights-T3-transparent.png"),
    ],
)
def test_a_file_is_named_after_its_figure_and_style(style, expected):
    assert file_name(make_figure(), "png", style) == expected


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b/c:d", "权重"])
def test_a_file_name_is_one_that_every_system_takes(name):
    result = file_name(make_figure(name=name), "svg", Style())
    assert Path(result).name == result
    assert result.isascii()
    assert not result.startswith((".", "-"))
    assert result.endswith(".svg")


def test_this_machine_has_a_chinese_font():
    assert missing_font("en") is None
    assert missing_font("zh") is None


WITHOUT_FONTS = """
from pages.export import ExportError, missing_font, refusal, to_bytes
from tests.test_export import make_figure
assert missing_font("en") is None
print(missing_font("zh"))
for format_ in ("png", "pdf"):
    try:
        to_bytes(make_figure("zh"), format_)
    except ExportError as error:
        print(error)
        assert str(refusal(make_figure("zh"), format_)) == str(error)
assert refusal(make_figure("zh"), "svg") is None
assert refusal(make_figure("en"), "png") is None
to_bytes(make_figure("en"), "png")
assert "注意力权重" in to_bytes(make_figure("zh"), "svg").decode()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only fontconfig can be told to hide fonts")
def test_without_a_chinese_font_no_box_is_exported(tmp_path):
    # The converter reads the machine's fonts when it starts, so this needs a process of its own.
    settings = tmp_path / "fonts.conf"
    settings.write_text(f"<fontconfig><dir>{tmp_path}</dir></fontconfig>")
    finished = subprocess.run(
        [sys.executable, "-c", WITHOUT_FONTS],
        env={"FONTCONFIG_FILE": str(settings), "PATH": "", "PYTHONIOENCODING": "utf-8"},
        cwd=Path(__file__).resolve().parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    name, *sentences = finished.stdout.splitlines()
    assert "fonts-noto-cjk" in name
    assert len(sentences) == 2
    assert all("fonts-noto-cjk" in sentence and "SVG" in sentence for sentence in sentences)


def test_a_character_that_no_font_has_is_refused_by_itself():
    figure = make_figure(spec=make_spec("Weights \u0379", "query"))
    with pytest.raises(ExportError, match="\u0379"):
        to_bytes(figure, "png")
    assert "\u0379" in str(refusal(figure, "pdf"))
    assert "\u0379" in to_bytes(figure, "svg").decode()


def test_one_box_for_all_chinese_is_no_chinese_font(monkeypatch):
    # As a font of last resort draws it: not the usual box, but the same one for every character.
    pictures = {" ": b"nothing", "\u0378": b"usual box"}
    monkeypatch.setattr(
        fonts, "_pictures", lambda all_: [pictures.get(each, b"another box") for each in all_]
    )
    monkeypatch.setattr(fonts, "_known", {})
    fonts.missing_font.cache_clear()
    try:
        assert missing_font("zh") is not None
    finally:
        fonts.missing_font.cache_clear()


def test_characters_drawn_together_are_judged_as_each_by_itself(monkeypatch):
    mixed = "é→√′∞ŵΩж𝄞ﷺ\u0379\u0378\ue000注意，"
    together = {each: fonts.is_drawn(each) for each in mixed}
    for each in mixed:
        monkeypatch.setattr(fonts, "_known", {})
        assert fonts.is_drawn(each) == together[each], each
    monkeypatch.setattr(fonts, "_known", {})
    assert fonts.first_missing(mixed) == next(each for each in mixed if not together[each])
    assert together["é"]
    assert not together["\u0379"]
