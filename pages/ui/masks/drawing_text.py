"""The text of a mask drawn by hand, cut or extended to a number of tokens."""

from __future__ import annotations


def fitted(drawn: str, T: int) -> str:
    """Return a drawing of ``T`` tokens: what was drawn stays, cells outside it are visible.

    Parameters
    ----------
    drawn : str
        As `MaskSpec.drawn`, square; empty where nothing is drawn.
    T : int
        Tokens.
    """
    rows = drawn.split("/") if drawn else []
    rows = [row[:T].ljust(T, "1") for row in rows[:T]]
    return "/".join(rows + ["1" * T] * (T - len(rows)))


def rows_of(drawn: str) -> list[list[int]]:
    """Return the keys, from 0, that each query of a drawing may see."""
    return [
        [key for key, cell in enumerate(row) if cell == "1"] for row in drawn.split("/") if drawn
    ]


def with_row(drawn: str, T: int, query: int, keys: list[int]) -> str:
    """Return a drawing in which one of ``T`` queries sees other keys; both counted from 0.

    What was drawn for more tokens stays.
    """
    rows = fitted(drawn, max(T, side_of(drawn))).split("/")
    rows[query] = "".join("1" if key in keys else "0" for key in range(T)) + rows[query][T:]
    return "/".join(rows)


def side_of(drawn: str) -> int:
    """Return how many rows a drawing has."""
    return drawn.count("/") + 1 if drawn else 0


def is_square(drawn: str, most: int) -> bool:
    """Return whether a text is a drawing of 1 to ``most`` tokens."""
    rows = drawn.split("/")
    return len(rows) <= most and all(
        len(row) == len(rows) and set(row) <= {"0", "1"} for row in rows
    )
