"""Matrices side by side: one scale, and no cell that can be taken for what it is not."""

from __future__ import annotations

import base64
import io
from itertools import pairwise
from typing import Any, get_args

import altair as alt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from pages.export import to_bytes
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, Table, ThemeName
from pages.figures.palette import contrast, output_fill, theme, visible_fill, weight_fill
from pages.figures.panel import Screen, Words
from pages.figures.panels import Panel, panels_figure
from tests.figure_marks import Box, box_of, cells, texts
from tests.test_figures_heatmap import complaints
from tests.test_figures_palette import EYES, distance

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
LONG = ("transformers", "非常可爱的小动物", "it", "W" * 12, "…", "a b c")
TITLES = ("Sliding window of 128, padding after 100", "因果，第 100 个之后为填充", "Causal")
every_size = pytest.mark.parametrize("size", SIZES)
every_theme = pytest.mark.parametrize("name", THEMES)


def causal(T: int, S: int | None = None) -> np.ndarray:
    """Return what a causal mask hides."""
    return np.triu(np.ones((T, S or T), dtype=bool), 1)


def weights(T: int, seed: int = 0) -> np.ndarray:
    raw = np.random.default_rng(seed).random((T, T)) ** 3
    return np.where(causal(T), 0, raw)


def draw(*panels: Panel, style: Style | None = None, note: str = "A note.", **changes) -> Figure:
    words = Words("some-panels", "The same scores under masks", note, "Panels for a test.")
    given: dict[str, Any] = {"row_title": "query", "column_title": "key", "table": Table((), ())}
    return panels_figure(panels, style or Style(), words, **(given | changes))


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def value_of(colour: str, role: str, name: str, limit: float) -> float:
    """Return the number that a colour stands for: its place between background and role."""
    start, end = rgb(theme(name).background), rgb(theme(name).roles[role])
    channel = int(np.abs(end - start).argmax())
    share = (rgb(colour)[channel] - start[channel]) / (end - start)[channel]
    return float((share - 0.05) / 0.95 * limit)


def by_panel(spec, shapes) -> list[list[list[dict[str, Any]]]]:
    """Return the cells of each panel of a row of panels, as rows of cells."""
    found = cells(spec)
    parts, start = [], 0
    for rows, columns in shapes:
        part = found[start : start + rows * columns]
        parts.append([part[row * columns : (row + 1) * columns] for row in range(rows)])
        start += rows * columns
    return parts


def outlines(spec, colour: str) -> list[Box]:
    """Return the rectangles that have a border of this colour."""
    rows = (
        row
        for layer in spec["layer"] if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
    )  # fmt: skip
    return [box_of(row) for row in rows if row.get("stroke") == colour]


def paths(spec, **wanted) -> list[str]:
    """Return the paths with these colours."""
    return [
        row["path"]
        for layer in spec["layer"] if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if all(row[key] == value for key, value in wanted.items())
    ]  # fmt: skip


def pictures(spec) -> list[np.ndarray]:
    """Return the pixels, with their opacity, of the pictures in a specification."""
    rows = [
        row["url"]
        for layer in spec["layer"] if layer["mark"]["type"] == "image"
        for row in layer["data"]["values"]
    ]  # fmt: skip
    files = (base64.b64decode(row.removeprefix("data:image/png;base64,")) for row in rows)
    return [np.asarray(Image.open(io.BytesIO(file)).convert("RGBA")).astype(int) for file in files]


def said(figure: Figure) -> list[str]:
    return [box.text for box in texts(figure.spec)]


# Colours.


@every_theme
def test_two_panels_of_one_role_share_one_scale(name):
    small, large = np.array([[0.1, 0.2], [0.3, 0.05]]), np.array([[0.8, 0.2], [0.4, 0.0]])
    figure = draw(Panel("small", small), Panel("large", large), style=Style(theme=name))
    for part, values in zip(by_panel(figure.spec, [(2, 2)] * 2), (small, large), strict=True):
        for row, column in np.ndindex(2, 2):
            read = value_of(part[row][column]["fill"], "weights", name, limit=0.8)
            assert read == pytest.approx(values[row, column], abs=0.8 / 150)


def test_the_pictures_of_large_panels_share_one_scale_too():
    small, large = np.full((130, 130), 0.25), np.full((130, 130), 0.25)
    large[0, 0] = 1.0
    one, other = pictures(draw(Panel("a", small), Panel("b", large)).spec)
    assert (one[-1, -1] == other[-1, -1]).all()
    read = value_of("#" + "".join(f"{c:02X}" for c in one[-1, -1, :3]), "weights", "light", 1.0)
    assert read == pytest.approx(0.25, abs=1 / 150)


