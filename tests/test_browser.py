"""The product as a person meets it: a real server, a real Chromium, a mouse and a keyboard."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Dialog, Page, expect
from pptx import Presentation
from pypdf import PdfReader

from engine.experiments.masks.mistakes import VARIANTS, MistakesParams, make_mistakes
from engine.experiments.worked_example import Params, run
from pages.documents import link
from pages.figures.figure import Style
from pages.figures.masks.mistakes import mistakes_figure
from pages.figures.worked_example import step_figure
from tests.browsing import (
    CARD,
    CHART,
    DECK,
    STATUS,
    WAIT,
    assert_language,
    assert_sound,
    assert_tabs_are_sound,
    button,
    cell_point,
    choose_options,
    corner_of,
    count_in_deck,
    download,
    edit_cell,
    go_to_deck,
    pressed,
    settle,
    wait_for_address,
    wait_for_text,
)
from tests.conftest import require_backend

EXAMPLE = "/worked-example"
MASKS = "/attention-masks"
SCALING = "/sqrt-dk"
MEMORY = "/memory-scaling"
TABS = ("copy", "row", "shapes", "practice", "printed", "steps")
MASK_TABS = {
    "en": ("Influence", "One token at a time", "Padding", "T ≠ S", "Mistakes", "Compare"),
    "zh": ("影响", "逐个词元", "填充", "T ≠ S", "常见错误", "对比"),
}
SCALING_TABS = {
    "en": ("Saturation", "Gradient", "Training", "Learning rates", "Variance"),
    "zh": ("饱和", "梯度", "训练", "学习率", "方差"),
}
MEMORY_TABS = {
    "en": ("What fits", "Operations", "Measured", "Head size", "Bytes"),
    "zh": ("最大长度", "运算量", "实测", "头维度", "字节数"),
}


# Every page ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "width"), [("en", 1728), ("zh", 1280)])
def test_every_page_is_sound_in_every_language_theme_and_width(visit, language, width):
    page = visit(f"/?lang={language}", width=width)
    page.wait_for_selector(CHART)
    assert_sound_in_both_themes(page)
    for tab in TABS:
        page = visit(f"{EXAMPLE}?lang={language}&tab={tab}", width=width)
        if tab != "copy":
            page.wait_for_selector(CHART)
        assert_sound_in_both_themes(page)
        assert_language(page, language)
    go_to_deck(page, 0)
    assert_sound_in_both_themes(page)
    page.locator(".stMainBlockContainer [data-testid=stPageLink] a").click()
    button(page, "add.steps.score").click()
    go_to_deck(page, 1)
    assert_sound_in_both_themes(page)
    assert_language(page, language)
    for place in ("deck.save.pptx", "deck.undo"):
        expect(button(page, place)).to_be_in_viewport(ratio=1)


def assert_sound_in_both_themes(page: Page) -> None:
    """Judge a page as it stands, then in the other theme, which it follows without a reload."""
    assert_sound(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme"
        " === 'dark'"
    )
    settle(page)
    assert_sound(page)
    page.emulate_media(color_scheme="light")
    settle(page)


def test_a_page_follows_the_dark_theme(visit):
    page = visit(EXAMPLE, theme="dark")
    assert corner_of(page.locator(CHART).first.screenshot()) < 60
    assert corner_of(visit(EXAMPLE).locator(CHART).first.screenshot()) > 240


def test_language_and_backend_live_in_the_address_and_survive_a_page_change(visit):
    require_backend("mlx")
    page = visit("/?lang=zh&backend=mlx")
    expect(page.locator(STATUS)).to_contain_text("MLX")
    expect(page.locator(STATUS)).to_contain_text("float32")
    page.locator(".stMainBlockContainer [data-testid=stPageLink] a").first.click()
    settle(page)
    expect(page.locator("h1")).to_have_text("软查找")
    assert "lang=zh" in page.url
    assert "backend=mlx" in page.url
    expect(page.locator(STATUS)).to_contain_text("MLX")
    page.get_by_text("English", exact=True).click()
    settle(page)
    expect(page.locator("h1")).to_have_text("Soft lookup")
    assert "lang=" not in page.url


def test_the_backend_choice_states_each_device_in_words(visit):
    require_backend("mlx")
    page = visit("/")
    page.get_by_role("button", name="NumPy").click()
    choice = page.locator("[data-testid=stPopoverBody]")
    expect(choice).to_contain_text("computes in float64")
    expect(choice).to_contain_text("computes in float32")
    choice.get_by_text("MLX", exact=True).click()
    settle(page)
    expect(page.locator(STATUS)).to_contain_text("float32")
    assert "backend=mlx" in page.url


def test_the_menu_leads_to_every_page(visit):
    page = visit("/")
    page.get_by_text("Calculate", exact=True).click()
    page.get_by_text("Worked example", exact=True).locator("visible=true").last.click()
    settle(page)
    expect(page.locator("h1")).to_have_text("Worked example")
    assert EXAMPLE in page.url


# The worked example --------------------------------------------------------------------------


def test_editing_a_cell_moves_another_output_and_the_page_says_so(visit):
    page = visit(f"{EXAMPLE}?step=output")
    edit_cell(page, 3, 1, "5")
    wait_for_text(page, "You changed x3 alone")
    wait_for_text(page, "output 1 by up to")
    assert "inputs=" in page.url
    edit_cell(page, 3, 2, "7")  # a second edit is kept beside the first
    address = page.url
    page.reload()
    settle(page)
    page.get_by_text("1 Project", exact=True).click()
    settle(page)
    page.get_by_text("Practice", exact=True).click()
    settle(page)
    assert page.url.split("inputs=")[1].split("&")[0] == address.split("inputs=")[1].split("&")[0]


def test_letters_and_an_empty_cell_lose_nothing(visit):
    page = visit(EXAMPLE)
    edit_cell(page, 2, 1, "abc")
    wait_for_text(page, "row 2, column 1 holds abc")
    edit_cell(page, 3, 1, "8")  # beside a refused cell the others are taken
    wait_for_text(page, "You changed x3 alone")
    page.mouse.click(*cell_point(page, 2, 1))
    page.wait_for_timeout(300)
    page.keyboard.press("Delete")
    settle(page)
    wait_for_text(page, "row 2, column 1 is empty")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(1)
    page.wait_for_selector(CHART)
    edit_cell(page, 2, 1, "0")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(0)


@pytest.mark.parametrize(
    ("typed", "outcome"),
    [("1e3", "1000"), ("\u22123", "-3"), ("0.25", "0.25"), ("1/3", None), ("1,5", None)],
)
def test_a_cell_holds_what_was_typed_or_says_why_not(visit, typed, outcome):
    page = visit(EXAMPLE)
    edit_cell(page, 1, 1, typed)
    refusals = page.locator("[data-testid=stAlertContentError]")
    expect(refusals).to_have_count(1 if outcome is None else 0)
    if outcome is not None:
        page.get_by_role("button", name="JSON", exact=True).click()
        with page.expect_download() as caught:
            page.get_by_role("button", name="Save the whole example").click()
        saved = json.loads(Path(caught.value.path()).read_text("utf-8"))
        assert saved["x"][0][0] == float(outcome)


def test_switching_the_language_keeps_the_edits(visit):
    page = visit(EXAMPLE)
    edit_cell(page, 1, 1, "7")
    edit_cell(page, 3, 2, "6")
    inputs = page.url.split("inputs=")[1].split("&")[0]
    for word, heading in (("中文", "算例"), ("English", "Worked example"), ("中文", "算例")):
        page.get_by_text(word, exact=True).click()
        expect(page.locator("h1")).to_have_text(heading, timeout=WAIT)
        settle(page)
    page.get_by_text("3 缩放", exact=True).click()
    wait_for_address(page, "step=scale")
    assert page.url.split("inputs=")[1].split("&")[0] == inputs
    assert page.evaluate("document.documentElement.lang") == "zh-CN"


@pytest.mark.parametrize("control", ["Cross", "Causal", "中文", "Practice"])
def test_a_number_still_being_typed_survives_the_next_click(visit, control):
    page = visit(EXAMPLE)
    page.wait_for_timeout(1000)
    page.mouse.dblclick(*cell_point(page, 2, 1))
    page.wait_for_timeout(500)
    page.keyboard.type("66")
    page.get_by_text(control, exact=True).first.click(delay=60)
    wait_for_address(page, "inputs=")
    settle(page)
    assert link.decode(parse_qs(urlsplit(page.url).query)["inputs"][0]).x[1][0] == 66


def test_the_browser_s_back_goes_back(visit):
    page = visit(EXAMPLE)
    page.get_by_text("Practice", exact=True).click()
    wait_for_address(page, "tab=practice")
    settle(page)
    page.go_back()
    wait_for_address(page, "tab=", present=False)
    expect(page.locator("button", has_text="2 Score").first).to_be_visible()


def test_picking_a_cell_of_the_heatmap_shows_its_arithmetic(visit):
    page = visit(f"{EXAMPLE}?step=score")
    chart = page.locator(CHART).first
    box = chart.bounding_box()
    assert box is not None
    figure = step_figure(run(Params()), "score", Style(), selected=(0, 0))
    cell = next(
        mark for mark in marks(figure.spec) if (mark.get("row"), mark.get("column")) == (0, 1)
    )
    page.mouse.click(
        box["x"] + (cell["x"] + cell["x2"]) / 2, box["y"] + (cell["y"] + cell["y2"]) / 2
    )
    settle(page)
    assert "column=2" in page.url
    assert "row=" not in page.url
    latex = page.locator(".katex annotation").all_text_contents()
    assert any("s_{1,2}" in formula and r"\cdot" in formula for formula in latex)


def marks(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every datum of a figure that has a place."""
    layers = [layer.get("data", {}).get("values", []) for layer in spec["layer"]]
    return [datum for values in layers for datum in values]


