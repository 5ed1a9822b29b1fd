"""The figures of padding, of unequal lengths, and of mask mistakes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import OptionError
from engine.experiments.masks.alignment import AlignmentParams, compare_alignments
from engine.experiments.masks.mistakes import (
    VARIANTS,
    Dtype,
    MistakesParams,
    MistakesResult,
    make_mistakes,
)
from engine.experiments.masks.padding import Kind, PaddingParams, compare_padding
from engine.experiments.masks.precision import require_dtype
from pages.figures.masks.alignment import alignment_figure
from pages.figures.masks.mistakes import mistake_weights_figure, mistakes_figure
from pages.figures.masks.padding import padding_figure
from pages.figures.masks.padding_error import padding_error_figure
from pages.gallery.masks import describe_input
from pages.gallery.model import Entry, Idea, NoParams
from pages.text import mark, translator
from pages.text.mask_names import PADDING as PADDING_NAMES
from pages.text.mask_words import spec_words, variant_title

PADDING = "masks-padding"
PADDING_ERROR = "masks-padding-error"
ALIGNMENT = "masks-alignment"
MISTAKES = "masks-mistakes"
MISTAKE_WEIGHTS = "masks-mistake-weights"


@dataclass(frozen=True)
class PaddingView:
    """What the mask hides: padding keys, padding queries, both or nothing."""

    kind: Kind = "keys"


@dataclass(frozen=True)
class MistakeView:
    """Which mistake is looked at, one of ``VARIANTS``, and in which number format."""

    variant: str = "zero-after"
    dtype: Dtype = "float32"


def _describe_padding(
    params: PaddingParams, view: PaddingView, language: str
) -> list[tuple[str, str]]:
    t = translator(language)
    return [
        *((t("Sentence {number}", number=n), s) for n, s in enumerate(params.sentences, 1)),
        (t("Seed"), str(params.seed)),
        ("d_k", str(params.d_k)),
        (t("Causal mask too"), t("yes") if params.causal else t("no")),
        (t("Hidden"), t(PADDING_NAMES[view.kind].hidden)),
    ]


def _describe_alignment(
    params: AlignmentParams, _view: NoParams, language: str
) -> list[tuple[str, str]]:
    t = translator(language)
    sizes = f"T = {params.T}, S = {params.S}, d_k = {params.d_k}"
    return [(t("Sizes"), sizes), (t("Seed"), str(params.seed))]


def _describe_mistakes(
    params: MistakesParams, view: MistakeView, language: str
) -> list[tuple[str, str]]:
    t = translator(language)
    return [
        *describe_input(params, t),
        (t("Mask that is meant"), spec_words(params.mask, t)),
        (t("Number format"), view.dtype),
        (t("Mistake"), variant_title(view.variant, t)),
    ]


def _check_mistake(result: MistakesResult, view: MistakeView) -> None:
    require_dtype(view.dtype, result.backend_name)
    if view.variant not in VARIANTS:
        raise OptionError(
            "{name} must be one of {allowed}, got {value}.",
            name="variant",
            allowed=", ".join(VARIANTS),
            value=view.variant[:60],
        )


PADDING_IDEA = Idea(
    name="mask_padding",
    title=mark("Padding in a batch"),
    params=PaddingParams,
    view=PaddingView,
    run=lambda params, backend, _progress: compare_padding(params, backend=backend),
    entries=(
        Entry(
            PADDING,
            mark("Three sentences in one batch"),
            lambda result, view, style: padding_figure(result, style, view.kind),
            ("kind",),
        ),
        Entry(
            PADDING_ERROR,
            mark("What padding does to real tokens"),
            lambda result, _view, style: padding_error_figure(result, style),
        ),
    ),
    describe=_describe_padding,
)

ALIGNMENT_IDEA = Idea(
    name="mask_alignment",
    title=mark("Causal masks for unequal lengths"),
    params=AlignmentParams,
    view=NoParams,
    run=lambda params, backend, _progress: compare_alignments(params, backend=backend),
    entries=(
        Entry(
            ALIGNMENT,
            mark("A causal mask aligned upper-left and lower-right"),
            lambda result, _view, style: alignment_figure(result, style),
        ),
    ),
    describe=_describe_alignment,
)

MISTAKES_IDEA = Idea(
    name="mask_mistakes",
    title=mark("Mask mistakes"),
    params=MistakesParams,
    view=MistakeView,
    run=lambda params, backend, _progress: make_mistakes(params, backend=backend),
    entries=(
        Entry(
            MISTAKES,
            mark("Mask mistakes, measured"),
            lambda result, view, style: mistakes_figure(result, style, view.variant, view.dtype),
            ("variant", "dtype"),
            _check_mistake,
        ),
        Entry(
            MISTAKE_WEIGHTS,
            mark("One mask mistake beside the right weights"),
            lambda result, view, style: mistake_weights_figure(
                result, style, view.variant, view.dtype
            ),
            ("variant", "dtype"),
            _check_mistake,
        ),
    ),
    describe=_describe_mistakes,
)
