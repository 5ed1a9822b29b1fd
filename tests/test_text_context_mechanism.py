"""What is said of the mechanism: every sentence on both sides of its condition."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.experiments.context.pictured import PictureParams, picture_of
from engine.experiments.context.single_layer import SingleLayerParams, compare_in_one_layer
from engine.experiments.context.two_layers import TwoLayersParams, walk_through
from pages.text import translator
from pages.text.context_amounts import weight_text
from pages.text.context_by_hand import (
    brought_words,
    built_words,
    feature_words,
    itself_words,
    path_words,
)
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


def notices(result):
    """Return the notices of two layers; ratios break over no line."""
    found = two_layers_notices(result, T)
    assert not any(" : 1" in each or "1 : " in each.replace("street : 1", "") for each in found)
    return [each.replace("\xa0", " ") for each in found]


def by_hand(strength: float = 4.0, residual: bool = True):
    return walk_through(TwoLayersParams(strength, residual), backend="numpy")


# The picture ----------------------------------------------------------------------------------


def test_the_picture_says_who_drew_it():
    tired, wide = picture_of(PictureParams()).endings
    assert drawn_words([tired], T).startswith("The source text drew")
    assert drawn_words([wide], T).startswith("We drew")
    both = drawn_words([tired, wide], T)
    assert "“tired” by the source text" in both
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
    assert second.startswith("In every head animal" if heads > 1 else "Animal : street is the same")
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


def test_heads_that_do_not_move_are_told_from_those_that_do():
    result = layer(spread=4.0, d_model=256, d_k=256)
    assert result.movement.min() <= result.rounding < result.movement.max()
    said = single_layer_notices(result, T)[0]
    assert said.endswith(
        "up to 100 % of the weight moves, but not in every head more than rounding."
    )
    little = replace(layer(heads=2), movement=np.array([2e-8, 0.5]))
    said = single_layer_notices(little, T)[0].replace("\xa0", " ")
    assert "2 × 10⁻⁶ to 50 % of the weight moves, depending on the head." in said


def test_one_head_is_not_every_head():
    result = layer(heads=1)
    for largest, said in (
        (0.0, "Animal : street is the same with both endings, to the last bit."),
        (4e-16, "Animal : street is the same with both endings: the logarithms differ by 4 × 10"),
        (0.25, "The logarithm of animal : street differs by 0.25 between the endings."),
    ):
        found = replace(result, difference=np.array([largest]), largest_difference=largest)
        assert kept_words(found, T).replace("\xa0", " ").startswith(said)


# Two layers -----------------------------------------------------------------------------------


def test_the_steps_are_the_arithmetic_of_the_figure():
    heard = E4 / (E4 + 10)
    score = 4 * heard / math.sqrt(2)
    total = math.exp(score) + 10
    found, missed = math.exp(score) / total, 1 / total
    assert two_layers_steps(by_hand(), "tired", T) == [
        (
            "Layer 1: “it” has q = x W_Q = (1 × 4) = (4); k = x W_K is (1) of “tired” and (0) of "
            "every other word."
        ),
        (
            "Score of “tired”: q · k / √d_k = (4 × 1) / √1 = 4, of the others 0; exp(4) + 10 × "
            f"exp(0) = {E4 + 10:.1f}."
        ),
        f"Weight of “tired”: exp(4) / {E4 + 10:.1f} = {heard:.3f}.",
        f"Each weight times x W_V, added up, brings “it”: + said of living {heard:.3f}.",
        (
            f"Layer 2: “it” has q = x W_Q = ({heard:.3f} × 4, 0) = ({4 * heard:.3f}, 0); k = x "
            "W_K is (1, 0) of “animal”, (0, 1) of “street” and (0, 0) of every other word."
        ),
        (
            f"Score of “animal”: q · k / √d_k = ({4 * heard:.3f} × 1 + 0 × 0) / √2 = {score:.3f}, "
            f"of the others 0; exp({score:.3f}) + 10 × exp(0) = {total:.2f}."
        ),
        (
            f"Weights: “animal” exp({score:.3f}) / {total:.2f} = {found:.3f}, “street” exp(0) / "
            f"{total:.2f} = {missed:.3f}."
        ),
        (
            f"Each weight times x W_V, added up, brings “it”: + living {found:.3f}, width "
            f"{missed:.3f}."
        ),
    ]
    wide = two_layers_steps(by_hand(), "wide", T)
    assert f"q = x W_Q = (0, {heard:.3f} × 4) = (0, {4 * heard:.3f})" in wide[4]
    assert wide[5].startswith(f"Score of “street”: q · k / √d_k = (0 × 0 + {4 * heard:.3f} × 1)")


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("strength", [0.0, 1e-300, 0.001, 4.0, 50.0])
def test_all_words_but_the_one_of_the_step_have_a_score_of_zero(strength, residual):
    result = by_hand(strength, residual)
    for walk, noun in zip(result.endings, (result.animal, result.street), strict=True):
        for trace, place in zip(walk.traces, (result.last, noun), strict=True):
            for word in range(11):
                assert word == place or trace.scaled[result.query, word] == 0
                assert word in (place, result.animal, result.street) or not trace.k[word].any()


def test_little_strength_is_seen_in_the_numbers():
    result = by_hand(0.001)
    assert result.is_turned
    steps = two_layers_steps(result, "tired", T)
    heard = math.exp(0.001) / (math.exp(0.001) + 10)
    total = math.exp(0.001 * heard / math.sqrt(2)) + 10
    animal, street = (float(each) for each in re.findall(r"= (0[\d.]+\d)", steps[6]))
    assert animal == pytest.approx((total - 10) / total, abs=6e-7)
    assert street == pytest.approx(1 / total, abs=6e-7)
    assert animal > street
    assert "exp(6\xa0×\xa010⁻⁵) + 10 × exp(0) = 11.0001" in steps[5]
    assert "1.0001 : 1 with “tired” and 1 : 1.0001 with" in notices(result)[2]
    assert f"{animal} and “street” {street}." in path_words(result, result.endings[0], T)


@pytest.mark.parametrize("strength", [0.0, 4.0, 50.0])
def test_it_is_said_what_it_gives_itself(strength):
    result = by_hand(strength)
    said = itself_words(result, 3, T)
    for walk in result.endings:
        others = [place for place, word in enumerate(walk.tokens) if word != "it"]
        first, second = (1 - math.fsum(trace.weights[walk.tokens.index("it")][others])
                         for trace in walk.traces)  # fmt: skip
        assert said == f"“it” gives itself {first:.3f}, then {second:.3f}."


def test_large_sums_are_powers_of_ten():
    first = two_layers_steps(by_hand(50.0), "tired", T)[2].replace("\xa0", " ")
    assert first.endswith("Weight of “tired”: exp(50) / (5.18 × 10²¹) = 1.000.")
    assert weight_text(0.99994) == "1.000"
    assert "strength 3.14159, residual" in built_words(by_hand(3.14159), T)
    assert "strength 1 × 10⁻³⁰⁰, res" in built_words(by_hand(1e-300), T).replace("\xa0", " ")
    assert weight_text(2e-22).replace("\xa0", " ") == "2 × 10⁻²²"


def test_the_notices_say_how_the_turn_comes_about():
    heard = E4 / (E4 + 10)
    ratio = math.exp(4 * heard / math.sqrt(2))
    first, second, third = notices(by_hand())
    assert f"weigh the same, {1 / (E4 + 10):.3f}, with either ending" in first
    assert (
        f"said of living {heard:.3f} with “tired”, said of width {heard:.3f} with “wide”" in second
    )
    assert f"becomes {ratio:.1f} : 1 with “tired” and 1 : {ratio:.1f} with “wide”" in third


def test_the_notices_say_why_nothing_turns():
    assert "With strength 0 every score is 0" in notices(by_hand(0.0))[2]
    assert "With strength 0" in notices(by_hand(0.0, False))[2]
    assert "Without residual connections" in notices(by_hand(4.0, False))[2]
    weak = by_hand(1e-300)
    assert not weak.is_turned
    assert notices(weak)[2] == "Layer 2 does not find both nouns here beyond rounding."


def test_words_have_their_features_and_it_what_layers_bring():
    result = by_hand()
    tired, wide = result.endings
    named = {word: feature_words(result, tired, place, T)
             for place, word in enumerate(tired.tokens)}  # fmt: skip
    assert {word: name for word, name in named.items() if name} == {
        "animal": "living", "street": "width", "it": "pronoun", "tired": "said of living"
    }  # fmt: skip
    assert feature_words(result, wide, 10, T) == "said of width"
    heard = E4 / (E4 + 10)
    assert brought_words(result, tired, 0, 3, T) == f"+ said of living {heard:.3f}"
    assert brought_words(result, tired, 1, 2, T, most=1) == "+ living 0.52 …"
    assert brought_words(by_hand(50.0), wide, 0, 3, T).startswith("+ said of width")
    bare = by_hand(4.0, False)
    assert brought_words(bare, bare.endings[0], 1, 3, T) == "= no feature"
