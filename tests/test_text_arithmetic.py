"""The lines of arithmetic on screen: each is evaluated again from what is written."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.cells import explain_cell
from engine.experiments.presets import random_example, textbook, three_scores, with_context
from engine.experiments.worked_example import ROLES, STEPS, matrix_of, run
from pages.figures.palette import theme
from pages.text.arithmetic import cell_lines
from pages.text.formulas import attention_formula, step_formula

SYMBOLIC = re.compile(r"[a-zA-Z]")
PLAIN = (
    (re.compile(r"\\textcolor\{#[0-9A-F]{6}\}\{((?:[^{}]|\{[^{}]*\})*)\}"), r"\1"),
    (re.compile(r"\\boxed\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\begin\{aligned\}|\\end\{aligned\}|\\qquad|\\quad|\\,|\{\}"), " "),
)


def plain(latex: str) -> str:
    """Return LaTeX without colours, boxes and spacing."""
    for _ in range(3):
        for pattern, replacement in PLAIN:
            latex = pattern.sub(replacement, latex)
    return latex.replace("&", " ")


def value_of(text: str) -> float | None:
    """Evaluate a written sum, product or fraction; None where symbols stand in it."""
    text = re.sub(
        r"\(\d+ (>|\\le) \d+( \+ \d+)?\)", "", text
    )  # the causal rule, said beside the value
    text = re.sub(r"\\frac\{([^{}]+)\}\{\\sqrt\{(\d+)\}\}", r"(\1)/\2**0.5", text)
    text = re.sub(r"\\frac\{([^{}]+)\}\{([^{}]+)\}", r"(\1)/(\2)", text)
    text = re.sub(r"\\times 10\^\{(-?\d+)\}", r"*10.0**\1", text)
    text = text.replace(r"\cdot", "*").replace(r"-\infty", "(-1e999)").strip()
    exponential = re.fullmatch(r"e\^\{(.+)\}", text)
    if exponential is not None:
        inner = value_of(exponential[1])
        return None if inner is None else 2.718281828459045**inner
    if not text or SYMBOLIC.search(text.replace("e999", "")) or "\\" in text:
        return None
    return float(eval(text, {"__builtins__": {}}))  # digits and operators only


def chains(lines: list[str]) -> list[list[tuple[str, float]]]:
    """Return each chain of equal values as (sign before it, value)."""
    found = []
    for line in lines:
        rows = [
            part for row in plain(line).split(r"\\ ") for part in re.split(r"(?=\be_\{\d+\} )", row)
        ]
        joined = join_wrapped(rows)
        for row in joined:
            parts = re.split(r"(=|\\approx)", row)
            signed = list(zip(["", *parts[1::2]], parts[::2], strict=True))
            values = [(sign, value_of(text)) for sign, text in signed]
            found.append([(sign, value) for sign, value in values if value is not None])
    return found


def join_wrapped(rows: list[str]) -> list[str]:
    """Join rows that go on a sum, or a chain, with the row they belong to."""
    joined: list[str] = []
    for row in rows:
        goes_on = row.strip().startswith(("+", "=", r"\approx"))
        if goes_on and joined:
            joined[-1] += " " + row
        else:
            joined.append(row)
    return joined


def assert_true(lines: list[str], decimals: int, largest: float, terms: int) -> None:
    """Every chain holds: exactly where it says so, to the rounding of its numbers elsewhere."""
    unit = 0.5 * 10.0**-decimals
    slack = unit * (2 * terms * max(1.0, largest) + 4)
    for chain in chains(lines):
        for (_, before), (sign, after) in itertools.pairwise(chain):
            if before == after:
                continue
            tolerance = 1e-9 * max(1.0, abs(after)) if sign == "=" else slack * max(1.0, abs(after))
            assert abs(before - after) <= tolerance, (lines, before, sign, after)


def every_cell(result):
    """Yield every step, role, row and column of an example."""
    for step in STEPS:
        for role in ROLES if step == "project" else ("q",):
            rows, columns = matrix_of(result, step, role).shape
            for row in range(rows):
                for column in range(columns):
                    yield step, role, row, column


def check_example(params, decimals: int, backend=None) -> int:
    """Check every cell of an example; return how many chains were evaluated."""
    result = run(params, backend=backend)
    evaluated = 0
    largest = max(abs(float(x)) for name in "qkv" for x in getattr(result.trace, name).ravel())
    for step, role, row, column in every_cell(result):
        cell = explain_cell(result, step, row, column, role=role)
        lines = cell_lines(cell, decimals=decimals, colours=theme("light"))
        assert_true(lines, decimals, max(largest, 5.0), 12)
        evaluated += sum(len(chain) > 1 for chain in chains(lines))
        last = chains(lines)[-1][-1][1]
        assert last == pytest.approx(cell.value, abs=10.0**-decimals * max(1.0, abs(cell.value)))
    return evaluated


@pytest.mark.parametrize("decimals", [2, 3, 6])
@pytest.mark.parametrize(
    "params",
    [
        textbook(),
        replace(textbook(), causal=True),
        replace(textbook(), scaled=False),
        three_scores(),
        with_context(textbook(), 3, 6),
    ],
    ids=["textbook", "causal", "unscaled", "three scores", "cross"],
)
def test_every_line_of_a_preset_is_true(params, decimals):
    assert check_example(params, decimals) > 30


@given(seed=st.integers(0, 10_000), decimals=st.integers(2, 6), causal=st.booleans())
def test_every_line_of_a_random_example_is_true(seed, decimals, causal):
    sizes = [seed % 4 + 1, seed % 5 + 1, seed % 3 + 1, seed % 2 + 1]
    params = replace(random_example(seed, *sizes), causal=causal)
    check_example(params, decimals)


def test_every_line_is_true_on_both_backends(backend):
    check_example(random_example(5, 4, 3, 3, 2), 4, backend)


def test_the_check_can_fail():
    cell = explain_cell(run(textbook()), "score", 0, 1)
    lines = cell_lines(cell, decimals=3, colours=theme("light"))
    with pytest.raises(AssertionError):
        assert_true([line.replace("= 4", "= 5") for line in lines], 3, 5.0, 2)


def test_an_exact_line_says_equal_and_a_rounded_one_says_about():
    result = run(textbook())
    exact = cell_lines(explain_cell(result, "score", 0, 1), decimals=3, colours=theme("light"))
    rounded = cell_lines(explain_cell(result, "scale", 0, 1), decimals=3, colours=theme("light"))
    assert r"\approx" not in "".join(exact)
    assert r"\approx" in "".join(rounded)


def test_a_shifted_softmax_says_what_is_subtracted():
    params = replace(textbook(), x=tuple(tuple(40 * v for v in row) for row in textbook().x))
    lines = cell_lines(
        explain_cell(run(params), "softmax", 0, 1), decimals=3, colours=theme("light")
    )
    assert " - 4525.483" in plain("".join(lines))


def test_the_formulas_hold_the_real_sizes():
    result = run(with_context(random_example(1, 5, 4, 3, 2), 1, 6))
    shapes = {
        ("project", "q"): ["5\\times 3", "5\\times 4", "4\\times 3"],
        ("project", "v"): ["6\\times 2", "6\\times 4", "4\\times 2"],
        ("score", "q"): ["5\\times 6", "5\\times 3", "3\\times 6"],
        ("output", "q"): ["5\\times 2", "5\\times 6", "6\\times 2"],
    }
    for (step, role), expected in shapes.items():
        formula = step_formula(result, step, role, theme("dark"))
        assert re.findall(r"\d+\\times \d+", formula) == expected


@pytest.mark.parametrize("name", ["light", "dark"])
def test_each_symbol_of_the_formula_has_the_colour_of_its_role(name):
    colours = theme(name)
    formula = attention_formula(colours)
    for role, text in (("query", "Q"), ("key", "K"), ("value", "V"), ("weights", r"\mathrm{soft")):
        assert rf"\textcolor{{{colours.roles[role]}}}{{{text}" in formula
