"""All claims at a glance: one tile each, with the icon and the colour of its verdict."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.ledger import LedgerResult
from pages.text.claims.model import VERDICT_WORDS
from pages.text.claims.standing import verdict_of

# The badges of one line of text, as wide as each other over the whole width.
STYLE = f"""
<style>
.st-key-claims-strip p {{ display: grid; gap: 3px;
  grid-template-columns: repeat({len(CLAIMS)}, minmax(0, 1fr)); }}
.st-key-claims-strip .stMarkdown p > .stMarkdownBadge {{ display: flex; flex-direction: column;
  align-items: center; margin: 0; padding: 0.125rem 0; line-height: 1.25; overflow: visible;
  font-variant-numeric: tabular-nums; }}
</style>
"""


def place() -> Any:
    """Return the place of the strip."""
    with st.container(key="claims.strip"):
        return st.empty()


def fill(place: Any, result: LedgerResult) -> None:
    """Show a result in its place."""
    place.markdown(" ".join(_tile(claim.number, result) for claim in CLAIMS))


def _tile(number: int, result: LedgerResult) -> str:
    verdict = VERDICT_WORDS[verdict_of(result.finding(number))]
    return f":{verdict.colour}-badge[{verdict.icon} {number}]"
