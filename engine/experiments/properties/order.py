"""Self-attention does not see the order of its tokens, until positions are added to them.

Shape legend: T positions, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend, six_steps
from engine.backends import Backend
from engine.experiments.masks.inputs import Head, InputParams, Source
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.properties.heads import head_within
from engine.experiments.properties.permutations import permutation_of
from engine.experiments.properties.sinusoids import sinusoids
from engine.experiments.read_only import close_fields, read_only
from engine.experiments.whole_number import require_whole
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
    def tokens_permuted(self) -> tuple[str, ...]:
        """T labels, in the other order."""
        return tuple(self.tokens[row] for row in self.permutation)

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
    raise NotImplementedError
