"""How far each head of each layer looks, beside what equal weights would give."""

from __future__ import annotations

from engine.experiments.context.layers import Layers, layers_of
from engine.experiments.context.study import Study
from pages.figures.context.layer_plot import Measure, layer_plot
from pages.figures.context.look import Look, look_at
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import common_words, head_stem
from pages.figures.figure import Figure, Style, Table
from pages.figures.numerals import number
from pages.figures.panel import Screen
from pages.figures.properties.common import words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator

SCREEN = Screen(424.0, 360.0)


def distance_figure(
    study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN
) -> Figure:
    """Draw the mean distance of every head by layer; 424 pixels wide on screen."""
    t, look = translator(style.language), look_at(study, view)
    found = layers_of(study, view.specials)
    title = t("How far each layer looks")
    name = head_stem("distance", look)
    words = words_of(name, title, _note(look, t), "weights", t, _alt(found, t))
    measure = Measure(
        t("mean of the heads"), found.distance, found.even_distance, t("equal weights"),
        series_colour(0, style.theme),
    )  # fmt: skip
    spec = layer_plot((measure,), look, style, words, t("mean distance in tokens"), screen)
    return Figure(name, title, spec, _table(found), words.note, words.alt)


def _note(look: Look, t: Translator) -> str:
    return t.sentences(
        t("How far a key is from its query, weighted by the weight on it; means over all queries."),
        ring_words(look, t),
        common_words(look, t),
    )


def ring_words(look: Look, t: Translator) -> str:
    """Return which head the ring marks."""
    return t("The ring marks layer {layer}, head {head}.", layer=look.layer + 1,
             head=look.head + 1)  # fmt: skip


def _alt(found: Layers, t: Translator) -> str:
    means = t.listing(number(float(value), 2) for value in found.mean_distance)
    return t("Mean by layer: {means}; equal weights: {even}.", means=means,
             even=number(found.even_distance, 2))  # fmt: skip


def _table(found: Layers) -> Table:
    rows = tuple(
        (layer + 1, head + 1, value, mean, found.even_distance)
        for layer, (line, mean) in enumerate(
            zip(found.distance.tolist(), found.mean_distance.tolist(), strict=True)
        )
        for head, value in enumerate(line)
    )
    return Table(("layer", "head", "distance", "mean of the layer", "equal weights"), rows)
