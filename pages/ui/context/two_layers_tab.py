"""Two layers by hand: the first tells ‘it’ what is asked of its noun, the second finds it."""

from __future__ import annotations

import streamlit as st

from engine.experiments.context.two_layers import TwoLayersResult, Walk
from pages.figures.numerals import number
from pages.gallery.context_mechanism import (
    TWO_LAYERS,
    TWO_LAYERS_MATRICES,
)
from pages.text import Translator
from pages.text.context_by_hand import found_words
from pages.text.context_mechanism import two_layers_notices, two_layers_steps
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, state
from pages.ui.maths import set_plain

DIGITS = 3


def draw() -> None:
    """Draw the tab of two layers."""
    t = settings.translate()
    result = computing.two_layers(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, two_layers_notices(result, t))),
        lambda: result_figures.show(TWO_LAYERS, result),
    )
    arithmetic(result, t)
    result_figures.show(TWO_LAYERS_MATRICES, result, state.two_layers_view())


def arithmetic(result: TwoLayersResult, t: Translator) -> None:
    """Draw how the weights that matter come about, step by step, the endings side by side."""
    st.markdown(f"**{t('Step by step')}**")
    for column, walk in zip(st.columns(2, gap="medium"), result.endings, strict=True):
        column.markdown(
            "\n".join(
                f"{place}. {set_plain(line)}"
                for place, line in enumerate(steps(result, walk, t), 1)
            )
        )


def steps(result: TwoLayersResult, walk: Walk, t: Translator) -> list[str]:
    """Return the arithmetic of one ending, from the last word to the noun that is found."""
    return [*two_layers_steps(result, walk.name, t), found_words(walk, t)]


def numbers(result: TwoLayersResult, t: Translator) -> None:
    """Draw what ‘it’ gives either noun in both layers, with both endings."""
    for walk in result.endings:
        rows = [walk.row(layer) for layer in range(len(result.layers))]
        shown = [
            " | ".join(number(float(row[noun]), DIGITS) for noun in (result.animal, result.street))
            for row in rows
        ]
        workspace.metric(
            t("“{word}”: animal | street", word=walk.name),
            shown[1],
            t("in layer 1: {weights}", weights=shown[0]),
            width=workspace.WIDE,
            help=t("What ‘it’ gives either noun in layer 2, and below in layer 1."),
        )
