"""The words that both figures of cut keys share."""

from __future__ import annotations

from engine.experiments.context.knock import KnockResult
from pages.figures.context.study_words import source_words, study_stem, unknown_words
from pages.text import Translator
from pages.text.context_knock import (
    correlation_words,
    cut_words,
    floor_words,
    query_name,
    tops_words,
    uncut_words,
)


def name_of(result: KnockResult, word: str) -> str:
    """Return the file stem of a figure: ``context-knock-all-MiniLM-L6-v2-T16-token11-L5-H1``."""
    params = result.params
    layer = f"L{params.layer}" if params.scope != "everywhere" else "everywhere"
    head = f"H{params.head}" if params.scope == "head" else ""
    rows = "all" if params.rows == "all" else ""
    parts = (f"token{result.query + 1}", layer, head, rows)
    return study_stem(word, result.study, "shown", *parts)


def note_of(result: KnockResult, t: Translator) -> str:
    """Return where keys are cut, what the effect is, which could not be cut, and the model."""
    token = query_name(result, t)
    return t.sentences(
        cut_words(result.params, token, t),
        t("Effect: how far the last vector of {token} moves, as a share of its length.",
          token=token),
        floor_words(result, t),
        uncut_words(result.study.length - result.measured, t),
        unknown_words(result.study, t),
        source_words(result.study, t),
    )  # fmt: skip


def weight_title(result: KnockResult, t: Translator) -> str:
    """Return what the weights are: of one head, or a mean."""
    if result.params.scope == "head":
        return t("weight on the key")
    if result.params.scope == "layer":
        return t("weight on the key, mean over the heads")
    return t("weight on the key, mean over all heads and layers")


def spoken(result: KnockResult, t: Translator) -> str:
    """Return the correlation and what stands out, for those who cannot see the picture."""
    correlation = t("{title}.", title=correlation_words(result, t))
    return t.sentences(correlation, tops_words(result, t))
