"""One row of weights: with the division and without it, and along every factor between.

Shape legend: S key positions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from engine.experiments.one_row import LARGEST_FACTOR, OneRow, one_row
from engine.experiments.worked_example import Result
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.names import file_stem
from pages.figures.numerals import decimals_needed, number
from pages.figures.plot import Axis, Reference, Screen, Words, bar_figure, line_figure
from pages.figures.plot_bars import FEWEST_DECIMALS
from pages.figures.series import series_colour
from pages.text import Translator, translator

# Two figures of this size stand side by side on a page of 1280 pixels.
SCREEN = Screen(424.0, 368.0, edges=(68.0, 312.0))


@dataclass
class _Latest:
    """The row that was worked out last, in one place that is read and replaced whole."""

    found: tuple[Result, int, OneRow] | None = None


_LATEST = _Latest()


def row_of(result: Result, row: int) -> OneRow:
    """Return `one_row`, worked out once for the numbers and the figures that show it together.

    It is known again by the very result it came from, so that no session meets another's.
    """
    known = _LATEST.found
    if known is None or known[0] is not result or known[1] != row:
        known = _LATEST.found = (result, row, one_row(result, row))
    return known[2]


def bars_figure(result: Result, style: Style, row: int = 0) -> Figure:
    """Draw the weights of one query as bars: divided by the square root of d_k, and not divided.

    Parameters
    ----------
    result : Result
        A computed worked example.
    style : Style
        Theme, language, size, decimals.
    row : int
        The query, from 0.

    Returns
    -------
    Figure

    Raises
    ------
    OptionError
        When there is no such row.
    """
    style = _fine(style)
    t, found = translator(style.language), row_of(result, row)
    hidden = frozenset(np.flatnonzero(~found.visible).tolist())
    colours = style.colours
    series = (
        Series(t("divided by √d_k"), tuple(found.scaled.tolist()), colours.roles["weights"]),
        Series(t("not divided"), tuple(found.unscaled.tolist()), colours.roles["weights"]),
    )
    title = t("Weights of query {token}, scaled and not scaled", token=_token(result, row))
    words = Words(
        _name(result, "row-weights", row),
        title,
        t.sentences(_bars_note(result, found, style, t), _hidden_note(hidden, t)),
        _bars_alt(result, found, style, title, t),
    )
    return bar_figure(
        result.params.key_tokens,
        series,
        style,
        words,
        x_title=t("key"),
        y_axis=Axis(t("weight"), 0.0, 1.0),
        table=_bars_table(result, found),
        hidden=hidden,
        hidden_word=t("hidden by the mask"),
        screen=SCREEN,
    )


def curve_figure(result: Result, style: Style, row: int = 0) -> Figure:
    """Draw the weight of each key against the factor that multiplies the scores of one query.

    Parameters, returned value and errors are those of `bars_figure`. Keys that the mask hides have
    no line.
    """
    style = _fine(style)
    t, found = translator(style.language), row_of(result, row)
    keys = np.flatnonzero(found.visible).tolist()
    series = tuple(
        Series(
            result.params.key_tokens[key],
            tuple(found.weights[:, key].tolist()),
            series_colour(place, style.theme),
        )
        for place, key in enumerate(keys)
    )
    title = t("Weights of query {token} as its scores grow", token=_token(result, row))
    words = Words(
        _name(result, "row-factor", row),
        title,
        t.sentences(_curve_note(result, found, style, t), _left_out(found, t)),
        _curve_alt(result, found, style, title, t),
    )
    return line_figure(
        tuple(found.factors.tolist()),
        series,
        style,
        words,
        x_axis=Axis(t("factor c that multiplies the scores"), 0.0, LARGEST_FACTOR),
        y_axis=Axis(t("weight"), 0.0, 1.0),
        table=_curve_table(result, found),
        references=_references(result, found, style.decimals, t),
        dots=(found.factor_scaled, 1.0),
        screen=SCREEN,
    )


def _fine(style: Style) -> Style:
    """Return the style with decimals that tell 1/√2 from 1 and most weights from 0."""
    return replace(style, decimals=max(style.decimals, FEWEST_DECIMALS))


def _name(result: Result, word: str, row: int) -> str:
    return f"{file_stem(result, word)}-row{row + 1}"


def _token(result: Result, row: int) -> str:
    return result.params.tokens[row]


def _references(
    result: Result, found: OneRow, decimals: int, t: Translator
) -> tuple[Reference, ...]:
    if result.sizes.d_k == 1:
        return (Reference(1.0, t("divided or not")),)
    exact = np.array([[found.factor_scaled]])
    factor = number(found.factor_scaled, decimals_needed(exact, decimals))
    is_sign = "=" if decimals_needed(exact, 15) <= decimals else "≈"
    label = t("÷ √d_k: c {is_sign} {factor}", is_sign=is_sign, factor=factor)
    return Reference(found.factor_scaled, label), Reference(1.0, t("not divided: c = 1"))


def root_words(result: Result, decimals: int) -> dict[str, object]:
    """Return d_k, its square root as text, and the sign between them: equal, or about."""
    d_k = result.sizes.d_k
    exact = np.array([[math.sqrt(d_k)]])
    root = number(float(exact[0, 0]), decimals_needed(exact, decimals))
    is_sign = "=" if decimals_needed(exact, 15) <= decimals else "≈"
    return {"d_k": d_k, "root": root, "is_sign": is_sign}


def _bars_note(result: Result, found: OneRow, style: Style, t: Translator) -> str:
    if found.visible.sum() == 1:
        return t("Only one key is visible, so it has all the weight, divided or not.")
    if result.sizes.d_k == 1:
        return t("With d_k = 1 the divisor is 1, so both rows of weights are the same.")
    return t.sentences(_effective(result, found, style, t), t("Each row adds up to 1."))


def _effective(result: Result, found: OneRow, style: Style, t: Translator) -> str:
    """Return how many keys share the weight, and what that number means."""
    return t(
        "Divided by √{d_k} {is_sign} {root}, the row has {scaled} effective keys (exp of its "
        "entropy), as if that many keys shared the weight equally; not divided, {unscaled}.",
        **root_words(result, style.decimals),
        scaled=number(found.effective_scaled, style.decimals),
        unscaled=number(found.effective_unscaled, style.decimals),
    )


def _hidden_note(hidden: frozenset[int], t: Translator) -> str:
    # An editable chart has no hatching, so the words must do without it.
    if not hidden:
        return ""
    return t("Keys without bars are hidden by the mask: their weight is exactly 0.")


def _left_out(found: OneRow, t: Translator) -> str:
    if found.visible.all():
        return ""
    return t("Keys that the mask hides are left out: their weight is 0 at every factor.")


def _curve_note(result: Result, found: OneRow, style: Style, t: Translator) -> str:
    count, first = int(found.visible.sum()), found.leaders
    if count == 1:
        return t("Only one key is visible, so it has all the weight at every factor.")
    if len(first) == count:
        return t(
            "All {count} visible scores are equal, so the keys share the weight equally at every "
            "factor.",
            count=count,
        )
    # With d_k = 1 there is nothing to compare.
    compared = "" if result.sizes.d_k == 1 else _effective(result, found, style, t)
    return t.sentences(_growth(count, len(first), t), compared)


def _growth(count: int, ahead: int, t: Translator) -> str:
    """Return what a larger factor does, ``ahead`` of the keys having the same largest score."""
    if ahead > 1:
        return t(
            "At c = 0 each of the {count} keys has the same weight; the larger the factor, the "
            "more the {ahead} keys with the same largest score take.",
            count=count,
            ahead=ahead,
        )
    return t(
        "At c = 0 each of the {count} keys has the same weight; the larger the factor, the more "
        "the key with the largest score takes.",
        count=count,
    )


def _bars_alt(result: Result, found: OneRow, style: Style, title: str, t: Translator) -> str:
    parts = [
        t("{key}: {scaled} divided, {unscaled} not divided",
          key=label, scaled=number(scaled, style.decimals),
          unscaled=number(unscaled, style.decimals))
        for label, scaled, unscaled in zip(
            result.params.key_tokens, found.scaled.tolist(), found.unscaled.tolist(), strict=True
        )
    ]  # fmt: skip
    return t.sentences(t("{title}.", title=title), t("{parts}.", parts=t.clauses(parts)))


def _curve_alt(result: Result, found: OneRow, style: Style, title: str, t: Translator) -> str:
    most = number(LARGEST_FACTOR, decimals_needed(np.array([[LARGEST_FACTOR]]), style.decimals))
    names = t.listing(result.params.key_tokens[key] for key in found.leaders)
    return t.sentences(
        t("{title}.", title=title),
        t("One line for each visible key, over factors from 0 to {most}.", most=most),
        t("At the largest factor the most weight is on {keys}.", keys=names),
    )


def _bars_table(result: Result, found: OneRow) -> Table:
    rows = tuple(
        (key + 1, label, bool(found.visible[key]), float(found.scaled[key]),
         float(found.unscaled[key]))
        for key, label in enumerate(result.params.key_tokens)
    )  # fmt: skip
    return Table(("key", "label", "visible", "weight divided", "weight not divided"), rows)


def _curve_table(result: Result, found: OneRow) -> Table:
    keys = np.flatnonzero(found.visible).tolist()
    names = (f"weight of key {key + 1} ({result.params.key_tokens[key]})" for key in keys)
    rows = tuple(
        (factor, effective, *weights)
        for factor, effective, weights in zip(
            found.factors.tolist(),
            found.effective.tolist(),
            found.weights[:, keys].tolist(),
            strict=True,
        )
    )
    return Table(("factor", "effective keys", *names), rows)
