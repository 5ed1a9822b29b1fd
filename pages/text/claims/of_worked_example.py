"""The words of claims 6, 7 and 8: what the texts print, and what comes out."""

from __future__ import annotations

from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_worked_example import SECOND
from pages.figures.numerals import MINUS, number
from pages.text import Translator, mark
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import reals, texts

DIGITS = 4  # one more than is printed
_RULE = mark(
    "A printed number agrees with a value within half a unit of its last digit. Confirmed where "
    "all agree; misprint where each that does not follows from the numbers printed before it, "
    "which are rounded; else wrong."
)


def _vector(finding: Finding, name: str) -> str:
    """Return the components of a vector, separated as in mathematics in every language."""
    return ", ".join(number(value, DIGITS) for value in reals(finding, name))


def _printed(finding: Finding, name: str) -> str:
    return ", ".join(texts(finding, f"{name}_printed"))


def _row(finding: Finding, name: str, decimals: int, t: Translator) -> str:
    return t.listing(number(value, decimals) for value in reals(finding, name))


def _first(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "printed_weight": texts(finding, "weights_printed")[1],
        "exact_weight": number(reals(finding, "weights")[1], 4),
        "from_exponentials": number(reals(finding, "weights_from_printed")[1], 5),
        "printed_output": texts(finding, "output_printed")[1],
        "exact_output": number(reals(finding, "output")[1], 4),
        "from_weights": number(reals(finding, "output_from_printed")[1], 4),
        "printed_weights": _printed(finding, "weights"),
        "printed_outputs": _printed(finding, "output"),
        "exact_weights": _vector(finding, "weights"),
        "exact_outputs": _vector(finding, "output"),
    }


FIRST = ClaimWords(
    6,
    mark(
        "“Row 1 of the worked example has the weights (0.109, 0.450, 0.221, 0.221) and the output "
        "(0.660, 1.672).”"
    ),
    mark("Worked example, row 1: the weights and the output"),
    {
        SECOND: (
            mark(
                "Printed as {printed_weight}, the second weight is {exact_weight}. The "
                "exponentials and the sum that the text prints give {from_exponentials}, and reach "
                "{printed_weight} only within their own rounding. The second output, printed as "
                "{printed_output}, is {exact_output}; the printed weights give {from_weights}."
            ),
        ),
        "": (
            mark(
                "Printed are the weights ({printed_weights}) and the output ({printed_outputs}); "
                "computed are ({exact_weights}) and ({exact_outputs})."
            ),
        ),
    },
    _first,
    _RULE,
    measured=lambda finding, t: t(
        "second weight {exact_weight}, second output {exact_output}", **_first(finding, t)
    ),
)


def _second(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "printed_output": _printed(finding, "output"),
        "exact_output": _vector(finding, "output"),
        "from_weights": _vector(finding, "output_from_printed"),
    }


ROW_TWO = ClaimWords(
    7,
    mark("“Row 2 of the worked example has the output (1.337, 1.224).”"),
    mark("Worked example, row 2: the output"),
    {
        "": (
            mark(
                "The output is printed as ({printed_output}). It is ({exact_output}); the printed "
                "weights give ({from_weights})."
            ),
        )
    },
    _second,
    _RULE,
    measured=lambda finding, t: t("output ({exact_output})", **_second(finding, t)),
)


def _three(finding: Finding, t: Translator) -> dict[str, object]:
    printed = (text.replace("-", MINUS) for text in texts(finding, "weights_printed"))
    return {
        "printed_weights": t.listing(printed),
        "scaled": _row(finding, "scaled", 2, t),
        "exact_weights": _row(finding, "weights", 3, t),
    }


THREE_SCORES = ClaimWords(
    8,
    mark("“Scores of 2.1, 0.4 and −0.3 at d_k = 4 give the weights 0.67, 0.21 and 0.12.”"),
    mark("Three scores at d_k = 4: the weights"),
    {
        "": (
            mark(
                "The printed weights are {printed_weights}. The softmax of the scaled scores "
                "{scaled} is {exact_weights}."
            ),
        )
    },
    _three,
    _RULE,
    measured=lambda finding, t: t("weights {exact_weights}", **_three(finding, t)),
)

WORDS = (FIRST, ROW_TWO, THREE_SCORES)
