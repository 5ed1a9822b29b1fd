"""Reads a figure's specification back as marks in pixels, and measures text with a real font."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import ImageFont

# The fonts a figure is likely to meet; where none is installed, the one inside Pillow.
FONT_FILES = (
    Path("/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"),
    Path("/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"),
    Path("/System/Library/Fonts/Supplemental/Arial.ttf"),
)


@lru_cache(maxsize=64)
def fonts(size: float) -> tuple[Any, ...]:
    found = tuple(ImageFont.truetype(path, size) for path in FONT_FILES if path.exists())
    return found or (ImageFont.load_default(size),)


@lru_cache(maxsize=20_000)
def real_width(text: str, size: float) -> float:
    """Return the width of ``text`` in the widest of the fonts; a wide character is one em."""
    wide = sum(ord(character) >= 0x2E80 for character in text)
    narrow = "".join(character for character in text if ord(character) < 0x2E80)
    widest: float = max(font.getlength(narrow) for font in fonts(size))
    return wide * size + widest


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels, and the text in it if any."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""
    size: float = 0.0

    def meets(self, other: Box, slack: float = 1.0) -> bool:
        apart = (
            self.right - slack <= other.left
            or other.right - slack <= self.left
            or self.bottom - slack <= other.top
            or other.bottom - slack <= self.top
        )
        return not apart

    def inside(self, other: Box) -> bool:
        return (
            self.left >= other.left - 0.5
            and self.right <= other.right + 0.5
            and self.top >= other.top - 0.5
            and self.bottom <= other.bottom + 0.5
        )


def _text_box(row, align, angle=0) -> Box:
    width, x, y = real_width(row["text"], row["size"]), row["x"], row["y"]
    before = {"left": 0, "center": width / 2, "right": width}[align]
    # Digits and capitals are about 0.72 em tall.
    half = row["size"] * 0.36
    if angle == 270:  # read from below
        top = y + before - width
        return Box(x - half, top, x + half, top + width, row["text"], row["size"])
    left = x - before
    return Box(left, y - half, left + width, y + half, row["text"], row["size"])


def texts(spec) -> list[Box]:
    """Return every text of a figure."""
    return [
        _text_box(row, layer["mark"]["align"], layer["mark"].get("angle", 0))
        for layer in spec["layer"]
        if layer["mark"]["type"] == "text"
        for row in layer["data"]["values"]
    ]


def cells(spec) -> list[Any]:
    """Return the data of every matrix cell of a board."""
    return [
        row
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
        if "tip" in row
    ]


def box_of(row) -> Box:
    return Box(row["x"], row["y"], row["x2"], row["y2"])


def boxes(spec) -> list[Box]:
    """Return the extent of every text and rectangle of a figure."""
    rects = [
        box_of(row)
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rect"
        for row in layer["data"]["values"]
    ]
    return texts(spec) + rects


def frame(spec) -> Box:
    return Box(0, 0, spec["width"], spec["height"])
