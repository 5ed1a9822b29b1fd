"""How far each layer looks, how much stays on the diagonal, how much special tokens get.

Shape legend: L layers, H heads, T tokens, t of them kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from engine.shapes import Array


@dataclass(frozen=True)
class Layers:
    """Means over the queries that are kept.

    Attributes
    ----------
    specials : str
        What became of special tokens. When hidden, their share of the weight counts nowhere;
        when renormalised, it is made up for.
    distance : np.ndarray
        (L, H), tokens: sum over the keys j of weight times |i - j|, positions as in the full text.
    mean_distance : np.ndarray
        (L,): mean over the heads.
    even_distance : float
        What equal weights on all the keys that a query sees would give.
    diagonal : np.ndarray
        (L, H): weight on the token itself.
    even_diagonal : float
        What equal weights would give.
    special_share : np.ndarray
        (L, H): weight on special tokens, before these are hidden.
    even_special_share : float
        What equal weights would give.
    """

    specials: Specials
    distance: Array
    mean_distance: Array
    even_distance: float
    diagonal: Array
    even_diagonal: float
    special_share: Array
    even_special_share: float


def layers_of(study: Study, specials: Specials = "shown") -> Layers:
    """Return what the layers look at."""
    raise NotImplementedError
