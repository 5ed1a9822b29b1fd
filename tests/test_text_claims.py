"""The words of the claims, and the ledger as a report."""

from __future__ import annotations

import ast
import csv
import inspect
import io
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import OptionError
from engine.experiments.claims import of_context as engine_context
from engine.experiments.claims import of_lookup as engine_lookup
from engine.experiments.claims import of_masks as engine_masks
from engine.experiments.claims import of_memory as engine_memory
from engine.experiments.claims import of_properties as engine_properties
from engine.experiments.claims import of_scaling as engine_scaling
from engine.experiments.claims import of_worked_example
from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.finding import VERDICTS, Finding, Value, Verdict
from engine.experiments.claims.ledger import refused
from pages.text import LANGUAGES, translator
from pages.text.amounts import between, counted, size
from pages.text.claims import of_context, of_lookup, of_properties
from pages.text.claims.every import WHERE, WORDS
from pages.text.claims.model import VERDICT_WORDS, ClaimWords
from pages.text.claims.report import link, to_csv, to_markdown
from pages.text.claims.standing import (
    GROUPS,
    NOT_YET,
    SUBJECTS,
    counts,
    counts_said,
    measured_said,
    said_of,
    source_said,
)
from pages.text.claims.tuples import tied
from tests.claims_found import ALONE, at_once, nothing_yet, whole, with_findings

T = translator("en")
WHEN = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
BASE = "http://localhost:8501"
OURS = (*of_lookup.WORDS, *of_properties.WORDS, *of_context.WORDS)


def said(words: ClaimWords, finding: Finding, language: str = "en") -> str:
    t = translator(language)
    return t.sentences(*words.sentences(finding, t)).replace("\N{NO-BREAK SPACE}", " ")


def changed(claim: int, verdict: Verdict, case: str, **values: Value) -> Finding:
    """Return what is usually found of a claim, with another verdict and other numbers."""
    usual = whole().finding(claim)
    assert usual is not None
    return replace(usual, verdict=verdict, case=case, values={**usual.values, **values})


# Every claim -------------------------------------------------------------------------------


def test_every_claim_has_words_and_a_view():
    numbers = [claim.number for claim in CLAIMS]
    assert list(WORDS) == numbers
    assert [words.number for words in WORDS.values()] == numbers
    assert list(WHERE) == numbers
    assert {claim.subject for claim in CLAIMS} == set(SUBJECTS)
    assert all(words.rule for words in WORDS.values())


@pytest.mark.parametrize("claim", WORDS)
def test_a_claim_is_quoted_and_short_enough_for_a_row(claim):
    words = WORDS[claim]
    assert words.title.startswith("“")
    assert words.title.count("“") == words.title.count("”") == 1
    assert not set("“”") & set(words.short)
    assert len(words.short) <= 68
    rule = words.decided_by(T)
    assert "{" not in rule
    assert not rule or rule.endswith(".")


# What decides the verdict of each claim.
JUDGES: dict[int, Callable[..., Any]] = {
    1: engine_scaling.judge_variance,
    2: engine_scaling.judge_pairs,
    3: engine_scaling.judge_rise,
    4: engine_scaling.judge_norms,
    5: engine_scaling.judge_training,
    9: engine_properties.judge_order,
    10: engine_properties.judge_paths,
    11: engine_memory.judge_growth,
    12: engine_masks.judge_infinity,
    13: engine_masks.judge_masking_after,
    14: engine_masks.judge_encoder,
    15: engine_masks.judge_position,
    16: engine_lookup.judge_diagonal,
    17: engine_properties.judge_influence,
    18: engine_properties.judge_depth,
    19: engine_context.judge_reference,
    20: engine_context.judge_distance,
    21: engine_context.judge_cause,
    22: engine_memory.judge_chunks,
    23: engine_lookup.judge_cost,
    24: engine_properties.judge_graph,
    25: engine_lookup.judge_axes,
}
PRINTED = (6, 7, 8)
AWAITED: dict[int, set[Verdict]] = {22: {"open"}}  # before anything is judged


