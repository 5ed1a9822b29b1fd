"""Settings as text: ``name=value`` into the fields of a dataclass, and back.

The type of a field decides how its text is read: ``true`` and ``false`` for a switch, digits for a
number, and JSON for a matrix or a list of labels. ``none`` is no value where that is allowed.
"""

from __future__ import annotations

import json
import types
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from engine.errors import EngineError, NumberError
from engine.experiments.matrices import matrix_from_rows
from engine.experiments.number_text import shortened

NONE = "none"
_SWITCH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_LONGEST = 200_000


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names that can be set."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def changed(start: Any, name: str, text: str) -> Any:
    """Return a dataclass with one field read from text.

    Raises
    ------
    EngineError
        When the text is no value of the field's type.
    """
    hint = get_type_hints(type(start))[name]
    return replace(start, **{name: _read(hint, name, text.strip())})


def differences(value: Any) -> list[tuple[str, str]]:
    """Return every field that differs from its default, as (name, text) that `changed` reads."""
    usual = type(value)()
    return [
        (name, written(getattr(value, name)))
        for name in field_names(type(value))
        if repr(getattr(value, name)) != repr(getattr(usual, name))
    ]


def written(value: object) -> str:
    """Return a value as text that `changed` reads back exactly."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return repr(value) if isinstance(value, float) else str(value)


def _read(hint: Any, name: str, text: str) -> Any:
    if len(text) > _LONGEST:
        raise EngineError("The value of {name} is too long to be read.", name=name)
    if get_origin(hint) in (Union, types.UnionType):
        return _read_optional(hint, name, text)
    if get_origin(hint) is Literal:
        return _read_choice(get_args(hint), name, text)
    if get_origin(hint) is tuple:
        return _read_tuple(hint, name, text)
    readers = {bool: _read_switch, int: _read_whole, float: _read_number}
    return readers[hint](name, text) if hint in readers else text


def _read_optional(hint: Any, name: str, text: str) -> Any:
    if text.lower() == NONE:
        return None
    (kind,) = [kind for kind in get_args(hint) if kind is not types.NoneType]
    return _read(kind, name, text)


def _read_choice(allowed: tuple[Any, ...], name: str, text: str) -> Any:
    by_text = {str(choice): choice for choice in allowed}
    if text not in by_text:
        raise _refusal(name, text, ", ".join(by_text))
    return by_text[text]


def _read_switch(name: str, text: str) -> bool:
    if text.lower() not in _SWITCH:
        raise _refusal(name, text, "true, false")
    return _SWITCH[text.lower()]


def _read_whole(name: str, text: str) -> int:
    if not _is_whole(text):
        raise EngineError(
            "{name} must be a whole number, got {text}.",
            name=name,
            text=shortened(text) or "nothing",
        )
    return int(text)


def _is_whole(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18


def _read_number(name: str, text: str) -> float:
    try:
        return matrix_from_rows(((text,),), name)[0][0]
    except NumberError:
        raise EngineError(
            "{name} must be a number such as 0.5, got {text}.",
            name=name,
            text=shortened(text) or "nothing",
        ) from None


def _read_tuple(hint: Any, name: str, text: str) -> Any:
    """Read a matrix, a list of numbers or a list of labels."""
    (item, *_) = get_args(hint)
    items = _items(name, text)
    if get_origin(item) is tuple:
        return matrix_from_rows(items, name)
    readers = {str: _text, float: _real}
    return tuple(readers.get(item, _whole)(name, each) for each in items)


def _whole(name: str, item: object) -> int:
    """Return an item of a list of whole numbers."""
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    if _is_whole(text):
        return int(text)
    raise EngineError(
        "{name} must be a list of whole numbers such as [1, 2, 4], got {item} in it.",
        name=name,
        item=shortened(text) or "nothing",
    )


def _real(name: str, item: object) -> float:
    """Return an item of a list of numbers."""
    return _read_number(name, item if isinstance(item, str) else json.dumps(item))


def _text(name: str, item: object) -> str:
    """Return an item of a list of texts; a number may stand for its text, nothing else may."""
    if isinstance(item, str) or (isinstance(item, int | float) and not isinstance(item, bool)):
        return str(item)
    raise EngineError(
        '{name} must be a list of texts such as ["one", "two"], got {item} in it.',
        name=name,
        item=shortened(json.dumps(item, ensure_ascii=False)),
    )


def _items(name: str, text: str) -> list[Any]:
    """Return a JSON list, or what stands between commas."""
    if not text.startswith("["):
        return [part.strip() for part in text.split(",")] if text else []
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        items = None
    if not isinstance(items, list):
        raise EngineError(
            "{name} must be a list such as [1, 2] or, for a matrix, [[1, 0], [0, 1]], got {text}.",
            name=name,
            text=shortened(text),
        )
    return items


def _refusal(name: str, text: str, allowed: str) -> EngineError:
    return EngineError(
        "{name} must be one of {allowed}, got {text}.",
        name=name,
        allowed=allowed,
        text=shortened(text) or "nothing",
    )
