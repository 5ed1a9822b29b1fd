"""Finds the browser that the browser tests drive."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

VARIABLE = "WORKBENCH_CHROMIUM"
_COMMANDS = ("chromium", "google-chrome", "google-chrome-stable")
_BUNDLES = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
)


def find_chromium() -> Path | None:
    """Return a Chromium or Chrome that Playwright can drive, or None.

    The variable ``WORKBENCH_CHROMIUM`` decides when it is set; then come the commands on the
    path, the applications of a Mac, and the browser that ``playwright install chromium`` fetches.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if Path(chosen).is_file() else None
    found = [Path(path) for path in map(shutil.which, _COMMANDS) if path]
    folders = (Path("/Applications"), Path.home() / "Applications")
    found += [folder / bundle for folder in folders for bundle in _BUNDLES]
    return next((path for path in found if path.is_file()), None) or _playwright_chromium()


def _playwright_chromium() -> Path | None:
    """Return the browser that Playwright downloaded for itself, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.is_file() else None


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """Return the browser to drive; without one a test is skipped, and on CI it fails."""
    path = find_chromium()
    if path is not None:
        return path
    message = f"no Chromium found; install one, or name its path in {VARIABLE}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


if __name__ == "__main__":
    browser = find_chromium()
    print(browser or "no browser")
    sys.exit(0 if browser else 1)
