"""What each tab computes, with its formulas, for a reader who wants to follow or to teach it."""

from __future__ import annotations

from collections.abc import Callable

from pages.text import Translator
from pages.ui import explained


def draw(tab: str, t: Translator) -> None:
    """Draw what a tab computes, folded."""
    formula, paragraphs = _OF_TAB[tab]
    explained.draw(formula, paragraphs(t), t)


def of_order(t: Translator) -> list[str]:
    """Return why the order is not seen, and what positions do."""
    return [
        t(
            "A permutation {permutation} that swaps the rows of X swaps rows and columns of the "
            "scores alike. Softmax works row by row, and in the product with V the columns of the "
            "weights and the rows of V are swapped alike, which cancels: what is left is the same "
            "output in the new order. A causal mask, which looks at places, breaks this too.",
            permutation="$P$",
        ),
        t(
            "With positions the vector of a token depends on its place, so that its queries, keys "
            "and values do. The token that is moved stands in each place in turn while the others "
            "keep their order, and attention is computed anew each time."
        ),
    ]


def of_reach(t: Translator) -> list[str]:
    """Return how the steps are counted."""
    return [
        t(
            "One step is one layer of a stack, or in a recurrent net the step from a token to the "
            "next. The steps are counted by walking, layer after layer, through who hears of whom; "
            "no formula is used."
        ),
        t(
            "The dilated convolution reads neighbours 1, 2, 4, 8, … apart in its first, second, "
            "third, fourth, … layer (van den Oord et al. 2016). Windowed attention sees neighbours "
            "on both sides (Beltagy et al. 2020)."
        ),
        t(
            "One step is not one operation: full attention pays for its reach with T² scores in "
            "every layer."
        ),
    ]


def of_depth(t: Translator) -> list[str]:
    """Return what a layer is, and what is measured after it."""
    return [
        t(
            "Each layer is attention with H heads and projections W_Q, W_K, W_V, W_O of its own, "
            "normal with variance 1/d_model; there is no feed-forward part and nothing is trained. "
            "Without a residual connection the output of a layer is the next input, with it the "
            "input is added. With layer normalisation every vector is brought to mean 0 and "
            "variance 1: with a residual connection before attention reads it, so that what is "
            "added stays as it was, without one after attention."
        ),
        t(
            "A mean with positive weights draws vectors together. The mean cosine is taken over "
            "all pairs of different positions; the effective rank is exp of the entropy of the "
            "singular values, divided by their sum (Roy and Vetterli 2007). Dong et al. (2021) "
            "prove that without residual connections the output of pure attention comes near a "
            "matrix of rank 1 doubly exponentially with depth."
        ),
    ]


def of_influence(t: Translator) -> list[str]:
    """Return what is changed and measured."""
    return [
        t(
            "1 is added to every component of the vector of one token, attention is computed "
            "again, and every output is compared with what it was. Each output is a mean of all "
            "values, so that one token reaches all of them at once, unless a mask hides it. The "
            "page on masks shows this for every token and for other masks."
        ),
    ]


def of_graph(t: Translator) -> list[str]:
    """Return what a message is."""
    return [
        t(
            "Every token sends its value to every token, itself included. The edge from j to i "
            "multiplies it by the weight that query i gives key j, and node i sums what arrives. "
            "In a graph network the edges are given; here they are computed from the content, "
            "anew in each layer and head."
        ),
        t(
            "The arrows point from the token that is looked at to the token that looks, as the "
            "message goes. The projections are drawn from a seed, so that the weights show how the "
            "graph works, not what a trained model has learned."
        ),
    ]


_ORDER = (
    r"f(PX)=\operatorname{softmax}\!\left(\frac{PQK^{\mathsf T}P^{\mathsf T}}{\sqrt{d_k}}\right)PV"
    r"=P\,f(X)"
)
_DEPTH = (
    r"\begin{gathered}"
    r"X_{l+1}=\operatorname{Attn}(X_l),\quad X_{l+1}=X_l+\operatorname{Attn}(X_l);\quad "
    r"X_{l+1}=\operatorname{LN}(\operatorname{Attn}(X_l)),\quad "
    r"X_{l+1}=X_l+\operatorname{Attn}(\operatorname{LN}(X_l))\\[6pt] "
    r"\overline{\cos}=\frac{1}{T(T-1)}\sum_{i\ne j}\frac{x_i\cdot x_j}{\|x_i\|\,\|x_j\|},\qquad "
    r"r=\exp\Bigl(-\sum_m p_m\ln p_m\Bigr),\; p_m=\frac{\sigma_m}{\sum_n\sigma_n}"
    r"\end{gathered}"
)
_INFLUENCE = r"\Delta_{ij}=\max_c\,\bigl|\,o_i(x_j+1)-o_i(x_j)\,\bigr|_c"
_GRAPH = r"o_i=\sum_{j\to i}A_{ij}\,v_j\qquad\Longleftrightarrow\qquad O=A\,V"
_OF_TAB: dict[str, tuple[str, Callable[[Translator], list[str]]]] = {
    "order": (_ORDER, of_order),
    "reach": ("", of_reach),
    "depth": (_DEPTH, of_depth),
    "influence": (_INFLUENCE, of_influence),
    "graph": (_GRAPH, of_graph),
}
