"""One lookup: scores become weights, and the weights mix the values."""

from __future__ import annotations

from engine.experiments.lookup.soft import Result
from pages.figures.canvas import Canvas
from pages.figures.figure import Figure, Style, Table
from pages.figures.lookup.common import WIDE, setting_words, table_stem
from pages.figures.lookup.weights_columns import Columns, columns_of
from pages.figures.lookup.weights_table import WeightsTable
from pages.figures.lookup.weights_written import hard_weights
from pages.figures.slide import body, open_sheet
from pages.text import Translator, translator
from pages.text.lookup_words import vector_text

_PADDING, _HIGHEST = 8.0, 420.0  # on screen
_MOST_NAMED = 3  # keys that a note names


def weights_figure(result: Result, style: Style) -> Figure:
    """Draw one row for each key: key, value, score, weight, what it contributes; the sums below."""
    t = translator(style.language)
    title = t("A lookup in a table: hard and soft")
    columns = columns_of(result, style, _width(style))
    note = t.sentences(_note(result, t), *_left_out(columns, result, style, t))
    alt = t.sentences(t("{title}.", title=title), _spoken(result, t), note)
    canvas = _drawn(result, style, columns, title, note)
    name = table_stem("weights", result.params)
    return Figure(name, title, canvas.spec(alt), _table(result), note, alt)


def _width(style: Style) -> float:
    """Return the room for columns; the ground of a row reaches beyond them."""
    if style.size == "screen":
        return WIDE.width - 2 * _PADDING
    return body(style, "")[2] - 2 * _PADDING


def _drawn(result: Result, style: Style, columns: Columns, title: str, note: str) -> Canvas:
    if style.size == "screen":
        canvas = Canvas(WIDE.width, _HIGHEST, style.colours, transparent=style.transparent)
        table = WeightsTable(canvas, result, style, columns)
        table.shrink(_HIGHEST - 2 * _PADDING)
        canvas.height = round(table.height + 2 * _PADDING)
        table.draw((WIDE.width - columns.total) / 2, _PADDING)
        return canvas
    canvas, (left, top, width, height) = open_sheet(style, title, note, "weights")
    table = WeightsTable(canvas, result, style, columns)
    table.shrink(height)
    spare = max(0.0, height - table.height)
    table.draw(left + (width - columns.total) / 2, top + spare * 0.4)
    return canvas


def _note(result: Result, t: Translator) -> str:
    setting = setting_words(result.params, t)
    return t.sentences(setting, exact_words(result, t), hard_words(result, t))


def exact_words(result: Result, t: Translator) -> str:
    """Return what a dictionary does with this query."""
    if result.exact is None:
        return t("A dictionary finds nothing: no key equals the query.")
    return t("A dictionary finds {name}, whose key equals the query.",
             name=result.params.names[result.exact])  # fmt: skip


def hard_words(result: Result, t: Translator) -> str:
    """Return what hard lookup takes, and what soft lookup does."""
    names = [result.params.names[row] for row in result.nearest]
    if len(result.params.names) == 1:
        return t("With one key both take its value whole.")
    if len(names) == len(result.params.names):
        return t("All scores are equal, so both take the plain mean of the values.")
    if len(names) > _MOST_NAMED:
        return t(
            "Hard lookup takes the mean value of the {count} keys whose scores are the largest; "
            "soft lookup mixes all values by their weights.",
            count=len(names),
        )
    if len(names) > 1:
        return t(
            "Hard lookup takes the mean value of {names}, whose scores are the largest; soft "
            "lookup mixes all values by their weights.",
            names=t.listing(names),
        )
    return t(
        "Hard lookup takes the value of {name}, whose score is the largest; soft lookup mixes all "
        "values by their weights.",
        name=names[0],
    )


def _left_out(columns: Columns, result: Result, style: Style, t: Translator) -> list[str]:
    """Return what did not fit, as sentences."""
    plan, said = columns.plan, []
    e = len(result.params.values[0])
    if plan.decimals < style.decimals:
        said.append(t("Numbers are drawn with fewer decimals ({decimals}) to fit.",
                      decimals=plan.decimals))  # fmt: skip
    if plan.keys == "bars":
        said.append(t("Query and keys are drawn as bars, one for each component."))
    if plan.keys == "none":
        said.append(t("The keys are left out to fit."))
    if not plan.values:
        said.append(t("The values are left out to fit."))
    if plan.shown < e:
        said.append(t("Of {count} columns of values the first {shown} are drawn.", count=e,
                      shown=plan.shown) if plan.shown > 1 else
                    t("Of {count} columns of values the first is drawn.", count=e))  # fmt: skip
    return said


def _spoken(result: Result, t: Translator) -> str:
    """Return the weights and both outputs, for those who cannot see the table."""
    weights = [
        t("{name}: {value}", name=name, value=f"{float(weight):.3f}")
        for name, weight in zip(result.params.names, result.soft.weights, strict=True)
    ]
    return t(
        "Weights: {weights}. Output of soft lookup: {soft}; of hard lookup: {hard}.",
        weights=t.clauses(weights),
        soft=vector_text(result.soft.output.tolist(), 3),
        hard=vector_text(result.hard_output.tolist(), 3),
    )


def _table(result: Result) -> Table:
    params, soft = result.params, result.soft
    d, e = len(params.query), len(params.values[0])
    columns = (
        "row", "name", *_numbered("key", d), *_numbered("value", e), "score", "soft weight",
        "hard weight", *_numbered("contribution", e),
    )  # fmt: skip
    hard = hard_weights(result)
    rows: list[tuple[object, ...]] = [
        (index + 1, name, *params.keys[index], *params.values[index], float(soft.scores[index]),
         float(soft.weights[index]), float(hard[index]), *soft.contributions[index].tolist())
        for index, name in enumerate(params.names)
    ]  # fmt: skip
    blank = ("",) * e
    rows.append(("query", "", *params.query, *blank, "", "", "", *blank))
    for name, output in (("soft output", soft.output), ("hard output", result.hard_output)):
        rows.append((name, "", *("",) * d, *blank, "", "", "", *output.tolist()))
    return Table(columns, tuple(rows))


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name} {place + 1}" for place in range(count)]
