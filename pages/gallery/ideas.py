"""The ideas of the product in the order of a lecture, and their figures by name."""

from __future__ import annotations

from typing import Any

from engine.backends import get_backend
from engine.errors import OptionError
from pages.figures.overview import steps_figure
from pages.gallery import (
    causal_example,
    claims,
    context_endings,
    context_mechanism,
    context_model,
    lookup,
    lookup_cost,
    mask_trouble,
    masks,
    memory,
    memory_measured,
    printed,
    properties,
    scaling,
    scaling_head,
    worked_example,
)
from pages.gallery.model import Entry, Exhibit, Idea, NoParams
from pages.text import mark

OVERVIEW = Idea(
    name="overview",
    title=mark("Overview"),
    params=NoParams,
    view=NoParams,
    run=lambda _params, _backend, _progress: None,
    entries=(
        Entry(
            "attention-in-six-steps",
            mark("Attention in six steps"),
            lambda _result, _view, style: steps_figure(style),
        ),
    ),
)

IDEAS: tuple[Idea, ...] = (
    OVERVIEW,
    lookup.LOOKUP_IDEA,
    lookup.ROLES_IDEA,
    lookup.AXES_IDEA,
    lookup_cost.COST_IDEA,
    worked_example.IDEA,
    causal_example.IDEA,
    masks.FAMILIES_IDEA,
    masks.COMPARE_IDEA,
    masks.INFLUENCE_IDEA,
    masks.GROWTH_IDEA,
    mask_trouble.PADDING_IDEA,
    mask_trouble.ALIGNMENT_IDEA,
    mask_trouble.MISTAKES_IDEA,
    scaling.VARIANCE_IDEA,
    scaling.SATURATION_IDEA,
    scaling.PAIR_IDEA,
    scaling_head.REACH_IDEA,
    scaling_head.TRAINING_IDEA,
    scaling_head.SWEEP_IDEA,
    properties.ORDER_IDEA,
    properties.PATHS_IDEA,
    properties.SMOOTHING_IDEA,
    properties.INFLUENCE_IDEA,
    properties.GRAPH_IDEA,
    memory.IDEA,
    memory_measured.MEASURED_IDEA,
    memory_measured.HEADS_IDEA,
    context_mechanism.PICTURE_IDEA,
    context_mechanism.ONE_LAYER_IDEA,
    context_mechanism.TWO_LAYERS_IDEA,
    context_model.MODEL_IDEA,
    context_endings.ENDINGS_IDEA,
    context_endings.KNOCK_IDEA,
    printed.IDEA,
    claims.IDEA,
)
ENTRIES: dict[str, Entry] = {entry.name: entry for idea in IDEAS for entry in idea.entries}
_IDEA_OF: dict[str, Idea] = {entry.name: idea for idea in IDEAS for entry in idea.entries}


def entry_named(name: str) -> Entry:
    """Return the figure of this name.

    Raises
    ------
    OptionError
        When there is none.
    """
    if name not in ENTRIES:
        raise OptionError(
            "There is no figure called {name}; --list shows the {count} names there are.",
            name=name,
            count=len(ENTRIES),
        )
    return ENTRIES[name]


def idea_of(name: str) -> Idea:
    """Return the idea that the figure of this name belongs to; raises OptionError without one."""
    return _IDEA_OF[entry_named(name).name]


def exhibit(
    name: str,
    result: Any = None,
    *,
    params: Any = None,
    view: Any = None,
    backend: str | None = None,
) -> Exhibit:
    """Return a figure with numbers that are computed already.

    Parameters
    ----------
    name : str
        Of the figure.
    result : object
        What its idea's ``run`` returned; None for an idea without numbers.
    params, view : object, optional
        None is the idea's default.
    backend : str, optional
        Name of the backend that computed the result; None is the automatic one.

    Raises
    ------
    OptionError
        When there is no such figure.
    """
    idea = idea_of(name)
    return Exhibit(
        idea,
        ENTRIES[name],
        idea.params() if params is None else params,
        idea.view() if view is None else view,
        result,
        get_backend(idea.backend or backend).name,
    )
