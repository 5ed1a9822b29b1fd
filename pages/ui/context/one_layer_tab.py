"""One layer of random heads: the last word moves the weights of ‘it’, but not their ratio."""

from __future__ import annotations

from engine.experiments.context.single_layer import SingleLayerResult
from pages.figures.numerals import number
from pages.gallery.context_mechanism import ONE_LAYER, ONE_LAYER_RATIOS, OneLayerView
from pages.text import Translator
from pages.text.amounts import size
from pages.text.context_mechanism import single_layer_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, state
from pages.ui.maths import set_plain

DIGITS = 3


def draw() -> None:
    """Draw the tab of one layer."""
    t = settings.translate()
    result = computing.single_layer(t)
    view = OneLayerView(head=min(state.whole("single_head"), len(result.difference)))
    workspace.draw(
        lambda: numbers(result, view.head - 1, t),
        lambda: workspace.notice(t, *map(set_plain, single_layer_notices(result, t))),
        lambda: result_figures.show(ONE_LAYER, result, view),
    )
    result_figures.show(ONE_LAYER_RATIOS, result, view)


def numbers(result: SingleLayerResult, head: int, t: Translator) -> None:
    """Draw the weights of the nouns with both endings, and how far their ratio differs."""
    for row, ending in zip(result.weights[:, head], ("tired", "wide"), strict=True):
        nouns = (row[result.animal], row[result.street])
        workspace.metric(
            t("“{word}”: animal | street", word=ending),
            " | ".join(number(float(weight), DIGITS) for weight in nouns),
            t("head {head}", head=head + 1),
            width=workspace.WIDE,
            help=t("What ‘it’ gives either noun in this head."),
        )
    workspace.metric(
        t("Log-ratio, difference"),
        size(result.largest_difference),
        t("largest of {count} heads", count=f"{len(result.difference):,}")
        if len(result.difference) > 1
        else t("in the one head"),
        help=t(
            "The logarithm of the weight on “animal” over that on “street”, with one ending and "
            "with the other: the largest absolute difference. Rounding alone may give {rounding}.",
            rounding=size(result.rounding),
        ),
    )
