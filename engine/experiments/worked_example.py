"""The worked example: a few tokens, six steps, every number in sight.

Shape legend: T query positions, S key positions (T itself in self-attention).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.attention import AttentionTrace, choose_backend, trace_attention
from engine.backends import Backend
from engine.errors import EngineError, NumberError, OptionError, ShapeError
from engine.experiments.matrices import Matrix, clean_labels, matrix_from_rows
from engine.masks import causal_mask

__all__ = [
    "LIMITS",
    "NAMES",
    "ROLES",
    "ROLE_NAMES",
    "STEPS",
    "Matrix",
    "Params",
    "Result",
    "Sizes",
    "clean_labels",
    "matrix_from_rows",
    "matrix_of",
    "require_applicable",
    "require_size",
    "run",
    "sizes_of",
    "validate",
]

STEPS = ("project", "score", "scale", "mask", "softmax", "output")
ROLE_NAMES = {"q": "query", "k": "key", "v": "value"}
ROLES = tuple(ROLE_NAMES)
LIMITS: dict[str, tuple[int, int]] = {
    "T": (1, 12),
    "S": (1, 12),
    "d_model": (1, 12),
    "d_k": (1, 8),
    "d_v": (1, 8),
}
# What each matrix is called on screen, in messages and in exports. C is the second input.
NAMES: dict[str, str] = {"x": "X", "w_q": "W_Q", "w_k": "W_K", "w_v": "W_V", "context": "C"}


@dataclass(frozen=True)
class Params:
    """What a worked example starts from; ``Params()`` is the textbook's (section 2.8).

    Attributes
    ----------
    x : Matrix
        (T, d_model), one row a token.
    w_q, w_k : Matrix
        (d_model, d_k).
    w_v : Matrix
        (d_model, d_v).
    context : Matrix or None
        (S, d_model), feeds K and V (cross-attention); None is self-attention.
    tokens, context_tokens : tuple of str
        One label for each row of ``x`` and of ``context``.
    scaled : bool
        Whether scores are divided by sqrt(d_k).
    causal : bool
        Whether a query is kept from keys after its own position.
    """

    x: Matrix = (
        (1.0, 0.0, 1.0, 0.0),
        (0.0, 1.0, 0.0, 1.0),
        (1.0, 1.0, 0.0, 0.0),
        (0.0, 0.0, 1.0, 1.0),
    )
    w_q: Matrix = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.0, 0.0))
    w_k: Matrix = ((0.0, 1.0), (1.0, 0.0), (0.0, 1.0), (1.0, 0.0))
    w_v: Matrix = ((1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0))
    context: Matrix | None = None
    tokens: tuple[str, ...] = ("x1", "x2", "x3", "x4")
    context_tokens: tuple[str, ...] = ()
    scaled: bool = True
    causal: bool = False

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """Labels of the key positions: those of C in cross-attention, of X else."""
        return self.tokens if self.context is None else self.context_tokens


@dataclass(frozen=True)
class Sizes:
    """The five sizes of a worked example."""

    T: int
    S: int
    d_model: int
    d_k: int
    d_v: int


@dataclass(frozen=True)
class Result:
    """A computed worked example, and what computed it.

    Attributes
    ----------
    precision : str
        ``"float64"`` or ``"float32"``: what the trace was computed in.
    seconds : float
        How long the trace took.
    """

    params: Params
    sizes: Sizes
    trace: AttentionTrace
    backend_name: str
    device: str
    precision: str
    seconds: float


def sizes_of(params: Params) -> Sizes:
    """Read the sizes off the matrices; meaningful once ``validate`` has passed."""
    keys = params.x if params.context is None else params.context
    return Sizes(
        T=len(params.x),
        S=len(keys),
        d_model=len(params.x[0]),
        d_k=len(params.w_q[0]),
        d_v=len(params.w_v[0]),
    )


def validate(params: Params) -> None:
    """Refuse a worked example that is not well formed, in one sentence with its place.

    Raises
    ------
    ShapeError
        When sizes are out of the limits or do not fit together.
    NumberError
        When a cell is not a finite number.
    OptionError
        When a switch is neither true nor false.
    EngineError
        When a token label is unusable.
    """
    for field, name in NAMES.items():
        matrix = getattr(params, field)
        if field != "context" or matrix is not None:
            matrix_from_rows(matrix, name)
    _require_fit(params)
    sizes = sizes_of(params)
    for size_name in LIMITS:
        require_size(size_name, getattr(sizes, size_name))
    _require_labels(params, sizes)
    for name, value in (("scaled", params.scaled), ("causal", params.causal)):
        if not isinstance(value, bool):
            raise OptionError("{name} is a switch and must be true or false.", name=name)


def require_size(name: str, size: object) -> None:
    """Refuse a size outside ``LIMITS[name]``."""
    least, most = LIMITS[name]
    if isinstance(size, bool) or not isinstance(size, int) or not least <= size <= most:
        raise ShapeError(
            "{name} must be a whole number from {least} to {most}, got {size}.",
            name=name,
            least=least,
            most=most,
            size=size,
        )


def _require_fit(params: Params) -> None:
    d_model = len(params.x[0])
    for field in ("w_q", "w_k", "w_v"):
        rows = len(getattr(params, field))
        if rows != d_model:
            raise ShapeError(
                "{name} must have one row for each column of X (d_model), "
                "got {rows} rows for {d_model} columns.",
                name=NAMES[field],
                rows=rows,
                d_model=d_model,
            )
    if len(params.w_k[0]) != len(params.w_q[0]):
        raise ShapeError(
            "W_K must have as many columns as W_Q (d_k), since queries meet keys "
            "in a dot product; got {columns} and {d_k}.",
            columns=len(params.w_k[0]),
            d_k=len(params.w_q[0]),
        )
    if params.context is not None and len(params.context[0]) != d_model:
        raise ShapeError(
            "C must have as many columns as X (d_model), got {columns} and {d_model}.",
            columns=len(params.context[0]),
            d_model=d_model,
        )


def _require_labels(params: Params, sizes: Sizes) -> None:
    context_size = 0 if params.context is None else sizes.S
    for labels, size, name in (
        (params.tokens, sizes.T, NAMES["x"]),
        (params.context_tokens, context_size, NAMES["context"]),
    ):
        if not isinstance(labels, tuple):
            raise EngineError("The token labels of {name} must be a list.", name=name)
        clean_labels(labels, size, name)


def require_applicable(params: Params) -> None:
    """Refuse a causal mask that would leave the first queries without any key.

    Such a worked example is well formed, can be saved and opened, and cannot be computed.

    Raises
    ------
    OptionError
        When the mask is causal and there are fewer keys than queries.
    """
    sizes = sizes_of(params)
    if params.causal and sizes.T > sizes.S:
        raise OptionError(
            "A causal mask needs at least as many keys as queries, got {T} queries and {S} keys; "
            "switch the mask off or lengthen C.",
            T=sizes.T,
            S=sizes.S,
        )


def run(
    params: Params,
    *,
    backend: Backend | str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Result:
    """Compute the six steps.

    Parameters
    ----------
    backend : Backend or str, optional
        None is the best for this machine.
    progress : callable, optional
        Called with the share that is done, 0 to 1.

    Raises
    ------
    EngineError
        As ``validate`` and ``require_applicable`` do; and NumberError when a step overflows,
        BackendError when the backend is missing.
    """
    validate(params)
    require_applicable(params)
    sizes = sizes_of(params)
    chosen = choose_backend(backend)
    x, w_q, w_k, w_v = (_array(params, field) for field in ("x", "w_q", "w_k", "w_v"))
    context = None if params.context is None else _array(params, "context")
    started = time.perf_counter()
    mask = causal_mask(sizes.T, sizes.S) if params.causal else None
    scale = None if params.scaled else 1.0
    try:
        trace = trace_attention(
            x, w_q, w_k, w_v, context=context, mask=mask, scale=scale, backend=chosen
        )
    except NumberError as error:
        raise _named_as_on_screen(error) from None
    seconds = time.perf_counter() - started
    if progress is not None:
        progress(1.0)
    return Result(params, sizes, trace, chosen.name, chosen.device, chosen.precision, seconds)


def _named_as_on_screen(error: NumberError) -> NumberError:
    """Return the engine's refusal with X for ``x`` and W_Q for ``w_q``."""
    values = dict(error.values)
    values["name"] = NAMES.get(str(values.get("name")), values.get("name"))
    return error.with_values(values)


def _array(params: Params, field: str) -> npt.NDArray[np.float64]:
    matrix = matrix_from_rows(getattr(params, field), NAMES[field])
    return np.array(matrix, dtype=np.float64)


def matrix_of(result: Result, step: str, role: str = "q") -> npt.NDArray[np.floating]:
    """Return the matrix that a step produces.

    Parameters
    ----------
    step : str
        One of ``STEPS``.
    role : str
        For ``"project"`` only: ``"q"``, ``"k"`` or ``"v"``.

    Returns
    -------
    ndarray
        Q, K or V; (T, S) for score, scale, mask and softmax; (T, d_v) for output.

    Raises
    ------
    OptionError
        When there is no such step or role.
    """
    trace = result.trace
    if role not in ROLES:
        raise OptionError("A role must be one of q, k and v, got {role}.", role=role)
    matrices = {
        "project": getattr(trace, role),
        "score": trace.scores,
        "scale": trace.scaled,
        "mask": trace.masked,
        "softmax": trace.weights,
        "output": trace.output,
    }
    if step not in matrices:
        raise OptionError(
            "A step must be one of {steps}, got {step}.", steps=", ".join(STEPS), step=step
        )
    return np.asarray(matrices[step])
