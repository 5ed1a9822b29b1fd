"""Layers: how far each of them looks, what it gives itself and special tokens, and the mean."""

from __future__ import annotations

from engine.experiments.context.layers import Layers, layers_of
from engine.experiments.context.study import Study
from pages.figures.numerals import number
from pages.gallery.context_model import DISTANCE, MEAN, SHARES
from pages.text import Translator
from pages.text.context_model import layers_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, looked, source_line, state
from pages.ui.maths import set_plain


def draw() -> None:
    """Draw the tab of layers."""
    t = settings.translate()
    result = computing.study(t)
    view = looked.view_of(result, t)
    source_line.draw(t, result)
    workspace.draw(
        lambda: numbers(result, layers_of(result, view.specials), t),
        lambda: workspace.notice(t, *map(set_plain, layers_notices(result, view, t))),
        lambda: workspace.side_by_side(
            lambda: result_figures.show(DISTANCE, result, view, on_pick=state.look_at_cell),
            lambda: result_figures.show(SHARES, result, view, on_pick=state.look_at_cell),
        ),
    )
    result_figures.show(MEAN, result, view, on_pick=state.look_at_cell)


def numbers(study: Study, found: Layers, t: Translator) -> None:
    """Draw the mean distance of the first and the last layer, and what equal weights would give."""
    last = study.layers
    for title, layer in ((t("Distance, first layer"), 1), (t("Distance, last layer"), last)):
        workspace.metric(
            title,
            number(float(found.mean_distance[layer - 1]), 2),
            t("equal weights: {distance}", distance=number(found.even_distance, 2)),
            help=t(
                "How many places away a token looks in layer {layer}: the mean over queries and "
                "heads.",
                layer=layer,
            ),
        )
    share = found.special_share.mean(axis=1)
    workspace.metric(
        t("On special tokens"),
        number(float(share.max()), 3),
        t("most, in layer {layer}", layer=int(share.argmax()) + 1),
        help=t(
            "The share of all weights of a layer that special tokens get, where it is largest; "
            "equal weights would give them {share}.",
            share=number(found.even_special_share, 3),
        ),
    )
