"""The figures and sentences of measured time and memory, on runs that are made up."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.memory import guard
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeParams, HeadSizeResult
from engine.experiments.memory.needs import WAYS
from pages.export import Slide, slide_bytes
from pages.figures.figure import Style
from pages.figures.memory.head_sizes import head_peak_figure, head_time_figure
from pages.figures.memory.measured import peak_figure, ratio_figure, time_figure
from pages.gallery.memory_measured import HEADS_IDEA, MEASURED_IDEA
from pages.text import translator
from pages.text.memory_head_readings import head_measures, head_notices
from pages.text.memory_measured_words import growth_words, seconds_words, share_words, two_digits
from pages.text.memory_peak_readings import gap_said, kernel_said
from pages.text.memory_readings import (
    device_words,
    measures,
    notices,
    refusals_said,
    refused_in_short,
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


@pytest.mark.parametrize("draw", FIGURES)
def test_runs_of_other_sizes_are_told_apart(draw):
    def other(**params):
        return replace(result(whole_run().points, GPU, **params), machine=GPU)

    few, half = other(heads=1), other(heads=4, dtype="float16", causal=True)
    alone = draw(replace(whole_run(), beside=(few,)), Style(size="slide"))
    assert "formula, Test GPU, MLX 0.32.4, 1 head" in words(alone)
    figure = draw(replace(whole_run(), beside=(few, half)), Style(size="half"))
    assert "formula, run 2" in words(figure)  # too long for a legend
    assert (
        "run 1: Test GPU, MLX 0.32.4, 1 head, float32, not causal; "
        "run 2: Test GPU, MLX 0.32.4, 4 heads, float16, causal."
    ) in figure.note
    place = {name: i for i, name in enumerate(figure.table.columns)}
    sizes = {tuple(row[place[n]] for n in ("heads", "d_k", "batch", "dtype", "causal"))
             for row in figure.table.rows}  # fmt: skip
    assert sizes == {(8, 64, 1, "float32", False), (1, 64, 1, "float32", False),
                     (4, 64, 1, "float16", True)}  # fmt: skip
    series = [each.name for each in figure.chart.series] if figure.chart else []
    assert len(set(series)) == len(series)


def test_runs_of_equal_sizes_are_told_apart_by_their_moment():
    dates = ("2026-01-02T03:04:05+00:00", "2026-01-02T09:04:05+00:00", "2026-02-02T03:04:05+00:00")
    others = tuple(replace(whole_run(), machine=replace(MACHINE, date=date)) for date in dates)
    figure = peak_figure(replace(whole_run(), beside=others), Style(size="slide"))
    assert {"formula, run 1", "formula, run 2", "formula, run 3"} <= set(words(figure))
    assert (
        "run 1: 2026-01-02, 03:04:05; run 2: 2026-01-02, 09:04:05; run 3: 2026-02-02."
    ) in figure.note


LONG = (
    "AMD Ryzen Threadripper PRO 7995WX 96-Cores", "Intel(R) Xeon(R) CPU @ 2.20GHz", "x" * 48,
    "\u6d77\u5149" * 10,
)  # fmt: skip


def height_of(figure):
    """Return how tall the plot is: the distance of the outer labels of its y axis."""
    written = [box for box in texts(figure.spec) if box.text.endswith((" µs", " ms", " ns"))]
    return max(box.top for box in written) - min(box.top for box in written)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_names_of_other_runs_leave_the_plot_its_room(size, count):
    for library, language in (("NumPy 2.4.0", "en"), ("MLX 0.32.4", "zh")):
        machines = [replace(GPU, device=name, library=library) for name in LONG[:count]]
        others = tuple(whole_run(machine=machine) for machine in machines)
        figure = time_figure(replace(whole_run(), beside=others), styled(size, "light", language))
        boxes, whole = texts(figure.spec), frame(figure.spec)
        assert all(box.inside(whole) for box in boxes)
        assert height_of(figure) > 0.1 * (whole.bottom - whole.top)
        for name in LONG[:count]:  # in full, whatever a legend has of it
            assert name in figure.note
        named = [box.text for box in boxes if box.text.startswith(("formula, ", "公式"))]
        assert len(set(named)) >= count


def test_a_cut_name_keeps_what_tells_runs_apart():
    machine = replace(GPU, device=LONG[0])
    others = tuple(result(whole_run().points, machine, heads=heads) for heads in (8, 32))
    for size in SIZES:
        figure = time_figure(replace(whole_run(), beside=others), styled(size, "light", "en"))
        for name in (each for each in words(figure) if each.startswith("formula, ")):
            assert name.endswith((" 8 heads", " 32 heads", "run 1", "run 2")), name


@pytest.mark.parametrize("size", SIZES)
def test_exponents_of_other_runs_stand_in_the_note(size):
    """The other machine takes T³ and, as attend, T; a run of two lengths has no exponent."""
    other = result(
        [point(way, T, seconds=1e-9 * T ** (3 if way == "materialised" else 1))
         for T in (64, 128, 256) for way in WAYS], GPU,
    )  # fmt: skip
    told = "p = 3.000\xa0±\xa00.000 (formula), 1.000\xa0±\xa00.000 (attend)."
    assert (
        told in time_figure(replace(whole_run(), beside=(other,)), styled(size, "light", "en")).note
    )
    short = time_figure(
        replace(whole_run(), beside=(whole_run((64, 128), GPU),)), Style(size="slide")
    )
    assert "(formula)" not in short.note


@given(st.floats(0.1, 4), st.floats(0, 1e-3))
def test_the_guide_of_t_squared_has_slope_2_and_stays_among_the_points(power, fixed):
    points = [
        point(way, T, seconds=fixed + 1e-9 * T**power) for T in (64, 256, 1024) for way in WAYS
    ]
    figure: Any = time_figure(result(points), Style())
    guides = [each for each in figure.chart.series if each.name == "T²"]
    seconds = [each.seconds for each in points]
    assert ("Dotted: T²" in figure.note) == bool(guides)
    assert bool(guides) == (min(seconds) < max(seconds))
    for guide in guides:
        (x0, x1), (y0, y1) = guide.x, guide.values
        assert math.log(y1 / y0) == pytest.approx(2 * math.log(x1 / x0), abs=1e-6)
        assert (x1, y1) == (1024, pytest.approx(points[-2].seconds))
        assert 64 <= x0 < x1
        assert min(seconds) * 0.999 <= y0
    lonely = time_figure(result(points[:2]), Style())
    assert "T²" not in lonely.note


def test_one_of_a_kind_is_written_in_the_singular():
    one = replace(result([point("attend", 64, repeats=1)], heads=1, repeats=1),
                  machine=replace(MACHINE, cores=1))  # fmt: skip
    note = time_figure(one, Style()).note
    assert "1 head, batch 1, float32; each measured once." in note
    assert "1 core, " in note
    assert device_words(one, t) == (
        "Test CPU, NumPy 2.4.0: 1 head, d_k = 64, batch 1, float32, 2026-01-02"
    )
    assert "8 heads, batch 1, float32; median of 3." in time_figure(whole_run(), Style()).note
    assert "float32, causal; median" in time_figure(result([], causal=True), Style()).note


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


@pytest.mark.parametrize("d_ks", [(1,), (512,), (8, 16)])
@pytest.mark.parametrize("draw", [head_time_figure, head_peak_figure])
def test_few_head_sizes_are_saved_in_every_format(draw, d_ks):
    figure: Any = draw(heads(d_ks, ("blocked",) * len(d_ks), MACHINE), Style())
    low, high = min(figure.chart.x), max(figure.chart.x)
    assert low < high
    assert all(low <= x <= high for each in figure.chart.series for x in each.x)
    for kind in ("pptx", "svg", "csv"):
        assert slide_bytes(Slide(figure, Style(), ""), kind)


# ---- what is said


@given(st.floats(1e-12, 1))
def test_a_share_is_a_power_of_ten(share):
    factor, power = share_words(share).split("\xa0×\xa010")
    plain = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    assert float(factor) * 10.0 ** int(plain) == pytest.approx(
        share, abs=0.501 * 10.0 ** int(plain)
    )
    assert share_words(0.0) == "0"
    assert share_words(6e-7) == "6\xa0×\xa010⁻⁷"


def test_durations_are_written_in_the_unit_that_people_use():
    written = [seconds_words(s, t) for s in (3e-9, 1e-5, 1.234e-3, 0.02174, 0.9996, 12.3, 150.0)]
    assert written == ["3 ns", "10 µs", "1.23 ms", "21.7 ms", "1 s", "12.3 s", "150 s"]
    assert growth_words(Growth(1.954, 0.043, 4, 64, 1.0)) == "1.95\xa0±\xa00.04"
    assert growth_words(None) == "–"


def pair(formula, attend, *, peaks=(10**7, 10**6)):
    return result([
        point("materialised", 512, seconds=formula, peak=peaks[0]),
        point("attend", 512, seconds=attend, peak=peaks[1]),
    ])  # fmt: skip


def test_nobody_is_called_faster_where_the_repeats_overlap():
    assert any("attend is 2 times as fast" in s for s in notices(pair(2.0, 1.0), t))
    assert any("formula is 2 times as fast" in s for s in notices(pair(1.0, 2.0), t))
    said = " ".join(notices(pair(1.0, 1.005), t))  # the repeats are 1 % apart
    assert "no more than their repeats" in said
    assert "times as fast" not in said


def test_one_run_of_each_compares_nothing():
    made = result([
        point("materialised", 512, seconds=9.0, repeats=1), point("attend", 512, seconds=1.0,
                                                                  repeats=1),
    ], repeats=1)  # fmt: skip
    said = " ".join(notices(made, t))
    assert "One run of each" in said
    assert "fast" not in said
    assert measures(made, t)[2][1:3] == ("–", "of one run each")
    assert "One run of each" not in " ".join(notices(pair(9.0, 1.0), t))
    single = heads((40, 64), ("fused",) * 2)
    single = replace(single, points=tuple(
        replace(each, all_seconds=each.all_seconds[:1]) for each in single.points
    ))  # fmt: skip
    assert [each[1] for each in head_measures(single, t)] == ["–"] * 3
    assert "One run of each" in " ".join(head_notices(single, t))


@given(st.floats(1e-3, 1e3))
def test_a_ratio_reads_1_only_where_it_is_1(ratio):
    written = float(two_digits(ratio).replace(",", ""))
    assert written == pytest.approx(ratio, rel=0.06)
    if abs(ratio - 1) > 0.005:
        assert written != 1
        assert (written > 1) == (ratio > 1)


def test_times_that_are_nearly_equal_are_called_so():
    def said(slow):
        steady = [replace(each, all_seconds=(each.seconds,) * 3) for each in pair(slow, 0.1).points]
        return " ".join(notices(result(steady), t))

    assert "attend is 1.04 times as fast" in said(0.104)
    assert "both take nearly the same time" in said(0.1003)


@pytest.mark.parametrize(("busy", "said"), [(0.9, False), (1.1, True)])
def test_a_machine_that_worked_for_others_is_named(busy, said):
    made = replace(whole_run(), seconds=10.0, elsewhere=10.0 * busy)  # of 4 cores
    assert any("Other programs kept 1.1 of 4 cores busy" in s for s in notices(made, t)) == said
    swept = replace(heads((40,), ("fused",)), seconds=10.0, elsewhere=20.0 * busy)  # of 8
    assert any("Other programs" in s for s in head_notices(swept, t)) == said


def test_why_attend_holds_no_less_is_told_by_its_kernel():
    def said(kernel, T, predicted, machine):
        points = [
            point("materialised", T, peak=1000),
            point("attend", T, peak=2000, predicted=predicted, kernel=kernel),
        ]
        return " ".join(notices(result(points, machine), t))

    assert "blocks and its output are as large" in said("blocked", 64, 1000, MACHINE)
    assert "as large" not in said("blocked", 64, 999, MACHINE)
    assert "output alone" in said("fused", 64, 1000, GPU)
    assert "output alone" not in said("fused", 64, 999, GPU)
    assert "fallback forms the whole matrix" in said("fallback", 64, 100, GPU)
    # 8 heads of 16,384 x 16,384 numbers in float32 are more than the 2^28 bytes of a block.
    assert "whole matrix" not in said("fallback", 16_384, 100, GPU)


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


def test_exponents_below_2_are_given_no_cause_that_they_cannot_have():
    def meanings(power, Ts=(64, 128, 256, 512), way="materialised"):
        points = [point(way, T, seconds=1e-3 * (T / 64) ** power) for T in Ts]
        return [s for s in notices(result(points), t) if "An exponent" in s or "falls" in s]

    assert ["fixed cost" in s for s in meanings(0.5)] == [True]
    assert ["falls as T grows" in s for s in meanings(-1.0)] == [True]
    # With 8 heads of 64, T = 128 takes one of the 4 cores, and T = 256 more.
    assert ["more threads" in s for s in meanings(1.5, way="attend")] == [True]
    assert ["more threads" in s for s in meanings(1.5)] == [False]
    assert ["more threads" in s for s in meanings(1.5, (1024, 2048, 4096), "attend")] == [False]


def test_three_points_that_scatter_a_little_decide_nothing():
    points = [point("attend", 2**i, seconds=4.0**i * 0.95 ** (i % 2) * 0.9**i) for i in (6, 7, 8)]
    growth: Any = result(points).growth("attend", "seconds")
    assert growth.exponent + 2 * growth.error < 2
    assert not any("An exponent" in s for s in notices(result(points), t))


def test_a_scattered_way_does_not_silence_the_clear_one():
    points = list(grown(2.0).points)
    points += [point("attend", T, seconds=1e-4 * (1 + 8 * (i % 2) * (i > 1)))
               for i, T in enumerate((64, 128, 256, 512))]  # fmt: skip
    made = result(points)
    growth: Any = made.growth("attend", "seconds")
    assert growth.error > 0.3
    said = notices(made, t)[0]
    assert "formula: 2.000\xa0±\xa00.000" in said
    assert "Too scattered for an exponent: attend;" in said
    assert "attend: " not in said


def test_no_power_is_told_of_points_that_scatter():
    wild, calm = grown(1.0, noise=0.8), grown(1.5, noise=0.05)
    growth: Any = wild.growth("materialised", "seconds")
    assert growth.error > 0.3
    assert any("Too scattered" in s for s in notices(wild, t))
    assert not any("scattered" in s for s in notices(calm, t))
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
    assert refusals_said(replace(some, points=refused), t)[0].endswith("So was d_k = 64.")


@given(st.lists(st.sampled_from((512, 1024, 2048)), max_size=3, unique=True),
       st.lists(st.sampled_from((512, 1024, 2048)), max_size=3, unique=True))  # fmt: skip
def test_refusals_are_counted_in_one_sentence(formula, attend):
    made = result(
        [point("materialised", T, refused=guard.too_long(T, 90)) for T in sorted(formula)]
        + [point("attend", T, refused=guard.too_large(T, 2**40, 1)) for T in sorted(attend)]
    )
    said = refused_in_short(made, t)
    count = len(formula) + len(attend)
    assert said.startswith(("", "1 point was refused: ", f"{count} points were refused: ")[
        min(count, 2)])  # fmt: skip
    assert (said == "") == (count == 0)
    assert said.count("formula") == bool(formula)
    assert said.count("attend") == bool(attend)
    more = max(len(formula), len(attend))
    full = " ".join(refusals_said(made, t))
    assert ("So were T" in full) == (more == 3)
    assert ("So was T" in full) == (2 in (len(formula), len(attend)))


def test_refused_head_sizes_are_counted_in_one_sentence():
    made = heads((40, 64), ("fused", "fused"))
    refused = tuple(point("attend", 512, d_k=d, refused=guard.too_long(512, 90)) for d in (40, 64))
    made = replace(made, points=refused)
    assert head_notices(made, t) == ["2 points were refused: d_k = 40, 64."]


def test_numbers_conclude_no_more_than_sentences():
    """What the notice calls scattered, or calls nobody faster in, has no number on a card."""
    wild, calm = grown(1.0, noise=0.8), grown(1.5, noise=0.05)
    assert measures(wild, t)[0][1:3] == ("–", "too scattered; attend: –")
    assert measures(calm, t)[0][1].startswith("1.4")
    assert measures(calm, t)[0][2] == "attend: –"
    for slow, told in ((1.0, False), (1.005, False), (2.0, True)):
        made = pair(slow, 1.0)
        value, below = measures(made, t)[2][1:3]
        assert ("times as fast" in " ".join(notices(made, t))) == told
        assert (value != "–") == told
        assert ("within the scatter" in below) != told


@pytest.mark.parametrize(("shares", "told"), [((0.85, 0.85), True), ((0.97, 0.97), False),
                                              ((1.5, 0.95), True)])  # fmt: skip
def test_the_fallback_of_head_sizes_is_told_apart_from_its_prediction(shares, told):
    """Predicted are two matrices and the output; the farthest head size is told."""
    points = []
    for d_k, share in zip((40, 72), shares, strict=True):
        predicted = 2 * 8 * 512 * 512 * 4 + 8 * 512 * 4 * d_k
        points.append(point("attend", 512, d_k=d_k, kernel="fallback", predicted=predicted,
                            peak=int(share * predicted)))  # fmt: skip
    made = replace(heads((40, 72), ("fallback",) * 2), points=tuple(points))
    said = " ".join(head_notices(made, t))
    assert ("the fallback holds" in said) == told
    assert ("one block of queries" in said) == told
    matrix = points[0].predicted_bytes - 8 * 512 * 512 * 4  # the output and one matrix
    one = replace(made, points=(replace(points[0], peak_bytes=matrix),))
    assert "At d_k = 40 the fallback holds" in " ".join(head_notices(one, t))
    assert "take the place of the scores" in " ".join(head_notices(one, t))


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
    assert "no block holds a whole" in kernel_said(whole_run((512, 1024)), t)
    assert "No point" in kernel_said(result([]), t)
    mixed = result([point("attend", 4, kernel="fallback"),
                    point("attend", T, kernel="fused", peak=output)], GPU)  # fmt: skip
    assert kernel_said(mixed, t).startswith("T = 4: fallback; T = 1,024: fused kernel.")


def test_whole_matrices_in_blocks_are_told_where_they_are_there():
    """8 heads: a block has at most 256 queries, 512 keys and 131,072 scores in all."""
    said = kernel_said(whole_run((64, 128, 256, 512, 1024)), t)
    # 8 x 128 x 128 = 131,072; at 256 each of the 4 cores holds two heads.
    assert "At T = 64, 128, 256 its blocks can hold all scores at once." in said
    assert "At T = 512, 1,024 no block holds a whole matrix" in said
    alone = replace(MACHINE, cores=1)
    said = kernel_said(whole_run((256,), alone), t)  # two heads at a time
    assert "At T = 256 a block holds whole matrices of scores, of some of the heads." in said


def counted(**params):
    """Return what is said to be counted of attend in blocks at T = 512."""
    return gap_said(result([point("attend", 512)], **params), t)


def test_what_a_prediction_counts_is_told_by_dtype_and_mask():
    assert "copies of K and V" in counted(dtype="float16")
    assert "copies" not in counted()
    assert "mask" not in counted()
    # 256 queries by 512 keys, one byte each, and their opposite.
    assert "mask of a block, up to 256 KiB for each thread, is not counted" in counted(causal=True)


def test_weights_take_the_place_of_scores_only_where_one_matrix_is_held():
    output, matrix = 8 * 1024 * 64 * 4, 8 * 1024 * 1024 * 4
    for held, told in ((0.03, False), (0.85, False), (0.95, True), (1.08, True), (1.4, False)):
        said = gap_said(attended(1024, "fallback", output + int(held * matrix)), t)
        assert ("take the place of the scores" in said) == told, held


def test_small_arrays_are_named_with_their_bytes():
    def said(T, peak):
        return gap_said(result([point("materialised", T, peak=peak)]), t)

    matrix, output = 8 * 64 * 64 * 4, 8 * 64 * 64 * 4
    assert "NumPy's own come to 40 KiB" in said(64, 3 * matrix + 40 * 1024)
    assert "come to" not in said(64, 3 * matrix + 1024)
    assert "softmax" not in said(64, 5 * matrix)
    matrix, output = 8 * 16 * 16 * 4, 8 * 16 * 64 * 4  # d_k = 64 is above T
    end = said(16, 2 * matrix + output)
    assert "It holds most at the end" in end
    assert "come to" not in end
    assert "at the end" not in said(16, 3 * matrix)


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


def test_head_sizes_are_compared_only_beyond_their_repeats():
    """Each pair and component: 40 takes 1 / 40 of a run's time, and 80 half of that."""
    made = heads((40, 64, 80), ("fused",) * 3)
    assert "kernel" in head_measures(made, t)[0][2]

    def scattered(share):
        points = tuple(
            replace(each, all_seconds=tuple(each.seconds * f for f in (1 - share, 1, 1 + share)))
            for each in made.points
        )
        return replace(made, points=points)

    # 40: from (1 - s) / 40 on; 80: up to (1 + s) / 80; apart by more than 2 s / 40 while s < 1 / 7.
    assert head_measures(scattered(0.13), t)[0][1] == "80"
    for share in (0.16, 0.6):
        assert [each[1] for each in head_measures(scattered(share), t)] == ["–"] * 3
    assert any("differ widely" in s for s in head_notices(scattered(0.6), t))
    assert not any("differ widely" in s for s in head_notices(scattered(0.13), t))


