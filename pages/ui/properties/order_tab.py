"""Order: the outputs move with the tokens, until positions are added to the vectors."""

from __future__ import annotations

from engine.experiments.properties.order import OrderResult
from pages.figures.numerals import number
from pages.gallery.properties import CONTENT, PERMUTATION, OrderView
from pages.text import Translator
from pages.text.amounts import size
from pages.text.markup import inline
from pages.text.properties_readings import order_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.maths import set_plain
from pages.ui.properties import computing, state

DIGITS = 3


def draw() -> None:
    """Draw the tab of order."""
    t = settings.translate()
    result = computing.order(t)
    view = OrderView(bool(state.get("positions")))
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, order_notices(result, t))),
        lambda: result_figures.show(PERMUTATION, result, view),
    )
    result_figures.show(CONTENT, result)


def numbers(result: OrderResult, t: Translator) -> None:
    """Draw how far the outputs of both orders differ, and what the moved token is given."""
    for title, difference, largest in (
        (t("Difference"), result.difference, result.largest),
        (t("With positions"), result.difference_positions, result.largest_positions),
    ):
        workspace.metric(
            title,
            size(difference),
            t("largest output {value}", value=size(largest)),
            help=t(
                "The output of the permuted tokens, put back into their order, against the output "
                "of the tokens as they stand: the largest difference of two numbers."
            ),
        )
    moves = result.moves
    workspace.wide_metric(
        t("Weight while moved"),
        _range(moves.without),
        t("with positions: {range}", range=_range(moves.positions)),
        t(
            "The smallest and the largest weight that “{query}” gives “{moved}”, over every place "
            "where that can stand.",
            query=inline(result.tokens[moves.query]),
            moved=inline(result.tokens[moves.moved]),
        ),
    )


def _range(weights: object) -> str:
    """Return the smallest and largest of some weights, as one where they look alike."""
    ends = (weights.min(), weights.max())  # type: ignore[attr-defined]
    said = [number(float(end), DIGITS) for end in ends]
    return said[0] if said[0] == said[1] else f"{said[0]}–{said[1]}"
