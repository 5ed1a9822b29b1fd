"""What ways, kernels, devices and measured amounts are called, in the reader's language."""

from __future__ import annotations

from engine.experiments.memory.device import Machine
from engine.experiments.memory.growth import Growth
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
_SMALL = 0.01  # error of an exponent
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
    """Return a ratio in two digits, or in full where it is larger."""
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


def machine_words(machine: Machine, t: Translator) -> str:
    """Return the device and the library that computes on it."""
    return t("{device}, {library}", device=machine.device, library=machine.library)


def machine_sentence(machine: Machine, t: Translator) -> str:
    """Return the machine in full, as a sentence of a note."""
    return t(
        "{device}, {cores} cores, {library}, {system}, {date}.",
        device=machine.device,
        cores=machine.cores,
        library=machine.library,
        system=machine.system,
        date=machine.date.partition("T")[0],
    )
