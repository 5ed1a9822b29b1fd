"""What is said of a real model's attention: each sentence beside loops, on both of its sides."""

from __future__ import annotations

import re
from typing import get_args

import numpy as np
import pytest

from engine.experiments.context.specials import Specials
from engine.experiments.context.study import StudyParams, study
from pages.figures.context.model_view import ModelView
from pages.text import translator
from pages.text.context_model import head_notices, layers_notices
from tests import context_oracles as oracles
from tests.model_studies import decoder, encoder, made, random_weights

EN = translator("en")
WAYS = get_args(Specials)
STUDIES = (encoder(), decoder(), encoder(40, 2, 2, 9), encoder(3, 1, 1), made(
    random_weights(4, 2, 6, seed=3), "abcdef"))  # fmt: skip


def heads(found, **view):
    return " ".join(head_notices(found, ModelView(**{"layer": 1, "head": 1, **view}), EN))


def layers(found, **view):
    return " ".join(layers_notices(found, ModelView(**{"layer": 1, "head": 1, **view}), EN))


def numbers(said: str, pattern: str) -> list[float]:
    found = re.search(pattern, said)
    assert found, said
    return [float(each) for each in found.groups()]


def shifted(T, step, share):
    """Return weights of one head that gives each token's neighbour a share, where it has one."""
    weights = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            weights[i, j] = (1 - share) / T
        near = i + step
        weights[i, near if 0 <= near < T else i] += share
    return weights[None, None]


# One token ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("found", STUDIES)
def test_the_largest_weight_is_that_of_loops(found, way):
    for query in (2, len(found.tokens) - 1):
        if found.special[query - 1] and way != "shown":
            continue
        said = heads(found, query=query, specials=way)
        places, rows = oracles.treated(found.attention[0, 0], found.special, way)
        row = rows[places.index(query - 1)]
        top = row.index(max(row))
        of = {
            "shown": "gives the largest weight, ",
            "hidden": "gives the largest weight among the tokens shown, ",
            "renormalised": "gives the largest part of what special tokens leave of its weight, ",
        }[way if found.special.any() else "shown"]
        weight, key = numbers(said, of + r"([\d.]+), to token (\d+)")
        assert weight == pytest.approx(max(row), abs=6e-4)
        assert key == places[top] + 1
        plain = [(w, p) for w, p in zip(row, places, strict=True) if not found.special[p]]
        assert ("Of the others" in said) == bool(found.special[places[top]])
        if found.special[places[top]]:
            key, weight = numbers(said, r"Of the others, token (\d+) .*? gets most: ([\d.]+)\.")
            assert weight == pytest.approx(max(plain)[0], abs=6e-4)
            assert key - 1 == max(plain)[1]


def test_a_hidden_token_is_said_to_be_hidden():
    said = heads(encoder(), query=1, specials="hidden")
    assert said.startswith("Token 1 ([CLS]) is a special token, and these are not shown.")


# Every head -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(4))
def test_heads_that_look_at_special_tokens_are_counted(count):
    near, far = np.full((5, 5), 0.1), np.full((5, 5), 0.2)
    near[:, 0] += 0.5
    weights = np.array([[near] * count + [far] * (4 - count)])
    said = heads(made(weights, "abcde", (0,)))
    wanted = {0: "In no head does", 1: "In one of 4 heads", 2: "In 2 of 4", 3: "In 3 of 4"}
    assert wanted[count] in said
    # Without special tokens, the first one is what later tokens give their weight to.
    said = heads(made(weights, "abcde"))
    wanted[0] = "In no head do the later tokens"
    assert wanted[count] in said
    assert "special" not in said


def test_what_the_first_token_gives_itself_does_not_count():
    causal = np.tril(np.ones((2, 2))) * [[1, 1], [0.4, 0.6]]
    assert "In no head do" in heads(made([[causal, causal]], "ab"))
    causal[1] = 0.6, 0.4
    assert "In 2 of 2 heads the later tokens" in heads(made([[causal, causal]], "ab"))


