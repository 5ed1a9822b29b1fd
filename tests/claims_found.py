"""A whole ledger without measuring: what is quick is checked, the rest is given."""

from __future__ import annotations

from dataclasses import replace

from engine.experiments.claims.finding import Finding
from engine.experiments.claims.ledger import LedgerParams, LedgerResult
from pages.gallery.claims import AT_ONCE

# Numbers as they were measured once: of the size that the checks find.
SLOW = (
    Finding(
        1,
        "confirmed",
        {
            "exponent": 0.4988083105658478,
            "error": 0.00306324303477203,
            "farthest": 2.9279249228070157,
            "d_ks": (16, 64, 256, 1024),
            "deviations": (3.98998517, 7.98730210, 15.7439537, 31.6494441),
        },
        seconds=0.09,
    ),
    Finding(
        3,
        "quantified",
        {
            "d_ks": (16, 64, 256, 1024),
            "keys": 16,
            "largest": (0.68140599, 0.85380654, 0.92036917, 0.96165634),
            "effective": (2.85246881, 1.62428936, 1.27930644, 1.12744445),
            "saturated": (0.046, 0.332, 0.554, 0.762),
            "scaled": (0.24135545, 0.24716700, 0.24468836, 0.24386829),
            "scaled_effective": (10.9271625, 10.7706162, 10.7727281, 10.7121153),
        },
        seconds=0.08,
    ),
    Finding(
        4,
        "confirmed",
        {
            "d_ks": (16, 64, 256),
            "norms": (0.27612, 0.18334, 0.10411),
            "scaled_norms": (0.30111, 0.30144, 0.30211),
        },
        seconds=0.1,
    ),
    Finding(
        5,
        "qualified",
        {
            "d_k": 256,
            "steps": 300,
            "seeds": 3,
            "guess": 2.772588722239781,
            "ratio": 9.149541888120213,
            "ratio_error": 1.340097008282419,
            "reach_d_k": 256,
            "trainer": "numpy",
            "backend": "numpy",
            "scaled_loss": (0.02827587, 0.02802315, 0.02831470),
            "scaled_accuracy": (1.0, 1.0, 1.0),
            "unscaled_loss": (5.01809530, 5.33378648, 5.37184300),
            "unscaled_accuracy": (0.12708333, 0.07083333, 0.06354166),
        },
        "stalls yet",
        1.0,
    ),
    Finding(
        11,
        "confirmed",
        {
            "Ts": (1000, 10000),
            "scores": (1_000_000, 100_000_000),
            "time": 2.05,
            "time_error": 0.08,
            "time_points": 4,
            "time_shortest": 128,
            "peak": 1.986618953216132,
            "peak_error": 0.004364572306874601,
            "peak_points": 4,
            "peak_shortest": 128,
        },
        "time:square peak:square",
        1.2,
    ),
    Finding(
        16,
        "wrong",
        {
            "T": 16,
            "d_k": 64,
            "d_model": 64,
            "draws": 200,
            "even": 0.0625,
            "free": 0.06319347572604711,
            "free_error": 0.0012275904244461694,
            "tied": 0.9652721834150373,
            "tied_error": 0.0009417827018866369,
            "excess": 0.011095611616753764,
            "excess_error": 0.01964144679113871,
            "pay": 0.25,
            "sure": 3.0,
        },
        "tied_only",
        0.1,
    ),
    Finding(
        18,
        "confirmed",
        {
            "seeds": 4,
            "T": 32,
            "d_model": 64,
            "early": 2,
            "compared": 4,
            "layers": (12, 48),
            "without_from": (2, 3),
            "residual_from": (11, 22),
            "without": 0.9993677968335983,
            "without_low": 0.9983094193603377,
            "without_high": 0.9998797539501977,
            "residual": 0.31143624859003105,
            "residual_low": 0.23821584008956792,
            "residual_high": 0.4326746105902436,
            "residual_end": 0.9699350306137777,
        },
        "delayed",
        0.2,
    ),
    Finding(
        22,
        "confirmed",
        {
            "T": 1024,
            "heads": 8,
            "kernel": "blocked",
            "share": 2.091690427566835e-06,
            "materialised": 100_797_496,
            "blocked": 3_599_444,
        },
        "same",
        0.8,
    ),
    Finding(
        23,
        "qualified",
        {
            "Ts": (64, 128, 256, 512),
            "d_ks": (8, 16, 32, 64, 128),
            "points": 8,
            "T": 256,
            "d_k": 64,
            "ratio": 31.8,
            "low": 28.4,
            "high": 32.3,
            "least_ratio": 28.202700258169273,
            "most_ratio": 48.57592255235385,
            "lowest": 23.801341846776065,
            "highest": 57.1324685178236,
            "first_T": 64,
            "first_d_k": 64,
            "first_ratio": 28.2,
            "last_T": 512,
            "last_d_k": 64,
            "last_ratio": 31.4,
            "equal": 1.0,
            "busy": 0.0,
            "device": "a processor",
            "cores": 4,
            "start_d_ks": (4, 16, 64, 256),
            "start_keys": 16,
            "start_even": 0.0625,
            "start_dot": (0.42977624, 0.68232385, 0.84142864, 0.92266330),
            "start_dot_error": (0.0125, 0.0083, 0.0099, 0.0067),
            "start_scaled": (0.23540885, 0.23857888, 0.24430276, 0.24376598),
            "start_scaled_error": (0.0064, 0.0036, 0.0048, 0.0039),
            "start_additive": (0.12321140, 0.13046822, 0.13924345, 0.14755713),
            "start_additive_error": (0.0056, 0.0038, 0.0027, 0.0027),
        },
        "slower",
        0.6,
    ),
)
ALONE = {finding.claim: finding for finding in SLOW}


def at_once(backend: str = "numpy") -> LedgerResult:
    """Return what a first visit shows."""
    return AT_ONCE(LedgerParams(), backend)


def nothing_yet(backend: str = "numpy") -> LedgerResult:
    """Return a ledger of which nothing is found."""
    return replace(at_once(backend), findings=(), seconds=0.0)


def with_findings(*findings: Finding, backend: str = "numpy") -> LedgerResult:
    """Return a ledger with some findings, in the place of those that are checked at once."""
    found = {each.claim: each for each in (*at_once(backend).findings, *findings)}
    return replace(
        at_once(backend),
        findings=tuple(found[claim] for claim in sorted(found)),
        seconds=sum(each.seconds for each in found.values()),
    )


def whole(backend: str = "numpy") -> LedgerResult:
    """Return a whole ledger."""
    return with_findings(*SLOW, backend=backend)
