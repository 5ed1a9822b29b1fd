"""The plane: arrows to scale, the angle as measured by hand, and names that never overlap."""

from __future__ import annotations

import math
import re
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.lookup.soft import run
from engine.experiments.lookup.table import Params
from pages.figures.errors import FigureError
from pages.figures.figure import SizeName, Style
from pages.figures.lookup.plane import plane_figure
from pages.figures.lookup.plane_labels import Name, box_of, crosses, leader, place_names
from tests import lookup_oracles
from tests.figure_marks import Box, texts
from tests.lookup_tables import NAMES, TABLES, looked
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside, pieces

SIZES = get_args(SizeName)
ENDS = st.sampled_from((0.0, 1000.0, -1000.0, 1e-6))
CELL = st.integers(-1000, 1000).map(lambda tenths: tenths / 10) | ENDS
PLACES = st.floats(0, 300)


def triangles(spec) -> list[list[tuple[float, float]]]:
    """Return the heads of the arrows, tip first."""
    rows: list[Any] = [row for layer in spec["layer"] if layer["mark"]["type"] == "point"
                       for row in layer["data"]["values"]]  # fmt: skip
    heads = [row["path"] for row in rows if row["fill"] != "transparent"]
    straight = [path for path in heads if re.fullmatch(r"M[\d.,L\s-]+Z", path)]
    return [pieces(path.removesuffix("Z"))[0] for path in straight]


@pytest.mark.parametrize("case", ["default", "exact", "twelve", "zero query"])
def test_tips_stand_where_the_vectors_end_on_one_scale(case):
    params = TABLES[case]
    spec = plane_figure(looked(case), Style(size="slide")).spec
    tips = [head[0] for head in triangles(spec)]
    vectors = [vector for vector in (*params.keys, params.query) if any(vector)]
    assert len(tips) == len(vectors)
    # The key that is looked at comes after the others; any two tips give the scale.
    row = looked(case).nearest[0]
    keys = [key for index, key in enumerate(params.keys) if index != row and any(key)]
    order = [*keys, params.keys[row], *([params.query] if any(params.query) else [])]
    (a, b), (first, second) = tips[:2], order[:2]
    unit = math.dist(a, b) / math.dist(first, second)
    origin = a[0] - first[0] * unit, a[1] + first[1] * unit
    for tip, (x, y) in zip(tips, order, strict=True):
        assert tip == pytest.approx((origin[0] + x * unit, origin[1] - y * unit), abs=0.05)


@pytest.mark.parametrize(
    ("row", "case"), [(0, "default"), (1, "default"), (3, "default"), (2, "twelve")]
)
def test_lengths_angle_cosine_and_product_are_what_loops_find(row, case):
    params = TABLES[case]
    query, key = params.query, params.keys[row]
    lengths = [lookup_oracles.length(each) for each in (query, key)]
    dot = lookup_oracles.dot(query, key)
    angle = abs(lookup_oracles.signed_angle(query, key))
    shown = [box.text for box in texts(plane_figure(looked(case), Style(size="slide"), row).spec)]

    def said(start: str) -> float:
        (text,) = [each for each in shown if each.startswith(start)]
        return float(text.removeprefix(start).rstrip("°").replace("−", "-").replace(",", ""))

    assert said("|q| = ") == pytest.approx(lengths[0], rel=1e-3)
    assert said("|k| = ") == pytest.approx(lengths[1], rel=1e-3)
    assert said("θ = ") == pytest.approx(angle, abs=0.051)
    assert said("cos θ = ") == pytest.approx(dot / lengths[0] / lengths[1], abs=5.1e-4)
    assert said("q·k = |q||k| cos θ = ") == pytest.approx(dot, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("case", ["zero query", "zero key"])
def test_a_vector_of_zeros_has_no_angle(case):
    row = 0
    figure = plane_figure(looked(case), Style(size="slide"), row)
    shown = [box.text for box in texts(figure.spec)]
    assert {"θ: none", "cos θ: none", "q·k = 0"} <= set(shown)
    assert "no angle" in figure.note
    assert all("NaN" not in str(cell) for line in figure.table.rows for cell in line)
    other = plane_figure(looked("default"), Style(size="slide"))
    assert "θ: none" not in [box.text for box in texts(other.spec)]
    assert "no angle" not in other.note


@pytest.mark.parametrize(
    ("query", "key", "said"),
    [((1000.0, -1000.0), (0.1, 0.1), "0"), ((1000.0, -1000.0), (0.1, 0.0999), "0.1"),
     ((1e-6, 0.0), (1e-6, 0.0), "1×10−12")],  # the exponent is a raised part of its own
)  # fmt: skip
def test_a_product_that_is_rounding_is_zero_and_a_small_one_is_not(query, key, said):
    result = run(Params(("k",), (key,), ((1.0,),), query), backend="numpy")
    shown = [box.text for box in texts(plane_figure(result, Style()).spec)]
    parts = shown[next(place for place, text in enumerate(shown) if "|q||k|" in text) :]
    drawn = "".join("".join(parts[:8] if "×" in said else parts[:1]).split())
    begun = f"|q||k|cosθ={said}"
    assert begun in drawn if "×" in said else drawn.endswith(begun)


@pytest.mark.parametrize("size", SIZES)
def test_an_angle_next_to_an_edge_stays_inside(size):
    keys = ((0.0, -1000.0), (1000.0, 0.1))
    params = Params(("down", "right"), keys, ((1.0,), (1.0,)), (-1000.0, 0.0))
    figure = plane_figure(run(params, backend="numpy"), Style(size=size), 1)
    assert outside(figure.spec) == []
    assert "θ" in [box.text for box in texts(figure.spec)]


@st.composite
def planes(draw):
    keys = draw(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=12, unique=True))
    values = ((1.0,),) * len(keys)
    return Params(NAMES[: len(keys)], tuple(keys), values, draw(st.tuples(CELL, CELL)))


