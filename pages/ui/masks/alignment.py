"""T ≠ S: a causal mask that is not square has two alignments."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks.alignment import AlignmentResult, Behaviour
from engine.experiments.masks.libraries import MLX, MLX_REPORTED
from pages.gallery import exhibit
from pages.gallery.mask_trouble import ALIGNMENT
from pages.text import Translator, mark
from pages.ui import figure_view, settings, workspace
from pages.ui.masks import computing, state

NAMES = {
    "engine": mark("This workbench"),
    "formula": mark("Softmax of −∞, as written"),
    "mlx-causal": mark('MLX kernel, mask="causal"'),
    "mlx-boolean": mark("MLX kernel, boolean mask"),
    "mlx-additive": mark("MLX kernel, 0 and −∞ added"),
    "pytorch": mark("PyTorch, is_causal=True"),
}
ALIGNS = {
    "upper-left": mark("upper left"),
    "lower-right": mark("lower right"),
}
ROWS = {
    "zero": mark("zeros"),
    "nan": mark("NaN"),
    "mean": mark("the mean of V"),
    "attends": mark("a weighted mean"),
    "refused": mark("refused"),
    "unknown": mark("not run here"),
}


def draw() -> None:
    """Draw the tab of unequal lengths."""
    t, decimals = settings.translate(), state.whole("decimals")
    result = computing.alignment(t)
    figure = exhibit(ALIGNMENT, result, params=result.params, backend=result.backend_name)
    workspace.draw(
        lambda: numbers(result, t),
        lambda: workspace.notice(t, *notices(result, t)),
        lambda: figure_view.show(figure, ALIGNMENT, decimals=decimals),
    )
    st.markdown(f"**{t('Who does what')}**")
    st.table(table(result.behaviours, t), hide_index=True, width="content")
    st.caption(t.sentences(refused_said(result, t), documented(t), kernel_said(result, t)))


def numbers(result: AlignmentResult, t: Translator) -> None:
    """Draw what the first query sees, and how many see nothing."""
    for title, side in (
        (t("Upper left"), result.upper),
        (t("Lower right"), result.lower),
    ):
        workspace.metric(
            title,
            str(int(side.visible[0].sum())),
            t("keys query 1 sees"),
        )
    workspace.metric(
        t("Queries that see nothing"),
        str(len(result.lower.empty_rows)),
        t("lower right; upper left {count}", count=len(result.upper.empty_rows)),
    )


def notices(result: AlignmentResult, t: Translator) -> list[str]:
    """Return what to notice, as it is true for these sizes."""
    T, S = result.params.T, result.params.S
    if T == S:
        return [t("With as many queries as keys both alignments are the same mask.")]
    if T < S:
        return [past_said(S - T, t), unseen_said(S - T, t)]
    return [
        empty_said(T - S, t),
        t("Upper left: every query sees a key, and the last {count} see all.", count=T - S + 1),
    ]


def past_said(count: int, t: Translator) -> str:
    """Return what the keys before the queries are under the lower-right mask."""
    if count == 1:
        return t(
            "Lower right: the last query is level with the last key. Key 1 is then a past that "
            "every query sees, as decoding with a cache needs it."
        )
    return t(
        "Lower right: the last query is level with the last key. The first {count} keys are then "
        "a past that every query sees, as decoding with a cache needs it.",
        count=count,
    )


def unseen_said(count: int, t: Translator) -> str:
    """Return which keys nobody sees under the upper-left mask."""
    if count == 1:
        return t("Upper left: query 1 sees key 1 alone, and nobody sees the last key.")
    return t(
        "Upper left: query 1 sees key 1 alone, and nobody sees the last {count} keys.", count=count
    )


def empty_said(count: int, t: Translator) -> str:
    """Return which queries may look nowhere under the lower-right mask."""
    if count == 1:
        return t(
            "Lower right: query 1 comes before every key and may look nowhere. Below is what "
            "becomes of such a row."
        )
    return t(
        "Lower right: the first {count} queries come before every key and may look nowhere. Below "
        "is what becomes of such a row.",
        count=count,
    )


def table(behaviours: tuple[Behaviour, ...], t: Translator) -> dict[str, list[str]]:
    """Return who aligns how, and what becomes of rows."""
    return {
        t("Implementation"): [t(NAMES[each.name]) for each in behaviours],
        t("Alignment"): [align_words(each, t) for each in behaviours],
        t("Row 1 becomes"): [t(ROWS[each.first_row]) for each in behaviours],
        t("A row that sees nothing"): [t(ROWS[each.empty_row]) for each in behaviours],
        t("Source"): [source_words(each, t) for each in behaviours],
    }


def align_words(behaviour: Behaviour, t: Translator) -> str:
    """Return which alignment an implementation chooses, or that it was handed the mask."""
    if behaviour.handed:
        return t("handed lower right")
    if behaviour.align is not None:
        return t(ALIGNS[behaviour.align])
    return "–" if behaviour.first_row == "refused" else t("either")


def source_words(behaviour: Behaviour, t: Translator) -> str:
    """Return where a row of the table is known from."""
    if behaviour.measured:
        return t("measured here")
    if behaviour.name in MLX:
        return t("not run now; measured with MLX {version}", version=MLX_REPORTED)
    return t("its documentation; not run")


def refused_said(result: AlignmentResult, t: Translator) -> str:
    """Return why this workbench gives no output, where it does not."""
    if result.params.T <= result.params.S:
        return ""
    return t(
        "With more queries than keys this workbench refuses causal=True, since the first rows "
        "would see nothing; an explicit mask is taken."
    )


def documented(t: Translator) -> str:
    """Return what is said of PyTorch, which does not run here."""
    return t(
        "PyTorch is not run here: its row is the mask that scaled_dot_product_attention documents, "
        "torch.ones(L, S).tril()."
    )


def kernel_said(result: AlignmentResult, t: Translator) -> str:
    """Return what of MLX's own kernel was measured, and for which sizes."""
    ran = any(each.name in MLX and each.measured for each in result.behaviours)
    said = (
        t(
            "MLX's own kernel is shown as it is; this workbench sets rows that see nothing to 0 "
            "itself."
        )
        if ran
        else t("Choose MLX as the backend to measure its own kernel here.")
    )
    sizes = t(
        "MLX's fused Metal kernels take only some head sizes, such as 64, 80 and 128; at "
        "d_k = {d_k} its general fallback runs.",
        d_k=result.params.d_k,
    )
    return t.sentences(said, sizes)
