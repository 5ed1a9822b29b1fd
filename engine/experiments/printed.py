"""Claims 6, 7 and 8: what the texts print beside what comes out, and what decides.

A row is followed through its lines: scores, scaled, exponentials, sum, weights, output. Each
line holds the printed numbers, the computed ones, and what the printed numbers of the line
before lead to.

The rule. A printed number agrees with a value that lies within half a unit of its last digit.
A claim is "confirmed" when every printed number agrees with the computed value; "misprint" when
one does not, but each that does not follows from the printed numbers of the line before (some
numbers that round to those lead to it: an early rounding, not a wrong step); else "wrong".
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from engine.backends import Backend
from engine.experiments.presets import textbook, three_scores
from engine.experiments.worked_example import Params, Result, run

DATA_FILE = Path(__file__).parent.parent / "data" / "printed_numbers.json"
LINES = ("scores", "scaled", "exponentials", "sum", "weights", "output")
CONFIRMED, MISPRINT, WRONG = VERDICTS = ("confirmed", "misprint", "wrong")
_EXAMPLES: dict[str, Callable[[], Params]] = {"textbook": textbook, "three_scores": three_scores}
# Room for the last bits of float64 or float32 in a comparison.
_ROUNDING = {"float64": 1e-12, "float32": 1e-5}


@dataclass(frozen=True)
class PrintedLine:
    """One line of a printed calculation.

    Attributes
    ----------
    name : str
        One of ``LINES``.
    printed : tuple of str
        The digits as printed; empty where the text prints nothing.
    computed : tuple of float
        What comes out, at full precision.
    from_printed : tuple of float
        What the nearest printed line before leads to; empty for the first printed line.
    agrees : tuple of bool
        For each printed number, whether it agrees with ``computed``.
    follows : tuple of bool
        For each printed number, whether it follows from the printed line before.
    claimed : bool
        Whether the verdict of the claim rests on this line.
    verdict : str
        One of ``VERDICTS``; empty where nothing is printed.
    """

    name: str
    printed: tuple[str, ...]
    computed: tuple[float, ...]
    from_printed: tuple[float, ...]
    agrees: tuple[bool, ...]
    follows: tuple[bool, ...]
    claimed: bool
    verdict: str


@dataclass(frozen=True)
class PrintedClaim:
    """A claim with its arithmetic.

    Attributes
    ----------
    claim : int
        Its number in the list of claims.
    example : str
        ``"textbook"`` or ``"three_scores"``: the preset that computes it.
    row : int
        The row of the example, counted from 1.
    source : str
        Where the numbers are printed.
    verdict : str
        The worst verdict among the claimed lines.
    """

    claim: int
    example: str
    row: int
    source: str
    lines: tuple[PrintedLine, ...]
    verdict: str

    def line(self, name: str) -> PrintedLine:
        """Return the line of that name."""
        return next(line for line in self.lines if line.name == name)


def printed_claims(
    printed: Sequence[Mapping[str, Any]] | None = None, *, backend: Backend | str | None = None
) -> tuple[PrintedClaim, ...]:
    """Compute the claims and judge them by the rule of this module.

    Parameters
    ----------
    printed : sequence of mappings, optional
        The printed numbers in the form of ``load_printed``, which is used when None.
    backend : Backend or str, optional
        What computes the examples.
    """
    claims = load_printed() if printed is None else printed
    return tuple(_judge_claim(claim, backend) for claim in claims)


def load_printed() -> list[dict[str, Any]]:
    """Read the printed numbers that ship with the product."""
    claims: list[dict[str, Any]] = json.loads(DATA_FILE.read_text(encoding="utf-8"))["claims"]
    return claims


def _judge_claim(claim: Mapping[str, Any], backend: Backend | str | None) -> PrintedClaim:
    result = run(_EXAMPLES[claim["example"]](), backend=backend)
    computed = _computed_lines(result, claim["row"] - 1)
    lines: list[PrintedLine] = []
    for name in LINES:
        before = {line.name: line.printed for line in lines if line.printed}
        lines.append(_judge_line(claim, name, computed[name], before, result))
    verdicts = [line.verdict for line in lines if line.claimed]
    return PrintedClaim(
        claim=claim["claim"],
        example=claim["example"],
        row=claim["row"],
        source=claim["source"],
        lines=tuple(lines),
        verdict=max(verdicts, key=VERDICTS.index),
    )


def _computed_lines(result: Result, row: int) -> dict[str, tuple[float, ...]]:
    trace = result.trace
    exponentials = tuple(math.exp(score) for score in trace.scaled[row].tolist())
    return {
        "scores": tuple(trace.scores[row].tolist()),
        "scaled": tuple(trace.scaled[row].tolist()),
        "exponentials": exponentials,
        "sum": (math.fsum(exponentials),),
        "weights": tuple(trace.weights[row].tolist()),
        "output": tuple(trace.output[row].tolist()),
    }


def _judge_line(
    claim: Mapping[str, Any],
    name: str,
    computed: tuple[float, ...],
    before: Mapping[str, tuple[str, ...]],
    result: Result,
) -> PrintedLine:
    printed = tuple(claim["printed"].get(name, ()))
    room = _ROUNDING[result.precision]
    lead = _lead(name, before, result)
    agrees = tuple(_agrees(p, c, c, room) for p, c in zip(printed, computed, strict=bool(printed)))
    follows = tuple(
        _agrees(text, low, high, room) for text, (low, _, high) in zip(printed, lead, strict=False)
    )
    return PrintedLine(
        name=name,
        printed=printed,
        computed=computed,
        from_printed=tuple(middle for _, middle, _ in lead),
        agrees=agrees,
        follows=follows,
        claimed=name in claim["claimed"],
        verdict=_verdict(agrees, follows),
    )


def _verdict(agrees: tuple[bool, ...], follows: tuple[bool, ...]) -> str:
    if not agrees:
        return ""
    if all(agrees):
        return CONFIRMED
    explained = follows or (False,) * len(agrees)
    return MISPRINT if all(a or f for a, f in zip(agrees, explained, strict=True)) else WRONG


def _agrees(printed: str, low: float, high: float, room: float) -> bool:
    """Say whether a printed number lies within half a unit of some value from low to high."""
    half = _half_unit(printed) + Fraction(room)
    return Fraction(low) - half <= Fraction(printed) <= Fraction(high) + half


def agrees_with(printed: str, value: float) -> bool:
    """Return whether a printed number lies within half a unit of its last digit of a value."""
    return _agrees(printed, value, value, _ROUNDING["float64"])


def _half_unit(printed: str) -> Fraction:
    decimals = len(printed.partition(".")[2])
    return Fraction(1, 2 * 10**decimals)


Range = tuple[float, float, float]  # the least, the value as printed, the greatest


def _lead(name: str, before: Mapping[str, tuple[str, ...]], result: Result) -> list[Range]:
    """Return what the printed numbers before lead to in line ``name``, with its range."""
    if name == "scaled" and "scores" in before:
        root = math.sqrt(result.sizes.d_k)
        return _map(before["scores"], lambda score: score / root)
    if name == "exponentials" and "scaled" in before:
        return _map(before["scaled"], math.exp)
    if name == "sum" and "exponentials" in before:
        ranges = [_range(text) for text in before["exponentials"]]
        return [_sum(ranges)]
    if name == "weights" and "exponentials" in before:
        return _quotients([_range(text) for text in before["exponentials"]], before.get("sum"))
    if name == "weights" and "scaled" in before:
        return _quotients(_map(before["scaled"], math.exp), None)
    if name == "output" and "weights" in before:
        ranges = [_range(text) for text in before["weights"]]
        return [_weighted(ranges, column) for column in result.trace.v.T.tolist()]
    return []


def _range(printed: str) -> Range:
    value, half = Fraction(printed), _half_unit(printed)
    return float(value - half), float(value), float(value + half)


def _map(printed: tuple[str, ...], rising: Callable[[float], float]) -> list[Range]:
    return [(rising(low), rising(value), rising(high)) for low, value, high in map(_range, printed)]


def _sum(ranges: Sequence[Range]) -> Range:
    low, value, high = (math.fsum(ends) for ends in zip(*ranges, strict=True))
    return low, value, high


def _quotients(parts: Sequence[Range], printed_sum: tuple[str, ...] | None) -> list[Range]:
    """Return each part over the sum of all; a printed sum is divided by where there is one.

    The extremes are exact: a quotient rises with its own part and falls with every other.
    """
    value_sum = math.fsum(value for _, value, _ in parts)
    divisor = float(printed_sum[0]) if printed_sum else value_sum
    quotients = []
    for own, (low, value, high) in enumerate(parts):
        others = [part for place, part in enumerate(parts) if place != own]
        least = low / math.fsum([low, *(other[2] for other in others)])
        greatest = high / math.fsum([high, *(other[0] for other in others)])
        quotients.append((least, value / divisor, greatest))
    return quotients


def _weighted(weights: Sequence[Range], column: Sequence[float]) -> Range:
    """Return the weighted sum of one column of V; each extreme takes the helpful end."""
    corners = [
        sorted((low * value, high * value))
        for (low, _, high), value in zip(weights, column, strict=True)
    ]
    middle = math.fsum(w * value for (_, w, _), value in zip(weights, column, strict=True))
    return math.fsum(low for low, _ in corners), middle, math.fsum(high for _, high in corners)
