"""Large numbers as a person reads them: every digit, in groups of three."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"-?[1-9]\d{3,20}(\.\d+)?", re.ASCII)
_POWER = re.compile(r"-?\d(\.\d+)?e\+\d\d", re.ASCII)  # as Python writes a float: 1e+09
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", re.ASCII)
_LARGEST = 1e21  # from here on a power of ten is easier to read


def in_full(text: str) -> str:
    """Return a text that is a large number in groups of three digits; any other as it stands."""
    if _POWER.fullmatch(text) and abs(float(text)) < _LARGEST:
        return f"{float(text):,.0f}"
    if _DIGITS.fullmatch(text):
        whole, point, rest = text.partition(".")
        return f"{int(whole):,}{point}{rest}"
    return text


def short_power(text: str) -> str:
    """Return a number that Python wrote with its power of ten as people write it: ``1e-9``."""
    return re.sub(r"e([+-]?)0*(\d+)$", lambda found: f"e{found[1].strip('+')}{found[2]}", text)


def without_groups(text: str) -> str:
    """Return a number that is written in groups of three digits without its commas."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text
