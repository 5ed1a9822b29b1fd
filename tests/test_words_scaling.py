"""The sentences beside the figures of the square root of d_k, on both sides of their conditions."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.reach import Reach, ReachResult
from engine.experiments.scaling.variance import Params, run
from pages.figures.figure import Style
from pages.figures.scaling.gradient import jacobian_figure
from pages.figures.scaling.variance import distribution_figure
from pages.text import translator
from pages.text.scaling_readings import (
    _rounded_up,
    alike,
    drawn_words,
    error_decimals,
    pair_words,
    percent,
    with_error,
)
from pages.ui.maths import typeset
from pages.ui.scaling import variance as variance_tab
from pages.ui.scaling.gradient import norm_said, reach_said
from pages.ui.scaling.saturation import notices as saturation_notices
from pages.ui.scaling.variance import after_said, broken_said, growth_said
from tests.scaling_results import reach, saturation, variance, width, widths

T = translator("en")
PAIRS = [(5.0, 4.0), (4.0, 5.0), (-3.0, -7.5), (1.0, -1.0), (2.0, 2.0)]


def value_of(text: str) -> float:
    whole, less, rest = text.rpartition("1 − ")
    value = float(rest.replace("−", "-"))
    return 1 - value if less and not whole else value


@pytest.mark.parametrize("temperature", [0.1, 0.7, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("scores", PAIRS)
def test_a_weight_follows_its_score_as_fast_as_it_is_said_to(scores, temperature):
    said = pair_words(pair_of(scores, temperature), T)
    step = 1e-5

    def weight(first):
        return 1 / (1 + math.exp((scores[1] - first) / temperature))

    slope = (weight(scores[0] + step) - weight(scores[0] - step)) / (2 * step)
    number = r"((?:1 − )?\d[\d.]*(?:e−\d+)?)"
    found = re.search(rf"= \({number}, {number}\); the derivative .* score is {number}\.$", said)
    assert found is not None
    first, second, said_slope = map(value_of, found.groups())
    assert said_slope == pytest.approx(slope, rel=5e-3, abs=1e-10)
    other = 1 / (1 + math.exp((scores[0] - scores[1]) / temperature))
    # Three digits of the smaller weight are seen in both.
    near = 5e-3 * min(other, weight(scores[0]))
    assert first == pytest.approx(weight(scores[0]), abs=max(near, 1e-8))
    assert second == pytest.approx(other, abs=max(near, 1e-8))


@pytest.mark.parametrize("scores", [(1e6, -1e6), (-1e5, 1e5)])
def test_a_weight_too_small_for_a_number_is_not_called_0(scores):
    said = pair_words(pair_of(scores, 0.1), T)
    assert said.count("<1e−300") == 2
    assert ">1 − 1e−300" in said
    assert not re.search(r"\b0[,)]", said)


@given(st.floats(-9e5, 9e5), st.floats(-50, 50), st.floats(0.1, 20))
def test_no_weight_is_said_to_be_0_or_1_and_no_quotient_is_rounded(first, apart, temperature):
    said = pair_words(pair_of((first, first + apart), temperature), T)
    inside, weights = re.findall(r"\(([^()]*)\)", said)[:2]
    for score in inside.split(", "):
        over, _, under = score.partition("/")
        assert float(over.replace("−", "-")) in (first, first + apart)
        assert not under or float(under) == temperature
    for weight in weights.split(", "):
        assert not re.fullmatch(r"[01](\.0*)?", weight)


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (0.0660004, 0.0000312, "0.066000\xa0±\xa00.000031"),
        (10.063, 1.718, "10.1\xa0±\xa01.7"),
        (0.5, 0.0996, "0.50\xa0±\xa00.10"),
        (12345.6, 171.8, "12,346\xa0±\xa0172"),
        (0.25, 0.0, "0.250\xa0±\xa00"),
        (-1.5, 0.25, "−1.50\xa0±\xa00.25"),
    ],
)
def test_a_value_and_its_error_have_the_same_decimals(value, error, said):
    assert with_error(value, error) == said
    assert error_decimals(math.nan) == 3


def test_growth_is_a_sentence_of_its_own_on_both_sides():
    grown = widths(width(1, (0, 1), (1,), deviation=2.0), width(1024, (0, 1), (1,), deviation=50.0))
    said = growth_said(grown, T)
    assert said == "The deviation at d_k = 1,024 is 25 times that at d_k = 1; √1,024 is 32."
    wide = widths(width(4, (0, 1), (1,), deviation=2.0), width(16, (0, 1), (1,), deviation=4.0))
    assert growth_said(wide, T).endswith("is 2 times that at d_k = 4; √(16/4) is 2.")
    flat = widths(width(1, (0, 1), (1,), deviation=0.0), width(4, (0, 1), (1,)))
    assert growth_said(flat, T).startswith("All samples at d_k = 1 are equal")


def test_large_numbers_are_grouped_and_negative_ones_have_a_minus():
    made = width(16, (-1, 1), (1,), deviation=66134.625, expected_variance=4e12)
    note = distribution_figure(widths(made), Style()).note
    assert "66,134.625 measured, 2,000,000 expected" in note
    assert "16,533.656 measured, 500,000 expected" in note
    assert after_said(widths(made), T).count("16,533.656") == 2
    broken = variance("shared")
    note = distribution_figure(broken, Style()).note
    assert "mean −10, correlation 0.99" in note
    assert not re.search(r"\d{4}\.", note + broken_said(broken, T))


def exact_variance(d_k, sigma, mean, correlation):
    """Sum the covariances of all pairs of products."""
    total = 0.0
    for i in range(d_k):
        for j in range(d_k):
            total += (mean**2 + sigma**2 * (1 if i == j else correlation)) ** 2
    return total - (d_k * mean**2) ** 2


@pytest.mark.parametrize(
    ("sigma", "mean", "correlation"),
    [(3.0, 0.0, 0.0), (1.0, -1.0, 0.0), (0.5, 2.0, 0.0), (1.0, 0.0, 0.3), (2.0, 1.0, 0.9)],
)
def test_a_broken_assumption_is_told_by_what_it_does(sigma, mean, correlation):
    params = Params(d_ks=(4, 16), samples=3, sigma=sigma, mean=mean, correlation=correlation)
    said = broken_said(run(params, backend="numpy"), T)
    left = [math.sqrt(exact_variance(d, sigma, mean, correlation) / d) for d in (4, 16)]
    assert (left[1] > 1.0001 * left[0]) == ("faster than √d_k" in said)
    assert (left[1] > 1.0001 * left[0]) != ("still grows like √d_k" in said)
    assert ("Correlated" in said) == bool(correlation)
    assert f"{left[0]:.3f}" in said
    assert f"mean {mean:g}".replace("-", "−") in said or correlation


def normed(**norms: tuple[float, float]) -> ReachResult:
    """Return a result whose mean norms, unscaled and scaled, are given by d_k as ``k8``."""
    made = {
        (int(name[1:]), scaled): Reach(int(name[1:]), scaled, {}, (pair[scaled], 0.01))
        for name, pair in norms.items()
        for scaled in (False, True)
    }
    return replace(reach("default"), found=made, ratios={d_k: {} for d_k, _ in made})


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (normed(k2=(0.2, 0.3)),
         "At d_k = 2 the mean norm of the Jacobian is 0.200 unscaled and 0.300 scaled."),
        (normed(k2=(0.4, 0.3), k1024=(0.1, 0.31)),
         ("From d_k = 2 to 1,024 the mean norm of the Jacobian goes from 0.400 to 0.100 unscaled, "
         "from 0.300 to 0.310 scaled.")),
        (normed(k2=(0.1, 0.3), k4=(0.2, 0.31), k8=(0.3, 0.32)),
         ("From d_k = 2 to 8 the mean norm of the Jacobian goes from 0.100 to 0.300 unscaled, from "
         "0.300 to 0.320 scaled.")),
        (normed(k2=(0.1, 0.3), k4=(0.35, 0.31), k8=(0.2, 0.32)),
         ("Unscaled, the mean norm of the Jacobian rises from 0.100 to 0.350 at d_k = 4, then "
         "falls to 0.200 at d_k = 8; scaled it ends at 0.320.")),
    ],
    ids=["one", "falls", "rises", "rises and falls"],
)  # fmt: skip
def test_a_norm_that_rises_before_it_falls_is_said_to(result, said):
    assert norm_said(result, T) == said


def of_heads(result: ReachResult, heads: int, tokens: int) -> ReachResult:
    """Return a result as if it were of so many heads and tokens."""
    return replace(result, params=replace(result.params, repeats=heads, T=tokens))


def test_the_ratio_of_gradients_is_told_with_its_error_and_its_parts():
    result = of_heads(reach("default"), 8, 8)
    said = reach_said(replace(result, ratios={64: {"q": (5.04, 1.26)}}), "q", T)
    assert "the gradient of q is then 5.0\xa0±\xa01.3 times as large unscaled" in said
    assert "since scaling divides it too, by 8." in said


@pytest.mark.parametrize(
    ("ratio", "norms", "not_all", "unknown"),
    [
        ((5.0, 1.0), (0.1, 0.4), True, False),
        ((5.0, 2.1), (0.1, 0.4), False, True),  # within three standard errors of 1
        ((0.2, 0.5), (0.1, 0.4), False, True),
        ((0.2, 0.1), (0.1, 0.4), False, False),  # a gradient that does vanish
        ((5.0, 1.0), (0.4, 0.3), False, False),  # the Jacobian does not
        ((5.0, 1.0), (0.38, 0.4), False, False),  # or not by more than chance
        ((9.0, 0.05), (0.1, 0.4), True, False),
    ],
)
def test_that_a_vanishing_gradient_is_not_all_is_said_only_where_it_was_measured(
    ratio, norms, not_all, unknown
):
    result = of_heads(replace(normed(k64=norms), ratios={64: {"w_q": ratio}}), 8, 8)
    said = reach_said(result, "w_q", T)
    assert ("not the whole truth" in said) == not_all
    assert ("not told apart from 1" in said) == unknown
    assert "saturation" not in said
    assert with_error(*ratio) in said


@pytest.mark.parametrize(("heads", "tokens"), [(7, 16), (2, 2), (12, 7)])
def test_few_heads_or_tokens_carry_no_conclusion(heads, tokens):
    result = of_heads(
        replace(normed(k64=(0.1, 0.4)), ratios={64: {"w_q": (9.0, 0.1)}}), heads, tokens
    )
    said = reach_said(result, "w_q", T)
    assert said.endswith("its standard error is rough.")
    assert "whole truth" not in said


def test_without_any_division_nothing_is_concluded():
    result = replace(normed(k1=(0.3, 0.3)), ratios={1: {"w_q": (1.0, 0.0)}})
    assert reach_said(result, "w_q", T).endswith("times as large unscaled as scaled.")


def test_an_empty_side_of_the_jacobian_is_explained():
    result = reach("default")

    def note(row):
        weights = {False: np.array(row), True: np.full(len(row), 1 / len(row))}
        other = np.full(len(row), 1 / len(row))
        rows = {way: np.stack([other, a, *(other,) * (len(a) - 2)]) for way, a in weights.items()}
        return jacobian_figure(replace(result, weights=rows), Style(), 2).note

    assert "no derivative is beyond 0.010: on the common scale" in note([0.99, 0.01, 0, 0, 0, 0])
    assert "nearly empty" not in note([0.9, 0.1, 0, 0, 0, 0])
    assert "nearly empty" not in note([1 / 6] * 6)


@pytest.mark.parametrize(("value", "error"), [(1.0, 1e-16), (3.5e6, 1e-9), (0.25, 0.0)])
def test_an_error_that_is_rounding_is_no_error(value, error):
    assert with_error(value, error).endswith("±\xa00")


@given(st.floats(1e-300, 1.0))
def test_a_bound_is_never_below_what_it_bounds(most):
    said = float(_rounded_up(most).replace("−", "-"))
    assert most * (1 - 1e-9) <= said <= max(most * 11, most + 1e-3)


@given(st.floats(0, 1), st.integers(0, 3))
def test_a_share_is_all_or_none_only_where_it_is(share, decimals):
    said = percent(share, decimals)
    assert (said == f"{100:.{decimals}f}%") == (share == 1)
    assert (said == f"{0:.{decimals}f}%") == (share == 0)
    step = 10.0**-decimals
    assert abs(float(said.strip("<>%")) - 100 * share) <= 1.000001 * step


@given(st.floats(1e-5, 1e8), st.floats(1e-5, 1e8))
def test_numbers_to_be_compared_show_three_digits_each(one, other):
    for said, value in zip(alike(one, other), (one, other), strict=True):
        assert "e" not in said
        assert float(said.replace(",", "")) == pytest.approx(value, rel=5.1e-3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sigma": 2.0}, "standard deviation 2"),
        ({"mean": -1.0}, "mean −1"),
        ({"correlation": 0.5}, "correlation 0.5"),
        ({"sigma": 2.0, "correlation": 0.5}, "standard deviation 2, correlation 0.5"),
    ],
)
def test_only_the_assumptions_that_do_not_hold_are_named(change, said):
    result = run(Params((2, 4), 50, **change), backend="numpy")
    assert drawn_words(result, T).endswith(f"Not as the text assumes: {said}.")
    assert "Not as" not in drawn_words(variance("default"), T)


@pytest.mark.parametrize(
    ("change", "d_ks", "said"),
    [
        ({"correlation": 0.001}, (1, 64), "hardly felt at these d_k"),
        ({"correlation": 1e-6}, (1, 64), "hardly felt at these d_k"),
        ({"correlation": 0.001}, (1, 4096), "1.000 at d_k = 1 but 1.002 at d_k = 4,096"),
        ({"sigma": 0.02236}, (1, 64), "0.000500 after the division"),
        ({"sigma": 1.00001}, (1, 64), "1.00002 after the division"),
        ({"sigma": 100.0}, (1, 64), "10,000.000 after the division"),
    ],
)
def test_what_an_assumption_does_is_told_in_digits_that_show_it(change, d_ks, said):
    assert said in broken_said(run(Params(d_ks, 3, **change), backend="numpy"), T)


def tiles(monkeypatch, tab, draw) -> dict[str, tuple[str, str, str]]:
    """Return the numbers above the figures: value, what stands below it, and its help."""
    seen: dict[str, tuple[str, str, str]] = {}

    def keep(name: str, value: str, about: str, **others: str) -> None:
        seen[name] = value, about, others["help"]

    monkeypatch.setattr(tab.workspace, "metric", keep)
    draw()
    return seen


@pytest.mark.parametrize(
    ("change", "has_error", "rough"),
    [
        ({}, True, False),
        ({"samples": 20}, True, True),
        ({"d_ks": (4,)}, False, False),
        ({"correlation": 0.3}, False, True),
        ({"mean": 1.0}, False, False),
    ],
)
def test_the_help_of_a_tile_speaks_of_what_is_on_it(monkeypatch, change, has_error, rough):
    result = run(replace(Params((1, 4), 2_000), **change), backend="numpy")
    seen = tiles(monkeypatch, variance_tab, lambda: variance_tab.numbers(result, T))
    _, about, help_ = seen["Measured exponent"]
    assert ("±" in about) == ("±" in help_) == has_error
    assert ("are rough here" in help_) == (rough and has_error)
    _, about, help_ = seen["In the 95% band"]
    assert ("rough" in about) == ("rough" in help_) == rough
    assert ("one point in 20" in help_) != rough


def test_the_largest_weight_stays_between_the_least_and_the_most_of_every_width_shown():
    result = saturation("default")
    found = dict(result.found)
    for d_k, largest in ((1, 0.9), (32, 0.1), (512, 0.8), (4096, 0.95)):
        found[d_k, "sqrt"] = replace(found[16, "sqrt"], largest=largest)
    d_ks = (1, 16, 32, 64, 256, 512, 1024, 4096)
    for d_k in d_ks:
        found.setdefault((d_k, "linear"), found[16, "linear"])
    said, _ = saturation_notices(replace(result, d_ks=d_ks, found=found), T)
    assert said.endswith("divided by √d_k it stays between 0.100 and 0.800.")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "falls like 1/d_k"),
        ({"distribution": "uniform"}, "falls like 1/d_k"),
        ({"mean": 0.5}, "that of one product, 5.333, divided by"),
        ({"correlation": 0.5}, "no simple law"),
        ({"mean": 0.5, "correlation": 0.5}, "no simple law"),
    ],
)
def test_why_a_sum_comes_near_to_a_normal_one_follows_from_what_is_drawn(monkeypatch, change, said):
    result = run(Params((2, 4), 50, **change), backend="numpy")
    spoken: list[str] = []
    monkeypatch.setattr("streamlit.markdown", spoken.append)
    variance_tab.normal(result, T)
    assert said in spoken[-1].replace("$", "")


@given(st.lists(st.floats(0, 30), min_size=2, max_size=9))
def test_beside_a_large_weight_no_derivative_is_large(scores):
    a = np.exp(np.array(scores) - max(scores))
    a /= a.sum()
    if a.max() > 0.5:
        most = np.abs(np.diag(a) - np.outer(a, a)).max()
        assert most <= a.max() * (1 - a.max()) + 1e-12


@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("÷√d_k: 0.3", "$\\div \\sqrt{d_k}$\u2060: 0.3"),
        ("1/√d_k", r"$1/\sqrt{d_k}$"),
        ("÷d_k^c, c = 2; ÷d_k", "$\\div d_k^c$\u2060, c = 2; $\\div d_k$"),
        ("在d_k处，W_Q的梯度", "在$d_k$处，$W_Q$的梯度"),
        ("√(1,024/1) = 32, √2.", "$\\sqrt{1{,}024/1}$ = 32, $\\sqrt{2}$\u2060."),
        ("√4,096 = 64, √16, √9.", "$\\sqrt{4{,}096}$ = 64, $\\sqrt{16}$\u2060, $\\sqrt{9}$\u2060."),
        (r"it is $d_k\,\sigma^2$ at d_k", r"it is $d_k\,\sigma^2$ at $d_k$"),
        ("head_d_ks W_Query", "head_d_ks W_Query"),
        ("√d_model = 8, d_v", "$\\sqrt{d_{\\text{model}}}$ = 8, $d_v$"),
        ("d_model = d_v", "$d_{\\text{model}}$ = $d_v$"),
        ("÷√d_k：0.3；d_k，2", "$\\div \\sqrt{d_k}$\u2060：0.3；$d_k$\u2060，2"),
        ("d_k；$x$：2", "$d_k$\u2060；$x$\u2060：2"),
    ],
)  # fmt: skip
def test_symbols_are_set_as_formulas_once(plain, printed):
    assert typeset(plain) == printed
    assert typeset(printed) == printed


def test_chinese_sentences_have_every_number_too():
    t = translator("zh")
    for said in (pair_words(pair_of(), t), growth_said(variance("default"), t),
                 reach_said(reach("default"), "w_q", t)):  # fmt: skip
        assert len(re.findall(r"\d", said)) > 3
