"""A causal mask for unequal lengths, aligned upper-left and lower-right."""

from __future__ import annotations

from engine.experiments.masks.alignment import Aligned, AlignmentResult
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style
from pages.figures.masks.common import named_tokens
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.text import Translator, translator


def alignment_figure(result: AlignmentResult, style: Style) -> Figure:
    """Draw the weights under both alignments side by side."""
    t = translator(style.language)
    sizes = {"T": len(result.queries), "S": len(result.keys)}
    title = t("A causal mask with T = {T} queries and S = {S} keys: two alignments", **sizes)
    note = _note(result, t)
    sides = (result.upper, result.lower)
    blocks = [(side.align, {"visible": side.visible, "weight": side.weights}) for side in sides]
    return panels_figure(
        tuple(Panel(_align_words(side, t), side.weights, masked=~side.visible) for side in sides),
        style,
        Words(
            "masks-alignment-T{T}-S{S}".format(**sizes),
            title,
            note,
            t.sentences(t("{title}.", title=title), note),
        ),
        row_title=t("query"),
        column_title=t("key"),
        table=cells_table(blocks, result.queries, result.keys, ("alignment", "query", "key")),
    )


def _align_words(side: Aligned, t: Translator) -> str:
    return t("Upper-left") if side.align == "upper-left" else t("Lower-right")


def _note(result: AlignmentResult, t: Translator) -> str:
    if len(result.queries) == len(result.keys):
        return t("With as many queries as keys both alignments are the same mask.")
    return t.sentences(
        t("Upper-left: query 1 sees key 1 only. Lower-right: the last query sees every key."),
        _empty(result, t),
        _unused(result, t),
    )


def _empty(result: AlignmentResult, t: Translator) -> str:
    rows = result.lower.empty_rows
    if not rows:
        return ""
    queries = named_tokens(rows, (), t)
    if len(rows) == 1:
        return t(
            "Lower-right: query {queries} may look nowhere, so its weights and its output are 0 "
            "here.",
            queries=queries,
        )
    return t(
        "Lower-right: queries {queries} may look nowhere, so their weights and outputs are 0 here.",
        queries=queries,
    )


def _unused(result: AlignmentResult, t: Translator) -> str:
    """Return which keys no query sees under the upper-left mask."""
    count = int((~result.upper.visible.any(axis=0)).sum())
    if not count:
        return ""
    if count == 1:
        return t("Upper-left: no query sees the last key.")
    return t("Upper-left: no query sees the last {count} keys.", count=count)
