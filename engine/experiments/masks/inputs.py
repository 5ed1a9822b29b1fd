"""What the scores come from: the textbook example, a sentence, or random vectors.

Shape legend: T positions, D = d_k, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.shapes import Array

Source = Literal["textbook", "sentence", "random"]
SOURCES: tuple[Source, ...] = ("textbook", "sentence", "random")
MOST_TOKENS = 256
MOST_WIDTH = 64  # d_k
D_MODEL = 16  # of sentences and random vectors


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

    Raises
    ------
    OptionError
        When a number is out of its range, or the sentence is empty, too long or unusable; the
        sentence says what is allowed.
    """
    raise NotImplementedError


def tokens_of(sentence: str) -> tuple[str, ...]:
    """Split a sentence into words, Chinese characters, emoji and signs; errors as in `head_of`."""
    raise NotImplementedError
