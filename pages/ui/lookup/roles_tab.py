"""Three roles: what a token gives to itself when W_Q and W_K are one, and when they are two."""

from __future__ import annotations

from engine.experiments.lookup.roles import RolesResult
from pages.gallery.lookup import ROLES_SPREAD, ROLES_WEIGHTS
from pages.text import Translator
from pages.text.amounts import size
from pages.text.digits import digits
from pages.text.lookup_readings import mean_text, roles_notices
from pages.text.scaling_readings import error_decimals, grouped
from pages.ui import result_figures, settings, workspace
from pages.ui.lookup import computing
from pages.ui.maths import set_plain, typeset


def draw() -> None:
    """Draw the tab of the three roles."""
    t = settings.translate()
    result = computing.roles(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, roles_notices(result, t))),
        lambda: result_figures.show(ROLES_SPREAD, result),
    )
    result_figures.show(ROLES_WEIGHTS, result)


def numbers(result: RolesResult, t: Translator) -> None:
    """Draw the mean diagonal weight of both ways, and whether the scores are symmetric."""
    even = digits(result.even)
    for role, title in ((result.free, t("Own weight, free")), (result.tied, t("Own weight, tied"))):
        workspace.metric(
            title,
            mean_text(role),
            t(
                "± {error}; 1/T {even}",
                error=grouped(role.error, error_decimals(role.error)),
                even=even,
            ),
            help=typeset(
                t(
                    "The weight that a token gives to itself, averaged over its tokens and over "
                    "{count} draws; ± is the standard error. Free: W_Q and W_K are drawn apart. "
                    "Tied: W_K is W_Q.",
                    count=f"{result.params.draws:,}",
                )
            ),
        )
    workspace.metric(
        t("Asymmetry, tied"),
        size(result.tied.asymmetry),
        t("free: {value}", value=size(result.free.asymmetry)),
        help=t(
            "The largest difference of a score and its mirror image, over the largest score in "
            "size."
        ),
    )
