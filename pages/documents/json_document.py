"""A worked example as a JSON document: saved together, loaded together, exact to the last bit."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, NoReturn

from engine.errors import EngineError
from engine.experiments.matrices import MOST_ROWS, clean_labels, matrix_from_rows
from engine.experiments.number_text import shortened
from engine.experiments.presets import labels as plain_labels
from engine.experiments.worked_example import NAMES, Params, validate
from pages.documents.incoming import parse_json, read_text

PROGRAM = "Attention Workbench"
KIND = "worked-example"
VERSION = 1
_LABELS = {"tokens": "X", "context_tokens": "C"}
_LETTERS = {"tokens": "x", "context_tokens": "c"}


def dump(params: Params) -> str:
    """Write ``params`` as JSON, one matrix row a line; ``load`` returns the same ``params``."""
    members = {"program": PROGRAM, "kind": KIND, "version": VERSION, **to_plain(params)}
    lines = [f"  {json.dumps(name)}: {_member(value)}" for name, value in members.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _member(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], list):
        rows = ",\n    ".join(json.dumps(row) for row in value)
        return f"[\n    {rows}\n  ]"
    return json.dumps(value, ensure_ascii=False)


def load(source: str | bytes) -> Params:
    """Read a document that ``dump`` wrote, or that a person edited.

    Raises
    ------
    EngineError
        When it is no JSON, too large, or the document of another program, kind or version; and
        whenever its matrices, labels or switches are refused. One sentence each.
    """
    document = parse_json(read_text(source), _refuse_constant)
    return from_plain(_require_ours(document))


def to_plain(params: Params) -> dict[str, Any]:
    """Return ``params`` as lists, text and switches, in the order of its fields."""
    plain = {field.name: getattr(params, field.name) for field in fields(Params)}
    for name in NAMES:
        if plain[name] is not None:
            plain[name] = [[float(cell) for cell in row] for row in plain[name]]
    return {name: list(v) if isinstance(v, tuple) else v for name, v in plain.items()}


def from_plain(members: dict[str, Any]) -> Params:
    """Build ``Params`` from plain members, checking every one; unknown members are ignored.

    Missing token labels become x1, x2, ... and c1, c2, ...

    Raises
    ------
    EngineError
        When a member is missing or refused.
    """
    for name in ("x", "w_q", "w_k", "w_v"):
        if members.get(name) is None:
            raise EngineError("The document has no matrix {name}.", name=NAMES[name])
    matrices = {
        name: matrix_from_rows(members[name], NAMES[name]) for name in ("x", "w_q", "w_k", "w_v")
    }
    given = members.get("context")
    context = None if given is None else matrix_from_rows(given, NAMES["context"])
    params = Params(
        **matrices,
        context=context,
        tokens=_labels(members, "tokens", len(matrices["x"])),
        context_tokens=_labels(members, "context_tokens", 0 if context is None else len(context)),
        scaled=members.get("scaled", True),
        causal=members.get("causal", False),
    )
    validate(params)
    return params


def _labels(members: dict[str, Any], name: str, size: int) -> tuple[str, ...]:
    labels = members.get(name)
    if labels is None:
        return plain_labels(_LETTERS[name], size)
    if not isinstance(labels, list) or len(labels) > MOST_ROWS:
        raise EngineError("The token labels of {name} must be a list.", name=_LABELS[name])
    return clean_labels(labels, size, _LABELS[name])


def _refuse_constant(constant: str) -> NoReturn:
    raise EngineError(
        "The document holds {constant}; every cell needs a finite number such as 0.5.",
        constant=constant,
    )


def _require_ours(document: object) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("program") != PROGRAM:
        raise EngineError(
            "This JSON document was not saved by {program}; choose one that was.", program=PROGRAM
        )
    if document.get("kind") != KIND:
        raise EngineError(
            "This document of {program} holds {kind}, not a worked example.",
            program=PROGRAM,
            kind=_shown(document.get("kind")),
        )
    version = document.get("version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise EngineError("The version of this worked example must be a whole number.")
    if version != VERSION:
        raise EngineError(
            "This worked example was saved in version {version} of the format; "
            "this program reads version {own}.",
            version=_shown(version),
            own=VERSION,
        )
    return document


def _shown(value: object) -> str:
    return shortened(str(value)) if isinstance(value, str | int | float) else "?"
