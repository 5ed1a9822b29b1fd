"""The boards of the worked example: what they hold, that they fit, that cells can be chosen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Literal

import altair as alt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.presets import random_example, textbook
from engine.experiments.printed import printed_claims
from engine.experiments.worked_example import STEPS, Params, run
from pages.figures.figure import Figure, Style
from pages.figures.overview import steps_figure
from pages.figures.palette import theme
from pages.figures.practice import practice_figures
from pages.figures.worked_example import figures, printed_figure, shape_flow, step_figure
from tests.figure_marks import box_of, cells, frame, texts

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")
SIZES: tuple[Literal["screen", "slide"], ...] = ("screen", "slide")
SMALLEST = {"screen": 12, "slide": 18}
SCREEN, SLIDE = Style(), Style(size="slide")
every_step = pytest.mark.parametrize("step", STEPS)
LONG = ("transformers", "非常可爱的小动物", "it", "W" * 12, "ﬁn", "…", "a b c")


def labels(count: int) -> tuple[str, ...]:
    return tuple(LONG[i % len(LONG)] for i in range(count))


def example(T=4, S=None, d_model=4, d_k=2, d_v=2, seed=0, **changes) -> Params:
    params = random_example(seed, T, d_model, d_k, d_v, S=S)
    return replace(
        params, tokens=labels(T), context_tokens=() if S is None else labels(S), **changes
    )


@lru_cache(maxsize=64)
def computed(params: Params):
    return run(params, backend="numpy")


TEXTBOOK = textbook()
CAUSAL = replace(TEXTBOOK, causal=True)
CASES = {
    "textbook": TEXTBOOK,
    "causal": CAUSAL,
    "unscaled": replace(TEXTBOOK, scaled=False),
    "cross": example(3, S=5, d_k=3, d_v=1),
    "one": example(1, d_model=1, d_k=1, d_v=1),
    "largest": example(12, d_model=12, d_k=8, d_v=8, causal=True),
    "largest cross": example(12, S=12, d_model=12, d_k=8, d_v=8),
    "tall": example(2, S=12, d_model=1, d_k=8, d_v=8),
}


def every_figure(params: Params, style: Style) -> list[Figure]:
    result = computed(params)
    chosen = [step_figure(result, step, style, selected=(0, 0)) for step in STEPS]
    hidden = [practice_figures(result, step, style, row=0) for step in STEPS]
    return figures(result, style) + chosen + [figure for parts in hidden for figure in parts]


def other_figures(style: Style) -> list[Figure]:
    printed = [printed_figure(claim, style) for claim in printed_claims(backend="numpy")]
    return [steps_figure(style), *printed]


def complaints(figure: Figure, style: Style) -> list[str]:
    """Return what is clipped, too small, or in the way of something else."""
    spec, found = figure.spec, []
    boxes = texts(spec)
    for box in boxes:
        if not box.inside(frame(spec)):
            found.append(f"{figure.name}: {box.text!r} leaves the picture")
        if box.size < SMALLEST[style.size]:
            found.append(f"{figure.name}: {box.text!r} is {box.size} px")
    for one, other in combinations(boxes, 2):
        # Parts of one symbol touch: a letter and its subscript.
        if one.meets(other, slack=3.0):
            found.append(f"{figure.name}: {one.text!r} meets {other.text!r}")
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_nothing_is_clipped_small_or_overlapping(case, language, size):
    for decimals in (3, 6):
        style = Style(language=language, size=size, decimals=decimals)
        drawn = every_figure(CASES[case], style)
        assert [c for figure in drawn for c in complaints(figure, style)] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_overview_and_printed_numbers_fit_too(language, size):
    style = Style(language=language, size=size)
    assert [c for figure in other_figures(style) for c in complaints(figure, style)] == []


def numbers_in_cells(spec) -> list[tuple[Any, Any]]:
    boxes = [box_of(row) for row in cells(spec)]
    return [
        (box, cell)
        for box in texts(spec)
        for cell in boxes
        if cell.left < (box.left + box.right) / 2 < cell.right
        and cell.top < (box.top + box.bottom) / 2 < cell.bottom
    ]


@settings(max_examples=20)
@given(
    T=st.integers(1, 12),
    S=st.none() | st.integers(1, 12),
    d_model=st.integers(1, 12),
    d_k=st.integers(1, 8),
    d_v=st.integers(1, 8),
    scale=st.sampled_from([1.0, 1e-3, 1e3, 1e100]),
    size=st.sampled_from(SIZES),
    decimals=st.integers(2, 6),
)
def test_numbers_stay_inside_their_cells_at_every_size(
    T, S, d_model, d_k, d_v, scale, size, decimals
):
    params = example(T, S, d_model, d_k, d_v)
    params = replace(params, x=tuple(tuple(v * scale for v in row) for row in params.x))
    style = Style(size=size, decimals=decimals)
    for step in STEPS:
        figure = step_figure(computed(params), step, style)
        pairs = numbers_in_cells(figure.spec)
        assert len(pairs) == len(cells(figure.spec))
        assert all(text.inside(cell) for text, cell in pairs), figure.name
        assert frame(figure.spec).right <= (1280 if size == "slide" else 868)


@pytest.mark.parametrize("case", CASES)
def test_budget_of_screen_and_slide(case):
    for figure in every_figure(CASES[case], SCREEN):
        assert figure.spec["width"] <= 868
        assert figure.spec["height"] <= 420
    for figure in every_figure(CASES[case], SLIDE) + other_figures(SLIDE):
        assert (figure.spec["width"], figure.spec["height"]) == (1280, 720)
        words = " ".join(box.text for box in texts(figure.spec))
        assert figure.title.split()[0] in words
        assert figure.note.split()[-1] in words


def few_rows(spec):
    """Return the specification with two rows of data a layer: rows have no schema of their own."""
    layers = [{**layer, "data": {"values": layer["data"]["values"][:2]}} for layer in spec["layer"]]
    return {**spec, "layer": layers}


@pytest.mark.parametrize("size", SIZES)
def test_every_specification_follows_the_schema(size):
    style = Style(size=size)
    for figure in figures(computed(CAUSAL), style) + other_figures(style):
        alt.LayerChart.from_dict(few_rows(figure.spec), validate=True)


@pytest.mark.parametrize("style", [Style(*s) for s in product(THEMES, LANGUAGES, SIZES)], ids=str)
def test_every_specification_is_complete(style):
    for figure in every_figure(CAUSAL, style) + other_figures(style):
        text = json.dumps(figure.spec, allow_nan=False)
        assert "url" not in text.replace(figure.spec["$schema"], "")
        assert figure.spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")
        assert figure.spec["background"] == theme(style.theme).background
        assert figure.spec["autosize"] == {"type": "none"}
        assert figure.spec["description"] == figure.alt
        assert figure.spec["config"]["font"].endswith("sans-serif")
        assert figure.note


def test_specifications_do_not_share_what_streamlit_may_change():
    first, second = (step_figure(computed(TEXTBOOK), "score", SCREEN).spec for _ in range(2))
    assert first == second
    first["layer"][0]["data"]["values"].clear()
    assert second["layer"][0]["data"]["values"]


# ------------------------------------------------------------------------------ what boards hold


def result_of(trace, step, role="q"):
    fields = {
        "project": role,
        "score": "scores",
        "scale": "scaled",
        "mask": "masked",
        "softmax": "weights",
        "output": "output",
    }
    return getattr(trace, fields[step])


def chosen_cells(spec) -> dict[tuple[int, int], Any]:
    return {(row["row"], row["column"]): row for row in cells(spec) if "row" in row}


def selection_layers(spec) -> list[Any]:
    return [layer for layer in spec["layer"] if "params" in layer]


@every_step
@pytest.mark.parametrize("case", ["textbook", "causal", "cross", "largest"])
def test_the_result_can_be_chosen_cell_by_cell(case, step):
    result = computed(CASES[case])
    spec = step_figure(result, step, SCREEN).spec
    (layer,) = selection_layers(spec)
    (param,) = layer["params"]
    assert param["name"] == "cell"
    assert param["select"]["type"] == "point"
    assert param["select"]["fields"] == ["row", "column"]
    # Streamlit's interpreter knows no bare `datum` in an event filter: every click would fail.
    assert not re.search(r"(?<![.\w])datum", param["select"]["on"])
    places = chosen_cells(spec)
    assert set(places) == set(np.ndindex(*result_of(result.trace, step).shape))
    assert all(type(number) is int for place in places for number in place)


@every_step
@pytest.mark.parametrize("case", CASES)
def test_the_table_holds_the_result_at_full_precision(case, step):
    result = computed(CASES[case])
    figure = step_figure(result, step, SCREEN)
    expected = result_of(result.trace, step)
    symbol = {
        "project": "Q",
        "score": "S",
        "scale": "S′",
        "mask": "S″",
        "softmax": "A",
        "output": "O",
    }
    found = [row for row in figure.table.rows if row[0] == symbol[step]]
    assert len(found) == expected.size
    places: list[Any] = [(row[1], row[2]) for row in found]
    assert set(places) == {(r + 1, c + 1) for r, c in np.ndindex(*expected.shape)}
    for (row, column), (*_, value) in zip(places, found, strict=True):
        assert value == expected[row - 1, column - 1]


@pytest.mark.parametrize(("role", "symbol"), [("q", "Q"), ("k", "K"), ("v", "V")])
def test_each_projection_shows_its_own_input(role, symbol):
    for case in ("textbook", "cross"):
        result = computed(CASES[case])
        rows = step_figure(result, "project", SCREEN, role=role).table.rows
        source = "C" if case == "cross" and role != "q" else "X"
        assert list(dict.fromkeys(row[0] for row in rows)) == [source, f"W_{symbol}", symbol]


@every_step
def test_tooltips_tell_the_exact_value(step):
    result = computed(CAUSAL)
    places = chosen_cells(step_figure(result, step, SCREEN).spec)
    for (row, column), cell in places.items():
        exact = float(result_of(result.trace, step)[row, column])
        shown = cell["tip"].rsplit(": ", 1)[-1].replace("−", "-").replace("∞", "inf")
        assert float(shown) == exact


def test_the_textbook_numbers_are_drawn():
    shown = {box.text for box in texts(step_figure(computed(TEXTBOOK), "softmax", SCREEN).spec)}
    assert {"0.109", "0.449", "0.221", "0.250", "1.414", "2.828"} <= shown
    assert "0.450" not in shown
    shown = {box.text for box in texts(step_figure(computed(TEXTBOOK), "output", SCREEN).spec)}
    assert {"0.660", "1.670", "1.340", "1.330"} <= shown


def test_masked_cells_are_grey_hatched_and_say_minus_infinity():
    result = computed(CAUSAL)
    for step, text in (("mask", "−∞"), ("softmax", "0")):
        spec = step_figure(result, step, SCREEN).spec
        hidden = {place for place in np.ndindex(4, 4) if place[1] > place[0]}
        greys = {
            place
            for place, cell in chosen_cells(spec).items()
            if cell["fill"] == theme("light").masked
        }
        assert greys == hidden
        paths = [layer for layer in spec["layer"] if "shape" in layer["encoding"]]
        hatched = [row for layer in paths for row in layer["data"]["values"]]
        assert len(hatched) >= len(hidden)
        boxes = {place: box_of(cell) for place, cell in chosen_cells(spec).items()}
        for place in hidden:
            inside = [box.text for box in texts(spec) if box.inside(boxes[place])]
            assert inside == [text]


def test_without_a_mask_the_figure_says_so():
    figure = step_figure(computed(TEXTBOOK), "mask", SCREEN)
    assert "no mask" in figure.note.lower()
    assert any(box.text == "no mask" for box in texts(figure.spec))


def test_without_scaling_the_figure_says_so():
    result = computed(CASES["unscaled"])
    figure = step_figure(result, "scale", SCREEN)
    assert "switched off" in figure.note
    assert figure.name.endswith("unscaled")
    assert not any("÷" in box.text for box in texts(figure.spec))


@every_step
def test_practice_tells_nothing_of_the_answer(step):
    result = computed(
        replace(CASES["cross"], tokens=("a", "b", "c"), context_tokens=tuple("abcde"))
    )
    (figure,) = practice_figures(result, step, SCREEN, row=0)
    shown = chosen_cells(figure.spec)
    assert len({cell["fill"] for cell in shown.values()}) <= 2  # the asked row, and the rest
    assert all(cell["tip"].endswith("?") for cell in shown.values())
    answers = {repr(float(v)) for v in result_of(result.trace, step).flat if v not in (0.0, 1.0)}
    operands = {repr(row[-1]) for row in figure.table.rows}
    text = json.dumps(figure.spec)
    assert not [answer for answer in answers - operands if answer in text]
    assert "" in {row[-1] for row in figure.table.rows}
    assert figure.name.endswith("-practice")


@every_step
@pytest.mark.parametrize("style", [SCREEN, SLIDE], ids=["screen", "slide"])
@pytest.mark.parametrize("case", ["largest", "largest cross", "tall"])
def test_practice_shows_everything_that_the_row_is_worked_out_from(case, style, step):
    result = computed(CASES[case])
    row = result.sizes.T - 1
    parts = practice_figures(result, step, style, row=row)
    tables = [{r[0] for r in figure.table.rows if r[-1] != ""} for figure in parts]
    matrices = set().union(*tables)
    needed = {
        "project": {"X", "W_Q"},
        "score": {"Q", "Kᵀ"},
        "scale": {"S"},
        "mask": {"S′"},
        "softmax": {"S″"},
        "output": {"A", "V"},
    }[step]
    assert needed <= matrices
    drawn = {matrix for figure in parts for matrix in boards_of(figure)}
    assert len(drawn) >= len(needed) + 1
    hidden = result_of(result.trace, step)[row]
    text = json.dumps([figure.spec for figure in parts])
    assert text.count("?") >= len(hidden)


def boards_of(figure) -> set[str]:
    """Return the matrices that a figure draws cells of, by their tips."""
    tips = [
        datum.get("tip", "") for layer in figure.spec["layer"] for datum in layer["data"]["values"]
    ]
    return {tip.split(",")[0] for tip in tips if tip}


def outlines(spec) -> list[Any]:
    return [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
        if row.get("strokeWidth", 0) > 1
    ]


@every_step
def test_a_chosen_cell_is_outlined_with_what_produces_it(step):
    result = computed(CAUSAL)
    bare = step_figure(result, step, SCREEN).spec
    spec = step_figure(result, step, SCREEN, selected=(2, 1)).spec
    assert not outlines(bare)
    framed = outlines(spec)
    cell = chosen_cells(spec)[2, 1]
    around = [row for row in framed if box_of(cell).inside(box_of(row))]
    assert [row["stroke"] for row in around] == [theme("light").text]
    assert len(framed) >= 2
    dimmed = [a["fill"] != b["fill"] for a, b in zip(cells(bare), cells(spec), strict=True)]
    assert any(dimmed)
    assert not any(
        a["fill"] != b["fill"] for a, b in zip(
            chosen_cells(bare).values(), chosen_cells(spec).values(), strict=True
        )
    )  # fmt: skip


@every_step
@pytest.mark.parametrize("selected", [(4, 0), (0, 9), (-1, 0)])
def test_a_choice_outside_the_matrix_chooses_nothing(step, selected):
    result = computed(TEXTBOOK)
    assert step_figure(result, step, SCREEN, selected=selected) == step_figure(result, step, SCREEN)


def test_what_does_not_fit_is_left_out_and_said():
    result = computed(CASES["largest"])
    figure = step_figure(result, "score", replace(SLIDE, decimals=6))
    assert set(chosen_cells(figure.spec)) == set(np.ndindex(12, 12))
    assert len(cells(figure.spec)) == 144
    assert "Only the result is drawn" in figure.note
    assert "fewer decimals" in figure.note
    drawn = {box.text for box in texts(figure.spec)}
    assert {"Q", "K", "="} <= {text.strip() for text in drawn}
    small = step_figure(computed(TEXTBOOK), "score", SCREEN)
    assert "Only the result" not in small.note
    assert "decimals" not in small.note


@every_step
def test_titles_words_and_cells_follow_the_theme(step):
    light = step_figure(computed(TEXTBOOK), step, SCREEN)
    dark = step_figure(computed(TEXTBOOK), step, Style(theme="dark"))
    assert [b.text for b in texts(light.spec)] == [b.text for b in texts(dark.spec)]
    assert {c["fill"] for c in cells(light.spec)} != {c["fill"] for c in cells(dark.spec)}


# ------------------------------------------------------------------------------ names and shapes


def test_names_tell_what_is_inside():
    names = [figure.name for figure in figures(computed(TEXTBOOK), SCREEN)]
    assert names == [
        "worked-example-shapes-T4",
        "worked-example-query-T4",
        "worked-example-key-T4",
        "worked-example-value-T4",
        "worked-example-scores-T4",
        "worked-example-scaled-scores-T4",
        "worked-example-masked-scores-T4",
        "worked-example-weights-T4",
        "worked-example-output-T4",
    ]
    cross = computed(replace(CASES["cross"], scaled=False))
    assert step_figure(cross, "score", SCREEN).name == "worked-example-scores-T3-S5-cross-unscaled"
    assert step_figure(computed(CAUSAL), "score", SCREEN).name.endswith("T4-causal")


@pytest.mark.parametrize("case", CASES)
def test_the_flow_shows_every_matrix_with_its_real_size(case):
    result = computed(CASES[case])
    figure = shape_flow(result, SCREEN)
    sizes = result.sizes
    expected = {
        "X": (sizes.T, sizes.d_model),
        "W_Q": (sizes.d_model, sizes.d_k),
        "W_K": (sizes.d_model, sizes.d_k),
        "W_V": (sizes.d_model, sizes.d_v),
        "Q": (sizes.T, sizes.d_k),
        "K": (sizes.S, sizes.d_k),
        "V": (sizes.S, sizes.d_v),
        "S": (sizes.T, sizes.S),
        "S′": (sizes.T, sizes.S),
        "S″": (sizes.T, sizes.S),
        "A": (sizes.T, sizes.S),
        "O": (sizes.T, sizes.d_v),
    }
    if result.params.context is not None:
        expected["C"] = (sizes.S, sizes.d_model)
    assert {name: tuple(size) for name, *size in figure.table.rows} == expected
    shown = [box.text for box in texts(figure.spec)]
    for rows, columns in expected.values():
        assert f"({rows}, {columns})" in shown


def test_printed_numbers_that_differ_are_outlined():
    for claim in printed_claims(backend="numpy"):
        figure = printed_figure(claim, SCREEN)
        differing = [not ok for line in claim.lines for ok in line.agrees].count(True)
        assert len(outlines(figure.spec)) == differing
        shown = [box.text for box in texts(figure.spec)]
        for line in claim.lines:
            for printed in line.printed:
                assert printed.replace("-", "−") in shown


def test_the_overview_names_the_six_steps_in_order():
    names = [row[1] for row in steps_figure(SCREEN).table.rows]
    assert names == ["Project", "Score", "Scale", "Mask", "Softmax", "Output"]


def test_an_unknown_step_is_refused():
    with pytest.raises(KeyError):
        step_figure(computed(TEXTBOOK), "normalise", SCREEN)
