"""What a mask is made of: one pattern, padding and a drawing; a query sees what all of them allow.

Shape legend: T query positions, which are the key positions too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.errors import OptionError
from engine.experiments.characters import named
from engine.experiments.number_text import shortened
from engine.experiments.text_given import require_text
from engine.experiments.whole_number import is_whole
from engine.masks import (
    causal_mask,
    combine_masks,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
)
from engine.shapes import Array

Pattern = Literal["none", "causal", "window", "prefix"]
PATTERNS: tuple[Pattern, ...] = ("none", "causal", "window", "prefix")
MOST_DRAWN = 16  # tokens: a larger grid is not drawn by hand


@dataclass(frozen=True)
class MaskSpec:
    """One mask; ``MaskSpec()`` hides nothing.

    Attributes
    ----------
    pattern : {"none", "causal", "window", "prefix"}
        Bidirectional; causal; causal within the last ``window`` keys; causal with the first
        ``prefix`` keys visible to all.
    window : int
        1 to T; read where the pattern is ``"window"``.
    prefix : int
        0 to T; read where the pattern is ``"prefix"``.
    length : int or None
        Keys past it are padding, 1 to T; None is no padding.
    drawn : str
        A mask drawn by hand: one row a query, ``1`` for a key it may see and ``0`` for one it may
        not, rows separated by ``/``, such as ``"10/11"``. Empty where nothing is drawn.
    """

    pattern: Pattern = "none"
    window: int = 3
    prefix: int = 2
    length: int | None = None
    drawn: str = ""


def build(spec: MaskSpec, T: int) -> Array:
    """Return the mask, bool (T, T), True = may look.

    Raises
    ------
    OptionError
        When the window, the prefix or the length is out of its range, or the drawing is unreadable
        or of another size; the sentence names what is allowed.
    """
    parts = [_of_pattern(spec, T)]
    if spec.length is not None:
        parts.append(_of_length(spec.length, T))
    if spec.drawn:
        parts.append(_of_drawing(spec.drawn, T))
    return combine_masks(*parts)


def drawn_text(visible: Array) -> str:
    """Return a mask as the text of a drawing."""
    return "/".join("".join("1" if seen else "0" for seen in row) for row in visible)


def _of_pattern(spec: MaskSpec, T: int) -> Array:
    if spec.pattern == "none":
        return np.ones((T, T), dtype=np.bool_)
    if spec.pattern == "causal":
        return causal_mask(T)
    if spec.pattern == "window":
        return _of_window(spec.window, T)
    if spec.pattern == "prefix":
        return _of_prefix(spec.prefix, T)
    raise OptionError(
        "The pattern of a mask must be one of {patterns}, got {pattern}.",
        patterns=", ".join(PATTERNS),
        pattern=shortened(str(spec.pattern)),
    )


def _of_window(window: int, T: int) -> Array:
    if not is_whole(window, 1, T):
        raise OptionError(
            "The window must be a whole number from 1 to {T}, the number of tokens; got {window}.",
            T=T,
            window=window,
        )
    return sliding_window_mask(T, window)


def _of_prefix(prefix: int, T: int) -> Array:
    if not is_whole(prefix, 0, T):
        raise OptionError(
            "The prefix must be a whole number from 0 to {T}, the number of tokens; got {prefix}.",
            T=T,
            prefix=prefix,
        )
    return prefix_mask(T, prefix)


def _of_length(length: int, T: int) -> Array:
    if not is_whole(length, 1, T):
        raise OptionError(
            "The length before padding must be a whole number from 1 to {T}, the number of tokens; "
            "got {length}.",
            T=T,
            length=length,
        )
    return padding_mask(length, T)


def _of_drawing(drawn: str, T: int) -> Array:
    require_text("drawn", drawn)
    if T > MOST_DRAWN:
        raise OptionError(
            "A mask can be drawn by hand for at most {most} tokens, and there are {T}; "
            "choose a pattern, or take fewer tokens.",
            most=MOST_DRAWN,
            T=T,
        )
    strange = [character for character in drawn if character not in "01/"]
    if strange:
        raise OptionError(
            "The drawn mask holds {character}; it may hold only 1 for a key that a query may see, "
            "0 for one it may not, and / between rows.",
            character=named(strange[0]),
        )
    rows = drawn.split("/")
    if len(rows) != T or any(len(row) != T for row in rows):
        raise _wrong_size(rows, T)
    return np.array([[digit == "1" for digit in row] for row in rows])


def _wrong_size(rows: list[str], T: int) -> OptionError:
    if len(rows) != T:
        return OptionError(
            "The drawn mask must have {T} rows, one for each token; got {rows}.",
            T=T,
            rows=len(rows),
        )
    row = next(number for number, row in enumerate(rows, 1) if len(row) != T)
    return OptionError(
        "Every row of the drawn mask must have {T} digits, one for each token; "
        "row {row} has {length}.",
        T=T,
        row=row,
        length=len(rows[row - 1]),
    )
