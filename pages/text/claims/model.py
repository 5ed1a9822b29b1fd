"""The words of a claim, and of the verdicts that a check may come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from engine.experiments.claims.finding import Finding, Verdict
from pages.text import Translator, mark

Group = Literal["confirmed", "qualified", "corrected", "open"]
Fill = Callable[[Finding, Translator], dict[str, object]]
REFUSED = "refused"  # the case of a check that the engine refused


@dataclass(frozen=True)
class VerdictWords:
    """How a verdict is written and drawn.

    Attributes
    ----------
    word : str
        A marked text.
    colour : str
        Of its badge: one for all verdicts of a group.
    icon : str
        Of its badge; no two verdicts have the same.
    group : str
        The kind of verdict that a reader filters by.
    """

    word: str
    colour: Literal["green", "orange", "red", "gray"]
    icon: str
    group: Group


VERDICT_WORDS: dict[Verdict, VerdictWords] = {
    "confirmed": VerdictWords(mark("Confirmed"), "green", ":material/check:", "confirmed"),
    "quantified": VerdictWords(mark("Quantified"), "green", ":material/straighten:", "confirmed"),
    "reconciled": VerdictWords(mark("Reconciled"), "green", ":material/join:", "confirmed"),
    "qualified": VerdictWords(mark("Qualified"), "orange", ":material/balance:", "qualified"),
    "misprint": VerdictWords(mark("Misprint"), "red", ":material/spellcheck:", "corrected"),
    "slip": VerdictWords(mark("Slip"), "red", ":material/edit:", "corrected"),
    "as_stated": VerdictWords(mark("Wrong as stated"), "red", ":material/rule:", "corrected"),
    "wrong": VerdictWords(mark("Wrong"), "red", ":material/close:", "corrected"),
    "open": VerdictWords(mark("Not decided"), "gray", ":material/hourglass_empty:", "open"),
}


def nothing(_finding: Finding, _t: Translator) -> dict[str, object]:
    """Return no values, for sentences without a number."""
    return {}


@dataclass(frozen=True)
class ClaimWords:
    """The words of one claim.

    Attributes
    ----------
    number : int
        1 to 25.
    title : str
        A marked text: what is claimed, in our own words, in quotation marks.
    short : str
        A marked text: the claim in as few words as a row of a table needs, without quotation marks.
    decides : Mapping
        Marked sentences by case of a finding; ``""`` where a claim has one case only. The case
        ``REFUSED`` needs none: its sentence is the engine's.
    fill : callable
        Returns what fills the placeholders of the sentences: numbers, formatted. It is called
        with a finding of one of the cases of ``decides``.
    rule : str
        A marked sentence: the threshold that decides the verdict.
    limits : Mapping
        What fills the placeholders of the rule: constants of the check, formatted.
    measured : callable
        Returns the one or two numbers that the column "measured" shows, each with the name of its
        quantity, short; called as ``fill`` is.
    """

    number: int
    title: str
    short: str
    decides: Mapping[str, tuple[str, ...]]
    fill: Fill = nothing
    rule: str = ""
    limits: Mapping[str, object] = field(default_factory=dict)
    measured: Callable[[Finding, Translator], str] = lambda _finding, _t: ""

    def sentences(self, finding: Finding, t: Translator) -> tuple[str, ...]:
        """Return the sentences that hold of a finding, with its numbers."""
        if finding.case == REFUSED:
            return (refusal(finding, t),)
        values = self.fill(finding, t)
        return tuple(t(sentence, **values) for sentence in self.decides[finding.case])

    def decided_by(self, t: Translator) -> str:
        """Return the rule that decides the verdict, with its thresholds."""
        return t(self.rule, **self.limits)

    def number_of(self, finding: Finding, t: Translator) -> str:
        """Return the measured number of a finding; empty where the engine refused the check."""
        return "" if finding.case == REFUSED else self.measured(finding, t)


def refusal(finding: Finding, t: Translator) -> str:
    """Return the sentence with which the engine refused a check.

    Such a finding's values are the template of the sentence, ``reason``, and what fills it.
    """
    values = {name: _plain(value) for name, value in finding.values.items()}
    return t(values.pop("reason"), **values)


def _plain(value: object) -> str:
    """Return a value as a sentence of the engine has it, whole numbers in groups."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else str(value)
