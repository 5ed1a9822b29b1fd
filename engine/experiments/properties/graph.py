"""Self-attention as message passing on a graph whose edges are weighted by attention.

Shape legend: T tokens, E = d_v.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import choose_backend, trace_attention
from engine.backends import Backend
from engine.errors import NumberError
from engine.experiments.masks.inputs import InputParams
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.properties.heads import head_within, require_switch
from engine.experiments.read_only import read_only
from engine.experiments.scaling.inputs import is_within, shown
from engine.masks import causal_mask
from engine.shapes import Array

MOST_TOKENS = 12


@dataclass(frozen=True)
class GraphParams(InputParams):
    """One head, and which of its edges are shown.

    Attributes
    ----------
    source, sentence, seed, T, d_k
        As in `InputParams`, with at most 12 tokens.
    causal : bool
        Whether a token hears only of itself and of those before it.
    threshold : float
        The least weight of an edge that is shown, 0 to 1.
    """

    T: int = 6
    causal: bool = False
    threshold: float = 0.1


@dataclass(frozen=True)
class Edge:
    """A message from one token to another: what token ``target`` takes of token ``source``.

    Attributes
    ----------
    source, target : int
        Column and row of the weight, counted from 0; equal in a self-loop.
    weight : float
    """

    source: int
    target: int
    weight: float


@dataclass(frozen=True)
class GraphResult:
    """The same head as matrices and as messages.

    Attributes
    ----------
    tokens : tuple of str
        T labels.
    weights : np.ndarray
        (T, T), row = target.
    values : np.ndarray
        (T, E), the message that each token sends.
    edges : tuple of Edge
        All with a weight above 0, the largest first; equal ones by target, then source.
    shown : tuple of Edge
        Those of at least ``params.threshold``, in the same order.
    output : np.ndarray
        (T, E), weights times values.
    passed : np.ndarray
        (T, E), the sum of weight times message over the edges into each token, one after the other.
    difference : float
        The largest absolute difference of both.
    largest : float
        The largest absolute value of ``output``.
    rounding : float
        By how much both may differ through rounding alone.
    """

    params: GraphParams
    tokens: tuple[str, ...]
    weights: Array
    values: Array
    edges: tuple[Edge, ...]
    shown: tuple[Edge, ...]
    output: Array
    passed: Array
    difference: float
    largest: float
    rounding: float
    backend_name: str
    precision: str
    seconds: float

    @property
    def is_complete(self) -> bool:
        """Whether every token hears of every token, itself included."""
        return len(self.edges) == len(self.tokens) ** 2

    @property
    def is_same(self) -> bool:
        """Whether both ways give the same output, to rounding."""
        return self.difference <= self.rounding


def pass_messages(params: GraphParams, *, backend: Backend | str | None = None) -> GraphResult:
    """Compute the head as a matrix product and as messages along edges.

    Raises
    ------
    EngineError
        As `head_of` does, for more than 12 tokens, and where the threshold or the switch is none.
    """
    _require_usable(params)
    head = head_within(params, MOST_TOKENS)
    T = len(head.tokens)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    mask = causal_mask(T) if params.causal else None
    trace = trace_attention(head.x, head.w_q, head.w_k, head.w_v, mask=mask, backend=chosen)
    edges = _edges_of(trace.weights)
    passed = _passed(edges, trace.v, chosen)
    seconds = time.perf_counter() - started
    read_only(trace.weights, trace.v, trace.output, passed)
    return GraphResult(
        params=params,
        tokens=head.tokens,
        weights=trace.weights,
        values=trace.v,
        edges=edges,
        shown=tuple(edge for edge in edges if edge.weight >= params.threshold),
        output=trace.output,
        passed=passed,
        difference=float(np.abs(passed - trace.output).max()),
        largest=float(np.abs(trace.output).max()),
        rounding=rounding_of(trace.v),
        backend_name=chosen.name,
        precision=chosen.precision,
        seconds=seconds,
    )


def _edges_of(weights: Array) -> tuple[Edge, ...]:
    """Return an edge for each weight above 0, the largest first."""
    edges = [
        Edge(source, target, float(weight))
        for (target, source), weight in np.ndenumerate(weights)
        if weight > 0
    ]
    return tuple(sorted(edges, key=lambda edge: (-edge.weight, edge.target, edge.source)))


def _passed(edges: tuple[Edge, ...], values: Array, backend: Backend) -> Array:
    """Return the sum of the messages that each token receives, (T, E)."""
    weights = np.array([edge.weight for edge in edges], dtype=backend.precision)
    passed: Array = backend.run(_pass, weights, values, edges=edges)
    return passed


def _pass(xp: Any, weights: Any, messages: Any, *, edges: tuple[Edge, ...]) -> Any:
    """Walk over the edges; each adds weight times message to the token that it leads to."""
    received = [xp.zeros_like(messages[0]) for _ in range(messages.shape[0])]
    for number, edge in enumerate(edges):
        received[edge.target] = received[edge.target] + weights[number] * messages[edge.source]
    return xp.stack(received)


def _require_usable(params: GraphParams) -> None:
    require_switch("causal", params.causal)
    if not is_within(params.threshold, 0, 1):
        raise NumberError(
            "The threshold must be a number from {least} to {most}, got {value}.",
            least=0,
            most=1,
            value=shown(params.threshold),
        )
