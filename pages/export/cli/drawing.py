"""A fault that nobody foresaw while a figure is drawn, as a sentence with its name."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from engine.errors import EngineError
from pages.export.cli.errors import RequestError, reason_of

_FORESEEN = (EngineError, MemoryError, KeyboardInterrupt, SystemExit)


class Drawing:
    """The figure that is being drawn.

    Whatever goes wrong inside ``with Drawing() as now`` and is no error in words becomes one; a
    panic of the converter, which is no ordinary exception, too.
    """

    def __init__(self) -> None:
        self.name = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if error is not None and not isinstance(error, _FORESEEN):
            raise RequestError(
                "The figure {name} cannot be drawn: {reason}.",
                name=self.name,
                reason=reason_of(error),
            ) from None
