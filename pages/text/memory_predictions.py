"""Sentences on what is predicted: each is true of every result that it is written for."""

from __future__ import annotations

from engine.experiments.memory.predicted import MOST_T, Params, Result
from engine.experiments.memory.tensors import needed
from pages.text.marking import mark
from pages.text.memory_words import budget_words, bytes_words, tokens_words
from pages.text.translator import Translator

SQUARE = ("scores", "weights", "d_scores", "d_weights")  # of T x T in the materialised method
_DIGITS = 3


def cache_bytes(result: Result) -> int:
    """Return the bytes of K and V of every layer together, where all keys are kept."""
    return sum(part.bytes for part in result.stacks["fused"] if part.name in ("k", "v"))


def largest_T(result: Result, method: str) -> int:  # noqa: N802 - T is the number of tokens
    """Return the largest T that fits the chosen budget."""
    return next(fit.T for fit in result.at_budget if fit.method == method)


def times(value: float) -> str:
    """Return a factor with three digits."""
    return f"{value:,.0f}" if value >= 10**_DIGITS else f"{value:.{_DIGITS}g}"


def byte_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice of the bytes at the chosen T."""
    said = (_doubling(result.params, t), _square_share(result, t), _trap(result, t))
    return [*filter(None, said), *_lone(result, t)]


def _doubling(params: Params, t: Translator) -> str:
    """Return how much more twice the tokens need."""
    if 2 * params.T > MOST_T:
        return ""
    grown = {
        method: needed(params, method, T=2 * params.T) / needed(params, method)
        for method in ("materialised", "fused")
    }
    return t(
        "Twice as many tokens need {materialised} times the memory where the T × T matrices are "
        "stored, and {fused} times where they are not.",
        materialised=times(grown["materialised"]),
        fused=times(grown["fused"]),
    )


def _square_share(result: Result, t: Translator) -> str:
    """Return what share of the materialised bytes the matrices of T x T have."""
    stack = result.stacks["materialised"]
    whole = sum(part.bytes for part in stack)
    square = sum(part.bytes for part in stack if part.name in SQUARE)
    return t(
        "At T = {T} those matrices are {percent} % of the materialised bytes: {square} of {whole}.",
        T=f"{result.params.T:,}",
        percent=_percent(square, whole),
        square=bytes_words(square, t),
        whole=bytes_words(whole, t),
    )


def _percent(part: int, whole: int) -> str:
    """Return a share in percent; what is not the whole does not read 100."""
    for decimals in range(6):
        said = f"{100 * part / whole:.{decimals}f}"
        if 0 < float(said) < 100 or part in (0, whole):
            return said
    return "< 0.00001" if 2 * part < whole else "> 99.99999"


def _trap(result: Result, t: Translator) -> str:
    """Return what one matrix is, and what all heads and layers make of it."""
    matrix, *others = result.steps
    if matrix.bytes == others[-1].bytes:
        return ""
    words = {
        "matrix": bytes_words(matrix.bytes, t),
        "factors": " × ".join(t(_FACTORS[step.name], count=f"{step.factor:,}") for step in others),
        "all": bytes_words(others[-1].bytes, t),
    }
    if result.params.mode == "training":
        return t("One T × T matrix is only {matrix}; but training keeps {factors}: {all}.", **words)
    return t(
        "One T × T matrix is only {matrix}; inference holds those of one layer at a time, but "
        "training would keep {factors}: {all}.",
        **words,
    )


_FACTORS = {
    "heads": mark("{count} heads"),
    "batch": mark("{count} sequences"),
    "layers": mark("{count} layers"),
}


def _lone(result: Result, t: Translator) -> list[str]:
    """Return that a window as long as the sequence saves nothing, where it is."""
    params = result.params
    if params.window < params.T:
        return []
    return [
        t(
            "The window of {window} tokens is not shorter than the sequence, so it hides no pair "
            "here.",
            window=f"{params.window:,}",
        )
    ]


def largest_words(result: Result, method: str, t: Translator) -> tuple[str, str]:
    """Return the largest T of a method that fits the chosen budget, and the budget."""
    return tokens_words(largest_T(result, method)), t(
        "in {budget}", budget=budget_words(result.chosen, t)
    )


def fit_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice of what fits, and of more devices."""
    return list(filter(None, [_at_budget(result, t), _further(result, t), _devices(result, t)]))


def _at_budget(result: Result, t: Translator) -> str:
    """Return how far the chosen budget carries both."""
    materialised, fused = (largest_T(result, method) for method in ("materialised", "fused"))
    budget = budget_words(result.chosen, t)
    if fused == 0:
        return t("In {budget} not even one token fits.", budget=budget)
    if materialised == 0 or fused >= MOST_T:
        return ""
    return t(
        "In {budget} the fused attention carries {fused} tokens and the materialised one "
        "{materialised}: {ratio} times as many.",
        budget=budget,
        fused=f"{fused:,}",
        materialised=f"{materialised:,}",
        ratio=times(fused / materialised),
    )


def _carried(result: Result, method: str, devices: int) -> int:
    return next(
        each.T for each in result.carried if (each.method, each.devices) == (method, devices)
    )


def _further(result: Result, t: Translator) -> str:
    """Return how much further a hundredfold of devices carries both."""
    most = max(each.devices for each in result.carried)
    ratios = []
    for method in ("materialised", "fused"):
        first, last = (_carried(result, method, devices) for devices in (1, most))
        if not 0 < first <= last < MOST_T:
            return ""
        ratios.append(times(last / first))
    return t(
        "{most} devices carry {materialised} times the tokens of one where the T × T matrices are "
        "stored, since each holds T²/N of them, and {fused} times where they are not.",
        most=f"{most:,}",
        materialised=ratios[0],
        fused=ratios[1],
    )


def _devices(result: Result, t: Translator) -> str:
    """Return that the table counts several devices, where it does."""
    if result.params.devices == 1:
        return ""
    return t(
        "The table counts {devices} devices together; each of them has the memory of its row.",
        devices=f"{result.params.devices:,}",
    )


def work_share(result: Result) -> tuple[int, int]:
    """Return the operations on pairs of tokens at the chosen T, and all of them."""
    found = result.operations
    place = found.Ts.index(result.params.T)
    pairs = found.scores[place] + found.weighted_sum[place]
    return pairs, pairs + found.projections[place] + found.feed_forward[place]


def work_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice of the operations."""
    found, (pairs, whole) = result.operations, work_share(result)
    notices = [
        t(
            "At T = {T}, {percent} % of the operations are on pairs of tokens: the scores and the "
            "weighted sum.",
            T=f"{result.params.T:,}",
            percent=_percent(pairs, whole),
        ),
        t(
            "From T = {first} on they are more than the projections to Q, K, V and back.",
            first=f"{found.overtakes_projections:,}",
        ),
    ]
    if result.params.d_ff:
        notices.append(
            t(
                "From T = {first} on they are more than projections and feed-forward layers "
                "together; below it, the cost that grows with T² is the smaller part.",
                first=f"{found.overtakes_layer:,}",
            )
        )
    return notices


def operations_words(count: float) -> str:
    """Return a number of operations in powers of a thousand: ``1.23 PFLOP``."""
    units = ("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q")
    place = 0
    while place + 1 < len(units) and float(f"{count / 1000**place:.3g}") >= 1000:
        place += 1
    return f"{count / 1000**place:.3g} {units[place]}FLOP"
