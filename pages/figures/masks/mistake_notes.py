"""The words below the table of mask mistakes."""

from __future__ import annotations

from engine.experiments.masks.mistakes import (
    DTYPES,
    FAR_FILL,
    FAR_UNDERFLOW,
    MistakesResult,
    Outcome,
)
from pages.figures.figure import Style
from pages.figures.masks.mistake_columns import HEADINGS, ROUNDING, SIZES, is_rounding
from pages.text import Translator, translator


def note_of(
    result: MistakesResult, shown: list[Outcome], style: Style, *, alone: bool = True
) -> str:
    """Return what to know about the table.

    Parameters
    ----------
    result : MistakesResult
        What the table is of.
    shown : list of Outcome
        Of each variant, in the dtype whose numbers it shows.
    style : Style
        Language, and the size that decides on columns and words.
    alone : bool
        Whether nothing stands before it; what is said of a chosen row takes room on narrow sheets.
    """
    t = translator(style.language)
    whole = alone or SIZES[style.size].words
    return t.sentences(
        _empty_note(result, t) if whole else "",
        _verdict_note(style, t),
        _rounding_note(shown, t),
        _far_note(t) if whole else "",
        _full_row_note(result, shown, style, t),
        _padding_note(result, shown, t) if whole else "",
        _missing_note(result, t),
        _left_out_note(style, t),
    )


def _verdict_note(style: Style, t: Translator) -> str:
    if SIZES[style.size].words:
        return t("Right: no NaN, no leak and no difference to the reference beyond rounding.")
    return t("Tick: no NaN, no leak and no difference to the reference beyond rounding.")


def _empty_note(result: MistakesResult, t: Translator) -> str:
    """Return how many rows see nothing and are not judged; empty where all see something."""
    rows = result.empty_rows
    if not rows:
        return ""
    if rows == 1:
        return t("One row of this mask sees nothing; no number here counts it.")
    return t("{rows} rows of this mask see nothing; no number here counts them.", rows=rows)


def _rounding_note(shown: list[Outcome], t: Translator) -> str:
    if not any(is_rounding(outcome) for outcome in shown):
        return ""
    return t("{sign}: a leak that is nothing but rounding.", sign=ROUNDING)


def _far_note(t: Translator) -> str:
    return t(
        "Huge: one hidden score is raised {fill} above the visible scores of its row, for "
        "renormalising {underflow}.",
        fill=f"{FAR_FILL:,.0f}",
        underflow=f"{FAR_UNDERFLOW:,.0f}",
    )


def _full_row_note(
    result: MistakesResult, shown: list[Outcome], style: Style, t: Translator
) -> str:
    if not SIZES[style.size].words:
        return ""  # a narrow sheet keeps its room for the rows
    words = t(
        "Fully masked row: what one row, {row}, becomes when it is hidden whole as a test.",
        row=result.hidden_row + 1,
    )
    if not any(outcome.full_row == "other" for outcome in shown):
        return words
    return t.sentences(words, t("Uneven: it still attends, but not as without a mask."))


def _padding_note(result: MistakesResult, shown: list[Outcome], t: Translator) -> str:
    if not result.takes_last_as_padding:
        return ""
    if not all(outcome.judged for outcome in shown):
        return t(
            "No token is padding here: on the query axis the last one is taken as padding, which "
            "leaves no row anything to see, so there is nothing to judge."
        )
    return t("No token is padding here: on the query axis the last one is taken as padding.")


def _missing_note(result: MistakesResult, t: Translator) -> str:
    missing = [dtype for dtype in DTYPES if dtype not in result.variants[0].outcomes]
    if not missing:
        return ""
    return t("{dtypes} does not run on this backend.", dtypes=t.listing(missing))


def _left_out_note(style: Style, t: Translator) -> str:
    shown = {name for name, _ in SIZES[style.size].measures}
    left_out = [t(heading) for name, heading in HEADINGS.items() if name not in shown]
    if not left_out:
        return ""
    return t("Left out here: {columns}.", columns=t.listing(left_out))
