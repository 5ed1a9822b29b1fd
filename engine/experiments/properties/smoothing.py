"""What depth does to the differences between positions: random layers of self-attention.

A layer is multi-head self-attention without a mask and without a feed-forward part; W_Q, W_K, W_V
and W_O are normal with variance 1/d_model, drawn anew for each layer.

How fast the mean cosine between positions rises depends on the sizes. Random layers are said to
reach 0.98 after 2 layers without residual connections, and 0.17 after 4 with them: with
normalisation, 4 heads, T = 48, d_model = 256 and the seeds 1 to 4 the means are 0.97 and 0.17. A
residual connection delays it; in a deep stack the vectors become alike all the same.

Shape legend: R seeds, L layers, T positions.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engine.attention import choose_backend, softmax
from engine.backends import Backend
from engine.backends.threads import one_blas_thread
from engine.errors import NumberError, OptionError
from engine.experiments.properties.heads import require_switch
from engine.experiments.read_only import read_only
from engine.experiments.scaling.inputs import require_count, require_seed, shown, stream
from engine.experiments.scaling.progress import Progress
from engine.experiments.whole_number import is_whole
from engine.shapes import Array

HEADS = (1, 2, 4, 8, 16)
LEAST_T, MOST_T = 2, 128
LEAST_WIDTH, MOST_WIDTH = 2, 256
MOST_LAYERS = 48
MOST_SEEDS = 16
MOST_OPERATIONS = 150_000_000_000  # some ten seconds of one core
EPSILON = 1e-5  # of layer normalisation, as libraries have it
Measure = Literal["cosine", "rank", "norm"]
Key = tuple[bool, int]  # with residual or not, number of heads


@dataclass(frozen=True)
class SmoothingParams:
    """A stack of layers, with a residual connection and without one.

    Attributes
    ----------
    T : int
        Positions, 2 to 128.
    d_model : int
        2 to 256.
    layers : int
        1 to 48.
    heads : tuple of int
        From 1, 2, 4, 8 and 16, each dividing d_model; in any order, kept rising.
    norm : bool
        Layer normalisation: with the residual connection of what attention reads (pre-norm),
        without it of what attention gives.
    seeds : tuple of int
        1 to 16 different ones, each 0 to 999,999; one stack is drawn from each.
    """

    T: int = 32
    d_model: int = 64
    layers: int = 12
    heads: tuple[int, ...] = (1,)
    norm: bool = False
    seeds: tuple[int, ...] = (1, 2, 3, 4)


@dataclass(frozen=True)
class SmoothingResult:
    """Every stack after each layer; column 0 is the input.

    Attributes
    ----------
    heads : tuple of int
        Rising.
    cosine : dict
        (residual, heads) -> (R, L + 1): the mean cosine between two different positions. NaN where
        a vector is zero.
    rank : dict
        The same of the effective rank: exp of the entropy of the singular values over their sum
        (Roy and Vetterli 2007). NaN where all is zero.
    norm : dict
        The same of the root of the mean square of all components.
    """

    params: SmoothingParams
    heads: tuple[int, ...]
    cosine: Mapping[Key, Array]
    rank: Mapping[Key, Array]
    norm: Mapping[Key, Array]
    backend_name: str
    precision: str
    seconds: float

    def of(self, measure: Measure) -> Mapping[Key, Array]:
        """Return one of the three by name."""
        return {"cosine": self.cosine, "rank": self.rank, "norm": self.norm}[measure]


def measure_smoothing(
    params: SmoothingParams,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> SmoothingResult:
    """Run the stacks.

    ``progress`` hears the share that is done after each layer; what it raises ends the run.

    Raises
    ------
    OptionError
        When a parameter is out of its range; the sentence says what is allowed.
    """
    heads = _checked(params)
    keys = [(residual, each) for residual in (False, True) for each in heads]
    chosen = choose_backend(backend)
    started = time.perf_counter()
    report = Progress(params.layers, progress)
    # On matrices of this size OpenBLAS's threads gain little, and on a busy machine lose much.
    with one_blas_thread():
        after = [_measures(states) for states in _states(params, keys, chosen, report)]
    found = np.stack(after, axis=-1)  # (3, keys, R, L + 1)
    seconds = time.perf_counter() - started
    read_only(found)
    cosine, rank, norm = (dict(zip(keys, each, strict=True)) for each in found)
    made_by = (chosen.name, chosen.precision)
    return SmoothingResult(params, heads, cosine, rank, norm, *made_by, seconds)


def _states(
    params: SmoothingParams, keys: list[Key], backend: Backend, report: Progress
) -> Iterator[Array]:
    """Yield the vectors (keys, R, T, d_model) of the input and after each layer."""
    drawn = [_Drawn(seed) for seed in params.seeds]
    x = np.stack([each.input(params.T, params.d_model) for each in drawn])
    states = np.stack([x.astype(backend.precision)] * len(keys))
    yield states
    for layer in range(1, params.layers + 1):
        weights = np.stack([each.weights(params.d_model) for each in drawn], axis=1)
        states = backend.run(
            _layer, states, weights.astype(backend.precision), keys=keys, norm=params.norm
        )
        _refuse_overflow(states, layer, backend.precision)
        report.add(1)
        yield states


class _Drawn:
    """What one seed draws: the input, and the weights of one layer after the other.

    A deeper stack begins with every shallower one, a longer input with every shorter one, and
    none depends on the number of heads.
    """

    def __init__(self, seed: int) -> None:
        self._input, self._weights = (stream(seed, 0, name) for name in ("input", "layers"))

    def input(self, T: int, d_model: int) -> Array:
        """Return standard normal vectors, (T, d_model)."""
        return self._input.standard_normal((T, d_model))

    def weights(self, d_model: int) -> Array:
        """Return W_Q, W_K, W_V and W_O of the next layer, (4, d_model, d_model)."""
        return self._weights.standard_normal((4, d_model, d_model)) / math.sqrt(d_model)


def _layer(xp: Any, states: Any, weights: Any, *, keys: list[Key], norm: bool) -> Any:
    """Return the vectors after one layer, (keys, R, T, d_model)."""
    return xp.stack(
        [
            _with_residual(xp, states[n], weights, heads, norm)
            if residual
            else _without_residual(xp, states[n], weights, heads, norm)
            for n, (residual, heads) in enumerate(keys)
        ]
    )


def _with_residual(xp: Any, x: Any, weights: Any, heads: int, norm: bool) -> Any:
    return x + _attention(xp, _normalised(xp, x) if norm else x, weights, heads)


def _without_residual(xp: Any, x: Any, weights: Any, heads: int, norm: bool) -> Any:
    output = _attention(xp, x, weights, heads)
    return _normalised(xp, output) if norm else output


def _attention(xp: Any, x: Any, weights: Any, heads: int) -> Any:
    """Return multi-head self-attention of x (R, T, d_model), projections and output included."""
    q, k, v = (_split(xp, xp.matmul(x, weights[n]), heads) for n in range(3))  # (R, heads, T, D)
    scores = xp.matmul(q, xp.swapaxes(k, -1, -2)) / math.sqrt(q.shape[-1])
    together = xp.swapaxes(xp.matmul(softmax(xp, scores), v), 1, 2)
    return xp.matmul(together.reshape(x.shape), weights[3])


def _split(xp: Any, projected: Any, heads: int) -> Any:
    R, T, d_model = projected.shape
    return xp.swapaxes(projected.reshape(R, T, heads, d_model // heads), 1, 2)


def _normalised(xp: Any, x: Any) -> Any:
    """Return layer normalisation of each vector, without gain and bias (Ba et al. 2016)."""
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    variance = xp.mean(centred * centred, axis=-1, keepdims=True)
    return centred / xp.sqrt(variance + EPSILON)


def _measures(states: Array) -> Array:
    """Return mean cosine, effective rank and size in float64, (3, keys, R)."""
    x = states.astype(np.float64)
    size = np.abs(x).max(axis=(-1, -2), keepdims=True)
    # In units of the largest component, so that no square is lost or infinite.
    x = x / np.where(size == 0, 1.0, size)
    root = np.sqrt((x * x).mean(axis=(-1, -2))) * size[..., 0, 0]
    return np.stack([_mean_cosine(x), _effective_rank(x), root])


def _mean_cosine(x: Array) -> Array:
    """Return the mean cosine of two different rows; NaN where a row is zero."""
    T = x.shape[-2]
    largest = np.abs(x).max(axis=-1, keepdims=True)
    # A row may be so much smaller than the others that its squares are lost beside theirs.
    rows = x / np.where(largest == 0, np.nan, largest)
    units = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    # The square of the sum of T unit vectors holds T squares, and each pair twice.
    together = (units.sum(axis=-2) ** 2).sum(axis=-1)
    mean: Array = (together - T) / (T * (T - 1))
    return mean


def _effective_rank(x: Array) -> Array:
    """Return exp of the entropy of the singular values over their sum; NaN where all are zero."""
    values = np.linalg.svd(x, compute_uv=False)
    total = values.sum(axis=-1, keepdims=True)
    shares = values / np.where(total == 0, np.nan, total)
    logs = np.log(np.where(shares > 0, shares, 1.0))  # a share of 0 adds nothing to the entropy
    rank: Array = np.exp(-(shares * logs).sum(axis=-1))
    return rank


def _refuse_overflow(states: Array, layer: int, precision: str) -> None:
    if not np.isfinite(states).all():
        raise NumberError(
            "The vectors overflow {precision} in layer {layer}; take fewer layers, or normalise.",
            precision=precision,
            layer=layer,
        )


def _checked(params: SmoothingParams) -> tuple[int, ...]:
    """Return the numbers of heads, rising, once every parameter is in its range."""
    require_count("T", params.T, LEAST_T, MOST_T)
    require_count("d_model", params.d_model, LEAST_WIDTH, MOST_WIDTH)
    require_count("layers", params.layers, 1, MOST_LAYERS)
    require_switch("norm", params.norm)
    heads = _heads_of(params.heads, params.d_model)
    _require_seeds(params.seeds)
    _require_possible(params, heads)
    return heads


def _heads_of(given: object, d_model: int) -> tuple[int, ...]:
    """Return the different numbers of heads, rising."""
    if not isinstance(given, tuple | list) or not given:
        raise _no_heads(given or '""')
    for heads in given:
        if not is_whole(heads, 1, max(HEADS)) or heads not in HEADS:
            raise _no_heads(heads)
        if d_model % heads:
            raise OptionError(
                "d_model must be a multiple of the number of heads, got d_model = {d_model} and "
                "{heads} heads.",
                d_model=d_model,
                heads=heads,
            )
    return tuple(sorted({int(heads) for heads in given}))


def _no_heads(value: object) -> OptionError:
    return OptionError(
        "Choose at least one number of heads from {heads}, got {value}.",
        heads=", ".join(map(str, HEADS)),
        value=shown(value),
    )


def _require_seeds(seeds: object) -> None:
    if not isinstance(seeds, tuple | list) or not 1 <= len(seeds) <= MOST_SEEDS:
        raise OptionError(
            "Choose from 1 to {most} seeds at a time, got {value}.",
            most=MOST_SEEDS,
            value=shown(seeds or '""'),
        )
    for seed in seeds:
        require_seed(seed)
    if len(set(seeds)) < len(seeds):
        raise OptionError(
            "Each seed may be chosen once only, got {value}.",
            value=", ".join(map(str, seeds)),
        )


def operations_of(params: SmoothingParams, heads: tuple[int, ...]) -> int:
    """Return the multiplications and additions of the layers; both ways, all seeds and heads."""
    T, d_model = params.T, params.d_model
    layer = 8 * T * d_model**2 + 4 * T**2 * d_model
    return 2 * len(heads) * len(params.seeds) * params.layers * layer


def _require_possible(params: SmoothingParams, heads: tuple[int, ...]) -> None:
    operations = operations_of(params, heads)
    if operations > MOST_OPERATIONS:
        raise OptionError(
            "This needs {operations} operations, and at most {most} are done; take fewer layers, "
            "seeds or numbers of heads, a smaller d_model or T.",
            operations=f"{operations:,}",
            most=f"{MOST_OPERATIONS:,}",
        )
