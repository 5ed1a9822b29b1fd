"""What to notice in the properties; every sentence holds for any result it is said of."""

from __future__ import annotations

from engine.experiments.masks.influence import InfluenceResult
from engine.experiments.properties.graph import GraphResult
from engine.experiments.properties.order import OrderResult
from engine.experiments.properties.paths import PathResult
from engine.experiments.properties.smoothing import SmoothingResult
from pages.text.translator import Translator


def order_notices(result: OrderResult, t: Translator) -> list[str]:
    """Return what to notice in both orders."""
    raise NotImplementedError


def paths_notices(result: PathResult, t: Translator) -> list[str]:
    """Return what to notice in the steps between positions."""
    raise NotImplementedError


def smoothing_notices(result: SmoothingResult, t: Translator) -> list[str]:
    """Return what to notice in a deep stack."""
    raise NotImplementedError


def graph_notices(result: GraphResult, t: Translator) -> list[str]:
    """Return what to notice in the graph."""
    raise NotImplementedError


def influence_notices(result: InfluenceResult, token: int, t: Translator) -> list[str]:
    """Return what to notice when one token, counted from 1, changes."""
    raise NotImplementedError