def test_each_role_has_a_scale_of_its_own_with_its_measure():
    values = np.array([[0.5, 1.0]])
    figure = draw(
        Panel("a", values), Panel("b", -3 * values, "scores"),
        Panel("c", 7 * values, "output", measure="move"),
    )  # fmt: skip
    assert {"weight", "score", "move"} <= set(said(figure))


@every_theme
@pytest.mark.parametrize("T", [4, 11, 40])
def test_a_hidden_cell_has_the_grey_that_no_other_cell_has(name, T):
    figure = draw(Panel("a", weights(T), masked=causal(T)), style=Style(theme=name))
    masked = theme(name).masked
    if T * T <= 1024:
        fills = [cell["fill"] for cell in cells(figure.spec)]
        hidden = [fill == masked for fill in fills]
        assert hidden == causal(T).ravel().tolist()
    else:
        (hidden_path,) = paths(figure.spec, fill=masked)
        assert hidden_path.count("M") == causal(T).sum()
    assert "hidden by the mask" in said(figure)
    assert paths(figure.spec, stroke=theme(name).hatch)


@pytest.mark.parametrize("T", [30, 64, 200])
def test_small_hidden_cells_are_hatched_by_lines_that_stay_inside_them(T):
    masked = causal(T)
    figure = draw(Panel("a", weights(T), masked=masked), screen=Screen(424.0, 400.0))
    (frame_box,) = [
        box for box in outlines(figure.spec, theme("light").line)
        if box.right - box.left > 100 and abs((box.right - box.left) - (box.bottom - box.top)) < 1
    ]  # fmt: skip
    side = (frame_box.right - frame_box.left - 1) / T
    hatch = max(paths(figure.spec, stroke=theme("light").hatch), key=len)
    lines = [piece.split("l") for piece in hatch.split("M")[1:]]
    assert len(lines) > 10
    for start, step in lines:
        x, y = map(float, start.split(","))
        for share in (0.05, 0.5, 0.95):
            dx, dy = (float(part) * share for part in step.split(","))
            column = (x + dx - frame_box.left - 0.5) / side
            row = (y + dy - frame_box.top - 0.5) / side
            assert column - row > -0.8 / side - 0.1


@every_theme
def test_the_ramp_of_outputs_grows_from_the_background_and_never_meets_the_grey(name):
    colours = theme(name)
    steps = [output_fill(share, name) for share in np.linspace(0, 1, 201)]
    seen = [distance(colours.background, step, "normal") for step in steps[::10]]
    assert all(later > earlier for earlier, later in pairwise(seen))
    assert steps[-1] == colours.roles["output"]
    assert contrast(steps[0], colours.background) < 1.2
    assert min(distance(colours.masked, step, "normal") for step in steps) > 5


@every_theme
@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_what_may_be_seen_from_what_is_hidden_or_wrong(name, eye):
    colours = theme(name)
    assert distance(visible_fill(name), colours.masked, eye) >= 14
    for share in np.linspace(0, 1, 51):
        assert distance(colours.alert, weight_fill(share, name), eye) >= 14


# What is wrong.


@pytest.mark.parametrize(("T", "size"), [(4, "screen"), (4, "slide"), (3, "half")])
def test_nan_stands_in_cells_that_are_large_enough(T, size):
    values = weights(T)
    values[1] = np.nan
    figure = draw(Panel("a", values, masked=causal(T)), style=Style(size=size))
    alert = theme("light").alert
    found = [
        row
        for layer in figure.spec["layer"] if layer["mark"]["type"] == "text"
        for row in layer["data"]["values"] if row["text"] == "NaN"
    ]  # fmt: skip
    assert len(found) == T + 1  # one of them in the legend
    assert {row["colour"] for row in found} == {alert}
    assert "NaN, not a number" in said(figure)
    # Where it went wrong matters more than that the mask hides the cell.
    tips = [cell["tip"] for cell in cells(figure.spec)]
    assert sum("NaN, not a number" in tip for tip in tips) == T
    assert sum("hidden by the mask" in tip for tip in tips) == causal(T).sum() - (T - 2)


def test_nan_is_a_cross_or_a_colour_in_smaller_cells():
    alert = theme("light").alert
    values = weights(16)
    values[3, 5], values[9] = np.nan, np.nan
    crosses = paths(draw(Panel("a", values, masked=causal(16))).spec, stroke=alert)
    assert len(crosses) == 17 + 1
    values = weights(64)
    values[3, 5], values[9] = np.nan, np.nan
    figure = draw(Panel("a", values, masked=causal(64)))
    (path,) = paths(figure.spec, fill=alert)
    assert path.count("M") == 65
    assert "NaN, not a number" in said(figure)


