"""What a measurement of time and memory says; every sentence holds for any result.

Nothing is concluded from noise: two times whose repeats overlap are not told apart.
"""

from __future__ import annotations

from engine.experiments.memory import needs
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.measured import WAYS, MeasuredResult
from engine.experiments.memory.needs import Way
from engine.experiments.memory.point import Point
from engine.experiments.memory.spread import FEWEST, NOISY, are_apart, spread
from pages.text.memory_measured_words import (
    SIZES,
    cores_words,
    growth_words,
    machine_words,
    scatter_words,
    seconds_words,
    size_words,
    sizes_of,
    times_words,
    two_digits,
    way_words,
)
from pages.text.memory_words import NOTHING, bytes_words
from pages.text.translator import Translator

__all__ = [
    "Measure",
    "device_words",
    "doubts",
    "growth_words",
    "measures",
    "notices",
    "refusals_said",
    "refused_in_short",
]

_EQUAL = 1.005  # a ratio below it reads 1.00
Measure = tuple[str, str, str, str]  # title, value, what stands below, explanation


def device_words(result: MeasuredResult, t: Translator) -> str:
    """Return a loaded run in a line: its device, what was measured, when."""
    names = SIZES if result.params.causal else SIZES[:-1]
    date = result.machine.date.partition("T")[0]
    return t(
        "{machine}: {sizes}",
        machine=machine_words(result.machine, t),
        sizes=t.listing([*size_words(result.params, names, t), date]),
    )


def both(result: MeasuredResult) -> tuple[Point, Point] | None:
    """Return the formula and attend at the largest T at which both were measured."""
    found = {way: {point.T: point for point in result.of(way)} for way in WAYS}
    shared = set.intersection(*(set(points) for points in found.values()))
    if not shared:
        return None
    formula, attend = (found[way][max(shared)] for way in WAYS)
    return formula, attend


# ---- four numbers


def measures(result: MeasuredResult, t: Translator) -> list[Measure]:
    """Return both exponents, and how both ways compare at the largest T, as cards."""
    return [
        _growth_measure(result, t, memory=False),
        _growth_measure(result, t, memory=True),
        _time_measure(both(result), t),
        _memory_measure(both(result), t),
    ]


def _growth_measure(result: MeasuredResult, t: Translator, *, memory: bool) -> Measure:
    formula, attend = (result.growth(way, "peak_bytes" if memory else "seconds") for way in WAYS)
    title = t("Exponent of memory") if memory else t("Exponent of time")
    meaning = t(
        "The exponent p of T for the formula, below it for attend: fitted to the logarithms of "
        "the points from an eighth of the longest T on, at least three of them, with the standard "
        "error of the slope."
    )
    return title, growth_words(formula), _below_exponent(formula, attend, t), meaning


def _below_exponent(formula: Growth | None, attend: Growth | None, t: Translator) -> str:
    """Return the exponent of attend; of each way that scatters too much for one, that it does."""
    below = t("attend: {exponent}", exponent=growth_words(attend))
    scattered = [growth is not None and not growth.is_clear for growth in (formula, attend)]
    if all(scattered):
        return t("both too scattered")
    if scattered[0]:
        return t("too scattered; {attend}", attend=below)
    return t("attend: too scattered") if scattered[1] else below


def _time_measure(pair: tuple[Point, Point] | None, t: Translator) -> Measure:
    title = t("Time ratio")
    if pair is None:
        return title, NOTHING, "", t("Formula / attend, where both were measured.")
    formula, attend = pair
    meaning = t(
        "Formula / attend: {formula} / {attend}, medians at the longest T at which both were "
        "measured.",
        formula=seconds_words(formula.seconds, t),
        attend=seconds_words(attend.seconds, t),
    )
    if _is_single(formula, attend):
        return title, NOTHING, t("of one run each"), meaning
    if not are_apart(formula, attend):
        return title, NOTHING, t("within the scatter"), meaning
    below = t("at T = {T}", T=f"{formula.T:,}")
    return title, times_words(formula.seconds / attend.seconds, t), below, meaning


def _memory_measure(pair: tuple[Point, Point] | None, t: Translator) -> Measure:
    title = t("Memory ratio")
    if pair is None or not pair[1].peak_bytes:
        return title, NOTHING, "", t("Formula / attend, where both were measured.")
    formula, attend = pair
    meaning = t(
        "Formula / attend: {formula} / {attend}, held at once beyond Q, K and V at the longest T "
        "at which both were measured.",
        formula=bytes_words(formula.peak_bytes, t),
        attend=bytes_words(attend.peak_bytes, t),
    )
    below = t("at T = {T}", T=f"{formula.T:,}")
    return title, times_words(formula.peak_bytes / attend.peak_bytes, t), below, meaning


