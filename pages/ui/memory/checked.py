"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab."""

from __future__ import annotations

from functools import lru_cache

from engine.experiments.memory.chunked import Chunked, compare
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from engine.experiments.memory.predicted import LANDMARKS
from pages.gallery.memory_measured import MEASURED
from pages.text import Translator, mark
from pages.text.memory_readings import growth_words
from pages.text.memory_words import bytes_words
from pages.ui import settings
from pages.ui.checked import Checked, Judgement, Place
from pages.ui.maths import typeset
from pages.ui.memory import state

NEAR = 0.3  # from 2: what a fixed cost, caches and other programs may do to a measured exponent
ROUNDING = 1e-4  # of the largest number of the output: float32 has seven digits, and T are summed
PLACE = Place(
    state.TABS,
    state.key,
    mark("The numbers are those of the usual values; a button shows them where they stand."),
    state.show_usual,
    typeset,
)


def draw(tab: str, t: Translator) -> None:
    """Draw the claims; what those of other tabs need is computed once they are unfolded."""
    PLACE.draw(CLAIMS, tab, t)


def usual(backend: str) -> MeasuredResult | None:
    """Return the usual measurement where this process has done it."""
    return MEASURED.peek(MeasuredParams(), backend)


def of_growth(backend: str) -> dict[str, object]:
    """Return the counts of scores, and the measured growth where there is one."""
    thousand, ten_thousand = LANDMARKS
    values: dict[str, object] = {
        "thousand": f"{thousand:,}",
        "million": f"{thousand**2:,}",
        "ten_thousand": f"{ten_thousand:,}",
        "hundred_million": f"{ten_thousand**2:,}",
    }
    result = usual(backend)
    if result is None:
        return values
    t = settings.translate()
    growth = {
        quantity: growth_words(result.growth("materialised", quantity), t)
        for quantity in ("seconds", "peak_bytes")
    }
    return values | {"time": growth["seconds"], "peak": growth["peak_bytes"]}


def judge_growth(backend: str) -> Judgement:
    """Return the verdict on O(T²): by counting, and by the measured exponents where there are."""
    result = usual(backend)
    if result is None:
        return "confirmed", (_COUNTED, _NOT_MEASURED)
    fitted = [result.growth("materialised", each) for each in ("seconds", "peak_bytes")]
    if any(each is None for each in fitted):
        return "confirmed", (_COUNTED, _NOT_MEASURED)
    near = all(each is not None and abs(each.exponent - 2) < NEAR for each in fitted)
    return ("confirmed", (_COUNTED, _GROWS)) if near else ("qualified", (_COUNTED, _STRAYS))


@lru_cache(maxsize=4)
def compared(backend: str) -> Chunked:
    """Return both results side by side, computed once a process."""
    return compare(backend)


def of_chunks(backend: str) -> dict[str, object]:
    """Return how far the blocked result is from the materialised, and both peaks."""
    found, t = compared(backend), settings.translate()
    return {
        "T": f"{found.T:,}",
        "difference": f"{found.difference:.1e}",
        "materialised": bytes_words(found.materialised_peak, t),
        "blocked": bytes_words(found.blocked_peak, t),
    }


def judge_chunks(backend: str) -> Judgement:
    """Return the verdict on computing in chunks."""
    found = compared(backend)
    same = found.difference <= ROUNDING * found.largest
    less = found.blocked_peak < found.materialised_peak
    if same and less:
        return "confirmed", (_SAME,)
    return ("wrong" if not same else "qualified"), (_APART,)


_COUNTED = mark(
    "{thousand}² = {million} and {ten_thousand}² = {hundred_million} scores, for each head."
)
_NOT_MEASURED = mark(
    "The usual measurement, which shows how time and memory grow, has not run yet."
)
_GROWS = mark("Measured here, the time of the formula grows like T to the power {time}, its peak "
              "like T to the power {peak}.")  # fmt: skip
_STRAYS = mark(
    "Measured here, the time of the formula grows like T to the power {time} and its peak like T "
    "to the power {peak}, which is not 2 at these lengths: fixed costs and caches count too."
)
_SAME = mark(
    "At T = {T} both results differ by {difference} at most, which is rounding; the formula holds "
    "{materialised} at its peak, the computation in blocks {blocked}."
)
_APART = mark(
    "At T = {T} both results differ by {difference} at most; the formula holds {materialised} at "
    "its peak, attend {blocked}."
)
CLAIMS = (
    Checked(
        11,
        mark(
            "“A thousand tokens have a million scores, ten thousand a hundred million; the cost "
            "is O(T²).”"
        ),
        (),
        "",
        "measured",
        of_growth,
        judge=judge_growth,
    ),
    Checked(
        22,
        mark("“Computed in chunks, attention gives the same result with less memory.”"),
        (),
        "",
        "measured",
        of_chunks,
        judge=judge_chunks,
    ),
)
