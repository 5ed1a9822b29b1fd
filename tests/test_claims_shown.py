"""The ledger's links: they lead where a page's own claims lead, to where the number stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from engine.experiments.claims import of_memory, of_worked_example
from engine.experiments.claims.every import CLAIMS
from engine.experiments.claims.results import Results
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


def change_all(target: links.Target) -> None:
    """Choose on a page something else everywhere."""
    for choice in target.store.defaults:
        target.store.put(choice, f"another {choice}")


def chosen_by_link(claim: int) -> dict[str, object]:
    """Return what is chosen once the ledger's link was followed."""
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    change_all(target)
    for name, text in target.query(claim, view).items():
        choice, kind = target.names[name]
        target.store.put(choice, kind.read(name, text))
    return {choice: target.store.get(choice) for choice in target.store.defaults}


@pytest.mark.parametrize("claim", ELSEWHERE)
@pytest.mark.usefixtures("session")
def test_the_ledger_and_the_page_of_a_claim_lead_to_the_same_view(claim):
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    place, claims = CHECKED[page]
    (own,) = (each for each in claims if each.claim == claim)
    change_all(target)
    place.show(own.tab, **own.choices)
    by_page = {choice: target.store.get(choice) for choice in target.store.defaults}
    by_link = chosen_by_link(claim)
    for choice in (*target.needed(claim, view), *target.named(view)):
        assert by_link[choice] == by_page[choice] != f"another {choice}", choice


@pytest.mark.parametrize("claim", ELSEWHERE)
@pytest.mark.usefixtures("session")
def test_a_link_names_what_the_reader_has_changed_and_leaves_the_rest(claim):
    page, view = WHERE[claim]
    target = links.TARGETS[page]
    assert target.query(claim, view) == view, "nothing is changed yet"
    after = chosen_by_link(claim)
    looked_at = {*target.needed(claim, view), *target.named(view)}
    for choice, value in after.items():
        assert (value == f"another {choice}") == (choice not in looked_at)


# The number of the column --------------------------------------------------------------------

# Numbers of the page that stand in the column as they are.
METRICS = {
    1: ("Measured exponent",),
    9: ("Difference", "With positions"),
    10: ("RNN", "self-attention"),
    16: ("Own weight, free", "Own weight, tied"),
    17: ("Output 1 moves",),
    23: ("Ratio, smallest size", "Ratio, largest size"),
    24: ("Messages against A V",),
    25: ("Row sums, by columns", "Outputs differ by"),
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
        for part in values[label].split(" | "):
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
        if claim.check and claim.number != 5:  # trains
            claim.check(results)
    ideas = {idea.params: idea for idea in IDEAS if isinstance(idea.run, Kept)}
    shared = set()
    for backend, params in results.asked:
        kind = type(params)
        if kind in ideas and params == kind():
            shared.add(kind)
            assert STORES[kind] is ideas[kind].run, kind
            assert backend == (ideas[kind].backend or "numpy")
    assert len(shared) == 11


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
        other = kind(T=7)
        keep(other, "nowhere", "found")
        assert kept(other, "nowhere") is None
