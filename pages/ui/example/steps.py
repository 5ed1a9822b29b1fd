"""The six steps: the matrix of a step, the arithmetic of a chosen cell, what to notice."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.experiments.cells import explain_cell
from engine.experiments.concentration import effective_keys
from engine.experiments.worked_example import ROLES, STEPS, Result, matrix_of
from pages.figures.numerals import number
from pages.figures.palette import theme
from pages.gallery import exhibit
from pages.gallery.worked_example import View, step_name
from pages.text import Translator
from pages.text.arithmetic import cell_lines
from pages.text.formulas import step_formula
from pages.text.markup import quoted
from pages.ui import choices, figure_view, settings
from pages.ui.example import labels, printed, state
from pages.ui.example.words import STEP_TITLES, notice_text

# Beside a figure there is room for the arithmetic from about 1,700 pixels on; below that it wraps.
ARITHMETIC_WIDTH = 420
FACTS_WIDTH = 400
NOTICE_WIDTH = 460


def draw(result: Result) -> None:
    """Draw the tab of the six steps."""
    t = settings.translate()
    step, role = step_choice(t)
    clamp_cell(result, step, role)
    row, column = cell_now()
    decimals = state.whole("decimals")

    def pick() -> None:
        cell = figure_view.picked_cell(f"steps.{step}")
        if cell is not None:
            state.put("row", cell[0])
            state.put("column", cell[1])

    with st.container(horizontal=True, gap="medium"):
        with st.container(width=figure_view.WIDTH):
            figure_view.show(
                exhibit(
                    step_name(step, role),
                    result,
                    params=result.params,
                    view=View(row=row + 1, column=column + 1),
                    backend=result.backend_name,
                ),
                f"steps.{step}",
                decimals=decimals,
                on_pick=pick,
            )
        with st.container(width=ARITHMETIC_WIDTH):
            arithmetic(result, step, role, decimals, t)
        with st.container(horizontal=True, gap="medium", width="stretch"):
            asking = row if step != "project" or role == "q" else 0
            with st.container(width=FACTS_WIDTH):
                facts(result, asking, decimals, t)
            with st.container(width=NOTICE_WIDTH):
                notice(result, step, decimals, t)
    printed.checked_here(t)


def notice(result: Result, step: str, decimals: int, t: Translator) -> None:
    """Draw what to notice in a step, and how its numbers are rounded."""
    st.markdown(f"**{t('What to notice')}**")
    st.markdown(t(notice_text(result, step)))
    st.caption(
        t(
            "Shown with up to {decimals} decimals, each number rounded from its value at full "
            "precision; ≈ marks where something was rounded.",
            decimals=decimals,
        )
    )


def step_choice(t: Translator) -> tuple[str, str]:
    """Draw the choice of step, and of Q, K or V in the first one."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            t("Step"),
            options=list(STEPS),
            format_func=lambda name: t(STEP_TITLES[name]),
            key=choices.widget(state.key("step"), t),
            on_change=choices.taker(state.key("step"), t),
            required=True,
            label_visibility="collapsed",
        )
        step = str(state.get("step"))
        step_button(t("Back"), -1, "Alt+Left", disabled=step == STEPS[0])
        step_button(t("Next"), 1, "Alt+Right", disabled=step == STEPS[-1])
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


def step_button(title: str, by: int, shortcut: str, *, disabled: bool) -> None:
    """Draw the button to the step before or after."""
    st.button(
        title,
        on_click=state.next_step,
        args=(by,),
        shortcut=shortcut,
        type="tertiary",
        disabled=disabled,
    )


def cell_now() -> tuple[int, int]:
    """Return the chosen row and column, counted from 0."""
    return state.whole("row"), state.whole("column")


def clamp_cell(result: Result, step: str, role: str) -> None:
    """Keep the chosen cell inside the matrix of this step."""
    rows, columns = matrix_of(result, step, role).shape
    row, column = cell_now()
    state.put("row", min(row, rows - 1))
    state.put("column", min(column, columns - 1))


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
    """Draw three measured numbers about the weights of one query."""
    row = min(row, result.sizes.T - 1)
    weights = result.trace.weights[row]
    token = result.params.tokens[row]
    st.markdown(f"**{t('The weights of query {token}', token=quoted(token))}**")
    columns = st.columns(3, gap="xsmall")
    columns[0].metric(t("Sum"), number(float(weights.sum()), decimals))
    columns[1].metric(
        t("Largest"),
        number(float(weights.max()), decimals),
        delta=where_the_largest_is(weights, labels.key_labels(result), t),
        delta_color="off",
        delta_arrow="off",
    )
    columns[2].metric(
        t("Effective keys"),
        number(effective_keys(weights), decimals),
        help=t(
            "How many keys share the weight: exp of the entropy of the row. 1 when one key has "
            "all of it, {S} when all keys share it equally.",
            S=result.sizes.S,
        ),
    )


def where_the_largest_is(weights: np.ndarray, keys: list[str], t: Translator) -> str:
    """Return which key has the largest weight, or how many have it alike."""
    alike = int(np.isclose(weights, weights.max(), rtol=1e-6, atol=0).sum())
    if alike > 1:
        return t("{count} keys alike", count=alike)
    return t("to {key}", key=quoted(keys[int(weights.argmax())]))
