"""Claims 6, 7 and 8: the printed numbers beside loops, and every verdict where they are others."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from engine.experiments import printed
from engine.experiments.claims import of_worked_example
from engine.experiments.claims.of_worked_example import of_printed, printed_found
from engine.experiments.claims.results import Results
from engine.experiments.presets import textbook, three_scores
from engine.experiments.printed import agrees_with, load_printed, printed_claims
from pages.text import LANGUAGES, translator
from pages.text.claims.of_worked_example import WORDS
from tests import oracles

VERDICTS = {6: "misprint", 7: "wrong", 8: "wrong"}
ROWS = {6: (textbook, 0), 7: (textbook, 1), 8: (three_scores, 0)}


def said(finding, language: str = "en") -> str:
    """Return the sentences on a finding."""
    words = next(each for each in WORDS if each.number == finding.claim)
    return " ".join(words.sentences(finding, translator(language)))


@pytest.mark.parametrize("number", VERDICTS)
def test_the_numbers_are_those_of_loops(number, backend):
    finding = of_printed(number, Results(backend.name))
    example, row = ROWS[number]
    params = example()
    trace = oracles.trace(params.x, params.w_q, params.w_k, params.w_v)
    assert finding.values["weights"] == pytest.approx(trace["weights"][row], abs=1e-6)
    if "output" in finding.values:
        assert finding.values["output"] == pytest.approx(trace["output"][row], abs=1e-6)
    assert finding.verdict == VERDICTS[number]


@pytest.mark.parametrize(
    ("number", "changes", "verdict"),
    [
        (6, {"weights": ["0.109", "0.449", "0.221", "0.221"], "output": ["0.660", "1.670"]},
         "confirmed"),
        (6, {"output": ["0.660", "1.772"]}, "wrong"),
        (7, {"output": ["1.340", "1.330"]}, "confirmed"),
        (7, {"output": ["1.340", "1.332"]}, "misprint"),
        (8, {"weights": ["0.578", "0.247", "0.174"]}, "confirmed"),
    ],
)  # fmt: skip
def test_other_printed_numbers_have_another_verdict(number, changes, verdict):
    claims = copy.deepcopy(load_printed())
    next(each for each in claims if each["claim"] == number)["printed"].update(changes)
    found = Results("numpy", kept=lambda _params, _backend: printed_claims(claims, backend="numpy"))
    finding = of_printed(number, found)
    assert finding.verdict == verdict
    for text in changes.get("output", changes.get("weights", [])):
        assert text in said(finding)


def test_an_example_with_other_values_is_no_misprint(monkeypatch):
    """Its printed output would not follow from the printed weights."""
    w_v = tuple(tuple(2 * cell for cell in row) for row in textbook().w_v)
    monkeypatch.setitem(printed._EXAMPLES, "textbook", lambda: replace(textbook(), w_v=w_v))
    finding = of_printed(6, Results("numpy"))
    assert finding.verdict == "wrong"
    assert "computed are (0.1091, 0.4486, 0.2212, 0.2212) and (1.3210, 3.3395)" in said(finding)


def test_the_example_is_computed_once_for_all_three():
    results, times = Results("numpy"), []

    def counted(printed_numbers, *, backend):
        times.append(backend)
        return printed_claims(printed_numbers, backend=backend)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_worked_example, "printed_claims", counted)
        for claim in of_worked_example.CLAIMS:
            assert claim.check(results).claim == claim.number
    assert times == ["numpy"]


@pytest.mark.parametrize(
    ("text", "value", "agrees"),
    [
        ("0.73", 0.7349, True),
        ("0.73", 0.7351, False),
        ("0.0001", 0.00014, True),
        ("-1", -1.6, False),
    ],
)
def test_a_printed_number_agrees_to_half_a_unit(text, value, agrees):
    assert agrees_with(text, value) == agrees


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_has_its_words(language):
    t = translator(language)
    for claim, words in zip(printed_claims(backend="numpy"), WORDS, strict=True):
        finding = printed_found(claim)
        for case in words.decides:
            assert "{" not in said(replace(finding, case=case), language)
        assert "{" not in words.number_of(finding, t) + words.decided_by(t)
    assert "0.4486" in said(printed_found(printed_claims(backend="numpy")[0]), language)
