"""Which heads turn: the ratio of two weights in one text against the same ratio in the other."""

from __future__ import annotations

from functools import partial

from engine.experiments.context.endings import EndingsResult
from pages.figures.context.ending_parts import endings_stem, origin_words
from pages.figures.context.endings_view import EndingsView
from pages.figures.context.turns_drawing import TurnsDrawing, TurnsText
from pages.figures.context.turns_points import HeadPoint, Points, points_of
from pages.figures.figure import Figure, Style, Table
from pages.figures.measure import fit_text
from pages.figures.panel import Screen, open_plot, sizes_of
from pages.figures.properties.common import words_of
from pages.text import Translator, translator
from pages.text.context_amounts import ratio_apart
from pages.text.context_endings import name_of, turns_words
from pages.text.context_names import ending_names, head_name

HALF = Screen(424.0, 400.0)
_LONGEST = 9.0  # of the font: what a token takes in the title of an axis


def turns_figure(result: EndingsResult, view: EndingsView, style: Style) -> Figure:
    """Draw one point a head; 424 pixels wide on screen.

    A click on a point gives its layer and its head, from 0.
    """
    t, chosen, points = translator(style.language), view.at(result), points_of(result)
    one, other = name_of(result, result.one, t), name_of(result, result.other, t)
    title = t("Which heads turn between {one} and {other}", one=one, other=other)
    said = t("Each point is a head; on the dashed line its ratio stays as it is; both axes are "
             "logarithmic.")  # fmt: skip
    note = t.sentences(said, turns_words(result, t), _left_out(points, t),
                       origin_words(result, t))  # fmt: skip
    words = words_of(endings_stem("turns", result, view), title, note, "weights", t, "")
    canvas, room = open_plot(style, words, HALF)
    text = _texts(result, style, t)
    TurnsDrawing(canvas, style, points, result.first.layers, chosen, text).draw(room)
    return Figure(words.name, title, canvas.spec(words.alt), _table(result), note, words.alt)


def _left_out(points: Points, t: Translator) -> str:
    """Return which heads stand at an edge, and which have no place at all."""
    said = []
    if points.beyond == 1:
        said.append(t("1 head lies beyond the axes and stands at their edge."))
    elif points.beyond:
        said.append(t("{count} heads lie beyond the axes and stand at their edge.",
                      count=points.beyond))  # fmt: skip
    if points.without == 1:
        said.append(t("1 head gives one of them no weight, and has no ratio."))
    elif points.without:
        said.append(t("{count} heads give one of them no weight, and have no ratio.",
                      count=points.without))  # fmt: skip
    return t.sentences(*said)


def _texts(result: EndingsResult, style: Style, t: Translator) -> TurnsText:
    """Return the words on the plot, long tokens cut."""
    sizes = sizes_of(style)
    one, other = (
        fit_text(name_of(result, place, t), sizes.title, sizes.title * _LONGEST)
        for place in (result.one, result.other)
    )
    titles = [t("{one} : {other} with {ending}", one=one, other=other, ending=name)
              for name in ending_names(result, t)]  # fmt: skip
    return TurnsText(
        titles[0],
        titles[1],
        t("{before} → {after}", before=other, after=one),
        t("{before} → {after}", before=one, after=other),
        partial(_tip, ending_names(result, t), result.ratio_rounding, t),
    )


def _tip(names: tuple[str, str], rounding: float, t: Translator, point: HeadPoint) -> str:
    return t(
        "{place}: {a} with {first}, {b} with {second}",
        place=head_name(point.layer + 1, point.head + 1, t),
        a=ratio_apart(point.first, rounding),
        first=names[0],
        b=ratio_apart(point.second, rounding),
        second=names[1],
    )


def _table(result: EndingsResult) -> Table:
    columns = ("layer", "head", "log ratio in the first text", "log ratio in the second text",
               "preference in the first text", "preference in the second text",
               "turns")  # fmt: skip
    layers, heads = result.turned.shape
    rows = tuple(
        (layer + 1, head + 1, *result.log_ratio[:, layer, head].tolist(),
         *result.preference[:, layer, head].tolist(), bool(result.turned[layer, head]))
        for layer in range(layers)
        for head in range(heads)
    )  # fmt: skip
    return Table(columns, rows)
