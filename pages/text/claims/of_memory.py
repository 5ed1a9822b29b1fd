"""The words of claims 11 and 22: what T tokens cost, and what computing in chunks saves."""

from __future__ import annotations

from itertools import product
from typing import cast

from engine.experiments.claims.deciding import case_of
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_memory import AWAITED, COUNTED, HALFWAY, NEAR, SQUARE
from engine.experiments.memory.chunked import SAME
from engine.experiments.memory.growth import CLEAR, Growth
from engine.experiments.memory.needs import Kernel
from engine.experiments.memory.series import DISTURBED
from pages.figures.numerals import number
from pages.text import Translator, mark
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import real, text, whole, wholes
from pages.text.memory_measured_words import cores_words, growth_words, kernel_words, share_words
from pages.text.memory_words import NOTHING, bytes_words

# Growth ---------------------------------------------------------------------------------------

_COUNTED = mark(
    "{thousand}² = {million} and {ten_thousand}² = {hundred_million} scores, for each head."
)
_NOT_MEASURED = mark(
    "The usual measurement, which shows how time and memory grow, has not run yet."
)
OF_TIME = {
    "square": mark("Measured here, the time of the formula grows like T to the power {time}."),
    "unsure": mark(
        "Measured here, the time of the formula grows like T to the power {time}, which leaves it "
        "open whether that is 2."
    ),
    "open": mark("The times measured here scatter too widely to tell a power of T."),
    "other": mark(
        "Measured here, the time of the formula grows like T to the power {time}, which is not 2 "
        "at these lengths."
    ),
    "few": mark("Too few times could be measured here to tell a power of T."),
    "disturbed": mark(
        "Other programs kept {busy} of {cores} busy meanwhile, so that the times measured here "
        "tell no power of T."
    ),
}
OF_PEAK = {
    "square": mark("Its peak memory grows like T to the power {peak}."),
    "unsure": mark(
        "Its peak memory grows like T to the power {peak}, which leaves it open whether that is 2."
    ),
    "open": mark("The peaks measured here tell no power of T."),
    "other": mark(
        "Its peak memory grows like T to the power {peak}, which is not 2 at these lengths."
    ),
    "few": mark("Too few peaks could be measured here to tell a power of T."),
}


def _growth(finding: Finding, t: Translator) -> dict[str, object]:
    thousand, ten_thousand = wholes(finding, "Ts")
    million, hundred_million = wholes(finding, "scores")
    disturbed = "busy" in finding.values
    return {
        "thousand": f"{thousand:,}",
        "million": f"{million:,}",
        "ten_thousand": f"{ten_thousand:,}",
        "hundred_million": f"{hundred_million:,}",
        "time": NOTHING if disturbed else _exponent(finding, "time"),
        "peak": _exponent(finding, "peak"),
        "busy": f"{real(finding, 'busy'):.1f}" if disturbed else NOTHING,
        "cores": cores_words(whole(finding, "cores"), t) if disturbed else NOTHING,
    }


def _exponent(finding: Finding, name: str) -> str:
    """Return an exponent with its error; a dash where there is none, or it is not clear."""
    if name not in finding.values:
        return growth_words(None)
    points, shortest = (whole(finding, f"{name}_{each}") for each in ("points", "shortest"))
    exponent, error = real(finding, name), real(finding, f"{name}_error")
    return growth_words(Growth(exponent, error, points, shortest, factor=1.0))


def _growth_measured(finding: Finding, t: Translator) -> str:
    values = _growth(finding, t)
    if values["time"] == values["peak"] == NOTHING:
        return t("{million} and {hundred_million} scores", **values)
    return t("exponent of time {time}, of peak memory {peak}", **values)


GROWTH = ClaimWords(
    11,
    mark(
        "“A thousand tokens have a million scores, ten thousand a hundred million; the cost is "
        "O(T²).”"
    ),
    mark("A thousand tokens, a million scores: the cost is O(T²)"),
    {COUNTED: (_COUNTED, _NOT_MEASURED)}
    | {
        case_of(f"time:{time}", f"peak:{peak}"): (_COUNTED, OF_TIME[time], OF_PEAK[peak])
        for time, peak in product(OF_TIME, OF_PEAK)
    },
    _growth,
    mark(
        "Confirmed where the counts are as claimed, the measured exponent of peak memory is within "
        "{near} of {square} and surely less than {halfway} from it, and that of the time is not "
        "surely more than {near} from it; qualified where one of them is; wrong where the counts "
        "are others; else not decided. An exponent whose standard error is above {clear} says "
        "nothing, nor do times that were measured while other programs kept more than {disturbed} "
        "of the cores busy."
    ),
    {
        "near": NEAR,
        "halfway": HALFWAY,
        "square": number(SQUARE, 0),
        "clear": CLEAR,
        "disturbed": f"{DISTURBED:.0%}",
    },
    _growth_measured,
)

# Chunks ---------------------------------------------------------------------------------------


def _chunks(finding: Finding, t: Translator) -> dict[str, object]:
    if finding.case == AWAITED:
        return {}
    return {
        "T": f"{whole(finding, 'T'):,}",
        "heads": whole(finding, "heads"),
        "difference": share_words(real(finding, "share")),
        "kernel": kernel_words(cast(Kernel, text(finding, "kernel")), t),
        "materialised": bytes_words(whole(finding, "materialised"), t),
        "blocked": bytes_words(whole(finding, "blocked"), t),
    }


def _chunks_measured(finding: Finding, t: Translator) -> str:
    if finding.case == AWAITED:
        return ""
    return t("peak memory {materialised} whole, {blocked} in chunks", **_chunks(finding, t))


CHUNKS = ClaimWords(
    22,
    mark("“Computed in chunks, attention gives the same result with less memory.”"),
    mark("In chunks: the same result with less memory"),
    {
        AWAITED: (
            mark("It is measured here once no other measurement has its turn and memory is free."),
        ),
        "same": (
            mark(
                "At T = {T} and H = {heads} both results agree to {difference} of the largest "
                "number, which is rounding; the formula holds {materialised} at its peak, attend "
                "({kernel}) {blocked}."
            ),
        ),
        "apart": (
            mark(
                "At T = {T} and H = {heads} both results differ by {difference} of the largest "
                "number, more than rounding; the formula holds {materialised} at its peak, attend "
                "({kernel}) {blocked}."
            ),
        ),
    },
    _chunks,
    mark(
        "Confirmed where the results differ by no more than {same} of the largest number and "
        "attend holds less at its peak; qualified where it holds no less; wrong where the results "
        "differ by more; not decided until it can be measured."
    ),
    {"same": share_words(SAME)},
    _chunks_measured,
)

WORDS = (GROWTH, CHUNKS)
