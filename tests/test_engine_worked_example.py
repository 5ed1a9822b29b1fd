"""The worked example: parameters and their checks, presets, cells, and what moves."""

import contextlib
import math
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, NumberError, OptionError, ShapeError
from engine.experiments import cells, influence, practice, presets
from engine.experiments.matrices import clean_labels, matrix_from_rows
from engine.experiments.worked_example import (
    LIMITS,
    STEPS,
    Params,
    matrix_of,
    require_applicable,
    run,
    sizes_of,
    validate,
)
from tests.conftest import require_backend
from tests.worked_examples import by_hand, examples

HALF = 0.5


def close(actual, expected, tolerance=1e-9):
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=tolerance, atol=tolerance)


def sentence(call, *arguments, kind=EngineError, **options):
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    return str(caught.value)


# --- reading a matrix -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (" 0.5 ", 0.5),
        ("０．５", 0.5),
        ("−1", -1.0),
        ("－２", -2.0),
        ("٣", 3.0),
        ("1e300", 1e300),
        ("+.5", 0.5),
        ("1.", 1.0),
        ("\u30007\u3000", 7.0),
        (3, 3.0),
        (np.float32(0.5), 0.5),
        (np.int64(4), 4.0),
    ],
)
def test_a_cell_is_read_however_it_is_typed(cell, value):
    assert matrix_from_rows([[1, cell]], "X") == ((1.0, value),)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("abc", "holds abc, which is not a number"),
        ("1_000", "holds 1_000, which is not a number"),
        ("1 2", "which is not a number"),
        ("", "is empty"),
        ("   ", "is empty"),
        (None, "is empty"),
        ("NaN", "is NaN"),
        (math.nan, "is empty or NaN"),
        ("inf", "is infinite"),
        ("−∞", "is infinite"),
        (-math.inf, "is infinite"),
        ("1e400", "is too large"),
        (10**400, "is too large"),
        ("0,5", "write decimals with a point, such as 0.5"),
        ("-1,25", "such as -1.25"),
        (True, "holds true"),
        (np.True_, "other than a number"),
        ([1], "other than a number"),
        (1j, "other than a number"),
        ({}, "other than a number"),
        ("9" * 65, "has 65 characters"),
        ("a" * 60, "…"),
    ],
)
def test_a_bad_cell_is_named_by_its_place(cell, says):
    text = sentence(matrix_from_rows, [[1, 2, 3], [4, 5, cell]], "W_Q", kind=NumberError)
    assert text.startswith("W_Q, row 2, column 3 ")
    assert says in text
    assert text.count(".") <= 4
    assert "\n" not in text


@pytest.mark.parametrize("rows", [None, 3, "12", {"a": [1]}, [1, 2], [], [[]], [[1, 2], [3]]])
def test_what_is_no_table_is_refused(rows):
    assert "X" in sentence(matrix_from_rows, rows, "X", kind=ShapeError)


def test_unequal_rows_are_named():
    text = sentence(matrix_from_rows, [[1, 2], [3, 4], [5]], "X", kind=ShapeError)
    assert "row 3 has length 1, row 1 has length 2" in text


def test_a_matrix_of_thousands_of_rows_is_refused_before_its_cells():
    assert "too large" in sentence(matrix_from_rows, [["x"]] * 5000, "X", kind=ShapeError)


RUBBISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@given(RUBBISH)
def test_rubbish_is_a_matrix_or_refused_in_words(rows):
    with contextlib.suppress(EngineError):
        matrix = matrix_from_rows(rows, "X")
        assert all(math.isfinite(cell) for row in matrix for cell in row)
        assert len({len(row) for row in matrix}) == 1


def test_refusals_can_be_translated():
    with pytest.raises(NumberError) as caught:
        matrix_from_rows([["a{b}"]], "X")
    error = caught.value
    assert "{row}" in error.template
    assert error.template.format(**error.values) == str(error)
    assert "a{b}" in str(error)


