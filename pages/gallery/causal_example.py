"""The textbook example under a causal mask: what a lecture shows after the six steps."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from engine.experiments.worked_example import Params, Result, run
from pages.figures.figure import Figure, Style
from pages.figures.slide import retitled
from pages.figures.worked_example import step_figure
from pages.gallery.model import Entry, Idea
from pages.gallery.worked_example import PREFIX, View, check_cell, describe
from pages.text import mark, translator

# Figure word -> step, title.
STEPS = {
    "masked-scores": ("mask", mark("Causal mask: hide the keys that come later")),
    "weights": ("softmax", mark("Causal mask: weights on what came before")),
    "output": ("output", mark("Causal mask: average what came before")),
}


@dataclass(frozen=True)
class CausalParams:
    """The switches of the textbook example here; everything else is `worked_example`'s.

    Attributes
    ----------
    scaled : bool
        Whether scores are divided by sqrt(d_k).
    """

    scaled: bool = True


def params_of(chosen: CausalParams) -> Params:
    """Return the textbook example with a causal mask."""
    given: dict[str, Any] = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    return Params(causal=True, **given)


def _draw(step: str, title: str, result: Result, view: View, style: Style) -> Figure:
    figure = step_figure(result, step, style, selected=view.cell)
    # A name of its own: a worked example whose mask is switched on may lie in the same folder.
    name = figure.name.replace("-causal", "").replace(PREFIX, "causal-example")
    return retitled(replace(figure, name=name), translator(style.language)(title))


IDEA = Idea(
    name="causal_example",
    title=mark("The worked example under a causal mask"),
    params=CausalParams,
    view=View,
    run=lambda params, backend, _progress: run(params_of(params), backend=backend),
    entries=tuple(
        Entry(
            f"causal-example-{word}", title, partial(_draw, step, title), ("row", "column"),
            partial(check_cell, step, "q"),
        )
        for word, (step, title) in STEPS.items()
    ),
    describe=lambda params, view, language: describe(params_of(params), view, language),
)  # fmt: skip
