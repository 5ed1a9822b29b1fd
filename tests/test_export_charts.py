"""Native line charts: every number in the chart is the one in its workbook, references included."""

from __future__ import annotations

import io
import json
from typing import Any

import openpyxl
import pytest
from pptx import Presentation
from pptx.enum.dml import MSO_FILL

from pages.export import deck_bytes, deck_from_json, slide_bytes, slide_of
from pages.export.errors import ExportError
from pages.export.powerpoint.chart_series import preset
from pages.export.slides import Slide
from pages.figures.figure import Chart, Reference, Series, Style, Table
from pages.figures.plot import Axis, Band, Words, line_figure
from pages.figures.series import dash_of
from pages.gallery import prepare
from tests import pptx_structure
from tests.figure_marks import cells, real_width

X = (1.0, 10.0, 100.0, 1000.0)
SERIES = (
    Series("linear", (2.0, 20.0, 200.0, 2000.0), "#112233"),
    Series("quadratic", (1.0, 100.0, 10000.0, 1000000.0), "#445566"),
)
REFERENCES = (Reference(50.0, "this machine"), Reference(500.0, "a limit", "y"))


def slide(x_scale="linear", y_scale="linear", references=REFERENCES) -> Slide:
    style = Style(size="slide")
    figure = line_figure(
        X, SERIES, style, Words("costs", "Costs", "A note.", "An alt text."),
        x_axis=Axis("T", scale=x_scale), y_axis=Axis("bytes", scale=y_scale),
        table=Table(("T",), tuple((x,) for x in X)), references=references,
    )  # fmt: skip
    return Slide(figure, style, "notes")


def chart_of(data: bytes) -> Any:
    assert pptx_structure.faults(data) == []
    (made,) = Presentation(io.BytesIO(data)).slides
    (frame,) = [shape for shape in made.shapes if shape.has_chart]
    return frame.chart


def numbers_of(drawn: Any, series: Any, kind: str) -> tuple[list[float], list[float]]:
    """Return the numbers that a series shows, and those in the cells that it names."""
    shown = [float(text) for text in series._element.xpath(f"./c:{kind}//c:v/text()")]
    (formula,) = series._element.xpath(f"./c:{kind}//c:f/text()")
    book = openpyxl.load_workbook(io.BytesIO(drawn.part.chart_workbook.xlsx_part.blob))
    name, _, cells = str(formula).partition("!")
    return shown, [float(cell.value) for (cell,) in book[name][cells]]


def test_every_series_and_reference_shows_what_its_cells_hold():
    drawn = chart_of(slide_bytes(slide(), "pptx"))
    names = [series.name for series in drawn.series]
    assert names == ["linear", "quadratic", "this machine", "a limit"]
    for series in drawn.series:
        for kind in ("xVal", "yVal"):
            shown, cells = numbers_of(drawn, series, kind)
            assert shown == cells
    by_name = {series.name: series for series in drawn.series}
    assert numbers_of(drawn, by_name["quadratic"], "yVal")[0] == list(SERIES[1].values)
    assert numbers_of(drawn, by_name["this machine"], "xVal")[0] == [50.0, 50.0]
    assert numbers_of(drawn, by_name["a limit"], "xVal")[0] == [1.0, 1000.0]
    assert numbers_of(drawn, by_name["a limit"], "yVal")[0] == [500.0, 500.0]
    low, high = drawn.value_axis.minimum_scale, drawn.value_axis.maximum_scale
    assert numbers_of(drawn, by_name["this machine"], "yVal")[0] == [low, high]


def test_lines_differ_without_their_colours():
    drawn = chart_of(slide_bytes(slide(references=()), "pptx"))
    assert len({series.format.line.dash_style for series in drawn.series}) == len(SERIES)


@pytest.mark.parametrize(("x_scale", "y_scale"), [("log10", "log10"), ("linear", "log10")])
def test_a_logarithmic_axis_stays_logarithmic(x_scale, y_scale):
    drawn = chart_of(slide_bytes(slide(x_scale, y_scale), "pptx"))
    found = drawn._chartSpace.xpath("//c:valAx/c:scaling/*[1][self::c:logBase]/@val")
    assert found == ["10"] * [x_scale, y_scale].count("log10")


