"""Claims 11 and 22: what T tokens cost, and what computing in chunks saves."""

from __future__ import annotations

from engine.experiments.claims.finding import Claim

CLAIMS: tuple[Claim, ...] = (Claim(11, "memory", "2.1.4"), Claim(22, "memory", "2.1.4"))
