"""What the scores come from: the textbook example, a sentence, or random vectors.

Shape legend: T positions, D = d_k, E = d_v.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.errors import OptionError
from engine.experiments import worked_example
from engine.experiments.masks.tokens import MOST_TOKENS, tokens_of
from engine.experiments.number_text import shortened
from engine.experiments.read_only import read_only
from engine.experiments.whole_number import is_whole, require_whole
from engine.shapes import Array

__all__ = [
    "D_MODEL",
    "LEAST_RANDOM",
    "MOST_SEED",
    "MOST_TOKENS",
    "MOST_WIDTH",
    "SOURCES",
    "Head",
    "InputParams",
    "Source",
    "head_of",
    "tokens_of",
]

Source = Literal["textbook", "sentence", "random"]
SOURCES: tuple[Source, ...] = ("textbook", "sentence", "random")
LEAST_RANDOM = 2  # tokens of random input
MOST_WIDTH = 64  # d_k
MOST_SEED = 999_999
D_MODEL = 16  # of sentences and random vectors
_STREAMS = ("random", "w_q", "w_k", "w_v", "word")  # what is drawn independently from one seed


@dataclass(frozen=True)
class InputParams:
    """Where one attention head gets its tokens and projections.

    Attributes
    ----------
    source : {"textbook", "sentence", "random"}
        The worked example of section 2.8; the words of ``sentence`` with vectors drawn from the
        seed (the same word has the same vector); T vectors drawn from the seed.
    sentence : str
        1 to 256 tokens.
    seed : int
        0 to 999,999.
    T : int
        Length of random input, 2 to 256; not read by the other sources.
    d_k : int
        Width of queries, keys and values for a sentence and random input, 1 to 64.
    """

    source: Source = "textbook"
    sentence: str = "The animal didn't cross the street because it was too tired"
    seed: int = 1
    T: int = 16
    d_k: int = 8


@dataclass(frozen=True)
class Head:
    """The input of one attention head.

    Attributes
    ----------
    tokens : tuple of str
        T labels.
    x : np.ndarray
        (T, d_model), float64.
    w_q, w_k, w_v : np.ndarray
        (d_model, D), (d_model, D), (d_model, E), float64.
    """

    tokens: tuple[str, ...]
    x: Array
    w_q: Array
    w_k: Array
    w_v: Array


def head_of(params: InputParams) -> Head:
    """Return the tokens and matrices that the parameters name.

    Vectors are standard normal, projections normal with variance 1/d_model, so that queries, keys
    and values have components of variance 1. The matrices are read-only.

    Raises
    ------
    OptionError
        When a number is out of its range, or the sentence is empty, too long or unusable; the
        sentence says what is allowed.
    """
    if params.source == "textbook":
        return _textbook()
    if params.source == "sentence":
        tokens = tokens_of(params.sentence)
        _require_drawable(params)
        return _drawn(params, tokens, word_vectors(tokens, params.seed))
    if params.source == "random":
        require_whole("T", params.T, LEAST_RANDOM, MOST_TOKENS)
        _require_drawable(params)
        tokens = tuple(f"x{number}" for number in range(1, params.T + 1))
        # Filled row by row, so that a longer input begins with every shorter one.
        return _drawn(params, tokens, _normal(params.seed, "random", (params.T, D_MODEL)))
    raise OptionError(
        "The source must be one of {sources}, got {source}.",
        sources=", ".join(SOURCES),
        source=shortened(str(params.source)),
    )


def word_vectors(tokens: tuple[str, ...], seed: int, d_model: int = D_MODEL) -> Array:
    """Return one standard normal vector for each token, (T, d_model); equal tokens share one."""
    vectors = {token: _normal(seed, "word", (d_model,), token) for token in set(tokens)}
    return np.array([vectors[token] for token in tokens])


def projections(seed: int, d_k: int) -> tuple[Array, Array, Array]:
    """Return W_Q, W_K and W_V, (d_model, d_k) each, drawn from the seed."""
    # Drawn column by column, so that a wider projection begins with every narrower one.
    w_q, w_k, w_v = (
        np.ascontiguousarray(_normal(seed, stream, (d_k, D_MODEL)).T) / math.sqrt(D_MODEL)
        for stream in ("w_q", "w_k", "w_v")
    )
    return w_q, w_k, w_v


def _textbook() -> Head:
    example = worked_example.Params()
    matrices = (np.array(each) for each in (example.x, example.w_q, example.w_k, example.w_v))
    return Head(example.tokens, *read_only(*matrices))


def _drawn(params: InputParams, tokens: tuple[str, ...], x: Array) -> Head:
    return Head(tokens, *read_only(x, *projections(params.seed, params.d_k)))


def _normal(seed: int, stream: str, shape: tuple[int, ...], text: str = "") -> Array:
    """Draw standard normal numbers that depend on the seed, the stream and the text only."""
    entropy = [seed, _STREAMS.index(stream)]
    if text:
        # Python's own hash of a text differs from process to process.
        entropy.append(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))
    return np.random.default_rng(entropy).standard_normal(shape)


def _require_drawable(params: InputParams) -> None:
    require_seed(params.seed)
    require_whole("d_k", params.d_k, 1, MOST_WIDTH)


def require_seed(seed: object) -> None:
    """Refuse a seed that is not a whole number from 0 to ``MOST_SEED``."""
    if not is_whole(seed, 0, MOST_SEED):
        raise OptionError(
            "The seed must be a whole number from 0 to {most}, got {seed}.",
            most=MOST_SEED,
            seed=shortened(str(seed)),
        )
