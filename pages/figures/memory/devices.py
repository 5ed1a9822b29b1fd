"""How many tokens N devices carry together, when each holds T / N of them."""

from __future__ import annotations

import math

from engine.experiments.memory.predicted import DEVICES, MOST_T, Result
from pages.figures.figure import Crosses, Figure, Series, Style, Table
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
from pages.figures.memory.names import budget_part, counted_parts, stem
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.text import Translator, translator
from pages.text.memory_words import budget_words, method_words

_LAWS = ((0.5, "√N"), (1.0, "N"))
_TOLERANCE = 0.05  # of a slope


def devices_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the largest T against the number of devices, every method in the chosen budget."""
    t, params = translator(style.language), result.params
    title = t("How far N devices carry the sequence, {budget} each",
              budget=budget_words(result.chosen, t))  # fmt: skip
    note = t.sentences(setting_words(params, t), counted_words(params, t), _reach_words(result, t),
                       _together(result, t), _most_words(result, t))  # fmt: skip
    series = [_series(result, method, style, t) for method in DRAWN]
    shown = [each for each in series if each is not None]
    name = stem("devices", params, params.mode, params.dtype, *counted_parts(params),
                budget_part(params, always=True))  # fmt: skip
    return line_figure(
        tuple(map(float, DEVICES)),
        shown,
        style,
        words_of(name, title, note, "weights", t),
        x_axis=Axis(t("devices, N"), scale="log2"),
        y_axis=Axis(t("most tokens, T"), *_ends(shown), "log10"),
        table=_table(result),
        dots=(float(DEVICES[0]), float(DEVICES[-1])),
        crosses=_crosses(result, style, t),
        screen=screen,
    )


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


def _ends(shown: list[Series]) -> tuple[float | None, float | None]:
    """Return the ends of the axis where there is nothing to take them from."""
    return (None, None) if shown else (1.0, 10.0)


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
    """Return how much farther many devices carry than one, by method."""
    most, parts = DEVICES[-1], []
    for method in result.stacks:
        carried = _carried(result, method)
        if carried[1] and carried[most] < MOST_T:
            share = carried[most] / carried[1]
            factor = f"{share:.1f}" if share < 100 else f"{share:,.0f}"
            words = t("{method}: {factor} times", method=method_words(method, t), factor=factor)
            parts.append(words)
    if not parts:
        return ""
    return t("{count} devices carry, against one: {parts}.", count=f"{most:,}",
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
