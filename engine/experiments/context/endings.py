"""One token in two texts: where its attention goes, and which heads turn.

Shape legend: L layers, H heads, S tokens that both texts share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.backends import Backend
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study, Studying
from engine.shapes import Array

Places = tuple[int, int]  # of one token, from 0: in the first text and in the second


@dataclass(frozen=True)
class EndingsParams:
    """Two texts, and what is compared.

    Attributes
    ----------
    model, version : str
        As in `StudyParams`.
    first, second : str
        The texts.
    query : int
        The token whose row is compared: its position in the first text, from 1; 0 = automatic.
    one, other : int
        The two tokens it may mean: positions in the first text, from 1; 0 = automatic.
    specials : str
        What becomes of special tokens in the rows.
    """

    model: str = ""
    version: str = ""
    first: str = PAIRS[0].first
    second: str = PAIRS[0].second
    query: int = 0
    one: int = 0
    other: int = 0
    specials: Specials = "shown"


@dataclass(frozen=True)
class EndingsResult:
    """The rows of one token in two texts.

    Attributes
    ----------
    params : EndingsParams
    first, second : Study
    shared : tuple of (int, int)
        S tokens of both texts, from 0: those of their common beginning and their common end. When
        special tokens are not shown they are not among these.
    query, one, other : (int, int)
        Where the tokens stand in the first and in the second text, from 0.
    rows : np.ndarray
        (2, L, H, S): weights of the query on the shared tokens.
    rest : np.ndarray
        (2, L, H): its weight on the tokens that are not shared.
    movement : np.ndarray
        (L, H): half the sum of the absolute differences of ``rows`` and ``rest``: the share of
        its attention that moves (total variation; at least, as what is not shared counts as one).
    preference : np.ndarray
        (2, L, H): weight on ``one`` minus weight on ``other``.
    log_ratio : np.ndarray
        (2, L, H): natural logarithm of weight on ``one`` : weight on ``other``; NaN where one of
        them is 0.
    turned : np.ndarray
        bool, (L, H): whether the query prefers one in one text and the other in the other, by
        more than rounding.
    most_moved : (int, int)
        Layer and head, from 0, that move most.
    most_turned : (int, int) or None
        Among those that turn, the one whose preference changes most.
    first_layer_difference : float
        Largest difference of ``log_ratio`` between the texts in layer 1; NaN where it is nowhere
        defined. 0 but for rounding when ``same_places``.
    same_places : bool
        Whether query, one and other stand at the same positions in both texts.
    automatic : bool
        Whether ``one`` or ``other`` was chosen by its weights, in no pair that is known.
    backend_name, precision : str
    seconds : float
    """

    params: EndingsParams
    first: Study
    second: Study
    shared: tuple[Places, ...]
    query: Places
    one: Places
    other: Places
    rows: Array
    rest: Array
    movement: Array
    preference: Array
    log_ratio: Array
    turned: Array
    most_moved: tuple[int, int]
    most_turned: tuple[int, int] | None
    first_layer_difference: float
    same_places: bool
    automatic: bool
    backend_name: str
    precision: str
    seconds: float


def compare_endings(
    params: EndingsParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
    study: Studying | None = None,
) -> EndingsResult:
    """Compare the rows of one token in two texts."""
    raise NotImplementedError
