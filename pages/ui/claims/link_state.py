"""The page of the claims in the address bar: read from a link, written after every run."""

from __future__ import annotations

from pages.ui import link_fields
from pages.ui.claims import state
from pages.ui.link_fields import Names, Switch, Word

# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "verdict": ("verdict", Word(tuple(state.VERDICTS))),
    "subject": ("subject", Word(tuple(state.TOPICS))),
    "thresholds": ("rules", Switch()),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
