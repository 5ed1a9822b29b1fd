"""The figures of the worked example: six steps, shapes, one row, and sheets for practice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from engine.errors import EngineError, OptionError
from engine.experiments import presets
from engine.experiments.worked_example import (
    Params,
    Result,
    matrix_of,
    run,
    sizes_of,
)
from pages.documents import link
from pages.figures.figure import Figure, Style
from pages.figures.one_row import bars_figure, curve_figure
from pages.figures.practice import practice_plans
from pages.figures.worked_example import shape_flow, step_figure
from pages.gallery.model import Entry, Idea
from pages.gallery.settings import differences
from pages.text import mark, translator

PREFIX = "worked-example"
ROW_BARS = f"{PREFIX}-row-weights"
ROW_CURVE = f"{PREFIX}-row-factor"


@dataclass(frozen=True)
class View:
    """Which part of the example is looked at; rows, columns and parts are counted from 1.

    Attributes
    ----------
    row, column : int or None
        The chosen cell of a step; the row alone for one row and for practice, where None is 1.
    part : int
        Which part of a practice sheet that does not fit on one figure.
    """

    row: int | None = None
    column: int | None = None
    part: int = 1

    @property
    def cell(self) -> tuple[int, int] | None:
        """The chosen cell from 0, or None."""
        if self.row is None or self.column is None:
            return None
        return self.row - 1, self.column - 1

    @property
    def index(self) -> int:
        """The chosen row from 0; the first where none is chosen."""
        return 0 if self.row is None else self.row - 1


# Figure word -> step, role, title.
MATRICES: dict[str, tuple[str, str, str]] = {
    "query": ("project", "q", mark("Step 1: project the input to queries")),
    "key": ("project", "k", mark("Step 1: project the input to keys")),
    "value": ("project", "v", mark("Step 1: project the input to values")),
    "scores": ("score", "q", mark("Step 2: compare every query with every key")),
    "scaled-scores": ("scale", "q", mark("Step 3: scale the scores")),
    "masked-scores": ("mask", "q", mark("Step 4: mask the scores")),
    "weights": ("softmax", "q", mark("Step 5: softmax gives the attention weights")),
    "output": ("output", "q", mark("Step 6: average the values by their weights")),
}
_WORDS = {(step, role): word for word, (step, role, _) in MATRICES.items()}
_PRACTICE_TITLES = {
    "query": mark("Practice: queries"),
    "key": mark("Practice: keys"),
    "value": mark("Practice: values"),
    "scores": mark("Practice: scores"),
    "scaled-scores": mark("Practice: scaled scores"),
    "masked-scores": mark("Practice: masked scores"),
    "weights": mark("Practice: attention weights"),
    "output": mark("Practice: output"),
}


def step_name(step: str, role: str = "q") -> str:
    """Return the name of the figure of one step."""
    return f"{PREFIX}-{_WORDS[step, role if step == 'project' else 'q']}"


def practice_name(step: str, role: str = "q") -> str:
    """Return the name of the practice sheet of one step."""
    return f"{step_name(step, role)}-practice"


def _step(step: str, role: str, result: Result, view: View, style: Style) -> Figure:
    return step_figure(result, step, style, role=role, selected=view.cell)


def check_cell(step: str, role: str, result: Result, view: View) -> None:
    """Refuse a cell that the matrix of a step does not have; raises OptionError."""
    rows, columns = matrix_of(result, step, role).shape
    if view.column is not None and view.row is None:
        raise OptionError("A column alone chooses no cell; set row as well.")
    _require("row", view.row, rows)
    _require("column", view.column, columns)


def _bars(result: Result, view: View, style: Style) -> Figure:
    return bars_figure(result, style, view.index)


def _curve(result: Result, view: View, style: Style) -> Figure:
    return curve_figure(result, style, view.index)


def _check_row(result: Result, view: View) -> None:
    _require("row", view.row, result.sizes.T)


_ROW = (("row",), _check_row)  # what a figure of one row shows, and how that is checked


def _check_practice(step: str, role: str, result: Result, view: View) -> None:
    _require("row", view.row, matrix_of(result, step, role).shape[0])
    parts = practice_plans(result, step, Style(), role=role, row=view.index)
    _require("part", view.part, len(parts))


def _require(name: str, value: int | None, most: int) -> None:
    if value is not None and not 1 <= value <= most:
        raise OptionError(
            "{name} must be from 1 to {most} in this figure, got {value}.",
            name=name,
            most=most,
            value=value,
        )


def _practice(step: str, role: str, result: Result, view: View, style: Style) -> Figure:
    plans = practice_plans(result, step, style, role=role, row=view.index)
    return plans[view.part - 1].draw(style)


def _entries() -> tuple[Entry, ...]:
    shapes = Entry(
        f"{PREFIX}-shapes",
        mark("The flow of shapes"),
        lambda result, _view, style: shape_flow(result, style),
    )
    titles = {word: title for word, (*_, title) in MATRICES.items()}
    return (
        shapes,
        *_made(step_name, _step, ("row", "column"), check_cell, titles),
        Entry(ROW_BARS, mark("One row of weights, scaled and not scaled"), _bars, *_ROW),
        Entry(ROW_CURVE, mark("One row of weights at every factor"), _curve, *_ROW),
        *_made(practice_name, _practice, ("row", "part"), _check_practice, _PRACTICE_TITLES),
    )


def _made(
    name: Callable[[str, str], str],
    draw: Callable[..., Figure],
    uses: tuple[str, ...],
    check: Callable[..., None],
    titles: dict[str, str],
) -> list[Entry]:
    return [
        Entry(
            name(step, role),
            titles[word],
            partial(draw, step, role),
            uses,
            partial(check, step, role),
        )
        for word, (step, role, _) in MATRICES.items()
    ]


def read_inputs(code: str) -> Params:
    """Read the code of an example from the address of its page, or from speaker notes.

    Raises
    ------
    OptionError
        When it is no such code, or a damaged one.
    """
    try:
        return link.decode(code)
    except EngineError as error:
        raise OptionError(
            "inputs must be the code behind inputs= in a link to the worked example, in full: "
            "{reason}",
            reason=error,
        ) from None


def _preset(name: str) -> Params:
    made: dict[str, Callable[[], Params]] = {
        "textbook": presets.textbook,
        "three-scores": presets.three_scores,
        "random": lambda: presets.random_example(1, 4, 4, 2, 2),
    }
    if name not in made:
        raise OptionError(
            "example must be one of {allowed}, got {name}.", allowed=", ".join(made), name=name
        )
    return made[name]()


def encode(params: Params) -> list[tuple[str, str]]:
    """Return the switches by name, and everything else as the code that links use."""
    changed = differences(params)
    if all(name in ("scaled", "causal") for name, _ in changed):
        return changed
    return [("inputs", link.encode(params))]


def describe(params: Params, view: View, language: str) -> list[tuple[str, str]]:
    """Return what is computed and which part of it is shown, as (name, text) pairs."""
    t, sizes = translator(language), sizes_of(params)
    lengths = f"T = {sizes.T}, S = {sizes.S}"
    widths = f"d_model = {sizes.d_model}, d_k = {sizes.d_k}, d_v = {sizes.d_v}"
    cross = params.context is not None
    return [
        (t("Sizes"), f"{lengths}, {widths}"),
        (t("Input"), t("cross-attention, K and V from C") if cross else t("self-attention")),
        (t("Scaling"), t("divided by √d_k") if params.scaled else t("off")),
        (t("Mask"), t("causal mask") if params.causal else t("no mask")),
        (t("Tokens"), t.listing(params.tokens)),
        *([(t("Tokens of C"), t.listing(params.context_tokens))] if cross else []),
        *([] if view.row is None else [(t("Row"), str(view.row))]),
        *([] if view.column is None else [(t("Column"), str(view.column))]),
        *([] if view.part == 1 else [(t("Part"), str(view.part))]),
    ]


IDEA = Idea(
    name="worked_example",
    title=mark("Worked example"),
    params=Params,
    view=View,
    run=lambda params, backend, _progress: run(params, backend=backend),
    entries=_entries(),
    readers={"inputs": read_inputs, "example": _preset},
    encode=encode,
    describe=describe,
)
