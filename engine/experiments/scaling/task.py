"""Key-value recall: what one attention head is to learn, where it starts and what it is shown.

S keys are the same random vectors in every example, and in each example every key holds another
of S symbols, dealt anew. One key is asked for, and the head must name the symbol that it holds;
that changes from example to example, so the head has to learn where to look.

Shape legend: n steps, B batch, S pairs (keys, and as many symbols), D = d_k.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.experiments.scaling.inputs import stream
from engine.shapes import Array

# W_V starts at this times the identity: the head names what it looks at, and need only learn where
# to look. Looking at the right key alone then costs log(1 + (S - 1) exp(-6)), 0.04 nats of 16.
CONFIDENCE = 6.0


def wrong_look(pairs: int) -> float:
    """Return the loss of looking at a wrong key alone before anything is learned, in nats.

    It is more than that of guessing: ln(exp(6) + S - 1) against ln S.
    """
    return math.log(math.exp(CONFIDENCE) + pairs - 1)


@dataclass(frozen=True)
class Start:
    """The keys, and the weights before the first step; float64.

    Attributes
    ----------
    keys : np.ndarray
        (S, D), standard normal.
    w_q, w_k : np.ndarray
        (D, D), normal with variance 1/D, so that queries and keys have components of variance 1.
    w_v : np.ndarray
        (S, S), from symbols to logits.
    """

    keys: Array
    w_q: Array
    w_k: Array
    w_v: Array


@dataclass(frozen=True)
class Batches:
    """What ``n`` steps are shown.

    Attributes
    ----------
    symbols : np.ndarray
        int32, (n, B, S): the symbol of each key, every symbol once.
    asked : np.ndarray
        int32, (n, B): the key that is asked for.
    right : np.ndarray
        int32, (n, B): the symbol that it holds.
    """

    symbols: Array
    asked: Array
    right: Array


def start_of(seed: int, d_k: int, pairs: int) -> Start:
    """Return where both ways start."""
    keys, w_q, w_k = (stream(seed, d_k, name) for name in ("task keys", "w_q", "w_k"))
    return Start(
        keys=keys.standard_normal((pairs, d_k)),
        w_q=w_q.standard_normal((d_k, d_k)) / math.sqrt(d_k),
        w_k=w_k.standard_normal((d_k, d_k)) / math.sqrt(d_k),
        w_v=CONFIDENCE * np.eye(pairs),
    )


def batches_of(seed: int, pairs: int, batch: int) -> Callable[[int], Batches]:
    """Return a function that draws the next ``n`` batches.

    They are the same for every width, both ways and every backend, however many are drawn at a
    time.
    """
    deals, questions = (stream(seed, pairs, name) for name in ("deals", "questions"))

    def draw(n: int) -> Batches:
        in_order = np.broadcast_to(np.arange(pairs, dtype=np.int32), (n, batch, pairs))
        symbols = deals.permuted(in_order, axis=-1)
        asked = questions.integers(pairs, size=(n, batch), dtype=np.int32)
        right = np.take_along_axis(symbols, asked[..., None], axis=-1)[..., 0]
        return Batches(symbols, asked, right)

    return draw
