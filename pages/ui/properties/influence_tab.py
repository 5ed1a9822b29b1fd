"""Influence: one token changes, and the outputs that move are measured, with and without a mask."""

from __future__ import annotations

from engine.experiments.masks.influence import InfluenceResult
from pages.gallery import exhibit
from pages.gallery.properties import INFLUENCE_FIGURE, InfluenceParams, InfluenceView
from pages.text import Translator
from pages.text.amounts import size
from pages.text.properties_readings import influence_notices
from pages.ui import figure_view, settings, workspace
from pages.ui.maths import set_plain
from pages.ui.properties import computing, state
from pages.ui.token_source import NAMES

DIGITS = 3


def draw() -> None:
    """Draw the tab of influence."""
    t = settings.translate()
    result = computing.influence(t)
    token = min(state.whole("changed"), len(result.head.tokens))
    shown = exhibit(
        INFLUENCE_FIGURE,
        result,
        params=InfluenceParams(**{name: getattr(result.params, name) for name in NAMES}),
        view=InfluenceView(token),
        backend=result.backend_name,
    )
    workspace.draw(
        lambda: numbers(result, token, t),
        lambda: workspace.notice(t, *map(set_plain, influence_notices(result, token, t))),
        lambda: figure_view.show(shown, INFLUENCE_FIGURE, typeset=set_plain),
    )


def numbers(result: InfluenceResult, token: int, t: Translator) -> None:
    """Draw how many outputs move under either mask, and how far the first one does."""
    sides = {t("No mask"): result.a, t("Causal"): result.b}
    for title, side in sides.items():
        moves = side.moves[:, token - 1]
        workspace.metric(
            title,
            t("{count} of {total}", count=int((moves > 0).sum()), total=len(moves)),
            t("outputs move"),
            help=t("Counted where the output differs in the last bit or more."),
        )
    workspace.metric(
        t("Output 1 moves"),
        " | ".join(size(float(side.moves[0, token - 1])) for side in sides.values()),
        t("no mask | causal"),
        help=t(
            "The largest change of a number of output 1 when token {token} changes.", token=token
        ),
    )