def test_the_steps_answer_the_keyboard(visit):
    page = visit(EXAMPLE)
    page.locator("h1").click()
    for _ in range(5):  # Streamlit listens to the keys a moment after the page stands
        page.keyboard.press("Alt+ArrowRight")
        page.wait_for_timeout(1500)
        if "step=" in page.url:
            break
    wait_for_address(page, "step=scale")
    settle(page)
    page.keyboard.press("Alt+ArrowLeft")
    wait_for_address(page, "step=", present=False)


def test_a_practice_answer_is_checked(visit):
    page = visit(f"{EXAMPLE}?tab=practice")
    fields = page.locator(".stMainBlockContainer input[type=text]:not([role=combobox])")
    for field, answer in zip(range(4), ("0.072", "0.534", "0.197", "0.197"), strict=True):
        fields.nth(field).fill(answer)
        fields.nth(field).press("Enter")
        settle(page)
    page.locator(".stMainBlockContainer").get_by_role("button", name="Check").click()
    wait_for_text(page, "Exactly this row comes out when the scores were not divided by")


# Masks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh", "dark")])
def test_every_tab_of_the_masks_page_is_sound(visit, language, theme):
    page = visit(f"{MASKS}?lang={language}", theme=theme, width=1280)
    assert_tabs_are_sound(page, MASK_TABS[language], language, theme, nan=True)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_words_and_the_whole_table_of_mistakes_fit_a_small_and_a_wide_screen(
    visit, language
):
    page = visit(f"{MASKS}?tab=mistakes&lang={language}", width=1280)
    page.set_viewport_size({"width": 1280, "height": 800})
    chart = page.locator(CHART).first
    chart.wait_for()
    settle(page)
    table, status = chart.bounding_box(), page.locator(STATUS).bounding_box()
    assert table is not None
    assert status is not None
    assert table["y"] + table["height"] <= status["y"]
    page.set_viewport_size({"width": 1728, "height": 1000})
    settle(page)
    metrics = page.locator("[data-testid=stMetric]").all()
    boxes = [box for box in (metric.bounding_box() for metric in metrics) if box]
    assert len(boxes) == 3
    assert len({box["x"] for box in boxes}) == 1, "one below the other, without a hole"
    table = chart.bounding_box()
    assert table is not None
    assert all(box["x"] >= table["x"] + table["width"] for box in boxes), "beside the figure"


