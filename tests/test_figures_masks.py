"""Every figure of masks: nothing lost on any sheet, and the numbers of loops in its marks."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest

from engine.errors import OptionError
from engine.experiments.masks import Params, run
from engine.experiments.masks.alignment import AlignmentParams, compare_alignments
from engine.experiments.masks.growth import measure_growth
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.mistakes import DTYPES, VARIANTS, MistakesParams, make_mistakes
from engine.experiments.masks.padding import KINDS, PaddingParams, compare_padding
from pages.figures.canvas import CELL_SELECTION
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.masks.alignment import alignment_figure
from pages.figures.masks.cache import cache_figure
from pages.figures.masks.compare import difference_figure, output_change_figure, weights_figure
from pages.figures.masks.families import FAMILIES, families_figure
from pages.figures.masks.growth import growth_figure
from pages.figures.masks.influence import influence_figure
from pages.figures.masks.mistakes import mistake_weights_figure, mistakes_figure
from pages.figures.masks.padding import padding_figure
from pages.figures.masks.padding_error import padding_error_figure
from pages.figures.palette import contrast, mix, theme
from pages.gallery.mask_trouble import MISTAKES_IDEA, MistakeView
from pages.gallery.settings import changed, field_names
from pages.text import translator
from pages.text.mask_words import variant_title
from tests import mask_oracles, oracles
from tests.conftest import require_backend
from tests.figure_marks import boxes, cells, frame, texts
from tests.test_figures_sheets import SHEETS, cell_complaints, complaints, meeting

LANGUAGES, THEMES, SIZES = get_args(LanguageCode), get_args(ThemeName), get_args(SizeName)
ENGLISH = translator("en")
LONG = "Transformers 猫 非 😀 it it it internationalisation , a"
CASES = {
    "textbook": Params(),
    "sentence": Params(
        "sentence", LONG, a_pattern="prefix", b_pattern="window", b_length=9, a_drawn="", seed=3
    ),
    "random": Params("random", T=13, d_k=12, a_pattern="causal", b_pattern="prefix", b_prefix=5),
    "long": Params("random", T=130, b_length=120),
}
WRONG = ("minus-infinity", "zero-after", "inverted", "wrong-axis")


@dataclass(frozen=True)
class Found:
    """Everything that the figures of one input show."""

    compared: Any
    influence: Any
    growth: Any
    mistakes: Any


@lru_cache(maxsize=len(CASES))
def found(case: str) -> Found:
    params = CASES[case]
    mistakes = MistakesParams(params.source, params.sentence, params.seed, params.T, params.d_k)
    return Found(
        run(params, backend="numpy"),
        measure_influence(params, backend="numpy"),
        measure_growth(params, backend="numpy"),
        make_mistakes(mistakes, backend="numpy"),
    )


@lru_cache(maxsize=2)
def padded(causal: bool):
    return compare_padding(PaddingParams(causal=causal), backend="numpy")


def of_input(case: str, style: Style) -> list[Figure]:
    """Draw every figure of one input."""
    every = found(case)
    T = len(every.growth.head.tokens)
    return [
        weights_figure(every.compared, style),
        difference_figure(every.compared, style),
        output_change_figure(every.compared, style),
        *(influence_figure(every.influence, style, side) for side in ("a", "b")),
        growth_figure(every.growth, style),
        *(cache_figure(every.growth, style, step) for step in (1, T)),
        mistakes_figure(every.mistakes, style, "zero-after"),
        *(mistake_weights_figure(every.mistakes, style, name) for name in WRONG),
    ]


def of_their_own(style: Style) -> list[Figure]:
    """Draw the figures that have an input of their own."""
    alignment = compare_alignments(AlignmentParams(), backend="numpy")
    return [
        families_figure(style),
        alignment_figure(alignment, style),
        *(padding_figure(padded(False), style, kind) for kind in KINDS),
        *(padding_error_figure(padded(causal), style) for causal in (False, True)),
    ]


def screen_complaints(figure: Figure) -> list[str]:
    """Return what a person would find wrong on screen."""
    spec = figure.spec
    wrong = [f"{box} leaves the figure" for box in boxes(spec) if not box.inside(frame(spec))]
    wrong += [f"{box.text!r} is {box.size} px" for box in texts(spec) if box.size < 12]
    shown = texts(spec)
    wrong += [f"{a.text!r} meets {b.text!r}" for a, b in meeting(shown, shown, slack=3.0)]
    wrong += [] if spec["width"] <= 868 and spec["height"] <= 420 else ["is too large"]
    return [f"{figure.name}: {each}" for each in [*wrong, *cell_complaints(spec)]]


def wrong_with(figure: Figure, style: Style) -> list[str]:
    if style.size == "screen":
        return screen_complaints(figure)
    return complaints(figure, style)


# ------------------------------------------------------------------------------ every figure


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_with_their_own_input_have_nothing_lost_or_overlapping(language, size):
    style = Style(language=language, size=size)
    for figure in of_their_own(style):
        assert wrong_with(figure, style) == []


EVERY = [(case, "en") for case in CASES] + [("textbook", "zh"), ("sentence", "zh")]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("case", "language"), EVERY)
def test_nothing_is_lost_clipped_small_or_overlapping(case, language, size):
    style = Style(language=language, size=size)
    for figure in of_input(case, style):
        assert wrong_with(figure, style) == []


@pytest.mark.parametrize("decimals", [2, 6])
def test_tables_and_caches_fit_with_any_decimals(decimals):
    for size, case in product(SIZES, ("textbook", "sentence")):
        style = Style(size=size, decimals=decimals)
        every = found(case)
        for figure in (
            mistakes_figure(every.mistakes, style),
            cache_figure(every.growth, style, 3),
            padding_error_figure(padded(False), style),
        ):
            assert wrong_with(figure, style) == []


def test_a_theme_changes_no_place():
    def places(name):
        style = Style(name, size="slide")
        drawn = [*of_input("textbook", style), *of_their_own(style)]
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in drawn]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_of_an_input_has_its_own_name_title_and_words():
    drawn = [*of_input("textbook", Style()), *of_their_own(Style())]
    assert len({figure.name for figure in drawn}) == len(drawn)
    for figure in drawn:
        assert re.fullmatch(r"masks-[a-z0-9-]+", figure.name, re.IGNORECASE)
        assert figure.title
        assert figure.note.endswith(".")
        assert figure.alt
        assert figure.table.rows
        assert len(figure.table.columns) == len(figure.table.rows[0])
        json.dumps(figure.spec, allow_nan=False)


# ------------------------------------------------------------------------------ the table


def expected_verdicts():
    """What is right, wrong or NaN for the textbook's causal mask, by dtype."""
    right = dict.fromkeys(DTYPES, "right")
    wrong, nan = dict.fromkeys(DTYPES, "wrong"), dict.fromkeys(DTYPES, "NaN")
    return {
        # Minus infinity exists in floating point, and -1e9 agrees with it in every dtype.
        "minus-infinity": right, "minus-1e9": right, "minus-1e4": right, "minus-1e4-far": wrong,
        "times-0-1": wrong, "plus-0-1": wrong,
        # Zeroing after softmax leaks; renormalising is right until it underflows.
        "zero-after": wrong, "renormalise": right, "renormalise-far": nan | {"float64": "right"},
        "wrong-axis": nan, "transposed": wrong, "inverted": nan,
    }  # fmt: skip