def names_in(judge: Callable[..., Any]) -> set[Any]:
    """Return every verdict that stands in the code of a judge: what it can return."""
    code = ast.walk(ast.parse(textwrap.dedent(inspect.getsource(judge))))
    return {each.value for each in code if isinstance(each, ast.Constant)} & set(VERDICTS)


def words_of(verdict: Verdict) -> str:
    return VERDICT_WORDS[verdict].word.lower()


def named_in(rule: str) -> set[Verdict]:
    """Return the verdicts that a rule names, the longest words first."""
    rule = rule.lower()
    named: set[Verdict] = set()
    for verdict in sorted(VERDICTS, key=lambda each: -len(words_of(each))):
        if re.search(rf"\b{words_of(verdict)}\b", rule):
            named.add(verdict)
            rule = re.sub(rf"\b{words_of(verdict)}\b", "", rule)
    return named


@pytest.mark.parametrize("claim", JUDGES)
def test_a_rule_names_every_verdict_that_its_judge_can_return_and_no_other(claim):
    named = named_in(WORDS[claim].decided_by(T))
    assert named == names_in(JUDGES[claim]) | AWAITED.get(claim, set())


@pytest.mark.parametrize("claim", PRINTED)
def test_the_rule_of_printed_numbers_names_what_they_may_be(claim):
    assert named_in(WORDS[claim].decided_by(T)) == set(of_worked_example.VERDICTS.values())


def test_every_check_has_a_judge_here():
    assert sorted({*JUDGES, *PRINTED}) == [claim.number for claim in CLAIMS]


def test_every_verdict_has_a_word_and_a_group():
    assert set(VERDICT_WORDS) == set(VERDICTS)
    assert {words.group for words in VERDICT_WORDS.values()} == set(GROUPS)
    assert [v for v, words in VERDICT_WORDS.items() if words.group == "open"] == ["open"]
    wrong = {v for v, words in VERDICT_WORDS.items() if words.group == "corrected"}
    assert wrong == {"wrong", "as_stated", "misprint", "slip"}
    right = {v for v, words in VERDICT_WORDS.items() if words.group == "confirmed"}
    assert right == {"confirmed", "quantified", "reconciled"}, "all of them are true"


def test_a_group_has_one_colour_and_one_word_of_its_own():
    colours = {group: {words.colour for words in VERDICT_WORDS.values() if words.group == group}
               for group in GROUPS}  # fmt: skip
    assert all(len(each) == 1 for each in colours.values())
    assert len(set.union(*colours.values())) == len(GROUPS)
    for group, word in GROUPS.items():
        alone = [words.word for words in VERDICT_WORDS.values() if words.group == group]
        assert len(alone) > 1 or alone == [word], "the filter says what the badge says"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_measured_number_has_the_name_of_its_quantity(language):
    """A number that begins the column says nothing by itself; a count of things may."""
    t, result = translator(language), whole()
    for finding in result.findings:
        said = WORDS[finding.claim].number_of(finding, t)
        assert re.search("[A-Za-z\u4e00-\u9fff]{2}", said), said
        assert not re.match(r"[\s(−\d.,;×⁻¹⁶⁰]+([,;，；、)]|$)", said), said


