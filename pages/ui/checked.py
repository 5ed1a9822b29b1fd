"""The claims that a page checks: verdict, the numbers that decide it, the way to its tab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from pages.text import Translator, mark
from pages.ui import settings

BADGE_WIDTH = 144
VERDICTS = {
    "confirmed": (mark("Confirmed"), "green", ":material/check:"),
    "quantified": (mark("Quantified"), "blue", ":material/straighten:"),
    "qualified": (mark("Qualified"), "orange", ":material/balance:"),
    "wrong": (mark("Wrong"), "red", ":material/close:"),
    "as_stated": (mark("Wrong as stated"), "red", ":material/close:"),
    "slip": (mark("Slip"), "orange", ":material/edit:"),
    "open": (mark("Not decided yet"), "gray", ":material/hourglass_empty:"),
    "reconciled": (mark("Reconciled"), "blue", ":material/join:"),
}


Judgement = tuple[str, tuple[str, ...]]  # a name in VERDICTS, and marked sentences


@dataclass(frozen=True)
class Checked:
    """One claim as it is decided here.

    Attributes
    ----------
    claim : int
        Its number.
    title : str
        A marked text: what is claimed.
    decides : tuple of str
        Marked texts: the sentences that decide it.
    verdict : str
        A name in ``VERDICTS``.
    tab : str
        Where it is seen.
    measure : callable
        Returns the measured numbers of the sentences, computed on the backend of a given name.
    choices : dict
        What is chosen on that tab, beside the input that the numbers belong to.
    judge : callable or None
        Returns verdict and sentences where they follow from what is measured on a backend; those
        above are then not used.
    """

    claim: int
    title: str
    decides: tuple[str, ...]
    verdict: str
    tab: str
    measure: Callable[[str], dict[str, object]]
    choices: dict[str, object] = field(default_factory=dict)
    judge: Callable[[str], Judgement] | None = None

    def judged(self, backend: str) -> Judgement:
        """Return the verdict, and the marked sentences that decide it, on a backend."""
        return self.judge(backend) if self.judge else (self.verdict, self.decides)


@dataclass(frozen=True)
class Place:
    """The page that checks claims.

    Attributes
    ----------
    tabs : Mapping
        The marked titles of its tabs.
    key : callable
        Returns the session key of a name on this page.
    about : str
        A marked text: what the numbers are of.
    show : callable
        Goes to a tab with the input that the numbers belong to and choices of a claim.
    typeset : callable
        Sets the symbols of a sentence.
    unfolded : bool
        Whether the claims of other tabs are measured before they are unfolded.
    """

    tabs: Mapping[str, str]
    key: Callable[[str], str]
    about: str
    show: Callable[..., None]
    typeset: Callable[[str], str] = str
    unfolded: bool = False

    def draw(self, claims: Sequence[Checked], tab: str, t: Translator) -> None:
        """Draw the claims with their verdicts: those of the present tab, the others folded."""
        here = [claim for claim in claims if claim.tab == tab]
        others = [claim for claim in claims if claim.tab != tab]
        if here:
            st.markdown(f"**{t('Checked on this tab')}**")
            self._draw_some(here, tab, t)
        folded = t("Checked on other tabs") if here else t("Checked on this page")
        key = self.key("checked.others")
        if self.unfolded:
            with st.expander(folded, key=key):
                self._draw_some(others, tab, t)
            return
        with st.expander(folded, key=key, on_change="rerun") as expander:
            if expander.open:
                self._draw_some(others, tab, t)

    def _draw_some(self, claims: Sequence[Checked], tab: str, t: Translator) -> None:
        """Draw some claims, and what their numbers are of."""
        st.caption(t(self.about))
        with st.container(gap="xsmall"):
            for claim in claims:
                self._draw_one(claim, t("Show") if claim.tab == tab else t(self.tabs[claim.tab]), t)

    def _draw_one(self, claim: Checked, way: str, t: Translator) -> None:
        """Draw one claim in a line, with a button called ``way``."""
        values, (verdict, sentences) = self._measured(claim, t)
        title, colour, icon = VERDICTS[verdict]
        with st.container(horizontal=True, gap="small"):
            with st.container(width=BADGE_WIDTH):
                st.badge(t(title), icon=icon, color=colour)  # type: ignore[arg-type]
            with st.container(width="stretch"):
                decides = (t(sentence, **values) for sentence in sentences)
                # The space ends the bold words: Markdown would read on from ”** to a letter.
                st.markdown(self.typeset(f"**{t(claim.title)}** {t.sentences(*decides)}"))
            st.button(
                way,
                key=self.key(f"checked.{claim.claim}"),
                type="tertiary",
                icon=":material/arrow_forward:",
                help=t("Claim {claim}: show where it is measured", claim=claim.claim),
                on_click=self.show,
                args=(claim.tab,),
                kwargs=claim.choices,
            )

    def _measured(self, claim: Checked, t: Translator) -> tuple[dict[str, object], Judgement]:
        backend = settings.backend().name
        if self.unfolded:
            return claim.measure(backend), claim.judged(backend)
        with st.spinner(t("Measuring …")):
            return claim.measure(backend), claim.judged(backend)
