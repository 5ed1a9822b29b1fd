"""Weight and cause: one key after the other is cut, and what moves is held against its weight."""

from __future__ import annotations

import math

from engine.experiments.context.knock import KnockResult
from pages.figures.context.look import drawn_token
from pages.figures.numerals import number
from pages.gallery.context_endings import KNOCK_BARS, KNOCK_FIGURE
from pages.text import Translator
from pages.text.amounts import size
from pages.text.context_knock import knock_notices
from pages.text.markup import inline
from pages.ui import result_figures, settings, workspace
from pages.ui.context import computing, source_line
from pages.ui.maths import set_plain

DIGITS = 3


def draw() -> None:
    """Draw the tab of cuts."""
    t = settings.translate()
    result = computing.knocked(t)
    source_line.draw(t, result.study)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, knock_notices(result, t))),
        lambda: result_figures.show(KNOCK_FIGURE, result),
    )
    result_figures.show(KNOCK_BARS, result)


def numbers(result: KnockResult, t: Translator) -> None:
    """Draw the rank correlation, and the keys with the largest weight and the largest effect."""
    workspace.metric(
        t("Rank correlation"),
        "–" if math.isnan(result.correlation) else number(result.correlation, 2),
        t("{count} keys cut", count=result.measured) if result.measured != 1 else t("1 key cut"),
        help=t(
            "Spearman’s, between weight and effect: 1 where a larger weight always has the larger "
            "effect, 0 where there is no such order."
        ),
    )
    weights, effects = result.top_weights, result.top_effects
    workspace.metric(
        t("Largest weight"),
        number(float(result.weights[weights[0]]), DIGITS) if weights else "–",
        named(result, weights, t),
        help=t("The key that is given the largest weight, of those that were cut."),
    )
    workspace.metric(
        t("Largest effect"),
        size(float(result.effects[effects[0]])) if effects else "–",
        named(result, effects, t),
        help=t("The key whose cut moves the token’s last vector most, as a share of its length."),
    )


def named(result: KnockResult, keys: tuple[int, ...], t: Translator) -> str:
    """Return which keys have the most: one by its name, several by their number."""
    if len(keys) > 1:
        return t("{count} keys alike", count=len(keys))
    return "".join(f"{key + 1}. {inline(drawn_token(result.study, key))}" for key in keys)
