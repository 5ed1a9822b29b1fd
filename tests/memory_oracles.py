"""Attention written out with every array taken by hand, so that what exists at once is counted.

It shares no code with the engine: this file never imports it. Numbers live in arrays of `Held`;
a row of them at most in plain variables, as a chip would keep them.

Shape legend: B sequences, H heads, H_kv key-value heads, T tokens, D = d_k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class Held:
    """The arrays that exist now, and the most bytes that ever existed at once."""

    def __init__(self):
        self._arrays = {}
        self.peak = 0

    def take(self, shape, dtype):
        """Return a new array of zeros, really allocated."""
        array = np.zeros(shape, dtype)
        self._arrays[id(array)] = array
        self.peak = max(self.peak, sum(each.nbytes for each in self._arrays.values()))
        return array

    def free(self, *arrays):
        for array in arrays:
            del self._arrays[id(array)]


@dataclass(frozen=True)
class Sizes:
    """A model of attention layers alone."""

    B: int
    H: int
    H_kv: int
    T: int
    D: int
    layers: int
    dtype: str
    block: int
    window: int

    @property
    def summing(self):
        """The number format of sums: float32, unless all is wider."""
        return np.float64 if self.dtype == "float64" else np.float32

    @property
    def heads(self):
        """Every (sequence, head, its key-value head)."""
        group = self.H // self.H_kv
        return [(b, h, h // group) for b in range(self.B) for h in range(self.H)]

    @property
    def band(self):
        return min(self.window, self.T)

    def q_shape(self):
        return (self.B, self.H, self.T, self.D)

    def kv_shape(self):
        return (self.B, self.H_kv, self.T, self.D)


def visible(sizes, method):
    """Return which pairs count, (T, T): all, or a band of W keys that ends at the query."""
    offset = np.arange(sizes.T)[:, None] - np.arange(sizes.T)
    if method == "window":
        return (offset >= 0) & (offset < sizes.band)
    return np.ones((sizes.T, sizes.T), dtype=bool)


def prompt(held, sizes, method, cache, rng):
    """Pass a prompt through the layers; return (q, k, v, output) of the last, as float64."""
    attend = {"materialised": _whole, "blocked": _in_blocks, "fused": _on_chip, "window": _banded}
    last = None
    for layer in range(sizes.layers):
        q, k, v = _inputs(held, sizes, rng)
        output, temporary = attend[method](held, sizes, q, k, v)
        last = [array.astype(np.float64) for array in (q, k, v, output)]
        held.free(q, output, *temporary)
        if not cache:
            held.free(k, v)
        elif method == "window" and layer < sizes.layers - 1:
            for array in (k, v):
                kept = held.take((sizes.B, sizes.H_kv, sizes.band, sizes.D), sizes.dtype)
                kept[...] = array[:, :, sizes.T - sizes.band :]
                held.free(array)
    return last


def _inputs(held, sizes, rng):
    arrays = [held.take(sizes.q_shape(), sizes.dtype)]
    arrays += [held.take(sizes.kv_shape(), sizes.dtype) for _ in range(2)]
    for array in arrays:
        array[...] = rng.standard_normal(array.shape)
    return arrays


def _softmax(row):
    exponentials = np.exp(row - row.max())
    return exponentials / exponentials.sum()


def _whole(held, sizes, q, k, v):
    """Return the output, and the arrays that can go once it is there: scores and weights."""
    shape = (sizes.B, sizes.H, sizes.T, sizes.T)
    scores, weights = held.take(shape, sizes.dtype), held.take(shape, sizes.dtype)
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            scores[b, h, i] = k[b, g] @ q[b, h, i] / np.sqrt(sizes.D)
            weights[b, h, i] = _softmax(scores[b, h, i].astype(sizes.summing))
    output = held.take(sizes.q_shape(), sizes.dtype)
    for b, h, g in sizes.heads:
        output[b, h] = weights[b, h] @ v[b, g]
    return output, [scores, weights]


def _banded(held, sizes, q, k, v):
    """As `_whole`, with W scores a query: column W - 1 is the query's own position."""
    shape = (sizes.B, sizes.H, sizes.T, sizes.band)
    scores, weights = held.take(shape, sizes.dtype), held.take(shape, sizes.dtype)
    output = held.take(sizes.q_shape(), sizes.dtype)
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            keys, columns = _band_of(sizes, i)
            scores[b, h, i, columns] = k[b, g, keys] @ q[b, h, i] / np.sqrt(sizes.D)
            weights[b, h, i, columns] = _softmax(scores[b, h, i, columns].astype(sizes.summing))
            output[b, h, i] = weights[b, h, i, columns] @ v[b, g, keys]
    return output, [scores, weights]


