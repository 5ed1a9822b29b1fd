"""Studies of models that were never run: random weights, and tokens that are hard to draw."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.experiments.context.study import Study, StudyParams

WORDS = ("the", "un", "##believ", "##able", "$\\frac{a}{b}$", "**", "d_model", "😀", "councilmen",
         "<b>", "internationalization", "'", "它", "`x`", "it", "W" * 9)  # fmt: skip


def made(attention, tokens, special=(), unknown=(), *, family="bert", recorded=False) -> Study:
    """Return a study of weights (L, H, T, T); special and unknown are places from 0."""
    places = range(len(tokens))
    text, spans = "", []
    for place, token in enumerate(tokens):
        start = len(text)
        text += "" if place in special else ("累" if place in unknown else token) + " "
        spans.append((start, max(start, len(text) - 1)))
    return Study(
        params=StudyParams("somewhere", "", text),
        text=text,
        tokens=tuple(tokens),
        special=np.array([place in special for place in places]),
        unknown=np.array([place in unknown for place in places]),
        spans=tuple(spans),
        attention=np.asarray(attention, dtype=np.float32),
        recorded=recorded,
        model_name="all-MiniLM-L6-v2",
        family=family,
        version="0123456789ab",
        backend_name="numpy",
        precision="float32",
        seconds=0.0,
    )


def random_weights(layers, heads, T, *, causal=False, seed=0):
    """Return softmax of random scores, (layers, heads, T, T)."""
    scores = np.random.default_rng(seed).normal(0, 2, (layers, heads, T, T))
    if causal:
        scores = np.where(np.tril(np.ones((T, T), dtype=bool)), scores, -np.inf)
    found = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return found / found.sum(axis=-1, keepdims=True)


@lru_cache(maxsize=16)
def encoder(T=16, layers=3, heads=4, seed=0) -> Study:
    """Return an encoder that adds two special tokens; a longer text has an unknown piece."""
    tokens = ("[CLS]", *(WORDS[i % len(WORDS)] for i in range(T - 2)), "[SEP]")
    unknown = (2,) if T > 3 else ()
    tokens = tuple("[UNK]" if place in unknown else each for place, each in enumerate(tokens))
    weights = random_weights(layers, heads, T, seed=seed)
    return made(weights, tokens, (0, T - 1), unknown)


@lru_cache(maxsize=8)
def decoder(T=12, layers=2, heads=3, seed=1) -> Study:
    """Return a decoder, which adds no special tokens and sees nothing ahead."""
    tokens = tuple(("␣the", "an", "imal", "<E2>")[i % 4] for i in range(T))
    weights = random_weights(layers, heads, T, causal=True, seed=seed)
    return made(weights, tokens, family="gpt2", recorded=True)
