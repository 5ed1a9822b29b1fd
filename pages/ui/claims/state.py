"""What the reader chose on the page of the claims."""

from __future__ import annotations

from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import Claim
from engine.experiments.claims.ledger import LedgerResult
from pages.text import mark
from pages.text.claims.standing import GROUPS, SUBJECTS, group_of
from pages.ui.choice_store import ChoiceStore

PAGE = "claims-checked"
EVERY = "all"
VERDICTS: dict[str, str] = {EVERY: mark("All verdicts"), **GROUPS}
TOPICS: dict[str, str] = {EVERY: mark("All subjects"), **SUBJECTS}
STORE = ChoiceStore("claims", {"verdict": EVERY, "subject": EVERY, "rules": False})
key, get, word, put = STORE.key, STORE.get, STORE.word, STORE.put


def chosen(result: LedgerResult) -> list[Claim]:
    """Return the claims that the reader wants to see, as what is found of them stands now."""
    verdict, subject = word("verdict"), word("subject")
    return [
        claim
        for claim in CLAIMS
        if verdict in (EVERY, group_of(result.finding(claim.number)))
        and subject in (EVERY, claim.subject)
    ]


def show_all() -> None:
    """Show every claim again; a callback."""
    STORE.put_usual("verdict", "subject")
