"""The page and the view that show a claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.text import Translator, mark
from pages.text.claims.every import WHERE
from pages.ui.choice_store import ChoiceStore
from pages.ui.claims import state
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

    def show(self, claim: int, view: Mapping[str, str]) -> None:
        """Give the tab of a view its usual input, and choose what the view does; in a callback.

        The reader may have been there before and chosen something else; what the claim does not
        need stays.
        """
        chosen = {choice: kind.read(name, view[name])
                  for name, (choice, kind) in self.names.items() if name in view}  # fmt: skip
        tab = self.tab(view)
        self.store.put_usual(
            *self.inputs.get(tab, ()), *LOOKED_AT.get(claim, ()), **{"tab": tab} | chosen
        )


# What a claim looks at in its usual way, beside the input.
LOOKED_AT = {2: ("temperature",), 3: ("measure",), 13: ("dtype",), 15: ("side",)}
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


def draw(claim: int, t: Translator) -> None:
    """Draw the way to the view that shows a claim; nothing where no page does."""
    if claim not in WHERE:
        return
    page, view = WHERE[claim]
    target = TARGETS[page]
    if st.button(
        t(target.tabs[target.tab(view)]),
        key=state.key(f"show.{claim}"),
        type="tertiary",
        icon=target.icon,
        help=t("Claim {claim}: show where it is measured", claim=claim),
        on_click=target.show,
        args=(claim, view),
    ):
        st.switch_page(target.script, query_params=view)
