"""What methods, tensors, budgets and amounts of memory are called, in the reader's language."""

from __future__ import annotations

from engine.experiments.memory.budgets import Budget
from engine.experiments.memory.predicted import MOST_T, Params
from engine.experiments.memory.presets import PRESETS, Preset
from engine.experiments.memory.shape import Shape
from engine.experiments.memory.tensors import tensors_of
from pages.text.marking import mark
from pages.text.translator import Translator

NOTHING = "–"
_METHODS = {
    "materialised": mark("Materialised"),
    "blocked": mark("Blocked"),
    "fused": mark("Fused"),
    "window": mark("Sliding window"),
}
_ABOUT = {
    "materialised": mark(
        "The scores and the weights of all pairs of tokens are in memory, as T × T matrices."
    ),
    "blocked": mark(
        "The scores and the weights of one block of queries and keys at a time are in memory."
    ),
    "fused": mark("Scores and weights stay inside the processor; memory never holds them."),
    "window": mark("A query sees the tokens of its window only; their scores are in memory."),
}
_MODES = {"inference": mark("inference"), "training": mark("training")}
# A gradient is named after its tensor.
_TENSORS = {
    "q": "Q",
    "k": "K",
    "v": "V",
    "k_cache": mark("K of other layers"),
    "v_cache": mark("V of other layers"),
    "k_in_transit": mark("K in transit"),
    "v_in_transit": mark("V in transit"),
    "scores": mark("scores"),
    "weights": mark("weights"),
    "output": mark("output"),
    "statistics": mark("row statistics"),
    "d_q_sums": mark("sums for the gradient of Q"),
    "model": mark("parameters"),
}
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB")
_IN_BUDGET, _IN_MACHINE = mark("in {amount}"), mark("in this machine's {amount}")
_ON_DEVICES = mark("on {count} devices of {amount}")
_ON_MACHINES = mark("on {count} machines like this one, of {amount}")
_STEP = 1024
_DIGITS = 3


def method_words(method: str, t: Translator) -> str:
    """Return how attention is computed, as a name."""
    return t(_METHODS[method])


def about_method(method: str, t: Translator) -> str:
    """Return in a sentence what a method keeps in memory."""
    return t(_ABOUT[method])


def mode_words(mode: str, t: Translator) -> str:
    """Return ``inference`` or ``training``."""
    return t(_MODES[mode])


def tensor_words(name: str, t: Translator) -> str:
    """Return the name of a tensor of ``engine.experiments.memory.tensors``."""
    if name in _TENSORS:
        return t(_TENSORS[name])
    return t("gradient of {tensor}", tensor=t(_TENSORS[name.removeprefix("d_")]))


def bytes_words(amount: float, t: Translator) -> str:
    """Return an amount of memory in binary units, with three digits.

    An exact number has no decimals that say nothing (``16 MiB``, ``1.5 GiB``), a rounded one keeps
    them (``24.0 GiB``): so what is a little more than a budget does not read like it. From 1,000 to
    1,024 of a unit there are four digits.

    Parameters
    ----------
    amount : float
        Bytes, 0 or more; a whole number of any size.
    t : Translator
    """
    unit = 0
    while unit + 1 < len(_UNITS) and amount >= _STEP ** (unit + 1):
        unit += 1
    # Rounding may reach the next unit: 1,023.99 MiB is 1.00 GiB.
    if unit + 1 < len(_UNITS) and round(amount / _STEP**unit) >= _STEP:
        unit += 1
    return t("{value} {unit}", value=_three_digits(amount, _STEP**unit), unit=_UNITS[unit])


def _three_digits(amount: float, unit: int) -> str:
    share = amount / unit
    for decimals in range(_DIGITS):
        # Exact in whole numbers, where a quotient could be rounded.
        if (amount * 10**decimals) % unit == 0 and share < 10 ** (_DIGITS - decimals):
            return f"{share:,.{decimals}f}"
    whole = len(str(int(share)))
    decimals = max(0, _DIGITS - whole)
    text = f"{share:,.{decimals}f}"
    # 9.999 becomes 10.00, which has a digit too many.
    grown = len(text.partition(".")[0].replace(",", "")) > whole
    return f"{share:,.{max(0, decimals - 1)}f}" if grown else text


def tokens_words(T: int) -> str:
    """Return how many tokens fit: a dash for none, ``≥ 10⁹`` where the search ends."""
    if T == 0:
        return NOTHING
    return "≥ 10⁹" if T >= MOST_T else f"{T:,}"


def budget_words(budget: Budget, t: Translator) -> str:
    """Return a budget of memory; that of this machine says so."""
    amount = bytes_words(budget.bytes, t)
    return t("this machine, {amount}", amount=amount) if budget.name else amount


def place_words(budget: Budget, devices: int, t: Translator) -> str:
    """Return where tokens fit: in a budget, or on several devices that have it each."""
    words = {"count": f"{devices:,}", "amount": bytes_words(budget.bytes, t)}
    if devices == 1:
        return t(_IN_MACHINE if budget.name else _IN_BUDGET, **words)
    return t(_ON_MACHINES if budget.name else _ON_DEVICES, **words)


def named_alike(shape: Shape) -> tuple[Preset, ...]:
    """Return the published models of a shape: GPT-2 small and BERT base have one and the same."""
    return tuple(preset for preset in PRESETS if preset.shape == shape)


def shape_words(shape: Shape, t: Translator) -> str:
    """Return a model by its name, one without a name by its layers, heads and head size."""
    found = named_alike(shape)
    if found:
        return " / ".join(preset.title for preset in found)
    return t(
        "layers = {layers}, heads = {heads}, KV heads = {kv_heads}, d_k = {d_k}",
        layers=f"{shape.layers:,}",
        heads=f"{shape.heads:,}",
        kv_heads=f"{shape.kv_heads:,}",
        d_k=f"{shape.d_k:,}",
    )


def parameters_words(params: Params, t: Translator) -> str:
    """Return how much the parameters add at any T, where they are counted."""
    if not params.weights:
        return ""
    amount = sum(part.bytes for part in tensors_of(params, "fused") if part.name == "model")
    return t(
        "The model's parameters are counted: {amount} a device.", amount=bytes_words(amount, t)
    )


def each_words(params: Params, t: Translator) -> str:
    """Return that the bytes are those of one device, where there are several."""
    if params.devices == 1:
        return ""
    return t("Bytes are those on each of {count} devices.", count=f"{params.devices:,}")


def dense_words(shape: Shape, t: Translator) -> str:
    """Return that a model has sparse layers, which are counted as dense; nothing of others."""
    banded = [preset.title for preset in named_alike(shape) if preset.banded]
    if not banded:
        return ""
    return t(
        "Every layer is counted as dense, though {model} alternates dense and banded ones.",
        model=" / ".join(banded),
    )
