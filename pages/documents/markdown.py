"""The calculation as Markdown: tables that GitHub shows, with token labels beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.experiments.worked_example import Result
from pages.documents.numerals import written
from pages.text import Translator

# Everything that Markdown, its tables, its formulas or inline HTML could take for a sign.
_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|$~:@&]")


def escape(text: str) -> str:
    """Return ``text`` so that Markdown shows it as it stands, also in a table."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match.group())};", text)


def render(result: Result, *, decimals: int, t: Translator) -> str:
    """Write the inputs and the six steps.

    Parameters
    ----------
    result : Result
        What was computed.
    decimals : int
        Every number is rounded to so many from the exact value.
    t : Translator
        The language of headings and sentences.
    """
    tables = _Tables(result, decimals)
    parts = [
        "# " + _title(result, t),
        t(
            "Numbers are rounded to {decimals} decimals from their values at full precision.",
            decimals=decimals,
        ),
        t(
            "Sizes: {T} queries, {S} keys, d_model = {d_model}, d_k = {d_k}, d_v = {d_v}.",
            **vars(result.sizes),
        ),
        t("Computed in {precision} by {backend}.", **_computed_by(result)),
        "## " + t("Inputs"),
        *tables.inputs(),
        *_six_steps(result, tables, t),
    ]
    return "\n\n".join(parts) + "\n"


def _title(result: Result, t: Translator) -> str:
    if result.params.context is None:
        return t("Self-attention, calculated")
    return t("Cross-attention, calculated")


def _computed_by(result: Result) -> dict[str, object]:
    names = {"numpy": "NumPy", "mlx": "MLX"}
    return {
        "precision": result.precision,
        "backend": names.get(result.backend_name, result.backend_name),
    }


def _six_steps(result: Result, tables: _Tables, t: Translator) -> list[str]:
    trace, params = result.trace, result.params
    source = "X" if params.context is None else "C"
    scale = f"S' = S / √{result.sizes.d_k}" if params.scaled else "S' = S"
    mask = causal_words(result, t) if params.causal else ""
    return [
        "## 1. " + t("Project"),
        *tables.queries("Q = X W_Q", trace.q, "q"),
        *tables.keys(f"K = {source} W_K", trace.k, "k"),
        *tables.keys(f"V = {source} W_V", trace.v, "v"),
        "## 2. " + t("Score"),
        *tables.scores("S = Q Kᵀ", trace.scores),
        "## 3. " + t("Scale"),
        *([] if params.scaled else [t("Scaling is switched off.")]),
        *tables.scores(scale, trace.scaled),
        "## 4. " + t("Mask"),
        mask or t("There is no mask; every query sees every key."),
        *tables.scores("S'' = S' + M" if params.causal else "S'' = S'", trace.masked),
        "## 5. " + t("Softmax along each row"),
        *tables.scores("A = softmax(S'')", trace.weights),
        "## 6. " + t("Weighted sum"),
        *tables.queries("O = A V", trace.output, "o"),
    ]


def causal_words(result: Result, t: Translator) -> str:
    """Return what the causal mask hides, also where there are more keys than queries."""
    offset = result.sizes.S - result.sizes.T
    if offset == 0:
        return t("Keys after the query's own position are hidden.")
    return t(
        "The last query is level with the last key: query i may look at keys 1 to i + {offset}.",
        offset=offset,
    )


class _Tables:
    """Writes matrices as tables with the labels of one example."""

    def __init__(self, result: Result, decimals: int) -> None:
        params = result.params
        self._params = params
        self._decimals = decimals
        self._queries = params.tokens
        self._keys = params.key_tokens

    def inputs(self) -> list[str]:
        """Return X, the second input where there is one, and the projections."""
        params = self._params
        second = [] if params.context is None else self._plain("C", params.context, self._keys)
        return [
            *self._plain("X", params.x, self._queries),
            *second,
            *self._plain("W_Q", params.w_q),
            *self._plain("W_K", params.w_k),
            *self._plain("W_V", params.w_v),
        ]

    def queries(self, formula: str, matrix: npt.ArrayLike, letter: str) -> list[str]:
        """Return a table with one row for each query."""
        return self._table(formula, matrix, self._queries, letter)

    def keys(self, formula: str, matrix: npt.ArrayLike, letter: str) -> list[str]:
        """Return a table with one row for each key."""
        return self._table(formula, matrix, self._keys, letter)

    def scores(self, formula: str, matrix: npt.ArrayLike) -> list[str]:
        """Return a table of queries by keys."""
        return self._with_columns(formula, matrix, self._queries, self._keys)

    def _plain(self, name: str, matrix: npt.ArrayLike, labels: Sequence[str] = ()) -> list[str]:
        rows = labels or [str(row) for row in range(1, len(np.asarray(matrix)) + 1)]
        return self._table(name, matrix, rows, "", typed=True)

    def _table(
        self,
        formula: str,
        matrix: npt.ArrayLike,
        rows: Sequence[str],
        letter: str,
        *,
        typed: bool = False,
    ) -> list[str]:
        columns = [f"{letter}{column}" for column in range(1, np.shape(matrix)[1] + 1)]
        return self._with_columns(formula, matrix, rows, columns, typed=typed)

    def _with_columns(
        self,
        formula: str,
        matrix: npt.ArrayLike,
        rows: Sequence[str],
        columns: Sequence[str],
        *,
        typed: bool = False,
    ) -> list[str]:
        cells = written(matrix, self._decimals, typed=typed).cells
        lines = [_line(["", *map(escape, columns)]), _line([":--", *["--:"] * len(columns)])]
        for label, values in zip(rows, cells, strict=True):
            lines.append(_line([f"**{escape(label)}**", *values]))
        return [f"`{formula}`", "\n".join(lines)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
