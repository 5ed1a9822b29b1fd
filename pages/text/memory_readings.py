"""What a measurement of time and memory says; every sentence holds for any result.

Nothing is concluded from noise: two times whose repeats overlap are not told apart.
"""

from __future__ import annotations

from dataclasses import replace

from engine.experiments.memory import gap, needs
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.measured import WAYS, MeasuredResult
from engine.experiments.memory.needs import HELD, Sizes, Stored, Way
from engine.experiments.memory.point import Point
from engine.experiments.memory.spread import FEWEST, NOISY, spread, told_apart
from pages.text.marking import mark
from pages.text.memory_measured_words import (
    SIZES,
    cores_words,
    growth_words,
    kernel_words,
    machine_words,
    scatter_words,
    seconds_words,
    size_words,
    times_words,
    two_digits,
    way_words,
)
from pages.text.memory_words import NOTHING, bytes_words
from pages.text.translator import Translator

__all__ = [
    "device_words",
    "gap_said",
    "growth_words",
    "head_measures",
    "head_notices",
    "kernel_said",
    "measures",
    "notices",
    "refusals_said",
]

_AGREES = 0.1  # of the prediction: a peak as near as that agrees with it
_EQUAL = 1.005  # a ratio below it reads 1.00
_BUSY = 0.25  # of the cores: kept busy by other programs, they are worth a word
_Measure = tuple[str, str, str, str]  # title, value, what stands below, explanation


def device_words(result: MeasuredResult, t: Translator) -> str:
    """Return a loaded run in a line: its device, what was measured, when."""
    names = SIZES if result.params.causal else SIZES[:-1]
    date = result.machine.date.partition("T")[0]
    return t(
        "{machine}: {sizes}",
        machine=machine_words(result.machine, t),
        sizes=t.listing([*size_words(result.params, names, t), date]),
    )


def sizes_of(result: MeasuredResult, point: Point) -> Sizes:
    """Return the sizes of a point."""
    params = result.params
    return Sizes(params.batch, params.heads, point.T, point.d_k, params.dtype)


def both(result: MeasuredResult) -> tuple[Point, Point] | None:
    """Return the formula and attend at the largest T at which both were measured."""
    found = {way: {point.T: point for point in result.of(way)} for way in WAYS}
    shared = set.intersection(*(set(points) for points in found.values()))
    if not shared:
        return None
    formula, attend = (found[way][max(shared)] for way in WAYS)
    return formula, attend


# ---- four numbers


def measures(result: MeasuredResult, t: Translator) -> list[_Measure]:
    """Return both exponents, and how both ways compare at the largest T, as cards."""
    return [
        _growth_measure(result, t, memory=False),
        _growth_measure(result, t, memory=True),
        _time_measure(both(result), t),
        _memory_measure(both(result), t),
    ]


def _growth_measure(result: MeasuredResult, t: Translator, *, memory: bool) -> _Measure:
    formula, attend = (
        growth_words(result.growth(way, "peak_bytes" if memory else "seconds"), t) for way in WAYS
    )
    title = t("Exponent of memory") if memory else t("Exponent of time")
    meaning = t(
        "p in T^p for the formula, below it for attend: fitted to the logarithms of the points "
        "from an eighth of the longest T on, at least three of them, with the standard error of "
        "the slope."
    )
    return title, formula, t("attend: {exponent}", exponent=attend), meaning


def _time_measure(pair: tuple[Point, Point] | None, t: Translator) -> _Measure:
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
    below = t("at T = {T}", T=f"{formula.T:,}")
    if not _are_apart(formula, attend):
        below = t("at T = {T}, within the scatter", T=f"{formula.T:,}")
    if _is_single(formula, attend):
        below = t("at T = {T}, of one run each", T=f"{formula.T:,}")
    return title, times_words(formula.seconds / attend.seconds, t), below, meaning


def _memory_measure(pair: tuple[Point, Point] | None, t: Translator) -> _Measure:
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
    return [*filter(None, [*said, *_doubts(result, t)])]


