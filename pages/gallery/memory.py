"""The figures of memory as it is predicted: bytes, tokens that fit, operations."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.memory.budgets import budget_of
from engine.experiments.memory.predicted import Params, Result, run, with_preset
from engine.experiments.memory.presets import preset_named
from pages.figures.figure import Figure, Style
from pages.figures.memory.bytes import bytes_figure
from pages.figures.memory.devices import devices_figure
from pages.figures.memory.fits import fits_figure
from pages.figures.memory.ladder import ladder_figure
from pages.figures.memory.operations import operations_figure
from pages.figures.memory.published import published_figure
from pages.figures.memory.tensors import tensors_figure
from pages.gallery.model import Described, Entry, Idea
from pages.text import Translator, mark, translator
from pages.text.memory_words import budget_words, mode_words, shape_words

BYTES = "memory-bytes"
TENSORS = "memory-tensors"
FITS = "memory-fits"
DEVICES = "memory-devices"
LADDER = "memory-ladder"
OPERATIONS = "memory-operations"
PUBLISHED = "memory-published"


@dataclass(frozen=True)
class MemoryView:
    """Every figure shows all of its result: there is nothing to choose."""


def _published(_result: Result, _view: MemoryView, style: Style) -> Figure:
    return published_figure(style)


def _describe(params: Params, _view: MemoryView, language: str) -> Described:
    t = translator(language)
    return [
        (t("Model"), shape_words(params.shape, t)),
        (t("Tokens, T"), f"{params.T:,}"),
        (t("Batch"), f"{params.batch:,}"),
        (t("Number format"), params.dtype),
        (t("Mode"), mode_words(params.mode, t)),
        *_kept(params, t),
        (t("Block"), f"{params.block:,}"),
        (t("Window"), f"{params.window:,}"),
        (t("Devices"), f"{params.devices:,}"),
        (t("Budget"), budget_words(budget_of(params.budget), t)),
        (t("Budgets compared"), t.listing(_amounts(params, t))),
    ]


def _kept(params: Params, t: Translator) -> Described:
    """Return whether keys and values are kept, where that matters, and the parameters."""
    words = {True: t("counted"), False: t("not counted")}
    cache = [(t("KV cache"), words[params.cache])] if params.mode == "inference" else []
    return [*cache, (t("Parameters"), words[params.weights])]


def _amounts(params: Params, t: Translator) -> list[str]:
    return [budget_words(budget_of(gib), t) for gib in params.budgets]


IDEA = Idea(
    name="memory",
    title=mark("Memory, predicted"),
    params=Params,
    view=MemoryView,
    run=lambda params, _backend, progress: run(params, progress=progress),
    entries=(
        Entry(
            BYTES,
            mark("Bytes against T, with budgets"),
            lambda result, _view, style: bytes_figure(result, style),
        ),
        Entry(
            TENSORS,
            mark("Which tensors take the memory"),
            lambda result, _view, style: tensors_figure(result, style),
        ),
        Entry(
            FITS,
            mark("The most tokens that fit a budget"),
            lambda result, _view, style: fits_figure(result, style),
        ),
        Entry(
            DEVICES,
            mark("The most tokens that fit on N devices"),
            lambda result, _view, style: devices_figure(result, style),
        ),
        Entry(
            LADDER,
            mark("One matrix of scores, and all of them"),
            lambda result, _view, style: ladder_figure(result, style),
        ),
        Entry(
            OPERATIONS,
            mark("Operations against T"),
            lambda result, _view, style: operations_figure(result, style),
        ),
        Entry(PUBLISHED, mark("Published figures beside ours"), _published),
    ),
    describe=_describe,
    readers={"preset": lambda name: with_preset(Params(), preset_named(name.strip()))},
    backend="numpy",
)