def test_nan_has_the_colour_of_an_alert_in_a_picture():
    values = weights(140)
    values[:, 7] = np.nan
    (pixels,) = pictures(draw(Panel("a", values, masked=causal(140))).spec)
    step = len(pixels) // 140
    found = (pixels[:, :, :3] == rgb(theme("light").alert)).all(axis=2)
    assert found[::step, ::step].sum() == 140
    assert found[:, 7 * step : 8 * step].all()


def test_a_hidden_cell_that_is_not_0_keeps_its_colour_and_is_outlined():
    values, masked = weights(4), causal(4)
    values[0, 2] = values[1, 3] = 0.4
    alert = masked & (values > 0)
    figure = draw(Panel("a", values, masked=masked, alert=alert))
    found = outlines(figure.spec, theme("light").alert)
    assert len(found) == 2 + 1
    ((first, *_), *_) = by_panel(figure.spec, [(4, 4)])
    assert any(box.inside(box_of(first[2])) for box in found)
    assert first[2]["fill"] != theme("light").masked
    assert first[1]["fill"] == theme("light").masked
    assert said(figure).count("0.400") == 2
    assert "although the mask hides it" in first[2]["tip"]
    assert "not 0 although hidden" in said(figure)


def test_small_outlined_cells_share_one_border():
    values, masked = np.where(causal(40), 0.1, 0.2), causal(40)
    figure = draw(Panel("a", values, masked=masked, alert=masked))
    alert = theme("light").alert
    (border,) = paths(figure.spec, stroke=alert)
    # A staircase of 39 steps, its top and its right side.
    assert border.count("M") == 2 * 39 + 2
    assert len(outlines(figure.spec, alert)) == 1


# What is not there.


def test_a_cell_that_is_not_there_is_left_out():
    absent = causal(5)
    values = np.where(absent, np.nan, 0.5)
    figure = draw(Panel("a", values, "output", absent=absent))
    assert len(cells(figure.spec)) == 15
    assert "NaN" not in "".join(said(figure))
    values, absent = np.where(causal(150), np.nan, 0.5), causal(150)
    (pixels,) = pictures(draw(Panel("a", values, "output", absent=absent)).spec)
    step = len(pixels) // 150
    assert ((pixels[::step, ::step, 3] == 0) == absent).all()


def test_rows_that_count_something_else_are_named_by_what_they_count():
    lengths = tuple(range(1, 200, 9))
    values = np.full((len(lengths), 199), 0.5)
    figure = draw(Panel("a", values, "output", row_numbers=lengths))
    top = min(row["y"] for row in rows_of_picture(figure.spec))
    ticks = [box for box in texts(figure.spec) if box.text in ("50", "100", "150")]
    down = figure_height(figure.spec) / len(lengths)
    left = [box for box in ticks if box.right < 80]
    assert left
    for box in left:
        row = (int(box.text) - 1) / 9
        assert (box.top + box.bottom) / 2 == pytest.approx(top + (row + 0.5) * down, abs=1)


def rows_of_picture(spec) -> list[dict[str, Any]]:
    (layer,) = [each for each in spec["layer"] if each["mark"]["type"] == "image"]
    return layer["data"]["values"]


def figure_height(spec) -> float:
    (layer,) = [each for each in spec["layer"] if each["mark"]["type"] == "image"]
    height: float = layer["mark"]["height"]
    return height


# Numbers and words.


def test_numbers_have_the_decimals_of_the_style_and_an_exact_0_is_one():
    values = weights(4)
    figure = draw(Panel("a", values, masked=causal(4)), Panel("b", values))
    assert said(figure).count(f"{values[3, 0]:.3f}") == 2
    assert said(figure).count("0") == 6
    assert said(figure).count("0.000") >= 6  # not hidden: what rounds to 0


def test_a_tiny_difference_is_neither_0_nor_large():
    values = np.array([[0.0, 3e-16], [0.5, -2e-17]])
    figure = draw(Panel("a", values, "scores"))
    assert {"0", "3e−16", "0.500", "−2e−17"} <= set(said(figure))
    tiny, limit = np.abs(values) * 1e-3, 4.0
    figure = draw(Panel("a", tiny, "output", limit=limit))
    fills = {cell["fill"] for cell in cells(figure.spec)}
    assert fills == {output_fill(0.0, "light")}


