"""Hard and soft lookup in one table, with every similarity and at every temperature.

Shape legend: n rows, d the width of query and keys, e the width of the values, F temperatures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.backends import Backend
from engine.errors import EngineError
from engine.experiments.lookup.table import Params, Similarity
from engine.shapes import Array

__all__ = ["Looked", "Params", "Plane", "Result", "run"]


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
    """

    similarity: Similarity
    scores: Array
    weights: Array
    contributions: Array
    output: Array
    effective: float
    refused: EngineError | None = None


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
        The rows with the largest score of the chosen similarity; several where they are equal to
        rounding. They are what hard lookup takes.
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
    raise NotImplementedError
