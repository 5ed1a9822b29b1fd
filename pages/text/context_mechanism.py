"""What to notice in the mechanism; every sentence holds for any result it is said of."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.experiments.context.pictured import Ending, Picture
from engine.experiments.context.single_layer import SingleLayerResult
from engine.experiments.context.two_endings import EndingName
from engine.experiments.context.two_layers import TwoLayersResult
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.context_amounts import percent_text, ratio_apart, weight_text
from pages.text.context_by_hand import DECIMALS, brought, feature_name, steps_of
from pages.text.digits import digits
from pages.text.memory_measured_words import share_words
from pages.text.translator import Translator

_ALIKE = 1e-5  # log-ratios this near to 0 are 0 to rounding, in either precision
_FIXED = "\N{NO-BREAK SPACE}"
_LARGE = 1e6  # from here on a ratio is written as a power of ten

# ---- the picture


def drawn_words(shown: Sequence[Ending], t: Translator) -> str:
    """Return who drew the weights, of the sentences that are shown."""
    if len(shown) > 1:
        return t("The weights were drawn by hand, not computed: those with “tired” by the source "
                 "text, those with “wide” by us in its manner.")  # fmt: skip
    if shown[0].from_text:
        return t("The source text drew these weights by hand; nothing computed them.")
    return t("We drew these weights by hand, in the manner of the source text; nothing computed "
             "them.")  # fmt: skip


def picture_notices(result: Picture, t: Translator) -> list[str]:
    """Return what to notice in the picture."""
    return [
        t("Nobody computed these weights: a picture shows what attention is meant to do, not that "
          "a model does it."),
        *(_most_words(ending, t) for ending in result.endings),
    ]  # fmt: skip


def _most_words(ending: Ending, t: Translator) -> str:
    """Return which word has the largest weight, and what all of them add up to."""
    pairs = [
        (weight, word)
        for word, weight in zip(ending.tokens, ending.weights, strict=True)
        if weight is not None
    ]
    largest, word = max(pairs)
    return t("With “{ending}”, “it” gives most to “{word}”, {weight}; its {count} weights add up "
             "to {total}.", ending=ending.name, word=word, weight=number(largest, 2),
             count=len(pairs), total=number(ending.total, 2))  # fmt: skip


# ---- one layer


def ratio_text(log_ratio: float) -> str:
    """Return a ratio from its logarithm: ``8.42 : 1``, ``1 : 38.7``, ``2 × 10¹⁴ : 1``."""
    times = math.exp(abs(log_ratio))
    text = digits(times) if times < _LARGE else share_words(times, 2)
    return _against(text, log_ratio)


def _against(times: str, log_ratio: float) -> str:
    """Return a ratio that no line breaks."""
    parts = (times, "1") if log_ratio >= 0 else ("1", times)
    return f"{parts[0]}{_FIXED}:{_FIXED}{parts[1]}"


def _turned_ratio(log_ratio: float) -> str:
    """Return a ratio that is not 1, with the digits in which it differs from 1."""
    text = ratio_text(log_ratio)
    if text != ratio_text(0.0):
        return text
    return _against(ratio_apart(math.exp(abs(log_ratio)), 0.0), log_ratio)


def layer_words(result: SingleLayerResult, t: Translator) -> str:
    """Return what the layer is made of."""
    params = result.params
    values = {"d_model": params.d_model, "d_k": params.d_k, "seed": params.seed}
    if params.positions:
        return t("Words and matrices are random (seed {seed}), positions are added; "
                 "d_model = {d_model}, d_k = {d_k}.", **values)  # fmt: skip
    return t("Words and matrices are random (seed {seed}), without positions; "
             "d_model = {d_model}, d_k = {d_k}.", **values)  # fmt: skip


def head_words(result: SingleLayerResult, head: int, t: Translator) -> str:
    """Return what the last word changes in a head, counted from 1, and what it does not."""
    moved, difference = float(result.movement[head - 1]), float(result.difference[head - 1])
    values = {"moved": percent_text(moved), "difference": size(difference)}
    if difference > result.rounding:
        return t("The logarithm of animal : street differs by {difference} between both.", **values)
    if moved <= result.rounding:
        return t("The last word changes neither the weights nor animal : street, to rounding.")
    if difference == 0:
        return t("The last word moves {moved} % of the weight; animal : street stays the same to "
                 "the last bit.", **values)  # fmt: skip
    return t("The last word moves {moved} % of the weight; the logarithm of animal : street "
             "differs by {difference}, which is rounding.", **values)  # fmt: skip


def kept_words(result: SingleLayerResult, t: Translator) -> str:
    """Return how far the ratios of both endings are apart, in all heads."""
    found = size(result.largest_difference)
    if not result.ratio_is_kept:
        if len(result.difference) == 1:
            return t("The logarithm of animal : street differs by {found} between the endings.",
                     found=found)  # fmt: skip
        return t("The logarithm of animal : street differs by up to {found} between the endings.",
                 found=found)  # fmt: skip
    if len(result.difference) == 1:
        return _kept_in_one(result, t)
    if result.largest_difference == 0:
        return t("In every head animal : street is the same with both endings, to the last bit.")
    return t("In every head animal : street is the same with both endings: the logarithms differ "
             "by up to {found}, which is rounding.", found=found)  # fmt: skip


def _kept_in_one(result: SingleLayerResult, t: Translator) -> str:
    """Return that the ratio is kept in the one head that there is."""
    if result.largest_difference == 0:
        return t("Animal : street is the same with both endings, to the last bit.")
    return t("Animal : street is the same with both endings: the logarithms differ by {found}, "
             "which is rounding.", found=size(result.largest_difference))  # fmt: skip


def single_layer_notices(result: SingleLayerResult, t: Translator) -> list[str]:
    """Return what to notice in one layer."""
    said = [_moved(result, t), kept_words(result, t), _why(result, t)]
    return [sentence for sentence in said if sentence]


def _moved(result: SingleLayerResult, t: Translator) -> str:
    """Return how much weight the last word moves, in the heads in which it is least and most."""
    least, most = (float(end) for end in (result.movement.min(), result.movement.max()))
    if most <= result.rounding:
        return t("The last word changes no weight here beyond rounding.")
    ends = [percent_text(end) for end in (least, most)]
    if least <= result.rounding:
        return t("The last word does change the weights: up to {most} % of the weight moves, but "
                 "not in every head more than rounding.", most=ends[1])  # fmt: skip
    if ends[0] == ends[1]:
        return t("The last word does change the weights: {most} % of the weight moves.",
                 most=ends[1])  # fmt: skip
    return t("The last word does change the weights: {least} to {most} % of the weight moves, "
             "depending on the head.", least=ends[0], most=ends[1])  # fmt: skip


def _why(result: SingleLayerResult, t: Translator) -> str:
    if not result.ratio_is_kept:
        return ""
    return t("The query of “it” and the keys of “animal” and “street” do not depend on the last "
             "word: both scores stay, and softmax divides by the same sum, so that one layer "
             "cannot tell whom “it” means.")  # fmt: skip


# ---- two layers


def two_layers_notices(result: TwoLayersResult, t: Translator) -> list[str]:
    """Return what to notice in two layers."""
    said = [_first_layer(result, t), _carried(result, t), _second_layer(result, t)]
    return [sentence for sentence in said if sentence]


def _first_layer(result: TwoLayersResult, t: Translator) -> str:
    """Return that layer 1 alone prefers neither noun, where it does not."""
    if any(abs(walk.log_ratios[0]) > _ALIKE for walk in result.endings):
        return ""
    weights = {weight_text(float(walk.row(0)[result.animal])) for walk in result.endings}
    if len(weights) > 1:
        return t("Layer 1 alone says nothing of whom “it” means: with either ending “animal” and "
                 "“street” weigh the same.")  # fmt: skip
    return t("Layer 1 alone says nothing of whom “it” means: “animal” and “street” weigh the same, "
             "{weight}, with either ending.", weight=weights.pop())  # fmt: skip


def _carried(result: TwoLayersResult, t: Translator) -> str:
    """Return what layer 1 carries from the last word into "it"."""
    parts = [
        t("{feature} {value} with “{ending}”",
          feature=feature_name(result.features[each], t),
          value=number(float(walk.traces[0].output[result.query][each]), DECIMALS),
          ending=walk.name)
        for walk in result.endings
        for each in brought(walk, result.query, 0, DECIMALS)
    ]  # fmt: skip
    return t("But it carries into “it” what the last word can be said of: {parts}.",
             parts=t.listing(parts))  # fmt: skip


def _second_layer(result: TwoLayersResult, t: Translator) -> str:
    """Return whether layer 2 finds the noun, and why not where it does not."""
    if result.is_turned:
        tired, wide = (_turned_ratio(walk.log_ratios[1]) for walk in result.endings)
        return t("Layer 2 looks for what meets it: animal : street becomes {tired} with “tired” "
                 "and {wide} with “wide”. The turn takes two layers.",
                 tired=tired, wide=wide)  # fmt: skip
    if result.params.strength == 0:
        return t("With strength 0 every score is 0, so that all words weigh the same in both "
                 "layers.")  # fmt: skip
    if not result.params.residual:
        return t("Without residual connections “animal” and “street” lose what they are in layer "
                 "1, so that layer 2 finds nothing.")  # fmt: skip
    return t("Layer 2 does not find both nouns here beyond rounding.")


def two_layers_steps(result: TwoLayersResult, ending: EndingName, t: Translator) -> list[str]:
    """Return the arithmetic of "it" with one ending, a step a sentence."""
    return steps_of(result, result.of(ending), t)
