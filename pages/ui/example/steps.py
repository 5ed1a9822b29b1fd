"""The six steps: the matrix of a step, the arithmetic of a chosen cell, what to notice."""

from __future__ import annotations

import streamlit as st

from engine.experiments.cells import explain_cell
from engine.experiments.concentration import effective_keys
from engine.experiments.influence import Movement
from engine.experiments.worked_example import ROLES, STEPS, Result, matrix_of
from pages.figures.numerals import number
from pages.figures.palette import theme
from pages.figures.worked_example import step_figure
from pages.text import Translator
from pages.text.arithmetic import cell_lines
from pages.text.formulas import step_formula
from pages.ui import figure_view, settings
from pages.ui.example import labels, printed, state
from pages.ui.example.words import NOTICE, STEP_TITLES


def draw(result: Result, movement: Movement | None) -> None:
    """Draw the tab of the six steps."""
    t = settings.translate()
    step, role = step_choice(t)
    clamp_cell(result, step, role)
    row, column = cell_now()
    decimals = int(str(state.get("decimals")))
    say_movement(result, movement, decimals, t)

    def pick() -> None:
        cell = figure_view.picked_cell(f"steps.{step}")
        if cell is not None:
            state.put("row", cell[0])
            state.put("column", cell[1])

    figure_view.show(
        lambda style: step_figure(result, step, style, role=role, selected=(row, column)),
        f"steps.{step}",
        decimals=decimals,
        on_pick=pick,
    )
    left, right = st.columns([4, 3], gap="medium")
    with left:
        arithmetic(result, step, role, decimals, t)
    with right:
        facts(result, row if step != "project" or role == "q" else 0, decimals, t)
        st.markdown(f"**{t('What to notice')}**")
        st.markdown(t(NOTICE[step]))
        st.caption(
            t(
                "Shown with up to {decimals} decimals, each number rounded from its exact value; "
                "≈ marks a line in which something was rounded.",
                decimals=decimals,
            )
        )

    printed.checked_here(t)


def step_choice(t: Translator) -> tuple[str, str]:
    """Draw the choice of step, and of Q, K or V in the first one."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            t("Step"),
            options=list(STEPS),
            format_func=lambda name: t(STEP_TITLES[name]),
            key=state.key("step"),
            required=True,
            persist_state="session",
            label_visibility="collapsed",
        )
        st.button(
            t("Back"), on_click=state.next_step, args=(-1,), shortcut="Alt+Left", type="tertiary"
        )
        st.button(
            t("Next"), on_click=state.next_step, args=(1,), shortcut="Alt+Right", type="tertiary"
        )
        step = str(state.get("step"))
        if step == "project":
            st.segmented_control(
                t("Matrix"),
                options=list(ROLES),
                format_func=str.upper,
                key=state.key("role"),
                required=True,
                persist_state="session",
                label_visibility="collapsed",
            )
    return step, str(state.get("role"))


def cell_now() -> tuple[int, int]:
    """Return the chosen row and column, counted from 0."""
    return int(str(state.get("row"))), int(str(state.get("column")))


def clamp_cell(result: Result, step: str, role: str) -> None:
    """Keep the chosen cell inside the matrix of this step."""
    rows, columns = matrix_of(result, step, role).shape
    row, column = cell_now()
    state.put("row", min(row, rows - 1))
    state.put("column", min(column, columns - 1))


def say_movement(result: Result, movement: Movement | None, decimals: int, t: Translator) -> None:
    """Say which outputs moved when the reader changed one token."""
    if movement is None:
        return
    moved = [index for index, size in enumerate(movement.moves) if size > 0]
    others = [index for index in moved if index != movement.token]
    changed = f"x{movement.token + 1}"
    if others:
        first = others[0]
        text = t(
            "You changed {token} alone, and {count} of {total} outputs moved: output {other} by "
            "{size}, although x{other} stayed as it was.",
            token=changed,
            count=len(moved),
            total=len(movement.moves),
            other=first + 1,
            size=number(movement.moves[first], decimals),
        )
    elif result.params.context is not None:
        text = t(
            "You changed {token}, and no other output moved: in cross-attention the other "
            "queries look at C, not at X.",
            token=changed,
        )
    else:
        text = t("You changed {token}, and no other output moved.", token=changed)
    if result.params.causal and movement.token > 0 and not any(movement.moves[: movement.token]):
        hidden = t(
            "Outputs before position {position} cannot see it: the causal mask hides it.",
            position=movement.token + 1,
        )
        text = t.sentences(text, hidden)
    st.info(text, icon=":material/bolt:")


def arithmetic(result: Result, step: str, role: str, decimals: int, t: Translator) -> None:
    """Draw the choice of a cell, its formula and its whole arithmetic."""
    row_names = labels.rows(result, step, role)
    column_names = labels.columns(result, step, role)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            cell_choice(t("Row"), "row", row_names)
            cell_choice(t("Column"), "column", column_names)
            st.latex(step_formula(result, step, role, theme(settings.theme())), width="content")
        row, column = cell_now()
        cell = explain_cell(result, step, row, column, role=role)
        for line in cell_lines(cell, decimals=decimals, colours=theme(settings.theme())):
            st.latex(line)


def cell_choice(title: str, name: str, names: list[str]) -> None:
    """Draw the choice of a row or a column by its number and label."""
    st.selectbox(
        title,
        options=list(range(len(names))),
        format_func=lambda index: labels.numbered(names, index),
        key=state.key(name),
        persist_state="session",
        width=112,
    )


def facts(result: Result, row: int, decimals: int, t: Translator) -> None:
    """Draw three measured numbers about the chosen query's weights."""
    weights = result.trace.weights[min(row, result.sizes.T - 1)]
    token = result.params.tokens[min(row, result.sizes.T - 1)]
    largest = int(weights.argmax())
    columns = st.columns(3, gap="xsmall")
    columns[0].metric(t("Row sum of {token}", token=token), number(float(weights.sum()), decimals))
    columns[1].metric(
        t("Largest weight"),
        number(float(weights[largest]), decimals),
        delta=t("to {key}", key=labels.key_labels(result)[largest]),
        delta_color="off",
        delta_arrow="off",
    )
    columns[2].metric(
        t("Effective keys"),
        number(effective_keys(weights), decimals),
        help=t(
            "exp of the entropy of the row: 1 when one key has all the weight, S when all share it."
        ),
    )
