"""The converter from specifications to drawings, pictures and pages, with failures in words.

What it cannot draw it reports in several ways, as a panic of its own among them, which Python sees
as no ordinary exception.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import vl_convert

from pages.export.errors import ExportError

# The release line that Streamlit shows on screen and that Altair writes.
_VEGA_LITE = "6.4"
_PANIC = "PanicException"
Made = TypeVar("Made", str, bytes)


def to_svg(specification: str, name: str) -> str:
    """Return the drawing of a specification; ``name`` is the figure's, for a failure."""
    return _made(
        name,
        lambda: vl_convert.vegalite_to_svg(
            specification, vl_version=_VEGA_LITE, allowed_base_urls=[]
        ),
    )


def to_png(drawing: str, name: str, *, scale: float, ppi: float) -> bytes:
    """Return the picture of a drawing."""
    return _made(name, lambda: vl_convert.svg_to_png(drawing, scale=scale, ppi=ppi))


def to_pdf(drawing: str, name: str) -> bytes:
    """Return the page of a drawing."""
    return _made(name, lambda: vl_convert.svg_to_pdf(drawing))


def _made(name: str, make: Callable[[], Made]) -> Made:
    """Return what is made; raise ExportError when it cannot be."""
    try:
        return make()
    except (ValueError, RuntimeError) as error:
        raise _failure(name, error) from error
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise _failure(name, error) from error
        raise


def _failure(name: str, error: BaseException) -> ExportError:
    return ExportError(
        "The figure {name} cannot be drawn: {reason}.", name=name, reason=_first_line(error)
    )


def _first_line(error: BaseException) -> str:
    """Return what happened without the converter's heading and stack trace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    reasons = [line for line in lines if not line.endswith(":")] or lines
    return reasons[0].rstrip(".") if reasons else "the converter gave no reason"
