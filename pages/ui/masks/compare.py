"""Compare: the same scores under two masks, and what becomes of weights and outputs."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks import Result, Side
from pages.figures.numerals import measured_number, number
from pages.gallery import exhibit
from pages.gallery.masks import DIFFERENCE, FAMILIES, OUTPUT_CHANGE, WEIGHTS
from pages.text import Translator
from pages.text.markup import quoted
from pages.ui import figure_view, settings, workspace
from pages.ui.masks import computing, fields, state, words

HALF = 424  # pixels: two figures beside each other
EXAMPLE_PAGE = "pages/worked_example.py"


def draw() -> None:
    """Draw the tab that compares two masks."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.compared(t)
    workspace.draw(
        lambda: numbers(result, decimals, t),
        lambda: workspace.notice(t, *notices(result, t)),
        lambda: figure(WEIGHTS, result, decimals),
    )
    with st.container(horizontal=True, gap="small"):
        for name in (DIFFERENCE, OUTPUT_CHANGE):
            with st.container(width=HALF):
                figure(name, result, decimals)
        if result.params.source == "textbook":
            with st.container(width=HALF):
                outputs(result, decimals, t)
    families(t)


def figure(name: str, result: Result, decimals: int) -> None:
    """Draw one figure of the comparison."""
    shown = exhibit(name, result, params=result.params, backend=result.backend_name)
    figure_view.show(shown, name, decimals=decimals)


def numbers(result: Result, decimals: int, t: Translator) -> None:
    """Draw how much each mask hides, what moves most, and how many keys share the weight."""
    T = len(result.head.tokens)
    most = int(result.moved.argmax())
    hidden = [int((~side.visible).sum()) for side in (result.a, result.b)]
    workspace.metric(
        t("Hidden, A | B"),
        f"{hidden[0]} | {hidden[1]}",
        t("of {count} cells", count=T * T),
    )
    workspace.metric(
        t("Output change"),
        measured_number(float(result.moved[most]), decimals),
        moved_words(result, most, t),
        help=t("From mask A to mask B: the largest change of a component, and whose output it is."),
    )
    workspace.metric(
        t("Effective keys, A | B"),
        " | ".join(number(side.mean_keys, 2) for side in (result.a, result.b)),
        mean_words(result, t),
        help=t("How many keys share the weight: exp of the entropy of the row."),
    )


def mean_words(result: Result, t: Translator) -> str:
    """Return over how many rows the effective keys are averaged: a row that sees none has none."""
    T = len(result.head.tokens)
    if not (result.a.empty_rows or result.b.empty_rows):
        return t("of {T}, on average", T=T)
    return t(
        "mean of {a} | {b} rows", a=T - len(result.a.empty_rows), b=T - len(result.b.empty_rows)
    )


def moved_words(result: Result, most: int, t: Translator) -> str:
    """Return whose output moves most, or that none does."""
    if result.moves:
        return words.token(result.head, most)
    return t("rounding alone") if result.moved[most] else ""


def notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these two masks."""
    return [cells_said(result, t), rows_said(result, t), empty_said(result, t)]


def cells_said(result: Result, t: Translator) -> str:
    """Return which cells the masks tell apart."""
    only_a = int((result.b.visible & ~result.a.visible).sum())
    only_b = int((result.a.visible & ~result.b.visible).sum())
    if only_a and only_b:
        return both_hide(only_a, only_b, bool(result.a.empty_rows or result.b.empty_rows), t)
    if only_b:
        return one_hides("B", "A", result.b, result.a, t)
    if only_a:
        return one_hides("A", "B", result.a, result.b, t)
    return t("Both masks hide the same cells, so the weights and the outputs are the same.")


def both_hide(only_a: int, only_b: int, empty: bool, t: Translator) -> str:
    """Return where the weight goes when each mask hides cells that the other shows."""
    if empty:
        return t(
            "Cells that A alone hides: {only_a}; that B alone hides: {only_b}. In a row that sees "
            "a key the other cells make up for it; a row that sees none sums to 0.",
            only_a=only_a,
            only_b=only_b,
        )
    return t(
        "Cells that A alone hides: {only_a}; that B alone hides: {only_b}. The other cells of "
        "their rows make up for it, since each row still sums to 1.",
        only_a=only_a,
        only_b=only_b,
    )


def one_hides(hiding: str, showing: str, hides: Side, shows: Side, t: Translator) -> str:
    """Return where the weight of cells goes that one mask hides and the other shows."""
    cells = shows.visible & ~hides.visible
    left = hides.visible[cells.any(axis=1)].any(axis=1)  # whether what lost a cell sees another
    values = {"hiding": hiding, "showing": showing, "count": int(cells.sum())}
    if left.all() and hides.empty_rows:
        return t(
            "Cells that {hiding} hides and {showing} shows: {count}. Their weight goes to the "
            "visible cells of the same row, since each row that sees something still sums to 1.",
            **values,
        )
    if left.all():
        return t(
            "Cells that {hiding} hides and {showing} shows: {count}. Their weight goes to the "
            "visible cells of the same row, since each row still sums to 1.",
            **values,
        )
    if left.any():
        return t(
            "Cells that {hiding} hides and {showing} shows: {count}. Their weight goes to the "
            "visible cells of the same row, where it has any; a row that sees no key sums to 0.",
            **values,
        )
    return t(
        "Cells that {hiding} hides and {showing} shows: {count}. Their rows see no key under "
        "{hiding}, so nothing takes over their weight.",
        **values,
    )


def rows_said(result: Result, t: Translator) -> str:
    """Return whose output stays, and whose moves most."""
    same = int((result.a.visible == result.b.visible).all(axis=1).sum())
    if same == len(result.head.tokens):
        return ""
    most = int(result.moved.argmax())
    kept = t(
        "Queries that see the same keys under both: {count} of {T}; their outputs stay.",
        count=same,
        T=len(result.head.tokens),
    )
    if not result.moves:
        size = measured_number(float(result.moved[most]), state.whole("decimals"))
        still = t("No output moves beyond rounding: by {size} at most.", size=size)
        return t.sentences(kept if same else "", still)
    moved = t(
        "The output of “{token}” moves most; keys it sees: {under_a} under A, {under_b} under B.",
        token=quoted(words.token(result.head, most)),
        under_a=int(result.a.visible[most].sum()),
        under_b=int(result.b.visible[most].sum()),
    )
    return t.sentences(kept if same else "", moved)


def empty_said(result: Result, t: Translator) -> str:
    """Return how many queries may look nowhere."""
    said = [
        t(
            "Queries that may look nowhere under {mask}: {count}. This engine gives them "
            "weights and an output of 0; softmax as written would give NaN.",
            mask=mask,
            count=len(side.empty_rows),
        )
        for mask, side in (("A", result.a), ("B", result.b))
        if side.empty_rows
    ]
    return t.sentences(*said)


def outputs(result: Result, decimals: int, t: Translator) -> None:
    """Draw the outputs under both masks, and the way to their arithmetic."""
    st.markdown(f"**{t('The outputs, to follow by hand')}**")
    rows = [
        [number(float(value), decimals) for value in (*before, *after)]
        for before, after in zip(result.a.trace.output, result.b.trace.output, strict=True)
    ]
    width = result.a.trace.output.shape[1]
    titles = [f"{side}, {place}" for side in "AB" for place in range(1, width + 1)]
    columns = {title: [row[place] for row in rows] for place, title in enumerate(titles)}
    st.table({t("Output"): [*map(quoted, result.head.tokens)]} | columns, hide_index=True)
    for name, side in (("A", result.a), ("B", result.b)):
        follow(name, side, t)


def follow(name: str, side: Side, t: Translator) -> None:
    """Draw the link to the worked example under one mask, where that page has it."""
    spec = side.spec
    if spec.pattern in ("none", "causal") and spec.length is None and not spec.drawn:
        st.page_link(
            EXAMPLE_PAGE,
            label=t("Work out {mask} cell by cell", mask=name),
            icon=":material/arrow_forward:",
            query_params=settings.with_choices(
                {"example": "textbook", "tab": "steps", "step": "softmax", "mask": spec.pattern}
            ),
        )


def families(t: Translator) -> None:
    """Draw which models use which mask, once it is asked for."""
    fields.switch(t("Which models use which mask"), "families")
    if state.get("families"):
        figure_view.show(exhibit(FAMILIES), FAMILIES)
