"""The words of claims 9, 10, 17, 18 and 24: order, reach, influence, depth and the graph view."""

from __future__ import annotations

from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_properties import (
    CHANGED,
    COMPARED,
    HELPED,
    LINEAR,
    SMOOTH,
    STACKS,
    WATCHED,
)
from pages.figures.numerals import number
from pages.text import Translator, mark
from pages.text.amounts import DIGITS, between, counted, size
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import real, whole, wholes

# Order ----------------------------------------------------------------------------------------


def _order(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("difference", "rounding", "largest", "difference_positions", *_SHOWN)
    sizes = {name: size(real(finding, name)) for name in names}
    return {**sizes, "inputs": finding.values["inputs"]}


_SHOWN = ("shown_difference", "shown_positions")
_ALIKE = mark(
    "The largest difference of f(PX) and P f(X) in {inputs} inputs is {difference}; rounding "
    "allows {rounding}, and the largest output is {largest}."
)

ORDER = ClaimWords(
    9,
    mark("“Permute the tokens, and the outputs are permuted alike.”"),
    mark("Self-attention is permutation-equivariant"),
    {
        "broken": (
            _ALIKE,
            mark(
                "Added positions break it: the sentence that the page shows differs by "
                "{shown_positions} then, the input that changes least by {difference_positions}."
            ),
        ),
        "unbroken": (
            _ALIKE,
            mark("Added positions do not break it for every input."),
        ),
        "unequal": (
            mark(
                "The largest difference of f(PX) and P f(X) in {inputs} inputs is {difference}, "
                "which is more than the {rounding} of rounding."
            ),
        ),
    },
    _order,
    mark(
        "Confirmed where f(PX) and P f(X) differ by no more than rounding: what two orders of "
        "adding up the same numbers may differ by; else wrong."
    ),
    measured=lambda finding, t: t(
        "outputs differ by {shown_difference}; with positions by {shown_positions}",
        **_order(finding, t),
    ),
)

# Reach ----------------------------------------------------------------------------------------


def _reach(finding: Finding, t: Translator) -> dict[str, object]:
    return {
        "lengths": t.listing(counted(wholes(finding, "lengths"))),
        "steps": max(wholes(finding, "full")),
        "recurrent": t.listing(counted(wholes(finding, "recurrent"))),
        "exponent": number(real(finding, "exponent"), 2),
        "least": size(real(finding, "least_move")),
        "tokens": finding.values["tokens"],
        "inputs": finding.values["inputs"],
        "shown_T": f"{whole(finding, 'shown_T'):,}",
        "shown_steps": f"{whole(finding, 'shown_full'):,}",
        "shown_far": f"{whole(finding, 'shown_recurrent'):,}",
    }


_COUNTED = mark(
    "Counted by walking, at T = {lengths}: one step joins any two positions; from the first to the "
    "last a recurrent net needs {recurrent}."
)
_MOVED = mark(
    "In {inputs} heads of {tokens} tokens one layer is enough too: whichever token changes, every "
    "output moves, the least by {least}."
)

_FAR = mark("Counted by walking, self-attention needs up to {steps} steps here.")
_STILL = mark(
    "Yet in {inputs} heads of {tokens} tokens one layer is not enough: not every output moves when "
    "a token changes."
)

REACH = ClaimWords(
    10,
    mark("“Any two positions are one step apart; in a recurrent net the path grows like T.”"),
    mark("Any two positions are one step apart"),
    {
        "direct": (_COUNTED, _MOVED),
        "direct_only": (
            _COUNTED,
            mark("That grows like T to the power {exponent}, more slowly than claimed."),
            _MOVED,
        ),
        "far": (_FAR,),
        "still": (_COUNTED, _STILL),
        "far still": (_FAR, _STILL),
    },
    _reach,
    mark(
        "Confirmed where one step is enough at every length, every output moves when a token "
        "changes, and the steps of the recurrent net grow like T to a power of {linear} or more; "
        "qualified where only these grow more slowly; wrong where one step is not enough, or some "
        "output does not move."
    ),
    {"linear": number(LINEAR, 2)},
    lambda finding, t: t(
        "most steps at T = {shown_T}: {shown_steps}; recurrent net {shown_far}",
        **_reach(finding, t),
    ),
)

# Influence ------------------------------------------------------------------------------------


def _influence(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("move", "least_move", "causal_move", "rounding")
    return {name: size(real(finding, name)) for name in names} | {
        name: finding.values[name] for name in ("changed", "watched", "inputs")
    }


_MOVES = mark(
    "Without a mask output {watched} moves by {move} in the textbook example; the smallest move in "
    "{inputs} inputs is {least_move}."
)

INFLUENCE = ClaimWords(
    17,
    mark("“Changing token 3 changes the output of token 1.”"),
    mark("Changing token 3 changes the output of token 1"),
    {
        "masked": (
            _MOVES,
            mark("Under a causal mask it stays the same to the last bit."),
        ),
        "unmasked": (
            _MOVES,
            mark("Under a causal mask it still moves, by up to {causal_move}."),
        ),
        "still": (
            mark(
                "The smallest move of output {watched} in {inputs} inputs is {least_move}, no "
                "more than the {rounding} of rounding."
            ),
        ),
    },
    _influence,
    mark(
        "Confirmed where output {watched} moves by more than rounding in every input when token "
        "{changed} changes, without a mask; else wrong."
    ),
    {"changed": CHANGED, "watched": WATCHED},
    lambda finding, t: t(
        "output {watched} moves by {move}; causal {causal_move}", **_influence(finding, t)
    ),
)

# Depth ----------------------------------------------------------------------------------------


def _depth(finding: Finding, t: Translator) -> dict[str, object]:
    def ends(name: str) -> str:
        return between(real(finding, f"{name}_low"), real(finding, f"{name}_high"))

    layers, without, residual = (
        wholes(finding, name) for name in ("layers", "without_from", "residual_from")
    )
    return {
        "seeds": finding.values["seeds"],
        "early": finding.values["early"],
        "compared": finding.values["compared"],
        "without": number(real(finding, "without"), DIGITS),
        "without_ends": ends("without"),
        "residual": number(real(finding, "residual"), DIGITS),
        "residual_ends": ends("residual"),
        "end": number(real(finding, "residual_end"), DIGITS),
        "layers": layers[0],
        "deep": layers[-1],
        "smooth": number(SMOOTH, 1),
        "without_from": without[0],
        "residual_from": t.listing(residual),
        "normed_from": residual[-1],
    }


_FAST = mark(
    "Random layers, {seeds} seeds: the mean cosine between positions is {without} ({without_ends}) "
    "after {early} layers without residual connections, and {residual} ({residual_ends}) after "
    "{compared} with them."
)

DEPTH = ClaimWords(
    18,
    mark("“With depth the outputs of all positions become alike; residual connections help.”"),
    mark("Outputs over-smooth with depth; residuals help"),
    {
        "delayed": (
            _FAST,
            mark(
                "They delay it and do not end it: after {layers} layers it is {end} with them, "
                "and with layer normalisation too every seed has reached {smooth} after "
                "{normed_from}."
            ),
        ),
        "helped": (
            _FAST,
            mark("After {layers} layers it is {end} with them."),
        ),
        "unhelped": (
            mark(
                "Random layers, {seeds} seeds: the outputs become alike, the mean cosine between "
                "positions is {without} ({without_ends}) after {early} layers; residual "
                "connections do not help clearly, it is {residual} ({residual_ends}) after "
                "{compared} layers with them."
            ),
        ),
        "distinct": (
            mark(
                "Random layers, {seeds} seeds: not every stack becomes alike; the mean cosine "
                "between positions is {without} ({without_ends}) after {early} layers without "
                "residual connections."
            ),
        ),
    },
    _depth,
    mark(
        "Confirmed where without residual connections every seed begins below a mean cosine of "
        "{smooth} and ends at it or above, in {layers} layers and in {deep} normalised ones, and "
        "after {compared} layers every seed is lower by {helped} or more with them; qualified "
        "where some seed is not; wrong where some seed does not begin and end so without them."
    ),
    {
        "smooth": number(SMOOTH, 1),
        "helped": number(HELPED, 1),
        "compared": COMPARED,
        "layers": STACKS[0].layers,
        "deep": STACKS[-1].layers,
    },
    lambda finding, t: t(
        "mean cosine {without} after {early} layers; {residual} after {compared} with residual",
        **_depth(finding, t),
    ),
)

# The graph view -------------------------------------------------------------------------------


def _graph(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("difference", "shown_difference", "rounding", "largest")
    sizes = {name: size(real(finding, name)) for name in names}
    return sizes | {name: finding.values[name] for name in ("tokens", "edges", "inputs")}


_EQUAL = mark(
    "The largest difference of a loop over the edges and the matrix product in {inputs} inputs is "
    "{difference}; rounding allows {rounding}, and the largest output is {largest}."
)

GRAPH = ClaimWords(
    24,
    mark("“Self-attention passes messages on a complete graph whose edge weights are computed.”"),
    mark("It is message passing on a complete graph"),
    {
        "complete": (
            _EQUAL,
            mark(
                "The graph is complete: in the textbook example {tokens} tokens have {edges} "
                "edges of positive weight, self-loops among them."
            ),
        ),
        "incomplete": (
            _EQUAL,
            mark(
                "Yet the graph is not complete: in the textbook example {tokens} tokens have "
                "{edges} edges of positive weight, and in some input at least one is missing."
            ),
        ),
        "unequal": (
            mark(
                "The largest difference of a loop over the edges and the matrix product is "
                "{difference}, which is more than the {rounding} of rounding."
            ),
        ),
    },
    _graph,
    mark(
        "Confirmed where messages along the edges and the matrix product differ by no more than "
        "rounding and every token hears of every token; qualified where some token does not hear "
        "of another; wrong where they differ by more."
    ),
    measured=lambda finding, t: t(
        "loop and matrix product differ by {shown_difference}", **_graph(finding, t)
    ),
)

WORDS = (ORDER, REACH, INFLUENCE, DEPTH, GRAPH)
