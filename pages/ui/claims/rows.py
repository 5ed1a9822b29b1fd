"""The rows of the ledger: number, verdict and measured number, the claim, where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine.experiments.claims.finding import Claim, Finding
from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator
from pages.text.claims.every import WORDS
from pages.text.claims.model import VERDICT_WORDS
from pages.text.claims.standing import measured_said, said_of, source_said, verdict_of
from pages.text.claims.tuples import tied
from pages.ui.claims import links, state
from pages.ui.maths import set_bound

# A rule above each row; digits as wide as each other; the lines of a row close to each other.
STYLE = """
<style>
[class*="st-key-claims-row-"] { border-top: 1px solid rgba(128, 136, 148, 0.28);
  padding: 0.5rem 0; }
[class*="st-key-claims-row-"] p { margin-bottom: 0;
  font-size: 0.9375rem; line-height: 1.45; }
[class*="st-key-claims-row-"] [data-testid="stMarkdownContainer"] { margin-bottom: 0;
  font-variant-numeric: tabular-nums; }
[class*="st-key-claims-row-"] :is(a, button) { margin: 0; padding: 0; min-height: 0;
  line-height: 1.45; }
[class*="st-key-claims-row-"] .stPageLink { padding-top: 0.25rem; }
[class*="st-key-claims-row-"] [data-testid="stElementContainer"]:has(> .stPageLink) {
  margin: 0; }
[class*="st-key-claims-row-"] strong[id] { scroll-margin-top: 4.5rem; }
.st-key-claims-rows { row-gap: 0; }
</style>
"""
NUMBER, FOUND = 28, 260  # widths in pixels; the words take the rest


def anchor(claim: int) -> str:
    """Return the place of a claim's row in the address of the page."""
    return f"claim-{claim}"


@dataclass
class Row:
    """One row of the page.

    Attributes
    ----------
    claim : Claim
    finding : Finding or None
        What it shows.
    found, words : DeltaGenerator or module
        Where verdict and number are written, and where title and sentences.
    """

    claim: Claim
    finding: Finding | None
    found: Any
    words: Any
    t: Translator = field(repr=False)

    def fill(self) -> None:
        """Write what is found."""
        verdict = VERDICT_WORDS[verdict_of(self.finding)]
        badge = f":{verdict.colour}-badge[{verdict.icon} {self.t(verdict.word)}]"
        measured = self.finding and measured_said(self.claim, self.finding, self.t)
        self.found.markdown(f"{badge}  \n{set_bound(tied(measured))}" if measured else badge)
        self.words.markdown("  \n".join(self._lines()), width="stretch")

    def _lines(self) -> list[str]:
        """Return title, sentences, and the threshold where the reader wants to see it."""
        own, t = WORDS[self.claim.number], self.t
        title, source = set_bound(tied(t(own.title))), source_said(self.claim, t)
        said = set_bound(tied(t.sentences(*said_of(self.claim, self.finding, t))))
        rule = set_bound(own.decided_by(t)) if own.rule and state.get("rules") else ""
        # A space ends the bold words: Markdown would read on from ”** to a letter.
        lines = [f"**{title}** :gray[{source}]", said]
        return [*lines, f":gray[:material/gavel: {rule}]"] if rule else lines

    def show(self, finding: Finding | None) -> None:
        """Show another finding, if it is another one."""
        if finding is not self.finding:
            self.finding = finding
            self.fill()


def draw(
    claims: list[Claim], result: LedgerResult, t: Translator, *, live: bool
) -> Callable[[LedgerResult], None]:
    """Draw a row for each claim.

    Parameters
    ----------
    claims : list of Claim
    result : LedgerResult
    t : Translator
    live : bool
        Whether rows may change while the view stands.

    Returns
    -------
    callable
        Shows another result, in the rows that it changes.
    """
    with st.container(key="claims.rows"):
        rows = [_row(claim, result.finding(claim.number), t, live=live) for claim in claims]

    def show(later: LedgerResult) -> None:
        for row in rows:
            row.show(later.finding(row.claim.number))

    return show


def _row(claim: Claim, finding: Finding | None, t: Translator, *, live: bool) -> Row:
    key = f"claims.row.{claim.number}"
    with st.container(horizontal=True, wrap=False, gap="small", key=key):
        # Markdown has no place that a link could lead to, but for headings.
        style = "text-align: right; font-weight: 600"
        st.html(
            f'<div id="{anchor(claim.number)}" style="{style}">{claim.number}</div>', width=NUMBER
        )
        beside = st.container(width=FOUND, gap=None)
        words = st.empty() if live else st
        row = Row(claim, finding, beside.empty() if live else beside, words, t)
        row.fill()
    with beside:
        links.draw(claim.number, t)
    return row
