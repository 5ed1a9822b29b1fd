"""Claims 6, 7 and 8: the numbers that the texts print."""

from __future__ import annotations

from engine.experiments.claims.finding import Claim

CLAIMS: tuple[Claim, ...] = (
    Claim(6, "worked_example", "2.8"),
    Claim(7, "worked_example", "2.8"),
    Claim(8, "worked_example", "2.1.5"),
)
