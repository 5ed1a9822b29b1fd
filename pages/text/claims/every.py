"""The words of all claims by number, and the view of the product that shows each."""

from __future__ import annotations

from pages.text.claims import (
    of_context,
    of_lookup,
    of_masks,
    of_memory,
    of_properties,
    of_scaling,
    of_worked_example,
)
from pages.text.claims.model import ClaimWords

_ALL = (
    *of_scaling.WORDS,
    *of_worked_example.WORDS,
    *of_properties.WORDS,
    *of_masks.WORDS,
    *of_memory.WORDS,
    *of_lookup.WORDS,
    *of_context.WORDS,
)
WORDS: dict[int, ClaimWords] = {
    words.number: words for words in sorted(_ALL, key=lambda words: words.number)
}
View = tuple[str, dict[str, str]]  # the address of a page, and what stands in it
_SCALING, _MASKS, _EXAMPLE = "sqrt-dk", "attention-masks", "worked-example"
_PROPERTIES, _LOOKUP, _MEMORY = "attention-properties", "soft-lookup", "memory-scaling"
_TEXTBOOK = {"source": "textbook"}
# No page shows the claims that are left out.
WHERE: dict[int, View] = {
    1: (_SCALING, {"tab": "variance"}),
    2: (_SCALING, {"tab": "saturation", "first": "50", "second": "40", "temperature": "1"}),
    3: (_SCALING, {"tab": "saturation", "measure": "largest"}),
    4: (_SCALING, {"tab": "gradient"}),
    5: (_SCALING, {"tab": "training"}),
    6: (_EXAMPLE, {"tab": "printed", "claim": "6"}),
    7: (_EXAMPLE, {"tab": "printed", "claim": "7"}),
    8: (_EXAMPLE, {"tab": "printed", "claim": "8"}),
    9: (_PROPERTIES, {"tab": "order"}),
    10: (_PROPERTIES, {"tab": "reach"}),
    11: (_MEMORY, {"tab": "measured"}),
    12: (_MASKS, {"tab": "mistakes", "mistake": "minus-1e9", "dtype": "float16", **_TEXTBOOK}),
    13: (_MASKS, {"tab": "mistakes", "mistake": "renormalise", **_TEXTBOOK}),
    14: (_MASKS, {"tab": "compare", "families": "on", **_TEXTBOOK}),
    15: (_MASKS, {"tab": "influence", "side": "b", **_TEXTBOOK}),
    16: (_LOOKUP, {"tab": "roles"}),
    17: (_PROPERTIES, {"tab": "influence", "changed": "3", **_TEXTBOOK}),
    18: (_PROPERTIES, {"tab": "depth"}),
    22: (_MEMORY, {"tab": "measured"}),
    23: (_LOOKUP, {"tab": "cost"}),
    24: (_PROPERTIES, {"tab": "graph", **_TEXTBOOK}),
    25: (_LOOKUP, {"tab": "axes"}),
}
