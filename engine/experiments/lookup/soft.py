"""Hard and soft lookup in one table, with every similarity and at every temperature.

Shape legend: n rows, d the width of query and keys, e the width of the values, F temperatures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.errors import EngineError
from engine.experiments.concentration import effective_keys
from engine.experiments.lookup.similarities import (
    Additive,
    additive_weights,
    refusal_of,
    rounding_of,
    scores_of,
    unit,
)
from engine.experiments.lookup.table import (
    LEAST_TEMPERATURE,
    MOST_TEMPERATURE,
    SIMILARITIES,
    Params,
    Similarity,
    checked,
)
from engine.experiments.read_only import close_fields
from engine.shapes import Array

__all__ = ["Looked", "Params", "Plane", "Result", "run", "temperatures_of"]

STEPS = 160  # of the temperature, each by 9 %: lines between them err by less than 0.001
SAME_LOG = 1e-9  # two temperatures whose logarithms differ by no more are one
# Weights that differ by no more are written alike. Rounding in double precision never takes equal
# scores as far apart; in single precision it may, at a small temperature.
SAME_WEIGHT = 1e-4


@dataclass(frozen=True)
class Looked:
    """Soft lookup with one similarity at the chosen temperature.

    Attributes
    ----------
    similarity : str
    scores, weights : np.ndarray
        (n,). The scores are not yet divided by the temperature.
    contributions : np.ndarray
        (n, e): each weight times its value; their sum is the output.
    output : np.ndarray
        (e,).
    effective : float
        Effective number of keys: exp of the entropy of the weights.
    refused : EngineError or None
        Why there is none with this similarity; then the arrays are empty and ``effective`` is 0.
    nearest : tuple of int
        The rows with the largest score: several where their scores are equal, be it but for
        rounding, and their weights at the chosen temperature are alike as well.
    """

    similarity: Similarity
    scores: Array
    weights: Array
    contributions: Array
    output: Array
    effective: float
    refused: EngineError | None = None
    nearest: tuple[int, ...] = ()


@dataclass(frozen=True)
class Plane:
    """Lengths and angles of the query and the keys.

    Attributes
    ----------
    query_length : float
    key_lengths, dots : np.ndarray
        (n,).
    cosines : np.ndarray
        (n,), of the angle between query and key; NaN where one of them is zero.
    angles : np.ndarray
        (n,), degrees, NaN where one of them is zero. In two dimensions from the query to the key,
        counterclockwise above 0, in (-180, 180]; in others from 0 to 180, since it has no sign
        there.
    """

    query_length: float
    key_lengths: Array
    cosines: Array
    angles: Array
    dots: Array


@dataclass(frozen=True)
class Result:
    """One query looked up.

    Attributes
    ----------
    params : Params
        With every cell a float.
    exact : int or None
        The row whose key equals the query, as a dictionary finds it, from 0.
    nearest : tuple of int
        The rows with the largest score of the chosen similarity, which hard lookup takes; several
        where they are equal, see `Looked`.
    hard_output : np.ndarray
        (e,), mean of the values of the nearest: the limit at temperature 0.
    mean_output : np.ndarray
        (e,), mean of all values: the limit at infinite temperature.
    found : dict
        Similarity -> Looked.
    temperatures : np.ndarray
        (F,), rising from 0.001 to 1,000 by equal factors, the chosen one among them.
    curve : np.ndarray
        (F, n), the weights of the chosen similarity at each temperature.
    curve_output : np.ndarray
        (F, e).
    plane : Plane
    shuffled_difference : float
        Largest change of a weight or of an output number when the rows are reversed.
    """

    params: Params
    exact: int | None
    nearest: tuple[int, ...]
    hard_output: Array
    mean_output: Array
    found: dict[Similarity, Looked]
    temperatures: Array
    curve: Array
    curve_output: Array
    plane: Plane
    shuffled_difference: float
    backend_name: str
    precision: str
    seconds: float

    @property
    def soft(self) -> Looked:
        """The lookup with the chosen similarity."""
        return self.found[self.params.similarity]


def run(
    params: Params,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Look the query up.

    Raises
    ------
    EngineError
        As `table.validate` does; also when the chosen similarity is "cosine" and a vector is zero.
    """
    table = checked(params)
    refused = {each: refusal_of(each, table) for each in SIMILARITIES}
    refusal = refused[table.similarity]
    if refusal is not None:
        raise refusal
    chosen = choose_backend(backend)
    started = time.perf_counter()
    result = _result(table, refused, chosen)
    seconds = time.perf_counter() - started
    if progress:
        progress(1.0)
    return replace(result, seconds=seconds)


