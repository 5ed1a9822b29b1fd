"""How much each head of each layer gives the token itself, and how much special tokens."""

from __future__ import annotations

from engine.experiments.context.layers import Layers, layers_of
from engine.experiments.context.study import Study
from engine.shapes import Array
from pages.figures.context.distance import ring_words
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


def shares_figure(
    study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN
) -> Figure:
    """Draw the weight on the token itself and on special tokens; 424 pixels wide on screen."""
    t, look = translator(style.language), look_at(study, view)
    found = layers_of(study, view.specials)
    title = t("Weight on the token itself and on special tokens")
    if not study.special.any():
        title = t("Weight on the token itself")
    name = head_stem("shares", look)
    words = words_of(name, title, _note(look, t), "weights", t, _alt(found, look, t))
    measures = _measures(found, look, style, t)
    spec = layer_plot(measures, look, style, words, t("share of the weight"), screen)
    return Figure(name, title, spec, _table(found), words.note, words.alt)


def _measures(found: Layers, look: Look, style: Style, t: Translator) -> tuple[Measure, ...]:
    both = bool(look.study.special.any())
    even = t("equal, on itself") if both else t("equal weights")
    own = Measure(t("on itself, mean"), found.diagonal, found.even_diagonal, even,
                  series_colour(1, style.theme))  # fmt: skip
    if not both:
        return (own,)
    even = t("equal, special")
    special = Measure(t("on special tokens, mean"), found.special_share, found.even_special_share,
                      even, series_colour(2, style.theme), 1)  # fmt: skip
    return own, special


def _note(look: Look, t: Translator) -> str:
    before = ""
    if look.way != "shown" and look.study.special.any():
        before = t("The share of special tokens is that before they are left out.")
    return t.sentences(
        t("Means over all queries; dashed lines show what equal weights would give."),
        ring_words(look, t),
        common_words(look, t),
        before,
    )


def _alt(found: Layers, look: Look, t: Translator) -> str:
    own = t("On itself by layer: {means}.", means=_listed(found.diagonal, t))
    if not look.study.special.any():
        return own
    special = t("On special tokens by layer: {means}.", means=_listed(found.special_share, t))
    return t.sentences(own, special)


def _listed(values: Array, t: Translator) -> str:
    return t.listing(number(float(value), 3) for value in values.mean(axis=1))


def _table(found: Layers) -> Table:
    rows = tuple(
        (layer + 1, head + 1, own, special, found.even_diagonal, found.even_special_share)
        for layer, (one, other) in enumerate(
            zip(found.diagonal.tolist(), found.special_share.tolist(), strict=True)
        )
        for head, (own, special) in enumerate(zip(one, other, strict=True))
    )
    columns = ("layer", "head", "on itself", "on special tokens", "equal weights, on itself",
               "equal weights, on special tokens")  # fmt: skip
    return Table(columns, rows)
