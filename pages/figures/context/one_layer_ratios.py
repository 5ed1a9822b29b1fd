"""Animal against street in every head of one layer: with one ending, and with the other."""

from __future__ import annotations

from engine.experiments.context.single_layer import SingleLayerResult
from pages.figures.context.one_layer import layer_stem
from pages.figures.figure import Figure, Reference, Series, Style, Table
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.properties.common import words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.context_mechanism import kept_words, layer_words

SCREEN = Screen(868.0, 360.0)
_AROUND = 0.08  # of the range of the points, free beyond them


def ratios_figure(
    result: SingleLayerResult, style: Style, head: int = 1, *, screen: Screen = SCREEN
) -> Figure:
    """Draw a point for each head; on the diagonal both endings give the same ratio.

    ``head``, counted from 1, has a marker of its own.
    """
    t = translator(style.language)
    title = t("Animal against street in every head of one layer")
    note = t.sentences(
        kept_words(result, t),
        t("The log-ratio is ln(w(animal) / w(street)): above 0 the animal has more weight."),
        layer_words(result, t),
    )
    low, high = _ends(result)
    series = _series(result, head, (low, high), style, t)
    return line_figure(
        tuple(sorted({place for each in series for place in each.x or ()})),
        series,
        style,
        words_of(layer_stem("one-layer-ratios", result, head), title, note, "weights", t),
        x_axis=Axis(t("log-ratio with “tired”"), low, high),
        y_axis=Axis(t("log-ratio with “wide”"), low, high),
        table=_table(result),
        references=(Reference(0.0, "1 : 1"),),
        legend=True,
        screen=screen,
    )


def _ends(result: SingleLayerResult) -> tuple[float, float]:
    """Return the ends of both axes: they hold 0 and keep every point off the edge."""
    low, high = (float(end) for end in (result.log_ratio.min(), result.log_ratio.max()))
    low, high = min(low, 0.0), max(high, 0.0)
    free = _AROUND * (high - low) or 1.0
    return low - free, high + free


def _series(
    result: SingleLayerResult, head: int, ends: tuple[float, float], style: Style, t: Translator
) -> tuple[Series, ...]:
    heads = result.log_ratio.shape[1]
    others = [place for place in range(heads) if place != head - 1]
    others.sort(key=lambda place: float(result.log_ratio[0, place]))
    colours = style.colours
    chosen = series_colour(2, style.theme)
    found = [
        Series(t("the same with both"), ends, colours.muted, ends, kind=1),
        _points(t("the other heads"), result, others, colours.roles["weights"], 0),
        _points(t("head {head}", head=head), result, [head - 1], chosen, 2),
    ]
    return tuple(each for each in found if each.values)


def _points(
    name: str, result: SingleLayerResult, places: list[int], colour: str, kind: int
) -> Series:
    x, y = (tuple(result.log_ratio[side, places].tolist()) for side in range(2))
    return Series(name, y, colour, x, "dots", kind)


def _table(result: SingleLayerResult) -> Table:
    columns = ("head", "log-ratio with tired", "log-ratio with wide", "difference",
               "share of the weight that moves")  # fmt: skip
    numbers = (*result.log_ratio.tolist(), result.difference.tolist(), result.movement.tolist())
    return Table(columns, tuple((head, *row) for head, row in enumerate(zip(*numbers, strict=True),
                                                                       1)))  # fmt: skip
