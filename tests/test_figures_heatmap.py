"""Matrices as colours: every cell has the colour of its value, at every size and in every file."""

from __future__ import annotations

import base64
import io
import re
from itertools import combinations
from typing import get_args

import altair as alt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from pages.export import to_bytes
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.heatmap import heatmap, positions
from pages.figures.palette import score_fill, theme, weight_fill
from tests.figure_marks import Box, cells, frame, texts

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
ROLES = ("weights", "scores")
LONG = ("transformers", "非常可爱的小动物", "it", "W" * 12, "…", "a b c")
every_size = pytest.mark.parametrize("size", SIZES)
every_role = pytest.mark.parametrize("role", ROLES)


def sample(rows: int, columns: int, role: str, seed: int = 0):
    """Return values and a causal mask."""
    scores = np.random.default_rng(seed).normal(size=(rows, columns)) * 2
    masked = np.triu(np.ones((rows, columns), dtype=bool), 1)
    if role == "scores":
        return np.where(masked, -np.inf, scores), masked
    exponentials = np.where(masked, 0, np.exp(scores))
    return exponentials / exponentials.sum(axis=1, keepdims=True), masked


def draw(values, style=None, role="weights", **changes) -> Figure:
    words = {"name": "a-heatmap", "title": "The weights of one head", "note": "What it shows."}
    words |= {"row_title": "query", "column_title": "key", "alt": "A heatmap for a test."}
    return heatmap(values, style or Style(), role=role, **(words | changes))


def rgb(colour: str) -> np.ndarray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def ramp(value: float, limit: float, role: str, name: str) -> str:
    """Return the colour that the palette gives a value."""
    return weight_fill(value / limit, name) if role == "weights" else score_fill(value, limit, name)


def largest(values) -> float:
    return float(np.abs(values[np.isfinite(values)]).max())


def picture_of(spec) -> tuple[np.ndarray, dict[str, float]]:
    """Return the pixels of the picture in a specification, and where it stands."""
    (layer,) = [each for each in spec["layer"] if each["mark"]["type"] == "image"]
    (row,) = layer["data"]["values"]
    data = base64.b64decode(row["url"].removeprefix("data:image/png;base64,"))
    pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    place = {"x": row["x"], "y": row["y"]} | {s: layer["mark"][s] for s in ("width", "height")}
    return pixels, place


@every_role
@pytest.mark.parametrize("name", THEMES)
def test_every_cell_has_the_colour_of_its_value(role, name):
    values, masked = sample(7, 5, role)
    figure = draw(values, Style(theme=name), role, masked=masked)
    limit = largest(values)
    drawn = sorted(cells(figure.spec), key=lambda row: (round(row["y"]), row["x"]))
    assert len(drawn) == values.size
    for (row, column), cell in zip(np.ndindex(values.shape), drawn, strict=True):
        if masked[row, column]:
            assert cell["fill"] == theme(name).masked
        else:
            # One of 255 levels: one off at most.
            expected = rgb(ramp(values[row, column], limit, role, name))
            assert np.abs(rgb(cell["fill"]) - expected).max() <= 2


@every_role
@pytest.mark.parametrize("side", [129, 300, 1024])
def test_every_pixel_of_a_large_matrix_is_a_true_cell(role, side):
    values, masked = sample(side, side - 1, role)
    pixels, place = picture_of(draw(values, Style(size="slide"), role, masked=masked).spec)
    step = pixels.shape[0] // side
    assert pixels.shape[:2] == (step * side, step * (side - 1))
    assert pixels.shape[0] >= 1024
    limit = largest(values)
    for row, column in np.random.default_rng(1).integers(0, side - 1, (300, 2)).tolist():
        block = pixels[row * step : (row + 1) * step, column * step : (column + 1) * step]
        assert (block == block[0, 0]).all()
        colour = theme("light").masked
        if not masked[row, column]:
            colour = ramp(values[row, column], limit, role, "light")
        assert np.abs(block[0, 0] - rgb(colour)).max() <= 2
    assert place["width"] / place["height"] == pytest.approx((side - 1) / side)


