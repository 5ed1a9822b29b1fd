"""What a cache of keys and values holds while a sequence is written token by token.

A cache is right where no query sees a later token: then an output never changes again. Under any
other mask the figure shows by how much a cache would be wrong, and whether it is right from some
length on.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.masks.growth import GrowthResult
from pages.figures.canvas import Canvas
from pages.figures.errors import FigureError
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.masks.cache_board import CacheBoard
from pages.figures.masks.common import stem
from pages.figures.numerals import measured_number
from pages.figures.plot import Axis, Screen, Words, bar_figure, line_figure
from pages.figures.series import series_colour
from pages.figures.slide import body, open_sheet
from pages.figures.ticks import ScaleName
from pages.text import Translator, translator
from pages.text.mask_words import spec_words

MOST_ROWS, MOST_COLUMNS = 12, 8  # tokens and columns of K and of V that a board holds
_ROOM = (852.0, 392.0)  # on screen, inside the padding
_PADDING = 8.0
_SCREEN = Screen(868.0, 340.0)
_MOST_BARS = 24  # steps: more are a line
_LOG_FROM = 20.0  # how much larger the largest count is than the smallest on a logarithmic axis


def cache_figure(result: GrowthResult, style: Style, step: int = 1) -> Figure:
    """Draw step ``step``, from 1: the new query, the cached keys and values, the new output.

    Mask b of the result decides. A long sequence, or wide keys, give the dot products of every
    step as lines instead; a mask that lets a query see later tokens gives the error of a cache.

    Raises
    ------
    FigureError
        When there is no such step.
    """
    T = len(result.head.tokens)
    if not 1 <= step <= T:
        raise FigureError("The step must be from 1 to {most}, got {step}.", most=T, step=step)
    if np.triu(result.b.visible, 1).any():
        return _errors_figure(result, style, step)
    if T <= MOST_ROWS and max(result.k.shape[1], result.v.shape[1]) <= MOST_COLUMNS:
        return _board(result, style, step)
    return _counts_figure(result, style, step)


def _name(result: GrowthResult, step: int) -> str:
    return f"{stem('kv-cache', result.params, result.head, result.params.b)}-step{step}"


# ---- the board of one step


def _board(result: GrowthResult, style: Style, step: int) -> Figure:
    t = translator(style.language)
    title = t("Step {step}: what the KV cache holds", step=step)
    note = t.sentences(
        _counts_note(result, step, t), _same_note(result, style, step, t), rolling_words(result, t)
    )
    if style.size == "screen":
        board = CacheBoard(result, step, style, _ROOM)
        width, height = board.size
        canvas = Canvas(
            width + 2 * _PADDING, height + 2 * _PADDING, style.colours,
            transparent=style.transparent,
        )  # fmt: skip
        note = t.sentences(note, _fit_note(board, style, t))
        board.draw(canvas, _PADDING, _PADDING)
    else:
        board, note = _fitted(result, style, step, note, t)
        canvas, (left, top, width, height) = open_sheet(style, title, note, "key")
        inner = board.size
        board.draw(canvas, left + (width - inner[0]) / 2, top + (height - inner[1]) / 2)
    alt = t.sentences(t("{title}.", title=title), note)
    return Figure(
        _name(result, step), title, canvas.spec(alt), _board_table(result, step), note, alt
    )


def _fitted(
    result: GrowthResult, style: Style, step: int, note: str, t: Translator
) -> tuple[CacheBoard, str]:
    """Return the board in the room that its own caption leaves."""
    full = note
    while True:
        _, _, *room = body(style, full)
        board = CacheBoard(result, step, style, (room[0], room[1]))
        longer = t.sentences(note, _fit_note(board, style, t))
        if len(longer) <= len(full):
            return board, full
        full = longer


def _fit_note(board: CacheBoard, style: Style, t: Translator) -> str:
    if board.decimals is None:
        return t("The cells are too small for numbers.")
    if board.decimals < style.decimals and board.rounded:
        return t(
            "Numbers are drawn with fewer decimals ({decimals}) to fit.", decimals=board.decimals
        )
    return ""


def _counts(result: GrowthResult, step: int) -> tuple[int, int]:
    """Return the dot products of one step, with a cache and without one."""
    visible = result.b.visible[:step, :step]
    return int(visible[-1].sum()), int(visible.sum())


def _counts_note(result: GrowthResult, step: int, t: Translator) -> str:
    seen, again = _counts(result, step)
    d_k, d_v = result.k.shape[1], result.v.shape[1]
    return t(
        "Dot products of this step: {seen} with the cache, {again} if the whole pass up to here "
        "were made again. The cache holds {step} × ({d_k} + {d_v}) = {total} numbers.",
        seen=seen,
        again=again,
        step=step,
        d_k=d_k,
        d_v=d_v,
        total=step * (d_k + d_v),
    )


def _same_note(result: GrowthResult, style: Style, step: int, t: Translator) -> str:
    return t(
        "The output agrees with the pass over the whole sequence: largest difference {difference}.",
        difference=measured_number(float(result.b.decoded[step - 1]), style.decimals),
    )


def rolling_words(result: GrowthResult, t: Translator) -> str:
    """Return that fewer rows would do, where a window leaves the oldest keys unread for good."""
    window, T = result.params.b_window, len(result.head.tokens)
    if result.params.b_pattern != "window" or window >= T:
        return ""
    if window == 1:
        return t("No key before the window is read again, so a rolling cache of one row would do.")
    return t(
        "No key before the window is read again, so a rolling cache of {window} rows would do.",
        window=window,
    )


def _board_table(result: GrowthResult, step: int) -> Table:
    row = step - 1
    parts = (
        ("q", result.q[row : row + 1], row), ("K", result.k[:step], 0), ("V", result.v[:step], 0),
        ("a", result.weights[row : row + 1, :step], row), ("o", result.output[row : row + 1], row),
    )  # fmt: skip
    tokens = result.head.tokens
    rows = tuple(
        (name, first + i + 1, tokens[first + i], j + 1, float(values[i, j]))
        for name, values, first in parts
        for i, j in np.ndindex(*values.shape)
    )
    return Table(("matrix", "row", "label", "column", "value"), rows)


# ---- long sequences: the work of every step


def _counts_figure(result: GrowthResult, style: Style, step: int) -> Figure:
    t = translator(style.language)
    T = len(result.head.tokens)
    counts = [_counts(result, each) for each in range(1, T + 1)]
    seen, again = (tuple(map(float, column)) for column in zip(*counts, strict=True))
    title = t("Dot products of every step, with a KV cache and without")
    note = t.sentences(
        t("Step {step}.", step=step),
        _counts_note(result, step, t),
        _same_note(result, style, step, t),
        rolling_words(result, t),
    )
    alt = t.sentences(t("{title}.", title=title), note)
    least, most = min(seen), max(again)
    scale: ScaleName = "log10" if least > 0 and most > _LOG_FROM * least else "linear"
    width = result.k.shape[1] + result.v.shape[1]
    rows = tuple((i, *both, i * width) for i, both in enumerate(counts, 1))
    series = (
        Series(t("with the cache"), seen, series_colour(0, style.theme)),
        Series(t("without a cache"), again, series_colour(2, style.theme)),
    )
    return line_figure(
        tuple(map(float, range(1, T + 1))),
        series,
        style,
        Words(_name(result, step), title, note, alt, "key"),
        x_axis=Axis(t("step: tokens so far")),
        y_axis=Axis(t("dot products"), None if scale == "log10" else 0.0, None, scale),
        table=Table(("step", "with a cache", "without a cache", "numbers stored"), rows),
        references=(Reference(float(step), t("step {step}", step=step)),),
        dots=(float(step),),
        screen=_SCREEN,
    )


# ---- a mask that lets a query see later tokens


def _errors_figure(result: GrowthResult, style: Style, step: int) -> Figure:
    """Draw how far each output is off that is computed from the tokens so far."""
    t = translator(style.language)
    wrong = tuple(result.b.decoded.tolist())
    title, note = _errors_title(result, t), _errors_note(result, style, step, t)
    alt = t.sentences(t("{title}.", title=title), note)
    words = Words(_name(result, step), title, note, alt, "output")
    rows = tuple(zip(range(1, len(wrong) + 1), result.head.tokens, wrong, strict=True))
    table = Table(("step", "token", "difference of the output"), rows)
    series = (Series(t("error of a cache"), wrong, style.colours.roles["output"]),)
    axis = Axis(t("largest difference of the output"), 0.0, _errors_end(result))
    x_title = t("step: tokens so far")
    if len(wrong) <= _MOST_BARS:
        steps = tuple(str(number) for number, _, _ in rows)
        return bar_figure(
            steps, series, style, words, x_title=x_title, y_axis=axis, table=table,
            screen=_SCREEN, measured=True,
        )  # fmt: skip
    return line_figure(
        tuple(float(number) for number, _, _ in rows),
        series,
        style,
        words,
        x_axis=Axis(x_title),
        y_axis=axis,
        table=table,
        references=(Reference(float(step), t("step {step}", step=step)),),
        dots=(float(step),),
        screen=_SCREEN,
    )


def _errors_end(result: GrowthResult) -> float | None:
    """Return the end of the axis: what is rounding alone must not fill it."""
    if result.b.cache_error > result.b.rounding:
        return None
    return float(np.abs(result.output).max(initial=0.0)) or 1.0


def _errors_title(result: GrowthResult, t: Translator) -> str:
    """Return what the measured changes say of a cache under this mask."""
    mask, found = spec_words(result.params.b, t, inside=True), result.b
    if found.settled is None:
        return t("No KV cache under this mask: {mask}", mask=mask)
    if found.last_change:
        return t("A KV cache from length {settled} on: {mask}", settled=found.settled, mask=mask)
    return t("These tokens change no earlier output: {mask}", mask=mask)


def _errors_note(result: GrowthResult, style: Style, step: int, t: Translator) -> str:
    difference = measured_number(float(result.b.decoded[step - 1]), style.decimals)
    missed = t(
        "Output {step} from the tokens so far misses the one of the whole sequence by "
        "{difference}.",
        step=step,
        difference=difference,
    )
    return t.sentences(_changes_note(result, style, t), missed, _prefix_note(result, t))


def _changes_note(result: GrowthResult, style: Style, t: Translator) -> str:
    """Return up to where outputs change as later tokens arrive."""
    found = result.b
    largest = measured_number(found.change, style.decimals)
    if not found.last_change:
        return t(
            "Some queries may see later tokens, yet with these tokens no output changes beyond "
            "rounding ({largest}).",
            largest=largest,
        )
    changes = t(
        "Some queries may see later tokens, so their outputs change as those arrive: by up to "
        "{largest} here.",
        largest=largest,
    )
    if found.settled is None:
        return changes
    stays = t("From length {settled} on no output changes any more.", settled=found.settled)
    return t.sentences(changes, stays)


def _prefix_note(result: GrowthResult, t: Translator) -> str:
    if result.params.b_pattern != "prefix" or result.params.b_drawn:
        return ""
    return t("A prefix model computes its prefix in one pass and uses a cache from there on.")
