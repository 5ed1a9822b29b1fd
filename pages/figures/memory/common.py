"""What the figures of memory share: the look of a method, sentences, axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from engine.experiments.memory.predicted import Params
from pages.figures.figure import Style
from pages.figures.panel import Axis, Screen, Words
from pages.figures.series import series_colour
from pages.text import Translator
from pages.text.memory_words import bytes_words, mode_words, parameters_words, shape_words

WIDE = Screen(868.0, 380.0)
HALF = Screen(424.0, 340.0)
_TOLERANCE = 0.02  # of a slope
_NEAR = 1.1  # ratio of two lines that nearly coincide
# A method looks alike in every figure: its place among the colours, its dash and marker. Lines that
# may lie on each other are a wide solid one below and a thin dashed one above it.
_COLOURS = {"materialised": 2, "blocked": 0, "fused": 1, "window": 3}
_KINDS = {"materialised": 0, "blocked": 1, "fused": 2, "window": 3}
_WIDTHS: dict[str, float | None] = {
    "materialised": 1.7,
    "blocked": None,
    "fused": 1.7,
    "window": None,
}
# The wide ones come first, below the others.
DRAWN = ("materialised", "fused", "window", "blocked")


def method_colour(method: str, style: Style) -> str:
    """Return the colour of a method."""
    return series_colour(_COLOURS[method], style.theme)


def method_kind(method: str) -> int:
    """Return which dash and marker the lines of a method take."""
    return _KINDS[method]


def method_width(method: str) -> float | None:
    """Return the width of a solid line, as ``weight`` of a `Series`; None is a dashed one."""
    return _WIDTHS[method]


def words_of(name: str, title: str, note: str, role: str, t: Translator, alt: str = "") -> Words:
    """Return the words of a figure, described by its title, its numbers and its note."""
    said = t.sentences(t("{title}.", title=title), alt, note)
    return Words(name, title, note, said, role)


def setting_words(params: Params, t: Translator) -> str:
    """Return in a sentence what is computed: the model, its precision, its use."""
    words = {"model": shape_words(params.shape, t), "dtype": params.dtype,
             "mode": mode_words(params.mode, t), "batch": f"{params.batch:,}"}  # fmt: skip
    if params.batch == 1:
        return t("{model}, {dtype}, {mode}.", **words)
    return t("{model}, {dtype}, {mode}, batch {batch}.", **words)


def counted_words(params: Params, t: Translator) -> str:
    """Return in sentences what else the bytes depend on: block, window, cache, parameters."""
    sizes = t(
        "Block size {block}, window size {window}.",
        block=f"{params.block:,}",
        window=f"{params.window:,}",
    )
    cached = params.cache or params.mode == "training"
    return t.sentences(
        sizes, "" if cached else t("No KV cache is kept."), parameters_words(params, t)
    )


def model_words(params: Params, t: Translator) -> str:
    """Return in a sentence which model is computed, where neither precision nor use matters."""
    model = shape_words(params.shape, t)
    if params.batch == 1:
        return t("{model}.", model=model)
    return t("{model}, batch {batch}.", model=model, batch=f"{params.batch:,}")


def bytes_axis(title: str, amounts: Iterable[float], t: Translator) -> Axis:
    """Return a logarithmic axis of bytes between powers of two, at least two octaves long."""
    held = list(amounts)
    low, high = math.floor(math.log2(min(held))), math.ceil(math.log2(max(held)))
    high = max(high, low + 2)
    return Axis(title, 2.0**low, 2.0**high, "log2", written=lambda value: bytes_words(value, t))


def growth(Ts: Sequence[int], amounts: Sequence[float]) -> int | None:
    """Return with which power of T the amount grows at the end, 1 or 2; None for neither.

    It is the slope over the last doubling on logarithmic axes, to a fiftieth.
    """
    half = max(index for index, T in enumerate(Ts) if Ts[-1] >= 2 * T)
    slope = math.log(amounts[-1] / amounts[half]) / math.log(Ts[-1] / Ts[half])
    return next((power for power in (1, 2) if abs(slope - power) < _TOLERANCE), None)


def near_from(places: Sequence[int], one: Sequence[int], other: Sequence[int]) -> int | None:
    """Return the first place from which on two lines are as near as a tenth; None without one."""
    first = None
    for place, a, b in zip(reversed(places), reversed(one), reversed(other), strict=True):
        if not (a and b) or max(a, b) > _NEAR * min(a, b):
            break
        first = place
    return first
