"""The arithmetic of one cell as lines of LaTeX, with the numbers that are on screen.

Numbers are rounded from the exact values; ``=`` stands where a line holds exactly as written,
``≈`` where something in it was rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.experiments.cells import (
    CellArithmetic,
    Division,
    Exponential,
    Masking,
    ProductSum,
    Softmax,
)
from engine.experiments.worked_example import ROLE_NAMES
from pages.figures.numerals import MINUS, number
from pages.figures.palette import Theme

CHARACTERS_A_LINE = 28  # what fits into the panel beside a figure
_TAKES_NO_ROOM = str.maketrans("", "", "{}&^_ ")
SYMBOLS = {
    "project": {"q": r"q_{%d,%d}", "k": r"k_{%d,%d}", "v": r"v_{%d,%d}"},
    "score": r"s_{%d,%d}",
    "scale": r"s'_{%d,%d}",
    "mask": r"s''_{%d,%d}",
    "softmax": r"a_{%d,%d}",
    "output": r"o_{%d,%d}",
}
STEP_ROLES = {
    "score": "scores",
    "scale": "scores",
    "mask": "scores",
    "softmax": "weights",
    "output": "output",
}


@dataclass(frozen=True)
class Writer:
    """How numbers are written: decimals, the digits that the precision can hold, colours."""

    decimals: int
    digits: int
    colours: Theme

    def number(self, value: float, role: str | None = None, *, factor: bool = False) -> str:
        """Return one number in LaTeX; a negative factor stands in parentheses."""
        text = self._plain(value)
        if factor and text.startswith("-"):
            text = f"({text})"
        return text if role is None else self.coloured(text, role)

    def coloured(self, text: str, role: str) -> str:
        """Return ``text`` in the colour of its role."""
        return rf"\textcolor{{{self.colours.roles[role]}}}{{{text}}}"

    def is_exact(self, value: float) -> bool:
        """Say whether the written number is the value itself, as far as the precision tells."""
        return any(_reads_as(value, places, self.digits) for places in range(self.decimals + 1))

    def _plain(self, value: float) -> str:
        if math.isinf(value):
            return r"-\infty" if value < 0 else r"\infty"
        places = next(
            (n for n in range(self.decimals) if _reads_as(value, n, self.digits)), self.decimals
        )
        if value != 0 and round(value, places) == 0:  # 0.000 would say nothing, or divide by it
            text = f"{value:.{self.decimals}e}"
        else:
            text = number(value, places).replace(MINUS, "-")
        factor, has_power, power = text.partition("e")
        return rf"{factor}\times 10^{{{int(power)}}}" if has_power else text


# How far a number of so many significant digits may be from the one that it stands for: some units
# in the last place of float64 and of float32, which sums leave behind.
_NOISE = {15: 16 * 2.0**-52, 6: 4 * 2.0**-23}


def _reads_as(value: float, places: int, digits: int) -> bool:
    """Say whether ``value``, rounded to ``places`` decimals, is still the same number."""
    if not math.isfinite(value) or abs(value) >= 1e6:
        return False
    return abs(round(value, places) - value) <= _NOISE[digits] * max(0.01, abs(value))


def cell_lines(cell: CellArithmetic, *, decimals: int, colours: Theme) -> list[str]:
    """Return the arithmetic of a cell as display formulas, one string a line.

    Parameters
    ----------
    cell : CellArithmetic
        From ``engine.experiments.cells.explain_cell``.
    decimals : int
        Decimals shown.
    colours : Theme
        The theme whose role colours are used.
    """
    write = Writer(decimals, cell.digits, colours)
    match cell:
        case ProductSum():
            return product_lines(cell, write)
        case Division():
            return division_lines(cell, write)
        case Masking():
            return masking_lines(cell, write)
        case Softmax():
            return softmax_lines(cell, write)
    raise TypeError(f"no arithmetic is known for {type(cell).__name__}")


def symbol(cell: CellArithmetic, write: Writer) -> str:
    """Return the symbol of the cell, such as s with its two indices, in its role colour."""
    if cell.step == "project":
        pattern = SYMBOLS["project"][cell.role]  # type: ignore[index]
        role = ROLE_NAMES[cell.role]
    else:
        pattern, role = str(SYMBOLS[cell.step]), STEP_ROLES[cell.step]
    return write.coloured(pattern % (cell.row + 1, cell.column + 1), role)


def product_lines(cell: ProductSum, write: Writer) -> list[str]:
    """Return a row times a column: the rule, the products, their values, the sum."""
    left, right = _operand_roles(cell)
    factors = [
        rf"{write.number(term.left, left, factor=True)}\cdot "
        rf"{write.number(term.right, right, factor=True)}"
        for term in cell.terms
    ]
    products = [write.number(term.product, factor=True) for term in cell.terms]
    exact = all(write.is_exact(value) for term in cell.terms for value in (term.left, term.right))
    rows = [_first(symbol(cell, write), _rule(cell, write)), *_wrapped(_sign(exact), factors)]
    exact = exact and all(write.is_exact(term.product) for term in cell.terms)
    if len(cell.terms) > 1:
        rows += _wrapped(_sign(exact), products)
    rows.append(rf"&{_sign(exact and write.is_exact(cell.total))} {write.number(cell.total)}")
    return [_aligned(rows)]


def _operand_roles(cell: ProductSum) -> tuple[str, str]:
    if cell.step == "project":
        return "input", ROLE_NAMES[cell.role]
    return ("query", "key") if cell.step == "score" else ("weights", "value")


def _rule(cell: ProductSum, write: Writer) -> str:
    row, column = cell.row + 1, cell.column + 1
    if cell.step == "project":
        source = "x" if cell.left_name == "X" else "c"
        weights = write.coloured(
            rf"(W_{{{cell.role.upper()}}})_{{m,{column}}}", ROLE_NAMES[cell.role]
        )
        return rf"\sum_m {source}_{{{row},m}}\,{weights}"
    if cell.step == "score":
        query = write.coloured(f"q_{{{row}}}", "query")
        return rf"{query}\cdot {write.coloured(f'k_{{{column}}}', 'key')}"
    weight = write.coloured(f"a_{{{row},j}}", "weights")
    return rf"\sum_j {weight}\,{write.coloured(f'v_{{j,{column}}}', 'value')}"


def division_lines(cell: Division, write: Writer) -> list[str]:
    """Return a score divided by the root of d_k, or left as it is."""
    score = write.coloured(f"s_{{{cell.row + 1},{cell.column + 1}}}", "scores")
    if not cell.scaled:
        rows = [_first(symbol(cell, write), score), rf"&= {write.number(cell.quotient)}"]
        return [_aligned(rows)]
    exact = all(write.is_exact(value) for value in (cell.score, cell.root, cell.quotient))
    number = write.number(cell.score, "scores")
    by_sign = rf"\frac{{{number}}}{{\sqrt{{{cell.d_k}}}}}"
    by_value = rf"\frac{{{number}}}{{{write.number(cell.root)}}}"
    rows = [
        _first(symbol(cell, write), rf"\frac{{{score}}}{{\sqrt{{d_k}}}}"),
        rf"&{_sign(write.is_exact(cell.score))} {by_sign} {_sign(exact)} {by_value}",
        rf"&{_sign(exact)} {write.number(cell.quotient)}",
    ]
    return [_aligned(rows)]


def masking_lines(cell: Masking, write: Writer) -> list[str]:
    """Return whether the query may look at the key, and the score after it."""
    before = write.coloured(f"s'_{{{cell.row + 1},{cell.column + 1}}}", "scores")
    if not cell.masked:
        rows = [_first(symbol(cell, write), before), _equals(cell.after, write)]
        return [_aligned(rows)]
    relation = r"\le" if cell.visible else ">"
    offset = cell.query - cell.row  # more keys than queries: the last ones are level
    limit = f"{cell.row + 1} + {offset}" if offset else f"{cell.row + 1}"
    allowed = rf"{cell.key + 1} {relation} {limit}"
    after = before if cell.visible else r"-\infty"
    rows = [_first(symbol(cell, write), rf"{after}\qquad ({allowed})")]
    if cell.visible:
        rows.append(_equals(cell.after, write))
    return [_aligned(rows)]


def _equals(value: float, write: Writer) -> str:
    return rf"&{_sign(write.is_exact(value))} {write.number(value)}"


def softmax_lines(cell: Softmax, write: Writer) -> list[str]:
    """Return every exponential of the row, the row sum, and the quotient."""
    lines = [_aligned(_exponential_rows(cell, write))]
    parts = [write.number(part.exponential) for part in cell.exponentials]
    rows = _wrapped(r"\approx", parts, left=r"\textstyle\sum_j e_j")
    total = rf"\approx {write.number(cell.row_sum)}"
    if _length(rows[-1] + total) <= CHARACTERS_A_LINE + 8:
        rows[-1] += f" {total}"
    else:
        rows.append(f"&{total}")
    lines.append(_aligned(rows))
    lines.append(_quotient(cell, write))
    return lines


def _exponential_rows(cell: Softmax, write: Writer) -> list[str]:
    """Return the exponentials, two a line; the chosen key's one is marked."""
    shift = rf" - {write.number(cell.shift, factor=True)}" if cell.shifted else ""
    formulas = [
        _exponential(part, shift, part.key == cell.column, write) for part in cell.exponentials
    ]
    widest = max(_length(formula) for formula in formulas)
    beside = 2 if 2 * widest <= CHARACTERS_A_LINE + 8 else 1  # exponents are set small
    return [r" &\quad ".join(formulas[i : i + beside]) for i in range(0, len(formulas), beside)]


