"""The input of one attention head, of no more tokens than an experiment shows."""

from __future__ import annotations

from engine.errors import OptionError
from engine.experiments.masks.inputs import LEAST_RANDOM, Head, InputParams, head_of, tokens_of
from engine.experiments.whole_number import require_whole


def head_within(params: InputParams, most: int) -> Head:
    """Return the head that the parameters name, once it is known to have at most ``most`` tokens.

    Raises
    ------
    OptionError
        As `head_of` does, and where there are more tokens.
    """
    if params.source == "sentence":
        tokens_of(params.sentence, most)
    if params.source == "random":
        require_whole("T", params.T, LEAST_RANDOM, most)
    return head_of(params)


def require_switch(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool):
        raise OptionError("{name} is a switch and must be true or false.", name=name)