# --- labels ---------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["it", "词语", "🐈", "ελλ", "a|b", "नमस्ते"])
def test_labels_of_any_script_are_kept(label):
    assert clean_labels([f"  {label} "], 1, "X") == (label,)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("", "is empty"),
        (" \t ", "is empty"),
        ("a" * 13, "13 characters"),
        ("a\nb", "cannot be shown"),
        ("a\u202eb", "cannot be shown"),
        ("\ud800", "cannot be shown"),
        (3, "must be text"),
        (None, "must be text"),
    ],
)
def test_an_unusable_label_is_named_by_its_row(label, says):
    text = sentence(clean_labels, ["fine", label], 2, "X")
    assert "X, row 2" in text
    assert says in text
    text.encode()


# --- parameters -----------------------------------------------------------------------


def test_defaults_are_the_textbook_and_hashable():
    assert Params() == presets.textbook()
    assert len({Params(), presets.textbook(), presets.three_scores()}) == 2


WIDE = tuple(tuple([HALF] * 13) for _ in range(4))
MISFITS = [
    ({"w_q": ((1.0, 0.0),) * 3}, ShapeError, "W_Q must have one row for each column of X"),
    ({"w_v": ((1.0,),) * 5}, ShapeError, "got 5 rows for 4 columns"),
    ({"w_k": ((1.0,) * 3,) * 4}, ShapeError, "got 3 and 2"),
    ({"context": ((1.0, 2.0),), "context_tokens": ("c",)}, ShapeError, "C must have as many"),
    ({"x": ((1.0,) * 4,) * 13, "tokens": ("a",) * 13}, ShapeError, "T must be a whole number"),
    ({"w_v": WIDE}, ShapeError, "d_v must be a whole number from 1 to 8, got 13"),
    ({"tokens": ("a",)}, ShapeError, "labels of X must be 4, one for each row; got 1"),
    ({"context_tokens": ("a",)}, ShapeError, "labels of C must be 0"),
    ({"tokens": ("a", "b", "", "d")}, EngineError, "X, row 3 is empty"),
    ({"tokens": None}, EngineError, "must be a list"),
    ({"scaled": 1}, OptionError, "scaled is a switch"),
    ({"causal": "yes"}, OptionError, "causal is a switch"),
    ({"x": (("a", 1.0, 1.0, 1.0),) * 4}, NumberError, "X, row 1, column 1 holds a"),
]


@pytest.mark.parametrize(("changes", "kind", "says"), MISFITS)
def test_parameters_that_do_not_fit_are_refused(changes, kind, says):
    params = replace(Params(), **changes)
    assert says in sentence(validate, params, kind=kind)
    assert says in sentence(run, params, kind=kind, backend="numpy")


def test_a_causal_mask_without_enough_keys_is_well_formed_and_cannot_be_computed():
    params = replace(Params(), context=((1.0,) * 4,), context_tokens=("c",), causal=True)
    validate(params)
    says = "got 4 queries and 1 keys"
    assert says in sentence(require_applicable, params, kind=OptionError)
    assert says in sentence(run, params, kind=OptionError, backend="numpy")


def test_a_refusal_of_the_engine_names_the_matrix_as_it_is_on_screen():
    huge = tuple((1e300,) * 4 for _ in range(4))
    require_backend("mlx")
    text = sentence(run, replace(Params(), x=huge), kind=NumberError, backend="mlx")
    assert "`X` must fit float32" in text


@pytest.mark.parametrize(
    "label", ["\u200b", "\u200f\u200e", "\u3164", "\u2800", "\u0301", " \u00a0"]
)
def test_a_label_that_leaves_no_ink_is_empty(label):
    says = sentence(validate, replace(Params(), tokens=("a", "b", "c", label)), kind=EngineError)
    assert "X, row 4 is empty" in says


@given(st.sampled_from([*Params.__dataclass_fields__]), RUBBISH)
def test_any_parameter_of_rubbish_is_accepted_or_refused_in_words(field, value):
    with contextlib.suppress(EngineError):
        run(replace(Params(), **{field: value}), backend="numpy")