def test_fewer_decimals_and_what_lies_beyond_the_scale_are_said():
    values = weights(4) / 4
    style = Style(size="half", decimals=9)
    figure = draw(Panel("a", values), Panel("b", values), style=style)
    assert "fewer decimals" in figure.note
    assert "Beyond" not in figure.note
    assert "Beyond 0.1" in draw(Panel("a", weights(4), limit=0.1)).note


def test_a_mask_has_two_kinds_of_cells_and_no_numbers():
    figure = draw(Panel("a", np.zeros((3, 3)), "mask", masked=causal(3)))
    fills = [cell["fill"] for cell in cells(figure.spec)]
    expected = [
        theme("light").masked if hidden else visible_fill("light")
        for hidden in causal(3).ravel().tolist()
    ]
    assert fills == expected
    assert not [text for text in said(figure) if text.startswith("0")]
    assert {"may look", "hidden by the mask"} <= set(said(figure))
    assert "hidden" not in " ".join(said(draw(Panel("a", np.zeros((3, 3)), "mask"))))


def test_names_that_only_the_rows_have_room_for_carry_the_positions_of_the_columns():
    names = ("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was")
    figure = draw(
        *(Panel(title, weights(9), row_labels=names, column_labels=names) for title in "ab"),
        Panel("c", weights(9), row_labels=names, column_labels=names),
    )
    shown = said(figure)
    assert shown.count("because") == 3
    assert shown.count("9") >= 6  # beside the rows and above the columns
    heights = {text: [box.top for box in texts(figure.spec) if box.text == text] for text in names}
    numbers = [box for box in texts(figure.spec) if box.text == "7"]
    assert any(box.top == pytest.approx(heights["because"][0]) for box in numbers)


def test_a_bracket_sets_rows_apart_and_is_named():
    figure = draw(Panel("a", weights(5), bracket=(3, 4)), bracket_word="padding queries")
    assert "padding queries" in said(figure)
    ((*_, before, fourth, fifth),) = by_panel(figure.spec, [(5, 5)])
    found = [path for path in paths(figure.spec, stroke=theme("light").muted) if "V" in path]
    (bracket,) = [path for path in found if float(path[1:].split(",")[0]) > fifth[-1]["x2"]]
    top = float(bracket[1:].split(",")[1].split("h")[0])
    bottom = float(bracket.split("V")[1].split("h")[0])
    assert before[0]["y2"] < top < fourth[0]["y2"]
    assert fifth[0]["y"] < bottom <= fifth[0]["y2"] + 2


def test_the_pointer_says_which_panel_and_full_precision():
    values = np.array([[1 / 3, 0.0]])
    figure = draw(Panel("Causal", values, masked=np.array([[False, True]]), row_labels=("it",)))
    (first, second) = (cell["tip"] for cell in cells(figure.spec))
    assert first == "Causal, row 1 (it), column 1: 0.3333333333333333"
    assert second == "Causal, row 1 (it), column 2: hidden by the mask"


# Room.