def test_a_cell_keeps_its_place_and_its_sharp_edges_in_the_png():
    values = np.zeros((200, 200))
    values[40, 130] = 1.0
    figure = draw(values, Style(size="slide"))
    _, place = picture_of(figure.spec)
    saved = np.asarray(Image.open(io.BytesIO(to_bytes(figure, "png"))).convert("RGB")).astype(int)
    dark = np.argwhere((saved == rgb(theme("light").roles["weights"])).all(axis=2))
    scale = saved.shape[1] / 1280
    left = (place["x"] + 130 * place["width"] / 200) * scale
    top = (place["y"] + 40 * place["height"] / 200) * scale
    inside = dark[(abs(dark[:, 0] - top) < 40) & (abs(dark[:, 1] - left) < 40)]
    side = place["width"] / 200 * scale
    assert inside.min(axis=0) == pytest.approx([top, left], abs=1.5)
    assert inside.max(axis=0) + 1 == pytest.approx([top + side, left + side], abs=1.5)
    # Nothing between the two colours: what is not the cell is the paper of a zero.
    around = saved[int(top) - 5 : int(top) + 15, int(left) - 5 : int(left) + 15].reshape(-1, 3)
    zero = rgb(weight_fill(0.0, "light"))
    assert len(np.unique(around, axis=0)) == 2
    assert (np.unique(around, axis=0) == zero).all(axis=1).any()


def test_more_cells_than_pixels_show_the_largest_of_each_block_and_say_so():
    side = 4000
    values = np.zeros((side, side))
    values[1234, 777] = 1.0
    figure = draw(values, Style(size="half"))
    block = re.search(r"(\d+) × (\d+) neighbouring", figure.note)
    assert block is not None
    rows, columns = map(int, block.groups())
    pixels, place = picture_of(figure.spec)
    assert pixels.shape[:2] == (-(-side // rows), -(-side // columns))
    assert pixels.shape[0] <= place["height"] * 300 / 96 + 1
    (found,) = np.argwhere((pixels == rgb(theme("light").roles["weights"])).all(axis=2))
    assert found.tolist() == [1234 // rows, 777 // columns]


def test_a_block_with_one_visible_cell_is_not_masked():
    values = np.full((3000, 3000), 0.5)
    masked = np.ones((3000, 3000), dtype=bool)
    masked[2999, 1500] = False
    pixels, _ = picture_of(draw(values, Style(size="square"), masked=masked).spec)
    visible = np.argwhere(~(pixels == rgb(theme("light").masked)).all(axis=2))
    assert len(visible) == 1


def complaints(figure: Figure, style: Style) -> list[str]:
    """Return what is clipped, too small, or in the way of something else."""
    spec, found = figure.spec, []
    boxes = texts(spec)
    for box in boxes:
        if not box.inside(frame(spec)):
            found.append(f"{box.text!r} leaves the picture")
        if box.size < (12 if style.size == "screen" else 18):
            found.append(f"{box.text!r} is {box.size} px")
    pairs = combinations(boxes, 2) if len(boxes) < 400 else ()
    found += [f"{a.text!r} meets {b.text!r}" for a, b in pairs if a.meets(b, slack=2.0)]
    left, top, width, height = (
        spec.get("usermeta", {}).get("frame", {}).get("body", (0, 0, spec["width"], spec["height"]))
    )
    body = Box(left, top, left + width, top + height)
    for layer in spec["layer"]:
        if layer.get("name") is None and layer["mark"]["type"] == "rect":
            rects = (Box(r["x"], r["y"], r["x2"], r["y2"]) for r in layer["data"]["values"])
            found += [f"{rect} leaves the body" for rect in rects if not rect.inside(body)]
    return found


@every_size
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 1), (1, 12), (12, 1), (4, 4), (12, 12), (33, 20), (4, 128), (200, 3)]
)
def test_any_matrix_fits(rows, columns, language, size):
    for role, labelled in (("weights", True), ("scores", False)):
        values, masked = sample(rows, columns, role)
        style = Style(language=language, size=size, decimals=4)
        names = LONG * 40
        figure = draw(
            values, style, role, masked=masked,
            row_labels=names[:rows] if labelled else (),
            column_labels=names[:columns] if labelled else (),
        )  # fmt: skip
        assert complaints(figure, style) == [], role


@settings(max_examples=25)
@given(
    rows=st.integers(1, 150), columns=st.integers(1, 150), size=st.sampled_from(SIZES),
    role=st.sampled_from(ROLES), power=st.integers(-9, 9),
)  # fmt: skip
def test_matrices_of_any_shape_and_scale_fit(rows, columns, size, role, power):
    values, masked = sample(rows, columns, role)
    style = Style(size=size)
    figure = draw(values * 10.0**power, style, role, masked=masked)
    assert complaints(figure, style) == []