def test_drawing_a_cell_of_a_mask_changes_the_weights(visit):
    page = visit(MASKS)
    before = page.locator(CHART).first.screenshot()
    page.get_by_role("combobox", name=re.compile("Mask B")).click()
    page.get_by_role("option", name="Drawn by hand").click()
    cell = page.get_by_role("button", name="query 1 x1, key 3 x3", exact=True)
    expect(cell).to_have_attribute("aria-pressed", "false", timeout=WAIT)
    settle(page)
    cell.click()
    wait_for_address(page, "b_drawn=1010")
    expect(cell).to_have_attribute("aria-pressed", "true", timeout=WAIT)
    expect(page.locator("[data-testid=stMetricValue]").first).to_have_text("0 | 5", timeout=WAIT)
    settle(page)
    assert page.locator(CHART).first.screenshot() != before
    name, data = pressed(page, button(page, "save.masks-weights.png"))
    assert name.startswith("masks-weights")
    assert Image.open(io.BytesIO(data)).size == (4000, 2250)
    page.get_by_text("中文", exact=True).click()
    expect(page.locator("h1")).to_have_text("掩码", timeout=WAIT)
    wait_for_address(page, "b_drawn=1010")


def test_picking_a_mistake_in_the_table_shows_its_weights(visit):
    page = visit(f"{MASKS}?tab=mistakes")
    table, weights = page.locator(CHART).first, page.locator(CHART).nth(1)
    weights.scroll_into_view_if_needed()
    before = weights.screenshot()
    page.locator("h1").scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    figure = mistakes_figure(make_mistakes(MistakesParams(), backend="numpy"), Style())
    wanted = VARIANTS.index("inverted")
    cell = next(
        mark for mark in marks(figure.spec) if (mark.get("row"), mark.get("column")) == (wanted, 0)
    )
    page.mouse.click(
        box["x"] + (cell["x"] + cell["x2"]) / 2, box["y"] + (cell["y"] + cell["y2"]) / 2
    )
    wait_for_address(page, "mistake=inverted")
    settle(page)
    wait_for_text(page, "softmax(where(~m, s, -inf))")
    weights.scroll_into_view_if_needed()
    assert weights.screenshot() != before


