"""What is refused before anything is computed: what would not fit, or would take too long."""

from __future__ import annotations

from engine.errors import EngineError
from engine.experiments.memory.amounts import bytes_text, seconds_text

# Of the free memory, what one point may take: the rest is for what the estimate leaves out, for
# other programs, and for what the system needs to go on without swapping.
USABLE = 0.75
# Seconds that the runs of one point may take together: nobody waits longer for a point, and other
# work on the same backend waits with it.
LONGEST = 60.0


class RefusedError(EngineError):
    """A point that was not measured; two of the same sentence and values are equal.

    Attributes
    ----------
    kind : str
        How a saved run names the reason.
    numbers : dict of str to float
        What the sentence was made from.
    """

    kind = ""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template, **values)
        self.numbers: dict[str, float] = {}

    def made_from(self, **numbers: float) -> RefusedError:
        """Return it with the numbers that it was made from."""
        self.numbers = numbers
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RefusedError) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str, tuple[tuple[str, float], ...]]:
        return type(self).kind, str(self), tuple(self.numbers.items())


class TooLargeError(RefusedError):
    """It would not fit into the free memory."""

    kind = "memory"


class TooLongError(RefusedError):
    """Its runs would take too long."""

    kind = "time"


class RanOutError(RefusedError):
    """Memory ran out while it was computed."""

    kind = "ran-out"


class AfterRanOutError(RefusedError):
    """A shorter sequence ran out of memory before it."""

    kind = "after"


def too_large(T: int, needed: int, free: int) -> RefusedError:
    """Return the refusal of a point that needs more bytes than may be taken of the free ones."""
    return TooLargeError(
        "T = {T} needs {needed}, and {free} of memory is free, of which {share} % may be used; "
        "close other programs, or choose a shorter sequence, fewer heads or a smaller batch.",
        T=T,
        needed=bytes_text(needed),
        free=bytes_text(free),
        share=round(100 * USABLE),
    ).made_from(needed=needed, free=free)


def too_long(T: int, seconds: float) -> RefusedError:
    """Return the refusal of a point whose runs would take so many seconds together."""
    return TooLongError(
        "T = {T} would take about {seconds} for all its runs, and {longest} is the most; choose a "
        "shorter sequence, fewer heads, a smaller batch or fewer repeats.",
        T=T,
        seconds=seconds_text(seconds),
        longest=seconds_text(LONGEST),
    ).made_from(seconds=seconds)


def ran_out(T: int, needed: int) -> RefusedError:
    """Return the refusal of a point that used up the memory, though it was expected to fit."""
    return RanOutError(
        "Memory ran out at T = {T}, where {needed} was expected to be enough; close other "
        "programs, or choose a shorter sequence.",
        T=T,
        needed=bytes_text(needed),
    ).made_from(needed=needed)


def after_ran_out(T: int, earlier: int) -> RefusedError:
    """Return the refusal of a point after memory ran out at a shorter sequence."""
    return AfterRanOutError(
        "T = {T} was not tried, since memory ran out at T = {earlier}; close other programs, or "
        "choose only shorter sequences.",
        T=T,
        earlier=earlier,
    ).made_from(earlier=earlier)


def refuse_large(T: int, needed: int, free: int) -> None:
    """Raise a RefusedError where a point needs more bytes than may be taken of the free ones."""
    if needed > USABLE * free:
        raise too_large(T, needed, free)


def refuse_long(T: int, seconds: float) -> None:
    """Raise a RefusedError where the runs of a point would take longer than a minute."""
    if seconds > LONGEST:
        raise too_long(T, seconds)
