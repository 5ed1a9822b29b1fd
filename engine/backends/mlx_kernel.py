"""Which kernel MLX's ``mx.fast.scaled_dot_product_attention`` takes: it does not say so itself.

The rule of its source, mlx/backend/metal/scaled_dot_product_attention.cpp, ``use_fallback``, and of
the kernels in its Metal library, from version 0.32.1 (the oldest that is used here) to 0.32.4:

- On a processor always the fallback, which forms a T x S matrix.
- On Metal, with more than 8 queries, the fused kernel where q and v have the same head size and it
  is 64, 72, 80, 96 or 128. There are kernels for 192 and 256 since 0.32.2, but they are taken only
  on demand (ml-explore/mlx pull request 4185). Head size 96 came with pull request 3943, 72 with
  4330; before 0.32 they were 64, 80 and 128.
- On Metal, with at most 8 queries, where the head size is 64, 96, 128 or 256.
- On CUDA a kernel for a single query only is certain; more queries are counted as the fallback.

One exception is left out: an M5 with float16, a causal mask, T >= 1,024 and head size 256 takes a
kernel of its own. Whatever the rule says, the measured peak tells whether the matrix was formed.
"""

from __future__ import annotations

from typing import Literal

MANY = 8  # queries; more of them take the kernel for a prompt, not the one for single tokens
PROMPT = (64, 72, 80, 96, 128)
SINGLE = (64, 96, 128, 256)

Kernel = Literal["fused", "fallback"]


def kernel_of(*, metal: bool, T: int, D: int, E: int) -> Kernel:
    """Return what computes attention without a gradient and with no mask or a causal one.

    Parameters
    ----------
    metal : bool
        Whether MLX computes on an Apple GPU.
    T : int
        Queries in one call, no more than keys; as many heads of keys as of queries.
    D, E : int
        Head size of q and k, and of v.
    """
    sizes = PROMPT if T > MANY else SINGLE
    return "fused" if metal and D == E and D in sizes else "fallback"
