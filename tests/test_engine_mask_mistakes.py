"""Every way of masking wrongly, beside loops over single numbers, and the verdict on each."""

from __future__ import annotations

import math
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import EngineError, OptionError, get_backend
from engine.experiments.masks.inputs import head_of
from engine.experiments.masks.judging import Tolerance, judge
from engine.experiments.masks.mistakes import (
    DTYPES,
    VARIANTS,
    EmptyRows,
    MistakesParams,
    dtypes_of,
    make_mistakes,
)
from engine.experiments.masks.passes import compute_passes
from engine.experiments.masks.plan import MOST_CELLS, plan_of
from engine.experiments.masks.precision import Precision
from engine.experiments.masks.spec import build
from tests import mask_oracles as oracle

RIGHT = {"minus-infinity", "minus-1e9", "minus-1e4", "renormalise"}
HIDING = RIGHT - {"renormalise"}  # what is hidden takes no part at all
LEAKING = {"times-0-1", "plus-0-1", "zero-after"}


def everywhere(kind):
    return dict.fromkeys(map(str, DTYPES), kind)


# What becomes of a row that may look nowhere, by dtype.
FULL_ROWS: dict[str, dict[str, str]] = {
    "minus-infinity": everywhere("nan"),
    "minus-1e9": {
        "float16": "nan",
        "bfloat16": "uniform",
        "float32": "uniform",
        "float64": "unmasked",
    },
    "minus-1e4": {"bfloat16": "uniform", "float32": "unmasked", "float64": "unmasked"},
    # The raised score is no part of this test.
    "minus-1e4-far": {"bfloat16": "uniform", "float32": "unmasked", "float64": "unmasked"},
    "times-0-1": everywhere("uniform"),
    "plus-0-1": everywhere("unmasked"),
    "zero-after": everywhere("zero"),
    "renormalise": everywhere("nan"),
    "renormalise-far": everywhere("nan"),
    "wrong-axis": everywhere("nan"),
    "inverted": everywhere("unmasked"),
}
SENTENCE = MistakesParams(source="sentence")
RANDOM = MistakesParams(source="random", T=24)
CASES = {
    "textbook": MistakesParams(),
    "sentence": SENTENCE,
    "sentence, window": replace(SENTENCE, pattern="window", window=4, seed=2),
    "sentence, prefix": replace(SENTENCE, pattern="prefix", prefix=3, seed=3),
    "sentence, padding": replace(SENTENCE, pattern="none", length=7, seed=4),
    "random": RANDOM,
    "random, padded window": replace(RANDOM, pattern="window", length=20, seed=5, d_k=3),
    "random, padding": replace(RANDOM, pattern="none", length=23, seed=6, d_k=16),
    "random, two tokens": replace(RANDOM, T=2, seed=7),
    "random, long": replace(RANDOM, T=64, seed=8, d_k=32),
}


@st.composite
def small(draw):
    """Return random input with some mask that hides something and leaves something."""
    T = draw(st.integers(2, 5))
    pattern = draw(st.sampled_from(["none", "causal", "window", "prefix"]))
    length = (
        draw(st.integers(1, T - 1)) if pattern == "none" else draw(st.none() | st.integers(1, T))
    )
    return MistakesParams(
        source="random",
        seed=draw(st.integers(0, 999_999)),
        T=T,
        d_k=draw(st.integers(1, 5)),
        pattern=pattern,
        window=draw(st.integers(1, T)),
        prefix=draw(st.integers(0, T - 1)),
        length=length,
    )


def example_of(result, dtype):
    head = result.head
    return oracle.Example(
        head.x,
        head.w_q,
        head.w_k,
        head.w_v,
        dtype,
        place=result.raised,
        visible=result.visible.tolist(),
    )


def meant(result, name):
    """Return the mask that a mistake misuses, without the padding of the wrong-axis row."""
    if name != "wrong-axis":
        return result.visible
    return build(replace(result.params.mask, length=None), len(result.visible))


def allowed(example, scale=1.0):
    """Return how far roundings that fall to the other side may carry a weight or an output."""
    scores = np.abs(example.scores).max()
    return 6 * oracle.epsilon(example.dtype) * (1 + scores) * scale


