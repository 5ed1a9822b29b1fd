"""What each tab computes, with its formulas, for a reader who wants to follow or to teach it."""

from __future__ import annotations

from collections.abc import Callable

from pages.text import Translator
from pages.ui import explained


def draw(tab: str, t: Translator) -> None:
    """Draw what a tab computes, folded."""
    formula, paragraphs = _OF_TAB[tab]
    explained.draw(formula, paragraphs(t), t)


def of_lookup(t: Translator) -> list[str]:
    """Return what hard and soft lookup are."""
    return [
        t(
            "A dictionary compares the query with every key and returns the value of the one that "
            "is equal, or nothing. Hard lookup takes the key with the largest score instead, and "
            "where several have it, the mean of their values. Soft lookup takes all of them: the "
            "weights are softmax of the scores divided by the temperature {tau}, and the output "
            "is the mean of the values with these weights.",
            tau=r"$\tau$",
        ),
        t(
            "Towards temperature 0 the weights become those of hard lookup, towards infinity all "
            "become 1/n. Every step has a derivative, so that what the weights rest on can be "
            "learned; those of hard lookup by query and keys are 0 wherever they exist."
        ),
        t(
            "The place of a row enters nowhere: the rows are looked at as a set. Self-attention is "
            "soft lookup with one query for each token, the dot product as score, and √d_k as "
            "temperature."
        ),
    ]


def of_similarity(t: Translator) -> list[str]:
    """Return what the five similarities are."""
    return [
        t(
            "The dot product is the product of both lengths and the cosine of the angle, so that "
            "a long key draws weight by its length alone; the cosine leaves the lengths out and "
            "is not defined for a vector of zeros. Divided by √d the dot product keeps its spread "
            "when vectors of independent components grow wider."
        ),
        t(
            "With half the squared distance, negated, the weights are those of a Gaussian kernel "
            "(Nadaraya 1964, Watson 1964), whose variance is the temperature."
        ),
        t(
            "Additive attention (Bahdanau et al. 2015) compares through a small network. Its "
            "weights {weights} would be learned; here they are drawn from the seed, so that its "
            "column shows the form and not a trained result.",
            weights=r"$W_q$, $W_k$, $w$",
        ),
    ]


def of_roles(t: Translator) -> list[str]:
    """Return what is drawn, and what tied means."""
    return [
        t(
            "Every draw has its own tokens, standard normal vectors, and its own projections, "
            "normal with variance 1/d_model. Free: W_Q and W_K are drawn apart. Tied: W_K is W_Q, "
            "so that query and key of a token are one vector. Its score with itself is then the "
            "square of its length, about √d_k after the division, while those with others scatter "
            "around 0; and a score equals its mirror image."
        ),
        t(
            "W_V does not enter the weights: with W_V tied too, the weights stay and only what is "
            "handed over changes."
        ),
        t("This is a head at its start. Training can move the diagonal either way, tied or free."),
    ]


def of_axes(t: Translator) -> list[str]:
    """Return what either normalisation means."""
    return [
        t(
            "Along a row the keys share the weight of one query: every output is a mean of values. "
            "Down a column the queries share one key: what a query gets in all then need not be 1, "
            "and where it is not, its output is no mean of values."
        ),
    ]


def of_cost(t: Translator) -> list[str]:
    """Return how the cost is measured."""
    return [
        t(
            "Both compute a score for each of the T × T pairs, d_k wide. Dot products are one "
            "product of matrices. Additive attention has a hidden layer as wide as d_k: it "
            "projects every query and key once, and needs a hyperbolic tangent for every pair and "
            "component. It is computed block by block, since all T² d_k components at once would "
            "take d_k times the memory of the scores."
        ),
        t(
            "Vaswani et al. (2017, section 3.2.1) choose the dot product because in practice it is "
            "much faster and needs less memory; for large d_k without the division they report "
            "additive attention to be better."
        ),
        t(
            "Each point is run once to warm up, then as often as asked; the time is the median. "
            "The ratio stands with the middle half of the ratios of single runs. Only the time is "
            "measured here: which of them learns better is not."
        ),
    ]


_LOOKUP = (
    r"a_i=\frac{e^{s_i/\tau}}{\sum_{j=1}^{n}e^{s_j/\tau}},\qquad o=\sum_{i=1}^{n}a_i\,v_i,\qquad "
    r"\lim_{\tau\to\infty}a_i=\frac1n"
)
_SIMILARITY = (
    r"q\cdot k=\|q\|\,\|k\|\cos\theta,\qquad \frac{q\cdot k}{\sqrt d},\qquad "
    r"\cos\theta,\qquad -\tfrac12\|q-k\|^2,\qquad w\cdot\tanh(W_q\,q+W_k\,k)"
)
_ROLES = (
    r"S=\frac{(XW_Q)(XW_K)^{\mathsf T}}{\sqrt{d_k}},\qquad "
    r"W_K=W_Q\;\Rightarrow\;S=S^{\mathsf T},\quad S_{ii}=\frac{\|x_iW_Q\|^2}{\sqrt{d_k}}\ge0"
)
_AXES = (
    r"A_{ij}=\frac{e^{S_{ij}}}{\sum_{l}e^{S_{il}}},\qquad "
    r"B_{ij}=\frac{e^{S_{ij}}}{\sum_{l}e^{S_{lj}}}"
)
_COST = (
    r"\underbrace{q_i\cdot k_j}_{2\,T^2 d_k}\qquad "
    r"\underbrace{w\cdot\tanh(W_q\,q_i+W_k\,k_j)}"
    r"_{4\,T d_k^2\;+\;3\,T^2 d_k\;+\;T^2 d_k\,\tanh}"
)
_OF_TAB: dict[str, tuple[str, Callable[[Translator], list[str]]]] = {
    "lookup": (_LOOKUP, of_lookup),
    "similarity": (_SIMILARITY, of_similarity),
    "roles": (_ROLES, of_roles),
    "axes": (_AXES, of_axes),
    "cost": (_COST, of_cost),
}
