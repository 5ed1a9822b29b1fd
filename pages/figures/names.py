"""File names that say what is inside."""

from __future__ import annotations

from engine.experiments.worked_example import Result


def file_stem(result: Result, word: str) -> str:
    """Return the file stem of a worked example: ``worked-example-scores-T4-causal``."""
    params, sizes = result.params, result.sizes
    parts = ["worked-example", word, f"T{sizes.T}"]
    parts += [f"S{sizes.S}", "cross"] if params.context is not None else []
    parts += ["causal"] if params.causal else []
    parts += [] if params.scaled else ["unscaled"]
    return "-".join(parts)