@pytest.mark.parametrize(("step", "word"), [(-1, "before"), (1, "after")])
@pytest.mark.parametrize("share", [0.2, 0.8])
def test_a_diagonal_is_named_where_it_is_clear(step, word, share):
    T = 7
    other = np.full((1, 1, T, T), 1 / T)
    weights = np.concatenate([other, shifted(T, step, share)], axis=1)
    said = heads(made(weights, "abcdefg"))
    mean = sum(weights[0, 1, i, i + step] for i in range(T) if 0 <= i + step < T) / (T - 1)
    assert ("clearest diagonal" in said) == (mean > 0.5)
    if mean > 0.5:
        assert f"is layer 1, head 2: a token gives the one {word} it {mean:.3f}" in said


def test_two_tokens_have_no_diagonal():
    assert "diagonal" not in heads(made(shifted(2, 1, 0.9), "ab"))


def test_a_token_that_nobody_named_is_said_to_be_found_there():
    found = made(random_weights(1, 1, 3), ("a", "it", "."))
    assert "“it” was not named, but is the first pronoun" in heads(found)
    assert "was not named" not in heads(found, query=2)


# Layers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("found", STUDIES)
def test_distances_and_shares_are_those_of_loops(found, way):
    said = layers(found, specials=way)
    table = [[oracles.looked(head, found.special, way) for head in layer]
             for layer in found.attention]  # fmt: skip
    means = [sum(head[0] for head in layer) / len(layer) for layer in table]
    even = oracles.looked(oracles.even(len(found.tokens), found.causal), found.special, way)
    if len(found.tokens) - (way != "shown") * int(found.special.sum()) == 1:
        assert said.startswith("Only one token is shown, so that there is no distance.")
        return
    if found.layers > 1:
        pattern = r"looks ([\d.]+) .* layer 1 and ([\d.]+) in layer \d+; .* give ([\d.]+)\. *"
        wanted = [means[0], means[-1], even[0]]
    else:
        pattern = r"looks ([\d.]+) places away on average; .* would give ([\d.]+)\."
        wanted = [means[0], even[0]]
    assert numbers(said.split(". ")[0] + ".", pattern) == pytest.approx(wanted, abs=6e-3)
    assert ("counts as no distance" in said) == (way == "hidden" and bool(found.special.any()))
    if found.special.any():
        shares = [sum(head[2] for head in layer) / len(layer) for layer in table]
        layer, share, fair = numbers(said, r"most in layer (\d+): ([\d.]+) .* give ([\d.]+)\.")
        assert shares[int(layer) - 1] == max(shares)
        assert share == pytest.approx(max(shares), abs=6e-4)
        assert fair == pytest.approx(even[2], abs=6e-4)
    else:
        assert "pecial" not in said


def test_the_way_to_special_tokens_is_a_part_of_the_distance():
    found = encoder()
    said = layers(found)
    most = int(numbers(said, r"most in layer (\d+):")[0]) - 1
    near = far = 0.0
    for head in found.attention[most]:
        for i in range(16):
            for j in range(16):
                far += float(head[i][j]) * abs(i - j)
                near += float(head[i][j]) * abs(i - j) if found.special[j] else 0.0
    assert numbers(said, r"in that layer, ([\d.]+) is the way") == [
        pytest.approx(near / far, abs=6e-4)
    ]
    assert "is the way" not in layers(found, specials="renormalised")


def depths(*shares):
    """Return one layer for each share that a token keeps for itself: the more, the nearer."""
    far = np.full((6, 6), 1 / 6)
    return np.array([[share * np.eye(6) + (1 - share) * far] for share in shares])


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ((0.9, 0.5, 0.1), "It grows with every layer."),
        ((0.1, 0.5, 0.9), "It shrinks with every layer."),
        ((0.9, 0.1, 0.5), "It does not go one way through all layers."),
        ((0.5, 0.5, 0.5), "It is the same in every layer, to rounding."),
    ],
)
def test_the_course_of_the_distance(shares, said):
    assert said in layers(made(depths(*shares), "abcdef"))
    assert "It " not in layers(made(depths(*shares[:2]), "abcdef"))