@given(params=small())
@settings(max_examples=12)
def test_the_weights_of_every_mistake_are_those_of_the_loops(backend, params):
    result = make_mistakes(params, backend=backend)
    for dtype in dtypes_of(backend):
        example = example_of(result, dtype)
        for name in VARIANTS:
            mask = oracle.used_mask(name, meant(result, name), result.padded_length)
            np.testing.assert_allclose(
                result.variant(name).outcomes[dtype].weights,
                example.weights(name, mask),
                rtol=0,
                atol=allowed(example),
                err_msg=f"{name} in {dtype}",
            )
            intended = result.variant(name).intended.tolist()
            np.testing.assert_allclose(
                result.variant(name).outcomes[dtype].reference,
                example.weights("minus-infinity", intended),
                rtol=0,
                atol=allowed(example),
                err_msg=f"the right weights of {name} in {dtype}",
            )


@given(params=small())
@settings(max_examples=4)
def test_the_leak_of_every_mistake_is_that_of_the_loops(backend, params):
    result = make_mistakes(params, backend=backend)
    assert result.changed == tuple(range(len(result.visible)))
    for dtype in dtypes_of(backend):
        example = example_of(result, dtype)
        for variant in result.variants:
            mask = oracle.used_mask(variant.name, meant(result, variant.name), result.padded_length)
            expected = example.leak(variant.name, mask, variant.intended.tolist(), result.changed)
            found = variant.outcomes[dtype].leak
            values = 1 + np.abs(oracle.projected(result.head.x, result.head.w_v, dtype)).max()
            assert found == pytest.approx(
                expected, rel=0, abs=4 * allowed(example, values), nan_ok=True
            ), (variant.name, dtype)


@given(params=small())
def test_the_numbers_are_those_of_the_weights_that_are_shown(backend, params):
    result = make_mistakes(params, backend=backend)
    for variant in result.variants:
        for outcome in variant.outcomes.values():
            sums, off, lost = [], [], 0
            for i, row in enumerate(outcome.weights.tolist()):
                if not any(variant.intended[i]):
                    continue
                if any(map(math.isnan, row)):
                    lost += 1
                    continue
                sums.append(math.fsum(row))
                off += [abs(a - b) for a, b in zip(row, outcome.reference[i].tolist(), strict=True)]
            least_and_most = (min(sums, default=math.nan), max(sums, default=math.nan))
            assert outcome.row_sums == pytest.approx(least_and_most, abs=1e-12, nan_ok=True)
            assert outcome.difference == pytest.approx(max(off, default=math.nan), nan_ok=True)
            assert outcome.nan_rows == lost


def require(dtype, backend):
    """Skip where the backend does not compute in a dtype."""
    if dtype not in dtypes_of(backend):
        pytest.skip(f"{backend.name} does not compute in {dtype}")


def beside_loops(seed, dtype, backend):
    """Yield what the passes compute in a dtype, part by part, with what the loops do."""
    drawn = "/".join(["00000", "10100", *["11010"] * 3])
    params = MistakesParams(source="random", seed=seed, T=5, d_k=3, pattern="none", drawn=drawn)
    result = make_mistakes(params, backend=backend)
    example = example_of(result, dtype)
    plan = plan_of(params.mask, np.array(example.scores))
    passes = compute_passes(result.head, plan, Precision(dtype), backend)
    for name in VARIANTS:
        mask = oracle.used_mask(name, meant(result, name), result.padded_length)
        row = plan.full_row
        whole = [[False] * 5 if i == row else line for i, line in enumerate(result.visible)]
        full = oracle.used_mask(name, whole, result.padded_length)[row]
        masked = oracle.masked_row(name, example.scores[row], full, dtype)
        yield name, passes[name]["weights"], example.weights(name, mask)
        yield name, passes[name]["output"][0], example.output(name, mask)
        yield name, passes[name]["masked"][0], masked


@pytest.mark.parametrize("dtype", DTYPES[:2])
def test_every_step_is_rounded_to_the_format(backend, dtype):
    """A step that is not rounded changes many numbers; a tie on the other side changes few."""
    same: dict[str, list[bool]] = {name: [] for name in VARIANTS}
    for seed in range(3):
        for name, found, expected in beside_loops(seed, dtype, backend):
            for own, other in zip(np.ravel(found).tolist(), np.ravel(expected), strict=True):
                assert math.isnan(own) or own == oracle.rounded(own, dtype)
                same[name].append(own == other or (math.isnan(own) and math.isnan(other)))
    assert all(np.mean(each) > 0.95 for each in same.values())


