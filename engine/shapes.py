"""The one place that validates arrays: what is a number, what is finite, what fits together."""

from __future__ import annotations

import operator
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from engine.errors import NumberError, OptionError, ShapeError

Array = np.ndarray[Any, np.dtype[Any]]

TESTED_AT_ONCE = 2**20  # entries; a test of each makes a boolean array


def as_numbers(value: ArrayLike, name: str) -> Array:
    """Turn array-like input into an array of finite numbers.

    Parameters
    ----------
    value : array-like
        Integers or floating-point numbers of at most 64 bits.
    name : str
        What the sentence of an error calls it.

    Returns
    -------
    np.ndarray
        float16, float32 and float64 as they came; integers as float64.

    Raises
    ------
    ShapeError
        If the rows have different lengths, or an axis is empty.
    NumberError
        If an entry is not a number, not finite, or of another precision.
    """
    array = _real_array(value, name)
    require_finite(array, name)
    return array


def as_bias(value: ArrayLike, name: str = "bias") -> Array:
    """Turn an additive bias into an array that is finite or minus infinity."""
    array = _real_array(value, name)
    largest = array.max()  # NaN if any entry is NaN; and nothing as large as `array` is made
    if np.isnan(largest) or largest == np.inf:
        raise _not_finite(array, np.isnan(array) | (array == np.inf), name)
    return array


def as_mask(value: ArrayLike, name: str = "mask") -> Array:
    """Turn a mask into a boolean array; True means "may look".

    Raises
    ------
    NumberError
        If its values are not booleans: 0 and 1 would be ambiguous with an additive bias.
    """
    array = _plain_array(value, name)
    if array.dtype != np.bool_:
        raise NumberError(
            "`{name}` must hold True (may look) or False, got {dtype}; "
            "convert it with astype(bool).",
            name=name,
            dtype=array.dtype,
        )
    _require_entries(array, name)
    return array


def as_scale(value: float | None, d_k: int) -> float:
    """Return the scale to use: ``value``, or 1/sqrt(d_k) when it is None."""
    if value is None:
        return 1.0 / float(np.sqrt(d_k))
    try:
        scale = float(value)
    except (TypeError, ValueError):
        raise NumberError(
            "`scale` must be a number or None for 1/sqrt(d_k), got {value}.", value=repr(value)
        ) from None
    if not np.isfinite(scale):
        raise NumberError("`scale` must be finite, got {value}; 1.0 means no scaling.", value=scale)
    return scale


def as_size(value: SupportsIndex, name: str, *, least: int = 1) -> int:
    """Return ``value`` as an int of at least ``least``."""
    try:
        size = operator.index(value)
    except TypeError:
        raise OptionError(
            "`{name}` must be a whole number, got {value}.", name=name, value=repr(value)
        ) from None
    if size < least:
        raise OptionError(
            "`{name}` must be at least {least}, got {value}.", name=name, least=least, value=size
        )
    return size


def require_finite(array: Array, name: str) -> None:
    """Refuse NaN and infinity, naming the first place that holds one."""
    if not all_finite(array):
        raise _not_finite(array, ~np.isfinite(array), name)


def all_finite(array: Array) -> bool:
    """Return whether no entry is NaN or infinite, making nothing as large as a large array."""
    # The largest of float16 is found slowly, and a boolean for each is no more than half of it.
    if array.size <= TESTED_AT_ONCE or array.dtype == np.float16:
        return bool(np.isfinite(array).all())
    return bool(np.isfinite(array.max()) and np.isfinite(array.min()))  # NaN if any entry is


def require_range(array: Array, name: str, dtype: DTypeLike) -> None:
    """Refuse finite numbers that would become infinite, or zero, in ``dtype``."""
    if array.dtype.itemsize <= np.dtype(dtype).itemsize:
        return
    size = np.abs(array)
    limits = np.finfo(dtype)
    vanishing = (size > 0) & (size <= float(limits.smallest_subnormal) / 2)
    outside = (size > float(limits.max)) | vanishing
    if outside.any():
        raise _out_of_range(array, outside, name, np.dtype(dtype).name)


def require_matrix(array: Array, name: str) -> None:
    """Refuse anything that is not two-dimensional."""
    if array.ndim != 2:
        raise ShapeError(
            "`{name}` must be a matrix (two axes), got shape {shape}.",
            name=name,
            shape=array.shape,
        )


def require_broadcast(array: Array, name: str, shape: tuple[int, ...]) -> None:
    """Refuse an array that does not broadcast to ``shape``."""
    fits = array.ndim <= len(shape) and all(
        size in (1, wanted)
        for size, wanted in zip(reversed(array.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeError(
            "`{name}` must broadcast to {wanted}, got {shape}; its last two axes are queries "
            "and keys.",
            name=name,
            wanted=shape,
            shape=array.shape,
        )


def first_place(where: Array) -> tuple[int, ...]:
    """Return the index of the first True, counted from 1: (row, column) where that says all."""
    index = np.argwhere(where)[0]
    alone = where.ndim > 2 and max(where.shape[:-2]) == 1
    return tuple(int(axis) + 1 for axis in (index[-2:] if alone else index))


def _plain_array(value: ArrayLike, name: str) -> Array:
    try:
        return np.asarray(value)
    except ValueError:
        raise ShapeError(
            "`{name}` must have rows of equal length, got rows that differ.", name=name
        ) from None


def _real_array(value: ArrayLike, name: str) -> Array:
    array = _plain_array(value, name)
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise NumberError(
            "`{name}` must hold real numbers of at most 64 bits, got {dtype}.",
            name=name,
            dtype=array.dtype,
        )
    _require_entries(array, name)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _require_entries(array: Array, name: str) -> None:
    if array.size == 0:
        raise ShapeError(
            "`{name}` must have at least one entry along every axis, got shape {shape}.",
            name=name,
            shape=array.shape,
        )


def _first_value(array: Array, where: Array) -> str:
    return str(array[where][0])


def _not_finite(array: Array, where: Array, name: str) -> NumberError:
    place = first_place(where)
    value = _first_value(array, where)
    if len(place) == 2:
        return NumberError(
            "`{name}` must hold finite numbers, got {value} at row {row}, column {column}.",
            name=name,
            value=value,
            row=place[0],
            column=place[1],
        )
    return NumberError(
        "`{name}` must hold finite numbers, got {value} at index {place}, counted from 1.",
        name=name,
        value=value,
        place=place,
    )


def _range_of(precision: str) -> dict[str, str]:
    limits = np.finfo(precision)
    return {"least": f"{float(limits.tiny):.0e}", "most": f"{float(limits.max):.0e}"}


def _out_of_range(array: Array, where: Array, name: str, precision: str) -> NumberError:
    place = first_place(where)
    value = _first_value(array, where)
    if len(place) == 2:
        return NumberError(
            "`{name}` must fit {precision}, got {value} at row {row}, column {column}; "
            "use numbers between {least} and {most} in size, or 0.",
            name=name,
            precision=precision,
            value=value,
            row=place[0],
            column=place[1],
            **_range_of(precision),
        )
    return NumberError(
        "`{name}` must fit {precision}, got {value} at index {place}, counted from 1; "
        "use numbers between {least} and {most} in size, or 0.",
        **_range_of(precision),
        name=name,
        precision=precision,
        value=value,
        place=place,
    )
