"""The mask beside the measured influence of every token on every output."""

from __future__ import annotations

from typing import Literal

import numpy as np

from engine.experiments.masks.influence import CHANGE, Influence, InfluenceResult
from engine.experiments.masks.spec import MaskSpec
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Style, Table
from pages.figures.masks.common import common_limit, labels_of, spec_stem, stem
from pages.figures.numerals import measured_number, number_in_full
from pages.figures.panel import Words
from pages.figures.panels import Panel, panels_figure
from pages.text import Translator, translator
from pages.text.mask_words import spec_words


def influence_figure(
    result: InfluenceResult, style: Style, side: Literal["a", "b"] = "b"
) -> Figure:
    """Draw the mask of one side beside its measured influence.

    Parameters
    ----------
    result : InfluenceResult
        From ``engine.experiments.masks.influence.measure_influence``.
    style : Style
        Theme, language, size, decimals.
    side : {"a", "b"}
        Which of the two masks.
    """
    t = translator(style.language)
    found, spec = _side(result, side)
    labels = labels_of(result.head, result.params)
    mask = spec_words(spec, t)
    title = t("Measured influence under the mask: {mask}", mask=spec_words(spec, t, inside=True))
    note = _note(found, t)
    panels = (
        Panel(mask, found.moves, "mask", ~found.visible, None, labels, labels),
        _moves_panel(found, labels, t),
    )
    return panels_figure(
        panels,
        style,
        Words(
            stem("influence", result.params, result.head, spec),
            title,
            note,
            t.sentences(t("{title}.", title=title), note),
            "output",
        ),
        row_title=t("output"),
        column_title=t("changed token"),
        table=_table(result, side),
    )


def _table(result: InfluenceResult, side: Literal["a", "b"]) -> Table:
    (found, spec), tokens = _side(result, side), result.head.tokens
    quantities = {"visible": found.visible, "largest move of an output component": found.moves}
    blocks = [(f"{side}: {spec_stem(spec)}", quantities)]
    return cells_table(blocks, tokens, tokens, ("mask", "output", "changed token"))


def _side(result: InfluenceResult, side: Literal["a", "b"]) -> tuple[Influence, MaskSpec]:
    if side == "a":
        return result.a, result.params.a
    return result.b, result.params.b


def _moves_panel(found: Influence, labels: tuple[str, ...], t: Translator) -> Panel:
    unseen = _unseen(found)
    return Panel(
        t("How far each output moves"),
        found.moves,
        "output",
        masked=unseen & (found.moves == 0),
        alert=unseen & (found.moves > 0),
        row_labels=labels,
        column_labels=labels,
        measure=t("move"),
        limit=common_limit(found.moves[~unseen]),
    )


def _unseen(found: Influence) -> np.ndarray:
    """Return where an output must not move: the diagonal may, since its query changes."""
    return ~found.visible & ~np.eye(len(found.visible), dtype=np.bool_)


def _note(found: Influence, t: Translator) -> str:
    change = number_in_full(CHANGE)
    said = [
        t(
            "{change} is added to every component of one token after the other; a cell is the "
            "largest move of a component of an output.",
            change=change,
        ),
        _leak(found, t),
    ]
    if not found.visible.diagonal().all():
        said.append(
            t("The diagonal may move under any mask, since a token's own query changes with it.")
        )
    return t.sentences(*said)


def _leak(found: Influence, t: Translator) -> str:
    count = int(_unseen(found).sum())
    if found.visible.all():
        return t("This mask hides nothing, so every token may move every output.")
    if len(found.visible) == 1:
        return t("The one token is hidden from itself, and there is no other.")
    if not count:
        return t("This mask hides a token only from itself, so every other one may move it.")
    if found.leak == 0:
        return t(
            "Hidden cells off the diagonal: {count}; the largest move there is 0, to the last bit.",
            count=count,
        )
    return t(
        "Hidden cells off the diagonal: {count}; the largest move there is {leak}. They leak.",
        count=count,
        leak=measured_number(found.leak, 3),
    )
