"""The inspector of this page: measure the rest, choose a subject, see the thresholds."""

from __future__ import annotations

import streamlit as st

from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator, mark
from pages.text.claims.model import VERDICT_WORDS
from pages.ui import choices
from pages.ui.claims import measuring, state

MEANINGS = {
    "confirmed": mark("what is measured is as claimed"),
    "quantified": mark("true, and now with its numbers"),
    "reconciled": mark("both statements are true"),
    "qualified": mark("true in part, or conditionally"),
    "misprint": mark("a digit is off: rounded early"),
    "slip": mark("one word stands for another"),
    "as_stated": mark("not so, but something near it is"),
    "wrong": mark("what is measured contradicts it"),
    "open": mark("not measured, or unclear"),
}


def draw(t: Translator) -> None:
    """Draw every control of the page, in the sidebar."""
    _measure(measuring.known(), t)
    st.selectbox(
        t("Subject"),
        options=list(state.TOPICS),
        format_func=lambda name: t(state.TOPICS[name]),
        key=choices.widget(state.key("subject"), t),
        on_change=choices.taker(state.key("subject"), t),
    )
    st.toggle(
        t("Show the thresholds"),
        key=choices.widget(state.key("rules"), t),
        on_change=choices.taker(state.key("rules"), t),
        help=t("Under each claim, what its number is held against: this alone decides the verdict"),
    )
    _legend(t)


def _measure(result: LedgerResult, t: Translator) -> None:
    """Draw the buttons that start and stop; both stand all the time."""
    waiting = result.total - len(result.missing) - len(result.findings)
    running = measuring.goes_on()
    st.button(
        _start_words(waiting, t),
        key=f"{measuring.WORK}.start",
        icon=":material/play_arrow:",
        type="primary" if waiting else "secondary",
        shortcut="Mod+Enter",
        width="stretch",
        disabled=running,
        on_click=measuring.begin,
        help=t("Each through the experiment of its page; it takes some seconds"),
    )
    st.button(
        t("Stop"),
        key=f"{measuring.WORK}.stop",
        icon=":material/stop:",
        shortcut="Mod+Backspace",
        width="stretch",
        disabled=not running,
        on_click=measuring.stop,
    )


def _start_words(waiting: int, t: Translator) -> str:
    if not waiting:
        return t("Measure all again")
    return (
        t("Measure the other {count}", count=waiting) if waiting > 1 else t("Measure the last one")
    )


def _legend(t: Translator) -> None:
    """Say what each verdict means."""
    st.markdown(f"**{t('Verdicts')}**")
    with st.container(gap="xxsmall", key="claims.legend"):
        for name, words in VERDICT_WORDS.items():
            badge = f":{words.colour}-badge[{words.icon} {t(words.word)}]"
            st.markdown(f":small[{badge} {t(MEANINGS[name])}]")
    st.caption(
        t(
            "Each verdict is decided by a threshold on the measured number. § 2.5 is a section of "
            "the chapter; § 2.1, part 5 is a part of the section that stands alone."
        )
    )
