"""The calculation as a NumPy script that runs alone and reproduces the numbers."""

from __future__ import annotations

from engine.experiments.matrices import Matrix
from engine.experiments.worked_example import Params, Result
from pages.text import Translator


def render(result: Result, *, decimals: int, t: Translator) -> str:
    """Write the script. It prints every step rounded, and last the output at full precision.

    Parameters
    ----------
    result : Result
        Only its inputs are written down; the script computes the rest.
    decimals : int
        How many decimals the script prints; its last line has all of them.
    t : Translator
        The language of the comments.
    """
    blocks = [
        _head(decimals, t),
        _inputs(result.params, t),
        _projections(result.params, t),
        _scores(result, t),
        _weights(t),
        _output(t),
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _head(decimals: int, t: Translator) -> list[str]:
    return [
        _comment(t("Attention, step by step, written by Attention Workbench. Needs NumPy only.")),
        "import numpy as np",
        "",
        f"np.set_printoptions(precision={decimals}, suppress=True, linewidth=120)",
    ]


def _inputs(params: Params, t: Translator) -> list[str]:
    lines = [
        _comment(t("The inputs: one row of X for each token.")),
        _array("X", params.x),
        _array("W_Q", params.w_q),
        _array("W_K", params.w_k),
        _array("W_V", params.w_v),
    ]
    if params.context is not None:
        lines += [
            _comment(t("A second input feeds keys and values (cross-attention).")),
            _array("C", params.context),
        ]
    return lines


def _projections(params: Params, t: Translator) -> list[str]:
    source = "X" if params.context is None else "C"
    return [
        _comment(t("Step 1: project the input into queries, keys and values.")),
        "Q = X @ W_Q",
        f"K = {source} @ W_K",
        f"V = {source} @ W_V",
        *_print("Q", "K", "V"),
    ]


def _scores(result: Result, t: Translator) -> list[str]:
    return [
        _comment(t("Step 2: score every query against every key.")),
        "scores = Q @ K.T",
        *_print("scores"),
        "",
        *_scale(result.params.scaled, t),
        *_print("scaled"),
        "",
        *_mask(result.params.causal, t),
        *_print("masked"),
    ]


def _scale(scaled: bool, t: Translator) -> list[str]:
    if not scaled:
        return [_comment(t("Step 3: scaling is switched off.")), "scaled = scores"]
    return [
        _comment(t("Step 3: divide by the square root of d_k.")),
        "scaled = scores / np.sqrt(Q.shape[1])",
    ]


def _mask(causal: bool, t: Translator) -> list[str]:
    if not causal:
        return [_comment(t("Step 4: no mask; every query sees every key.")), "masked = scaled"]
    return [
        _comment(t("Step 4: hide later keys, before the softmax; the last query sees all keys.")),
        "T, S = scaled.shape",
        "visible = np.tril(np.ones((T, S), dtype=bool), k=S - T)",
        "masked = np.where(visible, scaled, -np.inf)",
    ]


def _weights(t: Translator) -> list[str]:
    return [
        _comment(t("Step 5: softmax along each row.")),
        _comment(t("Subtracting the row maximum changes nothing and avoids overflow.")),
        "exponentials = np.exp(masked - masked.max(axis=1, keepdims=True))",
        "weights = exponentials / exponentials.sum(axis=1, keepdims=True)",
        *_print("weights"),
    ]


def _output(t: Translator) -> list[str]:
    return [
        _comment(t("Step 6: the weighted sum of the values.")),
        "output = weights @ V",
        *_print("output"),
        _comment(t("The output at full precision.")),
        "print(output.tolist())",
    ]


def _comment(text: str) -> str:
    return f"# {' '.join(text.split())}"


def _array(name: str, matrix: Matrix) -> str:
    rows = ",\n".join(f"    [{', '.join(repr(float(cell)) for cell in row)}]" for row in matrix)
    return f"{name} = np.array([\n{rows},\n])"


def _print(*names: str) -> list[str]:
    return [f'print("{name} =", {name}, sep="\\n")' for name in names]
