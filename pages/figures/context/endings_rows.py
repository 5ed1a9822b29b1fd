"""Which rows the table of two endings has: shared tokens, what is left of them, what differs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from engine.experiments.context.endings import EndingsResult
from engine.shapes import Array
from pages.figures.context.look import strongest
from pages.text import Translator
from pages.text.context_names import is_numbered, own_words, token_names


@dataclass(frozen=True)
class Row:
    """One row: a shared token, several of them together, or what one text has alone."""

    name: str
    first: float
    second: float
    role: str = ""
    quiet: bool = False
    plain: bool = False

    @property
    def change(self) -> float:
        """What the second text gives more."""
        return self.second - self.first


@dataclass(frozen=True)
class Plan:
    """The rows that are drawn, and how many shared tokens there are, are shown and are numbered."""

    rows: tuple[Row, ...]
    shared: int
    shown: int
    numbered: int


def planned(result: EndingsResult, where: tuple[int, int], most: int, t: Translator) -> Plan:
    """Return the rows that fit: all shared tokens, or the strongest and the sum of the others.

    Parameters
    ----------
    result : EndingsResult
    where : (int, int)
        Layer and head from 0.
    most : int
        Rows for which there is room.
    t : Translator
    """
    rows, rest = result.rows[:, *where], result.rest[:, *where]
    own = _own_places(result)
    alone = [_quiet(_alone_name(result, t), rest)] if any(own) else []
    count, room = len(result.shared), max(2, most - len(alone))
    roles = _roles(result)
    strength = rows.max(axis=0) + np.abs(rows[0] - rows[1])
    shown = strongest(strength, count if count <= room else room - 1, tuple(roles))
    names = token_names(result.first)
    first = [result.shared[place][0] for place in shown]
    drawn = [
        Row(names[token], float(rows[0, place]), float(rows[1, place]), roles.get(place, ""))
        for place, token in zip(shown, first, strict=True)
    ]
    begin = sum(_comes_before(result, place, own) for place in shown)
    drawn[begin:begin] = alone
    if len(shown) < count:
        sums = np.delete(rows, shown, axis=1).sum(axis=1)
        drawn.append(replace(_quiet(_others_name(count - len(shown), t), sums), plain=True))
    numbered = sum(is_numbered(names[token], result.first, token) for token in first)
    return Plan(tuple(drawn), count, len(shown), numbered)


def _quiet(name: str, weights: Array) -> Row:
    """Return a row of several tokens together."""
    return Row(name, float(weights[0]), float(weights[1]), quiet=True)


def _roles(result: EndingsResult) -> dict[int, str]:
    """Return which of the shared tokens are set apart, by the colour of which role."""
    wanted = ((result.one, "key"), (result.other, "key"), (result.query, "query"))
    return {result.shared.index(at): role for at, role in wanted if at in result.shared}


def _own_places(result: EndingsResult) -> tuple[list[int], list[int]]:
    """Return the tokens that only one text has, special ones apart where these are left out."""
    return _own(result, 0), _own(result, 1)


def _own(result: EndingsResult, side: int) -> list[int]:
    study = (result.first, result.second)[side]
    shared, shown = {places[side] for places in result.shared}, result.params.specials == "shown"
    return [
        place
        for place in range(study.length)
        if place not in shared and (shown or not study.special[place])
    ]


def _comes_before(result: EndingsResult, place: int, own: tuple[list[int], list[int]]) -> bool:
    """Return whether a shared token stands before what the texts do not share."""
    return all(result.shared[place][side] < min(own[side], default=10**9) for side in (0, 1))


def _alone_name(result: EndingsResult, t: Translator) -> str:
    words = own_words(result)
    return t("not shared") if words is None else f"{words[0]} / {words[1]}"


def _others_name(count: int, t: Translator) -> str:
    return t("1 other") if count == 1 else t("{count} others", count=count)
