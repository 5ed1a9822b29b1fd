"""What a mask is made of: one pattern, padding and a drawing; a query sees what all of them allow.

Shape legend: T query positions, which are the key positions too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    raise NotImplementedError


def drawn_text(visible: Array) -> str:
    """Return a mask as the text of a drawing."""
    raise NotImplementedError