def _growth_said(result: MeasuredResult, t: Translator) -> str:
    found = {way: growth for way in WAYS if (growth := result.growth(way, "seconds")) is not None}
    if not found:
        return t("Three points of a way, from an eighth of the longest T on, tell how it grows.")
    scattered = [way for way, growth in found.items() if not growth.is_clear]
    told = [
        t("{way}: {exponent}", way=way_words(way, t), exponent=growth_words(growth, t))
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
                "A time that falls as T grows does not come of the arithmetic: something else "
                "slowed the short sequences."
            )
        )
    if any(growth.is_above(2) for growth in clear.values()):
        said.append(
            t(
                "An exponent above 2 can come of numbers that cost more in a long sequence, as "
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
            "An exponent below 2 can come of work that grows more slowly than T², such as the "
            "fixed cost of a call; attend also takes more threads for the longer sequences."
        )
    return t(
        "An exponent below 2 can come of work that grows more slowly than T², such as the fixed "
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
    if not _are_apart(formula, attend):
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


def _are_apart(one: Point, other: Point) -> bool:
    return told_apart(one, other) or told_apart(other, one)


def _is_single(*points: Point) -> bool:
    return any(len(point.all_seconds) < FEWEST for point in points)


def _doubts(result: MeasuredResult | HeadSizeResult, t: Translator) -> list[str]:
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
    if result.busy <= _BUSY * cores:
        return ""
    return t(
        "Other programs kept {busy} of {cores} busy meanwhile: times may be too long, even where "
        "the repeats agree.",
        busy=f"{result.busy:.1f}",
        cores=cores_words(cores, t),
    )


def refusals_said(result: MeasuredResult | HeadSizeResult, t: Translator) -> list[str]:
    """Return why points were refused: a sentence for each way and reason, with the other T."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in result.refused:
        assert point.refused is not None
        groups.setdefault((point.way, point.refused.kind), []).append(point)
    return [_refusal_said(points, t) for points in groups.values()]


def _refusal_said(points: list[Point], t: Translator) -> str:
    first, *more = points
    assert first.refused is not None
    said = t("Refused, {way}: {why}", way=way_words(first.way, t), why=t.error(first.refused))
    if not more:
        return said
    others = t.listing(dict.fromkeys(f"{point.T:,}" for point in more))
    if first.T == more[-1].T:  # one T, several head sizes
        others = t.listing(f"{point.d_k:,}" for point in more)
        return t.sentences(said, t("So were d_k = {others}.", others=others))
    return t.sentences(said, t("So were T = {others}.", others=others))


# ---- which kernel ran


def kernel_said(result: MeasuredResult, t: Translator) -> str:
    """Return what computed attend, and whether the measured peak agrees with it."""
    points = result.of("attend")
    if not points:
        return t("No point of attend is measured yet.")
    last = points[-1]
    if last.kernel == "blocked":
        return _stored_said(result, points, t)
    kernels = {point.kernel for point in points}
    if len(kernels) > 1:  # a prompt of a few tokens has a kernel of its own
        ruled = t.clauses(
            t("T = {T}: {kernel}", T=f"{point.T:,}", kernel=kernel_words(point.kernel, t))
            for point in points
        )
        return t.sentences(t("{kernels}.", kernels=ruled), _agreement(result, last, t))
    return t.sentences(_ruled(result, last, t), _agreement(result, last, t))


def _stored_said(result: MeasuredResult, points: tuple[Point, ...], t: Translator) -> str:
    """Say at which lengths the blocks of NumPy hold all scores, a head's matrix, or parts."""
    found: dict[Stored, list[str]] = {}
    for point in points:
        kind = needs.stored(sizes_of(result, point), result.machine.cores)
        found.setdefault(kind, []).append(f"{point.T:,}")
    said = t("NumPy computes attend in blocks at every head size.")
    return t.sentences(said, *(t(_STORED[kind], T=t.listing(Ts)) for kind, Ts in found.items()))


_STORED: dict[Stored, str] = {
    "all": mark("At T = {T} its blocks can hold all scores at once."),
    "head": mark("At T = {T} a block holds whole matrices of scores, of some of the heads."),
    "part": mark("At T = {T} no block holds a whole matrix of scores."),
}


def _ruled(result: MeasuredResult, point: Point, t: Translator) -> str:
    values = {"d_k": point.d_k, "machine": machine_words(result.machine, t)}
    if point.kernel == "fused":
        return t(
            "By the rule in MLX's source d_k = {d_k} takes the fused kernel ({machine}).", **values
        )
    if result.machine.kind == "cpu":
        return t(
            "On a processor MLX has no fused kernel at any head size; it forms the scores of a "
            "block of queries ({machine}).",
            **values,
        )
    return t(
        "By the rule in MLX's source there is no fused kernel for d_k = {d_k}; MLX forms the "
        "scores of a block of queries ({machine}).",
        **values,
    )


def _agreement(result: MeasuredResult, point: Point, t: Translator) -> str:
    """Say whether the peak shows the matrix that the kernel forms, or does not form."""
    sizes = sizes_of(result, point)
    formed = gap.formed(point, sizes)
    values = {"T": f"{point.T:,}", "peak": bytes_words(point.peak_bytes, t)}
    if formed is None:
        return t(
            "The peak cannot tell at T = {T}: beside the output the scores are too few.", **values
        )
    if formed == (point.kernel == "fallback"):
        return t("The measured peak agrees: {peak} at T = {T}.", **values)
    return t("The measured peak does not agree: {peak} at T = {T}.", **values)


# ---- why measured and predicted differ


def gap_said(result: MeasuredResult, t: Translator) -> str:
    """Return why the measured peaks are not the predicted ones, at the longest T of each way."""
    said = [_formula_gap(result, t), _attend_gap(result, t)]
    return t.sentences(*said) or t("No point is measured yet.")


def _formula_gap(result: MeasuredResult, t: Translator) -> str:
    points = result.of("materialised")
    if not points:
        return ""
    sizes = sizes_of(result, points[-1])
    held = t(
        "At T = {T} the formula holds {held} matrices of T × T for all heads; the prediction "
        "counts {counted}, scores and weights, and the output.",
        T=f"{points[-1].T:,}",
        held=f"{gap.matrices(points[-1], sizes):.2f}",
        counted=gap.COUNTED,
    )
    return t.sentences(held, _mechanism(result, points[-1], sizes, t))


def _mechanism(result: MeasuredResult, point: Point, sizes: Sizes, t: Translator) -> str:
    if result.backend_name == "mlx":
        return t(
            "MLX itself decides which steps share memory, and when a step's memory is free again."
        )
    if gap.is_softmax(point, sizes):
        held = t(
            "In softmax there are {held} for a moment: the scores, their exponentials, and the "
            "weights made of these; only then is the first of them given back.",
            held=HELD,
        )
    elif gap.is_end(point, sizes):
        held = t(
            "It holds most at the end: scores, weights, and the output, which is larger than a "
            "matrix here."
        )
    else:
        return ""
    rest = gap.rest(point, sizes)
    if not gap.is_worth_a_word(rest, sizes):
        return held
    small = t("Small arrays and NumPy's own come to {rest}.", rest=bytes_words(rest, t))
    return t.sentences(held, small)


def _attend_gap(result: MeasuredResult, t: Translator) -> str:
    points = result.of("attend")
    if not points:
        return ""
    point = points[-1]
    values = {
        "T": f"{point.T:,}",
        "peak": bytes_words(point.peak_bytes, t),
        "predicted": bytes_words(point.predicted_bytes, t),
    }
    if abs(point.ratio - 1) <= _AGREES:
        agreed = t(
            "attend holds {peak} at T = {T}, as predicted to a tenth ({predicted}).", **values
        )
        return t.sentences(agreed, _counted(result, point, t))
    said = t("attend holds {peak} at T = {T}, where {predicted} are predicted.", **values)
    return t.sentences(said, _counted(result, point, t), _shared(result, point, t))


def _counted(result: MeasuredResult, point: Point, t: Translator) -> str:
    """Say what the prediction of attend counts."""
    if point.kernel == "blocked":
        return _counted_blocks(result, point, t)
    if point.kernel == "fused":
        return t("Counted is the output alone; a tile of scores stays on the chip.")
    return t("Counted are scores and weights of one block of queries, and the output.")


def _counted_blocks(result: MeasuredResult, point: Point, t: Translator) -> str:
    said = [t("Counted are the output and, for each thread, a block of queries, scores and sums.")]
    if result.params.dtype == "float16":
        said = [
            t(
                "Counted are the output, copies of K and V in float32, since it computes in that, "
                "and, for each thread, a block of queries, scores and sums."
            )
        ]
    if result.params.causal:
        most = needs.mask_bytes(sizes_of(result, point))
        said.append(
            t(
                "The causal mask of a block, up to {bytes} for each thread, is not counted.",
                bytes=bytes_words(most, t),
            )
        )
    return t.sentences(*said)


def _shared(result: MeasuredResult, point: Point, t: Translator) -> str:
    if point.kernel != "fallback":
        return ""
    held = gap.matrices(point, sizes_of(result, point))
    if abs(held - 1) <= gap.NEAR:
        return t(
            "MLX holds {held} such matrices: the weights take the place of the scores.",
            held=f"{held:.2f}",
        )
    return t("MLX holds {held} such matrices.", held=f"{held:.2f}")


# ---- head sizes


def head_measures(result: HeadSizeResult, t: Translator) -> list[_Measure]:
    """Return the cheapest and the dearest head size, and what the dearest costs more.

    None of them where their repeats do not tell them apart.
    """
    title = (t("Cheapest d_k"), t("Dearest d_k"), t("Dearest / cheapest"))
    meaning = t("Median time for each pair of a query and a key, and each component of d_k.")
    if not result.measured:
        return [(name, NOTHING, "", meaning) for name in title]
    order = sorted(result.measured, key=result.nanoseconds)
    ends = (order[0], order[-1])
    if not _told_apart(result, *ends):
        why = t("not told apart by their repeats") if len(order) > 1 else ""
        return [(name, NOTHING, why, meaning) for name in title]
    cards = [
        (name, f"{point.d_k:,}", _per_pair(result, point, t), meaning)
        for name, point in zip(title, ends, strict=False)
    ]
    ratio = result.nanoseconds(ends[1]) / result.nanoseconds(ends[0])
    return [*cards, (title[2], times_words(ratio, t), "", meaning)]


def _told_apart(result: HeadSizeResult, cheap: Point, dear: Point) -> bool:
    """Say whether two head sizes cost more than by chance, each component taken for itself."""
    return told_apart(_for_each(result, cheap), _for_each(result, dear))


def _for_each(result: HeadSizeResult, point: Point) -> Point:
    """Return a point whose times are those of a pair and component, in nanoseconds."""
    share = result.nanoseconds(point) / point.seconds
    return replace(point, all_seconds=tuple(share * each for each in point.all_seconds))


def _per_pair(result: HeadSizeResult, point: Point, t: Translator) -> str:
    each = seconds_words(1e-9 * result.nanoseconds(point), t)
    return t("{each} · {kernel}", each=each, kernel=kernel_words(point.kernel, t))


def head_notices(result: HeadSizeResult, t: Translator) -> list[str]:
    """Return what to notice: which kernel ran where, and what the fallback costs more."""
    said = [_kernels_said(result, t), *_kernels_compared(result, t), *_doubts(result, t)]
    return [*filter(None, said), *refusals_said(result, t)]


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
    if not (_told_apart(result, one, other) or _told_apart(result, other, one)):
        return [peaks]
    times = t(
        "There each pair and component takes {slow} and {fast}.",
        slow=seconds_words(1e-9 * result.nanoseconds(other), t),
        fast=seconds_words(1e-9 * result.nanoseconds(one), t),
    )
    return [t.sentences(peaks, times)]
