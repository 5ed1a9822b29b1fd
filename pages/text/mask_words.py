"""What masks, their families and their mistakes are called, in the reader's language.

A sentence about training says what would follow from what was measured; nothing is trained here.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.mistakes import (
    FAR_FILL,
    FAR_UNDERFLOW,
    FullRow,
    MistakesResult,
    Outcome,
    Variant,
)
from engine.experiments.masks.spec import Pattern
from engine.shapes import Array
from pages.figures.numerals import measured_number, number
from pages.text.marking import mark
from pages.text.translator import Translator

DIGITS = 3  # decimals of a measured number in a sentence

_PATTERNS: dict[Pattern, str] = {
    "none": mark("Bidirectional"),
    "causal": mark("Causal"),
    "window": mark("Sliding window of {window}"),
    "prefix": mark("Prefix of {prefix}"),
}
_FAMILIES: dict[Pattern, str] = {
    "none": mark("Encoder-only models look both ways: {models}."),
    "causal": mark("Decoder-only models look back only: {models}."),
    "window": mark("Some decoder-only models look back over a window only: {models}."),
    "prefix": mark(
        "Prefix language models read the prompt both ways, the rest causally: {models}."
    ),
}
# Only models whose papers or code say so.
MODELS: dict[Pattern, tuple[str, ...]] = {
    "none": ("BERT", "RoBERTa"),
    "causal": ("GPT", "Llama", "Claude"),
    "window": ("Mistral 7B v0.1",),
    "prefix": (mark("the prefix LM of the T5 paper"), "UniLM", "PaliGemma"),
}


def spec_words(spec: MaskSpec, t: Translator) -> str:
    """Return a mask in a few words: ``Causal``, ``Sliding window of 3, padding after 4``."""
    if spec.drawn and spec.pattern == "none":
        words = t("Drawn by hand")
    else:
        words = t(_PATTERNS[spec.pattern], window=spec.window, prefix=spec.prefix)
        if spec.drawn:
            words = t("{mask}, drawn by hand", mask=words)
    if spec.length is not None:
        words = t("{mask}, padding after {length}", mask=words, length=spec.length)
    return words


def models_of(pattern: Pattern, t: Translator) -> str:
    """Return the models that use a pattern, in a row."""
    return t.listing(t(name) for name in MODELS[pattern])


def family_words(spec: MaskSpec, t: Translator) -> str:
    """Return which models use the pattern of a mask, in one sentence; empty where none is named."""
    if spec.drawn:
        return ""
    # A prefix of nothing is the causal mask.
    pattern = "causal" if spec.pattern == "prefix" and spec.prefix == 0 else spec.pattern
    return t(_FAMILIES[pattern], models=models_of(pattern, t))


_TITLES = {
    "minus-infinity": mark("−∞ before softmax (reference)"),
    "minus-1e9": mark("−1e9 before softmax"),
    "minus-1e4": mark("−1e4 before softmax"),
    "minus-1e4-far": mark("−1e4, huge hidden score"),
    "times-0-1": mark("Scores × 0/1 before softmax"),
    "plus-0-1": mark("0/1 mask added to the scores"),
    "zero-after": mark("Zeroed after softmax"),
    "renormalise": mark("Zeroed after, renormalised"),
    "renormalise-far": mark("Renormalised, huge hidden score"),
    "wrong-axis": mark("Padding mask on the query axis"),
    "transposed": mark("Mask upside down"),
    "inverted": mark("Mask inverted"),
}
_CODE = {
    "minus-infinity": "softmax(where(m, s, -inf))",
    "minus-1e9": "softmax(s + where(m, 0, -1e9))",
    "minus-1e4": "softmax(s + where(m, 0, -1e4))",
    "minus-1e4-far": "softmax(s + where(m, 0, -1e4))",
    "times-0-1": "softmax(s * m)",
    "plus-0-1": "softmax(s + m)",
    "zero-after": "softmax(s) * m",
    "renormalise": "w = softmax(s) * m; w / rowsum(w)",
    "renormalise-far": "w = softmax(s) * m; w / rowsum(w)",
    "wrong-axis": "softmax(where(m & real[:, None], s, -inf))",
    "transposed": "softmax(where(m.T, s, -inf))",
    "inverted": "softmax(where(~m, s, -inf))",
}
_FULL_ROWS: dict[FullRow, str] = {
    "nan": mark("NaN"),
    "uniform": mark("all equal"),
    "zero": mark("zeros"),
    "unmasked": mark("unmasked"),
    "other": mark("other"),
}


def variant_title(name: str, t: Translator) -> str:
    """Return a mistake in a few words: ``−1e9 before softmax``."""
    return t(_TITLES[name])


def variant_code(name: str) -> str:
    """Return a mistake as one short line of NumPy, the same in every language.

    ``s`` are the scaled scores, ``m`` the mask (True = may look), ``real`` the tokens that are no
    padding.
    """
    return _CODE[name]


def full_row_words(outcome: Outcome, t: Translator) -> str:
    """Return what becomes of a row that may look nowhere, in one or two words."""
    return t(_FULL_ROWS[outcome.full_row])


VERDICTS = (mark("right"), mark("NaN"), mark("wrong"))
NOT_RUN = mark("not run")


def verdict_word(outcome: Outcome, t: Translator) -> str:
    """Return ``right``, ``NaN`` or ``wrong``."""
    right, nan, wrong = VERDICTS
    if outcome.right:
        return t(right)
    return t(nan if outcome.nan_rows else wrong)


def training_words(
    result: MistakesResult, variant: Variant, outcome: Outcome, t: Translator
) -> str:
    """Return in one or two sentences what one would see in training, true for this outcome."""
    case = _Case(result, outcome, variant, t)
    words = _WRITERS.get(variant.name, _fill_words)(case)
    # Where hiding is done right, a row that is hidden whole is what is left to go wrong.
    about_rows = outcome.right and (variant.name in _FILLS or case.has_empty_row)
    return t.sentences(words, t(_FULL_ROW_SENTENCES[outcome.full_row]) if about_rows else "")


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
    def has_empty_row(self) -> bool:
        """Whether the mask that is meant leaves a row nothing to see."""
        return bool(np.any(~self.intended.any(axis=1)))

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
        """Whether a mask in the place of the right one shows a query the token after its own."""
        return bool(np.diagonal(visible & self._answers, 1).any())


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
    t, name = case.t, case.name
    if name == "minus-1e9" and case.outcome.dtype == "float16":
        largest = f"{np.finfo(np.float16).max:,.0f}"
        return t("Trains as meant: float16 ends at {largest}, so −1e9 is −∞.", largest=largest)
    if name == "minus-1e9":
        return t("Trains as meant: after −1e9, softmax underflows to exactly 0.")
    if name.startswith("minus-1e4"):
        return t("Trains as meant while no hidden score comes near 1e4.")
    return t("Trains as meant.")


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
        "{effect}: a hidden score {far} above its row outweighs −1e4 and takes the whole row.",
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
    return case.t(
        "{effect}: hidden tokens still act through the denominator, so rows sum to as little as "
        "{least} and outputs move by up to {leak}.",
        effect=case.effect,
        least=measured_number(case.outcome.row_sums[0], DIGITS),
        leak=case.leak,
    )


def _renormalised(case: _Case) -> str:
    if case.outcome.right:
        return case.t(
            "Trains as meant, equal to the reference up to rounding, until a hidden score "
            "dominates its row."
        )
    return _lost_digits(case) if case.went_wrong else _nan_words(case)


def _lost_digits(case: _Case) -> str:
    return case.t(
        "Visible weights are rounded beside a larger hidden one and lose digits, up to "
        "{difference}: training would be noisier.",
        difference=measured_number(case.outcome.difference, DIGITS),
    )


def _far_underflow(case: _Case) -> str:
    t, outcome, far = case.t, case.outcome, number(FAR_UNDERFLOW, 0)
    if outcome.nan_rows:
        return t(
            "A hidden score {far} above its row leaves the visible keys nothing but 0: 0/0, and "
            "the loss would be NaN at that step.",
            far=far,
        )
    if outcome.right:
        return t(
            "Trains as meant, even with a hidden score {far} above its row: {dtype} still holds "
            "numbers that small.",
            far=far,
            dtype=outcome.dtype,
        )
    return _lost_digits(case)


def _wrong_axis(case: _Case) -> str:
    t, outcome = case.t, case.outcome
    if outcome.right:
        return _fill_words(case)
    words = t(
        "The padding's own rows, from {first} on, see nothing and are NaN, and so would be a mean "
        "over all rows.",
        first=case.result.padded_length + 1,
    )
    if not outcome.leaks:
        return words if outcome.nan_rows else _leak_words(case)
    batch = t(
        "Real tokens still see the padding, so a sentence would come out of a batch unlike the "
        "same sentence alone."
    )
    return t.sentences(batch, words if outcome.nan_rows else "")


def _transposed(case: _Case) -> str:
    t = case.t
    if case.outcome.right:
        return t("Trains as meant: this mask is its own mirror image.")
    if case.reveals_next(case.intended.T):
        return t.sentences(_answers_in_view(t), _rows_are_nan(case))
    words = t("Queries see what should be hidden and miss what they may see; no error says so.")
    return t.sentences(words, _rows_are_nan(case))


def _inverted(case: _Case) -> str:
    t = case.t
    if case.outcome.right:
        return _fill_words(case)
    if case.reveals_next(~case.intended):
        return t.sentences(_answers_in_view(t), _rows_are_nan(case))
    words = t("Every query sees just the tokens that it may not see.")
    return t.sentences(words, _rows_are_nan(case))


def _answers_in_view(t: Translator) -> str:
    return t(
        "The loss would fall to nearly 0, since positions see the very token that they are to "
        "predict; generation would be useless."
    )


def _rows_are_nan(case: _Case) -> str:
    if not case.outcome.nan_rows:
        return ""
    return case.t(
        "Rows that see nothing are NaN ({rows} of {T}), and so would be the loss.",
        rows=case.outcome.nan_rows,
        T=case.intended.shape[0],
    )


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