@pytest.mark.parametrize("scale", ["linear", "log10"])
def test_a_single_place_stands_inside_its_axis(scale):
    figure = line_figure(
        (4.0,), (Series("one", (2.0,), "#112233"),), Style(size="slide"),
        Words("one", "One", "A note.", "An alt text."),
        x_axis=Axis("T", 2.0, 8.0, scale=scale), y_axis=Axis("bytes", 0.0),
        table=Table(("T",), ((4.0,),)),
    )  # fmt: skip
    drawn = chart_of(slide_bytes(Slide(figure, Style(size="slide"), ""), "pptx"))
    assert drawn.category_axis.minimum_scale < 4 < drawn.category_axis.maximum_scale


def test_a_chart_survives_a_saved_deck():
    deck = (slide("log10", "log10"), slide())
    assert deck_from_json(deck_bytes(deck, "json")) == deck


@pytest.mark.parametrize(("old", "new"), [("1.0", "0.0"), ("50.0", "-50.0")])
def test_a_saved_chart_that_no_axis_can_show_is_refused(old, new):
    text = deck_bytes((slide("log10", "log10"),), "json").decode()
    start = text.index('"chart"')
    changed = text[:start] + text[start:].replace(old, new, 1)
    assert changed != text
    with pytest.raises(ExportError, match="chart"):
        deck_from_json(changed)


def product_slide(name: str, *settings: str, **style: Any) -> Slide:
    (exhibit,) = prepare([f"worked-example-{name}"], settings, "numpy")
    return slide_of(exhibit, Style(**{"size": "slide", **style}))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["slide", "half", "square"])
def test_bars_have_the_fill_the_outline_and_the_width_that_are_drawn(theme, size):
    shown = product_slide("row-weights", theme=theme, size=size)
    drawn = chart_of(slide_bytes(shown, "pptx"))
    bars = {word: [row for row in cells(shown.figure.spec) if f"· {word}" in row["tip"]]
            for word in ("divided", "not")}  # fmt: skip
    for series, rows in zip(drawn.series, bars.values(), strict=True):
        assert {f"#{series.format.fill.fore_color.rgb}"} == {row["fill"] for row in rows}
    solid, pale = (series.format.line for series in drawn.series)
    assert solid.fill.type == MSO_FILL.BACKGROUND  # no line
    assert f"#{pale.color.rgb}" == shown.style.colours.roles["weights"]
    # A group is as wide as its bars and the gap, which is a share of a bar.
    one, two = bars["divided"][:2]
    apart = (two["x"] - one["x"]) / (bars["not"][0]["x"] - one["x"])
    assert 2 + drawn.plots[0].gap_width / 100 == pytest.approx(apart, rel=0.05)


def test_lines_have_the_markers_that_are_drawn():
    shown = product_slide("row-factor")
    chart, drawn = shown.figure.chart, chart_of(slide_bytes(shown, "pptx"))
    assert chart is not None
    symbols = set()
    for series, wanted in zip(drawn.series, chart.series, strict=False):
        marked = [int(i) for i in series._element.xpath("./c:dPt/c:idx/@val")]
        assert [chart.x[i] for i in marked] == [pytest.approx(0.5**0.5), 1.0]
        fills = series._element.xpath("./c:dPt/c:marker/c:spPr/a:solidFill/a:srgbClr/@val")
        assert [f"#{fill}" for fill in fills] == [wanted.colour.upper()] * 2
        strokes = series._element.xpath("./c:dPt/c:spPr/a:ln/a:solidFill/a:srgbClr/@val")
        assert strokes == fills
        symbols |= set(series._element.xpath("./c:dPt/c:marker/c:symbol/@val"))
    assert symbols == {"circle", "square", "triangle"}


def test_every_dash_is_the_preset_nearest_to_the_drawn_one():
    names = [preset(dash_of(index)).name for index in range(4)]
    assert names == ["SOLID", "DASH", "ROUND_DOT", "DASH_DOT"]


