"""Attention as messages along edges."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError
from engine.experiments.masks.inputs import head_of
from engine.experiments.properties import graph
from engine.experiments.properties.graph import Edge, GraphParams, pass_messages
from tests import oracles
from tests.tolerances import assert_close

PARAMS = st.one_of(
    st.builds(GraphParams, causal=st.booleans(), threshold=st.floats(0, 1)),
    st.builds(
        GraphParams,
        source=st.just("random"),
        seed=st.integers(0, 99),
        T=st.integers(2, 5),
        d_k=st.integers(1, 4),
        causal=st.booleans(),
        threshold=st.floats(0, 1),
    ),
)


@given(PARAMS)
@settings(max_examples=20)
def test_messages_add_up_to_what_loops_compute(backend, params):
    head = head_of(params)
    T = len(head.tokens)
    mask = oracles.mask_of(T, pattern="causal" if params.causal else "none")
    expected = oracles.trace(head.x, head.w_q, head.w_k, head.w_v, mask=mask)
    result = pass_messages(params, backend=backend)
    scores, largest = float(np.abs(expected["scaled"]).max()), float(np.abs(expected["v"]).max())
    error = {"dtype": backend.precision, "scores": scores}
    assert_close(result.weights, expected["weights"], **error)
    assert_close(result.values, expected["v"], largest=largest, **error)
    assert_close(result.output, expected["output"], largest=largest, **error)
    assert_close(result.passed, expected["output"], largest=largest, **error)
    off = max(map(oracles.largest_step, result.passed, result.output))
    assert result.difference == off
    assert result.is_same
    assert result.largest == pytest.approx(np.abs(expected["output"]).max(), rel=1e-4, abs=1e-5)


@given(PARAMS)
@settings(max_examples=20)
def test_edges_are_the_weights_and_nothing_else(backend, params):
    result = pass_messages(params, backend=backend)
    T = len(result.tokens)
    there = {(edge.target, edge.source): edge.weight for edge in result.edges}
    assert len(there) == len(result.edges)
    for target in range(T):
        for source in range(T):
            assert there.get((target, source), 0.0) == float(result.weights[target, source])
            assert not (params.causal and source > target and (target, source) in there)
    weights = [edge.weight for edge in result.edges]
    assert weights == sorted(weights, reverse=True)
    assert result.shown == tuple(e for e in result.edges if e.weight >= params.threshold)
    assert result.is_complete == (not params.causal)


def test_thresholds_at_both_ends(backend):
    everything = pass_messages(GraphParams(threshold=0), backend=backend)
    assert everything.shown == everything.edges
    assert len(everything.edges) == 16
    causal = pass_messages(GraphParams(causal=True, threshold=1), backend=backend)
    assert len(causal.edges) == 10
    assert causal.shown == (Edge(0, 0, 1.0),)


def test_one_token_has_one_edge_to_itself(backend):
    params = GraphParams(source="sentence", sentence="cat")
    result = pass_messages(params, backend=backend)
    assert result.edges == result.shown == (Edge(0, 0, 1.0),)
    np.testing.assert_array_equal(result.passed, result.values)
    assert result.is_complete


def test_equal_words_have_equal_edges_in_the_order_of_their_places():
    params = GraphParams(source="sentence", sentence="cat cat", threshold=0)
    edges = pass_messages(params, backend="numpy").edges
    assert [(edge.target, edge.source) for edge in edges] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert {edge.weight for edge in edges} == {0.5}


def test_a_message_that_is_lost_is_found_out(backend, monkeypatch):
    honest = graph._edges_of
    monkeypatch.setattr(graph, "_edges_of", lambda weights: honest(weights)[:-1])
    result = pass_messages(GraphParams(), backend=backend)
    assert not result.is_same
    assert not result.is_complete


REFUSED: dict[str, dict[str, Any]] = {
    "The threshold must be a number from 0 to 1, got 1.5.": {"threshold": 1.5},
    "The threshold must be a number from 0 to 1, got nan.": {"threshold": math.nan},
    "The threshold must be a number from 0 to 1, got .": {"threshold": ""},
    "The threshold must be a number from 0 to 1, got True.": {"threshold": True},
    "causal is a switch and must be true or false.": {"causal": "yes"},
    "T must be a whole number from 2 to 12, got 13.": {"source": "random", "T": 13},
    "The sentence has more than 12 tokens; words, Chinese characters, signs and emoji each count "
    "as one.": {"source": "sentence", "sentence": "word " * 13},
    "The source must be one of textbook, sentence, random, got book.": {"source": "book"},
}


@pytest.mark.parametrize("sentence", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(sentence):
    with pytest.raises(EngineError) as caught:
        pass_messages(replace(GraphParams(), **REFUSED[sentence]), backend="numpy")
    assert str(caught.value) == sentence
