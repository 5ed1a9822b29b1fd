"""Five similarities on the same table: the weights and scores that each gives to every key."""

from __future__ import annotations

from engine.experiments.lookup.soft import Result
from engine.experiments.lookup.table import SIMILARITIES
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.lookup.common import stem, words_of
from pages.figures.lookup.similarity_grid import SIZES, SimilarityGrid
from pages.figures.slide import open_sheet
from pages.text import Translator, translator
from pages.text.lookup_words import similarity_words, temperature_words, weight_text

_WIDTH, _HIGHEST, _PADDING = 868.0, 420.0, 8.0  # on screen


def similarities_figure(result: Result, style: Style) -> Figure:
    """Draw a row for each key and a column for each similarity; a refused one is hatched."""
    t, params = translator(style.language), result.params
    title = t("Five similarities on the same table")
    grid = SimilarityGrid(result, style, 0.0)
    note = _note(result, grid.mode, t)
    if style.size != "screen":
        # The words about what is left out take room themselves: the first guess has most of it.
        canvas, (left, top, width, height) = open_sheet(style, title, note, "weights")
        grid.row = grid.fitting_row(height)
        note = _note(result, grid.mode, t)
        canvas, (left, top, width, height) = open_sheet(style, title, note, "weights")
        grid.row = grid.fitting_row(height)
        spare = max(0.0, height - grid.height)
        grid.draw(canvas, left + (width - grid.width) / 2, top + spare * 0.4)
    else:
        grid.row = grid.fitting_row(_HIGHEST - 2 * _PADDING)
        note = _note(result, grid.mode, t)
        height = grid.height + 2 * _PADDING
        canvas = Canvas(_WIDTH, height, style.colours, transparent=style.transparent)
        grid.draw(canvas, (_WIDTH - grid.width) / 2, _PADDING)
    name = stem("similarities", f"n{len(params.names)}", f"t{temperature_words(params)}")
    words = words_of(name, title, note, "weights", t, _spoken(result, t))
    return Figure(name, title, canvas.spec(words.alt), _table(result), note, words.alt)


__all__ = ["SIZES", "similarities_figure"]


def _note(result: Result, mode: str, t: Translator) -> str:
    shown = {
        "below": t("Each cell has the weight of a key and, below it, the score."),
        "beside": t("Each cell has the weight of a key and, beside it, the score."),
        "weights": t("Each cell has the weight of a key; the scores are left out to fit."),
    }[mode]
    refused = [found for found in result.found.values() if found.refused is not None]
    said = [
        t("{similarity} is hatched. {reason}", similarity=_capital(similarity_words(
            found.similarity, t)), reason=t.error(found.refused))
        for found in refused
        if found.refused is not None
    ]  # fmt: skip
    seed = t("The weights inside the additive similarity are random (seed {seed}), not trained.",
             seed=result.params.seed)  # fmt: skip
    temperature = t("Temperature {temperature} in all; the frame is the chosen one.",
                    temperature=temperature_words(result.params))  # fmt: skip
    return t.sentences(shown, temperature, seed, *said)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _spoken(result: Result, t: Translator) -> str:
    return t.sentences(
        *(
            t("{similarity}: {weights}.", similarity=_capital(similarity_words(name, t)),
              weights=t.clauses(_weights(result, name, t)))
            for name in SIMILARITIES
            if result.found[name].refused is None
        )
    )  # fmt: skip


def _weights(result: Result, similarity: str, t: Translator) -> list[str]:
    found = result.found[similarity]  # type: ignore[index]
    return [
        t("{name}: {value}", name=name, value=weight_text(float(weight)))
        for name, weight in zip(result.params.names, found.weights, strict=True)
    ]


def _table(result: Result) -> Table:
    columns = ("similarity", "row", "name", "score", "weight")
    rows: list[tuple[object, ...]] = []
    for similarity in SIMILARITIES:
        found = result.found[similarity]
        for index, name in enumerate(result.params.names):
            numbers: tuple[object, ...] = ("", "")
            if found.refused is None:
                numbers = float(found.scores[index]), float(found.weights[index])
            rows.append((similarity, index + 1, name, *numbers))
    return Table(columns, tuple(rows))