def test_sizes_are_read_off_the_matrices():
    params = presets.random_example(1, 3, 5, 2, 4, S=6)
    sizes = sizes_of(params)
    assert (sizes.T, sizes.S, sizes.d_model, sizes.d_k, sizes.d_v) == (3, 6, 5, 2, 4)


# --- run ------------------------------------------------------------------------------


@settings(max_examples=60)
@given(examples())
def test_every_step_is_what_loops_give(params):
    trace, expected = run(params, backend="numpy").trace, by_hand(params)
    for actual, wanted in (
        (trace.q, expected.q),
        (trace.k, expected.k),
        (trace.v, expected.v),
        (trace.scores, expected.score),
        (trace.scaled, expected.scale),
        (trace.masked, expected.mask),
        (trace.weights, expected.softmax),
        (trace.output, expected.output),
    ):
        close(actual, wanted)


def test_the_result_says_what_computed_it():
    seen: list[float] = []
    result = run(Params(), backend="numpy", progress=seen.append)
    assert (result.backend_name, result.precision) == ("numpy", "float64")
    assert result.device
    assert result.seconds > 0
    assert seen[-1] == 1.0


def test_one_token_attends_to_itself_wholly():
    result = run(presets.random_example(5, 1, 3, 2, 2), backend="numpy")
    assert result.trace.weights.tolist() == [[1.0]]
    close(result.trace.output, result.trace.v)


def test_zeros_give_uniform_weights():
    zeros = replace(Params(), x=((0.0,) * 4,) * 4)
    close(run(zeros, backend="numpy").trace.weights, np.full((4, 4), 0.25))


def test_huge_values_compute_while_nothing_overflows():
    values = replace(Params(), w_v=((1e300, 1.0),) * 4)
    close(run(values, backend="numpy").trace.output[0, 0] / 1e300, 2.0)


def test_overflow_is_refused_with_its_step_and_place():
    huge = replace(Params(), x=((1e300,) * 4,) * 4)
    text = sentence(run, huge, backend="numpy", kind=NumberError)
    assert "scores overflow float64 at row 1, column 1" in text


EXTREMES = st.sampled_from([0.0, 1.0, -1.0, 1e-300, 40.0, -800.0, 1e100, -1e150, 1e300, 5e-324])


@given(examples(cells=EXTREMES, most=3))
def test_extreme_values_compute_and_explain_themselves_or_are_refused(backend, params):
    try:
        result = run(params, backend=backend)
    except NumberError:
        return
    assert np.isfinite(result.trace.output).all()
    for step in STEPS:
        matrix = matrix_of(result, step)
        for row in range(len(matrix)):
            practice.check_row(result, step, row, ["0.5"] * matrix.shape[1])
            for values in practice.mistake_rows(result, step, row).values():
                assert (np.isfinite(values) == np.isfinite(matrix[row])).all()
            for column in range(matrix.shape[1]):
                cells.explain_cell(result, step, row, column)


def test_no_such_step_or_role():
    result = run(Params(), backend="numpy")
    assert "got dance" in sentence(matrix_of, result, "dance", kind=OptionError)
    assert "got x" in sentence(matrix_of, result, "project", "x", kind=OptionError)


# --- presets --------------------------------------------------------------------------


def test_the_textbook_gives_the_reference_values():
    trace = run(presets.textbook(), backend="numpy").trace
    small, large, even = 0.10905743430313004, 0.4485805329564439, 0.22118101637021303
    close(trace.weights[:2], [[small, large, even, even], [large, small, even, even]], 1e-14)
    close(trace.output[0], [0.6604769013466861, 1.6697615493266569], 1e-14)


def test_three_scores_come_out_as_the_text_gives_them():
    params = presets.three_scores()
    trace = run(params, backend="numpy").trace
    close(trace.scores[0], [2.1, 0.4, -0.3], 1e-12)
    close(trace.weights[0], [0.5784997745450158, 0.24725944176951162, 0.1742407836854726], 1e-12)
    assert sizes_of(params).d_k == 4


