"""The sentence with two endings, word by word, as both experiments by hand read it."""

from __future__ import annotations

from typing import Literal

EndingName = Literal["tired", "wide"]
ENDINGS: tuple[EndingName, ...] = ("tired", "wide")
_SHARED = ("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "too")
TOKENS: dict[EndingName, tuple[str, ...]] = {ending: (*_SHARED, ending) for ending in ENDINGS}
# Places in both, counted from 0.
ANIMAL, STREET, IT, LAST = (
    _SHARED.index("animal"),
    _SHARED.index("street"),
    _SHARED.index("it"),
    len(_SHARED),
)