def test_a_row_of_numbers_is_said_by_its_ends():
    assert WORDS[3].number_of(ALONE[3], T) == "largest weight 0.681 → 0.962"
    assert WORDS[4].number_of(ALONE[4], T) == "norm of the Jacobian 0.276 → 0.104"
    falls = changed(3, "wrong", "", largest=(0.9, 0.5, 0.3))
    assert WORDS[3].number_of(falls, T) == "largest weight 0.900 → 0.300"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("is (0.73, 0.27), and", "is (0.73,~0.27), and"),
        ("(0.9999546, 0.0000454)", "(0.9999546,~0.0000454)"),
        ("softmax(50, 40) = (−1, 2.5, 3)", "softmax(50,~40) = (−1,~2.5,~3)"),
        ("16, 64 and (standard error, one)", "16, 64 and (standard error, one)"),
        ("(0.311) after 4, 5", "(0.311) after 4, 5"),
    ],
)
def test_a_tuple_is_in_one_line(text, kept):
    assert tied(text).replace("\N{NO-BREAK SPACE}", "~") == kept


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", OURS, ids=lambda words: str(words.number))
def test_every_case_of_a_claim_can_be_said(words, language):
    usual = whole().finding(words.number)
    assert usual is not None
    for case in words.decides:
        text = said(words, replace(usual, case=case), language)
        assert text
        assert "{" not in text
        assert "nan" not in text.lower()
        assert not re.search(r"\d[eE][+-−]?\d", text)


def test_a_refused_check_is_said_in_the_words_of_the_engine():
    error = OptionError("{way} needs {bytes} bytes: choose a smaller T.", way="dot", bytes=12345)
    finding = refused(23, error)
    assert WORDS[23].sentences(finding, T) == ("dot needs 12,345 bytes: choose a smaller T.",)
    assert WORDS[23].number_of(finding, T) == ""


# Words of single claims --------------------------------------------------------------------


def test_the_diagonal_is_said_with_its_error_and_the_equal_share():
    text = said(of_lookup.DIAGONAL, ALONE[16])
    assert "0.0632 ± 0.0012" in text
    assert f"equal shares are {1 / 16}" in text
    assert text.startswith("Not where W_Q and W_K are drawn apart: in 200 draws of 16 tokens")
    favoured = said(of_lookup.DIAGONAL, changed(16, "confirmed", "free", free=0.2))
    assert favoured.startswith("It has")
    assert of_lookup.DIAGONAL.number_of(ALONE[16], T) == (
        "diagonal weight 0.0632, equal share 0.0625; tied 0.96527"
    )


def test_times_are_said_as_a_range_or_as_one():
    words = of_lookup.ADDITIVE
    assert "28–49 times as long" in said(words, ALONE[23])
    assert "quartiles 24–57" in said(words, ALONE[23])
    alike = changed(23, "qualified", "slower", least_ratio=3.04, most_ratio=2.96)
    assert " 3 times as long" in said(words, alike)
    faster = changed(23, "wrong", "faster", least_ratio=0.5, most_ratio=0.84)
    assert said(words, faster).startswith("It is slower at every width and length. Additive")
    assert "0.5–0.84 times as long" in said(words, faster)


def test_columns_are_said_to_give_another_answer_where_they_do():
    usual = whole().finding(25)
    assert usual is not None
    text = said(of_lookup.AXES, usual)
    assert "misses 1 by 2 × 10⁻¹⁶ at most, which is rounding" in text
    assert "sum to 0.506–1.794" in text
    assert "another answer" not in said(of_lookup.AXES, changed(25, "open", "alike"))
    broken = changed(25, "wrong", "not_rows", row_error=0.25)
    assert said(of_lookup.AXES, broken).startswith("Some row of weights misses 1 by 0.25, more")


def test_order_is_said_to_be_broken_by_positions_where_it_is():
    usual = whole().finding(9)
    assert usual is not None
    assert "Added positions break it: the sentence that the page shows" in said(
        of_properties.ORDER, usual
    )
    assert "do not break it" in said(of_properties.ORDER, replace(usual, case="unbroken"))
    unequal = changed(9, "wrong", "unequal", difference=0.5)
    assert "is 0.5, which is more than" in said(of_properties.ORDER, unequal)


