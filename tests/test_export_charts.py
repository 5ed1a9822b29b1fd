"""Native line charts: every number in the chart is the one in its workbook, references included."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from pptx import Presentation

from pages.export import deck_bytes, deck_from_json, slide_bytes, slide_of
from pages.export.errors import ExportError
from pages.export.slides import Slide
from pages.figures.figure import Chart, Reference, Series, Style, Table
from pages.figures.plot import Axis, Words, line_figure
from pages.gallery import prepare
from tests import pptx_structure

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


def test_the_product_s_own_curve_keeps_its_two_factors():
    (curve,) = prepare(["worked-example-row-factor"], [], "numpy")
    style = Style(size="slide")
    drawn = chart_of(slide_bytes(slide_of(curve, style), "pptx"))
    upright = [numbers_of(drawn, series, "xVal")[0] for series in list(drawn.series)[-2:]]
    assert upright == [pytest.approx([0.5**0.5] * 2), [1.0, 1.0]]
    assert isinstance(curve.draw(style).chart, Chart)
