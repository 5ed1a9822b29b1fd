"""Every figure of the square root of d_k: nothing lost, and every number drawn where it belongs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest

from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.saturation import (
    RULES,
    TABLE,
    SaturationParams,
    measure_saturation,
)
from engine.experiments.scaling.trainable import RATES
from engine.experiments.scaling.variance import run
from pages.export.table import to_csv
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.palette import contrast, theme
from pages.figures.scaling.common import rule_colour
from pages.figures.scaling.gradient import Reached, jacobian_figure, norm_figure, reach_figure
from pages.figures.scaling.saturation import (
    Measure,
    pair_figure,
    saturation_figure,
    saturation_table_figure,
)
from pages.figures.scaling.training import MOST_POINTS, Curve, curve_figure, sweep_figure
from pages.figures.scaling.variance import (
    deviation_figure,
    distribution_figure,
    kurtosis_figure,
    sampling_error_figure,
)
from pages.gallery.notes import _plotted
from tests.figure_marks import cells, texts
from tests.scaling_results import (
    NAN,
    REACHES,
    SATURATIONS,
    SWEEPS,
    TRAININGS,
    VARIANCES,
    one_run,
    reach,
    saturation,
    swept,
    trained,
    variance,
    width,
    widths,
)
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import axis_of, outside, pieces

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
MEASURES, CURVES, REACHED = get_args(Measure), get_args(Curve), get_args(Reached)
PAIRS = {"default": (5.0, 4.0, 1.0), "large": (50.0, 40.0, 0.1), "far": (-1e6, 123456.789, 20.0),
         "equal": (2.5, 2.5, 7.0)}  # fmt: skip


def drawn_variance(case: str, style: Style) -> list[Figure]:
    result = variance(case)
    ends = {result.widths[0].d_k, result.widths[-1].d_k}
    return [
        *(distribution_figure(result, style, d_k) for d_k in ends),
        deviation_figure(result, style),
        sampling_error_figure(result, style),
        kurtosis_figure(result, style),
    ]


def drawn_saturation(case: str, style: Style) -> list[Figure]:
    result = saturation(case)
    return [
        *(saturation_figure(result, style, measure) for measure in MEASURES),
        saturation_table_figure(result, style),
    ]


def drawn_reach(case: str, style: Style) -> list[Figure]:
    result = reach(case)
    return [
        jacobian_figure(result, style, result.params.T),
        norm_figure(result, style),
        *(reach_figure(result, style, of) for of in REACHED),
    ]


def drawn_training(case: str, style: Style) -> list[Figure]:
    return [curve_figure(TRAININGS[case], style, curve) for curve in CURVES]


def drawn_sweep(case: str, style: Style) -> list[Figure]:
    return [sweep_figure(SWEEPS[case], style)]


def drawn_pair(case: str, style: Style) -> list[Figure]:
    *scores, temperature = PAIRS[case]
    return [pair_figure(pair_of((scores[0], scores[1]), temperature), style)]


EVERY: dict[Callable[[str, Style], list[Figure]], Iterable[str]] = {
    drawn_variance: VARIANCES, drawn_saturation: SATURATIONS, drawn_reach: REACHES,
    drawn_training: TRAININGS, drawn_sweep: SWEEPS, drawn_pair: PAIRS,
}  # fmt: skip
CASES = [pytest.param(draw, case, id=f"{draw.__name__}-{case}")
         for draw, cases in EVERY.items() for case in cases]  # fmt: skip
DEFAULTS = [(draw, "default") for draw in EVERY]


def every_default(style: Style) -> list[Figure]:
    return [figure for draw, case in DEFAULTS for figure in draw(case, style)]


# Every figure -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("draw", "case"), CASES)
def test_nothing_is_lost_clipped_small_or_overlapping(draw, case, size):
    style = Style(size=size)
    for figure in draw(case, style):
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("decimals", [0, 3, 6])
def test_chinese_figures_with_any_decimals_fit(size, decimals):
    style = Style(language="zh", size=size, decimals=decimals)
    for figure in every_default(style):
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


def test_a_theme_changes_no_place():
    def places(name):
        drawn = every_default(Style(name, size="slide"))
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in drawn]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_has_its_own_name_its_words_and_a_table_without_a_nan():
    found = [figure for draw, case in DEFAULTS for figure in draw(case, Style())]
    assert len({figure.name for figure in found}) == len(found)
    every = [figure for draw, cases in EVERY.items() for case in cases
             for figure in draw(case, Style())]  # fmt: skip
    for figure in every:
        assert re.fullmatch(r"scaling-[A-Za-z0-9.-]+", figure.name)
        assert figure.title
        assert figure.note.endswith(".")
        assert figure.note in figure.alt or figure.alt.startswith(figure.title)
        lines = list(csv.reader(io.StringIO(to_csv(figure.table).decode("utf-8-sig"))))
        assert len({len(line) for line in lines}) == 1
        assert len(lines) > 1
        assert not {"nan", "inf"} & {cell.lower() for line in lines for cell in line}
        json.dumps(figure.spec, allow_nan=False)
        assert "nan" not in json.dumps(figure.spec).lower().replace("nanos", "")


# Reading what is drawn ----------------------------------------------------------------------


def paths_of(figure: Figure, colour: str) -> list[list[tuple[float, float]]]:
    """Return the points of every solid line in a colour, longest first."""
    found = [
        points
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if row["stroke"] == colour and re.fullmatch(r"[ML\d.,\s-]+", row["path"])
        for points in pieces(row["path"])
    ]
    return sorted(found, key=len, reverse=True)


def octaves_of(figure: Figure) -> tuple[float, float]:
    """Return the pixel of 1 on a logarithmic y axis, and the pixels of a doubling."""
    ticks = [
        (math.log2(float(row["text"])), row["y"])
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == "right"
        for row in layer["data"]["values"]
        if re.fullmatch(r"[\d.]+", row["text"])
    ]
    (low, start), *_, (high, end) = sorted(ticks)
    octave = (start - end) / (high - low)
    return start + octave * low, octave


def series_of(figure: Figure, name: str):
    assert figure.chart is not None
    (found,) = [each for each in figure.chart.series
                if each.name == name and each.look in ("line", "area", "dots")]  # fmt: skip
    return found


def shown(figure: Figure) -> set[str]:
    return {box.text for box in texts(figure.spec)}


# Variance -----------------------------------------------------------------------------------


def test_both_outlines_are_densities_of_the_same_samples():
    # 4 of 10 samples in each middle bin, which is 2 wide, and 1 in each outer one.
    result = widths(width(4, (-4, -2, 0, 2, 4), (1, 4, 4, 1)))
    figure = distribution_figure(result, Style())
    raw, scaled = series_of(figure, "unscaled"), series_of(figure, "÷√d_k")
    assert raw.x == (-4, -4, -2, -2, 0, 0, 2, 2, 4, 4)
    assert raw.values == pytest.approx([0, 0.05, 0.05, 0.2, 0.2, 0.2, 0.2, 0.05, 0.05, 0])
    assert scaled.x == pytest.approx([x / 2 for x in raw.x])
    assert scaled.values == pytest.approx([2 * height for height in raw.values])
    lines = [dict(zip(figure.table.columns, row, strict=True)) for row in figure.table.rows]
    assert [line["samples"] for line in lines] == [1, 4, 4, 1]
    assert [line["scaled to"] for line in lines] == [-1, 0, 1, 2]


@pytest.mark.parametrize("case", VARIANCES)
def test_every_outline_has_the_area_of_one(case):
    result = variance(case)
    for each in result.widths:
        figure = distribution_figure(result, Style(), each.d_k)
        assert figure.chart is not None
        for series in figure.chart.series:
            if series.look != "area":
                continue
            areas = [
                (right - left) * height
                for (left, right), height in zip(
                    pairwise(series.x or ()), series.values, strict=False
                )
            ]
            assert sum(areas) == pytest.approx(1.0)


def test_the_expected_deviations_stand_where_they_belong():
    result = widths(width(16, np.linspace(-16, 16, 9), [0, 1, 2, 4, 4, 2, 1, 0]))
    figure = distribution_figure(result, Style())
    assert figure.chart is not None
    assert [(line.at, line.label) for line in figure.chart.references] == [
        (1.0, "deviation 1"), (4.0, "deviation 4"),
    ]  # fmt: skip
    assert "Standard deviation: 1.000 measured, 4.000 expected" in figure.note
    assert "√16 = 4: 0.250 measured, 1.000 expected" in figure.note


def test_a_width_that_was_not_drawn_is_refused():
    with pytest.raises(FigureError, match="no width 5"):
        distribution_figure(variance("signs"), Style(), 5)


def test_the_divisor_of_one_component_changes_nothing():
    figure = distribution_figure(variance("one"), Style())
    assert figure.chart is not None
    assert [each.name for each in figure.chart.series] == ["scaled or not", "normal"]


@pytest.mark.parametrize("size", SIZES)
def test_deviations_the_law_and_its_band_stand_on_their_logarithms(size):
    made = [
        width(d_k, (0, 1), (1,), deviation=deviation, band=(root / 2, 2 * root))
        for d_k, deviation, root in ((1, 1.5, 1), (16, 3.0, 4), (256, 9.0, 16))
    ]
    figure = deviation_figure(widths(*made), Style(size=size))
    one, octave = octaves_of(figure)
    law = series_of(figure, "√d_k")
    (line,) = paths_of(figure, law.colour)[:1]
    assert law.values == (1, 4, 16)
    for (_, y), value in zip(line, law.values, strict=True):
        assert y == pytest.approx(one - octave * math.log2(value), abs=0.1)
    fills = {row["fill"]: pieces(row["path"])[0] for layer in figure.spec["layer"]
             if layer["mark"]["type"] == "point" for row in layer["data"]["values"]
             if row["path"].count("L") == 5}  # fmt: skip
    (corners,) = fills.values()
    wanted = [0.5, 2, 8, 32, 8, 2]
    for (_, y), value in zip(corners, wanted, strict=True):
        assert y == pytest.approx(one - octave * math.log2(value), abs=0.1)
    assert series_of(figure, "unscaled").values == (1.5, 3.0, 9.0)
    assert series_of(figure, "÷√d_k").values == (1.5, 0.75, 9 / 16)


def ticks_of(figure: Figure) -> list[float]:
    """Return the numbers along the y axis, rising."""
    return sorted(
        float(row["text"].replace(",", ""))
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == "right"
        for row in layer["data"]["values"]
        if re.fullmatch(r"[\d.,]+", row["text"])
    )


def test_a_band_that_goes_far_down_leaves_room_for_the_points():
    made = [width(d_k, (0, 1), (1,), deviation=0.5, band=(1e-12, 2.0)) for d_k in (1, 4)]
    figure = deviation_figure(widths(*made), Style())
    assert figure.chart is not None
    low, high = figure.chart.y_range
    assert 0.05 <= low <= 0.25  # the smallest point is 0.5 / 2
    assert high <= 10
    assert figure.table.rows[0][5] == 1e-12
    within = [width(d_k, (0, 1), (1,), deviation=0.9, band=(0.8, 1.2)) for d_k in (1, 4)]
    chart = deviation_figure(widths(*within), Style()).chart
    assert chart is not None
    assert chart.y_range[0] <= 0.45


@pytest.mark.parametrize("case", ["tiny", "two"])
def test_numbers_along_a_small_axis_are_round(case):
    figure = deviation_figure(variance(case), Style())
    for tick in ticks_of(figure):
        assert f"{tick:.0e}"[0] in "125"
        assert float(f"{tick:.0e}") == tick


RATIOS = [
    width(1, (0, 1), (1,), deviation=1.5, band=(0.5, 2.0)),
    width(4, (0, 1), (1,), deviation=5.0, band=(1.0, 4.0)),
    width(16, (0, 1), (1,), deviation=1.0, band=(2.0, 8.0)),
    width(64, (0, 1), (1,), deviation=16.0, band=(4.0, 16.0)),
]


@pytest.mark.parametrize("size", SIZES)
def test_points_outside_the_band_look_otherwise_and_are_named(size):
    figure = sampling_error_figure(widths(*RATIOS), Style(size=size))
    inside, outside = series_of(figure, "inside"), series_of(figure, "outside")
    assert (inside.x, inside.values) == ((1.0, 64.0), (1.5, 2.0))
    assert (outside.x, outside.values) == ((4.0, 16.0), (2.5, 0.25))
    assert inside.colour != outside.colour
    assert inside.kind != outside.kind
    assert {"inside", "outside", "95% band", "expected"} <= shown(figure)
    assert "2 of 4 points lie inside" in figure.note
    assert figure.chart is not None
    edges = [each.values for each in figure.chart.series if each.look == "edge"]
    assert edges == [(0.5, 0.5, 0.5, 0.5), (2.0, 2.0, 2.0, 2.0)]
    assert [(line.at, line.axis) for line in figure.chart.references] == [(1.0, "y")]
    assert figure.table.rows[1] == (4, 5.0, 2.0, 2.5, 0.5, 2.0, "outside")
    assert figure.table.rows[3] == (64, 16.0, 8.0, 2.0, 0.5, 2.0, "inside")


def test_a_legend_names_only_what_is_there():
    figure = sampling_error_figure(widths(RATIOS[0], RATIOS[3]), Style())
    assert "outside" not in shown(figure)
    figure = sampling_error_figure(widths(RATIOS[1], RATIOS[2]), Style())
    assert "inside" not in shown(figure)


@pytest.mark.parametrize("draw", [deviation_figure, sampling_error_figure])
def test_the_band_of_one_width_can_be_seen(draw):
    figure = draw(widths(RATIOS[1]), Style())
    assert figure.chart is not None
    low, high = (each for each in figure.chart.series if each.look == "edge")
    assert low.x == high.x
    assert low.x is not None
    assert low.x[0] < 4 < low.x[1]
    assert high.values[0] == high.values[1] > low.values[0]


@pytest.mark.parametrize(
    ("samples", "kurtosis", "said"),
    [
        (89, 6.0, "takes 90 samples"),
        (90, 6.0, ""),
        (53, -2.0, "takes 54 samples"),
        (54, -2.0, ""),
        (9, 0.0, "takes 10 samples"),
        (10, 0.0, ""),
        (100_000, None, "follows from the measured kurtosis"),
    ],
)
def test_a_rough_band_is_called_rough(samples, kurtosis, said):
    made = [width(1, (0, 1), (1,), expected_kurtosis=kurtosis), width(4, (0, 1), (1,))]
    for draw in (sampling_error_figure, deviation_figure):
        figure = draw(widths(*made, samples=samples), Style())
        for words in (figure.note, figure.alt):
            assert said in words
            assert ("The band is rough here" in words) == bool(said)
    assert ("exponent and its standard error are rough" in figure.note) == bool(said)
    kurtosis = kurtosis_figure(widths(*made, samples=samples), Style()).note
    assert ("that of so few samples" in kurtosis) == ("takes" in said)


def test_where_a_band_is_rough_nothing_is_said_of_1_in_20():
    outside = [width(d_k, (0, 1), (1,), deviation=9.0) for d_k in (4, 8)]
    for samples, rough in ((5, True), (500, False)):
        note = deviation_figure(widths(*outside, samples=samples), Style()).note
        assert "0 of 2 points lie inside the 95% band" in note
        assert ("1 in 20" in note) != rough


def test_a_deviation_of_nothing_has_no_place_on_a_logarithm():
    made = widths(width(1, (0, 1), (1,), deviation=0.0, band=(0.0, 3.0)), width(4, (0, 1), (1,)))
    figure = deviation_figure(made, Style())
    assert series_of(figure, "unscaled").x == (4.0,)
    assert figure.table.rows[0][3] == 0.0


def test_the_note_counts_the_points_inside_the_band():
    outside_one = widths(width(1, (0, 1), (1,)), width(4, (0, 1), (1,), deviation=9.0))
    assert "1 of 2 points lie inside" in deviation_figure(outside_one, Style()).note
    inside = widths(width(1, (0, 1), (1,)), width(4, (0, 1), (1,)))
    assert "Both points lie inside" in deviation_figure(inside, Style()).note
    three = widths(*(width(d_k, (0, 1), (1,)) for d_k in (1, 4, 16)))
    assert "All 3 points lie inside" in deviation_figure(three, Style()).note
    assert "0.500\xa0±\xa00.010 (standard error); the law √d_k has 0.5" in deviation_figure(
        inside, Style()
    ).note  # fmt: skip


def test_broken_assumptions_are_named_and_have_their_own_law():
    result = variance("broken")
    figure = deviation_figure(result, Style())
    assert "mean 0.5, correlation 0.3" in figure.note
    assert "0.5." not in figure.note.split("(standard error)")[0]
    law = series_of(figure, "law").values
    assert law == tuple(math.sqrt(each.expected_variance) for each in result.widths)
    assert law[1] / law[0] > math.sqrt(64 / 2)  # shared components add up


def test_an_unknown_kurtosis_is_left_out():
    made = widths(
        width(1, (0, 1), (1,), kurtosis=NAN, expected_kurtosis=None, kurtosis_band=(NAN, NAN)),
        width(4, (0, 1), (1,), kurtosis=1.25, expected_kurtosis=0.75),
        width(8, (0, 1), (1,), kurtosis=-0.5, expected_kurtosis=0.25),
    )
    figure = kurtosis_figure(made, Style())
    measured, expected = series_of(figure, "measured"), series_of(figure, "expected")
    assert (measured.x, measured.values) == ((4.0, 8.0), (1.25, -0.5))
    assert (expected.x, expected.values) == ((4.0, 8.0), (0.75, 0.25))
    assert figure.table.rows[0] == (1, "", "", "", "")
    assert "At d_k = 4 the excess kurtosis is 1.250, 0.750 expected." in figure.note


def kurtosis_note(*bands: tuple[float, float], expected=0.0, samples=500) -> str:
    made = [width(2**place, (0, 1), (1,), kurtosis_band=band, expected_kurtosis=expected)
            for place, band in enumerate(bands)]  # fmt: skip
    return kurtosis_figure(widths(*made, samples=samples), Style()).note


def test_the_width_from_which_on_the_band_holds_0_is_named():
    out, inside, below = (0.1, 0.5), (-0.1, 0.5), (-1.0, -0.2)
    assert "From d_k = 4 on the 95% band holds 0" in kurtosis_note(out, out, inside, inside)
    assert "From d_k" not in kurtosis_note(inside, below, inside)  # nor a single d_k without it
    assert "From d_k" not in kurtosis_note(inside, inside)  # none can be told from a normal one
    assert "From d_k" not in kurtosis_note(out, inside, samples=499)
    assert "From d_k" not in kurtosis_note(inside, out)
    assert "From d_k" not in kurtosis_note(inside, expected=None)


def test_a_rough_band_of_the_kurtosis_is_called_rough():
    assert "it is rough: more than 95" in kurtosis_note((-2.0, 4.3), expected=2.0)
    assert "rough" not in kurtosis_note((-0.5, 0.5), (-2.0, 3.9), expected=2.0)
    assert "The band is rough here" in kurtosis_note((-0.5, 0.5), expected=None)
    few = kurtosis_note((-2.0, 4.3), expected=2.0, samples=499)
    assert "rough for fewer than 500 samples" in few
    assert "more than 95" not in few


@pytest.mark.parametrize("case", VARIANCES)
def test_the_axis_of_the_kurtosis_holds_its_band_and_goes_below_0(case):
    result = variance(case)
    chart = kurtosis_figure(result, Style()).chart
    assert chart is not None
    assert chart.y_range[0] < 0
    low, high = (each for each in chart.series if each.look == "edge")
    bands = [each.kurtosis_band for each in result.widths if not math.isnan(each.kurtosis_band[0])]
    wanted = bands * 2 if len(bands) == 1 else bands
    assert list(zip(low.values, high.values, strict=True)) == wanted


@pytest.mark.parametrize("change", [{}, {"mean": 0.5}, {"sigma": 2.0, "correlation": 0.2}])
def test_the_normal_density_has_the_area_the_mean_and_the_deviation_expected(change):
    result = run(replace(VARIANCES["default"], d_ks=(1, 16), samples=50, **change), backend="numpy")
    for each in result.widths:
        normal = series_of(distribution_figure(result, Style(), each.d_k), "normal")
        x, y = np.array(normal.x), np.array(normal.values)
        step = x[1] - x[0]
        mean = each.d_k * change.get("mean", 0.0) ** 2 / math.sqrt(each.d_k)
        assert step * y.sum() == pytest.approx(1, abs=2e-4)
        assert step * (x * y).sum() == pytest.approx(mean, abs=1e-3)
        deviation = math.sqrt(step * ((x - mean) ** 2 * y).sum())
        assert deviation == pytest.approx(math.sqrt(each.expected_variance / each.d_k), rel=1e-3)


def test_a_band_is_in_the_legend_only_where_it_can_be_seen():
    for ratio, seen in ((1.02, False), (1.2, True)):
        made = [width(d_k, (0, 1), (1,), deviation=root, band=(root / ratio, root * ratio))
                for d_k, root in ((1, 1.0), (256, 16.0))]  # fmt: skip
        figure = deviation_figure(widths(*made), Style())
        assert ("95% band" in shown(figure)) == seen
        assert ("too thin to be seen" in figure.note) != seen


def test_a_line_of_a_deviation_has_the_colour_of_its_outline():
    figure = distribution_figure(variance("default"), Style(), 16)
    assert figure.chart is not None
    colours = {series.colour for series in figure.chart.series[:2]}
    assert {line.colour for line in figure.chart.references} == colours


def test_samples_without_any_kurtosis_are_refused():
    with pytest.raises(FigureError, match="no kurtosis"):
        kurtosis_figure(widths(width(1, (0, 1), (1,), kurtosis=NAN, expected_kurtosis=None)),
                        Style())  # fmt: skip


# Saturation ---------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MEASURES)
def test_every_rule_has_its_measured_line(measure):
    result = saturation("default")
    figure = saturation_figure(result, Style(), measure)
    assert figure.chart is not None
    for rule, series in zip(RULES, figure.chart.series, strict=True):
        assert series.values == tuple(getattr(result.found[d_k, rule], measure)
                                      for d_k in result.d_ks)  # fmt: skip
    last = result.found[result.d_ks[-1], "unscaled"]
    value = getattr(last, measure)
    (said,) = re.findall("at d_k = 1,024, unscaled: ([0-9.]+)(?:%|\xa0±\xa0)", figure.note)
    assert float(said) == pytest.approx(100 * value if measure == "saturated" else value, rel=0.02)


def test_a_rule_looks_alike_in_every_figure():
    largest = saturation_figure(saturation("default"), Style())
    curve = curve_figure(TRAININGS["default"], Style())
    for name in ("unscaled", "÷√d_k"):
        one, other = series_of(largest, name), series_of(curve, name)
        assert (one.colour, one.kind) == (other.colour, other.kind)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", SATURATIONS)
def test_the_table_says_what_the_text_says_beside_what_was_measured(case, size):
    result = saturation(case)
    figure = saturation_table_figure(result, Style(size=size))
    words = " ".join(box.text for box in texts(figure.spec))
    for said in ("nearly", "saturated", "severely", "fully", "but learnable", "smooth",
                 "useless", "expected"):  # fmt: skip
        assert said in words
    tips = [cell["tip"] for cell in cells(figure.spec)]
    assert len(tips) == len(TABLE) * 2 * 3
    for d_k in TABLE:
        for rule, name in (("unscaled", "unscaled"), ("sqrt", "divided by √d_k")):
            value = result.found[d_k, rule].largest
            place = f"d_k = {d_k:,}, {name} · largest weight: "
            (tip,) = [tip for tip in tips if tip.startswith(place)]
            found = float(tip.removeprefix(place).split("\xa0")[0])
            assert found == pytest.approx(value, rel=0.02)
            assert {f"{value:.{decimals}f}" for decimals in (1, 2, 3)} & shown(figure)
    roots = [row[1] for row in figure.table.rows if row[2] == "unscaled"]
    assert roots == [4, 8, 16, 32]


@pytest.mark.parametrize("samples", [50, 1_000])
def test_a_column_of_the_table_has_the_decimals_that_its_errors_allow(samples):
    result = measure_saturation(SaturationParams(d_ks=(16,), samples=samples), backend="numpy")
    figure = saturation_table_figure(result, Style())
    drawn = [box.text for box in texts(figure.spec)]
    for name in ("largest", "effective"):
        rows = [result.found[d_k, rule] for d_k in TABLE for rule in ("unscaled", "sqrt")]
        error = max(getattr(each, f"{name}_error") for each in rows)
        (decimals,) = [place for place in range(1, 6) if 1 <= error * 10**place < 10]
        for each in rows:
            assert f"{getattr(each, name):.{min(decimals, 3)}f}" in drawn


@pytest.mark.parametrize("name", THEMES)
def test_numbers_can_be_read_on_their_tints(name):
    figure = saturation_table_figure(saturation("default"), Style(name))
    fills = {cell["fill"] for cell in cells(figure.spec)}
    inks = {row["colour"] for layer in figure.spec["layer"] if layer["mark"]["type"] == "text"
            for row in layer["data"]["values"]}  # fmt: skip
    assert len(fills) > 4
    for fill in fills:
        assert max(contrast(ink, fill) for ink in inks) >= 4.5


@pytest.mark.parametrize(
    ("scores", "temperature", "said"),
    [
        ((5.0, 4.0), 1.0, "softmax(5, 4) = (0.73106, 0.26894)"),
        ((50.0, 40.0), 1.0, "softmax(50, 40) = (0.9999546, 0.0000454)"),
        ((5.0, 4.0), 0.1, "softmax(5/0.1, 4/0.1) = (0.9999546, 0.0000454)"),
        ((5.0, -45.0), 1.0, "softmax(5, −45) = (1 − 1.93e−22, 1.93e−22)"),
        ((50.0, 40.0), 0.5, "softmax(50/0.5, 40/0.5) = (1 − 2.06e−9, 2.06e−9)"),
        ((2.1, 0.0), 0.7, "softmax(2.1/0.7, 0/0.7) = (0.95257, 0.04743)"),
    ],
)
def test_two_scores_have_the_weights_of_their_difference(scores, temperature, said):
    figure = pair_figure(pair_of(scores, temperature), Style())
    assert said in figure.note
    assert figure.chart is not None
    first, second = figure.chart.series
    assert figure.chart.dots == (temperature,)
    at = figure.chart.x.index(temperature)
    weight = 1 / (1 + math.exp((scores[1] - scores[0]) / temperature))
    assert first.values[at] == pytest.approx(weight, rel=1e-12)
    assert [a + b for a, b in zip(first.values, second.values, strict=True)] == pytest.approx(
        [1.0] * len(figure.chart.x)
    )


# Gradients ----------------------------------------------------------------------------------


def test_the_jacobian_is_that_of_the_row():
    result = reach("default")
    figure = jacobian_figure(result, Style(), 3)
    assert figure.note.startswith("Row 3 of the first head at d_k = 64, the largest; ")
    for place, scaled in enumerate((False, True)):
        a = result.weights[scaled][2]
        wanted = np.diag(a) - np.outer(a, a)
        size = len(a) ** 2
        rows = figure.table.rows[place * size : (place + 1) * size]
        assert [row[-1] for row in rows] == pytest.approx(wanted.ravel(), abs=1e-15)
        assert f"{np.linalg.norm(wanted):.3f}" in figure.note


@pytest.mark.parametrize("case", REACHES)
@pytest.mark.parametrize("size", SIZES)
def test_the_colours_of_both_jacobians_are_those_of_one_scale_as_long_as_their_values(case, size):
    result = reach(case)
    figure = jacobian_figure(result, Style(size=size))
    rects = [row for layer in figure.spec["layer"] if layer["mark"]["type"] == "rect"
             for row in layer["data"]["values"] if "tip" not in row]  # fmt: skip
    left = max(row["x"] for row in rects)
    bar = sorted((row for row in rects if row["x"] == left and row["fill"] != "transparent"),
                 key=lambda row: row["y"])  # fmt: skip
    values = np.concatenate([result.jacobian(scaled, 1).ravel() for scaled in (False, True)])
    drawn = cells(figure.spec)
    if len(drawn) != len(values):
        return  # one raster image
    fills = [cell["fill"] for cell in drawn]
    assert bar[0]["fill"] == fills[values.argmax()]
    if abs(values.min()) < values.max():
        assert bar[-1]["fill"] == fills[values.argmin()]


def test_a_small_jacobian_says_its_numbers():
    result = reach("default")
    figure = jacobian_figure(result, Style())
    numbers = [box.text for box in texts(figure.spec) if re.fullmatch(r"−?0\.\d{3}", box.text)]
    for scaled in (False, True):
        for value in result.jacobian(scaled, 1).ravel():
            text = f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")
            numbers.remove(text)


@pytest.mark.parametrize("of", REACHED)
def test_gradients_have_a_line_for_each_input_and_way(of):
    result = reach("default")
    figure = reach_figure(result, Style(), of)
    assert figure.chart is not None
    names = {"projections": ("w_q", "w_k"), "vectors": ("q", "k")}[of]
    wanted = [
        tuple(result.found[d_k, scaled].sizes[name][0] for d_k in (4, 64))
        for scaled in (False, True)
        for name in names
    ]
    lines = [each for each in figure.chart.series if each.look == "line"]
    assert [each.values for each in lines] == wanted
    roles = theme("light").roles
    assert [each.colour for each in lines] == [roles["query"], roles["key"]] * 2
    assert len({(each.colour, each.kind) for each in lines}) == 4
    edges = [each.values for each in figure.chart.series if each.look == "edge"]
    sizes = [[result.found[d_k, scaled].sizes[name] for d_k in (4, 64)]
             for scaled in (False, True) for name in names]  # fmt: skip
    assert edges == [tuple(mean + side * error for mean, error in each)
                     for each in sizes for side in (-1, 1)]  # fmt: skip
    ratio = wanted[0][1] / wanted[2][1]
    assert ratio > 1
    symbol = {"projections": "W_Q", "vectors": "q"}[of]
    assert f"At d_k = 64 the gradient of {symbol} is " in figure.note
    said = re.search("That is ([0-9.]+)\xa0±", figure.note)
    assert said is not None
    assert float(said.group(1)) == pytest.approx(ratio, rel=0.05)


def test_the_norm_of_the_jacobian_has_a_line_and_a_band_for_each_way():
    result = reach("default")
    figure = norm_figure(result, Style())
    for scaled, name in ((False, "unscaled"), (True, "÷√d_k")):
        found = [result.found[d_k, scaled].norm for d_k in (4, 64)]
        assert series_of(figure, name).values == tuple(mean for mean, _ in found)
        assert [row[2:] for row in figure.table.rows if (row[1] == "unscaled") != scaled] == found
    assert figure.chart is not None
    assert len([each for each in figure.chart.series if each.look == "edge"]) == 4
    assert "2 heads of 6 tokens each" in figure.note


def test_the_same_gradient_is_not_called_larger():
    assert "times as large" not in reach_figure(reach("one"), Style()).note


# Training -----------------------------------------------------------------------------------


@pytest.mark.parametrize("curve", CURVES)
def test_a_curve_is_the_mean_between_the_least_and_the_most(curve):
    result = TRAININGS["default"]
    figure = curve_figure(result, Style(), curve)
    assert figure.chart is not None
    for scaled, name in ((False, "unscaled"), (True, "÷√d_k")):
        values = np.array([getattr(run, curve) for run in result.of(scaled)])
        low, high = (
            [each.values for each in figure.chart.series
             if each.look == "edge" and each.name.startswith(name)]
        )  # fmt: skip
        line = series_of(figure, name)
        assert line.x == tuple(range(40))
        for step in range(40):
            column = [row[step] for row in values]
            assert line.values[step] == pytest.approx(sum(column) / 3)
            assert (low[step], high[step]) == (min(column), max(column))
        ends = [row[36:].mean() for row in values]
        decimals = min(2 - math.ceil(math.log10(max(ends) - min(ends))), 3)
        end, least, most = (
            f"{each:.{decimals}f}" for each in (sum(ends) / 3, min(ends), max(ends))
        )
        assert f"{name}: {end} ({least}–{most})" in figure.note
    assert "mean and (lowest–highest) over the seeds" in figure.note
    assert "means over 3 seeds" in figure.note


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("curve", CURVES)
def test_both_curves_are_solid_and_differ_without_their_colours(curve, size):
    style = Style(size=size)
    figure = curve_figure(TRAININGS["default"], style, curve)
    assert figure.chart is not None
    widths_drawn = []
    for rule in ("unscaled", "sqrt"):
        colour = rule_colour(rule, style)
        longest, *_ = paths_of(figure, colour)
        assert len(longest) == 40, "one piece, without dashes"
        widths_drawn.append({
            row["strokeWidth"]
            for layer in figure.spec["layer"] if layer["mark"]["type"] == "point"
            for row in layer["data"]["values"] if row["stroke"] == colour
        })  # fmt: skip
    (thin,), (thick,) = widths_drawn  # on the curve as in the legend
    assert thick > 1.5 * thin >= 1.5


def labels_along(figure: Figure) -> dict[str, float]:
    """Return where the numbers under the plot stand, by what they say."""
    return {
        row["text"]: row["x"]
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == "center"
        for row in layer["data"]["values"]
        if re.fullmatch(r"[\d.]+", row["text"])
    }


@pytest.mark.parametrize("size", SIZES)
def test_the_axis_of_a_sweep_stays_as_it_is_while_it_goes_on(size):
    drawn = []
    rates = RATES["adam"]
    for done in range(1, len(rates) + 1):
        losses = np.linspace(3, 1, done)[:, None]
        result = swept(rates[:done], losses, losses + 1, chosen=rates, seeds=(1,))
        figure = sweep_figure(result, Style(size=size))
        assert wrong_with(figure, Style(size=size)) == []
        drawn.append(labels_along(figure))
    assert drawn[1:] == drawn[:-1]
    named = [float(label) for label in drawn[0]]
    assert {rates[0], rates[-1]} <= set(named) <= set(rates)
    assert len(named) >= len(rates) - 2  # where the labels are as long as 0.0003
    assert size != "slide" or named == list(rates)


@pytest.mark.parametrize("size", SIZES)
def test_rates_close_to_each_other_are_named_as_far_as_they_fit(size):
    rates = (0.00025, 0.0003, 0.00031, 0.001, 0.0011, 1.0)
    losses = np.linspace(3, 1, len(rates))[:, None]
    figure = sweep_figure(swept(rates, losses, losses, seeds=(1,)), Style(size=size))
    assert wrong_with(figure, Style(size=size)) == []
    named = [float(label) for label in labels_along(figure)]
    assert {rates[0], rates[-1]} <= set(named) < set(rates)


def test_many_steps_are_averaged_and_the_note_says_so():
    result = TRAININGS["long"]
    figure = curve_figure(result, Style())
    line, runs = series_of(figure, "÷√d_k"), result.of(True)
    stride = math.ceil(2000 / MOST_POINTS)
    assert len(line.values) == math.ceil(2000 / stride)
    assert f"mean of {stride} steps" in figure.note
    for index in (0, 1, len(line.values) - 1):
        some = slice(index * stride, min((index + 1) * stride, 2000))
        assert line.x is not None
        assert line.x[index] == pytest.approx(np.arange(2000)[some].mean())
        wanted = np.mean([run.loss[some].mean() for run in runs])
        assert line.values[index] == pytest.approx(wanted)
    assert len(figure.table.rows) == 2000


def crosses_of(figure: Figure, colour: str) -> list[float]:
    """Return where crosses of a colour stand, from the left; the first one is the legend's."""
    found = []
    for layer in figure.spec["layer"]:
        if layer["mark"]["type"] == "point":
            for row in layer["data"]["values"]:
                if row["stroke"] == colour and row["path"].count("M") == 2:
                    ((left, top), (right, bottom)), other = pieces(row["path"])
                    if other == [(left, bottom), (right, top)]:
                        found.append((left + right) / 2)
    return found


