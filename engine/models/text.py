"""Which texts a model is given."""

from __future__ import annotations

from engine.errors import ModelError
from engine.experiments.text_given import require_text

MOST_CHARACTERS = 100_000  # beyond it, splitting alone would take seconds and much memory


def require_model_text(text: object) -> str:
    """Return a text that can be split into pieces.

    Raises
    ------
    OptionError
        If it is not text.
    ModelError
        If it is empty or too long, or holds half a surrogate pair or a NUL.
    """
    require_text("text", text)
    text = str(text)
    if len(text) > MOST_CHARACTERS:
        raise ModelError(
            "The text has {count} characters; at most {most} are read.",
            count=len(text),
            most=MOST_CHARACTERS,
        )
    if not text.strip():
        raise ModelError("The text is empty; write at least one word.")
    for place, character in enumerate(text, start=1):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise ModelError(
                "Character {place} of the text, {code}, is no character of a text; take it out.",
                place=place,
                code=f"U+{ord(character):04X}",
            )
    return text
