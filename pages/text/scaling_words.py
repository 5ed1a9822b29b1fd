"""What rules, distributions, measures and optimisers are called, in the reader's language.

The words of the text's table stand here as our own; what is measured stands beside them.
"""

from __future__ import annotations

from engine.experiments.scaling.components import Distribution
from engine.experiments.scaling.saturation import Rule
from engine.experiments.scaling.training import Optimiser
from pages.text.marking import mark
from pages.text.translator import Translator

_RULES: dict[Rule, str] = {
    "unscaled": mark("unscaled"),
    "sqrt": mark("divided by √d_k"),
    "linear": mark("divided by d_k"),
    "own": mark("divided by d_k^c, c = {exponent}"),
}
# The same on a figure, where a name stands at the end of its line.
_SIGNS: dict[Rule, str] = {
    "unscaled": mark("unscaled"),
    "sqrt": mark("÷√d_k"),
    "linear": mark("÷d_k"),
    "own": mark("÷d_k^c, c = {exponent}"),
}
_DISTRIBUTIONS: dict[Distribution, str] = {
    "normal": mark("normal"),
    "uniform": mark("uniform"),
    "rademacher": mark("signs ±1 (Rademacher)"),
    "laplace": mark("Laplace"),
}
_MEASURES = {
    "largest": mark("mean largest weight"),
    "effective": mark("mean effective keys"),
    "saturated": mark("share of rows over 0.99"),
    "jacobian": mark("mean norm of the Jacobian"),
}
_SYMBOLS = {"w_q": "W_Q", "w_k": "W_K", "q": "q", "k": "k"}
_OPTIMISERS: dict[Optimiser, str] = {"adam": "Adam", "sgd": "SGD"}
# What the text says of softmax at each width of its table, unscaled; scaled it says one thing.
_TEXT_WORDS = {
    16: mark("slightly sharp but learnable"),
    64: mark("nearly saturated"),
    256: mark("severely saturated"),
    1024: mark("fully saturated, useless"),
}
_TEXT_SCALED = mark("smooth")


def rule_words(rule: Rule, exponent: float, t: Translator) -> str:
    """Return a rule in a few words; ``exponent`` is that of the person's own rule."""
    return t(_RULES[rule], exponent=f"{exponent:g}") if rule == "own" else t(_RULES[rule])


def rule_sign(rule: Rule, exponent: float, t: Translator) -> str:
    """Return a rule as short as a formula, its exponent with three digits."""
    return t(_SIGNS[rule], exponent=f"{exponent:.3g}") if rule == "own" else t(_SIGNS[rule])


def way_sign(scaled: bool, t: Translator) -> str:
    """Return what `way_words` does, as short as a formula."""
    return rule_sign("sqrt" if scaled else "unscaled", 0.0, t)


def way_words(scaled: bool, t: Translator) -> str:
    """Return whether scores are divided by the square root of d_k."""
    return rule_words("sqrt" if scaled else "unscaled", 0.0, t)


def distribution_words(distribution: Distribution, t: Translator) -> str:
    """Return the distribution of the components of q and k."""
    return t(_DISTRIBUTIONS[distribution])


def measure_words(measure: str, t: Translator) -> str:
    """Return a measure of saturation: ``largest``, ``effective``, ``saturated``, ``jacobian``."""
    return t(_MEASURES[measure])


def gradient_symbol(name: str) -> str:
    """Return the symbol of what a gradient is taken by: ``w_q``, ``w_k``, ``q``, ``k``."""
    return _SYMBOLS[name]


def optimiser_words(optimiser: Optimiser) -> str:
    """Return the name of an optimiser, the same in every language."""
    return _OPTIMISERS[optimiser]


def text_words(d_k: int, scaled: bool, t: Translator) -> str:
    """Return what the text's table says of softmax at a width; empty where it says nothing."""
    if d_k not in _TEXT_WORDS:
        return ""
    return t(_TEXT_SCALED if scaled else _TEXT_WORDS[d_k])
