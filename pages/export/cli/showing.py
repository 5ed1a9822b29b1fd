"""What a person typed, as it can stand in a sentence."""

from __future__ import annotations

_LONGEST, _BEGINNING = 240, 160  # characters


def shown(text: str) -> str:
    """Return a text on one line, harmless to a terminal and not too long; '' where it is blank."""
    line = escaped(text)
    if not line.strip():
        return f"'{line}'"
    if len(line) <= _LONGEST:
        return line
    return line[:_BEGINNING] + "..." + line[_BEGINNING - _LONGEST :]


def escaped(text: str) -> str:
    r"""Return a text with every character that is not printed written out, such as ``\x1b``."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
