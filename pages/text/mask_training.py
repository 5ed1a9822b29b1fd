"""What one would see in training with a mask mistake, in the reader's language.

Such a sentence says what would follow from what was measured; nothing is trained here.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.masks.mistakes import (
    FAR_FILL,
    FAR_UNDERFLOW,
    EmptyRows,
    FullRow,
    MistakesResult,
    Outcome,
    Variant,
)
from engine.shapes import Array
from pages.figures.numerals import measured_number, number
from pages.text.marking import mark
from pages.text.translator import Translator

DIGITS = 3  # decimals of a measured number in a sentence
MOST_DIGITS = 6  # of one that is close to 1
NOT_TRAINED = mark("Nothing is trained here: what is said of training is inferred.")


def training_words(
    result: MistakesResult, variant: Variant, outcome: Outcome, t: Translator
) -> str:
    """Return in one or two sentences what one would see in training, true for this outcome."""
    case = _Case(result, outcome, variant, t)
    words = _WRITERS.get(variant.name, _fill_words)(case)
    return t.sentences(words, _hidden_whole(case))


def empty_words(empty: EmptyRows, t: Translator, *, last_as_padding: bool = False) -> str:
    """Return what becomes of the rows that see nothing; empty where all see something.

    Parameters
    ----------
    last_as_padding : bool
        Whether they see nothing with the last token as padding, not under the mask alone.
    """
    if empty.kind is None:
        return ""
    several = empty.count > 1
    rows = t(_WHICH[last_as_padding][several], rows=empty.count)
    if 0 < empty.lost < empty.count:
        fate = t(_SOME_NAN[empty.lost > 1], lost=empty.lost)
    else:
        fate = t(_FATES[empty.kind][several])
    return t("{rows}: {fate}.", rows=rows, fate=fate)


def excess_words(excess: float) -> str:
    """Return a multiple of what rounding accounts for, with digits enough to tell it from 1."""
    decimals = 1
    while round(excess, decimals) == 1 and decimals < MOST_DIGITS:
        decimals += 1
    return number(excess, decimals)


class _Case:
    """One outcome with everything that a sentence about it needs."""

    def __init__(
        self, result: MistakesResult, outcome: Outcome, variant: Variant, t: Translator
    ) -> None:
        self.result, self.outcome, self.t = result, outcome, t
        self.name, self.intended = variant.name, variant.intended

    @property
    def went_wrong(self) -> bool:
        """Whether all are numbers, and some are wrong."""
        return not self.outcome.right and not self.outcome.nan_rows

    @property
    def loss_is_nan(self) -> bool:
        """Whether some row is NaN, whatever the mask leaves it to see."""
        return bool(self.outcome.nan_rows or self.outcome.empty.lost)

    @property
    def hides_answers(self) -> bool:
        """Whether a query may not see a later token that others may: one that it could predict."""
        return bool(np.triu(self._answers, 1).any())

    @property
    def _answers(self) -> Array:
        """Which tokens, seen by some query, are hidden from which; padding is seen by none."""
        return np.asarray(~self.intended & self.intended.any(axis=0))

    @property
    def effect(self) -> str:
        """What training would look like with hidden tokens in view."""
        if self.hides_answers:
            return self.t("The loss would look too good")
        return self.t("Training would go on without an error, on wrong outputs")

    @property
    def leak(self) -> str:
        """The largest move of an output, as text."""
        return measured_number(self.outcome.leak, DIGITS)

    def reveals_next(self, visible: Array) -> bool:
        """Whether a mask in the place of the right one shows most queries their next token.

        The last query has none.
        """
        shown = np.diagonal(visible & self._answers, 1)
        return bool(shown.size and shown.mean() > 0.5)


def _hidden_whole(case: _Case) -> str:
    """Return what becomes of rows that are hidden whole: those there are, else any there might be.

    Where hiding is done right, such a row is what is left to go wrong.
    """
    t, outcome = case.t, case.outcome
    if not outcome.judged:
        return ""  # said already
    if outcome.empty.count:
        invented = case.result.invents_padding(case.name)
        return empty_words(outcome.empty, t, last_as_padding=invented)
    might_be = outcome.right and case.name in _FILLS
    return t(_FULL_ROW_SENTENCES[outcome.full_row]) if might_be else ""


def _fill_words(case: _Case) -> str:
    """Return the words for a fill before softmax, and for what trains as meant or is NaN."""
    if case.outcome.right:
        return _agrees(case)
    return _leak_words(case) if case.went_wrong else _nan_words(case)


def _leak_words(case: _Case) -> str:
    t = case.t
    if math.isnan(case.outcome.leak):
        return t("{effect}.", effect=case.effect)
    return t(
        "{effect}: hidden tokens move outputs by up to {leak}.", effect=case.effect, leak=case.leak
    )


def _agrees(case: _Case) -> str:
    """Return the words for what is right, as far as rows see something."""
    t = case.t
    as_meant = _seen_rows(case) or t("Trains as meant.")
    if case.name == "minus-1e9":
        return t.sentences(as_meant, _billion(case))
    if case.name.startswith("minus-1e4"):
        return t.sentences(as_meant, t("That holds while no hidden score comes near 1e4."))
    return as_meant


def _seen_rows(case: _Case) -> str:
    """Return that what is right is so in some rows alone; empty where all see something."""
    if not case.outcome.judged:
        return nothing_to_judge(case.t)
    return case.t("Right in the rows that see something.") if case.outcome.empty.count else ""


def nothing_to_judge(t: Translator) -> str:
    """Return that no row sees anything, which only padding that was not chosen brings about."""
    return t("With the last token as padding no row sees anything, so there is nothing to judge.")


def _billion(case: _Case) -> str:
    t = case.t
    if case.outcome.dtype != "float16":
        return t("After −1e9, softmax underflows to exactly 0.")
    # As in github.com/NVIDIA/apex/issues/1052.
    return t(
        "float16 ends at {largest}, so −1e9 becomes −∞ here; PyTorch's masked_fill refuses −1e9 in "
        "float16 with an error.",
        largest=f"{np.finfo(np.float16).max:,.0f}",
    )


_FULL_ROW_SENTENCES: dict[FullRow, str] = {
    "nan": mark(
        "A row that may look nowhere would be NaN, and the loss with it; this workbench's engine "
        "gives zeros."
    ),
    "uniform": mark(
        "A row that may look nowhere would weigh all keys equally, hidden ones too, without a "
        "warning."
    ),
    "unmasked": mark("A row that may look nowhere would be weighed as if there were no mask."),
    "zero": mark("A row that may look nowhere would have no weights and an output of 0."),
    "other": mark("A row that may look nowhere would still get weights, without a warning."),
}


# Which rows see nothing, under the mask alone and with the last token as padding: one, several.
_WHICH: dict[bool, tuple[str, str]] = {
    False: (
        mark("One row of this mask sees nothing"),
        mark("{rows} rows of this mask see nothing"),
    ),
    True: (
        mark("With the last token as padding, one row sees nothing"),
        mark("With the last token as padding, {rows} rows see nothing"),
    ),
}
# What such rows are: one of them, and several.
_FATES: dict[FullRow, tuple[str, str]] = {
    "nan": (
        mark("it is NaN, and so would be the loss"),
        mark("they are NaN, and so would be the loss"),
    ),
    "uniform": (
        mark("it weighs all keys equally, hidden ones too, without a warning"),
        mark("they weigh all keys equally, hidden ones too, without a warning"),
    ),
    "zero": (
        mark("it has no weights and an output of 0"),
        mark("they have no weights and outputs of 0"),
    ),
    "other": (
        mark("it still gets weights, without a warning"),
        mark("they still get weights, without a warning"),
    ),
}
_SOME_NAN = (
    mark("one of them is NaN, and so would be the loss"),
    mark("{lost} of them are NaN, and so would be the loss"),
)


def _nan_words(case: _Case) -> str:
    return case.t(
        "The loss would be NaN at the first step that reads one of these rows: {rows} of {T}.",
        rows=case.outcome.nan_rows,
        T=case.intended.shape[0],
    )


def _far_fill(case: _Case) -> str:
    if not case.went_wrong:
        return _fill_words(case)
    return case.t(
        "{effect}: a hidden score {far} above the visible scores of its row outweighs −1e4 and "
        "takes the whole row.",
        effect=case.effect,
        far=f"{FAR_FILL:,.0f}",
    )


def _times(case: _Case) -> str:
    if not case.went_wrong or math.isnan(case.outcome.leak):
        return _fill_words(case)
    return case.t(
        "{effect}: a hidden score becomes 0, not −∞, so a hidden token weighs as much as a visible "
        "one with score 0; outputs move by up to {leak}.",
        effect=case.effect,
        leak=case.leak,
    )


def _plus(case: _Case) -> str:
    if not case.went_wrong or math.isnan(case.outcome.leak):
        return _fill_words(case)
    return case.t(
        "{effect}: visible keys only gain a factor e, and nothing is hidden; outputs move by up to "
        "{leak}.",
        effect=case.effect,
        leak=case.leak,
    )


def _zeroed(case: _Case) -> str:
    if not case.went_wrong or math.isnan(case.outcome.leak):
        return _fill_words(case)
    values = {
        "least": measured_number(case.outcome.row_sums[0], DIGITS),
        "leak": case.leak,
    }
    if not case.hides_answers:
        return case.t(
            "Outputs are too small, by a factor that depends on hidden tokens: rows sum to as "
            "little as {least}, and outputs move by up to {leak} when a hidden token changes.",
            **values,
        )
    return case.t(
        "Outputs are too small, by a factor that depends on hidden tokens: rows sum to as little "
        "as {least}, and outputs move by up to {leak} when a hidden token changes. Training would "
        "fit a scale that generation does not have.",
        **values,
    )


def _renormalised(case: _Case) -> str:
    if case.outcome.right:
        return _seen_rows(case) or case.t(
            "Trains as meant, equal to the reference up to rounding, until a hidden score "
            "dominates its row."
        )
    return _lost_digits(case) if case.went_wrong else _nan_words(case)


def _lost_digits(case: _Case) -> str:
    words = case.t(
        "Visible weights are rounded beside a larger hidden one and lose digits: they are off by "
        "up to {difference}, and some number by {times} times what rounding to {dtype} accounts "
        "for.",
        difference=measured_number(case.outcome.difference, DIGITS),
        times=excess_words(case.outcome.excess),
        dtype=case.outcome.dtype,
    )
    return case.t.sentences(words, "" if case.loss_is_nan else case.t("Training would be noisier."))


def _far_underflow(case: _Case) -> str:
    t, outcome, far = case.t, case.outcome, number(FAR_UNDERFLOW, 0)
    if outcome.nan_rows:
        return t(
            "A hidden score {far} above the visible scores of its row leaves the visible keys "
            "nothing but 0: 0/0, and the loss would be NaN at that step.",
            far=far,
        )
    if outcome.right:
        return _seen_rows(case) or t(
            "Trains as meant, even with a hidden score {far} above the visible scores of its row: "
            "{dtype} still holds numbers that small.",
            far=far,
            dtype=outcome.dtype,
        )
    return _lost_digits(case)


def _wrong_axis(case: _Case) -> str:
    words = _on_the_query_axis(case)
    # Where nothing can be judged, the sentence says so itself.
    return case.t.sentences(words, last_as_padding(case) if case.outcome.judged else "")


def last_as_padding(case: _Case) -> str:
    """Return that the last token stands for the padding; empty where a token is padding."""
    if not case.result.takes_last_as_padding:
        return ""
    return case.t("No token is padding under this mask, so the last one is taken as padding here.")


def _on_the_query_axis(case: _Case) -> str:
    t, outcome = case.t, case.outcome
    if outcome.right:
        return _fill_words(case)
    rows = t(
        "The padding's own rows, from {first} on, see nothing and are NaN, and so would be a mean "
        "over all rows.",
        first=case.result.padded_length + 1,
    )
    if outcome.leaks:
        batch = t(
            "Real tokens still see the padding, so a sentence would come out of a batch unlike the "
            "same sentence alone."
        )
        return t.sentences(batch, rows if outcome.nan_rows else "")
    words = rows if outcome.nan_rows else _leak_words(case)
    return t.sentences(words, _hidden_in_any_case(case.result, t))


def _hidden_in_any_case(result: MistakesResult, t: Translator) -> str:
    """Return why real tokens do not see the padding although the padding mask does not hide it."""
    if not result.padding_is_hidden:
        return ""
    if result.params.pattern != "none" and not result.params.drawn:
        return t(
            "Causality hides this padding from real tokens already; without it they would see it."
        )
    return t("The mask that was drawn hides this padding from real tokens already.")


def _transposed(case: _Case) -> str:
    t = case.t
    if case.outcome.right:
        return _seen_rows(case) or t("Trains as meant: this mask is its own mirror image.")
    if case.loss_is_nan:
        return t.sentences(_rows_are_nan(case), _elsewhere(case))
    if case.reveals_next(case.intended.T):
        return _answers_in_view(t)
    return t("Queries see what should be hidden and miss what they may see; no error says so.")


def _inverted(case: _Case) -> str:
    t = case.t
    if case.outcome.right:
        return _fill_words(case)
    if case.loss_is_nan:
        others = t("The other rows see just the tokens that they may not see.")
        return t.sentences(_rows_are_nan(case), others)
    if case.reveals_next(~case.intended):
        return _answers_in_view(t)
    return t("Every query sees just the tokens that it may not see.")


def _answers_in_view(t: Translator) -> str:
    return t(
        "The loss would fall to nearly 0, since positions see the very token that they are to "
        "predict; generation would be useless."
    )


def _rows_are_nan(case: _Case) -> str:
    """Return how many rows of the mistaken mask see nothing, whatever the right one leaves them."""
    rows, T = case.outcome.all_nan_rows, case.intended.shape[0]
    if rows == 1:
        return case.t("The loss would be NaN: one of {T} rows sees nothing this way.", T=T)
    return case.t("The loss would be NaN: {rows} of {T} rows see nothing this way.", rows=rows, T=T)


def _elsewhere(case: _Case) -> str:
    """Return what is wrong beside rows of NaN; empty where nothing is."""
    if not (case.outcome.differs or case.outcome.leaks):
        return ""
    return case.t("Elsewhere queries see what they should not, or miss what they may see.")


_FILLS = ("minus-infinity", "minus-1e9", "minus-1e4", "minus-1e4-far")
_WRITERS = {
    "minus-1e4-far": _far_fill,
    "times-0-1": _times,
    "plus-0-1": _plus,
    "zero-after": _zeroed,
    "renormalise": _renormalised,
    "renormalise-far": _far_underflow,
    "wrong-axis": _wrong_axis,
    "transposed": _transposed,
    "inverted": _inverted,
}
