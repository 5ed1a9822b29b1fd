"""What is said of the properties: every sentence on both sides of what it depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.experiments.properties.graph import GraphParams, pass_messages
from engine.experiments.properties.order import OrderParams, compare_order
from engine.experiments.properties.paths import ARCHITECTURES, PathParams, count_paths
from engine.experiments.properties.smoothing import SmoothingParams, measure_smoothing
from pages.text import translator
from pages.text.properties_paths import alike_words, growth_words, heard_words
from pages.text.properties_readings import (
    graph_notices,
    influence_notices,
    order_notices,
    paths_notices,
    smoothing_notices,
)
from pages.text.properties_stacks import alike_from, cosine_words, heads_words, rank_words
from pages.text.properties_words import (
    content_words,
    is_flat,
    moved_words,
    order_words,
    shown_words,
)
from tests import properties_results as found

ENGLISH = translator("en")
LANGUAGES = ("en", "zh")


def said(sentences: list[str]) -> str:
    assert all(sentence.endswith((".", "。")) for sentence in sentences)
    assert all("e-" not in sentence for sentence in sentences)
    return " ".join(sentences)


def every_notice(t) -> list[list[str]]:
    return [
        *(order_notices(found.order(case), t) for case in found.ORDERS),
        *(paths_notices(found.paths(case), t) for case in found.PATHS),
        *(smoothing_notices(found.stack(case), t) for case in found.STACKS),
        *(graph_notices(found.graph(case), t) for case in found.GRAPHS),
        influence_notices(found.influence(), 3, t),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_something_to_notice_in_everything(language):
    for sentences in every_notice(translator(language)):
        assert 1 <= len(sentences) <= 3
        assert said(sentences)


# Order ----------------------------------------------------------------------------------------


def test_outputs_that_move_with_their_tokens_are_told_from_those_that_change():
    result = found.order("default")
    x, *projections = found.matrices(found.ORDERS["default"])
    plain, moved = (found.attended((each, *projections))[1] for each in (x, x[::-1]))
    assert np.abs(moved[::-1] - plain).max() < 1e-12
    assert "which is rounding" in order_words(result, False, ENGLISH)
    broken = replace(result, difference=0.5)
    assert "the outputs are others: the largest difference is 0.5" in order_words(
        broken, False, ENGLISH
    )
    assert "to the last bit" in order_words(replace(result, difference=0.0), False, ENGLISH)
    assert "Without positions the outputs move" in said(order_notices(result, ENGLISH))
    assert "Without positions the outputs change: by up to 0.5." in said(
        order_notices(broken, ENGLISH)
    )


def test_positions_that_break_it_are_told_from_those_that_do_not():
    result = found.order("default")
    x, *projections = found.matrices(found.ORDERS["default"])
    plain, moved = (found.attended((found.placed(each), *projections))[1] for each in (x, x[::-1]))
    largest = np.abs(moved[::-1] - plain).max()
    assert f"largest difference is {largest:.3f}" in order_words(result, True, ENGLISH)
    assert f"With positions they change, by up to {largest:.3f}" in said(
        order_notices(result, ENGLISH)
    )
    unbroken = replace(result, difference_positions=result.rounding_positions)
    assert "With positions they do so here too." in said(order_notices(unbroken, ENGLISH))


def test_a_permutation_that_moves_nothing_and_a_single_token_are_named():
    assert order_words(found.order("same"), True, ENGLISH) == "This permutation moves no token."
    assert "take another order" in said(order_notices(found.order("same"), ENGLISH))
    assert "take two or more" in said(order_notices(found.order("one"), ENGLISH))
    assert "its weight is 1" in content_words(found.order("one"), ENGLISH)
    assert "its weight is 1" not in content_words(found.order("two"), ENGLISH)


def test_a_weight_that_depends_on_content_alone_is_told_from_one_that_moves():
    result = found.order("default")
    assert "since content alone decides" in said(order_notices(result, ENGLISH))
    assert "Without positions the weight is" in content_words(result, ENGLISH)
    moves = replace(result.moves, without=result.moves.positions)
    changed = replace(result, moves=moves)
    assert "changes with its place" in said(order_notices(changed, ENGLISH))
    least, most = result.moves.positions.min(), result.moves.positions.max()
    assert (
        f"Without positions the weight lies between {least:.3f} and {most:.3f}."
        in content_words(changed, ENGLISH)
    )


def test_rounding_is_no_change_of_a_weight():
    assert is_flat(np.array([0.5, 0.5 + 1e-15]), "float64")
    assert not is_flat(np.array([0.5, 0.5 + 1e-9]), "float64")
    assert is_flat(np.array([0.5, 0.5 + 1e-7]), "float32")
    assert not is_flat(np.array([0.5, 0.51]), "float32")


def test_orders_read_alike_on_every_backend(backend):
    result = compare_order(OrderParams(seed=4), backend=backend)
    sentences = said(order_notices(result, ENGLISH))
    assert "Without positions the outputs move" in sentences
    assert "since content alone decides" in sentences


# Reach ----------------------------------------------------------------------------------------


def test_the_recurrent_net_takes_as_many_steps_as_the_distance():
    sentences = said(paths_notices(found.paths("default"), ENGLISH))
    assert "as the distance, 63 to the last position" in sentences
    assert "Self-attention takes 1 step over any distance" in sentences
    assert "RNN" not in said(paths_notices(found.paths("two"), ENGLISH))


def test_nothing_is_said_of_a_net_that_is_no_longer_so():
    result = found.paths("default")
    steps = dict(result.steps)
    steps["rnn"], steps["full"] = steps["window"], steps["rnn"]
    sentences = said(paths_notices(replace(result, steps=steps), ENGLISH))
    assert "Self-attention takes 1 step" not in sentences
    assert "as many steps as the distance" not in sentences


def test_the_positions_heard_of_are_counted():
    result = count_paths(PathParams(T=20, layers=2, position=20))
    assert heard_words(result, ENGLISH) == (
        "Heard of, of 20 positions: RNN: 3, convolution: 3, dilated convolution: 4, windowed "
        "attention: 9, self-attention: 20."
    )


@pytest.mark.parametrize("T", [2, 3, 17, 64])
@pytest.mark.parametrize(("kernel", "window"), [(3, 8), (3, 2), (5, 32), (63, 512)])
def test_growth_is_said_as_loops_count_it(T, kernel, window):
    result = count_paths(PathParams(T=T, kernel=kernel, window=window))
    half, side = kernel // 2, window // 2
    reach = {"rnn": lambda n: n, "convolution": lambda n: n * half, "window": lambda n: n * side,
             "full": lambda _: T, "dilated": lambda n: half * (2**n - 1)}  # fmt: skip
    for name in ARCHITECTURES:
        far = reach[name]
        last = next(n for n in range(1, T + 1) if far(n) >= T - 1)  # layers to the last position
        share = {"rnn": "d", "convolution": f"d/{half}", "window": f"d/{side}", "dilated": "log d"}
        wanted = "1" if last == 1 else share[name].removesuffix("/1")
        assert growth_words(result, name) == wanted, name


def test_growth_is_not_said_of_steps_that_grow_otherwise():
    result = found.paths("default")
    for name in ("rnn", "dilated", "window", "full"):
        steps = dict(result.steps)
        steps[name] = steps[name] + (np.arange(64) == 40)
        assert growth_words(replace(result, steps=steps), name) == ""


def test_lines_that_coincide_are_named_together():
    result = found.paths("default")
    assert alike_words(result, ENGLISH) == "RNN and convolution coincide."
    steps = dict(result.steps)
    steps["rnn"], steps["dilated"] = steps["full"], steps["convolution"]
    steps["window"] = steps["convolution"]
    assert alike_words(replace(result, steps=steps), ENGLISH) == (
        "RNN and self-attention coincide. Convolution, dilated convolution and windowed attention "
        "coincide."
    )


# Depth ----------------------------------------------------------------------------------------


def with_cosines(without: list[list[float]], residual: list[list[float]]) -> Any:
    layers = len(without[0]) - 1
    params = SmoothingParams(T=4, d_model=4, layers=layers, seeds=tuple(range(len(without))))
    cosine = {(False, 1): np.array(without), (True, 1): np.array(residual)}
    return replace(found.stack("default"), params=params, cosine=cosine)


def test_the_layer_from_which_on_positions_are_alike():
    result = with_cosines(
        [[0, 0.95, 0.5, 0.9, 1], [0, 0.95, 0.95, 0.92, 1]], [[0, 0, 0, 0, 0.4]] * 2
    )
    assert alike_from(result, residual=False) == 3
    assert alike_from(result, residual=True) is None
    words = cosine_words(result, ENGLISH)
    assert "Without residual the mean cosine is 0.9 or more from layer 3 on." in words
    assert "With residual the mean cosine after the last layer is 0.40." in words


def test_a_vector_that_is_zero_has_no_cosine():
    result = with_cosines([[0, 0.95, float("nan")]], [[0, 0.1, 0.2]])
    assert alike_from(result, residual=False) is None
    assert "Without residual a vector becomes zero, and has no cosine." in cosine_words(
        result, ENGLISH
    )


@pytest.mark.parametrize(
    ("residual", "delayed"),
    [([0, 0, 0.95, 0.95], True), ([0, 0.95, 0.95, 0.95], False), ([0, 0, 0, 0.3], False)],
)
def test_residual_connections_delay_it_only_where_they_do(residual, delayed):
    result = with_cosines([[0, 0.95, 0.95, 0.95]], [residual])
    assert ("delay over-smoothing" in said(smoothing_notices(result, ENGLISH))) == delayed


def test_every_seed_is_lower_only_where_the_seeds_are_apart():
    apart = with_cosines([[0, 0.6], [0, 0.7]], [[0, 0.1], [0, 0.5]])
    assert "Every seed is lower with it." in said(smoothing_notices(apart, ENGLISH))
    mixed = with_cosines([[0, 0.6], [0, 0.7]], [[0, 0.1], [0, 0.65]])
    assert "Every seed" not in said(smoothing_notices(mixed, ENGLISH))
    one = with_cosines([[0, 0.6]], [[0, 0.1]])
    assert "Every seed" not in said(smoothing_notices(one, ENGLISH))


def test_several_numbers_of_heads_have_a_range():
    result = found.stack("many")
    layer = [result.cosine[True, heads][:, 4].mean() for heads in (1, 2, 4, 8, 16)]
    wanted = f"lie between {min(layer):.2f} and {max(layer):.2f} for 1, 2, 4, 8, 16 heads"
    assert wanted in said(smoothing_notices(result, ENGLISH))


def test_the_effective_rank_is_said_at_both_ends():
    result = found.stack("default")
    first, last = (result.rank[False, 1][:, place].mean() for place in (0, -1))
    words = rank_words(result, ENGLISH)
    assert f"is {first:.1f} at first; after layer 12 it is {last:.1f} without residual" in words


@pytest.mark.parametrize(
    ("residual", "less"),
    # The means of both numbers of heads, and how far their seeds are apart.
    [(((0.30, 0.2), (0.35, 0.125)), True), (((0.30, 0.2), (0.55, 0.1)), False),
     (((0.30, 0.02), (0.35, 0.4)), False)],
)  # fmt: skip
def test_heads_change_less_than_seeds_only_where_all_seeds_are_farther_apart(residual, less):
    params = SmoothingParams(T=4, d_model=4, layers=1, heads=(1, 2), seeds=(1, 2))
    cosine = {
        (way, heads): np.array([[0, mean - apart / 2], [0, mean + apart / 2]])
        for heads, (mean, apart) in zip((1, 2), residual, strict=True)
        for way in (False, True)
    }
    stack = replace(found.stack("many"), params=params, heads=(1, 2), cosine=cosine)
    words = heads_words(stack, ENGLISH)
    assert f"between 0.30 and {residual[1][0]:.2f}" in words
    assert ("less than the seed does" in words) == less
    assert ("0.12 or more apart" in words) == less


def test_heads_that_are_alike_to_two_decimals_are_no_range():
    params = SmoothingParams(T=4, d_model=4, layers=1, heads=(1, 2), seeds=(1,))
    cosine = {(way, heads): np.array([[0, 0.3]]) for way in (False, True) for heads in (1, 2)}
    stack = replace(found.stack("many"), params=params, heads=(1, 2), cosine=cosine)
    words = heads_words(stack, ENGLISH)
    assert words == "With residual the mean cosine after layer 1 is 0.30 for 1, 2 heads."


def test_stacks_read_alike_on_every_backend(backend):
    result = measure_smoothing(SmoothingParams(T=8, d_model=16), backend=backend)
    words = cosine_words(result, ENGLISH)
    low = np.asarray(result.cosine[False, 1]).min(axis=0)
    first = next(layer for layer in range(13) if (low[layer:] >= 0.9).all())
    assert f"from layer {first} on" in words


# The graph ------------------------------------------------------------------------------------


def test_messages_that_add_up_are_told_from_those_that_do_not():
    result = found.graph("default")
    assert "add up to the output of the matrix product" in said(graph_notices(result, ENGLISH))
    wrong = replace(result, difference=0.25)
    assert "Messages and matrix product differ by up to 0.25." in said(
        graph_notices(wrong, ENGLISH)
    )


def test_a_complete_graph_is_told_from_a_causal_one():
    assert "a complete graph of 16 arrows" in said(graph_notices(found.graph("default"), ENGLISH))
    causal = said(graph_notices(found.graph("causal"), ENGLISH))
    assert "leaves 10 of 16 arrows" in causal
    assert "complete" not in causal
    assert "hears of itself alone" in said(graph_notices(found.graph("one"), ENGLISH))
    result = found.graph("default")
    lost = replace(result, edges=result.edges[:-1], shown=result.edges[:-1])
    assert "15 of 16 weights are above 0." in said(graph_notices(lost, ENGLISH))


def test_the_share_of_the_weight_that_is_drawn():
    result, params = found.graph("long"), found.GRAPHS["long"]
    weights, _ = found.attended(found.matrices(params))
    drawn = np.where(weights >= params.threshold, weights, 0.0).sum(axis=1)
    place = int(drawn.argmin())
    sentences = said(graph_notices(result, ENGLISH))
    if drawn[place]:
        assert (
            f"into token {place + 1} ({result.tokens[place]}) hold {drawn[place]:.3f}" in sentences
        )
    else:
        assert f"no arrow into token {place + 1}" in sentences
    assert "no arrow into token" in said(graph_notices(found.graph("none"), ENGLISH))
    assert "add up to 1." in said(graph_notices(found.graph("default"), ENGLISH))


@pytest.mark.parametrize(
    ("params", "words"),
    [
        (GraphParams(), "All 16 arrows are drawn."),
        (GraphParams("sentence", "alone"), "The one arrow is drawn."),
        (
            GraphParams(threshold=0.24),
            "Drawn are the 10 of 16 weights that reach the threshold of 0.24.",
        ),
        (
            GraphParams(threshold=0.3),
            "Drawn are the 2 of 16 weights that reach the threshold of 0.3.",
        ),
        (
            GraphParams("sentence", "Hello world", threshold=0.69),
            "Drawn is the one of 4 weights that reaches the threshold of 0.69.",
        ),
        (
            GraphParams(threshold=0.9),
            "No weight reaches the threshold of 0.9, so no arrow is drawn.",
        ),
    ],
)
def test_how_many_arrows_are_drawn(params, words):
    weights, _ = found.attended(found.matrices(params))
    result = pass_messages(params, backend="numpy")
    assert len(result.shown) == int((weights >= params.threshold).sum())
    assert shown_words(result, ENGLISH) == words


def test_graphs_read_alike_on_every_backend(backend):
    result = pass_messages(GraphParams(), backend=backend)
    assert "add up to the output" in said(graph_notices(result, ENGLISH))


# Influence ------------------------------------------------------------------------------------


def test_outputs_before_the_changed_token_stay_under_the_causal_mask():
    result = found.influence()
    sentences = said(influence_notices(result, 3, ENGLISH))
    assert f"that of token 1 by {result.a.moves[0, 2]:.3f}" in sentences
    assert "the outputs before token 3 stay the same" in sentences
    assert "the output before token 2 stays the same" in said(influence_notices(result, 2, ENGLISH))
    assert "hides it from none" in said(influence_notices(result, 1, ENGLISH))
    assert moved_words(result, 3, ENGLISH).endswith("4 of 4 outputs move, with the causal mask 2.")


def test_a_leak_and_an_output_that_stays_are_said():
    result = found.influence()
    leaking = np.array(result.b.moves)
    leaking[0, 2] = 0.125
    said_of = said(
        influence_notices(replace(result, b=replace(result.b, moves=leaking)), 3, ENGLISH)
    )
    assert "an earlier output moves by 0.125: the mask leaks" in said_of
    still = np.array(result.a.moves)
    still[1, 2] = 0.0
    stiller = replace(result, a=replace(result.a, moves=still))
    said_of = said(influence_notices(stiller, 3, ENGLISH))
    assert "Without a mask 3 of 4 outputs move." in said_of


def test_one_token_alone_moves_its_own_output():
    result = found.influence(source="sentence", sentence="x")
    assert influence_notices(result, 1, ENGLISH) == [moved_words(result, 1, ENGLISH)]
