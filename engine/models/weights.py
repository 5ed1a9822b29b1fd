"""The weights of a model, read from ``model.safetensors`` and from nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ModelError
from engine.models.config import ModelConfig
from engine.models.files import WEIGHTS, require_file, unreadable
from engine.models.parameters import Parameters, Tensor, assembled, expected
from engine.shapes import Array

NUMBER_KINDS = ("F32", "F16", "BF16")


def read_parameters(folder: Path, config: ModelConfig) -> Parameters:
    """Read the weights of a model as float32, closed to writing.

    Parameters
    ----------
    folder : Path
        A folder that holds ``model.safetensors``.
    config : ModelConfig

    Raises
    ------
    ModelError
        If the file is missing, damaged, not the weights of such a model, or of another kind.
    """
    path = require_file(folder, WEIGHTS)
    try:
        return _read(path, config)
    except OSError as error:
        raise unreadable(path, error) from error


def _read(path: Path, config: ModelConfig) -> Parameters:
    import ml_dtypes  # noqa: F401 - makes bfloat16 known to NumPy
    from safetensors import SafetensorError, safe_open

    try:
        # Not mapped into memory: a file cut short while it is read would end the process.
        with safe_open(path, "np", backend="pread") as file:
            needed = expected(config, file.keys())
            return assembled(
                config, needed, {tensor.name: _float32(file, tensor) for tensor in needed}
            )
    except SafetensorError as error:
        raise ModelError(
            "{path} is damaged, cut short, or not a safetensors file.", path=str(path)
        ) from error


def _float32(file: Any, tensor: Tensor) -> Array:
    """Read one tensor, whose shape and kind are known to fit before it takes memory."""
    header = file.get_slice(tensor.name)
    kind, shape = header.get_dtype(), tuple(header.get_shape())
    if shape != tensor.shape:
        raise ModelError(
            "The weights {name} have shape {shape}; by config.json it should be {wanted}.",
            name=tensor.name,
            shape=shape,
            wanted=tensor.shape,
        )
    if kind not in NUMBER_KINDS:
        raise ModelError(
            "The weights {name} are stored as {kind}; float32, float16 and bfloat16 are read.",
            name=tensor.name,
            kind=kind,
        )
    array: Array = file.get_tensor(tensor.name).astype(np.float32, copy=False)
    if not np.isfinite(array).all():
        raise ModelError("The weights {name} hold NaN or infinity.", name=tensor.name)
    return array