def test_runs_that_diverged_are_crosses_and_no_part_of_the_mean():
    result = TRAININGS["some diverged"]
    figure = curve_figure(result, Style())
    kept = next(run for run in result.of(False) if run.diverged_at is None)
    line = series_of(figure, "unscaled")
    assert line.values == pytest.approx(tuple(kept.loss))
    assert "Unscaled: 2 of 3 runs diverged, at step 20, 33" in figure.note
    assert "mean of the others" in figure.note
    assert "unscaled: diverged" in shown(figure)
    start, slope = axis_of(figure.spec, ("10", "50"), "x", "center")
    _, *marked = crosses_of(figure, line.colour)
    assert marked == pytest.approx([start + slope * 20, start + slope * 33], abs=0.1)
    column = figure.table.columns.index("loss, unscaled, seed 2")
    lost = next(run for run in result.of(False) if run.seed == 2)
    assert [row[column] for row in figure.table.rows] == [*lost.loss.tolist(), *[""] * 40]


def test_a_training_that_diverged_at_once_shows_its_first_step():
    figure = curve_figure(TRAININGS["all diverged"], Style())
    assert series_of(figure, "unscaled").values == (4.5,)
    assert "Unscaled: 2 of 2 runs diverged, at step 1." in figure.note
    assert "last tenth" not in figure.note
    assert figure.table.rows == ((0, 4.0, 4.0, 5.0, 5.0),)


