"""Draws a graph that is planned: arrows under pills, numbers on arrows, a legend below."""

from __future__ import annotations

from engine.experiments.properties.graph import Edge, GraphResult
from pages.figures.board import named
from pages.figures.canvas import BACK, HATCH, Canvas
from pages.figures.figure import Style
from pages.figures.measure import text_width
from pages.figures.numerals import number_in_full
from pages.figures.palette import mix
from pages.figures.properties.curves import Arrow
from pages.figures.properties.graph_labels import Label
from pages.figures.properties.graph_plan import Plan, labels_of_tokens, width_of
from pages.figures.properties.ring import BETWEEN, RING_SIZES, Node
from pages.text import translator

SAMPLES = (0.1, 0.25, 0.5, 1.0)  # weights in the legend
_PALEST = 0.42  # of the colour of weights, in an arrow whose weight is 0
_CASING = 1.5  # pixels of background on either side of an arrow, so that crossings can be read


def draw_graph(canvas: Canvas, result: GraphResult, plan: Plan, style: Style) -> None:
    """Draw everything, the widest arrows on top of the others."""
    drawing = _Drawing(canvas, result, plan, style)
    arrows = list(zip(result.shown, plan.arrows, strict=True))
    for edge, arrow in reversed(arrows):
        drawing.shaft(edge, arrow)
    for edge, arrow in reversed(arrows):
        drawing.head(edge, arrow)
    for place, node in enumerate(plan.nodes):
        drawing.node(place, node)
    for edge, label in zip(result.shown, plan.labels, strict=False):
        if label is not None:
            drawing.label(edge, label)
    drawing.legend()


class _Drawing:
    """Draws the parts of one graph."""

    def __init__(self, canvas: Canvas, result: GraphResult, plan: Plan, style: Style) -> None:
        self.canvas, self.result, self.plan, self.style = canvas, result, plan, style
        self.sizes, self.t = RING_SIZES[style.size], translator(style.language)

    def colour(self, weight: float) -> str:
        """Return the colour of an arrow: it never gets too pale to be seen."""
        colours = self.style.colours
        share = _PALEST + (1 - _PALEST) * min(weight, 1.0)
        return mix(colours.background, colours.roles["weights"], round(share, 2))

    def shaft(self, edge: Edge, arrow: Arrow) -> None:
        """Draw a shaft on a casing that interrupts what it crosses."""
        width, colour = width_of(edge.weight, self.sizes), self.colour(edge.weight)
        ground, path = self.style.colours.background, arrow.shaft.path
        self.canvas.path(path, stroke=ground, stroke_width=width + 2 * _CASING, level=BACK)
        self.canvas.path(path, stroke=colour, stroke_width=width, level=BACK)

    def head(self, edge: Edge, arrow: Arrow) -> None:
        """Draw a head, above every shaft, and the end of its own shaft once more: no seam shows."""
        width, colour = width_of(edge.weight, self.sizes), self.colour(edge.weight)
        ground = self.style.colours.background
        self.canvas.path(arrow.outline, fill=colour, stroke=ground, stroke_width=1, level=BACK)
        neck = arrow.shaft.part(0.96, 1.0).path
        self.canvas.path(neck, stroke=colour, stroke_width=width, level=BACK)

    def node(self, place: int, node: Node) -> None:
        """Draw the pill of a token with its position and its name."""
        colours, sizes = self.style.colours, self.sizes
        box = (node.x - node.width / 2, node.y - node.height / 2, node.width, node.height)
        self.canvas.cell(box, colours.surface, self._heard(place), None, radius=node.height / 2)
        self.canvas.rect(
            *box, stroke=colours.roles["input"], stroke_width=1.5 if sizes.font < 16 else 2.25,
            radius=node.height / 2, level=HATCH,
        )  # fmt: skip
        name, position = text_width(node.name, sizes.font, bold=True), 0.0
        if node.position:
            position = text_width(node.position, sizes.small) + sizes.font * BETWEEN
        left = node.x - (name + position) / 2
        if node.position:
            # Digits and capitals are about 0.72 em tall: the two stand on one base line.
            y = node.y + (sizes.font - sizes.small) * 0.36
            self.canvas.text(left, y, node.position, sizes.small, colours.muted, align="left")
        middle = left + position + name / 2
        self.canvas.text(middle, node.y, node.name, sizes.font, colours.text, bold=True)

    def _heard(self, target: int) -> str:
        """Return what the pointer says over a token: of whom it takes how much."""
        labels = labels_of_tokens(self.result)
        parts = [
            self.t(
                "{weight} of {token}",
                weight=number_in_full(round(edge.weight, self.style.decimals)),
                token=named(edge.source, labels, self.t),
            )
            for edge in self.result.edges
            if edge.target == target
        ]
        return self.t(
            "token {token} takes {parts}",
            token=named(target, labels, self.t),
            parts=self.t.listing(parts),
        )

    def label(self, edge: Edge, label: Label) -> None:
        """Write the number of an arrow on a ground of its own."""
        colours, labels = self.style.colours, labels_of_tokens(self.result)
        tip = self.t(
            "from token {source} to token {target}: {value}",
            source=named(edge.source, labels, self.t),
            target=named(edge.target, labels, self.t),
            value=number_in_full(edge.weight),
        )
        place = (label.left, label.top, label.width, label.height)
        self.canvas.cell(place, colours.background, tip, None, radius=label.height / 3)
        middle = label.left + label.width / 2, label.top + label.height / 2
        self.canvas.text(*middle, label.text, self.sizes.small, colours.text)

    def legend(self) -> None:
        """Draw what the widths mean, in a row below the ring."""
        size, colours = self.sizes.small, self.style.colours
        left, top, width, height = self.plan.legend
        y = top + height - size * 0.7
        least = self.result.params.threshold
        samples = [weight for weight in SAMPLES if weight >= least] or [1.0]
        line, gap = size * 2.2, size * 0.5
        title = self.t("weight")
        texts = [number_in_full(weight) for weight in samples]
        taken = text_width(title, size) + sum(
            gap * 2.4 + line + gap + text_width(text, size) for text in texts
        )
        x = left + (width - taken) / 2
        self.canvas.text(x, y, title, size, colours.muted, align="left")
        x += text_width(title, size)
        for weight, text in zip(samples, texts, strict=True):
            x += gap * 2.4
            thick = width_of(weight, self.sizes)
            self.canvas.rect(x, y - thick / 2, line, thick, fill=self.colour(weight), level=BACK)
            x += line + gap
            self.canvas.text(x, y, text, size, colours.muted, align="left")
            x += text_width(text, size)