def rows_of(figure: Figure) -> list[dict[str, Any]]:
    return [dict(zip(figure.table.columns, row, strict=True)) for row in figure.table.rows]


def test_the_verdicts_of_the_textbook_are_those_that_are_so():
    figure = mistakes_figure(found("textbook").mistakes, Style())
    names = {variant_title(name, ENGLISH): name for name in VARIANTS}
    verdicts: dict[str, dict[str, str]] = {name: {} for name in VARIANTS}
    for row in rows_of(figure):
        verdicts[names[row["mistake"]]][row["dtype"]] = row["verdict"]
    assert verdicts == expected_verdicts()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_table_holds_the_numbers_of_loops(name):
    result = found("textbook").mistakes
    head = result.head
    visible = result.variant(name).intended
    example = mask_oracles.Example(
        head.x, head.w_q, head.w_k, head.w_v, "float64", place=result.raised, visible=visible
    )
    meant = np.tril(np.ones((4, 4), dtype=bool))
    used = mask_oracles.used_mask(name, meant, result.padded_length)
    weights = example.weights(name, used)
    reference = example.weights("minus-infinity", visible)
    kept = weights[~np.isnan(weights).any(axis=1)]
    row = next(
        row
        for row in rows_of(mistakes_figure(result, Style()))
        if row["mistake"] == variant_title(name, ENGLISH) and row["dtype"] == "float64"
    )
    sums = kept.sum(axis=1)
    assert row["smallest row sum"] == pytest.approx(sums.min(), abs=1e-12)
    assert row["largest row sum"] == pytest.approx(sums.max(), abs=1e-12)
    assert row["largest difference"] == pytest.approx(
        np.nanmax(np.abs(weights - reference)), abs=1e-12
    )
    assert row["NaN rows"] == np.isnan(weights).any(axis=1).sum()
    leak = example.leak(name, used, visible, result.changed)
    assert row["leak"] == pytest.approx(leak, abs=1e-12)


