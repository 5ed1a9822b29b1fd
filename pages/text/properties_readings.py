"""What to notice in the properties; every sentence holds for any result it is said of."""

from __future__ import annotations

import numpy as np

from engine.experiments.masks.influence import InfluenceResult
from engine.experiments.properties.graph import GraphResult
from engine.experiments.properties.order import OrderResult
from engine.experiments.properties.paths import PathResult
from engine.experiments.properties.smoothing import SmoothingResult
from pages.figures.board import named
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.properties_stacks import (
    alike_from,
    cosine_words,
    heads_words,
    lead_words,
)
from pages.text.properties_words import architecture_words, is_flat
from pages.text.translator import Translator

DIGITS = 3


# ---- order


def order_notices(result: OrderResult, t: Translator) -> list[str]:
    """Return what to notice in both orders."""
    if len(result.tokens) == 1:
        return [t("One token has no order: take two or more.")]
    if result.permutation == tuple(range(len(result.tokens))):
        return [t("This permutation moves no token: take another order."), _content(result, t)]
    return [_moved(result, t), _moved_with_positions(result, t), _content(result, t)]


def _moved(result: OrderResult, t: Translator) -> str:
    found = size(result.difference)
    if not result.is_equivariant:
        return t("Without positions the outputs change: by up to {found}.", found=found)
    if result.difference == 0:
        return t("Without positions the outputs move with their tokens, to the last bit.")
    return t("Without positions the outputs move with their tokens: the largest difference, "
             "{found}, is rounding.", found=found)  # fmt: skip


def _moved_with_positions(result: OrderResult, t: Translator) -> str:
    if result.is_equivariant_with_positions:
        return t("With positions they do so here too.")
    return t(
        "With positions they change, by up to {found}: the same token in another place has another "
        "vector.",
        found=size(result.difference_positions),
    )


def _content(result: OrderResult, t: Translator) -> str:
    """Return what the weight of the moved token depends on."""
    moves, labels = result.moves, _labels(result.params.source, result.tokens)
    flat = [is_flat(each, result.precision) for each in (moves.without, moves.positions)]
    token = named(moves.moved, labels, t)
    if flat == [True, False]:
        return t("Token {token} gets the same weight wherever it stands, since content alone "
                 "decides; with positions its place decides too.", token=token)  # fmt: skip
    if flat[0]:
        return t("Token {token} gets the same weight wherever it stands.", token=token)
    return t("The weight of token {token} changes with its place.", token=token)


