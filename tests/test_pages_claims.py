"""The ledger through the frame, in both languages, as a person would read it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from engine.errors import OptionError
from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.ledger import LedgerParams, LedgerResult, in_turn, refused
from engine.experiments.masks.inputs import MOST_SEED
from pages.gallery.claims import KEPT, NAMES
from pages.text import LANGUAGES, translator
from pages.text.claims.every import WHERE, WORDS
from pages.text.claims.model import VERDICT_WORDS
from pages.text.claims.standing import GROUPS, NOT_YET, group_of
from pages.ui.claims import inspector, links, measuring, state
from tests.claims_found import ALONE, at_once, with_findings
from tests.conftest import require_backend
from tests.interrupting import interrupt_after
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    CLAIMS as LEDGER,
)
from tests.open_pages import (
    EXAMPLE,
    MASKS,
    PAGES,
    address_of,
    charts,
    elements,
    english_sentences,
    open_page,
    problems,
    text_of,
    words,
)

T = translator("en")
START, STOP = f"{measuring.WORK}.start", f"{measuring.WORK}.stop"


@pytest.fixture(autouse=True)
def navigation_has_run() -> Iterator[None]:
    KEPT.clear()
    with after_the_first_visit():
        yield
    KEPT.clear()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let a measurement find what was measured once; return on which backends it did."""
    asked: list[str] = []

    def check_all(_params: LedgerParams, *, results: Any) -> Iterator[LedgerResult]:
        asked.append(results.backend)
        done = [at_once(results.backend).finding(claim.number) for claim in in_turn()]
        early = [finding for finding in done if finding]
        yield with_findings(backend=results.backend)
        for place in range(1, len(ALONE) + 1):
            late = [*ALONE.values()][:place]
            yield with_findings(*early, *late, backend=results.backend)

    monkeypatch.setattr(measuring, "check_all", check_all)
    return asked


def rows(app: AppTest) -> list[int]:
    """Return the numbers of the claims that have a row."""
    return [int(number) for _, number in numbers_of(app)]


def numbers_of(app: AppTest) -> list[tuple[str, str]]:
    """Return the place that each row is reached at, and the number in it."""
    html = " ".join(str(each.proto.body) for each in elements(app, "html"))
    return re.findall(r'<div id="(claim-\d+)"[^>]*>(\d+)</div>', html)


def words_of(app: AppTest, claim: int) -> str:
    """Return the words in the row of a claim."""
    title = WORDS[claim].title.split("d_k")[0].rstrip("”.")
    found = [str(e.value) for e in app.markdown if str(e.value).startswith(f"**{title[:18]}")]
    return found[0]


def choose(app: AppTest, name: str, value: str, lang: str = "en") -> AppTest:
    kind = app.segmented_control if name == "verdict" else app.selectbox
    return kind(key=f"claims.{name}@{lang}").set_value(value).run()


# The first view ----------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_visit_shows_every_claim_and_measures_nothing_slow(language, backend, quick):
    require_backend(backend)
    app = open_page(LEDGER, lang=language, backend=backend)
    assert problems(app) == []
    assert len(app.title) == 1
    assert rows(app) == [claim.number for claim in CLAIMS]
    assert quick == [], "begun by the reader alone"
    t = translator(language)
    assert text_of(app).count(t(NOT_YET)) == len(ALONE)
    assert t(WORDS[6].short) not in words(app), "the page has the claim as it is made"
    for finding in at_once(backend).findings:
        assert all(sentence in _plain(app) for sentence in _sentences(finding, t))
    if language == "zh":
        assert english_sentences(app) == []


def _plain(app: AppTest) -> str:
    return re.sub(r"[$\\{}⁠\s]", "", text_of(app))


def _sentences(finding: Any, t: Any) -> list[str]:
    return [re.sub(r"[$\\{}\s]", "", s) for s in WORDS[finding.claim].sentences(finding, t)
            if "√" not in s]  # fmt: skip