def drawn_rows(figure: Figure) -> list[list[str]]:
    """Return the texts of each row of the table as they stand, from the left to the right."""
    tops: dict[int, tuple[float, float]] = {
        cell["row"]: (cell["y"], cell["y2"]) for cell in cells(figure.spec)
    }
    shown = sorted(texts(figure.spec), key=lambda box: box.left)
    return [
        [box.text for box in shown if top < (box.top + box.bottom) / 2 < bottom]
        for top, bottom in (tops[row] for row in sorted(tops))
    ]


def test_the_drawn_row_says_what_was_measured():
    rows = drawn_rows(mistakes_figure(found("textbook").mistakes, Style()))
    assert len(rows) == len(VARIANTS)
    zeroed = rows[VARIANTS.index("zero-after")]
    assert zeroed == [
        "Zeroed after softmax", "0.109 to 1.000", "0.891", "0.999", "0", "zeros", *["wrong"] * 4,
    ]  # fmt: skip
    right = rows[VARIANTS.index("minus-infinity")]
    assert right[1:] == ["1.000", "0", "0", "0", "NaN", *["right"] * 4]
    assert rows[VARIANTS.index("renormalise-far")][-4:] == ["NaN", "NaN", "NaN", "right"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_dtype_shows_its_own_numbers(dtype):
    result = found("textbook").mistakes
    rows = drawn_rows(mistakes_figure(result, Style(), dtype=dtype))
    fill = {
        "float16": "NaN",
        "bfloat16": "all equal",
        "float32": "all equal",
        "float64": "unmasked",
    }
    assert rows[VARIANTS.index("minus-1e9")][5] == fill[dtype]


@pytest.mark.parametrize("size", SIZES)
def test_every_cell_of_a_row_names_it_when_clicked(size):
    figure = mistakes_figure(found("textbook").mistakes, Style(size=size), "inverted")
    params = [each["params"] for each in figure.spec["layer"] if "params" in each]
    assert [param["name"] for found in params for param in found] == [CELL_SELECTION]
    clicked = Counter(cell["row"] for cell in cells(figure.spec))
    assert sorted(clicked) == list(range(len(VARIANTS)))
    assert len(set(clicked.values())) == 1
    assert {cell["column"] for cell in cells(figure.spec)} == set(range(clicked[0]))


def frames(figure: Figure, colour: str) -> list[Any]:
    return [
        row
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
        if row.get("stroke") == colour
    ]


@pytest.mark.parametrize("size", SIZES)
def test_only_the_chosen_row_is_marked(size):
    style = Style(size=size)
    result = found("textbook").mistakes
    assert frames(mistakes_figure(result, style), style.colours.text) == []
    figure = mistakes_figure(result, style, "transposed")
    (outline,) = frames(figure, style.colours.text)
    row = VARIANTS.index("transposed")
    own = [cell for cell in cells(figure.spec) if cell["row"] == row]
    assert outline["y"] <= min(c["y"] for c in own) <= outline["y"] + 3
    assert max(c["x2"] for c in own) <= outline["x2"] <= max(c["x2"] for c in own) + 3


@pytest.mark.parametrize("size", SHEETS)
def test_a_sheet_says_what_the_chosen_mistake_would_do(size):
    result = found("textbook").mistakes
    said = "Outputs are too small"
    assert "Nothing is trained here" in mistakes_figure(result, Style(size=size), "zero-after").note
    assert said in mistakes_figure(result, Style(size=size), "zero-after").note
    assert said not in mistakes_figure(result, Style(size=size)).note


def lonely(**params):
    """Return the mistakes of a mask that leaves its first and third row nothing to see."""
    drawn = MistakesParams(pattern="none", drawn="0000/1000/0000/1111", **params)
    return make_mistakes(drawn, backend="numpy")


@pytest.mark.parametrize(("size", "language"), list(product(SIZES, LANGUAGES)))
def test_rows_that_see_nothing_fit_every_sheet(size, language):
    style = Style(size=size, language=language)
    result = lonely()
    for figure in (
        mistakes_figure(result, style),
        mistakes_figure(result, style, "wrong-axis", "float16"),
        mistake_weights_figure(result, style, "minus-1e9"),
    ):
        assert wrong_with(figure, style) == []


def test_notes_say_how_many_rows_see_nothing():
    result = lonely()
    assert mistakes_figure(result, Style()).note.startswith("2 rows of this mask see nothing;")
    for size in SIZES:
        assert "no number here counts them" in mistakes_figure(result, Style(size=size)).note
    tested = f"one row, {result.hidden_row + 1}, becomes when it is hidden whole as a test"
    assert tested in mistakes_figure(result, Style()).note
    causal = mistakes_figure(found("textbook").mistakes, Style()).note
    assert "see nothing" not in causal
    note = mistake_weights_figure(result, Style(), "minus-1e9").note
    assert "2 rows of this mask see nothing: they weigh all keys equally" in note
    assert "outlined too" in note
    assert "outlined" not in mistake_weights_figure(result, Style(), "minus-infinity").note


def test_notes_count_every_row_of_nan_and_name_padding_that_was_not_chosen():
    padded = MistakesParams(pattern="window", window=2, length=1)
    note = mistake_weights_figure(make_mistakes(padded, backend="numpy"), Style(), "transposed")
    assert note.note.startswith("NaN in 3 of 4 rows.")
    narrow = make_mistakes(MistakesParams(pattern="window", window=1), backend="numpy")
    note = mistake_weights_figure(narrow, Style(), "wrong-axis")
    assert "With the last token as padding, one row sees nothing" in note.note


@pytest.mark.parametrize(("size", "language"), list(product(SIZES, LANGUAGES)))
def test_nothing_to_judge_is_neither_right_nor_wrong(size, language):
    two = MistakesParams(source="sentence", sentence="a b", pattern="none", drawn="01/00")
    result, style = make_mistakes(two, backend="numpy"), Style(size=size, language=language)
    figure = mistakes_figure(result, style, "wrong-axis")
    weights = mistake_weights_figure(result, style, "wrong-axis")
    assert wrong_with(figure, style) == wrong_with(weights, style) == []
    row = VARIANTS.index("wrong-axis")
    own = {cell["fill"] for cell in cells(figure.spec) if cell["row"] == row}
    assert own == {style.colours.surface}
    if (size, language) == ("screen", "en"):
        assert drawn_rows(figure)[row][1:5] == ["–"] * 4
        assert drawn_rows(figure)[row][-4:] == ["empty"] * 4
        said = [each for each in rows_of(figure) if "query axis" in each["mistake"]]
        assert {each["verdict"] for each in said} == {"nothing to judge"}
        assert "nothing to judge" in weights.note


def test_a_leak_that_is_rounding_is_no_number_in_the_table():
    result = found("textbook").mistakes
    rows = drawn_rows(mistakes_figure(result, Style()))
    for row, variant in zip(rows, result.variants, strict=True):
        outcome = variant.outcomes["float32"]
        assert (row[3] == "≈ 0") is (outcome.leak > 0 and not outcome.leaks)
    assert result.outcome("renormalise", "float32").leak > 0
    assert "≈ 0: a leak that is nothing but rounding" in mistakes_figure(result, Style()).note


def test_the_cell_that_decides_is_marked():
    """Two seeds print the same numbers: a weight of one lost digits, and its cell is tinted."""
    params = MistakesParams(source="random", T=32, d_k=1, pattern="none", length=2)
    for seed, right in ((168, False), (468, True)):
        result = make_mistakes(replace(params, seed=seed), backend="numpy")
        figure = mistakes_figure(result, Style(), dtype="float16")
        row, wrong = VARIANTS.index("renormalise"), theme("light")
        tinted = {
            cell["column"]
            for cell in cells(figure.spec)
            if cell["row"] == row and cell["fill"] != wrong.surface
        }
        measured = {column for column in tinted if 1 <= column <= 5}
        assert measured == (set() if right else {2})


@pytest.mark.parametrize("draw", [mistakes_figure, mistake_weights_figure])
def test_a_format_that_does_not_exist_is_refused(draw):
    with pytest.raises(OptionError, match="must be one of"):
        draw(found("textbook").mistakes, Style(), "zero-after", "float8")


def test_the_format_is_a_setting_of_the_view():
    view = changed(MistakeView(), "dtype", "float64")
    assert "dtype" not in field_names(MistakesParams)
    result = found("textbook").mistakes
    for entry in MISTAKES_IDEA.entries:
        entry.check(result, view)
        assert "float64" in entry.draw(result, view, Style()).title


def test_a_format_that_the_backend_lacks_is_refused_before_it_is_drawn():
    result = make_mistakes(MistakesParams(), backend=require_backend("mlx"))
    for entry in MISTAKES_IDEA.entries:
        with pytest.raises(OptionError, match="MLX does not compute in float64"):
            entry.check(result, MistakeView(dtype="float64"))


def test_a_long_sequence_keeps_its_colours():
    """One weight of 1 in the first row must not leave all others without colour."""
    figure = mistake_weights_figure(found("long").mistakes, Style(), "renormalise")
    assert "the colour stays the same" in figure.note


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["sentence", "long"])
def test_many_rows_of_nan_fit_their_column(case, size):
    result = found(case).mistakes
    rows = len(result.head.tokens)
    lost = tuple(
        replace(variant, outcomes={d: replace(o, nan_rows=rows, right=False, leak=1234.5678)
                                   for d, o in variant.outcomes.items()})
        for variant in result.variants
    )  # fmt: skip
    style = Style(size=size)
    figure = mistakes_figure(replace(result, variants=lost), style)
    assert wrong_with(figure, style) == []
    assert {row["verdict"] for row in rows_of(figure)} == {"NaN"}


