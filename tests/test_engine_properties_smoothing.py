"""Stacks of random layers, against stacks that are computed head by head and row by row."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import EngineError, get_backend
from engine.experiments.properties import smoothing
from engine.experiments.properties.smoothing import (
    MOST_OPERATIONS,
    SmoothingParams,
    measure_smoothing,
)
from tests import property_oracles

SMALL = SmoothingParams(T=5, d_model=8, layers=3, heads=(4, 1, 2), seeds=(3, 1))
CLOSE = {"float64": 1e-9, "float32": 2e-4}
SURE = 6  # standard errors that chance does not reach


class Recorder:
    """A backend that keeps what it was given, and may give back something else."""

    def __init__(self, backend, altered=None):
        self._backend, self._altered = backend, altered
        self.name, self.precision = backend.name, backend.precision
        self.inputs: list[np.ndarray] = []
        self.weights: list[np.ndarray] = []

    def run(self, compute, states, weights, **static):
        self.inputs.append(states.copy())
        self.weights.append(weights.copy())
        found = self._backend.run(compute, states, weights, **static)
        return found if self._altered is None else self._altered(found)


def recorded(params, backend, altered=None) -> tuple[Any, Recorder]:
    recorder: Any = Recorder(backend, altered)
    return measure_smoothing(params, backend=recorder), recorder


@pytest.mark.parametrize("norm", [False, True])
def test_stacks_are_what_loops_compute(backend, norm):
    params = replace(SMALL, norm=norm)
    result, recorder = recorded(params, backend)
    close = CLOSE[backend.precision]
    assert result.heads == (1, 2, 4)
    for number in range(len(params.seeds)):
        x = recorder.inputs[0][0, number].astype(np.float64)
        layers = [each[:, number].astype(np.float64) for each in recorder.weights]
        for key in [(residual, heads) for residual in (False, True) for heads in (1, 2, 4)]:
            states = property_oracles.stack(x, layers, key[1], residual=key[0], norm=norm)
            for layer, state in enumerate(states):
                at = (number, layer)
                cosine = property_oracles.mean_cosine(state)
                assert result.cosine[key][at] == pytest.approx(cosine, abs=close)
                # The oracle's small singular values are roots of rounding errors.
                rank = property_oracles.effective_rank(state)
                assert result.rank[key][at] == pytest.approx(rank, abs=close + 1e-5)
                size = math.sqrt(float((state**2).mean()))
                assert result.norm[key][at] == pytest.approx(size, rel=close)


def test_what_is_drawn_is_normal_and_new_in_each_layer():
    params = SmoothingParams(T=64, d_model=64, layers=3, seeds=(1, 2))
    _, recorder = recorded(params, get_backend("numpy"))
    x = recorder.inputs[0]
    assert x.mean() == pytest.approx(0, abs=SURE / math.sqrt(x[0].size))
    assert (x**2).mean() == pytest.approx(1, abs=SURE * math.sqrt(2 / x[0].size))
    matrices = [matrix for each in recorder.weights for kind in each for matrix in kind]
    assert len(matrices) == 3 * 4 * 2
    scaled = np.array([matrix.ravel() * math.sqrt(64) for matrix in matrices])
    moments = scaled @ scaled.T / scaled.shape[1]
    assert np.abs(moments - np.eye(len(scaled))).max() < SURE * math.sqrt(2 / scaled.shape[1])
    assert not np.array_equal(x[0, 0], x[0, 1])


def test_a_deeper_stack_begins_with_every_shallower_one(backend):
    deep = measure_smoothing(SMALL, backend=backend)
    shallow = measure_smoothing(replace(SMALL, layers=1, heads=(2,), seeds=(1,)), backend=backend)
    for residual in (False, True):
        expected = deep.cosine[residual, 2][1, :2]
        np.testing.assert_allclose(shallow.cosine[residual, 2][0], expected, atol=1e-6)


@pytest.mark.parametrize("seeds", [(1, 2), (5, 6)])
@pytest.mark.parametrize("norm", [False, True])
def test_outputs_become_alike_and_residuals_delay_it(backend, seeds, norm):
    params = SmoothingParams(seeds=seeds, norm=norm, layers=6, T=16, d_model=32)
    result = measure_smoothing(params, backend=backend)
    for measure in ("cosine", "rank", "norm"):
        assert result.of(measure)[True, 1].shape == (2, 7)
    without, residual = result.cosine[False, 1], result.cosine[True, 1]
    assert (np.abs(without[:, 0]) < 0.1).all()
    assert (without[:, -1] > 0.99).all()
    assert (residual[:, 1:4] < without[:, 1:4]).all()
    assert (result.rank[False, 1][:, -1] < 1.1).all()
    assert (result.rank[True, 1][:, 2] > result.rank[False, 1][:, 2]).all()


def test_the_published_cosines_come_out_nearly_at_the_setting_that_is_named():
    named = SmoothingParams(T=48, d_model=256, layers=4, heads=(4,), norm=True)
    result = measure_smoothing(named, backend="numpy")
    assert result.cosine[False, 4][:, 2].mean() == pytest.approx(0.98, abs=0.02)
    assert result.cosine[True, 4][:, 4].mean() == pytest.approx(0.17, abs=0.02)


def test_vectors_of_the_same_direction_have_cosine_and_rank_1():
    same = np.outer([1.0, 2.0, 1e-200], [3.0, -4.0])
    cosine, rank, size = smoothing._measures(same)
    assert cosine == pytest.approx(1)
    assert rank == pytest.approx(1)
    assert size == pytest.approx(math.sqrt((25 + 100) / 6))


def test_vectors_at_right_angles_have_cosine_0_and_full_rank():
    cosine, rank, _ = smoothing._measures(np.eye(4))
    assert cosine == pytest.approx(0)
    assert rank == pytest.approx(4)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_no_square_of_a_component_is_lost(size):
    x = np.random.default_rng(1).standard_normal((3, 4))
    found, expected = smoothing._measures(x * size), smoothing._measures(x)
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-12)
    assert found[2] == pytest.approx(size * expected[2])


def test_what_vanishes_has_no_direction(backend):
    result, _ = recorded(SMALL, backend, altered=lambda states: states * 0)
    for measure, end in (("cosine", math.nan), ("rank", math.nan), ("norm", 0.0)):
        for values in result.of(measure).values():
            np.testing.assert_array_equal(values[:, 1:], end)
            assert np.isfinite(values[:, 0]).all()


def test_one_zero_row_leaves_the_others_their_rank():
    cosine, rank, size = smoothing._measures(np.diag([1.0, 1.0, 0.0]))
    assert math.isnan(cosine)
    assert rank == pytest.approx(2)
    assert size == pytest.approx(math.sqrt(2 / 9))


def test_an_overflow_is_named(backend):
    with pytest.raises(EngineError) as caught:
        recorded(SMALL, backend, altered=lambda states: states * np.inf)
    assert str(caught.value) == (
        f"The vectors overflow {backend.precision} in layer 1; take fewer layers, or normalise."
    )


def test_progress_is_heard_and_may_stop_the_run():
    heard: list[float] = []
    measure_smoothing(SMALL, backend="numpy", progress=heard.append)
    assert heard == pytest.approx([1 / 3, 2 / 3, 1])

    def stop(_share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        measure_smoothing(SMALL, backend="numpy", progress=stop)


def test_stacks_can_be_shared():
    result = measure_smoothing(SMALL, backend="numpy")
    with pytest.raises(ValueError, match="read-only"):
        result.cosine[True, 1][0] = 0
    assert hash(result.params) == hash(SMALL)


HEADS = "Choose at least one number of heads from 1, 2, 4, 8, 16, got {}."
REFUSED: dict[str, dict[str, Any]] = {
    "T must be a whole number from 2 to 128, got 1.": {"T": 1},
    "d_model must be a whole number from 2 to 256, got 257.": {"d_model": 257},
    "layers must be a whole number from 1 to 48, got 49.": {"layers": 49},
    "layers must be a whole number from 1 to 48, got .": {"layers": ""},
    "norm is a switch and must be true or false.": {"norm": 1},
    HEADS.format('""'): {"heads": ()},
    HEADS.format("3"): {"heads": (3,)},
    HEADS.format("True"): {"heads": (True,)},
    HEADS.format("abc"): {"heads": "abc"},
    HEADS.format("a"): {"heads": ("a",)},
    "d_model must be a multiple of the number of heads, got d_model = 20 and 8 heads.": {
        "d_model": 20,
        "heads": (4, 8),
    },
    'Choose from 1 to 16 seeds at a time, got "".': {"seeds": ()},
    "Choose from 1 to 16 seeds at a time, got 7.": {"seeds": 7},
    "The seed must be a whole number from 0 to 999999, got -1.": {"seeds": (1, -1)},
    "The seed must be a whole number from 0 to 999999, got [].": {"seeds": ([],)},
    "Each seed may be chosen once only, got 2, 2.": {"seeds": (2, 2)},
}


@pytest.mark.parametrize("sentence", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(sentence):
    with pytest.raises(EngineError) as caught:
        measure_smoothing(replace(SmoothingParams(), **REFUSED[sentence]), backend="numpy")
    assert str(caught.value) == sentence


def test_what_would_take_minutes_is_refused_before_anything_is_drawn():
    large = SmoothingParams(128, 256, 48, (1, 2, 4, 8, 16), seeds=tuple(range(16)))
    # 8 T d^2 for the four projections, 4 T^2 d for scores and weighted sums.
    each = 8 * 128 * 256**2 + 4 * 128**2 * 256
    with pytest.raises(EngineError) as caught:
        measure_smoothing(large, backend="numpy")
    assert str(caught.value) == (
        f"This needs {2 * 5 * 16 * 48 * each:,} operations, and at most {MOST_OPERATIONS:,} are "
        "done; take fewer layers, seeds or numbers of heads, a smaller d_model or T."
    )
