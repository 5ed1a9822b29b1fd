"""The page and the view that show a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.text import Translator, mark
from pages.text.claims.every import WHERE
from pages.ui import settings
from pages.ui.choice_store import ChoiceStore
from pages.ui.context import link_state as context_link
from pages.ui.context import state as context
from pages.ui.example import state as example
from pages.ui.link_fields import Names, Word
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

    def tab(self, view: Mapping[str, str]) -> str:
        """Return the tab of a view."""
        return view.get("tab", str(self.store.defaults["tab"]))

    def named(self, view: Mapping[str, str]) -> dict[str, object]:
        """Return the choices that a view names."""
        return {choice: kind.read(name, view[name])
                for name, (choice, kind) in self.names.items() if name in view}  # fmt: skip

    def needed(self, claim: int, view: Mapping[str, str]) -> tuple[str, ...]:
        """Return the choices that must be as usual for a view to show a claim."""
        needed = ("tab", *self.inputs.get(self.tab(view), ()), *LOOKED_AT.get(claim, ()))
        return tuple(choice for choice in needed if choice not in self.named(view))

    def query(self, claim: int, view: Mapping[str, str]) -> dict[str, str]:
        """Return what a link names: the view, and whatever the reader has changed on that page.

        What the claim needs gets its usual value, the rest keeps its own. That is the address as
        the page then writes it: any other would be one more entry of the browser's history between
        the ledger and the view.
        """
        needed, usual = self.needed(claim, view), self.store.defaults
        changed = {
            name: kind.write(usual[choice] if choice in needed else self.store.get(choice))
            for name, (choice, kind) in self.names.items()
            if self.store.get(choice) != usual[choice]
        }
        return {name: text for name, text in changed.items() if text is not None} | dict(view)


# What a claim looks at in its usual way, beside the input.
LOOKED_AT = {2: ("temperature",), 3: ("measure",), 15: ("side",)}
# Which token moves and which one looks changes no number of a claim, and has no usual address.
_OF_ORDER = tuple(each for each in properties.OF_TAB["order"] if each not in ("query", "moved"))
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
        {
            "tab": ("tab", Word(tuple(example.TABS))),
            "claim": ("printed_claim", Word(example.CLAIMS)),
        },
        {"printed": ("printed_claim",)},
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
        {**properties.OF_TAB, "order": _OF_ORDER},
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
    context.PAGE: Target(
        "pages/context.py",
        ":material/person_search:",
        mark("Who is it?"),
        context.TABS,
        context.STORE,
        context_link.NAMES,
        context.OF_TAB,
    ),
}


def draw(claim: int, t: Translator) -> None:
    """Draw the link to the view that shows a claim."""
    page, view = WHERE[claim]
    target = TARGETS[page]
    st.page_link(
        target.script,
        label=t(target.tabs[target.tab(view)]),
        icon=target.icon,
        query_params=settings.with_choices(target.query(claim, view)),
    )