def test_what_did_not_run_is_a_dash_with_a_word():
    result = found("textbook").mistakes
    narrow = tuple(
        replace(variant, outcomes={d: o for d, o in variant.outcomes.items() if d != "float64"})
        for variant in result.variants
    )
    figure = mistakes_figure(replace(result, variants=narrow), Style())
    assert all(row[-1] == "not run" for row in drawn_rows(figure))
    assert "float64 does not run" in figure.note
    assert "float64" not in {row["dtype"] for row in rows_of(figure)}


@pytest.mark.parametrize("name", THEMES)
def test_what_is_wrong_reads_on_its_ground(name):
    colours = theme(name)
    wrong = mix(colours.background, colours.alert, 0.14)
    drawn = {
        cell["fill"]
        for cell in cells(mistakes_figure(found("textbook").mistakes, Style(name)).spec)
    }
    assert drawn == {wrong, colours.surface}
    assert contrast(colours.alert, wrong) >= 4.5
    assert contrast(colours.muted, colours.surface) >= 4.5


# ------------------------------------------------------------------------------ one mistake


def test_weights_stand_beside_the_reference_with_what_leaks_outlined():
    result = found("textbook").mistakes
    figure = mistake_weights_figure(result, Style(), "times-0-1")
    rows = rows_of(figure)
    head = result.head
    right = oracles.trace(head.x, head.w_q, head.w_k, head.w_v, mask=np.tril(np.ones((4, 4))))
    for row in rows:
        i, j = row["query"] - 1, row["key"] - 1
        assert row["visible"] is (j <= i)
        assert row["reference"] == pytest.approx(right["weights"][i, j], abs=1e-6)
    leaking = [row for row in rows if not row["visible"] and row["weight"] != 0]
    assert len(leaking) == 6
    alert = Style().colours.alert
    outlined = [
        value
        for layer in figure.spec["layer"]
        for value in layer["data"]["values"]
        if value.get("stroke") == alert
    ]
    assert outlined
    assert "Outlined" in figure.note
    assert "Outlined" not in mistake_weights_figure(result, Style(), "renormalise").note


