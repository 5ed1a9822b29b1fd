"""How much memory a forward pass takes, and how many are made at once."""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends import Backend
from engine.backends.threads import available_cores
from engine.errors import OutOfMemoryError
from engine.models.config import ModelConfig

NUMBER = 4  # bytes of a float32
MOST_BYTES = 200_000_000  # of what all threads hold while they compute a layer
# Tokens of all runs that are made at once: on a processor they should stay in its cache, on a GPU
# they have to be worth the way of the weights to it.
TOKENS_AT_ONCE = {"cpu": 512, "gpu": 4_096}
# At most so many arrays of each size are held at once while a layer is computed.
SCORES = 5
INNERS = 7
VECTORS = 8


@dataclass(frozen=True)
class Division:
    """How many runs a thread makes at once, and how many threads do."""

    at_once: int
    threads: int


def division(config: ModelConfig, T: int, backend: Backend) -> Division:
    """Return how runs of T tokens are spread; NumPy's on every core, MLX's on its one thread."""
    most = MOST_BYTES // run_bytes(config, T)
    at_once = max(1, min(TOKENS_AT_ONCE[backend.kind] // T, most))
    cores = available_cores() if backend.name == "numpy" else 1
    return Division(at_once, max(1, min(cores, most // at_once)))


def run_bytes(config: ModelConfig, T: int) -> int:
    """Return the bytes that a layer takes beside its weights, for one run of T tokens."""
    scores = SCORES * config.heads * T * T
    return NUMBER * (scores + T * (INNERS * config.inner + VECTORS * config.width))


def require_free(config: ModelConfig, T: int, cuts: int, backend: Backend) -> None:
    """Refuse what does not fit into free memory: a whole pass, or the passes with cuts.

    Parameters
    ----------
    config : ModelConfig
    T : int
        Number of tokens.
    cuts : int
        How many; 0 is one pass whose attention weights are kept.
    backend : Backend

    Raises
    ------
    OutOfMemoryError
        With both sizes.
    """
    if cuts == 0:
        needed = run_bytes(config, T) + NUMBER * config.layers * config.heads * T * T
    else:
        spread = division(config, T, backend)
        kept = NUMBER * (cuts + config.layers) * T * config.width
        needed = spread.at_once * spread.threads * run_bytes(config, T) + kept
    free = backend.free_bytes()
    if needed > free:
        raise OutOfMemoryError(
            "A pass of {T} tokens through this model needs {needed} MB, and {free} MB are free; "
            "use a shorter text or a smaller model.",
            T=T,
            needed=-(-needed // 10**6),
            free=free // 10**6,
        )
