"""A model's own tokenizer, read from ``tokenizer.json``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.models.files import TOKENIZER, require_file, unreadable

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
    try:
        written = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        tokenizer = Tokenizer.from_buffer(written)
    except ValueError as error:
        raise ModelError("{path} describes no tokenizer.", path=str(path)) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
