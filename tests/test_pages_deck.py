"""Saving figures from a page: the options, the deck, and the page of the deck."""

from __future__ import annotations

import base64
import html
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from engine.experiments.worked_example import Params, run
from pages.export import MOST_SLIDES, Slide, deck_bytes, to_bytes
from pages.export.limits import LONGEST_TITLE
from pages.figures.figure import Style
from pages.figures.worked_example import step_figure
from pages.gallery import ENTRIES, prepare, speaker_notes
from pages.gallery.worked_example import ROW_BARS, ROW_CURVE
from pages.text import LANGUAGES, translator
from pages.ui.saving import downloads, picture, tray
from tests.navigation import after_the_first_visit
from tests.open_pages import (
    DECK,
    EXAMPLE,
    PAGES,
    elements,
    english_sentences,
    open_page,
    problems,
    words,
)

SMALL = 30_000  # characters of a thumbnail as text
HOSTILE = "**bold** $x^2$ <b onclick='alert(1)'>:red[no]</b> [a](http://b) `code`"


@pytest.fixture(autouse=True)
def navigation_has_run():
    with after_the_first_visit():
        yield


def slides_of(app: AppTest) -> list[Slide]:
    """Return the slides of the deck."""
    return [each.slide for each in app.session_state[tray._KEPT]] if has_deck(app) else []


def has_deck(app: AppTest) -> bool:
    return tray._KEPT in app.session_state


def titles(app: AppTest) -> list[str]:
    return [slide.title for slide in slides_of(app)]


def some_slides(count: int, **style: object) -> tuple[Slide, ...]:
    """Return slides called "Figure 1", "Figure 2" and so on."""
    drawn = Style(**{"size": "slide", **style})  # type: ignore[arg-type]
    (exhibit,) = prepare(["worked-example-scores"], backend="numpy")
    figure = exhibit.draw(drawn)
    slide = Slide(figure, drawn, speaker_notes(exhibit, figure, drawn))
    return tuple(slide.renamed(f"Figure {number}") for number in range(1, count + 1))


def upload(app: AppTest, content: bytes) -> AppTest:
    """Give a file to the page that opens a deck."""
    return app.file_uploader[0].set_value(("deck.json", content, "application/json")).run()


def deck_of(count: int, lang: str = "en") -> AppTest:
    """Return the deck page with a number of slides in it."""
    app = open_page(DECK, lang=lang)
    if count:
        upload(app, deck_bytes(some_slides(count), "json"))
    return app


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [each for each in app.button if each.label == label]
    return button.click().run()


def pictures(app: AppTest) -> list[str]:
    """Return what the cards of the deck show, one a slide."""
    return [each.value for each in elements(app, "html") if "deck-thumb" in each.value[:40]]


def link_to_the_deck(app: AppTest) -> str:
    (label,) = [
        each.label for each in elements(app, "page_link") if "slide-deck" in str(each.proto)
    ]
    return str(label)


def toasts(app: AppTest) -> list[str]:
    return [str(toast.value) for toast in elements(app, "toast")]


# The bar under a figure ----------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_is_kept_as_it_was(language):
    app = open_page(EXAMPLE, lang=language)
    app.button(key="add.steps.score").click().run()
    app.toggle(key="example.scaled").set_value(False).run()
    app.session_state["example.row"] = 2
    app.run()
    app.switch_page(DECK).run()
    assert problems(app) == []
    (slide,) = slides_of(app)
    style = Style(language=language, size="slide")
    expected = step_figure(run(Params(), backend="numpy"), "score", style, selected=(0, 0))
    assert slide.figure == expected
    assert slide.style == style
    assert "worked-example-scores" in slide.notes


def test_the_toast_and_every_page_count_the_slides():
    app = open_page(EXAMPLE)
    assert link_to_the_deck(app) == "Deck · empty"
    app.button(key="add.steps.score").click().run()
    assert "as slide 1" in toasts(app)[0]
    assert link_to_the_deck(app) == "Deck · 1 slide"
    app.session_state["example.step"] = "softmax"
    app.run()
    app.button(key="add.steps.softmax").click().run()
    assert "as slide 2" in toasts(app)[0]
    for page in PAGES.values():
        assert link_to_the_deck(app.switch_page(page).run()) == "Deck · 2 slides"


