"""What the figures of masks share: labels, file names, and words of the notes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.experiments.masks import MaskSpec
from engine.experiments.masks.inputs import Head, InputParams
from engine.shapes import Array
from pages.figures.ticks import rounded_up
from pages.text import Translator
from pages.text.mask_words import spec_words

_COMMON = 0.99  # share of the numbers that a scale must tell apart
_MOST_NAMED, _MOST_RANGES = 3, 6  # tokens that a sentence names, and ranges of their positions


def labels_of(head: Head, params: InputParams) -> tuple[str, ...]:
    """Return the names of the tokens; random vectors have none beside their positions."""
    return () if params.source == "random" else head.tokens


def spec_stem(spec: MaskSpec) -> str:
    """Return a mask as part of a file name: ``window3-pad4``."""
    pattern = {"window": f"window{spec.window}", "prefix": f"prefix{spec.prefix}"}
    parts = [pattern.get(spec.pattern, spec.pattern)]
    if spec.drawn:
        parts = ["drawn"] if spec.pattern == "none" else [*parts, "drawn"]
    return "-".join(parts + ([] if spec.length is None else [f"pad{spec.length}"]))


def stem(word: str, params: InputParams, head: Head, *specs: MaskSpec) -> str:
    """Return a file stem that says what is inside: ``masks-weights-textbook-T4-none-causal``."""
    parts = ["masks", word, params.source, f"T{len(head.tokens)}"]
    return "-".join([*parts, *map(spec_stem, specs)])


def input_words(params: InputParams, t: Translator) -> str:
    """Return that vectors without a meaning were drawn, where they were."""
    if params.source == "textbook":
        return ""
    if params.source == "sentence":
        return t(
            "The vectors of the words are random (seed {seed}), so the weights say nothing about "
            "their meaning.",
            seed=params.seed,
        )
    return t("The vectors are random (seed {seed}).", seed=params.seed)


def named_tokens(places: Sequence[int], labels: tuple[str, ...], t: Translator) -> str:
    """Return a few positions from 1 with their names, many as ranges: ``5–8, 11``."""
    if labels and len(places) <= _MOST_NAMED:
        return t.listing(
            t("{number} ({label})", number=place + 1, label=labels[place]) for place in places
        )
    return t.listing(_ranges(places))


def _ranges(places: Sequence[int]) -> list[str]:
    """Return rising places as ranges from 1, the first few of many."""
    ends = [place for place in places if place + 1 not in places]
    starts = [place for place in places if place - 1 not in places]
    said = [
        str(first + 1) if first == last else f"{first + 1}–{last + 1}"
        for first, last in zip(starts, ends, strict=True)
    ]
    return said if len(said) <= _MOST_RANGES else [*said[:_MOST_RANGES], "…"]


def empty_words(
    spec: MaskSpec, rows: tuple[int, ...], labels: tuple[str, ...], t: Translator
) -> str:
    """Return which queries may look nowhere under a mask; empty where all see something."""
    if not rows:
        return ""
    words = {"mask": spec_words(spec, t), "queries": named_tokens(rows, labels, t)}
    if len(rows) == 1:
        return t(
            "{mask}: query {queries} may look nowhere, so its weights and its output are 0 here.",
            **words,
        )
    return t(
        "{mask}: queries {queries} may look nowhere, so their weights and outputs are 0 here.",
        **words,
    )


def common_limit(sizes: Array) -> float | None:
    """Return a round number that most sizes do not pass, where it is far below the largest."""
    if not sizes.size:
        return None
    common = float(np.quantile(sizes, _COMMON))
    limit = rounded_up(common) if common > 0 else math.inf
    return limit if limit <= sizes.max() / 2 else None
