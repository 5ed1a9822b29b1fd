"""The tensors that attention holds at once, by name, and their bytes.

Shape legend: B sequences, H heads, H_kv key-value heads, T tokens (as many keys), D = d_k = d_v.

What is counted is the tensors of attention at the moment when most of them exist. What is left
out: the other activations of a layer, embeddings, gradients and optimiser states of parameters,
a mask, copies that a library makes (of Q times the scale, of gradients of k and v for each query
head), and what an allocator rounds up. All pairs of a query and a key are counted, under a causal
mask too.

Inference: a prompt of T tokens passes one layer at a time. The scores, and the weights made of
them, exist both at once in the materialised method. In the blocked one (Rabe and Staats 2021,
arXiv:2112.05682) they exist for one block of queries by one block of keys of all heads, with the
largest score and the sum of exponentials of each query of the block. In the fused one
(FlashAttention, Dao et al. 2022, arXiv:2205.14135) a tile stays on the chip, and takes no memory.
With a sliding window (Beltagy et al. 2020, arXiv:2004.05150) a query has a band of W scores.
A KV cache is what the layers keep of k and v; with a window it is the last W tokens, except in
the layer at work.

Training: the backward pass of the last layer, when every layer still keeps what its own backward
pass will need: q, k, v, the output, and the weights; the blocked and fused methods keep one number
a query instead, the logarithm of the sum of exponentials (FlashAttention-2, Dao 2023,
arXiv:2307.08691, section 3.1), and hold one more in the layer at work, the dot product of the
output with its gradient. They sum up the gradient of q in float32 where numbers have 2 bytes.

N devices: each holds ceil(T / N) tokens of every sequence, and the k and v of another device that
visits it (Ring Attention, Liu et al. 2023, arXiv:2310.01889; to fetch the next while computing
with this one would take one more of each). The parameters are whole on each device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import OptionError
from engine.experiments.memory.limits import grouped
from engine.experiments.memory.params import MODES, Params, require_devices, require_tokens
from engine.experiments.memory.shape import attention_parameters, feed_forward_parameters

__all__ = ["METHODS", "MODES", "NAMES", "Tensor", "cost_of", "needed", "tensors_of"]

METHODS = ("materialised", "blocked", "fused", "window")
NAMES = (
    "q",
    "k",
    "v",
    "k_cache",
    "v_cache",
    "k_in_transit",
    "v_in_transit",
    "scores",
    "weights",
    "output",
    "statistics",
    "d_q",
    "d_k",
    "d_v",
    "d_output",
    "d_scores",
    "d_weights",
    "d_q_sums",
    "model",
)
LEAST_STATISTIC = 4  # bytes: sums over many numbers are kept in float32 at least


@dataclass(frozen=True)
class Tensor:
    """One tensor, or as many alike as there are layers that hold one.

    Attributes
    ----------
    name : str
        One of ``NAMES``.
    shape : tuple of int
        As computed: (B, H, T, D) and so on.
    itemsize : int
        Bytes of one number.
    copies : int
        How many of them exist at once.
    """

    name: str
    shape: tuple[int, ...]
    itemsize: int
    copies: int = 1

    @property
    def bytes(self) -> int:
        """Bytes of all copies."""
        return math.prod(self.shape) * self.itemsize * self.copies


class _Part(NamedTuple):
    """A tensor whose axes may be named: a length that `_lengths` gives for a T."""

    name: str
    axes: tuple[int | str, ...]
    itemsize: int
    copies: int = 1


def tensors_of(
    params: Params, method: str, *, T: int | None = None, devices: int | None = None
) -> tuple[Tensor, ...]:
    """Return the tensors that one device holds at once, in the order of ``NAMES``.

    Parameters
    ----------
    params : Params
        Checked by whoever made them.
    method : {"materialised", "blocked", "fused", "window"}
        How attention is computed.
    T, devices : int or None
        Instead of those of ``params``.

    Raises
    ------
    OptionError
        When there is no such method, or ``T`` or ``devices`` is out of its limits.
    """
    tokens, count = _asked(params, T, devices)
    lengths = _lengths(params, tokens, count)
    return tuple(
        Tensor(
            part.name,
            tuple(lengths[axis] if isinstance(axis, str) else axis for axis in part.axes),
            part.itemsize,
            part.copies,
        )
        for part in _parts(params, method, count)
    )


def needed(params: Params, method: str, *, T: int | None = None, devices: int | None = None) -> int:
    """Return the bytes of all tensors that one device holds at once; arguments as above."""
    tokens, count = _asked(params, T, devices)
    return cost_of(params, method, devices=count)(tokens)


def cost_of(params: Params, method: str, *, devices: int | None = None) -> Callable[[int], int]:
    """Return the function from T to the bytes that one device needs; it never falls as T grows.

    Every length is a whole number that grows with T or stays, and bytes are a sum of products
    of such lengths.
    """
    _, count = _asked(params, None, devices)
    sums: dict[tuple[str, str], int] = {}
    for part in _parts(params, method, count):
        number = part.itemsize * part.copies
        number *= math.prod(axis for axis in part.axes if isinstance(axis, int))
        named = [axis for axis in part.axes if isinstance(axis, str)]
        first, second = (*named, "one", "one")[:2]
        sums[first, second] = sums.get((first, second), 0) + number
    terms = tuple((number, *axes) for axes, number in sums.items())

    def cost(T: int) -> int:
        lengths = _lengths(params, T, count)
        return sum(number * lengths[first] * lengths[second] for number, first, second in terms)

    return cost


def _asked(params: Params, T: int | None, devices: int | None) -> tuple[int, int]:
    tokens = params.T if T is None else T
    count = params.devices if devices is None else devices
    require_tokens(tokens)
    require_devices(count)
    return int(tokens), int(count)


def _lengths(params: Params, T: int, devices: int) -> dict[str, int]:
    """Return the lengths of the axes that depend on T, on the device that holds most."""
    rows = -(-T // devices)
    return {
        "T": T,
        "rows": rows,
        "window": min(params.window, T),
        "kept": min(params.window, rows),  # of the last W tokens, by the device that holds them
        "block": min(params.block, rows),
        "one": 1,
    }


def _parts(params: Params, method: str, devices: int) -> Iterator[_Part]:
    if method not in METHODS:
        raise OptionError(
            "The method must be one of {known}, got {name}.",
            known=", ".join(METHODS),
            name=grouped(method),
        )
    if params.mode == "training":
        yield from _training(params, method, devices)
    else:
        yield from _inference(params, method, devices)
    if params.weights:
        entries = attention_parameters(params.shape) + feed_forward_parameters(params.shape)
        yield _Part("model", (entries,), params.itemsize, params.layers)


def _inference(params: Params, method: str, devices: int) -> Iterator[_Part]:
    size = params.itemsize
    queries, keys = _queries(params), _keys(params)
    short = method == "window" and params.cache and params.layers > 1
    copies = params.layers if params.cache and not short else 1
    yield _Part("q", queries, size)
    yield _Part("k", keys, size, copies)
    yield _Part("v", keys, size, copies)
    if short:
        kept = (params.batch, params.kv_heads, "kept", params.d_k)
        yield _Part("k_cache", kept, size, params.layers - 1)
        yield _Part("v_cache", kept, size, params.layers - 1)
    yield from _in_transit(params, devices)
    pairs = _pairs(params, method)
    if pairs:
        yield _Part("scores", pairs, size)
        yield _Part("weights", pairs, size)
    yield _Part("output", queries, size)
    if method == "blocked":
        yield _Part("statistics", (params.batch, params.heads, "block", 2), _statistic(params))


def _training(params: Params, method: str, devices: int) -> Iterator[_Part]:
    size, layers = params.itemsize, params.layers
    queries, keys, pairs = _queries(params), _keys(params), _pairs(params, method)
    yield _Part("q", queries, size, layers)
    yield _Part("k", keys, size, layers)
    yield _Part("v", keys, size, layers)
    yield from _in_transit(params, devices)
    if pairs:
        yield _Part("weights", pairs, size, 1 if method == "blocked" else layers)
    yield _Part("output", queries, size, layers)
    online = method in ("blocked", "fused")
    if online:  # one of each layer, and the dot products in the layer at work
        one = (params.batch, params.heads, "rows", 1)
        yield _Part("statistics", one, _statistic(params), layers + 1)
    yield _Part("d_q", queries, size)
    yield _Part("d_k", keys, size)
    yield _Part("d_v", keys, size)
    yield _Part("d_output", queries, size)
    if pairs:
        yield _Part("d_scores", pairs, size)
        yield _Part("d_weights", pairs, size)
    if online and size < LEAST_STATISTIC:
        yield _Part("d_q_sums", queries, LEAST_STATISTIC)


def _in_transit(params: Params, devices: int) -> Iterator[_Part]:
    if devices > 1:
        yield _Part("k_in_transit", _keys(params), params.itemsize)
        yield _Part("v_in_transit", _keys(params), params.itemsize)


def _queries(params: Params) -> tuple[int | str, ...]:
    return (params.batch, params.heads, "rows", params.d_k)


def _keys(params: Params) -> tuple[int | str, ...]:
    return (params.batch, params.kv_heads, "rows", params.d_k)


def _pairs(params: Params, method: str) -> tuple[int | str, ...]:
    """Return the axes of the scores that exist at once; none where they stay on the chip."""
    last = {
        "materialised": ("rows", "T"),
        "blocked": ("block", "block"),
        "window": ("rows", "window"),
    }
    return (params.batch, params.heads, *last[method]) if method in last else ()


def _statistic(params: Params) -> int:
    return max(params.itemsize, LEAST_STATISTIC)
