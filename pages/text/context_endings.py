"""What to notice in two endings of one sentence, and in keys that are cut out."""

from __future__ import annotations

from engine.experiments.context.endings import EndingsResult
from engine.experiments.context.knock import KnockParams, KnockResult
from pages.figures.context.endings_view import EndingsView
from pages.text.marking import mark
from pages.text.translator import Translator

_SPECIALS = {
    "shown": mark("shown"),
    "hidden": mark("hidden"),
    "renormalised": mark("left out, the rest scaled to add up to 1"),
}


def specials_name(specials: str, t: Translator) -> str:
    """Return what is done with special tokens, as a setting reads."""
    return t(_SPECIALS[specials])


def knock_words(params: KnockParams, t: Translator) -> str:
    """Return where a key is cut, and for whom."""
    return ""


def endings_notices(result: EndingsResult, view: EndingsView, t: Translator) -> list[str]:
    """Return what to notice in two endings."""
    return []


def knock_notices(result: KnockResult, t: Translator) -> list[str]:
    """Return what to notice in keys that are cut out."""
    return []
