"""One attention head that recalls: its loss, and the gradient of the loss by hand.

Written in the names that NumPy and mlx.core share, for use inside ``Backend.run``; it computes in
the precision of the weights. Shape legend: B batch, G groups of it, S pairs, D = d_k.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.attention import softmax
from engine.experiments.scaling.strips import product_in_strips, strip_of
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
    B, S = lesson.symbols.shape
    symbols = _one_hot(xp, lesson.symbols, S, weights.w_v)  # (B, S, S)
    right = _one_hot(xp, lesson.right, S, weights.w_v)  # (B, S)

    q, k, attention = _look(xp, weights, lesson, scale)
    # Attention to each symbol, (B, S); A (X W_V) = (A X) W_V, and X is one-hot.
    mixed = xp.matmul(attention.reshape(B, 1, S), symbols)[:, 0]
    logits = product_in_strips(xp, mixed, weights.w_v)  # (B, S)

    loss, d_logits = _cross_entropy(xp, logits, right)
    accuracy = xp.mean(xp.argmax(logits, axis=-1) == lesson.right)

    d_mixed = product_in_strips(xp, d_logits, weights.w_v.T)  # (B, S)
    d_attention = xp.matmul(symbols, d_mixed[:, :, None]).reshape(attention.shape)
    w_q, w_k = _look_back(xp, lesson, q, k, attention, d_attention, scale)
    return loss, accuracy, Weights(w_q, w_k, product_in_strips(xp, mixed.T, d_logits))


def gradient_norm(xp: Any, gradients: Weights) -> Any:
    """Return the Euclidean norm of all gradients together."""
    return xp.sqrt(sum(xp.sum(xp.square(each)) for each in gradients))


def _look(xp: Any, weights: Weights, lesson: Lesson, scale: float) -> tuple[Any, Any, Any]:
    """Return queries (G, B/G, D), keys (1, S, D) and attention weights (G, B/G, S).

    All queries share the keys; in G groups their products stay small.
    """
    B, (S, D) = len(lesson.asked), lesson.keys.shape
    queries = product_in_strips(xp, weights.w_q.T, lesson.keys.T).T  # (S, D), of every key
    q = queries[lesson.asked].reshape(-1, strip_of(B, S * D), D)
    k = product_in_strips(xp, weights.w_k.T, lesson.keys.T).T[None]
    return q, k, softmax(xp, xp.matmul(q, xp.swapaxes(k, -1, -2)) * scale)


def _look_back(
    xp: Any, lesson: Lesson, q: Any, k: Any, attention: Any, d_attention: Any, scale: float
) -> tuple[Any, Any]:
    """Return the gradients by W_Q and W_K, from those by the attention weights.

    What a key holds differs between examples, so it is mixed later; here the values are the
    identity, and the output of attention is its weights.
    """
    S, D = lesson.keys.shape
    values = xp.eye(S, dtype=d_attention.dtype)[None]
    d_q, d_k, _, _, _ = backward(xp, q, k, values, attention, d_attention, scale)
    asked = _one_hot(xp, lesson.asked, S, d_q)  # (B, S)
    d_queries = product_in_strips(xp, asked.T, d_q.reshape(-1, D))  # (S, D)
    d_keys = xp.sum(d_k, axis=0)
    w_q, w_k = (product_in_strips(xp, lesson.keys.T, each) for each in (d_queries, d_keys))
    return w_q, w_k


def _one_hot(xp: Any, numbers: Any, S: int, like: Any) -> Any:
    return (numbers[..., None] == xp.arange(S)).astype(like.dtype)


def _cross_entropy(xp: Any, logits: Any, right: Any) -> tuple[Any, Any]:
    """Return the mean cross-entropy, and its gradient by the logits (B, S)."""
    shifted = logits - xp.max(logits, axis=-1, keepdims=True)
    total = xp.log(xp.sum(xp.exp(shifted), axis=-1, keepdims=True))
    loss = xp.mean(total[:, 0] - xp.sum(shifted * right, axis=-1))
    return loss, (xp.exp(shifted - total) - right) / logits.shape[0]
