"""The figures of time and memory, measured on the machine that draws them."""

from __future__ import annotations

from engine.experiments.memory import chunked, head_sizes, measured
from engine.experiments.memory.chunked import Chunked, ChunkedParams
from engine.experiments.memory.head_sizes import HeadSizeParams, HeadSizeResult
from engine.experiments.memory.measured import MeasuredParams, MeasuredResult
from pages.figures.memory.head_sizes import head_peak_figure, head_time_figure
from pages.figures.memory.measured import peak_figure, ratio_figure, time_figure
from pages.gallery.kept_results import Kept
from pages.gallery.model import Described, Entry, Idea, NoParams
from pages.text import Translator, mark, translator

TIME = "memory-measured-time"
PEAK = "memory-measured-peak"
RATIO = "memory-measured-ratio"
HEAD_TIME = "memory-head-size-time"
HEAD_PEAK = "memory-head-size-peak"

# They take seconds, and all figures of a file show the same measurement.
MEASURED: Kept[MeasuredParams, MeasuredResult] = Kept(
    lambda params, backend, progress: measured.run(params, backend=backend, progress=progress), 4
)
SWEPT: Kept[HeadSizeParams, HeadSizeResult] = Kept(
    lambda params, backend, progress: head_sizes.run(params, backend=backend, progress=progress), 4
)
CHUNKED: Kept[ChunkedParams, Chunked] = Kept(
    lambda params, backend, _progress: chunked.compare(params, backend=backend), 4
)


def _describe(params: MeasuredParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        (t("Values of T"), t.listing(f"{T:,}" for T in sorted(params.Ts))),
        ("d_k", str(params.d_k)),
        *_shared(params, t),
    ]


def _describe_heads(params: HeadSizeParams, _view: NoParams, language: str) -> Described:
    t = translator(language)
    return [
        (t("Values of d_k"), t.listing(sorted(params.d_ks))),
        ("T", f"{params.T:,}"),
        *_shared(params, t),
    ]


def _shared(params: MeasuredParams | HeadSizeParams, t: Translator) -> Described:
    return [
        (t("Heads, H"), str(params.heads)),
        (t("Batch, B"), str(params.batch)),
        (t("Numbers"), params.dtype),
        (t("Causal mask"), t("yes") if params.causal else t("no")),
        (t("Repeats"), str(params.repeats)),
        (t("Seed"), str(params.seed)),
    ]


MEASURED_IDEA = Idea(
    name="memory_measured",
    title=mark("Time and memory, measured"),
    params=MeasuredParams,
    view=NoParams,
    run=MEASURED,
    entries=(
        Entry(
            TIME,
            mark("Time of attention against T, measured"),
            lambda result, _view, style: time_figure(result, style),
        ),
        Entry(
            PEAK,
            mark("Peak memory of attention against T, measured and predicted"),
            lambda result, _view, style: peak_figure(result, style),
        ),
        Entry(
            RATIO,
            mark("Measured over predicted peak memory, against T"),
            lambda result, _view, style: ratio_figure(result, style),
        ),
    ),
    describe=_describe,
)

HEADS_IDEA = Idea(
    name="memory_head_sizes",
    title=mark("Head sizes, measured"),
    params=HeadSizeParams,
    view=NoParams,
    run=SWEPT,
    entries=(
        Entry(
            HEAD_TIME,
            mark("Time for each pair and component against the head size"),
            lambda result, _view, style: head_time_figure(result, style),
        ),
        Entry(
            HEAD_PEAK,
            mark("Peak memory against the head size"),
            lambda result, _view, style: head_peak_figure(result, style),
        ),
    ),
    describe=_describe_heads,
)
