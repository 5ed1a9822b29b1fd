"""What is said of two endings and of cut keys: every sentence on both sides of its condition."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.context.endings import EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult, Rows, Scope
from engine.experiments.context.study import Study
from pages.text import translator
from pages.text.context_endings import (
    correlation_words,
    cut_words,
    endings_notices,
    knock_notices,
    moved_words,
    percent_of,
    scope_name,
    turns_words,
    uncut_words,
    weights_on,
)
from pages.text.context_names import ending_names, own_words, specials_name, token_names
from tests.ending_results import compared, endings, knocked, made, spearman, weights

T = translator("en")
LANGUAGES = ("en", "zh")
BEGIN = ("[CLS]", "the", "cat", "and", "the", "dog", "it", "is")
FIRST, SECOND = (*BEGIN, "small", ".", "[SEP]"), (*BEGIN, "big", ".", "[SEP]")
QUERY, ONE, OTHER = 6, 2, 5


def said(sentences: list[str]) -> str:
    assert all(sentence.endswith((".", "。")) for sentence in sentences)
    assert all("e-" not in sentence for sentence in sentences)
    return " ".join(sentences)


def pair(**changed) -> EndingsResult:
    return replace(endings(FIRST, SECOND, query=QUERY, one=ONE, other=OTHER, layers=2, heads=2),
                   **changed)  # fmt: skip


def of_rows(first: dict[int, float], second: dict[int, float]) -> EndingsResult:
    """Return one head whose query gives these weights to some tokens, the rest to the last."""
    studies: list[Study] = []
    for tokens, row in ((FIRST, first), (SECOND, second)):
        attention = np.zeros((1, 1, len(tokens), len(tokens)), dtype=np.float32)
        attention[0, 0, QUERY, -1] = 1 - sum(row.values())
        for place, weight in row.items():
            attention[0, 0, QUERY, place] = weight
        studies.append(made(tokens, attention))
    return compared(studies[0], studies[1], query=QUERY, one=ONE, other=OTHER)


# Two endings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_something_to_notice_in_both_endings(language):
    sentences = endings_notices(pair(), 1, 1, translator(language))
    assert 2 <= len(sentences) <= 3
    assert said(sentences)


@pytest.mark.parametrize(
    ("first", "second", "end"),
    [
        ({ONE: 0.3, OTHER: 0.1}, {ONE: 0.05, OTHER: 0.2}, "but 0.05 and 0.2 with “big”: it turns."),
        ({ONE: 0.1, OTHER: 0.3}, {ONE: 0.2, OTHER: 0.05}, "but 0.2 and 0.05 with “big”: it turns."),
        ({ONE: 0.3, OTHER: 0.1}, {ONE: 0.2, OTHER: 0.05},
         "0.2 and 0.05 with “big”: it does not turn."),
        ({ONE: 0.1, OTHER: 0.1}, {ONE: 0.2, OTHER: 0.05},
         "0.2 and 0.05 with “big”: it does not turn."),
    ],
)  # fmt: skip
def test_a_head_turns_where_its_preference_changes_sign(first, second, end):
    sentence = endings_notices(of_rows(first, second), 1, 1, T)[0]
    assert sentence.endswith(end)
    begin = f"“it” gives “cat” {first[ONE]:g} and “dog” {first[OTHER]:g} with “small”"
    assert begin in sentence


@pytest.mark.parametrize(
    ("turned", "most", "sentence"),
    [
        ([[False, False], [False, False]], None, "No head turns from one word to the other."),
        ([[False, False], [True, False]], (1, 0),
         "1 of 4 heads turns from one word to the other: layer 2, head 1."),
        ([[False, True], [True, False]], (0, 1),
         "2 of 4 heads turn from one word to the other, most of all layer 1, head 2."),
    ],
)  # fmt: skip
def test_heads_that_turn_are_counted(turned, most, sentence):
    assert turns_words(pair(turned=np.array(turned), most_turned=most), T) == sentence


def test_layer_one_is_said_to_keep_its_ratios_only_where_it_does():
    same = said(endings_notices(pair(), 1, 1, T))
    assert "In layer 1 the ratio of both weights is the same in both texts" in same
    assert pair().first_layer_difference < 1e-6
    moved = said(endings_notices(pair(same_places=False, first_layer_difference=0.25), 1, 1, T))
    assert "its logarithm by up to 0.25: the tokens stand at other positions" in moved
    assert "is the same" not in moved
    odd = said(endings_notices(pair(first_layer_difference=0.25), 1, 1, T))
    assert "layer 1 the ratio" not in odd
    assert "layer 1 the ratio" not in said(
        endings_notices(pair(first_layer_difference=math.nan), 1, 1, T)
    )


@pytest.mark.parametrize("layer", [1, 2, None])
def test_the_first_layer_that_turns_is_named(layer):
    turned = np.zeros((2, 2), dtype=bool)
    if layer:
        turned[layer - 1, 1] = True
    most = (layer - 1, 1) if layer else None
    text = said(endings_notices(pair(turned=turned, most_turned=most), 1, 1, T))
    named = re.findall(r"first layer with a head that turns is layer (\d)", text)
    assert named == ([str(layer)] if layer else [])


def test_the_head_that_moves_most_is_named_with_its_share():
    movement = np.array([[0.1, 0.2], [0.456, 0.3]])
    sentence = moved_words(pair(movement=movement, most_moved=(1, 0)), T)
    assert sentence == (
        "“it” moves most in layer 2, head 1, where at least 46 % of its weight goes elsewhere."
    )
    still = pair(movement=np.full((2, 2), 1e-8), most_moved=None)
    assert moved_words(still, T) == "No head moves by more than rounding."


@pytest.mark.parametrize(
    ("share", "text"), [(0.456, "46 %"), (1.0, "100 %"), (0.0042, "0.4 %"), (0.0096, "1 %")]
)
def test_a_share_in_percent(share, text):
    assert percent_of(share) == text


def test_weights_are_those_of_the_rows():
    result = of_rows({ONE: 0.3, OTHER: 0.1}, {ONE: 0.05, OTHER: 0.2})
    assert weights_on(result, (ONE, ONE), 0, 0) == pytest.approx((0.3, 0.05))
    assert weights_on(result, (8, 8), 0, 0) == pytest.approx((0.0, 0.0))  # not shared


def test_texts_are_called_by_the_words_that_only_they_have():
    assert ending_names(pair(), T) == ("“small”", "“big”")
    many = (*BEGIN, *["a", "number", "of", "other", "words"], ".", "[SEP]")
    long = endings(FIRST, many, query=QUERY, one=ONE, other=OTHER, layers=1, heads=1)
    assert own_words(long) is None
    assert ending_names(long, T) == ("the first text", "the second text")
    longer = endings(FIRST, (*BEGIN, ".", "[SEP]"), query=QUERY, one=ONE, other=OTHER, layers=1,
                     heads=1)  # fmt: skip
    assert ending_names(longer, T) == ("the first text", "the second text")


def test_tokens_that_are_drawn_alike_get_their_positions():
    study = made(("the", "cat", "the", "␣the"), weights(4, 1, 1))
    assert token_names(study) == ("the 1", "cat", "the 3", "·the")
    unknown = made(("[UNK]", "a", "[UNK]"), weights(3, 1, 1))
    spans = ((0, 1), (1, 2), (2, 3))
    assert token_names(replace(unknown, text="累a宽", spans=spans)) == ("[UNK] 累", "a", "[UNK] 宽")


# Cut keys -------------------------------------------------------------------------------------


def keys(effects: list[float], row: list[float] | None = None, **params) -> KnockResult:
    tokens = tuple(f"k{place}" for place in range(len(effects)))
    attention = weights(len(tokens))
    if row is not None:
        attention[4, 0, 0] = row
    return knocked(made(tokens, attention), 0, effects, KnockParams(**params))


RISING = [place / 100 for place in range(1, 13)]
ROW = [place / 78 for place in range(1, 13)]
MIXED = [0.05, 0.09, 0.01, 0.07, 0.03, 0.08, 0.02, 0.06, 0.04, 0.10, 0.015, 0.055]
HALF = [
    0.03,
    0.06,
    0.01,
    0.07,
    0.11,
    0.05,
    0.02,
    0.04,
    0.10,
    0.12,
    0.09,
    0.08,
]  # just within chance


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("effects", [RISING, MIXED, [math.nan] * 3, [0.1, math.nan]])
def test_there_is_something_to_notice_in_cut_keys(language, effects):
    sentences = knock_notices(keys(effects), translator(language))
    assert 1 <= len(sentences) <= 3
    assert said(sentences)


@pytest.mark.parametrize(
    ("effects", "begin"),
    [
        (RISING, "More weight tends to go with more effect: rank correlation 1.00 over 12 keys"),
        (RISING[::-1], "More weight tends to go with less effect: rank correlation −1.00"),
        (MIXED, "The rank correlation of weight and effect, "),
        (HALF, "The rank correlation of weight and effect, 0.52 over 12 keys, is within chance"),
    ],
)
def test_a_rank_correlation_is_judged_against_chance(effects, begin):
    result = keys(effects, ROW)
    sentence = knock_notices(result, T)[0]
    assert sentence.startswith(begin)
    found = spearman(ROW, effects)
    assert f"{found:.2f}".replace("-", "−") in sentence
    chance = 1.96 / math.sqrt(len(effects) - 1)
    assert ("within chance" in sentence) == (abs(found) <= chance)
    assert f"{chance:.2f}" in sentence
    assert correlation_words(result, T) == f"Rank correlation {found:.2f} over 12 keys".replace(
        "-", "−"
    )


def test_where_there_is_no_rank_correlation_the_reason_is_said():
    assert knock_notices(keys([math.nan] * 3), T)[0] == "No key was cut."
    assert "Too few keys" in knock_notices(keys([0.1, 0.2, math.nan]), T)[0]
    assert "alike" in knock_notices(keys([0.1, 0.1, 0.1, 0.1]), T)[0]
    three = knock_notices(keys([0.1, 0.2, 0.3], [0.2, 0.3, 0.5]), T)[0]
    assert three == "Rank correlation 1.00, but 3 keys are too few to tell it from chance."
    assert correlation_words(keys([math.nan] * 3), T) == "No rank correlation"


def test_the_keys_with_most_weight_and_most_effect_are_told_apart():
    apart = knock_notices(keys([0.1, 0.4, 0.25], [0.2, 0.3, 0.5]), T)[1]
    assert apart == (
        "“k2” has the largest weight, 0.5, but without it the last vector of “k0” moves by 0.25 "
        "of its length; without “k1” by 0.4."
    )
    same = knock_notices(keys([0.1, 0.2, 0.45], [0.2, 0.3, 0.5]), T)[1]
    assert same == (
        "“k2” has the largest weight, 0.5, and the largest effect: without it the last vector of "
        "“k0” moves by 0.45 of its length."
    )


@pytest.mark.parametrize(
    ("scope", "rows", "words"),
    [
        ("head", "token", "All other tokens still read the key and may pass it on."),
        ("everywhere", "token", "All other tokens still read the key and may pass it on."),
        ("head", "all", "Elsewhere the key is still read."),
        ("layer", "all", "Elsewhere the key is still read."),
        ("everywhere", "all", "No token reads the key at all."),
    ],
)
def test_what_still_reads_a_cut_key_depends_on_scope_and_rows(scope, rows, words):
    assert words in knock_notices(keys(RISING, scope=scope, rows=rows), T)[-1]


def test_a_model_of_one_head_reads_a_cut_key_nowhere_else():
    study = made(("a", "b", "c"), weights(3, 1, 1))
    for scope in ("head", "layer"):
        result = knocked(study, 0, [0.1, 0.2, 0.3], KnockParams(rows="all", layer=1, head=1))
        result = replace(result, params=replace(result.params, scope=scope))
        assert knock_notices(result, T)[-1] == "No token reads the key at all."


def test_where_a_key_is_cut_is_said_in_every_scope():
    places: tuple[tuple[Scope, str], ...] = (
        ("head", "layer 5, head 1"), ("layer", "every head of layer 5"),
        ("everywhere", "every layer"),
    )  # fmt: skip
    readers: tuple[tuple[Rows, str], ...] = (("token", "“it” alone"), ("all", "every token"))
    for scope, place in places:
        for rows, whom in readers:
            params = KnockParams(scope=scope, rows=rows)
            assert cut_words(params, "“it”", T) == f"Each key is cut for {whom}, in {place}."
            assert scope_name(params, T).startswith(place)
            assert scope_name(params, T).endswith("this token alone" if rows == "token" else whom)


def test_keys_that_cannot_be_cut_are_counted():
    assert uncut_words(0, T) == ""
    assert uncut_words(1, T).startswith("1 key cannot be cut")
    assert uncut_words(4, T).startswith("4 keys cannot be cut")


def test_every_way_with_special_tokens_has_a_name():
    names = {specials_name(way, T) for way in ("shown", "hidden", "renormalised")}
    assert len(names) == 3
