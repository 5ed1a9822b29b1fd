"""What the architectures, the ways and the switches of the properties are called."""

from __future__ import annotations

import numpy as np

from engine.experiments.masks.influence import InfluenceResult
from engine.experiments.masks.inputs import InputParams
from engine.experiments.masks.rounding import UNITS
from engine.experiments.properties.graph import GraphResult
from engine.experiments.properties.order import OrderResult
from engine.experiments.properties.paths import Architecture
from engine.shapes import Array
from pages.figures.numerals import number, number_in_full
from pages.text.amounts import size
from pages.text.marking import mark
from pages.text.translator import Translator

_ARCHITECTURES: dict[Architecture, str] = {
    "rnn": mark("RNN"),
    "convolution": mark("convolution"),
    "dilated": mark("dilated convolution"),
    "window": mark("windowed attention"),
    "full": mark("self-attention"),
}


def architecture_words(architecture: Architecture, t: Translator) -> str:
    """Return the name of an architecture, as it stands inside a sentence."""
    return t(_ARCHITECTURES[architecture])


def residual_words(residual: bool, t: Translator) -> str:
    """Return whether a layer keeps its input: ``with residual``."""
    return t("with residual") if residual else t("without residual")


def switch_words(on: bool, t: Translator) -> str:
    """Return a switch as a word."""
    return t("yes") if on else t("no")


def shown_words(result: GraphResult, t: Translator) -> str:
    """Return how many of the arrows are drawn, and which."""
    count, shown = len(result.edges), len(result.shown)
    values = {"count": count, "shown": shown,
              "least": number_in_full(float(result.params.threshold))}  # fmt: skip
    if count == shown:
        return t("The one arrow is drawn.") if count == 1 else t("All {count} arrows are drawn.",
                                                                count=count)  # fmt: skip
    if not shown:
        return t("No weight reaches the threshold of {least}, so no arrow is drawn.",
                 least=values["least"])  # fmt: skip
    if shown == 1:
        return t("Drawn is the one of {count} weights that reaches the threshold of {least}.",
                 count=count, least=values["least"])  # fmt: skip
    return t("Drawn are the {shown} of {count} weights that reach the threshold of {least}.",
             **values)  # fmt: skip


def order_words(result: OrderResult, positions: bool, t: Translator) -> str:
    """Return how far the outputs of both orders are apart, and what that means."""
    T = len(result.tokens)
    if result.permutation == tuple(range(T)):
        return t("This permutation moves no token.")
    found = result.difference_positions if positions else result.difference
    same = result.is_equivariant_with_positions if positions else result.is_equivariant
    values = {
        "found": size(found),
        "largest": size(result.largest_positions if positions else result.largest),
    }
    if same and found == 0:
        return t("Permuted back, the outputs are the same to the last bit.")
    if same:
        return t("Permuted back, the outputs are the same: the largest difference is {found}, "
                 "which is rounding.", found=values["found"])  # fmt: skip
    return t("Permuted back, the outputs are others: the largest difference is {found}, the "
             "largest output {largest}.", **values)  # fmt: skip


def vectors_words(params: InputParams, t: Translator) -> str:
    """Return that the vectors were drawn, where they were."""
    if params.source == "textbook":
        return ""
    return t("The vectors are random (seed {seed}).", seed=params.seed)


def content_words(result: OrderResult, t: Translator) -> str:
    """Return between which weights the moved token lies, without positions and with them."""
    if len(result.tokens) == 1:
        return t("The only token has nowhere else to go; its weight is 1.")
    moves = result.moves
    said = [
        t("The other tokens keep their order, and attention is run anew for every place."),
        _span(t("Without positions"), moves.without, result.precision, t),
        _span(t("With positions"), moves.positions, result.precision, t),
    ]
    return t.sentences(*said)


def _span(name: str, weights: Array, precision: str, t: Translator) -> str:
    """Return the least and the largest weight, or the one that all are to rounding."""
    least, most = float(weights.min()), float(weights.max())
    if is_flat(weights, precision):
        return t("{name} the weight is {weight} everywhere, to rounding.", name=name,
                 weight=number(most, 3))  # fmt: skip
    return t("{name} the weight lies between {least} and {most}.", name=name,
             least=size(least), most=size(most))  # fmt: skip


def is_flat(weights: Array, precision: str) -> bool:
    """Return whether weights differ through rounding alone."""
    most = float(np.abs(weights).max())
    return float(np.ptp(weights)) <= UNITS * float(np.finfo(precision).eps) * most


def stack_name(residual: bool, heads: int, t: Translator) -> str:
    """Return a stack in as few words as a legend needs: ``without, 4 heads``."""
    if heads == 1:
        return t("with, 1 head") if residual else t("without, 1 head")
    return t("with, {heads} heads", heads=heads) if residual else t("without, {heads} heads",
                                                                   heads=heads)  # fmt: skip


def moved_words(result: InfluenceResult, token: int, t: Translator) -> str:
    """Return how many outputs move without a mask and with the causal one, and why."""
    T = len(result.head.tokens)
    if T == 1:
        return t("There is one token, and only its own output can move.")
    moved = [int((side.moves[:, token - 1] > 0).sum()) for side in (result.a, result.b)]
    return t("Without a mask {without} of {T} outputs move, with the causal mask {causal}.",
             without=moved[0], T=T, causal=moved[1])  # fmt: skip
