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
_CONTEXT = "who-is-it"
# Each address is as its page writes it, without what is usual there.
WHERE: dict[int, View] = {
    1: (_SCALING, {}),
    2: (_SCALING, {"tab": "saturation", "first": "50.0", "second": "40.0"}),
    3: (_SCALING, {"tab": "saturation"}),
    4: (_SCALING, {"tab": "gradient"}),
    5: (_SCALING, {"tab": "training"}),
    6: (_EXAMPLE, {"tab": "printed"}),
    7: (_EXAMPLE, {"tab": "printed", "claim": "7"}),
    8: (_EXAMPLE, {"tab": "printed", "claim": "8"}),
    9: (_PROPERTIES, {}),
    10: (_PROPERTIES, {"tab": "reach"}),
    11: (_MEMORY, {"tab": "measured"}),
    12: (_MASKS, {"tab": "mistakes", "mistake": "minus-1e9", "dtype": "float16"}),
    # Of the formats that a backend lacks, its page shows the widest that it has.
    13: (_MASKS, {"tab": "mistakes", "mistake": "renormalise", "dtype": "float64"}),
    14: (_MASKS, {"families": "on"}),
    15: (_MASKS, {"tab": "influence"}),
    16: (_LOOKUP, {"tab": "roles"}),
    17: (_PROPERTIES, {"tab": "influence"}),
    18: (_PROPERTIES, {"tab": "depth"}),
    19: (_CONTEXT, {"tab": "endings"}),
    20: (_CONTEXT, {"tab": "layers"}),
    21: (_CONTEXT, {"tab": "cause"}),
    22: (_MEMORY, {"tab": "measured"}),
    23: (_LOOKUP, {"tab": "cost"}),
    24: (_PROPERTIES, {"tab": "graph"}),
    25: (_LOOKUP, {"tab": "axes"}),
}
