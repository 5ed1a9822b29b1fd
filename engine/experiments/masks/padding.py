"""A batch of three sentences of different lengths, and where their padding must be hidden.

Shape legend: B = 3 sentences, T the longest length, E = d_v.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.shapes import Array

PAD = "⟨pad⟩"
BATCH = 3
MOST_BATCH_TOKENS = 32  # of one sentence
Kind = Literal["none", "keys", "queries", "both"]
KINDS: tuple[Kind, ...] = ("none", "keys", "queries", "both")


@dataclass(frozen=True)
class PaddingParams:
    """Three sentences, and the seed of their vectors.

    Attributes
    ----------
    sentences : tuple of str
        Exactly three, 1 to 32 tokens each.
    seed, d_k : int
        As in `InputParams`.
    causal : bool
        Whether a causal mask is combined with the padding mask.
    """

    sentences: tuple[str, ...] = (
        "The cat sat on the mat",
        "Dogs bark",
        "It rained all day",
    )
    seed: int = 1
    d_k: int = 8
    causal: bool = False


@dataclass(frozen=True)
class PaddingResult:
    """The batch under four masks.

    Attributes
    ----------
    tokens : tuple of tuple of str
        B rows of T labels; padding is ``PAD``.
    lengths : tuple of int
        Real tokens of each sentence.
    visible : dict
        Kind -> bool (B, T, T). "keys" hides padding keys from every query, "queries" hides
        everything from padding queries, "both" does both, "none" neither.
    weights : dict
        Kind -> (B, T, T).
    errors : dict
        Kind -> B floats: the largest absolute difference of an output component of a real token
        between the batch and the sentence computed alone without padding.
    """

    params: PaddingParams
    tokens: tuple[tuple[str, ...], ...]
    lengths: tuple[int, ...]
    visible: dict[Kind, Array]
    weights: dict[Kind, Array]
    errors: dict[Kind, tuple[float, ...]]
    backend_name: str
    precision: str
    seconds: float


def compare_padding(
    params: PaddingParams, *, backend: Backend | str | None = None
) -> PaddingResult:
    """Compute the batch under each kind of padding mask, and each sentence alone."""
    raise NotImplementedError
