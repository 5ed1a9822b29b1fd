"""The words of claims 12 to 15: minus infinity, masks after softmax, and who sees whom."""

from __future__ import annotations

import math
from itertools import product

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Finding
from pages.figures.numerals import number
from pages.text import Translator, mark
from pages.text.amounts import size
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import real, whole


def _size(value: float) -> str:
    """Return a size of 0 or more, or that it is not a number."""
    return "NaN" if math.isnan(value) else size(value)


# Minus infinity -------------------------------------------------------------------------------

_RIGHT = {
    "all": mark(
        "IEEE 754 has minus infinity, and bfloat16 has it too; with it all {count} formats here "
        "come out right."
    ),
    "some": mark(
        "With minus infinity masks come out right in {count} of the {total} formats here."
    ),
    "none": mark("With minus infinity none of the {total} formats here comes out right."),
}
_HALF = mark("In float16 it is −10⁹ that does not exist: it becomes {half}.")
_EMPTY = mark("The real hazard is a row with nothing left to see: it becomes NaN.")


def _infinity(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("count", "total")
    values: dict[str, object] = {name: whole(finding, name) for name in names}
    return values | {"half": number(real(finding, "half"), 0)}


INFINITY = ClaimWords(
    12,
    mark("“Minus infinity cannot be represented in floating point, hence −10⁹.”"),
    mark("Floating point has no minus infinity, hence −10⁹"),
    {
        case_of(right, half, empty): (
            _RIGHT[right],
            *((_HALF,) if half else ()),
            *((_EMPTY,) if empty else ()),
        )
        for right, half, empty in product(_RIGHT, ("half", ""), ("empty", ""))
    },
    _infinity,
    mark(
        "Wrong where every number format holds minus infinity and masking with it comes out right: "
        "hidden keys weigh exactly nothing, no output moves with them, and no row that sees a key "
        "is NaN. Qualified where some formats do, confirmed where none does."
    ),
    measured=lambda finding, t: t("right in {count} of {total} formats", **_infinity(finding, t)),
)

# After softmax --------------------------------------------------------------------------------

_RENORMALISED = {
    "equal": mark(
        "Zeroed and renormalised, the weights differ from the right ones by at most {difference}."
    ),
    "equal underflows": mark(
        "Zeroed and renormalised, the weights differ from the right ones by at most {difference}, "
        "until the sum underflows: a hidden score {far} above the visible scores of its row makes "
        "it 0/0, and the float32 column says NaN."
    ),
    "leaks": mark(
        "Zeroed and renormalised, outputs move by up to {renormalised_leak} when a hidden token "
        "changes: more than rounding."
    ),
    "apart": mark(
        "Zeroed and renormalised, the weights differ from the right ones by up to {difference}, "
        "more than rounding, yet no output moves with a hidden token by more than that."
    ),
    "lost": mark("Zeroed and renormalised, some rows that see a key become NaN."),
}
_ZEROED = mark(
    "Zeroed alone, rows sum to as little as {sum}, and outputs move by up to {leak} when a hidden "
    "token changes."
)
_MULTIPLIED = mark("Scores × 0/1 before softmax hide nothing: outputs move by up to {multiplied}.")


def _renormalised(right: str, underflows: str) -> str:
    return _RENORMALISED[case_of(right, underflows) if right == "equal" else right]


def _after(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("difference", "renormalised_leak", "sum", "leak", "multiplied")
    return {
        **{name: _size(real(finding, name)) for name in names},
        "far": number(real(finding, "far"), 0),
    }


AFTER = ClaimWords(
    13,
    mark("“Masking after softmax makes the mask useless.”"),
    mark("Masking after softmax makes the mask useless"),
    {
        case_of(right, underflows, zeroed, multiplied): (
            _renormalised(right, underflows),
            *((_ZEROED,) if zeroed else ()),
            *((_MULTIPLIED,) if multiplied else ()),
        )
        for right, underflows, zeroed, multiplied in product(
            ("equal", "leaks", "apart", "lost"),
            ("underflows", ""),
            ("zeroed", ""),
            ("multiplied", ""),
        )
    },
    _after,
    mark(
        "Confirmed where outputs move with a hidden token, by more than rounding, though the "
        "weights are zeroed and renormalised; qualified where they do not, but these weights are "
        "off by more than rounding, or NaN. Where they are right to rounding: wrong as stated if "
        "zeroing alone leaks or the sum can underflow, else wrong."
    ),
    measured=lambda finding, t: t(
        "renormalised: weights off by {difference}; zeroed: outputs move by {leak}",
        **_after(finding, t),
    ),
)

# Who sees whom --------------------------------------------------------------------------------


def _encoder(finding: Finding, _t: Translator) -> dict[str, object]:
    values: dict[str, object] = {name: whole(finding, name) for name in ("T", "own", "pairs")}
    T, visible = whole(finding, "T"), whole(finding, "visible")
    return values | {"total": T * T, "hidden": T * T - visible}


ENCODER = ClaimWords(
    14,
    mark("“The encoder uses cross-attention.”"),
    mark("The encoder uses cross-attention"),
    {
        "slip": (
            mark(
                "Measured is self-attention without a mask: its weights are {T} × {T} over its "
                "own tokens, none of the {total} cells is hidden, and a change of any token moves "
                "every other output."
            ),
            mark(
                "That this is what an encoder has is a definition (Vaswani et al. 2017, section "
                "3.2.3); cross-attention stands in the decoder."
            ),
        ),
        "open": (
            mark(
                "Measured is attention without a mask: {hidden} of its {total} cells are hidden, "
                "and a change of one of its own tokens moves the output of another in {own} of "
                "{pairs} pairs, so that it does not show what self-attention is."
            ),
        ),
    },
    _encoder,
    mark(
        "Cross-attention takes keys and values from another sequence; an encoder takes them from "
        "its own, by definition. Slip where attention of a sequence with itself, without a mask, "
        "hides no cell, and a change of any token moves every other output; else not decided."
    ),
    measured=lambda finding, t: t(
        "weights hidden among own tokens: {hidden} of {total}", **_encoder(finding, t)
    ),
)


def _position(finding: Finding, _t: Translator) -> dict[str, object]:
    return {name: _size(real(finding, name)) for name in ("after", "own", "leak")}


POSITION = ClaimWords(
    15,
    mark("“Position i is predicted from 1 to i − 1”, yet the mask admits j ≤ i."),
    mark("Predicted from 1 to i − 1, yet the mask admits j ≤ i"),
    {
        "reconciled": (
            mark("Both hold: output i predicts token i + 1."),
            mark(
                "Under the causal mask a change of token i + 1 moves output i by {after}, a change "
                "of token i by at least {own}."
            ),
        ),
        "wrong": (
            mark(
                "Under the causal mask a change of a later token moves an output by up to {leak}, "
                "a change of its own token by at least {own}."
            ),
        ),
    },
    _position,
    mark(
        "Reconciled where, under the causal mask, every query sees its own position, every output "
        "moves with its own token, and none moves with a later one, not by a bit; else wrong."
    ),
    measured=lambda finding, t: t(
        "output i moves by {after} with token i + 1, by {own} with token i",
        **_position(finding, t),
    ),
)

WORDS = (INFINITY, AFTER, ENCODER, POSITION)
