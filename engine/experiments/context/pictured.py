"""The picture of the texts: weights of "it" that were drawn by hand, not computed.

The weights for "too tired" stand on the arrows of a diagram in section 2.1 of the chapter. It
draws none for "too wide"; ours change places between animal and street, and the last word keeps
what it has.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.experiments.context.two_endings import ENDINGS, EndingName

DATA_FILE = Path(__file__).parents[2] / "data" / "pictured_weights.json"


@dataclass(frozen=True)
class PictureParams:
    """Nothing is chosen: the picture is as it was drawn."""


@dataclass(frozen=True)
class Ending:
    """The sentence with one ending, and the weights that someone drew.

    Attributes
    ----------
    name : {"tired", "wide"}
    tokens : tuple of str
        T words.
    weights : tuple of float or None
        T weights of the query for each word; None where no arrow is drawn.
    query : int
        Place of "it", counted from 0.
    total : float
        The sum of the weights.
    from_text : bool
        Whether the text drew them; otherwise we did, in its manner.
    """

    name: EndingName
    tokens: tuple[str, ...]
    weights: tuple[float | None, ...]
    query: int
    total: float
    from_text: bool


@dataclass(frozen=True)
class Picture:
    """Both endings, "tired" first."""

    params: PictureParams
    endings: tuple[Ending, Ending]

    def of(self, name: EndingName) -> Ending:
        """Return one ending by name."""
        return self.endings[ENDINGS.index(name)]


def picture_of(params: PictureParams) -> Picture:
    """Return the picture; nothing is computed, so that no backend is needed."""
    tired, wide = _endings()
    return Picture(params, (tired, wide))


@lru_cache(maxsize=1)
def _endings() -> tuple[Ending, ...]:
    data = json.loads(DATA_FILE.read_text(encoding="utf-8"))
    return tuple(_ending(name, data["endings"][name], data["query"]) for name in ENDINGS)


def _ending(name: EndingName, drawn: dict[str, object], query: str) -> Ending:
    """Return one ending of the file, whose words and weights stand in pairs."""
    arrows = drawn["arrows"]
    assert isinstance(arrows, list)
    tokens = tuple(str(token) for token, _ in arrows)
    weights = tuple(weight for _, weight in arrows)
    total = math.fsum(weight for weight in weights if weight is not None)
    return Ending(name, tokens, weights, tokens.index(query), total, bool(drawn["from_text"]))
