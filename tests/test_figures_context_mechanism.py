"""The figures of the mechanism: nothing lost, and every arrow as wide as its weight."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.experiments.context.pictured import PictureParams, picture_of
from engine.experiments.context.single_layer import SingleLayerParams, compare_in_one_layer
from engine.experiments.context.two_layers import TwoLayersParams, walk_through
from pages.figures.context.one_layer import one_layer_figure
from pages.figures.context.one_layer_ratios import ratios_figure
from pages.figures.context.picture import picture_figure
from pages.figures.context.ribbons import Ribbon, RibbonSizes, ribbons
from pages.figures.context.two_layers import two_layers_figure
from pages.figures.context.two_layers_matrices import two_layers_matrices_figure
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.palette import theme
from pages.gallery import ENTRIES, exhibit, prepare
from pages.gallery.context_mechanism import (
    ONE_LAYER,
    ONE_LAYER_IDEA,
    PICTURE_IDEA,
    TWO_LAYERS_IDEA,
    OneLayerView,
)
from tests.figure_marks import cells, texts
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
ENDINGS = ("tired", "wide")
IT, ANIMAL, STREET, LAST = 7, 1, 5, 10
# What the text has on its arrows, from "The" to "tired", without "it".
DRAWN = (0.05, 0.45, 0.02, 0.05, 0.03, 0.10, 0.05, 0.05, 0.05, 0.15)
SIZE = RibbonSizes(gap=1.5, head=5.0, tip=9.0, foot=4.0)


@lru_cache(maxsize=1)
def picture():
    return picture_of(PictureParams())


@lru_cache(maxsize=8)
def one_layer(**params):
    return compare_in_one_layer(SingleLayerParams(**params), backend="numpy")


@lru_cache(maxsize=16)
def two_layers(strength: float = 4.0, residual: bool = True):
    return walk_through(TwoLayersParams(strength, residual), backend="numpy")


def drawn(style: Style) -> Iterator[Figure]:
    """Draw every figure, with results of several kinds."""
    yield from (picture_figure(picture(), style, each) for each in ("both", "tired"))
    for result in (one_layer(), one_layer(heads=1, spread=0.0)):
        yield one_layer_figure(result, style, 1)
        yield ratios_figure(result, style, result.params.heads)
    for found in (two_layers(), two_layers(0.0), two_layers(50.0)):
        yield two_layers_figure(found, style)
    yield two_layers_matrices_figure(two_layers(), style, 1, "tired")
    yield two_layers_matrices_figure(two_layers(3.14159), style, 2, "wide")


# Every figure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_lost_clipped_small_or_overlapping(size, language):
    style = Style(size=size, language=language)
    for figure in drawn(style):
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name
        assert leaving(figure) == [], figure.name


@pytest.mark.parametrize("decimals", [0, 6])
def test_other_decimals_and_a_model_without_residuals_fit(decimals):
    style, found = Style(size="half", decimals=decimals), two_layers(3.14159, False)
    figures = [two_layers_figure(found, style)]
    figures += [two_layers_matrices_figure(found, style, layer) for layer in (1, 2)]
    figures.append(one_layer_figure(one_layer(), style))
    for figure in figures:
        assert wrong_with(figure, style) == []


def test_a_theme_changes_no_place():
    def places(name):
        style = Style(name, size="slide")
        figures = (picture_figure(picture(), style), two_layers_figure(two_layers(), style),
                   two_layers_matrices_figure(two_layers(), style))  # fmt: skip
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in figures]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_has_a_name_words_and_a_table():
    for figure in drawn(Style()):
        assert re.fullmatch(r"context-[A-Za-z0-9._-]+", figure.name)
        assert figure.note.endswith(".")
        assert figure.alt.startswith(figure.title)
        assert figure.table.rows
        assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}


# Ribbons --------------------------------------------------------------------------------------


def outlines(figure: Figure) -> list[list[tuple[float, float]]]:
    """Return the polygons of the ribbons, in pixels, without the ground under each."""
    background = theme("light").background
    rows = [
        row
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if re.fullmatch(r"[ML\d.,-]+Z", row["path"])
        and row["fill"] not in ("transparent", background)
    ]
    return [[point_of(pair) for pair in re.split("[ML]", row["path"][:-1]) if pair] for row in rows]


def point_of(pair: str) -> tuple[float, float]:
    x, y = pair.split(",")
    return float(x), float(y)


def leaving(figure: Figure) -> list[Any]:
    """Return the points of ribbons that leave the room of the picture."""
    spec = figure.spec
    frame = spec.get("usermeta", {}).get("frame", {})
    left, top, width, height = frame.get("body", (0, 0, spec["width"], spec["height"]))
    return [
        (x, y)
        for outline in outlines(figure)
        for x, y in outline
        if not (left - 1 <= x <= left + width + 1 and top - 1 <= y <= top + height + 1)
    ]


def width_of(outline: list[tuple[float, float]]) -> float:
    """Return how wide a ribbon is where it leaves its word."""
    return math.dist(outline[0], outline[-1])


def tip_of(outline: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the tip: the middle point of an outline that is as long on either side."""
    return outline[len(outline) // 2]


WEIGHTS = st.lists(st.floats(0.0, 1.0).map(lambda w: w if w > 1e-3 else 0.0),
                   min_size=11, max_size=11)  # fmt: skip


@settings(max_examples=40)
@given(WEIGHTS, st.integers(0, 10), st.floats(0.0, 60.0), st.floats(0.0, 0.6))
def test_ribbons_are_as_wide_as_weights_and_cross_nowhere(weights, query, unit, bow):
    total = sum(weights) * unit + 11 * 8
    starts = [place * 60.0 + (total if place > query else 0.0) for place in range(11)]
    middles = [start + (total / 2 if place == query else 25.0)
               for place, start in enumerate(starts)]  # fmt: skip
    found = ribbons(middles, weights, query, unit, SIZE, bow)
    assert [each.word for each in sorted(found, key=lambda each: each.word)] == [
        place for place, weight in enumerate(weights) if weight and place != query
    ]
    for each in found:
        assert each.width == pytest.approx(weights[each.word] * unit)
        assert each.start == middles[each.word]
        assert starts[query] <= each.end - each.head / 2
        assert each.end + each.head / 2 <= starts[query] + total
    for one, other in combinations(found, 2):
        assert abs(one.end - other.end) >= (one.head + other.head) / 2
        assert not crossing(one, other)


def crossing(one: Ribbon, other: Ribbon) -> bool:
    """Return whether the middles of two ribbons cross."""
    (a, b), (c, d) = ((line[:-1, None], line[1:, None]) for line in map(every_third, (one, other)))
    c, d = np.swapaxes(c, 0, 1), np.swapaxes(d, 0, 1)

    def side(p, q, r):
        return (q - p)[..., 0] * (r - p)[..., 1] - (q - p)[..., 1] * (r - p)[..., 0]

    apart = (side(a, b, c) * side(a, b, d) >= 0) | (side(c, d, a) * side(c, d, b) >= 0)
    return not apart.all()


def every_third(each: Ribbon) -> np.ndarray:
    return np.array(each.middle[::3])


# The picture ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_picture_has_the_weights_as_numbers_and_as_widths(size, ending):
    figure = picture_figure(picture(), Style(size=size), ending)
    weights = list(DRAWN)
    if ending == "wide":
        weights[1], weights[5] = weights[5], weights[1]
    numbers = [box.text for box in texts(figure.spec) if re.fullmatch(r"0\.\d\d", box.text)]
    assert sorted(numbers) == sorted(f"{weight:.2f}" for weight in weights)
    widths = sorted(map(width_of, outlines(figure)))
    unit = widths[-1] / 0.45
    assert widths == pytest.approx([unit * weight for weight in sorted(weights)], abs=0.03)


def test_every_arrow_of_the_picture_ends_at_it():
    for size in SIZES:
        figure = picture_figure(picture(), Style(size=size))
        paint = theme("light").roles["query"]
        boxes = [row for row in cells(figure.spec) if row["fill"] == paint]
        assert len(boxes) == 2
        for outline in outlines(figure):
            x, y = tip_of(outline)
            assert any(
                row["x"] - 0.1 <= x <= row["x2"] + 0.1 and row["y"] - 0.1 <= y <= row["y2"] + 0.1
                for row in boxes
            )


def test_the_picture_says_wherever_it_goes_that_it_is_drawn_by_hand():
    for size, ending in [(size, ending) for size in SIZES for ending in ("both", *ENDINGS)]:
        figure = picture_figure(picture(), Style(size=size), ending)
        assert "by hand" in figure.title
        assert "by hand" in figure.note
        if size in ("screen", "slide"):
            badges = [box for box in texts(figure.spec) if "not computed" in box.text]
            assert len([b for b in badges if b.text.startswith("drawn")]) == 1 + (ending == "both")


# One layer ------------------------------------------------------------------------------------


def test_bars_and_ratios_are_the_row_of_the_chosen_head():
    result = one_layer()
    for head in (1, 8):
        figure = one_layer_figure(result, Style(), head)
        assert figure.chart is not None
        for side, series in enumerate(figure.chart.series):
            row = result.weights[side, head - 1]
            assert series.values == tuple(row.tolist())
            ratio = row[ANIMAL] / row[STREET]
            (shown,) = re.findall(r"= (?:1\s:\s)?([\d.,]+)", series.name)
            expected = max(ratio, 1 / ratio)
            assert float(shown.replace(",", "")) == pytest.approx(expected, rel=6e-3)
            assert series.name.endswith("\xa0:\xa01") == (ratio >= 1)
        assert figure.table.rows[-1][2:] == pytest.approx((ratio, ratio))


def test_the_head_shown_at_first_is_the_one_that_moves_most():
    moved = compare_in_one_layer(SingleLayerParams()).movement.tolist()
    assert moved.index(max(moved)) + 1 == OneLayerView().head
    fewer = compare_in_one_layer(SingleLayerParams(heads=3))
    drawn = exhibit(ONE_LAYER, fewer, params=SingleLayerParams(heads=3)).draw(Style())
    assert drawn.title.endswith("head 3")


@pytest.mark.parametrize("size", SIZES)
def test_the_last_group_keeps_its_name(size):
    shown = [each.text for each in texts(one_layer_figure(one_layer(), Style(size=size)).spec)]
    assert "last word" in shown


def test_every_head_is_a_point_on_the_diagonal():
    result = one_layer(heads=12)
    figure = ratios_figure(result, Style(), 3)
    assert figure.chart is not None
    diagonal, *points = figure.chart.series
    assert diagonal.values == diagonal.x
    found = sorted(pair for each in points for pair in zip(each.x or (), each.values, strict=True))
    logs = [np.log(row[:, ANIMAL] / row[:, STREET]) for row in result.weights]
    assert np.array(found) == pytest.approx(np.array(sorted(zip(*logs, strict=True))), abs=1e-9)
    assert points[-1].name == "head 3"
    assert points[-1].x == pytest.approx((logs[0][2],))


# Two layers -----------------------------------------------------------------------------------


def rows_of(strength: float) -> dict[tuple[str, int], list[float]]:
    """Return the row of "it" in both layers, from the score of the one word that stands out."""
    found = {}
    for ending, noun in (("tired", ANIMAL), ("wide", STREET)):
        heard = math.exp(strength) / (math.exp(strength) + 10)
        raised = math.exp(strength * heard / math.sqrt(2))
        for layer, place, high in ((1, LAST, math.exp(strength)), (2, noun, raised)):
            row = [1.0 / (high + 10)] * 11
            row[place] = high / (high + 10)
            found[ending, layer] = row
    return found


@pytest.mark.parametrize("strength", [0.0, 4.0, 12.0])
def test_cells_and_arrows_hold_the_rows_of_it(strength):
    expected = rows_of(strength)
    for size in ("screen", "half"):
        style = Style(size=size)
        figure = two_layers_figure(two_layers(strength), style)
        tips = [row["tip"] for row in cells(figure.spec) if row["tip"].startswith("layer")]
        wanted = [
            f"layer {layer}, from “{word}”: {expected[ending, layer][place]:.6f}"
            for ending in ENDINGS
            for place, word in enumerate((*WORDS, ending))
            for layer in (1, 2)
        ]
        assert sorted(tips) == sorted(wanted)  # "it" among them, so that each column adds up to 1
        decimals = 3 if size == "screen" else 2
        weights = [row[place] for row in expected.values() for place in range(11) if place != IT]
        shown = sorted(each for each in weights if round(each, decimals))
        widths = sorted(map(width_of, outlines(figure)))
        assert widths == pytest.approx([each * widths[-1] / shown[-1] for each in shown], abs=0.03)


WORDS = ["The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too"]


def test_it_says_what_either_layer_brings():
    figure = two_layers_figure(two_layers(), Style(size="slide"))
    shown = {box.text for box in texts(figure.spec)}
    rows = rows_of(4.0)
    heard, animal, street = rows["tired", 1][LAST], *(rows["tired", 2][p] for p in (ANIMAL, STREET))
    assert f"+ said of living {heard:.3f}" in shown
    assert f"+ living {animal:.3f}, width {street:.3f}" in shown
    assert f"+ width {animal:.3f}, living {street:.3f}" in shown
    assert "… too tired: “it” finds “animal”" in shown
    assert "… too wide: “it” finds “street”" in shown


def test_where_nothing_is_found_the_figure_says_so():
    for result in (two_layers(0.0), two_layers(4.0, False)):
        shown = {box.text for box in texts(two_layers_figure(result, Style()).spec)}
        assert {f"… too {word}: “it” finds no word" for word in ENDINGS} <= shown
    shown = {box.text for box in texts(two_layers_figure(two_layers(4.0, False), Style()).spec)}
    assert "= no feature" in shown


def test_the_matrices_are_written_cell_by_cell():
    figure = two_layers_matrices_figure(two_layers(3.0), Style(), 1, "wide")
    held = {
        ("X", "animal", "living"): 1, ("X", "street", "width"): 1, ("X", "it", "pronoun"): 1,
        ("X", "wide", "asks_width"): 1, ("W_Q", "pronoun", "asks"): 3,
        ("W_K", "asks_living", "asks"): 1, ("W_K", "asks_width", "asks"): 1,
        ("W_V", "asks_living", "asks_living"): 1, ("W_V", "asks_width", "asks_width"): 1,
    }  # fmt: skip
    found = {(row[0], row[2], row[4]): row[5] for row in figure.table.rows if row[5]}
    assert found == held
    numbers = [box.text for box in texts(figure.spec) if re.fullmatch(r"[\d.]+", box.text)]
    assert sorted(numbers) == sorted(["0"] * (11 * 5 + 5 + 5 + 25 - 9) + ["1"] * 8 + ["3"])


def test_narrow_sheets_put_equal_rows_together_and_number_columns_where_names_do_not_fit():
    figure = two_layers_matrices_figure(two_layers(), Style(size="half"), 2, "tired")
    shown = [box.text for box in texts(figure.spec)]
    assert "7 others" in shown
    assert shown.count("1.091") == 1
    assert {"1 living", "5 said of width"} <= set(shown)
    assert "Words with equal rows share one." in figure.note


# By name --------------------------------------------------------------------------------------


def test_every_name_is_drawn_with_settings():
    for idea in (PICTURE_IDEA, ONE_LAYER_IDEA, TWO_LAYERS_IDEA):
        for entry in idea.entries:
            assert ENTRIES[entry.name] is entry
    (shown,) = prepare(["context-picture"], ["context_picture.ending=wide"], "numpy")
    assert shown.draw(Style()).name == "context-picture-wide"
    (matrices,) = prepare(
        ["context-two-layers-matrices"],
        ["context_two_layers.layer=2", "context_two_layers.ending=wide",
         "context_two_layers.strength=2"],
        "numpy",
    )  # fmt: skip
    assert matrices.draw(Style()).name == "context-two-layers-matrices-layer2-wide-strength2"


@pytest.mark.parametrize(
    ("idea", "result", "wrong"),
    [
        (PICTURE_IDEA, picture, {"ending": ""}),
        (PICTURE_IDEA, picture, {"ending": None}),
        (ONE_LAYER_IDEA, one_layer, {"head": 9}),
        (ONE_LAYER_IDEA, one_layer, {"head": ""}),
        (TWO_LAYERS_IDEA, two_layers, {"layer": 3}),
        (TWO_LAYERS_IDEA, two_layers, {"ending": "both"}),
        (TWO_LAYERS_IDEA, two_layers, {"layer": float("nan")}),
    ],
)
def test_a_view_of_what_is_not_there_is_refused(idea, result, wrong):
    with pytest.raises(EngineError) as caught:
        idea.entries[-1].check(result(), idea.view(**wrong))
    assert str(caught.value).endswith(".")


def test_what_is_described_is_said_in_both_languages():
    for idea in (ONE_LAYER_IDEA, TWO_LAYERS_IDEA):
        for language in LANGUAGES:
            assert idea.describe is not None
            described = idea.describe(idea.params(), idea.view(), language)
            assert len(dict(described)) == len(described)
            assert all(text for _, text in described)


def test_notes_of_two_layers_say_what_features_mean_and_what_it_gives_itself():
    figure = two_layers_figure(two_layers(), Style(size="slide"))
    meant = "“tired” can be said of living things, “wide” of what has a width."
    assert meant in figure.note
    assert "“it” gives itself 0.015, then 0.048." in figure.note
    assert meant in two_layers_matrices_figure(two_layers(), Style(), 1, "tired").note