@pytest.mark.parametrize("dtype", DTYPES[2:])
def test_wide_formats_agree_to_their_last_digits(backend, dtype):
    require(dtype, backend)
    near = 64 * oracle.epsilon(dtype)
    for _, found, expected in beside_loops(1, dtype, backend):
        np.testing.assert_allclose(found, expected, rtol=near, atol=near)


def verdicts_hold(result):
    """Assert what must come out for a mask that hides later or padding tokens."""
    T = len(result.visible)
    for name in (*sorted(RIGHT), "minus-1e4-far", *sorted(LEAKING), "renormalise-far"):
        for dtype, outcome in result.variant(name).outcomes.items():
            place = (name, dtype)
            far = name == "renormalise-far"
            assert outcome.right == (name in RIGHT or (far and dtype == "float64")), place
            assert outcome.leaks == (name in LEAKING or name == "minus-1e4-far"), place
            assert outcome.nan_rows == (far and dtype != "float64"), place
            assert (outcome.leak == 0) == (name in HIDING) or name.startswith("renorm"), place
            work = "float64" if dtype == "float64" else "float32"
            rounding = 4 * oracle.epsilon(dtype) + T * oracle.epsilon(work)
            if name == "zero-after":
                assert outcome.row_sums[0] < 1 - rounding, place
            else:
                assert outcome.row_sums == pytest.approx((1, 1), abs=rounding), place
            if name in HIDING:
                assert outcome.difference == 0, place
    for name in ("wrong-axis", "transposed", "inverted"):
        assert not any(outcome.right for outcome in result.variant(name).outcomes.values()), name


@pytest.mark.parametrize("case", CASES)
def test_the_verdict_on_every_mistake(backend, case):
    verdicts_hold(make_mistakes(CASES[case], backend=backend))


@pytest.mark.parametrize("case", CASES)
def test_a_row_that_may_look_nowhere(backend, case):
    result = make_mistakes(CASES[case], backend=backend)
    for name, kinds in FULL_ROWS.items():
        for dtype, outcome in result.variant(name).outcomes.items():
            if dtype in kinds:
                assert outcome.full_row == kinds[dtype], (name, dtype)


def test_minus_1e4_in_float16_keeps_eights_of_the_scores():
    """The spacing there is 8, so small scores vanish and large ones become steps."""
    small_scores = make_mistakes(MistakesParams(), backend="numpy")
    assert small_scores.variant("minus-1e4").outcomes["float16"].full_row == "uniform"
    kinds = {
        make_mistakes(replace(RANDOM, seed=seed, T=12, d_k=1), backend="numpy")
        .variant("minus-1e4")
        .outcomes["float16"]
        .full_row
        for seed in range(40)
    }
    assert kinds == {"uniform", "other"}