# ---- sentences


def notices(result: MeasuredResult, t: Translator) -> list[str]:
    """Return what to notice, a few sentences."""
    said = [_growth_said(result, t), *_exponent_said(result, t)]
    pair = both(result)
    if pair is not None:
        said += [_memory_said(result, *pair, t), _time_said(*pair, t)]
    return [*filter(None, [*said, *doubts(result, t)])]


def _growth_said(result: MeasuredResult, t: Translator) -> str:
    found = {way: growth for way in WAYS if (growth := result.growth(way, "seconds")) is not None}
    if not found:
        return t("Three points of a way, from an eighth of the longest T on, tell how it grows.")
    scattered = [way for way, growth in found.items() if not growth.is_clear]
    told = [
        t("{way}: {exponent}", way=way_words(way, t), exponent=growth_words(growth))
        for way, growth in found.items()
        if growth.is_clear
    ]
    return t.sentences(_powers_said(told, t), scatter_words(scattered, t))


def _powers_said(told: list[str], t: Translator) -> str:
    if not told:
        return ""
    return t(
        "The arithmetic grows like T²; the measured time like T to a power of {exponents}.",
        exponents=t.clauses(told),
    )


def _exponent_said(result: MeasuredResult, t: Translator) -> list[str]:
    """Say what may be behind an exponent that is surely not 2."""
    clear: dict[Way, Growth] = {
        way: growth for way in WAYS if (growth := result.growth(way, "seconds")) and growth.is_clear
    }
    low = [way for way, growth in clear.items() if growth.is_below(2) and not growth.is_below(0)]
    said = [_low_said(result, low, clear, t)]
    if any(growth.is_below(0) for growth in clear.values()):
        said.append(
            t(
                "A time that falls as T grows does not come from the arithmetic, but from "
                "something that burdens the short sequences more."
            )
        )
    if any(growth.is_above(2) for growth in clear.values()):
        said.append(
            t(
                "An exponent above 2 can come from numbers that cost more in a long sequence, as "
                "when matrices outgrow a cache."
            )
        )
    return said


def _low_said(
    result: MeasuredResult, ways: list[Way], found: dict[Way, Growth], t: Translator
) -> str:
    if not ways:
        return ""
    if "attend" in ways and _changes_threads(result, found["attend"]):
        return t(
            "An exponent below 2 can come from work that grows more slowly than T², such as the "
            "fixed cost of a call; attend also takes more threads for the longer sequences."
        )
    return t(
        "An exponent below 2 can come from work that grows more slowly than T², such as the fixed "
        "cost of a call."
    )


def _changes_threads(result: MeasuredResult, growth: Growth) -> bool:
    """Say whether NumPy's attend took more threads at some of the fitted points than at others."""
    cores = result.machine.cores
    points = [point for point in result.of("attend") if growth.shortest <= point.T]
    if any(point.kernel != "blocked" for point in points):
        return False
    return len({needs.threads_of(sizes_of(result, point), cores) for point in points}) > 1


def _memory_said(result: MeasuredResult, formula: Point, attend: Point, t: Translator) -> str:
    values = {
        "T": f"{formula.T:,}",
        "formula": bytes_words(formula.peak_bytes, t),
        "attend": bytes_words(attend.peak_bytes, t),
    }
    if attend.peak_bytes < formula.peak_bytes:
        return t(
            "At T = {T} the formula holds {formula} at its peak, attend {attend} for the same "
            "result.",
            **values,
        )
    held = t(
        "At T = {T} attend holds {attend} at its peak, no less than the formula with {formula}.",
        **values,
    )
    return t.sentences(held, _no_less_said(result, formula, attend, t))


def _no_less_said(result: MeasuredResult, formula: Point, attend: Point, t: Translator) -> str:
    """Say why attend saves no memory, where the prediction bears it out."""
    if attend.kernel == "fallback":
        sizes = sizes_of(result, attend)
        if needs.block_pairs(sizes) == sizes.pairs:
            return t("MLX's fallback forms the whole matrix of scores as well.")
        return ""
    if attend.predicted_bytes < formula.peak_bytes:
        return ""
    if attend.kernel == "fused":
        return t("Its output alone is as large as all that the formula holds.")
    return t("Its blocks and its output are as large as whole matrices there.")


