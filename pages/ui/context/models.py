"""The models that this process has loaded, as the page asks for them."""

from __future__ import annotations

from engine import EngineError
from engine.errors import ModelError
from engine.experiments.context.recorded import recorded_text
from engine.experiments.context.sentences import PAIRS
from engine.models.hub import USUAL_REPOSITORY
from engine.models.loading import Model, loaded
from engine.models.reference import HUB

__all__ = ["HUB", "USUAL_REPOSITORY", "named", "pieces", "require", "sizes"]


def require(reference: str) -> Model:
    """Return a model that is loaded; raises ModelError with what to do where it is not."""
    model = loaded(reference)
    if model is None:
        raise ModelError(
            "A text of your own needs a model: name a folder or a repository, then press Load."
        )
    return model


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
    return require(reference).encode(text).pieces


def sizes(reference: str) -> tuple[int, int]:
    """Return how many layers and heads a model has; those of the recorded one while it has none."""
    model = named(reference)
    if model is None:
        layers, heads, *_ = recorded_text(PAIRS[0].first).attention.shape
        return layers, heads
    return model.config.layers, model.config.heads