# The square root of d_k -----------------------------------------------------------------------

QUICK = "trained_d_k=8&pairs=4&steps=40&seeds=1"


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("zh", "dark")])
def test_every_tab_of_the_page_of_the_square_root_is_sound(visit, language, theme):
    page = visit(f"{SCALING}?lang={language}&{QUICK}", theme=theme, width=1280)
    assert_tabs_are_sound(page, SCALING_TABS[language], language, theme)


def test_a_training_is_watched_stopped_twice_and_kept(visit):
    page = visit(f"{SCALING}?tab=training&trained_d_k=64&steps=5000&seeds=1")
    start = page.locator(".st-key-sqrt-dk-training-start button")
    stop = page.locator(".st-key-sqrt-dk-training-stop button")
    page.locator(CHART).first.wait_for()
    expect(stop).to_be_disabled()
    page.keyboard.press("Control+Enter")
    expect(stop).to_be_enabled(timeout=WAIT)
    expect(start).to_be_disabled()
    wait_for_text(page, "of 5,000")
    page.wait_for_timeout(800)
    stop.dblclick()
    expect(start).to_be_enabled(timeout=WAIT)
    settle(page)
    wait_for_text(page, "Stopped after step")
    assert_sound(page)
    numbers = page.locator("[data-testid=stMetricValue]").all_inner_texts()
    page.get_by_role("radio", name="Variance", exact=True).click()
    settle(page)
    page.get_by_role("radio", name="Training", exact=True).click()
    settle(page)
    wait_for_text(page, "Stopped after step")
    assert page.locator("[data-testid=stMetricValue]").all_inner_texts() == numbers
    name, data = pressed(page, button(page, "save.scaling-training.loss.png"))
    assert name.startswith("scaling-training-loss")
    assert Image.open(io.BytesIO(data)).size == (4000, 2250)


