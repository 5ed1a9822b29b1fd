"""Heads: every head of a model at once, one of them in full, and where one token looks."""

from __future__ import annotations

import numpy as np

from engine.experiments.context.focus import query_of
from engine.experiments.context.layers import layers_of
from engine.experiments.context.specials import kept_places, keys_kept
from engine.experiments.context.study import Study
from pages.figures.context.look import drawn_token
from pages.figures.numerals import number
from pages.gallery.context_model import ARROWS, HEAD, HEADS, ROW, ModelView
from pages.text import Translator
from pages.text.context_model import head_notices
from pages.text.context_names import specials_name
from pages.text.markup import inline
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, looked, source_line, state
from pages.ui.maths import set_plain

DIGITS = 3


def draw() -> None:
    """Draw the tab of heads."""
    t = settings.translate()
    result = computing.study(t)
    view = looked.view_of(result, t)
    source_line.draw(t, result)
    workspace.draw(
        lambda: numbers(result, view, t),
        lambda: workspace.notice(t, *map(set_plain, head_notices(result, view, t))),
        lambda: result_figures.show(HEADS, result, view, on_pick=state.look_at_cell),
    )
    workspace.side_by_side(
        lambda: result_figures.show(ARROWS, result, view, on_pick=state.look_from),
        lambda: result_figures.show(HEAD, result, view, on_pick=state.look_from),
    )
    result_figures.show(ROW, result, view)


def numbers(study: Study, view: ModelView, t: Translator) -> None:
    """Draw where the token looks most in this head, and what it gives itself and special tokens."""
    query = query_of(study, view.query)
    row = study.attention[view.layer - 1, view.head - 1, query]
    places = kept_places(study, view.specials)
    left = keys_kept(row[None], places, view.specials)[0]
    place = t("layer {layer}, head {head}", layer=view.layer, head=view.head)
    top = int(np.argmax(left))
    workspace.metric(
        t("Most watched"),
        number(float(left[top]), DIGITS),
        f"{places[top] + 1}. {inline(drawn_token(study, int(places[top])))}",
        help=t(
            "The largest weight of “{token}” in {place}; special tokens: {specials}.",
            token=inline(drawn_token(study, query)),
            place=place,
            specials=specials_name(view.specials, t),
        ),
    )
    shares = layers_of(study)
    workspace.metric(
        t("On special tokens"),
        number(float(row[study.special].sum()), DIGITS),
        t(
            "head mean {share}",
            share=number(float(shares.special_share[view.layer - 1, view.head - 1]), DIGITS),
        ),
        help=t(
            "How much of its weight the token gives to those that the tokenizer adds; below, the "
            "mean over all tokens in this head."
        ),
    )
    workspace.metric(
        t("On itself"),
        number(float(left[places == query].sum()), DIGITS),
        place,
        help=t(
            "The weight of the token on itself; special tokens: {specials}.",
            specials=specials_name(view.specials, t),
        ),
    )
