"""The picture of the texts: whom "it" looks at with either ending, drawn by hand."""

from __future__ import annotations

from engine.experiments.context.pictured import Ending, Picture
from pages.figures.context.mechanism import stem
from pages.figures.context.picture_drawing import PictureDrawing, plan_of, said
from pages.figures.figure import Figure, Style, Table
from pages.figures.panel import Screen, open_plot
from pages.figures.properties.common import words_of
from pages.text import Translator, translator
from pages.text.context_mechanism import drawn_words

SCREENS = {1: Screen(868.0, 250.0), 2: Screen(868.0, 400.0)}  # by the number of sentences


def picture_figure(result: Picture, style: Style, ending: str = "both") -> Figure:
    """Draw the sentence with one ending or both; an arrow is as wide as its weight.

    Parameters
    ----------
    result : Picture
    style : Style
    ending : {"both", "tired", "wide"}
    """
    t = translator(style.language)
    shown = tuple(each for each in result.endings if ending in ("both", each.name))
    title = t("Whom “it” looks at: a picture drawn by hand")
    note = _note(shown, t)
    alt = t.sentences(*(said(each, t) for each in shown))
    words = words_of(stem("picture", ending), title, note, "weights", t, alt)
    canvas, room = open_plot(style, words, SCREENS[len(shown)])
    plan = plan_of(shown, style, room)
    for each, place in zip(shown, plan.rooms, strict=True):
        PictureDrawing(canvas, each, plan, place, style).draw()
    return Figure(words.name, title, canvas.spec(words.alt), _table(shown), note, words.alt)


def _note(shown: tuple[Ending, ...], t: Translator) -> str:
    return t.sentences(
        drawn_words(shown, t),
        t("An arrow runs from the word that is looked at to “it”; its width is the weight."),
    )


def _table(shown: tuple[Ending, ...]) -> Table:
    rows = tuple(
        (each.name, place, word, "" if weight is None else weight)
        for each in shown
        for place, (word, weight) in enumerate(zip(each.tokens, each.weights, strict=True), 1)
    )
    return Table(("ending", "position", "word", "weight drawn by hand"), rows)
