"""The ledger and the results that its checks share."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import EngineError, NumberError, OutOfMemoryError
from engine.experiments.claims import ledger
from engine.experiments.claims.deciding import case_of, surely_above
from engine.experiments.claims.every import CLAIMS, claim_of
from engine.experiments.claims.finding import Claim, Finding
from engine.experiments.claims.ledger import LedgerParams, check_all, in_turn
from engine.experiments.claims.results import Results
from pages.text import LANGUAGES, translator
from pages.text.claims.every import WORDS

# Results --------------------------------------------------------------------------------------


class Counted:
    """An experiment that counts how often it runs."""

    def __init__(self) -> None:
        self.ran: list[tuple[Any, str]] = []

    def __call__(self, params: Any, /, *, backend: str) -> str:
        self.ran.append((params, backend))
        return f"{params} on {backend}"


def test_a_result_is_computed_once_for_each_experiment_and_backend():
    run, other, results = Counted(), Counted(), Results("numpy")
    for _ in range(3):
        assert results.of("a", run) == "a on numpy"
        assert results.of("b", run) == "b on numpy"
        assert results.of("a", run, backend="mlx") == "a on mlx"
        assert results.of("a", other) == "a on numpy"
    assert run.ran == [("a", "numpy"), ("b", "numpy"), ("a", "mlx")]
    assert other.ran == [("a", "numpy")]


def test_a_result_that_is_kept_elsewhere_is_taken_and_a_new_one_given():
    run, store = Counted(), {("a", "numpy"): "kept"}
    results = Results(
        "numpy",
        lambda params, backend: store.get((params, backend)),
        lambda params, backend, result: store.update({(params, backend): result}),
    )
    assert (results.of("a", run), results.of("b", run)) == ("kept", "b on numpy")
    assert store["b", "numpy"] == "b on numpy"
    store["b", "numpy"] = "measured again"
    assert results.of("b", run) == "measured again", "what the reader sees elsewhere"
    store.clear()
    assert results.of("b", run) == "measured again"
    assert run.ran == [("b", "numpy")]


def test_what_was_refused_is_tried_again():
    def refuse(_params: Any, /, *, backend: str) -> str:
        tries.append(backend)
        raise NumberError("No.")

    tries: list[str] = []
    results = Results("numpy")
    for _ in range(2):
        with pytest.raises(NumberError):
            results.of("a", refuse)
    assert len(tries) == 2


# The list of claims ---------------------------------------------------------------------------


def test_there_are_25_claims_in_order():
    assert [claim.number for claim in CLAIMS] == [*range(1, 26)]
    assert claim_of(22).subject == "memory"
    assert {claim.subject for claim in CLAIMS} == {
        "lookup", "worked_example", "masks", "scaling", "properties", "memory", "context",
    }  # fmt: skip
    assert set(WORDS) == set(range(1, 26))


def test_every_check_comes_once_and_those_that_take_long_come_last():
    turns = [claim.number for claim in in_turn()]
    assert sorted(turns) == [*range(1, 26)]
    assert turns[-len(ledger.SLOW) :] == list(ledger.SLOW)
    assert turns[: -len(ledger.SLOW)] == sorted(turns[: -len(ledger.SLOW)])


# The ledger -----------------------------------------------------------------------------------


def _found(number: int, verdict: Any = "confirmed"):
    return Claim(number, "masks", "2.10", lambda _results: Finding(number, verdict, {"of": number}))


def _refused(number: int, error: EngineError):
    def check(_results: Results) -> Finding:
        raise error

    return Claim(number, "masks", "2.10", check)


def with_claims(monkeypatch, *claims: Claim) -> list[ledger.LedgerResult]:
    monkeypatch.setattr(ledger, "CLAIMS", claims)
    return list(check_all(LedgerParams(), backend="numpy"))


def test_findings_grow_one_by_one_in_the_order_of_their_claims(monkeypatch):
    made = with_claims(
        monkeypatch,
        _found(2, "wrong"),
        _found(11),
        _found(23),
        _found(24),
    )
    assert [len(result.findings) for result in made] == [1, 2, 3, 4]
    last = made[-1]
    assert [finding.claim for finding in last.findings] == [2, 11, 23, 24]
    assert [finding.claim for finding in made[1].findings] == [2, 24], "the slow ones come last"
    assert [result.share for result in made] == [0.25, 0.5, 0.75, 1.0]
    assert [result.done for result in made] == [False, False, False, True]
    assert last.total == 4
    assert last.counts == {"wrong": 1, "confirmed": 3}
    assert last.finding(23) == Finding(23, "confirmed", {"of": 23})
    assert made[0].finding(23) is None
    assert last.seconds == pytest.approx(sum(finding.seconds for finding in last.findings))
    assert (last.backend_name, bool(last.device)) == ("numpy", True)


def test_a_check_that_is_refused_is_open_and_says_why(monkeypatch):
    error = OutOfMemoryError("There is no room for {T} tokens ({detail}).", T=5, detail=(1, 2))
    made = with_claims(monkeypatch, _refused(2, error), _found(3))
    first, second = made[-1].findings
    assert (first.verdict, first.case) == ("open", "refused")
    assert first.values == {"reason": error.template, "T": 5, "detail": "(1, 2)"}
    assert second.verdict == "confirmed"
    for language in LANGUAGES:
        said = WORDS[2].sentences(first, translator(language))
        assert said == ("There is no room for 5 tokens ((1, 2)).",)


def test_a_fault_of_the_code_is_not_taken_for_a_refusal(monkeypatch):
    def check(_results: Results) -> Finding:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with_claims(monkeypatch, Claim(2, "masks", "2.10", check))


def test_progress_is_heard_and_the_whole_comes_back(monkeypatch):
    monkeypatch.setattr(ledger, "CLAIMS", (_found(2), _found(3)))
    heard: list[float] = []
    result = ledger.run(LedgerParams(), backend="numpy", progress=heard.append)
    assert heard == [0.5, 1.0]
    assert result.done


def test_the_backend_of_given_results_counts(monkeypatch):
    monkeypatch.setattr(ledger, "CLAIMS", (_found(2),))
    result = ledger.run(LedgerParams(), backend="nonsense", results=Results("numpy"))
    assert result.backend_name == "numpy"
    with pytest.raises(EngineError):
        check_all(LedgerParams(), backend="nonsense")


def test_quick_claims_are_decided_together(backend):
    """Each check is tested by itself; here all that take no time share their results."""
    results = Results(backend.name)
    quick = [claim for claim in in_turn() if claim.number not in ledger.SLOW]
    findings = [ledger.checked(claim, results) for claim in quick]
    assert [finding.claim for finding in findings] == [claim.number for claim in quick]
    found = {finding.claim: finding.verdict for finding in findings}
    assert "open" not in found.values()
    assert found[12] == "wrong"
    assert found[24] == "confirmed"
    for language in LANGUAGES:
        t = translator(language)
        for finding in findings:
            words = WORDS[finding.claim]
            texts = [*words.sentences(finding, t), words.number_of(finding, t), words.decided_by(t)]
            assert all(texts)
            assert not any("{" in text for text in texts)


# What checks decide by ------------------------------------------------------------------------


def test_a_difference_is_sure_beyond_three_errors_together():
    assert surely_above(5.01 * 3, 3.0, 4.0)
    assert not surely_above(4.99 * 3, 3.0, 4.0)
    assert not surely_above(0.0, 0.0)
    assert not surely_above(float("nan"), 1.0)


def test_a_case_is_named_by_what_holds():
    assert case_of("a", "", "b") == "a b"
    assert case_of("") == ""