def test_a_ledger_that_another_session_measured_is_shown_at_once():
    KEPT.put(LedgerParams(), "numpy", with_findings(*ALONE.values()))
    app = open_page(LEDGER)
    assert T(NOT_YET) not in text_of(app)
    assert app.button(key=START).label == "Measure all again"


# Measuring ---------------------------------------------------------------------------------


def test_start_measures_the_rest_and_keeps_it_for_others(quick):
    app = open_page(LEDGER)
    assert app.button(key=START).label == f"Measure the other {len(ALONE)}"
    app.button(key=START).click().run()
    assert problems(app) == []
    assert quick == ["numpy"]
    assert T(NOT_YET) not in text_of(app)
    assert "0.0632" in words_of(app, 16)
    assert app.button(key=START).label == "Measure all again"
    assert KEPT.peek(LedgerParams(), "numpy") == with_findings(*ALONE.values())
    assert T(NOT_YET) not in text_of(open_page(LEDGER))


def test_a_measurement_goes_on_when_the_reader_does_something_else(monkeypatch, quick):
    happened = interrupt_after(monkeypatch, 3)
    app = open_page(LEDGER)
    app.button(key=START).click().run()
    assert happened
    monkeypatch.undo()
    assert quick == ["numpy"]
    app.toggle(key="claims.rules@en").set_value(True).run()
    assert T(NOT_YET) not in text_of(app)
    assert quick == ["numpy"], "the same measurement went on"


def test_stop_keeps_what_was_found(monkeypatch):
    interrupt_after(monkeypatch, 4)
    app = open_page(LEDGER)
    assert app.button(key=STOP).disabled
    app.button(key=START).click().run()
    assert app.button(key=START).disabled
    assert not app.button(key=STOP).disabled
    app.button(key=STOP).click().run()
    assert app.button(key=STOP).disabled
    assert text_of(app).count(T(NOT_YET)) == len(ALONE) - 3
    assert app.button(key=START).label == f"Measure the other {len(ALONE) - 3}"
    app.switch_page(PAGES["overview"]).run()
    app.switch_page(LEDGER).run()
    assert text_of(app).count(T(NOT_YET)) == len(ALONE) - 3


def test_a_page_that_is_left_measures_no_longer(monkeypatch):
    interrupt_after(monkeypatch, 2)
    app = open_page(LEDGER)
    app.button(key=START).click().run()
    app.switch_page(PAGES["overview"]).run()
    app.switch_page(LEDGER).run()
    assert app.button(key=STOP).disabled
    assert text_of(app).count(T(NOT_YET)) == len(ALONE) - 1


def test_a_refused_check_says_why_and_does_not_stop_the_rest(monkeypatch):
    error = OptionError("{way} needs more memory than there is.", way="dot product")

    def check_all(_params: LedgerParams, *, results: Any) -> Iterator[LedgerResult]:
        yield with_findings(*ALONE.values(), refused(23, error), backend=results.backend)

    monkeypatch.setattr(measuring, "check_all", check_all)
    app = open_page(LEDGER)
    app.button(key=START).click().run()
    assert problems(app) == []
    assert words_of(app, 23).endswith("dot product needs more memory than there is.")
    assert T(NOT_YET) not in text_of(app)
    assert KEPT.peek(LedgerParams(), "numpy") is None, "another try may succeed"


def test_a_refusal_takes_no_finding_away():
    before = with_findings(*ALONE.values())
    after = with_findings(refused(16, OptionError("No.")))
    both = measuring.merged(before, after)
    assert both.finding(16) == ALONE[16]
    assert both.findings == before.findings
    assert measuring.merged(after, before).finding(16) == ALONE[16]
    assert both.seconds == sum(finding.seconds for finding in both.findings)


# Filters -----------------------------------------------------------------------------------