def test_layers_that_differ_by_rounding_are_the_same():
    even = np.full((3, 2, 6, 6), 1 / 6) * (1 + 1e-7 * np.arange(3)[:, None, None, None])
    said = layers(made(even, "abcdef"))
    assert "It is the same in every layer, to rounding." in said
    assert "Heads differ" not in said
    # One step of nothing: neither one way nor the other.
    assert " It " not in layers(made(depths(0.9, 0.5, 0.5), "abcdef"))
    only = layers(made(np.full((3, 2, 3, 3), 1 / 3), "abc", (0, 2)), specials="hidden")
    assert only.startswith("Only one token is shown, so that there is no distance. In every layer")
    assert "special tokens get 0.667 of the weight, where equal weights would give 0.667." in only


def test_what_few_digits_hide_is_shown_with_more():
    little = layers(made(depths(0.503, 0.502, 0.501), "abcdef"))
    near, far = numbers(little, r"looks ([\d.]+) .* layer 1 and ([\d.]+) in layer 3")
    even = sum(abs(i - j) for i in range(6) for j in range(6)) / 36
    assert (near, far) == pytest.approx((even * 0.497, even * 0.499), abs=6e-4)
    assert near < far
    close = np.concatenate([depths(0.5, 0.5), depths(0.501, 0.5)], axis=1)
    least, most = numbers(layers(made(close, "abcdef")), r"from ([\d.]+) to ([\d.]+) places")
    assert least < most


def test_weights_that_are_tied_are_said_to_be():
    row = np.array([[0.1, 0.3, 0.3 * (1 + 1e-7), 0.3]] * 4)
    said = heads(made(row[None, None], "abcd"), query=1)
    assert "gives the largest weight, 0.300, to 3 tokens alike." in said
    hidden = heads(made(row[None, None], "abcd", (1,)), query=1, specials="hidden")
    assert "among the tokens shown, 0.300, to 2 of them alike." in hidden
    assert "Of the others" not in heads(made(row[None, None], "abcd", (1,)), query=1)


def test_where_special_tokens_are_left_out_a_diagonal_counts_them():
    found = made(shifted(7, 1, 0.8), "abcdefg", (0,))
    for way in WAYS:
        said = heads(found, query=2, specials=way)
        assert "clearest diagonal" in said
        assert ("Here special tokens are counted in." in said) == (way != "shown")


def test_heads_differ_more_than_layers_only_where_they_do():
    alike = np.concatenate([depths(0.5, 0.4), depths(0.52, 0.42)], axis=1)
    apart = np.concatenate([depths(0.5, 0.4), depths(0.0, 0.42)], axis=1)
    assert "Heads differ" not in layers(made(alike, "abcdef"))
    even = sum(abs(i - j) for i in range(6) for j in range(6)) / 36
    said = layers(made(apart, "abcdef"))
    assert f"in layer 1 they look from {even * 0.5:.2f} to {even:.2f} places away" in said


# Every sentence -------------------------------------------------------------------------------


def test_the_recorded_sentence_has_three_sentences_each():
    found = study(StudyParams(), backend="numpy")
    for language in ("en", "zh"):
        t = translator(language)
        assert len(head_notices(found, ModelView(), t)) == 3
        assert len(layers_notices(found, ModelView(), t)) == 3


def test_nothing_is_written_in_powers_of_ten():
    for found in STUDIES:
        for way in WAYS:
            said = heads(found, query=2, specials=way) + layers(found, specials=way)
            assert not re.search(r"\de[−-]?\d", said)
