"""Claims 12 to 15: masks, and who sees whom."""

from __future__ import annotations

from engine.experiments.claims.finding import Claim

CLAIMS: tuple[Claim, ...] = (
    Claim(12, "masks", "2.10"),
    Claim(13, "masks", "2.1.4"),
    Claim(14, "masks", "2.1.1"),
    Claim(15, "masks", "2.10"),
)
