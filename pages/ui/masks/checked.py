"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab.

The numbers are those of the textbook example, whatever is chosen; a claim's button chooses it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.experiments.masks import Params, run
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.mistakes import (
    FAR_UNDERFLOW,
    Dtype,
    MistakesParams,
    make_mistakes,
)
from engine.experiments.masks.precision import Precision
from pages.figures.numerals import measured_number, number
from pages.text import Translator, mark
from pages.ui import settings
from pages.ui.checked import Checked, Place
from pages.ui.masks import state

DIGITS = int(str(state.DEFAULTS["decimals"]))  # as its button shows it
PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the textbook example; a button shows them where they stand."),
    state.show_textbook,
    unfolded=True,
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims of this page."""
    PLACE.draw(claims_of(settings.backend().name), tab, t)


@lru_cache(maxsize=4)
def claims_of(backend: str) -> tuple[Checked, ...]:
    """Return the claims as one backend decides them, on the textbook example."""
    return (*of_mistakes(backend), *of_positions(backend))


def of_mistakes(backend: str) -> tuple[Checked, ...]:
    """Return the claims on minus infinity and on masking after softmax."""
    result = make_mistakes(MistakesParams(), backend=backend)
    before = result.variant("minus-infinity").outcomes
    exact: Dtype = "float64" if "float64" in before else "float32"
    renormalised, zeroed, multiplied = (
        result.variant(name).outcomes[exact] for name in ("renormalise", "zero-after", "times-0-1")
    )
    return (
        Checked(
            12,
            mark("“Minus infinity cannot be represented in floating point, hence −10⁹.”"),
            (
                mark(
                    "IEEE 754 has minus infinity, and bfloat16 has it too; with it all {count} "
                    "formats here come out right."
                ),
                mark("In float16 it is −10⁹ that does not exist: it becomes {half}."),
                mark("The real hazard is a row with nothing left to see: it becomes NaN."),
            ),
            "wrong",
            "mistakes",
            lambda _backend: {
                "count": sum(outcome.right for outcome in before.values()),
                "half": number(Precision("float16").held(-1e9), 0),
            },
            {"variant": "minus-1e9", "dtype": "float16"},
        ),
        Checked(
            13,
            mark("“Masking after softmax makes the mask useless.”"),
            (
                mark(
                    "Zeroed and renormalised, the weights differ from the right ones by at most "
                    "{difference}, until the sum underflows: a hidden score {far} above the "
                    "visible scores of its row makes it 0/0, and the float32 column says NaN."
                ),
                mark(
                    "Zeroed alone, rows sum to as little as {sum}, and outputs move by up to "
                    "{leak} when a hidden token changes."
                ),
                mark(
                    "Scores × 0/1 before softmax hide nothing: outputs move by up to {multiplied}."
                ),
            ),
            "as_stated",
            "mistakes",
            lambda _backend: {
                "difference": measured_number(renormalised.difference, DIGITS),
                "far": number(FAR_UNDERFLOW, 0),
                "sum": measured_number(zeroed.row_sums[0], DIGITS),
                "leak": measured_number(zeroed.leak, DIGITS),
                "multiplied": measured_number(multiplied.leak, DIGITS),
            },
            {"variant": "renormalise", "dtype": exact},
        ),
    )


def of_positions(backend: str) -> tuple[Checked, ...]:
    """Return the claims on who sees whom."""
    compared = run(Params(), backend=backend)
    moved = measure_influence(Params(), backend=backend)
    T = len(compared.head.tokens)
    after = np.diagonal(moved.b.moves, 1)
    own = np.diagonal(moved.b.moves)
    return (
        Checked(
            14,
            mark("“The encoder uses cross-attention.”"),
            (
                mark(
                    "It uses self-attention: its weights are {T} × {T} over its own tokens, and "
                    "none of the {total} cells is hidden."
                ),
                mark("Cross-attention stands in the decoder."),
            ),
            "slip",
            "compare",
            lambda _backend: {"T": T, "total": int(compared.a.visible.sum())},
            {"families": True},
        ),
        Checked(
            15,
            mark("“Position i is predicted from 1 to i − 1”, yet the mask admits j ≤ i."),
            (
                mark("Both hold: output i predicts token i + 1."),
                mark(
                    "Under the causal mask a change of token i + 1 moves output i by {after}, a "
                    "change of token i by at least {own}."
                ),
            ),
            "reconciled",
            "influence",
            lambda _backend: {
                "after": measured_number(float(after.max()), DIGITS),
                "own": measured_number(float(own.min()), DIGITS),
            },
            {"side": "b"},
        ),
        Checked(
            17,
            mark("“Changing token 3 changes the output of token 1.”"),
            (
                mark(
                    "By {both} without a mask (mask A), by {causal} under the causal mask (mask B)."
                ),
            ),
            "confirmed",
            "influence",
            lambda _backend: {
                "both": measured_number(float(moved.a.moves[0, 2]), DIGITS),
                "causal": measured_number(float(moved.b.moves[0, 2]), DIGITS),
            },
            {"side": "a"},
        ),
    )
