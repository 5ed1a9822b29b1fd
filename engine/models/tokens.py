"""A text in the pieces of a model's own tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import ModelError
from engine.experiments.read_only import close_fields
from engine.models.panics import refused_with
from engine.models.pieces import reader_of
from engine.models.text import require_model_text
from engine.shapes import Array

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text in the T pieces a model reads.

    Attributes
    ----------
    ids : ndarray of int64, shape (T,)
        Rows of the model's embedding table.
    pieces : tuple of str
        Each piece as a person reads it: ``[CLS]``, ``##men``; a byte-level piece as the text it
        stands for, its leading space as ``·``, bytes that are no whole character as ``<E5 8F>``.
    special : ndarray of bool, shape (T,)
        Pieces the tokenizer added of itself.
    unknown : ndarray of bool, shape (T,)
        Pieces that stand for text the tokenizer has no piece for.
    spans : tuple of (int, int)
        First character and the one after the last of each piece in the text; (0, 0) for pieces
        the tokenizer added. Pieces that are bytes of one character share its place.
    """

    ids: Array
    pieces: tuple[str, ...]
    special: Array
    unknown: Array
    spans: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        close_fields(self)


def encode(tokenizer: Tokenizer, text: str, positions: int) -> Encoded:
    """Split a text into a model's pieces, with the special ones its tokenizer adds.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
        Without padding and truncation, as `read_tokenizer` returns it.
    text : str
    positions : int
        Most pieces the model reads at once.

    Raises
    ------
    OptionError
        If the text is no text.
    ModelError
        If the text is empty, too long, or holds a character that no text has; or if the
        tokenizer fails on it.
    """
    found = _split(tokenizer, require_model_text(text))
    special = np.array(found.special_tokens_mask, dtype=bool)
    if special.all():
        raise ModelError("The model's tokenizer finds no token in the text; write a word.")
    if len(special) > positions:
        raise ModelError(
            "The text has {count} tokens, special ones included; this model reads at most {most}.",
            count=len(special),
            most=positions,
        )
    return Encoded(
        ids=np.array(found.ids, dtype=np.int64),
        pieces=tuple(map(reader_of(tokenizer), found.tokens)),
        special=special,
        unknown=np.array(found.ids) == _unknown_id(tokenizer),
        spans=_spans(found),
    )


def _split(tokenizer: Tokenizer, text: str) -> Encoding:
    failed = ModelError(
        "The model's tokenizer fails on this text; its tokenizer.json may be damaged."
    )
    with refused_with(failed):
        return tokenizer.encode(text)


def _spans(found: Encoding) -> tuple[tuple[int, int], ...]:
    return tuple((int(first), int(end)) for first, end in found.offsets)


def _unknown_id(tokenizer: Tokenizer) -> int:
    """Return the number of the piece for unknown text; -1 where there is none."""
    model = tokenizer.model
    piece = getattr(model, "unk_token", None)
    number = tokenizer.token_to_id(piece) if piece else getattr(model, "unk_id", None)
    return -1 if number is None else number
