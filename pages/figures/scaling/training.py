"""Training curves, scaled and unscaled, with their spread over seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Literal

import numpy as np

from engine.experiments.scaling.training import Run, SweepResult, TrainingParams, TrainingResult
from engine.shapes import Array
from pages.figures.errors import FigureError
from pages.figures.figure import Band, Crosses, Figure, Reference, Series, Style, Table
from pages.figures.plot import Axis, Screen, line_figure
from pages.figures.scaling.common import HALF_CROSSED, stem, way_colour, way_kind, words_of
from pages.text import Translator, mark, translator
from pages.text.scaling_sweep import sweep_part_words, sweep_rule_words, sweep_words
from pages.text.scaling_training import diverged_words, end_words, lines_words, steps_taken
from pages.text.scaling_words import way_sign, way_words

Curve = Literal["loss", "accuracy", "gradient"]
MOST_POINTS = 150  # of a line; more steps are averaged
_RULES = {False: "unscaled", True: "divided by sqrt(d_k)"}  # in the names of columns
# Of the usual width: the curves cross at every step, and differ in grey as well.
_WEIGHTS = {False: 0.5, True: 1.0}
_TALL = 20.0  # times the least value: from here on an axis is logarithmic
_TITLES: dict[Curve, str] = {
    "loss": mark("Training loss, scaled and unscaled"),
    "accuracy": mark("Training accuracy, scaled and unscaled"),
    "gradient": mark("Norm of the gradient in training, scaled and unscaled"),
}
_AXES: dict[Curve, str] = {
    "loss": mark("loss in nats"),
    "accuracy": mark("share of right answers"),
    "gradient": mark("norm of the whole gradient"),
}


@dataclass(frozen=True)
class _Way:
    """One way: the runs whose mean is drawn, as far as all of them go, and those that diverged."""

    scaled: bool
    runs: tuple[Run, ...]
    diverged: tuple[Run, ...]

    @property
    def length(self) -> int:
        return min((len(run.steps) for run in self.runs), default=0)

    def values(self, curve: Curve) -> Array:
        """Return one line a run, (runs, length)."""
        return np.array([getattr(run, curve)[: self.length] for run in self.runs])


def _ways(result: TrainingResult) -> list[_Way]:
    found = []
    for scaled in (False, True):
        begun = tuple(run for run in result.of(scaled) if len(run.steps))
        diverged = tuple(run for run in begun if run.diverged_at is not None)
        whole = tuple(run for run in begun if run.diverged_at is None)
        # Where none is left, the mean runs as far as every one of them did.
        found.append(_Way(scaled, whole or begun, diverged))
    return found


def curve_figure(
    result: TrainingResult, style: Style, curve: Curve = "loss", *, screen: Screen = HALF_CROSSED
) -> Figure:
    """Draw one curve, scaled and unscaled: the mean over seeds between the least and the most."""
    t, params = translator(style.language), result.params
    ways = [way for way in _ways(result) if way.length]
    stride = math.ceil(params.steps / MOST_POINTS)
    drawn = [_thinned(way, curve, stride) for way in ways]
    title = t(_TITLES[curve])
    note = t.sentences(end_words(result, curve, t), _means_words(result, ways, stride, t),
                       diverged_words(result, t), _stopped_words(result, t))  # fmt: skip
    last = max(params.steps - 1, 1)
    places = {0.0, float(last), *(float(step) for steps, _ in drawn for step in steps)}
    return line_figure(
        tuple(sorted(places)),
        [_mean_line(way, *points, style, t) for way, points in zip(ways, drawn, strict=True)],
        style,
        words_of(_stem("training-" + curve, params), title, note, "output", t),
        x_axis=Axis(t("training step"), 0.0, float(last)),
        y_axis=_y_axis(curve, [values for _, values in drawn], t),
        table=_curve_table(result, curve),
        references=_guess(curve, params),
        bands=_bands(ways, drawn, style, t),
        crosses=_crosses(ways, style, t),
        symbols=True,
        screen=screen,
    )


def _thinned(way: _Way, curve: Curve, stride: int) -> tuple[Array, Array]:
    """Return the middle of each block of steps, and the mean over it of every run."""
    values, starts = way.values(curve), np.arange(0, way.length, stride)
    sizes = np.diff([*starts, way.length])
    steps = np.add.reduceat(np.arange(way.length), starts) / sizes
    return steps, np.add.reduceat(values, starts, axis=1) / sizes


def _mean_line(way: _Way, steps: Array, values: Array, style: Style, t: Translator) -> Series:
    means = tuple(values.mean(axis=0).tolist())
    colour = way_colour(way.scaled, style)
    return Series(
        way_sign(way.scaled, t),
        means,
        colour,
        tuple(steps.tolist()),
        kind=way_kind(way.scaled),
        weight=_WEIGHTS[way.scaled],
    )


def _bands(
    ways: list[_Way], drawn: list[tuple[Array, Array]], style: Style, t: Translator
) -> tuple[Band, ...]:
    return tuple(
        Band(
            t("{name}: spread over seeds", name=way_sign(way.scaled, t)),
            tuple(values.min(axis=0).tolist()),
            tuple(values.max(axis=0).tolist()),
            way_colour(way.scaled, style),
            tuple(steps.tolist()),
        )
        for way, (steps, values) in zip(ways, drawn, strict=True)
        if len(values) > 1 and len(steps) > 1
    )


def _crosses(ways: list[_Way], style: Style, t: Translator) -> tuple[Crosses, ...]:
    return tuple(
        Crosses(
            t("{name}: diverged", name=way_sign(way.scaled, t)),
            tuple(sorted({float(run.diverged_at or 0) for run in way.diverged})),
            way_colour(way.scaled, style),
        )
        for way in ways
        if way.diverged
    )


def _y_axis(curve: Curve, drawn: list[Array], t: Translator) -> Axis:
    title = t(_AXES[curve])
    if curve == "accuracy":
        return Axis(title, 0.0, 1.0)
    return _tall_axis(title, [float(value) for values in drawn for value in values.ravel()],
                      always=curve == "gradient")  # fmt: skip


def _tall_axis(title: str, values: list[float], *, always: bool = False) -> Axis:
    """Return an axis from 0, or a logarithmic one where some values would hide all others."""
    least, most = min(values, default=0.0), max(values, default=1.0)
    middle = float(np.median(values)) if values else 1.0
    tall = most > _TALL * (least if always else middle)
    return Axis(title, scale="log10") if least > 0 and tall else Axis(title, 0.0)


def _guess(curve: Curve, params: TrainingParams) -> tuple[Reference, ...]:
    """Return what guessing among the symbols gives."""
    if curve == "loss":
        return (Reference(math.log(params.pairs), f"ln {params.pairs}", "y"),)
    if curve == "accuracy":
        return (Reference(1 / params.pairs, f"1/{params.pairs}", "y"),)
    return ()


def _means_words(result: TrainingResult, ways: list[_Way], stride: int, t: Translator) -> str:
    counts = {way.scaled: len(way.runs) for way in ways}
    longest = max((way.length for way in ways), default=0)
    said = [lines_words(counts, len(result.params.seeds), longest, t)]
    if stride > 1:
        said.append(t("Each point is the mean of {stride} steps.", stride=stride))
    return t.sentences(*said)


def _stopped_words(result: TrainingResult, t: Translator) -> str:
    if result.finished:
        return ""
    least, done = steps_taken(result)
    steps = f"{result.params.steps:,}"
    if least == done:
        return t("So far: {done} of {steps} steps.", done=f"{done:,}", steps=steps)
    return t(
        "So far: {least} to {done} of {steps} steps, since the runs take turns.",
        least=f"{least:,}",
        done=f"{done:,}",
        steps=steps,
    )


def _stem(word: str, params: TrainingParams) -> str:
    rate = f"rate{params.rate:g}" if not word.startswith("learning") else ""
    return stem(word, f"dk{params.d_k}", f"S{params.pairs}", params.optimiser, rate)


def _curve_table(result: TrainingResult, curve: Curve) -> Table:
    """Return every step, a column a run, which is empty from where the run diverged."""
    begun = [run for run in result.runs if len(run.steps)]
    names = (f"{curve}, {_RULES[run.scaled]}, seed {run.seed}" for run in begun)
    steps: list[int] = max((run.steps.tolist() for run in begun), key=len, default=[])
    runs = (getattr(run, curve).tolist() for run in begun)
    return Table(("step", *names), tuple(zip_longest(steps, *runs, fillvalue="")))


def sweep_figure(result: SweepResult, style: Style, *, screen: Screen = HALF_CROSSED) -> Figure:
    """Draw the final loss against the learning rate, scaled and unscaled."""
    if not len(result.rates):
        raise FigureError("No learning rate was tried to its end.")
    t, params = translator(style.language), result.params
    rates, chosen = tuple(result.rates.tolist()), result.chosen
    losses = {False: result.unscaled, True: result.scaled}
    lines = [_rate_line(rates, losses[way], way, style, t) for way in losses]
    title = t("Loss after training at every learning rate, scaled and unscaled")
    note = t.sentences(
        sweep_words(result, t), sweep_rule_words(result, t), sweep_part_words(result, t)
    )
    finite = [float(value) for values in losses.values() for value in values[~np.isnan(values)]]
    return line_figure(
        rates,
        [line for line in lines if line is not None],
        style,
        words_of(_stem("learning-rates", params), title, note, "output", t),
        x_axis=_rate_axis(chosen, t),
        y_axis=_tall_axis(t("loss in nats"), finite) if finite else Axis(t("loss in nats"), 0, 1),
        table=_sweep_table(result, t),
        references=_guess("loss", params) if finite else (),
        dots=rates,
        bands=[band for way in losses for band in _rate_bands(rates, losses[way], way, style, t)],
        crosses=_rate_crosses(rates, losses, style, t),
        symbols=True,
        screen=screen,
    )


def _rate_axis(chosen: tuple[float, ...], t: Translator) -> Axis:
    """Return an axis that stays as it is while one rate after the other is tried."""
    least, most = (chosen[0], chosen[-1]) if len(chosen) > 1 else (None, None)
    return Axis(t("learning rate"), least, most, "log10", chosen)


def _whole(values: Array) -> list[int]:
    """Return the places of the rates at which no seed diverged."""
    return [int(place) for place in np.flatnonzero(~np.isnan(values).any(axis=1))]


def _breaks(places: list[int]) -> tuple[int, ...]:
    return tuple(i for i in range(1, len(places)) if places[i] > places[i - 1] + 1)


def _rate_line(
    rates: tuple[float, ...], values: Array, way: bool, style: Style, t: Translator
) -> Series | None:
    places = _whole(values)
    if not places:
        return None
    means = tuple(float(values[place].mean()) for place in places)
    return Series(
        way_sign(way, t), means, way_colour(way, style), tuple(rates[place] for place in places),
        kind=way_kind(way), breaks=_breaks(places),
    )  # fmt: skip


def _rate_bands(
    rates: tuple[float, ...], values: Array, way: bool, style: Style, t: Translator
) -> list[Band]:
    places, found = _whole(values), []
    ends = [0, *_breaks(places), len(places)]
    for start, end in pairwise(ends):
        some = places[start:end]
        if len(some) > 1 and values.shape[1] > 1:
            found.append(
                Band(
                    t("{name}: spread over seeds", name=way_sign(way, t)),
                    tuple(float(values[place].min()) for place in some),
                    tuple(float(values[place].max()) for place in some),
                    way_colour(way, style),
                    tuple(rates[place] for place in some),
                )
            )
    return found


def _rate_crosses(
    rates: tuple[float, ...], losses: dict[bool, Array], style: Style, t: Translator
) -> list[Crosses]:
    found = []
    for way, values in losses.items():
        lost = [rates[place] for place in range(len(rates)) if np.isnan(values[place]).any()]
        if lost:
            name = t("{name}: diverged", name=way_sign(way, t))
            found.append(Crosses(name, tuple(lost), way_colour(way, style)))
    return found


def _sweep_table(result: SweepResult, t: Translator) -> Table:
    rows = tuple(
        (rate, way_words(way, t), seed, t("diverged") if math.isnan(loss) else loss)
        for way, losses in ((False, result.unscaled), (True, result.scaled))
        for rate, row in zip(result.rates.tolist(), losses.tolist(), strict=True)
        for seed, loss in zip(result.params.seeds, row, strict=True)
    )
    return Table(("learning rate", "rule", "seed", "loss"), rows)
