"""Claims 12 to 15: their numbers by loops, and every verdict where the fact is another."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from engine.experiments.claims import of_masks
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_masks import (
    encoder_found,
    infinity_found,
    judge_encoder,
    judge_infinity,
    judge_position,
    masking_after_found,
    position_found,
)
from engine.experiments.claims.results import Results
from engine.experiments.masks import Params, influence, variants
from engine.experiments.masks.influence import measure_influence
from engine.experiments.masks.inputs import head_of
from engine.experiments.masks.mistakes import FAR_UNDERFLOW, MistakesParams, make_mistakes
from engine.experiments.masks.precision import Precision
from pages.text import LANGUAGES, translator
from pages.text.claims.of_masks import WORDS
from tests import oracles

SEEDS = (1, 2, 3)
FORMATS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16, "float32": np.float32,
           "float64": np.float64}  # fmt: skip


def said(finding, language: str = "en") -> str:
    """Return the sentences on a finding."""
    words = next(each for each in WORDS if each.number == finding.claim)
    return " ".join(words.sentences(finding, translator(language)))


def numbers(finding: Finding) -> dict[str, Any]:
    """Return the values of a finding, of whatever kind each is."""
    return dict(finding.values)


def mistakes(backend, seed: int | None = None):
    """Return the mistakes on the textbook example, or on random vectors of a seed."""
    params = MistakesParams() if seed is None else MistakesParams("random", seed=seed, T=6)
    return make_mistakes(params, backend=backend)


# Minus infinity -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, *SEEDS])
def test_every_format_masks_with_minus_infinity(seed, backend):
    finding = infinity_found(mistakes(backend, seed))
    usable = [name for name in FORMATS if name != "float64" or backend.name == "numpy"]
    for name in usable:
        row = np.array([1.0, -math.inf, 0.5], FORMATS[name])
        powers = [math.exp(float(score) - 1) for score in row]
        assert (math.isinf(row[1]), powers[1]) == (True, 0.0)
    assert numbers(finding)["count"] == numbers(finding)["total"] == len(usable)
    assert (finding.verdict, numbers(finding)["half"]) == ("wrong", -math.inf)
    assert f"with it all {len(usable)} formats here come out right" in said(finding)
    assert "it becomes −∞" in said(finding)
    assert "it becomes NaN" in said(finding)


def test_a_format_without_minus_infinity_confirms_the_claim(monkeypatch):
    """Where minus infinity became NaN, as it might in a format without it, nothing comes out."""
    monkeypatch.setattr(
        variants, "_hide", lambda xp, scores, mask, _precision: xp.where(mask, scores, xp.nan)
    )
    finding = of_masks.of_infinity(Results("numpy"))
    assert (finding.verdict, numbers(finding)["count"]) == ("confirmed", 0)
    assert "none of the 4 formats here comes out right" in said(finding)


def test_a_format_whose_least_number_is_finite_does_not_count(monkeypatch):
    held = Precision.held
    monkeypatch.setattr(
        Precision,
        "held",
        lambda self, value: max(held(self, value), -448.0) if self.dtype == "float16" else value,
    )
    finding = of_masks.of_infinity(Results("numpy"))
    assert (finding.verdict, numbers(finding)["count"]) == ("qualified", 3)
    assert "in 3 of the 4 formats here" in said(finding)
    assert "does not exist" not in said(finding), "there minus a billion is held as a number"


@pytest.mark.parametrize(("count", "verdict"), [(4, "wrong"), (3, "qualified"), (0, "confirmed")])
def test_the_thresholds_on_minus_infinity(count, verdict):
    assert judge_infinity(count, 4) == verdict


# After softmax --------------------------------------------------------------------------------


def masked_too_late(params: MistakesParams, way: str) -> tuple[np.ndarray, float]:
    """Return the weights of a causal mask applied in some way, and how far a later token moves."""
    head = head_of(params)
    T = len(head.tokens)
    mask = np.tril(np.ones((T, T)))

    def weights(x: np.ndarray) -> np.ndarray:
        scores = (x @ head.w_q) @ (x @ head.w_k).T / math.sqrt(head.w_q.shape[1])
        if way == "multiplied":
            return np.array([oracles.softmax_row(row) for row in scores * mask])
        late = np.array([oracles.softmax_row(row) for row in scores]) * mask
        return late / late.sum(axis=1, keepdims=True) if way == "renormalised" else late

    before = weights(head.x) @ head.x @ head.w_v
    moves = []
    for token in range(1, T):
        changed = head.x.copy()
        changed[token] += 1.0
        after = weights(changed) @ changed @ head.w_v
        moves.append(np.abs(after - before)[:token].max())
    return weights(head.x), float(max(moves))


@pytest.mark.parametrize("seed", [None, *SEEDS])
def test_the_numbers_of_a_mask_after_softmax_are_those_of_loops(seed, backend):
    result = mistakes(backend, seed)
    finding = masking_after_found(result)
    zeroed, leak = masked_too_late(result.params, "zeroed")
    _, multiplied = masked_too_late(result.params, "multiplied")
    renormalised, moved = masked_too_late(result.params, "renormalised")
    head = head_of(result.params)
    T = len(head.tokens)
    right = oracles.trace(head.x, head.w_q, head.w_k, head.w_v, mask=np.tril(np.ones((T, T))) > 0)
    assert np.abs(renormalised - right["weights"]).max() < 1e-14 > moved
    assert numbers(finding)["difference"] < 1e-6 > numbers(finding)["renormalised_leak"]
    assert numbers(finding)["sum"] == pytest.approx(zeroed.sum(axis=1).min(), rel=1e-5)
    assert numbers(finding)["leak"] == pytest.approx(leak, rel=1e-5)
    assert numbers(finding)["multiplied"] == pytest.approx(multiplied, rel=1e-5)
    assert finding.verdict == "as_stated"


def test_the_sum_of_a_row_underflows_as_far_as_is_said():
    far = np.float32(FAR_UNDERFLOW)
    powers = np.exp(np.array([0.0, far], np.float32) - far)
    assert powers[0] == 0, "the visible key weighs nothing beside the hidden one: 0/0"
    finding = of_masks.of_masking_after(Results("numpy"))
    assert "a hidden score 200 above the visible scores of its row makes it 0/0" in said(finding)


def test_weights_that_are_not_renormalised_confirm_the_claim(monkeypatch):
    monkeypatch.setitem(variants._AFTER, "renormalise", lambda _xp, weights, _mask, _p: weights)
    finding = of_masks.of_masking_after(Results("numpy"))
    assert finding.verdict == "confirmed"
    assert numbers(finding)["renormalised_leak"] > 0.1
    leak = f"{numbers(finding)['renormalised_leak']:.3f}"
    assert f"renormalised, outputs move by up to {leak} when a hidden token changes" in said(
        finding
    )


def test_the_claim_is_wrong_outright_where_nothing_goes_wrong_after_softmax(monkeypatch):
    monkeypatch.setitem(variants._BEFORE, "zero-after", variants._hide)
    monkeypatch.setitem(variants.FAR, "renormalise-far", 0.5)
    finding = of_masks.of_masking_after(Results("numpy"))
    assert finding.verdict == "wrong"
    assert "Zeroed alone" not in said(finding)
    assert "0/0" not in said(finding)


def test_weights_that_are_off_without_a_leak_qualify_the_claim(monkeypatch):
    def squared(xp, weights, mask, _precision):
        kept = weights * weights * mask
        return kept / xp.sum(kept, axis=-1, keepdims=True)

    monkeypatch.setitem(variants._AFTER, "renormalise", squared)
    finding = of_masks.of_masking_after(Results("numpy"))
    assert finding.verdict == "qualified"
    assert "more than rounding, yet no output moves with a hidden token" in said(finding)
    assert "up to 0 " not in said(finding)
    assert numbers(finding)["difference"] > 0.01 > numbers(finding)["renormalised_leak"]


def test_rows_that_are_lost_qualify_the_claim_and_are_said_to_be(monkeypatch):
    honest = variants._AFTER["renormalise"]

    def losing(xp, weights, mask, precision):
        first = xp.arange(weights.shape[-2])[:, None] == 0
        return xp.where(first, xp.nan, honest(xp, weights, mask, precision))

    monkeypatch.setitem(variants._AFTER, "renormalise", losing)
    finding = of_masks.of_masking_after(Results("numpy"))
    assert finding.verdict == "qualified"
    assert "some rows that see a key become NaN" in said(finding)


# Who sees whom --------------------------------------------------------------------------------


def moves_by_loops(params: Params, mask: np.ndarray) -> np.ndarray:
    head = head_of(params)
    return np.array(oracles.influence(head.x, head.w_q, head.w_k, head.w_v, mask, 1.0))


@pytest.mark.parametrize("seed", [None, *SEEDS])
def test_who_moves_whom_is_what_loops_find(seed, backend):
    params = Params() if seed is None else Params("random", seed=seed, T=5)
    result = measure_influence(params, backend=backend)
    T = len(result.head.tokens)
    free, causal = (moves_by_loops(params, mask > 0) for mask in (np.ones((T, T)), np.tri(T)))
    encoder, position = encoder_found(result.a), position_found(result)
    apart = ~np.eye(T, dtype=bool)
    assert numbers(encoder)["own"] == (free[apart] > 0).sum() == T * (T - 1)
    assert numbers(encoder)["visible"] == T * T
    assert (encoder.verdict, position.verdict) == ("slip", "reconciled")
    assert numbers(position)["own"] == pytest.approx(np.diagonal(causal).min(), rel=1e-4)
    assert numbers(position)["after"] == np.diagonal(causal, 1).max() == 0
    assert f"its weights are {T} × {T} over its own tokens" in said(encoder)


def test_keys_of_another_sequence_are_found_out(monkeypatch):
    projected = influence._projected

    def from_elsewhere(xp, x, *matrices, **rest):
        q, _, _ = projected(xp, x, *matrices, **rest)
        _, k, v = projected(xp, xp.ones_like(x), *matrices, **rest)
        return q, k, v

    monkeypatch.setattr(
        influence, "_projected", lambda xp, x, q, k, v, s: from_elsewhere(xp, x, q, k, v, scale=s)
    )
    finding = of_masks.of_encoder(Results("numpy"))
    assert (finding.verdict, numbers(finding)["own"]) == ("open", 0)
    assert "0 of its 16 cells are hidden" in said(finding)
    assert "moves the output of another in 0 of 12 pairs" in said(finding)


def test_a_mask_leaves_open_what_attention_without_one_is():
    result = measure_influence(Params(a_pattern="causal"), backend="numpy")
    finding = encoder_found(result.a)
    assert (finding.verdict, numbers(finding)["own"], numbers(finding)["visible"]) == (
        "open",
        6,
        10,
    )
    assert "6 of its 16 cells are hidden" in said(finding)
    assert "moves the output of another in 6 of 12 pairs" in said(finding)


@pytest.mark.parametrize(
    ("mask", "said_of"),
    [
        ({"b_pattern": "none"}, "a later token moves an output by up to"),
        ({"b_drawn": "0000/1000/1100/1110"}, "moves an output by up to 0,"),
    ],
)
def test_another_mask_does_not_reconcile_both(mask, said_of):
    finding = position_found(measure_influence(Params(**mask), backend="numpy"))
    assert finding.verdict == "wrong"
    assert said_of in said(finding)


@pytest.mark.parametrize(
    ("own", "whole", "verdict"),
    [(12, True, "slip"), (12, False, "open"), (1, True, "open"), (0, True, "open")],
)
def test_the_thresholds_on_the_encoder(own, whole, verdict):
    assert judge_encoder(own, 12, whole) == verdict


@pytest.mark.parametrize(
    ("leak", "own", "admits", "verdict"),
    [
        (0.0, 1.0, True, "reconciled"),
        (1e-12, 1.0, True, "wrong"),
        (0.0, 0.0, True, "wrong"),
        (0.0, 1.0, False, "wrong"),
    ],
)
def test_the_thresholds_on_the_position(leak, own, admits, verdict):
    assert judge_position(leak, own, admits=admits) == verdict


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_has_its_words(language):
    results, t = Results("numpy"), translator(language)
    for claim, words in zip(of_masks.CLAIMS, WORDS, strict=True):
        finding = claim.check(results)
        for case in words.decides:
            assert "{" not in said(replace(finding, case=case), language)
        assert "{" not in words.number_of(finding, t) + words.decided_by(t)
    broken = replace(finding, claim=13, values=dict.fromkeys(
        ("difference", "renormalised_leak", "sum", "leak", "multiplied", "far"), math.nan
    ), case="apart")  # fmt: skip
    assert "NaN" in said(broken, language)
