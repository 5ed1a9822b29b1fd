"""How "it" finds its noun in two layers built by hand, with either ending."""

from __future__ import annotations

from engine.experiments.context.two_layers import TwoLayersResult
from pages.figures.context.mechanism import stem
from pages.figures.context.two_layers_drawing import Plan, WalkDrawing, plan_of, shown_weights
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import fewer_decimals, settled, words_of
from pages.text import Translator, translator
from pages.text.context_by_hand import built_words, itself_words, path_words, said_of_words

SCREEN = Screen(868.0, 420.0)


def two_layers_figure(result: TwoLayersResult, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw both endings beside each other: the row of "it" in either layer, and what it brings."""
    t = translator(style.language)
    title = t("How “it” finds its noun in two layers")
    plan, note = settled(
        t.sentences(
            built_words(result, t),
            t("Arrows and cells to the left are the weights of “it” in layer 1, to the right those "
              "in layer 2; on “it” stands what either layer brings."),
        ),
        lambda said: room_of(style, said, screen),
        lambda room: plan_of(result, style, room),
        lambda plan: _left_out(result, plan, style, t),
        t,
    )  # fmt: skip
    alt = t.sentences(*(path_words(result, walk, t) for walk in result.endings))
    words = words_of(two_layers_stem("two-layers", result), title, note, "weights", t, alt)
    canvas, _ = open_plot(style, words, screen)
    for walk, place in zip(result.endings, plan.rooms, strict=True):
        WalkDrawing(canvas, result, walk, plan, place, style).draw()
    return Figure(words.name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def two_layers_stem(word: str, result: TwoLayersResult, *parts: object) -> str:
    """Return a file stem: ``context-two-layers-strength4``."""
    params = result.params
    residual = "" if params.residual else "no-residual"
    return stem(word, *parts, f"strength{params.strength:g}", residual)


def _left_out(result: TwoLayersResult, plan: Plan, style: Style, t: Translator) -> str:
    """Return that small weights have no arrow, and that numbers have fewer decimals."""
    bare = any(
        weight == 0 and place != result.query
        for walk in result.endings
        for layer in (0, 1)
        for place, weight in enumerate(shown_weights(walk, layer, plan.decimals))
    )
    return t.sentences(
        itself_words(result, plan.decimals, t),
        said_of_words(t) if plan.features else "",
        t("A weight that is written as 0 has no arrow.") if bare else "",
        fewer_decimals(plan.decimals, style.decimals, t),
    )


def _table(result: TwoLayersResult) -> Table:
    columns = ("ending", "position", "word", "weight in layer 1", "weight in layer 2",
               *(f"{name}, {when}" for when in ("as it is", "after layer 1", "after layer 2")
                 for name in result.features))  # fmt: skip
    rows = []
    for walk in result.endings:
        states = [state.tolist() for state in walk.states]
        weights = [walk.row(layer).tolist() for layer in (0, 1)]
        for place, word in enumerate(walk.tokens):
            features = (value for state in states for value in state[place])
            rows.append((walk.name, place + 1, word, *(row[place] for row in weights), *features))
    return Table(columns, tuple(rows))