def test_a_stopped_training_keeps_what_was_done():
    figure = curve_figure(TRAININGS["stopped"], Style())
    assert "0 to 25 of 100 steps" in figure.note
    assert "Lines: unscaled: 1 of 2 runs; ÷√d_k: 1 of 2 runs." in figure.note
    assert len(series_of(figure, "÷√d_k").values) == 25
    assert len(series_of(figure, "unscaled").values) == 20


def test_a_loss_that_shoots_up_takes_a_logarithmic_axis():
    for case, log in (("default", False), ("huge", True)):
        chart = curve_figure(TRAININGS[case], Style()).chart
        assert chart is not None
        assert chart.y_log is log


def test_guessing_is_marked():
    chart = curve_figure(TRAININGS["default"], Style(), "loss").chart
    assert chart is not None
    assert chart.references[0].at == pytest.approx(math.log(16))
    chart = curve_figure(TRAININGS["default"], Style(), "accuracy").chart
    assert chart is not None
    assert chart.references[0].at == 1 / 16


def test_a_rate_at_which_a_run_diverged_breaks_the_line_and_is_a_cross():
    figure = sweep_figure(SWEEPS["some diverged"], Style())
    assert figure.chart is not None
    broken = [each for each in figure.chart.series if each.name == "unscaled"]
    assert [(each.x, each.look) for each in broken] == [((0.01,), "line"), ((1.0, 3.0), "rest")]
    assert series_of(figure, "÷√d_k").x == (0.01, 0.1, 1.0, 3.0)
    assert "Unscaled: runs diverged at rate 0.1, 10." in figure.note
    assert "÷√d_k: runs diverged at rate 10." in figure.note
    assert "unscaled: 1.4 at rate 3; ÷√d_k: 0.10 at rate 3" in figure.note
    assert len(crosses_of(figure, broken[0].colour)) == 1 + 2
    assert [row[-1] for row in figure.table.rows].count("diverged") == 3


