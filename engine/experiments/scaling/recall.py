"""One attention head that recalls: its loss, and the gradient of the loss by hand.

Written in the names that NumPy and mlx.core share, for use inside ``Backend.run``; it computes in
the precision of the weights. Shape legend: B batch, S pairs, D = d_k.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.attention import softmax
from engine.gradients import backward


class Weights(NamedTuple):
    """What is learned, or the gradients by it: (D, D), (D, D) and (S, S)."""

    w_q: Any
    w_k: Any
    w_v: Any


class Lesson(NamedTuple):
    """One batch: the keys (S, D), and who holds what, as in `task.Batches`."""

    keys: Any
    symbols: Any  # (B, S)
    asked: Any  # (B,)
    right: Any  # (B,)


def learn(xp: Any, weights: Weights, lesson: Lesson, scale: float) -> tuple[Any, Any, Weights]:
    """Return the mean cross-entropy in nats, the share of right symbols, and the gradients."""
    S = lesson.keys.shape[0]
    asked = _one_hot(xp, lesson.asked, S, weights.w_q)  # (B, S)
    symbols = _one_hot(xp, lesson.symbols, S, weights.w_q)  # (B, S, S)
    right = _one_hot(xp, lesson.right, S, weights.w_q)  # (B, S)

    q = xp.matmul(asked, xp.matmul(lesson.keys, weights.w_q))[:, None]  # (B, 1, D)
    k = xp.matmul(lesson.keys, weights.w_k)[None]  # (1, S, D)
    v = xp.matmul(symbols, weights.w_v)  # (B, S, S)
    attention = softmax(xp, xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale)  # (B, 1, S)
    logits = xp.matmul(attention, v)[:, 0]  # (B, S)

    loss, d_logits = _cross_entropy(xp, logits, right)
    accuracy = xp.mean(xp.argmax(logits, axis=-1) == lesson.right)

    d_q, d_k, d_v, _, _ = backward(xp, q, k, v, attention, d_logits[:, None], scale)
    d_queries = xp.matmul(asked.T, d_q[:, 0])  # (S, D): of each key where it is asked for
    gradients = Weights(
        w_q=xp.matmul(lesson.keys.T, d_queries),
        w_k=xp.matmul(lesson.keys.T, xp.sum(d_k, axis=0)),
        w_v=xp.matmul(symbols.reshape(-1, S).T, d_v.reshape(-1, S)),
    )
    return loss, accuracy, gradients


def gradient_norm(xp: Any, gradients: Weights) -> Any:
    """Return the Euclidean norm of all gradients together."""
    return xp.sqrt(sum(xp.sum(xp.square(each)) for each in gradients))


def _one_hot(xp: Any, numbers: Any, S: int, like: Any) -> Any:
    return (numbers[..., None] == xp.arange(S)).astype(like.dtype)


def _cross_entropy(xp: Any, logits: Any, right: Any) -> tuple[Any, Any]:
    """Return the mean cross-entropy, and its gradient by the logits (B, S)."""
    shifted = logits - xp.max(logits, axis=-1, keepdims=True)
    total = xp.log(xp.sum(xp.exp(shifted), axis=-1, keepdims=True))
    loss = xp.mean(total[:, 0] - xp.sum(shifted * right, axis=-1))
    return loss, (xp.exp(shifted - total) - right) / logits.shape[0]
