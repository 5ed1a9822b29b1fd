"""Bytes against T on logarithmic axes: a line for each method, and the budgets they meet."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.experiments.memory.budgets import GIB, Budget
from engine.experiments.memory.predicted import LANDMARKS, Curve, Params, Result
from pages.figures.annotate import words_width
from pages.figures.canvas import FRAME
from pages.figures.figure import Chart, Figure, Reference, Series, Style, Table
from pages.figures.legend import Legend
from pages.figures.memory.budget_lines import (
    Label,
    budget_labels,
    draw_budget,
    draw_labels,
    labels_room,
)
from pages.figures.memory.common import (
    DRAWN,
    WIDE,
    bytes_axis,
    counted_words,
    growth,
    method_colour,
    method_kind,
    method_width,
    near_from,
    setting_words,
    words_of,
)
from pages.figures.memory.decades import in_decades
from pages.figures.memory.names import (
    budget_part,
    budgets_part,
    counted_parts,
    devices_part,
    stem,
)
from pages.figures.memory.rings import Rings
from pages.figures.panel import Axis, Builder, Margins, Panel, Screen, Words, open_plot, sizes_of
from pages.figures.plot_marks import draw_line, legend_entries
from pages.figures.plot_model import Lines
from pages.figures.plot_tips import draw_tips
from pages.figures.series import marker_of, marker_path
from pages.figures.slide import Room
from pages.figures.ticks import Scale
from pages.text import Translator, translator
from pages.text.memory_words import (
    budget_words,
    bytes_words,
    each_words,
    method_words,
    place_words,
    tokens_words,
)

# Every fourth octave has a marker, of lines that may lie on each other at places of their own.
_MARKED = {"materialised": 0, "fused": 1, "window": 2, "blocked": 3}
_OCTAVES = 4
_NAMES_SHARE = 0.24  # of the width, at most, for the names of the lines at their ends


@dataclass(frozen=True)
class _Plot:
    """Everything that is drawn."""

    result: Result
    lines: Lines
    budgets: tuple[Budget, ...]
    words: Words


def bytes_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the bytes of every method against T, with budgets, landmarks and the chosen T.

    Parameters
    ----------
    result : Result
        From ``engine.experiments.memory.predicted.run``.
    style : Style
        Theme, language, size.
    screen : Screen
        Width and height at screen size.
    """
    t, params = translator(style.language), result.params
    title = t("Memory against the number of tokens, T")
    note = t.sentences(setting_words(params, t), counted_words(params, t), each_words(params, t),
                       _fit_words(result, t), _together(result, t),
                       "" if style.size == "half" else _band_words(result, t))  # fmt: skip
    name = _name(params)
    words = words_of(name, title, note, "weights", t, _amounts_words(result, t))
    budgets = _budgets(result)
    plot = _Plot(result, _lines(result, budgets, style, t), budgets, words)
    spec = _Drawing(plot, style, screen).spec()
    return Figure(name, title, spec, _table(result), note, words.alt, _chart(plot, t))


def _name(params: Params) -> str:
    return stem("bytes", params, params.mode, params.dtype, f"T{params.T}", *counted_parts(params),
                devices_part(params), budget_part(params), budgets_part(params))  # fmt: skip


# ---- what is said


def _fit_words(result: Result, t: Translator) -> str:
    """Return how many tokens of each method fit into the budget that is looked at."""
    parts = [
        t("{name}: {value}", name=method_words(fit.method, t), value=tokens_words(fit.T))
        for fit in result.at_budget
        if fit.T
    ]
    place = place_words(result.chosen, result.params.devices, t)
    if not parts:
        return t("Not one token fits {place}.", place=place)
    return t("Most tokens {place}: {parts}.", place=place, parts=t.clauses(parts))


