"""Says which outputs moved when the reader changed one token."""

from __future__ import annotations

import streamlit as st

from engine.experiments.influence import Movement
from engine.experiments.worked_example import Result
from pages.figures.numerals import number
from pages.text import Translator


def say(result: Result, movement: Movement | None, decimals: int, t: Translator) -> None:
    """Say which outputs moved when the reader changed one token."""
    if movement is None:
        return
    moved = [index for index, size in enumerate(movement.moves) if size > 0]
    others = [index for index in moved if index != movement.token]
    changed = f"x{movement.token + 1}"
    if others:
        first = others[0]
        text = t(
            "You changed {token} alone, and {count} of {total} outputs moved: output {other} by "
            "up to {size}, although x{other} stayed as it was.",
            token=changed,
            count=len(moved),
            total=len(movement.moves),
            other=first + 1,
            size=readable(movement.moves[first], decimals),
        )
    elif result.params.context is not None:
        text = t(
            "You changed {token}, and no other output moved: in cross-attention the other "
            "queries look at C, not at X.",
            token=changed,
        )
    else:
        text = t("You changed {token}, and no other output moved.", token=changed)
    hides = result.params.causal and result.params.context is None
    if hides and movement.token > 0 and not any(movement.moves[: movement.token]):
        hidden = t(
            "Outputs before position {position} cannot see it: the causal mask hides it.",
            position=movement.token + 1,
        )
        text = t.sentences(text, hidden)
    st.info(text, icon=":material/bolt:")


def readable(size: float, decimals: int) -> str:
    """Return a size that is not zero so that it does not read as zero."""
    return number(size, decimals) if round(size, decimals) else f"{size:.1e}"