def test_a_training_goes_on_in_another_language_and_ends_with_its_page(visit):
    page = visit(f"{SCALING}?tab=training&trained_d_k=64&steps=5000&seeds=1")
    stop = page.locator(".st-key-sqrt-dk-training-stop button")
    fields = page.locator("[data-testid=stSidebar] input[type=text]")
    page.locator(CHART).first.wait_for()
    typed = fields.evaluate_all("all => all.map(each => each.value)")
    assert "5,000" in typed
    page.keyboard.press("Control+Enter")
    wait_for_text(page, "So far, after step")
    for language in ("中文", "English"):
        page.get_by_text(language, exact=True).click()
        wait_for_address(page, "lang=zh", present=language == "中文")
        expect(stop).to_be_enabled()
    wait_for_text(page, "So far, after step")
    assert fields.evaluate_all("all => all.map(each => each.value)") == typed
    page.locator("[data-testid=stSidebar] a[href*=slide-deck]").click()
    page.wait_for_url(re.compile(DECK))
    settle(page)
    page.get_by_text("Calculate", exact=True).click()
    page.get_by_text("√d_k", exact=True).locator("visible=true").last.click()
    page.wait_for_url(re.compile(SCALING))
    settle(page)
    wait_for_text(page, "Stopped after step")
    expect(stop).to_be_disabled()
    assert fields.evaluate_all("all => all.map(each => each.value)") == typed
    assert_sound(page)


def test_a_learning_rate_of_a_thousand_million_diverges_with_both_optimisers(visit):
    page = visit(f"{SCALING}?tab=training&{QUICK}")
    rate = page.get_by_role("textbox", name="Learning rate")
    rate.fill("1e9")
    rate.press("Enter")
    expect(rate).to_have_value("1,000,000,000", timeout=WAIT)
    for optimiser in ("Adam", "SGD"):
        page.get_by_role("radio", name=optimiser, exact=True).click()
        settle(page)
        page.locator(".st-key-sqrt-dk-training-start button").click()
        expect(page.locator("[data-testid=stMetricValue]").first).to_have_text(
            "diverged", timeout=WAIT
        )
        settle(page)
        expect(page.locator(".stMainBlockContainer")).not_to_contain_text("other values")
        assert_sound(page)


def test_a_list_that_is_refused_stays_and_the_last_figure_with_it(visit):
    page = visit(f"{SCALING}?d_k=2,4")
    box = page.get_by_role("textbox", name="Values of")
    box.fill("0, 4")
    box.press("Control+Enter")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(1, timeout=WAIT)
    expect(box).to_have_value("0, 4")
    page.locator(CHART).first.wait_for()
    box.fill("4, 16")
    box.press("Control+Enter")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(0, timeout=WAIT)
    wait_for_address(page, "d_k=4%2C+16")


# Memory ---------------------------------------------------------------------------------------

SHORT = "lengths=8,16,32&head_sizes=4,6&swept_T=16&measured_heads=2&measured_d_k=4&repeats=1"


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("zh", "light")])
def test_every_tab_of_the_page_on_memory_is_sound(visit, language, theme):
    page = visit(f"{MEMORY}?lang={language}&{SHORT}", theme=theme, width=1280)
    assert_tabs_are_sound(page, MEMORY_TABS[language], language, theme)


def test_a_model_is_chosen_and_a_length_that_is_refused_stays(visit):
    page = visit(MEMORY)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="GPT-3").click()
    wait_for_address(page, "layers=96")
    field = page.get_by_role("textbox", name=re.compile("^Tokens"))
    expect(field).to_have_value("2,048", timeout=WAIT)
    settle(page)
    field.fill("1e12")
    field.press("Enter")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(1, timeout=WAIT)
    expect(field).to_have_value("1,000,000,000,000")
    page.locator(CHART).first.wait_for()
    name, data = pressed(page, button(page, "save.memory-bytes.png"))
    assert name.startswith("memory-bytes-gpt-3")
    assert Image.open(io.BytesIO(data)).size == (4000, 2250)


