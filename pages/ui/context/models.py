"""The models that this process has loaded, as the page asks for them."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from engine import EngineError
from engine.errors import ModelError
from engine.experiments.context.recorded import recorded_text
from engine.experiments.context.sentences import PAIRS
from engine.models.hub import USUAL_REPOSITORY
from engine.models.loading import Model, loaded
from engine.models.reference import HUB

__all__ = ["HUB", "USUAL_REPOSITORY", "named", "note", "pieces", "require", "sizes"]

_SAID = "who-is-it.models"  # reference -> what came of loading it in this session


def note(reference: str, refused: EngineError | None) -> None:
    """Note that a model was loaded, or why it could not be."""
    st.session_state.setdefault(_SAID, {})[reference] = refused


def require(reference: str) -> Model:
    """Return a model that is loaded.

    Raises
    ------
    EngineError
        Where it is not: why loading it was refused, or what to do.
    """
    model = loaded(reference)
    if model is not None:
        return model
    said = st.session_state.get(_SAID, {})
    if (refused := said.get(reference)) is not None:
        raise refused
    if reference in said:
        raise ModelError(
            "This model is no longer in memory, or its files have changed; press Load again."
        )
    raise ModelError(
        "A text of your own needs a model: name a folder or a repository, then press Load."
    )


def named(reference: str) -> Model | None:
    """Return a model that is loaded, or None; what is no reference is none."""
    try:
        return loaded(reference) if reference else None
    except EngineError:  # said when it is loaded
        return None


def pieces(reference: str, text: str) -> tuple[str, ...]:
    """Return a text in the pieces of a model; raises EngineError where it cannot be read."""
    if not reference:
        return recorded_text(text).tokens
    found = _encoded(reference, require(reference).version, text)
    if isinstance(found, EngineError):
        raise found
    return found


@lru_cache(maxsize=8)
def _encoded(reference: str, _version: str, text: str) -> tuple[str, ...] | EngineError:
    """Return the pieces, or why there are none: a long text takes long, and a run asks often."""
    try:
        return require(reference).encode(text).pieces
    except EngineError as error:
        return error


def sizes(reference: str) -> tuple[int, int]:
    """Return how many layers and heads a model has; those of the recorded one while it has none."""
    model = named(reference)
    if model is None:
        layers, heads, *_ = recorded_text(PAIRS[0].first).attention.shape
        return layers, heads
    return model.config.layers, model.config.heads
