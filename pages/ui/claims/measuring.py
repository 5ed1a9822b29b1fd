"""What is found so far, and the measurement of the rest: begun, followed, stopped.

The first view has what takes no time, and what this process has measured before. The rest takes
some seconds of the whole machine, so the reader begins it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.experiments.claims.ledger import REFUSED, LedgerParams, LedgerResult, check_all
from engine.experiments.claims.results import Results
from pages.gallery.claim_results import results_of
from pages.gallery.claims import AT_ONCE, KEPT, afresh
from pages.ui import later, settings
from pages.ui.claims import state

WORK = f"{state.PAGE}.ledger"


def known() -> LedgerResult:
    """Return what is found on the chosen backend, in this session and in others before it."""
    backend = settings.backend().name
    before = KEPT.peek(LedgerParams(), backend) or AT_ONCE(LedgerParams(), backend)
    own: LedgerResult | None = later.found(WORK)
    return merged(before, own) if own and own.backend_name == backend else before


def merged(before: LedgerResult, after: LedgerResult) -> LedgerResult:
    """Return the findings of both; of a claim in both the later one, unless it was refused."""
    found = {finding.claim: finding for finding in before.findings}
    for finding in after.findings:
        if finding.case != REFUSED or finding.claim not in found:
            found[finding.claim] = finding
    findings = tuple(found[claim] for claim in sorted(found))
    seconds = sum(finding.seconds for finding in findings)
    return replace(after, findings=findings, seconds=seconds)


def begin() -> None:
    """Begin to measure what is not found yet, or everything again; a callback."""
    backend = settings.backend().name
    again = known().done
    results = afresh(backend) if again else results_of(backend)
    later.begin(WORK, _measured(results), order=backend)


def goes_on() -> bool:
    """Say whether the chosen backend measures now."""
    return later.goes_on(WORK) and later.order(WORK) == settings.backend().name


def stop() -> None:
    """End the measurement, once the claim in hand is checked; a callback."""
    later.stop(WORK)


def _measured(results: Results) -> Iterator[LedgerResult]:
    """Return the findings one after the other; whole ones are kept for other sessions."""
    for result in check_all(LedgerParams(), results=results):
        if result.done and all(finding.case != REFUSED for finding in result.findings):
            KEPT.put(result.params, result.backend_name, result)
        yield result
