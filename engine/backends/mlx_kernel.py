"""Which kernel MLX's scaled_dot_product_attention takes, by its own rule."""

from __future__ import annotations

from typing import Any

# Head sizes of the fused kernel for more than 8 queries, q and v alike.
FUSED = (64, 80, 128)


def kernel_of(mx: Any, kind: str, D: int, E: int) -> str:
    """Return "fused" or "fallback"."""
    metal = kind == "gpu" and bool(mx.metal.is_available())
    return "fused" if metal and D == E and D in FUSED else "fallback"
