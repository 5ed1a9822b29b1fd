"""One head as arrows: from each token that looks to those it looks at, as wide as the weight."""

from __future__ import annotations

import numpy as np

from engine.experiments.context.study import Study
from engine.shapes import Array
from pages.figures.canvas import BACK, Canvas
from pages.figures.context.arrows_plan import ArrowsPlan, plan_arrows
from pages.figures.context.head import largest_words
from pages.figures.context.look import Look, look_at
from pages.figures.context.model_view import ModelView
from pages.figures.context.study_words import (
    TIP_DECIMALS,
    common_words,
    head_stem,
    named_on_screen,
    token_words,
)
from pages.figures.figure import Figure, Style, Table
from pages.figures.measure import text_width
from pages.figures.numerals import number, number_in_full
from pages.figures.palette import mix, readable_on, weight_fill
from pages.figures.panel import Screen, open_plot, room_of, sizes_of
from pages.figures.properties.common import settled, words_of
from pages.text import Translator, translator

SCREEN = Screen(424.0, 420.0)
LEAST = 0.02  # weight: thinner arrows would be a grey haze
_WIDTH = 0.8  # of the step between two tokens: an arrow whose weight is 1
_THINNEST = 0.75  # pixels
_OTHERS = (0.09, 0.24)  # colour of arrows of other tokens than the query: of weight 0 and 1
_EVERY = (0.2, 0.75)  # the same where no token is emphasised
_OWN = (0.7, 1.0)
_HEAD = (0.55, 0.22)  # length and half the width of the head of an arrow, of the font
_CASING = 1.25  # pixels of background beside an arrow of the query


def arrows_figure(
    study: Study, view: ModelView, style: Style, *, screen: Screen = SCREEN
) -> Figure:
    """Draw one head as arrows, those of the query emphasised; 424 pixels wide on screen.

    A click on a token gives its position in the whole text twice, from 0.
    """
    t, look = translator(style.language), look_at(study, view)
    title = t("Layer {layer}, head {head}: where each token looks", layer=look.layer + 1,
              head=look.head + 1)  # fmt: skip
    plan, note = settled(
        _note(look, t),
        lambda said: room_of(style, said, screen),
        lambda room: plan_arrows(look, style, room, _title_widths(style, t)),
        lambda found: _left_out(look, found, t),
        t,
    )
    name = head_stem("arrows", look, f"token{look.query + 1}")
    words = words_of(name, title, note, "weights", t, largest_words(look, t))
    words = named_on_screen(words, style, t)
    canvas, _ = open_plot(style, words, screen)
    _Drawing(canvas, style, look, plan).draw()
    return Figure(name, title, canvas.spec(words.alt), _table(look, plan), words.note, words.alt)


def _titles(t: Translator) -> tuple[str, str]:
    return t("looks (query)"), t("is looked at (key)")


def _title_widths(style: Style, t: Translator) -> tuple[float, float]:
    one, other = (text_width(title, sizes_of(style).title) for title in _titles(t))
    return one, other


def _note(look: Look, t: Translator) -> str:
    least = number_in_full(LEAST)
    width = t("The width of an arrow is the weight.")
    if look.row is None:
        thin = t("Arrows below {least} are left out.", least=least)
        return t.sentences(width, thin, common_words(look, t))
    strong = t("Strong: the arrows of token {token}; of others, those below {least} are left out.",
               token=token_words(look.study, look.query, t), least=least)  # fmt: skip
    return t.sentences(width, strong, common_words(look, t))


def _left_out(look: Look, plan: ArrowsPlan, t: Translator) -> str:
    """Return which tokens of a long text are drawn."""
    if len(plan.shown) == len(look.tokens):
        return ""
    said = {"drawn": len(plan.shown), "count": f"{len(look.tokens):,}"}
    if look.row is None:
        return t("Of {count} tokens the {drawn} that are looked at most are drawn.", **said)
    share = float(look.weights[look.row, plan.shown].sum())
    return t(
        "Of {count} tokens {drawn} are drawn: token {token} and those that it looks at most, with "
        "{share} of its weight.",
        token=token_words(look.study, look.query, t),
        share=number(share, 3),
        **said,
    )


