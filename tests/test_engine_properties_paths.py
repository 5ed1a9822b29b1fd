"""Steps between positions, against a search of its own through every architecture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError
from engine.experiments.properties.paths import ARCHITECTURES, PathParams, count_paths
from tests import property_oracles


@st.composite
def sequences(draw):
    T = draw(st.integers(2, 14))
    return PathParams(
        T=T,
        kernel=draw(st.sampled_from([3, 5, 7])),
        window=draw(st.sampled_from([2, 4, 6])),
        layers=draw(st.integers(1, 5)),
        position=draw(st.integers(1, T)),
    )


@given(sequences())
@settings(max_examples=20)
def test_steps_are_those_that_a_search_finds(params):
    result = count_paths(params)
    for name in ARCHITECTURES:
        expected = [
            property_oracles.steps_between(name, 0, t, params.T, params.kernel, params.window)
            for t in range(params.T)
        ]
        assert result.steps[name].tolist() == expected, name
        assert result.longest[name] == expected[-1]


@given(sequences())
@settings(max_examples=20)
def test_a_position_has_heard_of_those_that_told_it(params):
    result = count_paths(params)
    assert result.position == params.position - 1
    for name in ARCHITECTURES:
        heard = property_oracles.heard_of(
            name, params.position - 1, params.T, params.kernel, params.window, params.layers
        )
        assert set(np.flatnonzero(result.reached[name]).tolist()) == heard, name


def test_the_laws_that_the_field_states():
    result = count_paths(PathParams(T=512, kernel=3, window=8))
    distances = np.arange(512)
    assert result.steps["rnn"].tolist() == distances.tolist()
    assert result.steps["convolution"].tolist() == distances.tolist()
    assert result.steps["window"].tolist() == (-(-distances // 4)).tolist()
    assert result.steps["dilated"].tolist() == [int(d).bit_length() for d in distances]
    assert result.steps["full"].tolist() == [0] + [1] * 511


def test_the_middle_position_is_asked_unless_another_is_chosen():
    assert count_paths(PathParams(T=7)).position == 3
    assert count_paths(PathParams(T=2)).position == 0
    reached = count_paths(PathParams(T=7, layers=1)).reached
    assert np.flatnonzero(reached["rnn"]).tolist() == [2, 3]
    assert np.flatnonzero(reached["convolution"]).tolist() == [2, 3, 4]
    assert reached["full"].all()


def test_counts_can_be_shared():
    result = count_paths(PathParams(T=4))
    with pytest.raises(ValueError, match="read-only"):
        result.steps["rnn"][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        result.reached["rnn"][0] = True


REFUSED: dict[str, dict[str, Any]] = {
    "T must be a whole number from 2 to 512, got 1.": {"T": 1},
    "T must be a whole number from 2 to 512, got abc.": {"T": "abc"},
    "kernel must be a whole number from 3 to 63, got 1.": {"kernel": 1},
    "The kernel must be odd, so that it has a middle; got 4.": {"kernel": 4},
    "window must be a whole number from 2 to 512, got 514.": {"window": 514},
    "The window must be even, half of it on each side; got 3.": {"window": 3},
    "layers must be a whole number from 1 to 64, got 65.": {"layers": 65},
    "layers must be a whole number from 1 to 64, got True.": {"layers": True},
    "position must be a whole number from 0 to 64, got 65.": {"position": 65},
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_refused(sentence):
    with pytest.raises(EngineError) as caught:
        count_paths(replace(PathParams(), **REFUSED[sentence]))
    assert str(caught.value) == sentence
