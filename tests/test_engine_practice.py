"""Practice: answers judged, and each diagnosis against loops that make the mistake on purpose."""

import math
import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import EngineError, OptionError
from engine.experiments import practice, presets
from engine.experiments.worked_example import STEPS, Params, matrix_of, run
from tests.worked_examples import by_hand, examples, hide, product, softmax_rows, transpose

TEXTBOOK = run(Params(), backend="numpy")
CAUSAL = run(replace(Params(), causal=True), backend="numpy")


def check(answers, *, step="softmax", row=0, result=TEXTBOOK, role="q"):
    return practice.check_row(result, step, row, answers.split(), role=role)


# --- right, and right to the digits ----------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "kind", "digits"),
    [
        ("0.109 0.449 0.221 0.221", "right_to_digits", 3),
        ("0.11 0.449 0.22 0.2212", "right_to_digits", 2),
        ("0.109057 0.448581 0.221181 0.221181", "right", 6),
        ("0.10905743 0.44858053 0.22118102 0.22118102", "right", 8),
        (".109 4.49e-1 2.21E-1 ０．２２１", "right_to_digits", 3),
        ("1.09e-1 0.449 0.221 +0.221", "right_to_digits", 3),
        ("0.109 0.450 0.221 0.221", "wrong", 3),
        ("0.109057 0.448580 0.221181 0.221181", "wrong", 6),
        ("0 0 0 0", "wrong", 0),
        ("0.0 0.4 0.2 0.2", "wrong", 1),
    ],
)
def test_answers_are_right_to_their_digits(answers, kind, digits):
    verdict = check(answers)
    assert (verdict.kind, verdict.digits, verdict.mistakes) == (kind, digits, ())


@pytest.mark.parametrize("answers", ["0.25 1/4 2/8 25e-2", "0.25000 .25 1／4 0.5/2"])
def test_exact_answers_are_right_however_they_are_written(answers):
    verdict = check(answers, row=2)
    assert (verdict.kind, verdict.digits) == ("right", None)


def test_a_fraction_may_have_spaces_or_be_one_character():
    verdict = practice.check_row(TEXTBOOK, "softmax", 2, ["1 / 4", " 1/4 ", "0.25", "¼"])
    assert verdict.kind == "right"


def test_a_fraction_must_be_exact():
    assert check("1/3 1/3 1/3 0", row=2, result=CAUSAL).kind == "right"
    assert check("1/3 1/3 1/3 1/999", row=2, result=CAUSAL).cells == (True, True, True, False)


@pytest.mark.parametrize("infinity", ["-∞", "-inf", "−∞", "-Infinity", "－∞", "－ｉｎｆ"])
def test_hidden_scores_are_minus_infinity(infinity):
    verdict = check(f"1.41421356 {infinity} {infinity} {infinity}", step="mask", result=CAUSAL)
    assert verdict.kind == "right"


def test_infinity_is_right_nowhere_else():
    hidden = check("1.41421356 ∞ -1e9 0", step="mask", result=CAUSAL)
    assert (hidden.kind, hidden.cells) == ("wrong", (True, False, False, False))
    assert check("-∞ 0 0.7 0.7", step="mask", row=1).cells[0] is False


def test_projections_are_checked_by_role():
    assert check("2 1", step="project", role="q").kind == "right"
    assert check("0 2", step="project", role="k").kind == "right"
    assert check("0 2", step="project", role="v").cells == (False, False)


@settings(max_examples=150)
@given(examples(most=4), st.data())
def test_rounded_answers_are_right_and_a_unit_more_is_not(params, data):
    result = run(params, backend="numpy")
    step = data.draw(st.sampled_from(STEPS))
    row = data.draw(st.integers(0, result.sizes.T - 1))
    decimals = data.draw(st.integers(1, 9))
    exact = matrix_of(result, step)[row].tolist()
    typed = [f"{value:.{decimals}f}" for value in exact]
    verdict = practice.check_row(result, step, row, typed)
    assert verdict.kind in ("right", "right_to_digits")
    if verdict.kind == "right_to_digits":
        assert verdict.digits == decimals < practice.ENOUGH_DECIMALS
    place = data.draw(st.integers(0, len(exact) - 1))
    assume(math.isfinite(exact[place]))
    off = Fraction(typed[place]) + Fraction(1, 10**decimals)
    typed[place] = f"{float(off):.{decimals}f}"
    gap = abs(Fraction(typed[place]) - Fraction(exact[place])) - Fraction(1, 2 * 10**decimals)
    assume(gap > Fraction(1, 10**12))
    assert practice.check_row(result, step, row, typed).cells[place] is False


