"""The look of the app against the palette of its figures."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pages.figures.palette import contrast, theme

CONFIG = Path(__file__).resolve().parent.parent / ".streamlit/config.toml"
MESSAGES = ("red", "orange", "yellow", "green", "blue")


def config() -> dict[str, Any]:
    return tomllib.loads(CONFIG.read_text("utf-8"))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_messages_are_legible_and_take_no_role_s_colour(name):
    section, colours = config()["theme"][name], theme(name)
    assert section["redColor"] == colours.alert
    for message in MESSAGES:
        assert section[f"{message}TextColor"] == section[f"{message}Color"]
        assert section[f"{message}Color"] not in colours.roles.values()
        assert contrast(section[f"{message}TextColor"], colours.background) >= 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_the_page_and_its_figures_share_their_grounds(name):
    section, colours = config()["theme"][name], theme(name)
    assert section["backgroundColor"] == colours.background
    assert section["textColor"] == colours.text
    assert section["borderColor"] == colours.line
    assert contrast(section["primaryColor"], colours.background) >= 4.5


def test_the_server_keeps_to_this_machine_and_tells_nobody():
    settings = config()
    assert settings["server"]["address"] == "localhost"
    assert settings["server"]["showEmailPrompt"] is False
    assert settings["browser"]["gatherUsageStats"] is False
    assert "enableXsrfProtection" not in settings["server"]
    assert "enableCORS" not in settings["server"]
    assert settings["client"]["showErrorDetails"] == "none"