def test_steps_are_listed_beside_their_lengths():
    found = changed(10, "confirmed", "direct", recurrent=(15, 63, 1255), lengths=(16, 64, 1256))
    text = said(of_properties.REACH, found)
    assert "at T = 16, 64, 1,256" in text
    assert "needs 15, 63, 1,255" in text
    shown = replace(found, values={**found.values, "shown_T": 1256, "shown_recurrent": 1255})
    assert (
        of_properties.REACH.number_of(shown, T) == "most steps at T = 1,256: 1; recurrent net 1,255"
    )
    slow = said(of_properties.REACH, replace(found, case="direct_only"))
    assert "more slowly than claimed" in slow
    far = changed(10, "wrong", "far", full=(1, 2, 7))
    assert said(of_properties.REACH, far).endswith("self-attention needs up to 7 steps here.")
    still = said(of_properties.REACH, changed(10, "wrong", "still", least_move=0.0))
    assert "one step joins any two positions" in still
    assert "not every output moves" in still
    assert "steps here" not in still


def test_a_move_that_a_causal_mask_allows_is_said():
    usual = whole().finding(17)
    assert usual is not None
    assert "to the last bit" in said(of_properties.INFLUENCE, usual)
    leaking = changed(17, "confirmed", "unmasked", causal_move=0.125)
    assert "still moves, by up to 0.125" in said(of_properties.INFLUENCE, leaking)
    assert "last bit" not in said(of_properties.INFLUENCE, leaking)


def test_depth_is_said_with_both_ends_of_its_seeds():
    text = said(of_properties.DEPTH, ALONE[18])
    assert "0.999 (0.998–1.000) after 2 layers without" in text
    assert "0.311 (0.238–0.433) after 4 with them" in text
    assert "every seed has reached 0.9 after 22" in text
    one = changed(18, "confirmed", "helped", residual_low=0.3114, residual_high=0.3112)
    assert "0.311 (0.311) after 4" in said(of_properties.DEPTH, one)


def test_a_graph_that_lacks_an_edge_is_not_called_complete():
    usual = whole().finding(24)
    assert usual is not None
    assert "The graph is complete" in said(of_properties.GRAPH, usual)
    lacking = said(of_properties.GRAPH, replace(usual, case="incomplete"))
    assert "not complete" in lacking
    assert "4 tokens have 16 edges" in lacking


# Amounts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (3.16533, "3.165"),
        (1.0, "1.000"),
        (0.65677, "0.657"),
        (0.0309848, "0.031"),
        (0.00104347, "0.00104"),
        (4.44e-16, "4 × 10⁻¹⁶"),
        (9.9e-5, "1 × 10⁻⁴"),
    ],
)
def test_a_size_is_written_as_people_write_it(value, text):
    assert size(value).replace("\N{NO-BREAK SPACE}", " ") == text


@given(st.floats(1e-4, 0.999))
def test_a_size_keeps_three_digits(value):
    assert float(size(value)) == pytest.approx(value, rel=0.0051)


def test_two_ends_are_one_where_they_are_written_alike():
    assert between(0.2382, 0.4327, 2) == "0.24–0.43"
    assert between(0.2382, 0.2384, 3) == "0.238"
    assert counted((1, 1000, 12345678)) == ("1", "1,000", "12,345,678")


# How it stands -----------------------------------------------------------------------------


def test_claims_are_counted_by_the_group_of_their_verdict():
    result = whole()
    found = {finding.claim: VERDICT_WORDS[finding.verdict].group for finding in result.findings}
    by_hand = {
        group: sum(found.get(claim.number, "open") == group for claim in CLAIMS) for group in GROUPS
    }
    assert counts(result) == by_hand
    assert sum(by_hand.values()) == 25
    assert counts(nothing_yet()) == {"confirmed": 0, "qualified": 0, "corrected": 0, "open": 25}
    assert counts_said(nothing_yet(), T) == "25 not decided"
    assert counts_said(result, T).startswith(f"{by_hand['confirmed']} confirmed, ")


