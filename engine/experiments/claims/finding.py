"""What a check of one claim of the source texts finds, and what a claim is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from engine.experiments.claims.results import Results

Verdict = Literal[
    "confirmed",
    "quantified",
    "reconciled",
    "qualified",
    "misprint",
    "slip",
    "as_stated",
    "wrong",
    "open",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
Value = float | int | bool | str | tuple[float, ...] | tuple[int, ...] | tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """What was found of one claim.

    Attributes
    ----------
    claim : int
        Its number, 1 to 25.
    verdict : str
        One of ``VERDICTS``, decided by the thresholds that its check states.
    values : Mapping
        The numbers that decide it, raw, and the thresholds that they are held against.
    case : str
        Which of the claim's sentences hold; empty where it has one only.
    seconds : float
        How long the check took.
    """

    claim: int
    verdict: Verdict
    values: Mapping[str, Value]
    case: str = ""
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Claim:
    """One claim of the source texts.

    Attributes
    ----------
    number : int
        1 to 25.
    subject : str
        The idea it belongs to: ``"lookup"``, ``"worked_example"``, ``"masks"``, ``"scaling"``,
        ``"properties"``, ``"memory"`` or ``"context"``.
    source : str
        Where it is claimed: ``"2.5"`` is section 2.5 of the chapter, ``"2.1.5"`` part five of the
        section 2.1.
    check : callable
        Measures and judges.
    """

    number: int
    subject: str
    source: str
    check: Callable[[Results], Finding]