def test_a_measurement_is_saved_and_drawn_beside_another(visit):
    page = visit(f"{MEMORY}?tab=measured&{SHORT}")
    page.locator(CHART).first.wait_for()
    expect(page.locator(".st-key-memory-scaling-measured-start button")).to_be_enabled(timeout=WAIT)
    page.get_by_role("button", name="Runs", exact=True).click()
    with page.expect_download() as started:
        page.get_by_role("button", name="Save as JSON").click()
    saved = Path(started.value.path()).read_text("utf-8")
    assert started.value.suggested_filename == "attention-memory-numpy.json"
    device = json.loads(saved)["machine"]["device"]
    other = saved.replace(json.dumps(device), json.dumps("Apple M9 Ultra"))
    assert other != saved
    page.locator("input[type=file]").set_input_files(
        {"name": "run.json", "mimeType": "application/json", "buffer": other.encode()}
    )
    wait_for_text(page, "Apple M9 Ultra")
    page.keyboard.press("Escape")
    settle(page)
    assert_sound(page)


# Taking figures away -------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_figure_downloads_as_png_svg_pdf_and_csv(visit, language):
    page = visit(f"{EXAMPLE}?step=softmax&lang={language}")
    word = "attention weights" if language == "en" else "注意力权重"
    suffix = "-zh" if language == "zh" else ""

    name, data = download(page, "PNG")
    assert name == f"worked-example-weights-T4-row1-column1{suffix}.png"
    picture = Image.open(io.BytesIO(data))
    assert picture.size == (4000, 2250)
    assert round(picture.info["dpi"][0]) == 300

    name, data = download(page, "SVG")
    assert name.endswith(f"{suffix}.svg")
    assert word in "".join(ElementTree.fromstring(data).itertext())

    name, data = download(page, "PDF")
    assert name.endswith(f"{suffix}.pdf")
    text = PdfReader(io.BytesIO(data)).pages[0].extract_text()
    assert word in text.replace("\n", " ")
    assert "0.449" in text

    name, data = download(page, "CSV")
    assert name.endswith(f"{suffix}.csv")
    assert "0.448580532956443" in data.decode("utf-8-sig")


def test_the_preview_shows_what_will_be_saved(visit):
    page = visit(f"{EXAMPLE}?step=softmax")
    button(page, "options.steps.softmax").click()
    choose_options(page, "Half slide", "Dark", "中文")
    page.get_by_role("dialog").get_by_text("Transparent background", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text(
        "T4-row1-column1-zh-dark-half-transparent", timeout=WAIT
    )
    settle(page)
    shown = page.get_by_role("dialog").locator("img").get_attribute("src") or ""
    name, drawing = pressed(page, button(page, "save.preview.svg"))
    assert name == "worked-example-weights-T4-row1-column1-zh-dark-half-transparent.svg"
    assert base64.b64decode(shown.partition("base64,")[2]) == drawing
    assert "注意力权重" in "".join(ElementTree.fromstring(drawing).itertext())

    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    # The bar under the figure has taken the options over.
    expect(button(page, "options.steps.softmax")).to_contain_text("Half slide", timeout=WAIT)
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=WAIT)
    settle(page)
    name, data = download(page, "PNG")
    assert name == "worked-example-weights-T4-row1-column1-zh-dark-half-transparent.png"
    assert Image.open(io.BytesIO(data)).size == (2000, 2250)
    pixels = np.asarray(Image.open(io.BytesIO(data)))
    assert pixels[5, 5, 3] == 0
    assert pixels[pixels[..., 3] == 255].max() > 200, "dark slides have light ink"


