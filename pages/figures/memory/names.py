"""Names of files of predictions: another question, another name; what is usual goes unsaid."""

from __future__ import annotations

from collections.abc import Iterable

from engine.experiments.memory.predicted import Params
from engine.experiments.memory.shape import Shape
from pages.text.memory_words import named_alike

_USUAL = Params()


def stem(word: str, params: Params, *parts: object) -> str:
    """Return a file stem that says what is inside: ``memory-bytes-llama-3-8b-inference-T8192``."""
    return "-".join(["memory", word, _model(params.shape), *filter(None, map(str, parts))])


def _model(shape: Shape) -> str:
    """Return the names of a shape, or all of its sizes."""
    names = [preset.name for preset in named_alike(shape)]
    sizes = f"{shape.layers}x{shape.heads}x{shape.d_k}-kv{shape.kv_heads}"
    widths = f"m{shape.d_model}-ff{shape.d_ff}{'-gated' if shape.gated else ''}"
    return "-".join(names or [sizes, widths])


def batch_part(params: Params) -> str:
    """Return the batch, where there is one."""
    return "" if params.batch == 1 else f"B{params.batch}"


def counted_parts(params: Params) -> list[str]:
    """Return what changes the bytes of one device, apart from model, mode, numbers and T."""
    cached = params.cache or params.mode == "training"
    return [
        batch_part(params),
        "" if cached else "no-cache",
        "weights" if params.weights else "",
        "" if params.block == _USUAL.block else f"block{params.block}",
        "" if params.window == _USUAL.window else f"window{params.window}",
    ]


def devices_part(params: Params) -> str:
    """Return the devices, where they are several."""
    return "" if params.devices == 1 else f"N{params.devices}"


def budget_part(params: Params, *, always: bool = False) -> str:
    """Return the chosen budget, where it is not the usual one; ``machine`` is this machine's."""
    if params.budget == _USUAL.budget and not always:
        return ""
    return f"{_plain(params.budget)}GiB" if params.budget else "machine"


def budgets_part(params: Params) -> str:
    """Return the budgets that are compared, where they are not the usual ones."""
    budgets = sorted(set(params.budgets))
    return "" if budgets == sorted(_USUAL.budgets) else f"of-{_joined(budgets)}"


def _joined(budgets: Iterable[float]) -> str:
    return "-".join(map(_plain, budgets))


def _plain(gib: float) -> str:
    """Return a number without a power of ten."""
    return f"{gib:.12f}".rstrip("0").rstrip(".")