def test_a_verdict_is_chosen():
    found = with_findings(*ALONE.values())
    KEPT.put(LedgerParams(), "numpy", found)
    app = open_page(LEDGER)
    for verdict in state.VERDICTS:
        choose(app, "verdict", verdict)
        groups = {claim.number: group_of(found.finding(claim.number)) for claim in CLAIMS}
        assert rows(app) == [n for n, group in groups.items() if verdict in ("all", group)]
        assert address_of(app).get("verdict", "all") == verdict


def test_a_subject_is_chosen_and_stays_when_the_page_is_left():
    app = choose(open_page(LEDGER), "subject", "masks")
    assert rows(app) == [12, 13, 14, 15]
    app.switch_page(PAGES["overview"]).run()
    app.switch_page(LEDGER).run()
    assert rows(app) == [12, 13, 14, 15]
    assert address_of(app)["subject"] == "masks"


def test_a_link_reproduces_the_view():
    app = open_page(LEDGER, subject="context", verdict="qualified", thresholds="on")
    assert rows(app) == [19, 20]
    assert app.toggle(key="claims.rules@en").value
    app = open_page(LEDGER, subject="worked_example", verdict="confirmed")
    assert rows(app) == []
    assert "No claim of this subject" in text_of(app)
    next(each for each in app.button if each.label == "Show all claims").click().run()
    assert len(rows(app)) == 25


def test_a_link_that_asks_for_what_there_is_not_is_refused_in_a_sentence():
    app = open_page(LEDGER, subject="cooking")
    (problem,) = problems(app)
    assert "subject = cooking" in problem
    assert len(rows(app)) == 25


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_thresholds_are_shown_on_demand(language):
    KEPT.put(LedgerParams(), "numpy", with_findings(*ALONE.values()))
    app = open_page(LEDGER, lang=language)
    t, mark = translator(language), ":material/gavel:"
    assert mark not in text_of(app)
    app.toggle(key=f"claims.rules@{language}").set_value(True).run()
    assert text_of(app).count(mark) == len(CLAIMS)
    assert problems(app) == []
    rule = re.sub(r"[$\\{}\s]", "", WORDS[16].decided_by(t))
    assert rule in _plain(app).replace(r"\text", "") or "W_Q" in rule


def test_the_legend_has_every_verdict_under_the_word_of_its_filter():
    found = with_findings(*ALONE.values())
    lines = inspector.legend(found, T)
    heads = [line for line in lines if line.startswith("**")]
    counted = Counter[str](group_of(found.finding(claim.number)) for claim in CLAIMS)
    assert heads == [f"**{T(word)} · {counted[group]}**" for group, word in GROUPS.items()]
    head = ""
    for line in lines:
        head = line if line.startswith("**") else head
        for verdict in VERDICT_WORDS.values():
            if f"[{verdict.icon} " in line:
                assert head.startswith(f"**{T(GROUPS[verdict.group])} ·")
    assert len(lines) == len(heads) + len(VERDICT_WORDS)


def test_a_tile_says_its_claim_and_leads_to_its_row_where_there_is_one():
    app = choose(open_page(LEDGER), "subject", "masks")
    strip = next(str(each.value) for each in app.markdown if "badge[:material/check: 2]" in
                 str(each.value))  # fmt: skip
    ways = dict(re.findall(r'\(#claim-(\d+) "([^"]*)"\)', strip))
    assert [*map(int, ways)] == rows(app) == [12, 13, 14, 15]
    assert ways["14"].startswith(T(WORDS[14].short))
    assert strip.count("-badge[") == len(CLAIMS)
    assert [place for place, _ in numbers_of(app)] == [f"claim-{number}" for number in ways]
    sections = [str(each.value) for each in (*app.markdown, *app.caption) if "§" in each.value]
    assert len(sections) == 5
    assert not any("§ " in each for each in sections), "no line ends after the sign"


# Links -------------------------------------------------------------------------------------


