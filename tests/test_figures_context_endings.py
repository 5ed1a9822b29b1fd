"""The figures of two endings and of cut keys: nothing lost, every number where loops say it is."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.experiments.context.endings import EndingsParams, EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult
from pages.figures.context.bar_table import decimals_of
from pages.figures.context.endings import endings_figure
from pages.figures.context.endings_view import EndingsView
from pages.figures.context.knock import knock_figure
from pages.figures.context.knock_bars import knock_bars_figure
from pages.figures.context.knock_points import standing_out
from pages.figures.context.layer_marks import LOOKS, look_of
from pages.figures.context.movement import movement_figure
from pages.figures.context.point_names import PointName, place_names
from pages.figures.context.turns import turns_figure
from pages.figures.context.turns_points import points_of
from pages.figures.figure import Figure, SizeName, Style, ThemeName
from pages.gallery import ENTRIES, prepare
from pages.gallery.context_endings import ENDINGS_IDEA, KNOCK_IDEA
from tests.ending_results import compared, endings, knocked, made, spearman, weights
from tests.figure_marks import Box, cells, texts
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside

SIZES, THEMES = get_args(SizeName), get_args(ThemeName)
VIEW = EndingsView(2, 1)
Draw = Callable[[Style], Figure]
BEGIN = ("[CLS]", "the", "animal", "didn", "'", "t", "cross", "the", "street", "because", "it")
PLAIN = (*BEGIN, "was", "too", "tired", ".", "[SEP]"), (*BEGIN, "was", "too", "wide", ".", "[SEP]")
ODD = ("[CLS]", r"\alpha", "$x^2$", "**a**", "😀", "[UNK]", "动物", "10⁻⁷", "_", "it", "d_k",
       "[UNK]", "unbreakablewordwithoutend" * 3, "<b>", "#")  # fmt: skip


@lru_cache(maxsize=16)
def pair(case: str) -> EndingsResult:
    """Return two texts by name; nothing of it is to be changed."""
    if case == "plain":
        return endings(*PLAIN, query=10, one=2, other=8)
    if case == "odd":
        return endings((*ODD, "a"), (*ODD, "b", "c"), query=9, one=6, other=5, layers=3, heads=2)
    if case == "long":
        many = (*BEGIN, *(f"w{place}" for place in range(120)))
        return endings((*many, "x"), (*many, "y", "z"), query=10, one=2, other=8, layers=2,
                       heads=2)  # fmt: skip
    if case == "large":
        return endings(("a", "b", "it", "x"), ("a", "b", "it", "y"), query=2, one=0, other=1,
                       layers=24, heads=16)  # fmt: skip
    if case == "hidden":
        return endings(*PLAIN, EndingsParams(specials="hidden"), query=10, one=2, other=8)
    raise KeyError(case)


@lru_cache(maxsize=16)
def cut(case: str) -> KnockResult:
    """Return cut keys by name."""
    if case == "none":
        return knocked(made(("the",), weights(1), family="gpt2"), 0, [math.nan])
    if case == "causal":
        study = made(("␣The", "␣animal", "␣it"), np.tril(weights(3)), family="gpt2", recorded=False)
        return knocked(study, 1, [0.2, 0.1, math.nan])
    tokens = {
        "plain": PLAIN[0], "odd": ODD, "many": tuple(f"w{place}" for place in range(200)),
    }[case]  # fmt: skip
    study = made(tokens, weights(len(tokens)))
    generator = np.random.default_rng(7)
    row = study.attention[4, 0, 9]
    effects = [float(w) * math.exp(generator.standard_normal()) for w in row]
    return knocked(study, 9, effects)


def drawn(case: str) -> list[Draw]:
    """Return every figure of a pair of texts."""
    result = pair(case)
    return [partial(_of_pair, draw, result) for draw in (endings_figure, turns_figure,
                                                         movement_figure)]  # fmt: skip


def _of_pair(draw: Any, result: EndingsResult, style: Style) -> Figure:
    figure: Figure = draw(result, VIEW, style)
    return figure


def drawn_cut(case: str) -> list[Draw]:
    return [partial(draw, cut(case)) for draw in (knock_figure, knock_bars_figure)]


# Every figure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["plain", "odd"])
def test_nothing_is_lost_clipped_small_or_overlapping(case, size):
    for language in ("en", "zh"):
        style = Style(size=size, language=language)
        for draw in [*drawn(case), *drawn_cut(case)]:
            figure = draw(style)
            assert wrong_with(figure, style) == []
            assert outside(figure.spec) == [], figure.name


@pytest.mark.parametrize("style", [Style(), Style(size="half", language="zh", decimals=6)])
def test_long_texts_large_models_and_nothing_at_all_fit(style):
    draws = [*drawn("long"), *drawn("large")[1:], *drawn("hidden")[:1]]
    draws += [draw for case in ("none", "causal", "many") for draw in drawn_cut(case)]
    for draw in draws:
        figure = draw(style)
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


def test_a_theme_changes_no_place():
    draws = [*drawn("plain"), *drawn_cut("plain")]

    def places(name):
        specs = [draw(Style(name, size="slide")).spec for draw in draws]
        return [[(box.left, box.top, box.text) for box in texts(spec)] for spec in specs]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_has_a_name_words_and_a_table():
    figures = [draw(Style()) for draw in [*drawn("plain"), *drawn_cut("plain")]]
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert re.fullmatch(r"context-[A-Za-z0-9._-]+", figure.name)
        assert figure.note.endswith(".")
        assert figure.alt.startswith(f"{figure.title}.")
        assert figure.table.rows
        assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}
        assert "recorded" in figure.note


# The row in both texts ------------------------------------------------------------------------


def tips(spec, word: str) -> list[str]:
    return [row["tip"] for row in cells(spec) if word in row["tip"]]


def test_the_rows_of_both_texts_are_those_of_the_attention():
    result = pair("plain")
    figure = endings_figure(result, VIEW, Style())
    row = [study.attention[1, 0, 10] for study in (result.first, result.second)]
    wanted = [(f"{float(row[0][j]):.3f}", f"{float(row[1][j]):.3f}") for j in range(16)]
    lines: dict[float, list[Box]] = {}
    for box in texts(figure.spec):
        lines.setdefault(round((box.top + box.bottom) / 2, 1), []).append(box)
    found = [
        [box.text for box in sorted(boxes, key=lambda box: box.left)]
        for _, boxes in sorted(lines.items())
    ]
    assert [line[0] for line in found[1:]] == [
        "[CLS]", "the 2", "animal", "didn", "'", "t", "cross", "the 8", "street", "because", "it",
        "was", "too", "tired / wide", ".", "[SEP]",
    ]  # fmt: skip
    assert [tuple(line[1:3]) for line in found[1:]] == wanted
    for line, (first, second) in zip(found[1:], wanted, strict=True):
        change = float(second) - float(first)
        assert float(line[3].replace("−", "-")) == pytest.approx(change, abs=0.0011)


@pytest.mark.parametrize("size", SIZES)
def test_bars_are_as_long_as_their_weights(size):
    result = pair("plain")
    spec = endings_figure(result, VIEW, Style(size=size)).spec
    tipped = [row for row in cells(spec) if "difference" in row["tip"]]
    assert len(tipped) == 16
    filled = [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rect" and "name" not in layer
        for row in layer["data"]["values"]
        if "tip" not in row and row["fill"] not in ("transparent",)
    ]
    first, second = (study.attention[1, 0, 10] for study in (result.first, result.second))
    units = []
    for place, tip in enumerate(tipped):
        inside = [
            row for row in filled if row["y"] > tip["y"] and row["y2"] < tip["y2"]
        ]  # no tint of a row, which is as high as the row
        bars = sorted(inside, key=lambda row: (row["x"] > 0.6 * tip["x2"], row["y"]))
        lengths = [row["x2"] - row["x"] for row in bars]
        change = float(second[place]) - float(first[place])
        expected = [float(first[place]), float(second[place]), abs(change)]
        units.append([length / value for length, value in zip(lengths, expected, strict=True)])
    for column in np.array(units).T:
        np.testing.assert_allclose(column, column[0], rtol=1e-6)


def test_what_has_no_row_is_added_up():
    result = pair("long")
    figure = endings_figure(result, VIEW, Style())
    numbers = [float(tip.split(": ")[1].split(" ")[0]) for tip in tips(figure.spec, "difference")]
    assert sum(numbers) == pytest.approx(1.0, abs=3e-3)
    shown = len(numbers) - 2  # without what is not shared, and the others
    assert f"Of {len(result.shared)} shared tokens {shown} have a row" in figure.note
    assert f"{len(result.shared) - shown} others" in [box.text for box in texts(figure.spec)]
    named = {box.text for box in texts(figure.spec)}
    assert {"animal", "street", "it"} <= named
    assert len(figure.table.rows) == len(result.shared) + 1


def test_special_tokens_that_are_left_out_are_said_to_be():
    assert "pecial tokens are hidden" in endings_figure(pair("hidden"), VIEW, Style()).note
    assert "pecial tokens" not in endings_figure(pair("plain"), VIEW, Style()).note


@pytest.mark.parametrize("view", [EndingsView(7, 1), EndingsView(1, 13), EndingsView(0, 1)])
def test_a_head_that_the_model_lacks_is_refused(view):
    for entry in ENDINGS_IDEA.entries:
        with pytest.raises(EngineError, match="must be a whole number from 1 to"):
            entry.check(pair("plain"), view)


# Heads that turn ------------------------------------------------------------------------------


def middles(spec, pattern: str) -> dict[tuple[str, ...], tuple[float, float]]:
    """Return the middle of each cell whose tip has a pattern, by what the pattern finds in it."""
    found = {}
    for row in cells(spec):
        match = re.match(pattern, row["tip"])
        if match:
            found[match.groups()] = (row["x"] + row["x2"]) / 2, (row["y"] + row["y2"]) / 2
    return found


def straight(values: list[float], pixels: list[float]) -> None:
    """Assert that pixels are a straight function of values."""
    slope, start = np.polyfit(values, pixels, 1)
    np.testing.assert_allclose(slope * np.array(values) + start, pixels, atol=0.05)


@pytest.mark.parametrize("size", SIZES)
def test_heads_stand_where_their_ratios_are(size):
    result = pair("plain")
    spec = turns_figure(result, VIEW, Style(size=size)).spec
    places = middles(spec, r"layer (\d+), head (\d+): ")
    assert len(places) == 72
    ratios = {
        key: [
            math.log(float(row[2]) / float(row[8]))
            for study in (result.first, result.second)
            for row in [study.attention[int(key[0]) - 1, int(key[1]) - 1, 10]]
        ]
        for key in places
    }
    limits = [math.log(limit) for limit in (4, 10, 30, 100)]
    spread = {key: max(map(abs, pair)) for key, pair in ratios.items()}
    limit = next(
        (each for each in limits if sum(s <= each for s in spread.values()) >= 0.9 * 72),
        limits[-1],
    )
    for axis in (0, 1):
        inside = [key for key in places if abs(ratios[key][axis]) <= limit]
        straight([ratios[key][axis] for key in inside], [places[key][axis] for key in inside])


def test_heads_that_turn_stand_in_the_tinted_corners_and_have_names():
    result = pair("plain")
    spec = turns_figure(result, VIEW, Style(size="slide")).spec
    under = [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
        if row["y2"] - row["y"] > 60 and "tip" not in row
    ]
    assert len(under) == 2
    corners = [Box(row["x"], row["y"], row["x2"], row["y2"]) for row in under]
    turned = 0
    for (layer, head), (x, y) in middles(spec, r"layer (\d+), head (\d+): ").items():
        inside = any(Box(x, y, x, y).inside(corner) for corner in corners)
        assert inside or not result.turned[int(layer) - 1, int(head) - 1]
        turned += inside
    assert turned >= int(result.turned.sum()) > 0
    named = [box.text for box in texts(spec) if re.fullmatch(r"L\d+H\d+", box.text)]
    assert "L2H1" in named  # the head that is looked at
    others = {f"L{layer + 1}H{head + 1}" for layer, head in np.argwhere(result.turned).tolist()}
    assert set(named) - {"L2H1"} <= others


def test_heads_without_a_ratio_or_beyond_the_axes_are_counted():
    result = pair("plain")
    attention = np.array(result.first.attention)
    attention[2, 3, 10, 2] = 0.0
    attention[2, 4, 10, 2] = 1e-30
    changed = compared(made(PLAIN[0], attention), result.second, query=10, one=2, other=8)
    figure = turns_figure(changed, VIEW, Style())
    assert "1 head gives one of them no weight, and has no ratio." in figure.note
    assert "beyond the axes" in figure.note
    assert len(middles(figure.spec, r"layer (\d+), head (\d+): ")) == 71


@pytest.mark.parametrize(("many", "limit"), [(0, 4.0), (7, 4.0), (8, 100.0), (72, 100.0)])
def test_the_axes_hold_nine_of_ten_heads(many, limit):
    ratio = np.full((2, 6, 12), math.log(2.0))
    ratio[1].ravel()[:many] = -math.log(50.0)
    points = points_of(replace(pair("plain"), log_ratio=ratio))
    assert points.limit == limit
    assert points.beyond == (many if limit < 50 else 0)
    assert points.inside(50.0) == min(50.0, limit)
    assert points.inside(1 / 50) == max(1 / 50, 1 / limit)


@pytest.mark.parametrize("layers", [1, 6, 7, 12, 24, 48])
def test_layers_share_six_looks_in_their_order(layers):
    looks = [look_of(layer, layers) for layer in range(layers)]
    assert looks == sorted(looks)
    assert max(looks) < LOOKS
    assert layers > 6 or looks == list(range(layers))


# How far heads move ---------------------------------------------------------------------------


def test_cells_say_how_many_percent_move_and_which_heads_turn():
    result = pair("plain")
    spec = movement_figure(result, VIEW, Style(size="slide")).spec
    shown = [box for box in texts({"layer": [each for each in spec["layer"] if "name" not in each]})
             if re.fullmatch(r"\d+", box.text)]  # fmt: skip
    places = middles(spec, r"layer (\d+), head (\d+): ")
    assert len(places) == 72
    for (layer, head), (x, y) in places.items():
        gaps = 0.0
        rows = [study.attention[int(layer) - 1, int(head) - 1, 10] for study in
                (result.first, result.second)]  # fmt: skip
        for place in range(16):
            gaps += abs(float(rows[0][place]) - float(rows[1][place]))
        inside = [
            box.text for box in shown if box.left < x < box.right and box.top < y < box.bottom
        ]
        assert inside == [f"{100 * gaps / 2:.0f}"]
    turning = tips(spec, "it turns")
    assert len(turning) == int(result.turned.sum())
    corners = [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if row["path"].endswith("Z") and "h" in row["path"]
    ]
    assert len(corners) == len(turning) + 1  # one of the legend


@pytest.mark.parametrize("draw", [turns_figure, movement_figure])
def test_a_click_gives_the_head_that_the_pointer_reads(draw):
    clicked = [row for row in cells(draw(pair("plain"), VIEW, Style()).spec) if "row" in row]
    assert len(clicked) == 72
    for row in clicked:
        assert f"layer {row['row'] + 1}, head {row['column'] + 1}: " in row["tip"]


# Weight and effect ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["plain", "many"])
def test_keys_stand_where_weight_and_effect_are(case, size):
    result = cut(case)
    spec = knock_figure(result, Style(size=size)).spec
    rows = [row for row in cells(spec) if ": weight" in row["tip"]]
    assert len(rows) == result.measured
    for axis, values in (("x", result.weights), ("y", result.effects)):
        pixels = [(row[axis] + row[f"{axis}2"]) / 2 for row in rows]
        straight([math.log(value) for value in values.tolist()], pixels)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["plain", "odd", "many"])
def test_no_name_lies_on_a_point_or_another_name(case, size):
    result = cut(case)
    figure = knock_figure(result, Style(size=size))
    points = [
        Box(row["x"], row["y"], row["x2"], row["y2"])
        for row in cells(figure.spec)
        if ": weight" in row["tip"]
    ]
    left, right = min(p.left for p in points), max(p.right for p in points)
    top, bottom = min(p.top for p in points), max(p.bottom for p in points)
    around = Box(left - 90, top - 40, right + 90, bottom + 30)
    unnamed = [layer for layer in figure.spec["layer"] if "name" not in layer]
    names = {row["tip"].partition(": ")[0] for row in cells(figure.spec)}
    labels = [box for box in texts({"layer": unnamed}) if box.text in names and box.inside(around)]
    assert len(labels) >= 8
    for one, other in combinations(labels, 2):
        assert not one.meets(other)
    for label in labels:
        for point in points:
            middle = (point.left + point.right) / 2, (point.top + point.bottom) / 2
            assert not label.meets(Box(middle[0] - 3, middle[1] - 3, middle[0] + 3, middle[1] + 3))
    tops = {result.study.tokens[key] for key in (result.top_weight, result.top_effect)}
    assert {text for text in tops if len(text) < 12} <= {box.text for box in labels}


def test_the_rank_correlation_stands_above_the_plot():
    result = cut("plain")
    wanted = spearman(result.weights.tolist(), result.effects.tolist())
    shown = [box.text for box in texts(knock_figure(result, Style()).spec)]
    assert f"Rank correlation {wanted:.2f} over 16 keys" in shown
    assert "No rank correlation" in [
        box.text for box in texts(knock_figure(cut("none"), Style()).spec)
    ]


def test_keys_of_zero_weight_are_counted_and_not_drawn():
    study = made(PLAIN[0], weights(16))
    attention = np.array(study.attention)
    attention[4, 0, 10, 3] = 0.0
    result = knocked(made(PLAIN[0], attention), 10, [0.1 + place / 100 for place in range(16)])
    figure = knock_figure(result, Style())
    assert "1 key has a weight or an effect of 0 to rounding" in figure.note
    assert "count as 0" not in figure.note
    assert len(tips(figure.spec, ": weight")) == 15
    assert len(figure.table.rows) == 16


def test_effects_of_nothing_are_said_to_be_rounding():
    attention = np.array(made(PLAIN[0], weights(16)).attention)
    attention[4, 0, 10, 3] = 1e-19
    effects = [0.0 if place in (4, 5) else 0.1 for place in range(16)]
    found = replace(knocked(made(PLAIN[0], attention), 10, effects), floor=0.003)
    figure, bars = knock_figure(found, Style()), knock_bars_figure(found, Style())
    assert "2 keys have a weight or an effect of 0 to rounding" in figure.note
    for note in (figure.note, bars.note):
        assert "Effects up to 0.003 are rounding and count as 0." in note
    assert {row[4] for row in figure.table.rows} == {0.003}
    assert sum("effect 0 to rounding" in tip for tip in tips(bars.spec, ": weight")) == 2


def test_a_tie_of_all_keys_stands_out_nowhere():
    row = np.full((6, 12, 4, 4), 0.25, dtype=np.float32)
    study = made(tuple("abcd"), row)
    assert standing_out(knocked(study, 0, [0.1, 0.2, 0.2, 0.1])) == {1, 2}
    assert standing_out(knocked(study, 0, [0.1] * 4)) == frozenset()
    assert standing_out(knocked(study, 0, [math.nan] * 4)) == frozenset()


def test_notes_say_what_is_tinted_and_that_axes_are_logarithmic():
    note = endings_figure(pair("plain"), VIEW, Style()).note
    assert "Tinted rows: the two words compared, and “it” itself." in note
    for figure in (knock_figure(cut("plain"), Style()), turns_figure(pair("plain"), VIEW, Style())):
        assert "both axes are logarithmic." in figure.note.lower()
    study = made(tuple("abcd"), np.full((6, 12, 4, 4), 0.25, dtype=np.float32))
    tops = "Tinted rows: the keys with most weight and most effect"
    for effects, said in (
        ([0.1, 0.2, 0.2, 0.1], f"{tops}, and “a” itself."), ([0.1] * 4, "Tinted row: “a” itself."),
        ([0.3, 0.2, 0.2, 0.1], f"{tops}."),
    ):  # fmt: skip
        assert said in knock_bars_figure(knocked(study, 0, effects), Style()).note


def test_words_that_weights_chose_are_named_in_every_note():
    for automatic in (True, False):
        found = replace(pair("plain"), automatic=automatic)
        for draw in (endings_figure, turns_figure, movement_figure):
            note = draw(found, VIEW, Style()).note
            assert ("“animal” and “street” were not named, but chosen" in note) == automatic


def test_a_ratio_that_turns_is_never_written_as_one():
    row = np.full((1, 1, 4, 4), 0.25, dtype=np.float32)
    first, second = row.copy(), row.copy()
    first[0, 0, 2, 0], second[0, 0, 2, 0] = 0.25003, 0.24997
    studies = [made(("a", "b", "it", end), each) for end, each in (("x", first), ("y", second))]
    found = compared(studies[0], studies[1], query=2, one=0, other=1)
    (tip,) = tips(turns_figure(found, EndingsView(1, 1), Style()).spec, "layer 1, head 1:")
    a, b = (float(each) for each in re.findall(r": ([\d.]+) .*, ([\d.]+) with", tip)[0])
    assert a > 1 > b


def test_bars_of_keys_hold_the_strongest_and_their_numbers():
    result = cut("many")
    figure = knock_bars_figure(result, Style())
    shown = [tip.partition(": ")[0] for tip in tips(figure.spec, ": weight")]
    assert f"Of 200 keys, the {len(shown)} with most weight or effect have a row." in figure.note
    shares = [
        max(weight / max(result.weights), effect / max(result.effects))
        for weight, effect in zip(result.weights, result.effects, strict=True)
    ]
    order = sorted(range(200), key=lambda key: -shares[key])[: len(shown)]
    assert sorted(shown) == sorted(f"w{key}" for key in order)
    numbers = [box.text for box in texts(figure.spec)]
    for key in order:
        # The largest is 0.072 or so: three digits of it are four decimals.
        assert f"{float(result.weights[key]):.4f}" in numbers


def test_a_key_that_cannot_be_cut_has_a_weight_and_no_effect():
    figure = knock_bars_figure(cut("causal"), Style())
    assert figure.table.rows[2][3] == ""
    assert "–" in [box.text for box in texts(figure.spec)]
    assert "1 key cannot be cut" in figure.note


@pytest.mark.parametrize(
    ("values", "decimals"),
    [((0.5, 0.1), 3), ((0.0123, math.nan), 4), ((0.00012,), 6), ((0.0,), 3), ((12.0,), 3)],
)
def test_numbers_have_as_many_digits_as_the_largest_needs(values, decimals):
    assert decimals_of(values, 3) == decimals


# Names beside points --------------------------------------------------------------------------

_place = st.tuples(st.floats(0, 400), st.floats(0, 300))


@settings(max_examples=40)
@given(st.lists(st.tuples(_place, st.floats(8, 120)), min_size=1, max_size=30))
def test_names_keep_off_points_and_each_other(given):
    names = [PointName(point, width, 14.0) for point, width in given]
    room = (-20.0, -20.0, 440.0, 340.0)
    points = [name.point for name in names]
    boxes = []
    for name, placed in zip(names, place_names(names, room, points, 4.0), strict=True):
        if placed is None:
            continue
        x, y = placed.middle
        box = Box(x - name.width / 2, y - 7, x + name.width / 2, y + 7)
        assert box.inside(Box(-20, -20, 420, 320))
        for px, py in points:
            assert not box.meets(Box(px - 4, py - 4, px + 4, py + 4), slack=0.0)
        far = max(box.left - name.point[0], name.point[0] - box.right,
                  box.top - name.point[1], name.point[1] - box.bottom)  # fmt: skip
        assert placed.line is not None or far <= 4 + 2 + 14
        boxes.append(box)
    assert boxes
    for one, other in combinations(boxes, 2):
        assert not one.meets(other, slack=0.0)


# The gallery ----------------------------------------------------------------------------------


def test_the_gallery_draws_the_recorded_pair_and_its_cut_keys():
    names = [entry.name for idea in (ENDINGS_IDEA, KNOCK_IDEA) for entry in idea.entries]
    exhibits = prepare(names, backend="numpy")
    assert [each.entry.name for each in exhibits] == names
    for each in exhibits:
        assert each.draw(Style()).table.rows
    assert set(names) <= set(ENTRIES)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_notes_describe_what_was_computed(language):
    for idea, params in (
        (ENDINGS_IDEA, EndingsParams(one=3, model="/a/model")),
        (KNOCK_IDEA, KnockParams(scope="layer", rows="all", query=2)),
    ):
        assert idea.describe is not None
        described = dict(idea.describe(params, idea.view(), language))
        assert all(name and text for name, text in described.items())
        assert len(described) >= 3
