"""What a measurement of head sizes says; nothing is concluded from noise."""

from __future__ import annotations

from dataclasses import replace

from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.point import Point
from engine.experiments.memory.spread import are_apart
from pages.text.memory_measured_words import (
    kernel_words,
    machine_words,
    seconds_words,
    times_words,
)
from pages.text.memory_peak_readings import fallback_gap
from pages.text.memory_readings import Measure, doubts, refused_in_short
from pages.text.memory_words import NOTHING, bytes_words
from pages.text.translator import Translator


def head_measures(result: HeadSizeResult, t: Translator) -> list[Measure]:
    """Return the fastest and the slowest head size, and how much longer the slowest takes.

    None of them where their repeats do not tell them apart.
    """
    title = (t("Fastest d_k"), t("Slowest d_k"), t("Slowest / fastest"))
    meaning = t("Median time for each pair of a query and a key, and each component of d_k.")
    if not result.measured:
        return [(name, NOTHING, "", meaning) for name in title]
    order = sorted(result.measured, key=result.nanoseconds)
    ends = (order[0], order[-1])
    if not _are_apart(result, *ends):
        why = t("within the scatter") if len(order) > 1 else ""
        return [(name, NOTHING, why, meaning) for name in title]
    cards = [
        (name, f"{point.d_k:,}", _below(result, point, t), meaning)
        for name, point in zip(title, ends, strict=False)
    ]
    ratio = result.nanoseconds(ends[1]) / result.nanoseconds(ends[0])
    return [*cards, (title[2], times_words(ratio, t), t("time per pair and component"), meaning)]


def _are_apart(result: HeadSizeResult, one: Point, other: Point) -> bool:
    """Say whether two head sizes cost more than by chance, each component taken for itself."""
    return are_apart(_for_each(result, one), _for_each(result, other))


def _for_each(result: HeadSizeResult, point: Point) -> Point:
    """Return a point whose times are those of a pair and component, in nanoseconds."""
    share = result.nanoseconds(point) / point.seconds
    return replace(point, all_seconds=tuple(share * each for each in point.all_seconds))


def _below(result: HeadSizeResult, end: Point, t: Translator) -> str:
    """Return what an end takes, and the head sizes that its repeats do not tell from it."""
    alike = [
        f"{point.d_k:,}"
        for point in result.measured
        if point is not end and not _are_apart(result, end, point)
    ]
    if not alike:
        return _per_pair(result, end, t)
    return t("{each}; not told apart from {others}", each=_per_pair(result, end, t),
             others=t.listing(alike))  # fmt: skip


def _per_pair(result: HeadSizeResult, point: Point, t: Translator) -> str:
    each = seconds_words(1e-9 * result.nanoseconds(point), t)
    return t("{each} · {kernel}", each=each, kernel=kernel_words(point.kernel, t))


def head_notices(result: HeadSizeResult, t: Translator) -> list[str]:
    """Return what to notice: which kernel ran where, and what the fallback costs more."""
    said = [_kernels_said(result, t), *_kernels_compared(result, t), fallback_gap(result, t),
            *doubts(result, t), refused_in_short(result, t)]  # fmt: skip
    return [*filter(None, said)]


def _kernels_said(result: HeadSizeResult, t: Translator) -> str:
    machine = machine_words(result.machine, t)
    fused, fallback = (result.by(kernel) for kernel in ("fused", "fallback"))
    if result.by("blocked"):
        return t("NumPy computes every head size in the same blocks ({machine}).", machine=machine)
    if fused and fallback:
        return t(
            "{machine}: the fused kernel ran at d_k = {fused}, the fallback, which forms the "
            "scores in memory, at {fallback}, by the rule in MLX's source.",
            machine=machine,
            fused=t.listing(point.d_k for point in fused),
            fallback=t.listing(point.d_k for point in fallback),
        )
    if fused:
        return t("{machine}: the fused kernel ran at every head size.", machine=machine)
    if fallback and result.machine.kind == "cpu":
        return t(
            "On a processor MLX has no fused kernel; it forms the scores at every head size "
            "({machine}).",
            machine=machine,
        )
    if fallback:
        return t(
            "{machine}: none of these head sizes has a fused kernel; MLX forms the scores in "
            "memory at each.",
            machine=machine,
        )
    return ""


def _kernels_compared(result: HeadSizeResult, t: Translator) -> list[str]:
    """Compare a fused head size with the nearest of the fallback, where both were measured."""
    fused, fallback = (result.by(kernel) for kernel in ("fused", "fallback"))
    if not (fused and fallback):
        return []
    pairs = [(one, other) for one in fused for other in fallback]
    one, other = min(pairs, key=lambda pair: (abs(pair[0].d_k - pair[1].d_k), pair[0].d_k))
    peaks = t(
        "At d_k = {fallback} the peak is {more}, at {fused}, fused, {less}.",
        fallback=other.d_k,
        more=bytes_words(other.peak_bytes, t),
        fused=one.d_k,
        less=bytes_words(one.peak_bytes, t),
    )
    if not _are_apart(result, one, other):
        return [peaks]
    times = t(
        "There each pair and component takes {slow} and {fast}.",
        slow=seconds_words(1e-9 * result.nanoseconds(other), t),
        fast=seconds_words(1e-9 * result.nanoseconds(one), t),
    )
    return [t.sentences(peaks, times)]
