"""Published measurements, and what the predictions say of the same settings.

MLX: a table of "Memory Savings" in pull request 3241 of ml-explore/mlx, "[Metal] Fused Flash
Attention backward (VJP) kernels", by its author on an Apple M3 Max: B = 1, H = 32, float16, peak of
the backward pass with the unfused and with the fused kernel, to the whole MB (10^6 bytes). Its rows
at head size 64 are here; those at 96, at 128 and with 8 KV heads agree as well. How the peak was
read is not said.

FlashAttention: "We see 10X memory savings at sequence length 2K, and 20X at 4K", with a graph of
which an earlier version of the same README says head size 64, 12 heads, batch size 8, on an A100;
it is the memory of attention, forward and backward, with or without a mask. The ratio depends on
the head size, and neither on the heads nor on the batch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.experiments.memory.params import Params
from engine.experiments.memory.tensors import needed, tensors_of

MEGABYTE = 10**6
_MLX = ("ml-explore/mlx, #3241", "https://github.com/ml-explore/mlx/pull/3241")
_FLASH = (
    "FlashAttention, README.md",
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
        Where it is printed, in no language.
    T : int
        Tokens.
    causal : bool
        Whether the pass had a causal mask.
    theirs, ours : dict
        "matrix" (the scores of all heads, once), "unfused" and "fused" (peak of the backward
        pass) in bytes; or "ratio" of unfused to fused.
    left_out : dict
        What we do not count and an unfused pass may hold, in bytes: "scaled_q", a copy of Q times
        the scale; "row_sums", a float32 number a query; "mask", a boolean mask and one to add in
        float16. With it our unfused figures are theirs, to the MB; that they hold it is our
        inference, not their statement. Empty beside a ratio.
    """

    source: str
    address: str
    T: int
    causal: bool
    theirs: dict[str, float]
    ours: dict[str, float]
    left_out: dict[str, int]


def settings(T: int) -> Params:
    """Return one attention layer, backward: B = 1, H = 32, D = 64, float16."""
    return replace(
        Params(), T=T, layers=1, heads=32, kv_heads=32, d_k=64, dtype="float16", mode="training"
    )


def published() -> tuple[Published, ...]:
    """Return all rows: four of MLX, two of FlashAttention."""
    return (
        *(_mlx(*row) for row in _MLX_FIGURES),
        *(_flash(*row) for row in _FLASH_FIGURES),
    )


def left_out(params: Params, causal: bool) -> dict[str, int]:
    """Return what an unfused pass of one layer may hold beyond what is counted, in bytes."""
    rows = params.batch * params.heads * params.T
    parts = {"scaled_q": rows * params.d_k * params.itemsize, "row_sums": rows * 4}
    return parts | ({"mask": params.T * params.T * (1 + params.itemsize)} if causal else {})


def _mlx(T: int, causal: bool, matrix: int, unfused: int, fused: int) -> Published:
    params = settings(T)
    tensors = {tensor.name: tensor.bytes for tensor in tensors_of(params, "materialised")}
    ours: dict[str, float] = {
        "matrix": tensors["weights"],
        "unfused": needed(params, "materialised"),
        "fused": needed(params, "fused"),
    }
    theirs: dict[str, float] = {
        "matrix": matrix * MEGABYTE,
        "unfused": unfused * MEGABYTE,
        "fused": fused * MEGABYTE,
    }
    return Published(*_MLX, T, causal, theirs, ours, left_out(params, causal))


def _flash(T: int, ratio: float) -> Published:
    params = settings(T)
    ours = needed(params, "materialised") / needed(params, "fused")
    return Published(*_FLASH, T, False, {"ratio": ratio}, {"ratio": ours}, {})
