"""What the memory page is asked."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from engine.errors import NumberError, OptionError
from engine.experiments.memory.limits import grouped, require_batch, require_dtype
from engine.experiments.memory.presets import Preset
from engine.experiments.memory.shape import DTYPES, Shape, require_shape
from engine.experiments.scaling.inputs import is_within
from engine.experiments.whole_number import is_whole

MODES = ("inference", "training")
MOST_T = 10**9
MOST_BATCH = 4_096
MOST_BLOCK = 65_536
MOST_DEVICES = 1_024
MOST_BUDGET = 1_048_576.0  # GiB, one PiB
MOST_BUDGETS = 8


@dataclass(frozen=True)
class Params:
    """A model, a prompt and a machine.

    Attributes
    ----------
    T : int
        Tokens of a sequence, 1 to 10^9; self-attention, so there are as many keys.
    batch : int
        Sequences at once, 1 to 4,096.
    layers, heads, kv_heads, d_k, d_model, d_ff, gated
        As in `Shape`.
    dtype : {"float64", "float32", "bfloat16", "float16"}
        Of every tensor, apart from what `tensors` says.
    mode : {"inference", "training"}
        A prompt that passes once, or the backward pass too.
    cache : bool
        Whether inference keeps the keys and values of every layer (the KV cache).
    block : int
        Queries, and keys, of one block of the blocked method, 1 to 65,536.
    window : int
        Keys that a query sees in the method with a sliding window, 1 to 10^9.
    budget : float
        GiB that must suffice, above 0 to 1,048,576; 0 stands for this machine's memory.
    budgets : tuple of float
        1 to 8 budgets to compare, GiB, each above 0.
    devices : int
        1 to 1,024 devices that share the tokens of each sequence evenly.
    weights : bool
        Whether the parameters of the layers are counted too.
    """

    T: int = 8192
    batch: int = 1
    layers: int = 32
    heads: int = 32
    kv_heads: int = 8
    d_k: int = 128
    d_model: int = 4096
    d_ff: int = 14336
    gated: bool = True
    dtype: str = "bfloat16"
    mode: str = "inference"
    cache: bool = True
    block: int = 512
    window: int = 4096
    budget: float = 24.0
    budgets: tuple[float, ...] = (16.0, 24.0, 80.0, 141.0, 512.0)
    devices: int = 1
    weights: bool = False

    def __post_init__(self) -> None:
        # Whole numbers of NumPy overflow in silence, and bytes are many; Python's own never do.
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.integer):
                object.__setattr__(self, field.name, int(value))

    @property
    def shape(self) -> Shape:
        """The sizes of the model."""
        return Shape(
            layers=self.layers,
            heads=self.heads,
            kv_heads=self.kv_heads,
            d_k=self.d_k,
            d_model=self.d_model,
            d_ff=self.d_ff,
            gated=self.gated,
        )

    @property
    def itemsize(self) -> int:
        """Bytes of one number."""
        return DTYPES[self.dtype]


def with_preset(params: Params, preset: Preset) -> Params:
    """Return the same question about a published model, at its own context length.

    An encoder keeps no cache.
    """
    shape = preset.shape
    return replace(
        params,
        T=preset.T,
        layers=shape.layers,
        heads=shape.heads,
        kv_heads=shape.kv_heads,
        d_k=shape.d_k,
        d_model=shape.d_model,
        d_ff=shape.d_ff,
        gated=shape.gated,
        cache=preset.decoder,
    )


def require_params(params: Params) -> None:
    """Refuse parameters out of their limits.

    Raises
    ------
    OptionError, NumberError
        One sentence that says what is allowed and what arrived.
    """
    require_shape(params.shape)
    require_sizes(params)
    _require_options(params)
    _require_switches(params)
    _require_budgets(params)


def require_sizes(params: Params) -> None:
    """Refuse a number of tokens, sequences, keys or devices out of its limits."""
    require_tokens(params.T)
    require_batch(params.batch, MOST_BATCH)
    if not is_whole(params.block, 1, MOST_BLOCK):
        raise OptionError(
            "The block size must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_BLOCK),
            size=grouped(params.block),
        )
    if not is_whole(params.window, 1, MOST_T):
        raise OptionError(
            "The window must be a whole number of keys from 1 to {most}, got {size}.",
            most=grouped(MOST_T),
            size=grouped(params.window),
        )
    require_devices(params.devices)


def require_tokens(T: object) -> None:
    """Refuse a T that is not a whole number from 1 to ``MOST_T``."""
    if not is_whole(T, 1, MOST_T):
        raise OptionError(
            "T must be a whole number of tokens from 1 to {most}, got {size}.",
            most=grouped(MOST_T),
            size=grouped(T),
        )


def require_devices(devices: object) -> None:
    """Refuse a number of devices that is not a whole number from 1 to ``MOST_DEVICES``."""
    if not is_whole(devices, 1, MOST_DEVICES):
        raise OptionError(
            "The number of devices must be a whole number from 1 to {most}, got {size}.",
            most=grouped(MOST_DEVICES),
            size=grouped(devices),
        )


def _require_options(params: Params) -> None:
    require_dtype(params.dtype, DTYPES)
    if params.mode not in MODES:
        raise OptionError(
            "The mode must be one of {known}, got {name}.",
            known=", ".join(MODES),
            name=grouped(params.mode),
        )


def _require_switches(params: Params) -> None:
    if not isinstance(params.cache, bool):
        raise OptionError(
            "Whether the KV cache is kept must be true or false, got {value}.",
            value=grouped(params.cache),
        )
    if not isinstance(params.weights, bool):
        raise OptionError(
            "Whether parameters are counted must be true or false, got {value}.",
            value=grouped(params.weights),
        )


def _require_budgets(params: Params) -> None:
    if not is_within(params.budget, 0, MOST_BUDGET):
        raise NumberError(
            "The budget must be a number of GiB above 0 and at most {most}, or 0 for the memory "
            "of this machine; got {value}.",
            most=grouped(int(MOST_BUDGET)),
            value=grouped(params.budget),
        )
    if not isinstance(params.budgets, tuple | list) or not 1 <= len(params.budgets) <= MOST_BUDGETS:
        raise OptionError(
            "Compare from 1 to {most} budgets at a time, got {count}.",
            most=MOST_BUDGETS,
            count=_count(params.budgets),
        )
    for budget in params.budgets:
        if not is_within(budget, 0, MOST_BUDGET) or budget == 0:
            raise NumberError(
                "Each budget must be a number of GiB above 0 and at most {most}, got {value}.",
                most=grouped(int(MOST_BUDGET)),
                value=grouped(budget),
            )


def _count(budgets: object) -> object:
    return len(budgets) if isinstance(budgets, tuple | list) else grouped(budgets)