@given(st.integers(1, 100_000), st.floats(100, 2000), st.floats(10, 60))
def test_positions_stand_apart_and_begin_with_the_first(count, length, room):
    found = positions(count, length, room)
    assert found[0] == (0, "1")
    assert all(str(index + 1) == label for index, label in found)
    indices = [index for index, _ in found]
    assert indices == sorted(set(indices))
    assert indices[-1] < count
    gaps = np.diff(indices) * length / count
    assert (gaps >= room - 1e-9).all() or len(found) == count <= 2


def test_numbers_stand_in_cells_that_are_large_enough_and_a_masked_weight_is_exactly_0():
    values, masked = sample(3, 3, "weights")
    found = [box.text for box in texts(draw(values, masked=masked).spec)]
    assert [found.count(f"{values[row, 0]:.3f}") for row in range(3)] == [1, 1, 1]
    assert found.count("0") == 3
    assert not [box for box in texts(draw(np.zeros((60, 60))).spec) if box.text == "0.000"]


@every_role
def test_the_scale_runs_as_far_as_the_values_and_says_what_lies_beyond(role):
    values, _ = sample(6, 6, role)
    figure = draw(np.where(np.isinf(values), 0, values), role=role)
    assert "Beyond" not in figure.note
    assert "Beyond 0.1" in draw(np.where(np.isinf(values), 0, values), role=role, limit=0.1).note


def test_the_table_holds_every_value_long_for_small_and_wide_for_large_matrices():
    values, _ = sample(5, 4, "weights")
    small = draw(values, row_labels=("a", "b", "c", "d", "e")).table
    assert small.columns == ("row", "row label", "column", "column label", "value")
    assert [line[-1] for line in small.rows] == values.ravel().tolist()
    assert small.rows[5][:3] == (2, "b", 2)
    assert draw(values).table.columns == ("row", "column", "value")
    wide = draw(sample(200, 130, "weights")[0]).table
    assert wide.columns == ("row", *(str(column) for column in range(1, 131)))
    np.testing.assert_array_equal([line[1:] for line in wide.rows], sample(200, 130, "weights")[0])


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (60, 60), (200, 200)])
@every_size
def test_the_specification_is_valid(rows, columns, size):
    figure = draw(sample(rows, columns, "weights")[0], Style(size=size))
    alt.LayerChart.from_dict(figure.spec, validate=True)


def test_a_large_matrix_is_one_picture_that_is_read_out_in_words_alone():
    figure = draw(sample(300, 300, "weights")[0], Style(size="slide"))
    drawing = to_bytes(figure, "svg").decode()
    assert drawing.count("data:image/png;base64,") == 1
    assert "pixelated" in drawing


@every_role
def test_the_pdf_holds_the_same_pixels_and_lets_nobody_smooth_them(role):
    values, masked = sample(300, 300, role)
    figure = draw(values, Style(size="slide"), role, masked=masked)
    page = to_bytes(figure, "pdf")
    (embedded,) = PdfReader(io.BytesIO(page)).pages[0].images
    held = embedded.image.convert("RGB")  # type: ignore[union-attr]
    np.testing.assert_array_equal(np.asarray(held), picture_of(figure.spec)[0])
    assert b"/Interpolate true" not in page


@pytest.mark.parametrize(
    ("values", "changes", "message"),
    [
        ([], {}, "at least one cell"),
        ([1.0, 2.0], {}, "at least one cell"),
        ([[1.0, np.nan]], {}, "cannot show nan at row 1, column 2"),
        ([[1.0], [np.inf]], {}, "cannot show inf at row 2, column 1"),
        ([[0.5, -0.1]], {}, "cannot show -0.1 at row 1, column 2: .* weights 0 or more"),
        ([[0.5, 0.1]], {"masked": [[True]]}, "shape of the matrix"),
        ([[0.5, 0.1]], {"row_labels": ("a", "b")}, "one label for each of the 1"),
        ([[0.5, 0.1]], {"limit": np.nan}, "limit"),
    ],
)
def test_what_no_colour_can_show_is_refused_in_words(values, changes, message):
    with pytest.raises(FigureError, match=message):
        draw(values, **changes)


def test_a_matrix_of_nothing_but_zeros_or_masks_can_be_drawn():
    assert complaints(draw(np.zeros((3, 3)), role="scores"), Style()) == []
    assert complaints(draw(np.full((3, 3), -np.inf), role="scores"), Style()) == []