SIZES = {name: st.integers(*LIMITS[name]) for name in ("T", "d_model", "d_k", "d_v")}
SEEDS = st.integers(0, presets.LARGEST_SEED)


@given(SEEDS, st.fixed_dictionaries(SIZES), st.none() | st.integers(*LIMITS["S"]))
def test_random_examples_are_valid_repeatable_and_of_one_decimal(seed, sizes, S):
    params = presets.random_example(seed, **sizes, S=S)
    validate(params)
    assert params == presets.random_example(seed, **sizes, S=S)
    got = sizes_of(params)
    assert sizes == {name: getattr(got, name) for name in sizes}
    assert all(repr(cell) == repr(round(cell, 1)) for row in params.x for cell in row)
    assert all(math.copysign(1, cell) > 0 for row in params.x for cell in row if cell == 0)


def test_other_seeds_give_other_numbers():
    drawn = {presets.random_example(seed, 4, 4, 2, 2).x for seed in range(20)}
    assert len(drawn) == 20


@given(SEEDS, st.integers(1, 12), st.integers(1, 8))
def test_identity_examples_project_nothing_away(seed, T, d_model):
    params = presets.identity_example(seed, T, d_model)
    trace = run(params, backend="numpy").trace
    for projected in (trace.q, trace.k, trace.v):
        close(projected, params.x)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: presets.random_example(1, 13, 4, 2, 2), "T must be"),
        (lambda: presets.random_example(1, 4, 4, 9, 2), "d_k must be a whole number from 1 to 8"),
        (lambda: presets.random_example(1, 4, 4, 2, 2, S=0), "S must be"),
        (lambda: presets.random_example(-1, 4, 4, 2, 2), "seed must be"),
        (lambda: presets.random_example(True, 4, 4, 2, 2), "seed must be"),
        (lambda: presets.identity_example(1, 4, 9), "d_k must be"),
        (lambda: presets.with_context(Params(), 1, 13), "S must be"),
        (lambda: presets.resize(Params(), T=0, d_model=4, d_k=2, d_v=2, seed=1), "T must be"),
    ],
)
def test_presets_refuse_sizes_and_seeds_out_of_limits(call, says):
    assert says in sentence(call)


@given(SEEDS, st.fixed_dictionaries(SIZES))
def test_resizing_keeps_what_fits_and_comes_back(seed, sizes):
    start = replace(presets.textbook(), causal=True, tokens=("a", "b", "c", "d"))
    grown = presets.resize(start, **sizes, seed=seed)
    validate(grown)
    assert sizes == {name: getattr(sizes_of(grown), name) for name in sizes}
    for field in ("x", "w_q", "w_k", "w_v"):
        old, new = getattr(start, field), getattr(grown, field)
        for old_row, new_row in zip(old, new, strict=False):
            overlap = min(len(old_row), len(new_row))
            assert old_row[:overlap] == new_row[:overlap]
    assert grown.causal
    assert grown.tokens[:4] == start.tokens[: sizes["T"]]
    assert presets.resize(start, T=4, d_model=4, d_k=2, d_v=2, seed=seed) == start


def test_resizing_keeps_or_changes_the_second_input():
    crossed = presets.with_context(Params(), 3, 5)
    sizes = {"T": 4, "d_model": 6, "d_k": 2, "d_v": 2}
    assert sizes_of(presets.resize(crossed, **sizes, seed=1)).S == 5
    assert sizes_of(presets.resize(crossed, **sizes, S=7, seed=1)).S == 7
    assert presets.resize(Params(), **sizes, S=7, seed=1).context is None
    kept = presets.resize(crossed, **sizes, seed=1).context
    assert kept is not None
    assert crossed.context is not None
    assert kept[2][:4] == crossed.context[2]


def test_a_second_input_comes_and_goes():
    crossed = presets.with_context(Params(), 3, 6)
    validate(crossed)
    assert run(crossed, backend="numpy").trace.scores.shape == (4, 6)
    assert presets.without_context(crossed) == Params()


# --- cells ----------------------------------------------------------------------------


