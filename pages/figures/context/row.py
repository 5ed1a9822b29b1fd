"""One token's row in one head, as bars; of a long text those of the largest weights."""

from __future__ import annotations

import numpy as np

from engine.experiments.context.study import Study
from pages.figures.context.look import Look, look_at, strongest
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import (
    common_words,
    few_words,
    head_stem,
    named_on_screen,
    placed_names,
    token_words,
    way_of,
)
from pages.figures.figure import Figure, Reference, Series, SizeName, Style, Table
from pages.figures.numerals import number
from pages.figures.panel import Axis, Screen
from pages.figures.plot import bar_figure
from pages.figures.properties.common import words_of
from pages.text import Translator, translator

SCREEN = Screen(868.0, 340.0)
_MOST: dict[SizeName, int] = {"screen": 20, "slide": 18, "half": 9, "square": 10}
_LONGEST = 4.4  # of the font: a token that has its position beside it
_WHOLE = 0.0005  # how far the sum of a whole row may lie below 1


def row_figure(study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN) -> Figure:
    """Draw where one token looks, in the order of the text; 868 pixels wide on screen."""
    t, look = translator(style.language), look_at(study, view)
    look.require_row()
    row = np.asarray(look.rows[look.head], dtype=np.float64)
    shown = strongest(np.where(look.seen, row, -1.0), _MOST[style.size])
    values = tuple(float(row[at]) for at in shown)
    title = t("Layer {layer}, head {head}: where token {token} looks", layer=look.layer + 1,
              head=look.head + 1, token=token_words(study, look.query, t))  # fmt: skip
    wide = style.size in ("screen", "slide")
    # On a narrow sheet the name of the line would take the room of two bars.
    label, dashed = t("equal weights"), t("Dashed: equal weights.")
    label, dashed = (label, "") if wide else ("", dashed)
    note = t.sentences(
        dashed,
        few_words(len(shown), len(row), t),
        _sum_words(look, sum(values), t),
        common_words(look, t),
    )
    name = head_stem("row", look, f"token{look.query + 1}")
    return bar_figure(
        placed_names(look, shown, _LONGEST),
        [Series(t("weight"), values, style.colours.roles["weights"])],
        style,
        named_on_screen(words_of(name, title, note, "weights", t), style, t),
        x_title=t("token that is looked at (key)"),
        y_axis=Axis(t("weight"), 0.0),
        table=_table(look, row),
        hidden=frozenset(index for index, at in enumerate(shown) if not look.seen[at]),
        hidden_word=t("hidden by the mask"),
        references=(Reference(_even(look), label, "y"),),
        screen=screen,
    )


def _even(look: Look) -> float:
    """Return what each token that the query sees would get of equal weights."""
    study = look.study
    seen = look.query + 1 if study.causal else len(study.tokens)
    if look.way == "renormalised":
        seen = int(look.seen.sum())
    return 1 / seen


def _sum_words(look: Look, total: float, t: Translator) -> str:
    """Return what the bars add up to, where it is not the whole row."""
    if total > 1 - _WHOLE:
        return ""
    if way_of(look) == "renormalised":
        return t("The bars add up to {total} of what special tokens leave of the token's weight.",
                 total=number(total, 3))  # fmt: skip
    return t("The bars add up to {total} of the token's whole weight.", total=number(total, 3))


def _table(look: Look, row: np.ndarray) -> Table:
    lines = zip(look.places.tolist(), look.tokens, row.tolist(), look.seen.tolist(), strict=True)
    return Table(
        ("key", "key token", "weight", "visible"),
        tuple((place + 1, token, weight, seen) for place, token, weight, seen in lines),
    )