@given(seed=st.integers(0, 999_999), T=st.integers(6, 40), d_k=st.integers(4, 64))
@settings(max_examples=15)
def test_no_seed_changes_a_verdict(seed, T, d_k):
    params = MistakesParams(source="random", seed=seed, T=T, d_k=d_k)
    verdicts_hold(make_mistakes(params, backend="numpy"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_claim_12_minus_infinity_exists_and_minus_a_billion_is_what_the_format_makes_of_it(dtype):
    precision = Precision(dtype)
    billion = get_backend("numpy").run(
        lambda xp, a: precision.enter(xp, a), np.array([-1e9, -math.inf])
    )
    assert billion[1] == -math.inf
    assert billion[0] == oracle.rounded(-1e9, dtype)
    assert (billion[0] == -math.inf) == (dtype == "float16")
    outcome = make_mistakes(SENTENCE, backend="numpy").variant("minus-infinity").outcomes[dtype]
    assert outcome.right
    assert outcome.full_row == "nan"  # the real hazard


def test_claim_13_masking_after_softmax():
    result = make_mistakes(SENTENCE, backend="numpy")
    both = result.variant("renormalise").outcomes["float64"]
    assert 0 < both.difference < 1e-15
    assert both.right
    zeroed = result.variant("zero-after").outcomes["float64"]
    assert zeroed.row_sums[0] < 0.5
    assert zeroed.leak > 0.01
    killer = result.variant("times-0-1").outcomes["float64"]
    assert killer.leak > zeroed.leak


@pytest.mark.parametrize("dtype", DTYPES)
def test_renormalising_errs_by_a_few_roundings_and_no_more(dtype):
    for seed in range(5):
        result = make_mistakes(replace(SENTENCE, seed=seed), backend="numpy")
        outcome = result.variant("renormalise").outcomes[dtype]
        values = np.abs(result.head.x @ result.head.w_v).max()
        assert outcome.difference <= 2 * oracle.epsilon(dtype)
        assert outcome.leak <= 8 * oracle.epsilon(dtype) * values


def test_many_tokens_change_a_few_of_them_with_the_last():
    result = make_mistakes(replace(RANDOM, T=256), backend="numpy")
    verdicts_hold(result)
    assert 2 <= len(result.changed) <= 3
    assert result.changed[-1] == 255
    assert result.raised == (0, 255)


@given(T=st.integers(2, 256), pattern=st.sampled_from(["causal", "window", "padding"]))
def test_the_changed_tokens_are_hidden_from_someone_and_few_enough(T, pattern):
    spec = MistakesParams(pattern="none" if pattern == "padding" else pattern, window=1).mask
    spec = replace(spec, length=T - 1 if pattern == "padding" else None)
    plan = plan_of(spec, np.zeros((T, T)))
    changed = plan.changed
    assert len(set(changed)) == len(changed)
    assert list(changed) == sorted(changed)
    hidden = [j for j in range(T) if not all(plan.visible[i][j] for i in range(T))]
    assert hidden[-1] in changed
    assert plan.raised[1] in changed
    if T <= 16:
        assert changed == tuple(range(T))
    else:
        assert set(changed) <= set(hidden)
        count = max(2, MOST_CELLS // T**2)
        assert len(changed) <= count + 1
        places = [hidden.index(token) for token in changed]
        assert places[0] == 0
        assert max(np.diff(places), default=0) <= np.ceil((len(hidden) - 1) / (count - 1))


@given(drawn=st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=4, max_size=4))
def test_the_raised_score_is_hidden_beside_a_visible_one(drawn):
    text = "/".join("".join("01"[seen] for seen in row) for row in drawn)
    mixed = [i for i, row in enumerate(drawn) if any(row) and not all(row)]
    params = MistakesParams(pattern="none", drawn=text)
    if not mixed:
        with pytest.raises(OptionError, match="leave it others"):
            make_mistakes(params, backend="numpy")
        return
    result = make_mistakes(params, backend="numpy")
    row, column = result.raised
    assert row == mixed[0]
    hidden = [j for j in range(4) if not drawn[row][j]]
    assert column == (max([j for j in hidden if j != row], default=row))
    assert not result.variant("minus-1e4-far").outcomes["float64"].right
    assert result.variant("minus-infinity").outcomes["float16"].right


def test_rows_that_may_look_nowhere_are_left_out_of_the_numbers(backend):
    params = MistakesParams(pattern="none", drawn="0000/1000/1110/1111")
    result = make_mistakes(params, backend=backend)
    for dtype, outcome in result.variant("minus-infinity").outcomes.items():
        assert np.isnan(outcome.weights[0]).all()
        assert (outcome.nan_rows, outcome.right, outcome.leak) == (0, True, 0), dtype
        assert outcome.empty == EmptyRows(1, 1, "nan"), dtype
    assert result.raised == (1, 3)
    assert result.empty_rows == 1


@given(drawn=st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=4, max_size=4))
@settings(max_examples=20)
def test_the_rows_left_out_are_counted_as_they_are(drawn):
    text = "/".join("".join("01"[seen] for seen in row) for row in drawn)
    assume(any(any(row) and not all(row) for row in drawn))
    result = make_mistakes(MistakesParams(pattern="none", drawn=text), backend="numpy")
    for variant in result.variants:
        for outcome in variant.outcomes.values():
            left_out = [
                row
                for row, seen in zip(outcome.weights.tolist(), variant.intended, strict=True)
                if not any(seen)
            ]
            lost = [row for row in left_out if any(map(math.isnan, row))]
            assert (outcome.empty.count, outcome.empty.lost) == (len(left_out), len(lost))
            equal = {0.0: "zero", 0.25: "uniform"}
            kinds = {equal.get(row[0], "other") if len({*row}) == 1 else "other"
                     for row in left_out if row not in lost} | {"nan" for _ in lost}  # fmt: skip
            if left_out:
                assert outcome.empty.kind == (kinds.pop() if len(kinds) == 1 else "other")


def test_the_row_that_is_hidden_whole_sees_something_and_has_unequal_scores():
    drawn = MistakesParams(pattern="none", drawn="000/100/110").mask
    scores = np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0], [3.0, 1.0, 2.0]])
    assert plan_of(drawn, scores).full_row == 2
    assert plan_of(drawn, np.zeros((3, 3))).full_row == 2  # row 1 holds the raised score
    assert plan_of(MistakesParams().mask, scores).full_row == 2  # the scores of row 1 are equal
    alone = MistakesParams(pattern="none", drawn="000/100/000").mask
    assert plan_of(alone, scores).full_row == 1


