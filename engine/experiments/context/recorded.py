"""What was recorded of a real model, so that it can be looked at without one.

`engine.experiments.context.record` makes the file from the model's own files.

Shape legend: L layers, H heads a layer, T tokens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ModelError
from engine.experiments.read_only import close_fields
from engine.shapes import Array

DATA_FILE = Path(__file__).parents[2] / "data" / "who_is_it.npz"


@dataclass(frozen=True)
class RecordedText:
    """What a model makes of one text.

    Attributes
    ----------
    tokens : tuple of str
        T.
    special, unknown : np.ndarray
        bool, (T,).
    spans : tuple of (int, int)
    attention : np.ndarray
        float32, (L, H, T, T).
    effects : np.ndarray
        float32, (2, L * H + L + 1, T, T): the effect on the final vector of each token (third
        axis) of the lack of each key (last axis); for that token alone and for all; in each head,
        in each layer, everywhere. NaN where nothing can be taken away.
    floors : np.ndarray
        float32, (L, T): the largest effect on each token that rounding makes, where nothing is
        taken away before a layer; see `engine.experiments.context.effects.floors_of`.
    """

    tokens: tuple[str, ...]
    special: Array
    unknown: Array
    spans: tuple[tuple[int, int], ...]
    attention: Array
    effects: Array
    floors: Array


@dataclass(frozen=True)
class Record:
    """A model, and what was recorded of it.

    Attributes
    ----------
    model_name : str
    repository : str
        Where the model comes from.
    licence : str
    family : str
    version : str
    backend_name, precision : str
        What computed the record.
    texts : mapping of str to RecordedText
    """

    model_name: str
    repository: str
    licence: str
    family: str
    version: str
    backend_name: str
    precision: str
    texts: Mapping[str, RecordedText]


@lru_cache(maxsize=1)
def record() -> Record:
    """Return the record that ships with the product."""
    return read_record(DATA_FILE)


def recorded_text(text: str) -> RecordedText:
    """Return what was recorded of a text; white space around it does not matter.

    Raises
    ------
    ModelError
        When it is not among those recorded.
    """
    found = record().texts.get(text.strip())
    if found is None:
        raise ModelError(
            "Without a model only the recorded sentences can be shown; load a model for any other "
            "text."
        )
    return found


def read_record(path: Path) -> Record:
    """Read a file that `write_record` wrote."""
    with np.load(path, allow_pickle=False) as file:
        about = json.loads(str(file["about"]))
        texts = about.pop("texts")
        found = {text: _text_of(file, number) for number, text in enumerate(texts)}
    return Record(**about, texts=MappingProxyType(found))


def write_record(path: Path, record: Record) -> None:
    """Write a record, the same bytes for the same record."""
    names = [name for name in Record.__dataclass_fields__ if name != "texts"]
    about = {name: getattr(record, name) for name in names}
    arrays: dict[str, Any] = {"about": json.dumps({**about, "texts": [*record.texts]})}
    for number, text in enumerate(record.texts.values()):
        for name in RecordedText.__dataclass_fields__:
            arrays[f"{number}.{name}"] = np.array(getattr(text, name))
    np.savez_compressed(path, **arrays)


def _text_of(file: Mapping[str, Array], number: int) -> RecordedText:
    found = {name: file[f"{number}.{name}"] for name in RecordedText.__dataclass_fields__}
    text = RecordedText(
        tokens=tuple(found["tokens"].tolist()),
        special=found["special"],
        unknown=found["unknown"],
        spans=tuple((start, end) for start, end in found["spans"].tolist()),
        attention=found["attention"],
        effects=found["effects"],
        floors=found["floors"],
    )
    close_fields(text)
    return text
