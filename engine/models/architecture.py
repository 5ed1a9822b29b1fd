"""Which kind of model a config.json describes; a kind that cannot be run is refused by its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from engine.errors import ModelError
from engine.experiments.number_text import shortened

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
    kind, names = values.get("model_type"), _architectures(values)
    if kind is None and not names:
        raise ModelError(
            "config.json names no architecture; BERT encoders (BertModel and its heads) and "
            "GPT-2 decoders can be loaded."
        )
    family = _family_of_name(names[0]) if kind is None else FAMILIES.get(str(kind))
    if family is None or any(_family_of_name(name) != family for name in names):
        strange = [name for name in names if _family_of_name(name) != family or family is None]
        raise _another(strange[0] if strange else str(kind))
    return family


def _family_of_name(name: str) -> Family | None:
    for family, names in NAMES.items():
        if name in names or name.startswith(HEADS[family]):
            return family
    return None


def _architectures(values: Mapping[str, Any]) -> list[str]:
    listed = values.get("architectures")
    if listed is None:
        return []
    return [str(each) for each in listed] if isinstance(listed, list | tuple) else [str(listed)]


def _another(name: str) -> ModelError:
    return ModelError(
        "This model is of the architecture {name}; BERT encoders (BertModel and its heads) and "
        "GPT-2 decoders can be loaded.",
        name=shortened(name, LONGEST_NAME),
    )


def _refuse_own_code(values: Mapping[str, Any]) -> None:
    """Refuse a model that brings its own Python: what it computes is not known."""
    own = values.get("auto_map")
    if isinstance(own, Mapping) and any(str(each).startswith("AutoModel") for each in own):
        raise ModelError(
            "This model is computed by code of its own (auto_map in config.json), which is never "
            "run; BERT encoders (BertModel and its heads) and GPT-2 decoders can be loaded."
        )
