"""How two layers tell whom "it" means: a model that is built by hand, each matrix readable.

Each word is a list of features, 1 where it has one. Layer 1: the pronoun looks for words that
ask something of what they are said of, and takes over what they ask ("tired" asks for the living,
"wide" for a width). Layer 2: whoever carries such a demand looks for a word that meets it, and
takes over what that is. Both have one head, no mask, a residual connection, and scores divided by
the root of d_k; there is no feed-forward part and no normalisation.

Shape legend: T words, F features, D = d_k of a layer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.attention import AttentionTrace, choose_backend, trace_attention
from engine.backends import Backend
from engine.errors import NumberError
from engine.experiments.context.two_endings import (
    ANIMAL,
    ENDINGS,
    IT,
    LAST,
    STREET,
    TOKENS,
    EndingName,
)
from engine.experiments.masks.rounding import UNITS
from engine.experiments.properties.heads import require_switch
from engine.experiments.read_only import close_fields, read_only
from engine.experiments.scaling.inputs import is_within, shown
from engine.shapes import Array

MOST_STRENGTH = 50.0
LEAST_LEAD = UNITS * float(np.finfo(np.float32).eps)  # of logarithms
# What a word can be: living, with a width, a pronoun; and what it can ask: "tired" asks whatever
# it is said of to be living, "wide" to have a width.
FEATURES = ("living", "width", "pronoun", "asks_living", "asks_width")
# What each column of W_Q and W_K is about, layer by layer: "asks" whether a word asks anything.
CHANNELS = (("asks",), ("living", "width"))


@dataclass(frozen=True)
class TwoLayersParams:
    """How the two layers compute.

    Attributes
    ----------
    strength : float
        The entry of W_Q in both layers, 0 to 50: how sharp the scores are.
    residual : bool
        Whether a layer adds what it reads to what it gives.
    """

    strength: float = 4.0
    residual: bool = True


@dataclass(frozen=True)
class Layer:
    """The matrices of one layer.

    Attributes
    ----------
    w_q, w_k : np.ndarray
        (F, D), float64.
    w_v : np.ndarray
        (F, F), float64: what is taken over keeps its feature.
    channels : tuple of str
        D names of the columns of W_Q and W_K.
    """

    w_q: Array
    w_k: Array
    w_v: Array
    channels: tuple[str, ...]


@dataclass(frozen=True)
class Walk:
    """One ending on its way through both layers.

    Attributes
    ----------
    name : {"tired", "wide"}
    tokens : tuple of str
        T words.
    states : tuple of np.ndarray
        (T, F) each: the words as they are, after layer 1, after layer 2.
    traces : tuple of AttentionTrace
        Every step of either layer.
    log_ratios : tuple of float
        log(w_animal / w_street) of "it" in either layer; 0 where both weigh the same.
    lead : float
        log(largest weight / second largest) of "it" in layer 2, 0 or more: how clear it finds.
    found : int or None
        The word that "it" gives the largest weight in layer 2, counted from 0; None where the two
        largest are equal to rounding.
    """

    name: EndingName
    tokens: tuple[str, ...]
    states: tuple[Array, Array, Array]
    traces: tuple[AttentionTrace, AttentionTrace]
    log_ratios: tuple[float, float]
    lead: float
    found: int | None

    def row(self, layer: int) -> Array:
        """Return the weights of "it" in a layer, counted from 0, (T,)."""
        weights: Array = self.traces[layer].weights[IT]
        return weights

    def carried(self, layer: int) -> Array:
        """Return what "it" is after so many layers, (F,)."""
        state: Array = self.states[layer][IT]
        return state


@dataclass(frozen=True)
class TwoLayersResult:
    """Both endings, "tired" first, through the same two layers.

    Attributes
    ----------
    features : tuple of str
        F names.
    query, animal, street, last : int
        Places in both, counted from 0: of "it", of the two nouns, and of the word that changes.
    """

    params: TwoLayersParams
    features: tuple[str, ...]
    layers: tuple[Layer, Layer]
    endings: tuple[Walk, Walk]
    query: int
    animal: int
    street: int
    last: int
    backend_name: str
    precision: str
    seconds: float

    def of(self, name: EndingName) -> Walk:
        """Return one ending by name."""
        return self.endings[ENDINGS.index(name)]

    @property
    def is_turned(self) -> bool:
        """Whether "it" finds the animal with "tired" and the street with "wide"."""
        return [walk.found for walk in self.endings] == [ANIMAL, STREET]


def walk_through(
    params: TwoLayersParams, *, backend: Backend | str | None = None
) -> TwoLayersResult:
    """Send both endings through both layers.

    Raises
    ------
    OptionError, NumberError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    _require_usable(params)
    chosen = choose_backend(backend)
    started = time.perf_counter()
    layers = layers_of(params.strength)
    tired, wide = (_walk(name, layers, params.residual, chosen) for name in ENDINGS)
    return TwoLayersResult(
        params=params,
        features=FEATURES,
        layers=layers,
        endings=(tired, wide),
        query=IT,
        animal=ANIMAL,
        street=STREET,
        last=LAST,
        backend_name=chosen.name,
        precision=chosen.precision,
        seconds=time.perf_counter() - started,
    )


