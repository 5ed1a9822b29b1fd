"""The figures of a real model's attention: nothing lost, every weight where loops say it is."""

from __future__ import annotations

import base64
import io
import re
from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from PIL import Image

from engine.errors import EngineError
from engine.experiments.context.specials import Specials
from engine.experiments.context.study import StudyParams
from pages.figures.context.arrows import LEAST, arrows_figure
from pages.figures.context.distance import distance_figure
from pages.figures.context.head import head_figure
from pages.figures.context.heads import heads_figure
from pages.figures.context.look import look_at, strongest
from pages.figures.context.mean import mean_figure
from pages.figures.context.model_view import ModelView
from pages.figures.context.row import row_figure
from pages.figures.context.shares import shares_figure
from pages.figures.context.token_matrix import limit_of
from pages.figures.figure import LanguageCode, SizeName, Style
from pages.gallery import ENTRIES, prepare, speaker_notes
from pages.gallery.context_model import HEADS, MODEL_IDEA, ROW, describe
from pages.gallery.model import Exhibit
from tests import context_oracles as oracles
from tests.figure_marks import box_of, cells, texts
from tests.model_studies import decoder, encoder, made, random_weights
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside

SIZES, LANGUAGES, WAYS = get_args(SizeName), get_args(LanguageCode), get_args(Specials)
FIGURES = (heads_figure, head_figure, arrows_figure, row_figure, mean_figure, distance_figure,
           shares_figure)  # fmt: skip
VIEW = ModelView(2, 3, 6)


def rows_of(figure) -> list[Any]:
    return list(figure.table.rows)


def chart_of(figure) -> Any:
    return figure.chart


def found_in(text: str, pattern: str) -> str:
    found = re.search(pattern, text)
    assert found, text
    return found.group(1)


def complaints(study, view, style):
    figures = [draw(study, view, style) for draw in FIGURES]
    wrong = [each for figure in figures for each in wrong_with(figure, style)]
    return wrong + [(figure.name, mark) for figure in figures for mark in outside(figure.spec)]


# Every figure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_lost_clipped_small_or_overlapping(size):
    for language in LANGUAGES:
        style = Style(language=language, size=size)
        assert complaints(encoder(), VIEW, style) == []
        assert complaints(decoder(), VIEW, style) == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", ["screen", "half"])
def test_hard_texts_fit_however_special_tokens_are_treated(way, size):
    style = Style("dark", size=size, decimals=6)
    assert complaints(encoder(150), ModelView(1, 1, 77, way), style) == []
    assert complaints(encoder(3, 1, 1), ModelView(1, 1, 2, way), style) == []
    many = encoder(34, 13, 16)
    assert complaints(many, ModelView(13, 16, 0, way), style) == []


def test_a_theme_changes_no_place():
    def places(name):
        figures = [draw(encoder(), VIEW, Style(name, size="slide")) for draw in FIGURES]
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in figures]

    assert places("light") == places("dark")


@pytest.mark.parametrize("study", [encoder(), decoder()])
def test_every_figure_has_a_name_words_and_a_table(study):
    figures = [draw(study, VIEW, Style()) for draw in FIGURES]
    assert len({figure.name for figure in figures}) == len(figures)
    recorded = "recorded" if study.recorded else "computed here"
    for figure in figures:
        assert re.fullmatch(r"context-[A-Za-z0-9._-]+", figure.name)
        assert figure.alt.startswith(figure.title)
        assert f"Weights of all-MiniLM-L6-v2, {recorded}." in figure.note
        assert figure.table.rows
        assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}


@pytest.mark.parametrize("draw", FIGURES)
def test_notes_say_what_became_of_special_and_unknown_tokens(draw):
    hidden = draw(encoder(), ModelView(2, 3, 6, "hidden"), Style()).note
    left = draw(encoder(), ModelView(2, 3, 6, "renormalised"), Style()).note
    shown = draw(encoder(), VIEW, Style()).note
    assert "Special tokens are hidden" in hidden
    assert "each row is divided by what is left" in left
    assert "pecial tokens are" not in shown
    assert "One token is not in the vocabulary." in shown
    # A model that adds no special tokens has nothing to hide.
    assert "pecial tokens are" not in draw(decoder(), ModelView(2, 3, 6, "hidden"), Style()).note


