"""Claims 1 to 5: from the variance of dot products to training."""

from __future__ import annotations

from engine.experiments.claims.finding import Claim

CLAIMS: tuple[Claim, ...] = tuple(Claim(number, "scaling", "2.5") for number in range(1, 6))
