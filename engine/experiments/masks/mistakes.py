"""Mask mistakes, each made for real on the same scores, and measured against the right way.

Shape legend: T positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.backends import Backend
from engine.experiments.masks.inputs import Head, InputParams
from engine.experiments.masks.spec import MaskSpec, Pattern
from engine.shapes import Array

Dtype = Literal["float16", "bfloat16", "float32", "float64"]
DTYPES: tuple[Dtype, ...] = ("float16", "bfloat16", "float32", "float64")
FAR_FILL = 20_000.0  # how far above its row's visible scores one hidden score is raised, -1e4 row
FAR_UNDERFLOW = 200.0  # the same, zero and renormalise row

# In the order of the table.
VARIANTS: tuple[str, ...] = (
    "minus-infinity",  # where(mask, s, -inf) before softmax: the reference
    "minus-1e9",  # s + (-1e9 where hidden) before softmax
    "minus-1e4",  # s + (-1e4 where hidden) before softmax
    "minus-1e4-far",  # the same, one hidden score FAR_FILL above its row
    "times-0-1",  # s * mask before softmax
    "plus-0-1",  # s + mask before softmax (a 0/1 mask taken as additive)
    "zero-after",  # softmax(s) * mask
    "renormalise",  # softmax(s) * mask, each row divided by its sum
    "renormalise-far",  # the same, one hidden score FAR_UNDERFLOW above its row
    "wrong-axis",  # padding hidden along the query axis instead of the key axis
    "transposed",  # mask.T, upside down: the upper triangle instead of the lower
    "inverted",  # ~mask: True taken for "hide"
)


@dataclass(frozen=True)
class MistakesParams(InputParams):
    """One input, the mask that is meant (the fields of `MaskSpec`), and the dtype to look at."""

    pattern: Pattern = "causal"
    window: int = 3
    prefix: int = 2
    length: int | None = None
    drawn: str = ""
    dtype: Dtype = "float32"

    @property
    def mask(self) -> MaskSpec:
        """The mask that is meant."""
        return MaskSpec(self.pattern, self.window, self.prefix, self.length, self.drawn)


FullRow = Literal["nan", "uniform", "zero", "unmasked", "other"]


@dataclass(frozen=True)
class Outcome:
    """One variant in one dtype.

    Attributes
    ----------
    weights, reference : np.ndarray
        (T, T), float64 copies of what was computed in the dtype; ``weights`` may hold NaN.
    row_sums : tuple of float
        Smallest and largest row sum, over the rows that are not NaN and that the intended mask
        leaves something to see; (nan, nan) where there is none.
    difference : float
        Largest absolute difference of a weight to the reference, over rows that are not NaN; nan
        where every row is.
    leak : float
        Largest absolute move of an output component when a token that its query may not see
        changes; nan where no such output stayed a number.
    nan_rows : int
        Rows of the weights, or of the outputs after a change, that hold NaN.
    full_row : {"nan", "uniform", "zero", "unmasked", "other"}
        What becomes of a row that may look nowhere: NaN; equal weights; zeros; the weights it would
        have without any mask; something else.
    right : bool
        No NaN, no leak and no difference beyond the rounding of the dtype.
    """

    dtype: Dtype
    weights: Array
    reference: Array
    row_sums: tuple[float, float]
    difference: float
    leak: float
    nan_rows: int
    full_row: FullRow
    right: bool


@dataclass(frozen=True)
class Variant:
    """One row of the table.

    Attributes
    ----------
    intended : np.ndarray
        bool, (T, T): what it should have hidden.
    outcomes : dict
        Dtype -> Outcome, for every dtype that the backend has.
    """

    name: str
    intended: Array
    outcomes: dict[Dtype, Outcome]


@dataclass(frozen=True)
class MistakesResult:
    """The whole table.

    Attributes
    ----------
    changed : tuple of int
        The tokens, from 0, that were changed in turn to measure leaks: all of them where T is
        small, else some spread evenly, the last among them.
    raised : tuple of int
        Row and column, from 0, of the hidden score that the two far variants raise.
    padded_length : int
        Real tokens in the wrong-axis row.
    """

    params: MistakesParams
    head: Head
    visible: Array
    variants: tuple[Variant, ...]
    changed: tuple[int, ...]
    raised: tuple[int, int]
    padded_length: int
    backend_name: str
    precision: str
    seconds: float

    def variant(self, name: str) -> Variant:
        """Return the variant of this name."""
        return next(each for each in self.variants if each.name == name)


def dtypes_of(backend: Backend | str | None = None) -> tuple[Dtype, ...]:
    """Return the dtypes that a backend computes in: all four on NumPy, not float64 on MLX."""
    raise NotImplementedError


def make_mistakes(
    params: MistakesParams, *, backend: Backend | str | None = None
) -> MistakesResult:
    """Make every mistake in every dtype of the backend.

    Each step (scores, scaling, masking, softmax, renormalising, output) works in float32 (float64
    for float64) and rounds its result to the dtype, as fused kernels and PyTorch do.

    Raises
    ------
    OptionError
        When the mask hides nothing, or the backend does not have the dtype.
    """
    raise NotImplementedError
