"""How many tokens N devices hold together, when each holds T / N of them."""

from __future__ import annotations

import math

from engine.experiments.memory.predicted import DEVICES, MOST_T, Result
from pages.figures.figure import Crosses, Figure, Reference, Series, Style, Table
from pages.figures.measure import balance_text
from pages.figures.memory.common import (
    DRAWN,
    WIDE,
    counted_words,
    method_colour,
    method_kind,
    method_width,
    near_from,
    setting_words,
    words_of,
)
from pages.figures.memory.names import budget_part, counted_parts, devices_part, stem
from pages.figures.panel import Axis, Screen, Words, open_plot, sizes_of
from pages.figures.plot import line_figure
from pages.text import Translator, translator
from pages.text.digits import digits
from pages.text.memory_predictions import times_words
from pages.text.memory_words import budget_words, bytes_words, method_words

_LAWS = ((0.5, "√N"), (1.0, "N"))
_LINE = 1.5  # of the font, between two lines of a sentence
_EMPTY = 120.0  # pixels: the height of a sentence on screen
_TOLERANCE = 0.05  # of a slope


def devices_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the largest T against the number of devices, every method in the chosen budget."""
    t, params = translator(style.language), result.params
    title = t("The most tokens that fit on N devices, {budget} each",
              budget=budget_words(result.chosen, t))  # fmt: skip
    note = t.sentences(setting_words(params, t), counted_words(params, t), _reach_words(result, t),
                       _together(result, t), _most_words(result, t), _crossed_words(result, t),
                       )  # fmt: skip
    series = [_series(result, method, style, t) for method in DRAWN]
    shown = [each for each in series if each is not None]
    name = stem("devices", params, params.mode, params.dtype, *counted_parts(params),
                devices_part(params), budget_part(params, always=True))  # fmt: skip
    words = words_of(name, title, note, "weights", t)
    if not shown:
        return _empty(result, style, words, screen)
    return line_figure(
        tuple(map(float, DEVICES)),
        shown,
        style,
        words,
        x_axis=Axis(t("devices, N"), scale="log2"),
        y_axis=Axis(t("most tokens, T"), scale="log10", written=_whole),
        table=_table(result),
        references=_chosen(result, style),
        dots=(float(DEVICES[0]), float(DEVICES[-1])),
        crosses=_crosses(result, style, t),
        symbols=True,  # names without room for all of them stand in a legend, uncut
        screen=screen,
    )


def _whole(value: float) -> str:
    """Return a tick in full: an axis that mixes 100,000 and powers of ten is harder to read."""
    return f"{value:,.0f}"


def _carried(result: Result, method: str) -> dict[int, int]:
    return {each.devices: each.T for each in result.carried if each.method == method}


def _series(result: Result, method: str, style: Style, t: Translator) -> Series | None:
    """Return the line of a method where at least one token fits; None where none ever does."""
    there = {N: T for N, T in _carried(result, method).items() if T}
    if not there:
        return None
    return Series(
        _named(method, there, t),
        tuple(map(float, there.values())),
        method_colour(method, style),
        None if len(there) == len(DEVICES) else tuple(map(float, there)),
        kind=method_kind(method),
        weight=method_width(method),
    )


def _named(method: str, there: dict[int, int], t: Translator) -> str:
    """Return the name of a method, with how its line grows at its end where that is a law."""
    name, (before, last) = method_words(method, t), DEVICES[-2:]
    if before not in there:
        return name
    slope = math.log(there[last] / there[before]) / math.log(last / before)
    law = next((law for power, law in _LAWS if abs(slope - power) < _TOLERANCE), "")
    return t("{method} ~ {power}", method=name, power=law) if law else name


def _empty(result: Result, style: Style, words: Words, screen: Screen) -> Figure:
    """Say in the middle of the figure that no number of devices holds a token."""
    low = Screen(screen.width, _EMPTY)
    canvas, (left, top, width, height) = open_plot(style, words, low)
    size, colour = sizes_of(style).title, style.colours.text
    lines = balance_text(_crossed_words(result, translator(style.language)), size, 0.8 * width)
    for number, line in enumerate(lines):
        y = top + height / 2 + (number - (len(lines) - 1) / 2) * size * _LINE
        canvas.text(left + width / 2, y, line, size, colour)
    spec = canvas.spec(words.alt)
    return Figure(words.name, words.title, spec, _table(result), words.note, words.alt)


def _crossed_words(result: Result, t: Translator) -> str:
    """Say that not one token fits, where no method and no number of devices holds any."""
    if any(each.T for each in result.carried):
        return ""
    return t(
        "Not one token fits, with no method and on none of 1 to {most} devices of {budget} each.",
        most=f"{DEVICES[-1]:,}",
        budget=bytes_words(result.chosen.bytes, t),
    )


def _chosen(result: Result, style: Style) -> tuple[Reference, ...]:
    """Return the chosen number of devices; one device is the edge of the plot."""
    N = result.params.devices
    if N == 1:
        return ()
    return (Reference(float(N), f"N = {N:,}", colour=style.colours.text),)


def _crosses(result: Result, style: Style, t: Translator) -> tuple[Crosses, ...]:
    """Return where not one token of a method fits."""
    found = []
    for method in DRAWN:
        places = tuple(float(N) for N, T in _carried(result, method).items() if not T)
        if places:
            name = t("{method}: does not fit", method=method_words(method, t))
            found.append(Crosses(name, places, method_colour(method, style)))
    return tuple(found)


def _reach_words(result: Result, t: Translator) -> str:
    """Return how many times the tokens of one device many hold, by method."""
    most, parts = DEVICES[-1], []
    for method in result.stacks:
        carried = _carried(result, method)
        if carried[1] and carried[most] < MOST_T:
            factor = times_words(digits(carried[most] / carried[1]), t)
            parts.append(t("{name}: {value}", name=method_words(method, t), value=factor))
    if not parts:
        return ""
    return t("{count} devices hold, against one: {parts}.", count=f"{most:,}",
             parts=t.clauses(parts))  # fmt: skip


def _together(result: Result, t: Translator) -> str:
    """Say which lines lie on each other, where two do."""
    blocked, fused = (list(_carried(result, name).values()) for name in ("blocked", "fused"))
    near = near_from(DEVICES, blocked, fused)
    if near is None:
        return ""
    return t("Blocked and fused are nearly one line from N = {N} on.", N=f"{near:,}")


def _most_words(result: Result, t: Translator) -> str:
    """Say where the search ends, where a line reaches it."""
    if max(each.T for each in result.carried) < MOST_T:
        return ""
    return t("Lines end at {tokens} tokens, where the search ends.", tokens=f"{MOST_T:,}")


def _table(result: Result) -> Table:
    by_method = {method: _carried(result, method) for method in result.stacks}
    columns = ("devices", *(f"{method} (largest T)" for method in by_method))
    rows = tuple((N, *(carried[N] for carried in by_method.values())) for N in DEVICES)
    return Table(columns, rows)
