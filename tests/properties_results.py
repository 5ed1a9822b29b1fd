"""Results that the tests of the properties share, and the same numbers from loops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from engine.experiments import masks
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.inputs import head_of
from engine.experiments.properties.graph import GraphParams, pass_messages
from engine.experiments.properties.order import OrderParams, compare_order
from engine.experiments.properties.paths import PathParams, count_paths
from engine.experiments.properties.smoothing import SmoothingParams, measure_smoothing

LONG = "internationalisation Transformers representation unbelievable the the cat"
GRAPHS = {
    "default": GraphParams(),
    "causal": GraphParams("sentence", "a bc def a", causal=True),
    "one": GraphParams("sentence", "alone"),
    "two": GraphParams("sentence", "Hello world", threshold=0.0),
    "long": GraphParams("sentence", LONG, threshold=0.2),
    "words": GraphParams("sentence", "The animal didn't cross the street because it was too tired"),
    "none": GraphParams("random", T=8, threshold=1.0),
    "full": GraphParams("random", T=12, threshold=0.0),
    "chinese": GraphParams("sentence", "我喜欢小动物因为它们可爱"),
}
ORDERS = {
    "default": OrderParams(),
    "textbook": OrderParams("textbook", permutation=(2, 3, 4, 1), query=1, moved=3),
    "same": OrderParams("textbook", permutation=(1, 2, 3, 4)),
    "one": OrderParams(sentence="alone"),
    "two": OrderParams(sentence="same same"),
    "wide": OrderParams("random", T=24, d_k=64),
}
PATHS = {
    "default": PathParams(),
    "long": PathParams(512, kernel=5, window=32, layers=3, position=1),
    "two": PathParams(2, window=2, layers=64, position=2),
    "near": PathParams(9, kernel=63, window=512),
}
STACKS = {
    "default": SmoothingParams(),
    "many": SmoothingParams(T=8, d_model=16, layers=20, heads=(1, 2, 4, 8, 16), norm=True),
    "one": SmoothingParams(T=2, d_model=2, layers=1, seeds=(5,)),
}


@lru_cache(maxsize=16)
def graph(case: str):
    return pass_messages(GRAPHS[case], backend="numpy")


@lru_cache(maxsize=16)
def order(case: str):
    return compare_order(ORDERS[case], backend="numpy")


@lru_cache(maxsize=16)
def paths(case: str):
    return count_paths(PATHS[case])


@lru_cache(maxsize=16)
def stack(case: str):
    return measure_smoothing(STACKS[case], backend="numpy")


@lru_cache(maxsize=16)
def influence(**inputs):
    return measure_influence(masks.Params(**inputs), backend="numpy")


def attended(inputs: Sequence[np.ndarray], causal: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (T, T) and output (T, E) of x, W_Q, W_K, W_V, one number after the other."""
    x, w_q, w_k, w_v = inputs
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    T, width = len(x), math.sqrt(w_q.shape[1])
    weights = np.zeros((T, T))
    for i in range(T):
        seen = range(i + 1) if causal else range(T)
        powers = {j: math.exp(sum(queries[i] * keys[j]) / width) for j in seen}
        for j, power in powers.items():
            weights[i, j] = power / sum(powers.values())
    output = np.array([sum(w * v for w, v in zip(row, values, strict=True)) for row in weights])
    return weights, output


def matrices(params) -> tuple[np.ndarray, ...]:
    """Return x, W_Q, W_K and W_V of an input."""
    head = head_of(params)
    return head.x, head.w_q, head.w_k, head.w_v


def placed(x: np.ndarray) -> np.ndarray:
    """Return vectors with sinusoidal positions (Vaswani et al. 2017, 3.5)."""
    found = np.array(x, dtype=float)
    for position, row in enumerate(found):
        for i in range(len(row)):
            angle = position / 10_000 ** (2 * (i // 2) / len(row))
            row[i] += math.cos(angle) if i % 2 else math.sin(angle)
    return found
