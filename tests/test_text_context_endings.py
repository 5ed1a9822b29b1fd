"""What is said of two endings and of cut keys: every sentence on both sides of its condition."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.context.endings import EndingsParams, EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult, Rows, Scope
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.study import Study
from pages.text import translator
from pages.text.context_endings import (
    chosen_words,
    endings_notices,
    head_moves_words,
    head_words,
    measure_words,
    moved_words,
    percent_of,
    query_words,
    turns_words,
    weights_on,
)
from pages.text.context_knock import (
    correlation_words,
    cut_words,
    floor_words,
    key_words,
    knock_notices,
    scope_name,
    tops_words,
    uncut_words,
)
from pages.text.context_names import (
    ending_names,
    own_words,
    specials_name,
    taken_words,
    token_names,
)
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
        ({ONE: 0.3, OTHER: 0.1}, {ONE: 0.05, OTHER: 0.2},
         "but 0.050 and 0.200 with “big”: it turns."),
        ({ONE: 0.1, OTHER: 0.3}, {ONE: 0.2, OTHER: 0.05},
         "but 0.200 and 0.050 with “big”: it turns."),
        ({ONE: 0.3, OTHER: 0.1}, {ONE: 0.2, OTHER: 0.05},
         "0.200 and 0.050 with “big”: it does not turn."),
        ({ONE: 0.1, OTHER: 0.1}, {ONE: 0.2, OTHER: 0.05},
         "0.200 and 0.050 with “big”: it does not turn."),
    ],
)  # fmt: skip
def test_a_head_turns_where_its_preference_changes_sign(first, second, end):
    sentence = head_words(of_rows(first, second), 1, 1, T)
    assert sentence.endswith(end)
    begin = f"“it” gives “cat” {first[ONE]:.3f} and “dog” {first[OTHER]:.3f} with “small”"
    assert begin in sentence


@pytest.mark.parametrize(
    ("signs", "most", "sentence"),
    [
        ([0, 0, 0, 0], None, "No head turns between “cat” and “dog”."),
        ([0, 0, 1, 0], (1, 0), "1 of 4 heads turns from “cat” to “dog”: layer 2, head 1."),
        ([0, 0, -1, 0], (1, 0), "1 of 4 heads turns from “dog” to “cat”: layer 2, head 1."),
        ([0, 1, 1, 0], (0, 1),
         "2 of 4 heads turn from “cat” to “dog”, none the other way; most of all layer 1, head 2."),
        ([-1, -1, -1, 0], (0, 1),
         "3 of 4 heads turn from “dog” to “cat”, none the other way; most of all layer 1, head 2."),
        ([1, -1, -1, 0], (0, 1),
         "3 of 4 heads turn, 1 from “cat” to “dog”, 2 the other way; most of all layer 1, head 2."),
        ([-1], (0, 0), "The one head turns from “dog” to “cat”."),
    ],
)  # fmt: skip
def test_heads_that_turn_are_counted_by_their_way(signs, most, sentence):
    """A sign of 1 is a head that prefers the first word in the first text, and then turns."""
    shape = (1, 1) if len(signs) == 1 else (2, 2)
    turned = np.array(signs).reshape(shape) != 0
    before = np.where(turned, 0.1 * np.array(signs).reshape(shape), 0.2)
    found = pair(turned=turned, most_turned=most, preference=np.array([before, -before]))
    assert turns_words(found, T) == sentence


def test_a_token_that_nobody_named_is_said_to_be_found():
    found = " but is the first pronoun or, where there is none, the first word."
    study = made(("[CLS]", "the", "it", "."), weights(4))
    assert taken_words(study, 0, 2, T) == f"“it” was not named,{found}"
    assert taken_words(study, 3, 2, T) == ""
    for place in (0, 3):  # neither a pronoun nor a word
        assert taken_words(study, 0, place, T) == ""
    known = replace(study, text=PAIRS[0].first, spans=((0, 0), (0, 3), (4, 10), (0, 0)))
    assert taken_words(known, 0, 1, T) == ""
    assert "“it” was not named, but is the first pronoun that both" in query_words(pair(), T)
    assert query_words(pair(params=EndingsParams(query=7)), T) == ""
    effects = [0.1, 0.2, 0.3, 0.15]
    for query in (0, 3):
        said = " ".join(knock_notices(knocked(study, 2, effects, KnockParams(query=query)), T))
        assert (found in said) == (query == 0)


def test_layer_one_is_said_to_keep_its_ratios_only_where_it_does():
    same = said(endings_notices(pair(), 1, 1, T))
    assert "In layer 1 the ratio of both weights is the same in both texts" in same
    assert pair().first_layer_difference == 0
    assert "same in both texts, to the last bit." in same
    near = said(endings_notices(pair(first_layer_difference=2e-7), 1, 1, T))
    assert "differ by at most 2 × 10⁻⁷, which is rounding." in near.replace("\xa0", " ")
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
    little = pair(movement=np.full((2, 2), 2.3e-5), most_moved=(0, 0))
    assert "at least 0.0023 % of its weight" in moved_words(little, T)
    shares = EndingsParams(specials="renormalised")
    divided = moved_words(pair(movement=movement, most_moved=(1, 0), params=shares), T)
    assert divided.endswith(
        "where at least 46 % of what special tokens leave of its weight goes elsewhere."
    )


def test_a_head_that_moves_little_is_told_from_one_that_rounding_moves():
    movement = np.array([[0.1, 1.5e-13], [2.3e-5, 1e-7]])
    turned = np.array([[True, False], [False, True]])
    found = pair(movement=movement, turned=turned, movement_rounding=1e-6)
    said = [head_moves_words(found, place // 2, place % 2, T) for place in range(4)]
    assert said == [
        "layer 1, head 1: at least 10 % moves; it turns",
        "layer 1, head 2: no more than rounding moves",
        "layer 2, head 1: at least 0.0023 % moves",
        "layer 2, head 2: no more than rounding moves; it turns",
    ]


def test_a_turn_that_few_digits_hide_is_shown_with_more():
    found = of_rows({ONE: 0.07692, OTHER: 0.07689}, {ONE: 0.07688, OTHER: 0.07691})
    said = head_words(found, 1, 1, T)
    assert "“cat” 0.07692 and “dog” 0.07689 with “small”, but 0.07688 and 0.07691" in said
    assert said.endswith("it turns.")
    level = of_rows({ONE: 0.1, OTHER: 0.1}, {ONE: 0.2, OTHER: 0.1})
    near = replace(level, log_ratio=np.array([[[9e-6]], [[0.7]]]))
    assert "“cat” 0.100 and “dog” 0.100" in endings_notices(near, 1, 1, T)[0]


@pytest.mark.parametrize("way", ["shown", "hidden", "renormalised"])
def test_shares_of_what_special_tokens_leave_are_said_to_be_that(way):
    params = EndingsParams(specials=way)
    divided = way == "renormalised"
    found = endings_notices(pair(params=params), 1, 1, T)[0]
    assert ("(of the weight that special tokens leave)" in found) == divided
    assert ("of what special tokens leave" in measure_words(pair(params=params), T)) == divided
    plain = endings((*BEGIN[1:], "small"), (*BEGIN[1:], "big"), params, query=5, one=1, other=4,
                    layers=1, heads=1)  # fmt: skip
    assert "special tokens leave" not in endings_notices(plain, 1, 1, T)[0]


def test_words_that_weights_chose_are_said_to_be_chosen():
    assert chosen_words(pair(), T) == ""
    both = chosen_words(pair(automatic=True), T)
    assert both.startswith("“cat” and “dog” were not named, but chosen by how their weights")
    for given, left in ((EndingsParams(one=3), "“dog”"), (EndingsParams(other=6), "“cat”")):
        said = chosen_words(pair(automatic=True, params=given), T)
        assert said.startswith(f"{left} was not named, but chosen by how its weight changes")
    assert both in endings_notices(pair(automatic=True), 1, 1, T)[0]


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.456, "46 %"), (1.0, "100 %"), (0.0042, "0.4 %"), (0.0096, "1 %"), (0.00097, "0.1 %"),
     (0.00033, "0.033 %"), (2e-7, "2\xa0×\xa010⁻⁵ %"), (0.0, "0 %")],
)  # fmt: skip
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
    assert token_names(replace(unknown, text="累a宽", spans=spans)) == ("累 [UNK]", "a", "宽 [UNK]")


# Cut keys -------------------------------------------------------------------------------------


def keys(effects: list[float], row: list[float] | None = None, **params) -> KnockResult:
    tokens = tuple(f"k{place}" for place in range(len(effects)))
    attention = weights(len(tokens))
    if row is not None:
        attention[4, 0, 0] = row
    return knocked(made(tokens, attention), 0, effects, KnockParams(**{"scope": "head", **params}))


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
    apart = tops_words(keys([0.1, 0.4, 0.25], [0.2, 0.3, 0.5]), T)
    assert apart == (
        "“k2” has the largest weight, 0.500, but without it the last vector of “k0” moves by 0.25 "
        "of its length; without “k1” by 0.4."
    )
    same = tops_words(keys([0.1, 0.2, 0.45], [0.2, 0.3, 0.5]), T)
    assert same == (
        "“k2” has the largest weight, 0.500, and the largest effect: without it the last vector of "
        "“k0” moves by 0.45 of its length."
    )


@pytest.mark.parametrize(
    ("scope", "rows", "words"),
    [
        (
            "head",
            "token",
            "key itself. Other tokens still read the key and may pass it on in a later layer.",
        ),
        ("everywhere", "token", "Other tokens still read the key and may pass it on"),
        ("head", "all", "Elsewhere the key is still read."),
        ("layer", "all", "Elsewhere the key is still read."),
        ("everywhere", "all", "No token reads the key at all."),
    ],
)
def test_what_still_reads_a_cut_key_depends_on_scope_and_rows(scope, rows, words):
    assert words in knock_notices(keys(RISING, scope=scope, rows=rows), T)[-1]


@pytest.mark.parametrize(
    ("tokens", "layers", "query", "family", "begin"),
    [
        (3, 1, 0, "bert", "There is one layer only"), (3, 2, 0, "bert", "Other tokens still read"),
        (2, 2, 0, "bert", ""), (4, 2, 3, "gpt2", "Tokens between the key and “k3” still read it"),
        (4, 2, 2, "gpt2", "Tokens between the key"), (4, 2, 1, "gpt2", ""),
        (4, 1, 3, "gpt2", "There is one layer only"),
    ],
)  # fmt: skip
def test_a_key_is_passed_on_only_by_those_that_can(tokens, layers, query, family, begin):
    names = tuple(f"k{place}" for place in range(tokens))
    study = made(names, weights(tokens, layers, 1), family=family)
    effects = [0.1 if family == "bert" or j <= query else math.nan for j in range(tokens)]
    found = knock_notices(
        knocked(study, query, effects, KnockParams(scope="head", layer=layers)), T
    )
    said = " ".join(found[2:])
    elsewhere = f"Elsewhere “k{query}” still reads the key itself."
    assert said.startswith(elsewhere) or layers == 1 == study.heads
    said = said.removeprefix(elsewhere).strip()
    assert said.startswith(begin or "2 keys cannot") if begin or family == "gpt2" else not said
    # Who reads a key k and is read, by loops: neither the key nor the query, which sees it.
    seen = [[j <= i or family == "bert" for j in range(tokens)] for i in range(tokens)]
    passes = any(
        seen[m][k] and seen[query][m]
        for k in range(tokens) if seen[query][k] and k != query
        for m in range(tokens) if m not in (k, query)
    )  # fmt: skip
    assert ("may pass it on in a later layer." in said) == (passes and layers > 1)


def test_nothing_is_said_of_readers_where_nothing_was_cut():
    alone = knocked(made(("a",), weights(1), family="gpt2"), 0, [math.nan])
    for rows in ("token", "all"):
        found = replace(alone, params=replace(alone.params, rows=rows, query=1))
        assert knock_notices(found, T) == [
            "No key was cut.", "1 key cannot be cut: it is not seen, or a token sees no other."
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "effects", "said"),
    [
        ([0.25] * 4, [0.1, 0.2, 0.3, 0.15],
         ("All 4 keys that were cut weigh the same, 0.250. Without “k2” the last vector of “k0” "
          "moves most, by 0.3 of its length.")),
        ([0.1, 0.2, 0.3, 0.4], [0.0] * 4,
         ("“k3” has the largest weight, 0.400. No cut moves the last vector of “k0” by more than "
          "rounding.")),
        ([0.1, 0.2, 0.3, 0.4], [0.2] * 4,
         ("“k3” has the largest weight, 0.400. Every cut moves the last vector of “k0” alike, by "
          "0.2 of its length.")),
        ([0.1, 0.1, 0.4, 0.4], [0.1, 0.3, 0.3, 0.2],
         ("“k2”, “k3” have the largest weight alike, 0.400. Without one of “k1”, “k2” the last "
          "vector of “k0” moves most, alike by 0.3 of its length.")),
        ([0.1] + [0.225] * 4, [0.1, 0.3, 0.3, 0.3, 0.3],
         ("4 keys have the largest weight alike, 0.225. 4 cuts move the last vector of “k0” most, "
          "alike by 0.3 of its length.")),
        ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.0],
         ("“k3” has the largest weight, 0.400, but without it the last vector of “k0” moves by no "
          "more than rounding; without “k2” by 0.3 of its length.")),
        ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.30004, 0.30001],
         ("“k3” has the largest weight, 0.400, but without it the last vector of “k0” moves by "
          "0.30001 of its length; without “k2” by 0.30004.")),
        ([0.4, 0.6], [math.nan, 0.2],
         ("Without “k1”, the only key that was cut, the last vector of “k0” moves by 0.2 of its "
          "length.")),
    ],
)  # fmt: skip
def test_ties_and_effects_of_nothing_are_said(row, effects, said):
    assert tops_words(keys(effects, row), T) == said


def test_an_effect_of_nothing_is_nothing_to_rounding():
    found = keys([0.0, 0.2, math.nan], [0.2, 1e-19, 0.8])
    assert key_words(found, 0, T) == "k0: weight 0.200, effect 0 to rounding"
    assert key_words(found, 1, T).replace("\xa0", " ") == "k1: weight 1 × 10⁻¹⁹, effect 0.2"
    assert key_words(found, 2, T) == "k2: weight 0.800, not cut"
    said = floor_words(replace(found, floor=3e-5), T).replace("\xa0", " ")
    assert said == "Effects up to 3 × 10⁻⁵ are rounding and count as 0."
    assert floor_words(keys([0.1, 0.2, math.nan]), T) == ""


def test_a_model_of_one_head_reads_a_cut_key_nowhere_else():
    study = made(("a", "b", "c"), weights(3, 1, 1))
    for scope in ("head", "layer"):
        result = knocked(
            study, 0, [0.1, 0.2, 0.3], KnockParams(scope="head", rows="all", layer=1, head=1)
        )
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
