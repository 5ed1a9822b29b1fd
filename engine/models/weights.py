"""The weights of a model, read from ``model.safetensors`` and from nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import ModelError
from engine.models.config import ModelConfig
from engine.models.files import WEIGHTS, require_file, unreadable
from engine.models.memory import NUMBER
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
    with _opened(folder) as file:
        needed = _needed(file, config)
        return assembled(config, needed, {tensor.name: _float32(file, tensor) for tensor in needed})


def bytes_needed(folder: Path, config: ModelConfig) -> int:
    """Return the bytes of memory that `read_parameters` takes at most; none are read.

    Beside all weights in float32 there is one tensor in half the bytes: as the file stores it, or
    in less, the marks of what is finite in it.

    Raises
    ------
    ModelError
        As `read_parameters`, of what the file says of itself.
    """
    with _opened(folder) as file:
        sizes = [math.prod(tensor.shape) for tensor in _needed(file, config)]
    return NUMBER * sum(sizes) + NUMBER // 2 * max(sizes)


def require_header(folder: Path) -> None:
    """Refuse a file of weights whose own account of its contents does not fit its size.

    Raises
    ------
    ModelError
        If it is missing, out of reach, damaged or cut short.
    """
    with _opened(folder):
        pass


@contextmanager
def _opened(folder: Path) -> Iterator[Any]:
    """Open the file of weights; what is wrong with it is said in words."""
    from safetensors import SafetensorError, safe_open

    path = require_file(folder, WEIGHTS)
    try:
        path.open("rb").close()  # the library calls a file out of reach one that is not there
        # Not mapped into memory: a file cut short while it is read would end the process.
        with safe_open(path, "np", backend="pread") as file:
            yield file
    except OSError as error:
        raise unreadable(path, error) from error
    except SafetensorError as error:
        raise ModelError(
            "{path} is damaged, cut short, or not a safetensors file.", path=str(path)
        ) from error


def _needed(file: Any, config: ModelConfig) -> tuple[Tensor, ...]:
    """Return the tensors that are needed, whose shapes and kinds fit."""
    needed = expected(config, file.keys())
    for tensor in needed:
        _require_fitting(file.get_slice(tensor.name), tensor)
    return needed


def _require_fitting(header: Any, tensor: Tensor) -> None:
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


def _float32(file: Any, tensor: Tensor) -> Array:
    import ml_dtypes  # noqa: F401 - makes bfloat16 known to NumPy

    array: Array = file.get_tensor(tensor.name).astype(np.float32, copy=False)
    if not np.isfinite(array).all():
        raise ModelError("The weights {name} hold NaN or infinity.", name=tensor.name)
    return array
