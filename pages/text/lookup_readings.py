"""What the numbers of soft lookup say, two or three sentences for each result.

Every sentence holds for any result; each number in it comes from the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.experiments.lookup.axes import AxesResult
from engine.experiments.lookup.cost import WAYS, CostResult
from engine.experiments.lookup.roles import Role, RolesResult
from engine.experiments.lookup.soft import Result
from engine.experiments.lookup.table import SIMILARITIES, Similarity
from engine.experiments.masks.rounding import rounding_of
from engine.experiments.student import errors_of_chance
from pages.figures.numerals import number
from pages.text.amounts import size
from pages.text.digits import digits
from pages.text.lookup_words import (
    length_text,
    product_of,
    score_text,
    similarity_words,
    temperature_words,
    way_words,
)
from pages.text.memory_measured_words import growth_words, share_words, two_digits
from pages.text.scaling_readings import error_decimals, grouped, percent, with_error
from pages.text.translator import Translator

ALIKE = 1e-6  # weights this near are alike
BUSY = 0.5  # cores that other programs may take before times are doubted


# ---- one table


def table_notices(result: Result, t: Translator) -> list[str]:
    """Return what to notice in one lookup."""
    if len(result.params.names) == 1:
        return [
            t("With one key its weight is 1, whatever the query, the similarity or the "
              "temperature.")
        ]  # fmt: skip
    return [_dictionary(result, t), _temperature(result, t), _order(result, t)]


def _dictionary(result: Result, t: Translator) -> str:
    """Return what a dictionary does with this query, and what soft lookup does."""
    output = _output(result.soft.output.tolist())
    if result.exact is None:
        return t(
            "No key equals the query, so that a dictionary finds nothing; soft lookup still gives "
            "{output}.",
            output=output,
        )
    name = result.params.names[result.exact]
    if result.exact not in result.nearest:
        return t(
            "A dictionary finds {name}, whose key equals the query; by {similarity} {other} has a "
            "larger score all the same.",
            name=name,
            similarity=similarity_words(result.params.similarity, t),
            other=result.params.names[result.nearest[0]],
        )
    return t(
        "A dictionary finds {name}, whose key equals the query, and gives its value; soft lookup "
        "gives {output}, in which that value has {share} of the weight.",
        name=name,
        output=output,
        share=percent(float(result.soft.weights[result.exact])),
    )


def _output(values: Sequence[float]) -> str:
    texts = [score_text(value, 3) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _temperature(result: Result, t: Translator) -> str:
    """Return who has the largest weight, and what the temperature does to it."""
    names = [result.params.names[row] for row in result.nearest]
    n, temperature = len(result.params.names), temperature_words(result.params)
    if len(names) == n:
        return t("All scores are equal, so every weight is 1/{count} at every temperature.",
                 count=n)  # fmt: skip
    if len(names) > 1:
        return t(
            "{count} keys share the largest score: {share} of the weight each at temperature "
            "{temperature}, and 1/{count} each towards 0.",
            count=len(names),
            share=percent(float(result.soft.weights[result.nearest[0]])),
            temperature=temperature,
        )
    return t(
        "At temperature {temperature} {name} has {share} of the weight. A lower temperature never "
        "gives it less, and an ever higher one brings every weight to 1/{count}.",
        temperature=temperature,
        name=names[0],
        share=percent(float(result.soft.weights[result.nearest[0]])),
        count=n,
    )


def _order(result: Result, t: Translator) -> str:
    """Return what the order of the rows does."""
    if result.shuffled_difference == 0:
        return t("With the rows in reverse order weights and output are the same to the last bit.")
    return t(
        "With the rows in reverse order weights and output are the same to {difference}.",
        difference=share_words(result.shuffled_difference),
    )


# ---- two vectors, and five similarities


def plane_notices(result: Result, row: int, t: Translator) -> list[str]:
    """Return what to notice of the query and one key, from 0, and of the similarities."""
    agreed = _largest_by(result, t)
    return [_product(result, row, t), _stretched(result, t), *([agreed] if agreed else [])]


def _product(result: Result, row: int, t: Translator) -> str:
    """Return the dot product as lengths and a cosine."""
    plane, name = result.plane, result.params.names[row]
    if math.isnan(float(plane.cosines[row])):
        what = t("the query") if not any(result.params.query) else t("the key of {name}", name=name)
        return t("A vector of zeros has no direction; here it is {what}, and q·k is 0.", what=what)
    return t(
        "q·k = |q| |k| cos θ; with {name} it is {query} × {key} × {cosine} ≈ {dot}.",
        name=name,
        **product_of(result, row)._asdict(),
    )


def _stretched(result: Result, t: Translator) -> str:
    """Return what a longer query does."""
    if not any(result.params.query):
        return t(
            "Every dot product with it is 0, so that by dot products, scaled or not, every key has "
            "the same weight."
        )
    return t(
        "A query twice as long doubles every dot product, which does to their softmax what half "
        "the temperature would; it changes no cosine."
    )


def largest_of(result: Result, similarity: Similarity) -> int | None:
    """Return the key, from 0, to which a similarity gives the largest weight; None for several."""
    found = result.found[similarity]
    most = np.flatnonzero(found.weights >= found.weights.max() - ALIKE)
    return int(most[0]) if len(most) == len(found.nearest) == 1 else None


def _largest_by(result: Result, t: Translator) -> str:
    """Return which similarity gives which key the largest weight, where each has one."""
    usable = [each for each in SIMILARITIES if result.found[each].refused is None]
    chosen = {each: largest_of(result, each) for each in usable}
    rows = [row for row in chosen.values() if row is not None]
    if len(result.params.names) == 1 or len(rows) < len(usable):
        return ""
    names = result.params.names
    if len(set(rows)) == 1:
        return t("All {count} similarities give {name} the largest weight.", count=len(usable),
                 name=names[rows[0]])  # fmt: skip
    parts = (
        t("{name} by {similarities}", name=names[row], similarities=t.listing(
            similarity_words(each, t) for each in usable if chosen[each] == row))
        for row in dict.fromkeys(rows)
    )  # fmt: skip
    return t("The largest weight goes to {parts}.", parts=t.clauses(parts))


# ---- three roles


def roles_notices(result: RolesResult, t: Translator) -> list[str]:
    """Return what to notice in the weight that a token gives to itself."""
    if result.params.T == 1:
        return [t("With one token every weight is 1, free or tied: there is nothing to compare.")]
    return [_free(result, t), _tied(result, t), _symmetry(result, t)]


def mean_text(role: Role) -> str:
    """Return the mean of a way to the second digit of its error, as every place writes it."""
    return grouped(role.mean, error_decimals(role.error))


def _free(result: RolesResult, t: Translator) -> str:
    """Return whether free projections favour the diagonal, by more than so many draws may."""
    role, even = result.free, result.even
    words = {"mean": with_error(role.mean, role.error), "even": digits(even)}
    if abs(role.mean - even) <= _chance(role.diagonal):
        return t(
            "With W_Q and W_K free a token gives itself {mean}: {count} draws do not set it apart "
            "from 1/T = {even}.",
            count=f"{result.params.draws:,}",
            **words,
        )
    if role.mean > even:
        return t(
            "With W_Q and W_K free a token gives itself {mean}, more than 1/T = {even} by more "
            "than chance.",
            **words,
        )
    return t(
        "With W_Q and W_K free a token gives itself {mean}, less than 1/T = {even} by more than "
        "chance.",
        **words,
    )


def _chance(draws: Sequence[float]) -> float:
    """Return how far off the mean of some draws may be through chance."""
    error = float(np.std(draws, ddof=1)) / math.sqrt(len(draws))
    return errors_of_chance(len(draws) - 1) * error


def _tied(result: RolesResult, t: Translator) -> str:
    """Return what tied projections give to the diagonal."""
    free, tied = result.free, result.tied
    words = {"mean": with_error(tied.mean, tied.error)}
    # Both ways of one draw have the same tokens: what counts is the difference in each.
    if abs(tied.mean - free.mean) <= _chance(np.subtract(tied.diagonal, free.diagonal).tolist()):
        return t("Tied, it is {mean}: by these draws no clear difference.", **words)
    if tied.mean < free.mean:
        return t("Tied, it is {mean}, which is less.", **words)
    if not _leads(result):
        return t(
            "Tied, it is {mean}: the score of a token with itself is then a squared length, which "
            "is never below 0.",
            **words,
        )
    return t(
        "Tied, it is {mean}: the score of a token with itself is then a squared length, never "
        "below 0, and for most tokens of the first draw the largest score.",
        **words,
    )


def _leads(result: RolesResult) -> bool:
    """Return whether most tokens of the first draw have their largest score with themselves."""
    scores = result.tied.first_scores
    own = np.diagonal(scores) >= scores.max(axis=1)
    return bool(own.mean() > 0.5)


def _symmetry(result: RolesResult, t: Translator) -> str:
    """Return how far scores are from their mirror images."""
    tied, free = result.tied.asymmetry, result.free.asymmetry
    if tied == 0:
        return t(
            "Tied, the score of i with j is that of j with i, to the last bit; free, the two "
            "differ by up to {free} times the largest score in size.",
            free=size(free),
        )
    return t(
        "Tied, the score of i with j is that of j with i, to {tied} of the largest score in size; "
        "free, the two differ by up to {free} times that.",
        tied=size(tied),
        free=size(free),
    )


# ---- rows and columns


def axes_notices(result: AxesResult, t: Translator) -> list[str]:
    """Return what to notice where softmax runs down the columns."""
    if len(result.tokens) == 1:
        return [t("With one token both give the weight 1.")]
    if result.difference_weights <= rounding_of(result.rows):
        return [t("Here both give the same weights.")]
    sums = result.row_sums_of_columns
    least, most = float(sums.min()), float(sums.max())
    said = t(
        "Along the rows every query has weights that add up to 1, and its output is a weighted "
        "mean of the values. Down the columns it is every key that hands out 1: a query gets from "
        "{least} to {most}.",
        least=number(least, 3),
        most=number(most, 3),
    )
    return [
        said,
        t(
            "The outputs differ by up to {difference}; the largest number of the output along rows "
            "is {largest}.",
            difference=length_text(result.difference_output),
            largest=length_text(result.largest_output),
        ),
    ]


# ---- cost


def ratio_words(ratio: float) -> str:
    """Return a ratio of two times: ``34 ×``."""
    return f"{two_digits(ratio)} ×"


def cost_notices(result: CostResult, t: Translator) -> list[str]:
    """Return what to notice in the times, as it is true for these points."""
    if not result.pairs:
        return []
    said = [_slower(result, t), _operations(result, t), _growth(result, t), busy_words(result, t)]
    return [each for each in said if each]


def _slower(result: CostResult, t: Translator) -> str:
    """Return the ratio at the ends of the sweep over d_k, or of all that is measured."""
    swept = _swept(result)
    told = t.clauses(_ratio_at(result, *pair, t) for pair in dict.fromkeys((swept[0], swept[-1])))
    return t("Additive scores take {ratios}; in brackets the middle half of the repeats.",
             ratios=told)  # fmt: skip


def _swept(result: CostResult) -> list[tuple[int, int]]:
    """Return the measured pairs (T, d_k) of the sweep over d_k, or all; d_k rises."""
    swept = [pair for pair in result.pairs if pair[0] == result.params.T] or list(result.pairs)
    return sorted(swept, key=lambda pair: pair[1])


def _ratio_at(result: CostResult, T: int, d_k: int, t: Translator) -> str:
    found = result.ratio(T, d_k)
    if found is None:
        return ""
    return t(
        "{ratio} times as long at T = {T}, d_k = {d_k} ({low} to {high})",
        ratio=two_digits(found.ratio),
        T=f"{T:,}",
        d_k=f"{d_k:,}",
        low=two_digits(found.low),
        high=two_digits(found.high),
    )


def _operations(result: CostResult, t: Translator) -> str:
    """Return how much of the last ratio that is told the additions and multiplications explain."""
    T, d_k = _swept(result)[-1]
    dot, additive = (result.point(T, d_k, way) for way in WAYS)
    ratio = result.ratio(T, d_k)
    if dot is None or additive is None or ratio is None:
        return ""
    counted = additive.operations / dot.operations
    words = {
        "T": f"{T:,}",
        "d_k": f"{d_k:,}",
        "counted": two_digits(counted),
        "tanhs": f"{additive.tanhs:,}",
    }
    if ratio.low > counted:
        return t(
            "At T = {T}, d_k = {d_k} they need {counted} times as many additions and "
            "multiplications, which is not enough to explain {ratio} times as long: there are "
            "{tanhs} tanh as well, and dot products are one product of matrices, which processors "
            "do best.",
            ratio=two_digits(ratio.ratio),
            **words,
        )
    return t(
        "At T = {T}, d_k = {d_k} they need {counted} times as many additions and multiplications, "
        "and {tanhs} tanh as well.",
        **words,
    )


def _growth(result: CostResult, t: Translator) -> str:
    """Return with which power of T both times grow, where that is clear."""
    told = [
        t("{way}: p = {exponent}", way=way_words(way, t), exponent=growth_words(growth))
        for way in WAYS
        if (growth := result.growth(way, "T")) is not None and growth.is_clear
    ]
    if not told:
        return ""
    return t("With T the time grows as T to the power p ({exponents}); there are T² scores.",
             exponents=t.clauses(told))  # fmt: skip


def busy_words(result: CostResult, t: Translator) -> str:
    """Return that other programs disturbed the times; empty where they did not."""
    if result.busy <= BUSY:
        return ""
    return t(
        "Other programs kept {busy} cores busy meanwhile: times may be too long.",
        busy=f"{result.busy:.1f}",
    )
