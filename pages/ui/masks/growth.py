"""One token at a time: do earlier outputs change, and what a cache keeps."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.experiments.masks.growth import Growth, GrowthResult
from pages.figures.masks.cache import rolling_words
from pages.figures.numerals import measured_number
from pages.gallery import exhibit
from pages.gallery.masks import CACHE, GROWTH, CacheView
from pages.text import Translator
from pages.ui import figure_view, settings, workspace
from pages.ui.masks import computing, fields, state, words

STEP_WIDTH = 280


def draw() -> None:
    """Draw the tab of the growing sequence."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.growth(t)
    shown = exhibit(GROWTH, result, params=result.params, backend=result.backend_name)
    workspace.draw(
        lambda: numbers(result, decimals, t),
        lambda: workspace.notice(t, *notices(result, decimals, t)),
        lambda: figure_view.show(shown, GROWTH, decimals=decimals),
    )
    cache(result, decimals, t)


def numbers(result: GrowthResult, decimals: int, t: Translator) -> None:
    """Draw the largest change under each mask, and the largest error of the cache."""
    meaning = t(
        "The largest change of an output between the pass over fewer tokens and the pass over all."
    )
    for name, side in (("A", result.a), ("B", result.b)):
        workspace.metric(
            t("Largest change, {mask}", mask=name),
            measured_number(side.change, decimals),
            words.mask(result.params, name, t),
            help=meaning,
        )
    workspace.metric(
        t("From a cache, B"),
        measured_number(result.b.cache_error, decimals),
        t("off the full pass"),
        help=t(
            "The largest difference between outputs computed one at a time from the cached keys "
            "and values, and outputs of one pass over all tokens."
        ),
    )


def looks_ahead(side: Growth) -> bool:
    """Say whether a query sees a key that comes later."""
    return bool(np.triu(side.visible, 1).any())


def notices(result: GrowthResult, decimals: int, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these masks."""
    return [said(name, side, decimals, t) for name, side in (("A", result.a), ("B", result.b))]


def said(name: str, side: Growth, decimals: int, t: Translator) -> str:
    """Return what one mask does to outputs that were computed before."""
    if side.last_change:
        return changes_said(name, side, decimals, t)
    size = measured_number(side.change, decimals)
    if looks_ahead(side):
        return t(
            "Under {mask} queries look ahead, yet with these tokens no earlier output changes "
            "beyond rounding: {size}.",
            mask=name,
            size=size,
        )
    if side.change == 0:
        return t(
            "Under {mask} no query looks ahead, and earlier outputs stay the same to the last bit.",
            mask=name,
        )
    return t(
        "Under {mask} no query looks ahead, and earlier outputs stay as they are: {size} is "
        "rounding.",
        mask=name,
        size=size,
    )


def changes_said(name: str, side: Growth, decimals: int, t: Translator) -> str:
    """Return up to which length one mask changes outputs that were computed before."""
    size = measured_number(side.change, decimals)
    if side.settled is None:
        return t(
            "Under {mask} outputs computed before change until the last token is there, by up to "
            "{size}: a cache would be wrong.",
            mask=name,
            size=size,
        )
    return t(
        "Under {mask} outputs computed before change up to length {last}, by up to {size}; from "
        "length {settled} on they stay, so a cache may start there.",
        mask=name,
        last=side.last_change,
        size=size,
        settled=side.settled,
    )


def cache(result: GrowthResult, decimals: int, t: Translator) -> None:
    """Draw what a cache holds at one step, and why it is allowed."""
    view = CacheView(step_of(result))
    st.markdown(f"**{t('What a KV cache holds')}**")
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        if len(result.head.tokens) > 1:
            choose_step(result, t)
        with st.container(width="stretch"):
            st.markdown(why(result, t))
    shown = exhibit(CACHE, result, params=result.params, view=view, backend=result.backend_name)
    figure_view.show(shown, CACHE, decimals=decimals)


def step_of(result: GrowthResult) -> int:
    """Return the step that is shown: the reader's, cut to the tokens there are, or the usual."""
    if state.get("step") is None:
        return CacheView().at(result)
    return state.fitting("step", 1, len(result.head.tokens))


def choose_step(result: GrowthResult, t: Translator) -> None:
    """Draw the choice of the step."""
    T, step = len(result.head.tokens), step_of(result)
    with st.container(width=STEP_WIDTH):
        st.slider(
            t("Step"),
            min_value=1,
            max_value=T,
            key=fields.widget("step", step),
            on_change=fields.taker("step"),
        )
    with st.container(horizontal=True, width="content", gap="xsmall"):
        move_button(t("Back"), step - 1, "Alt+Left", T)
        move_button(t("Next"), step + 1, "Alt+Right", T)


def move_button(title: str, to: int, shortcut: str, T: int) -> None:
    """Draw the button to the token before or after."""
    st.button(
        title,
        on_click=state.put,
        args=("step", to),
        shortcut=shortcut,
        type="tertiary",
        disabled=not 1 <= to <= T,
    )


def why(result: GrowthResult, t: Translator) -> str:
    """Return why keys and values may be kept under mask B, or why not."""
    found = result.b
    if found.settled is None:
        return t(
            "A key and a value depend on their own token alone, so they could be kept; but under B "
            "earlier queries also look at later tokens, and their outputs would have to be "
            "computed again at every step."
        )
    if found.last_change:
        return t(
            "A key and a value depend on their own token alone. Under B outputs change until "
            "{settled} tokens are there: those are computed in one pass, and from then on only the "
            "new query has to be computed.",
            settled=found.settled,
        )
    if looks_ahead(found):
        return t(
            "A key and a value depend on their own token alone. Under B queries look at later "
            "tokens; with these tokens that changes no output beyond rounding, with others it "
            "would."
        )
    kept = t(
        "A key and a value depend on their own token alone, and under B no earlier query looks at "
        "a later token: what was computed stays right, so only the new query has to be computed."
    )
    return t.sentences(kept, rolling_words(result, t))
