"""Which outputs move when one token changes, without a mask and with a causal one."""

from __future__ import annotations

from engine.experiments.masks.influence import CHANGE, Influence, InfluenceResult
from pages.figures.board import named
from pages.figures.figure import Figure, Series, Style, Table
from pages.figures.numerals import number_in_full
from pages.figures.panel import Axis, Screen
from pages.figures.plot import bar_figure, line_figure
from pages.figures.properties.common import input_stem, words_of
from pages.figures.series import series_colour
from pages.text import Translator, translator
from pages.text.properties_words import moved_words

SCREEN = Screen(868.0, 340.0)
USUAL = 3  # the token that changes
MOST_BARS = 24  # tokens that have bars of their own
_MOST_NAMED = 12
_COLOURS = {False: 0, True: 2}  # without a mask and with a causal one


def usual_token(T: int) -> int:
    """Return the token that changes unless another is chosen, from 1: the third, or the last."""
    return min(USUAL, T)


def influence_figure(
    result: InfluenceResult, style: Style, token: int, *, screen: Screen = SCREEN
) -> Figure:
    """Draw how far each output moves when one token, counted from 1, changes.

    Parameters
    ----------
    result : InfluenceResult
        Without a mask as ``a``, with the causal one as ``b``.
    style : Style
    token : int
    screen : Screen
        Its size on screen.
    """
    t, T = translator(style.language), len(result.head.tokens)
    labels = () if result.params.source == "random" else result.head.tokens
    title = t("How far each output moves when token {token} changes",
              token=named(token - 1, labels, t))  # fmt: skip
    note = t.sentences(
        t("{change} is added to every component of the token; a bar is the largest move of a "
          "component of an output.", change=number_in_full(CHANGE)),
        moved_words(result, token, t),
    )  # fmt: skip
    words = words_of(input_stem("influence", result.params, T, f"token{token}"), title, note,
                     "output", t)  # fmt: skip
    series = _series(result, token, style, t)
    axis = Axis(t("largest move of a component"), 0.0, None if _moves(series) else 1.0)
    table = _table(result, token)
    if T > MOST_BARS:
        x = tuple(float(place) for place in range(1, T + 1))
        return line_figure(x, series, style, words, x_axis=Axis(t("output of position")),
                           y_axis=axis, table=table, screen=screen)  # fmt: skip
    return bar_figure(_groups(result, labels, t), series, style, words,
                      x_title=t("output of token"), y_axis=axis, table=table, screen=screen,
                      measured=True)  # fmt: skip


def _groups(result: InfluenceResult, labels: tuple[str, ...], t: Translator) -> list[str]:
    """Return the names of the outputs: of many tokens, their positions."""
    T = len(result.head.tokens)
    if T > _MOST_NAMED:
        return [str(place + 1) for place in range(T)]
    if labels and len(set(labels)) == T:
        return list(labels)
    return [named(place, labels, t) for place in range(T)]


def _series(
    result: InfluenceResult, token: int, style: Style, t: Translator
) -> tuple[Series, Series]:
    without, causal = (
        Series(name, tuple(side.moves[:, token - 1].tolist()),
               series_colour(_COLOURS[hidden], style.theme), kind=int(hidden))
        for hidden, name, side in (
            (False, t("without a mask"), result.a), (True, t("causal mask"), result.b),
        )
    )  # fmt: skip
    return without, causal


def _moves(series: tuple[Series, ...]) -> bool:
    return any(value > 0 for each in series for value in each.values)


def _table(result: InfluenceResult, token: int) -> Table:
    tokens = result.head.tokens
    columns = ("changed token", "changed label", "output", "output label", "mask",
               "largest move of a component")  # fmt: skip
    sides: tuple[tuple[str, Influence], ...] = (("none", result.a), ("causal", result.b))
    rows = tuple(
        (token, tokens[token - 1], place + 1, tokens[place], name,
         float(side.moves[place, token - 1]))
        for place in range(len(tokens))
        for name, side in sides
    )  # fmt: skip
    return Table(columns, rows)
