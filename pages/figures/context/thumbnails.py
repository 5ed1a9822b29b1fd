"""The weights of every head as small matrices, as coarse as their pixels.

Shape legend: L layers, H heads, T tokens, t of them kept, n pixels along a side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.shapes import Array
from pages.figures.context.look import Look


@dataclass(frozen=True)
class Thumbnails:
    """Small matrices, and what is said of each.

    Parameters
    ----------
    values : np.ndarray, (L, H, n, n)
        The largest weight of each block of cells.
    hidden : np.ndarray of bool, (n, n)
        Blocks that no query sees any of.
    largest : np.ndarray, (L, H)
        The largest weight of a head.
    at : np.ndarray of int, (2, L, H)
        Its query and its key among the tokens that are kept, from 0.
    diagonal : np.ndarray, (L, H)
        The mean weight of a token on itself.
    """

    values: Array
    hidden: Array
    largest: Array
    at: Array
    diagonal: Array


def thumbnails(look: Look, block: int) -> Thumbnails:
    """Return the matrices with ``block`` x ``block`` cells a pixel.

    Layer by layer, since the weights of 512 tokens in 72 heads are 75 MB.
    """
    found = [_of_layer(layer, look, block) for layer in look.study.attention]
    values, largest, at, diagonal = (np.stack(each) for each in zip(*found, strict=True))
    first = np.arange(values.shape[-1]) * block
    last = np.minimum(first + block, len(look.places)) - 1
    hidden = (first[None, :] > last[:, None]) & look.study.causal
    rows, columns = np.divmod(at, len(look.places))
    return Thumbnails(values, hidden, largest, np.stack([rows, columns]), diagonal)


def _of_layer(weights: Array, look: Look, block: int) -> tuple[Array, Array, Array, Array]:
    """Return the parts of one layer from its weights (H, T, T)."""
    if look.way != "shown":
        kept = _span(look.places)
        weights = weights[:, kept][:, :, kept]
    if look.way == "renormalised":
        total = weights.sum(axis=-1, keepdims=True, dtype=np.float64)
        weights = weights / np.where(total == 0, 1, total).astype(weights.dtype)
    flat = weights.reshape(len(weights), -1)
    at = flat.argmax(axis=1)
    largest = flat[np.arange(len(flat)), at]
    diagonal = np.einsum("hii->hi", weights).mean(axis=1, dtype=np.float64)
    return _largest(_largest(weights, block, 1), block, 2), largest, at, diagonal


def _span(places: Array) -> slice | Array:
    """Return places as a slice where they have no gap: a view copies nothing."""
    first, last = int(places[0]), int(places[-1])
    return slice(first, last + 1) if last - first + 1 == len(places) else places


def _largest(weights: Array, block: int, axis: int) -> Array:
    """Return the largest of each ``block`` neighbours along an axis; the last may be fewer."""
    if block == 1:
        return weights
    before = (slice(None),) * axis
    first, *others = (weights[(*before, slice(start, None, block))] for start in range(block))
    found = first.copy()
    for each in others:
        part = found[(*before, slice(each.shape[axis]))]
        np.maximum(part, each, out=part)
    return np.asarray(found)