@given(params=small())
@settings(max_examples=20)
def test_the_tested_row_is_not_the_raised_one_where_there_is_another(params):
    result = make_mistakes(params, backend="numpy")
    seeing = [i for i, row in enumerate(result.visible) if any(row)]
    assert result.hidden_row in seeing
    assert (result.hidden_row == result.raised[0]) is (len(seeing) == 1)
    for far, near in (("minus-1e4-far", "minus-1e4"), ("renormalise-far", "renormalise")):
        for dtype, outcome in result.variant(far).outcomes.items():
            assert outcome.full_row == result.variant(near).outcomes[dtype].full_row


def test_where_no_row_sees_anything_nothing_is_judged(backend):
    params = MistakesParams(source="sentence", sentence="a b", pattern="none", drawn="01/00")
    result = make_mistakes(params, backend=backend)
    for variant in result.variants:
        for outcome in variant.outcomes.values():
            assert outcome.judged is any(any(row) for row in variant.intended.tolist())
            assert outcome.judged is (variant.name != "wrong-axis")


@given(drawn=st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=4, max_size=4))
@settings(max_examples=20)
def test_every_row_that_a_turned_mask_leaves_nothing_is_nan(drawn):
    assume(any(any(row) and not all(row) for row in drawn))
    text = "/".join("".join("01"[seen] for seen in row) for row in drawn)
    result = make_mistakes(MistakesParams(pattern="none", drawn=text), backend="numpy")
    turned = {
        "transposed": sum(not any(column) for column in zip(*drawn, strict=True)),
        "inverted": sum(all(row) for row in drawn),
    }
    for name, rows in turned.items():
        for outcome in result.variant(name).outcomes.values():
            assert outcome.all_nan_rows == rows


def test_padding_that_hides_nothing_leaves_the_last_token_to_the_wrong_axis():
    result = make_mistakes(MistakesParams(length=4), backend="numpy")
    assert result.padded_length == 3
    verdicts_hold(result)


def test_padding_on_the_query_axis_shows_padding_to_real_tokens(backend):
    params = replace(SENTENCE, pattern="none", length=7)
    result = make_mistakes(params, backend=backend)
    variant = result.variant("wrong-axis")
    assert result.padded_length == 7
    assert variant.intended.tolist() == [[j < 7 for j in range(len(row))] for row in result.visible]
    for outcome in variant.outcomes.values():
        assert outcome.nan_rows == len(result.visible) - 7
        assert outcome.leaks
        assert (outcome.weights[:7, 7:] > 0).all()


