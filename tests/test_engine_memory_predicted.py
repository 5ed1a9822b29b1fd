"""What T tokens need: what fits, where T^2 overtakes, published figures, and every refusal."""

from __future__ import annotations

import itertools
import math
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, NumberError, OptionError
from engine.experiments.memory import fitting, predicted, tensors
from engine.experiments.memory.budgets import GIB, budget_of
from engine.experiments.memory.fitting import largest_T
from engine.experiments.memory.ladder import steps_of
from engine.experiments.memory.operations import operations_of
from engine.experiments.memory.params import MOST_T, require_params
from engine.experiments.memory.predicted import Params, run, with_preset
from engine.experiments.memory.presets import PRESETS, preset_named, preset_of
from engine.experiments.memory.published import left_out, published
from engine.experiments.memory.published import settings as published_settings
from engine.experiments.memory.shape import Shape
from engine.experiments.memory.tensors import METHODS, needed, tensors_of

MIB = 2**20


def changed(params: Params, **changes: Any) -> Params:
    """Return the same parameters with others, of whatever kind."""
    return replace(params, **changes)


@st.composite
def any_params(draw):
    """Return sizes from the smallest to the largest that are allowed."""
    kv_heads = draw(st.sampled_from([1, 2, 8, 31]))
    return replace(
        Params(),
        T=draw(st.integers(1, MOST_T)),
        batch=draw(st.sampled_from([1, 3, 4096])),
        layers=draw(st.sampled_from([1, 2, 32, 1000])),
        heads=kv_heads * draw(st.sampled_from([1, 2, 33])),
        kv_heads=kv_heads,
        d_k=draw(st.sampled_from([1, 40, 128, 4096])),
        d_model=draw(st.integers(1, 10**6)),
        d_ff=draw(st.integers(0, 10**6)),
        gated=draw(st.booleans()),
        dtype=draw(st.sampled_from(["float64", "float32", "bfloat16", "float16"])),
        mode=draw(st.sampled_from(["inference", "training"])),
        cache=draw(st.booleans()),
        block=draw(st.integers(1, 65_536)),
        window=draw(st.integers(1, MOST_T)),
        devices=draw(st.integers(1, 1024)),
        weights=draw(st.booleans()),
    )


any_method = st.sampled_from(METHODS)


@given(params=any_params(), method=any_method, budget=st.integers(0, 2**55))
def test_the_largest_t_fits_and_one_token_more_does_not(params, method, budget):
    require_params(params)
    T = largest_T(params, method, budget, params.devices)
    assert type(T) is int
    assert T == 0 or needed(params, method, T=T) <= budget
    assert T == MOST_T or needed(params, method, T=T + 1) > budget


@given(params=any_params(), method=any_method, T=st.integers(1, MOST_T - 1))
def test_bytes_never_fall_as_tokens_are_added(params, method, T):
    edges = {T, params.window, params.block, params.block * params.devices, params.devices}
    for each in edges:
        each = min(each, MOST_T - 1)
        assert needed(params, method, T=each) <= needed(params, method, T=each + 1)


def test_a_budget_below_one_token_and_one_beyond_the_limit():
    params = Params()
    for method in METHODS:
        one = needed(params, method, T=1)
        assert largest_T(params, method, one - 1) == 0
        assert largest_T(params, method, one) == 1
        assert largest_T(params, method, 10**40) == MOST_T


@given(
    shape=st.tuples(*[st.integers(1, 4)] * 6),
    gated=st.booleans(),
    batch=st.integers(1, 3),
)
def test_t_squared_overtakes_where_counting_products_says(shape, gated, batch):
    layers, kv_heads, group, d_k, d_model, d_ff = shape
    params = replace(
        Params(), layers=layers, heads=kv_heads * group, kv_heads=kv_heads, d_k=d_k,
        d_model=d_model * 7, d_ff=d_ff * 5 - 5, gated=gated, batch=batch,
    )  # fmt: skip
    Ts = range(1, 150)
    found = operations_of(params, Ts)
    counted = [counted_operations(params, T) for T in Ts]
    assert list(zip(found.projections, found.scores, found.weighted_sum, found.feed_forward,
                    strict=True)) == counted  # fmt: skip
    first = [T for T, (p, s, w, _) in zip(Ts, counted, strict=True) if s + w > p]
    assert found.overtakes_projections == (first[0] if first else found.overtakes_projections)
    assert first or found.overtakes_projections > Ts[-1]
    first = [T for T, (p, s, w, f) in zip(Ts, counted, strict=True) if s + w > p + f]
    assert found.overtakes_layer == (first[0] if first else found.overtakes_layer)
    assert first or found.overtakes_layer > Ts[-1]