@settings(max_examples=20)
@given(planes(), st.sampled_from(SIZES), st.integers(0, 11))
def test_nothing_overlaps_for_any_positions(params, size, row):
    result, style = run(params, backend="numpy"), Style(size=size)
    figure = plane_figure(result, style, row % len(params.names))
    assert wrong_with(figure, style) == []
    assert outside(figure.spec) == []


@settings(max_examples=20)
@given(st.tuples(PLACES, PLACES), st.integers(1, 12), st.floats(-3.2, 3.2))
def test_names_at_one_tip_stand_apart_and_keep_from_each_other(tip, count, direction):
    room = (-60.0, -60.0, 420.0, 420.0)
    names = [Name(tip, direction, 40.0 + 8 * place, 15.0) for place in range(count)]
    middles = place_names(names, room, [((150.0, 150.0), tip)], [])
    assert middles is not None
    places = [box_of(middle, name) for middle, name in zip(middles, names, strict=True)]
    found = [Box(x, y, x + width, y + height) for x, y, width, height in places]
    assert all(each.inside(Box(-60, -60, 360, 360)) for each in found)
    assert not [(a, b) for a, b in ((a, b) for i, a in enumerate(found) for b in found[:i])
                if a.meets(b, slack=0.001)]  # fmt: skip


def test_a_name_that_fits_nowhere_is_none():
    names = [Name((50.0, 50.0), 0.0, 200.0, 15.0)]
    assert place_names(names, (0.0, 0.0, 100.0, 100.0), [], []) is None


def test_a_name_far_from_its_tip_has_a_line_to_it():
    name = Name((0.0, 0.0), 0.0, 40.0, 10.0)
    line = leader(name, (100.0, 0.0))
    assert line is not None
    assert line[1] == (0.0, 0.0)
    assert leader(name, (24.0, 0.0)) is None


@given(st.tuples(PLACES, PLACES), st.tuples(PLACES, PLACES))
def test_a_line_crosses_a_box_where_one_of_its_points_is_inside(start, end):
    box = (100.0, 100.0, 80.0, 40.0)
    inside = any(
        box[0] < start[0] + (end[0] - start[0]) * step / 400 < box[0] + box[2]
        and box[1] < start[1] + (end[1] - start[1]) * step / 400 < box[1] + box[3]
        for step in range(401)
    )
    if inside:
        assert crosses(box, (start, end))
    wider = (box[0] - 1, box[1] - 1, box[2] + 2, box[3] + 2)
    if not crosses(wider, (start, end)):
        assert not inside


def test_other_widths_are_refused():
    with pytest.raises(FigureError, match="two numbers, got 8"):
        plane_figure(looked("most"), Style())
