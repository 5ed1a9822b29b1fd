"""The errors of the engine: one sentence for a person, translatable by its template."""

from __future__ import annotations


class EngineError(ValueError):
    """A refusal that states the rule, what arrived, and the remedy.

    Parameters
    ----------
    template : str
        An English sentence with ``{names}``. Pages translate it before filling it.
    **values : object
        What the names stand for.
    """

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


class ShapeError(EngineError):
    """Sizes that do not fit together."""


class NumberError(EngineError):
    """NaN, infinity, overflow, or something that is not a number."""


class OptionError(EngineError):
    """An option that does not exist or does not apply."""


class BackendError(EngineError):
    """A backend that is missing, or that ran out of memory."""
