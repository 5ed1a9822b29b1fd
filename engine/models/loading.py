"""Models that are loaded: once per process, whichever thread asks, kept until told otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.config import ModelConfig
from engine.models.parameters import Parameters
from engine.models.tokens import Encoded, encode

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, eq=False)
class Model:
    """A model that can be run.

    Attributes
    ----------
    reference : str
        As it was asked for.
    name : str
        Last part of the folder's path or of the repository's name.
    config : ModelConfig
    parameters : Parameters
    tokenizer : tokenizers.Tokenizer
    version : str
        First 12 hexadecimal digits of the SHA-256 of the contents of its three files.
    seconds : float
        Time it took to load.
    bytes : int
        Of the weights in memory.
    """

    reference: str
    name: str
    config: ModelConfig
    parameters: Parameters
    tokenizer: Tokenizer
    version: str
    seconds: float
    bytes: int

    def encode(self, text: str) -> Encoded:
        """Split a text into the model's pieces."""
        return encode(self.tokenizer, text, self.config.positions)


def load(reference: str) -> Model:
    """Return a model, loaded from its folder unless it is kept and its files are the same.

    Raises
    ------
    ModelError
        If there is no such model here, or it cannot be read or used.
    """
    raise NotImplementedError


def loaded(reference: str) -> Model | None:
    """Return a model that is kept and whose files are the same, without reading any weights."""
    raise NotImplementedError


def forget(reference: str | None = None) -> None:
    """Let go of one model, or of all of them."""
    raise NotImplementedError
