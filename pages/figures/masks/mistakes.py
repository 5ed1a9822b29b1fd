"""The table of mask mistakes, and one of them beside the right weights."""

from __future__ import annotations

import numpy as np

from engine.experiments.masks.mistakes import (
    DTYPES,
    FAR_FILL,
    FAR_UNDERFLOW,
    MistakesResult,
    Outcome,
    Variant,
)
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.masks.common import cells_table, labels_of, stem
from pages.figures.masks.mistake_columns import HEADINGS, SIZES
from pages.figures.masks.mistake_table import MistakeTable
from pages.figures.numerals import measured_number
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.figures.slide import open_sheet
from pages.text import Translator, translator
from pages.text.mask_words import (
    full_row_words,
    training_words,
    variant_code,
    variant_title,
    verdict_word,
)

_WIDTH, _PADDING = 868.0, 6.0  # on screen


def mistakes_figure(result: MistakesResult, style: Style, chosen: str = "") -> Figure:
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
    """
    t = translator(style.language)
    title = t("Mask mistakes, measured in {dtype}", dtype=result.params.dtype)
    note = _note(result, style, chosen, t)
    canvas = _draw(result, style, chosen, title, note)
    alt = t.sentences(t("{title}.", title=title), _alt(result, t), note)
    name = _stem("mistakes", result)
    return Figure(name, title, canvas.spec(alt), _table(result, t), note, alt)


def _draw(result: MistakesResult, style: Style, chosen: str, title: str, note: str) -> Canvas:
    size, rows = SIZES[style.size], len(result.variants)
    if style.size == "screen":
        height = size.height(rows) + 2 * _PADDING
        canvas = Canvas(_WIDTH, height, style.colours, transparent=style.transparent)
        left, top, width, room = 0.0, _PADDING, _WIDTH, size.height(rows)
    else:
        canvas, (left, top, width, room) = open_sheet(style, title, note, "weights")
    table = MistakeTable(canvas, result, style, chosen)
    table.shrink(room)
    table.draw(left + (width - size.width) / 2, top + (room - table.height) / 2)
    return canvas


def _note(result: MistakesResult, style: Style, chosen: str, t: Translator) -> str:
    return t.sentences(
        _chosen_note(result, style, chosen, t),
        _verdict_note(style, t),
        _far_note(t),
        _full_row_note(style, t),
        _missing_note(result, t),
        _left_out_note(style, t),
    )


def _verdict_note(style: Style, t: Translator) -> str:
    if SIZES[style.size].words:
        return t("Right: no NaN, no leak and no difference to the reference beyond rounding.")
    return t("Tick: no NaN, no leak and no difference to the reference beyond rounding.")


def _far_note(t: Translator) -> str:
    return t(
        "Huge: one hidden score is raised {fill} above its row, for renormalising {underflow}.",
        fill=f"{FAR_FILL:,.0f}",
        underflow=f"{FAR_UNDERFLOW:,.0f}",
    )


def _full_row_note(style: Style, t: Translator) -> str:
    if not SIZES[style.size].words:
        return ""  # a narrow sheet keeps its room for the rows
    return t("Fully masked row: what a row that may look nowhere would become.")


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


def _chosen_note(result: MistakesResult, style: Style, chosen: str, t: Translator) -> str:
    """Return what the chosen mistake would do; on screen it stands beside the figure."""
    if style.size == "screen" or chosen not in [variant.name for variant in result.variants]:
        return ""
    variant = result.variant(chosen)
    words = training_words(result, variant, variant.outcomes[result.params.dtype], t)
    return t("{title}. {words}", title=variant_title(chosen, t), words=words)


def _alt(result: MistakesResult, t: Translator) -> str:
    verdicts = [
        t(
            "{name}: {value}",
            name=variant_title(variant.name, t),
            value=verdict_word(variant.outcomes[result.params.dtype], t),
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
    result: MistakesResult, style: Style, variant: str = "zero-after"
) -> Figure:
    """Draw the weights of one variant beside the reference.

    A weight that is not 0 although the mask hides its cell is outlined; NaN is written out.
    """
    t = translator(style.language)
    chosen, dtype = result.variant(variant), result.params.dtype
    outcome, hidden = chosen.outcomes[dtype], ~chosen.intended
    name = variant_title(variant, t)
    title = t("{name}, in {dtype}", name=name, dtype=dtype)
    seen = hidden & (np.nan_to_num(outcome.weights) != 0)
    labels = labels_of(result.head, result.params)
    panels = (
        Panel(t("Reference"), outcome.reference, "weights", hidden, None, labels, labels),
        Panel(t("This way"), outcome.weights, "weights", hidden, seen, labels, labels),
    )
    note = _weights_note(outcome, bool(seen.any()), style, t)
    alt = t.sentences(t("{title}.", title=title), note)
    file_name = _stem(f"mistake-{variant}", result)
    return panels_figure(
        panels,
        style,
        Words(file_name, title, note, alt),
        row_title=t("query"),
        column_title=t("key"),
        table=_weights_table(result, chosen, outcome),
    )


def _weights_note(outcome: Outcome, leaks: bool, style: Style, t: Translator) -> str:
    parts = []
    if outcome.nan_rows:
        parts.append(
            t("NaN in {rows} of {T} rows.", rows=outcome.nan_rows, T=outcome.weights.shape[0])
        )
    parts.append(
        t(
            "Largest difference to the reference: {difference}; leak, the largest move of an "
            "output when a token that its query may not see changes: {leak}.",
            difference=measured_number(outcome.difference, style.decimals),
            leak=measured_number(outcome.leak, style.decimals),
        )
    )
    if leaks:
        parts.append(t("Outlined: a weight that is not 0 although the mask hides its key."))
    return t.sentences(*parts)


def _weights_table(result: MistakesResult, variant: Variant, outcome: Outcome) -> Table:
    values = {
        "visible": variant.intended,
        "reference": outcome.reference,
        "weight": outcome.weights,
    }
    tokens = result.head.tokens
    return cells_table([(variant.name, values)], tokens, tokens, ("mistake", "query", "key"))


def _stem(word: str, result: MistakesResult) -> str:
    """Return a file name without its ending, which says what was measured."""
    params = result.params
    return f"{stem(word, params, result.head, params.mask)}-{params.dtype}"