def temperatures_of(chosen: float) -> Array:
    """Return (F,) temperatures from the least to the most by equal factors, and the chosen one."""
    even = np.geomspace(LEAST_TEMPERATURE, MOST_TEMPERATURE, STEPS + 1)
    apart = np.abs(np.log(even / chosen)) > SAME_LOG
    return np.sort(np.append(even[apart], chosen))


class _Inputs(NamedTuple):
    """What a lookup is computed from, float64."""

    query: Array
    keys: Array
    values: Array
    additive: Additive


def _inputs_of(table: Params) -> _Inputs:
    query, keys, values = (np.array(each) for each in (table.query, table.keys, table.values))
    return _Inputs(query, keys, values, additive_weights(table.seed, table.d))


_Computed = tuple[dict[str, dict[str, Array]], dict[str, Array], dict[str, Array]]


def _result(
    table: Params, refused: dict[Similarity, EngineError | None], backend: Backend
) -> Result:
    inputs, temperatures = _inputs_of(table), temperatures_of(table.temperature)
    available = tuple(each for each in SIMILARITIES if refused[each] is None)
    every, turned, plane = _computed(table, inputs, temperatures, available, backend)
    found = {each: _looked(each, every.get(each), refused[each], inputs) for each in SIMILARITIES}
    soft = found[table.similarity]
    result = Result(
        params=table,
        exact=table.keys.index(table.query) if table.query in table.keys else None,
        nearest=soft.nearest,
        hard_output=inputs.values[list(soft.nearest)].mean(axis=0),
        mean_output=inputs.values.mean(axis=0),
        found=found,
        temperatures=temperatures,
        curve=every["curve"]["weights"],
        curve_output=every["curve"]["output"],
        plane=_plane(plane),
        shuffled_difference=_shuffled_difference(soft, turned),
        backend_name=backend.name,
        precision=backend.precision,
        seconds=0.0,
    )
    close_fields(result)
    return result


def _computed(
    table: Params,
    inputs: _Inputs,
    temperatures: Array,
    available: tuple[Similarity, ...],
    backend: Backend,
) -> _Computed:
    """Return what `_compute` does on the backend: every lookup, rows reversed, the plane."""
    found: _Computed = backend.run(
        _compute,
        inputs.query,
        inputs.keys,
        inputs.values,
        *inputs.additive,
        inputs.keys[::-1].copy(),
        inputs.values[::-1].copy(),
        temperatures,
        similarities=available,
        similarity=table.similarity,
        temperature=table.temperature,
    )
    return found


