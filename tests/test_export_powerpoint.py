"""PowerPoint files: built as the format asks, and everything in them read back."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal

import openpyxl
import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation

from pages.export import Slide, deck_bytes, slide_bytes
from pages.export.clean import clean
from pages.export.fonts import is_chinese
from pages.export.powerpoint.template import template
from pages.figures.figure import Chart, Figure, Series, Style
from pages.figures.palette import THEMES, contrast
from pages.figures.slide import body
from tests import pptx_structure
from tests.export_cases import slides

PIXEL = 9525
NUMBERS = tuple(number / 4 for number in range(-8, 9))


def bars(style: Style, **changes: Any) -> Chart:
    series = (
        Series("row 1", (0.125, 0.25, 0.5, 0.125), style.colours.roles["weights"]),
        Series("第二行", (0.1, 0.2, 0.3, 0.4), style.colours.roles["key"]),
    )
    groups = ("the", "=cat()", "注意", "@sat")
    chart = Chart("bar", "key", "权重", groups, series, (0.0, 1.0), decimals=style.decimals)
    return replace(chart, **changes)


def lines(style: Style) -> Chart:
    squares = Series("x²", tuple(x * x / 4 for x in NUMBERS), style.colours.roles["query"])
    return Chart("line", "x (unit)", "y", NUMBERS, (squares,), (-0.5, 1.5))


def first_slide(style: Style) -> Slide:
    return next(slide for slide in slides(style) if slide.figure.chart is None)


def with_chart(style: Style, chart: Chart | None) -> Slide:
    slide = first_slide(style)
    return replace(slide, figure=replace(slide.figure, chart=chart))


def named(slide: Any, name: str) -> Any:
    (shape,) = [shape for shape in slide.shapes if shape.name == name]
    return shape


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_in_the_colours_of_the_theme_can_be_read(theme):
    # What each figure is as a slide is tested with its other files, in test_export_figures.py.
    data = slide_bytes(first_slide(Style(theme, "en", "slide")), "pptx")
    scheme = etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read("ppt/theme/theme1.xml"))
    colours = {e.tag.rpartition("}")[2]: "#" + str(e[0].get("val")) for e in scheme[0][0]}
    assert colours["lt1"] == THEMES[theme].background
    for text in ("dk1", "dk2", *(f"accent{n}" for n in range(1, 7))):
        assert contrast(colours[text], colours["lt1"]) >= 4.5


def test_both_themes_in_one_deck_keep_their_masters():
    light, dark = Style("light", "en", "slide"), Style("dark", "en", "slide")
    deck = (slides(light)[0], slides(dark)[1], slides(light)[2])
    data = deck_bytes(deck, "pptx")
    opened = Presentation(io.BytesIO(data))
    assert pptx_structure.faults(data) == []
    assert len(opened.slide_masters) == 2
    masters = [slide.slide_layout.slide_master for slide in opened.slides]
    assert masters[0] == masters[2] != masters[1]


def test_a_transparent_slide_takes_the_background_of_the_deck_it_is_put_into():
    style = Style("dark", "en", "slide", transparent=True)
    slide = first_slide(style)
    (made,) = Presentation(io.BytesIO(slide_bytes(slide, "pptx"))).slides
    assert not made._element.xpath("./p:cSld/p:bg")
    blob = named(made, slide.figure.name).image.blob
    assert Image.open(io.BytesIO(blob)).convert("RGBA").getpixel((0, 0))[3] == 0  # type: ignore[index]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["slide", "half", "square", "screen"])
def test_a_bar_chart_and_its_workbook_hold_the_numbers(theme, size):
    style = Style(theme, "zh", size)
    chart = bars(style)
    data = slide_bytes(with_chart(style, chart), "pptx")
    assert pptx_structure.faults(data) == []
    (made,) = Presentation(io.BytesIO(data)).slides
    drawn = named(made, first_slide(style).figure.name).chart
    assert tuple(drawn.plots[0].categories) == chart.x
    assert [tuple(series.values) for series in drawn.series] == [s.values for s in chart.series]
    assert [series.name for series in drawn.series] == [s.name for s in chart.series]
    assert (drawn.value_axis.minimum_scale, drawn.value_axis.maximum_scale) == chart.y_range
    assert drawn.value_axis.axis_title.text_frame.text == chart.y_title
    assert drawn.category_axis.axis_title.text_frame.text == chart.x_title
    assert drawn.has_legend
    sizes = [int(size) for size in drawn._chartSpace.xpath("//@sz")]
    assert min(sizes) >= 1350  # 18 pixels, in hundredths of a point
    first, second = (series.format for series in drawn.series)
    assert f"#{first.fill.fore_color.rgb}" == chart.series[0].colour.upper()
    assert f"#{second.line.color.rgb}" == chart.series[1].colour.upper()
    assert second.fill.fore_color.rgb not in (first.fill.fore_color.rgb, second.line.color.rgb)
    rows = list(sheet_of(drawn).iter_rows(values_only=True))
    assert rows[0] == ("key", "row 1", "第二行")
    assert rows[1:] == list(zip(chart.x, *(s.values for s in chart.series), strict=True))
    assert {cell.data_type for row in sheet_of(drawn).iter_rows() for cell in row} == {"s", "n"}


def sheet_of(drawn: Any) -> Any:
    return openpyxl.load_workbook(io.BytesIO(drawn.part.chart_workbook.xlsx_part.blob)).active


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_line_chart_has_a_number_axis_and_its_cells(theme):
    style = Style(theme, "en", "slide")
    chart = lines(style)
    (made,) = Presentation(io.BytesIO(slide_bytes(with_chart(style, chart), "pptx"))).slides
    drawn = named(made, first_slide(style).figure.name).chart
    assert drawn._chartSpace.xpath("//c:scatterChart")
    written = [float(each) for each in drawn._chartSpace.xpath("//c:xVal//c:v/text()")]
    assert tuple(written) == NUMBERS
    assert tuple(drawn.series[0].values) == chart.series[0].values
    assert drawn.has_legend  # the drawn figure names a single line too, at its end
    sheet = sheet_of(drawn)
    cells = {
        kind: [float(cell.value) for (cell,) in sheet[reference_of(drawn, kind)]]
        for kind in ("xVal", "yVal")
    }
    assert tuple(cells["xVal"]) == NUMBERS
    assert tuple(cells["yVal"]) == chart.series[0].values


def reference_of(drawn: Any, kind: str) -> str:
    (formula,) = drawn._chartSpace.xpath(f"//c:{kind}//c:f/text()")
    sheet, _, cells = formula.partition("!")
    assert sheet == "Sheet1"
    return str(cells)


@pytest.mark.parametrize(
    ("size", "decimals", "labelled"),
    [("slide", 3, True), ("half", 2, True), ("half", 6, False), ("slide", None, False)],
)
def test_bars_carry_their_values_where_the_drawing_does_and_there_is_room(size, decimals, labelled):
    style = Style("light", "en", size)
    chart = bars(style, decimals=decimals, hidden=(1, 3))
    (made,) = Presentation(io.BytesIO(slide_bytes(with_chart(style, chart), "pptx"))).slides
    for series in named(made, first_slide(style).figure.name).chart.plots[0].series:
        labels = series._element.xpath("./c:dLbls")
        assert len(labels) == labelled
        if labelled:
            digits = "0." + "0" * decimals
            assert labels[0].xpath("./c:numFmt/@formatCode") == [f"{digits};−{digits}"]
            hidden = labels[0].xpath("./c:dLbl[c:delete/@val='1']/c:idx/@val")
            assert hidden == ["1", "3"]  # a mask hides them: the drawing writes no number there


@pytest.mark.parametrize(
    ("letter", "length"), [("字", 1), ("word ", 60), ("字", 200), ("word ", 600), ("字", 600)]
)
def test_a_title_of_any_length_fits_in_18_pixels_or_more_and_is_whole_in_the_notes(letter, length):
    title = (letter * length)[:length].strip()
    slide = slides(Style("light", "en", "slide"))[0].renamed(title)
    (made,) = Presentation(io.BytesIO(slide_bytes(slide, "pptx"))).slides
    (run,) = made.shapes.title.text_frame.paragraphs[0].runs
    assert_whole_or_cut(made, made.shapes.title.text_frame.text, title)
    assert 13.5 <= run.font.size.pt <= 27
    assert_inside(made.shapes.title)


@pytest.mark.parametrize("size", ["slide", "half", "square", "screen"])
@pytest.mark.parametrize("of_chart", [False, True])
@pytest.mark.parametrize(
    ("letter", "length"), [("字", 80), ("word ", 400), ("字", 3000), ("W", 900)]
)
def test_a_caption_of_any_length_fits_in_18_pixels_or_more(size, of_chart, letter, length):
    note = (letter * length)[:length].strip()
    every = slides(Style("light", "en", size))
    slide = next(s for s in every if (s.figure.chart is not None) == of_chart)
    # Drawn again with that caption, as the page would, so that its picture leaves it room.
    style, spec = slide.style, dict(slide.figure.spec)
    if size != "screen":
        frame = spec["usermeta"]["frame"]
        spec["usermeta"] = {"frame": {**frame, "body": list(body(style, note))}}
    slide = replace(slide, figure=replace(slide.figure, note=note, spec=spec), notes="Notes.")
    (made,) = Presentation(io.BytesIO(slide_bytes(slide, "pptx"))).slides
    shape = named(made, "Caption")
    assert_whole_or_cut(made, shape.text_frame.text, note)
    assert shape.text_frame.paragraphs[0].runs[0].font.size.pt >= 13.5
    assert_inside(shape)
    if length <= 400:
        assert shape.text_frame.text == note  # there is room for it


def assert_whole_or_cut(made: Any, shown: str, whole: str) -> None:
    """Require a whole text, or its beginning with an ellipsis and the whole of it in the notes."""
    notes = made.notes_slide.notes_text_frame.text
    if shown != whole:
        assert shown.endswith("…")
        assert whole.startswith(shown[:-1])
        assert len(shown) > 60
        assert whole in notes


def assert_inside(shape: Any) -> None:
    # As wide as it is at least, and 1.2 em high: more lines than these would leave the place.
    (run,) = shape.text_frame.paragraphs[0].runs
    wide = sum(1.0 if is_chinese(each) else 0.45 for each in run.text) * run.font.size.pt
    lines_needed = -(-wide // shape.width.pt)
    assert lines_needed * 1.2 * run.font.size.pt <= shape.height.pt


ODD = "a\x00b\x01\x0b\x1f\ufffe\u2028<&>\"'=1+1]]>\ud83d\ude00".encode("utf-16", "surrogatepass")
ODD_TEXT = ODD.decode("utf-16")


def test_text_that_xml_forbids_breaks_no_file():
    style = Style("light", "en", "slide")
    chart = bars(style, x=(ODD_TEXT, "=2", "b", "c"), x_title=ODD_TEXT, y_title=ODD_TEXT)
    for slide in (with_chart(style, chart), first_slide(style)):
        odd = replace(slide.figure, note=ODD_TEXT, alt=ODD_TEXT).name
        figure = replace(slide.figure, note=ODD_TEXT, alt=ODD_TEXT)
        data = slide_bytes(replace(slide, figure=figure, notes=ODD_TEXT).renamed(ODD_TEXT), "pptx")
        assert pptx_structure.faults(data) == []
        (made,) = Presentation(io.BytesIO(data)).slides
        assert made.shapes.title.text_frame.text == " ".join(clean(ODD_TEXT).split())
        assert made.notes_slide.notes_text_frame.text == clean(ODD_TEXT)
        assert named(made, odd)


def test_a_new_slide_of_each_layout_has_its_places_inside_the_slide():
    opened = Presentation(io.BytesIO(template(("light", "dark"))))
    for master in opened.slide_masters:
        assert [layout.name for layout in master.slide_layouts] == ["Figure", "Figure beside text"]
        for layout in master.slide_layouts:
            made = opened.slides.add_slide(layout)
            assert len(made.placeholders) == 3
            assert len({shape.placeholder_format.idx for shape in made.placeholders}) == 3
            for shape in made.placeholders:
                assert shape.left + shape.width <= 1280 * PIXEL
                assert shape.top + shape.height <= 720 * PIXEL


def test_properties_name_the_file_and_nobody():
    style = Style("light", "zh", "slide")
    data = deck_bytes(slides(style)[:2], "pptx")
    properties = Presentation(io.BytesIO(data)).core_properties
    assert properties.title
    assert properties.language == "zh-CN"
    assert properties.author == properties.last_modified_by == "Attention Workbench"
    assert properties.created == properties.modified
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


# The measure must be able to fail: each of these spoils a good file in one way.
Spoil = Callable[[dict[str, bytes]], object]


def cut(parts: dict[str, bytes], name: str, old: str, new: str) -> None:
    assert old in parts[name].decode(), (name, old)
    parts[name] = parts[name].decode().replace(old, new, 1).encode()


SLIDE, PRESENTATION = "ppt/slides/slide1.xml", "ppt/presentation.xml"
CHART = "ppt/charts/chart1.xml"
SPOILED: dict[str, Spoil] = {
    "a part is missing": lambda p: p.pop("ppt/theme/theme1.xml"),
    "a part has no type": lambda p: p.update({"ppt/media/image9.tiff": b"x"}),
    "a part that nothing leads to": lambda p: p.update({"ppt/media/image9.png": b"x"}),
    "no properties": lambda p: p.pop("docProps/core.xml"),
    "broken XML": lambda p: p.update({SLIDE: p[SLIDE][:-20]}),
    "a shape id twice": lambda p: cut(p, SLIDE, 'id="4"', 'id="2"'),
    "an unknown reference": lambda p: cut(p, SLIDE, 'r:id="rId', 'r:id="rId9'),
    "a slide id out of range": lambda p: cut(p, PRESENTATION, 'sldId id="256"', 'sldId id="1"'),
    "a layout id twice": lambda p: cut(
        p, "ppt/slideMasters/slideMaster1.xml", 'id="2147483650"', 'id="2147483649"'
    ),
    "no alternative text": lambda p: cut(p, SLIDE, " descr=", " title="),
    "children out of order": lambda p: cut(p, CHART, "<c:autoTitleDeleted", "<c:legend/><c:x"),
    "a background after the shapes": lambda p: cut(
        p, SLIDE, "</p:spTree>", "</p:spTree><p:bg><p:bgPr/></p:bg>"
    ),
    "notes that do not lead back": lambda p: cut(
        p, "ppt/notesSlides/_rels/notesSlide1.xml.rels", "slides/slide1.xml", "theme/theme1.xml"
    ),
}


@lru_cache(maxsize=1)
def good_file() -> bytes:
    style = Style("light", "en", "slide")
    return slide_bytes(with_chart(style, bars(style)), "pptx")


@pytest.mark.parametrize("fault", SPOILED)
def test_the_structural_test_fails_on(fault):
    with zipfile.ZipFile(io.BytesIO(good_file())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert pptx_structure.faults(good_file()) == []
    SPOILED[fault](parts)
    assert pptx_structure.faults(packed(list(parts.items())))


def test_the_structural_test_fails_on_a_name_twice():
    with zipfile.ZipFile(io.BytesIO(good_file())) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist()]
    with pytest.warns(UserWarning, match="Duplicate name"):
        spoiled = packed([*files, files[-1]])
    assert pptx_structure.faults(spoiled)


def packed(files: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def test_figures_of_the_product_are_used_as_charts_where_they_are_charts():
    kinds: set[Literal["bar", "line"]] = set()
    figures: list[Figure] = [slide.figure for slide in slides(Style("light", "en", "slide"))]
    kinds |= {figure.chart.kind for figure in figures if figure.chart is not None}
    assert kinds == {"bar", "line"}
