"""The picture of the texts: weights that somebody drew, as arrows as wide as they are."""

from __future__ import annotations

from engine.experiments.context.pictured import Ending, Picture
from pages.figures.numerals import number
from pages.gallery.context_mechanism import PICTURE
from pages.text import Translator
from pages.text.context_mechanism import picture_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing
from pages.ui.maths import set_plain


def draw() -> None:
    """Draw the tab of the picture."""
    t = settings.translate()
    result = computing.picture(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, picture_notices(result, t))),
        lambda: result_figures.show(PICTURE, result),
    )


def numbers(result: Picture, t: Translator) -> None:
    """Draw what ‘it’ gives either noun in the picture, and that its weights sum to 1."""
    for ending in result.endings:
        workspace.metric(
            t("“{word}”: animal | street", word=ending.tokens[-1]),
            " | ".join(_weight(ending, noun) for noun in ("animal", "street")),
            t("from the source text") if ending.from_text else t("drawn by us"),
            width=workspace.WIDE,
            help=t("The weights of ‘it’ in the picture, drawn by hand."),
        )


def _weight(ending: Ending, noun: str) -> str:
    weight = ending.weights[ending.tokens.index(noun)]
    return "–" if weight is None else number(weight, 2)
