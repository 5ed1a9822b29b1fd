"""The ledger as files: Markdown, CSV, and slides."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from engine.experiments.claims.ledger import LedgerResult
from pages.gallery.claims import NAMES
from pages.text import Translator
from pages.text.claims import report
from pages.ui import result_figures
from pages.ui.claims import state

FILES = {"md": ("claims-checked.md", "text/markdown"), "csv": ("claims-checked.csv", "text/csv")}


def buttons(result: LedgerResult, t: Translator) -> None:
    """Draw the buttons that save the whole ledger, with whatever is found so far."""
    when, base = datetime.now(UTC), _base()
    made = {
        "md": lambda: report.to_markdown(result, t, base, when=when).encode(),
        "csv": lambda: report.to_csv(result, t, base, when=when),
    }
    titles = {"md": "Markdown", "csv": "CSV"}
    helps = {
        "md": t("Every claim with its verdict, its sentences, its threshold and a link"),
        "csv": t("The same as a table, with every number at full precision"),
    }
    for kind, (name, media) in FILES.items():
        st.download_button(
            titles[kind],
            data=made[kind],
            file_name=name,
            mime=media,
            key=state.key(f"save.{kind}"),
            help=helps[kind],
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )


def slides(result: LedgerResult, t: Translator) -> None:
    """Draw the ledger as figures, each with its export bar, once they are unfolded."""
    with st.expander(t("As slides"), key=state.key("slides"), on_change="rerun") as expander:
        if expander.open:
            for name in NAMES.values():
                result_figures.show(name, result)


def _base() -> str:
    """Return the address that the pages stand under."""
    return (st.context.url or "").rpartition("/")[0]
