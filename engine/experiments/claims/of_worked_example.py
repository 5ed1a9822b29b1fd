"""Claims 6, 7 and 8: the numbers that the texts print, by the rule of `printed`."""

from __future__ import annotations

from functools import partial

from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results
from engine.experiments.printed import PrintedClaim, PrintedLine, printed_claims

VERDICTS: dict[str, Verdict] = {
    "confirmed": "confirmed",
    "misprint": "misprint",
    "wrong": "wrong",
}
# Claim 6 has a sentence of its own where exactly these printed numbers are off.
SECOND = "second"  # the second weight and the second output


def of_printed(number: int, results: Results) -> Finding:
    """Check the printed numbers of one claim; all three are computed together."""
    claims = results.of(None, printed_claims)
    return printed_found(next(claim for claim in claims if claim.claim == number))


def printed_found(claim: PrintedClaim) -> Finding:
    """Return what is found of a printed calculation: the lines that the claim rests on."""
    values: dict[str, Value] = {}
    for line in claim.lines:
        if line.printed:
            values |= _values(line)
    return Finding(claim.claim, VERDICTS[claim.verdict], values, _case(claim))


def _values(line: PrintedLine) -> dict[str, Value]:
    """Return what is printed, what comes out, what the line before leads to, and what is off."""
    return {
        f"{line.name}_printed": line.printed,
        f"{line.name}": line.computed,
        f"{line.name}_from_printed": line.from_printed,
        f"{line.name}_agreeing": sum(line.agrees),
    }


def _case(claim: PrintedClaim) -> str:
    off = {
        (line.name, place)
        for line in claim.lines
        if line.claimed
        for place, agrees in enumerate(line.agrees)
        if not agrees
    }
    both = claim.verdict == "misprint" and off == {("weights", 1), ("output", 1)}
    return SECOND if both else ""


CLAIMS: tuple[Claim, ...] = (
    Claim(6, "worked_example", "2.8", partial(of_printed, 6)),
    Claim(7, "worked_example", "2.8", partial(of_printed, 7)),
    Claim(8, "worked_example", "2.1.5", partial(of_printed, 8)),
)
