"""What to notice in a real model's attention; every sentence holds for any result it is said of.

Shape legend: L layers, H heads, T tokens.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.context.layers import Layers, layers_of
from engine.experiments.context.specials import Specials
from engine.experiments.context.study import Study
from engine.experiments.masks.rounding import rounding_of
from engine.shapes import Array
from pages.figures.context.look import Look, look_at
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import token_words, way_of
from pages.figures.numerals import number
from pages.text.context_amounts import decimals_apart, tied_at_top
from pages.text.context_names import taken_words
from pages.text.marking import mark
from pages.text.translator import Translator

DIGITS = 3
_FEWEST = 4  # tokens of which a diagonal can be told
_CLEAR = 0.5  # of the weight of a token, on its neighbour: a diagonal that is seen at once
_STEPS = {-1: "before", 1: "after"}


# ---- one head, one token


def head_notices(study: Study, view: ModelView, t: Translator) -> list[str]:
    """Return what to notice in one head, one token, and all heads beside them."""
    look = look_at(study, view)
    neighbours = _neighbours(study, t)
    if neighbours and way_of(look) != "shown":
        neighbours = t.sentences(neighbours, t("Here special tokens are counted in."))
    taken = taken_words(study, view.query, look.query, t)
    said = [t.sentences(_looks(look, t), taken), _drawn_to(study, t), neighbours]
    return [sentence for sentence in said if sentence]


_LARGEST: dict[Specials, str] = {
    "shown": mark(
        "In layer {layer}, head {head} token {query} gives the largest weight, {weight}, to token "
        "{key}."
    ),
    "hidden": mark(
        "In layer {layer}, head {head} token {query} gives the largest weight among the tokens "
        "shown, {weight}, to token {key}."
    ),
    "renormalised": mark(
        "In layer {layer}, head {head} token {query} gives the largest part of what special tokens "
        "leave of its weight, {weight}, to token {key}."
    ),
}
_TIED: dict[Specials, str] = {
    "shown": mark(
        "In layer {layer}, head {head} token {query} gives the largest weight, {weight}, to "
        "{count} tokens alike."
    ),
    "hidden": mark(
        "In layer {layer}, head {head} token {query} gives the largest weight among the tokens "
        "shown, {weight}, to {count} of them alike."
    ),
    "renormalised": mark(
        "In layer {layer}, head {head} token {query} gives the largest part of what special tokens "
        "leave of its weight, {weight}, to {count} tokens alike."
    ),
}


def _looks(look: Look, t: Translator) -> str:
    """Return where the query looks most, and where among tokens that are no special ones."""
    if look.row is None:
        return t("Token {token} is a special token, and these are not shown.",
                 token=token_words(look.study, look.query, t))  # fmt: skip
    row, special = look.rows[look.head], look.study.special[look.places]
    top, *tied = tied_at_top(row)
    said = t(
        (_TIED if tied else _LARGEST)[way_of(look)],
        layer=look.layer + 1,
        head=look.head + 1,
        query=token_words(look.study, look.query, t),
        weight=number(float(row[top]), DIGITS),
        key=token_words(look.study, int(look.places[top]), t),
        count=len(tied) + 1,
    )
    others = np.flatnonzero(~special & look.seen)
    if tied or not special[top] or not others.size:
        return said
    return t.sentences(said, _of_the_others(look, others, row[others], t))


def _of_the_others(look: Look, others: Array, row: Array, t: Translator) -> str:
    """Return which of some tokens gets most; nothing where that is not one of them."""
    best, *tied = tied_at_top(row)
    if tied:
        return ""
    return t("Of the others, token {key} gets most: {weight}.",
             key=token_words(look.study, int(look.places[others[best]]), t),
             weight=number(float(row[best]), DIGITS))  # fmt: skip


def _drawn_to(study: Study, t: Translator) -> str:
    """Return in how many heads most of the weight goes to special tokens, or to the first one."""
    if study.special.all() or len(study.tokens) < 2:
        return ""
    if study.special.any():
        shares = study.attention[..., study.special].sum(axis=-1, dtype=np.float64).mean(axis=-1)
        return _count(int((shares > 0.5).sum()), shares.size, _TO_SPECIAL, t)
    # The first token of a decoder has nowhere else to look.
    later = study.attention[:, :, 1:, 0].mean(axis=-1, dtype=np.float64)
    return _count(int((later > 0.5).sum()), later.size, _TO_FIRST, t)


_TO_SPECIAL = (
    mark("In no head does more than half of all weight go to special tokens."),
    mark("In one of {heads} heads more than half of all weight goes to special tokens."),
    mark("In {count} of {heads} heads more than half of all weight goes to special tokens."),
)
_TO_FIRST = (
    mark("In no head do the later tokens give more than half of their weight to the first one."),
    mark(
        "In one of {heads} heads the later tokens give more than half of their weight to the first "
        "one."
    ),
    mark(
        "In {count} of {heads} heads the later tokens give more than half of their weight to the "
        "first one."
    ),
)


def _count(count: int, heads: int, sentences: tuple[str, str, str], t: Translator) -> str:
    """Return the sentence for none, one or several of the heads, where there are several."""
    if heads == 1:
        return ""
    return t(sentences[min(count, 2)], count=count, heads=heads)


def _neighbours(study: Study, t: Translator) -> str:
    """Return which head looks most at the token before or after, where one does so clearly."""
    if len(study.tokens) < _FEWEST:
        return ""
    means = {step: _on_neighbour(study.attention, step) for step in _STEPS}
    step = max(means, key=lambda each: float(means[each].max()))
    layer, head = np.unravel_index(int(means[step].argmax()), means[step].shape)
    mean = float(means[step][layer, head])
    if mean <= _CLEAR:
        return ""
    said = {"layer": int(layer) + 1, "head": int(head) + 1, "weight": number(mean, DIGITS)}
    if step < 0:
        return t(
            "The clearest diagonal is layer {layer}, head {head}: a token gives the one before it "
            "{weight} on average.",
            **said,
        )
    return t(
        "The clearest diagonal is layer {layer}, head {head}: a token gives the one after it "
        "{weight} on average.",
        **said,
    )


def _on_neighbour(attention: Array, step: int) -> Array:
    """Return the mean weight (L, H) on the token ``step`` places further on."""
    found = np.diagonal(attention, offset=step, axis1=2, axis2=3)
    return np.asarray(found.mean(axis=-1, dtype=np.float64))


# ---- layers


def layers_notices(study: Study, view: ModelView, t: Translator) -> list[str]:
    """Return what to notice from layer to layer."""
    look, found = look_at(study, view), layers_of(study, view.specials)
    said = [
        _far(look, found, t),
        _to_special(look, found, t),
        _spread(found, t),
    ]
    return [sentence for sentence in said if sentence]


def _far(look: Look, found: Layers, t: Translator) -> str:
    """Return how far the layers look, where there is anything farther than the token itself."""
    if len(look.places) == 1:
        return t("Only one token is shown, so that there is no distance.")
    return t.sentences(_distance(found, t), _hidden(look, t), _course(found, t))


def _rounding(found: Layers) -> float:
    """Return by how much distances may differ that are the same but for rounding."""
    return rounding_of(found.distance.astype(np.float32))


def _distance(found: Layers, t: Translator) -> str:
    means = found.mean_distance
    first, last = float(means[0]), float(means[-1])
    ends = [number(first, 2), number(last, 2)]
    if abs(first - last) > _rounding(found):
        ends = decimals_apart(first, last, 2)
    said = {"first": ends[0], "even": number(found.even_distance, 2)}
    if len(means) == 1:
        return t("A token looks {first} places away on average; equal weights would give {even}.",
                 **said)  # fmt: skip
    return t(
        "A token looks {first} places away on average in layer 1 and {last} in layer {layers}; "
        "equal weights would give {even}.",
        last=ends[1],
        layers=len(means),
        **said,
    )


def _hidden(look: Look, t: Translator) -> str:
    """Return that hidden weight counts as no distance, where any is hidden."""
    if look.way != "hidden" or not look.study.special.any():
        return ""
    return t("The weight on hidden tokens counts as no distance.")


def _course(found: Layers, t: Translator) -> str:
    """Return whether the distance goes one way through all layers, three at the least."""
    steps, rounding = np.diff(found.mean_distance), _rounding(found)
    if len(steps) < 2:
        return ""
    more, less = steps > rounding, steps < -rounding
    if more.all():
        return t("It grows with every layer.")
    if less.all():
        return t("It shrinks with every layer.")
    if more.any() and less.any():
        return t("It does not go one way through all layers.")
    return "" if (more | less).any() else t("It is the same in every layer, to rounding.")


def _to_special(look: Look, found: Layers, t: Translator) -> str:
    """Return how much special tokens get, and how much of the distance is the way to them."""
    study = look.study
    if not study.special.any() or study.special.all():
        return ""
    shares = found.special_share.mean(axis=1)
    most = int(shares.argmax())
    if len(shares) > 1 and np.ptp(shares) <= rounding_of(shares.astype(np.float32)):
        return t("In every layer special tokens get {share} of the weight, where equal weights "
                 "would give {even}.", share=number(float(shares[most]), DIGITS),
                 even=number(found.even_special_share, DIGITS))  # fmt: skip
    said = t(
        "Special tokens get most in layer {layer}: {share} of the weight, where equal weights "
        "would give {even}.",
        layer=most + 1,
        share=number(float(shares[most]), DIGITS),
        even=number(found.even_special_share, DIGITS),
    )
    if look.way != "shown" or found.mean_distance[most] == 0:
        return said
    part = _distance_to_special(study, most) / float(found.mean_distance[most])
    return t.sentences(
        said,
        t("Of the distance in that layer, {part} is the way to them.", part=number(part, DIGITS)),
    )


def _distance_to_special(study: Study, layer: int) -> float:
    """Return what special tokens contribute to the mean distance of a layer."""
    places = np.arange(len(study.tokens))
    keys = places[study.special]
    apart = np.abs(places[:, None] - keys).astype(np.float64)
    weights = study.attention[layer][..., study.special].astype(np.float64)  # (H, T, special)
    return float((weights * apart).sum(axis=(1, 2)).mean() / len(places))


def _spread(found: Layers, t: Translator) -> str:
    """Return in which layer heads differ most, where that is more than layers differ."""
    if found.distance.shape[1] < 2 or found.distance.shape[0] < 2:
        return ""
    spans = np.ptp(found.distance, axis=1)
    widest = int(spans.argmax())
    if spans[widest] <= np.ptp(found.mean_distance) + _rounding(found):
        return ""
    least, most = (float(end(found.distance[widest])) for end in (np.min, np.max))
    ends = decimals_apart(least, most, 2)
    return t(
        "Heads differ more than layers do: in layer {layer} they look from {least} to {most} "
        "places away.",
        layer=widest + 1,
        least=ends[0],
        most=ends[1],
    )
