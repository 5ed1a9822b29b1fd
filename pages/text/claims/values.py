"""The values of a finding, each as what it is."""

from __future__ import annotations

from typing import cast

from engine.experiments.claims.finding import Finding

BACKENDS = {"mlx": "MLX", "numpy": "NumPy"}


def real(finding: Finding, name: str) -> float:
    """Return a number."""
    return float(cast(float, finding.values[name]))


def whole(finding: Finding, name: str) -> int:
    """Return a whole number."""
    return cast(int, finding.values[name])


def reals(finding: Finding, name: str) -> tuple[float, ...]:
    """Return numbers in a row."""
    return cast(tuple[float, ...], finding.values[name])


def wholes(finding: Finding, name: str) -> tuple[int, ...]:
    """Return whole numbers in a row."""
    return cast(tuple[int, ...], finding.values[name])


def text(finding: Finding, name: str) -> str:
    """Return a name."""
    return cast(str, finding.values[name])


def texts(finding: Finding, name: str) -> tuple[str, ...]:
    """Return texts in a row, such as numbers as they are printed."""
    return cast(tuple[str, ...], finding.values[name])
