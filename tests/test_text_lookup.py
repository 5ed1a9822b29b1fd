"""What is said of soft lookup: true for every result, on both sides of every condition."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from engine.experiments.lookup.axes import compare_axes
from engine.experiments.lookup.roles import Role, RolesParams, RolesResult, measure_roles
from engine.experiments.lookup.similarities import additive_weights
from engine.experiments.lookup.soft import Result, run
from engine.experiments.lookup.table import SIMILARITIES, Params
from engine.experiments.masks.inputs import InputParams
from pages.text import translator
from pages.text.lookup_readings import (
    axes_notices,
    cost_notices,
    largest_of,
    plane_notices,
    ratio_words,
    roles_notices,
    table_notices,
)
from pages.text.lookup_words import score_text, vector_text, weight_text
from tests import lookup_oracles
from tests.lookup_tables import TABLES, hard_tables, looked
from tests.test_figures_lookup import COSTS, measured

EN = translator("en")


def said(*sentences: str) -> str:
    return " ".join(sentences)


def weights_of(params: Params, temperature: float) -> list[float]:
    inner = additive_weights(params.seed, params.d)
    scores = [
        lookup_oracles.score(params.similarity, params.query, key, inner) for key in params.keys
    ]
    return lookup_oracles.look(scores, params.values, temperature)[0]


# Words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.5, 3, "0.500"),
        (-0.0001, 3, "0.000"),
        (-1286637.2, 3, "−1,286,637"),
        (1500.25, 3, "1,500.2"),
        (8e6, 2, "8,000,000"),
        (999.999, 0, "1,000"),
    ],
)
def test_scores_are_never_written_as_a_computer_does(value, decimals, text):
    assert score_text(value, decimals) == text


@pytest.mark.parametrize(
    ("weight", "text"), [(0.0, "0"), (1.0, "1"), (0.0417, "0.0417"), (6.2e-7, "6\xa0×\xa010⁻⁷")]
)
def test_small_weights_are_powers_of_ten(weight, text):
    assert weight_text(weight) == text


def test_vectors_have_no_digits_that_say_nothing():
    assert vector_text((1.5, -2.0, 0.0, -0.0001, 100.0), 3) == "(1.5, −2, 0, 0, 100)"


@pytest.mark.parametrize(
    ("ratio", "text"), [(34.4, "34 ×"), (2.04, "2 ×"), (1.04, "1.04 ×"), (1200.0, "1,200 ×")]
)
def test_ratios_have_two_digits(ratio, text):
    assert ratio_words(ratio) == text


# One table ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TABLES)
def test_what_a_dictionary_finds_is_said_truly(case):
    params, told = looked(case).params, said(*table_notices(looked(case), EN))
    if len(params.names) == 1:
        assert "its weight is 1" in told
        return
    if params.query in params.keys:
        assert f"A dictionary finds {params.names[params.keys.index(params.query)]}," in told
    else:
        assert "a dictionary finds nothing" in told


def test_a_key_that_equals_the_query_need_not_have_the_largest_score():
    params = Params(query=(0.5, 1.5), keys=((0.5, 1.5), (5.0, 5.0), (0.0, 1.0), (1.0, 0.0)))
    for similarity in ("dot", "gaussian"):
        given = replace(params, similarity=similarity)
        scores = [lookup_oracles.score(similarity, params.query, key) for key in params.keys]
        told = table_notices(run(given, backend="numpy"), EN)[0]
        assert ("banana has a larger score all the same" in told) == (scores[1] > scores[0])
    assert lookup_oracles.score("dot", params.query, params.keys[1]) > 0.25 + 2.25


@settings(max_examples=20)
@given(hard_tables())
def test_a_lower_temperature_never_takes_from_the_largest_weight(params):
    result = run(params, backend="numpy")
    told = said(*table_notices(result, EN))
    if "A lower temperature never gives it less" not in told:
        return
    (row,) = result.nearest
    assert f"{params.names[row]} has" in told
    cooler, same, warmer = (weights_of(params, params.temperature * t)[row] for t in (0.5, 1, 2))
    assert cooler >= same - 1e-12
    assert same >= warmer - 1e-12
    endless = weights_of(params, 1e12)
    assert endless == pytest.approx([1 / len(params.names)] * len(params.names), abs=1e-4)


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("default", "apple has 79.1% of the weight"),
        ("close", "2 keys share the largest score: 33.3%"),
        ("zero query", "every weight is 1/4 at every temperature"),
    ],
)
def test_shares_at_the_temperature(case, told):
    assert told in said(*table_notices(looked(case), EN))
    weights = weights_of(TABLES[case], TABLES[case].temperature)
    assert f"{100 * max(weights):.1f}" in ("79.1", "33.3", "25.0")


def test_the_order_of_the_rows_is_told_to_the_bit_or_to_a_size():
    for difference, words in ((0.0, "to the last bit"), (6e-17, "the same to 6\xa0×\xa010⁻¹⁷")):
        result = replace(looked("default"), shuffled_difference=difference)
        assert words in said(*table_notices(result, EN))


# Two vectors and five similarities ---------------------------------------------------------------


def test_the_product_of_lengths_and_cosine():
    (first, second, *_) = plane_notices(looked("default"), 0, EN)
    assert "1.581 × 2 × 0.949 ≈ 3." in first
    assert "doubles every dot product" in second
    zero = plane_notices(looked("zero query"), 0, EN)
    assert "here it is the query, and q·k is 0" in zero[0]
    assert "the same weight" in zero[1]
    assert "here it is the key of apple" in plane_notices(looked("zero key"), 0, EN)[0]


@settings(max_examples=20)
@given(hard_tables(d=2))
def test_twice_the_query_is_half_the_temperature(params):
    if not any(params.query) or max(map(abs, params.query)) > 500:
        return
    longer = replace(params, similarity="dot", query=tuple(2 * each for each in params.query))
    same = replace(params, similarity="dot")
    first, second = weights_of(longer, 1.0), weights_of(same, 0.5)
    assert first == pytest.approx(second, abs=1e-9)


def tops(result: Result) -> dict[str, set[int]]:
    """Return the keys with the largest weight, by loops."""
    found: dict[str, set[int]] = {}
    for similarity in SIMILARITIES:
        if result.found[similarity].refused is None:
            weights = weights_of(replace(result.params, similarity=similarity),
                                 result.params.temperature)  # fmt: skip
            top = max(weights)
            found[similarity] = {row for row, each in enumerate(weights) if each >= top - 1e-6}
    return found


@pytest.mark.parametrize("case", TABLES)
def test_who_has_the_largest_weight_by_each_similarity(case):
    result = looked(case)
    found = tops(result)
    for similarity, rows in found.items():
        only: Any = similarity
        assert largest_of(result, only) == (next(iter(rows)) if len(rows) == 1 else None)
    told = said(*plane_notices(result, 0, EN))
    alone = len(result.params.names) > 1 and all(len(rows) == 1 for rows in found.values())
    agreed = alone and len({min(rows) for rows in found.values()}) == 1
    assert ("give" in told and "the largest weight." in told) == agreed
    assert ("The largest weight goes to" in told) == (alone and not agreed)


def test_similarities_that_agree_are_counted():
    found = set()
    for seed in range(6):
        keys = ((2.0, 0.0), (-1.0, 1.0), (-2.0, 0.5), (0.0, -1.5))
        result = run(Params(keys=keys, query=(1.5, 0.3), seed=seed), backend="numpy")
        agreed = {min(each) for each in tops(result).values()} == {0}
        words = "All 5 similarities give apple" if agreed else "The largest weight goes to"
        assert words in said(*plane_notices(result, 0, EN))
        found.add(agreed)
    assert found == {True, False}


# Three roles -------------------------------------------------------------------------------------


def made_up(free: float, tied: float, error: float = 0.001, **changes) -> RolesResult:
    result = measure_roles(RolesParams(T=4, d_model=8, d_k=8, draws=4), backend="numpy")

    def role(given: Role, mean: float) -> Role:
        return replace(given, mean=mean, error=error, **changes)

    return replace(result, free=role(result.free, free), tied=role(result.tied, tied))


@pytest.mark.parametrize(
    ("free", "tied", "words"),
    [
        (0.2505, 0.8, "no more and no less than 1/T = 0.25"),
        (0.2535, 0.8, "more than 1/T = 0.25 by more than chance"),
        (0.2465, 0.8, "less than 1/T = 0.25 by more than chance"),
        (0.25, 0.253, "no clear difference"),
        (0.25, 0.24, "which is less"),
        (0.25, 0.3, "a squared length"),
    ],
)
def test_what_may_be_chance_is_not_called_a_difference(free, tied, words):
    told = said(*roles_notices(made_up(free, tied), EN))
    assert words in told
    assert ("by more than chance" in told) == (abs(free - 0.25) > 0.003)
    clear = abs(tied - free) > 3 * math.hypot(0.001, 0.001)
    assert ("no clear difference" in told) == (not clear)


def test_most_tokens_score_highest_with_themselves_only_where_they_do():
    result = made_up(0.25, 0.6)
    for scores, leads in (([[3.0, 1.0], [0.0, 2.0]], True), ([[0.0, 1.0], [1.0, 0.5]], False)):
        own = sum(scores[i][i] >= max(scores[i]) for i in range(2)) > 1
        assert own == leads
        tied = replace(result.tied, first_scores=np.array(scores))
        told = said(*roles_notices(replace(result, tied=tied), EN))
        assert ("for most tokens of the first draw" in told) == leads


def test_symmetry_is_told_as_it_was_measured():
    exact = made_up(0.25, 0.6, asymmetry=0.0)
    rough = made_up(0.25, 0.6, asymmetry=3e-8)
    assert "to the last bit" in roles_notices(exact, EN)[2]
    assert "to 3\xa0×\xa010⁻⁸ of the largest score" in roles_notices(rough, EN)[2]


def test_one_token_has_nothing_to_compare():
    result = measure_roles(RolesParams(T=1, draws=2), backend="numpy")
    assert roles_notices(result, EN) == [
        "With one token every weight is 1, free or tied: there is nothing to compare."
    ]


# Rows and columns --------------------------------------------------------------------------------


def test_what_queries_get_where_softmax_runs_down_the_columns():
    result = compare_axes(InputParams(), backend="numpy")
    columns = [[math.exp(value) for value in column] for column in result.scores.T.tolist()]
    sums = [sum(column[row] / sum(column) for column in columns) for row in range(4)]
    told = said(*axes_notices(result, EN))
    assert f"from {min(sums):.3f} to {max(sums):.3f}" in told
    one = compare_axes(InputParams("sentence", "hello"), backend="numpy")
    assert axes_notices(one, EN) == ["With one token both give the weight 1."]
    alike = replace(result, difference_weights=0.0)
    assert axes_notices(alike, EN) == ["Here both give the same weights."]


# Cost ------------------------------------------------------------------------------------------


def test_nothing_is_said_of_a_measurement_without_a_pair():
    assert cost_notices(COSTS["none"], EN) == []
    assert cost_notices(COSTS["first"], EN) == []
    assert len(cost_notices(COSTS["pair"], EN)) >= 1


def test_ratios_stand_with_their_spread_at_the_ends_of_the_widths():
    told = said(*cost_notices(measured(3.0, 0.9), EN))
    pairs = sorted(a / b for a in (0.3, 3.0, 5.7) for b in (0.1, 1.0, 1.9))
    for d_k in (8, 16):
        assert f"3 times as long at T = 128, d_k = {d_k} ({pairs[2]:.2g} to {pairs[6]:.2g})" in told


@pytest.mark.parametrize(("ratio", "enough"), [(30.0, False), (0.9, True)])
def test_counts_explain_a_ratio_only_where_they_do(ratio, enough):
    """The made-up points have as many operations both ways: a ratio above 1 is not explained."""
    told = said(*cost_notices(measured(ratio), EN))
    assert ("not enough to explain it" in told) != enough


def test_the_growth_of_made_up_times_is_two_and_programs_that_disturb_are_told():
    calm = measured()
    told = said(*cost_notices(calm, EN))
    assert "dot product: p = 2.000" in told
    assert "busy meanwhile" not in told
    busy = replace(calm, elsewhere=1.6)
    assert "Other programs kept 1.6 cores busy" in said(*cost_notices(busy, EN))
