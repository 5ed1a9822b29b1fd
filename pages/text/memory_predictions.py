"""Sentences on what is predicted: each is true of every result that it is written for."""

from __future__ import annotations

from engine.experiments.memory import fitting
from engine.experiments.memory.ladder import Step
from engine.experiments.memory.predicted import LANDMARKS, MOST_T, Params, Result
from engine.experiments.memory.tensors import needed
from pages.text.digits import digits
from pages.text.marking import mark
from pages.text.memory_words import (
    NOTHING,
    bytes_words,
    dense_words,
    parameters_words,
    place_words,
    tokens_words,
)
from pages.text.translator import Translator

_EIGHT = 8  # devices, as one server has them
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SQUARE = ("scores", "weights", "d_scores", "d_weights")  # of T x T in the materialised method


def cache_bytes(result: Result) -> int:
    """Return the bytes of K and V of every layer together, where all keys are kept."""
    return sum(part.bytes for part in result.stacks["fused"] if part.name in ("k", "v"))


def largest_T(result: Result, method: str) -> int:  # noqa: N802 - T is the number of tokens
    """Return the largest T that fits the chosen budget."""
    return next(fit.T for fit in result.at_budget if fit.method == method)


def byte_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice of the bytes at the chosen T."""
    params = result.params
    said = (
        _landmarks(params, t),
        _doubling(params, t),
        _square_share(result, t),
        _trap(result, t),
        dense_words(params.shape, t),
        _lone(params, t),
        parameters_words(params, t),
    )
    return list(filter(None, said))


def _landmarks(params: Params, t: Translator) -> str:
    """Return how many scores a head has at 1,000 and 10,000 tokens, and the bytes of both."""
    first, last = LANDMARKS
    words = {
        "first": f"{first:,}",
        "last": f"{last:,}",
        "few": f"{first**2:,}",
        "many": f"{last**2:,}",
        "little": bytes_words(needed(params, "materialised", T=first), t),
        "much": bytes_words(needed(params, "materialised", T=last), t),
    }
    if params.devices > 1:
        return t(_LANDMARKS_OF_DEVICES, count=f"{params.devices:,}", **words)
    return t(_LANDMARKS, **words)


_LANDMARKS = mark(
    "At {first} tokens one head has {few} scores, at {last} tokens {many}: a hundred times as "
    "many. The materialised method needs {little} at the first length and {much} at the second."
)
_LANDMARKS_OF_DEVICES = mark(
    "At {first} tokens one head has {few} scores, at {last} tokens {many}: a hundred times as "
    "many. The materialised method needs {little} at the first length and {much} at the second, "
    "on each of {count} devices."
)


def _doubling(params: Params, t: Translator) -> str:
    """Return how much more twice the tokens need."""
    if 2 * params.T > MOST_T:
        return ""
    grown = {
        method: digits(needed(params, method, T=2 * params.T) / needed(params, method))
        for method in ("materialised", "fused")
    }
    return t(
        "Twice as many tokens need {materialised} the memory where the T × T matrices are "
        "stored, and {fused} where they are not.",
        materialised=times_words(grown["materialised"], t),
        fused=times_words(grown["fused"], t),
    )


def _square_share(result: Result, t: Translator) -> str:
    """Return what share of the materialised bytes the matrices of T x T have."""
    stack = result.stacks["materialised"]
    whole = sum(part.bytes for part in stack)
    square = sum(part.bytes for part in stack if part.name in SQUARE)
    words = {
        "T": f"{result.params.T:,}",
        "percent": _percent(square, whole),
        "square": bytes_words(square, t),
        "whole": bytes_words(whole, t),
    }
    if result.params.devices > 1:
        return t(
            "At T = {T} the T × T matrices are {percent} % of the materialised bytes: {square} of "
            "{whole} on each of {count} devices.",
            count=f"{result.params.devices:,}",
            **words,
        )
    return t(
        "At T = {T} the T × T matrices are {percent} % of the materialised bytes: {square} of "
        "{whole}.",
        **words,
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
        "factors": " × ".join(_factor(step, t) for step in others if step.factor > 1),
        "all": _altogether(result, others[-1].bytes, t),
    }
    if result.params.layers == 1:
        return t("One T × T matrix is only {matrix}; those of {factors} are {all}.", **words)
    if result.params.mode == "training":
        return t(
            "One T × T matrix is only {matrix}; but training keeps those of {factors}: {all}.",
            **words,
        )
    return t(
        "One T × T matrix is only {matrix}; inference holds those of one layer at a time, but "
        "training would keep those of {factors}: {all}.",
        **words,
    )


def _factor(step: Step, t: Translator) -> str:
    """Return a factor above 1 with its name."""
    return t(_FACTORS[step.name], count=f"{step.factor:,}")


def _altogether(result: Result, amount: int, t: Translator) -> str:
    """Return the bytes of all devices."""
    said, devices = bytes_words(amount, t), result.params.devices
    if devices == 1:
        return said
    return t("{amount} on {count} devices together", amount=said, count=f"{devices:,}")


_FACTORS = {
    "heads": mark("{count} heads"),
    "batch": mark("{count} sequences"),
    "layers": mark("{count} layers"),
}


def _lone(params: Params, t: Translator) -> str:
    """Return that a window as long as the sequence saves nothing, where it is."""
    if params.window < params.T:
        return ""
    return t(
        "The window, W = {window}, is not shorter than the sequence, so it hides no pair here.",
        window=f"{params.window:,}",
    )


def times_words(factor: str, t: Translator) -> str:
    """Return a factor that is written in digits, in words: two times is ``twice``."""
    return t("twice") if factor == "2" else t("{factor} times", factor=factor)


def largest_words(result: Result, method: str, t: Translator) -> tuple[str, str]:
    """Return the largest T of a method that fits the chosen budget, and in what it fits."""
    place = place_words(result.chosen, result.params.devices, t)
    return tokens_words(largest_T(result, method)), place


def largest_help(place: str, t: Translator) -> str:
    """Return what the largest T is."""
    return t("The largest T that fits {place}, to the token.", place=place)


def fit_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice of what fits, and of more devices."""
    return list(filter(None, [_at_budget(result, t), _further(result, t), _devices(result, t)]))