def _exponential(part: Exponential, shift: str, chosen: bool, write: Writer) -> str:
    name = f"e_{{{part.key + 1}}}"
    exponent = r"-\infty" if not part.visible else write.number(part.score, "scores") + shift
    # A hidden score gives exactly 0 and a score of 0 exactly 1; an underflow is only about 0.
    sign = _sign(not part.visible or (part.exponent == 0 and write.is_exact(part.score)))
    value = write.number(part.exponential)
    value = rf"\boxed{{{value}}}" if chosen else value
    return rf"{name} &= e^{{{exponent}}} {sign} {value}"


def _quotient(cell: Softmax, write: Writer) -> str:
    chosen = cell.exponentials[cell.column]
    head = f"{symbol(cell, write)} = "
    if cell.row_sum == 0:
        return rf"{head} 0"
    fraction = rf"\frac{{e_{{{cell.column + 1}}}}}{{\sum_j e_j}}"
    numbers = rf"\frac{{{write.number(chosen.exponential)}}}{{{write.number(cell.row_sum)}}}"
    exact = write.is_exact(chosen.exponential) and write.is_exact(cell.row_sum)
    whole = chosen.exponential in (0.0, cell.row_sum)
    value = write.number(cell.quotient)
    ends = whole or (exact and write.is_exact(cell.quotient))
    return rf"{head}{fraction} {_sign(exact)} {numbers} {_sign(ends)} {value}"


def _sign(exact: bool) -> str:
    return "=" if exact else r"\approx"


def _first(left: str, right: str) -> str:
    return rf"{left} &= {right}"


def _wrapped(sign: str, terms: Sequence[str], *, left: str = "") -> list[str]:
    """Return a sum on as many lines as it needs, with what stands left of its sign."""
    lines: list[list[str]] = [[]]
    for term in terms:
        if lines[-1] and _length(" + ".join([*lines[-1], term])) > CHARACTERS_A_LINE:
            lines.append([])
        lines[-1].append(term)
    sums = [" + ".join(line) for line in lines]
    return [f"{left}&{sign} {sums[0]}", *(rf"&\quad {{}}+ {line}" for line in sums[1:])]


def _length(latex: str) -> int:
    """Return about how many characters wide a formula is: colours take none, commands one."""
    plain = re.sub(r"\\textcolor\{#\w+\}", "", latex)
    return len(re.sub(r"\\[a-z]+", "x", plain).translate(_TAKES_NO_ROOM))


def _aligned(rows: Sequence[str]) -> str:
    return r"\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}"