def _table(look: Look, plan: ArrowsPlan) -> Table:
    places, tokens, weights = look.places.tolist(), look.tokens, look.weights.tolist()
    rows = tuple(
        (places[row] + 1, tokens[row], places[key] + 1, tokens[key], weights[row][key],
         weights[row][key] >= LEAST or (row == look.row and weights[row][key] > 0))
        for row in plan.shown
        for key in plan.shown
    )  # fmt: skip
    return Table(("query", "query token", "key", "key token", "weight", "drawn"), rows)


class _Drawing:
    """Draws the arrows of one head."""

    def __init__(self, canvas: Canvas, style: Style, look: Look, plan: ArrowsPlan) -> None:
        self.canvas, self.style, self.look, self.plan = canvas, style, look, plan
        self.colours, self.t = style.colours, translator(style.language)
        picked = np.ix_(plan.shown, plan.shown)
        self.weights: Array = np.asarray(look.weights, dtype=np.float64)[picked]
        self.hidden: Array = look.hidden[picked]
        self.query = None if look.row is None else plan.shown.index(look.row)

    def draw(self) -> None:
        """Draw titles, arrows, the pale ones first, and tokens."""
        self._titles()
        self._others()
        self._own()
        for place in range(len(self.plan.shown)):
            self._query(place)
            self._key(place)

    def _titles(self) -> None:
        size, plan, (looks, seen) = sizes_of(self.style).title, self.plan, _titles(self.t)
        for title, x, align in (
            (looks, plan.left - plan.pad, "right"),
            (seen, plan.right + plan.pad, "left"),
        ):
            self.canvas.text(x, plan.title, title, size, self.colours.muted, align=align)

    def _others(self) -> None:
        """Draw the arrows of the tokens that are not the query, the thinnest first."""
        weights = self.weights.copy()
        if self.query is not None:
            weights[self.query] = 0.0
        found = np.argwhere(weights >= LEAST)
        order = np.argsort(weights[tuple(found.T)], kind="stable")
        ends = _EVERY if self.query is None else _OTHERS
        for row, key in found[order].tolist():
            weight = float(weights[row, key])
            width = self._width(weight)
            path = self._curve(row, key, width / 2, width / 2)
            self.canvas.path(path, stroke=self._colour(weight, ends), stroke_width=width,
                             level=BACK)  # fmt: skip

    def _own(self) -> None:
        """Draw the arrows of the query, each on a casing that interrupts what it crosses."""
        if self.query is None:
            return
        row, ground = self.weights[self.query], self.colours.background
        least, half = (share * self.plan.font for share in _HEAD)
        for key in np.argsort(row, kind="stable").tolist():
            weight = float(row[key])
            if weight == 0:
                continue
            width, colour = self._width(weight), self._colour(weight, _OWN)
            length = max(least, width * 0.7)
            path = self._curve(self.query, key, width / 2, length + width / 2 - 1)
            self.canvas.path(path, stroke=ground, stroke_width=width + 2 * _CASING, level=BACK)
            self.canvas.path(path, stroke=colour, stroke_width=width, level=BACK)
            tip, y, wide = self.plan.right, self.plan.middle(key), max(half, width * 0.8)
            head = f"M{tip - length:.2f},{y - wide:.2f}L{tip:.2f},{y:.2f}"
            head += f"L{tip - length:.2f},{y + wide:.2f}Z"
            self.canvas.path(head, fill=colour, stroke=ground, stroke_width=0.5, level=BACK)

    def _colour(self, weight: float, ends: tuple[float, float]) -> str:
        share = round(ends[0] + (ends[1] - ends[0]) * weight, 2)
        return mix(self.colours.background, self.colours.roles["weights"], share)

    def _width(self, weight: float) -> float:
        return round(max(_THINNEST, weight * self.plan.step * _WIDTH), 2)

    def _curve(self, row: int, key: int, after: float, before: float) -> str:
        """Return the way from a query to a key as an SVG path, shorter at its two ends."""
        left, right = self.plan.left + after, self.plan.right - before
        start, end = self.plan.middle(row), self.plan.middle(key)
        bend = (right - left) * 0.45
        return (
            f"M{left:.2f},{start:.2f}C{left + bend:.2f},{start:.2f} "
            f"{right - bend:.2f},{end:.2f} {right:.2f},{end:.2f}"
        )

    def _query(self, place: int) -> None:
        """Write a token on the left; the query stands on a ground of its own."""
        plan, chosen = self.plan, place == self.query
        name, y = plan.names[place], plan.middle(place)
        width = text_width(name, plan.font, bold=True) + 2 * plan.pad
        box = (plan.left - width, y - plan.step * 0.44, width, plan.step * 0.88)
        fill = self.colours.roles["query"] if chosen else "transparent"
        self._ground(box, fill, self._looks(place), place)
        ink = readable_on(fill, self.style.theme) if chosen else self._ink(place)
        x = plan.left - plan.pad
        self.canvas.text(x, y, name, plan.font, ink, bold=chosen, align="right")

    def _key(self, place: int) -> None:
        """Write a token on the right, on the colour of its weight from the query."""
        plan, y = self.plan, self.plan.middle(place)
        name, x = plan.names[place], plan.right + plan.pad
        width = text_width(name, plan.font, bold=True) + 2 * plan.pad
        box = (plan.right, y - plan.step * 0.44, width, plan.step * 0.88)
        if self.query is None:
            self._ground(box, "transparent", plan.names[place], place)
            self.canvas.text(x, y, name, plan.font, self._ink(place), align="left")
            return
        weight = float(self.weights[self.query, place])
        hidden = bool(self.hidden[self.query, place])
        fill = self.colours.masked if hidden else weight_fill(weight, self.style.theme)
        self._ground(box, fill, self._seen(place, weight, hidden), place)
        ink = readable_on(fill, self.style.theme)
        self.canvas.text(x, y, name, plan.font, ink, align="left")
        if not hidden:
            most = weight == self.weights[self.query].max()
            text = number(weight, self.style.decimals)
            self.canvas.text(box[0] + box[2] + plan.beside, y, text, plan.font,
                             self.colours.text if most else self.colours.muted, bold=most,
                             align="left")  # fmt: skip

    def _ground(
        self, box: tuple[float, float, float, float], fill: str, tip: str, place: int
    ) -> None:
        at = int(self.look.places[self.plan.shown[place]])
        self.canvas.cell(box, fill, tip, (at, at), radius=box[3] / 4)

    def _ink(self, place: int) -> str:
        """Return the colour of a name: special tokens are no words of the text."""
        at = int(self.look.places[self.plan.shown[place]])
        return self.colours.muted if self.look.study.special[at] else self.colours.text

    def _looks(self, place: int) -> str:
        """Return what the pointer says over a token that looks: where it looks most."""
        row = self.look.weights[self.plan.shown[place]]
        key = int(row.argmax())
        return self.t(
            "token {query} looks most at token {key}: {value}",
            query=self._named(self.plan.shown[place]),
            key=self._named(key),
            value=number(float(row[key]), TIP_DECIMALS),
        )

    def _seen(self, place: int, weight: float, hidden: bool) -> str:
        """Return what the pointer says over a token that is looked at."""
        said = {"query": self._named(self.look.require_row()),
                "key": self._named(self.plan.shown[place])}  # fmt: skip
        if hidden:
            return self.t("token {query} on token {key}: hidden by the mask", **said)
        value = number(weight, TIP_DECIMALS)
        return self.t("token {query} on token {key}: {value}", value=value, **said)

    def _named(self, kept: int) -> str:
        return token_words(self.look.study, int(self.look.places[kept]), self.t)