def _band_of(sizes, i):
    """Return which keys query i sees, and the columns of its band that hold them."""
    first = max(0, i - sizes.band + 1)
    return slice(first, i + 1), slice(sizes.band - (i + 1 - first), sizes.band)


def _in_blocks(held, sizes, q, k, v):
    """Online softmax: a block of scores of all heads, and two numbers a query of the block."""
    t = min(sizes.block, sizes.T)
    shape = (sizes.B, sizes.H, t, t)
    scores, weights = held.take(shape, sizes.dtype), held.take(shape, sizes.dtype)
    statistics = held.take((sizes.B, sizes.H, t, 2), sizes.summing)
    output = held.take(sizes.q_shape(), sizes.dtype)
    for first in range(0, sizes.T, t):
        statistics[..., 0], statistics[..., 1] = -np.inf, 0
        for start in range(0, sizes.T, t):
            for b, h, g in sizes.heads:
                for row, i in enumerate(range(first, min(first + t, sizes.T))):
                    keys = slice(start, min(start + t, sizes.T))
                    n = keys.stop - start
                    scores[b, h, row, :n] = k[b, g, keys] @ q[b, h, i] / np.sqrt(sizes.D)
                    block = scores[b, h, row, :n].astype(sizes.summing)
                    peak, total = statistics[b, h, row]
                    higher = max(peak, block.max())
                    shrink = np.exp(peak - higher)
                    weights[b, h, row, :n] = np.exp(block - higher)
                    sum_here = weights[b, h, row, :n].sum(dtype=sizes.summing)
                    output[b, h, i] = (
                        output[b, h, i] * (total * shrink) + weights[b, h, row, :n] @ v[b, g, keys]
                    ) / (total * shrink + sum_here)
                    statistics[b, h, row] = higher, total * shrink + sum_here
    return output, [scores, weights, statistics]


def _on_chip(held, sizes, q, k, v):
    """Return the output; the scores of one query live in a plain variable."""
    output = held.take(sizes.q_shape(), sizes.dtype)
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            scores = k[b, g].astype(sizes.summing) @ q[b, h, i].astype(sizes.summing)
            output[b, h, i] = _softmax(scores / np.sqrt(sizes.D)) @ v[b, g]
    return output, []


def training(held, sizes, method, rng):
    """Run all layers, keep what a backward pass needs, and run that of the last layer.

    Return its q, k, v, d_output, and the gradients by q, k and v, as float64.
    """
    kept = []
    for _ in range(sizes.layers):
        q, k, v = _inputs(held, sizes, rng)
        kept.append([q, k, v, *_forward(held, sizes, method, q, k, v)])
    q, k, v, output, saved = kept[-1]
    gradients = [held.take(array.shape, sizes.dtype) for array in (q, k, v, q)]
    d_q, d_k, d_v, d_output = gradients
    d_output[...] = rng.standard_normal(d_output.shape)
    backward = _backward_online if method in ("blocked", "fused") else _backward_saved
    backward(held, sizes, method, (q, k, v, output, saved), (d_q, d_k, d_v, d_output))
    return [array.astype(np.float64) for array in (q, k, v, d_output, d_q, d_k, d_v)]


def _forward(held, sizes, method, q, k, v):
    """Return the output, and the weights or the logarithms of the sums of exponentials."""
    if method in ("materialised", "window"):
        attend = _whole if method == "materialised" else _banded
        output, (scores, weights) = attend(held, sizes, q, k, v)
        held.free(scores)
        return output, weights
    attend = _in_blocks if method == "blocked" else _on_chip
    output, temporary = attend(held, sizes, q, k, v)
    held.free(*temporary)
    sums = held.take((sizes.B, sizes.H, sizes.T, 1), sizes.summing)
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            scores = k[b, g].astype(np.float64) @ q[b, h, i].astype(np.float64)
            sums[b, h, i] = np.log(np.exp(scores / np.sqrt(sizes.D)).sum())
    return output, sums


