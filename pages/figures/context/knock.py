"""Weight is not cause: the weight of each key against the effect of cutting it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from engine.experiments.context.knock import KnockResult
from pages.figures.context.knock_drawing import KnockDrawing
from pages.figures.context.knock_points import KeyPoint, KeyPoints, Kind, points_of
from pages.figures.context.knock_words import name_of, note_of, spoken, weight_title
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import Screen, Words, open_plot
from pages.figures.properties.common import words_of
from pages.text import Translator, translator
from pages.text.context_knock import correlation_words, key_words, query_name
from pages.text.context_names import is_numbered

SCREEN = Screen(868.0, 400.0)


def knock_figure(result: KnockResult, style: Style) -> Figure:
    """Draw one point a key, with its name; above them the rank correlation."""
    t, points = translator(style.language), points_of(result)
    title = t("The weight of each key against the effect of cutting it")
    note = t.sentences(
        note_of(result, t),
        t("Both axes are logarithmic."),
        _zeros(points, t),
        _numbered(points, result, t),
    )
    words = words_of(name_of(result, "knock"), title, note, "output", t, spoken(result, t))
    spec, named = _drawn(result, points, style, words, t)
    if named < len(points.keys):
        few = t("Names stand where there is room.")
        words = replace(words, note=t.sentences(note, few), alt=t.sentences(words.alt, few))
        spec, _ = _drawn(result, points, style, words, t)
    return Figure(words.name, title, spec, knock_table(result), words.note, words.alt)


def _drawn(
    result: KnockResult, points: KeyPoints, style: Style, words: Words, t: Translator
) -> tuple[dict[str, Any], int]:
    """Return the specification, and how many keys have a name in it."""
    canvas, room = open_plot(style, words, SCREEN)
    titles = weight_title(result, t), t("effect of cutting the key")
    kinds: dict[Kind, str] = {
        "token": t("token"),
        "special": t("special token"),
        "self": t("{token} itself", token=query_name(result, t)),
    }
    headline = correlation_words(result, t)

    def tip(key: KeyPoint) -> str:
        return key_words(result, key.place, t)

    drawing = KnockDrawing(canvas, style, points, titles, headline, kinds, tip)
    named = drawing.draw(room)
    return canvas.spec(words.alt), named


def _zeros(points: KeyPoints, t: Translator) -> str:
    """Return how many keys have no place on the axes."""
    if not points.zeros:
        return ""
    if points.zeros == 1:
        return t("1 key has a weight or an effect of 0 to rounding, and no place on these axes.")
    return t("{count} keys have a weight or an effect of 0 to rounding, and no place on these "
             "axes.", count=points.zeros)  # fmt: skip


def _numbered(points: KeyPoints, result: KnockResult, t: Translator) -> str:
    if not any(is_numbered(key.name, result.study, key.place) for key in points.keys):
        return ""
    return t("A number after a token is its position.")


def knock_table(result: KnockResult) -> Table:
    """Return every key with its weight, its effect where it was cut, and what counts as 0 there."""
    columns = ("position", "token", "weight", "effect", "effects up to this are 0")
    rows = tuple(
        (place + 1, token, float(result.weights[place]),
         float(effect) if math.isfinite(effect) else "", result.floor)
        for place, (token, effect) in enumerate(
            zip(result.study.tokens, result.effects.tolist(), strict=True)
        )
    )  # fmt: skip
    return Table(columns, rows)
