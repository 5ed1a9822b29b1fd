"""What the rows and columns of each step's matrix are called on screen."""

from __future__ import annotations

from engine.experiments.worked_example import Result


def query_labels(result: Result) -> list[str]:
    """Return the tokens that ask: the rows of X."""
    return list(result.params.tokens)


def key_labels(result: Result) -> list[str]:
    """Return the tokens that are looked at: the rows of X, or of C in cross-attention."""
    return list(result.params.key_tokens)


def rows(result: Result, step: str, role: str = "q") -> list[str]:
    """Return the row names of the matrix that ``step`` gives."""
    return key_labels(result) if step == "project" and role != "q" else query_labels(result)


def columns(result: Result, step: str, role: str = "q") -> list[str]:
    """Return the column names: keys for the square steps, dimensions for the others."""
    if step == "project":
        width = result.sizes.d_v if role == "v" else result.sizes.d_k
        return [str(column) for column in range(1, width + 1)]
    if step == "output":
        return [str(column) for column in range(1, result.sizes.d_v + 1)]
    return key_labels(result)


def numbered(names: list[str], index: int) -> str:
    """Return ``2 · street`` for the second of ``names``; a name that is only its number once."""
    number = str(index + 1)
    name = names[index] if index < len(names) else number
    return number if name == number else f"{number} · {name}"
