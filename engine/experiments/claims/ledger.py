"""Every claim, checked: what is found grows claim by claim."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.backends import Backend, get_backend
from engine.errors import EngineError
from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import Claim, Finding, Value, Verdict
from engine.experiments.claims.results import Results

REFUSED = "refused"  # the case of a finding whose check the engine refused
# Checks that train, measure or draw many samples come last, so that the table fills at once.
SLOW = (4, 18, 1, 3, 16, 22, 23, 5, 11)


@dataclass(frozen=True)
class LedgerParams:
    """Nothing is chosen: every claim is checked at the usual values of its page."""


@dataclass(frozen=True)
class LedgerResult:
    """What is found so far.

    Attributes
    ----------
    params : LedgerParams
    findings : tuple of Finding
        In the order of their claims.
    total : int
        Claims in all.
    backend_name, device : str
        What computes, and the proper name of its device; training has its own, which its finding
        names.
    seconds : float
        Spent on checking, without what others did between two results.
    """

    params: LedgerParams
    findings: tuple[Finding, ...]
    total: int
    backend_name: str
    device: str
    seconds: float

    @property
    def share(self) -> float:
        """Share of the claims that are checked."""
        return len(self.findings) / self.total

    @property
    def done(self) -> bool:
        """Whether every claim is checked."""
        return len(self.findings) == self.total

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many findings came to each verdict that there is."""
        return dict(Counter(finding.verdict for finding in self.findings))

    def finding(self, claim: int) -> Finding | None:
        """Return what is found of a claim; None where nothing is yet."""
        return next((each for each in self.findings if each.claim == claim), None)


def check_all(
    params: LedgerParams,
    *,
    backend: Backend | str | None = None,
    results: Results | None = None,
) -> Iterator[LedgerResult]:
    """Check the claims, the quick ones first, and yield what is there after each.

    Parameters
    ----------
    backend : Backend or str, optional
        What computes; None is the best for this machine. Not read where ``results`` has one.
    results : Results, optional
        Where results are found that others computed; None computes all of them.

    Raises
    ------
    OptionError, BackendError
        When there is no such backend, or it is missing. At once; what a check refuses becomes its
        finding.
    """
    name = backend if isinstance(backend, str | None) else backend.name
    chosen = get_backend(results.backend if results else name)
    empty = LedgerResult(params, (), len(CLAIMS), chosen.name, chosen.device_name, 0.0)
    return _grown(empty, results or Results(chosen.name))


def run(
    params: LedgerParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    results: Results | None = None,
) -> LedgerResult:
    """Check all claims; raises as `check_all` does. ``progress`` hears the share that is done."""
    for result in check_all(params, backend=backend, results=results):
        if progress:
            progress(result.share)
    return result


def _grown(result: LedgerResult, results: Results) -> Iterator[LedgerResult]:
    for claim in in_turn():
        finding = checked(claim, results)
        result = replace(
            result,
            findings=tuple(sorted((*result.findings, finding), key=lambda each: each.claim)),
            seconds=result.seconds + finding.seconds,
        )
        yield result


def in_turn() -> tuple[Claim, ...]:
    """Return the claims, the quick ones first."""
    return tuple(sorted(CLAIMS, key=lambda claim: (_lateness(claim.number), claim.number)))


def _lateness(number: int) -> int:
    return SLOW.index(number) + 1 if number in SLOW else 0


def checked(claim: Claim, results: Results) -> Finding:
    """Check one claim; what the engine refuses leaves it open, and says why."""
    started = time.perf_counter()
    try:
        finding = claim.check(results)
    except EngineError as error:
        finding = refused(claim.number, error)
    return replace(finding, seconds=time.perf_counter() - started)


def refused(claim: int, error: EngineError) -> Finding:
    """Return what is found of a claim whose check was refused: nothing, and why."""
    return Finding(claim, "open", _reason(error), REFUSED)


def _reason(error: EngineError) -> Mapping[str, Value]:
    """Return the template of a sentence as ``reason``, and what fills it."""
    values = {
        name: value if isinstance(value, bool | int | float) else str(value)
        for name, value in error.values.items()
    }
    return values | {"reason": error.template}
