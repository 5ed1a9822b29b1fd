"""Practice: the values of a step are hidden, the reader types a row, the engine judges it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import EngineError
from engine.experiments.practice import Verdict, check_row
from engine.experiments.worked_example import ROLES, Result
from pages.figures.worked_example import step_figure
from pages.text import Translator, mark
from pages.ui import figure_view, settings
from pages.ui.example import labels, state
from pages.ui.example.words import STEP_TITLES

MISTAKES = {
    "no_scale": mark("the scores were not divided by √d_k"),
    "softmax_columns": mark("softmax ran down the columns instead of along the rows"),
    "key_not_transposed": mark("K was not transposed before the product"),
    "mask_after_softmax": mark("the mask was applied after softmax instead of before it"),
    "not_normalised": mark("the exponentials were not divided by their row sum"),
}


CELLS_A_ROW = 6


def draw(result: Result) -> None:
    """Draw the practice tab."""
    t = settings.translate()
    st.markdown(
        t(
            "Choose a step and a row, work the row out by hand from what is shown, and type it. "
            "The check works to the number of decimals that you give."
        )
    )
    step, row, role = question(result, t)
    figure_view.show(
        lambda style: step_figure(result, step, style, role=role, selected=(row, 0), hide=True),
        f"practice.{step}",
        decimals=int(str(state.get("decimals"))),
    )
    answers = answer_row(result, step, row, role, t)
    judge(result, step, row, role, answers, t)


def question(result: Result, t: Translator) -> tuple[str, int, str]:
    """Draw the choice of step and row; return the step, the row and the role."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        step = st.selectbox(
            t("Step"),
            options=list(STEP_TITLES),
            format_func=lambda name: t(STEP_TITLES[name]),
            key=state.key("practice_step"),
            persist_state="session",
            width=200,
        )
        role = "q"
        if step == "project":
            role = str(
                st.segmented_control(
                    t("Matrix"),
                    options=list(ROLES),
                    format_func=str.upper,
                    key=state.key("practice_role"),
                    required=True,
                    persist_state="session",
                )
            )
        names = labels.rows(result, step, role)
        state.put("practice_row", min(int(str(state.get("practice_row"))), len(names) - 1))
        row = st.selectbox(
            t("Row"),
            options=list(range(len(names))),
            format_func=lambda index: labels.numbered(names, index),
            key=state.key("practice_row"),
            persist_state="session",
            width=140,
        )
    return str(step), int(row), str(role)


def answer_row(result: Result, step: str, row: int, role: str, t: Translator) -> list[str]:
    """Draw one field for each cell of the row; return what was typed."""
    names = labels.columns(result, step, role)
    answers: list[str] = []
    for start in range(0, len(names), CELLS_A_ROW):
        columns = st.columns(CELLS_A_ROW, gap="xsmall")
        for column, cell in zip(columns, range(start, len(names)), strict=False):
            answers.append(answer_cell(column, names, f"{step}.{role}.{row}.{cell}", cell))
    st.button(t("Check"), type="primary", icon=":material/task_alt:", key=state.key("check"))
    return answers


def answer_cell(column: DeltaGenerator, names: list[str], place: str, cell: int) -> str:
    """Draw the field of one cell; return what was typed."""
    return str(
        column.text_input(
            labels.numbered(names, cell),
            key=state.key(f"answer.{place}"),
            max_chars=32,
            autocomplete="off",
            persist_state="session",
        )
        or ""
    )


def judge(
    result: Result, step: str, row: int, role: str, answers: list[str], t: Translator
) -> None:
    """Say what the typed row is: right, right to its digits, a known mistake, or wrong."""
    if not any(answer.strip() for answer in answers):
        return
    try:
        verdict = check_row(result, step, row, answers, role=role)
    except EngineError as error:
        st.error(t.error(error))
        return
    if verdict.error is not None:
        st.warning(t.error(verdict.error), icon=":material/edit:")
        return
    say_verdict(verdict, labels.columns(result, step, role), t)


def say_verdict(verdict: Verdict, names: list[str], t: Translator) -> None:
    """Say one verdict in the page."""
    match verdict.kind:
        case "right":
            text = t("Right: every number of the row is the computed one.")
            st.success(text, icon=":material/check:")
        case "right_to_digits":
            say_right_to_digits(verdict, t)
        case "mistake":
            say_mistakes(verdict, t)
        case _:
            say_wrong(verdict, names, t)


def say_right_to_digits(verdict: Verdict, t: Translator) -> None:
    """Say that every number is right as far as it was written out."""
    st.success(
        t(
            "Right to the digits given: each number is the computed one rounded to {digits} "
            "decimals or as many as you wrote.",
            digits=verdict.digits,
        ),
        icon=":material/check:",
    )


def say_mistakes(verdict: Verdict, t: Translator) -> None:
    """Name the usual mistake, or mistakes, that give exactly this row."""
    for mistake in verdict.mistakes:
        st.warning(
            t("Exactly this row comes out when {mistake}.", mistake=t(MISTAKES[mistake])),
            icon=":material/lightbulb:",
        )


def say_wrong(verdict: Verdict, names: list[str], t: Translator) -> None:
    """Say which numbers are right and which are not, without giving them away."""
    wrong = [name for name, right in zip(names, verdict.cells, strict=True) if not right]
    st.error(
        t(
            "Not yet. Look again at: {cells}. No usual mistake gives this row.",
            cells=t.listing(wrong),
        ),
        icon=":material/close:",
    )
