"""A step for practice: everything the asked row is worked out from, and the row itself hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from engine.experiments.worked_example import Result
from pages.figures.blocks import Block, Part
from pages.figures.board import fits_together
from pages.figures.figure import Figure, LanguageCode, SizeName, Style
from pages.figures.layout import Measured
from pages.figures.worked_example import StepPlan, plan_step, result_of
from pages.text import Translator, translator

# Steps whose result is a row times a whole matrix; the others need their own row only.
_PRODUCTS = ("project", "score", "output")


def practice_plans(
    result: Result, step: str, style: Style, *, role: str = "q", row: int
) -> list[StepPlan]:
    """Return one step with its result hidden, ready to be drawn.

    Where operands and result do not fit into one picture of every size and language, they are drawn
    one below the other: the operand's row, the other operand, and the row that is asked.

    Parameters
    ----------
    result, step, style, role
        As for `pages.figures.worked_example.step_figure`.
    row : int
        The asked row, from 0.

    Returns
    -------
    list of StepPlan
        One board, or its parts in the order of the calculation.
    """
    plan = _one_board(result, step, style, role, row)
    if _fits_everywhere(result, step, style, role, row):
        return [plan]
    return _one_below_the_other(plan, step, row, translator(style.language))


def _one_board(result: Result, step: str, style: Style, role: str, row: int) -> StepPlan:
    t = translator(style.language)
    plan = plan_step(result, step, style, role=role, asked=row)
    return replace(
        plan,
        parts=_hidden(plan.parts),
        name=f"{plan.name}-practice",
        title=t("Practice · {title}", title=plan.title),
        note=t.sentences(plan.note, t("The result is hidden for practice.")),
    )


def practice_figures(
    result: Result, step: str, style: Style, *, role: str = "q", row: int
) -> list[Figure]:
    """Draw everything that `practice_plans` returns."""
    return [plan.draw(style) for plan in practice_plans(result, step, style, role=role, row=row)]


def _hidden(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Hide the result, and drop the row sums, which would give part of it away."""
    kept = (part for part in parts if not (isinstance(part, Block) and part.brief))
    return tuple(
        replace(part, secret=True) if isinstance(part, Block) and part.result else part
        for part in kept
    )


def _fits_everywhere(result: Result, step: str, style: Style, role: str, row: int) -> bool:
    """Answer alike for every size, language and number of decimals.

    What is saved in another style has as many parts as what is on screen.
    """
    for language in get_args(LanguageCode):
        plan = _one_board(result, step, replace(style, language=language), role, row)
        measured = Measured(plan.parts)
        for size in get_args(SizeName):
            one = replace(style, language=language, size=size)
            if not fits_together(measured, one, plan.note):
                return False
    return True


def _one_below_the_other(plan: StepPlan, step: str, row: int, t: Translator) -> list[StepPlan]:
    blocks = [part for part in plan.parts if isinstance(part, Block)]
    result = result_of(plan.parts)
    operands = [block for block in blocks if block is not result]
    shown = [_row_of(operands[0], row)]
    if step in _PRODUCTS:
        shown.append(replace(operands[1], columns=None))
    elif step == "mask" and len(operands) > 1:
        shown.append(_row_of(operands[1], row))
    notes = [t("What the row is worked out from.")] * len(shown) + [plan.note]
    shown.append(_row_of(result, row))
    return [
        replace(plan, parts=(replace(block, result=True),), name=f"{plan.name}-{place}", note=note)
        for place, (block, note) in enumerate(zip(shown, notes, strict=True), 1)
    ]


def _row_of(block: Block, row: int) -> Block:
    """Return one row of a block, as a block."""
    return replace(
        block,
        values=block.values[row : row + 1],
        masked=None if block.masked is None else block.masked[row : row + 1],
        row_labels=block.row_labels[row : row + 1],
        rows=None,
        columns=None,
        chosen=None,
    )
