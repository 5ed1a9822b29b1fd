"""The words of claims 16, 23 and 25: the diagonal, additive attention, the axis of softmax."""

from __future__ import annotations

from engine.experiments.claims.deciding import SURE, case_of
from engine.experiments.claims.finding import Finding
from engine.experiments.claims.of_lookup import EQUAL, FAR, PAY
from engine.experiments.memory.series import DISTURBED
from pages.figures.numerals import number
from pages.text import Translator, mark
from pages.text.amounts import between, counted, size
from pages.text.claims.model import ClaimWords
from pages.text.claims.values import real, reals, whole, wholes
from pages.text.digits import digits
from pages.text.lookup_readings import ratio_words
from pages.text.memory_measured_words import cores_words
from pages.text.scaling_readings import error_decimals, grouped, with_error

_SURE = number(SURE, 0)

# The diagonal ---------------------------------------------------------------------------------


def _diagonal(finding: Finding, _t: Translator) -> dict[str, object]:
    return {
        "T": whole(finding, "T"),
        "draws": f"{whole(finding, 'draws'):,}",
        "even": digits(real(finding, "even")),
        **{
            way: with_error(real(finding, way), real(finding, f"{way}_error"))
            for way in ("free", "tied")
        },
        **{
            f"{way}_short": grouped(
                real(finding, way), error_decimals(real(finding, f"{way}_error"))
            )
            for way in ("free", "tied")
        },
    }


_TIED = mark("With W_K = W_Q it is {tied}.")

DIAGONAL = ClaimWords(
    16,
    mark(
        "“A token's weight for itself has base pay, since its query and its key come from one "
        "input.”"
    ),
    mark("The diagonal has base pay"),
    {
        "tied_only": (
            mark(
                "Not where W_Q and W_K are drawn apart: in {draws} draws of {T} tokens the mean "
                "diagonal weight is {free} (standard error), and equal shares are {even}."
            ),
            _TIED,
        ),
        "neither": (
            mark(
                "Not where W_Q and W_K are drawn apart: in {draws} draws of {T} tokens the mean "
                "diagonal weight is {free} (standard error), and equal shares are {even}."
            ),
            mark("Nor clearly with W_K = W_Q, where it is {tied}."),
        ),
        "free": (
            mark(
                "It has where W_Q and W_K are drawn apart: in {draws} draws of {T} tokens the mean "
                "diagonal weight is {free} (standard error), and equal shares are {even}."
            ),
            _TIED,
        ),
        "unclear": (
            mark(
                "Chance leaves it open: in {draws} draws of {T} tokens, W_Q and W_K apart, the "
                "mean diagonal weight is {free} (standard error), and equal shares are {even}."
            ),
            _TIED,
        ),
    },
    _diagonal,
    mark(
        "Base pay is {pay} more than the equal share 1/T. Confirmed where, with W_Q and W_K drawn "
        "apart, the mean diagonal weight is above that by more than {sure} standard errors; wrong "
        "where it is below by as much; else not decided."
    ),
    {"pay": f"{PAY:.0%}", "sure": _SURE},
    lambda finding, t: t(
        "diagonal weight {free_short}, equal share {even}; tied {tied_short}",
        **_diagonal(finding, t),
    ),
)

# Additive attention ---------------------------------------------------------------------------


def _cost(finding: Finding, t: Translator) -> dict[str, object]:
    wide = {name: t.listing(counted(wholes(finding, name))) for name in ("d_ks", "Ts")}
    return {
        **wide,
        "T": f"{whole(finding, 'T'):,}",
        "d_k": f"{whole(finding, 'd_k'):,}",
        "ratios": _span(finding, "least_ratio", "most_ratio"),
        "quartiles": _span(finding, "lowest", "highest"),
        "start_d_ks": t.listing(counted(wholes(finding, "start_d_ks"))),
        "start_keys": whole(finding, "start_keys"),
        "busy": f"{real(finding, 'busy'):.1f}",
        "cores": cores_words(whole(finding, "cores"), t),
        **{
            end: t(
                "{ratio} at T = {T}",
                ratio=ratio_words(real(finding, f"{end}_ratio")),
                T=f"{whole(finding, f'{end}_T'):,}",
            )
            for end in ("first", "last")
        },
        **{name: _weights(reals(finding, name), t) for name in _STARTS},
    }


