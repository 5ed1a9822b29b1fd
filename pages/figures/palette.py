"""The colours and fonts of the product: the one place where they are chosen.

Every role of attention owns one hue, in a light and a dark variant. The hues keep a CIELAB distance
of at least 14 from each other for normal, deuteranopic, protanopic and tritanopic eyes (a test
measures it), and each reads as text (4.5 : 1 or better) on the background of its theme.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

# Without a generic family at its end, no text is exported where none of the fonts is installed.
FONT_FAMILIES = (
    "Helvetica Neue",
    "Segoe UI",
    "Arial",
    "Liberation Sans",
    "Noto Sans",
    "PingFang SC",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "sans-serif",
)
FONT = ", ".join(FONT_FAMILIES)
# Text with Chinese in it names the Chinese families first: an exporter takes the first family it
# has for a whole line, and picks any font at all, a serif one too, for the characters it lacks.
_CHINESE = ("PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei")
CHINESE_FONT = ", ".join(dict.fromkeys(_CHINESE + FONT_FAMILIES))

ROLES = ("query", "key", "value", "scores", "weights", "output", "input")


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, as ``#RRGGBB`` strings.

    Parameters
    ----------
    name : str
        ``"light"`` or ``"dark"``.
    background, surface, text, muted, line : str
        Page, raised panel, body text, secondary text, hairlines and arrows.
    masked, hatch : str
        Fill and diagonal lines of a hidden cell: neutral greys, which no ramp below ever takes.
    negative : str
        The end of the score ramp on the negative side (its positive end is the role ``scores``).
    alert : str
        Outline of what is wrong; always with a word beside it.
    ink, paper : str
        Dark and light text for cells; `readable_on` picks one.
    roles : Mapping
        Role name to colour.
    """

    name: str
    background: str
    surface: str
    text: str
    muted: str
    line: str
    masked: str
    hatch: str
    negative: str
    alert: str
    ink: str
    paper: str
    roles: Mapping[str, str] = field(hash=False)


LIGHT = Theme(
    name="light",
    background="#FFFFFF",
    surface="#F5F7FA",
    text="#1A2230",
    muted="#586374",
    line="#C9D0DA",
    masked="#E1E3E7",
    hatch="#BCC2CA",
    negative="#4F7A1C",
    alert="#C02020",
    ink="#1A2230",
    paper="#FFFFFF",
    roles={
        "query": "#3061C0",
        "key": "#943300",
        "value": "#117251",
        "scores": "#C62B81",
        "weights": "#4636B7",
        "output": "#9C6C00",
        "input": "#4A5568",
    },
)

DARK = Theme(
    name="dark",
    background="#14181F",
    surface="#1D232D",
    text="#E8ECF2",
    muted="#A3ADBB",
    line="#3D4755",
    masked="#2C3036",
    hatch="#565D67",
    negative="#9CCB5A",
    alert="#FF7B72",
    ink="#0E1218",
    paper="#F4F6FA",
    roles={
        "query": "#95B1FF",
        "key": "#FB9756",
        "value": "#5BD6A5",
        "scores": "#FB6CAF",
        "weights": "#938AF8",
        "output": "#EBCC4C",
        "input": "#B6C0CE",
    },
)

THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}


def theme(name: str) -> Theme:
    """Return a theme by its name.

    Raises
    ------
    KeyError
        When there is no theme of that name.
    """
    if name not in THEMES:
        raise KeyError(f"theme must be one of {', '.join(THEMES)}, got {name!r}")
    return THEMES[name]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@lru_cache(maxsize=4096)
def mix(start: str, end: str, share: float) -> str:
    """Return the colour ``share`` (0 to 1) of the way from ``start`` to ``end``, in sRGB."""
    pairs = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


@lru_cache(maxsize=4096)
def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (_linear(channel) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=4096)
def readable_on(fill: str, theme_name: str) -> str:
    """Return the text colour for a cell filled with ``fill``: at least 4.5 : 1 on any fill."""
    colours = theme(theme_name)
    best = max((colours.ink, colours.paper), key=lambda text: contrast(text, fill))
    if contrast(best, fill) >= 4.5:
        return best
    return max(("#000000", "#FFFFFF"), key=lambda text: contrast(text, fill))


def _share(part: float) -> float:
    # Few distinct steps keep the cached mixing small; 1/256 is finer than a screen can show.
    return round(min(max(part, 0.0), 1.0) * 256) / 256


def role_fill(role: str, strength: float, theme_name: str) -> str:
    """Return a tint of a role; ``strength`` (0 to 1) is a number's size beside the largest."""
    colours = theme(theme_name)
    return mix(colours.background, colours.roles[role], _share(0.08 + 0.32 * abs(strength)))


def weight_fill(weight: float, theme_name: str) -> str:
    """Return the colour of a weight: one hue, from a hint of it at 0 to all of it at 1."""
    colours = theme(theme_name)
    return mix(colours.background, colours.roles["weights"], _share(0.05 + 0.95 * weight))


def score_fill(score: float, limit: float, theme_name: str) -> str:
    """Return the colour of a score on the diverging ramp from ``-limit`` over 0 to ``limit``."""
    colours = theme(theme_name)
    part = score / limit if limit > 0 else 0.0
    end = colours.roles["scores"] if part >= 0 else colours.negative
    return mix(colours.background, end, _share(0.04 + 0.81 * abs(part)))


def output_fill(share: float, theme_name: str) -> str:
    """Return the colour of a change of an output: one hue, from a hint of it to all of it at 1."""
    colours = theme(theme_name)
    return mix(colours.background, colours.roles["output"], _share(0.05 + 0.95 * share))


def visible_fill(theme_name: str) -> str:
    """Return the fill of a cell that a mask leaves visible, where only the mask is drawn."""
    colours = theme(theme_name)
    return mix(colours.background, colours.roles["query"], 0.4)
