"""The figures and sentences of measured time and memory, on runs that are made up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine.experiments.memory import guard
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeParams, HeadSizeResult
from engine.experiments.memory.needs import WAYS
from pages.figures.figure import Style
from pages.figures.memory.head_sizes import head_peak_figure, head_time_figure
from pages.figures.memory.measured import peak_figure, ratio_figure, time_figure
from pages.gallery.memory_measured import HEADS_IDEA, MEASURED_IDEA
from pages.text import translator
from pages.text.memory_measured_words import growth_words, seconds_words
from pages.text.memory_readings import (
    gap_said,
    head_measures,
    head_notices,
    kernel_said,
    measures,
    notices,
    refusals_said,
)
from tests.figure_marks import frame, texts
from tests.memory_machines import GPU, MACHINE, point, result, whole_run

t = translator("en")
FIGURES = (time_figure, peak_figure, ratio_figure)
SIZES = ("screen", "slide", "half", "square")
REFUSED = result(
    [
        point("materialised", 64), point("attend", 64), point("materialised", 512),
        point("attend", 512),
        point("materialised", 4096, refused=guard.too_large(4096, 2**40, 2**33)),
        point("attend", 4096, refused=guard.too_long(4096, 90)),
    ]
)  # fmt: skip


def heads(d_ks, kernels, machine=GPU, **changes):
    points = tuple(
        point("attend", 512, d_k=d_k, kernel=kernel, seconds=1e-3,
              peak=8 * 512 * 4 * d_k + (8 * 512 * 512 * 4 if kernel == "fallback" else 0))
        for d_k, kernel in zip(d_ks, kernels, strict=True)
    )  # fmt: skip
    params = HeadSizeParams(d_ks=tuple(d_ks), repeats=3)
    return replace(HeadSizeResult(params, machine, points, len(d_ks), 1.0), **changes)


def styled(size: Any, theme: Any, language: Any) -> Style:
    return Style(theme=theme, language=language, size=size)


def words(figure):
    return [box.text for box in texts(figure.spec)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("draw", FIGURES)
def test_every_stage_of_a_run_is_drawn_inside_its_frame(draw, size):
    whole = whole_run()
    for count in (0, 1, 2, 3, 8):
        part = replace(whole, points=whole.points[:count])
        for theme, language in (("light", "en"), ("dark", "zh")):
            figure = draw(part, styled(size, theme, language))
            assert all(box.inside(frame(figure.spec)) for box in texts(figure.spec))
            assert len(figure.table.rows) == count
            assert "Test CPU" in figure.note
            assert "NumPy 2.4.0" in figure.note


@pytest.mark.parametrize("draw", FIGURES)
def test_refused_points_are_crosses_with_a_name_and_no_numbers(draw):
    figure = draw(REFUSED, Style())
    assert {"formula: refused", "attend: refused"} <= set(words(figure))
    assert "formula at T = 4,096; attend at T = 4,096" in figure.note
    refused = [row for row in figure.table.rows if row[2] == 4096]
    assert [row[4:6] for row in refused] == [("", ""), ("", "")]
    assert "refused" not in " ".join(words(draw(whole_run(), Style()))).lower()


@pytest.mark.parametrize("draw", FIGURES)
def test_a_run_with_nothing_but_refusals_is_drawn(draw):
    points = [point(way, 4096, refused=guard.too_long(4096, 90)) for way in WAYS]
    assert "formula: refused" in words(draw(result(points), Style()))


@pytest.mark.parametrize("draw", FIGURES)
def test_other_machines_are_named_beside_this_one(draw):
    others = (whole_run((32, 1024), GPU), whole_run((64,), replace(GPU, device="Other GPU")))
    figure = draw(replace(whole_run(), beside=others), Style(size="slide"))
    said = " ".join(words(figure))
    assert "formula, Test GPU, MLX 0.32.4" in said
    assert "attend, Other GPU, MLX 0.32.4" in said
    assert {row[0] for row in figure.table.rows} == {"Test CPU", "Test GPU", "Other GPU"}
    assert len(figure.table.rows) == 8 + 4 + 2


def test_ten_other_machines_do_not_break_a_figure():
    others = tuple(whole_run((64, 128), replace(GPU, device=f"GPU {i}")) for i in range(10))
    for draw in FIGURES:
        draw(replace(whole_run(), beside=others), Style())


def test_the_slope_stands_in_the_figure_and_in_its_note():
    figure = time_figure(whole_run(), Style(size="slide"))  # made up to take T² nanoseconds
    assert "formula: slope 2.000\xa0±\xa00.000" in words(figure)
    assert "formula: p = 2.000\xa0±\xa00.000 from T = 64 on" in figure.note
    short = time_figure(whole_run((64, 128)), Style(size="slide"))
    assert "slope" not in " ".join(words(short))
    assert "Fitted" not in short.note


def test_the_editable_chart_counts_in_seconds_and_mebibytes():
    made = whole_run()
    chart: Any = time_figure(made, Style()).chart
    assert chart.series[0].values == tuple(p.seconds for p in made.of("materialised"))
    chart = peak_figure(made, Style()).chart
    assert chart.series[0].values == tuple(p.peak_bytes / 2**20 for p in made.of("materialised"))
    low, high = chart.y_range
    assert all(low <= value <= high for each in chart.series for value in each.values)
    assert math.log10(low).is_integer()
    assert math.log10(high).is_integer()


@pytest.mark.parametrize("draw", [head_time_figure, head_peak_figure])
def test_head_sizes_are_drawn_at_every_stage(draw):
    whole = heads((40, 64, 80), ("fallback", "fused", "fused"))
    for size in SIZES:
        for count in range(4):
            part = replace(whole, points=whole.points[:count])
            figure = draw(part, styled(size, "dark", "zh"))
            assert all(box.inside(frame(figure.spec)) for box in texts(figure.spec))
    shown = words(draw(whole, Style()))
    assert {"fused kernel", "fallback"} <= set(shown)
    assert "in blocks" in words(draw(heads((40, 64), ("blocked",) * 2, MACHINE), Style()))
    refused = (point("attend", 512, d_k=40, refused=guard.too_long(512, 90)),)
    assert "attend: refused" in words(draw(replace(whole, points=refused), Style()))


# ---- what is said


def test_durations_are_written_in_the_unit_that_people_use():
    written = [seconds_words(s, t) for s in (3e-9, 1e-5, 1.234e-3, 0.02174, 0.9996, 12.3, 150.0)]
    assert written == ["3 ns", "10 µs", "1.23 ms", "21.7 ms", "1 s", "12.3 s", "150 s"]
    assert growth_words(Growth(1.954, 0.043, 4, 64, 1.0), t) == "1.95\xa0±\xa00.04"
    assert growth_words(None, t) == "–"


def pair(formula, attend, *, peaks=(10**7, 10**6)):
    return result([
        point("materialised", 512, seconds=formula, peak=peaks[0]),
        point("attend", 512, seconds=attend, peak=peaks[1]),
    ])  # fmt: skip


def test_nobody_is_called_faster_where_the_repeats_overlap():
    assert any("attend is 2 times as fast" in s for s in notices(pair(2.0, 1.0), t))
    assert any("formula is 2 times as fast" in s for s in notices(pair(1.0, 2.0), t))
    said = " ".join(notices(pair(1.0, 1.005), t))  # the repeats are 1 % apart
    assert "overlap" in said
    assert "times as fast" not in said


def test_memory_is_compared_as_it_is():
    assert any("attend 977 KiB for the same" in s for s in notices(pair(2.0, 1.0), t))
    more = notices(pair(2.0, 1.0, peaks=(1000, 2000)), t)
    assert any("no less than the formula" in s for s in more)
    assert measures(pair(2.0, 1.0), t)[3][1] == "10 ×"
    assert [each[1] for each in measures(result([]), t)] == ["–"] * 4


def grown(power, noise=0.0):
    points = [
        point("materialised", T, seconds=1e-9 * T**power * (1 + noise * (-1) ** i))
        for i, T in enumerate((64, 128, 256, 512))
    ]
    made = result(points)
    return replace(made, total=8)


def test_an_exponent_is_explained_only_where_it_differs_by_more_than_its_error():
    def meanings(made):
        return [s for s in notices(made, t) if s.startswith("An exponent")]

    assert ["below 2" in s for s in meanings(grown(1.5))] == [True]
    assert ["above 2" in s for s in meanings(grown(2.5))] == [True]
    assert not meanings(grown(2.0, noise=0.02))
    assert not meanings(grown(1.9, noise=0.4))
    assert not meanings(grown(-1.0, noise=0.8))
    assert not meanings(result([]))


def test_no_power_is_told_of_points_that_scatter():
    wild, calm = grown(1.0, noise=0.8), grown(1.5, noise=0.05)
    growth: Any = wild.growth("materialised", "seconds")
    assert growth.error > 0.3
    assert any("scatter too widely" in s for s in notices(wild, t))
    assert not any("scatter" in s for s in notices(calm, t))
    assert "slope" not in " ".join(words(time_figure(wild, Style(size="slide"))))
    assert "Too scattered for an exponent: formula;" in time_figure(wild, Style()).note
    assert "slope" in " ".join(words(time_figure(calm, Style(size="slide"))))
    assert "scattered" not in time_figure(calm, Style()).note


def test_wide_repeats_are_named():
    wide = replace(point("attend", 64, seconds=1.0), all_seconds=(0.5, 1.0, 2.0))
    assert any("differ widely" in s for s in notices(result([wide]), t))
    assert not any("differ widely" in s for s in notices(whole_run(), t))


def test_refusals_are_told_once_for_each_way_and_reason():
    points = [point("materialised", T, refused=guard.too_long(T, 90)) for T in (512, 1024, 2048)]
    points.append(point("attend", 2048, refused=guard.too_large(2048, 2**40, 2**30)))
    said = refusals_said(result(points), t)
    assert len(said) == 2
    assert said[0].startswith("Refused, formula: T = 512 would take about 90 s")
    assert said[0].endswith("So were T = 1,024, 2,048.")
    assert "1.00 TiB" in said[1]
    assert refusals_said(whole_run(), t) == []
    some = heads((40, 64), ("fused", "fused"))
    refused = tuple(point("attend", 512, d_k=d, refused=guard.too_long(512, 90)) for d in (40, 64))
    assert refusals_said(replace(some, points=refused), t)[0].endswith("So were d_k = 64.")


def attended(T, kernel, peak, machine=GPU):
    """Return a run of 8 heads with d_k = 64 in float32."""
    return result([point("attend", T, kernel=kernel, peak=peak)], machine)


def test_the_kernel_is_named_and_held_against_the_peak():
    T, output, matrix = 1024, 8 * 1024 * 64 * 4, 8 * 1024 * 1024 * 4
    fused = kernel_said(attended(T, "fused", output), t)
    assert "takes the fused kernel (Test GPU, MLX 0.32.4)" in fused
    assert "agrees: 2 MiB" in fused
    assert "does not agree" in kernel_said(attended(T, "fused", output + matrix), t)
    fallback = kernel_said(attended(T, "fallback", output + matrix), t)
    assert "no fused kernel for d_k = 64" in fallback
    assert "agrees" in fallback
    assert "does not agree" in kernel_said(attended(T, "fallback", output), t)
    assert "cannot tell" in kernel_said(attended(64, "fused", 100), t)
    cpu = replace(GPU, kind="cpu")
    assert "On a processor" in kernel_said(attended(T, "fallback", output + matrix, cpu), t)
    assert "in blocks" in kernel_said(whole_run(), t)
    assert "No point" in kernel_said(result([]), t)
    mixed = result([point("attend", 4, kernel="fallback"),
                    point("attend", T, kernel="fused", peak=output)], GPU)  # fmt: skip
    assert kernel_said(mixed, t).startswith("T = 4: fallback; T = 1,024: fused kernel.")


def test_the_gap_is_explained_where_the_peak_bears_it_out():
    matrix = 8 * 1024 * 1024 * 4
    said = gap_said(result([point("materialised", 1024, peak=3 * matrix)]), t)
    assert "3.00 matrices" in said
    assert "In softmax there are 3" in said
    other = gap_said(result([point("materialised", 1024, peak=2 * matrix)]), t)
    assert "2.00 matrices" in other
    assert "softmax" not in other
    on_mlx = gap_said(result([point("materialised", 1024, peak=3 * matrix)], GPU), t)
    assert "MLX itself decides" in on_mlx
    assert "softmax" not in on_mlx
    near = gap_said(result([point("attend", 1024, predicted=1000, peak=1090)]), t)
    assert "to a tenth" in near
    far = gap_said(result([point("attend", 1024, predicted=1000, peak=1110)]), t)
    assert "to a tenth" not in far
    output = 8 * 1024 * 64 * 4
    one = attended(1024, "fallback", output + matrix)
    assert "take the place of the scores" in gap_said(one, t)
    two = attended(1024, "fallback", output + 2 * matrix)
    assert "2.00 such matrices." in gap_said(two, t)
    assert "No point" in gap_said(result([]), t)


def test_head_sizes_say_which_kernel_ran_where():
    both = head_notices(heads((40, 64, 80), ("fallback", "fused", "fused")), t)
    assert "ran at d_k = 64, 80, the fallback, which forms the scores in memory, at 40" in both[0]
    assert both[1].startswith("At d_k = 40 the peak is")
    assert "at every head size" in head_notices(heads((64,), ("fused",)), t)[0]
    assert "none of these" in head_notices(heads((40,), ("fallback",)), t)[0]
    cpu = replace(GPU, kind="cpu")
    assert "On a processor" in head_notices(heads((64,), ("fallback",), cpu), t)[0]
    assert "same blocks" in head_notices(heads((64,), ("blocked",), MACHINE), t)[0]
    assert head_notices(heads((64,), ("fused",), points=()), t) == []


def test_the_cheapest_head_size_is_the_one_with_the_least_time_a_component():
    made = heads((40, 64, 80), ("fused",) * 3)  # all take as long, so the largest is cheapest
    cheapest, dearest, ratio = head_measures(made, t)
    assert (cheapest[1], dearest[1], ratio[1]) == ("80", "40", "2 ×")
    assert [each[1] for each in head_measures(replace(made, points=()), t)] == ["–"] * 3


@pytest.mark.parametrize("idea", [MEASURED_IDEA, HEADS_IDEA], ids=lambda idea: idea.name)
def test_the_ideas_describe_what_is_measured(idea):
    described = dict(idea.describe(replace(idea.params(), heads=3, dtype="float16"), None, "en"))
    assert described["Heads, H"] == "3"
    assert described["Numbers"] == "float16"
    assert len(described) == 8
