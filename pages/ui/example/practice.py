"""Practice: the values of a step are hidden, the reader types a row, the engine judges it."""

from __future__ import annotations

import streamlit as st

from engine import EngineError
from engine.experiments.practice import Verdict, check_row
from engine.experiments.worked_example import Result, matrix_of
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


def draw(result: Result) -> None:
    """Draw the practice tab."""
    t = settings.translate()
    left, right = st.columns([3, 2], gap="medium")
    with right:
        st.markdown(
            t(
                "Pick a step and a row, work the row out by hand from what is shown, and type it. "
                "The check works at the number of decimals you give."
            )
        )
        step, row, role = question(result, t)
        answers = answer_row(result, step, row, role, t)
    with left:
        figure_view.show(
            lambda style: step_figure(
                result, step, style, role=role, selected=(row, 0), hide=True
            ),
            f"practice.{step}",
            decimals=int(str(state.get("decimals"))),
        )
    with right:
        judge(result, step, row, role, answers, t)


def question(result: Result, t: Translator) -> tuple[str, int, str]:
    """Draw the choice of step and row; return the step, the row and the role."""
    step = st.selectbox(
        t("Step"),
        options=list(STEP_TITLES),
        format_func=lambda name: t(STEP_TITLES[name]),
        index=4,
        key=state.key("practice_step"),
        persist_state="session",
    )
    role = "q"
    if step == "project":
        role = st.segmented_control(
            t("Matrix"),
            options=["q", "k", "v"],
            format_func=str.upper,
            default="q",
            required=True,
            key=state.key("practice_role"),
        )
    names = labels.rows(result, step, role)
    row = st.selectbox(
        t("Row"),
        options=list(range(len(names))),
        format_func=lambda index: f"{index + 1} · {names[index]}" if index < len(names) else "",
        key=state.key("practice_row"),
    )
    return str(step), min(int(row or 0), len(names) - 1), str(role)


def answer_row(result: Result, step: str, row: int, role: str, t: Translator) -> list[str]:
    """Draw one field for each cell of the row; return what was typed."""
    names = labels.columns(result, step)
    width = matrix_of(result, step, role).shape[1]
    answers: list[str] = []
    for start in range(0, width, 4):
        for offset, column in enumerate(st.columns(4, gap="xsmall")):
            cell = start + offset
            if cell < width:
                with column:
                    answers.append(
                        st.text_input(
                            names[cell],
                            key=f"example.answer.{step}.{role}.{row}.{cell}",
                            max_chars=32,
                            autocomplete="off",
                        )
                        or ""
                    )
    st.button(t("Check"), type="primary", icon=":material/task_alt:", key=state.key("check"))
    return answers


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
    {
        "right": say_right,
        "right_to_digits": say_right_to_digits,
        "mistake": say_mistake,
        "wrong": say_wrong,
    }[verdict.kind](verdict, labels.columns(result, step), t)


def say_right(verdict: Verdict, names: list[str], t: Translator) -> None:
    """Say that every number is right."""
    st.success(t("Right: every number of the row is the computed one."), icon=":material/check:")


def say_right_to_digits(verdict: Verdict, names: list[str], t: Translator) -> None:
    """Say that every number is right as far as it was written out."""
    st.success(
        t(
            "Right to the digits given: each number is the computed one rounded to {digits} "
            "decimals or as many as you wrote.",
            digits=verdict.digits,
        ),
        icon=":material/check:",
    )


def say_mistake(verdict: Verdict, names: list[str], t: Translator) -> None:
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
            cells=", ".join(wrong),
        ),
        icon=":material/close:",
    )
