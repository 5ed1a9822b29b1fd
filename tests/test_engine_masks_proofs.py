"""What a mask lets through, measured: influence of each token, and a sequence that grows."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError
from engine.experiments.masks import MaskSpec, Params, influence
from engine.experiments.masks.growth import Growth, measure_growth
from engine.experiments.masks.influence import CHANGE, measure_influence
from engine.experiments.masks.inputs import MOST_SEED, Head
from engine.experiments.masks.lengths import MOST_LENGTHS
from engine.shapes import Array
from tests import oracles
from tests.mask_specs import by_loop, sides, specs
from tests.tolerances import TOLERANCES, assert_close

SEEDS = st.integers(0, MOST_SEED)
# Masks that hide every later key: a token's output is settled once it is there.
SETTLED = (
    MaskSpec("causal"),
    MaskSpec("window", window=3),
    MaskSpec("causal", length=5),
    MaskSpec("prefix", prefix=0),
    MaskSpec(drawn="/".join("1" + "0" * 8 for _ in range(9))),
    MaskSpec("causal", drawn="/".join(["0" * 9] * 2 + ["1" * 9] * 7)),
)
# Masks that let some query see a key after it.
OPEN = (
    MaskSpec(),
    MaskSpec(length=5),
    MaskSpec("prefix", prefix=4),
    MaskSpec(drawn="/".join(["000000001"] * 9)),
)


def random_params(T, seed, d_k=8, **masks):
    return Params(source="random", T=T, seed=seed, d_k=d_k, **sides(**masks))


def matrices(head: Head) -> tuple[Array, Array, Array, Array]:
    return head.x, head.w_q, head.w_k, head.w_v


def noise(head, precision):
    """Return how far rounding may move an output of this head."""
    found = oracles.trace(*matrices(head))
    scores, values = np.abs(found["scores"]).max(), np.abs(found["v"]).max()
    return rounding(scores, values, precision)


def rounding(scores, values, precision):
    allowed = TOLERANCES[precision]
    return (allowed.atol + allowed.rtol + allowed.score * scores) * values


# --- influence ------------------------------------------------------------------------


@settings(max_examples=20)
@given(data=st.data(), T=st.integers(2, 6), seed=SEEDS, d_k=st.integers(1, 8))
def test_influence_is_what_a_loop_over_changed_inputs_finds(backend, data, T, seed, d_k):
    masks = {"a": data.draw(specs(T)), "b": data.draw(specs(T))}
    result = measure_influence(random_params(T, seed, d_k, **masks), backend=backend)
    for name, spec in masks.items():
        found, visible = getattr(result, name), by_loop(spec, T)
        np.testing.assert_array_equal(found.visible, visible)
        expected = oracles.influence(*matrices(result.head), mask=visible, change=CHANGE)
        # A change raises scores, keys and values, by some units at most.
        largest = np.abs(result.head.x).max() + CHANGE
        limits = {"largest": 4 * largest, "scores": 100 * largest}
        assert_close(found.moves, expected, backend.precision, **limits)
        assert not found.moves[~visible & ~np.eye(T, dtype=bool)].any()
        assert found.leak == 0


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 77, MOST_SEED])
def test_nothing_passes_a_mask_to_the_last_bit_and_what_is_visible_does(backend, seed):
    T = 24
    masks = {"a": MaskSpec("prefix", prefix=5, length=20), "b": MaskSpec("causal")}
    result = measure_influence(random_params(T, seed, **masks), backend=backend)
    others = ~np.eye(T, dtype=bool)
    for found in (result.a, result.b):
        assert (found.moves[found.visible & others] > 0).all()
        assert (found.moves[~found.visible & others] == 0).all()
    assert not np.triu(result.b.moves, 1).any()
    assert not result.a.moves[:20, 20:].any()


def test_token_3_moves_output_1_under_no_mask_and_not_under_a_causal_one(backend):
    result = measure_influence(Params(), backend=backend)
    assert result.a.moves[0, 2] > 0.1
    assert result.b.moves[0, 2] == 0
    assert (result.a.moves > 0).all()


@pytest.mark.parametrize(("passes", "rows"), [(1, 1), (5, 23), (23, 4), (7, 6)])
def test_blocks_measure_what_the_whole_does(backend, monkeypatch, passes, rows):
    params = random_params(23, 8, a=MaskSpec("window", window=4))
    monkeypatch.setattr(influence, "PASSES", 23)
    monkeypatch.setattr(influence, "ROWS", 23)
    whole = measure_influence(params, backend=backend)
    monkeypatch.setattr(influence, "PASSES", passes)
    monkeypatch.setattr(influence, "ROWS", rows)
    blocks = measure_influence(params, backend=backend)
    for name in ("a", "b"):
        found, expected = getattr(blocks, name), getattr(whole, name)
        assert_close(found.moves, expected.moves, backend.precision, largest=8, scores=50)
        assert found.leak == 0


@pytest.mark.parametrize("d_k", [2, 64])
def test_the_longest_input_is_measured_whole(d_k):
    masks = {"a": MaskSpec(), "b": MaskSpec("causal")}
    result = measure_influence(random_params(256, 3, d_k, **masks), backend="numpy")
    assert (result.a.moves > 0).all()
    assert (result.b.moves[np.tri(256, dtype=bool)] > 0).all()
    assert not np.triu(result.b.moves, 1).any()


def test_long_input_on_every_backend(backend):
    T = 100
    result = measure_influence(random_params(T, 3, b=MaskSpec("causal")), backend=backend)
    assert (result.b.moves[np.tri(T, dtype=bool)] > 0).all()
    assert not np.triu(result.b.moves, 1).any()


def test_long_input_needs_bounded_memory():
    tracemalloc.start()
    try:
        measure_influence(random_params(256, 3, d_k=64), backend="numpy")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 32e6  # all passes at once would take 134 MB for the scores alone


def test_a_leak_is_found_where_there_is_one():
    moves = np.array([[1.0, 0.25, 0.5], [1, 1, 0.125], [1, 1, 1]])
    assert influence.Influence(np.tri(3, dtype=bool), moves).leak == 0.5
    assert influence.Influence(np.ones((3, 3), dtype=bool), moves).leak == 0
    # The diagonal moves with the query itself, whatever is hidden.
    assert influence.Influence(np.zeros((3, 3), dtype=bool), np.eye(3)).leak == 0


# --- growth ---------------------------------------------------------------------------


@settings(max_examples=15)
@given(data=st.data(), T=st.integers(2, 6), seed=SEEDS, d_k=st.integers(1, 8))
def test_growth_is_what_a_loop_over_shorter_inputs_finds(backend, data, T, seed, d_k):
    masks = {"a": data.draw(specs(T)), "b": data.draw(specs(T))}
    result = measure_growth(random_params(T, seed, d_k, **masks), backend=backend)
    allowed = 2 * noise(result.head, backend.precision)
    lengths = tuple(range(1, T + 1))
    for name, spec in masks.items():
        found, visible = getattr(result, name), by_loop(spec, T)
        assert found.lengths == lengths
        expected = (
            oracles.growth(*matrices(result.head), mask=visible, lengths=lengths),
            oracles.decoded(*matrices(result.head), mask=visible),
        )
        np.testing.assert_allclose(found.differences, expected[0], rtol=0, atol=allowed)
        np.testing.assert_allclose(found.decoded, expected[1], rtol=0, atol=allowed)
        assert found.change == pytest.approx(np.nanmax(expected[0]), abs=allowed)
        assert found.cache_error == pytest.approx(expected[1].max(), abs=allowed)


@pytest.mark.parametrize("spec", SETTLED)
def test_what_hides_later_keys_settles_each_output_when_its_token_comes(backend, spec):
    found = measure_growth(random_params(9, 4, b=spec), backend=backend)
    allowed = noise(found.head, backend.precision)
    assert max(found.b.change, found.b.cache_error) <= allowed
    assert (found.b.last_change, found.b.settled) == (0, 1)


@pytest.mark.parametrize("spec", OPEN)
def test_what_shows_a_later_key_changes_earlier_outputs(backend, spec):
    found = measure_growth(random_params(9, 4, b=spec), backend=backend)
    assert found.b.change > 0.1
    assert found.b.cache_error > 0.1
    assert found.b.last_change >= 1


def test_the_projections_and_the_whole_pass_are_those_of_mask_b(backend):
    result = measure_growth(Params(b_pattern="window", b_window=2), backend=backend)
    expected = oracles.trace(
        *matrices(result.head), mask=oracles.mask_of(4, pattern="window", window=2)
    )
    for field in ("q", "k", "v", "weights", "output"):
        assert_close(getattr(result, field), expected[field], backend.precision, largest=4)


@pytest.mark.parametrize("T", [63, 64, 65, 127, 200, 256])
def test_long_input_grows_by_lengths_spread_evenly(T):
    result = measure_growth(random_params(T, 2), backend="numpy")
    lengths = result.b.lengths
    assert lengths == result.a.lengths
    evenly = set(np.linspace(1, T, min(T, MOST_LENGTHS)).round().astype(int).tolist())
    assert evenly <= set(lengths)
    # Mask A changes outputs up to the end: where they change most, and the last two lengths.
    assert len(set(lengths) - evenly) <= 3
    assert (lengths[0], lengths[-1]) == (1, T)
    assert np.diff(lengths).min() >= 1
    there = np.arange(T)[None, :] < np.array(lengths)[:, None]
    np.testing.assert_array_equal(np.isfinite(result.b.differences), there)
    assert result.b.change < 1e-12
    assert result.a.change > 0.1
    assert result.a.settled is None


@pytest.mark.parametrize(
    ("spec", "last", "settled"),
    [
        (MaskSpec("prefix", prefix=4), 3, 4),
        (MaskSpec("prefix", prefix=8), 7, 8),
        (MaskSpec("prefix", prefix=9), 8, None),
        (MaskSpec(length=5), 4, 5),
        (MaskSpec("window", window=2), 0, 1),
        (MaskSpec(), 8, None),
        # Query 1 waits for token 6 and query 2 for token 3.
        (MaskSpec(drawn="/".join(["100001000", "011000000", *["1" + "0" * 8] * 7])), 5, 6),
    ],
)
def test_outputs_change_until_the_last_token_that_some_query_waits_for(
    backend, spec, last, settled
):
    found = measure_growth(random_params(9, 4, b=spec), backend=backend).b
    assert (found.last_change, found.settled) == (last, settled)


def changes_of_every_length(head, visible):
    """Compute each shorter sequence alone; return the largest change at each length, from 1."""
    x, q, k, v = head.x, head.x @ head.w_q, head.x @ head.w_k, head.x @ head.w_v
    scores = np.where(visible, q @ k.T / np.sqrt(q.shape[1]), -1e300)

    def output(t):
        raised = np.exp(scores[:t, :t] - scores[:t, :t].max(axis=1, keepdims=True))
        seen = np.where(visible[:t, :t], raised, 0.0)
        return seen @ v[:t] / np.maximum(seen.sum(axis=1, keepdims=True), 1e-300)

    whole = output(len(x))
    return [np.abs(output(t) - whole[:t]).max() for t in range(1, len(x) + 1)]


LONG = [
    (256, MaskSpec("prefix", prefix=254)),
    (256, MaskSpec("prefix", prefix=3)),
    (128, MaskSpec(length=127)),
    (80, MaskSpec(length=7)),
    (256, MaskSpec("prefix", prefix=100, length=50)),
    (80, MaskSpec("prefix", prefix=80)),
    (128, MaskSpec("causal")),
    (256, MaskSpec("window", window=5, length=9)),
    (256, MaskSpec()),
]


@pytest.mark.parametrize(("T", "spec"), LONG)
def test_what_is_said_of_a_long_sequence_is_true_of_every_length(backend, T, spec):
    result = measure_growth(random_params(T, 3, a=MaskSpec("causal"), b=spec), backend=backend)
    of_every_length(result.b, changes_of_every_length(result.head, by_loop(spec, T)))


@pytest.mark.parametrize("sentence", ["a " * 80, "a b " * 40, "a " * 70 + "b " * 10])
def test_words_that_come_again_change_outputs_at_some_lengths_only(backend, sentence):
    params = Params("sentence", sentence, b_pattern="none")
    result = measure_growth(params, backend=backend)
    of_every_length(result.b, changes_of_every_length(result.head, np.ones((80, 80), bool)))


def of_every_length(found, changes):
    """Assert that what a growth says is true of the changes at all lengths, from 1 on."""
    allowed = 1e-3 if found.rounding > 1e-6 else 1e-9
    changed = [length for length, change in enumerate(changes, 1) if change > allowed]
    last = max(changed, default=0)
    assert found.last_change == last
    assert found.settled == (None if last == len(changes) - 1 else last + 1)
    assert found.change == pytest.approx(max(changes), abs=allowed)


def test_equal_tokens_change_each_other_by_rounding_alone(backend):
    params = Params("sentence", "a a a a", b_pattern="none")
    found = measure_growth(params, backend=backend).b
    assert (found.last_change, found.settled) == (0, 1)
    assert found.change <= found.rounding


@pytest.mark.parametrize(
    ("changes", "last", "settled"),
    [
        ([0.5, 0.0, 0.0], 1, 4),
        ([0.5, 0.1, 0.1], 1, 4),  # 0.1 is rounding
        ([0.1, 0.0, 0.0], 0, 1),
        ([0.0, 0.5, 0.0], 4, None),
        ([0.5, 0.0, 0.5, 0.0, 0.0], 7, 9),
    ],
)
def test_only_lengths_that_were_tried_are_promised(changes, last, settled):
    table = np.array([[change, np.nan] for change in changes])
    lengths = (1, 4, 7, 9, 12)[: len(changes)]
    found = Growth(np.ones((2, 2), dtype=bool), lengths, table, np.zeros(2), 0.1)
    assert (found.last_change, found.settled) == (last, settled)


# --- both -----------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [measure_influence, measure_growth])
def test_refusals_come_before_any_work_and_results_are_closed(backend, measure):
    with pytest.raises(EngineError, match="The window must be"):
        measure(Params(b_pattern="window", b_window=0), backend=backend)
    result = measure(Params(), backend=backend)
    assert (result.backend_name, result.precision) == (backend.name, backend.precision)
    for record in (result, result.a, result.b, result.head):
        for value in vars(record).values():
            if isinstance(value, np.ndarray):
                assert value.dtype in (np.bool_, backend.precision, np.float64)
                with pytest.raises(ValueError, match="read-only"):
                    value[0] = 0
