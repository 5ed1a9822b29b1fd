"""What is said of the mechanism: every sentence on both sides of its condition."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.context.pictured import PictureParams, picture_of
from engine.experiments.context.single_layer import SingleLayerParams, compare_in_one_layer
from engine.experiments.context.two_layers import TwoLayersParams, walk_through
from pages.text import translator
from pages.text.context_by_hand import brought_words, built_words, feature_words, weight_text
from pages.text.context_mechanism import (
    drawn_words,
    head_words,
    kept_words,
    picture_notices,
    ratio_text,
    single_layer_notices,
    two_layers_notices,
    two_layers_steps,
)

T = translator("en")
E4 = math.exp(4)


def layer(**params):
    return compare_in_one_layer(SingleLayerParams(**params), backend="numpy")


def by_hand(strength: float = 4.0, residual: bool = True):
    return walk_through(TwoLayersParams(strength, residual), backend="numpy")


# The picture ----------------------------------------------------------------------------------


def test_the_picture_says_who_drew_it():
    tired, wide = picture_of(PictureParams()).endings
    assert drawn_words([tired], T).startswith("The text drew")
    assert drawn_words([wide], T).startswith("We drew")
    both = drawn_words([tired, wide], T)
    assert "“tired” by the text" in both
    assert "“wide” by us" in both


def test_the_picture_names_the_largest_weight():
    first, tired, wide = picture_notices(picture_of(PictureParams()), T)
    assert first.startswith("Nobody computed")
    assert "most to “animal”, 0.45; its 10 weights add up to 1.00." in tired
    assert "most to “street”, 0.45; its 10 weights add up to 1.00." in wide


# One layer ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(1.0, "1 : 1"), (8.4249, "8.42 : 1"), (1 / 8.4249, "1 : 8.42"), (1234.4, "1,234 : 1"),
     (2.34e14, "2.3 × 10¹⁴ : 1"), (1 / 2.34e14, "1 : 2.3 × 10¹⁴")],
)  # fmt: skip
def test_a_ratio_is_written_without_e(ratio, text):
    assert ratio_text(math.log(ratio)).replace("\N{NO-BREAK SPACE}", " ") == text


@settings(max_examples=15)
@given(st.integers(0, 9999), st.integers(1, 8), st.integers(1, 12), st.floats(0, 4))
def test_what_is_said_of_one_layer_holds(seed, heads, d_k, spread):
    result = layer(seed=seed, heads=heads, d_k=d_k, spread=spread)
    weights = result.weights
    moved = np.abs(weights[0] - weights[1]).sum(axis=1) / 2
    first, second, *third = single_layer_notices(result, T)
    assert ("changes no weight" in first) == bool(moved.max() <= result.rounding)
    assert second.startswith("In every head animal : street is the same")
    assert len(third) == 1
    for head in range(heads):
        said = head_words(result, head + 1, T)
        assert ("changes neither" in said) == bool(moved[head] <= result.rounding)


def test_the_share_that_moves_is_that_of_the_heads():
    result = layer()
    moved = 50 * np.abs(result.weights[0] - result.weights[1]).sum(axis=1)
    low, high = (float(f"{end:.2g}") for end in (moved.min(), moved.max()))
    said = single_layer_notices(result, T)[0]
    assert f"{low:g} to {high:g} % of the weight moves" in said
    alone = layer(heads=1)
    assert (
        f"weights: {float(f'{moved[0]:.2g}'):g} % of the weight moves."
        in (single_layer_notices(alone, T)[0])
    )


def test_a_ratio_that_moves_would_be_said():
    result = layer(heads=2)
    found = replace(result, difference=np.array([0.0, 0.25]), largest_difference=0.25)
    assert kept_words(found, T) == (
        "The logarithm of animal : street differs by up to 0.25 between the endings."
    )
    assert "differs by 0.25" in head_words(found, 2, T)
    assert "to the last bit" in head_words(found, 1, T)
    assert len(single_layer_notices(found, T)) == 2
    exact = replace(result, difference=np.zeros(2), largest_difference=0.0)
    assert kept_words(exact, T).endswith("to the last bit.")
    near = replace(result, difference=np.full(2, 4e-16), largest_difference=4e-16)
    assert "4 × 10⁻¹⁶, which is rounding." in kept_words(near, T).replace("\xa0", " ")
    assert "4 × 10⁻¹⁶, which is rounding." in head_words(near, 1, T).replace("\xa0", " ")


# Two layers -----------------------------------------------------------------------------------


def test_the_steps_are_the_arithmetic_of_the_figure():
    heard = E4 / (E4 + 10)
    score = 4 * heard / math.sqrt(2)
    total = math.exp(score) + 10
    first, second, third = two_layers_steps(by_hand(), "tired", T)
    assert first == (
        f"Layer 1, “it” to “tired”: (4 × 1) / √1 = 4; exp(4) / {E4 + 10:.1f} = {heard:.3f}."
    )
    assert second == (
        f"Layer 2, “it” to “animal”: ({4 * heard:.3f} × 1 + 0 × 0) / √2 = {score:.3f}; "
        f"exp({score:.3f}) / {total:.2f} = {math.exp(score) / total:.3f}."
    )
    assert third == (
        f"Layer 2, “it” to “street”: ({4 * heard:.3f} × 0 + 0 × 1) / √2 = 0; "
        f"exp(0) / {total:.2f} = {1 / total:.3f}."
    )
    street = two_layers_steps(by_hand(), "wide", T)[2]
    assert street.startswith(f"Layer 2, “it” to “street”: (0 × 0 + {4 * heard:.3f} × 1) / √2")


def test_large_sums_are_powers_of_ten():
    first = two_layers_steps(by_hand(50.0), "tired", T)[0].replace("\xa0", " ")
    assert first.endswith("exp(50) / (5.18 × 10²¹) = 1.000.")
    assert weight_text(0.99994) == "1.000"
    assert "strength 3.14159, residual" in built_words(by_hand(3.14159), T)
    assert "strength 1 × 10⁻³⁰⁰, res" in built_words(by_hand(1e-300), T).replace("\xa0", " ")
    assert weight_text(2e-22).replace("\xa0", " ") == "2 × 10⁻²²"


def test_the_notices_say_how_the_turn_comes_about():
    heard = E4 / (E4 + 10)
    ratio = math.exp(4 * heard / math.sqrt(2))
    first, second, third = two_layers_notices(by_hand(), T)
    assert f"weigh the same, {1 / (E4 + 10):.3f}, with either ending" in first
    assert f"asks living {heard:.3f} with “tired”, asks width {heard:.3f} with “wide”" in second
    assert f"becomes {ratio:.1f} : 1 with “tired” and 1 : {ratio:.1f} with “wide”" in third


def test_the_notices_say_why_nothing_turns():
    assert "With strength 0 every score is 0" in two_layers_notices(by_hand(0.0), T)[2]
    assert "With strength 0" in two_layers_notices(by_hand(0.0, False), T)[2]
    assert "Without residual connections" in two_layers_notices(by_hand(4.0, False), T)[2]
    weak = by_hand(1e-300)
    assert not weak.is_turned
    assert (
        two_layers_notices(weak, T)[2] == "Layer 2 does not find both nouns here beyond rounding."
    )


def test_words_have_their_features_and_it_what_layers_bring():
    result = by_hand()
    tired, wide = result.endings
    named = {word: feature_words(result, tired, place, T)
             for place, word in enumerate(tired.tokens)}  # fmt: skip
    assert {word: name for word, name in named.items() if name} == {
        "animal": "living", "street": "width", "it": "pronoun", "tired": "asks living"
    }  # fmt: skip
    assert feature_words(result, wide, 10, T) == "asks width"
    heard = E4 / (E4 + 10)
    assert brought_words(result, tired, 0, 3, T) == f"+ asks living {heard:.3f}"
    assert brought_words(result, tired, 1, 2, T, most=1) == "+ living 0.52 …"
    assert brought_words(by_hand(50.0), wide, 0, 3, T).startswith("+ asks width")
    bare = by_hand(4.0, False)
    assert brought_words(bare, bare.endings[0], 1, 3, T) == "= nothing"
