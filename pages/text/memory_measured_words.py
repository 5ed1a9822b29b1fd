"""What ways, kernels, devices and measured amounts are called, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from engine.experiments.memory.device import Machine
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeParams
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from engine.experiments.memory.needs import Kernel, Way
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
_DATE, _TIME = slice(0, 10), slice(11, 19)  # of a moment in ISO 8601
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


def growth_words(growth: Growth | None, t: Translator) -> str:  # noqa: ARG001 - as of the others
    """Return an exponent with its standard error; a dash where there is none."""
    if growth is None:
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


def beside_words(result: MeasuredResult, t: Translator) -> list[str]:
    """Return what each loaded run is called: its machine, and what it has of its own.

    Sizes are named where the runs that are shown, this one included, differ in them; the date and
    then the time where that is not enough.
    """
    runs = result.beside
    differing = [
        name for name in SIZES if len({getattr(r.params, name) for r in (result, *runs)}) > 1
    ]
    names = [
        t.listing([machine_words(run.machine, t), *size_words(run.params, differing, t)])
        for run in runs
    ]
    for digits in (_DATE, _TIME):
        names = [
            name if names.count(name) == 1 else t.listing([name, _moment(run, digits)])
            for name, run in zip(names, runs, strict=True)
        ]
    return names


def _moment(run: MeasuredResult, digits: slice) -> str:
    return run.machine.date[digits]