def test_a_sweep_that_always_diverged_has_crosses_and_no_numbers():
    figure = sweep_figure(SWEEPS["all diverged"], Style())
    assert figure.chart is None
    assert "Lowest" not in figure.note
    assert "Unscaled: runs diverged at rate 1e8, 1e9." in figure.note
    for rule in ("unscaled", "sqrt"):
        assert len(crosses_of(figure, rule_colour(rule, Style()))) == 1 + 2


def test_a_rate_where_one_seed_diverged_has_no_mean_of_the_others():
    result = swept([1.0, 2.0], [[0.5, 0.7], [0.1, 0.2]], [[1.0, 2.0], [NAN, 0.1]], seeds=(1, 2))
    figure = sweep_figure(result, Style())
    assert series_of(figure, "unscaled").x == (1.0,)
    assert "unscaled: 1.5 (1.0–2.0) at rate 1" in figure.note


def test_a_sweep_without_a_finished_rate_is_refused():
    empty = swept(np.zeros(0), np.zeros((0, 1)), np.zeros((0, 1)), seeds=(1,), finished=False)
    with pytest.raises(FigureError, match="No learning rate"):
        sweep_figure(empty, Style())


def test_one_seed_has_no_spread():
    one = trained(one_run(1, True, [3.0, 1.0]), one_run(1, False, [3.0, 2.0]), steps=2, seeds=(1,))
    figure = curve_figure(one, Style())
    assert figure.chart is not None
    assert [each.look for each in figure.chart.series] == ["line", "line"]
    assert "seeds" not in figure.note
    without = curve_figure(replace(one, runs=one.runs[:1]), Style())
    assert without.chart is not None
    assert [each.name for each in without.chart.series] == ["÷√d_k"]


# Speaker notes ------------------------------------------------------------------------------


def test_notes_read_a_line_with_places_of_its_own():
    figure = sweep_figure(SWEEPS["some diverged"], Style(size="slide"))
    assert figure.chart is not None
    lines, left = _plotted(figure.chart)
    assert [line.split("   ") for line in lines] == [
        ["learning rate", "unscaled", "÷√d_k"],
        ["0.01", "2", "2"],
        ["0.1", "–", "1"],
        ["1", "1.5", "0.5"],
        ["3", "1.4", "0.1"],
    ]
    assert not left
