"""What the walks between positions show: steps, how they grow, which of them are alike."""

from __future__ import annotations

import numpy as np

from engine.experiments.properties.paths import ARCHITECTURES, Architecture, PathResult
from pages.text.properties_words import architecture_words
from pages.text.translator import Translator


def longest_words(result: PathResult, t: Translator) -> str:
    """Return the steps from the first position to the last, of every architecture."""
    longest = result.longest
    parts = [
        t("{name}: {value}", name=architecture_words(name, t), value=f"{longest[name]:,}")
        for name in ARCHITECTURES
    ]
    return t("Steps from position 1 to position {T}: {parts}.", T=f"{result.params.T:,}",
             parts=t.listing(parts))  # fmt: skip


def reads_words(result: PathResult, t: Translator) -> str:
    """Return how far one step of each architecture looks."""
    params = result.params
    return t(
        "A convolution reads {kernel} positions, the dilated one in steps of 1, 2, 4 and so on; "
        "windowed attention sees {window} neighbours, half on each side.",
        kernel=params.kernel,
        window=f"{params.window:,}",
    )


def heard_words(result: PathResult, t: Translator) -> str:
    """Return of how many positions the chosen one has heard in every architecture."""
    parts = [
        t("{name}: {value}", name=architecture_words(name, t),
          value=f"{int(result.reached[name].sum()):,}")
        for name in ARCHITECTURES
    ]  # fmt: skip
    return t("Heard of, of {T} positions: {parts}.", T=f"{result.params.T:,}",
             parts=t.listing(parts))  # fmt: skip


def alike_words(result: PathResult, t: Translator) -> str:
    """Return which architectures take the same steps everywhere, so that their lines coincide."""
    groups: list[list[Architecture]] = []
    for name in ARCHITECTURES:
        alike = [each for each in groups if _is_same(result, each[0], name)]
        if alike:
            alike[0].append(name)
        else:
            groups.append([name])
    return t.sentences(*(_coincide(group, t) for group in groups if len(group) > 1))


def _is_same(result: PathResult, one: Architecture, other: Architecture) -> bool:
    return np.array_equal(result.steps[one], result.steps[other])


def _coincide(group: list[Architecture], t: Translator) -> str:
    *names, last = (architecture_words(name, t) for name in group)
    said = t("{names} and {last} coincide.", names=t.listing(names), last=last)
    return said[:1].upper() + said[1:]


def growth_words(result: PathResult, name: Architecture) -> str:
    """Return how the steps grow with the distance d, where all that were counted grow so.

    ``d``, ``d/4``, ``log d``, ``1``; empty where they follow none of these.
    """
    steps = result.steps[name][1:]
    if (steps == 1).all():
        return "1"
    reach = {"convolution": result.params.kernel // 2, "window": result.params.window // 2}
    distances = np.arange(1, result.params.T)
    if name == "dilated":
        far = result.params.kernel // 2 * (2.0 ** np.arange(1, 11) - 1)  # after 1, 2, ... layers
        return "log d" if np.array_equal(steps, np.searchsorted(far, distances) + 1) else ""
    each = reach.get(name, 1)
    if not np.array_equal(steps, -(-distances // each)):
        return ""
    return "d" if each == 1 else f"d/{each}"


def growth_note(result: PathResult, t: Translator) -> str:
    """Return what stands in brackets behind the names, where anything does."""
    if not any(growth_words(result, name) for name in ARCHITECTURES):
        return ""
    return t("In brackets: how steps grow with the distance d.")
