"""The inspector of this page: measure the rest, choose a subject, see the thresholds."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine.experiments.claims.ledger import LedgerResult
from pages.text import Translator, mark
from pages.text.claims.model import VERDICT_WORDS
from pages.text.claims.standing import GROUPS, counts
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


# A column of badges and one of their meanings, below the word of each group: a meaning that is too
# long goes on below itself, not below its badge.
STYLE = """
<style>
.st-key-claims-legend p { display: grid; grid-template-columns: max-content minmax(0, 1fr);
  gap: 0.25rem 0.5rem; font-size: 0.875rem; line-height: 1.4; }
.st-key-claims-legend p > br { display: none; }
.st-key-claims-legend p > strong { grid-column: 1 / -1; font-variant-numeric: tabular-nums; }
.st-key-claims-legend p > strong:not(:first-child) { margin-top: 0.5rem; }
.st-key-claims-legend p > .stMarkdownBadge { justify-self: start; align-self: start; margin: 0; }
</style>
"""


def draw(t: Translator) -> Callable[[LedgerResult], None]:
    """Draw every control of the page, in the sidebar.

    Returns
    -------
    callable
        Counts the claims of each kind of verdict again, as another result has them.
    """
    result = measuring.known()
    _measure(result, t)
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
    recount = _legend(t)
    recount(result)
    return recount


def _measure(result: LedgerResult, t: Translator) -> None:
    """Draw the buttons that start and stop; both stand all the time."""
    waiting = result.total - len(result.findings)
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


def _legend(t: Translator) -> Callable[[LedgerResult], None]:
    """Say what each verdict means, under the word that a reader filters by and its count."""
    st.markdown(f"**{t('Verdicts')}**")
    with st.container(key="claims.legend"):
        place = st.empty()
    said = t(
        "Each verdict is decided by a threshold on the measured number. § 2.5 is a section of "
        "the chapter; § 2.1, part 5 is a part of the section that stands alone."
    )
    st.caption(said.replace("§ ", "§\N{NO-BREAK SPACE}"))

    def recount(result: LedgerResult) -> None:
        place.markdown("  \n".join(legend(result, t)))

    return recount


def legend(result: LedgerResult, t: Translator) -> list[str]:
    """Return the lines of the legend: of each group its word and count, then its verdicts."""
    lines = []
    for group, count in counts(result).items():
        lines.append(f"**{t(GROUPS[group])} · {count}**")
        for name, words in VERDICT_WORDS.items():
            if words.group == group:
                badge = f":{words.colour}-badge[{words.icon} {t(words.word)}]"
                lines.append(f"{badge} {t(MEANINGS[name])}")
    return lines