def features_of(name: EndingName) -> Array:
    """Return the words of a sentence as features, (T, F); most words have none."""
    asks = {"tired": "asks_living", "wide": "asks_width"}[name]
    held = {ANIMAL: "living", STREET: "width", IT: "pronoun", LAST: asks}
    x = np.zeros((len(TOKENS[name]), len(FEATURES)))
    for place, feature in held.items():
        x[place, FEATURES.index(feature)] = 1
    return x


def layers_of(strength: float) -> tuple[Layer, Layer]:
    """Return the matrices of both layers."""
    hear = Layer(
        w_q=_matrix(CHANNELS[0], {("pronoun", "asks"): strength}),
        w_k=_matrix(CHANNELS[0], {("asks_living", "asks"): 1, ("asks_width", "asks"): 1}),
        w_v=_copying("asks_living", "asks_width"),
        channels=CHANNELS[0],
    )
    find = Layer(
        w_q=_matrix(
            CHANNELS[1], {("asks_living", "living"): strength, ("asks_width", "width"): strength}
        ),
        w_k=_matrix(CHANNELS[1], {("living", "living"): 1, ("width", "width"): 1}),
        w_v=_copying("living", "width"),
        channels=CHANNELS[1],
    )
    return hear, find


def _matrix(columns: tuple[str, ...], entries: dict[tuple[str, str], float]) -> Array:
    """Return a matrix of zeros but for some entries, (F, columns), each named by row and column."""
    matrix = np.zeros((len(FEATURES), len(columns)))
    for (row, column), value in entries.items():
        matrix[FEATURES.index(row), columns.index(column)] = value
    return read_only(matrix)[0]


def _copying(*features: str) -> Array:
    """Return a W_V that hands on some features as they are."""
    return _matrix(FEATURES, {(feature, feature): 1 for feature in features})


def _walk(name: EndingName, layers: tuple[Layer, Layer], residual: bool, backend: Backend) -> Walk:
    states = [features_of(name).astype(backend.precision)]
    traces = []
    for layer in layers:
        trace = trace_attention(states[-1], layer.w_q, layer.w_k, layer.w_v, backend=backend)
        close_fields(trace)
        traces.append(trace)
        states.append(backend.run(_add, states[-1], trace.output) if residual else trace.output)
    read_only(*states)
    first, second = traces
    return Walk(
        name=name,
        tokens=TOKENS[name],
        states=(states[0], states[1], states[2]),
        traces=(first, second),
        log_ratios=(_log_ratio(first), _log_ratio(second)),
        lead=_lead(second.weights[IT]),
        found=_found(second.weights[IT]),
    )


def _add(_xp: Any, read: Any, given: Any) -> Any:
    return read + given


def _log_ratio(trace: AttentionTrace) -> float:
    """Return log(w_animal / w_street) of "it"; the least weight there can be is far above 0."""
    row = trace.weights[IT]
    return float(np.log(row[ANIMAL]) - np.log(row[STREET]))


def _lead(row: Array) -> float:
    """Return the logarithm of the largest weight over the second largest."""
    *_, second, first = np.sort(row)
    return float(np.log(first) - np.log(second))


def _found(row: Array) -> int | None:
    """Return the place of the largest weight, if it leads by more than rounding.

    By more than that of float32, whatever the backend: each shall come to the same.
    """
    return int(np.argmax(row)) if _lead(row) > LEAST_LEAD else None


def _require_usable(params: TwoLayersParams) -> None:
    require_switch("residual", params.residual)
    if not is_within(params.strength, 0, MOST_STRENGTH):
        raise NumberError(
            "The strength must be a number from {least} to {most}, got {value}.",
            least=0,
            most=shown(MOST_STRENGTH),
            value=shown(params.strength),
        )
