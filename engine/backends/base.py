"""What a backend is: a small protocol, and the two records that describe one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engine.errors import EngineError
from engine.shapes import Array

# compute(xp, *native_arrays, **static) -> native arrays, alone or in a tuple, list or dict
Compute = Callable[..., Any]


@dataclass(frozen=True)
class Measurement:
    """What a computation cost.

    Attributes
    ----------
    seconds : float
        Median wall time of one evaluation, after a warm-up.
    peak_bytes : int
        Most memory held at once beyond the inputs: Python allocations on NumPy, MLX's own
        active peak (without its cache) on MLX.
    all_seconds : tuple of float
        Wall time of every evaluation after the warm-up, in order.
    """

    seconds: float
    peak_bytes: int
    all_seconds: tuple[float, ...] = ()


@dataclass(frozen=True)
class BackendStatus:
    """One backend the product knows, available on this machine or not.

    Attributes
    ----------
    name : str
        ``"mlx"`` or ``"numpy"``.
    available : bool
    automatic : bool
        True for the one that ``get_backend(None)`` picks.
    kind : str
        ``"gpu"``, ``"cpu"``, or empty when unavailable.
    device : str
        Short proper name, such as ``Apple M3 Max``; empty when unavailable.
    precision : str
        What ``trace_attention`` computes in: ``"float64"`` or ``"float32"``.
    reason : EngineError or None
        Why it is unavailable, in one sentence.
    """

    name: str
    available: bool
    automatic: bool
    kind: str
    device: str
    precision: str
    reason: EngineError | None


class Backend(Protocol):
    """Computes in one library, NumPy arrays in and NumPy arrays out."""

    @property
    def name(self) -> str:
        """``"mlx"`` or ``"numpy"``."""

    @property
    def kind(self) -> str:
        """``"gpu"`` or ``"cpu"``."""

    @property
    def precision(self) -> str:
        """What ``trace_attention`` computes in."""

    @property
    def device_name(self) -> str:
        """Short proper name of the device."""

    @property
    def device(self) -> str:
        """A sentence a person can read."""

    def run(self, compute: Compute, *arrays: Array, **static: Any) -> Any:
        """Convert ``arrays`` in, call ``compute(xp, *native, **static)``, convert out."""

    def attend(
        self,
        q: Array,
        k: Array,
        v: Array,
        *,
        mask: Array | None,
        bias: Array | None,
        causal: bool,
        scale: float,
    ) -> Array:
        """Compute attention on checked arrays: q (B, H, T, D), k (B, H_kv, S, D), v (..., E).

        ``mask`` and ``bias`` have four axes, each of full size or 1.
        """

    def measure(
        self, compute: Compute, *arrays: Array, repeats: int = 3, **static: Any
    ) -> Measurement:
        """Time ``run`` (median of ``repeats`` after a warm-up) and find its peak memory."""

    def measure_within(
        self,
        compute: Compute | None,
        *arrays: Array,
        repeats: int,
        peaks: int,
        longest: float,
        **static: Any,
    ) -> Measurement:
        """Measure as `engine.backends.measuring.measured` does.

        ``compute`` is called with arrays that are in place already: neither time nor peak holds
        the way there and back. None measures ``attend``, whose options ``static`` are then:
        ``causal`` and ``scale``.

        Raises
        ------
        BackendError
            If memory runs out.
        OverlongError
            If all runs would take longer than ``longest`` seconds.
        """

    def free_bytes(self) -> int:
        """Return the bytes that a computation may still take on this machine."""

    def attend_kernel(self, T: int, D: int) -> Literal["blocked", "fused", "fallback"]:
        """Return what computes ``attend`` of T queries with heads of size D, q, k and v alike.

        NumPy works in blocks; MLX takes its fused kernel, or falls back to whole matrices.
        """
