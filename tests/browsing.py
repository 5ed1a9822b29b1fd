"""Drives the product as a person meets it: a real server, a real Chromium, a mouse, a keyboard."""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

from tests.browser import chromium_path  # noqa: F401 - a fixture
from tests.fake_hub import files_of, serving
from tests.model_folders import write_model

ROOT = Path(__file__).resolve().parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CHART = "[data-testid=stVegaLiteChart] :is(canvas, svg)"
STATUS = "[data-testid=stBottomBlockContainer]"
WAIT = 20_000
DECK = "/slide-deck"
CARD = "[class*=st-key-deck-card-]"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def model_hub(tmp_path_factory):
    """Serve a hub of models with one repository in it, ``some/tiny``."""
    folder = write_model(tmp_path_factory.mktemp("hub") / "model")
    with serving({"some/tiny": files_of(folder)}) as hub:
        yield hub


@pytest.fixture(scope="session")
def address(tmp_path_factory, model_hub):
    """Start the product as its user does, and return where it listens."""
    port = free_port()
    home = str(tmp_path_factory.mktemp("home"))
    environment = {**os.environ, "HF_ENDPOINT": model_hub.address, "HF_HOME": home}
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    with log.open("w") as output:
        server = subprocess.Popen(
            [*command, f"--server.port={port}"],
            cwd=ROOT,
            stdout=output,
            stderr=output,
            env=environment,
        )
        try:
            wait_for(port, server)
            yield f"http://localhost:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)
    assert "Traceback" not in log.read_text("utf-8")


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert server.poll() is None, "the server stopped"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the server did not answer within 30 s")


@pytest.fixture(scope="session")
def browser(chromium_path, address):  # noqa: F811
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium_path), args=FLAGS)
        page = browser.new_page()
        page.goto(address + "/")  # see the README: a fresh process must be asked for its root first
        settle(page)
        page.close()
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str):
    """Open an address in a fresh session.

    The visit fails on errors of the page's own scripts, and on any request to another machine.
    """
    contexts = []
    errors: list[str] = []
    elsewhere: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            elsewhere.append(request.url)

    def open_at(path: str, *, theme="light", width=1440, height=900) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", note)
        page.goto(address + path)
        settle(page)
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert errors == []
    assert elsewhere == []


def settle(page: Page) -> None:
    """Wait until the page has run and nothing runs any more."""
    page.wait_for_selector("h1")
    page.wait_for_timeout(150)
    page.wait_for_function(
        "() => { const app = document.querySelector('[data-testid=stApp]');"
        " return app && app.getAttribute('data-test-script-state') === 'notRunning'; }"
    )
    page.wait_for_timeout(150)


def text_of(page: Page) -> str:
    return page.locator("[data-testid=stApp]").inner_text()


def wait_for_text(page: Page, text: str) -> None:
    expect(page.locator("[data-testid=stApp]")).to_contain_text(text, timeout=WAIT)


def wait_for_address(page: Page, part: str, *, present: bool = True) -> None:
    page.wait_for_function(
        "([part, present]) => location.search.includes(part) === present", arg=[part, present]
    )


def assert_sound(page: Page, *, nan: bool = False) -> None:
    """No trace, no refusal, no dialog, one heading, and nothing wider than the window.

    ``nan`` says that the page may speak of NaN.
    """
    for word in ("Traceback", "Error:", "undefined", "{", *(() if nan else ("NaN",))):
        assert word not in page.locator(".stMainBlockContainer").inner_text(), word
    # That nothing is refused; the list is empty, or says what is.
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_text([])
    expect(page.locator("h1")).to_have_count(1)
    # The page may still be laying itself out; what stays too wide is the fault.
    page.wait_for_function(
        "() => { const m = document.querySelector('[data-testid=stMain]');"
        " return m.scrollWidth <= m.clientWidth; }"
    )


def corner_of(picture: bytes) -> int:
    """Return how light the corner of a picture is, 0 to 255."""
    return int(np.asarray(Image.open(io.BytesIO(picture)).convert("L"))[5, 5])


def download(page: Page, kind: str) -> tuple[str, bytes]:
    """Press a download button of the last figure; return the file's name and bytes."""
    return pressed(
        page, page.get_by_role("button", name=kind, exact=True).locator("visible=true").last
    )


def pressed(page: Page, control: Locator) -> tuple[str, bytes]:
    """Press a button that saves a file; return the file's name and bytes."""
    with page.expect_download() as caught:
        control.click()
    return caught.value.suggested_filename, Path(caught.value.path()).read_bytes()


def button(page: Page, key: str) -> Locator:
    """Return the button with a key; one with a tooltip has an unseen twin."""
    selector = f".st-key-{key.replace('.', '-')} button"
    return page.locator(selector).locator("visible=true").first


def count_in_deck(page: Page, words: str) -> None:
    """Wait until the sidebar says how many slides the deck has."""
    expect(page.locator("[data-testid=stSidebar] a[href*=slide-deck]")).to_have_text(
        re.compile(f"{words}$"), timeout=WAIT
    )


def go_to_deck(page: Page, count: int) -> None:
    """Follow the sidebar to the deck and wait for its slides."""
    page.locator("[data-testid=stSidebar] a[href*=slide-deck]").click()
    page.wait_for_url(re.compile(DECK))
    button(page, "deck.undo").wait_for()
    expect(page.locator(CARD)).to_have_count(count, timeout=WAIT)
    settle(page)


def choose_options(page: Page, *names: str) -> None:
    """Choose options in the open dialog, one after the other."""
    dialog = page.get_by_role("dialog")
    for name in names:
        dialog.get_by_text(name, exact=True).click()
        settle(page)


def cell_point(page: Page, row: int, column: int) -> tuple[float, float]:
    """Return where a cell of the matrix editor is: rows from 1, the token's column is 0."""
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert box is not None
    x = 32 if column == 0 else 64 + 52 * (column - 1) + 26
    return box["x"] + x, box["y"] + 36 + 32 * (row - 1) + 16


def edit_cell(page: Page, row: int, column: int, value: str) -> None:
    """Type a value into a cell of the matrix editor, once its editor answers."""
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for()
    overlay = page.locator(".gdg-input, [id^=gdg-overlay] input").first
    for _ in range(10):
        page.mouse.dblclick(*cell_point(page, row, column))
        if overlay.is_visible(timeout=1000):
            break
        page.wait_for_timeout(300)
    overlay.fill(value)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    settle(page)


def assert_language(page: Page, language: str) -> None:
    chinese = re.search(r"[\u4e00-\u9fff]", page.locator("h1").inner_text())
    assert bool(chinese) == (language == "zh")


def corner_is(page: Page, theme: str) -> bool:
    corner = corner_of(page.locator(CHART).first.screenshot())
    return corner < 60 if theme == "dark" else corner > 240


def assert_tabs_are_sound(
    page: Page, tabs: Iterable[str], language: str, theme: str, *, nan: bool = False
) -> None:
    """Open each tab, and judge it once its first figure stands."""
    for tab in tabs:
        page.get_by_role("radio", name=tab, exact=True).click()
        settle(page)
        page.locator(CHART).first.wait_for()
        settle(page)
        assert_sound(page, nan=nan)
        assert_language(page, language)
        assert corner_is(page, theme)
