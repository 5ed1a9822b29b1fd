"""A text in the pieces of a model's own tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.shapes import Array

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text in the T pieces a model reads.

    Attributes
    ----------
    ids : ndarray of int64, shape (T,)
        Rows of the model's embedding table.
    pieces : tuple of str
        Each piece as a person reads it: ``[CLS]``, ``##men``; a byte-level piece as the text it
        stands for, its leading space as ``␣``, bytes that are no whole character as ``<E2>``.
    special : ndarray of bool, shape (T,)
        Pieces the tokenizer added of itself.
    unknown : ndarray of bool, shape (T,)
        Pieces that stand for text the tokenizer has no piece for.
    spans : tuple of (int, int)
        First character and the one after the last of each piece in the text; (0, 0) for pieces
        the tokenizer added.
    """

    ids: Array
    pieces: tuple[str, ...]
    special: Array
    unknown: Array
    spans: tuple[tuple[int, int], ...]


def encode(tokenizer: Tokenizer, text: str, positions: int) -> Encoded:
    """Split a text into a model's pieces, with the special ones its tokenizer adds.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
    text : str
    positions : int
        Most pieces the model reads at once.

    Raises
    ------
    ModelError
        If the text is empty, too long, or holds a character that no text has.
    """
    raise NotImplementedError