def _together(result: Result, t: Translator) -> str:
    """Say which lines lie on each other, where some do."""
    curves = {curve.method: curve for curve in result.curves}
    said = []
    blocked, fused = curves["blocked"], curves["fused"]
    near = near_from(blocked.Ts, blocked.bytes, fused.bytes)
    if near is not None:
        said.append(t("Blocked and fused are nearly one line from T = {T} on.", T=f"{near:,}"))
    window, whole = curves["window"], curves["materialised"]
    same = [T for T, a, b in zip(whole.Ts, whole.bytes, window.bytes, strict=True) if a == b]
    if same == list(whole.Ts):
        said.append(t("The window hides nothing here: its line is the materialised one."))
    elif same and same == [T for T in whole.Ts if result.params.window >= T]:
        said.append(
            t(
                "Up to T = {T} the window hides nothing: its line is the materialised one.",
                T=f"{result.params.window:,}",
            )
        )
    return t.sentences(*said)


def _band_words(result: Result, t: Translator) -> str:
    """Say why the window may need more than fused attention, where it does and hides something."""
    curves = {curve.method: curve for curve in result.curves}
    window, fused = curves["window"], curves["fused"]
    hiding = [result.params.window < T for T in window.Ts]
    above = (a > b for a, b in zip(window.bytes, fused.bytes, strict=True))
    if not any(high and hides for high, hides in zip(above, hiding, strict=True)):
        return ""
    return t("The window's scores are stored, as a band, and not fused: so its line can be above "
             "the fused one.")  # fmt: skip


def _amounts_words(result: Result, t: Translator) -> str:
    """Return the bytes of every method at the chosen T."""
    T = result.params.T
    parts = [
        t("{name}: {value}", name=method_words(curve.method, t),
          value=bytes_words(curve.bytes[curve.Ts.index(T)], t))
        for curve in result.curves
    ]  # fmt: skip
    return t("T = {T}: {parts}.", T=f"{T:,}", parts=t.clauses(parts))


def _table(result: Result) -> Table:
    columns = ("T", *(f"{curve.method} (bytes)" for curve in result.curves))
    rows = zip(result.curves[0].Ts, *(curve.bytes for curve in result.curves), strict=True)
    return Table(columns, tuple(rows))


# ---- what is drawn


def _budgets(result: Result) -> tuple[Budget, ...]:
    """Return every budget once, the smallest first."""
    every = [result.machine, result.chosen, *(fit.budget for fit in result.fits)]
    found = dict.fromkeys(budget for budget in every if budget.bytes > 0)
    return tuple(sorted(found, key=lambda budget: (budget.bytes, budget.name)))


def _lines(result: Result, budgets: tuple[Budget, ...], style: Style, t: Translator) -> Lines:
    curves = {curve.method: curve for curve in result.curves}
    series = tuple(_series(curves[method], style, t) for method in DRAWN)
    Ts = tuple(map(float, result.curves[0].Ts))
    held = [value for each in series for value in each.values]
    y_axis = bytes_axis(
        _held_title(result, t), [*held, *(float(each.bytes) for each in budgets)], t
    )
    low, high = y_axis.least, y_axis.most
    assert low is not None
    assert high is not None
    return Lines(
        Ts, series, Axis(t("number of tokens, T"), scale="log10"), y_axis, (Ts[0], Ts[-1]),
        (low, high), _upright(result, style, t), (),
    )  # fmt: skip


def _held_title(result: Result, t: Translator) -> str:
    return t("memory") if result.params.devices == 1 else t("memory of each device")


def _series(curve: Curve, style: Style, t: Translator) -> Series:
    name, power = method_words(curve.method, t), growth(curve.Ts, curve.bytes)
    if power is not None:
        name = t("{method} ~ {power}", method=name, power="T²" if power == 2 else "T")
    return Series(
        name,
        tuple(map(float, curve.bytes)),
        method_colour(curve.method, style),
        kind=method_kind(curve.method),
        weight=method_width(curve.method),
    )


def _upright(result: Result, style: Style, t: Translator) -> tuple[Reference, ...]:
    """Return the landmarks and the chosen T, from the left to the right."""
    chosen = result.params.T
    lines = [
        Reference(float(T), t("{count} tokens", count=f"{T:,}"))
        for T in LANDMARKS
        if chosen != T
    ]  # fmt: skip
    lines.append(Reference(float(chosen), f"T = {chosen:,}", colour=style.colours.text))
    return tuple(sorted(lines, key=lambda line: line.at))