def _backward_saved(held, sizes, method, inputs, gradients):
    """Differentiate through weights that were kept, all of them at once."""
    q, k, v, _, weights = inputs
    d_q, d_k, d_v, d_output = gradients
    d_weights, d_scores = (held.take(weights.shape, sizes.dtype) for _ in range(2))
    for b, h, g in sizes.heads:
        for i in range(sizes.T):
            keys, columns = slice(None), slice(None)
            if method == "window":
                keys, columns = _band_of(sizes, i)
            a = weights[b, h, i, columns]
            d_v[b, g, keys] += a[:, None] * d_output[b, h, i]
            d_weights[b, h, i, columns] = v[b, g, keys] @ d_output[b, h, i]
            change = d_weights[b, h, i, columns]
            d_scores[b, h, i, columns] = a * (change - a @ change) / np.sqrt(sizes.D)
            d_q[b, h, i] = d_scores[b, h, i, columns] @ k[b, g, keys]
            d_k[b, g, keys] += d_scores[b, h, i, columns][:, None] * q[b, h, i]


def _backward_online(held, sizes, method, inputs, gradients):
    """Make the weights again from the logarithms of the sums, block by block."""
    q, k, v, output, sums = inputs
    d_q, d_k, d_v, d_output = gradients
    dots = held.take(sums.shape, sizes.summing)
    dots[..., 0] = (output.astype(sizes.summing) * d_output).sum(axis=-1)
    wide = np.dtype(sizes.dtype).itemsize >= np.dtype(sizes.summing).itemsize
    d_q_sums = d_q if wide else held.take(sizes.q_shape(), sizes.summing)
    t = min(sizes.block, sizes.T) if method == "blocked" else 1
    take = held.take if method == "blocked" else np.zeros  # a tile is no array in memory
    shape = (sizes.B, sizes.H, t, t)
    weights, d_weights, d_scores = (take(shape, sizes.dtype) for _ in range(3))
    for first in range(0, sizes.T, t):
        for start in range(0, sizes.T, t):
            for b, h, g in sizes.heads:
                keys = slice(start, min(start + t, sizes.T))
                n = keys.stop - start
                for row, i in enumerate(range(first, min(first + t, sizes.T))):
                    at = (b, h, row, slice(n))
                    scores = k[b, g, keys] @ q[b, h, i] / np.sqrt(sizes.D)
                    weights[at] = np.exp(scores - sums[b, h, i])
                    d_v[b, g, keys] += weights[at][:, None] * d_output[b, h, i]
                    d_weights[at] = v[b, g, keys] @ d_output[b, h, i]
                    d_scores[at] = weights[at] * (d_weights[at] - dots[b, h, i]) / np.sqrt(sizes.D)
                    d_q_sums[b, h, i] += d_scores[at] @ k[b, g, keys]
                    d_k[b, g, keys] += d_scores[at][:, None] * q[b, h, i]
    d_q[...] = d_q_sums


def ring(held, sizes, devices, rng):
    """Compute the output of the first of several devices, materialised, whose k and v visit it.

    Count what the first holds; the others' arrays are theirs. Return its output and the reference.
    """
    rows = -(-sizes.T // devices)
    whole = [rng.standard_normal(sizes.q_shape()), *rng.standard_normal((2, *sizes.kv_shape()))]
    own = []
    for array in whole:
        part = held.take((*array.shape[:2], rows, sizes.D), sizes.dtype)
        part[...] = array[:, :, :rows]
        own.append(part)
    visiting = [held.take(own[1].shape, sizes.dtype) for _ in range(2)] if devices > 1 else own[1:]
    shape = (sizes.B, sizes.H, rows, sizes.T)
    scores, weights = held.take(shape, sizes.dtype), held.take(shape, sizes.dtype)
    output = held.take(own[0].shape, sizes.dtype)
    for phase in ("scores", "sums"):
        for start in range(0, sizes.T, rows):
            n = min(rows, sizes.T - start)
            for into, array in zip(visiting, whole[1:], strict=True):
                into[:, :, :n] = array[:, :, start : start + n]
            for b, h, g in sizes.heads:
                part = (b, h, slice(None), slice(start, start + n))
                if phase == "scores":
                    scores[part] = own[0][b, h] @ visiting[0][b, g, :n].T / np.sqrt(sizes.D)
                else:
                    output[b, h] += weights[part] @ visiting[1][b, g, :n]
        for place in np.ndindex(*scores.shape[:3]):
            weights[place] = _softmax(scores[place])
    reference = np.zeros(own[0].shape)
    for b, h, g in sizes.heads:
        for i in range(rows):
            row = whole[1][b, g] @ whole[0][b, h, i] / np.sqrt(sizes.D)
            reference[b, h, i] = _softmax(row) @ whole[2][b, g]
    return output, reference
