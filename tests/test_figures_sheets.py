"""Figures for slides: every size, language and theme, whatever the example holds."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.experiments.presets import random_example, textbook
from engine.experiments.printed import printed_claims
from engine.experiments.worked_example import STEPS, Params, run
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.overview import steps_figure
from pages.figures.palette import theme
from pages.figures.practice import practice_figures
from pages.figures.slide import body, open_sheet, retitled, unframed
from pages.figures.worked_example import figures, printed_figure, shape_flow, step_figure
from tests.figure_marks import Box, box_of, boxes, cells, frame, texts
from tests.worked_examples import matrices

PIXELS = {"slide": (1280, 720), "half": (640, 720), "square": (720, 720)}
SHEETS: tuple[SizeName, ...] = ("slide", "half", "square")
LANGUAGES, THEMES = get_args(LanguageCode), get_args(ThemeName)
FRAME = ("title", "bar", "caption")
LONG = ("transformers", "非常可爱的小动物", "it", "W" * 12, "…", "a b c")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
every_sheet = pytest.mark.parametrize("size", SHEETS)


def example(T, d_model, d_k, d_v, S=None, **changes) -> Params:
    params = random_example(1, T, d_model, d_k, d_v, S=S)
    names = tuple(LONG[i % len(LONG)] for i in range(max(T, S or 0)))
    context = () if S is None else names[:S]
    return replace(params, tokens=names[:T], context_tokens=context, **changes)


CASES = {
    "textbook": textbook(),
    "causal": replace(textbook(), causal=True),
    "middle": example(6, 4, 3, 5, causal=True),
    "cross": example(3, 6, 2, 1, S=7, scaled=False),
    "largest": example(12, 12, 8, 8, causal=True),
    "tall": example(1, 1, 8, 8, S=12),
}


@lru_cache(maxsize=64)
def computed(params: Params):
    return run(params, backend="numpy")


def every_figure(params: Params, style: Style) -> list[Figure]:
    result = computed(params)
    chosen = [step_figure(result, step, style, selected=(0, 0)) for step in STEPS]
    hidden = [f for step in STEPS for f in practice_figures(result, step, style, row=0)]
    return [*figures(result, style), *chosen, *hidden]


def other_figures(style: Style) -> list[Figure]:
    printed = [printed_figure(claim, style) for claim in printed_claims(backend="numpy")]
    return [steps_figure(style), *printed]


def named(spec, *names: str) -> list[Any]:
    """Return the layers of the frame with these names."""
    return [layer for layer in spec["layer"] if layer.get("name") in names]


def picture(spec) -> list[Any]:
    """Return the layers that are no part of the frame."""
    return [layer for layer in spec["layer"] if layer.get("name") not in FRAME]


def words(layers) -> str:
    lines = [row["text"] for layer in layers for row in layer["data"]["values"]]
    return squeezed("".join(lines))


def squeezed(text: str) -> str:
    """Return a text without what a set line has no signs for: spaces, and marks of its indices."""
    return "".join(text.replace("_", "").translate(RAISED).split())


def complaints(figure: Figure, style: Style) -> list[str]:
    """Return everything that a person would find wrong with a sheet."""
    spec = figure.spec
    found = [*frame_complaints(figure, style), *text_complaints(spec), *cell_complaints(spec)]
    return [f"{figure.name}: {complaint}" for complaint in found]


def frame_complaints(figure: Figure, style: Style) -> list[str]:
    spec, found = figure.spec, []
    if (spec["width"], spec["height"]) != PIXELS[style.size]:
        found.append(f"is {spec['width']} x {spec['height']}")
    if words(named(spec, "title")) != squeezed(figure.title):
        found.append(f"title {words(named(spec, 'title'))!r}")
    if words(named(spec, "caption")) != squeezed(figure.note):
        found.append(f"caption {words(named(spec, 'caption'))!r}")
    left, top, width, height = spec["usermeta"]["frame"]["body"]
    room = {"x": left, "y": top, "x2": left + width, "y2": top + height}
    inside = boxes({**spec, "layer": picture(spec)})
    found += [f"{b} leaves the body {room}" for b in inside if not b.inside(box_of(room))]
    outside = boxes({**spec, "layer": named(spec, *FRAME)})
    return [*found, *(f"{b} enters the body" for b in outside if b.meets(box_of(room), slack=-2.0))]


def text_complaints(spec) -> list[str]:
    found, shown = [], texts(spec)
    for box in shown:
        if not box.inside(frame(spec)):
            found.append(f"{box.text!r} leaves the sheet")
        if box.size < 18:
            found.append(f"{box.text!r} is {box.size} px")
    # Parts of one symbol touch: a letter and its subscript.
    return found + [f"{a.text!r} meets {b.text!r}" for a, b in meeting(shown, shown, slack=3.0)]


def cell_complaints(spec) -> list[str]:
    # What only carries a tip is not seen.
    places = [box_of(row) for row in cells(spec) if row["fill"] != "transparent"]
    over = [text for text, place in meeting(texts(spec), places, 2.0) if not text.inside(place)]
    found = [f"{text.text!r} leaves its cell" for text in over]
    return found + [f"cells {a} and {b} overlap" for a, b in meeting(places, places, 1.0)]


def meeting(ones: list[Box], others: list[Box], slack: float) -> list[tuple[Box, Box]]:
    """Return the pairs that overlap by more than ``slack`` pixels."""
    if not ones or not others:
        return []
    a, b = (
        np.array([[x.left, x.top, x.right, x.bottom] for x in boxes]) for boxes in (ones, others)
    )
    meets = np.all(
        (a[:, None, 2:] - slack > b[None, :, :2]) & (b[None, :, 2:] - slack > a[:, None, :2]),
        axis=2,
    )
    if ones is others:
        meets = np.triu(meets, 1)
    return [(ones[i], others[j]) for i, j in np.argwhere(meets)]


@every_sheet
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_nothing_is_lost_clipped_small_or_overlapping(case, language, size):
    for decimals in (2, 6):
        style = Style(language=language, size=size, decimals=decimals)
        for figure in every_figure(CASES[case], style):
            assert complaints(figure, style) == []


@every_sheet
@pytest.mark.parametrize("language", LANGUAGES)
def test_overview_and_printed_numbers_fit_too(language, size):
    for decimals in (2, 3, 6):
        style = Style(language=language, size=size, decimals=decimals)
        for figure in other_figures(style):
            assert complaints(figure, style) == []


STYLES = st.builds(
    Style,
    theme=st.sampled_from(THEMES),
    language=st.sampled_from(LANGUAGES),
    size=st.sampled_from(SHEETS),
    decimals=st.integers(2, 6),
    transparent=st.booleans(),
)
WILD = st.one_of(
    st.integers(-20, 20).map(lambda tenths: tenths / 10),
    st.floats(-1e6, 1e6),
    st.sampled_from([1e6, -1e6, 1e-6, 0.0]),
)


VISIBLE = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)
NAMES = st.sampled_from(LONG) | VISIBLE


@st.composite
def any_example(draw) -> Params:
    """Draw an example of any size the workbench allows, with large and small numbers."""
    T, d_model, d_k, d_v = (draw(st.integers(1, most)) for most in (12, 12, 8, 8))
    causal = draw(st.booleans())
    S = draw(st.none() | st.integers(T if causal else 1, 12))
    return Params(
        x=draw(matrices(T, d_model, WILD)),
        w_q=draw(matrices(d_model, d_k, WILD)),
        w_k=draw(matrices(d_model, d_k, WILD)),
        w_v=draw(matrices(d_model, d_v, WILD)),
        context=None if S is None else draw(matrices(S, d_model, WILD)),
        tokens=draw(st.tuples(*[NAMES] * T)),
        context_tokens=() if S is None else draw(st.tuples(*[NAMES] * S)),
        scaled=draw(st.booleans()),
        causal=causal,
    )


@settings(max_examples=25, suppress_health_check=list(HealthCheck), deadline=None)
@given(params=any_example(), style=STYLES, data=st.data())
def test_any_example_fits_any_sheet(params, style, data):
    result = run(params, backend="numpy")
    step = data.draw(st.sampled_from(STEPS))
    drawn = [shape_flow(result, style), step_figure(result, step, style)]
    drawn += practice_figures(result, step, style, row=0)
    for figure in drawn:
        assert complaints(figure, style) == []


# ------------------------------------------------------------------------------ background


@every_sheet
@pytest.mark.parametrize("name", THEMES)
def test_a_transparent_sheet_differs_in_its_background_alone(name, size):
    style = Style(theme=name, size=size)
    clear = replace(style, transparent=True)
    pairs = zip(
        every_figure(CASES["causal"], style), every_figure(CASES["causal"], clear), strict=True
    )
    for solid, bare in pairs:
        assert solid.spec["background"] == theme(name).background
        assert bare.spec["background"] == "transparent"
        if "shapes" not in solid.name:
            assert bare.spec["layer"] == solid.spec["layer"]


@pytest.mark.parametrize("size", get_args(SizeName))
def test_themes_and_transparency_change_no_place(size):
    def places(style):
        return [
            [(box.left, box.top, box.text) for box in texts(figure.spec)]
            for figure in [*every_figure(CASES["causal"], style), *other_figures(style)]
        ]

    light = places(Style(size=size))
    assert places(Style("dark", size=size)) == light
    assert places(Style(size=size, transparent=True)) == light


# ------------------------------------------------------------------------------ title and body


def marks(spec) -> str:
    return json.dumps(picture(spec), sort_keys=True)


@every_sheet
def test_the_body_alone_shows_the_same_marks(size):
    for figure in [
        *every_figure(CASES["causal"], Style(size=size)),
        steps_figure(Style(size=size)),
    ]:
        bare = unframed(figure.spec)
        left, top, width, height = figure.spec["usermeta"]["frame"]["body"]
        assert marks(bare) == marks(figure.spec)
        assert not named(bare, *FRAME)
        assert (bare["width"], bare["height"]) == (width, height)
        assert bare["encoding"]["x"]["scale"]["domain"] == [left, left + width]
        assert bare["encoding"]["y"]["scale"]["domain"] == [top, top + height]
        assert bare["background"] == figure.spec["background"]
        assert unframed(bare) is bare
        bare["layer"][0]["data"]["values"].clear()
        assert picture(figure.spec)[0]["data"]["values"]


def test_a_screen_figure_has_no_frame():
    figure = step_figure(computed(CASES["causal"]), "score", Style())
    assert "usermeta" not in figure.spec
    assert unframed(figure.spec) is figure.spec
    other = retitled(figure, "Another")
    assert (other.title, other.spec) == ("Another", figure.spec)


TITLES = st.one_of(
    st.sampled_from(["", "A", "查询与键", "W" * 40, "word " * 12]),
    st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=60),
)


@settings(max_examples=60, deadline=None)
@given(title=TITLES, size=st.sampled_from(SHEETS))
def test_another_title_changes_nothing_else(title, size):
    style = Style(size=size)
    figure = step_figure(computed(CASES["causal"]), "score", style)
    other = retitled(figure, title)
    assert other.title == title
    assert marks(other.spec) == marks(figure.spec)
    assert named(other.spec, "bar", "caption") == named(figure.spec, "bar", "caption")
    assert replace(other, title=figure.title, spec=figure.spec) == figure
    assert words(named(other.spec, "title")) == squeezed(title)
    assert text_complaints(other.spec) == []
    left_out = {key: value for key, value in figure.spec.items() if key != "layer"}
    assert {key: value for key, value in other.spec.items() if key != "layer"} == left_out
    assert retitled(other, figure.title) == figure


@every_sheet
def test_a_title_without_end_stops_at_an_ellipsis(size):
    style = Style(size=size)
    figure = step_figure(computed(CASES["causal"]), "score", style)
    other = retitled(figure, "A very long title " * 40)
    assert text_complaints(other.spec) == []
    assert words(named(other.spec, "title")).endswith("…")


@every_sheet
def test_a_long_caption_takes_the_room_it_needs(size):
    style = Style(size=size)
    rooms = []
    for count in (1, 4, 8):
        note = "Every one of these words is there to be read. " * count
        canvas, room = open_sheet(style, "Title", note, "query")
        spec = canvas.spec("")
        assert words(named(spec, "caption")) == squeezed(note)
        assert text_complaints(spec) == []
        assert room == body(style, note)
        rooms.append(room[3])
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[-1] >= 240


# ------------------------------------------------------------------------------ boards


@every_sheet
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("case", ["textbook", "causal"])
def test_small_examples_keep_their_operands(case, step, size):
    figure = step_figure(computed(CASES[case]), step, Style(size=size))
    drawn = {row["tip"].split(",")[0] for row in cells(figure.spec)}
    assert {str(row[0]) for row in figure.table.rows} == drawn
    assert "Only the result" not in figure.note


def test_rows_that_belong_together_line_up():
    figure = step_figure(computed(CASES["causal"]), "score", Style(size="half"))
    columns: dict[str, list[float]] = {}
    for row in cells(figure.spec):
        columns.setdefault(row["tip"].split(",")[0], []).append(row["x"])
    assert sorted(set(columns["S"])) == pytest.approx(sorted(set(columns["Kᵀ"])))
    heights = {round(row["y2"] - row["y"], 6) for row in cells(figure.spec)}
    assert len(heights) == 1


def test_where_no_digit_fits_the_colours_speak_and_the_note_says_so():
    params = example(12, 2, 2, 2)
    large = tuple(tuple(value * 1e4 for value in row) for row in params.x)
    result = computed(replace(params, x=large))
    figure = step_figure(result, "score", Style(size="half"))
    assert len(cells(figure.spec)) == 144
    inside = [box for box in texts(figure.spec) if any(c.isdigit() for c in box.text)]
    assert not [b for b in inside if any(b.meets(box_of(c), 2) for c in cells(figure.spec))]
    scores = np.asarray(result.trace.scores)
    assert "too small for numbers" in figure.note
    assert f"{scores.max():.3e}".split("e")[0] in figure.note


@settings(max_examples=15, deadline=None)
@given(
    sizes=st.tuples(*(st.integers(1, most) for most in (12, 12, 8, 8))),
    step=st.sampled_from(STEPS),
    scale=st.sampled_from([1.0, 1e-3, 1e4]),
)
def test_practice_has_the_same_parts_in_every_style(sizes, step, scale):
    params = example(*sizes, causal=True)
    result = computed(replace(params, x=tuple(tuple(v * scale for v in r) for r in params.x)))
    styles = [
        Style(language=language, size=size, decimals=decimals)
        for language, size, decimals in product(LANGUAGES, get_args(SizeName), (2, 3, 6))
    ]
    drawn = [practice_figures(result, step, style, row=0) for style in styles]
    assert len({tuple(part.name for part in parts) for parts in drawn}) == 1
    # One picture holds the operands too; the result alone would leave nothing to work out from.
    for figure in (parts[0] for parts in drawn if len(parts) == 1):
        tips = [row["tip"].replace("，", ",") for row in cells(figure.spec)]
        assert {str(row[0]) for row in figure.table.rows} == {tip.split(",")[0] for tip in tips}


@every_sheet
def test_every_style_is_drawn(size):
    for name, language in product(THEMES, LANGUAGES):
        style = Style(name, language, size)
        for figure in [*every_figure(CASES["causal"], style), *other_figures(style)]:
            assert complaints(figure, style) == []


def decimals_said(note: str) -> int | None:
    found = re.search(r"fewer decimals \((\d+)\)", note)
    return None if found is None else int(found.group(1))


def most_decimals_drawn(figure: Figure) -> int:
    numbers = [text.text for text in texts(unframed(figure.spec))]
    drawn = [re.fullmatch(r"−?\d+\.(\d+)(e-?\d+)?", number) for number in numbers]
    return max((len(found.group(1)) for found in drawn if found), default=0)


@settings(max_examples=60, deadline=None)
@given(any_example(), st.sampled_from(list(SHEETS)), st.integers(3, 6))
def test_the_caption_says_how_many_decimals_are_drawn(params, size, decimals):
    style = Style(size=size, decimals=decimals)
    for figure in figures(run(params, backend="numpy"), style)[1:]:
        said = decimals_said(figure.note)
        if said is not None:
            assert most_decimals_drawn(figure) == said < decimals, figure.name


def test_a_remark_that_changes_itself_tells_the_truth():
    wide = tuple(tuple(float(row + column) for column in range(6)) for row in range(3))
    params = Params(
        x=((0.1234567, 1.0, 2.0), *((float(row), row + 1.0, row + 2.0) for row in range(4))),
        w_q=((0.1234567, *wide[0][1:]), *wide[1:]), w_k=wide,
        w_v=((1.0, 1.0), (3.0, 4.0), (1.0, 2.0)), tokens=("a", "b", "c", "d", "e"),
    )  # fmt: skip
    for figure in figures(run(params, backend="numpy"), Style(size="square", decimals=6))[1:]:
        said = decimals_said(figure.note)
        assert said is None or most_decimals_drawn(figure) == said, figure.name


def test_a_weight_that_is_almost_nothing_looks_unlike_a_hidden_one():
    one = ((1.0,),)
    params = Params(x=((1.0,), (-34.0,)), w_q=one, w_k=one, w_v=one, tokens=("a", "b"))
    weights = step_figure(run(params, backend="numpy"), "softmax", Style())
    drawn = [text.text for text in texts(weights.spec)]
    assert "0.000" in drawn
    assert "1.000" in drawn
