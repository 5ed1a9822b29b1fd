"""What ways, kernels, devices and measured amounts are called, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from engine.experiments.memory.device import Machine
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeParams, HeadSizeResult
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from engine.experiments.memory.needs import Kernel, Sizes, Way
from engine.experiments.memory.point import Point
from pages.figures.numerals import number
from pages.text.marking import mark
from pages.text.memory_words import NOTHING
from pages.text.translator import Translator

_WAYS: dict[Way, str] = {"materialised": mark("formula"), "attend": "attend"}
_KERNELS: dict[Kernel, str] = {
    "formula": mark("formula, step by step"),
    "blocked": mark("in blocks"),
    "fused": mark("fused kernel"),
    "fallback": mark("fallback"),
}
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_TWO_DIGITS = 9.95
_NEAR_ONE = (0.895, 1.095)  # between them two digits could be those of 1
_SMALL = 0.01  # error of an exponent
SIZES = ("heads", "d_k", "batch", "dtype", "causal")  # what sets measured runs apart, but for T
# Letters of a run in a legend, beside those of a way, by the size of the figure.
_LEGEND = {"screen": 28, "slide": 36, "half": 16, "square": 28}
_SHORTEST = 10  # letters of a device that are worth being read
# Runs that a legend names; more of them, each with two lines, leave too little room for the plot.
_NAMED = {"screen": 2, "slide": 2, "half": 1, "square": 1}
_DATE, _TIME = slice(0, 10), slice(11, 19)  # of a moment in ISO 8601
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROUNDED = 0.9995  # of a unit is written as one of it


def way_words(way: Way, t: Translator) -> str:
    """Return what a way is called: the formula, or the function `attend`."""
    return t(_WAYS[way])


def kernel_words(kernel: Kernel, t: Translator) -> str:
    """Return what computed a point."""
    return t(_KERNELS[kernel])


def seconds_words(seconds: float, t: Translator) -> str:
    """Return a duration in three digits, in the unit that people read it in: ``21.7 ms``."""
    for unit, name in _UNITS:
        if seconds >= _ROUNDED * unit or name == "ns":
            value = seconds / unit
            text = f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"
            return t("{value} {unit}", value=text, unit=name)
    raise AssertionError("the last unit takes every duration")


def times_words(ratio: float, t: Translator) -> str:
    """Return a ratio: ``28 ×``."""
    return t("{ratio} ×", ratio=two_digits(ratio))


def two_digits(ratio: float) -> str:
    """Return a ratio in two digits, in full where it is larger, with two decimals near 1."""
    if _NEAR_ONE[0] <= ratio < _NEAR_ONE[1]:
        return f"{ratio:.2f}"
    return f"{ratio:,.0f}" if ratio >= _TWO_DIGITS else f"{ratio:.2g}"


def share_words(share: float, count: int = 1) -> str:
    """Return a share as a power of ten, usually with one digit: ``6 × 10⁻⁷``; 0 where it is 0."""
    if share == 0:
        return "0"
    factor, power = f"{share:.{count - 1}e}".split("e")
    return f"{factor}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(int(power)).translate(_RAISED)}"


def growth_words(growth: Growth | None) -> str:
    """Return an exponent with its standard error; a dash where there is none, or none is clear."""
    if growth is None or not growth.is_clear:
        return NOTHING
    # Of so few points the error has hardly one digit.
    decimals = 2 if growth.error >= _SMALL else 3
    return "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}".join(
        number(value, decimals) for value in (growth.exponent, growth.error)
    )


def scatter_words(ways: Iterable[Way], t: Translator) -> str:
    """Return in a sentence whose points are too scattered for an exponent; nothing for none."""
    named = t.listing(way_words(way, t) for way in ways)
    if not named:
        return ""
    return t(
        "Too scattered for an exponent: {ways}; measure again while nothing else runs.", ways=named
    )


def machine_words(machine: Machine, t: Translator) -> str:
    """Return the device and the library that computes on it."""
    return t("{device}, {library}", device=machine.device, library=machine.library)


def cores_words(cores: int, t: Translator) -> str:
    """Return how many cores there are."""
    return t("1 core") if cores == 1 else t("{cores} cores", cores=cores)


def size_words(
    params: MeasuredParams | HeadSizeParams, names: Iterable[str], t: Translator
) -> list[str]:
    """Return what parameters named in ``SIZES`` are, each by itself."""
    return [_size_word(name, getattr(params, name), t) for name in names]


def _size_word(name: str, value: object, t: Translator) -> str:
    if name == "heads":
        return t("1 head") if value == 1 else t("{heads} heads", heads=value)
    if name == "batch":
        return t("batch {batch}", batch=value)
    if name == "causal":
        return t("causal") if value else t("not causal")
    return str(value) if name == "dtype" else f"{name} = {value}"


def sizes_of(result: MeasuredResult | HeadSizeResult, point: Point) -> Sizes:
    """Return the sizes of a point."""
    params = result.params
    return Sizes(params.batch, params.heads, point.T, point.d_k, params.dtype)


def beside_words(result: MeasuredResult, t: Translator, size: str) -> list[str]:
    """Return what each loaded run is called in a legend of a figure of one size.

    By what it has of its own, its device cut to the room that there is; or by a number, where
    there are many, or where what is left is too long or does not tell two of them apart.
    """
    room, runs = _LEGEND[size], _own_parts(result, t)
    names = [
        t.listing(_cut_to(parts, run, room, t))
        for parts, run in zip(runs, result.beside, strict=True)
    ]
    fit = len(names) <= _NAMED[size] and all(_columns(name) <= room for name in names)
    return names if fit and len(set(names)) == len(names) else run_words(len(names), t)


def _cut_to(parts: list[str], run: MeasuredResult, room: int, t: Translator) -> list[str]:
    """Return the parts of a name with as much of the device as there is room for."""
    device = run.machine.device
    if parts[0] != device:
        return parts
    others = _columns(t.listing(parts)) - _columns(device)
    return [_cut(device, max(room - others, _SHORTEST)), *parts[1:]]


def run_words(count: int, t: Translator) -> list[str]:
    """Return the numbers of loaded runs, in their order."""
    return [t("run {number}", number=number) for number in range(1, count + 1)]


def beside_sentence(
    result: MeasuredResult, t: Translator, size: str, more: Sequence[str] = ()
) -> str:
    """Return what loaded runs are whose names a legend cuts, or only numbers.

    ``more`` tells something of each of them; a run of which there is nothing to say is left out.
    """
    shorts, names = beside_words(result, t, size), [*map(t.listing, _own_parts(result, t))]
    told = []
    for short, name, each in zip(shorts, names, more or [""] * len(names), strict=True):
        said = t.listing(filter(None, ["" if short == name else name, each]))
        if said:
            told.append(t("{run}: {name}", run=short, name=said))
    return t("{runs}.", runs=t.clauses(told)) if told else ""


def _own_parts(result: MeasuredResult, t: Translator) -> list[list[str]]:
    """Return in what each loaded run differs from some other that is shown, this one included.

    The date, and then the time, where that is not enough to tell it from the others.
    """
    runs = (result, *result.beside)
    machines = [name for name in ("device", "library") if _differ([r.machine for r in runs], name)]
    sizes = [name for name in SIZES if _differ([r.params for r in runs], name)]
    names: list[list[str]] = [
        [*(getattr(run.machine, name) for name in machines), *size_words(run.params, sizes, t)]
        for run in result.beside
    ]
    for digits in (_DATE, _TIME):
        names = [
            name if name and names.count(name) == 1 else [*name, run.machine.date[digits]]
            for name, run in zip(names, result.beside, strict=True)
        ]
    return names


def _differ(things: Iterable[object], name: str) -> bool:
    return len({getattr(thing, name) for thing in things}) > 1


def _cut(text: str, room: int) -> str:
    """Return a text that takes no more columns than there are, its end left out for an ellipsis."""
    if _columns(text) <= room:
        return text
    while _columns(text) >= room:
        text = text[:-1]
    return text.rstrip(" ,、(") + "…"


def _columns(text: str) -> int:
    """Return how wide a text is, a Chinese character being as wide as two letters."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
