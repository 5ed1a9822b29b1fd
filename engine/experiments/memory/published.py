"""Published measurements, and what the predictions say of the same settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.experiments.memory.params import Params
from engine.experiments.memory.tensors import needed, tensors_of

MEGABYTE = 10**6
_MLX = ("ml-explore/mlx, pull request 3241", "https://github.com/ml-explore/mlx/pull/3241")
_FLASH = (
    "FlashAttention, README",
    "https://github.com/Dao-AILab/flash-attention/blob/main/README.md",
)
# T, whether causal, matrix alone, unfused, fused: in MB, as printed.
_MLX_FIGURES = (
    (512, False, 17, 69, 21),
    (1024, False, 67, 239, 42),
    (2048, True, 268, 894, 84),
    (4096, False, 1074, 3373, 169),
)
_FLASH_FIGURES = ((2048, 10.0), (4096, 20.0))


@dataclass(frozen=True)
class Published:
    """One row of a published table beside ours.

    Attributes
    ----------
    source, address : str
        Where it is printed.
    T : int
        Tokens.
    causal : bool
        Whether the pass had a causal mask.
    theirs, ours : dict
        "matrix" (the scores of all heads, once), "unfused" and "fused" (peak of the backward
        pass) in bytes; or "ratio" of unfused to fused.
    """

    source: str
    address: str
    T: int
    causal: bool
    theirs: dict[str, float]
    ours: dict[str, float]


def settings(T: int) -> Params:
    """Return one attention layer, backward: B = 1, H = 32, D = 64, float16.

    Those are the settings of the MLX measurements. FlashAttention's README gives head size 64 or
    128 with 32 or 16 heads; the ratio does not depend on the number of heads.
    """
    return replace(
        Params(), T=T, layers=1, heads=32, kv_heads=32, d_k=64, dtype="float16", mode="training"
    )


def published() -> tuple[Published, ...]:
    """Return all rows."""
    return (
        *(_mlx(*row) for row in _MLX_FIGURES),
        *(_flash(*row) for row in _FLASH_FIGURES),
    )


def _mlx(T: int, causal: bool, matrix: int, unfused: int, fused: int) -> Published:
    theirs = {"matrix": matrix, "unfused": unfused, "fused": fused}
    params = settings(T)
    (weights,) = (
        tensor for tensor in tensors_of(params, "materialised") if tensor.name == "weights"
    )
    ours: dict[str, float] = {
        "matrix": weights.bytes,
        "unfused": needed(params, "materialised"),
        "fused": needed(params, "fused"),
    }
    in_bytes: dict[str, float] = {name: value * MEGABYTE for name, value in theirs.items()}
    return Published(*_MLX, T, causal, in_bytes, ours)


def _flash(T: int, ratio: float) -> Published:
    params = settings(T)
    ours = needed(params, "materialised") / needed(params, "fused")
    return Published(*_FLASH, T, False, {"ratio": ratio}, {"ratio": ours})
