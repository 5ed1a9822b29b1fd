"""The page and the view that show a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from pages.text import Translator, mark
from pages.text.claims.every import WHERE
from pages.ui.choice_store import ChoiceStore
from pages.ui.example import state as example
from pages.ui.link_fields import Names, Whole
from pages.ui.lookup import link_state as lookup_link
from pages.ui.lookup import state as lookup
from pages.ui.masks import link_state as masks_link
from pages.ui.masks import state as masks
from pages.ui.memory import link_state as memory_link
from pages.ui.memory import state as memory
from pages.ui.properties import link_state as properties_link
from pages.ui.properties import state as properties
from pages.ui.scaling import link_state as scaling_link
from pages.ui.scaling import state as scaling


@dataclass(frozen=True)
class Target:
    """A page that shows claims.

    Attributes
    ----------
    script, icon, title : str
        As `app` has them; the title is a marked text.
    tabs : Mapping
        The marked titles of its tabs.
    store : ChoiceStore
        What the reader chose there.
    names : Mapping
        How its choices stand in an address.
    inputs : Mapping
        Of each tab, the choices that its numbers depend on.
    """

    script: str
    icon: str
    title: str
    tabs: Mapping[str, str]
    store: ChoiceStore
    names: Names
    inputs: Mapping[str, Sequence[str]]

    def usual(self, tab: str) -> dict[str, str]:
        """Return the address of the usual input of a tab.

        A link changes what it names, so it names all of this: the reader may have been there before
        and chosen something else.
        """
        wanted = self.inputs.get(tab, ())
        found = {}
        for name, (choice, kind) in self.names.items():
            default = self.store.defaults[choice]
            if choice in wanted and not _is_the_pages_own(default, kind):
                found[name] = kind.write(default)
        return {name: text for name, text in found.items() if text is not None}


def _is_the_pages_own(default: object, kind: object) -> bool:
    """Return whether a usual value leaves the choice to the page, which no address can ask for."""
    return isinstance(kind, Whole) and not kind.least <= int(str(default)) <= kind.most


TARGETS: dict[str, Target] = {
    lookup.PAGE: Target(
        "pages/lookup.py",
        ":material/manage_search:",
        mark("Soft lookup"),
        lookup.TABS,
        lookup.STORE,
        lookup_link.NAMES,
        lookup.OF_TAB,
    ),
    example.PAGE: Target(
        "pages/worked_example.py",
        ":material/calculate:",
        mark("Worked example"),
        example.TABS,
        example.STORE,
        {},
        {},
    ),
    masks.PAGE: Target(
        "pages/masks.py",
        ":material/visibility_off:",
        mark("Masks"),
        masks.TABS,
        masks.STORE,
        masks_link.NAMES,
        dict.fromkeys(masks.TABS, masks.OF_TEXTBOOK),
    ),
    scaling.PAGE: Target(
        "pages/scaling.py",
        ":material/square_foot:",
        "√d_k",
        scaling.TABS,
        scaling.STORE,
        scaling_link.NAMES,
        scaling.OF_TAB,
    ),
    properties.PAGE: Target(
        "pages/properties.py",
        ":material/hub:",
        mark("Properties"),
        properties.TABS,
        properties.STORE,
        properties_link.NAMES,
        properties.OF_TAB,
    ),
    memory.PAGE: Target(
        "pages/memory.py",
        ":material/database:",
        mark("Memory"),
        memory.TABS,
        memory.STORE,
        memory_link.NAMES,
        memory.OF_TAB,
    ),
}


@lru_cache(maxsize=32)
def address(claim: int) -> dict[str, str]:
    """Return what stands in the address of the view that shows a claim."""
    page, view = WHERE[claim]
    return TARGETS[page].usual(view["tab"]) | view


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
        query_params=address(claim),
    )
