"""The claims that this page checks: verdict, the numbers that decide it, the way to its tab."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from engine import EngineError
from engine.backends.measuring import MEASURING
from engine.experiments.memory.chunked import Chunked, ChunkedParams, compare
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from engine.experiments.memory.predicted import LANDMARKS
from pages.gallery.memory_measured import MEASURED
from pages.text import Translator, mark
from pages.text.memory_measured_words import kernel_words, share_words
from pages.text.memory_readings import growth_words
from pages.text.memory_words import bytes_words
from pages.ui import settings
from pages.ui.checked import Checked, Judgement, Place
from pages.ui.maths import typeset
from pages.ui.memory import state

SQUARE = 2  # the exponent that is claimed
NEAR = 0.3  # from it: what a fixed cost and caches do to an exponent at these lengths
_SHOWN = state.key("checked.chunks")
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


# Time and memory grow like T² -----------------------------------------------------------------


def usual(backend: str) -> MeasuredResult | None:
    """Return the usual measurement where this process has done it."""
    return MEASURED.peek(MeasuredParams(), backend)


def growths(result: MeasuredResult) -> tuple[Growth | None, Growth | None]:
    """Return how the time of the formula and its peak grow."""
    return result.growth("materialised", "seconds"), result.growth("materialised", "peak_bytes")


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
    time, peak = map(growth_words, growths(result))
    return values | {"time": time, "peak": peak}


def judge_growth(backend: str) -> Judgement:
    """Return the verdict on O(T²): by counting, and by the measured exponents where there are."""
    result = usual(backend)
    if result is None:
        return "confirmed", (_COUNTED, _NOT_MEASURED)
    standing = [standing_of(growth) for growth in growths(result)]
    said = (_OF_TIME[standing[0]], _OF_PEAK[standing[1]])
    return ("qualified" if "other" in standing else "confirmed"), (_COUNTED, *said)


def standing_of(growth: Growth | None) -> str:
    """Return whether an exponent is the claimed one, surely another, or does not tell."""
    if growth is None or not growth.is_clear:
        return "open"
    if abs(growth.exponent - SQUARE) <= NEAR:
        return "square"
    other = growth.is_below(SQUARE - NEAR) or growth.is_above(SQUARE + NEAR)
    return "other" if other else "open"


_COUNTED = mark(
    "{thousand}² = {million} and {ten_thousand}² = {hundred_million} scores, for each head."
)
_NOT_MEASURED = mark(
    "The usual measurement, which shows how time and memory grow, has not run yet."
)
_OF_TIME = {
    "square": mark("Measured here, the time of the formula grows like T to the power {time}."),
    "open": mark("The times measured here scatter too widely to tell a power of T."),
    "other": mark(
        "Measured here, the time of the formula grows like T to the power {time}, which is not 2 "
        "at these lengths."
    ),
}
_OF_PEAK = {
    "square": mark("Its peak memory grows like T to the power {peak}."),
    "open": mark("The peaks measured here tell no power of T."),
    "other": mark(
        "Its peak memory grows like T to the power {peak}, which is not 2 at these lengths."
    ),
}


# Chunks ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def compared(backend: str) -> Chunked:
    """Return both results side by side, computed once a process; raises EngineError."""
    return compare(ChunkedParams(), backend=backend)


def now_compared(backend: str) -> Chunked | None:
    """Return both results, or None while another measurement has its turn or memory is short."""
    if not MEASURING.acquire(blocking=False):
        return None
    try:
        return compared(backend)
    except EngineError:
        return None
    finally:
        MEASURING.release()


def of_chunks(backend: str) -> dict[str, object]:
    """Return how far the second result is from the materialised one, and both peaks."""
    found, t = now_compared(backend), settings.translate()
    st.session_state[_SHOWN] = found  # another session may find it before this one judges
    if found is None:
        return {}
    return {
        "T": f"{found.T:,}",
        "difference": share_words(found.difference / found.largest),
        "kernel": kernel_words(found.kernel, t),
        "materialised": bytes_words(found.materialised_peak, t),
        "blocked": bytes_words(found.blocked_peak, t),
    }


def judge_chunks(_backend: str) -> Judgement:
    """Return the verdict on computing in chunks, of what `of_chunks` has just found."""
    found: Chunked | None = st.session_state[_SHOWN]
    if found is None:
        return "open", (_BUSY,)
    return verdict_of(found), (_SAME if found.is_same else _APART,)


def verdict_of(found: Chunked) -> str:
    """Return the verdict that follows from both results."""
    if not found.is_same:
        return "wrong"
    return "confirmed" if found.blocked_peak < found.materialised_peak else "qualified"


_BUSY = mark("It is measured here once no other measurement has its turn and memory is free.")
_SAME = mark(
    "At T = {T} both results agree to {difference} of the largest number, which is rounding; the "
    "formula holds {materialised} at its peak, attend ({kernel}) {blocked}."
)
_APART = mark(
    "At T = {T} both results differ by {difference} of the largest number, more than rounding; "
    "the formula holds {materialised} at its peak, attend ({kernel}) {blocked}."
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
