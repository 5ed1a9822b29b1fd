"""The sentences on predicted bytes and operations, on both sides of their conditions."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.memory.predicted import MOST_T, Params, run, with_preset
from engine.experiments.memory.presets import PRESETS, preset_named
from pages.text import translator
from pages.text.digits import digits
from pages.text.memory_predictions import (
    _percent,
    byte_notices,
    cache_bytes,
    doubled,
    fit_notices,
    largest_words,
    operations_words,
    ratio_words,
    spread,
    work_notices,
    work_share,
)

T = translator("en")
SMALL = Params(T=100, layers=2, heads=4, kv_heads=2, d_k=8, d_model=32, d_ff=64, gated=False,
               dtype="float32", block=16, window=1_000)  # fmt: skip


def bytes_of(params: Params, tokens: int, *, stored: bool) -> int:
    """Return what inference with a cache holds of float32, counted one tensor after the other."""
    queries = params.batch * params.heads * tokens * params.d_k
    keys = params.batch * params.kv_heads * tokens * params.d_k * params.layers
    matrices = 2 * params.batch * params.heads * tokens**2 if stored else 0
    return 4 * (2 * queries + 2 * keys + matrices)


def bytes_of_each(params: Params, tokens: int, *, stored: bool) -> int:
    """Return the same of the fullest of several devices, which hold K and V of another one too."""
    rows = math.ceil(tokens / params.devices)
    share = replace(params, devices=1)
    matrices = 2 * params.batch * params.heads * rows * tokens if stored else 0
    visiting = 2 * params.batch * params.kv_heads * rows * params.d_k
    return bytes_of(share, rows, stored=False) + 4 * (visiting + matrices)


def every_sentence(params: Params) -> list[str]:
    """Return all that is said of a result."""
    result = run(params)
    measured = [" ".join(largest_words(result, method, T)) for method in ("materialised", "fused")]
    return [*byte_notices(result, T), *fit_notices(result, T), *work_notices(result, T), *measured]


def said(sentences: list[str], words: str) -> str:
    """Return the one sentence that holds some words."""
    (found,) = [sentence for sentence in sentences if words in sentence]
    return found


# Bytes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [1, 7, 100, 5_000])
def test_what_twice_as_many_tokens_need(tokens):
    params = replace(SMALL, T=tokens)
    grown = [
        bytes_of(params, 2 * tokens, stored=stored) / bytes_of(params, tokens, stored=stored)
        for stored in (True, False)
    ]
    sentence = said(byte_notices(run(params), T), "Twice as many")
    stored, fused = ("twice" if f"{each:.3g}" == "2" else f"{each:.3g} times" for each in grown)
    assert sentence == (
        f"Twice as many tokens need {stored} the memory where the T × T matrices are stored, and "
        f"{fused} where they are not."
    )


@pytest.mark.parametrize("devices", [1, 8])
def test_the_landmarks_have_a_hundredfold_of_scores_and_the_bytes_of_both(devices):
    params = replace(SMALL, devices=devices)
    sentence = said(byte_notices(run(params), T), "a hundred times as many")
    assert "At 1,000 tokens one head has 1,000,000 scores, at 10,000 tokens 100,000,000" in sentence
    least, most = (
        (bytes_of_each if devices > 1 else bytes_of)(params, tokens, stored=True)
        for tokens in (1_000, 10_000)
    )
    found = re.findall(r"([\d.]+) ([MG])iB", sentence)
    amounts = [float(number) * 2 ** {"M": 20, "G": 30}[unit] for number, unit in found]
    assert amounts == pytest.approx([least, most], rel=0.005)
    assert sentence.endswith("on each of 8 devices.") == (devices > 1)


def test_the_double_of_the_longest_is_not_spoken_of():
    assert not any("Twice" in each for each in byte_notices(run(replace(SMALL, T=MOST_T)), T))


def test_the_share_of_the_matrices():
    matrices = 2 * 4 * 4 * 100**2
    whole = bytes_of(SMALL, 100, stored=True)
    sentence = said(byte_notices(run(SMALL), T), "of the materialised bytes")
    assert f"are {100 * matrices / whole:.0f} % of the materialised bytes" in sentence


@given(part=st.integers(0, 10**30), rest=st.integers(0, 10**30))
def test_a_share_reads_0_or_100_only_where_it_is(part, rest):
    whole = part + rest
    if whole:
        words = _percent(part, whole)
        assert (float(words) == 0) == (part == 0) if "<" not in words and ">" not in words else part
        assert (words == "100") == (rest == 0)


def test_the_trap_of_gpt_3():
    usual = replace(Params(), dtype="float32", mode="training")
    params = with_preset(usual, preset_named("gpt-3"))
    sentence = said(byte_notices(run(params), T), "only")
    assert sentence == (
        "One T × T matrix is only 16 MiB; but training keeps those of 96 heads × 96 layers: "
        "144 GiB."
    )
    batch = said(byte_notices(run(replace(params, batch=2)), T), "only")
    assert "training keeps those of 96 heads × 2 sequences × 96 layers: 288 GiB" in batch
    once = said(byte_notices(run(replace(params, mode="inference")), T), "only")
    assert (
        "one layer at a time, but training would keep those of 96 heads × 96 layers: 144 GiB"
        in once
    )


def test_one_head_of_one_layer_is_no_trap():
    alone = replace(SMALL, heads=1, kv_heads=1, layers=1)
    assert not any("only" in sentence for sentence in byte_notices(run(alone), T))


@pytest.mark.parametrize("mode", ["inference", "training"])
def test_one_layer_is_no_contrast_to_training(mode):
    sentence = said(byte_notices(run(replace(SMALL, layers=1, mode=mode)), T), "only")
    matrix = 100 * 100 * 4
    assert sentence == (
        f"One T × T matrix is only {matrix / 1024:.1f} KiB; those of 4 heads are "
        f"{4 * matrix / 1024:.0f} KiB."
    )


def test_sparse_layers_are_spoken_of_for_the_one_model_that_has_them():
    for preset in PRESETS:
        notices = byte_notices(run(with_preset(Params(), preset)), T)
        assert any("banded" in each for each in notices) == (preset.name == "gpt-3")


def test_parameters_are_spoken_of_where_they_are_counted():
    assert not any("parameters" in each for each in byte_notices(run(SMALL), T))
    width, keys = 4 * 8, 2 * 8
    entries = 2 * (32 * (2 * width + 2 * keys) + 2 * 32 * 64)
    sentence = said(byte_notices(run(replace(SMALL, weights=True)), T), "parameters")
    assert sentence == f"The model's parameters are counted: {entries * 4 / 1024:g} KiB a device."


ONE_OF_MANY = re.compile(r"(?<![\d,.])1 (KV )?(heads|layers|sequences|tokens|devices)")
OF_COUNTS: dict[str, tuple[Any, ...]] = {
    "layers": (1, 3), "heads": (1, 4), "batch": (1, 2), "devices": (1, 2), "T": (1, 9),
    "window": (1, 50), "mode": ("inference", "training"),
}  # fmt: skip


@given(st.fixed_dictionaries({name: st.sampled_from(each) for name, each in OF_COUNTS.items()}))
def test_one_thing_is_never_counted_as_many(counts):
    params = replace(SMALL, kv_heads=1, budget=1e-3, weights=True, **counts)
    for sentence in every_sentence(params):
        assert not ONE_OF_MANY.search(sentence), sentence


@pytest.mark.parametrize(("window", "spoken"), [(99, False), (100, True), (101, True)])
def test_a_window_that_hides_nothing_is_named(window, spoken):
    notices = byte_notices(run(replace(SMALL, window=window)), T)
    assert any("hides no pair" in sentence for sentence in notices) == spoken


@pytest.mark.parametrize("window", [10, 1_000])
def test_the_cache_holds_k_and_v_of_every_layer(window):
    params = replace(SMALL, window=window, batch=3)
    assert cache_bytes(run(params)) == 2 * 3 * 2 * 100 * 8 * 4 * 2  # K and V, B, H_KV, T, D, b, L


# What fits -----------------------------------------------------------------------------------


def largest(params: Params, budget: float, *, stored: bool) -> int:
    """Return the largest T that fits, found by trying one after the other."""
    tokens = 0
    while bytes_of(params, tokens + 1, stored=stored) <= budget:
        tokens += 1
    return tokens


def test_what_a_budget_carries():
    budget = 1 / 1024  # GiB
    params = replace(SMALL, budget=budget)
    stored, fused = (largest(params, 2**20, stored=stored) for stored in (True, False))
    assert said(fit_notices(run(params), T), "The largest T") == (
        f"The largest T in 1 MiB is {fused:,} with fused attention and {stored:,} with the "
        f"materialised one: a ratio of {fused / stored:.3g}."
    )
    assert largest_words(run(params), "fused", T) == (f"{fused:,}", "in 1 MiB")


def test_what_several_devices_carry_is_said_of_all_of_them():
    params = replace(SMALL, budget=1 / 1024, devices=8)
    stored, fused = (
        next(
            tokens - 1
            for tokens in range(1, 100_000)
            if bytes_of_each(params, tokens, stored=stored) > 2**20
        )
        for stored in (True, False)
    )
    sentence = said(fit_notices(run(params), T), "The largest T")
    assert f"on 8 devices of 1 MiB is {fused:,} with fused attention and {stored:,} " in sentence
    assert largest_words(run(params), "fused", T) == (f"{fused:,}", "on 8 devices of 1 MiB")
    machine = run(replace(params, budget=0.0))
    assert largest_words(machine, "fused", T)[1].startswith("on 8 machines like this one, of ")


def test_bytes_of_several_devices_are_said_to_be_of_each_or_of_all():
    params = replace(SMALL, devices=8)
    whole = bytes_of_each(params, 100, stored=True)
    square = 2 * 4 * 13 * 100 * 4
    share = said(byte_notices(run(params), T), "of the materialised bytes")
    assert share.endswith(
        f"{square / 1024:.1f} KiB of {whole / 1024:.1f} KiB on each of 8 devices."
    )
    trap = said(byte_notices(run(params), T), "only")
    assert trap.endswith(f"{2 * 4 * 100 * 100 * 4 / 1024:.0f} KiB on 8 devices together.")
    assert not any("device" in each for each in byte_notices(run(SMALL), T))


def test_a_budget_without_room_says_so():
    nothing = run(replace(SMALL, budget=1e-7))
    assert said(fit_notices(nothing, T), "Not even one token fits")
    assert largest_words(nothing, "fused", T)[0] == "–"
    assert not any("devices hold" in sentence for sentence in fit_notices(nothing, T))


def test_a_thousand_devices_carry_the_square_root_where_matrices_are_stored():
    found = re.search(
        r"1,024 devices hold ([\d.,]+) times .* and ([\d.,]+) times",
        said(fit_notices(run(replace(SMALL, layers=1, budget=1 / 8)), T), "devices hold"),
    )
    assert found is not None
    stored, fused = (float(number.replace(",", "")) for number in found.groups())
    assert math.sqrt(1024) * 0.8 < stored < math.sqrt(1024) * 1.2
    assert 1024 / 2 < fused < 1024 * 1.01  # each holds K and V of another one too


@pytest.mark.parametrize("devices", [1, 4])
def test_several_devices_are_said_to_be_counted_together(devices):
    notices = fit_notices(run(replace(SMALL, devices=devices)), T)
    assert any("The table counts" in sentence for sentence in notices) == (devices > 1)


@pytest.mark.parametrize("devices", [1, 3])
@pytest.mark.parametrize("method", ["materialised", "fused"])
def test_factors_of_twice_the_budget_and_of_more_devices(method, devices):
    def most(count: int, amount: int) -> int:
        params, stored = replace(SMALL, devices=count), method == "materialised"
        held = bytes_of_each if count > 1 else bytes_of
        return next(n - 1 for n in range(1, 10**6) if held(params, n, stored=stored) > amount)

    result, amount = run(replace(SMALL, devices=devices, budget=1 / 1024)), 2**20
    usual, more = most(devices, amount), most(devices, 2 * amount)
    assert doubled(result, method) == (f"× {more / usual:.3g}", f"{more:,}")
    several = 8 if devices == 1 else devices
    shared, alone = most(several, amount), most(1, amount)
    assert spread(result, method) == (several, f"× {shared / alone:.3g}", f"{shared:,}")


def test_factors_without_a_number_are_dashes():
    nothing = run(replace(SMALL, budget=1e-9))
    assert ratio_words(nothing) == "–"
    assert doubled(nothing, "fused") == ("–", "–")
    assert spread(nothing, "materialised")[1:] == ("–", "–")
    endless = run(replace(SMALL, layers=1, heads=1, kv_heads=1, budget=1_048_576.0))
    assert doubled(endless, "fused")[0] == "–"


# Operations ----------------------------------------------------------------------------------


def by_hand(params: Params, tokens: int) -> tuple[int, int, int]:
    """Return the operations on pairs, of projections and of the feed-forward part, one layer."""
    width, kv = params.heads * params.d_k, params.kv_heads * params.d_k
    pairs = 2 * (2 * tokens * tokens * width)
    projections = (
        2 * tokens * params.d_model * (width + kv + kv) + 2 * tokens * width * params.d_model
    )
    matrices = 3 if params.gated else 2
    return pairs, projections, matrices * 2 * tokens * params.d_model * params.d_ff


@pytest.mark.parametrize("gated", [True, False])
@pytest.mark.parametrize("d_ff", [0, 64])
def test_where_pairs_overtake_the_rest(gated, d_ff):
    params = replace(SMALL, gated=gated, d_ff=d_ff)
    counted = [(T, *by_hand(params, T)) for T in range(1, 2_000)]
    over = next(T for T, pairs, projections, _ in counted if pairs > projections)
    notices = work_notices(run(params), T)
    assert f"From T = {over:,} on they are more than the projections" in notices[1]
    assert len(notices) == (3 if d_ff else 2)
    if d_ff:
        whole = next(T for T, pairs, one, other in counted if pairs > one + other)
        assert f"From T = {whole:,} on" in notices[2]
        shorter = [each for each in counted if each[0] < whole]
        assert all(2 * pairs <= pairs + one + other for _, pairs, one, other in shorter)


def test_shorter_sequences_may_have_halves_that_are_equal():
    params = Params()
    pairs, projections, feed = by_hand(params, 26_624)
    assert pairs == projections + feed
    assert "From T = 26,625 on" in work_notices(run(params), T)[2]
    assert work_notices(run(params), T)[2].endswith("is at most half of all operations.")


def test_the_share_of_pairs():
    pairs, *rest = by_hand(SMALL, 100)
    layers, batch = SMALL.layers, SMALL.batch
    assert work_share(run(SMALL)) == (pairs * layers * batch, (pairs + sum(rest)) * layers * batch)


@given(st.integers(1, 10**37))
def test_operations_are_written_with_three_digits(count):
    number, *power, unit = operations_words(count).split(" ")
    factor = 1000 ** ["", "k", "M", "G", "T", "P", "E"].index(unit[:-4])
    if power:  # a power of ten, where few readers know the name of the unit
        assert count >= 999.4e18
        assert (power[0], power[1][:2], unit) == ("×", "10", "FLOP")
        factor = 10 ** int(power[1][2:].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
    value = float(number.replace(",", ""))
    assert value * factor == pytest.approx(count, rel=0.0051)
    assert "e" not in number
    assert 1 <= value < 1000 or count < 1000


@given(st.floats(1e-9, 1e40), st.integers(1, 6))
def test_a_number_in_a_few_digits_has_no_power_of_ten(value, count):
    text = digits(value, count)
    assert "e" not in text
    assert float(text.replace(",", "")) == pytest.approx(value, rel=0.51 * 10 ** (1 - count))
    assert "." not in text or len(text.replace(".", "").lstrip("0")) <= count


@pytest.mark.parametrize(
    ("value", "text"),
    [(999.6, "1,000"), (9.996, "10"), (12.0, "12"), (1.504, "1.5"), (7064.2, "7,064"), (0, "0"),
     (0.00012345, "0.000123")],
)  # fmt: skip
def test_numbers_in_three_digits(value, text):
    assert digits(value) == text
