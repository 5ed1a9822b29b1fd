"""How the ledger stands: what is found of each claim, of all together, and what measured it."""

from __future__ import annotations

from collections import Counter

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import Claim, Finding, Verdict
from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator, mark
from pages.text.claims.every import WORDS
from pages.text.claims.model import VERDICT_WORDS, Group
from pages.text.claims.values import BACKENDS

NOT_YET = mark("Not measured yet.")
GROUPS: dict[str, str] = {
    "confirmed": mark("Confirmed"),
    "qualified": mark("Qualified"),
    "corrected": mark("Corrected"),
    "open": mark("Not decided"),
}
_COUNTED: dict[str, str] = {
    "confirmed": mark("confirmed"),
    "qualified": mark("qualified"),
    "corrected": mark("corrected"),
    "open": mark("not decided"),
}
SUBJECTS = {
    "scaling": mark("Scaling by √d_k"),
    "worked_example": mark("Worked example"),
    "properties": mark("Properties"),
    "masks": mark("Masks"),
    "memory": mark("Memory and time"),
    "lookup": mark("Soft lookup"),
    "context": mark("Words in context"),
}


def verdict_of(finding: Finding | None) -> Verdict:
    """Return the verdict of a finding; a claim of which nothing is found is open."""
    return "open" if finding is None else finding.verdict


def group_of(finding: Finding | None) -> Group:
    """Return the kind of verdict of a finding."""
    return VERDICT_WORDS[verdict_of(finding)].group


def counts(result: LedgerResult) -> dict[str, int]:
    """Return how many claims there are of each kind of verdict, of all claims."""
    found: Counter[str] = Counter(group_of(result.finding(claim.number)) for claim in CLAIMS)
    return {group: found[group] for group in GROUPS}


def said_of(claim: Claim, finding: Finding | None, t: Translator) -> tuple[str, ...]:
    """Return the sentences on a claim."""
    if finding is not None:
        return WORDS[claim.number].sentences(finding, t)
    return (t(NOT_YET),)


def measured_said(claim: Claim, finding: Finding | None, t: Translator) -> str:
    """Return the measured number of a claim, in short; a dash where there is none."""
    return (finding and WORDS[claim.number].number_of(finding, t)) or "–"


def measurer_said(result: LedgerResult, t: Translator) -> str:
    """Return what measured."""
    return t(
        "Measured with {backend} on {device}.",
        backend=BACKENDS[result.backend_name],
        device=result.device,
    )


def source_said(claim: Claim, t: Translator) -> str:
    """Return where a claim is made: in a section of the chapter, or in a part of section 2.1."""
    if claim.source.count(".") < 2:
        return f"§\N{NO-BREAK SPACE}{claim.source}"
    section, _, part = claim.source.rpartition(".")
    said = t("§ {section}, part {part}", section=section, part=part)
    return said.replace(" ", "\N{NO-BREAK SPACE}")


def counts_said(result: LedgerResult, t: Translator) -> str:
    """Return how many claims there are of each kind of verdict, in a line."""
    found = counts(result)
    return t.listing(
        t("{count} {verdict}", count=found[group], verdict=t(_COUNTED[group]))
        for group in GROUPS
        if found[group]
    )
