"""Lines and bars: what stands where, that nothing overlaps, that everything can be told apart."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import get_args

import altair as alt
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.experiments.one_row import one_row
from engine.experiments.presets import random_example, textbook
from engine.experiments.worked_example import Params, run
from pages.figures.annotate import Span, place_flags, spread, words_width
from pages.figures.errors import FigureError
from pages.figures.figure import LanguageCode, Series, SizeName, Style, Table, ThemeName
from pages.figures.one_row import bars_figure, curve_figure, row_of
from pages.figures.palette import contrast, mix, theme
from pages.figures.plot import (
    Axis,
    Band,
    Crosses,
    Reference,
    Screen,
    Words,
    bar_figure,
    line_figure,
)
from pages.figures.series import COLOURS, MOST_SERIES, dash_of, marker_of, polyline
from pages.figures.slide import unframed
from pages.figures.ticks import Scale, linear_ticks, log_ticks, rounded_down, rounded_up
from tests.figure_marks import Box, cells, frame, texts
from tests.test_figures_palette import EYES, distance
from tests.worked_examples import LABELS, examples

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
PIXELS = {"slide": (1280, 720), "half": (640, 720), "square": (720, 720)}
LONG = ("transformers", "非常可爱的小动物", "it", "W" * 12, "ﬁn", "…", "a b c", "d_k", "10^6")
NUMBERS = st.floats(-1e9, 1e9).filter(lambda value: value == 0 or abs(value) > 1e-6)
NO_TABLE = Table(("nothing",), ())
every_size = pytest.mark.parametrize("size", SIZES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


# Ticks --------------------------------------------------------------------------------------


def read(label: str) -> Decimal:
    """Return the number that a label says."""
    text = label.replace("−", "-").replace(",", "")
    factor, power, digits = text.partition("×10")
    if not power:
        factor, power, digits = ("1", "^", text[2:]) if text.startswith("10^") else (text, "", "")
    exponent = int(digits.replace("^", "")) if power else 0
    return Decimal(factor).scaleb(exponent)


@given(NUMBERS, NUMBERS, st.sampled_from(SIZES), st.sampled_from([424.0, 868.0]))
@settings(max_examples=60)
def test_numbers_along_a_plot_do_not_touch(one, other, size, width):
    least, most = sorted((one, other))
    assume(most - least > 1e-4 * max(abs(least), abs(most)) and most > least)
    figure = line_figure(
        (least, most), [Series("a", (1.0, 2.0), "#000000")], Style(size=size),
        Words("ticks", "Ticks", "", ""), x_axis=Axis("x"), y_axis=Axis("y"), table=NO_TABLE,
        screen=Screen(width, 330.0),
    )  # fmt: skip
    numerals = [box for box in texts(figure.spec) if re.search(r"\d", box.text)]
    lowest = max(numerals, key=lambda box: box.top)
    row = [box for box in numerals if lowest.top - box.top < 0.6 * lowest.size]
    row.sort(key=lambda box: box.left)
    joined = row[0].text
    for before, after in pairwise(row):
        joined += (" " if after.left - before.right >= 2 else "") + after.text
    for label in joined.split():  # two that touch are no number together
        assert re.fullmatch(r"−?(\d{1,3}(,\d{3})*|\d*)(\.\d+)?(×10−?\d)?", label), joined


@given(NUMBERS, NUMBERS, st.integers(3, 12))
def test_ticks_are_few_even_round_and_say_exactly_where_they_stand(one, other, most_ticks):
    least, most = sorted((one, other))
    assume(most - least > 1e-9 * max(abs(least), abs(most)) and most > least)
    ticks = linear_ticks(least, most, most_ticks)
    assert 1 <= len(ticks.values) <= most_ticks
    slack = (most - least) * 1e-6
    assert all(least - slack <= value <= most + slack for value in ticks.values)
    said = [read(label) for label in ticks.labels]
    assert [float(value) for value in said] == list(ticks.values)
    steps = {after - before for before, after in pairwise(said)}
    assert len(steps) <= 1
    for step in steps:
        digits = step.normalize().as_tuple().digits
        assert digits in ((1,), (2,), (5,))
        # The next smaller round step would have been too many.
        smaller = step / 2 if digits != (5,) else step * 2 / 5
        assert float((Decimal(most) - Decimal(least)) / smaller) >= most_ticks - 1


@given(st.integers(-8, 8), st.integers(1, 9), st.integers(3, 9), st.sampled_from([10, 2]))
def test_logarithmic_ticks_stand_at_powers_or_at_round_numbers(start, decades, most_ticks, base):
    least, most = float(base) ** start, float(base) ** (start + decades)
    ticks = log_ticks(least, most, most_ticks, base)
    assert 2 <= len(ticks.values) <= most_ticks or decades < 3
    assert all(least * (1 - 1e-9) <= value <= most * (1 + 1e-9) for value in ticks.values)
    for value, label in zip(ticks.values, ticks.labels, strict=True):
        if not label.startswith("2^"):
            assert float(read(label)) == pytest.approx(value, rel=1e-12)
    if decades >= 2:
        powers = [math.log(value) / math.log(base) for value in ticks.values]
        assert powers == pytest.approx([round(power) for power in powers], abs=1e-9)


@pytest.mark.parametrize(
    ("ticks", "labels"),
    [
        (linear_ticks(0, 1, 6), ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0")),
        (linear_ticks(-0.3, 0.3, 7), ("−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3")),
        (linear_ticks(0.1, 0.1 + 0.2, 3), ("0.1", "0.2", "0.3")),
        (linear_ticks(0, 25_000, 4), ("0", "10,000", "20,000")),
        (linear_ticks(0, 4e6, 3), ("0", "2×10^6", "4×10^6")),
        (log_ticks(1, 1e4, 9), ("1", "10", "100", "1,000", "10,000")),
        (log_ticks(1e-6, 1, 3), ("10^−^6", "0.001", "1")),
        (log_ticks(64, 1024, 9, 2), ("64", "128", "256", "512", "1,024")),
        (log_ticks(1, 20, 9), ("1", "2", "5", "10", "20")),
    ],
)
def test_ticks_as_a_person_would_set_them(ticks, labels):
    assert ticks.labels == labels


@pytest.mark.parametrize(("least", "most"), [(1, 1), (2, 1), (0, math.inf), (math.nan, 1)])
def test_an_axis_without_extent_is_refused(least, most):
    with pytest.raises(FigureError, match="An axis must run"):
        linear_ticks(least, most, 5)


def test_a_scale_is_even_in_the_logarithm():
    scale = Scale(1, 1000, 0, 300, "log10")
    assert [scale.at(value) for value in (1, 10, 100, 1000)] == pytest.approx([0, 100, 200, 300])


# Labels and dashes --------------------------------------------------------------------------


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12), st.floats(1, 8))
def test_labels_are_moved_apart_and_no_further(wanted, gap):
    found = spread(wanted, gap, 0, 100)
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [found[index] for index in order]
    assert all(after - before >= gap - 1e-9 for before, after in pairwise(places))
    assert min(found) >= -1e-9
    assert max(found) <= 100 + 1e-9
    if all(b - a >= gap for a, b in pairwise(sorted(wanted))):
        assert found == pytest.approx(wanted)


def test_equal_ends_spread_evenly_to_both_sides():
    assert spread([50, 50, 50], 10, 0, 100) == pytest.approx([40, 50, 60])
    assert spread([0, 0], 10, 0, 100) == pytest.approx([0, 10])


@given(st.lists(st.tuples(st.floats(60, 400), st.floats(20, 160)), min_size=1, max_size=4))
def test_no_label_of_a_line_meets_another_label_or_another_line(flags):
    lines, widths = [line for line, _ in flags], [width for _, width in flags]
    assume(all(abs(a - b) > 12 for a, b in combinations(lines, 2)))
    taken = Span(0, 50)
    placed, title_row = place_flags(lines, widths, Span(0, 420), taken, 4)
    for flag, width in zip(placed, widths, strict=True):
        assert flag.text.right - flag.text.left == pytest.approx(width)
        assert not (flag.row == title_row and flag.text.meets(taken))
    if all(line + 4 + width <= 420 for line, width in flags):
        for (one, a), (other, b) in combinations(zip(placed, lines, strict=True), 2):
            assert one.row != other.row or not one.text.meets(other.text)
            for higher, line, lower in ((one, a, other), (other, b, one)):
                assert higher.row < lower.row or not lower.text.left < line < lower.text.right


def pieces(path: str) -> list[list[tuple[float, float]]]:
    """Return the points of every piece of a path of straight lines."""
    return [
        [(float(x), float(y)) for x, y in (point.split(",") for point in piece.split("L"))]
        for piece in path.split("M")[1:]
    ]


@given(
    st.lists(st.tuples(st.floats(0, 500), st.floats(0, 300)), min_size=2, max_size=8),
    st.integers(0, 3),
)
def test_dashes_lie_on_their_line_and_end_before_its_end(points, index):
    total = sum(math.dist(a, b) for a, b in pairwise(points))
    assume(total > 1)
    drawn = pieces(polyline(points, dash_of(index), 2.0))
    lengths = [sum(math.dist(a, b) for a, b in pairwise(piece)) for piece in drawn]
    if not dash_of(index):
        assert sum(lengths) == pytest.approx(total, abs=0.2)
        return
    on, off = sum(dash_of(index)[::2]), sum(dash_of(index)[1::2])
    period = 2.0 * (on + off)
    assert abs(sum(lengths) - total * on / (on + off)) <= period + 0.05 * len(drawn)
    for place in (point for piece in drawn for point in piece):
        away = min(
            abs(math.dist(place, a) + math.dist(place, b) - math.dist(a, b))
            for a, b in pairwise(points)
        )
        assert away < 0.1


def test_twelve_lines_differ_without_their_colour():
    looks = {(dash_of(index), marker_of(index)) for index in range(MOST_SERIES)}
    assert len(looks) == MOST_SERIES


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_the_colours_of_series_apart(name, eye):
    for one, other in combinations(COLOURS[name], 2):
        assert distance(one, other, eye) >= 24
    assert all(contrast(colour, theme(name).background) >= 4.5 for colour in COLOURS[name])


# One row ------------------------------------------------------------------------------------


def example(T, d_k=4, S=None, seed=3, **changes) -> Params:
    params = random_example(seed, T, 6, d_k, 2, S=S)
    names = tuple(LONG[i % len(LONG)] for i in range(max(T, S or 0)))
    context = () if S is None else names[:S]
    return replace(params, tokens=names[:T], context_tokens=context, **changes)


CASES = {
    "textbook": textbook(),
    "causal": replace(textbook(), causal=True),
    "one": example(1, d_k=1),
    "two": example(2, d_k=1),
    "largest": example(12, d_k=8),
    "largest causal": example(12, d_k=8, causal=True),
    "cross": example(2, S=12, scaled=False),
    "equal": replace(textbook(), w_q=((0.0, 0.0),) * 4),
}


@lru_cache(maxsize=64)
def computed(params: Params):
    return run(params, backend="numpy")


def complaints(figure, style: Style) -> list[str]:
    """Return what is clipped, too small, or in the way of something else."""
    found, spec = [], figure.spec
    boxes, edge = texts(spec), frame(spec)
    smallest = 12 if style.size == "screen" else 18
    for box in boxes:
        if not box.inside(edge):
            found.append(f"{box.text!r} leaves the picture")
        if box.size < smallest:
            found.append(f"{box.text!r} is {box.size} px")
    found += [f"{one.text!r} meets {other.text!r}" for one, other in combinations(boxes, 2)
              if one.meets(other, slack=3.0)]  # fmt: skip
    return found + [f"a mark at {place} leaves the body" for place in outside(spec)]


def outside(spec) -> list[Box]:
    """Return the marks of the picture itself that leave the body of a sheet, or the screen."""
    left, top, width, height = (
        spec.get("usermeta", {}).get("frame", {}).get("body", (0, 0, spec["width"], spec["height"]))
    )
    body = Box(left, top, left + width, top + height)
    own = [layer for layer in spec["layer"] if layer.get("name") not in ("title", "bar", "caption")]
    marks = texts({"layer": own})
    for layer in own:
        for row in layer["data"]["values"]:
            if layer["mark"]["type"] == "rect":
                marks.append(Box(row["x"], row["y"], row["x2"], row["y2"]))
            elif layer["mark"]["type"] == "point" and re.fullmatch(r"[ML\d.,\s-]+", row["path"]):
                points = [point for piece in pieces(row["path"]) for point in piece]
                marks += [Box(x, y, x, y) for x, y in points]
    return [mark for mark in marks if not mark.inside(body)]


@every_size
@every_language
@pytest.mark.parametrize("case", CASES)
def test_one_row_fits_at_every_size(case, language, size):
    result = computed(CASES[case])
    for row, decimals, draw in product(
        {0, result.sizes.T - 1}, (2, 6), (bars_figure, curve_figure)
    ):
        style = Style(language=language, size=size, decimals=decimals)
        figure = draw(result, style, row)
        assert complaints(figure, style) == [], figure.title
        pixels = (figure.spec["width"], figure.spec["height"])
        assert pixels == PIXELS.get(size, (424, 368))
        assert figure.note
        assert figure.alt


@settings(max_examples=30)
@given(params=examples(most=8, labels=LABELS), size=st.sampled_from(SIZES), row=st.integers(0, 11))
def test_one_row_fits_whatever_the_labels_are(params, size, row):
    result = run(params, backend="numpy")
    style = Style(size=size)
    for draw in (bars_figure, curve_figure):
        assert complaints(draw(result, style, row % result.sizes.T), style) == []


def axis_of(spec, labels, coordinate: str, side: str) -> tuple[float, float]:
    """Return pixel = a + b * value, read off two tick labels where they are written."""
    found: dict[str, float] = {}
    for layer in spec["layer"]:
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == side:
            for row in layer["data"]["values"]:
                if row["text"] in labels and row["size"] in (12, 18):
                    found.setdefault(row["text"], row[coordinate])
    (one, a), (other, b) = [(float(read(text)), found[text]) for text in labels]
    slope = (b - a) / (other - one)
    return a - slope * one, slope


@every_size
@pytest.mark.parametrize("case", ["textbook", "causal", "largest"])
def test_bars_are_as_high_as_their_weights(case, size):
    result = computed(CASES[case])
    found = one_row(result, 1)
    figure = bars_figure(result, Style(size=size, language="en"), 1)
    base, slope = axis_of(figure.spec, ("0.0", "1.0"), "y", "right")
    bars = [row for row in cells(figure.spec) if "divided" in row["tip"]]
    drawn = [[row for row in bars if word in row["tip"]] for word in ("· divided", "· not")]
    for rows, weights in zip(drawn, (found.scaled, found.unscaled), strict=True):
        shown = weights[found.visible]
        assert len(rows) == len(shown)
        for row, weight in zip(sorted(rows, key=lambda row: row["x"]), shown, strict=True):
            assert row["y"] == pytest.approx(base + slope * weight, abs=0.01)
            assert row["y2"] == pytest.approx(base, abs=0.01)


@every_size
def test_hidden_keys_are_hatched_and_have_no_bars(size):
    result = computed(CASES["causal"])
    figure = bars_figure(result, Style(size=size), 1)
    masked = theme("light").masked
    hidden = [row for row in cells(figure.spec) if row["fill"] == masked]
    assert [row["tip"].split(" ")[0] for row in hidden] == ["x3", "x4"]
    assert not [row for row in cells(figure.spec) if row not in hidden and row["tip"][:2] == "x3"]
    assert "mask" in figure.note
    curve = curve_figure(result, Style(size=size), 1)
    assert curve.chart is not None
    assert [each.name for each in curve.chart.series] == ["x1", "x2"]
    assert "mask" in curve.note


@every_size
def test_divided_and_not_have_one_hue_and_two_strengths(size):
    # One colour, one meaning: both are weights. The bars not divided are pale, with an outline.
    for name in THEMES:
        weights = theme(name).roles["weights"]
        figure = bars_figure(computed(CASES["textbook"]), Style(name, size=size), 1)
        assert figure.chart is not None
        assert {series.colour for series in figure.chart.series} == {weights}
        fills = {
            word: {row["fill"] for row in cells(figure.spec) if f"· {word}" in row["tip"]}
            for word in ("divided", "not")
        }
        assert fills["divided"] == {weights}
        (pale,) = fills["not"]
        assert contrast(pale, weights) > 3
        outlines = [
            row
            for layer in figure.spec["layer"]
            if layer["mark"]["type"] == "rect"
            for row in layer["data"]["values"]
            if row.get("stroke") == weights
        ]
        assert len(outlines) >= len(computed(CASES["textbook"]).params.key_tokens)


def test_captions_say_what_effective_keys_are_and_are_true_of_an_editable_chart():
    result, style = computed(CASES["causal"]), Style(size="slide", decimals=2)
    entropy = -sum(w * math.log(w) for w in one_row(result, 1).scaled.tolist() if w > 0)
    for draw in (bars_figure, curve_figure):
        note = draw(result, style, 1).note
        assert f"{math.exp(entropy):.2f} effective keys (exp of its entropy)" in note
        assert "atch" not in note  # an editable chart has no hatching
    assert "Keys without bars are hidden" in bars_figure(result, style, 1).note
    assert "factors from 0 to 2." in curve_figure(result, style, 1).alt


def test_a_row_is_worked_out_once_for_its_numbers_and_its_figures(monkeypatch):
    asked: list[int] = []

    def counted(result, row):
        asked.append(row)
        return one_row(result, row)

    monkeypatch.setattr("pages.figures.one_row.one_row", counted)
    first, second = run(textbook(), backend="numpy"), run(textbook(), backend="numpy")
    for draw in (row_of, lambda result, row: bars_figure(result, Style(), row), row_of):
        draw(first, 1)
    assert asked == [1]
    assert row_of(first, 2).row == 2
    row_of(second, 2)  # an equal result of another session is worked out by itself
    assert asked == [1, 2, 2]


@every_size
def test_a_line_runs_through_its_weights(size):
    result = computed(CASES["textbook"])
    found, style = one_row(result, 0), Style(size=size)
    figure = curve_figure(result, style, 0)
    base, slope = axis_of(figure.spec, ("0.2", "0.8"), "y", "right")
    start, across = axis_of(figure.spec, ("0.5", "1.5"), "x", "center")
    assert figure.chart is not None
    solid = figure.chart.series[0]
    paths = [row for layer in figure.spec["layer"] if layer["mark"]["type"] == "point"
             for row in layer["data"]["values"]
             if row["stroke"] == solid.colour and row["path"].count("L") > 10]  # fmt: skip
    (points,) = pieces(paths[0]["path"])
    assert len(points) == len(found.factors)
    for (x, y), factor, weight in zip(points, found.factors, found.weights[:, 0], strict=True):
        assert x == pytest.approx(start + across * factor, abs=0.02)
        assert y == pytest.approx(base + slope * weight, abs=0.02)


@given(params=examples(), row=st.integers(0, 4), size=st.sampled_from(SIZES))
@settings(max_examples=15)
def test_the_chart_and_the_table_hold_what_the_engine_computed(params, row, size):
    result = run(params, backend="numpy")
    row %= result.sizes.T
    found, style = one_row(result, row), Style(size=size)
    bars, curve = bars_figure(result, style, row), curve_figure(result, style, row)
    assert bars.chart is not None
    assert curve.chart is not None
    assert [each.values for each in bars.chart.series] == [
        tuple(found.scaled),
        tuple(found.unscaled),
    ]
    assert bars.chart.x == params.key_tokens
    assert [line[3:] for line in bars.table.rows] == list(
        zip(found.scaled.tolist(), found.unscaled.tolist(), strict=True)
    )
    assert curve.chart.x == tuple(found.factors)
    drawn = np.array([each.values for each in curve.chart.series]).T
    np.testing.assert_array_equal(drawn, found.weights[:, found.visible])
    np.testing.assert_array_equal([line[2:] for line in curve.table.rows], drawn)
    assert bars.chart.y_range == curve.chart.y_range == (0.0, 1.0)


@pytest.mark.parametrize("draw", [bars_figure, curve_figure])
@every_size
def test_the_specification_is_valid_and_can_be_taken_out_of_its_frame(draw, size):
    figure = draw(computed(CASES["textbook"]), Style(size=size))
    alt.LayerChart.from_dict(figure.spec, validate=True)
    assert texts(unframed(figure.spec))


def test_names_say_what_is_inside():
    result = computed(CASES["causal"])
    assert bars_figure(result, Style(), 2).name == "worked-example-row-weights-T4-causal-row3"
    assert curve_figure(result, Style(), 0).name == "worked-example-row-factor-T4-causal-row1"


# Any plot -----------------------------------------------------------------------------------


def words(**changes) -> Words:
    return replace(Words("a-plot", "A plot", "What it shows.", "A plot for a test."), **changes)


def many(count: int, length: int, seed: int = 0, names=LONG) -> tuple[Series, ...]:
    numbers = np.random.default_rng(seed).lognormal(size=(count, length))
    return tuple(
        Series(names[i % len(names)], tuple(row.tolist()), COLOURS["light"][i % 6])
        for i, row in enumerate(numbers)
    )


@every_size
@pytest.mark.parametrize("count", [1, 3, 12])
@pytest.mark.parametrize("scale", ["linear", "log10", "log2"])
def test_any_lines_fit(count, scale, size):
    x = tuple(2.0**power for power in range(7, 15))
    style = Style(size=size)
    figure = line_figure(
        x, many(count, len(x)), style, words(),
        x_axis=Axis("T in tokens", scale="linear" if scale == "linear" else "log2"),
        y_axis=Axis("time in ms, median of 5", scale=scale),
        table=NO_TABLE,
        references=(Reference(300, "the largest of 4 GiB"), Reference(500, "÷ √d_k: c ≈ 0.35"),
                    Reference(0.5, "one half of d_k", "y")),
        dots=x,
    )  # fmt: skip
    assert complaints(figure, style) == []


@every_size
@pytest.mark.parametrize(("count", "groups"), [(1, 3), (2, 12), (12, 4), (5, 1)])
def test_any_bars_fit(count, groups, size):
    style = Style(size=size, decimals=4)
    series = tuple(replace(s, values=tuple(v - 1 for v in s.values)) for s in many(count, groups))
    figure = bar_figure(
        LONG[:groups] * 2 if groups > len(LONG) else LONG[:groups], series, style, words(),
        x_title="key", y_axis=Axis("difference of weights"), table=NO_TABLE,
        references=(Reference(0.25, "1 ÷ S, shared equally", "y"),),
    ) if groups != 12 else bar_figure(
        (*LONG, "one", "two", "three"), series, style, words(),
        x_title="key", y_axis=Axis("difference of weights"), table=NO_TABLE,
    )  # fmt: skip
    assert complaints(figure, style) == []


def test_lines_on_logarithmic_axes_stand_where_the_logarithm_is():
    figure = line_figure(
        (1, 10, 100), (Series("a", (1, 100, 10_000), "#112233"),), Style(), words(),
        x_axis=Axis("x", scale="log10"), y_axis=Axis("y", scale="log10"), table=NO_TABLE,
    )  # fmt: skip
    (path,) = [row["path"] for layer in figure.spec["layer"] if layer["mark"]["type"] == "point"
               for row in layer["data"]["values"] if row["stroke"] == "#112233"]  # fmt: skip
    ((x0, y0), (x1, y1), (x2, y2)), = pieces(path)  # fmt: skip
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.02)
    assert y0 - y1 == pytest.approx(y1 - y2, abs=0.02)
    assert y0 > y1 > y2


LINE = Series("a line", (1.0, 2.0), "#112233")


@pytest.mark.parametrize(
    ("series", "x", "y_axis", "message"),
    [
        ((), (1, 2), Axis("y"), "1 to 12 series"),
        ((LINE,) * 13, (1, 2), Axis("y"), "1 to 12 series"),
        ((replace(LINE, values=()),), (), Axis("y"), "at least one value"),
        ((replace(LINE, values=(1.0,)),), (1, 2), Axis("y"), "must have 2 values"),
        (
            (replace(LINE, values=(1.0, math.nan)),),
            (1, 2),
            Axis("y"),
            "got nan in a line at place 2",
        ),
        ((replace(LINE, values=(math.inf, 1.0)),), (1, 2), Axis("y"), "finite"),
        ((LINE,), (2, 1), Axis("y"), "must rise"),
        ((LINE,), (1, math.nan), Axis("y"), "finite"),
        ((replace(LINE, values=(0.0, 1.0)),), (1, 2), Axis("y", scale="log10"), "above 0, got 0.0"),
        (
            (replace(LINE, values=(-1.0, 1.0)),),
            (1, 2),
            Axis("y", scale="log2"),
            "above 0, got -1.0",
        ),
        ((LINE,), (1, 2), Axis("y", 0, 1.5), "cannot show 2.0"),
        ((LINE,), (1, 2), Axis("y", math.nan), "An axis must run"),
        ((LINE,), (1, 2), Axis("y", 5, 4), "An axis must run"),
    ],
)
def test_data_that_would_ruin_a_plot_are_refused_in_words(series, x, y_axis, message):
    with pytest.raises(FigureError, match=message):
        line_figure(x, series, Style(), words(), x_axis=Axis("x"), y_axis=y_axis, table=NO_TABLE)


def test_bars_refuse_a_logarithmic_axis():
    with pytest.raises(FigureError, match="linear axis"):
        bar_figure(
            ("a", "b"), (LINE,), Style(), words(),
            x_title="x", y_axis=Axis("y", scale="log10"), table=NO_TABLE,
        )  # fmt: skip


def test_symbols_in_words_take_room_like_symbols():
    assert words_width("÷ √d_k", 20) < words_width("÷ √d_k_k_k", 20)
    assert words_width("plain", 20) > 0


def test_small_scores_are_not_called_equal():
    x = tuple(tuple(cell * 1e-4 for cell in row) for row in Params().x)
    small = run(replace(Params(), x=x), backend="numpy")
    figure = curve_figure(small, Style(), 0)  # scores 2, 4, 3 and 3, times 1e-8
    assert "scores are equal" not in figure.note
    assert figure.alt.endswith("the most weight is on x2.")
    assert "All 4 visible scores are equal" in curve_figure(small, Style(), 2).note


@pytest.mark.parametrize("decimals", [0, 1])
def test_few_decimals_turn_no_weight_into_nothing_and_no_factor_into_another(decimals):
    result = run(Params(), backend="numpy")
    bars, curve = (draw(result, Style(decimals=decimals)) for draw in (bars_figure, curve_figure))
    assert "0.45 divided, 0.53 not divided" in bars.alt
    tips = [row["tip"] for layer in bars.spec["layer"] for row in layer["data"]["values"]
            if row.get("tip")]  # fmt: skip
    assert any("0.45" in tip for tip in tips)
    assert any("0.71" in text.text for text in texts(curve.spec))


# Places of their own, bands, crosses --------------------------------------------------------


OWN = (
    Series("early", (1.0, 3.0), "#112233", (0.0, 2.0)),
    Series("broken", (2.0, 2.5, 1.0, 4.0), "#445566", (0.0, 1.0, 3.0, 4.0), breaks=(2,)),
    Series("dots", (1.5,), "#778899", (2.0,), "dots"),
    Series("area", (0.0, 2.0, 2.0, 0.0), "#AABBCC", (1.0, 1.0, 3.0, 3.0), "area"),
)
BAND = Band("spread", (-5.0, 1.0), (2.0, 9.0), "#112233", (0.0, 2.0))


def own(style: Style | None = None, crosses: tuple[Crosses, ...] = ()):
    return line_figure(
        (0.0, 1.0, 2.0, 3.0, 4.0), OWN, style or Style(), words(), x_axis=Axis("x"),
        y_axis=Axis("y", 0.0, 5.0), table=NO_TABLE, bands=(BAND,), crosses=crosses,
    )  # fmt: skip


def lines_of(spec, colour: str, member: str = "stroke"):
    """Return the pieces of every path of straight lines in a colour."""
    return [
        piece
        for layer in spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if row[member].upper() == colour.upper() and re.fullmatch(r"[ML\d.,\s-]+", row["path"])
        for piece in pieces(row["path"])
    ]


def pixels_of(spec):
    """Return the functions from values to pixels along both axes, read off their tick labels."""

    def scale(coordinate: str, side: str):
        ticks = sorted(
            (float(row["text"]), row[coordinate])
            for layer in spec["layer"]
            if layer["mark"]["type"] == "text" and layer["mark"]["align"] == side
            for row in layer["data"]["values"]
            if re.fullmatch(r"[\d.]+", row["text"])
        )
        (low, start), (high, end) = ticks[1], ticks[-2]  # the outer labels are kept inside
        return lambda value: start + (end - start) * (value - low) / (high - low)

    return scale("x", "center"), scale("y", "right")


@every_size
def test_a_line_ends_breaks_and_rises_where_its_own_places_say(size):
    spec = own(Style(size=size)).spec
    x, y = pixels_of(spec)
    for series in (OWN[1], OWN[3]):
        drawn = lines_of(spec, series.colour)
        joined = [point for piece in drawn for point in piece]
        for place, value in zip(series.x or (), series.values, strict=True):
            near = min(math.dist((x(place), y(value)), point) for point in joined)
            assert near < 12  # pixels: a gap between two dashes
        assert not any(x(1.3) < px < x(2.7) for px, _ in joined) or series is not OWN[1]
    assert complaints(own(Style(size=size)), Style(size=size)) == []


@every_size
@pytest.mark.parametrize("name", THEMES)
def test_a_band_is_a_tint_between_its_edges_cut_off_at_the_axis(name, size):
    style = Style(name, size=size)
    spec = own(style).spec
    x, y = pixels_of(spec)
    tint = mix(style.colours.background, BAND.colour, 0.16)
    (corners,) = lines_of(spec, tint, "fill")
    wanted = [(0, 0), (2, 1), (2, 5), (0, 2)]
    for (px, py), (place, value) in zip(corners, wanted, strict=True):
        assert (px, py) == pytest.approx((x(place), y(value)), abs=0.05)
    # It lies under the grid, so that the grid can be read through it.
    first = spec["layer"][0]["data"]["values"]
    assert {row["fill"] for row in first} >= {tint}


@every_size
def test_crosses_stand_in_rows_above_the_plot_with_a_name_in_the_legend(size):
    style = Style(size=size)
    crosses = (Crosses("one: lost", (1.0, 3.0), "#AA0000"), Crosses("two: lost", (4.0,), "#00AA00"))
    figure = own(style, crosses=crosses)
    x, y = pixels_of(figure.spec)
    assert complaints(figure, style) == []
    rows = {}
    for each in crosses:
        (_, *marked) = lines_of(figure.spec, each.colour)[::2]
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in marked]
        assert [px for px, _ in middles] == pytest.approx([x(at) for at in each.at], abs=0.05)
        (rows[each.name],) = {round(py, 1) for _, py in middles}
        assert each.name in {box.text for box in texts(figure.spec)}
    assert rows["one: lost"] < rows["two: lost"] < y(5.0)


def test_a_plot_of_crosses_alone_has_no_chart_to_edit():
    figure = line_figure(
        (1.0, 2.0), (), Style(), words(), x_axis=Axis("x"), y_axis=Axis("y", 0.0, 1.0),
        table=NO_TABLE, crosses=(Crosses("lost", (1.0, 2.0), "#AA0000"),),
    )  # fmt: skip
    assert figure.chart is None
    assert complaints(figure, Style()) == []


def test_the_pointer_says_of_histograms_what_holds_where_it_is():
    """Bins of 1 and of 2, and a curve: wherever the pointer is, it says the heights there."""
    ones, twos = {0: 3.0, 1: 0.0, 2: 12.0}, {1: 1.25, 3: 2.0}
    outlines = [
        Series("ones", (0.0, 3.0, 3.0, 0.0, 0.0, 12.0, 12.0, 0.0), "#112233",
               (0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0), "area"),
        Series("twos", (0.0, 1.25, 1.25, 2.0, 2.0, 0.0), "#445566",
               (1.0, 1.0, 3.0, 3.0, 5.0, 5.0), "area"),
        Series("curve", (0.0, 8.0), "#778899", (0.0, 8.0)),
    ]  # fmt: skip
    figure = line_figure(
        (0.0, 4.0, 8.0), outlines, Style(), words(), x_axis=Axis("x", 0.0, 8.0), y_axis=Axis("y"),
        table=NO_TABLE,
    )  # fmt: skip
    tips = sorted(cells(figure.spec), key=lambda row: row["x"])
    unit = (tips[-1]["x2"] - tips[0]["x"]) / 5
    edges = [(row["x"] - tips[0]["x"]) / unit for row in tips]
    assert edges == pytest.approx([0, 1, 2, 3], abs=0.01)
    for row, low, high in zip(tips, (0, 1, 2, 3), (1, 2, 3, 5), strict=True):
        heights = [f"{name}: {bins[max(at for at in bins if at <= low)]:g}"
                   for name, bins, end in (("ones", ones, 3), ("twos", twos, 5))
                   if min(bins) <= low < end]  # fmt: skip
        middle = f"{(low + high) / 2:g}"
        assert row["tip"] == f"x {middle} · {'; '.join([*heights, f'curve: {middle}'])}"


def test_the_pointer_says_what_runs_at_a_place_and_nothing_else():
    tips = [row["tip"] for row in cells(own(Style(decimals=2)).spec)]
    assert [tip.split(" · ")[0] for tip in tips] == ["x 0", "x 1", "x 2", "x 3", "x 4"]
    assert tips[0].endswith("early: 1.00; broken: 2.00")
    assert tips[2].endswith("early: 3.00; dots: 1.50; area: 2.00")  # broken runs from 3 on again
    assert tips[4].endswith("· broken: 4.00")
    large = line_figure((1024.0, 2000.5), (LINE,), Style(), words(), x_axis=Axis("d_k"),
                        y_axis=Axis("y"), table=NO_TABLE)  # fmt: skip
    assert [row["tip"].split(" · ")[0] for row in cells(large.spec)] == ["d_k 1,024", "d_k 2,000.5"]
    line = Series("line", (1.0, 2.0, 3.0), "#112233")
    small = line_figure((-2.0, -0.00002, 1.5), (line,), Style(), words(), x_axis=Axis("x"),
                        y_axis=Axis("y"), table=NO_TABLE)  # fmt: skip
    tips = [row["tip"].split(" · ")[0] for row in cells(small.spec)]
    assert tips == ["x −2", "x −0.00002", "x 1.5"]


def test_an_editable_chart_has_the_pieces_of_a_line_and_the_edges_of_a_band():
    chart = own().chart
    assert chart is not None
    looks = [(each.name, each.look, each.x, each.values) for each in chart.series]
    assert looks[1:3] == [
        ("broken", "line", (0.0, 1.0), (2.0, 2.5)), ("broken", "rest", (3.0, 4.0), (1.0, 4.0)),
    ]  # fmt: skip
    assert looks[-2:] == [
        ("spread", "edge", (0.0, 2.0), (0.0, 1.0)), ("spread", "edge", (0.0, 2.0), (2.0, 5.0)),
    ]  # fmt: skip


def test_symbols_are_drawn_where_the_names_are_ours_and_never_in_a_reader_s_own():
    def drawn(symbols: bool) -> set[str]:
        figure = line_figure(
            (1.0, 2.0), (Series("÷√d_k", (1.0, 2.0), "#112233"),), Style(), words(),
            x_axis=Axis("x"), y_axis=Axis("y"), table=NO_TABLE, symbols=symbols,
        )  # fmt: skip
        return {box.text for box in texts(figure.spec)}

    assert "÷√d_k" in drawn(False)
    assert {"÷", "√d", "k"} <= drawn(True)


@pytest.mark.parametrize(
    ("series", "message"),
    [
        (Series("a line", (1.0, 2.0), "#112233", (1.0,)), "must have 1 values, got 2"),
        (Series("a line", (), "#112233", ()), "must have 1 values, got 0"),
        (Series("a line", (1.0, 2.0), "#112233", (2.0, 1.0)), "must rise"),
        (Series("a line", (1.0, 2.0), "#112233", (1.0, math.nan)), "finite"),
    ],
)
def test_places_that_no_line_can_have_are_refused(series, message):
    with pytest.raises(FigureError, match=message):
        line_figure((1.0, 2.0), (series,), Style(), words(), x_axis=Axis("x"), y_axis=Axis("y"),
                    table=NO_TABLE)  # fmt: skip


@given(st.floats(1e-12, 1e12))
def test_a_number_lies_between_the_round_ones_around_it(value):
    low, high = rounded_down(value), rounded_up(value)
    assert low <= value <= high
    assert high <= low * 2.5 * (1 + 1e-12)