def _time_said(formula: Point, attend: Point, t: Translator) -> str:
    """Compare two times, but for those that one run or the scatter does not tell apart."""
    if _is_single(formula, attend):
        return ""  # one run of each is named among the doubts
    values = {"T": f"{formula.T:,}"}
    if not are_apart(formula, attend):
        return t(
            "At T = {T} the times of both differ by no more than their repeats: neither is called "
            "faster.",
            **values,
        )
    ratio = formula.seconds / attend.seconds
    if max(ratio, 1 / ratio) < _EQUAL:
        return t("At T = {T} both take nearly the same time.", **values)
    if ratio > 1:
        return t("There attend is {ratio} times as fast as the formula.", ratio=two_digits(ratio))
    return t("There the formula is {ratio} times as fast as attend.", ratio=two_digits(1 / ratio))


def _is_single(*points: Point) -> bool:
    return any(len(point.all_seconds) < FEWEST for point in points)


def doubts(result: MeasuredResult | HeadSizeResult, t: Translator) -> list[str]:
    """Say what makes the times doubtful."""
    points = result.measured
    said = [_noise_said(points, t), _busy_said(result, t)]
    if points and _is_single(*points):
        said.insert(
            0,
            t(
                "One run of each does not tell how far its time may be off, so that no difference "
                "counts; choose more repeats."
            ),
        )
    return said


def _noise_said(points: tuple[Point, ...], t: Translator) -> str:
    worst = max(points, key=spread, default=None)
    if worst is None or spread(worst) <= NOISY:
        return ""
    return t(
        "The repeats differ widely: at T = {T}, d_k = {d_k} ({way}) they take {least} to {most}, "
        "so that a small difference says nothing.",
        T=f"{worst.T:,}",
        d_k=worst.d_k,
        way=way_words(worst.way, t),
        least=seconds_words(min(worst.all_seconds), t),
        most=seconds_words(max(worst.all_seconds), t),
    )


def _busy_said(result: MeasuredResult | HeadSizeResult, t: Translator) -> str:
    cores = result.machine.cores
    if not result.disturbed:
        return ""
    return t(
        "Other programs kept {busy} of {cores} busy meanwhile: times may be too long, even where "
        "the repeats agree.",
        busy=f"{result.busy:.1f}",
        cores=cores_words(cores, t),
    )


# ---- what was refused


def refused_in_short(result: MeasuredResult | HeadSizeResult, t: Translator) -> str:
    """Return how many points were refused, and which; nothing where there is none."""
    refused = result.refused
    if not refused:
        return ""
    told = t.clauses(
        _places_said(result, way, [point for point in refused if point.way == way], t)
        for way in WAYS
        if any(point.way == way for point in refused)
    )
    if len(refused) == 1:
        return t("1 point was refused: {points}.", points=told)
    return t("{count} points were refused: {points}.", count=len(refused), points=told)


def _places_said(
    result: MeasuredResult | HeadSizeResult, way: Way, points: list[Point], t: Translator
) -> str:
    """Return at which T, or at which head sizes, some points of one way are."""
    if isinstance(result, HeadSizeResult):
        return t("d_k = {d_ks}", d_ks=t.listing(f"{point.d_k:,}" for point in points))
    Ts = t.listing(f"{point.T:,}" for point in points)
    return t("T = {T} of the formula", T=Ts) if way == WAYS[0] else t("T = {T} of attend", T=Ts)


def refusals_said(result: MeasuredResult | HeadSizeResult, t: Translator) -> list[str]:
    """Return why points were refused: a sentence for each way and reason, with the others."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in result.refused:
        assert point.refused is not None
        groups.setdefault((point.way, point.refused.kind), []).append(point)
    return [_refusal_said(result, points, t) for points in groups.values()]


def _refusal_said(
    result: MeasuredResult | HeadSizeResult, points: list[Point], t: Translator
) -> str:
    first, *more = points
    assert first.refused is not None
    said = t("Refused, {way}: {why}", way=way_words(first.way, t), why=t.error(first.refused))
    return t.sentences(said, _others_said(result, more, t))


def _others_said(
    result: MeasuredResult | HeadSizeResult, points: list[Point], t: Translator
) -> str:
    """Return which points were refused for the same reason; nothing for none."""
    if not points:
        return ""
    if isinstance(result, HeadSizeResult):
        d_ks = t.listing(f"{point.d_k:,}" for point in points)
        one = t("So was d_k = {others}.", others=d_ks)
        return one if len(points) == 1 else t("So were d_k = {others}.", others=d_ks)
    Ts = t.listing(f"{point.T:,}" for point in points)
    one = t("So was T = {others}.", others=Ts)
    return one if len(points) == 1 else t("So were T = {others}.", others=Ts)
