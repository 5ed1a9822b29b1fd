"""The errors of the engine: one sentence for a person, translatable by its template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


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

    @classmethod
    def of(cls, error: EngineError) -> Self:
        """Return the sentence of another error as one of this kind."""
        return cls(error.template, **error.values)

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return the same sentence with other values."""
        return type(self)(self.template, **values)


class ShapeError(EngineError):
    """Sizes that do not fit together."""


class NumberError(EngineError):
    """NaN, infinity, overflow, or something that is not a number."""


class OptionError(EngineError):
    """An option that does not exist or does not apply."""


class BackendError(EngineError):
    """A backend that is missing, or that ran out of memory."""
