"""The weights of a model, read from ``model.safetensors`` and from nothing else."""

from __future__ import annotations

from pathlib import Path

from engine.models.config import ModelConfig
from engine.models.parameters import Parameters

WEIGHTS = "model.safetensors"


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
    raise NotImplementedError
