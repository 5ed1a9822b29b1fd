"""How far each sentence of a padded batch is from the same sentence without padding."""

from __future__ import annotations

from engine.experiments.masks.padding import KINDS, PaddingResult
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.numerals import measured_number
from pages.figures.plot import Axis, Screen, Words, bar_figure
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.mask_names import PADDING

SCREEN = Screen(868.0, 320.0)


def padding_error_figure(result: PaddingResult, style: Style) -> Figure:
    """Draw how far each sentence is from itself without padding, for each kind of mask.

    An exact zero is written ``0``; rounding is written as what it is.
    """
    t = translator(style.language)
    title = t("What padding does to the outputs of real tokens")
    note = _note(result, style, t)
    alt = t.sentences(t("{title}.", title=title), note)
    series = tuple(
        Series(t(PADDING[kind].said), result.errors[kind], series_colour(place, style.theme))
        for place, kind in enumerate(KINDS)
    )
    causal = ["causal"] if result.params.causal else []
    name = "-".join(["masks-padding-error", f"T{max(result.lengths)}", *causal])
    return bar_figure(
        [_sentence(result, row) for row in range(len(result.lengths))],
        series,
        style,
        Words(name, title, note, alt, "output"),
        x_title=t("sentence: tokens + padding"),
        y_axis=Axis(t("largest difference of an output"), 0.0, _most(result)),
        table=_table(result, t),
        screen=SCREEN,
        measured=True,
    )


def _most(result: PaddingResult) -> float | None:
    """Return the end of the axis: what is rounding alone must not fill it."""
    return None if result.errs else result.largest or 1.0


def _sentence(result: PaddingResult, row: int) -> str:
    length = result.lengths[row]
    return f"{row + 1}: {length} + {max(result.lengths) - length}"


def _note(result: PaddingResult, style: Style, t: Translator) -> str:
    parts = [
        t(
            "{value} ({name})",
            name=t(PADDING[kind].said),
            value=measured_number(max(result.errors[kind]), style.decimals),
        )
        for kind in KINDS
    ]
    largest = t("Largest difference to the same sentence alone: {parts}.", parts=t.listing(parts))
    return t.sentences(largest, _reason(result, t))


def _reason(result: PaddingResult, t: Translator) -> str:
    """Return why the numbers are what they are."""
    if min(result.lengths) == max(result.lengths):
        return t("All sentences have the same length, so there is no padding.")
    if result.params.causal:
        return t(
            "Padding comes after every real token, so the causal mask hides it from them already."
        )
    return t(
        "Real tokens come out right where the padding keys are hidden; what the padding's own "
        "queries see does not touch them."
    )


def _table(result: PaddingResult, t: Translator) -> Table:
    rows = tuple(
        (row + 1, result.lengths[row], t(PADDING[kind].said), result.errors[kind][row])
        for row in range(len(result.lengths))
        for kind in KINDS
    )
    return Table(("sentence", "real tokens", "hidden", "largest difference of an output"), rows)
