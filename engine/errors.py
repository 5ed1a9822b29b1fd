"""The errors of the engine: one sentence for a person, translatable by its template."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Self

LONGEST_VALUE = 400  # characters: a sentence that quotes more cannot be read
LARGEST_BITS = 128  # of a whole number that is written out


class EngineError(ValueError):
    """A refusal that states the rule, what arrived, and the remedy.

    Parameters
    ----------
    template : str
        An English sentence with ``{names}``. Pages translate it before filling it.
    **values : object
        What the names stand for; a value too long for a sentence is cut.
    """

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = {name: _bounded(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))

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


class OutOfMemoryError(BackendError):
    """A computation that needs more memory than there is; a smaller one may still work."""


class ModelError(EngineError):
    """A model that cannot be found, read or used."""


def _bounded(value: object) -> object:
    """Return a value that a sentence can hold; Python refuses to write huge whole numbers."""
    if isinstance(value, str) and len(value) > LONGEST_VALUE:
        return value[:LONGEST_VALUE] + "…"
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        sign = "-" if value < 0 else ""
        return f"{sign}10^{int(value.bit_length() * math.log10(2))}"
    if isinstance(value, list | dict) and len(str(value)) > LONGEST_VALUE:
        return str(value)[:LONGEST_VALUE] + "…"
    return value
