"""Which kind of model a config.json describes; a kind that cannot be run is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from engine.errors import ModelError
from engine.experiments.number_text import shortened
from engine.models.said import said

Family = Literal["bert", "gpt2"]

FAMILIES: dict[str, Family] = {"bert": "bert", "gpt2": "gpt2"}
# A head such as BertForMaskedLM stands on the same model; what follows other prefixes, as in
# JinaBertForMaskedLM or BertGenerationEncoder, is another one.
NAMES: dict[Family, tuple[str, ...]] = {
    "bert": ("BertModel",),
    "gpt2": ("GPT2Model", "GPT2LMHeadModel", "GPT2DoubleHeadsModel"),
}
HEADS: dict[Family, str] = {"bert": "BertFor", "gpt2": "GPT2For"}
LONGEST_NAME = 60


def family_of(values: Mapping[str, Any]) -> Family:
    """Return the family of the model that config.json describes.

    Both of its statements count where both are there: ``model_type`` and ``architectures``.

    Raises
    ------
    ModelError
        If it is another architecture, names none, or needs code of its own.
    """
    _refuse_own_code(values)
    stated = [(name, _family_of_name(name)) for name in _architectures(values)]
    kind = _word(values, "model_type", values.get("model_type"), "bert")
    if kind is not None:
        stated.append((kind, FAMILIES.get(kind)))
    if not stated:
        raise ModelError(
            "config.json names no architecture; BERT encoders (BertModel and its heads) and "
            "GPT-2 decoders can be loaded."
        )
    return _the_one(stated)


def _the_one(stated: Sequence[tuple[str, Family | None]]) -> Family:
    """Return the family of all that config.json states."""
    found: dict[Family, str] = {}
    for name, family in stated:
        if family is None:
            raise _another(name)
        found.setdefault(family, name)
    if len(found) > 1:
        first, second = (shortened(name, LONGEST_NAME) for name in found.values())
        raise ModelError(
            "config.json names two architectures, {first} and {second}; it must name one.",
            first=first,
            second=second,
        )
    return next(iter(found))


def _family_of_name(name: str) -> Family | None:
    for family, names in NAMES.items():
        if name in names or name.startswith(HEADS[family]):
            return family
    return None


def _architectures(values: Mapping[str, Any]) -> list[str]:
    listed = values.get("architectures")
    each = listed if isinstance(listed, list | tuple) else [listed]
    words = (_word(values, "architectures", name, "BertModel") for name in each)
    return [word for word in words if word is not None]


def _word(values: Mapping[str, Any], key: str, value: object, usual: str) -> str | None:
    """Return what should be a name under a key, or None where there is nothing."""
    if value is None or isinstance(value, str):
        return value
    raise ModelError(
        "{key} in config.json must be text such as {usual}, got {value}.",
        key=key,
        usual=said(usual),
        value=said(values[key]),
    )


def _another(name: str) -> ModelError:
    return ModelError(
        "This model is of the architecture {name}; BERT encoders (BertModel and its heads) and "
        "GPT-2 decoders can be loaded.",
        name=shortened(name, LONGEST_NAME) or said(name),
    )


def _refuse_own_code(values: Mapping[str, Any]) -> None:
    """Refuse a model that brings its own Python: what it computes is not known."""
    own = values.get("auto_map")
    if isinstance(own, Mapping) and any(str(each).startswith("AutoModel") for each in own):
        raise ModelError(
            "This model is computed by code of its own (auto_map in config.json), which is never "
            "run; BERT encoders (BertModel and its heads) and GPT-2 decoders can be loaded."
        )
