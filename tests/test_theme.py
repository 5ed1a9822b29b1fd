"""The colours of the app are the colours of the figures: config.toml against the palette."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pages.figures.palette import contrast, theme

CONFIG = Path(__file__).resolve().parent.parent / ".streamlit/config.toml"
ROLE_OF_COLOUR = {
    "blue": "query",
    "orange": "key",
    "green": "value",
    "red": "scores",
    "violet": "weights",
    "yellow": "output",
}


def config() -> dict[str, Any]:
    return tomllib.loads(CONFIG.read_text("utf-8"))


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_role_has_one_colour_in_pages_and_figures(name):
    section = config()["theme"][name]
    for colour, role in ROLE_OF_COLOUR.items():
        assert section[f"{colour}Color"] == theme(name).roles[role]
        assert section[f"{colour}TextColor"] == theme(name).roles[role]


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
