"""Claims 1 to 5: their numbers worked out anew, every verdict on both sides of its threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.attention import softmax
from engine.experiments.claims import of_scaling
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_scaling import (
    Ratio,
    judge_norms,
    judge_pairs,
    judge_rise,
    judge_training,
    judge_variance,
    norms_found,
    saturation_found,
    training_found,
    variance_found,
)
from engine.experiments.claims.results import Results
from engine.experiments.scaling import reach, saturation, training, variance
from engine.experiments.scaling.course import Course
from engine.experiments.scaling.pair import pair_of
from engine.experiments.scaling.reach import ReachParams, measure_reach
from engine.experiments.scaling.saturation import SaturationParams, measure_saturation
from engine.experiments.scaling.training import TrainingParams, train
from pages.text import LANGUAGES, translator
from pages.text.claims.of_scaling import WORDS
from tests.scaling_results import one_run, trained

TABLE = (16, 64, 256, 1024)
SEEDS = (1, 2, 3)
ENGLISH = translator("en")


def said(finding, language: str = "en") -> str:
    """Return the sentences on a finding."""
    words = next(each for each in WORDS if each.number == finding.claim)
    return " ".join(words.sentences(finding, translator(language)))


def numbers(finding: Finding) -> dict[str, Any]:
    """Return the values of a finding, of whatever kind each is."""
    return dict(finding.values)


# Variance -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_deviations_are_those_of_vectors_drawn_elsewhere(seed):
    finding = variance_found(variance.run(variance.Params(d_ks=TABLE, seed=seed), backend="numpy"))
    generator = np.random.default_rng(100 + seed)
    for d_k, found in zip(TABLE, numbers(finding)["deviations"], strict=True):
        q, k = generator.standard_normal((2, 2_000, d_k))
        own = math.sqrt(np.var((q * k).sum(axis=1), ddof=1))
        assert abs(found / own - 1) < 5 / math.sqrt(2_000), "each is off by 1/sqrt(2 N) at most"
    assert finding.verdict == "confirmed"


@pytest.mark.parametrize("seed", SEEDS)
def test_exponent_and_distance_follow_from_the_deviations(seed, backend):
    params = variance.Params(seed=seed, samples=500)
    result = variance.run(params, backend=backend)
    finding = variance_found(result)
    d_ks = [width.d_k for width in result.widths]
    deviations = [width.deviation for width in result.widths]
    slope = np.polyfit(np.log(d_ks), np.log(deviations), 1)[0]
    assert numbers(finding)["exponent"] == pytest.approx(slope, abs=1e-9)
    # The excess kurtosis of a sum of d_k products of normal numbers is 6 / d_k.
    errors = [math.sqrt(2 / 499 + 6 / d_k / 500) for d_k in d_ks]
    off = [abs(math.log(s**2 / d)) / e for s, d, e in zip(deviations, d_ks, errors, strict=True)]
    assert numbers(finding)["farthest"] == pytest.approx(max(off), rel=0.03)
    assert finding.verdict == "confirmed"


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"correlation": 0.3}, "wrong"),  # components that are not independent add up faster
        ({"sigma": 1.5}, "qualified"),  # of another variance: as fast, and not the root of d_k
        ({"d_ks": (1, 2, 4), "samples": 20}, "open"),
    ],
)
def test_the_verdict_on_the_variance_flips_where_it_is_another(changes, verdict):
    params = replace(variance.Params(d_ks=(4, *TABLE), samples=500), **changes)
    finding = variance_found(variance.run(params, backend="numpy"))
    assert finding.verdict == verdict
    assert ("off √d_k" in said(finding)) == (verdict == "qualified")


def test_dividing_the_scores_first_makes_the_claim_on_the_variance_wrong(monkeypatch):
    whole = variance._products
    monkeypatch.setattr(
        variance, "_products", lambda xp, q, k: whole(xp, q, k) / math.sqrt(q.shape[1])
    )
    finding = of_scaling.of_variance(Results("numpy"))
    assert finding.verdict == "wrong"
    assert abs(numbers(finding)["exponent"]) < 0.05


@pytest.mark.parametrize(
    ("exponent", "error", "farthest", "verdict"),
    [
        (0.5, 0.01, 1.0, "confirmed"),
        (0.529, 0.01, 3.9, "confirmed"),
        (0.531, 0.01, 1.0, "wrong"),
        (0.469, 0.01, 1.0, "wrong"),
        (0.5, 0.01, 4.1, "qualified"),
        (0.5, 0.051, 1.0, "open"),
        (math.nan, math.nan, 1.0, "open"),
    ],
)
def test_the_thresholds_on_the_variance(exponent, error, farthest, verdict):
    assert judge_variance(exponent, error, farthest) == verdict


# Two scores -----------------------------------------------------------------------------------


def test_the_weights_of_both_pairs_are_quotients_of_exponentials():
    finding = of_scaling.of_pairs(Results("numpy"))
    for name, scores in (("near", (5, 4)), ("far", (50, 40))):
        powers = [math.exp(score) for score in scores]
        wanted = [power / sum(powers) for power in powers]
        assert numbers(finding)[name] == pytest.approx(wanted, rel=1e-12)
    assert finding.verdict == "confirmed"
    assert said(finding) == "Computed: (0.73106, 0.26894) and (0.9999546, 0.0000454)."


def test_a_softmax_at_another_temperature_makes_the_printed_weights_wrong(monkeypatch):
    monkeypatch.setattr(of_scaling, "pair_of", lambda scores: pair_of(scores, 1.1))
    assert of_scaling.of_pairs(Results("numpy")).verdict == "wrong"


@pytest.mark.parametrize(
    ("weight", "verdict"),
    [(0.7349, "confirmed"), (0.7351, "wrong"), (0.7251, "confirmed"), (0.7249, "wrong")],
)
def test_a_printed_weight_is_right_to_half_a_unit(weight, verdict):
    assert judge_pairs([(weight, 0.27), (0.99995, 0.00005)]) == verdict


# Saturation -----------------------------------------------------------------------------------


def rows_of(params: SaturationParams, d_k: int, divisor: float) -> np.ndarray:
    """Return the weights of every query, worked out row by row, (N, S)."""
    rows = []
    for queries, keys in saturation.draw_blocks(params, d_k):
        for some, seen in zip(queries, keys, strict=True):
            for q in some:
                powers = np.exp((scores := seen @ q / divisor) - scores.max())
                rows.append(powers / powers.sum())
    return np.array(rows)[: params.samples]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_of_saturation_is_that_of_rows_worked_out_one_by_one(seed, backend):
    params = SaturationParams(d_ks=(16,), samples=256, seed=seed)
    finding = saturation_found(measure_saturation(params, backend=backend))
    for place, d_k in enumerate(TABLE):
        raw, scaled = rows_of(params, d_k, 1), rows_of(params, d_k, math.sqrt(d_k))
        largest = raw.max(axis=1)
        entropies = [-sum(w * math.log(w) for w in row if w > 0) for row in raw]
        wanted = {
            "largest": largest.mean(),
            "saturated": np.mean(largest > 0.99),
            "effective": np.mean(np.exp(entropies)),
            "scaled": scaled.max(axis=1).mean(),
        }
        for name, value in wanted.items():
            assert numbers(finding)[name][place] == pytest.approx(value, abs=2e-5), (d_k, name)


@pytest.mark.parametrize("seed", SEEDS)
def test_saturation_rises_on_every_seed(seed):
    params = SaturationParams(d_ks=(16,), seed=seed)
    assert saturation_found(measure_saturation(params, backend="numpy")).verdict == "quantified"


@pytest.mark.parametrize("exponent", [0.5, 1.0])
def test_scores_that_are_divided_do_not_saturate(exponent, monkeypatch):
    monkeypatch.setitem(saturation.EXPONENTS, "unscaled", exponent)
    assert of_scaling.of_saturation(Results("numpy")).verdict == "wrong"


@pytest.mark.parametrize(
    ("largest", "verdict"),
    [
        ((0.6, 0.7, 0.8, 0.9), "quantified"),
        ((0.6, 0.7, 0.72, 0.9), "open"),  # one step of less than three standard errors
        ((0.6, 0.7, 0.65, 0.9), "wrong"),
        ((0.6, 0.6, 0.6, 0.6), "wrong"),
        ((0.9, 0.8, 0.7, 0.6), "wrong"),
    ],
)
def test_the_thresholds_on_saturation(largest, verdict):
    assert judge_rise([(each, 0.01) for each in largest]) == verdict


# The Jacobian ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norms_are_those_of_jacobians_written_out(seed, backend):
    params = ReachParams(d_ks=(16, 64), repeats=3, T=8, seed=seed)
    finding = norms_found(measure_reach(params, backend=backend))
    for place, d_k in enumerate((16, 64)):
        norms: dict[float, list[float]] = {1.0: [], math.sqrt(d_k): []}
        for x, w_q, w_k, _, _ in reach.draws(params, d_k):
            for divisor, found in norms.items():
                scores = (x @ w_q) @ (x @ w_k).T / divisor
                for row in np.exp(scores - scores.max(axis=1, keepdims=True)):
                    a = row / row.sum()
                    found.append(float(np.linalg.norm(np.diag(a) - np.outer(a, a))))
        for name, wanted in zip(("norms", "scaled_norms"), norms.values(), strict=True):
            assert numbers(finding)[name][place] == pytest.approx(np.mean(wanted), rel=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norm_falls_on_every_seed(seed):
    params = ReachParams(d_ks=(16, 64, 256), seed=seed)
    assert norms_found(measure_reach(params, backend="numpy")).verdict == "confirmed"


def test_scores_that_are_divided_keep_their_jacobian(monkeypatch):
    monkeypatch.setattr(reach, "softmax", lambda xp, s: softmax(xp, s / xp.sqrt(xp.mean(s * s))))
    assert of_scaling.of_norms(Results("numpy")).verdict != "confirmed"


@pytest.mark.parametrize(
    ("unscaled", "scaled", "verdict"),
    [
        ((0.3, 0.2, 0.1), (0.3, 0.3, 0.3), "confirmed"),
        ((0.3, 0.2, 0.19), (0.3, 0.3, 0.3), "open"),
        ((0.3, 0.2, 0.1), (0.1, 0.1, 0.1), "open"),
        ((0.3, 0.3, 0.3), (0.3, 0.3, 0.3), "wrong"),
        ((0.1, 0.2, 0.3), (0.3, 0.3, 0.3), "wrong"),
    ],
)
def test_the_thresholds_on_the_jacobian(unscaled, scaled, verdict):
    with_errors = ([(each, 0.01) for each in norms] for norms in (unscaled, scaled))
    assert judge_norms(*with_errors) == verdict


# Training -------------------------------------------------------------------------------------


def head(ratio: tuple[float, float], backend: str = "numpy") -> Any:
    """Return gradients at the start of a head, made by hand; narrower ones are not read."""
    return SimpleNamespace(
        ratios={16: {"w_q": (1.0, 0.0)}, 64: {"w_q": ratio}}, backend_name=backend
    )


@pytest.mark.parametrize(
    ("unscaled", "scaled", "ratio", "verdict", "parts"),
    [
        (2.8, 0.1, (8.5, 0.3), "qualified", ("it does, within", "not the whole story")),
        (2.8, 0.1, (1.5, 0.3), "confirmed", ("it does, within", "times as large")),
        (2.0, 0.1, (8.5, 0.3), "qualified", ("it falls behind, within", "times as large")),
        (0.2, 0.1, (8.5, 0.3), "wrong", ("it does not, within", "times as large")),
        (2.8, 2.8, (8.5, 0.3), "open", ("does not decide it", "times as large")),
        (2.0, 1.9, (8.5, 0.3), "open", ("does not decide it", "times as large")),
        (0.1, 2.8, (8.5, 0.3), "wrong", ("it does not, within", "times as large")),
        (None, 0.1, (8.5, 0.3), "open", ("does not decide it", "times as large")),
    ],
)
def test_what_is_said_of_stalling_follows_from_what_was_measured(
    unscaled, scaled, ratio, verdict, parts
):
    lost = None if unscaled is not None else 1
    levels = [5.0] if unscaled is None else [unscaled] * 20
    runs = one_run(1, False, levels, lost), one_run(1, True, [scaled] * 20)
    finding = training_found(trained(*runs, steps=20, seeds=(1,)), head(ratio))
    assert finding.verdict == verdict
    sentences = WORDS[4].sentences(finding, ENGLISH)
    for sentence, part in zip(sentences, parts, strict=True):
        assert part in sentence
        assert ("whole story" in sentence) == ("whole story" in part)
    assert "at d_k = 64, the gradient" in said(finding)
    assert f"guessing has {math.log(16):.3f}" in said(finding)


def test_a_finding_names_the_trainer_where_it_is_another():
    runs = one_run(1, False, [2.8] * 20), one_run(1, True, [0.1] * 20)
    for backend, wanted in (("numpy", False), ("mlx", True)):
        finding = training_found(trained(*runs, steps=20, seeds=(1,)), head((8.5, 0.3), backend))
        assert (
            "Trained with NumPy; the gradient at the start is from MLX." in said(finding)
        ) == wanted


@pytest.mark.parametrize(("value", "error", "larger"), [(1.31, 0.1, True), (1.29, 0.1, False)])
def test_a_gradient_is_larger_by_more_than_three_standard_errors(value, error, larger):
    assert Ratio(value, error).is_larger == larger
    assert judge_training("stalls", Ratio(value, error)) == ("qualified" if larger else "confirmed")


SHORT = TrainingParams(seeds=(1,), steps=120)


def test_the_numbers_of_a_training_are_those_of_its_last_tenth_of_steps():
    result, heads = (
        train(SHORT, backend="numpy"),
        measure_reach(ReachParams(d_ks=(8, 32), repeats=4), backend="numpy"),
    )
    finding = training_found(result, heads)
    for run in result.runs:
        way = "scaled" if run.scaled else "unscaled"
        for measure in ("loss", "accuracy"):
            wanted = math.fsum(getattr(run, measure)[-12:]) / 12
            assert numbers(finding)[f"{way}_{measure}"] == pytest.approx((wanted,))
    unscaled, scaled = (heads.found[32, way].sizes["w_q"][0] for way in (False, True))
    assert numbers(finding)["ratio"] == pytest.approx(unscaled / scaled, rel=1e-9)
    assert (finding.verdict, finding.case) == ("qualified", "stalls yet")


def test_scores_that_are_divided_do_not_stall(monkeypatch):
    monkeypatch.setattr(
        training,
        "Course",
        lambda start, *, scaled, **rest: Course(start, scaled=True, **rest),  # noqa: ARG005
    )
    finding = training_found(train(SHORT, backend="numpy"), head((8.5, 0.3)))
    assert (finding.verdict, finding.case) == ("wrong", "learns")


def test_training_is_shared_by_backends(monkeypatch):
    """It takes minutes on some: one trains the usual example, whatever computes the rest."""
    asked: list[str] = []

    def kept(_params: Any, backend: str) -> str:
        asked.append(backend)
        return f"kept by {backend}"

    monkeypatch.setattr(of_scaling, "training_found", lambda *found: found)
    found: Any = of_scaling.of_training(Results("mlx", kept))
    assert found == ("kept by numpy", "kept by mlx")
    assert asked == ["numpy", "mlx"]


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_has_its_words(language):
    runs = one_run(1, False, [2.8] * 20), one_run(1, True, [0.1] * 20)
    findings = [
        of_scaling.of_pairs(Results("numpy")),
        training_found(trained(*runs, steps=20, seeds=(1,)), head((8.5, 0.3))),
    ]
    t = translator(language)
    for finding in findings:
        words = next(each for each in WORDS if each.number == finding.claim)
        for case in words.decides:
            assert all(words.sentences(replace(finding, case=case), t))
            assert "{" not in said(replace(finding, case=case), language) + words.number_of(
                finding, t
            )
        assert "{" not in words.decided_by(t)
