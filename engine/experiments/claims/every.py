"""The 25 claims of the two source texts, in order."""

from __future__ import annotations

from engine.experiments.claims import (
    of_context,
    of_lookup,
    of_masks,
    of_memory,
    of_properties,
    of_scaling,
    of_worked_example,
)
from engine.experiments.claims.finding import Claim

CLAIMS: tuple[Claim, ...] = tuple(
    sorted(
        (
            *of_worked_example.CLAIMS,
            *of_properties.CLAIMS,
            *of_masks.CLAIMS,
            *of_scaling.CLAIMS,
            *of_memory.CLAIMS,
            *of_lookup.CLAIMS,
            *of_context.CLAIMS,
        ),
        key=lambda claim: claim.number,
    )
)


def claim_of(number: int) -> Claim:
    """Return the claim of a number; raises StopIteration where there is none."""
    return next(claim for claim in CLAIMS if claim.number == number)