def test_float32_answers_are_right_at_the_digits_it_has(backend):
    result = run(Params(), backend=backend)
    assert check("0.109057 0.448581 0.221181 0.221181", result=result).kind == "right"
    assert check("0.109 0.450 0.221 0.221", result=result).kind == "wrong"
    assert check("0.072 0.534 0.197 0.197", result=result).mistakes == ("no_scale",)


# --- unreadable -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (["0.1", "", "0.2", "0.2"], "A, row 1, column 2 is empty"),
        (["0.1", None, "0.2", "0.2"], "A, row 1, column 2 is empty"),
        (["0.1", "0.4", "x", "0.2"], "A, row 1, column 3 holds x"),
        (["0,109", "0.4", "0.2", "0.2"], "write decimals with a point, such as 0.109"),
        (["nan", "0.4", "0.2", "0.2"], "is NaN"),
        (["1/0", "0.4", "0.2", "0.2"], "divides by zero"),
        (["1/2/3", "0.4", "0.2", "0.2"], "holds 1/2/3"),
        (["1/x", "0.4", "0.2", "0.2"], "holds 1/x"),
        (["0.1", "0.4"], "has 4 cells and needs as many answers, got 2"),
        ([], "got 0"),
    ],
)
def test_an_unreadable_row_says_where(answers, says):
    verdict = practice.check_row(TEXTBOOK, "softmax", 0, answers)
    assert (verdict.kind, verdict.cells) == ("unreadable", ())
    assert says in str(verdict.error)


def test_the_place_is_named_by_the_sign_of_the_matrix():
    signs = {
        step: str(
            practice.check_row(TEXTBOOK, step, 1, ["?"] * (4 if step != "output" else 2)).error
        )
        for step in STEPS[1:]
    }
    assert [text.partition(",")[0] for text in signs.values()] == [
        "S",
        "S′",
        "S″",
        "A",
        "O",
    ]
    verdict = practice.check_row(TEXTBOOK, "project", 0, ["?", "?"], role="k")
    assert str(verdict.error).startswith("K, row 1, column 1")


@given(st.lists(st.text(max_size=12) | st.none(), max_size=5))
def test_anything_typed_is_judged(answers):
    kinds = {"right", "right_to_digits", "mistake", "wrong", "unreadable"}
    assert practice.check_row(TEXTBOOK, "softmax", 0, answers).kind in kinds


def test_enormous_exponents_are_judged_at_once():
    start = time.process_time()
    assert check("1e9999 1e-9999 1e9999/1e-9999 9e-9999").kind == "wrong"
    assert time.process_time() - start < 1


@pytest.mark.parametrize("row", [-1, 4])
def test_there_is_no_row_outside(row):
    with pytest.raises(OptionError, match="no row"):
        practice.check_row(TEXTBOOK, "softmax", row, ["0"] * 4)


def test_there_is_no_other_step():
    with pytest.raises(EngineError, match="got dance"):
        practice.check_row(TEXTBOOK, "dance", 0, ["0"] * 4)


# --- mistakes ---------------------------------------------------------------------------


def carried(params, mistake):
    """Make one mistake with loops and carry it on: step name -> matrix, from where it shows."""
    right = by_hand(params)
    d_k = len(right.q[0])
    score, scale, weights = right.score, right.scale, None
    steps = {}
    if mistake == "key_not_transposed":
        if len(right.k) != d_k:
            return {}
        score = product(right.q, right.k)
        root = math.sqrt(d_k) if params.scaled else 1.0
        scale = [[cell / root for cell in row] for row in score]
        steps = {"score": score, "scale": scale, "mask": hide(scale, params)}
    elif mistake == "no_scale":
        if not params.scaled or d_k == 1:
            return {}
        scale = score
        steps = {"scale": scale, "mask": hide(scale, params)}
    elif mistake == "mask_after_softmax":
        if not params.causal:
            return {}
        shown = hide([[1.0] * len(row) for row in scale], params)
        weights = [
            [w if s == 1.0 else 0.0 for w, s in zip(ws, ss, strict=True)]
            for ws, ss in zip(softmax_rows(scale), shown, strict=True)
        ]
    elif mistake == "softmax_columns":
        weights = transpose(softmax_rows(transpose(right.mask)))
    elif mistake == "not_normalised":
        weights = [[math.exp(cell) for cell in row] for row in right.mask]
    weights = softmax_rows(hide(scale, params)) if weights is None else weights
    return {**steps, "softmax": weights, "output": product(weights, right.v)}