Kind = TypeVar("Kind", bound=cells.CellArithmetic)


def explained(kind: type[Kind], *place, role: str = "q") -> Kind:
    cell = cells.explain_cell(*place, role=role)
    assert isinstance(cell, kind)
    return cell


@settings(max_examples=60)
@given(examples(most=4), st.data())
def test_the_arithmetic_of_any_cell_leads_to_the_cell(params, data):
    result, expected = run(params, backend="numpy"), by_hand(params)
    step = data.draw(st.sampled_from(STEPS))
    role = data.draw(st.sampled_from("qkv"))
    wanted = getattr(expected, role if step == "project" else step)
    row = data.draw(st.integers(0, len(wanted) - 1))
    column = data.draw(st.integers(0, len(wanted[0]) - 1))
    cell = cells.explain_cell(result, step, row, column, role=role)
    close(cell.value, wanted[row][column])
    _check_arithmetic(cell, wanted[row][column], params)


def _check_arithmetic(cell, wanted, params):
    match cell:
        case cells.ProductSum():
            assert all(term.product == term.left * term.right for term in cell.terms)
            close(sum(term.product for term in cell.terms), wanted)
            assert cell.total == cell.value
        case cells.Division():
            close(cell.score / (cell.root if cell.scaled else 1.0), wanted)
            assert cell.root == math.sqrt(cell.d_k)
            assert cell.scaled == params.scaled
        case cells.Masking():
            assert cell.after == (cell.before if cell.visible else -math.inf)
            assert cell.visible == (not params.causal or cell.key <= cell.query)
            assert cell.masked == params.causal
        case cells.Softmax():
            chosen = cell.exponentials[cell.column]
            close(chosen.exponential / cell.row_sum, wanted)
            close(sum(part.exponential for part in cell.exponentials), cell.row_sum)
            assert all((part.exponential == 0) == (not part.visible) for part in cell.exponentials)
        case _:
            pytest.fail("an unknown kind of cell")


def test_projection_terms_name_the_second_input():
    result = run(presets.with_context(Params(), 1, 6), backend="numpy")
    key, query, value = (
        explained(cells.ProductSum, result, "project", 3, 0, role=role) for role in "kqv"
    )
    assert (key.left_name, key.right_name) == ("C", "W_K")
    assert (query.left_name, query.right_name) == ("X", "W_Q")
    assert (value.left_name, value.right_name) == ("C", "W_V")


def test_a_causal_query_with_earlier_keys_stands_at_the_end():
    crossed = replace(presets.with_context(Params(), 1, 6), causal=True)
    cell = explained(cells.Masking, run(crossed, backend="numpy"), "mask", 0, 3)
    assert (cell.query, cell.key, cell.visible) == (2, 3, False)


@pytest.mark.parametrize(("size", "shifted"), [(20.0, False), (20.5, True), (400.0, True)])
def test_exponentials_are_shifted_only_when_unreadable(size, shifted):
    params = Params(
        x=((1.0,), (-1.0,)),
        w_q=((size,),),
        w_k=((1.0,),),
        w_v=((1.0,),),
        tokens=("a", "b"),
    )
    cell = explained(cells.Softmax, run(params, backend="numpy"), "softmax", 0, 0)
    assert cell.shifted is shifted
    assert cell.shift == (size if shifted else 0.0)
    assert math.isfinite(cell.row_sum)
    close(cell.exponentials[0].exponential / cell.row_sum, cell.value)


def test_a_cell_claims_no_more_digits_than_its_precision(backend):
    result = run(Params(), backend=backend)
    cell = cells.explain_cell(result, "softmax", 0, 1)
    assert cell.digits == {"float64": 15, "float32": 6}[result.precision]
    close(cell.value, 0.4485805329564439, 10.0 ** (1 - cell.digits))


