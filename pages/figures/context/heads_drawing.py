"""Draws the small matrices of all heads as one picture, with their layers and heads beside it."""

from __future__ import annotations

import numpy as np

from pages.figures.canvas import Canvas
from pages.figures.context.heads_plan import HeadsPlan
from pages.figures.context.look import Look
from pages.figures.figure import Style
from pages.figures.levels import ABSENT, LAST_OF_FEWER, Levels, colours_of, levels_of, picture
from pages.figures.matrix_axes import positions
from pages.figures.measure import text_width
from pages.figures.numerals import number
from pages.figures.panel import sizes_of
from pages.text import translator

_LONGEST_BAR = 14.0  # of the font of its numbers


class HeadsDrawing:
    """Draws all heads of a plan."""

    def __init__(self, canvas: Canvas, style: Style, look: Look, plan: HeadsPlan) -> None:
        self.canvas, self.style, self.look, self.plan = canvas, style, look, plan
        self.sizes, self.t = sizes_of(style), translator(style.language)
        self.shape = look.study.layers, look.study.heads

    def draw(self) -> None:
        """Draw the matrices, what the pointer says over each, their sides, and the scale."""
        self._matrices()
        for layer, head in np.ndindex(*self.shape):
            self._place(layer, head)
        self._frame()
        if self.plan.layout.grouped:
            self._titles()
        else:
            self._columns()
            self._rows()
        self._bar()

    def _matrices(self) -> None:
        url = picture(self._levels(), colours_of("weights", self.style, LAST_OF_FEWER),
                      enlarge=False, clear=ABSENT)  # fmt: skip
        self.canvas.image((self.plan.left, self.plan.top, *self.plan.size), url)

    def _levels(self) -> Levels:
        """Return the levels of colour of the whole picture; none between two matrices."""
        plan = self.plan
        hidden = np.broadcast_to(plan.found.hidden, plan.found.values.shape)
        found = levels_of(plan.found.values, hidden, "weights", plan.limit, LAST_OF_FEWER)
        large = found.repeat(plan.step, axis=2).repeat(plan.step, axis=3)
        whole = np.full(plan.pixels[::-1], ABSENT, dtype=np.uint8)
        for layer, head in np.ndindex(*self.shape):
            x, y = plan.spot(*plan.layout.at(layer, head))
            whole[y : y + plan.dots, x : x + plan.dots] = large[layer, head]
        return whole

    def _place(self, layer: int, head: int) -> None:
        """Lay an unseen cell over a matrix that can be clicked."""
        place = (*self.plan.corner(layer, head), self.plan.side, self.plan.side)
        tip = self.t(
            "layer {layer}, head {head}: largest weight {weight}",
            layer=layer + 1,
            head=head + 1,
            weight=number(float(self.plan.found.largest[layer, head]), self.style.decimals),
        )
        self.canvas.cell(place, "transparent", tip, (layer, head))

    def _frame(self) -> None:
        """Draw the frame of the chosen head, outside of its cells."""
        width = 2.0 if self.style.size == "screen" else 3.5
        out = width / 2 + 0.5
        x, y = self.plan.corner(self.look.layer, self.look.head)
        side = self.plan.side + 2 * out
        self.canvas.rect(x - out, y - out, side, side, stroke=self.style.colours.text,
                         stroke_width=width, radius=2)  # fmt: skip

    def _titles(self) -> None:
        """Write above each group which layer it is."""
        size, colours = self.sizes.tick, self.style.colours
        for layer in range(self.shape[0]):
            x, y = self.plan.corner(layer, 0)
            chosen = layer == self.look.layer
            text = self.t("layer {layer}", layer=layer + 1)
            self.canvas.text(x, y - size * 0.95, text, size,
                             colours.text if chosen else colours.muted, bold=chosen,
                             align="left")  # fmt: skip

    def _columns(self) -> None:
        """Write the numbers of the heads above, and what they are."""
        plan, size, colours = self.plan, self.sizes.tick, self.style.colours
        y = plan.top - size * 0.9
        room = text_width("00", size) + size * 0.5
        for head, label in _with(self.look.head, positions(self.shape[1], self.plan.size[0], room),
                                 room / plan.pitch):  # fmt: skip
            x = plan.left + head * plan.pitch + plan.side / 2
            chosen = head == self.look.head
            self.canvas.text(x, y, label, size, colours.text if chosen else colours.muted,
                             bold=chosen)  # fmt: skip
        y -= size * 0.7 + self.sizes.title * 0.6
        title = self.t("head") + " →"
        self.canvas.text(plan.left, y, title, self.sizes.title, colours.muted, align="left")

    def _rows(self) -> None:
        """Write the numbers of the layers to the left, and what they are."""
        plan, size, colours = self.plan, self.sizes.tick, self.style.colours
        x, room = plan.left - size * 0.6, size * 1.3
        for layer, label in _with(self.look.layer, positions(self.shape[0], plan.size[1], room),
                                  room / plan.pitch):  # fmt: skip
            y = plan.top + layer * plan.pitch + plan.side / 2
            chosen = layer == self.look.layer
            self.canvas.text(x, y, label, size, colours.text if chosen else colours.muted,
                             bold=chosen, align="right")  # fmt: skip
        y = plan.top - size * 0.9
        title = self.t("layer") + " ↓"
        self.canvas.text(x, y, title, self.sizes.title, colours.muted, align="right")

    def _bar(self) -> None:
        plan = self.plan
        x = plan.left + self.plan.size[0] + self.sizes.gap * 2
        bottom = plan.top + min(self.plan.size[1], self.sizes.tick * _LONGEST_BAR)
        plan.bar.draw(self.canvas, self.style, x, plan.top, bottom)


def _with(chosen: int, ticks: list[tuple[int, str]], apart: float) -> list[tuple[int, str]]:
    """Return ticks with that of the chosen place, and without those that it would touch."""
    others = [tick for tick in ticks if abs(tick[0] - chosen) >= apart]
    return sorted([*others, (chosen, str(chosen + 1))])
