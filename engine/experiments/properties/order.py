"""Self-attention does not see the order of its tokens, until positions are added to them.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from engine.attention import choose_backend, six_steps
from engine.backends import Backend
from engine.experiments.masks.inputs import Head, InputParams, Source
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.properties.heads import head_within
from engine.experiments.properties.permutations import permutation_of
from engine.experiments.properties.sinusoids import sinusoids
from engine.experiments.read_only import close_fields, read_only
from engine.experiments.scaling.inputs import require_count
from engine.shapes import Array, as_scale

MOST_TOKENS = 24


@dataclass(frozen=True)
class OrderParams(InputParams):
    """One input in two orders.

    Attributes
    ----------
    source, sentence, seed, T, d_k
        As in `InputParams`, with at most 24 tokens.
    permutation : tuple of int
        Which token stands in each place of the other order, counted from 1; empty is reversed.
    query : int
        The token whose weights are looked at while another is moved, counted from 1; 0 is the last.
    moved : int
        The token that is moved from place to place, counted from 1; 0 is the one that the query
        gives the largest weight among the others (itself, where it is alone).
    """

    source: Source = "sentence"
    permutation: tuple[int, ...] = ()
    query: int = 0
    moved: int = 0


@dataclass(frozen=True)
class Moves:
    """One token in every place in turn, the others in their order, and the weight it is given.

    Attributes
    ----------
    query, moved : int
        The token that looks and the token that is moved, counted from 0 in the input.
    without, positions : np.ndarray
        (T,), the weight that ``query``, wherever it stands then, gives ``moved`` when that stands
        in each place: of the vectors alone, and with positions added to them.
    """

    query: int
    moved: int
    without: Array
    positions: Array


@dataclass(frozen=True)
class OrderResult:
    """Both orders, without positions and with them.

    Attributes
    ----------
    tokens : tuple of str
        T labels, in the order of the input.
    permutation : tuple of int
        Which row of the input stands in each place of the permuted one, counted from 0.
    output, output_permuted : np.ndarray
        (T, E), of the input and of the permuted input, each in its own order. Equivariance says
        that ``output_permuted`` equals ``output[list(permutation)]``.
    difference : float
        The largest absolute difference of these two.
    largest : float
        The largest absolute value of ``output``.
    rounding : float
        By how much the two may differ through rounding alone.
    weights, weights_permuted : np.ndarray
        (T, T), each in its own order along both axes.
    *_positions, *_positions_permuted
        The same with sinusoidal positions (counted from 0) added to the vectors, by the place
        where each token stands.
    moves : Moves
    """

    params: OrderParams
    tokens: tuple[str, ...]
    permutation: tuple[int, ...]
    output: Array
    output_permuted: Array
    difference: float
    largest: float
    rounding: float
    weights: Array
    weights_permuted: Array
    output_positions: Array
    output_positions_permuted: Array
    difference_positions: float
    largest_positions: float
    rounding_positions: float
    weights_positions: Array
    weights_positions_permuted: Array
    moves: Moves
    backend_name: str
    precision: str
    seconds: float

    @property
    def is_equivariant(self) -> bool:
        """Whether without positions the outputs move with the tokens, to rounding."""
        return self.difference <= self.rounding

    @property
    def is_equivariant_with_positions(self) -> bool:
        """Whether they do so with positions."""
        return self.difference_positions <= self.rounding_positions


def compare_order(params: OrderParams, *, backend: Backend | str | None = None) -> OrderResult:
    """Run attention on the tokens in both orders, and with one token in every place in turn.

    Raises
    ------
    EngineError
        As `head_of` does, for more than 24 tokens, and for a permutation that is none.
    """
    head = head_within(params, MOST_TOKENS)
    T = len(head.tokens)
    permutation = permutation_of(params.permutation, T)
    for name in ("query", "moved"):
        require_count(name, getattr(params, name), 0, T)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    plain, placed = (_both(head, permutation, chosen, positions=p) for p in (False, True))
    moves = _moves(params, head, plain.weights[0], chosen)
    seconds = time.perf_counter() - started
    return OrderResult(
        params=params,
        tokens=head.tokens,
        permutation=permutation,
        output=plain.output[0],
        output_permuted=plain.output[1],
        difference=plain.difference,
        largest=plain.largest,
        rounding=plain.rounding,
        weights=plain.weights[0],
        weights_permuted=plain.weights[1],
        output_positions=placed.output[0],
        output_positions_permuted=placed.output[1],
        difference_positions=placed.difference,
        largest_positions=placed.largest,
        rounding_positions=placed.rounding,
        weights_positions=placed.weights[0],
        weights_positions_permuted=placed.weights[1],
        moves=moves,
        backend_name=chosen.name,
        precision=chosen.precision,
        seconds=seconds,
    )


@dataclass(frozen=True)
class _Both:
    """Outputs (2, T, E) and weights (2, T, T) of both orders, and how far they are off."""

    output: Array
    weights: Array
    difference: float
    largest: float
    rounding: float


def _both(head: Head, permutation: tuple[int, ...], backend: Backend, *, positions: bool) -> _Both:
    """Run attention on the tokens in their order and in the other one."""
    order = list(permutation)
    steps = _attended(head, [list(range(len(order))), order], backend, positions=positions)
    output, weights = read_only(steps["output"], steps["weights"])
    return _Both(
        output,
        weights,
        difference=float(np.abs(output[1] - output[0][order]).max()),
        largest=float(np.abs(output[0]).max()),
        rounding=rounding_of(steps["v"]),
    )


def _attended(
    head: Head, orders: list[list[int]], backend: Backend, *, positions: bool
) -> dict[str, Array]:
    """Run attention anew on the tokens in each order; arrays as `six_steps`, (orders, ...)."""
    x = head.x[np.array(orders)]  # (orders, T, d_model)
    if positions:
        x = x + sinusoids(*head.x.shape)
    matrices = (each.astype(backend.precision) for each in (x, x, head.w_q, head.w_k, head.w_v))
    visible = np.ones((1, 1, 1), dtype=np.bool_)
    scale = as_scale(None, head.w_q.shape[1])
    steps: dict[str, Array] = backend.run(six_steps, *matrices, visible, scale=scale)
    return steps


def _moves(params: OrderParams, head: Head, weights: Array, backend: Backend) -> Moves:
    """Put one token in every place in turn, and look up what the query gives it there."""
    T = len(head.tokens)
    query = (params.query or T) - 1
    moved = params.moved - 1 if params.moved else _most_seen(weights[query], query)
    others = [token for token in range(T) if token != moved]
    orders = [[*others[:place], moved, *others[place:]] for place in range(T)]
    rows = [order.index(query) for order in orders]
    found = Moves(
        query,
        moved,
        *(
            _attended(head, orders, backend, positions=positions)["weights"][
                range(T), rows, range(T)
            ]
            for positions in (False, True)
        ),
    )
    close_fields(found)
    return found


def _most_seen(weights: Array, query: int) -> int:
    """Return the first of the other tokens that a query gives its largest weight to."""
    others = np.array([token for token in range(len(weights)) if token != query] or [query])
    seen = weights[others]
    # The same word twice has the same weight, whatever its last digit.
    return int(others[np.argmax(np.isclose(seen, seen.max()))])