def counted_operations(params, T):
    """Return (projections, scores, weighted sum, feed-forward) as a list of matrix products."""
    D, d_model, tokens = params.d_k, params.d_model, params.batch * T
    heads, kv_heads = params.heads * D, params.kv_heads * D

    def products(*sizes):  # (n, m) by (m, p) takes n m p multiplications and as many additions
        return params.layers * sum(2 * n * m * p for n, m, p in sizes)

    hidden = [(tokens, d_model, params.d_ff)] * (2 if params.gated else 1)
    each = [(T, D, T)] * (params.batch * params.heads)
    mixed = [(T, T, D)] * (params.batch * params.heads)
    keys = (tokens, d_model, kv_heads)
    return (
        products((tokens, d_model, heads), keys, keys, (tokens, heads, d_model)),
        products(*each),
        products(*mixed),
        products(*hidden, (tokens, params.d_ff, d_model)),
    )


def test_in_gpt_3_t_squared_overtakes_the_layer_at_six_times_the_width():
    # 2 T d > 4 d^2 beyond T = 2 d, and 2 T d > 12 d^2 beyond 6 d
    found = operations_of(with_preset(Params(), preset_named("gpt-3")), [24_576, 24_577])
    assert found.overtakes_projections == 24_577
    assert found.overtakes_layer == 6 * 12_288 + 1
    for T, above in ((73_728, False), (73_729, True)):
        projections, scores, mixed, feed_forward = counted_operations(
            with_preset(Params(), preset_named("gpt-3")), T
        )
        assert (scores + mixed > projections + feed_forward) is above


def test_the_trap_sixteen_mebibytes_are_one_head_of_one_layer():
    params = replace(with_preset(Params(), preset_named("gpt-3")), dtype="float32")
    assert [(step.name, step.factor, step.bytes) for step in steps_of(params)] == [
        ("matrix", 2**24, 16 * MIB),
        ("heads", 96, 1536 * MIB),
        ("layers", 96, 144 * GIB),
    ]
    several = steps_of(replace(params, batch=3))
    assert [step.name for step in several] == ["matrix", "heads", "batch", "layers"]
    assert several[-1].bytes == 3 * 144 * GIB
    kept = {t.name: t for t in tensors_of(replace(params, mode="training"), "materialised")}
    assert kept["weights"].bytes == 144 * GIB


# Rows of embeddings, what norms, biases and a pooler hold, and the published number of parameters.
TOTALS = {
    # openai/gpt-2: vocabulary of 50,257, 1,024 positions, an output that shares the embedding;
    # "124M" in its README, 124,439,808 in openai-community/gpt2
    "gpt-2-small": (50_257 + 1_024, 12 * (13 * 768) + 2 * 768, 124_439_808),
    # google-research/bert: vocabulary of 30,522, 512 positions, 2 segments, a pooler of 768 x 769;
    # "110M" in Devlin et al. 2019, 109,482,240 in bert-base-uncased
    "bert-base": (30_522 + 512 + 2, 12 * (13 * 768) + 2 * 768 + 768 * 769, 109_482_240),
    # config.json: vocab_size 32,000, an output of its own; the weights hold 6,738,415,616
    "llama-2-7b": (2 * 32_000, 65 * 4096, 6_738_415_616),
    # config.json: vocab_size 128,256, an output of its own; the weights hold 8,030,261,248
    "llama-3-8b": (2 * 128_256, 65 * 4096, 8_030_261_248),
    # the same; the weights hold 70,553,706,496
    "llama-3-70b": (2 * 128_256, 161 * 8192, 70_553_706_496),
}


