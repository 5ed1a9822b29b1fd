"""The claims that a page checks: verdict, the numbers that decide it, the way to its tab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from engine.experiments.claims.finding import Finding
from pages.gallery.claim_results import finding_of
from pages.text import Translator
from pages.text.claims.every import WORDS
from pages.text.claims.model import VERDICT_WORDS
from pages.ui import settings

BADGE_WIDTH = 144


@dataclass(frozen=True)
class Checked:
    """One claim as a page checks it.

    Attributes
    ----------
    claim : int
        Its number; what decides it is in the engine, its words are those of `pages.text.claims`.
    tab : str
        Where it is seen.
    choices : Mapping
        What is chosen on that tab, beside the input that the numbers belong to.
    find : callable or None
        Takes the number and the name of a backend, and returns what is found of it; None checks it.
    """

    claim: int
    tab: str
    choices: Mapping[str, object] = field(default_factory=dict)
    find: Callable[[int, str], Finding] = finding_of


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
        finding, words = self._found(claim, t), WORDS[claim.claim]
        with st.container(horizontal=True, gap="small"):
            with st.container(width=BADGE_WIDTH):
                badge(finding, t)
            with st.container(width="stretch"):
                decides = t.sentences(*words.sentences(finding, t))
                # The space ends the bold words: Markdown would read on from ”** to a letter.
                st.markdown(self.typeset(f"**{t(words.title)}** {decides}"))
            st.button(
                way,
                key=self.key(f"checked.{claim.claim}"),
                type="tertiary",
                icon=":material/arrow_forward:",
                help=t("Claim {claim}: show where it is measured", claim=claim.claim),
                on_click=self.show,
                args=(claim.tab,),
                kwargs=dict(claim.choices),
            )

    def _found(self, claim: Checked, t: Translator) -> Finding:
        backend = settings.backend().name
        if self.unfolded:
            return claim.find(claim.claim, backend)
        with st.spinner(t("Measuring …")):
            return claim.find(claim.claim, backend)


def badge(finding: Finding, t: Translator) -> None:
    """Draw the verdict of a finding."""
    verdict = VERDICT_WORDS[finding.verdict]
    st.badge(t(verdict.word), icon=verdict.icon, color=verdict.colour)
