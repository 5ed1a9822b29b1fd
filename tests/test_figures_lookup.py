"""The figures of soft lookup: nothing lost, and every number drawn where it belongs."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.experiments.lookup.axes import compare_axes
from engine.experiments.lookup.cost import CostParams, CostPoint, CostResult
from engine.experiments.lookup.roles import RolesParams, measure_roles
from engine.experiments.lookup.similarities import additive_weights
from engine.experiments.lookup.soft import run
from engine.experiments.lookup.table import SIMILARITIES, Params
from engine.experiments.masks.inputs import InputParams
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.lookup.axes import axes_figure
from pages.figures.lookup.cost import cost_ratio_figure, cost_time_figure
from pages.figures.lookup.plane import plane_figure
from pages.figures.lookup.roles import bin_width, roles_spread_figure, roles_weights_figure
from pages.figures.lookup.similarities import similarities_figure
from pages.figures.lookup.temperature import temperature_figure
from pages.figures.lookup.weights import weights_figure
from pages.gallery import prepare
from pages.text import translator
from pages.text.lookup_readings import mean_text
from tests import lookup_oracles
from tests.figure_marks import cells, texts
from tests.lookup_tables import TABLES, hard_tables, looked
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
ROLES = {
    "default": RolesParams(T=8, d_model=16, d_k=16, draws=20),
    "one": RolesParams(T=1, draws=3),
    "wide": RolesParams(T=3, d_model=2, d_k=1, draws=40),
    "long": RolesParams(T=64, draws=2),
}
AXES = {"default": InputParams(), "one": InputParams("sentence", "hello"),
        "sentence": InputParams("sentence"), "chinese": InputParams("sentence", "我们 注意 它"),
        "most": InputParams("random", T=24)}  # fmt: skip


@lru_cache(maxsize=8)
def roles(case):
    return measure_roles(ROLES[case], backend="numpy")


@lru_cache(maxsize=8)
def axes(case):
    return compare_axes(AXES[case], backend="numpy")


def point(T, d_k, way, seconds, spread=0.1):
    repeats = tuple(seconds * (1 + spread * place) for place in (-1, 0, 1))
    return CostPoint(T, d_k, way, seconds, repeats, 2 * T * T * d_k, 0 if way == "dot" else T * d_k)


def measured(ratio=30.0, spread=0.1, points=None, **params) -> CostResult:
    """Return a made-up measurement in which additive scores take ``ratio`` times as long."""
    given = CostParams(Ts=(64, 128, 256), d_ks=(8, 16), T=128, d_k=16, repeats=3, **params)
    pairs = [(64, 16), (128, 8), (128, 16), (256, 16)]
    found = [
        point(T, d_k, way, 1e-9 * T * T * d_k * factor, spread)
        for T, d_k in pairs for way, factor in (("dot", 1.0), ("additive", ratio))
    ]  # fmt: skip
    return CostResult(given, tuple(found[:points]), len(found), 1.0, "numpy", "Test CPU",
                      one_core=True)  # fmt: skip


COSTS = {
    "default": measured(),
    "noisy": measured(3.0, 0.9),
    "none": measured(points=0),
    "first": measured(points=1),
    "pair": measured(points=2),
    "alike": measured(1.0),
}


def drawn(style: Style) -> list[tuple[str, Figure]]:
    """Return every figure of every case, with its case."""
    found: list[tuple[str, Figure]] = []
    for case in TABLES:
        result = looked(case)
        found += [(case, draw(result, style)) for draw in
                  (weights_figure, temperature_figure, similarities_figure)]  # fmt: skip
        if len(result.params.query) == 2:
            found.append((case, plane_figure(result, style)))
    for case in ROLES:
        found += [(case, draw(roles(case), style)) for draw in
                  (roles_spread_figure, roles_weights_figure)]  # fmt: skip
    found += [(case, axes_figure(axes(case), style)) for case in AXES]
    for case, cost in COSTS.items():
        found += [(case, cost_time_figure(cost, style, "T")),
                  (case, cost_ratio_figure(cost, style, "d_k"))]  # fmt: skip
    return found


def words(figure: Figure) -> list[str]:
    return [box.text for box in texts(figure.spec)]


def rows_of(figure: Figure) -> Any:
    return figure.table.rows


# Every figure -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_lost_clipped_small_or_overlapping(size):
    style = Style(size=size)
    for case, figure in drawn(style):
        assert wrong_with(figure, style) == [], case
        assert outside(figure.spec) == [], (case, figure.name)


@pytest.mark.parametrize("size", SIZES)
def test_other_languages_and_decimals_fit_too(size):
    given: list[tuple[LanguageCode, int]] = [("zh", 3), ("en", 6), ("en", 0)]
    for language, decimals in given:
        style = Style(language=language, size=size, decimals=decimals)
        for case in ("default", "most"):
            for draw in (weights_figure, similarities_figure):
                assert wrong_with(draw(looked(case), style), style) == []
        assert wrong_with(axes_figure(axes("default"), style), style) == []


@settings(max_examples=25)
@given(hard_tables(), st.sampled_from(SIZES), st.integers(0, 6))
def test_any_table_fits(params, size, decimals):
    result, style = run(params, backend="numpy"), Style(size=size, decimals=decimals)
    for draw in (weights_figure, similarities_figure):
        figure = draw(result, style)
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == []


def test_a_theme_changes_no_place():
    def places(name: ThemeName):
        style = Style(name, size="slide")
        every = [draw(looked(case), style) for case in ("default", "most")
                 for draw in (weights_figure, temperature_figure, similarities_figure)]  # fmt: skip
        every += [plane_figure(looked("default"), style), axes_figure(axes("default"), style)]
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in every]

    light, dark = map(places, THEMES)
    assert light == dark


def test_tables_hold_finite_numbers_and_every_figure_says_what_it_shows():
    for case, figure in drawn(Style()):
        for cell in (cell for row in figure.table.rows for cell in row):
            assert not isinstance(cell, float) or math.isfinite(cell), case
        assert figure.note.endswith((".", "。"))
        assert figure.alt.startswith(figure.title)
        assert "e−" not in " ".join(words(figure)), case  # no power of ten as a computer writes it


# The table ------------------------------------------------------------------------------------


def expected(params: Params, similarity=None):
    """Return scores, weights and output as loops find them."""
    similarity = similarity or params.similarity
    inner = additive_weights(params.seed, params.d)
    scores = [lookup_oracles.score(similarity, params.query, key, inner) for key in params.keys]
    return scores, *lookup_oracles.look(scores, params.values, params.temperature)


@pytest.mark.parametrize("case", ["default", "exact", "twelve", "close", "zero key"])
def test_the_table_behind_the_weights_is_what_loops_find(case):
    params, figure = TABLES[case], weights_figure(looked(case), Style())
    scores, weights, output = expected(params)
    place = {name: index for index, name in enumerate(figure.table.columns)}
    n = len(params.names)
    for index, row in enumerate(rows_of(figure)[:n]):
        assert row[place["score"]] == pytest.approx(scores[index], abs=1e-12)
        assert row[place["soft weight"]] == pytest.approx(weights[index], abs=1e-12)
    first = place["contribution" if len(params.values[0]) == 1 else "contribution 1"]
    assert list(rows_of(figure)[n + 1][first:]) == pytest.approx(output, abs=1e-12)
    assert sum(row[place["hard weight"]] for row in rows_of(figure)[:n]) == pytest.approx(1)


def bars(figure: Figure) -> dict[str, tuple[float, float]]:
    """Return how long the bar of each key is, and what a whole weight takes, in pixels."""
    found: dict[str, list[Any]] = {}
    for row in cells(figure.spec):
        name, _, rest = row["tip"].partition(" · ")
        if rest.startswith("soft weight"):
            found.setdefault(name, []).append(row)
    light = {row["fill"] for rows in found.values() for row in rows}
    strong = Style().colours.roles["weights"]
    assert strong in light
    return {
        name: (sum(r["x2"] - r["x"] for r in rows if r["fill"] == strong),
               sum(r["x2"] - r["x"] for r in rows))
        for name, rows in found.items()
    }  # fmt: skip


@pytest.mark.parametrize("case", ["default", "exact", "twelve", "close"])
def test_bars_are_as_long_as_weights(case):
    _, weights, _ = expected(TABLES[case])
    found = bars(weights_figure(looked(case), Style(size="slide")))
    for name, weight in zip(TABLES[case].names, weights, strict=True):
        drawn_bar, whole = found[name]
        assert drawn_bar / whole == pytest.approx(weight if weight >= 0.0005 else 0, abs=1e-9)


def test_numbers_in_the_table_are_those_of_loops():
    params = TABLES["default"]
    scores, weights, output = expected(params)
    shown = words(weights_figure(looked("default"), Style(size="slide")))
    for weight in weights:
        assert f"{weight:.3f}" in shown
    for score in scores:
        assert f"{score:.2f}".replace("-", "−") in shown
    assert f"{output[0]:.3f}" in shown
    best = max(range(4), key=scores.__getitem__)
    assert f"{params.values[best][0]:.3f}" in shown  # what hard lookup gives


@pytest.mark.parametrize("case", ["default", "close"])
def test_every_number_stands_in_the_row_of_its_name(case):
    params, figure = TABLES[case], weights_figure(looked(case), Style(size="slide", decimals=3))
    shown = texts(figure.spec)
    scores, weights, _ = expected(params)
    for name, score, weight in zip(params.names, scores, weights, strict=True):
        start = min(box.left for box in shown if box.text == name)
        (row,) = [box for box in shown if box.text == name and box.left == start]
        beside = [box.text for box in shown if abs(box.top - row.top) < 1]
        assert f"{weight:.3f}" in beside
        assert any(f"{score:.{n}f}".replace("-", "−") in beside for n in (2, 3))


@pytest.mark.parametrize(("case", "finds"), [("default", False), ("exact", True), ("close", True)])
def test_the_note_says_what_a_dictionary_finds(case, finds):
    params, note = TABLES[case], weights_figure(looked(case), Style()).note
    assert (params.query in params.keys) == finds
    assert ("A dictionary finds nothing" in note) != finds
    if finds:
        assert f"finds {params.names[params.keys.index(params.query)]}," in note


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("default", "Hard lookup takes the value of apple,"),
        ("one", "With one key both take its value whole."),
        ("zero query", "All scores are equal,"),
        ("close", "Hard lookup takes the mean value of a, c,"),
    ],
)
def test_the_note_says_what_hard_lookup_takes(case, said):
    notes = [weights_figure(looked(each), Style()).note for each in TABLES]
    assert said in weights_figure(looked(case), Style()).note
    assert sum(said in note for note in notes) < len(notes)


def test_what_does_not_fit_is_said():
    wide, narrow = (weights_figure(looked("most"), Style(size=size)) for size in ("slide", "half"))
    assert "drawn as bars" in wide.note
    assert "fewer decimals" in wide.note
    assert "The keys are left out" in narrow.note
    assert "columns of values" in narrow.note
    assert "left out" not in weights_figure(looked("default"), Style(size="slide")).note
    # What is left out of the picture is in the table.
    assert len(narrow.table.columns) == 2 + 8 + 4 + 3 + 4


def test_a_narrow_sheet_keeps_the_numbers_of_short_keys():
    for language in LANGUAGES:
        shown = words(weights_figure(looked("default"), Style(size="half", language=language)))
        for key in ("2.0", "−1.0", "−1.5"):
            assert key in shown
    # Two components as bars are specks: they are left out, and that is said.
    narrow = weights_figure(looked("twelve"), Style(size="half"))
    assert "The keys are left out" in narrow.note
    assert "drawn as bars" not in narrow.note


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", ["screen", "slide"])
def test_what_hard_weights_are_stands_below_their_heading(size, language):
    style = Style(size=size, language=language)
    assert translator(language)("largest score") in words(weights_figure(looked("default"), style))


@pytest.mark.parametrize("size", SIZES)
def test_no_column_is_a_sliver(size):
    figure = weights_figure(looked("default"), Style(size=size, language="zh"))
    tick = 12 if size == "screen" else 18
    value = translator("zh")("value")
    values = [row for row in cells(figure.spec) if f"· {value}" in row["tip"]]
    assert len(values) == 4
    assert all(row["x2"] - row["x"] > 2 * tick for row in values)


# Temperature ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["default", "twelve", "close", "one"])
def test_lines_against_the_temperature_are_what_loops_find(case):
    params, figure = TABLES[case], temperature_figure(looked(case), Style())
    scores, *_ = expected(params)
    assert figure.chart is not None
    assert [each.name for each in figure.chart.series] == list(params.names)
    for place in (0, 40, 80, len(figure.chart.x) - 1):
        weights, _ = lookup_oracles.look(scores, params.values, float(figure.chart.x[place]))
        found = [each.values[place] for each in figure.chart.series]
        assert found == pytest.approx(weights, abs=1e-9)
    assert params.temperature in figure.chart.x
    assert figure.chart.dots == (params.temperature,)


def test_the_ends_of_the_temperature_are_marked():
    figure = temperature_figure(looked("default"), Style(size="slide"))
    assert figure.chart is not None
    levels = {each.axis: each.at for each in figure.chart.references}
    assert levels == {"x": 1.0, "y": 0.25}
    assert {"temperature 1", "1/4", "apple"} <= set(words(figure))
    assert "goes to apple" in figure.note
    assert "the 2 keys with the largest score" in temperature_figure(looked("close"), Style()).note
    assert "every weight is 1/4" in temperature_figure(looked("zero query"), Style()).note
    alone = temperature_figure(looked("one"), Style())
    assert "One key has weight 1" in alone.note
    assert alone.chart is not None
    assert [r.axis for r in alone.chart.references] == ["x"]


# Similarities -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["default", "exact", "twelve"])
def test_every_similarity_has_the_weights_that_loops_find(case):
    params, figure = TABLES[case], similarities_figure(looked(case), Style(size="slide"))
    found = {(row[0], row[2]): row[3:] for row in rows_of(figure)}
    shown = words(figure)
    for similarity in SIMILARITIES:
        scores, weights, _ = expected(params, similarity)
        for index, name in enumerate(params.names):
            assert found[similarity, name] == pytest.approx((scores[index], weights[index]))
            assert f"{weights[index]:.3f}" in shown


@pytest.mark.parametrize("case", ["zero query", "zero key"])
def test_a_refused_similarity_is_hatched_and_its_reason_told(case):
    figure = similarities_figure(looked(case), Style(size="slide"))
    assert "Cosine is hatched." in figure.note
    assert "zero vector" in figure.note
    assert all(row[3:] == ("", "") for row in rows_of(figure) if row[0] == "cosine")
    masked = Style().colours.masked
    refused = [row for row in cells(figure.spec) if row["fill"] == masked]
    assert len(refused) == len(TABLES[case].names)
    assert all("zero vector" in row["tip"] for row in refused)
    assert "hatched" not in similarities_figure(looked("default"), Style()).note


# Roles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ROLES)
def test_outlines_hold_every_draw_once(case):
    result, figure = roles(case), roles_spread_figure(roles(case), Style())
    assert figure.chart is not None
    width = bin_width(result)
    for series, role in zip(figure.chart.series, (result.free, result.tied), strict=True):
        assert series.x is not None
        for weight in role.diagonal:
            assert series.x[0] - 1e-9 <= weight <= series.x[-1] + 1e-9
        # Each bin has two corners; its height counts the draws in it.
        heights = series.values[1:-1:2]
        assert sum(heights) == len(role.diagonal)
        for left, height in zip(series.x[:-2:2], heights, strict=True):
            inside = [w for w in role.diagonal if left <= w + 1e-12 and w < left + width - 1e-12]
            assert height == len(inside) or math.isclose(left + width, 1.0, abs_tol=1e-9)
    assert [each.at for each in figure.chart.references] == [1 / result.params.T]
    assert len(rows_of(figure)) == result.params.draws


@pytest.mark.parametrize("case", ["default", "wide"])
def test_the_pointer_counts_the_draws_of_the_bin_that_it_is_in(case):
    result, figure = roles(case), roles_spread_figure(roles(case), Style())
    assert figure.chart is not None
    ends = [(series.x[0], series.x[-1]) for series in figure.chart.series if series.x]
    first, last = min(low for low, _ in ends), max(high for _, high in ends)
    tips = sorted(cells(figure.spec), key=lambda row: row["x"])
    unit = (last - first) / (tips[-1]["x2"] - tips[0]["x"])
    counted = {"free": 0, "tied": 0}
    for row in tips:
        low, high = (first + (row[end] - tips[0]["x"]) * unit for end in ("x", "x2"))
        for role in (result.free, result.tied):
            inside = sum(low - 1e-6 <= weight < high - 1e-6 for weight in role.diagonal)
            told = re.search(rf"{role.way}: mean [\d.]+: ([^;]+)", row["tip"])
            assert (told.group(1) if told else "0") == str(inside)
            counted[role.way] += inside
    assert counted == dict.fromkeys(counted, result.params.draws)


def test_weights_of_the_first_draw_stand_side_by_side():
    result, figure = roles("default"), roles_weights_figure(roles("default"), Style())
    T = result.params.T
    for way, role in (("W_Q and W_K free", result.free), ("W_Q and W_K tied", result.tied)):
        found = [row[-1] for row in rows_of(figure) if row[0] == way]
        np.testing.assert_array_equal(np.array(found).reshape(T, T), role.first)
        own = lookup_oracles.diagonal(role.first)
        assert own == pytest.approx(role.diagonal[0])


def test_scores_and_weights_of_the_first_draw_are_in_every_cell():
    result = roles("default")
    T, note = result.params.T, roles_weights_figure(result, Style()).note
    for size in SIZES:
        tips = [row["tip"] for row in cells(roles_weights_figure(result, Style(size=size)).spec)]
        told = [
            float(re.sub("−", "-", tip.rsplit(": ", 1)[1])) for tip in tips if ", column " in tip
        ]
        panels = np.array(told).reshape(4, T, T)
        wanted = (result.free.first_scores, result.tied.first_scores, result.free.first,
                  result.tied.first)  # fmt: skip
        np.testing.assert_allclose(panels, wanted, atol=1e-5)
        assert panels[1] == pytest.approx(panels[1].T)
        assert panels[0] != pytest.approx(panels[0].T)
    own = [sum(row[i] == max(row) for i, row in enumerate(role.first_scores.tolist()))
           for role in (result.tied, result.free)]  # fmt: skip
    assert f"on the diagonal: {own[0]} of {T} tied, {own[1]} free" in note


@pytest.mark.parametrize(("mean", "error"), [(0.965272, 0.00054), (0.51234, 0.021)])
def test_a_figure_and_its_page_write_a_mean_alike(mean, error):
    result = roles("default")
    result = replace(result, tied=replace(result.tied, mean=mean, error=error))
    figure = roles_spread_figure(result, Style())
    for role in (result.free, result.tied):
        decimals = len(mean_text(role).partition(".")[2])
        # The second digit of the error is the last of the mean.
        assert 10 <= round(role.error * 10**decimals) < 100
        assert mean_text(role) == f"{role.mean:.{decimals}f}"
        assert figure.chart is not None
        assert any(each.name.endswith(f"mean {mean_text(role)}") for each in figure.chart.series)


# Rows and columns ---------------------------------------------------------------------------------


def normalised(scores, axis):
    """Return softmax along rows (1) or down columns (0) as loops find it."""
    T = len(scores)
    lines = scores if axis else [[scores[i][j] for i in range(T)] for j in range(T)]
    done = []
    for line in lines:
        top = max(line)
        powers = [math.exp(each - top) for each in line]
        done.append([power / math.fsum(powers) for power in powers])
    return done if axis else [[done[j][i] for j in range(T)] for i in range(T)]


@pytest.mark.parametrize("case", ["default", "sentence", "chinese"])
def test_both_matrices_and_their_sums_are_what_loops_find(case):
    result, figure = axes(case), axes_figure(axes(case), Style(size="slide"))
    T = len(result.tokens)
    sums = [float(row["tip"].removeprefix("sum: ")) for row in cells(figure.spec)
            if row["tip"].startswith("sum: ")]  # fmt: skip
    assert len(sums) == 4 * T
    wanted = []
    for name, axis in (("rows", 1), ("columns", 0)):
        weights = normalised(result.scores.tolist(), axis)
        found = [row[-1] for row in rows_of(figure) if row[0] == name]
        assert found == pytest.approx([w for line in weights for w in line], abs=1e-12)
        wanted += [math.fsum(line) for line in weights]
        wanted += [math.fsum(line[j] for line in weights) for j in range(T)]
    assert sums == pytest.approx(wanted, abs=1e-6)


def test_bars_of_sums_are_as_long_as_the_sums():
    figure = axes_figure(axes("default"), Style(size="slide"))
    rows = [row for row in cells(figure.spec) if row["tip"].startswith("sum: ")]
    for start in (0, 8):  # of each side first the sums of rows, then those of columns
        for part, ends in ((rows[start : start + 4], ("x", "x2")),
                           (rows[start + 4 : start + 8], ("y", "y2"))):  # fmt: skip
            lengths = [row[ends[1]] - row[ends[0]] for row in part]
            sums = [float(row["tip"].removeprefix("sum: ")) for row in part]
            ratios = [length / value for length, value in zip(lengths, sums, strict=True)]
            assert ratios == pytest.approx([ratios[0]] * 4, rel=1e-4)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_weights_of_the_textbook_stand_in_their_cells(size, language):
    figure = axes_figure(axes("default"), Style(size=size, language=language))
    found = [float(text) for text in words(figure) if re.fullmatch(r"0\.\d{3}", text)]
    weights = [*axes("default").rows.flat, *axes("default").columns.flat]
    assert sorted(found) == pytest.approx(sorted(weights), abs=6e-4)
    long = axes_figure(axes("sentence"), Style(size="half", language=language))
    assert not [text for text in words(long) if re.fullmatch(r"0\.\d{3}", text)]


def test_one_token_has_no_sums_to_tell():
    assert "add up to" not in axes_figure(axes("one"), Style()).note
    assert "add up to 0.506 at the least" in axes_figure(axes("default"), Style()).note


# Cost -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("against", ["d_k", "T"])
def test_times_and_ratios_are_drawn_where_they_were_measured(against):
    result = measured(30.0)
    time, ratio = (draw(result, Style(), against) for draw in (cost_time_figure, cost_ratio_figure))
    sizes = result.params.d_ks if against == "d_k" else result.params.Ts
    assert time.chart is not None
    assert ratio.chart is not None
    lines = {each.name: each for each in time.chart.series if each.look == "line"}
    assert lines["dot product"].x == lines["additive"].x == tuple(map(float, sizes))
    for index, size in enumerate(sizes):
        T, d_k = (128, size) if against == "d_k" else (size, 16)
        assert lines["dot product"].values[index] == pytest.approx(1e-9 * T * T * d_k)
        assert lines["additive"].values[index] == pytest.approx(30e-9 * T * T * d_k)
    (line,) = [each for each in ratio.chart.series if each.look == "line"]
    assert line.values == pytest.approx([30.0] * len(sizes))
    assert f"against {against}" in time.title


def test_the_band_of_a_ratio_holds_the_middle_half_of_all_pairs():
    result = measured(3.0, 0.9)
    figure = cost_ratio_figure(result, Style())
    assert figure.chart is not None
    low, high = (each.values for each in figure.chart.series if each.look == "edge")
    pairs = sorted(a / b for a in (0.3, 3.0, 5.7) for b in (0.1, 1.0, 1.9))
    assert low == pytest.approx([pairs[2]] * 2)
    assert high == pytest.approx([pairs[6]] * 2)


@pytest.mark.parametrize("one_core", [True, False])
def test_one_core_is_said_only_where_both_ways_were_held_to_it(one_core):
    note = cost_time_figure(replace(measured(), one_core=one_core), Style()).note
    assert ("one core of Test CPU" in note) == one_core
    assert "Test CPU" in note


@pytest.mark.parametrize("draw", [cost_time_figure, cost_ratio_figure])
def test_a_saved_figure_says_what_disturbed_its_times(draw):
    busy, quiet = (
        draw(replace(measured(), seconds=4.0, elsewhere=elsewhere), Style())
        for elsewhere in (6.0, 2.0)
    )
    assert "Other programs kept 1.5 cores busy" in busy.note
    assert "Other programs" not in quiet.note


@pytest.mark.parametrize("size", SIZES)
def test_the_axis_of_a_ratio_is_said_once(size):
    figure = cost_ratio_figure(measured(), Style(size=size))
    assert words(figure).count("additive ÷ dot product") == 1


def test_a_measurement_that_goes_on_says_how_far_it_is():
    assert "So far: 1 of 8 points." in cost_time_figure(COSTS["first"], Style()).note
    assert "So far" not in cost_time_figure(COSTS["default"], Style()).note
    assert cost_ratio_figure(COSTS["none"], Style()).chart is None
    assert "no point is measured yet" in words(cost_time_figure(COSTS["none"], Style()))


# The gallery --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assignments", "said"),
    [
        (["lookup.keys=[[1],[2],[3],[4]]", "lookup.query=[1]"], "vectors of 2 numbers"),
        (["lookup.key=0"], "key"),
        (["lookup.key=5"], "from 1 to 4"),
        (["lookup.keys=[[1,2],[1,2],[3,4],[5,6]]"], "same key"),
        (["lookup.temperature=0"], "temperature 0"),
        (["lookup.similarity=cosine", "lookup.query=[0,0]"], "zero vector"),
    ],
)
def test_what_the_plane_cannot_show_is_refused_in_one_sentence(assignments, said):
    with pytest.raises(EngineError) as caught:
        prepare(["lookup-plane"], assignments, "numpy")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_figures_take_keys_of_any_width():
    assignments = ["lookup.keys=[[1],[2],[3],[4]]", "lookup.query=[1]"]
    names = ["lookup-weights", "lookup-temperature", "lookup-similarities"]
    assert len(prepare(names, assignments, "numpy")) == 3


def test_the_key_of_the_plane_is_chosen_by_its_number():
    (shown,) = prepare(["lookup-plane"], ["lookup.key=3"], "numpy")
    figure = shown.draw(Style(size="slide"))
    assert "query and orange" in words(figure)
    assert "key3" in figure.name
    (usual,) = prepare(["lookup-plane"], [], "numpy")
    assert "query and apple" in words(usual.draw(Style(size="slide")))


def test_names_of_files_tell_settings_apart():
    results = [run(replace(Params(), temperature=each), backend="numpy") for each in (1.0, 0.25)]
    assert len({weights_figure(each, Style()).name for each in results}) == 2
    assert "t0.25" in weights_figure(results[1], Style()).name
