"""Number formats: what a backend offers, and how a result is rounded to one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import ml_dtypes
import numpy as np

from engine.attention import choose_backend
from engine.backends import Backend
from engine.errors import OptionError
from engine.experiments.number_text import shortened

Dtype = Literal["float16", "bfloat16", "float32", "float64"]
DTYPES: tuple[Dtype, ...] = ("float16", "bfloat16", "float32", "float64")
# The spacing above 1, and the smallest normal number, both as powers of 2.
_SPACING: dict[Dtype, int] = {"float16": -10, "bfloat16": -7, "float32": -23, "float64": -52}
_SMALLEST: dict[Dtype, int] = {
    "float16": -14,
    "bfloat16": -126,
    "float32": -126,
    "float64": -1022,
}


@dataclass(frozen=True)
class Precision:
    """One number format, with the wider one that each step computes in."""

    dtype: Dtype

    @property
    def work(self) -> Dtype:
        """float64 for float64, float32 for the others."""
        return "float64" if self.dtype == "float64" else "float32"

    @property
    def eps(self) -> float:
        """The spacing above 1; rounding errs by half of it, relatively."""
        return 2.0 ** _SPACING[self.dtype]

    @property
    def work_eps(self) -> float:
        """The spacing above 1 of the format that each step computes in."""
        return 2.0 ** _SPACING[self.work]

    @property
    def smallest(self) -> float:
        """The smallest normal number; below it digits are lost."""
        return 2.0 ** _SMALLEST[self.dtype]

    def enter(self, xp: Any, array: Any) -> Any:
        """Return a given array rounded to the dtype, held in the format that steps compute in."""
        return self.round(xp, array.astype(getattr(xp, self.work)))

    def held(self, value: float) -> float:
        """Return a number as the dtype holds it: infinite where it is too large."""
        with np.errstate(over="ignore"):
            return float(self.enter(np, np.array(value)))

    def round(self, xp: Any, array: Any) -> Any:
        """Round a result to the dtype; it stays in the format that steps compute in."""
        if self.dtype == self.work:
            return array
        # NumPy has no bfloat16 of its own.
        native = getattr(xp, self.dtype, ml_dtypes.bfloat16)
        return array.astype(native).astype(getattr(xp, self.work))


def dtypes_of(backend: Backend | str | None = None) -> tuple[Dtype, ...]:
    """Return the dtypes that a backend computes in: all four on NumPy, not float64 on MLX.

    Raises
    ------
    BackendError
        When the backend is missing.
    """
    widest = choose_backend(backend).precision
    return tuple(dtype for dtype in DTYPES if dtype != "float64" or widest == "float64")


def require_dtype(dtype: str, backend: Backend | str | None = None) -> None:
    """Refuse a dtype that does not exist, or that the backend does not compute in.

    Raises
    ------
    OptionError
        When it is refused; BackendError when the backend is missing.
    """
    chosen = choose_backend(backend)
    if dtype not in DTYPES:
        raise OptionError(
            "The number format must be one of {dtypes}, got {dtype}.",
            dtypes=", ".join(DTYPES),
            dtype=shortened(str(dtype)),
        )
    if dtype not in dtypes_of(chosen):
        raise OptionError(
            "{backend} does not compute in {dtype} here; choose one of {dtypes}, or NumPy as the "
            "backend.",
            backend=chosen.name.upper(),
            dtype=dtype,
            dtypes=", ".join(dtypes_of(chosen)),
        )
