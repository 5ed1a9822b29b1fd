"""What each tab computes, with its formulas, for a reader who wants to follow or to teach it."""

from __future__ import annotations

from collections.abc import Callable

from pages.text import Translator
from pages.ui import explained


def draw(tab: str, t: Translator) -> None:
    """Draw what a tab computes, folded."""
    formula, paragraphs = _OF_TAB[tab]
    title = t("Where the weights come from") if tab == "picture" else ""
    explained.draw(formula, paragraphs(t), t, title)


def of_picture(t: Translator) -> list[str]:
    """Return where the weights of the picture come from."""
    return [
        t(
            "The weights of the sentence that ends with “tired” are printed in the source text; "
            "they stand for no model. That text says of “wide” only that ‘it’ turns to the street, "
            "so that its weights are ours: animal and street change places. A picture like this "
            "shows what attention is for. Whether a model does so has to be computed: the other "
            "tabs do."
        ),
    ]


def of_one_layer(t: Translator) -> list[str]:
    """Return why the ratio of two weights cannot change in one layer."""
    return [
        t(
            "A static embedding gives a word the same vector whatever stands around it. The two "
            "sentences differ in one word, and in it alone: query, keys and scores of all others "
            "are the same, whatever the projections. Softmax divides them by a sum that does "
            "change, but in the ratio of two weights of a row this sum cancels. Adding the "
            "position to each vector changes nothing, since no word has moved."
        ),
        t(
            "The last word has its own share, so that all other weights shrink or grow together. "
            "The value that arrives does change. What cannot change is which of two other words "
            "is given more."
        ),
    ]


def of_two_layers(t: Translator) -> list[str]:
    """Return what the two layers do."""
    return [
        t(
            "Every word has a vector of features with names. In layer 1 a pronoun asks for an "
            "adjective, and the adjective hands over what it can be said of. A residual connection "
            "adds this to the vector of the pronoun. In layer 2 the pronoun asks for what it now "
            "carries, and the noun that has it answers: the query itself depends on the ending."
        ),
        t(
            "Nothing is learned here: the matrices are chosen so that each entry can be read. A "
            "trained model has to find such matrices by itself, spreads them over many heads, and "
            "mixes them with much else."
        ),
    ]


def of_heads(t: Translator) -> list[str]:
    """Return what the attention of a model is."""
    return [
        t(
            "Each head has its own projections of the vectors that reach its layer: in layer 1 "
            "words and their positions, later what the layers before have made of them. A row "
            "tells how much one token takes of the values of all tokens in this head, and sums "
            "to 1."
        ),
        t(
            "The whole forward pass is computed here: embeddings, attention, feed-forward parts, "
            "layer normalisation. It is compared in the tests with the outputs of "
            "another implementation, every layer and head."
        ),
        t(
            "The mean over the heads of a layer is no head of the model. It hides that heads "
            "differ: a head that looks at one noun and one that looks at another have a mean that "
            "looks at both."
        ),
    ]


def of_endings(t: Translator) -> list[str]:
    """Return how two texts are compared."""
    return [
        t(
            "Tokens that both texts share, from the beginning and from the end, are compared with "
            "each other. The movement of a head is half the sum of the differences of its row: the "
            "share of the weight that has gone elsewhere, 0 to 1. A head turns when the candidate "
            "that is given more is another one in the second text."
        ),
        t(
            "In a decoder such as GPT-2 a token sees nothing that comes later: a pronoun that "
            "stands before the word that decides cannot move at all."
        ),
    ]


def of_layers(t: Translator) -> list[str]:
    """Return how distance is measured."""
    return [
        t(
            "The distance of a head is the mean of |i − j| over its queries, weighted with the "
            "weights of their rows. Beside it stands what equal weights would give: at the edge of "
            "a text more is far away than in its middle."
        ),
        t(
            "Much of the weight of a trained encoder may go to its special tokens (Clark et al. "
            "2019), which stand at both ends: a head that rests on [CLS] counts as looking far. "
            "Hide them or renormalise to see how far the words look among themselves."
        ),
    ]


def of_cause(t: Translator) -> list[str]:
    """Return what cutting a key is."""
    return [
        t(
            "The score of one key is set to minus infinity before softmax, so that the other "
            "weights of the row grow and sum to 1 again; all layers after it are computed anew. "
            "The effect is how far the last vector z of the token that looks moves, as a share of "
            "its length."
        ),
        t(
            "The rank correlation (Spearman) is 1 where a larger weight always has the larger "
            "effect, and 0 where the order of the weights tells nothing of the order of the "
            "effects. Weight is not effect for several reasons: a value may be short, or point "
            "where nothing reads it, other heads may carry the same, and what is cut in one layer "
            "may arrive by another."
        ),
        t(
            "A cut is an intervention in this model, with this text. It does not say what the "
            "model would do had it been trained without that key."
        ),
    ]


_ONE_LAYER = (
    r"\frac{A_{\text{it},\text{animal}}}{A_{\text{it},\text{street}}}"
    r"=\frac{e^{q_{\text{it}}\cdot k_{\text{animal}}/\sqrt{d_k}}\,/\,Z}"
    r"{e^{q_{\text{it}}\cdot k_{\text{street}}/\sqrt{d_k}}\,/\,Z}"
    r"=e^{q_{\text{it}}\cdot(k_{\text{animal}}-k_{\text{street}})/\sqrt{d_k}}"
)
_TWO = (
    r"x'_{\text{it}}=x_{\text{it}}+\sum_j A^{(1)}_{\text{it},j}\,x_j W_V^{(1)},\qquad "
    r"q'_{\text{it}}=x'_{\text{it}}\,W_Q^{(2)}"
)
_HEADS = (
    r"A^{(l,h)}=\operatorname{softmax}\!\left(\frac{Q^{(l,h)}K^{(l,h)\mathsf T}}{\sqrt{d_k}}\right)"
)
_ENDINGS = (
    r"m=\tfrac12\sum_j\bigl|A_{ij}-A'_{ij}\bigr|,\qquad "
    r"\text{turns}:\;(A_{ia}-A_{ib})(A'_{ia}-A'_{ib})<0"
)
_LAYERS = r"\bar d=\frac1T\sum_i\sum_j A_{ij}\,|i-j|"
_CAUSE = r"s_{ij}\leftarrow-\infty,\qquad \text{effect}_j=\frac{\|z_i^{(j)}-z_i\|}{\|z_i\|}"
_OF_TAB: dict[str, tuple[str, Callable[[Translator], list[str]]]] = {
    "picture": ("", of_picture),
    "one-layer": (_ONE_LAYER, of_one_layer),
    "two-layers": (_TWO, of_two_layers),
    "heads": (_HEADS, of_heads),
    "endings": (_ENDINGS, of_endings),
    "layers": (_LAYERS, of_layers),
    "cause": (_CAUSE, of_cause),
}