def matrices_of(preset):
    """Return the entries that are counted as "model"."""
    params = replace(with_preset(Params(), preset), weights=True, dtype="bfloat16")
    (model,) = [t for t in tensors_of(params, "fused") if t.name == "model"]
    return model.bytes // 2


@pytest.mark.parametrize("name", TOTALS)
def test_a_preset_has_the_parameters_that_were_published_once_the_rest_is_added(name):
    rows, small, total = TOTALS[name]
    preset = preset_named(name)
    assert matrices_of(preset) + rows * preset.shape.d_model + small == total
    assert preset.shape.heads * preset.shape.d_k == preset.shape.d_model


def test_gpt_3_has_175_billion():
    # Brown et al. 2020, table 2.1: 175.0B, to the tenth; 50,257 tokens and 2,048 positions
    preset = preset_named("gpt-3")
    total = matrices_of(preset) + (50_257 + 2_048) * preset.shape.d_model
    assert total == pytest.approx(175.0e9, rel=0.003)
    assert preset.shape.heads * preset.shape.d_k == preset.shape.d_model


def test_presets_are_found_by_name_and_by_shape_and_say_where_they_are_from():
    require_names = {preset.name for preset in PRESETS}
    assert len(require_names) == len(PRESETS) == 6
    for preset in PRESETS:
        assert preset_named(preset.name) is preset
        found = preset_of(preset.shape)
        assert found is not None
        assert found.shape == preset.shape
        asked = with_preset(Params(), preset)
        require_params(asked)
        assert (asked.shape, asked.T, asked.cache) == (preset.shape, preset.T, preset.decoder)
        assert preset.address.startswith("https://")
        assert any(character.isdigit() for character in preset.source)
    assert preset_of(replace(PRESETS[0].shape, layers=13)) is None
    with pytest.raises(OptionError, match="There is no preset gpt-5; choose one of gpt-2-small, "):
        preset_named("gpt-5")


def test_the_cache_of_published_models():
    # Llama 2 7B in 2-byte numbers: 2 x 32 layers x 32 heads x 128 x 2 B = 512 KiB a token.
    llama_2 = with_preset(Params(), preset_named("llama-2-7b"))
    assert cache_bytes(llama_2, "fused") == 4096 * 512 * 1024
    llama_3 = with_preset(Params(), preset_named("llama-3-8b"))
    assert cache_bytes(llama_3, "fused") == GIB  # an eighth of the heads' quarter: 128 KiB a token
    assert cache_bytes(replace(llama_3, cache=False), "fused") == GIB // 32
    # With a window of 4,096 the 31 layers that are not at work keep half of 8,192 tokens.
    assert cache_bytes(llama_3, "window") == GIB // 32 + 31 * GIB // 64


def cache_bytes(params, method):
    return sum(t.bytes for t in tensors_of(params, method) if t.name in tensors.NAMES[1:5])


# As printed in ml-explore/mlx, pull request 3241: D, T, causal, KV heads, unfused, fused.
MLX = [
    (64, 512, False, 32, 69, 21),
    (64, 1024, False, 32, 239, 42),
    (64, 2048, True, 32, 894, 84),
    (64, 4096, False, 32, 3373, 169),
    (96, 1024, False, 32, 258, 63),
    (96, 2048, False, 32, 919, 126),
    (128, 1024, False, 32, 277, 84),
    (128, 2048, True, 32, 969, 168),
    (128, 2048, False, 8, 940, 118),
]


@pytest.mark.parametrize(("D", "T", "causal", "kv_heads", "unfused", "fused"), MLX)
def test_published_memory_of_mlx_to_the_megabyte(D, T, causal, kv_heads, unfused, fused):
    params = replace(published_settings(T), d_k=D, kv_heads=kv_heads)
    assert round(needed(params, "fused") / 1e6) == fused
    ours = needed(params, "materialised")
    assert ours == pytest.approx(unfused * 1e6, rel=0.06)
    rest = sum(left_out(params, causal).values())
    # Gradients of k and v are made for all 32 heads before they are summed by groups.
    rest += 0 if kv_heads == 32 else 2 * 32 * T * D * 2
    assert round((ours + rest) / 1e6) == unfused