def same(left, right):
    return all(
        a == b or abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
        for a, b in zip(left, right, strict=True)
    )


@settings(max_examples=200)
@given(examples(most=4), st.data())
def test_each_mistake_is_what_loops_make_of_it(params, data):
    result = run(params, backend="numpy")
    step = data.draw(st.sampled_from(STEPS))
    row = data.draw(st.integers(0, result.sizes.T - 1))
    found = practice.mistake_rows(result, step, row)
    right = getattr(by_hand(params), "q" if step == "project" else step)[row]
    for mistake in practice.MISTAKES:
        wrong = carried(params, mistake).get(step)
        if mistake in found:
            assert wrong is not None
            assert same(found[mistake], wrong[row])
            assert found[mistake] != tuple(right)
        elif wrong is not None:
            assert same(wrong[row], right)


@settings(max_examples=100)
@given(examples(most=4), st.data())
def test_each_mistake_is_diagnosed_from_its_digits(params, data):
    result = run(params, backend="numpy")
    step = data.draw(st.sampled_from(STEPS[1:]))
    row = data.draw(st.integers(0, result.sizes.T - 1))
    for mistake, values in practice.mistake_rows(result, step, row).items():
        verdict = practice.check_row(result, step, row, [f"{value:.9f}" for value in values])
        if verdict.kind not in ("right", "right_to_digits"):  # apart by less than nine digits
            assert verdict.kind == "mistake"
            assert mistake in verdict.mistakes


@pytest.mark.parametrize(
    ("step", "row", "answers", "mistakes"),
    [
        ("softmax", 0, "0.07 0.53 0.20 0.20", ("no_scale",)),
        ("output", 0, "0.54 1.73", ("no_scale",)),
        ("softmax", 0, "0.25 0.65 0.45 0.45", ("softmax_columns",)),
        ("softmax", 0, "4.11 16.92 8.34 8.34", ("not_normalised",)),
        ("scale", 0, "2 4 3 3", ("no_scale",)),
    ],
)
def test_the_textbook_mistakes_by_their_numbers(step, row, answers, mistakes):
    verdict = check(answers, step=step, row=row)
    assert (verdict.kind, verdict.mistakes) == ("mistake", mistakes)


def test_a_mask_after_softmax_leaves_rows_below_one():
    verdict = check("0.11 0 0 0", result=CAUSAL)
    assert (verdict.kind, verdict.mistakes) == ("mistake", ("mask_after_softmax",))
    assert "mask_after_softmax" not in practice.mistake_rows(TEXTBOOK, "softmax", 0)


def test_a_mistake_that_changes_nothing_is_not_named():
    params = replace(Params(), x=((0.02, 0.0, 0.0, 0.0),) * 4)
    result = run(params, backend="numpy")
    rows = practice.mistake_rows(result, "softmax", 0)
    assert "softmax_columns" not in rows  # every weight is a quarter either way
    assert check("1.0 1.0 1.0 1.0", result=result).mistakes == ("not_normalised",)


def test_keys_not_transposed_needs_as_many_keys_as_d_k():
    square = run(presets.random_example(2, 3, 4, 3, 2), backend="numpy")
    assert "key_not_transposed" in practice.mistake_rows(square, "score", 0)
    assert "key_not_transposed" not in practice.mistake_rows(TEXTBOOK, "score", 0)
    crossed = run(presets.random_example(2, 5, 4, 3, 2, S=3), backend="numpy")
    assert "key_not_transposed" in practice.mistake_rows(crossed, "output", 4)


def test_overflowing_exponentials_are_no_diagnosis():
    params = replace(Params(), x=((100.0, 0.0, 100.0, 0.0),) * 4)
    rows = practice.mistake_rows(run(params, backend="numpy"), "softmax", 0)
    assert "not_normalised" not in rows
