"""T ≠ S: a causal mask that is not square has two alignments."""

from __future__ import annotations

import streamlit as st

from engine.experiments.masks.alignment import AlignmentResult, Behaviour
from pages.gallery import exhibit
from pages.gallery.mask_trouble import ALIGNMENT
from pages.text import Translator, mark
from pages.ui import figure_view, settings
from pages.ui.masks import computing, layout, state

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
    layout.workspace(
        lambda: numbers(result, t),
        lambda: layout.notice(t, *notices(result, t)),
        lambda: figure_view.show(figure, ALIGNMENT, decimals=decimals),
    )
    st.markdown(f"**{t('Who does what')}**")
    shown = [each for each in result.behaviours if each.measured or each.output is not None]
    st.table(table(shown, t), hide_index=True, width="content")
    st.caption(t.sentences(refused_said(result, t), documented(t), kernel_said(result, t)))


def numbers(result: AlignmentResult, t: Translator) -> None:
    """Draw what the first query sees, and how many see nothing."""
    S = result.params.S
    for title, side in (
        (t("Upper left"), result.upper),
        (t("Lower right"), result.lower),
    ):
        layout.metric(
            title,
            str(int(side.visible[0].sum())),
            t("keys of {S} for query 1", S=S),
        )
    layout.metric(
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
        return [
            t(
                "Lower right: the last query is level with the last key, so the {count} keys "
                "before are a past that every query sees: what decoding with a cache needs.",
                count=S - T,
            ),
            t(
                "Upper left: query 1 sees key 1 alone, and the last {count} keys are seen by "
                "nobody.",
                count=S - T,
            ),
        ]
    return [
        t(
            "Lower right: the first {count} queries come before every key and may look nowhere. "
            "Below is what becomes of such a row.",
            count=T - S,
        ),
        t("Upper left: every query sees a key, and the last {count} see all.", count=T - S + 1),
    ]


def table(behaviours: list[Behaviour], t: Translator) -> dict[str, list[str]]:
    """Return who aligns how, and what becomes of rows."""
    return {
        t("Implementation"): [t(NAMES[each.name]) for each in behaviours],
        t("Alignment"): [align_words(each, t) for each in behaviours],
        t("Row 1 becomes"): [t(ROWS[each.first_row]) for each in behaviours],
        t("A row that sees nothing"): [t(ROWS[each.empty_row]) for each in behaviours],
        t("Source"): [
            t("measured here") if each.measured else t("its documentation") for each in behaviours
        ],
    }


def align_words(behaviour: Behaviour, t: Translator) -> str:
    """Return which alignment the outputs of an implementation agree with."""
    if behaviour.align is not None:
        return t(ALIGNS[behaviour.align])
    return "–" if behaviour.first_row == "refused" else t("either")


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
    return t("PyTorch is not run here: its row is the mask of its documentation.")


def kernel_said(result: AlignmentResult, t: Translator) -> str:
    """Return whether MLX's own kernel ran."""
    if any(each.name.startswith("mlx") and each.measured for each in result.behaviours):
        return t(
            "MLX's own kernel is shown as it is; this workbench sets rows that see nothing to 0 "
            "itself."
        )
    return t("Choose MLX as the backend to measure its own kernel here.")