def _span(finding: Finding, *names: str) -> str:
    """Return the least and the largest of some ratios in two digits; one where they are alike."""
    return "–".join(dict.fromkeys(digits(real(finding, name), 2) for name in names))


def _weights(values: tuple[float, ...], t: Translator) -> str:
    return t.listing(number(value, 2) for value in values)


_STARTS = ("start_dot", "start_scaled", "start_additive")
_SPAN = mark(
    "Additive scores take {ratios} times as long as dot products at d_k = {d_ks} (T = {T}) and at "
    "T = {Ts} (d_k = {d_k}); quartiles {quartiles}."
)
_GOOD = mark(
    "How well either learns is not measured; before training the mean largest weight over "
    "{start_keys} keys at d_k = {start_d_ks} is {start_dot} with plain dot products, "
    "{start_scaled} with scaled ones and {start_additive} with additive scores."
)
_BUSY = mark("Other programs kept {busy} of {cores} busy meanwhile, which both ways bear alike.")
_HEADS = {
    "slower": mark("It is faster at every width and length."),
    "faster": mark("It is slower at every width and length."),
    "not_everywhere": mark("It is not faster at every width and length."),
    "unclear": mark("The times scatter too widely to tell."),
}
_DISTURBED = mark(
    "Other programs kept {busy} of {cores} busy meanwhile, so that the times measured here do not "
    "tell."
)


def _cost_cases() -> dict[str, tuple[str, ...]]:
    """Return the sentences of every case, measured alone and beside other programs."""
    alone: dict[str, tuple[str, ...]] = {
        case: (head, _SPAN, _GOOD) for case, head in _HEADS.items()
    }
    beside: dict[str, tuple[str, ...]] = {
        case_of(case, "disturbed"): (head, _SPAN, _BUSY, _GOOD) for case, head in _HEADS.items()
    }
    return alone | beside | {case_of("unclear", "disturbed"): (_DISTURBED, _SPAN, _GOOD)}


ADDITIVE = ClaimWords(
    23,
    mark(
        "“Where d_k is not too small, the dot product is as good as additive attention, and "
        "faster.”"
    ),
    mark("The dot product is as good as additive, and faster"),
    _cost_cases(),
    _cost,
    mark(
        "Of the two parts only the time is measured. Qualified where additive scores take longer "
        "at every width and length: the lower quartile of each ratio of times is above {equal}; "
        "wrong where some upper one is below {equal}; else not decided. While other programs keep "
        "more than {disturbed} of the cores busy, above {far} and below 1/{far} count instead."
    ),
    {
        "equal": number(EQUAL, 0),
        "far": number(FAR, 0),
        "disturbed": f"{DISTURBED:.0%}",
    },
    lambda finding, t: t("additive to dot-product time: {first}, {last}", **_cost(finding, t)),
)

# The axis of softmax --------------------------------------------------------------------------


def _axes(finding: Finding, _t: Translator) -> dict[str, object]:
    names = ("row_error", "rounding", "difference", "largest", "least_difference")
    return {
        **{name: size(real(finding, name)) for name in names},
        "sums": between(real(finding, "least_sum"), real(finding, "most_sum")),
        "tokens": whole(finding, "tokens"),
        "inputs": whole(finding, "inputs"),
    }


AXES = ClaimWords(
    25,
    mark("“Softmax runs along the rows: each query shares out one whole over the keys.”"),
    mark("Softmax runs along the rows"),
    {
        "rows": (
            mark("Each row of weights misses 1 by {row_error} at most, which is rounding."),
            mark(
                "Down the columns it gives another answer: in the textbook example the rows then "
                "sum to {sums}, and an output is off by {difference}; the smallest such difference "
                "in {inputs} inputs is {least_difference}."
            ),
        ),
        "alike": (
            mark("Each row of weights misses 1 by {row_error} at most, which is rounding."),
            mark("Yet in some of {inputs} inputs softmax down the columns gives the same output."),
        ),
        "not_rows": (
            mark(
                "Some row of weights misses 1 by {row_error}, more than the {rounding} of rounding."
            ),
        ),
    },
    _axes,
    mark(
        "Confirmed where every row of weights sums to 1, to rounding, and softmax down the columns "
        "changes an output of every input by more than rounding; wrong where some row does not; "
        "else not decided."
    ),
    measured=lambda finding, t: t(
        "down columns: rows sum to {sums}, output off by {difference}", **_axes(finding, t)
    ),
)

WORDS = (DIAGONAL, ADDITIVE, AXES)