def test_the_published_table_has_their_figures_and_ours_of_the_same_settings():
    rows = published()
    printed = [(17, 69, 21), (67, 239, 42), (268, 894, 84), (1074, 3373, 169)]
    mlx = [row for row in rows if "unfused" in row.theirs]
    assert [tuple(row.theirs[name] / 1e6 for name in ("matrix", "unfused", "fused"))
            for row in mlx] == printed  # fmt: skip
    assert [(row.T, row.causal) for row in mlx] == [(512, False), (1024, False), (2048, True),
                                                     (4096, False)]  # fmt: skip
    for row in mlx:
        assert row.ours["matrix"] == 32 * row.T * row.T * 2
        assert round(row.ours["matrix"] / 1e6) == row.theirs["matrix"] / 1e6
        assert round(row.ours["fused"] / 1e6) == row.theirs["fused"] / 1e6
        whole = row.ours["unfused"] + sum(row.left_out.values())
        assert round(whole / 1e6) == row.theirs["unfused"] / 1e6
    ratios = [row for row in rows if "ratio" in row.theirs]
    assert [(row.T, row.theirs["ratio"]) for row in ratios] == [(2048, 10.0), (4096, 20.0)]
    for row in ratios:
        assert round(row.ours["ratio"]) == row.theirs["ratio"]
    assert len(rows) == len(mlx) + len(ratios)
    assert all(row.address.startswith("https://github.com/") for row in rows)


@pytest.mark.parametrize(("heads", "batch"), [(12, 8), (32, 8), (16, 1)])
def test_the_ratio_of_the_readme_depends_on_neither_heads_nor_batch(heads, batch):
    for row in published()[-2:]:
        params = replace(published_settings(row.T), heads=heads, kv_heads=heads, batch=batch)
        ratio = needed(params, "materialised") / needed(params, "fused")
        assert ratio == pytest.approx(row.ours["ratio"], rel=1e-12)


def test_a_result_holds_every_curve_stack_fit_and_device():
    params = replace(Params(), T=12_345, devices=3, budgets=(80.0, 16.0, 80.0), budget=40.0)
    heard: list[float] = []
    result = run(params, progress=heard.append)
    assert heard == [1.0]
    assert [curve.method for curve in result.curves] == list(METHODS)
    for curve in result.curves:
        assert {64, 1000, 10_000, 12_345, 2**20} <= set(curve.Ts)
        assert list(curve.Ts) == sorted(set(curve.Ts))
        assert curve.Ts == result.operations.Ts
        assert list(curve.bytes) == [needed(params, curve.method, T=T) for T in curve.Ts]
        assert all(type(value) is int for value in curve.bytes)
    for method in METHODS:
        assert result.stacks[method] == tensors_of(params, method)
    asked = [(fit.budget, fit.method) for fit in result.fits]
    budgets = [budget_of(16), budget_of(80), result.machine]
    assert asked == list(itertools.product(budgets, METHODS))
    for fit in (*result.fits, *result.at_budget):
        assert largest_T(params, fit.method, fit.budget.bytes, 3) == fit.T
    assert [fit.budget.bytes for fit in result.at_budget] == [40 * GIB] * 4
    assert [(each.devices, each.method) for each in result.carried] == list(
        itertools.product([2**n for n in range(11)], METHODS)
    )
    for carried in result.carried[::5]:
        assert largest_T(params, carried.method, 40 * GIB, carried.devices) == carried.T
    assert result.steps == steps_of(params)


def test_zero_stands_for_the_memory_of_this_machine():
    result = run(replace(Params(), budget=0.0, budgets=(0.5,)))
    assert result.chosen == result.machine
    assert result.machine.name == "machine"
    assert result.machine.bytes > 0
    assert [fit.budget.name for fit in result.fits] == [""] * 4 + ["machine"] * 4
    assert result.fits[0].budget.bytes == GIB // 2


@pytest.mark.parametrize("T", [1, 63, 64, 2**20 + 1, MOST_T])
def test_curves_reach_the_chosen_t_and_no_further_than_is_allowed(T):
    Ts = run(replace(Params(), T=T)).curves[0].Ts
    assert T in Ts
    assert Ts[0] == min(T, 64)
    assert max(T, 2**20) <= Ts[-1] <= MOST_T