@pytest.mark.parametrize("dtype", DTYPES)
@given(
    value=st.floats(2.0**-120, 2.0**120).map(lambda v: float(np.float32(v))),
    sign=st.sampled_from([1, -1]),
)
@settings(max_examples=25)
def test_rounding_is_to_the_nearest_ties_to_even(backend, dtype, value, sign):
    require(dtype, backend)
    precision = Precision(dtype)
    tie = oracle.rounded(value, dtype) * (1 + oracle.epsilon(dtype) / 2)
    values = np.array([sign * value, sign * tie, 0.0, -math.inf], dtype=np.float32)
    found = backend.run(lambda xp, a: precision.enter(xp, a), values)
    expected = [oracle.rounded(float(each), dtype) for each in values]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("value", [-1e9, -1e4, 0.1, 65519.0, 65520.0])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_number_is_held_as_its_format_has_it(dtype, value):
    assert Precision(dtype).held(value) == oracle.rounded(value, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_spacings_are_those_of_the_formats(dtype):
    info = ml_dtypes.finfo(dtype)
    assert Precision(dtype).eps == float(info.eps) == oracle.epsilon(dtype)
    assert Precision(dtype).smallest == float(info.smallest_normal)


def judged(name, change_weights=0.0, change_output=0.0, dtype="float16"):
    """Judge right weights with one hidden weight and one hidden move added."""
    T, eps = 5, oracle.epsilon(dtype)
    plan = plan_of(MistakesParams().mask, np.zeros((T, T)))
    right = np.tril(np.ones((T, T))) / np.arange(1, T + 1)[:, None]
    weights, output = right.copy(), np.repeat((right @ np.ones((T, 1)))[None], 1 + T, axis=0)
    weights[1, 4] += change_weights
    output[5, 1] += change_output  # the fifth pass changes token 4
    found = {"weights": weights, "output": output}
    return judge(found, right, np.ones((T, 1)), plan, name, Tolerance(2 * eps, 0.0))


@given(size=st.floats(1e-12, 1.0))
def test_any_weight_on_a_hidden_key_is_wrong(size):
    assert judged("times-0-1").right
    found = judged("times-0-1", change_weights=size)
    assert not found.right
    assert found.differs
    assert found.excess == math.inf


@given(size=st.floats(1e-12, 1.0))
def test_any_move_is_a_leak_and_only_cancelling_scores_are_given_rounding(size):
    found = judged("zero-after", change_output=size)
    assert found.leaks
    assert found.leak == pytest.approx(size, rel=1e-3, abs=1e-15)
    assert not found.right
    allowed = 4 * oracle.epsilon("float16")
    found = judged("renormalise", change_output=size)
    assert found.leaks == (size > allowed)
    assert found.excess == pytest.approx(size / allowed, rel=1e-3, abs=1e-9)


@given(params=small())
@settings(max_examples=15)
def test_what_is_wrong_is_what_decides(backend, params):
    for variant in make_mistakes(params, backend=backend).variants:
        for outcome in variant.outcomes.values():
            decided = bool(outcome.nan_rows) or outcome.leaks or outcome.differs
            assert outcome.right is not decided
            assert (outcome.excess > 1) is (outcome.leaks or outcome.differs)


def test_what_is_refused():
    for params in (MistakesParams(pattern="none"), MistakesParams(pattern="prefix", prefix=4)):
        with pytest.raises(OptionError, match="The mask must hide some keys"):
            make_mistakes(params, backend="numpy")
    with pytest.raises(OptionError, match="One token alone has no other to hide"):
        make_mistakes(replace(SENTENCE, sentence="cat"), backend="numpy")
    with pytest.raises(OptionError, match="float16, bfloat16, float32, float64, got float8"):
        make_mistakes(SENTENCE, backend="numpy").outcome("zero-after", "float8")
    with pytest.raises(EngineError, match="empty"):
        make_mistakes(replace(SENTENCE, sentence=" "), backend="numpy")


def test_float64_is_there_on_numpy_alone(backend):
    assert dtypes_of(backend) == (DTYPES if backend.name == "numpy" else DTYPES[:3])
    result = make_mistakes(MistakesParams(), backend=backend)
    if backend.name == "numpy":
        assert result.outcome("zero-after", "float64").dtype == "float64"
    else:
        with pytest.raises(OptionError, match="MLX does not compute in float64.*NumPy"):
            result.outcome("zero-after", "float64")


def test_the_result_is_complete_and_closed_to_writing(backend):
    result = make_mistakes(SENTENCE, backend=backend)
    assert tuple(variant.name for variant in result.variants) == VARIANTS
    assert result.backend_name == backend.name
    np.testing.assert_array_equal(result.head.x, head_of(SENTENCE).x)
    for variant in result.variants:
        assert tuple(variant.outcomes) == dtypes_of(backend)
        assert not variant.intended.flags.writeable
        for outcome in variant.outcomes.values():
            assert outcome.weights.base is None  # no view that keeps every pass alive
            assert outcome.weights.dtype == outcome.reference.dtype == np.float64
            assert not outcome.weights.flags.writeable
    with pytest.raises(StopIteration):
        result.variant("none")


def test_the_same_parameters_give_the_same_numbers(backend):
    first, second = (make_mistakes(SENTENCE, backend=backend) for _ in range(2))
    for one, other in zip(first.variants, second.variants, strict=True):
        for dtype in one.outcomes:
            np.testing.assert_array_equal(
                one.outcomes[dtype].weights, other.outcomes[dtype].weights
            )
            assert one.outcomes[dtype].leak == pytest.approx(
                other.outcomes[dtype].leak, rel=0, nan_ok=True
            )
