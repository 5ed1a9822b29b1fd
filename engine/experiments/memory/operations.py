"""The arithmetic of one forward pass, by part, and where T^2 overtakes the rest.

Counted are the matrix products, a multiply-add as two operations, of all layers and sequences.
All T x T pairs of a query and a key are counted: to skip the pairs that a causal mask hides halves
the two parts that grow with T^2 (T (T + 1) / 2 pairs remain) and so doubles the T at which they
overtake. Softmax, norms, activations and the projection to the vocabulary are left out.

Shape legend: B sequences, H heads, T tokens, D = d_k.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.experiments.memory.params import Params
from engine.experiments.memory.shape import attention_parameters, feed_forward_parameters


@dataclass(frozen=True)
class Operations:
    """Floating-point operations of a forward pass at each T, exact.

    Attributes
    ----------
    Ts : tuple of int
        Rising.
    projections : tuple of int
        To Q, K and V, and of the heads' outputs back to d_model: 2 B T (entries of the matrices).
    scores, weighted_sum : tuple of int
        Q K^T, and the weights times V: 2 B H T^2 D each.
    feed_forward : tuple of int
        2 B T (entries of its two or three matrices).
    overtakes_projections, overtakes_layer : int
        The first T at which scores and weighted sum together are more than the projections, and
        more than projections and feed-forward together.
    """

    Ts: tuple[int, ...]
    projections: tuple[int, ...]
    scores: tuple[int, ...]
    weighted_sum: tuple[int, ...]
    feed_forward: tuple[int, ...]
    overtakes_projections: int
    overtakes_layer: int


def operations_of(params: Params, Ts: Iterable[int]) -> Operations:
    """Count the operations of the model at each of the given T."""
    tokens = tuple(Ts)
    each = 2 * params.batch * params.layers
    attention = attention_parameters(params.shape)
    feed_forward = feed_forward_parameters(params.shape)
    width = params.heads * params.d_k
    pairs = tuple(each * width * T * T for T in tokens)
    return Operations(
        Ts=tokens,
        projections=tuple(each * attention * T for T in tokens),
        scores=pairs,
        weighted_sum=pairs,
        feed_forward=tuple(each * feed_forward * T for T in tokens),
        overtakes_projections=_first_above(attention, width),
        overtakes_layer=_first_above(attention + feed_forward, width),
    )


def _first_above(entries: int, width: int) -> int:
    """Return the first T with 2 T^2 H D > T (entries): scores and weighted sum cost alike."""
    return entries // (2 * width) + 1