def test_a_double_click_adds_a_figure_once_and_another_style_is_another_slide():
    app = open_page(EXAMPLE)
    for _ in range(2):
        app.button(key="add.steps.score").click().run()
    assert len(slides_of(app)) == 1
    assert "Already in the deck as slide 1" in toasts(app)[0]
    app.session_state["export.theme"] = "dark"
    app.run()
    app.button(key="add.steps.score").click().run()
    assert [slide.style.theme for slide in slides_of(app)] == ["light", "dark"]


def test_the_same_drawing_with_other_notes_is_another_slide():
    app = open_page(EXAMPLE)
    app.button(key="add.steps.score").click().run()
    (kept,) = app.session_state[tray._KEPT]
    other = replace(kept.slide, notes="Other notes.")
    app.session_state[tray._KEPT] = (replace(kept, slide=other),)
    app.button(key="add.steps.score").click().run()
    assert slides_of(app) == [other, kept.slide]


def test_the_options_hold_on_every_page_and_in_every_language():
    app = open_page(EXAMPLE)
    for name, value in (("size", "half"), ("theme", "dark"), ("language", "zh")):
        app.button(key="options.steps.score").click().run()
        app.segmented_control(key=f"export.{name}@en").set_value(value).run()
    app.button(key="options.steps.score").click().run()
    app.toggle(key="export.transparent@en").set_value(True).run()
    app.button(key="options.steps.score").click().run()
    app.selectbox(key="export.decimals@en").set_value(1).run()
    said = "Half slide 640 × 720 · dark · transparent · 中文"
    assert app.button(key="options.steps.score").label == said
    app.switch_page(PAGES["overview"]).run()
    assert app.button(key="options.overview.steps").label == said
    app.segmented_control(key="lang").set_value("zh").run()
    app.segmented_control(key="lang").set_value("en").run()
    assert app.button(key="options.overview.steps").label == said
    app.button(key="add.overview.steps").click().run()
    expected = Style("dark", "zh", "half", decimals=1, transparent=True)
    assert slides_of(app)[0].style == expected


def test_the_decimals_and_the_language_of_the_page_are_the_usual_ones():
    app = open_page(EXAMPLE, lang="zh", decimals="5")
    app.button(key="add.steps.score").click().run()
    assert slides_of(app)[0].style == Style(language="zh", size="slide", decimals=5)


def test_the_preview_shows_the_file_and_names_it():
    app = open_page(EXAMPLE)
    app.session_state["export.size"] = "square"
    app.run()
    app.button(key="options.steps.score").click().run()
    assert problems(app) == []
    assert any("data:image/svg+xml" in each.value for each in elements(app, "html"))
    assert any(
        "worked\\-example\\-scores\\-T4\\-row1\\-column1\\-square" in text for text in words(app)
    )


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("worked-example-scores", "slide", []),
        ("worked-example-scores", "half", ["the right"]),
        ("worked-example-scores", "square", ["the right"]),
        (ROW_BARS, "slide", ["the chart"]),
        (ROW_CURVE, "half", ["the chart", "the right"]),
    ],
)
def test_what_powerpoint_shows_otherwise_is_said(name, size, said):
    (exhibit,) = prepare([name], backend="numpy")
    style = Style(size=size)
    sentence = downloads.in_powerpoint(exhibit.draw(style), style, translator("en"))
    assert "title and caption" in sentence
    assert [words for words in ("the chart", "the right") if words in sentence] == said


def test_the_preview_and_the_button_say_what_powerpoint_shows_otherwise():
    app = open_page(EXAMPLE)
    app.button(key="options.steps.score").click().run()
    said = "In PowerPoint: title and caption are text."
    assert said in words(app)
    (button,) = [e for e in elements(app, "download_button") if e.key == "save.preview.pptx"]
    assert said in button.help


# The page of the deck ------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_page_shows_every_slide_in_order(count, language):
    app = deck_of(count, language)
    assert problems(app) == []
    assert len(app.title) == 1
    shown = pictures(app)
    assert len(shown) == count
    for number, card in enumerate(shown, start=1):
        assert f"<b>{number}</b><span>Figure {number}</span>" in card
        assert "data:image/webp" in card
    usable = [e.label for e in elements(app, "download_button") if not e.proto.disabled]
    assert bool(usable) == bool(count)