def test_nan_is_written_out():
    figure = mistake_weights_figure(found("textbook").mistakes, Style(), "inverted")
    assert [box.text for box in texts(figure.spec)].count("NaN") >= 4
    assert figure.note.startswith("NaN in 1 of 4 rows.")


# ------------------------------------------------------------------------------ families


def test_the_five_masks_are_what_their_words_say():
    pairs = [(i, j) for i in range(8) for j in range(8)]
    masks = (
        [True] * 64,
        [j <= i for i, j in pairs],
        [i - 3 < j <= i for i, j in pairs],
        [j <= i or j < 3 for i, j in pairs],
        [j < 6 for _, j in pairs],
    )
    rows = rows_of(families_figure(Style()))
    assert [row["visible"] for row in rows] == [cell for mask in masks for cell in mask]
    assert [(row["query"] - 1, row["key"] - 1) for row in rows] == pairs * len(FAMILIES)
    words = " ".join(box.text for box in texts(families_figure(Style()).spec))
    assert "BERT" in words
    assert "GPT-2" in words
    assert "Claude" not in words  # no public source says what it is
    assert "Mistral" in words
    assert "PaliGemma" in words


def test_hidden_cells_of_the_families_are_hatched_and_no_others():
    style = Style()
    figure = families_figure(style)
    hidden = sum(not row["visible"] for row in rows_of(figure))
    hatched = [
        value
        for layer in figure.spec["layer"]
        for value in layer["data"]["values"]
        if value.get("stroke") == style.colours.hatch
    ]
    assert len(hatched) == hidden
    fills = Counter(cell["fill"] for cell in cells(figure.spec))
    assert fills[style.colours.masked] == hidden