def _panels(count: int, rows: int, columns: int, seed: int, labelled: bool) -> list[Panel]:
    rng = np.random.default_rng(seed)
    masked = rng.random((rows, columns)) < 0.3
    values = np.where(masked, 0, rng.random((rows, columns)))
    values[rng.random((rows, columns)) < 0.1] = np.nan
    leak = masked & (rng.random((rows, columns)) < 0.2)
    values[leak] = 0.5
    names = LONG * 50
    return [
        Panel(
            TITLES[index], values, ("weights", "output", "mask")[seed % 3 if index == 1 else 0],
            masked, leak, names[:rows] if labelled else (), names[:columns] if labelled else (),
            bracket=(rows // 2, rows - 1) if index == 0 and seed % 2 else None,
        )
        for index in range(count)
    ]  # fmt: skip


@every_size
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_panels_fit(count, language, size):
    style = Style(language=language, size=size)
    for number, (rows, columns) in enumerate(
        [(1, 1), (1, 16), (16, 1), (4, 4), (11, 11), (12, 30), (64, 64), (64, 200)]
    ):
        panels = _panels(count, rows, columns, number, labelled=number % 3 > 0)
        figure = draw(*panels, style=style, bracket_word="computed, then ignored")
        assert complaints(figure, style) == [], (rows, columns)


@settings(max_examples=20)
@given(
    count=st.integers(1, 3), rows=st.integers(1, 140), columns=st.integers(1, 140),
    size=st.sampled_from(SIZES), seed=st.integers(0, 99), labelled=st.booleans(),
    words=st.integers(0, 60),
)  # fmt: skip
def test_panels_of_any_shape_fit_below_notes_of_any_length(
    count, rows, columns, size, seed, labelled, words
):
    style, note = Style(size=size), " ".join(["word"] * words)
    panels = _panels(count, rows, columns, seed, labelled)
    figure = draw(*panels, style=style, note=note, bracket_word="ignored")
    assert complaints(figure, style) == []


@pytest.mark.parametrize("T", [1, 4, 30, 200])
def test_a_screen_figure_is_no_higher_than_its_panels_need(T):
    panels = [Panel(title, np.full((T, T), 0.5), masked=causal(T)) for title in "abc"]
    two, three = draw(*panels[:2]).spec, draw(*panels).spec
    assert two["width"] == three["width"] == 868
    assert three["height"] <= two["height"] <= 400
    lowest = max(box.bottom for box in texts(two))
    assert two["height"] - 30 < lowest < two["height"]


def test_edges_hold_the_cells_and_the_height():
    screen = Screen(424.0, 368.0, edges=(68.0, 312.0))
    for T in (4, 64, 200):
        spec = draw(Panel("a", weights(T), masked=causal(T)), screen=screen).spec
        assert (spec["width"], spec["height"]) == (424, 368)
        boxes = [b for b in outlines(spec, theme("light").line) if b.right - b.left > 50]
        assert min(box.top for box in boxes) == pytest.approx(68, abs=1)
        assert max(box.bottom for box in boxes) <= 313


@every_size
def test_cells_have_one_size_and_are_square_where_numbers_leave_them(size):
    small, large = np.full((12, 12), 0.5), np.full((12, 9), 0.25)
    figure = draw(Panel("a", small), Panel("b", large), style=Style(size=size))
    found = [box_of(cell) for cell in cells(figure.spec)]
    widths = {round(box.right - box.left, 3) for box in found}
    heights = {round(box.bottom - box.top, 3) for box in found}
    assert len(widths) == len(heights) == 1
    assert widths == heights


@every_size
def test_the_specification_is_valid(size):
    panels = _panels(3, 5, 5, 1, labelled=True)
    figure = draw(*panels, style=Style(size=size), bracket_word="ignored")
    alt.LayerChart.from_dict(figure.spec, validate=True)


def test_what_is_not_there_is_clear_in_a_transparent_picture_too():
    absent = causal(150)
    values = np.where(absent, np.nan, 0.5)
    panel = Panel("a", values, "output", absent=absent)
    figure = draw(panel, style=Style(transparent=True), screen=Screen(424.0, 400.0))
    saved = np.asarray(Image.open(io.BytesIO(to_bytes(figure, "png"))).convert("RGBA"))
    (row,), (x, y) = rows_of_picture(figure.spec), (0.9, 0.1)
    side, scale = figure_height(figure.spec), saved.shape[1] / 424
    pixel = saved[int((row["y"] + side * y) * scale), int((row["x"] + side * x) * scale)]
    assert pixel[3] == 0


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ((), "1 to 4 matrices side by side, got 0"),
        ((Panel("a", np.eye(2)),) * 5, "got 5"),
        ((Panel("a", np.zeros(3)),), "at least one cell"),
        ((Panel("a", -np.eye(2)),), "weights 0 or more"),
        ((Panel("a", -np.eye(2), "output"),), "weights 0 or more"),
        ((Panel("a", np.full((2, 2), np.inf), "scores"),), "cannot show inf"),
        ((Panel("a", np.eye(2), masked=np.ones((1, 2), bool)),), "shape of the matrix"),
        ((Panel("a", np.eye(2), alert=np.ones((1, 2), bool)),), "shape of the matrix"),
        ((Panel("a", np.eye(2), row_labels=("x",)),), "one label for each of the 2"),
        ((Panel("a", np.eye(2), limit=-1.0),), "limit"),
    ],
)
def test_what_no_panel_can_show_is_refused_in_words(panels, message):
    with pytest.raises(FigureError, match=message):
        draw(*panels)


@every_size
@pytest.mark.parametrize("title", ["Lower-right", "Bidirectional", "双向", "W" * 9])
@pytest.mark.parametrize("shape", [(3, 5), (16, 2), (4, 1), (11, 11)])
def test_a_title_of_one_word_is_never_broken(shape, title, size):
    titles = (title, "Upper-left", title)
    for count in (2, 3):
        panels = [Panel(each, np.full(shape, 0.5)) for each in titles[:count]]
        shown = said(draw(*panels, style=Style(size=size)))
        for each in titles[:count]:
            assert each in shown, (count, each)
