"""Keys that are cut out of a model's attention, against a model written in loops."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ModelError, OutOfMemoryError
from engine.models import memory
from engine.models.cuts import Cut
from engine.models.forward import run_cuts, run_model
from tests import model_oracles
from tests.test_engine_models import FAMILIES, RIGHT, generated

IDS = [4, 2, 7, 0, 8]
T = len(IDS)


def maybe(most):
    return st.none() | st.integers(0, most)


def possible(family, cut):
    """Say whether every query keeps a key."""
    return family == "bert" or cut.key > 0 or cut.query not in (None, 0)


@pytest.fixture
def divided(monkeypatch):
    """Cuts in batches of two runs, on three threads where there are threads."""
    monkeypatch.setattr(memory, "TOKENS_AT_ONCE", {"cpu": 2 * T, "gpu": 2 * T})
    monkeypatch.setattr(memory, "available_cores", lambda: 3)


@given(
    family=st.sampled_from(FAMILIES),
    seed=st.integers(0, 99),
    cuts=st.lists(
        st.builds(Cut, st.integers(0, T - 1), maybe(T - 1), maybe(2), maybe(1)),
        min_size=1,
        max_size=5,
    ),
)
@settings(max_examples=15)
@pytest.mark.usefixtures("divided")
def test_any_cuts_give_what_loops_give(backend, family, seed, cuts):
    values, weights, config, parameters = generated(family, seed, layers=3)
    cuts = [cut for cut in cuts if possible(family, cut)]
    found = run_cuts(config, parameters, IDS, cuts, backend=backend)
    assert found.shape == (len(cuts), T, config.width)
    assert found.dtype == np.float32
    for cut, final in zip(cuts, found, strict=True):
        where = (cut.key, cut.query, cut.layer, cut.head)
        _attention, true = model_oracles.forward(values, weights, IDS, where)
        np.testing.assert_allclose(final, true, atol=RIGHT * np.abs(true).max())


@pytest.mark.usefixtures("divided")
def test_one_head_of_one_layer_moves_only_what_can_hear_of_it(backend):
    _, _, config, parameters = generated("gpt2", seed=2)
    whole = run_model(config, parameters, IDS, backend=backend).final
    first, last, unseen = run_cuts(
        config,
        parameters,
        IDS,
        [Cut(1, 2, 0, 1), Cut(1, 2, 1, 1), Cut(4, 2)],
        backend=backend,
    )
    moved = [np.abs(final - whole).max(axis=1) > 1e-4 for final in (first, last)]
    assert moved[0].tolist() == [False, False, True, True, True]
    assert moved[1].tolist() == [False, False, True, False, False]
    np.testing.assert_allclose(unseen, whole, atol=1e-5)  # a key that is not seen anyway


def test_no_cuts_are_no_runs(backend):
    _, _, config, parameters = generated("bert")
    found = run_cuts(config, parameters, IDS, [], backend=backend)
    assert found.shape == (0, T, config.width)


@pytest.mark.usefixtures("divided")
def test_progress_never_falls_is_told_on_one_thread_and_ends(backend):
    _, _, config, parameters = generated("bert", layers=3)
    cuts = [Cut(n % T, layer=n % 3) for n in range(12)]
    told: list[float] = []
    threads = set()

    def listen(share):
        told.append(share)
        threads.add(threading.get_ident())

    found = run_cuts(config, parameters, IDS, cuts, backend=backend, progress=listen)
    assert threads == {threading.get_ident()}
    assert told == sorted(set(told))
    assert told[0] == pytest.approx(1 / (2 + 4 * (3 + 2 + 1))), "two layers once for all"
    assert told[-1] == 1
    alone = [run_cuts(config, parameters, IDS, [cut], backend=backend)[0] for cut in cuts]
    np.testing.assert_allclose(found, alone, atol=1e-4)


@pytest.mark.usefixtures("divided")
def test_a_listener_that_raises_stops_the_runs(backend):
    class StopError(Exception):
        pass

    told: list[float] = []

    def stop(share):
        told.append(share)
        if len(told) == 2:
            raise StopError

    _, _, config, parameters = generated("bert")
    with pytest.raises(StopError):
        run_cuts(config, parameters, IDS, [Cut(1)] * 40, backend=backend, progress=stop)
    assert told[-1] < 0.5


@pytest.mark.parametrize(
    ("family", "cut", "said"),
    [
        ("bert", Cut(T), "a key and a query from 1 to 5, a layer from 1 to 2 and a head from 1 to"),
        ("bert", Cut(T), "got 6, –, –, –"),
        ("bert", Cut(0, -1), "got 1, 0, –, –"),
        ("bert", Cut(0, 0, 2), "got 1, 1, 3, –"),
        ("bert", Cut(0, 0, 1, 2), "got 1, 1, 2, 3"),
        ("bert", Cut(0, True), "got 1, True, –, –"),
        ("bert", Cut("abc"), "got abc, –, –, –"),  # type: ignore[arg-type]
        ("bert", Cut(float("nan"), ""), "got nan, , –, –"),  # type: ignore[arg-type]
        ("bert", Cut(10**900), "got 10^900, –, –, –"),
        ("gpt2", Cut(0), "Key 1 is the only one that token 1 can see"),
        ("gpt2", Cut(0, 0, 1, 1), "Key 1 is the only one that token 1 can see"),
    ],
)
def test_a_cut_that_cannot_be_made_is_refused(family, cut, said):
    _, _, config, parameters = generated(family)
    with pytest.raises(ModelError) as refused:
        run_cuts(config, parameters, IDS, [Cut(1), cut], backend="numpy")
    assert said in str(refused.value)


def test_the_only_key_of_a_text_of_one_token_cannot_be_knocked_out():
    _, _, config, parameters = generated("bert")
    with pytest.raises(ModelError, match="cannot be cut"):
        run_cuts(config, parameters, [3], [Cut(0, layer=1)], backend="numpy")


def test_more_runs_than_the_memory_holds_are_refused(backend, monkeypatch):
    _, _, config, parameters = generated("bert")
    monkeypatch.setattr(backend, "free_bytes", lambda: 10**6)
    with pytest.raises(OutOfMemoryError, match="MB, and 1 MB are free"):
        run_cuts(config, parameters, IDS, [Cut(1)] * 10_000, backend=backend)


@pytest.mark.parametrize("tokens", [1, 16, 256, 512])
@pytest.mark.parametrize("cores", [1, 2, 64])
def test_the_memory_of_all_threads_is_bounded(backend, monkeypatch, tokens, cores):
    monkeypatch.setattr(memory, "available_cores", lambda: cores)
    large = {"layers": 1, "heads": 12, "size": 32, "inner": 1536, "positions": 512}
    _, _, config, _ = generated("bert", **large)
    spread = memory.division(config, tokens, backend)
    taken = spread.at_once * spread.threads * memory.run_bytes(config, tokens)
    assert taken <= memory.MOST_BYTES
    assert spread.at_once >= 1
    assert spread.threads == 1 or backend.name == "numpy"