# ------------------------------------------------------------------------------ the cache


def causal_growth(**changes):
    return measure_growth(Params(**changes), backend="numpy")


@pytest.mark.parametrize("step", [1, 3, 4])
def test_a_step_holds_the_numbers_of_loops(step):
    result = found("textbook").growth
    head = result.head
    alone = oracles.trace(
        head.x[step - 1 : step], head.w_q, head.w_k, head.w_v, context=head.x[:step]
    )
    expected = {
        "q": alone["q"], "K": alone["k"], "V": alone["v"], "a": alone["weights"],
        "o": alone["output"],
    }  # fmt: skip
    rows = rows_of(cache_figure(result, Style(), step))
    assert {row["matrix"] for row in rows} == set(expected)
    for row in rows:
        values = expected[row["matrix"]]
        first = 0 if row["matrix"] in "KV" else step - 1
        place = values[row["row"] - 1 - first][row["column"] - 1]
        assert row["value"] == pytest.approx(place, abs=1e-12)
        assert row["label"] == head.tokens[row["row"] - 1]
    assert len(rows) == sum(np.size(values) for values in expected.values())


@pytest.mark.parametrize("step", [1, 2, 4])
def test_what_is_drawn_of_a_step_is_what_its_table_holds(step):
    figure = cache_figure(found("textbook").growth, Style(), step)
    named = re.compile(r"(\w), row (\d+) \((.+)\), column (\d+): (.+)")
    drawn: Counter[tuple[Any, ...]] = Counter()
    for cell in cells(figure.spec):
        (part,) = named.findall(cell["tip"])
        matrix, row, label, column, value = part
        # The weights stand upright beside their keys.
        row, column = (column, row) if matrix == "a" else (row, column)
        drawn[matrix, int(row), int(column), label, float(value.replace("−", "-"))] += 1
    tokens = found("textbook").growth.head.tokens
    for each in rows_of(figure):
        row, label = each["row"], each["label"]
        if each["matrix"] == "a":
            row, label = 1, tokens[each["column"] - 1]
        drawn[each["matrix"], row, each["column"], label, each["value"]] -= 1
    assert set(drawn.values()) == {0}


@pytest.mark.parametrize("step", [1, 3, 4])
def test_a_step_counts_its_work_and_its_store(step):
    note = cache_figure(found("textbook").growth, Style(), step).note
    again = sum(j <= i for i in range(step) for j in range(step))
    assert f"{step} with the cache, {again} if the whole pass up to here" in note
    assert f"{step} × (2 + 2) = {4 * step} numbers" in note
    assert "largest difference 0." in note