def test_what_is_not_measured_is_said_instead_of_a_number():
    slow = next(claim for claim in CLAIMS if claim.number == 5)
    assert said_of(slow, None, T) == (T(NOT_YET),)
    assert measured_said(slow, None, T) == "–"


def test_a_source_is_a_section_or_a_part_of_one():
    sources = {claim.source: source_said(claim, T) for claim in CLAIMS}
    plain = {source: text.replace("\N{NO-BREAK SPACE}", " ") for source, text in sources.items()}
    assert plain["2.10"] == "§ 2.10"
    assert plain["2.1.5"] == "§ 2.1, part 5"
    assert not any(" " in text for text in sources.values()), "no line ends inside"


# The report --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_has_every_claim_with_verdict_sentences_threshold_and_link(language):
    t, result = translator(language), whole()
    text = to_markdown(result, t, BASE, when=WHEN)
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    assert len(sections) == 26
    assert "2026-03-04 05:06 UTC" in sections[0]
    assert result.device in sections[0]
    for claim, section in zip(CLAIMS, sections[1:], strict=True):
        words, finding = WORDS[claim.number], result.finding(claim.number)
        assert section.startswith(f"{claim.number}. {t(words.title)}\n")
        verdict = VERDICT_WORDS[finding.verdict if finding else "open"]
        assert f"**{t(verdict.word)}.**" in section
        assert all(sentence in section for sentence in said_of(claim, finding, t))
        assert words.decided_by(t) in section
        assert f"<{BASE}/" in section


def test_the_table_of_the_report_has_four_cells_a_row():
    rows = [line for line in to_markdown(whole(), T).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 25
    assert all(len(re.split(r"(?<!\\)\|", row)) == 6 for row in rows)
    assert "| 16 | The diagonal has base pay | Wrong | diagonal weight 0.0632, equal" in "\n".join(
        rows
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_csv_has_every_number_at_full_precision(language):
    t, result = translator(language), whole()
    text = to_csv(result, t, BASE, when=WHEN).decode("utf-8-sig")
    rows = {int(row["claim"]): row for row in csv.DictReader(io.StringIO(text))}
    assert sorted(rows) == [*range(1, 26)]
    for finding in result.findings:
        row = rows[finding.claim]
        numbers = dict(part.split(" = ", 1) for part in row["values"].split("; "))
        assert numbers.keys() == finding.values.keys()
        for name, value in finding.values.items():
            if isinstance(value, float):
                assert float(numbers[name]) == value
            elif isinstance(value, tuple):
                assert numbers[name].split() == [str(each) for each in value]
        assert row["verdict"] == t(VERDICT_WORDS[finding.verdict].word)
        assert row["threshold"] == WORDS[finding.claim].decided_by(t)
    assert {row["device"] for row in rows.values()} == {result.device}


def test_a_report_of_what_is_there_so_far_says_what_is_missing():
    text = to_markdown(at_once(), T)
    assert text.count(T(NOT_YET)) == len(ALONE)
    assert "Saved" not in text


def test_a_text_with_a_bar_stays_in_its_cell():
    finding = changed(22, "open", "refused")
    finding = replace(finding, values={"reason": "a | b"})
    result = with_findings(finding)
    text = to_markdown(result, T)
    assert "a | b" in text
    assert "reason" not in to_csv(result, T).decode()
    assert all(
        len(re.split(r"(?<!\\)\|", row)) == 6 for row in text.splitlines() if row.startswith("|")
    )


def test_a_link_is_the_address_of_the_view():
    parts = urlsplit(link(12, BASE))
    assert (parts.netloc, parts.path) == ("localhost:8501", "/attention-masks")
    assert {name: values[0] for name, values in parse_qs(parts.query).items()} == WHERE[12][1]
    assert link(1) == "/sqrt-dk"
    assert link(7) == "/worked-example?tab=printed&claim=7"