@given(params=any_params())
@settings(max_examples=10)
@example(params=replace(Params(), T=MOST_T, batch=4096, layers=1000, heads=1024, kv_heads=1024,
                        d_k=4096, dtype="float64", mode="training", weights=True))  # fmt: skip
def test_whatever_is_allowed_is_predicted_in_exact_numbers(params):
    result = run(params)
    for curve in result.curves:
        assert all(type(value) is int and value > 0 for value in curve.bytes)
    assert all(type(step.bytes) is int for step in result.steps)
    assert all(0 <= fit.T <= MOST_T for fit in result.fits)


def test_whole_numbers_of_numpy_do_not_overflow():
    big = replace(Params(), T=10**9, batch=4096, heads=1024, kv_heads=1024, layers=1000)
    narrow = changed(
        big, T=np.int32(10**9), batch=np.int16(4096), heads=np.int64(1024), layers=np.int32(1000)
    )
    for method in METHODS:
        assert needed(narrow, method) == needed(big, method)
    tokens: Any = np.int32(10**9)
    assert needed(narrow, "materialised", T=tokens) == needed(big, "materialised")
    assert operations_of(narrow, [10**9]) == operations_of(big, [10**9])


def test_a_search_asks_about_few_t(monkeypatch):
    asked: list[int] = []
    cost_of = tensors.cost_of

    def counting(*arguments, **options):
        cost = cost_of(*arguments, **options)

        def counted(T):
            asked.append(T)
            return cost(T)

        return counted

    monkeypatch.setattr(fitting, "cost_of", counting)
    fitting.largest_T(Params(), "materialised", 24 * GIB)
    assert len(asked) <= math.ceil(math.log2(MOST_T)) + 1


WHOLE = [
    ("T", "T must be a whole number of tokens from 1 to 1,000,000,000, got {}."),
    ("batch", "The batch size must be a whole number from 1 to 4,096, got {}."),
    ("layers", "The number of layers must be a whole number from 1 to 1,000, got {}."),
    ("heads", "The number of heads must be a whole number from 1 to 1,024, got {}."),
    ("kv_heads", "The number of KV heads must be a whole number from 1 to 1,024, got {}."),
    ("d_k", "d_k must be a whole number from 1 to 4,096, got {}."),
    ("d_model", "d_model must be a whole number from 1 to 1,000,000, got {}."),
    ("d_ff", "d_ff must be a whole number from 0 to 1,000,000, got {}."),
    ("block", "The block size must be a whole number from 1 to 65,536, got {}."),
    ("window", "The window must be a whole number of keys from 1 to 1,000,000,000, got {}."),
    ("devices", "The number of devices must be a whole number from 1 to 1,024, got {}."),
]
NOT_WHOLE = [
    (-1, "-1"),
    (10**12, "1,000,000,000,000"),
    (True, "True"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (64.5, "64.5"),
    ("64", "64"),
    (None, "None"),
    (10**60, "10^60"),
]


@pytest.mark.parametrize(("field", "sentence"), WHOLE)
@pytest.mark.parametrize(("value", "shown"), NOT_WHOLE)
def test_what_is_no_whole_number_within_limits_is_refused_in_a_sentence(
    field, sentence, value, shown
):
    with pytest.raises(OptionError) as caught:
        run(changed(Params(), **{field: value}))
    assert str(caught.value) == sentence.format(shown)


@pytest.mark.parametrize(("field", "sentence"), WHOLE)
def test_both_ends_of_each_limit(field, sentence):
    least, most = (int(part.replace(",", "")) for part in _limits(sentence))
    others = {"kv_heads": 1} if field == "heads" else {}
    if field == "kv_heads":
        others = {"heads": 1024}
    for size in (least, most):
        require_params(changed(Params(), **{**others, field: size}))
    for size in (least - 1, most + 1):
        with pytest.raises(OptionError, match="must be a whole number"):
            require_params(changed(Params(), **{**others, field: size}))


def _limits(sentence):
    words = sentence.replace(", got", " got").split()
    return words[words.index("from") + 1], words[words.index("to", words.index("from")) + 1]


REFUSED = [
    ({"heads": 32, "kv_heads": 5}, OptionError,
     "The number of KV heads must divide the number of heads: 5 does not divide 32."),
    ({"heads": 4, "kv_heads": 8}, OptionError,
     "The number of KV heads must divide the number of heads: 8 does not divide 4."),
    ({"gated": 1}, OptionError,
     "Whether the feed-forward part is gated must be true or false, got 1."),
    ({"cache": "yes"}, OptionError,
     "Whether the KV cache is kept must be true or false, got yes."),
    ({"weights": 0}, OptionError,
     "Whether parameters are counted must be true or false, got 0."),
    ({"dtype": "int8"}, OptionError,
     "The number format must be one of float64, float32, bfloat16, float16, got int8."),
    ({"dtype": 2}, OptionError,
     "The number format must be one of float64, float32, bfloat16, float16, got 2."),
    ({"mode": "dreaming"}, OptionError,
     "The mode must be one of inference, training, got dreaming."),
    ({"budgets": ()}, OptionError, "Compare from 1 to 8 budgets at a time, got 0."),
    ({"budgets": (1.0,) * 9}, OptionError, "Compare from 1 to 8 budgets at a time, got 9."),
    ({"budgets": True}, OptionError, "Compare from 1 to 8 budgets at a time, got True."),
    ({"budgets": "16"}, OptionError, "Compare from 1 to 8 budgets at a time, got 16."),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "kind", "sentence"), REFUSED)
