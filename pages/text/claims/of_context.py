"""The words of the claims that no page shows yet."""

from __future__ import annotations

from pages.text import mark
from pages.text.claims.model import ClaimWords

NOT_THERE = mark("The page that shows it is not there yet.")
_DECIDES = {"": (NOT_THERE,)}

WORDS = (
    ClaimWords(
        19,
        mark("“With the last word, tired or wide, ‘it’ attends to the animal or to the street.”"),
        mark("The last word decides whom ‘it’ attends to"),
        _DECIDES,
    ),
    ClaimWords(
        20,
        mark("“Shallow layers look close by, deep ones far.”"),
        mark("Shallow layers look close by, deep ones far"),
        _DECIDES,
    ),
    ClaimWords(
        21,
        mark("“A large weight shows a correlation and warrants no cause.”"),
        mark("A large weight is not a cause"),
        _DECIDES,
    ),
)
