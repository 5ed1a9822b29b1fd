"""What the tokenizers' library raises: it is written in Rust, and not all of it is an Exception."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import EngineError

_PANIC = "PanicException"  # of the bridge to Rust; a BaseException that no module exports


@contextmanager
def refused_with(refusal: EngineError) -> Iterator[None]:
    """Raise one refusal for whatever goes wrong inside, a panic of the library's own included.

    Too little memory stays what it is, and so does what ends a program or a run of a page.
    """
    try:
        yield
    except MemoryError:
        raise
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == _PANIC:
            raise refusal from error
        raise
