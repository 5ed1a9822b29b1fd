"""What to notice in a real model's attention; every sentence holds for any result it is said of."""

from __future__ import annotations

from engine.experiments.context.study import Study
from pages.figures.context.model_view import ModelView
from pages.text.translator import Translator


def head_notices(study: Study, view: ModelView, t: Translator) -> list[str]:
    """Return what to notice in one head and one token."""
    raise NotImplementedError


def layers_notices(study: Study, view: ModelView, t: Translator) -> list[str]:
    """Return what to notice from layer to layer."""
    raise NotImplementedError