def test_head_sizes_that_are_as_fast_as_the_fastest_are_named():
    made = heads((40, 78, 80), ("fused",) * 3)  # 78 costs 2.6 % more than 80, repeats 2 %
    fastest, slowest, _ = head_measures(made, t)
    assert fastest[2].endswith("; not told apart from 78")
    assert "not told apart" not in slowest[2]


def test_kernels_are_compared_in_time_only_beyond_their_repeats():
    made = heads((40, 80), ("fallback", "fused"))
    assert "each pair and component takes" in head_notices(made, t)[1]
    wide = tuple(replace(each, all_seconds=(5e-4, 1e-3, 3e-3)) for each in made.points)
    said = head_notices(replace(made, points=wide), t)
    assert said[1].startswith("At d_k = 40 the peak is")
    assert not any("component takes" in s for s in said)


def test_the_fastest_head_size_is_the_one_with_the_least_time_a_component():
    made = heads((40, 64, 80), ("fused",) * 3)  # all take as long, so the largest is fastest
    fastest, slowest, ratio = head_measures(made, t)
    assert (fastest[1], slowest[1], ratio[1]) == ("80", "40", "2 ×")
    assert [each[1] for each in head_measures(replace(made, points=()), t)] == ["–"] * 3


@pytest.mark.parametrize("idea", [MEASURED_IDEA, HEADS_IDEA], ids=lambda idea: idea.name)
def test_the_ideas_describe_what_is_measured(idea):
    described = dict(idea.describe(replace(idea.params(), heads=3, dtype="float16"), None, "en"))
    assert described["Heads, H"] == "3"
    assert described["Numbers"] == "float16"
    assert len(described) == 8