def _compute(
    xp: Any,
    query: Any,
    keys: Any,
    values: Any,
    w_query: Any,
    w_key: Any,
    w: Any,
    turned_keys: Any,
    turned_values: Any,
    temperatures: Any,
    *,
    similarities: tuple[Similarity, ...],
    similarity: Similarity,
    temperature: float,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return every lookup, the chosen one with the rows reversed, and the plane."""
    additive = Additive(w_query, w_key, w)
    scores = {each: scores_of(xp, each, query, keys, additive) for each in similarities}
    every: dict[str, Any] = {each: _look(xp, scores[each], values, temperature) for each in scores}
    every["curve"] = _look(xp, scores[similarity][None, :], values, temperatures[:, None])
    turned = scores_of(xp, similarity, query, turned_keys, additive)
    return every, _look(xp, turned, turned_values, temperature), _measured(xp, query, keys)


def _look(xp: Any, scores: Any, values: Any, temperature: Any) -> dict[str, Any]:
    """Return soft lookup of scores (..., n) in values (n, e)."""
    weights = softmax(xp, scores / temperature)
    return {
        "scores": scores,
        "weights": weights,
        "contributions": weights[..., :, None] * values,
        "output": xp.matmul(weights, values),
    }


def _looked(
    similarity: Similarity,
    computed: dict[str, Array] | None,
    refused: EngineError | None,
    inputs: _Inputs,
) -> Looked:
    found = computed or {name: np.empty(0) for name in ("scores", "weights", "output")}
    looked = Looked(
        similarity=similarity,
        scores=found["scores"],
        weights=found["weights"],
        contributions=found.get("contributions", np.empty((0, 0))),
        output=found["output"],
        effective=effective_keys(found["weights"]),
        refused=refused,
        nearest=_nearest(similarity, computed, inputs) if computed else (),
    )
    close_fields(looked)
    return looked


def _nearest(
    similarity: Similarity, computed: dict[str, Array], inputs: _Inputs
) -> tuple[int, ...]:
    """Return the rows with the largest score, of which all weigh alike.

    Whether two scores are equal but for rounding is decided in double precision, in which other
    scores are hardly ever that near to each other.
    """
    scores, weights = computed["scores"], computed["weights"]
    first = int(scores.argmax())
    exact = scores_of(np, similarity, inputs.query, inputs.keys, inputs.additive)
    noise = rounding_of(similarity, inputs.query, inputs.keys, inputs.additive, "float64")
    equal = (np.abs(exact - exact[first]) <= noise + noise[first]) | (scores == scores[first])
    alike = np.abs(weights - weights[first]) <= SAME_WEIGHT
    return tuple(np.flatnonzero(equal & alike).tolist())


def _shuffled_difference(soft: Looked, turned: dict[str, Array]) -> float:
    weights = np.abs(turned["weights"][::-1] - soft.weights).max()
    return float(max(weights, np.abs(turned["output"] - soft.output).max()))


def _measured(xp: Any, query: Any, keys: Any) -> dict[str, Any]:
    """Return lengths, dot products and angles in radians of the query and the keys."""
    dots = xp.matmul(keys, query)
    lengths = [xp.sqrt(xp.sum(xp.square(each), axis=-1)) for each in (query, keys)]
    return {
        "query_length": lengths[0],
        "key_lengths": lengths[1],
        "dots": dots,
        "cosines": xp.matmul(unit(xp, keys), unit(xp, query)),
        "angles": _angles(xp, query, keys, dots),
    }


def _angles(xp: Any, query: Any, keys: Any, dots: Any) -> Any:
    """Return the angles (n,), with a sign in two dimensions; small ones without loss of digits."""
    if query.shape[0] == 2:
        across = query[0] * keys[:, 1] - query[1] * keys[:, 0]
        return xp.arctan2(across + 0.0, dots)  # minus 0 would make -180 degrees of 180
    to, along = unit(xp, keys), unit(xp, query)[None, :]
    apart, together = (
        xp.sqrt(xp.sum(xp.square(each), axis=-1)) for each in (to - along, to + along)
    )
    return 2 * xp.arctan2(apart, together)


def _plane(measured: dict[str, Array]) -> Plane:
    lengths = measured["key_lengths"]
    query_length = float(measured["query_length"])
    undefined = (lengths == 0) | (query_length == 0)
    plane = Plane(
        query_length=query_length,
        key_lengths=lengths,
        cosines=np.where(undefined, np.nan, measured["cosines"]),
        angles=np.where(undefined, np.nan, np.degrees(measured["angles"])),
        dots=measured["dots"],
    )
    close_fields(plane)
    return plane