def test_a_dialog_that_is_left_open_is_gone_on_the_next_page(visit):
    page = visit("/")
    page.get_by_text("Calculate", exact=True).click()
    page.get_by_text("Worked example", exact=True).locator("visible=true").last.click()
    expect(page.locator("h1")).to_have_text("Worked example", timeout=WAIT)
    settle(page)
    button(page, "options.steps.score").click()
    page.get_by_role("dialog").locator("img").wait_for()
    page.go_back()
    expect(page.locator("h1")).to_have_text("Attention Workbench", timeout=WAIT)
    expect(page.get_by_role("dialog")).to_have_count(0, timeout=WAIT)
    settle(page)
    assert_sound(page)


def card_titles(page: Page) -> list[str]:
    return page.locator(f"{CARD} .deck-words span").all_inner_texts()


def expect_titles(page: Page, *titles: str) -> None:
    expect(page.locator(f"{CARD} .deck-words span")).to_have_text(list(titles), timeout=WAIT)


def collect_three(page: Page) -> None:
    """Put two figures of the worked example and the one of the overview into the deck."""
    button(page, "add.steps.score").dblclick()  # a double click adds it once
    count_in_deck(page, "1 slide")
    settle(page)
    page.get_by_text("5 Softmax", exact=True).click()
    button(page, "add.steps.softmax").click()
    count_in_deck(page, "2 slides")
    settle(page)
    page.get_by_text("Start", exact=True).click()
    page.get_by_text("Overview", exact=True).locator("visible=true").last.click()
    button(page, "add.overview.steps").click()
    count_in_deck(page, "3 slides")


SCORES, WEIGHTS, STEPS = (
    "Step 2: compare every query with every key",
    "Step 5: softmax gives the attention weights",
    "Attention in six steps",
)
RENAMED = "Weights: <b>$A$</b> *sum* to 1"


def test_figures_of_two_pages_become_a_deck_in_the_order_and_words_of_its_author(visit):
    page = visit(EXAMPLE)
    collect_three(page)
    go_to_deck(page, 3)
    expect_titles(page, SCORES, WEIGHTS, STEPS)
    expect(page.get_by_label("Title of this slide").first).to_have_value(STEPS, timeout=WAIT)
    page.get_by_role("button", name="To the start").click()
    expect_titles(page, STEPS, SCORES, WEIGHTS)
    page.get_by_role("button", name="Show slide 3").click()
    title = page.get_by_label("Title of this slide").first
    expect(title).to_have_value(WEIGHTS, timeout=WAIT)
    settle(page)
    title.fill(RENAMED)
    title.press("Enter")
    expect_titles(page, STEPS, SCORES, RENAMED)
    press_until(page, "Alt+ArrowUp", lambda: card_titles(page)[1] == RENAMED)
    expect_titles(page, STEPS, RENAMED, SCORES)
    settle(page)
    check_files(page)
    check_reopened(page, visit(DECK))


def press_until(page: Page, keys: str, done: Callable[[], bool]) -> None:
    """Press a shortcut until it acts: Streamlit listens a moment after the page stands."""
    page.locator("h1").click()
    for _ in range(5):
        page.keyboard.press(keys)
        for _ in range(10):
            page.wait_for_timeout(200)
            if done():
                return


def test_the_browser_asks_before_a_tab_with_slides_is_left_and_only_then(visit):
    page = visit(EXAMPLE)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.locator("h1").click()  # a browser asks only those who have used the page
    page.reload()
    settle(page)
    button(page, "add.steps.score").click()
    count_in_deck(page, "1 slide")
    settle(page)
    go_to_deck(page, 1)
    pressed(page, button(page, "deck.save.pptx"))
    pressed(page, button(page, "deck.save.json"))
    page.get_by_text("中文", exact=True).click()
    expect(page.locator("h1")).to_have_text("幻灯片", timeout=WAIT)
    settle(page)
    page.go_back()
    settle(page)
    page.go_forward()
    expect(page.locator(CARD)).to_have_count(1, timeout=WAIT)
    settle(page)
    assert asked == []
    leave(page)
    assert asked == ["beforeunload"]
    expect(page.locator(CARD)).to_have_count(1, timeout=WAIT)
    page.get_by_role("button", name=re.compile("^全部移除")).click()
    expect(page.locator(CARD)).to_have_count(0, timeout=WAIT)
    settle(page)
    page.reload()
    settle(page)
    assert asked == ["beforeunload"]


