"""What is said of soft lookup: true for every result, on both sides of every condition."""

from __future__ import annotations

import math
import re
import statistics
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
from pages.figures.figure import Style
from pages.figures.lookup.plane import plane_figure
from pages.figures.lookup.temperature import temperature_figure
from pages.figures.lookup.weights import weights_figure
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
from pages.ui import workspace
from pages.ui.lookup import roles_tab, similarity_tab
from pages.ui.lookup.explained import _COST
from tests import lookup_oracles
from tests.figure_marks import texts
from tests.lookup_tables import TABLES, hard_tables, looked
from tests.test_figures_lookup import COSTS, measured

EN = translator("en")
COUNTS = {"dot": lookup_oracles.dot_count, "additive": lookup_oracles.additive_count}


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


NEAR = Params(("a", "b", "c"), ((1000.0, 0.0), (999.9999, 0.0), (-1.0, 0.0)), ((1.0,),) * 3,
              (1000.0, 0.0))  # fmt: skip


@pytest.mark.parametrize("temperature", [0.05, 0.1, 10.0])
@pytest.mark.parametrize("count", [2, 3])
def test_keys_whose_weights_differ_are_not_called_equal(backend, count, temperature):
    """In single precision their scores are as near as rounding may bring equal ones."""
    near = replace(NEAR, names=NEAR.names[:count], keys=NEAR.keys[:count],
                   values=NEAR.values[:count], temperature=temperature)  # fmt: skip
    result = run(near, backend=backend)
    assert result.nearest == (0,)
    figures = [draw(result, Style()).note for draw in (weights_figure, temperature_figure)]
    told = said(*table_notices(result, EN), *figures)
    assert "equal, so" not in told
    assert "share" not in told
    assert f"a has {100 * float(result.soft.weights[0]):.1f}% of the weight" in told


def test_equal_scores_that_rounding_sets_apart_are_said_to_part_where_they_do():
    result = looked("zero query")
    assert len(result.nearest) == 4
    assert "lines of equal scores part" not in temperature_figure(result, Style()).note
    parted = result.curve.copy()
    parted[result.temperatures < 0.02, 0] += 0.002
    rough = replace(result, curve=parted, precision="float32")
    note = temperature_figure(rough, Style()).note
    (below,) = re.findall(
        r"At temperature ([\d.]+) and below, the lines of equal scores part", note
    )
    last = max(each for each in result.temperatures.tolist() if each < 0.02)
    assert float(below) == pytest.approx(last, rel=0.05)
    assert "the rounding of float32" in note


def test_the_order_of_the_rows_is_told_to_the_bit_or_to_a_size():
    for difference, words in ((0.0, "to the last bit"), (6e-17, "the same to 6\xa0×\xa010⁻¹⁷")):
        result = replace(looked("default"), shuffled_difference=difference)
        assert words in said(*table_notices(result, EN))


# Two vectors and five similarities ---------------------------------------------------------------


def test_the_product_of_lengths_and_cosine():
    (first, second, *_) = plane_notices(looked("default"), 0, EN)
    assert "1.581 × 2 × 0.9487 ≈ 3." in first
    assert "doubles every dot product" in second
    zero = plane_notices(looked("zero query"), 0, EN)
    assert "here it is the query, and q·k is 0" in zero[0]
    assert "by dot products, scaled or not, every key has the same weight" in zero[1]
    for similarity in SIMILARITIES:
        if similarity != "cosine":
            weights = weights_of(replace(TABLES["zero query"], similarity=similarity), 1.0)
            assert (max(weights) - min(weights) < 1e-12) == (similarity in ("dot", "scaled"))
    assert "here it is the key of apple" in plane_notices(looked("zero key"), 0, EN)[0]


