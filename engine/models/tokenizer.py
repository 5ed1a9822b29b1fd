"""A model's own tokenizer, read from ``tokenizer.json``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.models.files import TOKENIZER, read_text, require_file
from engine.models.panics import refused_with

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def read_tokenizer(folder: Path) -> Tokenizer:
    """Read a model's tokenizer; it neither pads nor cuts, whatever its file says.

    Raises
    ------
    ModelError
        If the file is missing, or describes no tokenizer.
    """
    from tokenizers import Tokenizer

    path = require_file(folder, TOKENIZER)
    nonsense = ModelError("{path} describes no tokenizer.", path=str(path))
    try:
        written = read_text(path)
    except UnicodeError as error:
        raise nonsense from error
    with refused_with(nonsense):
        tokenizer = Tokenizer.from_str(written)
        tokenizer.no_padding()
        tokenizer.no_truncation()
    return tokenizer