def test_other_refusals_are_one_sentence(changes, kind, sentence):
    with pytest.raises(kind) as caught:
        run(changed(Params(), **changes))
    assert str(caught.value) == sentence


AMOUNTS = [
    (-24.0, "-24"),
    (1_048_577, "1,048,577"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (True, "True"),
    ("24 GB", "24 GB"),
    (None, "None"),
    (10**60, "10^60"),
]


@pytest.mark.parametrize(("value", "shown"), AMOUNTS)
def test_a_budget_that_is_no_amount_is_refused_in_a_sentence(value, shown):
    with pytest.raises(NumberError) as caught:
        run(replace(Params(), budget=value))
    assert str(caught.value) == (
        "The budget must be a number of GiB above 0 and at most 1,048,576, or 0 for the memory of "
        f"this machine; got {shown}."
    )
    with pytest.raises(NumberError) as caught:
        run(replace(Params(), budgets=(16.0, value)))
    assert str(caught.value) == (
        f"Each budget must be a number of GiB above 0 and at most 1,048,576, got {shown}."
    )


def test_a_budget_of_nothing_is_refused_in_the_list():
    with pytest.raises(NumberError, match="above 0 and at most 1,048,576, got 0."):
        run(replace(Params(), budgets=(0,)))
    require_params(changed(Params(), budget=1_048_576, budgets=[1, 1e-9, 1_048_576.0]))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"T": 0}, "T must be a whole number of tokens from 1 to 1,000,000,000, got 0."),
        (
            {"devices": 1025},
            "The number of devices must be a whole number from 1 to 1,024, got 1,0",
        ),
    ],
)
def test_tensors_refuse_what_they_are_asked_beside_the_parameters(options, sentence):
    for ask in (needed, tensors_of):
        with pytest.raises(OptionError) as caught:
            ask(Params(), "fused", **options)
        assert str(caught.value).startswith(sentence)
        with pytest.raises(OptionError, match="The method must be one of materialised, .* got lin"):
            ask(Params(), "linear")


@given(
    field=st.sampled_from([field.name for field in fields(Params)]),
    value=st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.fractions(),
        st.lists(st.floats(), max_size=3), st.binary(),
    ),
)  # fmt: skip
def test_whatever_arrives_is_predicted_or_refused_by_an_engine_error(field, value):
    params = changed(Params(), **{field: value})
    try:
        result = run(params)
    except EngineError as error:
        assert str(error).endswith(".")
    else:
        assert result.params is params


def test_a_shape_made_alone_is_checked_alone():
    shape = Shape(2, 4, 2, 8, 16, 0, gated=False)
    assert replace(Params(), layers=2, heads=4, kv_heads=2, d_k=8, d_model=16, d_ff=0,
                   gated=False).shape == shape  # fmt: skip
    assert predicted.MOST_BUDGET == 2**20
    assert Fraction(budget_of(0.1).bytes, GIB) <= Fraction(1, 10)
