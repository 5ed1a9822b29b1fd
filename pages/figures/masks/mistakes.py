"""The table of mask mistakes, and one of them beside the right weights."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.experiments.masks.mistakes import (
    DTYPES,
    Dtype,
    MistakesResult,
    Outcome,
    Variant,
)
from engine.experiments.masks.precision import require_dtype
from engine.shapes import Array
from pages.figures.canvas import Canvas
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style, Table
from pages.figures.masks.common import common_limit, labels_of, stem
from pages.figures.masks.mistake_columns import SIZES, is_rounding
from pages.figures.masks.mistake_notes import note_of
from pages.figures.masks.mistake_table import MistakeTable
from pages.figures.numerals import measured_number
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.figures.slide import open_sheet
from pages.text import Translator, translator
from pages.text.mask_training import (
    NOT_TRAINED,
    empty_words,
    nothing_to_judge,
    training_words,
)
from pages.text.mask_words import full_row_words, variant_code, variant_title, verdict_word

_WIDTH, _PADDING = 868.0, 6.0  # on screen


def mistakes_figure(
    result: MistakesResult, style: Style, chosen: str = "", dtype: Dtype = "float32"
) -> Figure:
    """Draw the table; the row of the chosen variant is marked.

    On screen each row is clickable: its cells carry ``row`` and ``column`` as a board's do.

    Parameters
    ----------
    result : MistakesResult
        From ``engine.experiments.masks.mistakes.make_mistakes``.
    style : Style
        Theme, language, size, decimals.
    chosen : str
        Name of the variant whose row is marked; empty for none.
    dtype : str
        Whose numbers are shown.

    Raises
    ------
    OptionError
        When the backend of the result does not have the dtype.
    """
    require_dtype(dtype, result.backend_name)
    t = translator(style.language)
    title = t("Mask mistakes, measured in {dtype}", dtype=dtype)
    shown = [variant.outcomes[dtype] for variant in result.variants]
    about_chosen = _chosen_note(result, style, chosen, dtype)
    note = t.sentences(about_chosen, note_of(result, shown, style, alone=not about_chosen))
    canvas = _draw(result, style, chosen, dtype, title, note)
    alt = t.sentences(t("{title}.", title=title), _alt(result, dtype, t), note)
    name = _stem("mistakes", result, dtype)
    return Figure(name, title, canvas.spec(alt), _table(result, t), note, alt)


def _draw(
    result: MistakesResult, style: Style, chosen: str, dtype: Dtype, title: str, note: str
) -> Canvas:
    size, rows = SIZES[style.size], len(result.variants)
    if style.size == "screen":
        height = size.height(rows) + 2 * _PADDING
        canvas = Canvas(_WIDTH, height, style.colours, transparent=style.transparent)
        left, top, width, room = 0.0, _PADDING, _WIDTH, size.height(rows)
    else:
        canvas, (left, top, width, room) = open_sheet(style, title, note, "weights")
    table = MistakeTable(canvas, result, style, chosen, dtype)
    table.shrink(room)
    table.draw(left + (width - size.width) / 2, top + (room - table.height) / 2)
    return canvas


def _chosen_note(result: MistakesResult, style: Style, chosen: str, dtype: Dtype) -> str:
    """Return what the chosen mistake would do; on screen it stands beside the figure."""
    if style.size == "screen" or chosen not in [variant.name for variant in result.variants]:
        return ""
    variant, t = result.variant(chosen), translator(style.language)
    words = training_words(result, variant, variant.outcomes[dtype], t)
    said = t("{title}. {words}", title=variant_title(chosen, t), words=words)
    return t.sentences(said, t(NOT_TRAINED))


def _alt(result: MistakesResult, dtype: Dtype, t: Translator) -> str:
    verdicts = [
        t(
            "{name}: {value}",
            name=variant_title(variant.name, t),
            value=verdict_word(variant.outcomes[dtype], t),
        )
        for variant in result.variants
    ]
    return t("{parts}.", parts=t.clauses(verdicts))


def _table(result: MistakesResult, t: Translator) -> Table:
    columns = (
        "mistake", "code", "dtype", "smallest row sum", "largest row sum", "largest difference",
        "leak", "NaN rows", "fully masked row", "verdict", "in training",
    )  # fmt: skip
    rows = tuple(
        _table_row(result, variant, variant.outcomes[dtype], t)
        for variant in result.variants
        for dtype in DTYPES
        if dtype in variant.outcomes
    )
    return Table(columns, rows)


def _table_row(
    result: MistakesResult, variant: Variant, outcome: Outcome, t: Translator
) -> tuple[object, ...]:
    return (
        variant_title(variant.name, t), variant_code(variant.name), outcome.dtype,
        *outcome.row_sums, outcome.difference, outcome.leak, outcome.nan_rows,
        full_row_words(outcome, t), verdict_word(outcome, t),
        training_words(result, variant, outcome, t),
    )  # fmt: skip


def mistake_weights_figure(
    result: MistakesResult,
    style: Style,
    variant: str = "zero-after",
    dtype: Dtype = "float32",
) -> Figure:
    """Draw the weights of one variant beside the reference.

    A weight that is not 0 although the mask hides its cell is outlined; NaN is written out.

    Raises
    ------
    OptionError
        When the backend of the result does not have the dtype.
    """
    t = translator(style.language)
    chosen, outcome = result.variant(variant), result.outcome(variant, dtype)
    leaking = _leaking(chosen, outcome)
    title = t("{name}, in {dtype}", name=variant_title(variant, t), dtype=dtype)
    invented = result.invents_padding(variant)
    note = _weights_note(outcome, bool(leaking.any()), style, t, last_as_padding=invented)
    alt = t.sentences(t("{title}.", title=title), note)
    return panels_figure(
        _panels(result, chosen, outcome, leaking, t),
        style,
        Words(_stem(f"mistake-{variant}", result, dtype), title, note, alt),
        row_title=t("query"),
        column_title=t("key"),
        table=_weights_table(result, chosen, outcome),
    )


def _leaking(variant: Variant, outcome: Outcome) -> Array:
    """Return where a weight is not 0 although its cell is hidden."""
    return np.asarray(~variant.intended & (np.nan_to_num(outcome.weights) != 0))


def _panels(
    result: MistakesResult, variant: Variant, outcome: Outcome, leaking: Array, t: Translator
) -> tuple[Panel, Panel]:
    labels, hidden = labels_of(result.head, result.params), ~variant.intended
    shown = np.concatenate([outcome.reference[~hidden], outcome.weights[~hidden]])
    limit = common_limit(shown[~np.isnan(shown)])
    panel = partial(
        Panel, role="weights", masked=hidden, row_labels=labels, column_labels=labels, limit=limit
    )
    return (
        panel(t("Reference"), outcome.reference),
        panel(t("This way"), outcome.weights, alert=leaking),
    )


def _weights_note(
    outcome: Outcome, leaks: bool, style: Style, t: Translator, *, last_as_padding: bool
) -> str:
    if not outcome.judged:
        return t.sentences(_nan_note(outcome, t), nothing_to_judge(t))
    return t.sentences(
        _nan_note(outcome, t),
        t(
            "Largest difference to the reference: {difference}; leak, the largest move of an "
            "output when a token that its query may not see changes: {leak}.",
            difference=measured_number(outcome.difference, style.decimals),
            leak=_leak_words(outcome, style, t),
        ),
        t("Outlined: a weight that is not 0 although the mask hides its key.") if leaks else "",
        _empty_note(outcome, t, last_as_padding=last_as_padding),
    )


def _nan_note(outcome: Outcome, t: Translator) -> str:
    rows = outcome.all_nan_rows
    if not rows:
        return ""
    return t("NaN in {rows} of {T} rows.", rows=rows, T=outcome.weights.shape[0])


def _leak_words(outcome: Outcome, style: Style, t: Translator) -> str:
    value = measured_number(outcome.leak, style.decimals)
    return t("{value}, which is rounding", value=value) if is_rounding(outcome) else value


def _empty_note(outcome: Outcome, t: Translator, *, last_as_padding: bool) -> str:
    """Return what rows that see nothing are here, and that they are not measured."""
    if not outcome.empty.count:
        return ""
    if outcome.empty.kind in ("uniform", "other"):
        left_out = t(
            "Difference and leak leave such rows out, though their weights are outlined too."
        )
    else:
        left_out = t("Difference and leak leave such rows out.")
    words = empty_words(outcome.empty, t, last_as_padding=last_as_padding)
    return t.sentences(words, left_out)


def _weights_table(result: MistakesResult, variant: Variant, outcome: Outcome) -> Table:
    values = {
        "visible": variant.intended,
        "reference": outcome.reference,
        "weight": outcome.weights,
    }
    tokens = result.head.tokens
    return cells_table([(variant.name, values)], tokens, tokens, ("mistake", "query", "key"))


def _stem(word: str, result: MistakesResult, dtype: Dtype) -> str:
    """Return a file name without its ending, which says what was measured."""
    params = result.params
    return f"{stem(word, params, result.head, params.mask)}-{dtype}"
