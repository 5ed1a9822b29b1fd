"""Which kernel a measured peak shows, and why it is not the predicted one."""

from __future__ import annotations

from engine.experiments.memory import gap, needs
from engine.experiments.memory.head_sizes import HeadSizeResult
from engine.experiments.memory.measured import MeasuredResult
from engine.experiments.memory.needs import HELD, Sizes, Stored
from engine.experiments.memory.point import Point
from pages.text.marking import mark
from pages.text.memory_measured_words import kernel_words, machine_words, sizes_of
from pages.text.memory_words import bytes_words
from pages.text.translator import Translator

_AGREES = 0.1  # of the prediction: a peak as near as that agrees with it

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
    return _counted_fallback(t)


def _counted_fallback(t: Translator) -> str:
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


def _shared(result: MeasuredResult | HeadSizeResult, point: Point, t: Translator) -> str:
    if point.kernel != "fallback":
        return ""
    held = gap.matrices(point, sizes_of(result, point))
    if abs(held - 1) <= gap.NEAR:
        return t(
            "MLX holds {held} such matrices: the weights take the place of the scores.",
            held=f"{held:.2f}",
        )
    return t("MLX holds {held} such matrices.", held=f"{held:.2f}")


def fallback_gap(result: HeadSizeResult, t: Translator) -> str:
    """Return why a measured peak of the fallback is not the predicted one, where it is farthest.

    Nothing where all are as predicted.
    """
    points = result.by("fallback")
    farthest = max(points, key=lambda point: abs(point.ratio - 1), default=None)
    if farthest is None or abs(farthest.ratio - 1) <= _AGREES:
        return ""
    said = t(
        "At d_k = {d_k} the fallback holds {peak}, where {predicted} are predicted.",
        d_k=farthest.d_k,
        peak=bytes_words(farthest.peak_bytes, t),
        predicted=bytes_words(farthest.predicted_bytes, t),
    )
    return t.sentences(said, _counted_fallback(t), _shared(result, farthest, t))
