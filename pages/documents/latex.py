"""The calculation as LaTeX: aligned formulas with every matrix, for the body of a document."""

from __future__ import annotations

import re

import numpy.typing as npt

from engine.experiments.worked_example import Result
from pages.documents.numerals import written
from pages.text import Translator

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "-": r"{-}",
}
_SPECIAL = re.compile("|".join(re.escape(character) for character in _ESCAPES))


def escape(text: str) -> str:
    """Return ``text`` so that LaTeX prints it as it stands."""
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], text)


def render(result: Result, *, decimals: int, t: Translator) -> str:
    """Write the inputs and the six steps as the body of a LaTeX document.

    Parameters
    ----------
    result : Result
        What was computed.
    decimals : int
        Every number is rounded to so many from the exact value; an equals sign stands only
        where nothing was lost.
    t : Translator
        The language of the comments and of the words in text.
    """
    write = _Writer(decimals)
    return "\n".join(
        [
            *_notes(decimals, t),
            rf"\begingroup{_size(result)}",
            r"\setcounter{MaxMatrixCols}{12}",
            r"\allowdisplaybreaks",
            *_tokens(result, t),
            r"\begin{align*}",
            " \\\\\n".join([*_inputs(result, write), *_steps(result, write, t)]),
            r"\end{align*}",
            r"\endgroup",
            "",
        ]
    )


class _Writer:
    """Writes matrices at a number of decimals."""

    def __init__(self, decimals: int) -> None:
        self._decimals = decimals

    def equation(self, left: str, matrix: npt.ArrayLike, *, typed: bool = False) -> str:
        """Return one line: what it is, an honest relation, the matrix."""
        text = written(matrix, self._decimals, typed=typed)
        sign = "=" if text.is_exact else r"\approx"
        rows = [" & ".join(map(_latex_number, row)) for row in text.cells]
        body = r" \\ ".join(rows)
        return rf"{left} &{sign} \begin{{pmatrix}} {body} \end{{pmatrix}}"


def _latex_number(cell: str) -> str:
    factor, has_power, power = cell.replace("∞", r"\infty").partition("e")
    return rf"{factor} \times 10^{{{power}}}" if has_power else factor


def _size(result: Result) -> str:
    """Return the size of type at which the widest matrix fits a page."""
    sizes = result.sizes
    widest = max(sizes.S, sizes.d_model, sizes.d_k, sizes.d_v)
    if widest > 9:
        return r"\tiny\setlength{\arraycolsep}{2pt}"
    return r"\footnotesize" if widest > 6 else ""


def _notes(decimals: int, t: Translator) -> list[str]:
    notes = [
        t("Written by Attention Workbench. Needs the packages amsmath and textcomp."),
        t("Chinese words need XeLaTeX or LuaLaTeX and the package ctex."),
        t(
            "Numbers are rounded to {decimals} decimals from their values at full precision.",
            decimals=decimals,
        ),
    ]
    return [f"% {' '.join(note.split())}" for note in notes]


def _tokens(result: Result, t: Translator) -> list[str]:
    params = result.params
    lines = [t("Tokens of X: {labels}.", labels=t.listing(map(escape, params.tokens)))]
    if params.context is not None:
        names = t.listing(map(escape, params.context_tokens))
        lines.append(t("Tokens of C: {labels}.", labels=names))
    return ["", r"\noindent " + r"\\ ".join(lines)]


def _inputs(result: Result, write: _Writer) -> list[str]:
    params = result.params
    lines = [write.equation("X", params.x, typed=True)]
    if params.context is not None:
        lines.append(write.equation("C", params.context, typed=True))
    names = {"W_Q": params.w_q, "W_K": params.w_k, "W_V": params.w_v}
    return lines + [write.equation(name, matrix, typed=True) for name, matrix in names.items()]


def _steps(result: Result, write: _Writer, t: Translator) -> list[str]:
    trace, source = result.trace, "X" if result.params.context is None else "C"
    scale = rf"S' = \frac{{S}}{{\sqrt{{{result.sizes.d_k}}}}}" if result.params.scaled else "S' = S"
    mask = "S'' = S' + M" if result.params.causal else "S'' = S'"
    return [
        _titled(t("Project"), write.equation("Q = X W_Q", trace.q)),
        write.equation(f"K = {source} W_K", trace.k),
        write.equation(f"V = {source} W_V", trace.v),
        _titled(t("Score"), write.equation(r"S = Q K^{\mathsf{T}}", trace.scores)),
        _titled(t("Scale"), write.equation(scale, trace.scaled)),
        _titled(t("Mask"), write.equation(mask, trace.masked)),
        _titled(
            t("Softmax along each row"),
            write.equation(r"A = \operatorname{softmax}(S'')", trace.weights),
        ),
        _titled(t("Weighted sum"), write.equation("O = A V", trace.output)),
    ]


def _titled(title: str, equation: str) -> str:
    return f"% {' '.join(title.split())}\n{equation}"
