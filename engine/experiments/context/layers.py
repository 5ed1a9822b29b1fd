"""How far each layer looks, how much stays on the diagonal, how much special tokens get.

Shape legend: L layers, H heads, T tokens, t of them kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.experiments.context.specials import Specials, kept_places
from engine.experiments.context.study import Study
from engine.experiments.read_only import close_fields
from engine.shapes import Array


@dataclass(frozen=True)
class Layers:
    """Means over the queries that are kept; of the special share over all queries.

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
        (L, H): share of all weights, those of special queries too, that special tokens get: the
        same whatever becomes of these.
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
    """Return what the layers look at, and what they would if every key weighed the same.

    Raises
    ------
    OptionError
        As `kept_places` does.
    """
    places = kept_places(study, specials)
    looked = _measures(study, study.attention, places, specials)
    even = _measures(study, _even(study)[None, None], places, specials)
    result = Layers(
        specials=specials,
        distance=looked[0],
        mean_distance=looked[0].mean(axis=-1),
        even_distance=even[0].item(),
        diagonal=looked[1],
        even_diagonal=even[1].item(),
        special_share=looked[2],
        even_special_share=even[2].item(),
    )
    close_fields(result)
    return result


def _even(study: Study) -> Array:
    """Return equal weights (T, T) on all the keys that each query sees."""
    seen = np.ones((study.length, study.length))
    if study.causal:
        seen = np.tril(seen)
    even: Array = seen / seen.sum(axis=-1, keepdims=True)
    return even


def _measures(
    study: Study, attention: Array, places: Array, specials: Specials
) -> tuple[Array, Array, Array]:
    """Return distance, diagonal and special share, (L, H) each, of attention (L, H, T, T).

    Row by row of the whole attention: of 512 tokens, rows and columns left out would be a copy of
    many megabytes for each way to treat special tokens.
    """
    position = np.arange(attention.shape[-1])
    kept = np.isin(position, places).astype(attention.dtype)
    apart = np.abs(position[:, None] - position).astype(attention.dtype) * kept
    distance = np.einsum("lhij,ij->lhi", attention, apart)[..., places].astype(np.float64)
    diagonal = np.einsum("lhii->lhi", attention)[..., places].astype(np.float64)
    special = attention[..., study.special].sum(axis=-1, dtype=np.float64)
    if specials == "renormalised":
        left = np.einsum("lhij,j->lhi", attention, kept)[..., places].astype(np.float64)
        left = np.where(left == 0, 1, left)
        distance, diagonal = distance / left, diagonal / left
    return distance.mean(axis=-1), diagonal.mean(axis=-1), special.mean(axis=-1)
