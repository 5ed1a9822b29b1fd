"""Look up: hard lookup beside soft, and a temperature that runs from one to the other's end."""

from __future__ import annotations

from engine.experiments.lookup.soft import Result
from pages.figures.numerals import number
from pages.gallery.lookup import TEMPERATURE, WEIGHTS
from pages.text import Translator
from pages.text.amounts import size
from pages.text.lookup_readings import table_notices
from pages.ui import result_figures, settings, workspace
from pages.ui.lookup import computing
from pages.ui.maths import set_plain

DIGITS, DIGITS_OF_MANY = 3, 2
OF_A_NUMBER = 124  # pixels, where several stand beside each other


def draw() -> None:
    """Draw the tab of soft lookup."""
    t = settings.translate()
    result = computing.looked(t)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *map(set_plain, table_notices(result, t))),
        lambda: result_figures.show(WEIGHTS, result),
    )
    result_figures.show(TEMPERATURE, result)


def numbers(result: Result, t: Translator) -> None:
    """Draw both outputs, how many keys share the weight, and that the order changes nothing."""
    workspace.metric(
        t("Output, soft"),
        listing(result.soft.output),
        t("hard: {output}", output=listing(result.hard_output)),
        help=t(
            "The weighted mean of the values; hard lookup takes the value of the key with the "
            "largest score, or the mean over the keys that share it."
        ),
        width=max(workspace.METRIC_WIDTH, OF_A_NUMBER * len(result.hard_output)),
    )
    workspace.metric(
        t("Effective keys"),
        number(result.soft.effective, 2),
        t("of {count}", count=len(result.params.names)),
        help=t("How many keys share the weight: exp of the entropy of the weights."),
    )
    workspace.metric(
        t("Rows reversed"),
        size(result.shuffled_difference),
        t("largest change"),
        help=t(
            "The query is looked up again with the rows in reverse order; this is the largest "
            "change of a weight or of the output."
        ),
    )


def listing(values: object) -> str:
    """Return the numbers of an output as a reader writes them."""
    numbers = [float(value) for value in values]  # type: ignore[attr-defined]
    if len(numbers) == 1:
        return number(numbers[0], DIGITS)
    return f"({', '.join(number(each, DIGITS_OF_MANY) for each in numbers)})"
