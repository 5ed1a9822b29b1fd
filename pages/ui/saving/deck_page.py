"""The parts of the deck page: its head, and what stands there while the deck is empty."""

from __future__ import annotations

import streamlit as st

from pages.gallery import IDEAS, Idea
from pages.text import Translator, mark
from pages.ui import settings
from pages.ui.saving import deck_actions, tray

PAGE = "pages/deck.py"
STEPS = (
    mark("Press **Add to deck** under any figure. It is kept as it is at that moment."),
    mark("Come back here to put the slides in order and to word their titles."),
    mark("Save them as PowerPoint, PDF or images, or as a deck file to go on another day."),
)


def link(t: Translator) -> None:
    """Draw the line of the sidebar that says how much is in the deck and leads to it."""
    count = len(tray.kept())
    if count == 0:
        label = t("Deck · empty")
    else:
        label = t("Deck · 1 slide") if count == 1 else t("Deck · {count} slides", count=count)
    st.page_link(
        PAGE,
        label=label,
        icon=":material/slideshow:",
        width="stretch",
        query_params=settings.with_choices({}),
    )


def head(t: Translator) -> None:
    """Draw the title of the page and how long a deck lasts."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.title(t("Slides"), anchor=False, width="content")
        st.markdown(
            t(
                "The deck ends when this tab is closed or reloaded; to go on another day, save it "
                "as a deck file."
            ),
            width="content",
        )


def empty(t: Translator) -> bool:
    """Draw the empty deck; return whether every figure is to be added now."""
    left, right = st.columns(2, gap="medium", border=True, width=1080)
    with left:
        st.markdown(f":material/slideshow: **{t('Your deck is empty')}**")
        st.markdown("\n".join(f"{n}. {t(step)}" for n, step in enumerate(STEPS, start=1)))
        st.page_link(
            "pages/worked_example.py",
            label=t("Go to the worked example"),
            icon=":material/arrow_forward:",
            query_params=settings.with_choices({}),
        )
    with right:
        st.markdown(f":material/auto_stories: **{t('Or start from a whole lecture')}**")
        st.markdown(
            t(
                "Every figure of the product in the order of a lecture. Remove what you do "
                "not need; put your own figures between them."
            )
        )
        st.caption(t.clauses(_held(idea, t) for idea in IDEAS))
        return deck_actions.add_every_button(t, "empty")


def _held(idea: Idea, t: Translator) -> str:
    return t("{idea}: {count}", idea=t(idea.title), count=len(idea.entries))
