"""Colours as python-pptx takes them."""

from __future__ import annotations

from pptx.dml.color import RGBColor


def rgb(colour: str) -> RGBColor:
    """Return ``#rrggbb`` as a colour of Office."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return RGBColor(red, green, blue)  # type: ignore[no-untyped-call]
