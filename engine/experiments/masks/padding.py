"""A batch of three sentences of different lengths, and where their padding must be hidden.

Shape legend: B = 3 sentences, T the longest length, E = d_v.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from engine.attention import AttentionTrace, choose_backend, trace_attention
from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.masks.inputs import (
    MOST_WIDTH,
    projections,
    require_seed,
    tokens_of,
    word_vectors,
)
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.read_only import read_only
from engine.experiments.whole_number import require_whole
from engine.masks import causal_mask
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
    largest : float
        The largest absolute component of an output of a sentence alone.
    rounding : float
        By how much outputs may differ through rounding alone.
    """

    params: PaddingParams
    tokens: tuple[tuple[str, ...], ...]
    lengths: tuple[int, ...]
    visible: dict[Kind, Array]
    weights: dict[Kind, Array]
    errors: dict[Kind, tuple[float, ...]]
    largest: float
    rounding: float
    backend_name: str
    precision: str
    seconds: float

    @property
    def errs(self) -> bool:
        """Whether a real token comes out other than alone, beyond rounding, under some mask."""
        return max(map(max, self.errors.values())) > self.rounding


def compare_padding(
    params: PaddingParams, *, backend: Backend | str | None = None
) -> PaddingResult:
    """Compute the batch under each kind of padding mask, and each sentence alone.

    Padding stands after the words, so a causal mask alone keeps it from every real token.

    Raises
    ------
    OptionError
        When there are not exactly three sentences, one of them is unusable (its number is named),
        or the seed or d_k is out of its range.
    BackendError
        When the backend is missing.
    """
    words = _words_of(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    lengths = tuple(map(len, words))
    tokens = tuple(row + (PAD,) * (max(lengths) - len(row)) for row in words)
    visible = {kind: _visible(kind, lengths, params.causal) for kind in KINDS}
    alone, traces = _passes(params, tokens, lengths, visible, chosen)
    weights = {kind: np.stack([each.weights for each in found]) for kind, found in traces.items()}
    read_only(*visible.values(), *weights.values())
    return PaddingResult(
        params,
        tokens,
        lengths,
        visible,
        weights,
        {kind: _errors(found, alone) for kind, found in traces.items()},
        max(float(np.abs(own.output).max()) for own in alone),
        max(rounding_of(each.v) for each in traces["none"]),
        chosen.name,
        chosen.precision,
        time.perf_counter() - started,
    )


def _passes(
    params: PaddingParams,
    tokens: tuple[tuple[str, ...], ...],
    lengths: tuple[int, ...],
    visible: dict[Kind, Array],
    backend: Backend,
) -> tuple[list[AttentionTrace], dict[Kind, list[AttentionTrace]]]:
    """Return the pass over each sentence alone, and those over the batch under each mask."""
    # Padding is a token with a vector of its own.
    vectors = [word_vectors(row, params.seed) for row in tokens]
    attention = partial(_attention, projections(params.seed, params.d_k), backend)
    alone = [
        attention(x[:length], _own_mask(length, params.causal))
        for x, length in zip(vectors, lengths, strict=True)
    ]
    batch = {
        kind: [attention(x, mask) for x, mask in zip(vectors, masks, strict=True)]
        for kind, masks in visible.items()
    }
    return alone, batch


def _require_row(sentences: object) -> None:
    """Refuse one text instead of several, which is a row of characters too."""
    if isinstance(sentences, str) or not isinstance(sentences, Sequence):
        raise OptionError(
            "The sentences of a batch must be a row of texts, got {kind}.",
            kind=type(sentences).__name__,
        )


def _words_of(params: PaddingParams) -> list[tuple[str, ...]]:
    _require_row(params.sentences)
    if len(params.sentences) != BATCH:
        raise OptionError(
            "A batch has exactly {batch} sentences here, got {count}.",
            batch=BATCH,
            count=len(params.sentences),
        )
    require_seed(params.seed)
    require_whole("d_k", params.d_k, 1, MOST_WIDTH)
    return [_tokens(number, text) for number, text in enumerate(params.sentences, 1)]


def _tokens(number: int, text: str) -> tuple[str, ...]:
    try:
        return tokens_of(text, MOST_BATCH_TOKENS)
    except OptionError as error:
        raise OptionError(
            "Sentence {number} of the batch: {problem}", number=number, problem=error
        ) from None


def _own_mask(T: int, causal: bool) -> Array:
    return causal_mask(T) if causal else np.ones((T, T), dtype=np.bool_)


def _visible(kind: Kind, lengths: tuple[int, ...], causal: bool) -> Array:
    """Return the masks of the batch, (B, T, T)."""
    T = max(lengths)
    real = np.arange(T) < np.array(lengths)[:, None]  # (B, T)
    keys = real[:, None, :] if kind in ("keys", "both") else True
    queries = real[:, :, None] if kind in ("queries", "both") else True
    return np.array(np.broadcast_to(_own_mask(T, causal) & keys & queries, (len(lengths), T, T)))


def _attention(
    matrices: tuple[Array, Array, Array], backend: Backend, x: Array, mask: Array
) -> AttentionTrace:
    return trace_attention(x, *matrices, mask=mask, backend=backend)


def _errors(batch: list[AttentionTrace], alone: list[AttentionTrace]) -> tuple[float, ...]:
    return tuple(
        float(np.abs(padded.output[: len(own.output)] - own.output).max())
        for padded, own in zip(batch, alone, strict=True)
    )