def written(text: str) -> float:
    """Return a number as a reader reads it."""
    plain = text.replace("\xa0×\xa010", "e").replace(",", "").replace("−", "-")
    return float(plain.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")))


@pytest.mark.parametrize(
    ("query", "key"),
    [((217.9, 0.2169e-3), (0.0, 1000.0)), ((217.9, 0.0), (1e-6, 1000.0)), ((3.1, 4.7), (-8.3, 5.5)),
     ((1.0, 2.0), (-2.0, 1.0)), ((999.9, 0.1), (999.9, 0.2)), ((1e-6, 1e-6), (-1.0, 0.7))],
)  # fmt: skip
def test_factors_have_the_digits_that_their_product_needs(backend, query, key):
    params = Params(("k",), (key,), ((1.0,),), query)
    result = run(params, backend=backend)
    told = plane_notices(result, 0, EN)[0].partition("it is ")[2].rstrip(".")
    product, dot = told.split(" ≈ ")
    factors = [written(each) for each in product.split(" × ")]
    count = 4 if abs(written(dot)) >= 1e-6 else 1
    assert float(f"{math.prod(factors):.{count - 1}e}") == written(dot)
    exact = lookup_oracles.dot(query, key)
    lengths = [lookup_oracles.length(each) for each in (query, key)]
    small = 1e-6 * math.prod(lengths) if backend.precision == "float32" else 0.0
    assert written(dot) == pytest.approx(exact, rel=5.1e-4 if count == 4 else 0.51, abs=small)
    assert factors[:2] == pytest.approx(lengths, rel=5.1e-4)
    assert factors[2] == pytest.approx(exact / math.prod(lengths), rel=5.1e-4, abs=1e-6)


@settings(max_examples=20)
@given(hard_tables(d=2))
def test_twice_the_query_is_half_the_temperature(params):
    if not any(params.query) or max(map(abs, params.query)) > 500:
        return
    longer = replace(params, similarity="dot", query=tuple(2 * each for each in params.query))
    same = replace(params, similarity="dot")
    first, second = weights_of(longer, 1.0), weights_of(same, 0.5)
    assert first == pytest.approx(second, abs=1e-9)


@pytest.mark.parametrize(
    ("query", "key", "angle", "dot"),
    [((1.0, 0.0), (1.0, -1.0), "45.0°", "1"), ((1.0, -1.0), (1.0, 0.0), "45.0°", "1"),
     ((1000.0, -1000.0), (0.1, 0.1), "90.0°", "0"), ((0.0, 0.0), (1.0, 2.0), "–", "0")],
)  # fmt: skip
def test_the_numbers_above_the_plane_are_those_in_it(monkeypatch, query, key, angle, dot):
    shown: dict[str, str] = {}
    monkeypatch.setattr(workspace, "metric",
                        lambda title, value, *_, **__: shown.update({title: value}))  # fmt: skip
    result = run(Params(("k",), (key,), ((1.0,),), query), backend="numpy")
    similarity_tab.numbers(result, 0, EN)
    assert (shown["Angle"], shown["q·k"]) == (angle, dot)
    figure = plane_figure(result, Style(size="slide"))
    drawn = [box.text for box in texts(figure.spec)]
    assert (f"θ = {angle}" in drawn) == (angle != "–")


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


def made_up(
    free: float, tied: float, error: float = 0.001, draws: int = 40, **changes
) -> RolesResult:
    """Return made-up draws with these means and standard errors, in which the ways go their own."""
    ways = [1.0, -1.0] * (draws // 2), [1.0, 1.0, -1.0, -1.0] * (draws // 4)
    step = error * math.sqrt(draws - 1)
    made = [[mean + step * each for each in way]
            for mean, way in zip((free, tied), ways, strict=True)]  # fmt: skip
    return of_draws(*made, **changes)


def of_draws(free: list[float], tied: list[float], **changes) -> RolesResult:
    result = measure_roles(RolesParams(T=4, d_model=8, d_k=8, draws=4), backend="numpy")

    def role(given: Role, draws: list[float]) -> Role:
        error = statistics.stdev(draws) / math.sqrt(len(draws))
        return replace(given, diagonal=tuple(draws), mean=statistics.fmean(draws), error=error,
                       **changes)  # fmt: skip

    params = replace(result.params, draws=len(free))
    return replace(result, params=params, free=role(result.free, free),
                   tied=role(result.tied, tied))  # fmt: skip


@pytest.mark.parametrize(
    ("free", "tied", "words"),
    [
        (0.2505, 0.8, "40 draws do not set it apart from 1/T = 0.25"),
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
    clear = abs(tied - free) > 3.2 * math.hypot(0.001, 0.001)
    assert ("no clear difference" in told) == (not clear)


@pytest.mark.parametrize(
    ("draws", "free", "apart"),
    [(4, 0.2590, False), (4, 0.2595, True), (4, 0.2405, True), (20, 0.2534, False),
     (20, 0.2536, True)],
)  # fmt: skip
def test_few_draws_must_differ_by_more(draws, free, apart):
    """Of 4 draws chance reaches 9.22 standard errors, of 20 it reaches 3.45 (Student's t)."""
    told = said(*roles_notices(made_up(free, 0.8, draws=draws), EN))
    assert ("by more than chance" in told) == apart
    assert (f"{draws} draws do not set it apart" in told) != apart


def test_chance_is_hardly_ever_called_a_difference_of_two_draws():
    drawn, alarms, differences = np.random.default_rng(1).normal(0.25, 0.01, (400, 2, 2)), 0, 0
    result = made_up(0.25, 0.25, draws=4)
    for free, tied in drawn.tolist():
        roles = [
            replace(role, diagonal=tuple(two), mean=sum(two) / 2, error=abs(two[0] - two[1]) / 2)
            for role, two in ((result.free, free), (result.tied, tied))
        ]
        told = said(*roles_notices(replace(result, free=roles[0], tied=roles[1]), EN))
        alarms += "by more than chance" in told
        differences += "no clear difference" not in told
    assert max(alarms, differences) <= 6, "3 of 1,000 are expected"


def test_both_ways_are_compared_draw_by_draw():
    """What both share in a draw is no doubt about their difference."""
    shared = [0.2, 0.3, 0.25, 0.35, 0.28, 0.22, 0.31, 0.24]
    apart = [each + 0.01 + 0.0005 * (-1) ** place for place, each in enumerate(shared)]
    alike = [each + 0.01 + 0.02 * (-1) ** place for place, each in enumerate(shared)]
    for tied, clear in ((apart, True), (alike, False)):
        told = said(*roles_notices(of_draws(shared, tied), EN))
        assert ("a squared length" in told) == clear


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
    assert "to 3\xa0×\xa010⁻⁸ of the largest score in size" in roles_notices(rough, EN)[2]


@pytest.mark.parametrize(("asymmetry", "text"), [(1.1774, "1.177"), (0.98765, "0.988")])
def test_asymmetry_has_the_digits_that_it_has_above_the_figure(asymmetry, text, monkeypatch):
    result = of_draws([0.1, 0.2], [0.5, 0.6])
    result = replace(result, free=replace(result.free, asymmetry=asymmetry))
    shown: list[str] = []
    monkeypatch.setattr(workspace, "metric", lambda *words, **_: shown.extend(words))
    roles_tab.numbers(result, EN)
    notice = roles_notices(result, EN)[-1]
    assert f"up to {text} times" in notice
    assert f"free: {text}" in shown


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
    assert (f"not enough to explain {ratio:.0f} times as long" in told) != enough


@pytest.mark.parametrize("points", [2, 4, 8])
def test_counts_are_those_of_a_point_that_is_named_with_its_ratio(points):
    result = measured(30.0, points=points)
    counted = tuple(
        replace(each, operations=count[0], tanhs=count[1])
        for each in result.points
        for count in [COUNTS[each.way](each.T, each.d_k)]
    )
    (slower, counts, *_) = cost_notices(replace(result, points=counted), EN)
    found = re.search(
        r"At T = ([\d,]+), d_k = (\d+) they need ([\d.]+) times.*"
        r"explain (\d+) times.* ([\d,]+) tanh",
        counts,
    )
    assert found is not None
    T, d_k, times, ratio, tanhs = (float(each.replace(",", "")) for each in found.groups())
    assert f"{ratio:.0f} times as long at T = {T:.0f}, d_k = {d_k:.0f} (" in slower
    dot, additive = (COUNTS[way](int(T), int(d_k)) for way in ("dot", "additive"))
    assert times == pytest.approx(additive[0] / dot[0], rel=0.05)
    assert tanhs == additive[1]


def test_the_formula_of_the_cost_counts_what_is_counted():
    terms = re.findall(r"(\d)\\,T(\^2)? ?d_k(\^2)?", _COST.partition("tanh")[2])
    for T, d_k in ((8, 4), (3, 16)):
        total = sum(int(factor) * T ** (2 if square else 1) * d_k ** (2 if wide else 1)
                    for factor, square, wide in terms)  # fmt: skip
        assert total == lookup_oracles.additive_count(T, d_k)[0]


def test_the_growth_of_made_up_times_is_two_and_programs_that_disturb_are_told():
    calm = measured()
    told = said(*cost_notices(calm, EN))
    assert "dot product: p = 2.000" in told
    assert "busy meanwhile" not in told
    busy = replace(calm, elsewhere=1.6)
    assert "Other programs kept 1.6 cores busy" in said(*cost_notices(busy, EN))