# What is looked at ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("special", [(0, 6), (2, 3), ()])
def test_rows_and_matrices_are_those_of_loops(way, special):
    weights = random_weights(2, 3, 7, seed=5)
    study = made(weights, "abcdefg", special)
    look = look_at(study, ModelView(2, 1, 5, way))
    places, rows = oracles.treated(study.attention[1, 0], study.special, way)
    assert look.places.tolist() == places
    np.testing.assert_allclose(look.weights, rows, atol=1e-6)
    for head in range(3):
        rows = oracles.treated(study.attention[1, head], study.special, way)[1]
        np.testing.assert_allclose(look.rows[head], rows[places.index(4)], atol=1e-6)


@pytest.mark.parametrize("wrong", [0, 4, "", "abc", float("nan"), True, None, 2.5])
@pytest.mark.parametrize("name", ["layer", "head"])
def test_a_head_that_is_not_there_is_refused_in_a_sentence(name, wrong):
    study = made(random_weights(3, 3, 4), "abcd")
    with pytest.raises(EngineError, match=name):
        look_at(study, ModelView(**{"layer": 1, "head": 1, name: wrong}))


@pytest.mark.parametrize("wrong", [-1, 17, "it", float("inf"), None])
def test_a_token_that_is_not_there_is_refused_in_a_sentence(wrong):
    with pytest.raises(EngineError, match="16"):
        look_at(encoder(), ModelView(1, 1, wrong))


def test_a_special_token_that_is_hidden_looks_nowhere():
    view = ModelView(1, 1, 16, "hidden")
    for draw in (row_figure, mean_figure):
        with pytest.raises(EngineError, match=r"16 \(\[SEP\]\) is a special token"):
            draw(encoder(), view, Style())
    assert complaints_of_heads(view) == []


def complaints_of_heads(view):
    figures = [
        draw(encoder(), view, Style()) for draw in (heads_figure, head_figure, arrows_figure)
    ]
    return [each for figure in figures for each in wrong_with(figure, Style())]


def test_the_strongest_are_those_of_a_sorted_list():
    weights = np.random.default_rng(2).random(50)
    for most, always in ((5, ()), (5, (3, 40)), (60, ())):
        best = sorted(range(50), key=lambda at: -weights[at])
        wanted = list(always) + [at for at in best if at not in always]
        assert strongest(weights, most, always) == tuple(sorted(wanted[:most]))


# Every head -----------------------------------------------------------------------------------


