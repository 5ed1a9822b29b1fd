"""Pairs of sentences in which one word decides who a pronoun is.

The first is the texts' own; the trophy and the councilmen come from the Winograd schema challenge
(Levesque, Davis and Morgenstern, 2012; the councilmen from Winograd, 1972).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Two texts that differ in one word, and who is meant in each.

    Attributes
    ----------
    name : str
    first, second : str
    query : str
        The pronoun.
    one : str
        Who is meant in the first text.
    other : str
        Who is meant in the second text.
    """

    name: str
    first: str
    second: str
    query: str
    one: str
    other: str


PAIRS = (
    Pair(
        "animal",
        "The animal didn't cross the street because it was too tired.",
        "The animal didn't cross the street because it was too wide.",
        "it",
        "animal",
        "street",
    ),
    Pair(
        "trophy",
        "The trophy doesn't fit in the suitcase because it is too big.",
        "The trophy doesn't fit in the suitcase because it is too small.",
        "it",
        "trophy",
        "suitcase",
    ),
    Pair(
        "councilmen",
        "The city councilmen refused the demonstrators a permit because they feared violence.",
        "The city councilmen refused the demonstrators a permit because they advocated violence.",
        "they",
        "councilmen",
        "demonstrators",
    ),
    # In English models' vocabularies few Chinese characters are known: of the adjectives, these.
    Pair(
        "chinese",
        "奖杯放不进箱子，因为它太大了。",
        "奖杯放不进箱子，因为它太小了。",
        "它",
        "奖杯",
        "箱子",
    ),
)
# The texts' sentence in Chinese; with 宽 in place of 累 MiniLM reads the very same pieces.
CHINESE = "那只动物没有过街，因为它太累了。"
RECORDED = (*(text for pair in PAIRS for text in (pair.first, pair.second)), CHINESE)


def pair_of(*texts: str) -> Pair | None:
    """Return the pair that all the texts belong to; None where there is none."""
    return next((pair for pair in PAIRS if {*texts} <= {pair.first, pair.second}), None)
