"""``python -m pages.export``: the figures of the product as files, without a browser."""

from __future__ import annotations

import sys

from pages.export.cli import stopping


def _run() -> int:
    """Be ready for a stop and for closed streams first: to load the rest takes its time."""
    stops: list[int] = []
    stopping.take(lambda number, _frame: stops.append(number))

    from pages.export.cli import streams

    streams.prepare()

    from pages.export.cli.main import main

    return main(sys.argv[1:], stops)


if __name__ == "__main__":  # not in a process that shares the drawing
    sys.exit(_run())
