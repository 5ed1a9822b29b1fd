"""The ledger's links: they lead where a page's own claims lead, to where the number stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.experiments.claims import of_memory, of_worked_example
from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.results import Results
from engine.experiments.context.endings import EndingsParams
from engine.experiments.context.knock import KnockParams
from engine.experiments.context.sentences import PAIRS
from engine.experiments.context.single_layer import SingleLayerParams
from engine.experiments.context.study import StudyParams
from engine.experiments.lookup import cost
from engine.experiments.lookup.cost import CostParams
from engine.experiments.masks.mistakes import MistakesParams, dtypes_of, make_mistakes
from engine.experiments.memory.chunked import Chunked
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from pages.gallery import claim_results
from pages.gallery.claim_results import STORES, finding_of, keep, kept
from pages.gallery.ideas import IDEAS
from pages.gallery.kept_results import Kept
from pages.gallery.lookup_cost import COST
from pages.gallery.memory_measured import CHUNKED, MEASURED
from pages.text import translator
from pages.text.claims.every import WHERE, WORDS
from pages.text.mask_words import variant_title
from pages.ui import choice_store
from pages.ui.claims import links
from pages.ui.context import checked as context
from pages.ui.lookup import checked as lookup
from pages.ui.masks import checked as masks
from pages.ui.memory import checked as memory
from pages.ui.properties import checked as properties
from pages.ui.scaling import checked as scaling
from tests.memory_machines import point, result
from tests.navigation import after_the_first_visit
from tests.open_pages import PAGES, elements, open_page, problems
from tests.test_claims_lookup import timed

T = translator("en")
# Page -> what shows its claims, and its claims.
CHECKED = {
    "soft-lookup": (lookup.PLACE, lookup.CLAIMS),
    "attention-masks": (masks.PLACE, masks.claims_of("numpy")),
    "memory-scaling": (memory.PLACE, memory.CLAIMS),
    "attention-properties": (properties.PLACE, properties.CLAIMS),
    "sqrt-dk": (scaling.PLACE, scaling.CLAIMS),
    "who-is-it": (context.PLACE, context.CLAIMS),
}
PRINTED = [claim.number for claim in of_worked_example.CLAIMS]  # a tab of their own shows these
ELSEWHERE = [number for number in WHERE if number not in PRINTED]


# Both ways -----------------------------------------------------------------------------------


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return what a reader chose, outside a page."""
    chosen: dict[str, Any] = {}
    monkeypatch.setattr(choice_store, "st", SimpleNamespace(session_state=chosen))
    return chosen


def looked_at(claim: int) -> tuple[str, ...]:
    """Return the choices that the view of a claim rests on."""
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    return (*target.needed(claim, view), *target.named(view))


def change(claim: int) -> choice_store.ChoiceStore:
    """Choose something else for whatever a claim rests on; return the choices of its page."""
    store = links.TARGETS[WHERE[claim][0]].store
    for choice in looked_at(claim):
        store.put(choice, f"another {choice}")
    return store


@pytest.mark.parametrize("claim", ELSEWHERE)
@pytest.mark.usefixtures("session")
def test_the_ledger_and_the_page_of_a_claim_lead_to_the_same_view(claim):
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    place, claims = CHECKED[page]
    (own,) = (each for each in claims if each.claim == claim)
    store = change(claim)
    place.show(own.tab, **own.choices)
    by_page = {choice: store.get(choice) for choice in looked_at(claim)}
    change(claim)
    for name, text in target.query(claim, view).items():
        choice, kind = target.names[name]
        store.put(choice, kind.read(name, text))
    by_link = {choice: store.get(choice) for choice in looked_at(claim)}
    assert by_link == by_page
    assert not any(str(value).startswith("another ") for value in by_link.values())


@pytest.mark.parametrize("claim", WHERE)
@pytest.mark.usefixtures("session")
def test_a_link_is_short_where_the_reader_has_changed_nothing(claim):
    page, view = WHERE[claim]
    assert links.TARGETS[page].query(claim, view) == view


# The number of the column --------------------------------------------------------------------

# Numbers of the page that stand in the column as they are, by the beginning of their titles.
METRICS = {
    1: ("Measured exponent",),
    9: ("Difference", "With positions"),
    10: ("RNN", "self-attention"),
    16: ("Own weight, free", "Own weight, tied"),
    17: ("Output 1 moves",),
    19: ("animal",),
    20: ("Distance, first layer", "Distance, last layer"),
    21: ("Rank correlation",),
    23: ("Ratio, smallest", "Ratio, largest"),
    24: ("Messages against A V",),
    25: ("Row sums", "Outputs differ by"),
}
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e-\d+)?")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")


