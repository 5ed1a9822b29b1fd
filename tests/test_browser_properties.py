"""Soft lookup, the properties and the claims, in a real browser."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browsing import (
    WAIT,
    assert_language,
    assert_sound,
    assert_tabs_are_sound,
    button,
    download,
    edit_cell,
    pressed,
    settle,
    wait_for_address,
)

LOOKUP = "/soft-lookup"
PROPERTIES = "/attention-properties"
CLAIMS = "/claims-checked"
LOOKUP_TABS = {
    "en": ("Similarity", "Three roles", "Rows or columns", "Cost", "Look up"),
    "zh": ("相似度", "三种角色", "沿行还是沿列", "代价", "查找"),
}
PROPERTIES_TABS = {
    "en": ("Reach", "Depth", "Influence", "Graph", "Order"),
    "zh": ("可达距离", "深度", "影响", "图", "顺序"),
}
QUICK = "Ts=8,16&d_ks=2,4&cost_T=8&cost_d_k=2&repeats=2&draws=20&layers=4"


@pytest.mark.parametrize(
    ("path", "tabs", "language", "theme"),
    [(LOOKUP, LOOKUP_TABS, "en", "dark"), (LOOKUP, LOOKUP_TABS, "zh", "light"),
     (PROPERTIES, PROPERTIES_TABS, "zh", "dark")],
    ids=["lookup-en", "lookup-zh", "properties-zh"],
)  # fmt: skip
def test_every_tab_of_both_pages_is_sound(visit, path, tabs, language, theme):
    page = visit(f"{path}?lang={language}&{QUICK}", theme=theme, width=1280)
    assert_tabs_are_sound(page, tabs[language], language, theme)


def test_a_key_that_is_typed_changes_the_output_and_stands_in_the_link(visit):
    page = visit(LOOKUP)
    output = page.locator("[data-testid=stMetricValue]").first
    before = output.inner_text()
    edit_cell(page, 2, 1, "3")
    expect(output).not_to_have_text(before, timeout=WAIT)
    after = output.inner_text()
    wait_for_address(page, "table=")
    other = visit(page.url[page.url.index(LOOKUP) :])
    expect(other.locator("[data-testid=stMetricValue]").first).to_have_text(after, timeout=WAIT)
    page.go_back()
    expect(output).to_have_text(before, timeout=WAIT)
    settle(page)
    assert "table=" not in page.url
    page.go_forward()
    expect(output).to_have_text(after, timeout=WAIT)
    settle(page)
    button(page, "lookup.shuffle").click()
    settle(page)
    expect(output).to_have_text(after)
    edit_cell(page, 1, 1, "abc")
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(1, timeout=WAIT)
    page.get_by_text("中文", exact=True).click()
    expect(page.locator("h1")).to_have_text("软查找", timeout=WAIT)
    settle(page)
    expect(page.locator("[data-testid=stAlertContentError]")).to_contain_text("abc", timeout=WAIT)


def test_a_query_is_turned_with_the_keyboard(visit):
    page = visit(f"{LOOKUP}?tab=similarity")
    slider = page.get_by_role("slider", name="Direction, degrees")
    angle = int(slider.input_value())
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    wait_for_address(page, "table=")
    expect(slider).to_have_value(str(angle + 3), timeout=WAIT)
    settle(page)
    assert_sound(page)


def test_tokens_are_shuffled_and_the_graph_is_taken_away(visit):
    page = visit(PROPERTIES)
    button(page, "properties.shuffle").click()
    wait_for_address(page, "permutation=")
    settle(page)
    assert_sound(page)
    page.get_by_role("radio", name="Graph", exact=True).click()
    settle(page)
    name, data = pressed(page, button(page, "save.properties-graph.png"))
    assert name.startswith("properties-graph-textbook-T4")
    assert Image.open(io.BytesIO(data)).size == (4000, 2250)


def test_every_claim_is_measured_saved_and_leads_to_its_page(visit):
    page = visit(f"{CLAIMS}?lang=zh", theme="dark", width=1280)
    assert_language(page, "zh")
    start, stop = (button(page, f"claims-checked.ledger.{name}") for name in ("start", "stop"))
    start.click()
    expect(stop).to_be_enabled(timeout=WAIT)
    expect(stop).to_be_disabled(timeout=6 * WAIT)
    expect(start).to_contain_text("重新测量", timeout=WAIT)
    settle(page)
    assert_sound(page, nan=True)
    name, data = download(page, "Markdown")
    assert name.endswith(".md")
    assert all(f"| {claim} |" in data.decode() for claim in range(1, 26))
    page.locator(".stMainBlockContainer a[href*=sqrt-dk]").first.click()
    expect(page).to_have_url(re.compile("sqrt-dk"), timeout=WAIT)
    settle(page)
    page.go_back()
    expect(page).to_have_url(re.compile(f"{CLAIMS}.*lang=zh"), timeout=WAIT)
    settle(page)
    assert_language(page, "zh")
