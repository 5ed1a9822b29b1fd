"""Attention, computed: six visible steps, a fast path, gradients and masks, on NumPy or MLX.

Importing this package loads NumPy only. MLX is imported when a backend is first asked for.

Shape legend, used in every docstring: B batch, H heads, T query positions, S key positions,
D = d_k, E = d_v.
"""

from engine.attention import AttentionTrace, attend, trace_attention
from engine.backends import (
    Backend,
    BackendStatus,
    Measurement,
    available_backends,
    backend_statuses,
    get_backend,
)
from engine.errors import (
    BackendError,
    EngineError,
    ModelError,
    NumberError,
    OptionError,
    OutOfMemoryError,
    ShapeError,
)
from engine.gradients import (
    AttentionGradients,
    attention_backward,
    jacobian_norm,
    softmax_jacobian,
)
from engine.masks import (
    causal_mask,
    combine_masks,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)

__all__ = [
    "AttentionGradients",
    "AttentionTrace",
    "Backend",
    "BackendError",
    "BackendStatus",
    "EngineError",
    "Measurement",
    "ModelError",
    "NumberError",
    "OptionError",
    "OutOfMemoryError",
    "ShapeError",
    "attend",
    "attention_backward",
    "available_backends",
    "backend_statuses",
    "causal_mask",
    "combine_masks",
    "get_backend",
    "jacobian_norm",
    "padding_mask",
    "prefix_mask",
    "sliding_window_mask",
    "softmax_jacobian",
    "trace_attention",
]
