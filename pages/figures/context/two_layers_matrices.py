"""The matrices of a layer built by hand: the words as features, W_Q, W_K and W_V."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.experiments.context.two_endings import EndingName
from engine.experiments.context.two_layers import TwoLayersResult, Walk
from engine.shapes import Array
from pages.figures.context.matrix_blocks import MatrixBlock
from pages.figures.context.matrix_blocks_drawing import draw_blocks, shortened
from pages.figures.context.study_words import named_on_screen
from pages.figures.context.two_layers import two_layers_stem
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import Screen, open_plot, room_of
from pages.figures.properties.common import settled, words_of
from pages.text import Translator, translator
from pages.text.context_by_hand import (
    built_words,
    feature_name,
    layer_role_words,
    said_of_words,
)

SCREEN = Screen(868.0, 400.0)
_EQUAL = 1e-6  # rows this near are written alike


def two_layers_matrices_figure(
    result: TwoLayersResult, style: Style, layer: int = 1, ending: EndingName = "tired",
    *, screen: Screen = SCREEN,
) -> Figure:  # fmt: skip
    """Draw what a layer, counted from 1, reads with one ending, and its matrices.

    On narrow sheets words with equal rows share one.
    """
    t, walk = translator(style.language), result.of(ending)
    title = t("Layer {layer}, built by hand: “… {ending}”", layer=layer, ending=ending)
    grouped = style.size in ("half", "square")
    blocks = (_words(result, walk, layer - 1, grouped, t), *_matrices(result, layer - 1, t))
    told = (
        layer_role_words(layer - 1, t),
        t("Words with equal rows share one.") if grouped else "",
        said_of_words(t),
        built_words(result, t),
    )
    _, note = settled(
        t.sentences(*told),
        lambda said: room_of(style, said, screen),
        lambda room: shortened(blocks, style, room),
        lambda cut: t("Some numbers are shortened to fit.") if cut else "",
        t,
    )
    name = two_layers_stem("two-layers-matrices", result, f"layer{layer}", ending)
    words = named_on_screen(words_of(name, title, note, "query", t), style, t)
    canvas, room = open_plot(style, words, screen)
    draw_blocks(canvas, blocks, style, room)
    return Figure(name, title, canvas.spec(words.alt), _table(result, walk, layer - 1),
                  words.note, words.alt)  # fmt: skip


def _words(
    result: TwoLayersResult, walk: Walk, layer: int, grouped: bool, t: Translator
) -> MatrixBlock:
    state = walk.states[layer]
    groups = _groups(state) if grouped else [[place] for place in range(len(walk.tokens))]
    names = [
        walk.tokens[each[0]] if len(each) == 1 else t("{count} others", count=len(each))
        for each in groups
    ]
    caption = t("words after layer 1") if layer else t("words")
    rows = np.asarray(state[[each[0] for each in groups]])
    return MatrixBlock("X", caption, rows, "input", tuple(names), _features(result, t),
                       features=True, marked=_at(groups, result.query))  # fmt: skip


def _at(groups: Sequence[Sequence[int]], place: int) -> int:
    return next(index for index, each in enumerate(groups) if place in each)


def _groups(state: Array) -> list[list[int]]:
    """Return the places of equal rows together: words alone first, then those with others."""
    found: list[list[int]] = []
    for place, row in enumerate(state):
        same = (each for each in found if np.abs(state[each[0]] - row).max() <= _EQUAL)
        group = next(same, None)
        if group is None:
            found.append([place])
        else:
            group.append(place)
    return sorted(found, key=lambda each: len(each) > 1)


def _features(result: TwoLayersResult, t: Translator) -> tuple[str, ...]:
    return tuple(feature_name(each, t) for each in result.features)


def _matrices(
    result: TwoLayersResult, layer: int, t: Translator
) -> tuple[MatrixBlock, MatrixBlock, MatrixBlock]:
    found, features = result.layers[layer], _features(result, t)
    channels = tuple(feature_name(each, t) for each in found.channels)
    return (
        MatrixBlock("W_Q", "", found.w_q, "query", features, channels),
        MatrixBlock("W_K", "", found.w_k, "key", features, channels),
        MatrixBlock("W_V", "", found.w_v, "value", features, features, features=True),
    )


def _table(result: TwoLayersResult, walk: Walk, layer: int) -> Table:
    found, features = result.layers[layer], result.features
    matrices = (
        ("X", walk.states[layer], walk.tokens, features),
        ("W_Q", found.w_q, features, found.channels),
        ("W_K", found.w_k, features, found.channels),
        ("W_V", found.w_v, features, features),
    )
    rows = tuple(
        (name, i + 1, down[i], j + 1, across[j], value)
        for name, values, down, across in matrices
        for i, row in enumerate(values.tolist())
        for j, value in enumerate(row)
    )
    return Table(("matrix", "row", "row label", "column", "column label", "value"), rows)
