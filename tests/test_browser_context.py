"""The page on pronouns and a real model, in a real browser."""

from __future__ import annotations

import io

from PIL import Image
from playwright.sync_api import expect

from tests.browsing import (
    WAIT,
    assert_sound,
    assert_tabs_are_sound,
    button,
    pressed,
    settle,
    wait_for_address,
    wait_for_text,
)
from tests.model_folders import write_model

CONTEXT = "/who-is-it"
TABS = ("一层", "两层", "各个头", "两种结尾", "逐层", "权重与因果", "示意图")


def test_every_tab_is_sound(visit):
    page = visit(f"{CONTEXT}?lang=zh", theme="dark", width=1280)
    assert_tabs_are_sound(page, TABS, "zh", "dark")


def test_a_model_is_loaded_from_a_folder_and_reads_what_is_typed(visit, tmp_path):
    folder = write_model(tmp_path / "tiny-bert")
    page = visit(f"{CONTEXT}?tab=heads")
    page.get_by_role("radio", name="Your own text", exact=True).click()
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(1, timeout=WAIT)
    page.get_by_label("Folder", exact=True).last.fill(str(folder))
    page.keyboard.press("Enter")
    wait_for_address(page, "folder=")
    settle(page)
    button(page, "context.load").click()
    wait_for_text(page, "tiny-bert: 3 layers of 4 heads")
    settle(page)
    assert_sound(page)
    box = page.get_by_role("textbox", name="First text")
    box.fill("it was the man")
    box.press("Control+Enter")
    wait_for_address(page, "first=")
    settle(page)
    assert_sound(page)
    name, data = pressed(page, button(page, "save.context-head.png"))
    assert name.startswith("context-head")
    assert Image.open(io.BytesIO(data)).size == (4000, 2250)
    # A reader who follows the link meets the model as long as the product runs.
    other = visit(page.url[page.url.index(CONTEXT) :])
    wait_for_text(other, "tiny-bert: 3 layers of 4 heads")
    assert_sound(other)


def test_a_download_is_watched_stopped_and_made_again(visit, model_hub):
    page = visit(f"{CONTEXT}?tab=layers&source=own&place=hub&repository=some/tiny&first=it+was")
    refused = page.locator("[data-testid=stAlertContentError]")
    expect(refused).to_contain_text("Load", timeout=WAIT)
    assert model_hub.asked == [], "a link fetches nothing"
    model_hub.manner.pause = 0.5
    button(page, "context.load").click()
    stop = button(page, "context.fetch.stop")
    stop.wait_for()
    wait_for_text(page, " of ")
    stop.click()
    settle(page)
    expect(refused).to_contain_text("Load", timeout=WAIT)
    model_hub.manner.pause = 0.0
    button(page, "context.load").click()
    wait_for_text(page, "tiny: 3 layers of 4 heads")
    settle(page)
    assert_sound(page)
