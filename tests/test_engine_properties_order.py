"""Both orders of a sequence, with positions and without, and one token moved about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError
from engine.attention import six_steps
from engine.experiments.masks.inputs import head_of
from engine.experiments.properties import order
from engine.experiments.properties.order import OrderParams, compare_order
from engine.experiments.properties.permutations import permutation_of, read_permutation
from engine.experiments.properties.sinusoids import sinusoids
from tests import oracles, property_oracles
from tests.tolerances import assert_close

WORDS = st.sampled_from(["a", "b", "the", "cat", "it"])
SENTENCES = st.lists(WORDS, min_size=1, max_size=5)


def attended(head, rows, *, positions):
    """Return weights and outputs of the rows in an order, by loops."""
    x = head.x[list(rows)]
    x = property_oracles.placed(x) if positions else x
    found = oracles.trace(x, head.w_q, head.w_k, head.w_v)
    return found["weights"], found["output"], float(np.abs(found["scaled"]).max())


@st.composite
def orders(draw):
    words = draw(SENTENCES)
    T = len(words)
    return OrderParams(
        sentence=" ".join(words),
        seed=draw(st.integers(0, 99)),
        d_k=draw(st.integers(1, 4)),
        permutation=tuple(draw(st.permutations(range(1, T + 1)))),
        query=draw(st.integers(1, T)),
        moved=draw(st.integers(1, T)),
    )


@given(orders())
@settings(max_examples=12)
def test_both_orders_are_what_loops_compute(backend, params):
    head = head_of(params)
    result = compare_order(params, backend=backend)
    rows = [number - 1 for number in params.permutation]
    assert result.permutation == tuple(rows)
    for suffix, positions in (("", False), ("_positions", True)):
        first = attended(head, range(len(rows)), positions=positions)
        second = attended(head, rows, positions=positions)
        largest = float(np.abs(first[1]).max())
        for name, (weights, output, scores) in (("", first), ("_permuted", second)):
            error = {"dtype": backend.precision, "scores": scores}
            assert_close(getattr(result, f"weights{suffix}{name}"), weights, **error)
            assert_close(
                getattr(result, f"output{suffix}{name}"), output, largest=largest + 3, **error
            )
        assert getattr(result, f"largest{suffix}") == pytest.approx(largest, rel=1e-4, abs=1e-5)
        off = max(
            oracles.largest_step(second[1][place], first[1][row]) for place, row in enumerate(rows)
        )
        assert getattr(result, f"difference{suffix}") == pytest.approx(off, abs=2e-4)


@given(orders())
@settings(max_examples=8)
def test_a_moved_token_is_looked_up_in_every_place(backend, params):
    head, T = head_of(params), len(params.permutation)
    moves = compare_order(params, backend=backend).moves
    query, moved = params.query - 1, params.moved - 1
    assert (moves.query, moves.moved) == (query, moved)
    for place in range(T):
        rows = [row for row in range(T) if row != moved]
        rows.insert(place, moved)
        for positions, found in ((False, moves.without), (True, moves.positions)):
            weights, _, scores = attended(head, rows, positions=positions)
            expected = weights[rows.index(query)][place]
            assert_close(found[place], expected, backend.precision, scores=scores)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_outputs_move_with_their_tokens_until_positions_are_added(backend, seed):
    result = compare_order(OrderParams(seed=seed), backend=backend)
    assert result.permutation == tuple(range(10, -1, -1))
    assert result.is_equivariant
    assert result.difference < 1e-5
    assert not result.is_equivariant_with_positions
    assert result.difference_positions > 0.1
    assert np.ptp(result.moves.without) < 1e-6
    assert np.ptp(result.moves.positions) > 0.01
    assert result.backend_name == backend.name


def test_attention_that_counts_positions_is_found_out(backend, monkeypatch):
    def counting(xp, x, *matrices, scale):
        return six_steps(xp, x + xp.arange(x.shape[1])[None, :, None] / 100, *matrices, scale=scale)

    monkeypatch.setattr(order, "six_steps", counting)
    result = compare_order(OrderParams(), backend=backend)
    assert not result.is_equivariant
    assert result.difference > result.rounding


def test_the_same_order_changes_nothing_even_with_positions(backend):
    same = OrderParams(sentence="a cat", permutation=(1, 2))
    result = compare_order(same, backend=backend)
    assert result.difference == result.difference_positions == 0
    assert result.is_equivariant_with_positions


def test_the_query_is_the_last_token_and_looks_most_at_the_one_that_is_moved(backend):
    result = compare_order(OrderParams(), backend=backend)
    assert result.moves.query == len(result.tokens) - 1
    others = result.weights[-1, :-1]
    assert result.moves.moved == int(np.argmax(others))


def test_the_first_of_equal_words_is_the_one_that_is_moved(backend):
    result = compare_order(OrderParams(sentence="cat cat cat it"), backend=backend)
    assert result.moves.moved == 0


def test_one_token_alone_gives_itself_all_the_weight(backend):
    result = compare_order(OrderParams(sentence="cat"), backend=backend)
    assert result.permutation == (0,)
    assert result.moves.query == result.moves.moved == 0
    assert result.moves.without.tolist() == result.moves.positions.tolist() == [1.0]
    assert result.difference == 0


@pytest.mark.parametrize(("T", "d_model"), [(1, 1), (24, 16), (5, 3)])
def test_positions_are_the_published_waves(T, d_model):
    expected = property_oracles.placed(np.zeros((T, d_model)))
    np.testing.assert_allclose(sinusoids(T, d_model), expected, atol=1e-15)


def test_results_can_be_shared():
    result = compare_order(OrderParams(), backend="numpy")
    for array in (result.output, result.weights_positions_permuted, result.moves.positions):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert hash(result.params) == hash(OrderParams())


REFUSED = {
    "The sentence has more than 24 tokens; words, Chinese characters, signs and emoji each count "
    "as one.": OrderParams(sentence="word " * 25),
    "T must be a whole number from 2 to 24, got 25.": OrderParams(source="random", T=25),
    "A permutation must hold each position from 1 to 11 once; 12 is no such position.": OrderParams(
        permutation=(12, *range(2, 12))
    ),
    "A permutation must hold each position from 1 to 11 once; 0 is no such position.": OrderParams(
        permutation=tuple(range(11))
    ),
    "A permutation must hold each position from 1 to 11 once; 1.0 is no such position.": (
        OrderParams(permutation=(1.0, *range(2, 12)))  # type: ignore[arg-type]
    ),
    "A permutation must hold each position from 1 to 11 once; 5 is there 3 times.": OrderParams(
        permutation=(1, 2, 3, 4, 5, 5, 5, 8, 9, 10, 11)
    ),
    "A permutation must hold each position from 1 to 11 once; 1 is there 2 times.": OrderParams(
        permutation=(*range(1, 12), 1)
    ),
    "A permutation must hold each position from 1 to 11 once; 3 is missing.": OrderParams(
        permutation=(2, 1)
    ),
    "A permutation must be a list of positions such as 3 1 2, got abc.": OrderParams(
        permutation="abc"  # type: ignore[arg-type]
    ),
    "query must be a whole number from 0 to 11, got 12.": OrderParams(query=12),
    "moved must be a whole number from 0 to 11, got .": OrderParams(moved=""),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("sentence", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(sentence):
    with pytest.raises(EngineError) as caught:
        compare_order(REFUSED[sentence], backend="numpy")
    assert str(caught.value) == sentence


@pytest.mark.parametrize("field", ["source", "sentence", "seed", "d_k", "permutation", "query"])
@pytest.mark.parametrize("value", ["", "x" * 900, None, 1.5, -1, True, ["a"]])
def test_no_wrong_type_crashes(field, value):
    params = replace(OrderParams(), **{field: value})
    try:
        compare_order(params, backend="numpy")
    except EngineError as error:
        assert str(error).endswith(".")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3 1 2", (3, 1, 2)),
        (" 3, 1 ,2, ", (3, 1, 2)),
        ("3，1、2", (3, 1, 2)),
        ("３ 1\n2", (3, 1, 2)),
        ("", ()),
    ],
)
def test_a_permutation_is_read_as_people_write_it(text, numbers):
    assert read_permutation(text) == numbers


@pytest.mark.parametrize(
    ("text", "part"), [("1 b 3", "b"), ("1 -2", "-2"), ("1.5", "1.5"), ("1" * 50, "1" * 20 + "…")]
)
def test_what_is_no_list_of_positions_is_quoted(text, part):
    with pytest.raises(EngineError) as caught:
        read_permutation(text)
    assert str(caught.value) == (
        "A permutation is written as positions with spaces or commas between them, such as 3 1 2; "
        f"{part} is no position."
    )


@given(st.permutations(range(1, 9)))
def test_a_permutation_counts_from_1(numbers):
    assert permutation_of(tuple(numbers), 8) == tuple(number - 1 for number in numbers)
