"""The page and the view that show a claim."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.text import Translator, mark
from pages.text.claims.every import WHERE
from pages.ui.example import state as example
from pages.ui.lookup import state as lookup
from pages.ui.masks import state as masks
from pages.ui.memory import state as memory
from pages.ui.properties import state as properties
from pages.ui.scaling import state as scaling


@dataclass(frozen=True)
class Target:
    """A page: its script, its icon, its title, and its tabs, all as marked texts."""

    script: str
    icon: str
    title: str
    tabs: dict[str, str]


TARGETS: dict[str, Target] = {
    lookup.PAGE: Target(
        "pages/lookup.py", ":material/manage_search:", mark("Soft lookup"), lookup.TABS
    ),
    example.PAGE: Target(
        "pages/worked_example.py", ":material/calculate:", mark("Worked example"), example.TABS
    ),
    masks.PAGE: Target("pages/masks.py", ":material/visibility_off:", mark("Masks"), masks.TABS),
    scaling.PAGE: Target("pages/scaling.py", ":material/square_foot:", "√d_k", scaling.TABS),
    properties.PAGE: Target(
        "pages/properties.py", ":material/hub:", mark("Properties"), properties.TABS
    ),
    memory.PAGE: Target("pages/memory.py", ":material/database:", mark("Memory"), memory.TABS),
}


def draw(claim: int, t: Translator) -> None:
    """Draw the link to the view that shows a claim; nothing where no page does."""
    if claim not in WHERE:
        return
    page, view = WHERE[claim]
    target = TARGETS[page]
    st.page_link(
        target.script,
        label=t(target.tabs[view["tab"]]),
        icon=target.icon,
        help=t("Claim {claim}: show where it is measured", claim=claim),
        query_params=view,
    )