@pytest.mark.parametrize("size", ["slide", "half", "square"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_reference_lines_carry_their_names_where_nothing_is_in_the_way(size, language):
    shown = product_slide("row-factor", size=size, language=language)
    data = slide_bytes(shown, "pptx")
    drawn = chart_of(data)
    (made,) = Presentation(io.BytesIO(data)).slides
    (width,) = [s.width / 9525 for s in made.shapes if s.has_chart]
    count = len(drawn.series) - 2
    gone = drawn.legend._element.xpath("./c:legendEntry[c:delete/@val='1']/c:idx/@val")
    assert gone == [str(count), str(count + 1)]
    left, wide = (float(drawn._chartSpace.xpath(f"//c:plotArea/c:layout//c:{side}/@val")[0])
                  for side in "xw")  # fmt: skip
    boxes = []
    for series in list(drawn.series)[-2:]:
        (label,) = series._element.xpath("./c:dLbls/c:dLbl")
        assert label.xpath("./c:showSerName/@val") == ["1"]
        right, down = (float(label.xpath(f".//c:{side}/@val")[0]) for side in "xy")
        end = left + wide * numbers_of(drawn, series, "xVal")[0][-1] / 2  # the axis ends at 2
        half = real_width(series.name, int(label.xpath(".//@sz")[0]) / 75) / 2 / width
        boxes.append((end + right - half, end + right + half, down))
    for start, end, down in boxes:
        assert 0 <= start < end <= 1
        assert down <= 0
    (_, end, low), (start, _, high) = boxes
    assert end < start or low != high


def test_a_native_chart_has_its_places_inside_and_the_numbers_of_the_drawn_axis():
    drawn = chart_of(slide_bytes(product_slide("row-factor", size="half"), "pptx"))
    for layout in drawn._chartSpace.xpath("//c:plotArea/c:layout/c:manualLayout"):
        x, y, w, h = (float(layout.xpath(f"./c:{side}/@val")[0]) for side in "xywh")
        assert 0 < x < x + w < 1
        assert 0 < y < y + h < 1
    codes = drawn._chartSpace.xpath("//c:valAx/c:numFmt/@formatCode")
    assert codes == ["0.0;−0.0"] * 2  # 0.0, 0.5 ... and 0.0, 0.2 ...


@pytest.mark.parametrize(
    ("field", "value"),
    [("hidden", [4]), ("hidden", [-1]), ("hidden", [True]), ("decimals", 7), ("decimals", "3"),
     ("dots", ["a"])],
)  # fmt: skip
def test_a_saved_chart_with_marks_of_another_kind_is_refused(field, value):
    document = json.loads(deck_bytes((product_slide("row-weights"),), "json"))
    assert document["slides"][0]["chart"][field] != value
    document["slides"][0]["chart"][field] = value
    with pytest.raises(ExportError, match="chart"):
        deck_from_json(json.dumps(document))


def test_the_product_s_own_curve_keeps_its_two_factors():
    (curve,) = prepare(["worked-example-row-factor"], [], "numpy")
    style = Style(size="slide")
    drawn = chart_of(slide_bytes(slide_of(curve, style), "pptx"))
    upright = [numbers_of(drawn, series, "xVal")[0] for series in list(drawn.series)[-2:]]
    assert upright == [pytest.approx([0.5**0.5] * 2), [1.0, 1.0]]
    assert isinstance(curve.draw(style).chart, Chart)


# Lines with places of their own, bands, breaks ----------------------------------------------


def own_slide(**axes: Any) -> Slide:
    style = Style(size="slide")
    given = {"x_axis": Axis("x"), "y_axis": Axis("y", 0.0, 5.0)} | axes
    series = (
        Series("broken", (2.0, 2.5, 1.0), "#445566", (1.0, 2.0, 4.0), breaks=(2,)),
        Series("dots", (1.5, 2.0, 3.0, 4.0), "#778899", (1.0, 2.0, 4.0, 8.0), "dots"),
    )
    figure = line_figure(
        (1.0, 2.0, 4.0, 8.0), series, style, Words("own", "Own", "A note.", "An alt text."),
        table=Table(("x",), ((1.0,),)), bands=(Band("band", (1.0, 1.0), (2.0, 3.0), "#112233",
                                                    (1.0, 8.0)),), dots=(2.0,), **given,
    )  # fmt: skip
    return Slide(figure, style, "")


def test_every_place_of_its_own_is_in_the_workbook():
    drawn = chart_of(slide_bytes(own_slide(), "pptx"))
    found = []
    for series in drawn.series:
        points = []
        for kind in ("xVal", "yVal"):
            shown, cells = numbers_of(drawn, series, kind)
            assert shown == cells
            points.append(shown)
        found.append((series.name, *points))
    # The longest comes first: some programs lose a first series that is shorter than another.
    assert found == [
        ("dots", [1, 2, 4, 8], [1.5, 2, 3, 4]), ("broken", [1, 2], [2, 2.5]),
        ("band", [1, 8], [1, 1]), ("band", [1, 8], [2, 3]), ("broken", [4], [1]),
    ]  # fmt: skip


def test_a_legend_names_a_broken_line_once_and_no_edge_of_a_band():
    drawn = chart_of(slide_bytes(own_slide(), "pptx"))
    gone = drawn.legend._element.xpath("./c:legendEntry[c:delete/@val='1']/c:idx/@val")
    assert gone == ["2", "3", "4"]
    dots, broken, edge, _, rest = drawn.series
    assert dots.format.line.fill.type == MSO_FILL.BACKGROUND  # no line
    assert dots._element.xpath("./c:marker/c:symbol/@val") == ["square"]
    assert edge.format.line.width < broken.format.line.width
    assert broken.format.line.dash_style == rest.format.line.dash_style
    assert rest._element.xpath("./c:dPt/c:idx/@val") == ["0"]  # one point alone has a marker


def test_an_axis_between_powers_of_two_has_that_base():
    axis = Axis("x", scale="log2")
    drawn = chart_of(
        slide_bytes(own_slide(x_axis=axis, y_axis=Axis("y", 1.0, 8.0, "log10")), "pptx")
    )
    assert drawn._chartSpace.xpath("//c:valAx/c:scaling/c:logBase/@val") == ["2", "2"]
    assert drawn.category_axis.maximum_scale == pytest.approx(8.0)
    assert drawn.category_axis.maximum_scale > 8.0


@pytest.mark.parametrize(("least", "decimals"), [(1e-4, 4), (0.1, 1), (1e-9, 9)])
def test_powers_below_one_are_written_with_as_many_decimals_as_they_have(least, decimals):
    axis = Axis("y", least, 10.0, "log10")
    drawn = chart_of(slide_bytes(own_slide(y_axis=axis), "pptx"))
    labels = drawn.value_axis.tick_labels
    assert labels.number_format == f"[<1]0.{'#' * decimals};General"
    assert not labels.number_format_is_linked


def test_own_places_survive_a_saved_deck_and_other_charts_say_nothing_of_them():
    deck = (own_slide(), slide())
    data = deck_bytes(deck, "json")
    assert deck_from_json(data) == deck
    own, usual = (each["chart"]["series"] for each in json.loads(data)["slides"])
    assert all(set(each) == {"name", "values", "colour"} for each in usual)
    assert [each.get("look") for each in own] == [None, "rest", "dots", "edge", "edge"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("x", [1.0]), ("x", [1.0, "2"]), ("look", "curve"), ("kind", 12), ("kind", -1),
     ("breaks", [1])],
)  # fmt: skip
def test_a_saved_line_of_another_kind_is_refused(field, value):
    document = json.loads(deck_bytes((own_slide(),), "json"))
    document["slides"][0]["chart"]["series"][0][field] = value
    with pytest.raises(ExportError, match="chart"):
        deck_from_json(json.dumps(document))


def test_saved_bars_with_places_are_refused():
    document = json.loads(deck_bytes((product_slide("row-weights"),), "json"))
    series = document["slides"][0]["chart"]["series"][0]
    series["x"] = [1.0] * len(series["values"])
    with pytest.raises(ExportError, match="chart"):
        deck_from_json(json.dumps(document))
