"""The formulas of attention in LaTeX, each symbol in the colour of its role."""

from __future__ import annotations

from engine.experiments.worked_example import ROLE_NAMES, Result
from pages.figures.palette import Theme


def _paint(text: str, role: str, colours: Theme) -> str:
    return rf"\textcolor{{{colours.roles[role]}}}{{{text}}}"


def attention_formula(colours: Theme) -> str:
    """Return scaled dot-product attention (Vaswani et al. 2017, equation 1)."""
    query, key = _paint("Q", "query", colours), _paint(r"K^{\top}", "key", colours)
    value, output = _paint("V", "value", colours), _paint(r"\mathrm{output}", "output", colours)
    weights = _paint(r"\mathrm{softmax}", "weights", colours)
    scores = rf"\frac{{{query}\,{key}}}{{\sqrt{{d_k}}}}"
    return rf"{output} = {weights}\!\left({scores}\right){value}"


def step_formula(result: Result, step: str, role: str, colours: Theme) -> str:
    """Return the formula of one step with the real sizes under its symbols."""
    sizes = result.sizes
    square = (sizes.T, sizes.S)
    scores = _shaped("S", "scores", square, colours)
    scaled = _shaped("S'", "scores", square, colours)
    plain_scaled = _paint("S'", "scores", colours)
    weights = _shaped("A", "weights", square, colours)
    if step == "project":
        return _projection(result, role, colours)
    if step == "score":
        query = _shaped("Q", "query", (sizes.T, sizes.d_k), colours)
        key = _shaped(r"K^{\top}", "key", (sizes.d_k, sizes.S), colours)
        return rf"{scores} = {query}\;{key}"
    if step == "scale":
        divided = rf"\frac{{{_paint('S', 'scores', colours)}}}{{\sqrt{{{sizes.d_k}}}}}"
        return rf"{scaled} = {divided if result.params.scaled else _paint('S', 'scores', colours)}"
    if step == "mask":
        masked = _shaped("S''", "scores", square, colours)
        mask = " + M" if result.trace.mask is not None else ""
        return rf"{masked} = {plain_scaled}{mask}"
    if step == "softmax":
        inner = _paint("S''", "scores", colours)
        return rf"{weights} = \mathrm{{softmax}}_{{\text{{row}}}}\left({inner}\right)"
    output = _shaped("O", "output", (sizes.T, sizes.d_v), colours)
    return rf"{output} = {weights}\;{_shaped('V', 'value', (sizes.S, sizes.d_v), colours)}"


def _projection(result: Result, role: str, colours: Theme) -> str:
    sizes = result.sizes
    name = ROLE_NAMES[role]
    width = sizes.d_v if role == "v" else sizes.d_k
    crossed = role != "q" and result.params.context is not None
    rows = sizes.T if role == "q" else sizes.S
    source = _shaped("C" if crossed else "X", "input", (rows, sizes.d_model), colours)
    weights = _shaped(f"W_{role.upper()}", name, (sizes.d_model, width), colours)
    return rf"{_shaped(role.upper(), name, (rows, width), colours)} = {source}\;{weights}"


def _shaped(text: str, role: str, shape: tuple[int, int], colours: Theme) -> str:
    return rf"\underset{{{shape[0]}\times {shape[1]}}}{{{_paint(text, role, colours)}}}"