def test_a_window_needs_no_more_than_its_width():
    result = causal_growth(source="sentence", b_pattern="window", b_window=2)
    figure = cache_figure(result, Style(), 6)
    again = sum(i - 2 < j <= i for i in range(6) for j in range(6))
    assert f"2 with the cache, {again} if" in figure.note
    noughts = [box.text for box in texts(figure.spec)].count("0")
    assert noughts == 4  # weights that the window hides


def test_tokens_to_come_have_empty_places():
    result = found("textbook").growth
    for step in (1, 4):
        figure = cache_figure(result, Style(), step)
        assert len(frames(figure, Style().colours.line)) == (4 - step) * 5
        assert len(cells(figure.spec)) == 2 + step * 5 + 2


def test_the_board_stays_where_it_is_from_step_to_step():
    first, last = (cache_figure(found("textbook").growth, Style(), step) for step in (2, 4))
    assert (first.spec["width"], first.spec["height"]) == (last.spec["width"], last.spec["height"])


def test_a_long_sequence_shows_the_work_of_every_step():
    result = causal_growth(source="random", T=40)
    figure = cache_figure(result, Style(), 9)
    chart = figure.chart
    assert chart is not None
    with_cache, without = (each.values for each in chart.series)
    assert list(with_cache) == list(range(1, 41))
    assert list(without) == [t * (t + 1) // 2 for t in range(1, 41)]
    assert chart.y_log
    assert [reference.at for reference in chart.references] == [9]


def test_a_row_that_sees_nothing_still_has_a_step():
    result = causal_growth(b_drawn="0000/1100/1110/1111")
    assert "0 with the cache, 0 if" in cache_figure(result, Style(), 1).note


@pytest.mark.parametrize(
    ("case", "title"),
    [
        ("random", "A KV cache from length 5 on: "),
        ("bidirectional", "No KV cache under this mask: "),
        ("equal", "These tokens change no earlier output: "),
    ],
)
def test_a_cache_is_refused_as_long_as_outputs_change(case, title):
    result = {
        "random": found("random").growth,
        "bidirectional": causal_growth(b_pattern="none"),
        "equal": causal_growth(source="sentence", sentence="a a a a", b_pattern="none"),
    }[case]
    figure = cache_figure(result, Style(), 2)
    head, visible = result.head, result.b.visible
    assert figure.title.startswith(title)
    assert ("no output changes any more" in figure.note) is (case == "random")
    assert ("beyond rounding" in figure.note) is (case == "equal")
    expected = oracles.decoded(head.x, head.w_q, head.w_k, head.w_v, visible.tolist())
    assert figure.chart is not None
    np.testing.assert_allclose(figure.chart.series[0].values, expected, atol=1e-10)
    assert ("prefix model" in figure.note) is (case == "random")


def test_one_token_has_a_cache_too():
    result = causal_growth(source="sentence", sentence="one", d_k=40)
    for size in SIZES:
        assert cache_figure(result, Style(size=size), 1).table.rows == ((1, 1, 1, 80),)


@pytest.mark.parametrize("step", [0, 5, -1])
def test_there_is_no_other_step(step):
    with pytest.raises(FigureError, match="from 1 to 4"):
        cache_figure(found("textbook").growth, Style(), step)


# ------------------------------------------------------------------------------ padding


def test_padding_errors_are_the_bars_and_exact_noughts_read_as_such():
    result = padded(False)
    figure = padding_error_figure(result, Style())
    chart = figure.chart
    assert chart is not None
    assert [each.values for each in chart.series] == [result.errors[kind] for kind in KINDS]
    exact = sum(value == 0 for errors in result.errors.values() for value in errors)
    assert exact >= 6
    assert [box.text for box in texts(figure.spec)].count("0") == exact
    assert "0 (padding keys hidden)" in figure.note


def test_rounding_alone_fills_no_axis():
    tiny = dict.fromkeys(KINDS, (0.0, 3e-17, 2e-16))
    figure = padding_error_figure(replace(padded(True), errors=tiny), Style())
    assert figure.chart is not None
    assert figure.chart.y_range[1] >= padded(True).largest > 0.1
    assert [box.text for box in texts(figure.spec)].count("3e−17") == len(KINDS)
    assert "causal mask hides it" in figure.note


@pytest.mark.parametrize("size", SIZES)
def test_noughts_are_written_however_narrow_the_bars(size):
    shown = [box.text for box in texts(padding_error_figure(padded(False), Style(size=size)).spec)]
    assert shown.count("0") >= 6
