"""Claims 11 and 22: what is counted and measured, and every verdict on both sides."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from engine.backends.measuring import MEASURING
from engine.experiments.claims import of_memory
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_memory import (
    Standing,
    chunks_found,
    growth_found,
    judge_chunks,
    judge_growth,
    scores_at,
    standing_of,
)
from engine.experiments.claims.results import Results
from engine.experiments.claims.turn import BusyError, measuring_turn
from engine.experiments.memory import chunked
from engine.experiments.memory.chunked import Chunked, ChunkedParams, compare
from engine.experiments.memory.growth import Growth
from engine.experiments.memory.measured import MeasuredParams
from engine.experiments.memory.point import Job
from engine.experiments.memory.tensors import tensors_of
from pages.text import LANGUAGES, translator
from pages.text.claims.of_memory import WORDS
from tests import oracles
from tests.memory_machines import point, result

TS = (64, 128, 256, 512, 1024)
NARROW = "\N{NO-BREAK SPACE}"


def said(finding, language: str = "en") -> str:
    """Return the sentences on a finding."""
    words = next(each for each in WORDS if each.number == finding.claim)
    return " ".join(words.sentences(finding, translator(language))).replace(NARROW, " ")


def numbers(finding: Finding) -> dict[str, Any]:
    """Return the values of a finding, of whatever kind each is."""
    return dict(finding.values)


def grown(time: float = 2.0, memory: float = 2.0, off: float = 0.0, seed: int = 1):
    """Return a run whose time and peak memory grow like powers of T, off a line by chance."""
    chance = np.random.default_rng(seed).standard_normal((2, len(TS))) * off
    return result([
        point("materialised", T, seconds=1e-9 * T**time * math.exp(chance[0, n]),
              peak=round(64 * T**memory * math.exp(chance[1, n])))
        for n, T in enumerate(TS)
    ])  # fmt: skip


# Growth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 7, 40])
def test_scores_are_counted_one_by_one(T):
    x = np.random.default_rng(T).standard_normal((T, 3))
    scores = oracles.trace(x, *[np.eye(3)] * 3)["scores"]
    assert scores_at(T) == sum(len(row) for row in scores)


def test_without_a_measurement_the_counts_decide():
    finding = growth_found(None)
    assert (finding.verdict, finding.case) == ("open", "counted")
    assert WORDS[0].number_of(finding, translator("en")) == "1,000,000 and 100,000,000 scores"
    assert "1,000² = 1,000,000 and 10,000² = 100,000,000 scores" in said(finding)
    assert "has not run yet" in said(finding)


def test_fewer_scores_make_the_claim_wrong(monkeypatch):
    """A band of a window has T times its width of them."""
    monkeypatch.setattr(
        of_memory,
        "tensors_of",
        lambda params, _method: tensors_of(replace(params, window=64), "window"),
    )
    assert growth_found(None).verdict == "wrong"
    assert growth_found(grown()).verdict == "wrong"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_exponents_are_slopes_of_lines_through_logarithms(seed):
    run = grown(2.1, 1.9, off=0.05, seed=seed)
    finding = growth_found(run)
    for name, quantity in (("time", "seconds"), ("peak", "peak_bytes")):
        used = [(each.T, getattr(each, quantity)) for each in run.points if each.T >= 128]
        x, y = np.log(np.array(used, float)).T
        line, covariance = np.polyfit(x, y, 1, cov=True)
        assert numbers(finding)[name] == pytest.approx(line[0], rel=1e-9)
        assert numbers(finding)[f"{name}_error"] == pytest.approx(math.sqrt(covariance[0, 0]))
        assert f"{line[0]:.2f} ± " in said(finding)


@pytest.mark.parametrize(
    ("exponent", "error", "standing"),
    [
        (2.0, 0.0, "square"),
        (1.75, 0.05, "square"),  # of four points: surely above 1.75 - 4.3 x 0.05
        (2.25, 0.05, "square"),
        (1.75, 0.1, "unsure"),
        (2.25, 0.2, "unsure"),
        (2.0, 0.11, "square"),
        (2.0, 0.12, "unsure"),
        (1.66, 0.03, "unsure"),  # surely nearest to 2, but not near it
        (1.5, 0.02, "other"),
        (2.6, 0.05, "other"),
        (1.5, 0.1, "unsure"),  # of four points: 1.5 + 4.3 x 0.1 is more than 1.7
        (1.2, 0.15, "unsure"),
        (1.1, 0.2, "unsure"),
        (2.68, 0.46, "open"),
        (2.0, 0.9, "open"),
    ],
)
def test_an_exponent_decides_only_what_its_error_lets_it(exponent, error, standing):
    growth = Growth(exponent, error, points_used=4, shortest=64, factor=1.0)
    assert standing_of(growth) == standing
    assert standing_of(None) == "few"


@pytest.mark.parametrize(
    ("time", "peak", "off", "verdict", "parts"),
    [
        (2.0, 2.0, 0.0, "confirmed", ("like T to the power 2.000", "Its peak memory grows")),
        (2.0, 2.0, 3.0, "open", ("scatter too widely", "tell no power of T")),
        (1.4, 2.0, 0.0, "qualified", ("which is not 2", "Its peak memory grows")),
        (2.0, 1.0, 0.0, "qualified", ("of the formula grows", "which is not 2")),
        (1.0, 1.0, 0.0, "qualified", ("which is not 2", "which is not 2")),
    ],
)
def test_the_verdict_on_the_square_follows_from_both_exponents(time, peak, off, verdict, parts):
    finding = growth_found(grown(time, peak, off))
    assert finding.verdict == verdict
    sentences = WORDS[0].sentences(finding, translator("en"))
    assert "1,000,000" in sentences[0]
    for sentence, part in zip(sentences[1:], parts, strict=True):
        assert part in sentence.replace(NARROW, " ")


def test_times_of_a_busy_machine_decide_nothing():
    """Half of the cores are taken: a line fits, and says nothing of T."""
    run = replace(grown(time=0.5), seconds=10.0, elsewhere=20.0)
    assert run.machine.cores == 4
    finding = growth_found(run)
    assert finding.verdict == "confirmed"
    assert "Other programs kept 2.0 of 4 cores busy" in said(finding)
    assert WORDS[0].number_of(finding, translator("en")).startswith("exponent of time –,")
    assert growth_found(replace(run, elsewhere=9.9)).verdict == "qualified"


def test_points_that_were_refused_decide_nothing():
    run = replace(grown(time=1.0), points=grown().points[:2])
    finding = growth_found(run)
    assert finding.verdict == "open"
    assert WORDS[0].number_of(finding, translator("en")) == "1,000,000 and 100,000,000 scores"
    assert "Too few times could be measured here" in said(finding)
    assert "Too few peaks" in said(finding)


def test_the_thresholds_on_the_counts():
    assert judge_growth((10**6, 10**8)) == "open"
    assert judge_growth((10**6, 10**8 - 1), "square", "square") == "wrong"


@pytest.mark.parametrize("time", get_args(Standing))
@pytest.mark.parametrize("peak", get_args(Standing))
def test_the_peak_confirms_the_square_and_either_exponent_contradicts_it(time, peak):
    verdict = judge_growth((10**6, 10**8), time, peak)
    if "other" in (time, peak):
        assert verdict == "qualified"
    else:
        assert verdict == ("confirmed" if peak == "square" else "open")


@pytest.mark.parametrize(
    ("time", "peak", "verdict"),
    [
        ((1.2, 0.15), (1.1, 0.2), "open"),
        ((2.0, 0.05), (1.1, 0.2), "open"),
        ((1.2, 0.15), (2.0, 0.004), "confirmed"),
        ((1.2, 0.05), (2.0, 0.004), "qualified"),
        ((2.0, 0.05), (1.5, 0.01), "qualified"),
    ],
)
def test_exponents_as_they_were_measured_decide_what_their_errors_allow(time, peak, verdict):
    standings = [
        standing_of(Growth(exponent, error, points_used=4, shortest=64, factor=1.0))
        for exponent, error in (time, peak)
    ]
    assert judge_growth((10**6, 10**8), *standings) == verdict


def test_an_exponent_that_leaves_it_open_is_said_with_its_error(monkeypatch):
    run = grown()
    growths = {
        "seconds": Growth(1.2, 0.15, 4, 128, 1.0),
        "peak_bytes": Growth(1.1, 0.2, 4, 128, 1.0),
    }
    monkeypatch.setattr(type(run), "growth", lambda _self, _way, quantity: growths[quantity])
    finding = growth_found(run)
    assert finding.verdict == "open"
    assert "1.20 ± 0.15, which leaves it open whether that is 2" in said(finding)
    assert "peak memory grows like T to the power 1.10 ± 0.20, which leaves" in said(finding)


def test_the_ledger_measures_what_the_page_shows():
    shown = grown()
    results = Results("numpy", kept=lambda _params, _backend: shown)
    assert of_memory.of_growth(results) == growth_found(shown)


# Chunks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_results_are_those_of_attention_worked_out_in_double_precision(seed, backend):
    params = ChunkedParams(T=48, heads=2, d_k=8, seed=seed)
    finding = chunks_found(compare(params, backend=backend))
    q, k, v = np.random.default_rng((seed, 48)).standard_normal((3, 1, 2, 48, 8), np.float32)
    exact = oracles.attend(q, k, v)
    formula, chunks = chunked._outputs(
        Job("materialised", 48, 2, 8, 1, "float32", False, 1, seed), backend
    )
    for found in (formula, chunks):
        assert np.abs(found - exact).max() < 1e-5 * np.abs(exact).max()
    wanted = np.abs(formula - chunks).max() / np.abs(formula).max()
    assert numbers(finding)["share"] == pytest.approx(wanted, rel=1e-5)
    assert finding.case == "same"


def test_the_usual_comparison_confirms_the_claim():
    finding = of_memory.of_chunks(Results("numpy"))
    assert finding.verdict == "confirmed"
    heads = MeasuredParams().heads
    assert numbers(finding)["heads"] == heads, "as the page measures at first"
    assert numbers(finding)["blocked"] < heads * 1024**2 * 4 <= numbers(finding)["materialised"]
    assert f"At T = 1,024 and H = {heads} both results agree" in said(finding)
    assert "which is rounding" in said(finding)


def test_chunks_that_forget_a_key_are_found_out(monkeypatch):
    outputs = chunked._outputs

    def forgetful(job, backend):
        formula, _ = outputs(job, backend)
        q, k, v = job.inputs()
        return formula, backend.attend(
            q, k[:, :, 1:], v[:, :, 1:], mask=None, bias=None, causal=False, scale=job.d_k**-0.5
        )

    monkeypatch.setattr(chunked, "_outputs", forgetful)
    finding = chunks_found(compare(ChunkedParams(T=64, heads=1, d_k=8), backend="numpy"))
    assert finding.verdict == "wrong"
    assert "more than rounding" in said(finding)


@pytest.mark.parametrize(
    ("difference", "blocked", "verdict"),
    [
        (1e-6, 10, "confirmed"),
        (1e-6, 100, "qualified"),
        (1.1e-5, 10, "wrong"),
        (0.9e-5, 99, "confirmed"),
        (0.1, 10, "wrong"),
    ],
)
def test_the_verdict_on_chunks_follows_from_both_results(difference, blocked, verdict):
    assert judge_chunks(Chunked(64, 1, 4, "blocked", difference, 1.0, 100, blocked)) == verdict


# The turn -------------------------------------------------------------------------------------


def test_a_check_that_measures_waits_for_its_turn_and_not_for_ever():
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with MEASURING:
            held.set()
            done.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    held.wait(10)
    try:
        with (
            pytest.raises(BusyError, match="Another measurement has its turn"),
            measuring_turn(0.01),
        ):
            pass
    finally:
        done.set()
        other.join()
    with measuring_turn(0.01):
        assert not _free(), "the turn is held meanwhile"
    assert _free()


def _free() -> bool:
    """Return whether another thread would get the turn."""
    got: list[bool] = []

    def ask() -> None:
        got.append(MEASURING.acquire(blocking=False))
        if got[0]:
            MEASURING.release()

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return got[0]


# Words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_has_its_words(language):
    growth, chunks = (
        growth_found(grown()),
        chunks_found(Chunked(64, 1, 4, "blocked", 1e-7, 1.0, 100, 10)),
    )
    t = translator(language)
    for finding, words in zip((growth, chunks), WORDS, strict=True):
        for case in words.decides:
            found = replace(finding, case=case)
            assert "{" not in said(found, language) + words.number_of(found, t)
        assert "{" not in words.decided_by(t)
    for nothing in (growth_found(None), chunks_found(None)):
        assert "{" not in said(nothing, language)
