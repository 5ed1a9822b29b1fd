"""Practice: the values of a step are hidden, the reader types a row, the engine judges it."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.experiments.practice import Verdict, check_row, mistake_rows
from engine.experiments.worked_example import ROLES, Result, run
from pages.figures.practice import practice_plans
from pages.gallery import Exhibit, exhibit
from pages.gallery.worked_example import View, practice_name
from pages.text import Translator, mark
from pages.text.markup import quoted
from pages.ui import choices, figure_view, messages, settings
from pages.ui.example import labels, state
from pages.ui.example.words import STEP_TITLES

MISTAKES = {
    "no_scale": mark(r"the scores were not divided by $\sqrt{d_k}$"),
    "softmax_columns": mark("softmax ran down the columns instead of along the rows"),
    "key_not_transposed": mark("K was not transposed before the product"),
    "mask_after_softmax": mark("the mask was applied after softmax instead of before it"),
    "not_normalised": mark("the exponentials were not divided by their row sum"),
}


CELLS_A_ROW = 6
_VERDICT = "worked-example.verdict"


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
    names = labels.columns(result, step, role)
    asked = (step, role, row, result.params, result.backend_name)
    answers = answer_form(names, f"{step}.{role}.{row}", t)
    if answers is not None:
        judge = exactly(result)
        st.session_state[_VERDICT] = (asked, check_row(judge, step, row, answers, role=role))
    judged, verdict = st.session_state.get(_VERDICT, (None, None))
    if judged == asked:
        say_verdict(verdict, names, t)
    show_question(result, step, row, role)
    say_mistakes_known(result, step, row, t)


def exactly(result: Result) -> Result:
    """Return the result in float64: float32 is too coarse to judge the last typed digits by."""
    return result if result.precision == "float64" else run(result.params, backend="numpy")


def show_question(result: Result, step: str, row: int, role: str) -> None:
    """Draw what the row is worked out from, its values hidden."""
    decimals = state.whole("decimals")
    style = settings.screen_style(decimals)
    for place in range(len(practice_plans(result, step, style, role=role, row=row))):
        figure_view.show(
            part(result, step, row, role, place), f"practice.{step}.{place}", decimals=decimals
        )


def part(result: Result, step: str, row: int, role: str, place: int) -> Exhibit:
    """Return one part of the question, counted from 0."""
    return exhibit(
        practice_name(step, role),
        result,
        params=result.params,
        view=View(row=row + 1, part=place + 1),
        backend=result.backend_name,
    )


def say_mistakes_known(result: Result, step: str, row: int, t: Translator) -> None:
    """Say which usual mistakes would show in this row."""
    known = [t(MISTAKES[name]) for name in mistake_rows(result, step, row)]
    if known:
        st.caption(
            t("Mistakes that the check recognises here: {mistakes}.", mistakes=t.clauses(known))
        )


def question(result: Result, t: Translator) -> tuple[str, int, str]:
    """Draw the choice of step and row; return the step, the row and the role."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        step = st.selectbox(
            t("Step"),
            options=list(STEP_TITLES),
            format_func=lambda name: t(STEP_TITLES[name]),
            key=choices.widget(state.key("practice_step"), t),
            on_change=choices.taker(state.key("practice_step"), t),
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
        state.put("practice_row", min(state.whole("practice_row"), len(names) - 1))
        row = st.selectbox(
            t("Row"),
            options=list(range(len(names))),
            format_func=lambda index: labels.numbered(names, index),
            key=state.key("practice_row"),
            persist_state="session",
            width=140,
        )
    return str(step), int(row), str(role)


def answer_form(names: list[str], place: str, t: Translator) -> list[str] | None:
    """Draw one field for each cell of the row; return what was typed once Check is pressed."""
    with st.form(state.key(f"form.{place}"), border=False):
        answers: list[str] = []
        for start in range(0, len(names), CELLS_A_ROW):
            columns = st.columns(CELLS_A_ROW, gap="xsmall")
            for column, cell in zip(columns, range(start, len(names)), strict=False):
                answers.append(answer_cell(column, names, f"{place}.{cell}", cell))
        pressed = st.form_submit_button(
            t("Check"), type="primary", icon=":material/task_alt:", key=state.key("check")
        )
    return answers if pressed else None


def answer_cell(column: DeltaGenerator, names: list[str], place: str, cell: int) -> str:
    """Draw the field of one cell; return what was typed."""
    return str(
        column.text_input(
            quoted(labels.numbered(names, cell)),
            key=state.key(f"answer.{place}"),
            max_chars=64,
            autocomplete="off",
            persist_state="session",
        )
        or ""
    )


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
        case "wrong":
            say_wrong(verdict, names, t)
        case _ if verdict.error is not None:
            st.warning(messages.sentence(verdict.error, t), icon=":material/edit:")


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
            cells=t.listing(map(quoted, wrong)),
        ),
        icon=":material/close:",
    )
