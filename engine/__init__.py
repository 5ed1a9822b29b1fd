"""Attention, computed: six visible steps, a fast path, and masks, on NumPy or MLX.

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
from engine.errors import BackendError, EngineError, NumberError, OptionError, ShapeError
from engine.masks import (
    causal_mask,
    combine_masks,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)

__all__ = [
    "AttentionTrace",
    "Backend",
    "BackendError",
    "BackendStatus",
    "EngineError",
    "Measurement",
    "NumberError",
    "OptionError",
    "ShapeError",
    "attend",
    "available_backends",
    "backend_statuses",
    "causal_mask",
    "combine_masks",
    "get_backend",
    "padding_mask",
    "prefix_mask",
    "sliding_window_mask",
    "trace_attention",
]
