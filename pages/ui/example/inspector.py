"""The inspector of the worked-example page: what is computed, and from which numbers."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine import EngineError
from engine.experiments.matrices import clean_labels, matrix_from_rows
from engine.experiments.worked_example import LIMITS, NAMES, Params
from pages.text import Translator, mark
from pages.ui import choices, messages, settings
from pages.ui.example import files, state
from pages.ui.matrix_editor import edit_matrix

INPUTS = {"self": mark("Self"), "cross": mark("Cross")}
MASKS = {"none": mark("None"), "causal": mark("Causal")}


def draw() -> None:
    """Draw every control of the page, in the sidebar."""
    t = settings.translate()
    preset_row(t)
    size_rows()
    switch_rows(t)
    matrix_rows(t)
    file_row(t)


def preset_row(t: Translator) -> None:
    """Draw the choice of preset and, where it draws numbers, its seed."""
    st.selectbox(
        t("Start from"),
        options=list(state.PRESETS),
        format_func=lambda name: t(state.PRESETS[name]),
        key=choices.widget(state.key("preset"), t),
        on_change=choices.taker(state.key("preset"), t, state.choose_preset),
    )
    if state.get("preset") in state.SEEDED:
        left, right = st.columns(2, gap="small", vertical_alignment="bottom")
        left.number_input(
            t("Seed"),
            min_value=0,
            max_value=state.LARGEST_SEED,
            step=1,
            key=state.key("seed"),
            on_change=state.choose_seed,
            persist_state="session",
        )
        right.button(
            t("Draw again"),
            icon=":material/casino:",
            on_click=state.draw_again,
            width="stretch",
        )


def size_rows() -> None:
    """Draw the sizes; S only where a second input has its own length."""
    cross = state.params().context is not None
    names = ["T", *(["S"] if cross else []), "d_model", "d_k", "d_v"]
    columns = st.columns(len(names), gap="xsmall")
    for column, name in zip(columns, names, strict=True):
        with column:
            size_choice(name)


def size_choice(name: str) -> None:
    """Draw the choice of one size."""
    least, most = LIMITS[name]
    st.number_input(
        SIZE_TITLES.get(name, f"${name}$"),
        min_value=least,
        max_value=most,
        step=1,
        key=state.key(name),
        on_change=state.choose_sizes,
        args=(name,),
        persist_state="session",
    )


SIZE_TITLES = {"d_model": r"$d_{\mathrm{model}}$", "S": "$T_C$"}


def switch_rows(t: Translator) -> None:
    """Draw the switches: which input feeds K and V, the mask, the scale."""
    with st.container(horizontal=True, gap="small"):
        st.segmented_control(
            t("Attention"),
            options=list(INPUTS),
            format_func=lambda name: t(INPUTS[name]),
            key=choices.widget(state.key("input"), t),
            on_change=choices.taker(state.key("input"), t, state.choose_input),
            required=True,
            help=t(
                "Self-attention: X feeds Q, K and V. Cross-attention: a second input C "
                "of its own length feeds K and V."
            ),
        )
        st.segmented_control(
            t("Mask"),
            options=list(MASKS),
            format_func=lambda name: t(MASKS[name]),
            key=choices.widget(state.key("mask"), t),
            on_change=choices.taker(state.key("mask"), t, state.choose_switches),
            required=True,
            help=t(
                "Causal: position i may look at positions 1 to i, and at nothing after. In "
                "cross-attention the last query is level with the last key."
            ),
        )
    st.toggle(
        t("Divide the scores by $\\sqrt{d_k}$"),
        key=state.key("scaled"),
        on_change=state.choose_switches,
        persist_state="session",
    )


def matrix_rows(t: Translator) -> None:
    """Draw the editor of one matrix; what it refuses is said, and the last good one stays."""
    names = [name for name in NAMES if getattr(state.params(), name) is not None]
    if state.get("matrix") not in names:
        state.put("matrix", names[0])
    chosen = st.segmented_control(
        t("Edit a matrix"),
        options=names,
        format_func=lambda name: f"${NAMES[name]}$",
        key=state.key("matrix"),
        required=True,
        persist_state="session",
        help=t("Finish a cell with Enter or Tab before you choose another matrix."),
    )
    rows, labels = draw_editor(str(chosen))
    state.edit(taken_over(str(chosen), rows, labels))
    try:
        matrix_from_rows(rows, NAMES[str(chosen)])
        if labels is not None:
            clean_labels([label or "" for label in labels], len(labels), NAMES[str(chosen)])
    except EngineError as error:
        messages.refuse(error, t)


def draw_editor(name: str) -> tuple[list[list[object]], list[object] | None]:
    """Draw the editor of matrix ``name``; return its cells and token labels as typed."""
    now = state.params()
    labels = getattr(now, state.LABELS_OF[name]) if name in state.LABELS_OF else None
    width = len(now.x[0])
    return edit_matrix(
        getattr(now, name),
        key=f"example.editor.{name}.{state.revision(name)}",
        labels=labels,
        row_names=None if labels is not None else [str(row) for row in range(1, width + 1)],
    )


def taken_over(name: str, rows: list[list[object]], labels: list[object] | None) -> Params:
    """Return the parameters with every cell and label that is usable; the others stay."""
    now = state.params()
    kept = getattr(now, name)
    new = state.changed(
        name,
        tuple(
            tuple(_number_or(cell, old) for cell, old in zip(cells, olds, strict=True))
            for cells, olds in zip(rows, kept, strict=True)
        ),
    )
    if labels is None:
        return new
    pairs = zip(labels, getattr(now, state.LABELS_OF[name]), strict=True)
    tokens = tuple(_label_or(label, old) for label, old in pairs)
    return replace(new, tokens=tokens) if name == "x" else replace(new, context_tokens=tokens)


def _number_or(cell: object, old: float) -> float:
    try:
        return matrix_from_rows([[cell]], "")[0][0]
    except EngineError:
        return old


def _label_or(label: object, old: str) -> str:
    try:
        return clean_labels([label or ""], 1, "")[0]
    except EngineError:
        return old


def file_row(t: Translator) -> None:
    """Draw paste, load, save, undo and start over."""
    with st.container(horizontal=True, gap="xsmall"):
        files.paste_popover(str(state.get("matrix")), t)
        files.document_popover(t)
        st.button(
            t("Undo"),
            icon=":material/undo:",
            key=state.key("undo"),
            on_click=state.undo,
            disabled=not state.can_undo(),
        )
        if state.is_edited():
            st.button(t("Start over"), icon=":material/restart_alt:", on_click=state.start_over)
    st.slider(
        t("Decimals shown"),
        min_value=state.DECIMALS[0],
        max_value=state.DECIMALS[1],
        key=state.key("decimals"),
        persist_state="session",
    )