def ways_of(app: AppTest) -> dict[int, dict[str, str]]:
    """Return what the link of every claim names."""
    found = [each.proto for each in elements(app, "page_link") if "Deck" not in each.proto.label]
    named = [dict(parse_qsl(each.query_string, keep_blank_values=True)) for each in found]
    return dict(zip(WHERE, named, strict=True))


def follow(app: AppTest, claim: int) -> dict[str, str]:
    """Follow the link of a claim, and return what it names."""
    named = ways_of(app)[claim]
    app.query_params.clear()
    app.query_params.update(named)
    app.switch_page(PAGES[WHERE[claim][0]]).run()
    assert problems(app) == []
    return named


def test_every_claim_that_is_measured_has_a_link_to_its_view():
    app = open_page(LEDGER)
    found = [each.proto for each in elements(app, "page_link") if "Deck" not in each.proto.label]
    assert list(ways_of(app).values()) == [view for _, view in WHERE.values()]
    for proto, (page, view) in zip(found, WHERE.values(), strict=True):
        target = links.TARGETS[page]
        assert proto.label == T(target.tabs[target.tab(view)])


@pytest.mark.parametrize("claim", WHERE)
def test_an_address_is_as_its_page_writes_it(claim):
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    assert PAGES[page] == target.script
    assert target.tab(view) in target.tabs
    for name, text in view.items():
        choice, kind = target.names[name]
        value = kind.read(name, text)
        assert value is not None
        assert kind.write(value) == text
        assert value != target.store.defaults[choice], "what is usual is left out"
    assert set(target.needed(claim, view)) <= set(target.store.defaults)


def test_a_way_leads_to_the_usual_input_whatever_was_chosen_there():
    app = open_page(MASKS, source="random", seed=str(MOST_SEED), b="window", T="5", side="a")
    assert address_of(app)["source"] == "random"
    app.switch_page(LEDGER).run()
    named = follow(app, 15)
    assert app.title[0].value == "Masks"
    assert named == {name: text for name, text in address_of(app).items() if name != "lang"}, (
        "as it was named: the browser has no other address between this view and the ledger"
    )
    shown = {"source": "textbook", "b_pattern": "causal", "tab": "influence", "side": "b"}
    assert {name: app.session_state[f"masks.{name}"] for name in shown} == shown
    assert app.session_state["masks.seed"] == MOST_SEED, "what the claim does not need stays"


def test_a_way_leads_to_the_tab_though_another_was_left_open():
    app = open_page(EXAMPLE, tab="shapes")
    app.switch_page(LEDGER).run()
    assert ways_of(app)[6] == WHERE[6][1], "a link to a tab names it"
    app = open_page(MASKS, tab="padding")
    app.switch_page(LEDGER).run()
    assert follow(app, 14) == {"tab": "compare", "families": "on"}
    assert app.title[0].value == "Masks"
    assert (app.session_state["masks.tab"], app.session_state["masks.families"]) == (
        "compare",
        True,
    )


def test_an_order_of_the_readers_own_gives_way_to_the_usual_one():
    """It is an empty text, which a link must name as well."""
    app = open_page(PAGES["attention-properties"], permutation="2 1", sentence="a cat", moved="2")
    app.switch_page(LEDGER).run()
    named = follow(app, 9)
    assert named["permutation"] == ""
    assert named["moved"] == "2", "no number of the claim depends on it"
    assert address_of(app) == named
    assert app.session_state["properties.permutation"] == ""
    assert app.session_state["properties.moved"] == 2
    assert {each.label: each.value for each in app.metric}["With positions"] == "2.418"


# Files -------------------------------------------------------------------------------------


def test_the_ledger_can_be_saved_as_text_and_as_slides():
    app = open_page(LEDGER)
    labels = [each.label for each in elements(app, "download_button")]
    assert {"Markdown", "CSV"} <= set(labels)
    assert charts(app) == 0, "drawn once they are unfolded"
    app.session_state["claims.slides"] = True
    app.run()
    assert problems(app) == []
    assert charts(app) == len(NAMES)