def leave(page: Page) -> None:
    """Load the page again as its reader would, and wait until the browser asks."""
    with page.expect_event("dialog", timeout=WAIT):
        page.evaluate("setTimeout(() => location.reload())")


def check_files(page: Page) -> None:
    """Save the deck in every format and read the titles back, in order."""
    wanted = [STEPS, RENAMED, SCORES]
    name, data = pressed(page, button(page, "deck.save.pptx"))
    assert name == "attention-slides.pptx"
    slides = Presentation(io.BytesIO(data)).slides
    assert [slide.shapes.title.text for slide in slides] == wanted
    name, data = pressed(page, button(page, "deck.save.pdf"))
    assert name == "attention-slides.pdf"
    pages = [sheet.extract_text().replace("\n", " ") for sheet in PdfReader(io.BytesIO(data)).pages]
    assert [text for text, title in zip(pages, wanted, strict=True) if title in text] == pages
    name, data = pressed(page, button(page, "deck.save.zip"))
    assert name == "attention-slides.zip"
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    stems = ("01-attention-in-six", "02-worked-example-weights", "03-worked-example-scores")
    for stem in stems:
        assert {Path(each).suffix for each in names if each.startswith(stem)} == {".png", ".svg"}
    assert len(names) == 6


def check_reopened(page: Page, other: Page) -> None:
    """Open the saved deck in another session and find the same one."""
    _, saved = pressed(page, button(page, "deck.save.json"))
    other.get_by_role("button", name="Open a deck").click()
    other.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "attention-slides.json", "mimeType": "application/json", "buffer": saved}
    )
    expect_titles(other, STEPS, RENAMED, SCORES)
    settle(other)
    other.keyboard.press("Escape")
    assert pressed(other, button(other, "deck.save.json"))[1] == saved
    other.get_by_role("button", name=re.compile("^Remove all")).click()
    expect(other.locator(CARD)).to_have_count(0, timeout=WAIT)
    settle(other)
    other.get_by_role("button", name=re.compile("^Undo")).click()
    expect_titles(other, STEPS, RENAMED, SCORES)
    expect_titles(page, STEPS, RENAMED, SCORES)


def test_matrices_come_from_a_csv_and_a_json_file(visit, tmp_path):
    page = visit(EXAMPLE)
    table = tmp_path / "x.csv"
    table.write_text("1;0;1;0\n0;1;0;1\n1;1;0;0\n0;0;1;2\n", "utf-8")
    page.get_by_role("button", name="CSV", exact=True).first.click()
    page.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(str(table))
    settle(page)
    wait_for_text(page, "You changed x4")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="JSON", exact=True).click()
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save the whole example").click()
    saved = Path(caught.value.path()).read_bytes()
    other = visit(EXAMPLE)
    other.get_by_role("button", name="JSON", exact=True).click()
    other.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "worked-example.json", "mimeType": "application/json", "buffer": saved}
    )
    settle(other)
    assert other.url.split("inputs=")[1] == page.url.split("inputs=")[1]
    other.locator("[data-testid=stPopoverBody] input[type=file]").set_input_files(
        {"name": "foreign.json", "mimeType": "application/json", "buffer": b'{"cells": []}'}
    )
    settle(other)
    expect(other.locator("[data-testid=stAlertContentError]")).to_have_count(1)
    assert other.url.split("inputs=")[1] == page.url.split("inputs=")[1]


def test_two_tabs_with_two_backends_keep_apart(visit):
    require_backend("mlx")
    first, second = visit(f"{EXAMPLE}?backend=mlx"), visit(f"{EXAMPLE}?backend=numpy&lang=zh")
    for page in (first, second):
        page.locator("button", has_text=re.compile("Softmax")).first.click()
        settle(page)
    expect(first.locator(STATUS)).to_contain_text("float32")
    expect(second.locator(STATUS)).to_contain_text("float64")
    expect(first.locator("h1")).to_have_text("Worked example")
    expect(second.locator("h1")).to_have_text("算例")
