"""How much memory a forward pass takes, and how many are made at once."""

from __future__ import annotations

from engine.backends import Backend
from engine.errors import OutOfMemoryError
from engine.models.config import ModelConfig

NUMBER = 4  # bytes of a float32
TOKENS_AT_ONCE = 1_024  # of all runs of a batch: more are not quicker
MOST_BYTES = 150_000_000  # of what one layer makes of a batch
# At most so many arrays of each size are held at once while a layer is computed.
SCORES = 5
INNERS = 6
VECTORS = 8


def run_bytes(config: ModelConfig, T: int) -> int:
    """Return the bytes that a layer takes beside its weights, for one run of T tokens."""
    scores = SCORES * config.heads * T * T
    return NUMBER * (scores + T * (INNERS * config.inner + VECTORS * config.width))


def cuts_at_once(config: ModelConfig, T: int) -> int:
    """Return how many runs of T tokens are made at once; at least one."""
    return max(1, min(TOKENS_AT_ONCE // T, MOST_BYTES // run_bytes(config, T)))


def require_free(config: ModelConfig, T: int, cuts: int, backend: Backend) -> None:
    """Refuse what does not fit into free memory: a whole pass, or the passes with cuts.

    Parameters
    ----------
    cuts : int
        How many; 0 is one pass whose attention weights are kept.

    Raises
    ------
    OutOfMemoryError
        With both sizes.
    """
    if cuts == 0:
        needed = run_bytes(config, T) + NUMBER * config.layers * config.heads * T * T
    else:
        kept = (cuts + config.layers) * T * config.width
        needed = cuts_at_once(config, T) * run_bytes(config, T) + NUMBER * kept
    free = backend.free_bytes()
    if needed > free:
        raise OutOfMemoryError(
            "A pass of {T} tokens through this model needs {needed} MB, and {free} MB are free; "
            "use a shorter text or a smaller model.",
            T=T,
            needed=-(-needed // 10**6),
            free=free // 10**6,
        )
