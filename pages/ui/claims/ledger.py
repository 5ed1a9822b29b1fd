"""The ledger on screen: how it stands, the measurement of the rest, a row for each claim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator
from pages.text.claims.standing import counts_said
from pages.ui import choices, later, status
from pages.ui.claims import inspector, measuring, rows, saving, state, strip

STYLE = strip.STYLE + rows.STYLE + inspector.STYLE
BAR_WIDTH = 200


def draw(t: Translator, recount: Callable[[LedgerResult], None]) -> None:
    """Draw what is found, and follow the measurement of the rest while it goes on.

    ``recount`` is called with every later result, for what stands elsewhere.
    """
    result, live = measuring.known(), measuring.goes_on()
    standing = Standing(t)
    standing.show(result)
    bar = _controls(result, t)
    claims = state.chosen(result)
    if not claims:
        _nothing(t)
    show = rows.draw(claims, result, t, live=live)
    saving.slides(result, t)
    status.record(result.seconds)

    def follow(grown: LedgerResult) -> None:
        now = measuring.merged(result, grown)
        standing.show(now)
        show(now)
        recount(now)

    if live:
        _tell(bar, later.latest(measuring.WORK), t)
        later.ask(measuring.WORK, lambda grown: _tell(bar, grown, t), follow)


class Standing:
    """All claims at a glance, and how many there are of each kind of verdict."""

    def __init__(self, t: Translator) -> None:
        self.t = t
        with st.container(gap="xxsmall"):
            self.strip, self.words = strip.place(), st.empty()

    def show(self, result: LedgerResult) -> None:
        """Show a result."""
        strip.fill(self.strip, result, self.t)
        counted = counts_said(result, self.t)
        self.words.caption(self.t("Of {total} claims: {counts}.", total=result.total,
                                  counts=counted))  # fmt: skip


def _controls(result: LedgerResult, t: Translator) -> Any:
    """Draw filter, progress and files; return the place of the progress, None at rest."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        choices.view(state.key("verdict"), state.VERDICTS, t)
        bar = _bar()
        st.space("stretch")
        saving.buttons(result, t)
    return bar


def _bar() -> Any:
    """Return the place of the progress, so narrow that the line stays one line; None at rest."""
    if not measuring.goes_on():
        return None
    with st.container(width=BAR_WIDTH):
        return st.empty()


def _tell(bar: Any, result: LedgerResult | None, t: Translator) -> None:
    if result is None:
        bar.progress(0.0, t("Starting …"))
        return
    done = len(result.findings)
    bar.progress(result.share, t("Claim {done} of {total}", done=done, total=result.total))


def _nothing(t: Translator) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.info(t("No claim of this subject has such a verdict."), icon=":material/filter_alt_off:")
        st.button(t("Show all claims"), on_click=state.show_all, icon=":material/list:")
