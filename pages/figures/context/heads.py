"""Every head of a model: layers by heads, each a small matrix of its weights."""

from __future__ import annotations

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from pages.figures.context.heads_drawing import HeadsDrawing
from pages.figures.context.heads_plan import HeadsPlan, Planner
from pages.figures.context.look import Look, look_at
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import common_words, stem, token_words, way_of
from pages.figures.context.thumbnails import Thumbnails
from pages.figures.figure import Figure, Style, Table
from pages.figures.matrix_words import beyond_limit, shared_pixels
from pages.figures.numerals import number
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.text import Translator, mark, translator

SCREEN = Screen(868.0, 400.0)


def heads_figure(study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw every head as a small matrix, the chosen one in a frame; 868 pixels wide on screen.

    A click on one gives its layer and its head, from 0.
    """
    t, look = translator(style.language), look_at(study, view)
    title = t("Every head of the model, layer by layer")
    plan, note = settled(
        _note(look, t),
        lambda said: room_of(style, said, screen),
        Planner(look, style).plan,
        lambda found: _left_out(found, t),
        t,
    )
    name = stem("heads", look, f"L{look.layer + 1}", f"H{look.head + 1}")
    alt = head_words(look, plan.found, look.layer, look.head, t)
    words = words_of(name, title, note, "weights", t, alt)
    canvas, _ = open_plot(style, words, screen)
    HeadsDrawing(canvas, style, look, plan).draw()
    return Figure(name, title, canvas.spec(words.alt), _table(look, plan.found), note, words.alt)


def _note(look: Look, t: Translator) -> str:
    return t.sentences(
        t(
            "Each small matrix is one head: a row for each token that looks, a column for each "
            "token that is looked at."
        ),
        t("The frame marks layer {layer}, head {head}.", layer=look.layer + 1, head=look.head + 1),
        common_words(look, t),
    )


def _left_out(plan: HeadsPlan, t: Translator) -> str:
    """Return how groups are read, and what pixels and the scale of colours do not show."""
    order = t("In each layer the heads stand row by row.") if plan.layout.grouped else ""
    beyond = beyond_limit(plan.limit, t) if plan.found.largest.max() > plan.limit else ""
    return t.sentences(order, shared_pixels((plan.block, plan.block), t), beyond)


_LARGEST: dict[Specials, str] = {
    "shown": mark(
        "Layer {layer}, head {head}: the largest weight is {weight}, of token {query} on token "
        "{key}."
    ),
    "hidden": mark(
        "Layer {layer}, head {head}: of the tokens shown, the largest weight is {weight}, of token "
        "{query} on token {key}."
    ),
    "renormalised": mark(
        "Layer {layer}, head {head}: of what special tokens leave, the largest part is {weight}, "
        "of token {query} on token {key}."
    ),
}


def head_words(look: Look, found: Thumbnails, layer: int, head: int, t: Translator) -> str:
    """Return where a head, from 0, has its largest weight."""
    query, key = (int(look.places[at]) for at in found.at[:, layer, head])
    return t(
        _LARGEST[way_of(look)],
        layer=layer + 1,
        head=head + 1,
        weight=number(float(found.largest[layer, head]), 3),
        query=token_words(look.study, query, t),
        key=token_words(look.study, key, t),
    )


def _table(look: Look, found: Thumbnails) -> Table:
    columns = ("layer", "head", "largest weight", "query", "query token", "key", "key token",
               "mean weight on itself")  # fmt: skip
    tokens = look.study.tokens
    rows = []
    for layer in range(look.study.layers):
        for head in range(look.study.heads):
            query, key = look.places[found.at[:, layer, head]].tolist()
            rows.append(
                (layer + 1, head + 1, float(found.largest[layer, head]), query + 1, tokens[query],
                 key + 1, tokens[key], float(found.diagonal[layer, head]))
            )  # fmt: skip
    return Table(columns, tuple(rows))