def _at_budget(result: Result, t: Translator) -> str:
    """Return how many tokens of both fit the chosen budget."""
    materialised, fused = (largest_T(result, method) for method in ("materialised", "fused"))
    place = place_words(result.chosen, result.params.devices, t)
    if fused == 0:
        return t("Not even one token fits {place}.", place=place)
    if materialised == 0 or fused >= MOST_T:
        return ""
    return t(
        "The largest T {place} is {fused} with fused attention and {materialised} with the "
        "materialised one: a ratio of {ratio}.",
        place=place,
        fused=f"{fused:,}",
        materialised=f"{materialised:,}",
        ratio=digits(fused / materialised),
    )


def _carried(result: Result, method: str, devices: int) -> int:
    return next(
        each.T for each in result.carried if (each.method, each.devices) == (method, devices)
    )


def _further(result: Result, t: Translator) -> str:
    """Return how many more tokens of both fit a thousandfold of devices."""
    most = max(each.devices for each in result.carried)
    ratios = []
    for method in ("materialised", "fused"):
        first, last = (_carried(result, method, devices) for devices in (1, most))
        if not 0 < first <= last < MOST_T:
            return ""
        ratios.append(digits(last / first))
    return t(
        "{most} devices hold {materialised} the tokens of one where the T × T matrices are "
        "stored, since each device holds T²/N scores a head, and {fused} where they are not.",
        most=f"{most:,}",
        materialised=times_words(ratios[0], t),
        fused=times_words(ratios[1], t),
    )


def ratio_words(result: Result) -> str:
    """Return how many times the tokens of the materialised method fused attention holds."""
    return _quotient(largest_T(result, "fused"), largest_T(result, "materialised"))


def doubled(result: Result, method: str) -> tuple[str, str]:
    """Return the gain in tokens from twice the budget, as a factor, and the tokens themselves."""
    params = result.params
    most = fitting.largest_T(params, method, 2 * result.chosen.bytes, params.devices)
    return _quotient(most, largest_T(result, method)), tokens_words(most)


def spread(result: Result, method: str) -> tuple[int, str, str]:
    """Return a number of devices, their gain in tokens over one device, and their tokens.

    It is the chosen number; one device is compared to eight.
    """
    params, amount = result.params, result.chosen.bytes
    devices = _EIGHT if params.devices == 1 else params.devices
    one, most = (fitting.largest_T(params, method, amount, N) for N in (1, devices))
    return devices, _quotient(most, one), tokens_words(most)


def _quotient(more: int, less: int) -> str:
    """Return a factor; a dash where one number is none, or where the search ended."""
    return f"× {digits(more / less)}" if less and more < MOST_T else NOTHING


def _devices(result: Result, t: Translator) -> str:
    """Return that the table counts several devices, where it does."""
    if result.params.devices == 1:
        return ""
    return t(
        "The table counts {devices} devices together; each of them has the memory of its row.",
        devices=f"{result.params.devices:,}",
    )


def projections_at(result: Result) -> int:
    """Return the operations of the projections at the chosen T."""
    found = result.operations
    return found.projections[found.Ts.index(result.params.T)]


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
                "together; for shorter sequences, the part that grows with T² is at most half of "
                "all operations.",
                first=f"{found.overtakes_layer:,}",
            )
        )
    return notices


def operations_words(count: float) -> str:
    """Return a number of operations: ``1.23 PFLOP``, beyond EFLOP in powers of ten."""
    units = ("", "k", "M", "G", "T", "P", "E")
    place = 0
    while place < len(units) and float(f"{count / 1000**place:.3g}") >= 1000:
        place += 1
    if place < len(units):
        return f"{digits(count / 1000**place)} {units[place]}FLOP"
    factor, _, exponent = f"{count:.2e}".partition("e+")
    return f"{digits(float(factor))} × 10{exponent.translate(_RAISED)} FLOP"