@pytest.mark.parametrize("size", ["slide", "half", "square"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("transparent", [False, True])
def test_a_card_shows_a_small_copy_of_the_slide(size, theme, transparent):
    (slide,) = some_slides(1, size=size, theme=theme, transparent=transparent)
    address = picture.thumbnail(slide.figure, picture.fingerprint(slide.figure))
    assert len(address) < SMALL
    shown = Image.open(io.BytesIO(base64.b64decode(address.partition("base64,")[2])))
    drawn = Image.open(io.BytesIO(to_bytes(slide.figure, "png"))).resize(shown.size)
    assert max(shown.width / 416, shown.height / 234) == pytest.approx(1, abs=0.01)
    difference = np.abs(pixels(shown) - pixels(drawn))
    assert difference.mean() < 5, "of 255, from the edges of letters"


def pixels(image: Image.Image) -> np.ndarray:
    image = image.convert("RGBA")
    return np.asarray(Image.alpha_composite(Image.new("RGBA", image.size, "grey"), image), float)


def test_a_chinese_deck_shows_no_english_sentence():
    app = deck_of(0, "zh")
    assert english_sentences(app) == []
    upload(app, deck_bytes(some_slides(1, language="zh"), "json"))
    assert english_sentences(app) == []


def test_a_full_deck_has_pages_and_takes_no_more():
    app = deck_of(MOST_SLIDES)
    assert problems(app) == []
    assert len(slides_of(app)) == MOST_SLIDES
    assert 1 < len(pictures(app)) < MOST_SLIDES
    press(app, "To the end")
    assert f"<b>{MOST_SLIDES}</b><span>Figure 1</span>" in pictures(app)[-1]
    press(app, "Undo")
    pages = elements(app, "pagination")[0]
    pages.set_value(2).run()
    first = len(pictures(app)) + 1
    assert f"<b>{first}</b><span>Figure {first}</span>" in pictures(app)[0]
    assert title_field(app).value == f"Figure {first}"
    for label in ("Duplicate", "Add every figure"):
        press(app, label)
        assert len(problems(app)) == 1
        assert str(MOST_SLIDES) in problems(app)[0]
        assert len(slides_of(app)) == MOST_SLIDES
    app.switch_page(EXAMPLE).run()
    app.button(key="add.steps.score").click().run()
    assert len(problems(app)) == 1
    assert len(slides_of(app)) == MOST_SLIDES


def test_slides_move_up_and_down_and_to_both_ends():
    app = deck_of(3)
    press(app, "Down")
    assert titles(app) == ["Figure 2", "Figure 1", "Figure 3"]
    press(app, "Down")
    assert titles(app) == ["Figure 2", "Figure 3", "Figure 1"]
    press(app, "Up")
    assert titles(app) == ["Figure 2", "Figure 1", "Figure 3"]
    press(app, "To the start")
    assert titles(app) == ["Figure 1", "Figure 2", "Figure 3"]
    press(app, "To the end")
    assert titles(app) == ["Figure 2", "Figure 3", "Figure 1"]
    for _ in range(5):
        press(app, "Undo")
    assert titles(app) == ["Figure 1", "Figure 2", "Figure 3"]


def title_field(app: AppTest):
    (field,) = [field for field in app.text_input if str(field.key).startswith("deck.title.")]
    return field


def test_a_title_is_changed_in_the_drawing_too_and_back():
    app = deck_of(2)
    before = slides_of(app)[0]
    title_field(app).set_value("  What a query\tasks ").run()
    assert problems(app) == []
    assert titles(app) == ["What a query asks", "Figure 2"]
    assert slides_of(app)[0] == before.renamed("What a query asks")
    assert "What a query asks" in json.dumps(slides_of(app)[0].figure.spec)
    press(app, "Undo")
    assert slides_of(app)[0] == before
    assert title_field(app).value == "Figure 1"


@pytest.mark.parametrize("title", ["", "   ", "\u200b", "x" * (LONGEST_TITLE + 1)])
def test_a_title_that_is_none_is_refused_and_the_one_before_stays(title):
    app = deck_of(1)
    title_field(app).set_value(title).run()
    assert len(problems(app)) == 1
    assert titles(app) == ["Figure 1"]
    title_field(app).set_value("Better").run()
    assert problems(app) == []
    assert titles(app) == ["Better"]


def test_a_title_is_shown_as_it_is_typed():
    app = deck_of(1)
    title_field(app).set_value(HOSTILE).run()
    assert titles(app) == [HOSTILE]
    assert html.escape(HOSTILE) in pictures(app)[0]
    assert HOSTILE not in pictures(app)[0]
    assert not [text for text in words(app) if HOSTILE in text]


def test_a_removed_slide_comes_back(clock):
    app = deck_of(3)
    press(app, "Next ›")
    press(app, "Remove")
    assert titles(app) == ["Figure 1", "Figure 3"]
    assert title_field(app).value == "Figure 3"
    clock.wait()
    press(app, "Remove")
    assert title_field(app).value == "Figure 1"
    clock.wait()
    press(app, "Remove")
    assert titles(app) == []
    assert problems(app) == []
    for _ in range(3):
        press(app, "Undo")
    assert titles(app) == ["Figure 1", "Figure 2", "Figure 3"]
    press(app, "Remove all")
    assert titles(app) == []
    press(app, "Undo")
    assert titles(app) == ["Figure 1", "Figure 2", "Figure 3"]


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float = 60.0) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(tray, "monotonic", clock)
    return clock


def test_a_slow_double_click_removes_one_slide_and_undo_restores_it(clock):
    app = deck_of(3)
    press(app, "Remove")
    clock.wait(0.5)
    press(app, "Remove")
    assert titles(app) == ["Figure 2", "Figure 3"]
    press(app, "Undo")
    assert titles(app) == ["Figure 1", "Figure 2", "Figure 3"]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("label", ["Next ›", "Undo"])
def test_another_action_in_between_makes_a_second_removal_a_new_one(label):
    app = deck_of(3)
    press(app, "Remove")
    press(app, label)
    before = titles(app)
    press(app, "Remove")
    assert len(titles(app)) == len(before) - 1


def test_removing_while_a_title_is_typed_removes():
    app = deck_of(2)
    title_field(app).set_value("Half a ti")
    press(app, "Remove")
    assert problems(app) == []
    assert titles(app) == ["Figure 2"]


def test_a_duplicate_stands_behind_its_original():
    app = deck_of(2)
    press(app, "Duplicate")
    assert titles(app) == ["Figure 1", "Figure 1", "Figure 2"]
    title_field(app).set_value("Once more").run()
    assert titles(app) == ["Figure 1", "Once more", "Figure 2"]


def test_every_figure_is_added_once_in_the_order_of_a_lecture():
    app = open_page(DECK)
    app.button(key="deck.every.empty").click().run()
    assert problems(app) == []
    expected = [exhibit.draw(Style(size="slide")) for exhibit in prepare(backend="numpy")]
    assert len(expected) == len(ENTRIES)
    assert [slide.figure for slide in slides_of(app)] == expected
    # Every rerun copies the pictures of the cards: as drawings those of a lecture are megabytes.
    cards = pictures(app)
    assert len(cards) > 20
    assert max(map(len, cards)) < SMALL
    press(app, "Add every figure")
    assert len(slides_of(app)) == len(expected)


def asks_before_leaving(app: AppTest) -> bool:
    """Say whether the browser is told to ask before the tab is closed."""
    (script,) = [e.value for e in elements(app, "html") if "beforeunload" in e.value]
    return "addEventListener" in script


def test_the_browser_asks_before_a_deck_is_lost_on_every_page():
    app = open_page(EXAMPLE)
    assert not asks_before_leaving(app)
    app.button(key="add.steps.score").click().run()
    for page in PAGES.values():
        assert asks_before_leaving(app.switch_page(page).run())
    press(app, "Remove all")
    assert not asks_before_leaving(app)
    press(app, "Undo")
    assert asks_before_leaving(app)


def test_the_deck_survives_pages_and_languages_and_no_other_session_sees_it():
    app = deck_of(3)
    before = slides_of(app)
    app.switch_page(EXAMPLE).run()
    app.segmented_control(key="lang").set_value("zh").run()
    app.switch_page(DECK).run()
    assert problems(app) == []
    assert slides_of(app) == before
    assert "Figure 3" in pictures(app)[2]
    assert slides_of(open_page(DECK)) == []


def test_a_missing_font_is_said_and_what_needs_none_can_be_saved(monkeypatch):
    monkeypatch.setattr("pages.export.fonts.missing_font", lambda _language: "Some Font")
    monkeypatch.setattr("pages.export.convert.missing_font", lambda _language: "Some Font")
    app = open_page(DECK)
    upload(app, deck_bytes(some_slides(1, language="zh"), "json"))
    assert sum("Some Font" in text for text in words(app)) == 2, "of the deck and of its slide"
    blocked = {e.key: e.proto.disabled for e in elements(app, "download_button")}
    assert {name.rpartition(".")[2] for name, state in blocked.items() if not state} == {
        "json",
        "svg",
        "csv",
    }
    app.switch_page(EXAMPLE).run()
    app.session_state["export.language"] = "zh"
    app.run()
    assert any("Some Font" in text for text in words(app)), "an English page, a Chinese file"


def test_a_deck_that_is_too_large_to_be_read_again_says_so_before_it_is_saved(monkeypatch):
    app = deck_of(2)
    one = len(deck_bytes(some_slides(1), "json"))
    monkeypatch.setattr(tray, "LARGEST_FILE", one * 5 // 2)
    app.run()
    said = "A saved deck has at most"
    assert not [text for text in words(app) if said in text]
    press(app, "Duplicate")
    assert len([text for text in words(app) if said in text]) == 1
    blocked = {e.key for e in elements(app, "download_button") if e.proto.disabled}
    assert blocked == {"deck.save.json"}
    press(app, "Undo")
    assert not [text for text in words(app) if said in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_could_not_be_made_is_said_in_the_language_of_the_page(language):
    (style,) = [
        e.value
        for e in elements(open_page(EXAMPLE, lang=language), "html")
        if "stDownloadButtonError" in e.value
    ]
    assert json.dumps(translator(language)(downloads.FAILED), ensure_ascii=False) in style


# Opening a deck ------------------------------------------------------------------------------


def test_a_saved_deck_is_the_same_when_it_is_opened():
    slides = some_slides(2, theme="dark", transparent=True)
    app = open_page(DECK)
    upload(app, deck_bytes(slides, "json"))
    assert problems(app) == []
    assert slides_of(app) == list(slides)
    assert deck_bytes(tuple(slides_of(app)), "json") == deck_bytes(slides, "json")


def test_an_opened_deck_replaces_or_follows_the_present_one():
    app = deck_of(2)
    more = tuple(replace(slide).renamed("New") for slide in some_slides(1))
    app.segmented_control(key="deck.opening@en").set_value("add").run()
    upload(app, deck_bytes(more, "json"))
    assert titles(app) == ["Figure 1", "Figure 2", "New"]
    app.segmented_control(key="deck.opening@en").set_value("replace").run()
    upload(app, deck_bytes(more, "json"))
    assert titles(app) == ["New"]
    press(app, "Undo")
    assert titles(app) == ["Figure 1", "Figure 2", "New"]


def changed(**members: object) -> bytes:
    """Return a saved deck with other members."""
    return json.dumps({**json.loads(deck_bytes(some_slides(1), "json")), **members}).encode()


BAD_FILES = {
    "nothing": b"",
    "a picture": b"\x89PNG\r\n\x1a\n\x00",
    "a cut off file": deck_bytes(some_slides(1), "json")[:-40],
    "nested beyond reason": b"[" * 200_000,
    "of another program": b'{"cells": []}',
    "of another version": changed(version=99),
    "no slides": changed(slides=[]),
    "too many slides": changed(slides=[{}] * (MOST_SLIDES + 1)),
    "a slide that is none": changed(slides=[{"spec": {"data": {"url": "http://example.org"}}}]),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("content", BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_is_no_deck_is_refused_in_one_sentence_and_nothing_is_lost(content, language):
    app = deck_of(2, language)
    before = slides_of(app)
    upload(app, content)
    assert len(problems(app)) == 1
    assert slides_of(app) == before
    assert problems(app.run()) == [], "a refusal is said once"


def test_a_deck_that_does_not_fit_behind_the_present_one_is_refused_whole():
    app = deck_of(2)
    app.segmented_control(key="deck.opening@en").set_value("add").run()
    upload(app, deck_bytes(some_slides(MOST_SLIDES - 1), "json"))
    assert len(problems(app)) == 1
    assert titles(app) == ["Figure 1", "Figure 2"]
