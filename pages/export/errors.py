"""The one error of an export."""

from engine.errors import EngineError


class ExportError(EngineError):
    """A figure that cannot become a file, with what a person can do about it."""
