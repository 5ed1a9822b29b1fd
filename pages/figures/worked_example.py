"""The worked example, drawn: one board for each of the six steps, and the flow of shapes.

Shape legend: T query positions, S key positions (T itself in self-attention).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.experiments.worked_example import ROLE_NAMES, STEPS, Result, matrix_of
from pages.figures.blocks import Block, Operator, Part
from pages.figures.board import board
from pages.figures.figure import Figure, Style, Table
from pages.figures.layout import largest_of
from pages.figures.names import file_stem
from pages.figures.numerals import decimals_needed, number, number_in_full
from pages.figures.printed import printed_figure
from pages.figures.shape_flow import shape_flow
from pages.figures.symbols import plain
from pages.text import Translator, translator

__all__ = ["STEPS", "figures", "printed_figure", "shape_flow", "step_figure"]

Cell = tuple[int, int]
_FILE_WORDS = {
    "score": "scores",
    "scale": "scaled-scores",
    "mask": "masked-scores",
    "softmax": "weights",
    "output": "output",
}


@dataclass(frozen=True)
class _Scene:
    """What every step reads: the result, the words, and the chosen cell."""

    result: Result
    t: Translator
    decimals: int
    role: str
    chosen: Cell | None = None
    asked: int | None = None  # a whole row, for practice

    @property
    def queries(self) -> tuple[str, ...]:
        """Labels of the query positions."""
        return self.result.params.tokens

    @property
    def keys(self) -> tuple[str, ...]:
        """Labels of the key positions."""
        return self.result.params.key_tokens

    @property
    def row(self) -> frozenset[int] | None:
        """The chosen row, for the operand that gives its row."""
        row = self.chosen[0] if self.chosen is not None else self.asked
        return None if row is None else frozenset({row})

    @property
    def column(self) -> frozenset[int] | None:
        """The chosen column, for the operand that gives its column."""
        return None if self.chosen is None else frozenset({self.chosen[1]})

    @property
    def hidden(self) -> np.ndarray | None:
        """True where the mask hides a key from a query; None without a mask."""
        mask = self.result.trace.mask
        return None if mask is None else ~np.asarray(mask, dtype=bool)


@dataclass(frozen=True)
class _Step:
    """One step as parts, with its title and note."""

    parts: tuple[Part, ...]
    title: str
    note: str


def _project(scene: _Scene) -> _Step:
    t, params, trace = scene.t, scene.result.params, scene.result.trace
    from_context = scene.role != "q" and params.context is not None
    source = params.context if from_context else params.x
    labels = scene.keys if from_context else scene.queries
    name = ROLE_NAMES[scene.role]
    caption = {"q": t("queries"), "k": t("keys"), "v": t("values")}[scene.role]
    letter = scene.role.upper()
    weights = np.array({"q": params.w_q, "k": params.w_k, "v": params.w_v}[scene.role])
    projected = {"q": trace.q, "k": trace.k, "v": trace.v}[scene.role]
    parts: tuple[Part, ...] = (
        Block(
            "C" if from_context else "X", t("second input") if from_context else t("input"),
            np.array(source), "input", row_labels=labels, rows=scene.row, typed=True,
        ),
        Operator("×"),
        Block(f"W_{letter}", t("projection"), weights, name, columns=scene.column, typed=True),
        Operator("="),
        _result(Block(letter, caption, projected, name, row_labels=labels), scene),
    )  # fmt: skip
    title = {
        "q": t("Step 1: project the input to queries"),
        "k": t("Step 1: project the second input to keys")
        if from_context
        else t("Step 1: project the input to keys"),
        "v": t("Step 1: project the second input to values")
        if from_context
        else t("Step 1: project the input to values"),
    }[scene.role]
    note = {
        "q": t("Each token's row times the projection matrix is its query: what it looks for."),
        "k": t("Each token's row times the projection matrix is its key: what it can be found by."),
        "v": t("Each token's row times the projection matrix is its value: what it passes on."),
    }[scene.role]
    return _Step(parts, title, note)


def _score_block(scene: _Scene, symbol: str, caption: str, values: np.ndarray) -> Block:
    return Block(
        symbol,
        caption,
        values,
        "scores",
        "scores",
        row_labels=scene.queries,
        column_labels=scene.keys,
    )


def _scores(scene: _Scene) -> Block:
    return _score_block(scene, "S", scene.t("scores"), scene.result.trace.scores)


def _scaled(scene: _Scene) -> Block:
    return _score_block(scene, "S′", scene.t("scaled scores"), scene.result.trace.scaled)


def _masked(scene: _Scene) -> Block:
    block = _score_block(scene, "S″", scene.t("masked scores"), scene.result.trace.masked)
    # The ramp of the scaled scores: a score that stays visible keeps its colour.
    return replace(block, limit=largest_of(scene.result.trace.scaled))


def _weights(scene: _Scene) -> Block:
    block = _score_block(scene, "A", scene.t("attention weights"), scene.result.trace.weights)
    # A weight of 1e-16 beside a 1 is small, not rounding: only a hidden key has exactly 0.
    return replace(block, role="weights", ramp="weights", masked=scene.hidden, typed=True)


def _operand(
    block: Block, rows: frozenset[int] | None, columns: frozenset[int] | None = None
) -> Block:
    return replace(block, rows=rows, columns=columns)


def _result(block: Block, scene: _Scene) -> Block:
    rows = scene.row if scene.chosen is None else None
    return replace(block, result=True, chosen=scene.chosen, rows=rows)


def _score(scene: _Scene) -> _Step:
    t, trace = scene.t, scene.result.trace
    queries = Block("Q", t("queries"), trace.q, "query", row_labels=scene.queries, rows=scene.row)
    keys = Block(
        "K^T",
        t("keys, transposed"),
        trace.k.T,
        "key",
        column_labels=scene.keys,
        columns=scene.column,
    )
    parts = (queries, Operator("×"), keys, Operator("="), _result(_scores(scene), scene))
    note = t("Each score is the dot product of one query (row) with one key (column).")
    return _Step(parts, t("Step 2: compare every query with every key"), note)


def _scale(scene: _Scene) -> _Step:
    t, d_k = scene.t, scene.result.sizes.d_k
    scores, scaled = _scores(scene), _scaled(scene)
    # One ramp for both: the paler result shows what the division does.
    limit = largest_of(scores.values)
    exact = np.sqrt(np.array([[float(d_k)]]))
    root = number(float(exact[0, 0]), decimals_needed(exact, scene.decimals))
    is_sign = "=" if decimals_needed(exact, 15) <= scene.decimals else "≈"
    said = {"d_k": d_k, "is_sign": is_sign, "root": root}
    if scene.result.params.scaled:
        operator = Operator("÷ √d_k", f"÷ {root}")
        title = t("Step 3: scale the scores")
        note = t(
            "Every score is divided by the square root of the key size: √{d_k} {is_sign} {root}.",
            **said,
        )
    else:
        operator = Operator("=", t("not scaled"))
        title = t("Step 3: scaling is off")
        note = t(
            "The scores pass unchanged; the division by √{d_k} {is_sign} {root} is switched off.",
            **said,
        )
    parts: tuple[Part, ...] = (
        _operand(replace(scores, limit=limit), scene.row, scene.column),
        operator,
        _result(replace(scaled, limit=limit), scene),
    )
    if scene.result.params.scaled:
        parts = (*parts[:2], Operator("="), parts[2])
    return _Step(parts, title, note)


def _mask(scene: _Scene) -> _Step:
    t = scene.t
    scaled = _operand(_scaled(scene), scene.row, scene.column)
    masked = _result(_masked(scene), scene)
    if scene.hidden is None:
        note = t(
            "No mask is set, so every query may look at every key and the scores stay as they are."
        )
        return _Step((scaled, Operator("=", t("no mask")), masked), t("Step 4: no mask"), note)
    added = np.where(scene.hidden, -np.inf, 0.0)
    mask = Block(
        "M", t("causal mask"), added, "input", "plain", column_labels=scene.keys,
        rows=scene.row, columns=scene.column,
    )  # fmt: skip
    note = t(
        "Hatched cells are masked: minus infinity is added, so softmax will give them weight 0."
    )
    title = t("Step 4: mask the keys that come later")
    return _Step((scaled, Operator("+"), mask, Operator("="), masked), title, note)


def _softmax(scene: _Scene) -> _Step:
    t = scene.t
    sums = Block(
        "Σ", "", scene.result.trace.weights.sum(axis=1, keepdims=True), "weights", "plain",
        column_labels=("",), rows=scene.row, brief=True,
    )  # fmt: skip
    parts = (
        _operand(_masked(scene), scene.row),
        Operator("→", t("softmax")),
        _result(_weights(scene), scene),
        sums,
    )
    note = t("Softmax turns each row of scores into weights that add up to 1.")
    return _Step(parts, t("Step 5: softmax gives the attention weights"), note)


def _output(scene: _Scene) -> _Step:
    t, trace = scene.t, scene.result.trace
    values = Block("V", t("values"), trace.v, "value", row_labels=scene.keys, columns=scene.column)
    output = Block("O", t("output"), trace.output, "output", row_labels=scene.queries)
    parts = (
        _operand(_weights(scene), scene.row),
        Operator("×"),
        values,
        Operator("="),
        _result(output, scene),
    )
    note = t("Each output row averages the value rows, weighted by one row of attention weights.")
    return _Step(parts, t("Step 6: average the values by their weights"), note)


_BUILDERS: dict[str, Callable[[_Scene], _Step]] = {
    "project": _project,
    "score": _score,
    "scale": _scale,
    "mask": _mask,
    "softmax": _softmax,
    "output": _output,
}


def _table(parts: tuple[Part, ...]) -> Table:
    columns = ("matrix", "row", "column", "row_label", "column_label", "value")
    blocks = [part for part in parts if isinstance(part, Block)]
    return Table(columns, tuple(row for block in blocks for row in _table_rows(block)))


def _table_rows(block: Block) -> list[tuple[object, ...]]:
    name, (rows, columns) = plain(block.symbol), block.shape
    return [
        (
            name,
            row + 1,
            column + 1,
            _label(block.row_labels, row),
            _label(block.column_labels, column),
            "" if block.secret else float(block.values[row, column]),
        )
        for row in range(rows)
        for column in range(columns)
    ]


def _label(labels: tuple[str, ...], index: int) -> str:
    return labels[index] if labels else ""


def _within(selected: Cell | None, shape: tuple[int, ...]) -> Cell | None:
    if selected is None:
        return None
    row, column = selected
    return selected if 0 <= row < shape[0] and 0 <= column < shape[1] else None


def _alt(step: _Step, t: Translator) -> str:
    result = result_of(step.parts)
    rows, columns = result.shape
    shape = t(
        "{matrix}: {rows} rows, {columns} columns.",
        matrix=plain(result.symbol),
        rows=rows,
        columns=columns,
    )
    return t.sentences(t("{title}.", title=step.title), shape, _chosen_words(result, t))


def _chosen_words(block: Block, t: Translator) -> str:
    if block.chosen is None:
        return ""
    row, column = block.chosen
    return t(
        "Chosen: row {row}, column {column}, {value}.",
        row=row + 1,
        column=column + 1,
        value=number_in_full(float(block.values[row, column])),
    )


def result_of(parts: tuple[Part, ...]) -> Block:
    """Return the one block that is the result."""
    return next(part for part in parts if isinstance(part, Block) and part.result)


@dataclass(frozen=True)
class StepPlan:
    """One step before it is laid out: what a board needs."""

    parts: tuple[Part, ...]
    name: str
    title: str
    note: str
    alt: str

    def draw(self, style: Style) -> Figure:
        """Draw the parts as one board."""
        return board(
            self.parts,
            style,
            name=self.name,
            title=self.title,
            note=self.note,
            table=_table(self.parts),
            alt=self.alt,
        )


def plan_step(
    result: Result,
    step: str,
    style: Style,
    *,
    role: str = "q",
    selected: Cell | None = None,
    asked: int | None = None,
) -> StepPlan:
    """Return the parts of one step; ``asked`` emphasises a whole row, ``selected`` one cell."""
    t = translator(style.language)
    word = ROLE_NAMES[role] if step == "project" else _FILE_WORDS[step]
    chosen = _within(selected, matrix_of(result, step, role).shape)
    made = _BUILDERS[step](_Scene(result, t, style.decimals, role, chosen, asked))
    name = file_stem(result, word) + _place(chosen, asked)
    return StepPlan(made.parts, name, made.title, made.note, _alt(made, t))


def _place(chosen: Cell | None, asked: int | None) -> str:
    """Return the part of a file's name that says which cell or row is emphasised."""
    if chosen is not None:
        return f"-row{chosen[0] + 1}-column{chosen[1] + 1}"
    return "" if asked is None else f"-row{asked + 1}"


def step_figure(
    result: Result,
    step: str,
    style: Style,
    *,
    role: str = "q",
    selected: Cell | None = None,
) -> Figure:
    """Draw one step: its operands, its operator and its result.

    Parameters
    ----------
    result : Result
        A computed worked example.
    step : str
        One of ``STEPS``.
    style : Style
        Theme, language, size, decimals.
    role : {"q", "k", "v"}
        Which projection the step "project" shows.
    selected : tuple of int, optional
        Row and column, from 0, of the chosen cell of the result; out of range means none.

    Returns
    -------
    Figure

    Raises
    ------
    KeyError
        When there is no such step or role.
    """
    return plan_step(result, step, style, role=role, selected=selected).draw(style)


def figures(result: Result, style: Style) -> list[Figure]:
    """Draw everything, in the order of a lecture."""
    projections = [step_figure(result, "project", style, role=role) for role in ROLE_NAMES]
    steps = [step_figure(result, step, style) for step in STEPS[1:]]
    return [shape_flow(result, style), *projections, *steps]
