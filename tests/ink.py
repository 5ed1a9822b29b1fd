"""Whether a picture shows something: enough ink, and letters that are not all the same box."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PIL import Image

LEAST_INK, MOST_INK = 0.01, 0.9
_SIDE = 12  # pixels of a letter when letters are compared
_ALIKE = 0.12  # share of pixels in which two boxes may differ: they lie between pixels differently


def faults(picture: Image.Image, title: tuple[int, int, int, int] | None = None) -> list[str]:
    """Return what is wrong with a picture.

    Parameters
    ----------
    picture : Image
        Its first pixel is its background.
    title : tuple, optional
        Left, top, right, bottom of a line of text with several letters, in pixels of the picture.
    """
    width, height = picture.size
    background = _pixels(picture.crop((0, 0, 1, 1)))[0, 0]
    # Every third pixel of every third row is enough to count ink.
    sample = picture.resize((width // 3, height // 3), Image.Resampling.NEAREST)
    share = _ink(_pixels(sample), background).mean()
    found = [] if LEAST_INK < share < MOST_INK else [f"{share:.3f} of it is ink"]
    if title is not None:
        letters = _letters(_ink(_pixels(picture.crop(title)), background))
        if len(letters) < 3:
            found.append(f"the title has {len(letters)} letters")
        elif _most_common(letters) > len(letters) / 2:
            found.append("the title is a row of boxes")
    return found


def _pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB")).astype(np.int16)


def _ink(pixels: np.ndarray, background: np.ndarray) -> np.ndarray:
    return np.abs(pixels - background).max(axis=-1) > 40


def _letters(line: np.ndarray) -> list[np.ndarray]:
    """Return the pieces of a line between its empty columns, each in the same small size."""
    columns = np.flatnonzero(np.diff(np.concatenate([[False], line.any(axis=0), [False]])))
    letters = []
    for start, end in columns.reshape(-1, 2):
        rows = np.flatnonzero(line[:, start:end].any(axis=1))
        piece = Image.fromarray(line[rows[0] : rows[-1] + 1, start:end])
        letters.append(np.asarray(piece.convert("L").resize((_SIDE, _SIDE))) > 127)
    return letters


def _most_common(letters: list[np.ndarray]) -> int:
    """Return how many letters look like the one that most look like."""
    counts: Counter[int] = Counter()
    for number, letter in enumerate(letters):
        counts[number] = sum(bool((letter != other).mean() <= _ALIKE) for other in letters)
    return max(counts.values())
