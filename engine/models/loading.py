"""Models that are loaded: once per process, whichever thread asks, kept until told otherwise."""

from __future__ import annotations

import threading
import time
import traceback
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import EngineError, ModelError, OutOfMemoryError
from engine.models.config import ModelConfig, config_from
from engine.models.files import CONFIG, read_json, stamp_of, version_of
from engine.models.kept import Kept
from engine.models.parameters import Parameters
from engine.models.reference import folder_of, name_of
from engine.models.tokenizer import read_tokenizer
from engine.models.tokens import Encoded, encode
from engine.models.weights import bytes_needed, read_parameters

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MOST_KEPT = 3


@dataclass(frozen=True, eq=False)
class Model:
    """A model that can be run.

    Attributes
    ----------
    reference : str
        As it was asked for.
    name : str
        What it is called, as `engine.models.reference.name_of` says.
    config : ModelConfig
    parameters : Parameters
    tokenizer : tokenizers.Tokenizer
    version : str
        First 12 hexadecimal digits of the SHA-256 of the contents of config.json, tokenizer.json
        and model.safetensors, one after another.
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
        """Split a text into the model's pieces.

        Raises
        ------
        EngineError
            As `engine.models.tokens.encode`; and if the tokenizer uses a piece that the model has
            no vector for.
        """
        encoded = encode(self.tokenizer, text, self.config.positions)
        largest = int(encoded.ids.max())
        if largest >= self.config.vocabulary:
            raise ModelError(
                "The tokenizer uses token {token}, but the model has {vocabulary} tokens; its "
                "files do not belong together.",
                token=largest + 1,
                vocabulary=self.config.vocabulary,
            )
        return encoded


_kept: Kept[Model] = Kept(MOST_KEPT)
_locks: dict[Path, threading.Lock] = {}
_guard = threading.Lock()  # of the locks


def load(reference: str) -> Model:
    """Return a model, loaded from its folder unless it is kept and its files are the same.

    Whoever asks for a model that is being loaded waits for it; different models are loaded side
    by side. The three that were asked for last are kept, fewer where memory is short.

    Raises
    ------
    OptionError
        If the reference is no text.
    ModelError
        If there is no such model here, or it cannot be read or used.
    OutOfMemoryError
        If its weights do not fit into free memory.
    """
    folder = folder_of(reference).resolve()
    with _guard:
        lock = _locks.setdefault(folder, threading.Lock())
    try:
        with lock:
            model = _kept.find(folder, stamp_of(folder)) or _read_anew(reference, folder)
    except EngineError as error:
        _let_go(error)
        raise
    return _as_asked(model, reference)


def loaded(reference: str) -> Model | None:
    """Return a model that is kept and whose files are the same, without reading any weights."""
    try:
        folder = folder_of(reference).resolve()
        model = _kept.find(folder, stamp_of(folder))
    except EngineError:
        return None
    return None if model is None else _as_asked(model, reference)


def forget(reference: str | None = None) -> None:
    """Let go of one model, or of all of them."""
    if reference is None:
        _kept.clear()
    else:
        _kept.drop(folder_of(reference).resolve())


def _read_anew(reference: str, folder: Path) -> Model:
    _kept.drop(folder)  # what is kept of it is of other files
    stamp = stamp_of(folder)
    try:
        model = _read(reference, folder)
    except MemoryError as error:
        raise OutOfMemoryError(
            "There is too little memory to load this model; close other programs or choose a "
            "smaller model."
        ) from error
    if stamp_of(folder) != stamp:
        raise ModelError("The files of the model changed while they were read; load it again.")
    _kept.put(folder, stamp, model)
    return model


def _let_go(error: BaseException | None) -> None:
    """Let go of what was read before something failed: who keeps an error keeps its frames."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _read(reference: str, folder: Path) -> Model:
    start = time.perf_counter()
    config = config_from(read_json(folder, CONFIG))
    tokenizer = read_tokenizer(folder)
    with _kept.room(folder, bytes_needed(folder, config)):
        parameters = read_parameters(folder, config)
    version = version_of(folder)
    return Model(
        reference=reference,
        name=name_of(reference),
        config=config,
        parameters=parameters,
        tokenizer=tokenizer,
        version=version,
        seconds=time.perf_counter() - start,
        bytes=_size(parameters),
    )


def _as_asked(model: Model, reference: str) -> Model:
    """Return a model under the name it was asked for: a folder may be named in several ways."""
    if model.reference == reference:
        return model
    return replace(model, reference=reference, name=name_of(reference))


def _size(parameters: Parameters) -> int:
    """Return the bytes of all weights."""
    outside = [getattr(parameters, field.name) for field in fields(parameters)]
    inside = [array for layer in parameters.layers for array in layer.arrays()]
    return sum(array.nbytes for array in [*outside, *inside] if isinstance(array, np.ndarray))
