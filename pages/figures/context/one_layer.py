"""Where "it" looks in one head of one layer, with either ending, as pairs of bars."""

from __future__ import annotations

import math

from engine.experiments.context.single_layer import SingleLayerResult
from pages.figures.context.mechanism import ending_of, stem
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.plot import Axis, Screen, bar_figure
from pages.figures.properties.common import words_of
from pages.text import Translator, translator
from pages.text.context_mechanism import head_words, layer_words, ratio_text

SCREEN = Screen(868.0, 380.0)


def one_layer_figure(
    result: SingleLayerResult, style: Style, head: int = 1, *, screen: Screen = SCREEN
) -> Figure:
    """Draw the weights of "it" for every word in one head, counted from 1.

    The legend gives the ratio of animal to street with either ending.
    """
    t = translator(style.language)
    weights = result.weights[:, head - 1].tolist()
    title = t("Where “it” looks in one layer, head {head}", head=head)
    note = t.sentences(head_words(result, head, t), layer_words(result, t))
    series = tuple(
        Series(_named(result, head, side, t), tuple(weights[side]), style.colours.roles["weights"])
        for side in range(2)
    )
    return bar_figure(
        (*_groups(result)[:-1], t("last word")),
        series,
        style,
        words_of(layer_stem("one-layer", result, head), title, note, "weights", t),
        x_title=t("word that is looked at"),
        y_axis=Axis(t("weight"), 0.0),
        table=_table(result, head),
        screen=screen,
    )


def layer_stem(word: str, result: SingleLayerResult, head: int) -> str:
    """Return a file stem: ``context-one-layer-h1-of8-dm16-dk16-s1``."""
    params = result.params
    positions = "" if params.positions else "no-positions"
    return stem(word, f"h{head}", f"of{params.heads}", f"dm{params.d_model}", f"dk{params.d_k}",
                f"s{params.seed}", positions)  # fmt: skip


def _named(result: SingleLayerResult, head: int, side: int, t: Translator) -> str:
    """Return how the sentence ends, and its ratio."""
    return t("{ending}, animal : street = {ratio}", ending=ending_of(result.tokens[side]),
             ratio=ratio_text(float(result.log_ratio[side, head - 1])))  # fmt: skip


def _groups(result: SingleLayerResult) -> tuple[str, ...]:
    """Return the words; where both sentences differ, both."""
    return tuple(" / ".join(dict.fromkeys(pair)) for pair in zip(*result.tokens, strict=True))


def _table(result: SingleLayerResult, head: int) -> Table:
    columns = ("position", "word", "weight with tired", "weight with wide")
    pairs = zip(_groups(result), *result.weights[:, head - 1].tolist(), strict=True)
    rows: list[tuple[object, ...]] = [(place, *each) for place, each in enumerate(pairs, 1)]
    ratios = [math.exp(each) for each in result.log_ratio[:, head - 1].tolist()]
    return Table(columns, (*rows, ("", "animal : street", *ratios)))
