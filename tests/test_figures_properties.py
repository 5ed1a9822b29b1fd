"""The figures of the properties: nothing lost, and every number where loops say it belongs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest

from engine.errors import EngineError
from engine.experiments.properties.graph import GraphParams, pass_messages
from engine.experiments.properties.paths import ARCHITECTURES
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.palette import contrast, theme
from pages.figures.properties.content import content_figure
from pages.figures.properties.curves import Curve, arrow, bent, loop
from pages.figures.properties.graph import graph_figure
from pages.figures.properties.graph_matrix import graph_matrix_figure
from pages.figures.properties.influence import influence_figure
from pages.figures.properties.paths import architecture_colour, paths_figure
from pages.figures.properties.permutation import permutation_figure
from pages.figures.properties.reached import reached_figure, runs
from pages.figures.properties.ring import RING_SIZES, directions
from pages.figures.properties.signed import signed_colours
from pages.figures.properties.smoothing import cosine_figure, rank_figure
from pages.gallery import ENTRIES, prepare
from pages.gallery.properties import (
    GRAPH_IDEA,
    INFLUENCE_IDEA,
    ORDER_IDEA,
    PATHS_IDEA,
    SMOOTHING_IDEA,
)
from tests import properties_results as found
from tests.figure_marks import Box, cells, texts
from tests.test_figures_masks import wrong_with
from tests.test_figures_palette import EYES, distance
from tests.test_figures_plot import outside

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
IDEAS = (ORDER_IDEA, PATHS_IDEA, SMOOTHING_IDEA, INFLUENCE_IDEA, GRAPH_IDEA)
SENTENCE = "sentence"
HARD = (Style(size="half", language="zh"), Style(decimals=6), Style(size="half", decimals=0))
Draw = Callable[[Style], Figure]


def drawn(case: str) -> list[Draw]:
    """Return every figure of the results of one name."""
    every: list[Draw] = []
    if case in found.GRAPHS:
        result = found.graph(case)
        every += [partial(graph_figure, result), partial(graph_matrix_figure, result)]
    if case in found.ORDERS:
        order = found.order(case)
        every += [partial(permutation_figure, order, positions=p) for p in (False, True)]
        every.append(partial(content_figure, order))
    if case in found.PATHS:
        walks = found.paths(case)
        every += [partial(paths_figure, walks), partial(reached_figure, walks)]
    if case in found.STACKS:
        stack = found.stack(case)
        every += [partial(cosine_figure, stack), partial(rank_figure, stack)]
    return every


def influences(style: Style) -> list[Figure]:
    textbook, sentence = found.influence(), found.influence(source=SENTENCE, sentence=found.LONG)
    alone, many = (
        found.influence(source=SENTENCE, sentence="x"),
        found.influence(source="random", T=30),
    )
    pairs = ((textbook, 3), (sentence, 7), (alone, 1), (many, 1))
    return [influence_figure(result, style, token) for result, token in pairs]


# Every figure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_lost_clipped_small_or_overlapping(size):
    style = Style(size=size)
    cases = ("default", "one", "two", "long", "none", "chinese")
    figures = [draw(style) for case in cases for draw in drawn(case)] + influences(style)
    for figure in figures:
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


@pytest.mark.parametrize("case", ["causal", "full", "wide", "many", "near", "textbook"])
def test_hard_cases_fit_the_narrowest_sheet_and_the_screen(case):
    for style in HARD:
        for draw in drawn(case):
            figure = draw(style)
            assert wrong_with(figure, style) == []
            assert outside(figure.spec) == [], figure.name


def test_a_theme_changes_no_place():
    def places(name):
        figures = [draw(Style(name, size="slide")) for draw in drawn("default")]
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in figures]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_has_a_name_words_and_a_table():
    figures = [draw(Style()) for draw in drawn("default")] + influences(Style())[:1]
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert re.fullmatch(r"properties-[A-Za-z0-9._-]+", figure.name)
        assert figure.title
        assert figure.note.endswith(".")
        assert figure.alt.startswith(figure.title)
        assert figure.table.rows
        assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eye", EYES)
def test_the_ends_of_the_signed_scale_are_told_apart(name, eye):
    colours = signed_colours(Style(name))
    assert len(colours) == 256
    assert distance(colours[0], colours[254], eye) >= 14
    assert distance(colours[0], theme(name).background, eye) >= 14


@pytest.mark.parametrize("name", THEMES)
def test_colours_of_architectures_read_on_their_background(name):
    colours = [architecture_colour(each, Style(name)) for each in ARCHITECTURES]
    assert len(set(colours)) == len(ARCHITECTURES)
    assert all(contrast(colour, theme(name).background) >= 3 for colour in colours)


# The graph ------------------------------------------------------------------------------------


def path_rows(spec) -> list[dict[str, Any]]:
    return [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
    ]


def shafts(spec) -> list[dict[str, Any]]:
    """Return the shafts of the arrows in the order in which they are drawn, weakest first."""
    rows = [row for row in path_rows(spec) if re.fullmatch(r"M[^CM]*C[^CM]*", row["path"])]
    background = theme("light").background
    # The end of a shaft is drawn once more over its head.
    return [row for row in rows if row["stroke"] != background][: len(rows) // 3]


def ends(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", path)]
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    return [points[0], points[-1]]


def tips_of_heads(spec) -> list[tuple[float, float]]:
    """Return the tips of the arrows, in the order of their shafts."""
    paths = [row["path"] for row in path_rows(spec) if row["fill"] != "transparent"]
    corners = [re.findall(r"(-?[\d.]+),(-?[\d.]+)", path) for path in paths]
    return [(float(tip[0]), float(tip[1])) for _, tip, _ in corners]


def nearest(pills, point) -> int:
    """Return the token whose box is nearest to a point."""
    away = [beside(pill, point) for pill in pills]
    return away.index(min(away))


def beside(pill, point) -> float:
    """Return how far a point is from the box of a token."""
    across = max(pill["x"] - point[0], 0.0, point[0] - pill["x2"])
    return math.hypot(across, max(pill["y"] - point[1], 0.0, point[1] - pill["y2"]))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["default", "causal", "full"])
def test_every_weight_from_the_threshold_on_is_an_arrow_as_wide_as_it_is(case, size):
    params = found.GRAPHS[case]
    weights, _ = found.attended(found.matrices(params), params.causal)
    least = params.threshold
    shown = sorted(w for w in weights.ravel().tolist() if w >= least and w > 0)
    spec = graph_figure(found.graph(case), Style(size=size)).spec
    widths = [row["strokeWidth"] / RING_SIZES[size].width for row in shafts(spec)]
    assert widths == pytest.approx(shown, abs=1e-9)


@pytest.mark.parametrize("case", ["default", "causal", "chinese"])
def test_an_arrow_runs_from_the_token_looked_at_to_the_one_that_looks(case):
    result, style = found.graph(case), Style(size="slide")
    spec = graph_figure(result, style).spec
    pills = [row for row in cells(spec) if row["tip"].startswith("token")]
    assert len(pills) == len(result.tokens)
    params = found.GRAPHS[case]
    weights, _ = found.attended(found.matrices(params), params.causal)
    drawn_pairs = set()
    for row, tip in zip(shafts(spec), tips_of_heads(spec), strict=True):
        near = [nearest(pills, end) for end in (ends(row["path"])[0], tip)]
        drawn_pairs.add((near[1], near[0]))
        width = row["strokeWidth"] / RING_SIZES["slide"].width
        assert weights[near[1], near[0]] == pytest.approx(width, abs=1e-9)
    assert drawn_pairs == {(i, j) for i, j in np.argwhere(weights >= params.threshold).tolist()}


@pytest.mark.parametrize("size", SIZES)
def test_the_numbers_on_the_arrows_are_the_weights(size):
    result = found.graph("default")
    figure = graph_figure(result, Style(size=size))
    weights, _ = found.attended(found.matrices(found.GRAPHS["default"]))
    tips = [row["tip"] for row in cells(figure.spec) if row["tip"].startswith("from")]
    assert len(tips) == weights.size
    for tip in tips:
        source, target = map(int, re.findall(r"token (\d)", tip))
        assert float(tip.rpartition(": ")[2]) == pytest.approx(weights[target - 1, source - 1])
    written = [box.text for box in texts(figure.spec) if re.fullmatch(r"0\.\d{3}", box.text)]
    assert sorted(written) == sorted(f"{weight:.3f}" for weight in weights.ravel())


def test_no_number_lies_on_another_arrows_head_or_a_token():
    result = found.graph("default")
    spec = graph_figure(result, Style(size="slide")).spec
    tips = [row for row in cells(spec) if row["tip"].startswith("from")]
    pills = [row for row in cells(spec) if row["tip"].startswith("token")]
    for label in tips:
        for pill in pills:
            apart = label["x2"] <= pill["x"] or pill["x2"] <= label["x"]
            assert apart or label["y2"] <= pill["y"] or pill["y2"] <= label["y"]


def test_a_threshold_above_every_weight_leaves_tokens_without_arrows():
    figure = graph_figure(found.graph("none"), Style())
    assert shafts(figure.spec) == []
    assert "No weight reaches the threshold of 1, so no arrow is drawn." in figure.note


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["long", "full", "words"])
def test_where_not_every_number_has_room_the_strongest_have_one(case, size):
    result, style = found.graph(case), Style(size=size)
    figure = graph_figure(result, style)
    weights, _ = found.attended(found.matrices(found.GRAPHS[case]))
    tips = [row for row in cells(figure.spec) if row["tip"].startswith("from")]
    ends = [tuple(map(int, re.findall(r"token (\d+)", row["tip"]))) for row in tips]
    shown = sorted((w for w in weights.ravel() if w >= result.params.threshold), reverse=True)
    if len(tips) == len(shown):
        assert "Numbers stand on" not in figure.note
        return
    assert 6 <= len(tips) <= 16
    assert f"Numbers stand on {len(tips)} of {len(shown)} arrows" in figure.note
    marked = [weights[target - 1, source - 1] for source, target in ends]
    assert len(set(shown[:5]) & set(marked)) >= 2
    assert sum(marked) >= 0.5 * sum(shown[: len(marked)])
    for row, weight in zip(tips, marked, strict=True):
        place = Box(row["x"], row["y"], row["x2"], row["y2"])
        assert [box.text for box in texts(figure.spec) if box.inside(place)] == [f"{weight:.2f}"]


def test_no_number_is_left_out_where_there_is_room():
    assert "Numbers stand on" not in graph_figure(found.graph("default"), Style()).note


def test_the_words_for_listeners_name_the_largest_arrows_and_those_that_are_alike():
    drawn = graph_figure(pass_messages(GraphParams()), Style())
    # Textbook: row 1 is largest at key 2, row 2 at key 1, rows 3 and 4 are even.
    assert "token 1 (x1) takes most from token 2 (x2)" in drawn.alt
    assert "token 2 (x2) takes most from token 1 (x1)" in drawn.alt
    for token in (3, 4):
        assert (
            f"token {token} (x{token}) takes alike from tokens 1 (x1), 2 (x2), 3 (x3), 4"
            in drawn.alt
        )


def test_the_matrix_colours_what_the_graph_draws():
    params = found.GRAPHS["long"]
    weights, _ = found.attended(found.matrices(params))
    figure = graph_matrix_figure(found.graph("long"), Style())
    pale = [row for row in cells(figure.spec) if row["fill"] == theme("light").background]
    assert len(pale) == int((weights < params.threshold).sum())
    arrows = [row[6] for row in figure.table.rows]
    assert arrows == (weights.ravel() >= params.threshold).tolist()
    assert "under 0.2" in [box.text for box in texts(figure.spec)]


def test_cells_that_the_causal_mask_hides_are_not_called_too_light():
    figure = graph_matrix_figure(found.graph("causal"), Style())
    hidden = [row for row in cells(figure.spec) if row["tip"].endswith("hidden by the mask")]
    assert len(hidden) == 6


@pytest.mark.parametrize("count", range(1, 13))
def test_tokens_stand_evenly_from_the_top_clockwise(count):
    ways = directions(count)
    turns = [math.atan2(y, x) for x, y in ways]
    steps = {round((b - a) % (2 * math.pi), 9) for a, b in pairwise(turns)}
    assert steps <= {round(2 * math.pi / count, 9)}
    assert ways[0][1] == pytest.approx(min(y for _, y in ways))


def test_an_arrow_ends_where_its_token_begins():
    def ball(middle):
        return lambda point: math.dist(point, middle) <= 10

    curve = bent((0.0, 0.0), (100.0, 0.0), 12.0)
    assert curve.at(0.5) == pytest.approx((50.0, -12.0))  # to the left: up, where y grows downwards
    one = arrow(curve, ball((0, 0)), ball((100, 0)), (8.0, 3.0))
    assert math.dist(one.shaft.start, (0, 0)) == pytest.approx(10, abs=0.05)
    assert math.dist(one.head[1], (100, 0)) == pytest.approx(10, abs=0.05)
    assert math.dist(one.head[0], one.head[2]) == pytest.approx(6.0)
    turn = loop((0.0, 0.0), (0.0, -1.0), 40.0, 12.0)
    assert turn.at(0.5) == pytest.approx((0.0, -40.0))


def test_a_part_of_a_curve_lies_on_it():
    curve = Curve((0, 0), (10, 40), (60, -20), (90, 5))
    part = curve.part(0.2, 0.7)
    for share in (0.0, 0.3, 1.0):
        assert part.at(share) == pytest.approx(curve.at(0.2 + share * 0.5))


# Order ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["default", "textbook", "two"])
@pytest.mark.parametrize("positions", [False, True])
def test_the_four_matrices_are_those_of_attention_run_twice(case, positions):
    result, params = found.order(case), found.ORDERS[case]
    x, *projections = found.matrices(params)
    T = len(x)
    order = [place - 1 for place in params.permutation] or list(range(T))[::-1]
    rows = x, x[order]
    plain, moved = (
        found.attended((found.placed(each) if positions else each, *projections))[1]
        for each in rows
    )
    back = np.empty_like(moved)
    for place, token in enumerate(order):
        back[token] = moved[place]
    wanted = [plain, moved, back, back - plain]
    figure = permutation_figure(result, Style(), positions=positions)
    values = np.array([row[5] for row in figure.table.rows]).reshape(4, T, -1)
    np.testing.assert_allclose(values, wanted, atol=1e-12)
    tokens = [row[3] for row in figure.table.rows[T * plain.shape[1] :: plain.shape[1]][:T]]
    assert tokens == [result.tokens[token] for token in order]


@pytest.mark.parametrize("size", SIZES)
def test_a_line_leads_each_token_to_its_row(size):
    result = found.order("textbook")
    spec = permutation_figure(result, Style(size=size)).spec
    lines = [ends(row["path"]) for row in path_rows(spec) if "C" in row["path"]]
    rows = sorted({start[1] for start, _ in lines})
    there, back = lines[:4], lines[4:]
    assert len(back) == len(rows) == 4
    led = {rows.index(start[1]): rows.index(end[1]) for start, end in there}
    assert [led[token] for token in (1, 2, 3, 0)] == [0, 1, 2, 3]  # 2 3 4 1, counted from 1
    assert {rows.index(start[1]): rows.index(end[1]) for start, end in back} == {
        place: token for token, place in led.items()
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["default", "textbook"])
def test_every_token_is_named_before_and_after_the_permutation(case, size):
    result = found.order(case)
    spec = permutation_figure(result, Style(size=size)).spec
    boxes = texts({"layer": [layer for layer in spec["layer"] if "name" not in layer]})
    for name in set(result.tokens):
        named = [box for box in boxes if box.text == name]
        assert len(named) == 2 * result.tokens.count(name), name
    columns = {round(box.left) for box in boxes if box.text in result.tokens}
    assert len(columns) == 2
    numbers = [box for box in boxes if box.text.isdigit() and box.text != "0"]
    left = [box for box in numbers if box.right < min(columns)]
    assert len({round(box.right) for box in left}) <= 1  # one column
    if size in ("screen", "slide"):
        assert [box.text for box in left] == [str(row) for row in range(1, len(left) + 1)]
        assert len(left) == len(result.tokens)


def test_the_numbers_of_a_small_example_stand_in_its_cells():
    spec = permutation_figure(found.order("textbook"), Style(size="slide"), positions=True).spec
    x, *projections = found.matrices(found.ORDERS["textbook"])
    _, plain = found.attended((found.placed(x), *projections))
    written = [box.text for box in texts(spec)]
    for value in plain.ravel():
        assert f"{value:.3f}".replace("-", "\N{MINUS SIGN}") in written


@pytest.mark.parametrize("case", ["default", "textbook", "two"])
def test_the_weight_of_the_moved_token_is_that_of_attention_run_anew(case):
    result, params = found.order(case), found.ORDERS[case]
    x, *projections = found.matrices(params)
    T, moves = len(x), result.moves
    wanted: list[list[float]] = [[], []]
    for place in range(T):
        others = [token for token in range(T) if token != moves.moved]
        order = [*others[:place], moves.moved, *others[place:]]
        for line, vectors in zip(wanted, (x[order], found.placed(x[order])), strict=True):
            weights, _ = found.attended((vectors, *projections))
            line.append(float(weights[order.index(moves.query), place]))
    chart = content_figure(result, Style()).chart
    assert chart is not None
    assert chart.x == tuple(range(1, T + 1))
    for series, values in zip(chart.series, wanted, strict=True):
        assert series.values == pytest.approx(values, abs=1e-12)


# Reach ----------------------------------------------------------------------------------------


def steps_by_law(params, distance: int) -> dict[str, int]:
    """Return the steps by formulas instead of walks, for a kernel of 3."""
    return {
        "rnn": distance,
        "convolution": math.ceil(distance / (params.kernel // 2)),
        "dilated": math.ceil(math.log2(distance + 1)),
        "window": math.ceil(distance / (params.window // 2)),
        "full": 1,
    }


def test_lines_of_steps_are_staircases_that_follow_the_laws():
    params = found.PATHS["default"]
    chart = paths_figure(found.paths("default"), Style()).chart
    assert chart is not None
    assert chart.x_log
    assert chart.y_log
    names = {"RNN": "rnn", "convolution": "convolution", "dilated convolution": "dilated",
             "windowed attention": "window", "self-attention": "full"}  # fmt: skip
    for series in chart.series:
        corners = list(zip(series.x or (), series.values, strict=True))
        for (left, before), (right, after) in pairwise(corners):
            assert left == right or before == after  # up, or level
        for d in range(1, params.T):
            level = {
                before
                for (left, before), (right, after) in pairwise(corners)
                if left < right and max(left, 1) <= d <= right
            }
            assert level == {steps_by_law(params, d)[names[series.name.partition(" (")[0]]]}


def test_two_positions_have_one_distance():
    chart = paths_figure(found.paths("two"), Style()).chart
    assert chart is not None
    assert {(series.x, series.values) for series in chart.series} == {((1.0,), (1.0,))}


@pytest.mark.parametrize("size", SIZES)
def test_the_axes_of_steps_have_ticks_at_the_same_places_of_each_power(size):
    spec = paths_figure(found.paths("default"), Style(size=size)).spec
    written = {box.text for box in texts(spec)}
    assert {"1", "2", "5", "10", "20", "50"} <= written
    assert not {"40", "60"} & written


def test_growth_stands_behind_the_names_and_the_note_says_what_it_is():
    figure = paths_figure(found.paths("default"), Style())
    written = {box.text for box in texts(figure.spec)}
    assert {"RNN (d)", "windowed attention (d/4)", "self-attention (1)"} <= written
    assert "In brackets: how steps grow with the distance d." in figure.note


def test_lines_that_lie_on_each_other_are_said_to():
    assert "RNN and convolution coincide." in paths_figure(found.paths("default"), Style()).note
    assert "coincide" not in paths_figure(found.paths("long"), Style()).note


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("eye", EYES)
def test_a_dashed_line_is_seen_on_the_wide_one_that_it_may_lie_on(name, eye):
    wide, dashed = (architecture_colour(each, Style(name)) for each in ("rnn", "convolution"))
    assert distance(wide, dashed, eye) >= 24
    assert contrast(wide, dashed) >= 1.9


@pytest.mark.parametrize("case", ["default", "long", "two"])
def test_coloured_cells_are_the_positions_heard_of(case):
    params, result = found.PATHS[case], found.paths(case)
    figure = reached_figure(result, Style())
    place = params.position - 1 if params.position else (params.T + 1) // 2 - 1
    for row in figure.table.rows:
        name, position, heard = row
        distance = place - (int(str(position)) - 1)
        reach = {
            "RNN": params.layers,
            "windowed attention": params.layers * (params.window // 2),
            "convolution": params.layers * (params.kernel // 2),
            "self-attention": params.T,
        }
        if name in reach:
            near = abs(distance) <= reach[str(name)]
            assert heard == (near and (name != "RNN" or distance >= 0)), row
    covered = [tuple(map(int, re.findall(r"\d+", row["tip"]))) for row in cells(figure.spec)]
    assert sum(tip[-1] - tip[0] + 1 for tip in covered) == sum(
        bool(row[2]) for row in figure.table.rows
    )


def test_runs_of_flags():
    assert runs(np.array([1, 1, 0, 1], bool)) == [(0, 1), (3, 3)]
    assert runs(np.array([0, 0], bool)) == []


# Depth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", found.STACKS)
def test_lines_are_the_means_of_the_seeds_and_bands_hold_every_one(case):
    result = found.stack(case)
    for draw, measure in ((cosine_figure, result.cosine), (rank_figure, result.rank)):
        chart = draw(result, Style()).chart
        assert chart is not None
        lines = [each for each in chart.series if each.look == "line"]
        keys = [(residual, heads) for residual in (False, True) for heads in result.heads]
        for series, key in zip(lines, keys, strict=True):
            rows = measure[key].tolist()
            means = [sum(layer) / len(rows) for layer in zip(*rows, strict=True)]
            assert series.values == pytest.approx(means, abs=1e-9)


def test_the_band_of_a_stack_runs_from_its_lowest_seed_to_its_highest():
    result = found.stack("default")
    chart = cosine_figure(result, Style()).chart
    assert chart is not None
    edges = [each for each in chart.series if each.look == "edge"]
    for place, key in enumerate(((False, 1), (True, 1))):
        low, high = edges[2 * place : 2 * place + 2]
        rows = result.cosine[key].tolist()
        assert low.values == pytest.approx([min(layer) for layer in zip(*rows, strict=True)])
        assert high.values == pytest.approx(
            [min(max(layer), 1.0) for layer in zip(*rows, strict=True)]
        )


def test_stacks_are_told_apart_without_colour():
    chart = cosine_figure(found.stack("many"), Style()).chart
    assert chart is not None
    lines = [each for each in chart.series if each.look == "line"]
    assert len({each.kind for each in lines}) == len(lines) == 10


def test_a_line_ends_where_a_vector_is_zero():
    result = found.stack("default")
    gone = {key: np.array(values) for key, values in result.cosine.items()}
    gone[False, 1][2, 5:] = np.nan
    chart = cosine_figure(replace(result, cosine=gone), Style()).chart
    assert chart is not None
    without = next(each for each in chart.series if each.name == "without residual")
    assert without.x == (0.0, 1.0, 2.0, 3.0, 4.0)
    assert (
        "Without residual a vector becomes zero"
        in cosine_figure(replace(result, cosine=gone), Style()).note
    )


# Influence ------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [1, 3])
def test_bars_are_the_moves_when_one_token_changes(token):
    inputs = {"source": SENTENCE, "sentence": "a cat sat on the mat"}
    result = found.influence(**inputs)
    x, *projections = found.matrices(result.params)
    changed = np.array(x)
    changed[token - 1] += 1.0
    chart = influence_figure(result, Style(), token).chart
    assert chart is not None
    for series, causal in zip(chart.series, (False, True), strict=True):
        before, after = (found.attended((each, *projections), causal)[1] for each in (x, changed))
        moves = [max(abs(a - b)) for a, b in zip(before, after, strict=True)]
        assert series.values == pytest.approx(moves, abs=1e-9)
        if causal:
            assert series.values[: token - 1] == (0.0,) * (token - 1)


def test_a_token_that_is_not_there_is_refused():
    for token in ("0", "5", "-1"):
        with pytest.raises(EngineError, match="token must be"):
            prepare(["properties-influence"], [f"properties_influence.token={token}"], "numpy")


# The gallery ----------------------------------------------------------------------------------


def test_every_entry_is_drawn_and_described_in_both_languages():
    names = [entry.name for idea in IDEAS for entry in idea.entries]
    assert [name for name in ENTRIES if name.startswith("properties-")] == names
    for each in prepare(
        names, ["properties_graph.causal=true", "properties_order.positions=on"], "numpy"
    ):
        for language in LANGUAGES:
            assert each.draw(Style(language=language)).spec["layer"]
            assert each.idea.describe is not None
            described = each.idea.describe(each.params, each.view, language)
            assert all(name and text for name, text in described)


def test_settings_reach_the_figures():
    (drawn_graph,) = prepare(["properties-graph"], ["properties_graph.threshold=0.3"], "numpy")
    assert drawn_graph.draw(Style()).name == "properties-graph-textbook-T4-from0.3"
    (order,) = prepare(
        ["properties-permutation"],
        ["properties_order.permutation=2,1,3", "properties_order.sentence=a b c",
         "properties_order.positions=true"],
        "numpy",
    )  # fmt: skip
    assert order.draw(Style()).name == "properties-permutation-sentence-T3-order2_1_3-positions"
