"""The page on pronouns and a real model through the frame, as a person would use it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session, constants
from streamlit.testing.v1 import AppTest

from engine.experiments.context.sentences import CHINESE as CHINESE_SENTENCE
from engine.experiments.context.sentences import PAIRS
from engine.models import loading
from pages.text import LANGUAGES
from pages.ui.context import state
from tests.conftest import require_backend
from tests.fake_hub import files_of, serving
from tests.model_folders import write_model
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    CONTEXT,
    address_of,
    assert_refused,
    charts,
    english_sentences,
    open_page,
    problems,
    text_of,
    untimed,
)

OWN = "The animal was too wide, it was tired."


@pytest.fixture(autouse=True)
def navigation_has_run() -> Iterator[None]:
    with after_the_first_visit():
        yield
    loading.forget()


@pytest.fixture(scope="module", name="bert")
def bert_folder(tmp_path_factory) -> str:
    return str(write_model(tmp_path_factory.mktemp("models") / "tiny-bert"))


@pytest.fixture(scope="module", name="gpt2")
def gpt2_folder(tmp_path_factory) -> str:
    return str(write_model(tmp_path_factory.mktemp("models") / "tiny-gpt2", "gpt2"))


def field(app: AppTest, name: str, kind: str = "text_input") -> Any:
    """Return the widget of a choice that is no word."""
    return getattr(app, kind)(key=f"context.{name}@field")


def type_in(app: AppTest, name: str, text: object, kind: str = "text_input") -> AppTest:
    """Type text into a field."""
    return field(app, name, kind).set_value(str(text)).run()


def choose(app: AppTest, name: str, value: str) -> AppTest:
    """Choose one of a few words."""
    return app.segmented_control(key=f"context.{name}@en").set_value(value).run()


def load(app: AppTest) -> AppTest:
    """Press the button that loads the model."""
    return app.button(key="context.load").click().run()


def metric(app: AppTest, label: str) -> str:
    """Return a measured number of the page."""
    return next(str(each.value) for each in app.metric if each.label == label)


def last(app: AppTest, work: str) -> Any:
    """Return the parameters whose result a tab shows."""
    return app.session_state["computed.last"][f"{state.PAGE}.{work}"]


WORK = {"one-layer": "one-layer", "two-layers": "two-layers", "heads": "study",
        "endings": "endings", "layers": "study", "cause": "cause"}  # fmt: skip


@pytest.mark.parametrize("backend", ["numpy", "mlx"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_runs_in_every_language_on_every_backend(language, backend):
    require_backend(backend)
    app = open_page(CONTEXT, lang=language, backend=backend)
    for tab in state.TABS:
        app.segmented_control(key=f"context.tab@{language}").set_value(tab).run()
        assert problems(app) == [], tab
        assert len(app.title) == 1
        assert charts(app) >= 1, tab
        assert len(app.metric) >= 2, tab
        if language == "zh":
            sentences = (PAIRS[0].first, PAIRS[0].second)
            said = [text for text in english_sentences(app) if text not in sentences]
            assert said == [], tab


# What each field may be set to, beside its usual value.
OTHER = {
    "single_d_model": 8,
    "single_d_k": 4,
    "single_heads": 12,
    "single_seed": 5,
    "strength": 2.5,
}


@pytest.mark.parametrize("tab", ["one-layer", "two-layers"])
def test_every_field_of_a_tab_changes_what_it_shows_and_stands_in_its_link(tab):
    app = open_page(CONTEXT, tab=tab)
    names = [str(each.key).removeprefix("context.").removesuffix("@field")
             for each in app.text_input]  # fmt: skip
    assert set(names) <= set(OTHER)
    assert names
    for name in names:
        before = last(app, WORK[tab])
        type_in(app, name, OTHER[name])
        assert problems(app) == [], name
        assert last(app, WORK[tab]) != before, name
    again = open_page(CONTEXT, **address_of(app))
    assert last(again, WORK[tab]) == last(app, WORK[tab])
    assert untimed(again) == untimed(app)


REFUSED = {
    ("one-layer", "single_d_model"): {"0": "1 to 256", "": '""', "1.5": "1.5", "x": "x"},
    ("one-layer", "single_heads"): {"65": "1 to 64", "1e9": "64"},
    ("one-layer", "single_seed"): {"-1": "0 to 999,999"},
    ("two-layers", "strength"): {"-1": "0 to 50", "51": "50", "": '""', "nan": "nan", "x": "x"},
}  # fmt: skip


@pytest.mark.parametrize("tab", list(dict.fromkeys(tab for tab, _ in REFUSED)))
def test_a_value_that_is_refused_gets_one_sentence_and_stays(tab):
    app = open_page(CONTEXT, tab=tab)
    for name in (name for each, name in REFUSED if each == tab):
        assert_refused(app, partial(field, app, name), REFUSED[tab, name])


def test_the_head_that_turns_is_found_and_a_button_leads_to_it():
    app = open_page(CONTEXT, tab="endings", layer="1", head="3")
    app.button(key="context.look.turned").click().run()
    assert [field(app, name, "selectbox").value for name in ("layer", "head")] == [5, 1]
    first, second = (
        [float(part) for part in str(each.value).split(" | ")] for each in app.metric[:2]
    )
    assert first[0] > first[1]
    assert second[0] < second[1]
    app.button(key="context.look.moved").click().run()
    assert problems(app) == []
    assert [field(app, name, "selectbox").value for name in ("layer", "head")] == [4, 2]
    assert address_of(app)["layer"] == "4"


def test_unknown_pieces_of_a_chinese_sentence_are_named():
    app = open_page(CONTEXT, tab="heads", pair="chinese")
    (said,) = [str(each.value) for each in app.warning]
    assert "9 of 15 pieces" in said
    assert "“箱”" in said
    assert open_page(CONTEXT, tab="heads").warning.len == 0


def test_own_text_without_a_model_says_what_to_do_and_keeps_the_view():
    app = open_page(CONTEXT, tab="heads")
    figures = charts(app)
    choose(app, "source", "own")
    assert len(problems(app)) == 1
    assert "Load" in problems(app)[0]
    assert charts(app) == figures
    type_in(app, "first", OWN, "text_area")
    for folder in ("", "/no/such/folder", "relative/folder", "~nobody/x", "\x00", "x" * 5_000):
        type_in(app, "folder", folder)
        load(app)
        assert len(problems(app)) == 1, folder
        assert "needs a model" not in problems(app)[0], "it says what is wrong"
        assert "Traceback" not in text_of(app)
        assert charts(app) == figures
    assert field(app, "first", "text_area").value == OWN


@pytest.mark.parametrize("family", ["bert", "gpt2"])
def test_a_model_from_a_folder_runs_through_every_tab_and_its_link_asks_for_the_button(
    family, request
):
    folder = request.getfixturevalue(family)
    app = open_page(CONTEXT, tab="heads", source="own", folder=folder, first=OWN,
                    second=OWN.replace("tired", "big"))  # fmt: skip
    assert len(problems(app)) == 1, "a link loads nothing"
    load(app)
    assert problems(app) == []
    assert f"tiny-{family}" in text_of(app)
    for tab in state.OF_A_MODEL:
        choose(app, "tab", tab)
        assert problems(app) == [], tab
        assert charts(app) >= 1
        assert last(app, WORK[tab]).model == folder, tab
    again = open_page(CONTEXT, **address_of(app))
    assert problems(again) == [], "what is loaded is there for every tab of the browser"
    assert last(again, "cause") == last(app, "cause")
    type_in(app, "first", "it " * 100, "text_area")
    assert len(problems(app)) == 1
    assert "64" in problems(app)[0]


def test_layers_and_heads_of_a_smaller_model_are_cut_to_what_it_has(bert):
    app = open_page(
        CONTEXT, tab="heads", source="own", folder=bert, first=OWN, layer="6", head="12"
    )
    load(app)
    assert problems(app) == []
    assert field(app, "layer", "selectbox").value == 3
    assert field(app, "head", "selectbox").value == 4


def test_a_special_token_that_is_hidden_gives_way(bert):
    app = open_page(CONTEXT, tab="heads", query="1", specials="hidden")
    assert problems(app) == []
    assert len(app.info) == 1
    assert "special token" in str(app.info[0].value)
    for tab in state.OF_A_MODEL:
        choose(app, "tab", tab)
        assert len(problems(app)) <= 1, tab
        assert charts(app) >= 1, tab
    app = open_page(CONTEXT, tab="layers", source="own", folder=bert, first="\u200b")
    load(app)
    assert charts(app) >= 1


def test_a_model_is_fetched_from_the_hub_when_the_reader_asks_for_it(bert, tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with serving({"some/model": files_of(Path(bert))}) as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.address)
        template = hub.address + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        app = open_page(CONTEXT, tab="heads", source="own", place="hub", first=OWN,
                        repository="some/other")  # fmt: skip
        assert hub.asked == [], "a link asks nobody"
        for name in ("some/other", "no name", "../up", "https://some/model", ""):
            type_in(app, "repository", name)
            load(app)
            assert len(problems(app)) == 1, name
            assert charts(app) >= 1
        type_in(app, "repository", "some/model")
        load(app)
        assert problems(app) == []
        assert last(app, "study").model == "hub:some/model"
        assert "3 layers of 4 heads" in text_of(app)
        asked = len(hub.asked)
        loading.forget()
        load(app)
        assert problems(app) == []
        assert len(hub.asked) == asked, "what is here is not fetched again"
    close_session()


def test_a_link_that_asks_for_what_is_not_there_says_so():
    app = open_page(CONTEXT, tab="heads", query="many", specials="maybe", pair="nobody")
    assert len(problems(app)) == 3
    assert charts(app) >= 1
    assert "Traceback" not in text_of(app)


def test_a_text_of_special_words_is_shown_as_it_stands(bert):
    app = open_page(
        CONTEXT, tab="heads", source="own", folder=bert, first="**a** $x$ <b>it</b> :sun:"
    )
    load(app)
    assert problems(app) == []
    assert charts(app) >= 1


@pytest.mark.parametrize("count", [100, 300])
def test_a_long_text_is_shown_in_every_tab(tmp_path, count):
    folder = write_model(tmp_path / "long", max_position_embeddings=512)
    start = {"source": "own", "folder": str(folder), "first": "it was the man " * (count // 4)}
    app = open_page(CONTEXT, tab="heads", second=start["first"] + " wide", **start)
    load(app)
    for tab in ("heads", "layers", "endings"):
        choose(app, "tab", tab)
        assert problems(app) == [], tab
        assert charts(app) >= 3, tab
    choose(app, "tab", "cause")
    assert ["256 tokens" in said for said in problems(app)] == [True] * (count > 256)


def test_the_recorded_sentence_without_a_pair_is_shown_where_one_text_is():
    app = open_page(CONTEXT, tab="heads", pair=state.UNPAIRED)
    assert last(app, "study").text == CHINESE_SENTENCE
    assert problems(app) == []
    choose(app, "tab", "endings")
    assert problems(app) == []
    assert last(app, "endings").first == PAIRS[0].first
    choose(app, "tab", "cause")
    assert last(app, "cause").text == CHINESE_SENTENCE
