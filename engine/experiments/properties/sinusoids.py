"""The sinusoidal positions of Vaswani et al. 2017, section 3.5."""

from __future__ import annotations

import numpy as np

from engine.shapes import Array

LONGEST_WAVE = 10_000.0  # over 2 pi, the wavelength that the last components come close to


def sinusoids(T: int, d_model: int) -> Array:
    """Return what is added to the vectors of the positions 0 to T - 1, (T, d_model), float64.

    Component 2i of position p is sin(p / 10000^(2i / d_model)), component 2i + 1 the cosine of the
    same angle.
    """
    pairs = np.arange(d_model) // 2
    angles = np.arange(T)[:, None] / LONGEST_WAVE ** (2 * pairs / d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))
