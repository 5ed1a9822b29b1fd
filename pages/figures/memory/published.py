"""Published figures beside ours, as a table with their ratio."""

from __future__ import annotations

from engine.experiments.memory.published import MEGABYTE, Published, published
from pages.figures.figure import Figure, Style, Table
from pages.figures.memory.common import WIDE
from pages.figures.memory.grid import Column, Grid, draw_grid
from pages.figures.panel import Screen, Words
from pages.text import Translator, mark, translator

NAMES = {
    "matrix": mark("matrix alone"),
    "unfused": mark("unfused"),
    "fused": mark("fused"),
    "ratio": mark("unfused ÷ fused"),
}


def published_figure(style: Style, *, screen: Screen = WIDE) -> Figure:
    """Draw the table: the peak of a backward pass as others measured it, and as predicted."""
    t, every = translator(style.language), published()
    title = t("Published figures and our predictions")
    sourced = style.size in ("screen", "slide")
    # On a narrow sheet the rows need the room of the last sentence.
    note = t.sentences(*_settings_words(every, t), _gap_words(every, t) if sourced else "")
    rows = tuple(
        _row(each, name, t)[0 if sourced else 1 :] for each in every for name in each.theirs
    )
    columns = (
        Column(t("source"), left=True), Column("T"), Column(t("what"), left=True),
        Column(t("published")), Column(t("ours")), Column(t("published ÷ ours")),
    )[0 if sourced else 1 :]  # fmt: skip
    name = "memory-published"
    alt = t.sentences(t("{title}.", title=title), _alt(every, t), note)
    words = Words(name, title, note, alt, "weights")
    canvas = draw_grid(Grid(columns, rows), style, words, screen)
    return Figure(name, title, canvas.spec(alt), _table(every), note, alt)


def _settings_words(every: tuple[Published, ...], t: Translator) -> list[str]:
    """Return where the figures are printed, and of what they are."""
    sources = list(dict.fromkeys(each.source for each in every))
    return [
        t("One layer, d_k = 64, float16; MB of {count} bytes.", count=f"{MEGABYTE:,}"),
        t("{source}: its author's own figures, peak of the backward pass, batch 1, 32 heads, "
          "Apple M3 Max.", source=sources[0]),
        t("{source}: forward and backward pass, batch 8, 12 heads, A100; in our count the ratio "
          "depends on neither batch nor heads.", source=sources[1]),
    ]  # fmt: skip


def _gap_words(every: tuple[Published, ...], t: Translator) -> str:
    """Return how far the unfused figures are from ours, and what may explain it."""
    gaps = [each.theirs["unfused"] / each.ours["unfused"] - 1 for each in every if each.left_out]
    return t(
        "Unfused figures are {least} to {most} % above ours: a scaled copy of Q, a float32 number "
        "a query and, with a causal mask, two masks make up the rest to the MB, as we infer from "
        "the numbers.",
        least=f"{100 * min(gaps):.1f}",
        most=f"{100 * max(gaps):.1f}",
    )


def _row(each: Published, name: str, t: Translator) -> tuple[str, ...]:
    theirs, ours = each.theirs[name], each.ours[name]
    T = t("{T}, causal", T=f"{each.T:,}") if each.causal else f"{each.T:,}"
    source = each.source.split(",")[0]
    return (source, T, t(NAMES[name]), _written(theirs, name, 0), _written(ours, name, 1),
            f"{theirs / ours:.3f}")  # fmt: skip


def _written(value: float, name: str, decimals: int) -> str:
    """Return megabytes, or a factor; ours with one decimal, published ones as they are printed."""
    if name == "ratio":
        return f"{value:.{decimals}f}×"
    return f"{value / MEGABYTE:,.{decimals}f}"


def _alt(every: tuple[Published, ...], t: Translator) -> str:
    parts = [
        t("{source}, T = {T}, {what}: published {theirs}, ours {ours}", source=each.source,
          T=f"{each.T:,}", what=t(NAMES[name]), theirs=_written(each.theirs[name], name, 0),
          ours=_written(each.ours[name], name, 1))
        for each in every
        for name in each.theirs
    ]  # fmt: skip
    return t("{parts}.", parts=t.clauses(parts))


def _table(every: tuple[Published, ...]) -> Table:
    columns = ("source", "address", "T", "causal", "what", "published", "ours", "published / ours",
               "unit")  # fmt: skip
    rows = tuple(
        (each.source, each.address, each.T, each.causal, name, each.theirs[name], each.ours[name],
         each.theirs[name] / each.ours[name], "times" if name == "ratio" else "bytes")
        for each in every
        for name in each.theirs
    )  # fmt: skip
    return Table(columns, rows)
