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

    def named(self, view: Mapping[str, str]) -> dict[str, object]:
        """Return the choices that a view names."""
        return {choice: kind.read(name, view[name])
                for name, (choice, kind) in self.names.items() if name in view}  # fmt: skip

    def needed(self, claim: int, view: Mapping[str, str]) -> tuple[str, ...]:
        """Return the choices that must be as usual for a view to show a claim."""
        needed = ("tab", *self.inputs.get(self.tab(view), ()), *LOOKED_AT.get(claim, ()))
        return tuple(choice for choice in needed if choice not in self.named(view))

    def is_usual(self, claim: int, view: Mapping[str, str]) -> bool:
        """Return whether the reader has left those choices as they are."""
        return all(
            self.store.get(choice) == self.store.defaults[choice]
            for choice in self.needed(claim, view)
        )

    def make_usual(self, claim: int, view: Mapping[str, str]) -> None:
        """Make those choices as usual, and the others as the view names them; in a callback."""
        self.store.put_usual(*self.needed(claim, view), **self.named(view))


_WAY = state.key("way")
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
    """Draw the way to the view that shows a claim; nothing where no page does.

    It is a link. A link changes what it names and nothing else, so where the reader has chosen
    another input on that page, it is a button, which chooses the usual one.
    """
    if claim not in WHERE:
        return
    page, view = WHERE[claim]
    target = TARGETS[page]
    label = t(target.tabs[target.tab(view)])
    if target.is_usual(claim, view):
        st.page_link(target.script, label=label, icon=target.icon, query_params=view)
    else:
        st.button(
            label,
            key=state.key(f"show.{claim}"),
            type="tertiary",
            icon=target.icon,
            on_click=_make_usual,
            args=(claim,),
        )


def _make_usual(claim: int) -> None:
    """Choose the usual input of the page that shows a claim, and go there; a callback."""
    page, view = WHERE[claim]
    TARGETS[page].make_usual(claim, view)
    st.session_state[_WAY] = claim


def go() -> None:
    """Go where a button of the run before leads; the page calls this first."""
    claim = st.session_state.pop(_WAY, None)
    if claim is not None:
        page, view = WHERE[claim]
        st.switch_page(TARGETS[page].script, query_params=view)
