"""What each tab computes, with its formulas, for a reader who wants to follow or to teach it."""

from __future__ import annotations

import re

from pages.text import Translator, mark
from pages.ui import explained


def draw(tab: str, t: Translator) -> None:
    """Draw what a tab computes, folded: formulas, and sentences on how the numbers come about."""
    formula, sentences = _OF_TAB[tab]
    explained.draw(_translated(formula, t), sentences(t), t)


def _translated(formula: str, t: Translator) -> str:
    """Return a formula with its words in the reader's language; names in an index stay."""

    def word(found: re.Match[str]) -> str:
        return rf"\text{{{t(found[1])}}}" if found[1] in _WORDS else found[0]

    return _WORD.sub(word, formula)


def of_bytes(t: Translator) -> list[str]:
    """Return what is counted, and what is not."""
    return [
        t(
            "Every tensor is counted by its shape: {tensors} Numbers that are given as GB, such as "
            "those of a GPU, are taken as GiB, which is 2³⁰ bytes.",
            tensors=t(
                "Q and the output have B·H·T·d_k numbers, K and V have B·H_KV·T·d_k, and the "
                "scores and the weights have B·H·T² each."
            ),
        ),
        t(
            "The first formula is that of one layer in inference, materialised, on one device; the "
            "second is that of training with L layers: what every layer keeps, and the gradients "
            "of the one at work. b is the bytes of one number, H the heads of queries, H_KV those "
            "of keys and values."
        ),
        t(
            "**Inference** is one pass over a prompt of T tokens, layer after layer: the tensors "
            "of one layer are there at a time, and with a cache K and V of every layer stay. "
            "**Training** is the peak of the backward pass: what the forward pass of every layer "
            "has kept, and the gradients of the layer at work."
        ),
        t(
            "**Materialised** holds the whole T × T matrices. **Blocked** holds those of one block "
            "of queries and keys, and one or two numbers for each query. **Fused** keeps its block "
            "inside the processor, so that memory never sees it. A **sliding window** of W tokens "
            "holds T × W instead of T × T, and its cache W tokens."
        ),
        t(
            "Where to read on. Blocked: {blocked}. Fused: {fused}. Windows: {windows}.",
            blocked="Rabe & Staats 2021",
            fused="FlashAttention (Dao et al. 2022), FlashAttention-2 (Dao 2023)",
            windows="Longformer (Beltagy et al. 2020), Mistral 7B (Jiang et al. 2023)",
        ),
        t(
            "Every layer is counted as dense, though GPT-3 has banded ones in between. "
            "Left out: what feed-forward layers, normalisation and embeddings compute; in "
            "training, the gradients of the model's weights and what the optimiser keeps; and "
            "what the operating system and the libraries take for themselves. The model's weights "
            "are counted where you say so."
        ),
    ]


def of_fits(t: Translator) -> list[str]:
    """Return how the largest T is found, and what a device holds."""
    return [
        t(
            "The largest T is found by bisection, to the token: T fits and T + 1 does not. A "
            "machine never has all of its memory to spare, so take it as a bound."
        ),
        t(
            "With N devices each holds the queries of T/N tokens, rounded up, and their keys and "
            "values; keys and values go round from device to device, so that each also holds one "
            "block of them that is on its way. The scores of its queries still have T columns: "
            "T²/N scores a head on each device, so that T grows like √N only."
        ),
        t(
            "Where to read on: {paper}. It passes keys and values on in this way, and it stores no "
            "T × T matrix.",
            paper="Ring Attention (Liu et al. 2023)",
        ),
    ]


def of_work(t: Translator) -> list[str]:
    """Return what is counted as an operation."""
    return [
        t(
            "A product of matrices of m × k and k × n takes 2mkn operations: a multiplication and "
            "an addition each. Counted are the forward pass of all layers and all pairs of tokens; "
            "where the pairs that a causal mask hides are skipped, about half of them remain. The "
            "formula is that of attention in one layer. Exponentials, normalisation and embeddings "
            "are left out. A step of training takes about three times as many: the backward pass "
            "has two products for each one of the forward pass."
        ),
    ]


def of_measured(t: Translator) -> list[str]:
    """Return how time and memory are measured."""
    return [
        t(
            "Each point is run once to warm up, then as often as asked; the time is the median. "
            "Memory is the largest amount held at once beyond Q, K and V: on NumPy what Python "
            "has allocated, found in runs of their own, on MLX the active peak that MLX itself "
            "reports, without its cache. One measurement runs at a time in the whole program."
        ),
        t(
            "The exponent p is fitted by least squares to the logarithms of the points from an "
            "eighth of the longest T on, where the fixed cost of a call matters little; ± is its "
            "standard error."
        ),
        t(
            "Before a point its bytes are compared with the free memory, and its time is estimated "
            "from shorter lengths. What would not fit, or would take over a minute, is not run."
        ),
    ]


def of_heads(t: Translator) -> list[str]:
    """Return how the cost of a head size is made comparable."""
    return [
        t(
            "The same attention is measured at several d_k. Divided by the number of pairs of "
            "tokens and by d_k, the time would be the same at every head size if each ran equally "
            "well. The pairs are T² for each head, with a causal mask T(T + 1)/2."
        ),
        t(
            "The fused kernel of MLX is written for some head sizes only. For others, and on a "
            "processor, MLX forms the scores in memory without saying so."
        ),
    ]


_WORD = re.compile(r"\\text\{([^}]*)\}")
_WORDS = (
    mark("bytes"),
    mark("budget"),
    mark("inference:"),
    mark("training:"),
    mark("gradients"),
    mark("weights"),
    mark("scores, weights"),
    mark("scores a device"),
    mark("projections"),
    mark("scores"),
    mark("weighted sum"),
    mark("time"),
    mark("peak"),
    mark("pairs"),
)
_BYTES = (
    r"\begin{aligned}"
    r"\text{inference:}\quad &b\,\bigl[\,2BH\,T d_k + 2BH_{\text{KV}}\,T d_k"
    r" + \underbrace{2BH\,T^2}_{\text{scores, weights}}\,\bigr]\\"
    r"\text{training:}\quad &b\,\bigl[\,L\,\bigl(2BH\,T d_k + 2BH_{\text{KV}}\,T d_k"
    r" + \underbrace{BH\,T^2}_{\text{weights}}\bigr)"
    r" + \underbrace{2BH\,T d_k + 2BH_{\text{KV}}\,T d_k + 2BH\,T^2}_{\text{gradients}}"
    r"\,\bigr]"
    r"\end{aligned}"
)
_FITS = (
    r"T_{\max} = \max\{\,T : \text{bytes}(T) \le \text{budget}\,\}, \qquad"
    r" \text{scores a device} = \tfrac{T}{N} \times T"
)
_WORK = (
    r"\underbrace{4BT\,d_{\text{model}}\,d_k\,(H+H_{\text{KV}})}_{\text{projections}}, \qquad"
    r" \underbrace{2BH\,T^2 d_k}_{\text{scores}}"
    r" + \underbrace{2BH\,T^2 d_k}_{\text{weighted sum}}"
)
_MEASURED = r"\text{time} \propto T^{\,p}, \qquad \text{peak} \propto T^{\,p}"
_HEADS = r"\frac{\text{time}}{B\,H \cdot \text{pairs} \cdot d_k}"
_OF_TAB = {
    "bytes": (_BYTES, of_bytes),
    "fits": (_FITS, of_fits),
    "work": (_WORK, of_work),
    "measured": (_MEASURED, of_measured),
    "heads": (_HEADS, of_heads),
}
