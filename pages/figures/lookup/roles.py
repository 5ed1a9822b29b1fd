"""What a token gives to itself: W_Q and W_K tied, and free."""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.lookup.roles import Role, RolesResult
from pages.figures.cells_table import cells_table
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.lookup.common import WIDE, stem, way_colour, way_kind, words_of
from pages.figures.panels import Panel, panels_figure
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import steps
from pages.figures.ticks import rounded_up
from pages.text import Translator, translator
from pages.text.digits import digits
from pages.text.lookup_readings import mean_text
from pages.text.lookup_words import way_words
from pages.text.scaling_readings import with_error

_FINEST, _BINS = 0.005, 14  # the narrowest bin; as many of them in the wider of both spreads
_ROUNDING = 1e-9


def roles_spread_figure(result: RolesResult, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw how the mean diagonal weight is spread over the draws, both ways, with 1/T marked."""
    t, params = translator(style.language), result.params
    width = bin_width(result)
    series = [_outline(role, width, style, t) for role in (result.free, result.tied)]
    title, note = t("How much weight a token gives to itself"), _spread_note(result, width, t)
    name = stem("roles", f"T{params.T}", f"dm{params.d_model}", f"dk{params.d_k}",
                f"N{params.draws}")  # fmt: skip
    places = tuple(sorted({place for each in series for place in each.x or ()}))
    return line_figure(
        places,
        series,
        style,
        words_of(name, title, note, "weights", t, _means(result, t)),
        x_axis=Axis(t("mean diagonal weight of a draw"), 0.0, 1.0),
        y_axis=Axis(t("draws"), 0.0),
        table=_table(result),
        references=(Reference(result.even, f"1/T = {digits(result.even)}"),),
        symbols=True,
        legend=True,
        screen=screen,
    )


def _spread_note(result: RolesResult, width: float, t: Translator) -> str:
    params = result.params
    return t.sentences(
        t(
            "{draws} draws of {T} random tokens, of W_Q and of W_K; of each draw the mean of the "
            "{T} weights on the diagonal, in bins of {width}.",
            draws=f"{params.draws:,}",
            T=params.T,
            width=digits(width),
        )
        if params.T > 1
        else t(
            "{draws} draws of one random token, of W_Q and of W_K; with one token every weight "
            "is 1.",
            draws=f"{params.draws:,}",
        ),
        t("d_model = {d_model}, d_k = {d_k}.", d_model=params.d_model, d_k=params.d_k),
        t("Dashed upright line: 1/T, what each token gives to each where all scores are equal."),
    )


def bin_width(result: RolesResult) -> float:
    """Return the width of a bin: a round number that shows the wider of both spreads."""
    spreads = (max(role.diagonal) - min(role.diagonal) for role in (result.free, result.tied))
    return rounded_up(max(_FINEST, round(max(spreads) / _BINS, 12)))


def _outline(role: Role, width: float, style: Style, t: Translator) -> Series:
    """Return the outline of a histogram whose bins begin at multiples of their width."""
    count = math.ceil(1 / width - _ROUNDING)
    places = [min(int(weight / width + _ROUNDING), count - 1) for weight in role.diagonal]
    first, last = min(places), max(places)
    counts = np.bincount(np.array(places) - first, minlength=last - first + 1)
    edges = [min(place * width, 1.0) for place in range(first, last + 2)]
    x, heights = steps(edges, [float(each) for each in counts])
    name = t("{way}: mean {mean}", way=way_words(role.way, t), mean=mean_text(role))
    return Series(name, tuple(heights), way_colour(role.way, style), tuple(x), "area",
                  way_kind(role.way))  # fmt: skip


def _means(result: RolesResult, t: Translator) -> str:
    said = (
        t("{way}: {value}", way=way_words(role.way, t), value=with_error(role.mean, role.error))
        for role in (result.free, result.tied)
    )
    return t("Mean with its standard error: {means}.", means=t.clauses(said))


def _table(result: RolesResult) -> Table:
    columns = ("draw", "mean diagonal weight, W_Q and W_K free", "the same, tied")
    pairs = zip(result.free.diagonal, result.tied.diagonal, strict=True)
    return Table(columns, tuple((number, *pair) for number, pair in enumerate(pairs, 1)))


def roles_weights_figure(result: RolesResult, style: Style) -> Figure:
    """Draw scaled scores and weights of the first draw, both ways side by side."""
    t, params = translator(style.language), result.params
    title = t("Scores and weights of one draw: W_Q and W_K free, and tied")
    note = t.sentences(
        t(
            "The first of {draws} draws: the same tokens free and tied, scores divided by √d_k.",
            draws=f"{params.draws:,}",
        ),
        _symmetry(result, t),
    )
    labels = tuple(f"x{place + 1}" for place in range(params.T))
    roles = (result.free, result.tied)
    blocks = [
        (way_words(role.way, t), {"score": role.first_scores, "weight": role.first})
        for role in roles
    ]
    name = stem("roles-weights", f"T{params.T}", f"dm{params.d_model}", f"dk{params.d_k}")
    return panels_figure(
        (*(_scores(role, t) for role in roles), *(_weights(role, t) for role in roles)),
        style,
        words_of(name, title, note, "weights", t),
        row_title=t("query"),
        column_title=t("key"),
        table=cells_table(blocks, labels, labels, ("way", "query", "key")),
    )


def _scores(role: Role, t: Translator) -> Panel:
    title = t("scores, free") if role.way == "free" else t("scores, tied")
    return Panel(title, role.first_scores, "scores", trimmed=True)


def _weights(role: Role, t: Translator) -> Panel:
    return Panel(t("weights, free") if role.way == "free" else t("weights, tied"), role.first)


def _symmetry(result: RolesResult, t: Translator) -> str:
    """Return what tying does to the scores and to their diagonal, and what softmax makes of it."""
    if result.params.T == 1:
        return t("With one token the only weight is 1.")
    return t.sentences(
        t(
            "Tied, the scores are symmetric; the weights need not be, since softmax divides each "
            "row by its own sum."
        ),
        t(
            "Rows whose largest score is on the diagonal: {tied} of {T} tied, {free} free.",
            tied=leading(result.tied),
            free=leading(result.free),
            T=result.params.T,
        ),
    )


def leading(role: Role) -> int:
    """Return in how many rows of the first draw no score is above that on the diagonal."""
    scores = role.first_scores
    return int((np.diagonal(scores) >= scores.max(axis=1)).sum())
