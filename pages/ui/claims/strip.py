"""All claims at a glance: one tile each, with the icon and the colour of its verdict."""

from __future__ import annotations

from typing import Any

import streamlit as st

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator
from pages.text.claims.every import WORDS
from pages.text.claims.model import VERDICT_WORDS
from pages.text.claims.standing import verdict_of
from pages.ui.claims import state
from pages.ui.claims.rows import anchor

# The badges of one line of text, as wide as each other over the whole width.
STYLE = f"""
<style>
.st-key-claims-strip p {{ display: grid; gap: 3px;
  grid-template-columns: repeat({len(CLAIMS)}, minmax(0, 1fr)); }}
.st-key-claims-strip .stMarkdown p > a {{ text-decoration: none; }}
.st-key-claims-strip .stMarkdown p .stMarkdownBadge {{ display: flex; flex-direction: column;
  align-items: center; margin: 0; padding: 0.125rem 0; line-height: 1.25; overflow: visible;
  font-variant-numeric: tabular-nums; }}
</style>
"""


def place() -> Any:
    """Return the place of the strip."""
    with st.container(key="claims.strip"):
        return st.empty()


def fill(place: Any, result: LedgerResult, t: Translator) -> None:
    """Show a result in its place."""
    place.markdown(" ".join(tiles(result, t)))


def tiles(result: LedgerResult, t: Translator) -> list[str]:
    """Return a tile for each claim: it says which one under the pointer, and leads to its row.

    A claim that the reader has filtered out has no row, and no link.
    """
    shown = {claim.number for claim in state.chosen(result)}
    return [_tile(claim.number, result, t, linked=claim.number in shown) for claim in CLAIMS]


def _tile(number: int, result: LedgerResult, t: Translator, *, linked: bool) -> str:
    verdict = VERDICT_WORDS[verdict_of(result.finding(number))]
    badge = f":{verdict.colour}-badge[{verdict.icon} {number}]"
    title = f"{t(WORDS[number].short)}: {t(verdict.word)}".replace('"', "”")
    return f'[{badge}](#{anchor(number)} "{title}")' if linked else badge