class _Drawing:
    """Draws one plot."""

    def __init__(self, plot: _Plot, style: Style, screen: Screen) -> None:
        self.plot, self.style, self.screen = plot, style, screen
        self.canvas, self.room = open_plot(style, plot.words, screen)
        brief = style.size in ("half", "square")
        self.labels = budget_labels(plot.budgets, plot.result.chosen, style, brief=brief)
        self.named = self._names_fit()
        if self.named:
            self.labels += [
                Label(each.values[-1], each.name, each.colour, True) for each in plot.lines.series
            ]

    def _names_fit(self) -> bool:
        """Whether the lines are named at their ends; a legend names them where there is no room."""
        size, most = sizes_of(self.style).label, self.room[2] * _NAMES_SHARE
        names = [each.name for each in self.plot.lines.series]
        return all(words_width(name, size, True, self.canvas.smallest) <= most for name in names)

    def spec(self) -> dict[str, object]:
        """Return the specification."""
        plot, lines = self.plot, self.plot.lines
        legend = self._legend(self.room)
        margins = Margins(
            above=legend.height,
            right=labels_room(self.labels, self.style),
            edges=self.screen.edges if self.style.size == "screen" else None,
        )
        panel = Builder(self.canvas, self.style, self.room, margins).build(
            lines.x_axis.title,
            (*lines.x_range, lines.x_axis.scale),
            (lines.y_axis.title, *lines.y_range, lines.y_axis.scale),
            lines.references,
            (),
            lines.y_axis.written,
        )
        legend.draw()
        self._inside(panel)
        return self.canvas.spec(plot.words.alt)

    def _legend(self, room: Room) -> Legend:
        entries = () if self.named else legend_entries(self.plot.lines, self.style)
        return Legend(self.canvas, self.style, entries, room[0], room[1], room[2])

    def _inside(self, panel: Panel) -> None:
        plot, lines = self.plot, self.plot.lines
        across = panel.x(*lines.x_range, lines.x_axis.scale)
        for budget in plot.budgets:
            draw_budget(panel, budget, chosen=budget == plot.result.chosen)
        for index in range(len(lines.series)):
            draw_line(panel, across, lines, index)
        for method, series in zip(DRAWN, lines.series, strict=True):
            _draw_markers(panel, across, method, series, lines.x)
        Rings(panel, across, lines).draw(plot.result.at_budget)
        draw_labels(panel, self.labels)
        if self.style.size == "screen":
            draw_tips(panel, across, lines)


def _draw_markers(
    panel: Panel, across: Scale, method: str, series: Series, x: tuple[float, ...]
) -> None:
    """Put a marker on every fourth octave of a line."""
    shape, background = marker_of(method_kind(method)), panel.style.colours.background
    for T, value in zip(x, series.values, strict=True):
        octave = math.log2(T)
        if octave.is_integer() and octave % _OCTAVES == _MARKED[method]:
            path = marker_path(shape, across.at(T), panel.y.at(value), panel.sizes.marker)
            panel.canvas.path(path, fill=series.colour, stroke=background, stroke_width=1,
                              level=FRAME)  # fmt: skip


# ---- as an editable chart, which knows no binary units


def _chart(plot: _Plot, t: Translator) -> Chart:
    """Return the chart in GiB; of labels that would overlap, the chosen ones are kept."""
    lines, result = plot.lines, plot.result
    upright = sorted(lines.references, key=lambda line: line.at != result.params.T)
    order = sorted(plot.budgets, key=lambda each: (each != result.chosen, not each.name))
    levels = [Reference(float(each.bytes), budget_words(each, t), "y") for each in order]
    chart = Chart(
        "line", lines.x_axis.title, "", lines.x, lines.series, lines.y_range, x_log=True,
        y_log=True, references=(*upright, *levels),
    )  # fmt: skip
    alone = result.params.devices == 1
    title = t("memory (GiB)") if alone else t("memory of each device (GiB)")
    return in_decades(chart, GIB, title, beyond=True)
