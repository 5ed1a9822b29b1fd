"""Every figure of predicted memory: nothing lost, and every number drawn where it belongs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import fields, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, get_args

import altair as alt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.experiments.memory.budgets import Budget
from engine.experiments.memory.predicted import METHODS, MOST_T, Params, Result, run, with_preset
from engine.experiments.memory.presets import PRESETS, preset_named
from pages.export import slide_bytes, slide_of
from pages.export.table import to_csv
from pages.figures.figure import Figure, LanguageCode, SizeName, Style, ThemeName
from pages.figures.memory.bytes import bytes_figure
from pages.figures.memory.common import (
    DRAWN,
    growth,
    method_colour,
    method_kind,
    method_width,
    near_from,
)
from pages.figures.memory.devices import devices_figure
from pages.figures.memory.fits import fits_figure
from pages.figures.memory.ladder import ladder_figure
from pages.figures.memory.operations import operations_figure
from pages.figures.memory.published import published_figure
from pages.figures.memory.tensors import tensors_figure
from pages.gallery import prepare
from pages.gallery.memory import IDEA, MemoryView
from pages.text import translator
from pages.text.memory_words import bytes_words, tensor_words, tokens_words
from tests import pptx_structure
from tests.figure_marks import cells, texts
from tests.test_figures_masks import wrong_with
from tests.test_figures_plot import outside, pieces

SIZES, LANGUAGES, THEMES = get_args(SizeName), get_args(LanguageCode), get_args(ThemeName)
T = translator("en")
UNITS = {name: 1024**power for power, name in enumerate(("B", "KiB", "MiB", "GiB", "TiB", "PiB"))}
NEAR = (16.0, 18.0, 24.0, 32.0, 36.0, 80.0, 96.0, 512.0)
CASES = {
    "default": Params(),
    "near budgets": Params(budgets=NEAR, budget=18.0),
    "training": Params(mode="training", T=100_000, devices=8, weights=True, dtype="float32"),
    "gpt-3": replace(with_preset(Params(), preset_named("gpt-3")), dtype="float32", budget=0.0),
    "bert": with_preset(Params(mode="training"), preset_named("bert-base")),
    "nothing fits": Params(weights=True, budget=1e-9, budgets=(1e-9,)),
    "only some": Params(weights=True, budget=24.0, devices=1024, batch=4096, T=1),
    "no feed-forward": Params(d_ff=0, layers=1, kv_heads=32, cache=False, window=10**9),
    "longest": Params(T=MOST_T, batch=4096, budget=1_048_576.0, budgets=(1_048_576.0,)),
    "smallest": Params(T=1, layers=1, heads=1, kv_heads=1, d_k=1, d_model=1, d_ff=1, window=1,
                       budgets=(0.0001, 0.001, 0.01), budget=0.001),
    "landmark": Params(T=1_000, batch=3, budget=141.0),
}  # fmt: skip
DRAWS = {
    "bytes": bytes_figure, "tensors": tensors_figure, "fits": fits_figure,
    "devices": devices_figure, "ladder": ladder_figure, "operations": operations_figure,
}  # fmt: skip


@lru_cache(maxsize=len(CASES))
def computed(case: str) -> Result:
    return run(CASES[case])


def drawn(case: str, style: Style) -> list[Figure]:
    every = [draw(computed(case), style) for draw in DRAWS.values()]
    return [*every, *([published_figure(style)] if case == "default" else [])]


def rows_of(figure: Figure) -> Any:
    """Return the rows of the table, as numbers and texts."""
    return figure.table.rows


def shown(figure: Figure) -> list[str]:
    return [box.text for box in texts(figure.spec)]


# Every figure -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", CASES)
def test_nothing_is_lost_clipped_small_or_overlapping(case, size):
    style = Style(size=size)
    for figure in drawn(case, style):
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


@pytest.mark.parametrize("size", SIZES)
def test_chinese_figures_fit(size):
    style = Style(language="zh", size=size, theme="dark")
    for figure in [*drawn("default", style), *drawn("training", style)]:
        assert wrong_with(figure, style) == []
        assert outside(figure.spec) == [], figure.name


def test_a_theme_changes_no_place():
    def places(name):
        every = drawn("default", Style(name, size="slide"))
        return [[(box.left, box.top, box.text) for box in texts(each.spec)] for each in every]

    light, dark = map(places, THEMES)
    assert light == dark


def test_every_figure_is_a_valid_specification_with_its_words_and_its_table():
    for case in CASES:
        for figure in drawn(case, Style()):
            assert re.fullmatch(r"memory-[A-Za-z0-9.-]+", figure.name)
            assert figure.title
            assert figure.note.endswith(".")
            assert figure.alt.startswith(figure.title)
            lines = list(csv.reader(io.StringIO(to_csv(figure.table).decode("utf-8-sig"))))
            assert len({len(line) for line in lines}) == 1
            assert len(lines) > 1
            assert "nan" not in json.dumps(figure.spec, allow_nan=False).lower()
    for draw in (bytes_figure, tensors_figure, fits_figure):
        spec = draw(computed("near budgets"), Style()).spec
        alt.LayerChart.from_dict(spec, validate=True)


OTHER: dict[str, Any] = {
    "T": 3_000, "batch": 2, "layers": 33, "heads": 16, "kv_heads": 4, "d_k": 64, "d_model": 2048,
    "d_ff": 0, "gated": False, "dtype": "float32", "mode": "training", "cache": False,
    "block": 64, "window": 100, "budget": 30.0, "budgets": (1.5, 2.0), "devices": 8,
    "weights": True,
}  # fmt: skip


def test_figures_that_differ_have_different_names():
    assert {field.name for field in fields(Params)} == set(OTHER)
    usual = Params()
    asked = [usual, *(replace(usual, **{name: value}) for name, value in OTHER.items()),
             replace(usual, budget=0.0), replace(usual, mode="training", cache=False)]  # fmt: skip
    found: dict[str, str] = {}
    for params in asked:
        result = run(params)
        for draw in DRAWS.values():
            figure = draw(result, Style())
            drawn = json.dumps([figure.note, figure.table.rows, figure.spec])
            assert found.setdefault(figure.name, drawn) == drawn, figure.name


@pytest.mark.parametrize("case", ["smallest", "only some"])
def test_one_thing_is_never_counted_as_many(case):
    many = r"(?<![\d,.])1 (KV )?(heads|layers|sequences|tokens|devices|others)"
    for figure in drawn(case, Style()):
        for text in (*shown(figure), figure.title, figure.note, figure.alt):
            assert not re.search(many, text), text


def test_usual_questions_have_short_names():
    words = {"bytes": "inference-bfloat16-T8192", "tensors": "inference-bfloat16-T8192",
             "fits": "inference-bfloat16", "devices": "inference-bfloat16-24GiB",
             "ladder": "bfloat16-T8192", "operations": "T8192"}  # fmt: skip
    for name, draw in DRAWS.items():
        assert draw(computed("default"), Style()).name == f"memory-{name}-llama-3-8b-{words[name]}"


SAYS: dict[str, tuple[Any, str]] = {
    "weights": (True, "parameters are counted: 13 GiB a device"),
    "cache": (False, "No KV cache is kept"),
    "block": (64, "Block size 64"),
    "window": (100, "window size 100"),
    "devices": (8, "8 devices"),
}
OF_ONE = ("bytes", "tensors", "fits")  # figures that count the devices of the question


@pytest.mark.parametrize("name", SAYS)
def test_what_changes_the_numbers_is_in_the_note(name):
    value, words = SAYS[name]
    for figure in (*OF_ONE, *(("devices",) if name != "devices" else ())):
        other = run(replace(Params(), **{name: value}))
        notes = [DRAWS[figure](result, Style()).note for result in (computed("default"), other)]
        assert [words in note for note in notes] == [False, True], figure


def test_what_several_devices_hold_is_said_of_each_or_of_all():
    result, style = run(Params(devices=8)), Style(size="slide")
    figure = bytes_figure(result, style)
    assert "Bytes are those on each of 8 devices." in figure.note
    assert "Most tokens on 8 devices of 24 GiB: " in figure.note
    assert "memory of each device" in shown(figure)
    assert figure.chart is not None
    assert figure.chart.y_title == "memory of each device (GiB)"
    assert "memory of each device" in shown(fits_figure(result, style))
    assert "all 8 devices together" in ladder_figure(result, style).note
    for draw in (bytes_figure, fits_figure, ladder_figure, tensors_figure):
        alone = draw(computed("default"), style)
        assert not any("device" in text for text in (*shown(alone), alone.note, alone.title))


# Budgets, whatever they are -----------------------------------------------------------------

AMOUNTS = st.lists(
    st.one_of(
        st.sampled_from((8.0, 16.0, 18.0, 24.0, 32.0, 36.0, 48.0, 80.0, 96.0, 141.0)),
        st.floats(-8, 20).map(lambda power: 2.0**power),
    ),
    min_size=1, max_size=8, unique=True,
)  # fmt: skip


@settings(max_examples=40)
@given(AMOUNTS, st.integers(0, 7), st.sampled_from(SIZES))
def test_labels_of_budgets_never_overlap_and_belong_to_their_lines(budgets, place, size):
    params = Params(budgets=tuple(sorted(budgets)), budget=budgets[place % len(budgets)])
    style = Style(size=size)
    result = run(params)
    figure = bytes_figure(result, style)
    assert wrong_with(figure, style) == []
    assert outside(figure.spec) == []
    assert wrong_with(fits_figure(result, style), style) == []
    wanted = [bytes_words(budget, T) for budget in sorted({int(gib * 2**30) for gib in budgets})]
    right = max(x for line in lines_of(figure, horizontal=True) for x, _ in line)
    labels = sorted(
        (box for box in texts(figure.spec) if box.left > right and box.text in wanted),
        key=lambda box: -box.top,
    )
    assert [box.text for box in labels] == wanted


def lines_of(figure: Figure, *, horizontal: bool) -> list[list[tuple[float, float]]]:
    """Return the grid lines, longest first."""
    found = [
        re.fullmatch(r"M([\d.]+),([\d.]+)H([\d.]+)", row["path"])
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
    ]
    assert horizontal
    return [[(float(m[1]), float(m[2])), (float(m[3]), float(m[2]))] for m in found if m]


# Where things stand -------------------------------------------------------------------------


def parsed(text: str) -> float:
    value, unit = text.split(" ")
    return float(value.replace(",", "")) * UNITS[unit]


def scale_of(figure: Figure, axis: str) -> tuple[float, float]:
    """Return pixel = a + b * log2(value), read off the tick labels of an axis."""
    pattern = r"[\d,]+ [KMGTP]?i?B" if axis == "y" else r"10*(,000)*"
    align = "right" if axis == "y" else "center"
    found = [
        (math.log2(parsed(row["text"]) if axis == "y" else float(row["text"].replace(",", ""))),
         row[axis])
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == align
        for row in layer["data"]["values"]
        if re.fullmatch(pattern, row["text"]) and row["size"] in (12, 18)
    ]  # fmt: skip
    found = [each for each in found if axis == "y" or each[0] > math.log2(50)]
    (low, start), *_, (high, end) = sorted(found)
    slope = (end - start) / (high - low)
    return start - slope * low, slope


def curve_of(figure: Figure, colour: str) -> list[tuple[float, float]]:
    """Return the longest solid line in a colour."""
    found = [
        points
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
        if row["stroke"] == colour and re.fullmatch(r"[ML\d.,\s-]+", row["path"])
        for points in pieces(row["path"])
    ]
    return max(found, key=len)


def cost(params: Params, method: str, T: int) -> int:
    """Return the bytes of inference on one device, from the shapes."""
    size = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}[params.dtype]
    B, H, K, D = params.batch, params.heads, params.kv_heads, params.d_k
    kept = params.layers if params.cache else 1
    query = 2 * B * H * T * D * size
    block, window = min(params.block, T), min(params.window, T)
    if method == "materialised":
        return query + 2 * kept * B * K * T * D * size + 2 * B * H * T * T * size
    if method == "window":
        others = 2 * (kept - 1) * B * K * window * D * size
        return query + 2 * B * K * T * D * size + others + 2 * B * H * T * window * size
    blocks = 2 * B * H * block * block * size + B * H * block * 2 * max(4, size)
    return query + 2 * kept * B * K * T * D * size + (blocks if method == "blocked" else 0)


@pytest.mark.parametrize("case", ["default", "landmark", "no feed-forward"])
def test_the_table_holds_the_bytes_of_an_independent_calculation(case):
    params, table = CASES[case], bytes_figure(computed(case), Style()).table
    assert table.columns == ("T", *(f"{method} (bytes)" for method in METHODS))
    rows: Any = table.rows
    for n, *amounts in rows:
        assert amounts == [cost(params, method, n) for method in METHODS]


@pytest.mark.parametrize("size", SIZES)
def test_lines_and_rings_stand_on_their_logarithms(size):
    style, result = Style(size=size), computed("default")
    figure = bytes_figure(result, style)
    (a, b), (c, d) = scale_of(figure, "x"), scale_of(figure, "y")
    for method in ("materialised", "fused"):
        line = curve_of(figure, method_colour(method, style))
        Ts = result.curves[0].Ts
        assert len(line) == len(Ts)
        for (x, y), n in zip(line, Ts, strict=True):
            assert x == pytest.approx(a + b * math.log2(n), abs=1.5)
            assert y == pytest.approx(c + d * math.log2(cost(result.params, method, n)), abs=0.2)
    rings = rings_of(figure)
    assert len(rings) == len(METHODS)
    for x, y in rings:
        assert y == pytest.approx(c + d * math.log2(24 * 2**30), abs=0.2)
        # The number of tokens at the ring fits, and a little to the right none would.
        assert any(abs(x - (a + b * math.log2(largest(result.params, m)))) < 1.5 for m in METHODS)


def rings_of(figure: Figure) -> list[tuple[float, float]]:
    """Return the middles of the circles with an outline that is as thick as a line."""
    background = figure.spec["background"]
    found = []
    for layer in figure.spec["layer"]:
        for row in layer["data"]["values"]:
            start = re.match(r"M([\d.]+),([\d.]+)a([\d.]+)", row.get("path", ""))
            if start and row["fill"] == background:
                found.append((float(start[1]) + float(start[3]), float(start[2])))
    return found


def largest(params: Params, method: str) -> int:
    """Return the largest T that fits 24 GiB, by halving."""
    low, high = 0, MOST_T
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if cost(params, method, middle) <= 24 * 2**30 else (low, middle)
    return low


def test_the_numbers_below_the_rings_and_in_the_note_are_the_largest_that_fit():
    result = computed("default")
    figure = bytes_figure(result, Style())
    wanted = {method: f"{largest(result.params, method):,}" for method in METHODS}
    assert {wanted[m] for m in ("materialised", "fused", "window")} <= set(shown(figure))
    for method, words in zip(METHODS, ("Materialised", "Blocked", "Fused", "Sliding window"),
                             strict=True):  # fmt: skip
        assert f"{words}: {wanted[method]}" in figure.note
    assert "Not one token fits" in bytes_figure(computed("nothing fits"), Style()).note


def test_methods_differ_without_their_colours_and_keep_them():
    looks = {(method_kind(m), method_width(m)) for m in DRAWN}
    assert len(looks) == len(DRAWN)
    for theme in THEMES:
        colours = {method_colour(m, Style(theme)) for m in DRAWN}
        assert len(colours) == len(DRAWN)
        style = Style(theme)
        for figure in (bytes_figure(computed("default"), style),
                       devices_figure(computed("default"), style)):  # fmt: skip
            assert figure.chart is not None
            assert [each.colour for each in figure.chart.series] == [
                method_colour(method, style) for method in DRAWN
            ]


def test_growth_is_named_only_where_it_is_one():
    assert growth((2, 4, 8), (4, 16, 64)) == 2
    assert growth((2, 4, 8), (6, 12, 24)) == 1
    assert growth((2, 4, 8), (10, 20, 32)) is None
    assert growth((4, 8, 9), (16, 64, 81)) == 2  # the last doubling begins at 4
    chart = bytes_figure(computed("default"), Style()).chart
    assert chart is not None
    names = [each.name for each in chart.series]
    assert names == ["Materialised ~ T²", "Fused ~ T", "Sliding window ~ T", "Blocked ~ T"]


def test_lines_that_lie_on_each_other_are_said_to_exactly_where_they_do():
    params = CASES["default"]
    note = bytes_figure(computed("default"), Style()).note
    (said,) = re.findall(r"nearly one line from T = ([\d,]+) on", note)
    first = int(said.replace(",", ""))
    Ts = computed("default").curves[0].Ts
    ratios = {n: cost(params, "blocked", n) / cost(params, "fused", n) for n in Ts}
    assert all(ratio <= 1.1 for n, ratio in ratios.items() if n >= first)
    assert ratios[max(n for n in Ts if n < first)] > 1.1
    assert "Up to T = 4,096 the window hides nothing" in note
    assert "hides nothing here" in bytes_figure(computed("no feed-forward"), Style()).note
    tiny = bytes_figure(run(Params(window=1)), Style()).note
    assert "hides nothing" not in tiny
    wide = bytes_figure(run(Params(block=65_536, batch=64)), Style()).note
    assert "nearly one line" not in wide


# Tensors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["default", "training", "gpt-3"])
def test_bars_are_as_long_as_their_bytes(case):
    result = computed(case)
    figure = tensors_figure(result, Style())
    bars: dict[float, float] = {}
    for row in cells(figure.spec):
        bars[row["y"]] = max(bars.get(row["y"], 0.0), row["x2"])
    left = min(row["x"] for row in cells(figure.spec))
    lengths = [bars[y] - left for y in sorted(bars)]
    totals = [sum(t.bytes for t in result.stacks[m]) for m in METHODS]
    for length, total in zip(lengths, totals, strict=True):
        assert length == pytest.approx(max(lengths) * total / max(totals), abs=1.6)
    assert {bytes_words(total, T) for total in totals} <= set(shown(figure))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("case", ["default", "training", "bert", "smallest"])
def test_the_numbers_below_a_bar_sum_up_to_it(case, size):
    result = computed(case)
    figure = tensors_figure(result, Style(size=size))
    for method in METHODS:
        tensors = result.stacks[method]
        assert sum(math.prod(t.shape) * t.itemsize * t.copies for t in tensors) == sum(
            row[5] for row in rows_of(figure) if row[0] == method
        )
    words = {name: tensor_words(name, T) for m in METHODS for name in
             (t.name for t in result.stacks[m])}  # fmt: skip
    assert len(set(words.values())) == len(words)
    counted = sum(int(n) for text in shown(figure) for n in re.findall(r"^(\d+) others", text))
    named = sum(any(text.startswith(f"{word} ") for word in words.values())
                for text in shown(figure) if re.search(r"\d [KMGTPE]?i?B$", text))  # fmt: skip
    assert named + counted == sum(len(result.stacks[m]) for m in METHODS)
    assert "1 others" not in {text[:8] for text in shown(figure)}


# Fits, devices, ladder, operations, published -------------------------------------------------


def test_every_cell_of_the_fits_is_exact():
    params = replace(CASES["default"], budgets=(0.001, 16.0, 24.0))
    figure = fits_figure(run(params), Style())
    rows = [row for row in rows_of(figure) if row[0] != "machine"]
    assert [row[1] for row in rows[:: len(METHODS)]] == [int(0.001 * 2**30), 2**34, 24 * 2**30]
    for _, amount, method, T in rows:
        assert T == 0 or cost(params, method, T) <= amount
        assert cost(params, method, T + 1) > amount
        assert tokens_words(T) in shown(figure)
    assert "A dash" not in figure.note
    nothing = fits_figure(computed("nothing fits"), Style())
    assert "–" in shown(nothing)
    assert "A dash: not one token fits." in nothing.note
    assert tokens_words(MOST_T) == "≥ 10⁹"
    assert tokens_words(MOST_T - 1) == f"{MOST_T - 1:,}"
    assert "search ends" not in figure.note


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=6))
def test_two_lines_are_near_from_the_first_place_after_which_they_always_are(pairs):
    places = list(range(10, 10 + len(pairs)))
    one, other = zip(*pairs, strict=True)
    near = [a > 0 and b > 0 and 10 * max(a, b) <= 11 * min(a, b) for a, b in pairs]
    wanted = next(
        (n for n, i in zip(places, range(len(pairs)), strict=True) if all(near[i:])), None
    )
    assert near_from(places, one, other) == wanted


def test_devices_carry_as_the_square_root_or_in_proportion():
    figure = devices_figure(computed("default"), Style())
    assert figure.chart is not None
    names = {each.name.partition(" ~ ")[0]: each for each in figure.chart.series}
    assert names["Materialised"].name.endswith("√N")
    assert names["Fused"].name.endswith("~ N")
    share = names["Materialised"].values[-1] / names["Materialised"].values[0]
    assert share == pytest.approx(32, rel=0.1)
    assert f"Materialised: {share:.3g} times" in figure.note
    assert "nearly one line from N = 1 on" in figure.note
    nothing = devices_figure(computed("nothing fits"), Style())
    assert nothing.chart is None
    assert "one line" not in nothing.note
    assert not any("does not fit" in each for each in shown(nothing))
    assert "Not one token fits" in " ".join(shown(nothing))
    assert "Not one token fits" in nothing.note
    assert "Not one token fits" not in figure.note
    assert "search ends" in devices_figure(computed("smallest"), Style()).note or max(
        each.T for each in computed("smallest").carried) < MOST_T  # fmt: skip


def test_the_trap_is_sixteen_mebibytes_against_a_hundred_and_forty_four_gibibytes():
    figure = ladder_figure(computed("gpt-3"), Style())
    assert [row[1:] for row in figure.table.rows] == [
        (2048 * 2048 * 4, 2048 * 2048 * 4), (96, 96 * 2**24), (96, 96 * 96 * 2**24),
    ]  # fmt: skip
    assert {"16 MiB", "1.5 GiB", "144 GiB", "× 96 heads", "2,048 × 2,048 × 4 B"} <= set(
        shown(figure)
    )
    assert {"× 1 head", "× 1 layer"} <= set(shown(ladder_figure(computed("smallest"), Style())))
    assert "though GPT-3 alternates dense and banded ones" in figure.note
    assert not any("banded" in ladder_figure(computed(each), Style()).note
                   for each in ("default", "bert", "smallest"))  # fmt: skip
    alone = ladder_figure(computed("smallest"), Style()).note
    assert "all layers" not in alone
    sides = [row["x2"] - row["x"] for row in cells(figure.spec)]
    for small, large in pairwise(sides):
        assert large / small == pytest.approx(math.sqrt(96), rel=1e-6)


@pytest.mark.parametrize("case", ["default", "no feed-forward", "smallest", "bert"])
def test_crossings_are_the_first_length_at_which_the_square_is_more(case):
    params, figure = CASES[case], operations_figure(computed(case), Style())
    width, key_width = params.heads * params.d_k, params.kv_heads * params.d_k
    rest = 2 * params.d_model * (2 * width + 2 * key_width)
    feed = 2 * params.d_model * params.d_ff * (3 if params.gated else 2)
    for limit in (rest, rest + feed):
        first = limit // (4 * width) + 1
        assert 4 * width * first > limit >= 4 * width * (first - 1)
        assert f"T = {first:,}" in figure.note
    layers = params.layers * params.batch
    for n, *parts in rows_of(figure):
        square = 2 * width * n * n * layers
        assert parts == [rest * n * layers, square, square, feed * n * layers]
    assert figure.chart is not None
    assert all(line.at >= 2 or case == "smallest" for line in figure.chart.references)


def test_published_figures_are_reproduced_to_their_precision():
    rows = rows_of(published_figure(Style()))
    fused = {row[2]: row[6] for row in rows if row[4] == "fused"}
    unfused = {row[2]: row[6] for row in rows if row[4] == "unfused"}
    assert {n: round(value / 1e6) for n, value in fused.items()} == {
        512: 21, 1024: 42, 2048: 84, 4096: 169,
    }  # fmt: skip
    for n, value in unfused.items():  # q, k, v, output and their gradients; weights three times
        assert value == 8 * 32 * n * 64 * 2 + 3 * 32 * n * n * 2
    ratios = {row[2]: row[6] for row in rows if row[4] == "ratio"}
    assert ratios == {n: unfused[n] / fused[n] for n in ratios}
    assert [row[5] / row[6] for row in rows] == [row[7] for row in rows]


def test_the_note_of_the_table_says_what_each_source_measured_and_what_the_gap_may_be():
    figure = published_figure(Style())
    flash = figure.note[figure.note.index("FlashAttention, README.md:") :]
    assert "12 heads" in flash
    assert "32 heads" not in flash
    assert "author's own figures" in figure.note
    assert "M3 Max" in figure.note
    rows = [row for row in rows_of(figure) if row[4] == "unfused"]
    gaps = [100 * (row[7] - 1) for row in rows]
    assert f"{min(gaps):.1f} to {max(gaps):.1f} % above ours" in figure.note
    for _, _, n, causal, _, theirs, ours, *_ in rows:
        extra = 32 * n * 64 * 2 + 32 * n * 4 + (3 * n * n if causal else 0)
        assert round((ours + extra) / 1e6) == theirs / 1e6


# Words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "0 B"), (1, "1 B"), (1023, "1,023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"),
        (2**24, "16 MiB"), (2**24 + 1, "16.0 MiB"), (144 * 2**30, "144 GiB"),
        (2**30 - 1, "1.00 GiB"), (1010 * 2**20, "1,010 MiB"), (24 * 2**30 + 1, "24.0 GiB"),
        (9.996 * 2**20, "10.0 MiB"), (99.96 * 2**20, "100 MiB"), (2**90, "1,024 YiB"),
    ],
)  # fmt: skip
def test_amounts_of_memory_are_written_in_binary_units(amount, words):
    assert bytes_words(amount, T) == words


@given(st.integers(1, 2**59))
def test_a_written_amount_is_never_off_by_more_than_half_a_digit(amount):
    text = bytes_words(amount, T)
    assert abs(parsed(text) - amount) <= 0.005 * amount
    exact = parsed(text) == amount
    digits = text.split(" ")[0].replace(",", "").replace(".", "")
    assert len(digits) <= 4
    assert exact or len(digits) >= 3 or amount < 1000


# The gallery --------------------------------------------------------------------------------


def test_presets_are_read_and_described():
    for preset in PRESETS:
        (exhibit,) = prepare(["memory-ladder"], [f"memory.preset={preset.name}"], "numpy")
        assert exhibit.params == with_preset(Params(), preset)
        assert IDEA.describe is not None
        for language in LANGUAGES:
            pairs = IDEA.describe(exhibit.params, MemoryView(), language)
            assert all(name and text for name, text in pairs)
            assert any(preset.title in text.split(" / ") for _, text in pairs)


@pytest.mark.parametrize(
    "wrong",
    [
        "T=0",
        "T=1000000000000",
        "kv_heads=3",
        "budget=-1",
        "budgets=0",
        "preset=gpt-9",
        "dtype=int8",
    ],
)
def test_a_question_out_of_its_limits_is_refused_in_one_sentence(wrong):
    with pytest.raises(EngineError) as refusal:
        prepare(["memory-bytes"], [f"memory.{wrong}"], "numpy")
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("case", ["near budgets", "longest", "smallest"])
def test_native_charts_hold_the_lines_in_gibibytes_and_keep_their_budgets_apart(case):
    result = computed(case)
    figure = bytes_figure(result, Style(size="slide"))
    chart = figure.chart
    assert chart is not None
    for series, method in zip(chart.series, DRAWN, strict=True):
        (curve,) = [each for each in result.curves if each.method == method]
        exact = dict(zip(curve.Ts, curve.bytes, strict=True))
        assert series.x is not None
        assert [value * 2**30 for value in series.values] == [exact[int(n)] for n in series.x]
    levels = [line.at for line in chart.references if line.axis == "y"]
    low, high = chart.y_range
    assert result.chosen.bytes / 2**30 in levels
    for one, other in pairwise(sorted(levels)):
        assert math.log(other / one) >= 0.069 * math.log(high / low)
    assert all(math.log10(float(end)).is_integer() for end in (low, high, *chart.x))


def test_the_line_figures_become_charts_that_office_can_open():
    for name in ("bytes", "devices", "operations"):
        (exhibit,) = prepare([f"memory-{name}"], [], "numpy")
        data = slide_bytes(slide_of(exhibit, Style(size="slide")), "pptx")
        assert pptx_structure.faults(data) == []


def test_a_machine_of_the_chosen_size_keeps_its_name():
    result: Any = replace(computed("default"), machine=Budget("machine", 24 * 2**30))
    figure = bytes_figure(result, Style())
    assert {"24 GiB", "this machine 24 GiB"} <= set(shown(figure))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("budget", [16.0, 24.0, 80.0, 141.0])
@pytest.mark.parametrize("name", ["gpt-3", "llama-3-8b"])
def test_the_numbers_of_the_main_comparison_are_never_dropped_or_in_another_colour(
    name, budget, size
):
    usual = Params(mode="training", dtype="float32") if name == "gpt-3" else Params()
    result = run(replace(with_preset(usual, preset_named(name)), budget=budget))
    style = Style(size=size)
    figure = bytes_figure(result, style)
    rows = [row for layer in figure.spec["layer"] for row in layer["data"]["values"]]
    numbers = {(row["text"], row["colour"]) for row in rows if "text" in row}
    fits = {fit.method: fit.T for fit in result.at_budget}
    for method in ("materialised", "fused"):
        assert (f"{fits[method]:,}", method_colour(method, style)) in numbers
    rings = [row for row in rows if row.get("fill") == figure.spec["background"]]
    a, b = scale_of(figure, "x")
    place = a + b * math.log2(fits["materialised"])
    on_top = [row["stroke"] for row in rings if abs(_middle(row) - place) < 1.5]
    assert on_top[-1] == method_colour("materialised", style)


def _middle(row: dict[str, Any]) -> float:
    start = re.match(r"M([\d.]+),[\d.]+a([\d.]+)", row.get("path", ""))
    return float(start[1]) + float(start[2]) if start else math.inf


@pytest.mark.parametrize("T_chosen", [64, 700, 1_900, 5_121, 8_192, 100_000])
def test_operations_mark_the_chosen_length_and_landmarks_that_are_on_nothing_else(T_chosen):
    result = run(replace(Params(), T=T_chosen))
    found = set(shown(operations_figure(result, Style())))
    crossings = (5_121, 26_625)  # of Llama 3 8B
    assert {f"from {first:,} on" for first in crossings} <= found
    assert (f"T = {T_chosen:,}" in found) == (T_chosen not in crossings)
    for landmark in (1_000, 10_000):
        near = any(1 / 2 < landmark / each < 2 for each in (*crossings, T_chosen))
        assert (f"{landmark:,} tokens" in found) == (not near)


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("window", [1, 64, 4_096, 10**9])
def test_the_band_is_spoken_of_where_a_window_that_hides_something_needs_more_than_fused(
    cache, window
):
    params = Params(cache=cache, window=window)
    result = run(params)
    above = any(
        window < T and cost(params, "window", T) > cost(params, "fused", T)
        for T in result.curves[0].Ts
    )
    assert ("as a band, and not fused" in bytes_figure(result, Style()).note) == above


@pytest.mark.parametrize("devices", [1, 2, 3, 1024])
def test_the_chosen_number_of_devices_is_marked(devices):
    found = shown(devices_figure(run(replace(Params(), devices=devices)), Style()))
    assert (f"N = {devices:,}" in found) == (devices > 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_no_word_of_a_narrow_sheet_ends_in_dots(case, language):
    for size in ("half", "square"):
        for figure in drawn(case, Style(size=size, language=language)):
            assert not [each for each in shown(figure) if "…" in each]


def test_a_table_on_screen_fills_its_frame():
    for budgets in ((24.0,), NEAR):
        figure = fits_figure(run(replace(Params(), budgets=budgets)), Style())
        found = [row for row in rows_in(figure) if "x2" in row and "text" not in row]
        assert max(row["x2"] for row in found) - min(row["x"] for row in found) > 0.95 * 868
        assert figure.spec["height"] - max(row["y2"] for row in found) < 40


def rows_in(figure: Figure) -> list[dict[str, Any]]:
    return [row for layer in figure.spec["layer"] for row in layer["data"]["values"]]
