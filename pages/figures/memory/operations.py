"""Operations against T: where the parts that grow with the square overtake the rest."""

from __future__ import annotations

from dataclasses import replace

from engine.experiments.memory.predicted import LANDMARKS, Result
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.memory.common import WIDE, model_words, words_of
from pages.figures.memory.decades import in_decades
from pages.figures.memory.names import batch_part, stem
from pages.figures.panel import Axis, Screen
from pages.figures.plot import line_figure
from pages.text import Translator, translator

TERA = 1e12
_APART = 2.0  # ratio of a landmark to what else is marked


def operations_figure(result: Result, style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the operations of a forward pass by part, with the two crossings."""
    t, params, found = translator(style.language), result.params, result.operations
    title = t("Operations of a forward pass: where T² overtakes the rest")
    note = t.sentences(model_words(params, t), _crossing_words(result, t), _causal_words(t))
    name = stem("operations", params, f"T{params.T}", batch_part(params))
    marks = _marks(result, style, t)
    figure = line_figure(
        tuple(map(float, found.Ts)),
        _series(result, style, t),
        style,
        words_of(name, title, note, "scores", t),
        x_axis=Axis(t("number of tokens, T"), scale="log10"),
        y_axis=Axis(t("floating-point operations"), scale="log10"),
        table=_table(result),
        references=tuple(sorted(marks, key=lambda mark: mark.at)),
        symbols=True,
        screen=screen,
    )
    assert figure.chart is not None  # it has lines
    chart = in_decades(replace(figure.chart, references=marks), TERA, t("operations × 10¹²"))
    return replace(figure, chart=chart)


def _series(result: Result, style: Style, t: Translator) -> list[Series]:
    """Return the parts; those with T² first, which stand out."""
    found, roles = result.operations, style.colours.roles
    pairs = _sum(found.scores, found.weighted_sum)
    rest = _sum(found.projections, found.feed_forward)
    lines = [
        Series(t("scores + weighted sum"), pairs, roles["scores"], kind=0, weight=1.5),
        Series(t("projections"), _sum(found.projections), roles["query"], kind=1),
    ]
    if any(found.feed_forward):
        lines += [
            Series(t("feed-forward"), _sum(found.feed_forward), roles["input"], kind=2),
            Series(t("the rest together"), rest, roles["output"], kind=3),
        ]
    return lines


def _sum(*parts: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(sum(each)) for each in zip(*parts, strict=True))


def _marks(result: Result, style: Style, t: Translator) -> tuple[Reference, ...]:
    """Return the crossings, the chosen T, and the landmarks that are not on one of them.

    The most important ones come first.
    """
    crossings, chosen = _crossings(result, style, t), float(result.params.T)
    marks = list(crossings)
    if all(mark.at != chosen for mark in crossings):
        marks.append(Reference(chosen, f"T = {result.params.T:,}", colour=style.colours.text))
    for T in LANDMARKS:
        if all(max(mark.at / T, T / mark.at) >= _APART for mark in marks):
            name = t("{count} tokens", count=f"{T:,}")
            marks.append(Reference(float(T), name, colour=style.colours.muted))
    return tuple(marks)


def _crossings(result: Result, style: Style, t: Translator) -> tuple[Reference, ...]:
    """Return the two crossings that are on the plot, each once, the first one first."""
    found, roles = result.operations, style.colours.roles
    ends = found.Ts[0], found.Ts[-1]
    at = {found.overtakes_projections: roles["query"]}
    at.setdefault(found.overtakes_layer, roles["output"])
    return tuple(
        Reference(float(T), t("from {T} on", T=f"{T:,}"), colour=colour)
        for T, colour in sorted(at.items())
        if ends[0] <= T <= ends[1]
    )


def _crossing_words(result: Result, t: Translator) -> str:
    found = result.operations
    first = f"{found.overtakes_projections:,}"
    if not any(found.feed_forward):
        return t("Scores and weighted sum cost the same, and together more than the projections "
                 "from T = {T} on.", T=first)  # fmt: skip
    return t(
        "Scores and weighted sum cost the same, and together more than the projections from "
        "T = {first} on, more than projections and feed-forward from T = {last} on.",
        first=first,
        last=f"{found.overtakes_layer:,}",
    )


def _causal_words(t: Translator) -> str:
    return t(
        "All T × T pairs are counted; skipping those that a causal mask hides about halves them."
    )


def _table(result: Result) -> Table:
    found = result.operations
    columns = ("T", "projections", "scores", "weighted sum", "feed-forward")
    rows = zip(found.Ts, found.projections, found.scores, found.weighted_sum, found.feed_forward,
               strict=True)  # fmt: skip
    return Table(columns, tuple(rows))