def test_terms_are_the_values_that_were_multiplied(backend):
    result = run(presets.random_example(3, 4, 5, 3, 2), backend=backend)
    cell = explained(cells.ProductSum, result, "output", 2, 1)
    assert [term.left for term in cell.terms] == result.trace.weights[2].tolist()
    assert [term.right for term in cell.terms] == result.trace.v[:, 1].tolist()
    projected = explained(cells.ProductSum, result, "project", 1, 0)
    precision = np.dtype(result.precision)
    assert projected.terms[0].left == float(precision.type(result.params.x[1][0]))


@pytest.mark.parametrize(("row", "column"), [(4, 0), (0, 4), (-1, 0), (0, -1)])
def test_there_is_no_cell_outside_the_matrix(row, column):
    result = run(Params(), backend="numpy")
    text = sentence(cells.explain_cell, result, "score", row, column, kind=OptionError)
    assert f"row {row + 1}, column {column + 1}" in text


# --- influence ------------------------------------------------------------------------


def moved(before, after):
    movement = influence.moved_outputs(before, after)
    assert movement is not None
    return movement


def test_changing_the_third_token_moves_the_first_output():
    before = run(Params(), backend="numpy")
    x = (*Params().x[:2], (3.0, 1.0, 0.0, 0.0), Params().x[3])
    after = run(replace(Params(), x=x, tokens=("a", "b", "c", "d")), backend="numpy")
    movement = moved(before, after)
    assert (movement.token, movement.label) == (2, "c")
    old, new = by_hand(before.params).output, by_hand(after.params).output
    wanted = [max(abs(a - b) for a, b in zip(old[i], new[i], strict=True)) for i in range(len(old))]
    close(movement.moves, wanted)
    assert movement.moves[0] > 0.01


def test_behind_a_causal_mask_earlier_outputs_stay():
    causal = replace(Params(), causal=True)
    x = (*Params().x[:2], (3.0, 1.0, 0.0, 0.0), Params().x[3])
    movement = moved(run(causal, backend="numpy"), run(replace(causal, x=x), backend="numpy"))
    assert movement.moves[:2] == (0.0, 0.0)
    assert movement.moves[2] > 0


def test_anything_but_one_changed_row_is_no_movement():
    start = run(Params(), backend="numpy")
    one_row = ((2.0, 0.0, 1.0, 0.0), *Params().x[1:])
    two_rows = ((2.0, 0.0, 1.0, 0.0), (2.0, 1.0, 0.0, 1.0), *Params().x[2:])
    for changes in (
        {},
        {"x": two_rows},
        {"x": one_row, "scaled": False},
        {"x": one_row, "w_v": ((2.0, 1.0),) * 4},
        {"x": Params().x[:3], "tokens": ("a", "b", "c")},
    ):
        after = run(replace(Params(), **changes), backend="numpy")
        assert influence.moved_outputs(start, after) is None
    other = replace(start, precision="float32", backend_name="mlx")
    moved = run(replace(Params(), x=one_row), backend="numpy")
    assert influence.moved_outputs(other, moved) is None
    assert influence.moved_outputs(start, moved) is not None


def test_outputs_further_apart_than_a_float_move_infinitely_far():
    def result(value):
        params = Params(x=((value,),), w_q=((0.0,),), w_k=((0.0,),), w_v=((1.0,),), tokens=("a",))
        return run(params, backend="numpy")

    assert moved(result(1.5e308), result(-1.5e308)).moves == (math.inf,)


@pytest.mark.parametrize("label", ["\ue000", "\ufffe", "\ufdd0", "a\U000f0000"])
def test_a_label_with_a_private_character_is_refused(label):
    says = sentence(validate, replace(Params(), tokens=("a", "b", "c", label)), kind=EngineError)
    assert "cannot be shown" in says


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("\u00b2", "not a number"),
        ("2\u00b2", "not a number"),
        ("\u2082", "not a number"),
        ("1e-400", "too small"),
        ("-0.0000e0", None),
        ("5e-324", None),
    ],
)
def test_a_cell_is_never_silently_another_number(cell, says):
    if says is None:
        assert matrix_from_rows([[cell]], "X") == ((float(cell),),)
    else:
        assert says in sentence(matrix_from_rows, [[cell]], "X", kind=NumberError)
