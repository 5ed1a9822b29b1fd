"""The masks page in the address bar: read from a link, written after every run."""

from __future__ import annotations

from dataclasses import dataclass

from engine import OptionError
from engine.experiments.masks.alignment import MOST_SIDE
from engine.experiments.masks.inputs import LEAST_RANDOM, MOST_TOKENS
from engine.experiments.masks.mistakes import DTYPES, VARIANTS
from engine.experiments.masks.padding import KINDS
from engine.experiments.masks.spec import MOST_DRAWN
from pages.ui import link_fields, messages, token_source
from pages.ui.link_fields import Kind, LongText, Names, Switch, Whole, Word
from pages.ui.masks import state
from pages.ui.masks.drawing_text import is_square


@dataclass(frozen=True)
class Drawing:
    """A mask drawn by hand."""

    def read(self, name: str, text: str) -> str | None:
        """Return the drawing, or None, which is then said."""
        if is_square(text, MOST_DRAWN):
            return text
        messages.keep(
            OptionError(
                "The address asks for {name} = {value}, but a drawing has 1 to {most} rows, as "
                "many 0 or 1 in each row as there are rows, and / between them, such as 10/11. "
                "The usual value is shown instead.",
                name=name,
                value=text[:24],
                most=MOST_DRAWN,
            )
        )
        return None

    def write(self, value: object) -> str | None:
        """Return the drawing; None where there is none."""
        return str(value) or None


def _of_mask(side: state.SideName) -> dict[str, tuple[str, Kind]]:
    return {
        side: (f"{side}_pattern", Word(tuple(state.PATTERNS))),
        f"{side}_window": (f"{side}_window", Whole(1, MOST_TOKENS)),
        f"{side}_prefix": (f"{side}_prefix", Whole(0, MOST_TOKENS)),
        f"{side}_padding": (f"{side}_padded", Switch()),
        f"{side}_length": (f"{side}_length", Whole(1, MOST_TOKENS)),
        f"{side}_drawn": (f"{side}_drawn", Drawing()),
    }


# Address name -> (choice, how it is read and written).
NAMES: Names = {
    "tab": ("tab", Word(tuple(state.TABS))),
    **token_source.link_names(LEAST_RANDOM, MOST_TOKENS),
    **_of_mask("a"),
    **_of_mask("b"),
    "families": ("families", Switch()),
    "side": ("side", Word(state.SIDES)),
    "step": ("step", Whole(1, MOST_TOKENS)),
    "hide": ("kind", Word(KINDS)),
    "causal": ("causal", Switch()),
    **{name: (name, LongText(token_source.LONGEST_TEXT)) for name in state.SENTENCES},
    "queries": ("queries", Whole(1, MOST_SIDE)),
    "keys": ("keys", Whole(1, MOST_SIDE)),
    "dtype": ("dtype", Word(DTYPES)),
    "mistake": ("variant", Word(VARIANTS)),
    "decimals": ("decimals", Whole(*state.DECIMALS)),
}


def restore() -> None:
    """Take over what the address says, when it says something new."""
    link_fields.restore(state.PAGE, state.STORE, NAMES)


def publish() -> None:
    """Write the view into the address."""
    link_fields.publish(state.PAGE, state.STORE, NAMES)