def plain(text: str) -> str:
    """Return a text with its numbers as a program writes them."""
    text = text.replace("\N{NO-BREAK SPACE}", " ")
    text = re.sub(r" × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"e\1", text)
    return re.sub(r"[{}\\⁠]", "", text.translate(_RAISED))


def strings_of(spec: Any) -> Iterator[str]:
    """Return every text in a figure."""
    if isinstance(spec, dict | list):
        for each in spec.values() if isinstance(spec, dict) else spec:
            yield from strings_of(each)
    elif isinstance(spec, str):
        yield spec


def shown_on(app: Any) -> list[str]:
    """Return what a page shows, but the sentences on the claims themselves."""
    said = [str(each.value) for kind in ("markdown", "caption") for each in elements(app, kind)]
    texts = [text for text in said if not text.startswith(("**“", "<style"))]
    texts += [f"{each.value} {each.delta}" for each in app.metric]
    for chart in elements(app, "vega_lite_chart"):
        texts += strings_of(json.loads(chart.proto.spec))
    return [plain(text) for text in texts]


def measured_before() -> MeasuredResult:
    """Return a usual measurement, as another session made it."""
    points = [
        point(way, T, seconds=seconds * T**2, peak=round(bytes_ * T**power))
        for T in MeasuredParams().Ts
        for way, seconds, bytes_, power in (
            ("materialised", 1e-9, 96.1, 2),
            ("attend", 5e-10, 3510, 1),
        )
    ]
    return result(points)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep measurements that take no time: what a machine takes is none of these tests."""
    run = measured_before()
    whole, other = (run.of(way)[-1] for way in ("materialised", "attend"))
    chunks = Chunked(whole.T, 8, 64, "blocked", 1e-6, 1.0, whole.peak_bytes, other.peak_bytes)
    monkeypatch.setattr(
        cost, "_point", timed(lambda T, _d, way: (30 if way == "additive" else 1) * T**1.1)
    )
    stores: dict[Kept[Any, Any], tuple[Any, Any]]
    stores = {MEASURED: (MeasuredParams(), run), CHUNKED: (of_memory.CHUNKS, chunks),
              COST: (CostParams(), cost.run(CostParams(), backend="numpy"))}  # fmt: skip
    before = {store: store.peek(params, "numpy") for store, (params, _) in stores.items()}
    for store, (params, found) in stores.items():
        store.put(params, "numpy", found)
    with after_the_first_visit():
        yield
    for store, (params, _) in stores.items():
        store.clear()
        if before[store] is not None:
            store.put(params, "numpy", before[store])


@pytest.mark.parametrize("claim", WHERE)
@pytest.mark.usefixtures("measured")
def test_the_number_of_a_claim_stands_on_the_page_that_its_link_leads_to(claim):
    page, view = WHERE[claim]
    column = plain(WORDS[claim].number_of(finding_of(claim, "numpy"), T))
    app = open_page(PAGES[page], backend="numpy", **view)
    assert problems(app) == []
    texts = shown_on(app)
    if claim == 12:
        title = plain(variant_title("minus-infinity", T))
        right = [text for text in texts if re.fullmatch(rf"{re.escape(title)} · \w+ · right", text)]
        assert column == f"right in {len(right)} of {len(dtypes_of('numpy'))} formats"
        return
    numbers = {each for text in texts for each in NUMBER.findall(text)}
    assert set(NUMBER.findall(column)) <= numbers
    values = {str(each.label): plain(str(each.value)) for each in app.metric}
    for label in METRICS.get(claim, ()):
        (value,) = (value for title, value in values.items() if title.startswith(label))
        for part in value.split(" | "):
            assert re.search(rf"(?<![\d.]){re.escape(part)}(?![\d.])", column), (label, part)


def test_what_is_masked_too_late_leads_to_the_widest_format():
    exact = make_mistakes(MistakesParams(), backend="numpy").variant("renormalise").outcomes
    assert WHERE[13][1]["dtype"] == dtypes_of("numpy")[-1] == [*exact][-1]


# Shared results ------------------------------------------------------------------------------


class Asked(Results):
    """Remembers what checks ask for."""

    def __init__(self) -> None:
        super().__init__("numpy", kept)
        self.asked: list[tuple[str, Any]] = []

    def of(self, params: Any, run: Any, *, backend: str | None = None) -> Any:
        self.asked.append((backend or self.backend, params))
        return super().of(params, run, backend=backend)


@pytest.mark.usefixtures("measured")
def test_what_an_idea_of_a_deck_computes_is_where_the_claims_look_for_it():
    """Masks keep nothing there, and their input is that of two experiments."""
    results = Asked()
    for claim in CLAIMS:
        if claim.number != 5:  # trains
            claim.check(results)
    ideas = {idea.params: idea for idea in IDEAS if isinstance(idea.run, Kept)}
    shared = set()
    for backend, params in results.asked:
        kind = type(params)
        if kind in ideas and params == kind():
            shared.add(kind)
            assert STORES[kind] is ideas[kind].run, kind
            assert backend == (ideas[kind].backend or "numpy")
    assert len(shared) == 15


# Of parameters without a length T, another one.
UNUSUAL: dict[type, dict[str, Any]] = {
    SingleLayerParams: {"seed": 7},
    StudyParams: {"text": PAIRS[0].second},
    EndingsParams: {"query": 7},
    KnockParams: {"query": 7},
}


def test_no_type_of_parameters_stands_for_two_experiments():
    kinds = [idea.params for idea in IDEAS]
    for kind, store in STORES.items():
        assert kinds.count(kind) <= 1
        assert all(idea.run is store for idea in IDEAS if idea.params is kind)


def test_only_the_usual_of_what_takes_no_time_is_kept():
    for kind, store in STORES.items():
        before = store.peek(kind(), "nowhere")
        keep(kind(), "nowhere", "found")
        assert (before, kept(kind(), "nowhere")) == (None, "found")
        store._kept.pop((kind(), "nowhere"))
    quick = [kind for kind in STORES if kind not in claim_results.SLOW]
    for kind in quick:
        other = replace(kind(), **UNUSUAL.get(kind, {"T": 7}))
        keep(other, "nowhere", "found")
        assert kept(other, "nowhere") is None
