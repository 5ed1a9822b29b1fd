"""Similarity: five ways to compare a query with keys, and two vectors in the plane."""

from __future__ import annotations

import math

from engine.experiments.lookup.soft import Result
from pages.gallery.lookup import PLANE, SIMILARITIES, LookupView
from pages.text import Translator
from pages.text.lookup_readings import plane_notices
from pages.text.lookup_words import angle_text, dot_of, length_text, product_of
from pages.text.markup import inline
from pages.ui import result_figures, settings, workspace
from pages.ui.lookup import computing, state
from pages.ui.maths import set_plain, typeset


def draw() -> None:
    """Draw the tab of similarities."""
    t = settings.translate()
    result = computing.looked(t)
    row = shown_row(result)
    workspace.draw(
        lambda: numbers(result, row, t),
        lambda: workspace.notice(t, *map(set_plain, plane_notices(result, row, t))),
        lambda: figures(result, row),
    )


def figures(result: Result, row: int) -> None:
    """Draw the plane, where there is one, and the weights of every similarity."""
    if len(result.params.query) == 2:
        result_figures.show(PLANE, result, LookupView(key=row + 1))
    result_figures.show(SIMILARITIES, result)


def shown_row(result: Result) -> int:
    """Return the row, from 0, that the query is compared with: the reader's, else the nearest."""
    chosen = state.whole("key")
    return chosen - 1 if 1 <= chosen <= len(result.params.names) else result.nearest[0]


def numbers(result: Result, row: int, t: Translator) -> None:
    """Draw the dot product of the query and one key, and the angle between them."""
    plane, name = result.plane, result.params.names[row]
    angle = float(plane.angles[row])
    product = None if math.isnan(angle) else product_of(result, row)
    workspace.metric(
        "q·k",
        length_text(dot_of(result, row)),
        inline(name),
        help=typeset(t("The dot product of the query and this key.")),
    )
    workspace.metric(
        t("Angle"),
        angle_text(abs(angle)) if product else "–",
        f"cos {product.cosine}" if product else "",
        help=t("Between the query and this key; a vector of zeros has none."),
    )
    workspace.metric(
        t("Lengths"),
        " | ".join(map(length_text, (plane.query_length, float(plane.key_lengths[row])))),
        t("query | key"),
        help=t("q·k is their product times the cosine."),
    )