def picture_of(figure):
    """Return the numbers of the colours of the one picture, and where it stands."""
    (layer,) = [each for each in figure.spec["layer"] if each["mark"]["type"] == "image"]
    (row,) = layer["data"]["values"]
    data = base64.b64decode(row["url"].removeprefix("data:image/png;base64,"))
    box = (row["x"], row["y"], layer["mark"]["width"], layer["mark"]["height"])
    return np.asarray(Image.open(io.BytesIO(data))), box


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("study", "block", "size"),
    [(encoder(), 1, "screen"), (encoder(150, 2, 3, 7), 2, "screen"),
     (encoder(16, 6, 12), 1, "half")],
)  # fmt: skip
def test_thumbnails_hold_the_largest_weight_of_each_pixel(study, block, size, way):
    figure = heads_figure(study, ModelView(1, 1, 6, way), Style(size=size))
    picture, (left, top, width, height) = picture_of(figure)
    spots = {(row["row"], row["column"]): row for row in cells(figure.spec)}
    assert len(spots) == study.layers * study.heads
    tables = {at: oracles.treated(study.attention[at], study.special, way)[1] for at in spots}
    limit = limit_shown(figure) or max(w for rows in tables.values() for row in rows for w in row)
    for (layer, head), spot in [*list(spots.items())[:4], *list(spots.items())[-2:]]:
        rows = tables[layer, head]
        count = -(-len(rows) // block)
        for i, j in ((0, 0), (count - 1, count // 2), (1, count - 1)):
            ends = [min(len(rows), (k + 1) * block) for k in (i, j)]
            best = max(rows[a][b] for a in range(i * block, ends[0])
                       for b in range(j * block, ends[1]))  # fmt: skip
            side = (spot["x2"] - spot["x"]) / count
            x, y = spot["x"] + (j + 0.5) * side, spot["y"] + (i + 0.5) * side
            pixel = picture[int((y - top) / height * picture.shape[0]),
                            int((x - left) / width * picture.shape[1])]  # fmt: skip
            assert abs(int(pixel) - min(best / limit, 1) * 252) <= 1


@pytest.mark.parametrize("size", ["half", "square"])
@pytest.mark.parametrize(("layers", "heads"), [(6, 12), (12, 12), (1, 1), (2, 16), (7, 5)])
def test_a_narrow_sheet_has_the_layers_in_groups_where_that_is_larger(layers, heads, size):
    figure = heads_figure(encoder(9, layers, heads), ModelView(1, 1, 6), Style(size=size))
    spots = {(row["row"], row["column"]): box_of(row) for row in cells(figure.spec)}
    assert len(spots) == layers * heads
    for one, other in combinations(spots.values(), 2):
        assert not one.meets(other, slack=0.0)
    titles = {box.text: box for box in texts(figure.spec) if box.text.startswith("layer ")}
    grouped = "row by row" in figure.note
    assert grouped == (len(titles) == layers) or layers == 1
    if not grouped:
        return
    for layer in range(layers):
        mine = [spots[layer, head] for head in range(heads)]
        title = titles[f"layer {layer + 1}"]
        assert title.left == pytest.approx(min(box.left for box in mine))
        assert 0 < min(box.top for box in mine) - title.bottom < 20
        read = sorted(range(heads), key=lambda head: (round(mine[head].top), mine[head].left))
        assert read == list(range(heads))


def test_the_recorded_model_fills_narrow_sheets():
    study = MODEL_IDEA.run(StudyParams(), "numpy", None)
    for size in ("half", "square"):
        row = cells(heads_figure(study, VIEW, Style(size=size)).spec)[0]
        # With a row for each layer there is room for 24 and for 32 pixels.
        assert row["x2"] - row["x"] >= 40
    wide = heads_figure(study, VIEW, Style(size="slide"))
    assert "row by row" not in wide.note


def limit_shown(figure):
    found = re.search(r"Beyond ([\d.]+) the colour", figure.note)
    return float(found.group(1)) if found else None


def test_thumbnails_say_when_cells_share_a_pixel():
    assert "2 × 2 neighbouring cells" in heads_figure(encoder(150, 2, 3, 7), VIEW, Style()).note
    assert "neighbouring" not in heads_figure(encoder(), VIEW, Style()).note


def test_the_table_of_heads_names_the_largest_weight_of_each():
    study = encoder()
    for way in WAYS:
        rows = rows_of(heads_figure(study, ModelView(1, 1, 6, way), Style()))
        for layer, head, weight, query, _, key, token, own in rows:
            at = study.attention[layer - 1, head - 1]
            places, found = oracles.treated(at, study.special, way)
            assert weight == pytest.approx(max(map(max, found)), abs=1e-6)
            assert found[places.index(query - 1)][places.index(key - 1)] == pytest.approx(weight)
            assert token == study.tokens[key - 1]
            mean = sum(found[i][i] for i in range(len(found))) / len(found)
            assert own == pytest.approx(mean, abs=1e-6)


def test_what_no_token_sees_is_grey_in_a_thumbnail():
    figure = heads_figure(decoder(), ModelView(1, 1, 6), Style())
    picture, (left, top, width, height) = picture_of(figure)
    spot = next(row for row in cells(figure.spec) if (row["row"], row["column"]) == (1, 2))
    side = (spot["x2"] - spot["x"]) / 12
    for i in range(12):
        for j in range(12):
            x, y = spot["x"] + (j + 0.5) * side, spot["y"] + (i + 0.5) * side
            pixel = picture[int((y - top) / height * picture.shape[0]),
                            int((x - left) / width * picture.shape[1])]  # fmt: skip
            assert (pixel == 255) == (j > i)


@pytest.mark.parametrize("strongest_share", [0.04, 0.5])
def test_a_limit_lies_far_below_the_largest_weight_or_is_it(strongest_share):
    for T in (4, 16, 60):
        values = random_weights(1, 1, T, seed=T)[0, 0]
        limit = limit_of(values, np.zeros((T, T), dtype=bool), strongest_share)
        assert limit == values.max() or limit <= values.max() * 0.6
        if limit < values.max():
            assert (values > limit).mean() <= strongest_share + 1 / T**2


# One head -------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_cell_says_its_weight_and_gives_its_place_in_the_whole_text(way):
    study = encoder()
    figure = head_figure(study, ModelView(2, 3, 6, way), Style())
    places, rows = oracles.treated(study.attention[1, 2], study.special, way)
    spots = {(row["row"], row["column"]): row for row in cells(figure.spec)}
    assert sorted(spots) == [(i, j) for i in places for j in places]
    for (i, j), row in spots.items():
        said = float(row["tip"].rsplit(": ", 1)[1])
        assert said == pytest.approx(rows[places.index(i)][places.index(j)], abs=1e-6)
        assert f"token {i + 1} (" in row["tip"]
        assert f"on token {j + 1} (" in row["tip"]
    assert len({row["y"] for (i, _), row in spots.items() if i == 5}) == 1


def test_the_row_of_the_query_is_framed_and_bold():
    figure = head_figure(encoder(), VIEW, Style())
    ink = Style().colours.text
    (framed,) = [
        row
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
        if row.get("stroke") == ink
    ]
    inside = [row for row in cells(figure.spec) if row["row"] == 5]
    assert all(framed["y"] < row["y"] and row["y2"] < framed["y2"] for row in inside)
    bold = [
        row["text"]
        for layer in figure.spec["layer"]
        if layer["mark"].get("fontWeight") == "bold"
        for row in layer["data"]["values"]
    ]
    assert bold == [encoder().tokens[5]]


def test_a_long_text_has_positions_and_one_picture():
    figure = head_figure(encoder(150, 1, 2, 3), ModelView(1, 2, 77, "hidden"), Style())
    written = [box.text for box in texts(figure.spec)]
    assert "77" in written
    assert "150" not in written
    picture, _ = picture_of(figure)
    assert min(picture.shape) >= 148
    assert len(figure.table.rows) == 148
    assert figure.table.rows[0][0] == 2


# Arrows ---------------------------------------------------------------------------------------


def places_of(figure) -> set[tuple[int, int]]:
    """Return what clicks on a figure give, as row and column."""
    return {(row["row"], row["column"]) for row in cells(figure.spec) if "row" in row}


def test_rows_of_a_long_text_can_be_clicked_on_screen():
    long = encoder(140, 1, 1)
    rows = {row for row, _ in places_of(head_figure(long, ModelView(1, 1, 3), Style()))}
    assert rows == set(range(140))
    assert not places_of(head_figure(long, ModelView(1, 1, 3), Style(size="slide")))


def test_a_click_on_the_rows_of_all_heads_gives_layer_and_head():
    figure = mean_figure(encoder(), ModelView(2, 1, 6), Style())
    assert places_of(figure) == {(1, head) for head in range(4)}


def strokes(figure):
    return [
        row
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if "C" in row["path"] and row["stroke"] != Style().colours.background
    ]


def test_arrows_are_as_many_and_as_wide_as_the_weights():
    study = encoder()
    figure = arrows_figure(study, VIEW, Style())
    weights = study.attention[1, 2]
    others = [float(w) for i, row in enumerate(weights) if i != 5 for w in row if w >= LEAST]
    own = [float(w) for w in weights[5] if w > 0]
    widths = sorted(row["strokeWidth"] for row in strokes(figure))
    assert len(widths) == len(others) + len(own)
    full = widths[-1] / max(others + own)
    for width, weight in zip(widths, sorted(others + own), strict=True):
        assert width == pytest.approx(max(0.75, weight * full), abs=0.02)


def test_an_arrow_ends_at_the_token_that_it_is_about():
    study = made(np.eye(4)[[2, 0, 3, 1]][None, None], "abcd")
    figure = arrows_figure(study, ModelView(1, 1, 1), Style())
    names = {text: [box for box in texts(figure.spec) if box.text == text] for text in "abcd"}
    middle = {text: (boxes[0].top + boxes[0].bottom) / 2 for text, boxes in names.items()}
    ends = set()
    for row in strokes(figure):
        points = [float(each) for each in re.findall(r"-?\d+\.?\d*", row["path"])]
        ends.add((nearest(points[1], middle), nearest(points[7], middle)))
    assert ends == {("a", "c"), ("b", "a"), ("c", "d"), ("d", "b")}


def nearest(y, middle):
    return min(middle, key=lambda text: abs(middle[text] - y))


def test_a_long_text_shows_what_the_query_looks_at_most():
    study = encoder(150, 1, 2, 3)
    figure = arrows_figure(study, ModelView(1, 2, 77), Style())
    count = int(found_in(figure.note, r"150 tokens (\d+) are drawn"))
    row = study.attention[0, 1, 76]
    best = [at for at in sorted(range(150), key=lambda at: -row[at]) if at != 76][: count - 1]
    shown = sorted({row[2] - 1 for row in rows_of(figure)})
    assert shown == sorted([76, *best])
    share = float(found_in(figure.note, r"with ([\d.]+) of its weight"))
    assert share == pytest.approx(sum(float(row[at]) for at in shown), abs=6e-4)


# One token ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_bars_are_the_row_and_say_what_they_add_up_to(way):
    study = encoder()
    figure = row_figure(study, ModelView(2, 3, 6, way), Style())
    places, rows = oracles.treated(study.attention[1, 2], study.special, way)
    (series,) = chart_of(figure).series
    np.testing.assert_allclose(series.values, rows[places.index(5)], atol=1e-6)
    total = sum(rows[places.index(5)])
    assert ("add up to" in figure.note) == (way == "hidden")
    if way == "hidden":
        assert f"add up to {total:.3f} " in figure.note
    even = {"shown": 1 / 16, "hidden": 1 / 16, "renormalised": 1 / 14}[way]
    assert reference_of(figure) == pytest.approx(even, rel=1e-3)


@pytest.mark.parametrize("way", WAYS)
def test_bars_of_a_long_row_say_of_what_they_are_a_part(way):
    study = encoder(60, 2, 2, 9)
    figure = row_figure(study, ModelView(1, 1, 6, way), Style(size="half"))
    of = "of what special tokens leave of the token's weight." if way == "renormalised" else (
        "of the token's whole weight.")  # fmt: skip
    places, rows = oracles.treated(study.attention[0, 0], study.special, way)
    total = sum(sorted(rows[places.index(5)])[-9:])
    assert f"add up to {total:.3f} {of}" in figure.note


def reference_of(figure):
    """Return the value at the dashed line, read off between the marks of two values."""
    bars = [row for row in cells(figure.spec) if row["fill"] != "transparent"]
    foot = max(row["y2"] for row in bars)
    tall = min(bars, key=lambda row: row["y"])
    scale = max(chart_of(figure).series[0].values) / (foot - tall["y"])
    dashed = [
        row["path"]
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if row["strokeWidth"] == 1.5 and "L" in row["path"]
    ]
    y = float(found_in(dashed[0], r"^M[\d.]+,([\d.]+)"))
    return (foot - y) * scale


def test_tokens_after_a_causal_query_are_hatched_not_drawn():
    figure = row_figure(decoder(), ModelView(1, 1, 5), Style())
    assert chart_of(figure).hidden == tuple(range(5, 12))
    seen = [row[3] for row in figure.table.rows]
    assert seen == [True] * 5 + [False] * 7


def test_a_long_row_shows_the_strongest_with_their_positions():
    study = encoder(150, 1, 2, 3)
    figure = row_figure(study, ModelView(1, 2, 77), Style())
    row = study.attention[0, 1, 76]
    best = sorted(sorted(range(150), key=lambda at: -row[at])[:20])
    assert chart_of(figure).series[0].values == pytest.approx([float(row[at]) for at in best])
    assert [int(name.split()[-1]) for name in chart_of(figure).x] == [at + 1 for at in best]


@pytest.mark.parametrize("way", WAYS)
def test_the_mean_is_that_of_the_heads(way):
    study = encoder()
    figure = mean_figure(study, ModelView(2, 3, 6, way), Style())
    found: dict[Any, dict[Any, Any]] = {}
    for name, place, _, value in figure.table.rows:
        found.setdefault(name, {})[place] = value
    rows = []
    for head in range(4):
        places, table = oracles.treated(study.attention[1, head], study.special, way)
        rows.append(table[places.index(5)])
        assert [found[str(head + 1)][p + 1] for p in places] == pytest.approx(rows[-1], abs=1e-6)
    mean = [sum(column) / 4 for column in zip(*rows, strict=True)]
    assert [found["mean"][p + 1] for p in places] == pytest.approx(mean, abs=1e-6)
    top = mean.index(max(mean))
    elsewhere = sum(row[top] < max(row) for row in rows)
    said = {0: "Every head is", 1: "One of 4 heads"}.get(elsewhere, f"{elsewhere} of 4 heads")
    assert said in figure.note
    of = {"shown": "The mean", "hidden": "Of the tokens shown, the mean",
          "renormalised": "Of what special tokens leave, the mean"}[way]  # fmt: skip
    assert f"{of} is largest on token {places[top] + 1} (" in figure.note


@pytest.mark.parametrize(("tops", "said"), [
    ((1, 1), "Every head is largest there, too."), ((1, 2), "One of 2 heads looks"),
    ((1, 2, 3), "2 of 3 heads"), ((1, 1, 2), "One of 3 heads looks"), ((1,), "0.700. The frame"),
])  # fmt: skip
def test_heads_that_look_elsewhere_are_counted(tops, said):
    rows = [[0.7 - 0.05 * head if key == top else (0.3 + 0.05 * head) / 3 for key in range(4)]
            for head, top in enumerate(tops)]  # fmt: skip
    weights = np.array([[[row] * 4 for row in rows]])
    assert said in mean_figure(made(weights, "abcd"), ModelView(1, 1, 1), Style()).note


@pytest.mark.parametrize("draw", [row_figure, arrows_figure, head_figure, mean_figure])
def test_on_screen_where_no_title_stands_the_note_says_what_is_shown(draw):
    view = ModelView(2, 3, 6)
    for size in ("screen", "slide"):
        figure = draw(encoder(), view, Style(size=size))
        assert figure.note.startswith(f"{figure.title}.") == (size == "screen")
        assert "ayer 2" in figure.title


def test_the_mean_is_said_to_be_no_head():
    for layers, count in ((1, 2), (1, 1)):
        note = mean_figure(encoder(6, layers, count), ModelView(1, 1, 2), Style()).note
        assert ("The mean is no head of the model" in note) == (count > 1)


# Layers ---------------------------------------------------------------------------------------


def dots(figure):
    """Return layer, head and place of the unseen cells over the dots, and what they say."""
    found = [row for row in cells(figure.spec) if row["fill"] == "transparent"]
    return [(row["row"], row["column"], (row["y"] + row["y2"]) / 2, row["tip"]) for row in found]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("study", [encoder(), decoder()])
def test_dots_stand_at_the_distances_of_loops(study, way):
    figure = distance_figure(study, ModelView(1, 1, 6, way), Style(decimals=4))
    values, heights = [], []
    for layer, head, y, tip in dots(figure):
        value = oracles.looked(study.attention[layer, head], study.special, way)[0]
        assert float(tip.rsplit(": ", 1)[1]) == pytest.approx(value, abs=6e-5)
        values.append(value)
        heights.append(y)
    assert len(values) == study.layers * study.heads
    slope, offset = np.polyfit(values, heights, 1)
    np.testing.assert_allclose(np.array(values) * slope + offset, heights, atol=0.02)
    assert slope < 0


@pytest.mark.parametrize("way", WAYS)
def test_shares_are_those_of_loops(way):
    study = encoder()
    figure = shares_figure(study, ModelView(1, 1, 6, way), Style())
    for layer, head, own, special, _, even in rows_of(figure):
        at = study.attention[layer - 1, head - 1]
        _, diagonal, share = oracles.looked(at, study.special, way)
        assert own == pytest.approx(diagonal, abs=1e-6)
        assert special == pytest.approx(share, abs=1e-6)
        assert even == pytest.approx(2 / 16)
    assert len(dots(figure)) == 2 * 12
    assert ("before they are left out" in figure.note) == (way != "shown")


@pytest.mark.parametrize("special", [(0, 15), (0,), (0, 5, 15)])
def test_every_line_of_equal_weights_is_named_beside_it(special):
    study = made(random_weights(3, 4, 16), tuple("abcdefghijklmnop"), special)
    figure = shares_figure(study, ModelView(1, 1, 3), Style())
    own, other = (next(box for box in texts(figure.spec) if box.text == name)
                  for name in ("equal, on itself", "equal, special"))  # fmt: skip
    assert not own.meets(other, slack=0.0)
    # Of equal weights a token gets itself one share, and special tokens as many as there are.
    assert len(special) == 1 or own.top > other.top


def test_a_model_without_special_tokens_has_one_measure():
    figure = shares_figure(decoder(), ModelView(1, 1, 6), Style())
    assert figure.title == "Weight on the token itself"
    assert len(dots(figure)) == 6


# Gallery --------------------------------------------------------------------------------------


def test_the_command_line_makes_every_figure_of_the_recorded_sentence():
    names = [entry.name for entry in MODEL_IDEA.entries]
    assert set(names) <= set(ENTRIES)
    exhibits = prepare(names, ["context_model.specials=hidden", "context_model.layer=2"], "numpy")
    for exhibit in exhibits:
        figure = exhibit.draw(Style(size="slide"))
        assert wrong_with(figure, Style(size="slide")) == []
        assert "context_model.layer=2" in speaker_notes(exhibit, figure, Style())


def test_what_the_recorded_model_does_not_have_is_refused_before_drawing():
    for settings in ("layer=7", "head=13", "query=99", "text=", "version=nothing"):
        with pytest.raises(EngineError):
            prepare([ROW], [f"context_model.{settings}"], "numpy")


def test_another_text_needs_a_model():
    with pytest.raises(EngineError, match="model"):
        prepare([HEADS], ["context_model.text=Another one."], "numpy")


def test_settings_are_described_in_both_languages():
    view = ModelView(2, 3, 6, "hidden")
    params = StudyParams("/some/folder", "", "It is.")
    for language in LANGUAGES:
        said = dict(describe(params, view, language))
        assert {"/some/folder", "It is.", "6"} <= set(said.values())


def test_an_exhibit_draws_what_its_view_says():
    entry = ENTRIES[ROW]
    exhibit = Exhibit(MODEL_IDEA, entry, StudyParams(), VIEW, encoder(), "numpy")
    assert exhibit.draw(Style()).title == "Layer 2, head 3: where token 6 ($\\frac{a}{b}$) looks"