def _labels(source: str, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of tokens; random vectors have none beside their positions."""
    return () if source == "random" else tokens


# ---- paths


def paths_notices(result: PathResult, t: Translator) -> list[str]:
    """Return what to notice in the steps between positions."""
    said = [_direct(result, t), _recurrent(result, t), _between(result, t)]
    return [sentence for sentence in said if sentence]


def _direct(result: PathResult, t: Translator) -> str:
    if result.longest["full"] != 1:
        return ""
    return t("Self-attention takes 1 step over any distance: every position reads every other.")


def _recurrent(result: PathResult, t: Translator) -> str:
    """Return that a recurrent net takes as many steps as the distance, where it does."""
    T, steps = result.params.T, result.steps["rnn"]
    if T == 2 or not np.array_equal(steps, np.arange(T)):
        return ""
    return t("The RNN takes as many steps as the distance, {steps} to the last position.",
             steps=f"{int(steps[-1]):,}")  # fmt: skip


def _between(result: PathResult, t: Translator) -> str:
    """Return how many layers the others need to connect the first position with the last."""
    parts = [
        t("{name}: {value}", name=architecture_words(name, t), value=f"{result.longest[name]:,}")
        for name in ("convolution", "dilated", "window")
    ]  # fmt: skip
    return t("Layers that the others need from the first position to the last: {parts}.",
             parts=t.listing(parts))  # fmt: skip


# ---- depth


def smoothing_notices(result: SmoothingResult, t: Translator) -> list[str]:
    """Return what to notice in a deep stack."""
    said = [
        t.sentences(cosine_words(result, t), _delay(result, t)),
        lead_words(result, t),
        heads_words(result, t),
    ]
    return [sentence for sentence in said if sentence]


def _delay(result: SmoothingResult, t: Translator) -> str:
    """Return that residual connections only delay it, where they do."""
    without, residual = (alike_from(result, way) for way in (False, True))
    if without is None or residual is None or residual <= without:
        return ""
    return t("Residual connections delay over-smoothing here and do not end it.")


# ---- the graph


def graph_notices(result: GraphResult, t: Translator) -> list[str]:
    """Return what to notice in the graph."""
    said = [_passed(result, t), _edges(result, t), _carried(result, t)]
    return [sentence for sentence in said if sentence]


def _passed(result: GraphResult, t: Translator) -> str:
    """Return whether messages add up to the matrix product."""
    found = size(result.difference)
    if not result.is_same:
        return t("Messages and matrix product differ by up to {found}.", found=found)
    if result.difference == 0:
        return t("The messages into each token, times their weights, add up to the output of the "
                 "matrix product, to the last bit.")  # fmt: skip
    return t("The messages into each token, times their weights, add up to the output of the "
             "matrix product: the largest difference, {found}, is rounding.",
             found=found)  # fmt: skip


def _edges(result: GraphResult, t: Translator) -> str:
    T, count = len(result.tokens), len(result.edges)
    if T == 1:
        return t("One token hears of itself alone.")
    if result.is_complete:
        return t("Every token hears of every token, itself included: a complete graph of {count} "
                 "arrows, whose weights are computed from the tokens.", count=count)  # fmt: skip
    if result.params.causal and count == T * (T + 1) // 2:
        return t("The causal mask leaves {count} of {cells} arrows: none runs from a later token "
                 "to an earlier one.", count=count, cells=T * T)  # fmt: skip
    return t("{count} of {cells} weights are above 0.", count=count, cells=T * T)


def _carried(result: GraphResult, t: Translator) -> str:
    """Return how much of the weight that a token gives is drawn, where some of it is not."""
    if len(result.shown) == len(result.edges):
        return t("The weights of the arrows into a token add up to 1.")
    drawn = np.zeros(len(result.tokens))
    for edge in result.shown:
        drawn[edge.target] += edge.weight
    least = int(drawn.argmin())
    token = named(least, _labels(result.params.source, result.tokens), t)
    if not drawn[least]:
        return t("The weights into a token add up to 1, but no arrow into token {token} is drawn.",
                 token=token)  # fmt: skip
    return t("The weights into a token add up to 1; the arrows drawn into token {token} hold "
             "{share} of it, and those into every other at least as much.", token=token,
             share=number(float(drawn[least]), DIGITS))  # fmt: skip


# ---- influence


def influence_notices(result: InfluenceResult, token: int, t: Translator) -> list[str]:
    """Return what to notice when one token, counted from 1, changes."""
    if len(result.head.tokens) == 1:
        return [t("There is one token, and only its own output can move.")]
    return [_unmasked(result, token, t), _causal(result, token, t)]


def _unmasked(result: InfluenceResult, token: int, t: Translator) -> str:
    moves, T = result.a.moves[:, token - 1], len(result.head.tokens)
    moved = int((moves > 0).sum())
    watched = 1 if token != 1 else T
    values = {"watched": watched, "move": size(float(moves[watched - 1]))}
    if moved == T:
        return t("Without a mask every output moves, that of token {watched} by {move}.", **values)
    return t("Without a mask {moved} of {T} outputs move.", moved=moved, T=T)


def _causal(result: InfluenceResult, token: int, t: Translator) -> str:
    before = result.b.moves[: token - 1, token - 1]
    if token == 1:
        return t("The first token comes before all others, so the causal mask hides it from none.")
    if before.any():
        return t("Under the causal mask an earlier output moves by {move}: the mask leaks.",
                 move=size(float(before.max())))  # fmt: skip
    if token == 2:
        return t("Under the causal mask the output before token 2 stays the same, to the last bit.")
    return t("Under the causal mask the outputs before token {token} stay the same, to the last "
             "bit.", token=token)  # fmt: skip
