"""A padded batch under each kind of padding mask."""

from __future__ import annotations

from engine.experiments.masks.padding import Kind, PaddingResult
from engine.shapes import Array
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style, Table
from pages.figures.numerals import measured_number
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.text import Translator, translator
from pages.text.mask_names import PADDING


def padding_figure(result: PaddingResult, style: Style, kind: Kind = "keys") -> Figure:
    """Draw the weights of the three sentences under one kind of padding mask.

    Rows of padding queries that are computed stand in a bracket: nobody reads their outputs.
    """
    t = translator(style.language)
    title = t(PADDING[kind].title)
    note = _note(result, kind, t)
    blocks = [
        (
            str(number + 1),
            {"visible": result.visible[kind][number], "weight": result.weights[kind][number]},
        )
        for number in range(len(result.tokens))
    ]
    T = len(result.tokens[0])
    causal = ["causal"] if result.params.causal else []
    return panels_figure(
        tuple(_panel(result, kind, number, t) for number in range(len(result.tokens))),
        style,
        Words(
            "-".join(["masks-padding", kind, f"T{T}", *causal]),
            title,
            note,
            t.sentences(t("{title}.", title=title), note),
        ),
        row_title=t("query"),
        column_title=t("key"),
        table=_table(result, blocks),
        bracket_word=t("padding queries: computed, then ignored"),
    )


def _panel(result: PaddingResult, kind: Kind, number: int, t: Translator) -> Panel:
    tokens, length = result.tokens[number], result.lengths[number]
    computed = length < len(tokens) and bool(result.visible[kind][number, length:].any())
    return Panel(
        t("Sentence {number}", number=number + 1),
        result.weights[kind][number],
        masked=~result.visible[kind][number],
        row_labels=tokens,
        column_labels=tokens,
        bracket=(length, len(tokens) - 1) if computed else None,
    )


def _table(result: PaddingResult, blocks: list[tuple[str, dict[str, Array]]]) -> Table:
    """Return every sentence with its own labels."""
    names = ("sentence", "query", "key")
    tables = [
        cells_table([block], tokens, tokens, names)
        for block, tokens in zip(blocks, result.tokens, strict=True)
    ]
    return Table(tables[0].columns, tuple(row for table in tables for row in table.rows))


def _note(result: PaddingResult, kind: Kind, t: Translator) -> str:
    if min(result.lengths) == len(result.tokens[0]):
        return t("All sentences are equally long, so there is no padding to hide.")
    said = {
        "none": t("Padding is hidden from nobody."),
        "keys": t("No query looks at padding."),
        "queries": t("Padding queries look nowhere: their weights and outputs are 0."),
        "both": t(
            "No query looks at padding, and padding queries look nowhere: their weights and "
            "outputs are 0."
        ),
    }[kind]
    return t.sentences(said, _looks(result, kind, t), _error(result, kind, t))


def _looks(result: PaddingResult, kind: Kind, t: Translator) -> str:
    """Return what real tokens see of padding, where the kind of mask does not say it."""
    if kind in ("keys", "both"):
        return ""
    looks = any(
        visible[:length, length:].any()
        for visible, length in zip(result.visible[kind], result.lengths, strict=True)
    )
    if looks:
        return t("Real tokens look at padding keys, so the words of their sentence get less.")
    return t("The causal mask alone keeps real tokens from padding, which stands after them.")


def _error(result: PaddingResult, kind: Kind, t: Translator) -> str:
    """Return how far the batch is from each sentence alone."""
    error = max(result.errors[kind])
    if error == 0:
        return t("Each real token has the output that its sentence has alone, to the last bit.")
    if error <= result.rounding:
        return t(
            "Largest difference of an output of a real token to its sentence alone: {error}, which "
            "is rounding.",
            error=measured_number(error, 3),
        )
    return t(
        "Largest difference of an output of a real token to its sentence alone: {error}.",
        error=measured_number(error, 3),
    )
