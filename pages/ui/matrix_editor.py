"""A table of numbers that is edited in place, with the labels of its rows where it has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from engine.experiments.matrices import Matrix

TOKEN_COLUMN = "token"
# The same in every language: a heading that changes makes Streamlit drop what was edited.
TOKEN_TITLE = " "
_Cells = Sequence[Sequence[str]]


def edit_matrix(
    matrix: Matrix,
    *,
    key: str,
    labels: Sequence[str] | None = None,
    row_names: Sequence[str] | None = None,
) -> tuple[list[list[object]], list[object] | None]:
    """Draw an editor of a matrix, its columns counted from 1; see `edit_cells`."""
    cells = [[cell_text(value) for value in row] for row in matrix]
    titles = [str(column) for column in range(1, len(matrix[0]) + 1)]
    return edit_cells(cells, titles, key=key, labels=labels, row_names=row_names)


def edit_cells(
    cells: _Cells,
    titles: Sequence[str],
    *,
    key: str,
    labels: Sequence[str] | None = None,
    row_names: Sequence[str] | None = None,
) -> tuple[list[list[object]], list[object] | None]:
    """Draw an editor and return what stands in it, checked by nobody yet.

    Parameters
    ----------
    cells : sequence of sequences of str
        What the editor starts from. Streamlit keeps edits as differences to its input, so the
        input of one ``key`` stays what it was at first; a new ``key`` starts afresh.
    titles : sequence of str
        One for each column, the same in every language.
    key : str
        The widget's key.
    labels : sequence of str, optional
        Labels of the rows, edited in a first column.
    row_names : sequence of str, optional
        Fixed names of the rows, where there are no labels.

    Returns
    -------
    rows : list of list
        Cells as text, or None where a cell was cleared. Text and not numbers: a number column
        drops what it does not understand while it is typed, and stores 13 for 1e3.
    labels : list or None
        The labels as typed, None when there were none.
    """
    start = f"{key}.start"
    if key not in st.session_state or start not in st.session_state:
        st.session_state[start] = _frame(cells, titles, labels, row_names)
    frame = st.data_editor(
        st.session_state[start],
        key=key,
        num_rows="fixed",
        hide_index=row_names is None,
        column_config=_columns(titles),
        row_height=32,
        width="stretch",
        height=32 * len(cells) + 36,
    )
    typed = frame.pop(TOKEN_COLUMN).tolist() if labels is not None else None
    return frame.to_numpy(dtype=object).tolist(), typed


def _frame(
    cells: _Cells,
    titles: Sequence[str],
    labels: Sequence[str] | None,
    row_names: Sequence[str] | None,
) -> pd.DataFrame:
    frame = pd.DataFrame(
        [list(row) for row in cells],
        columns=list(titles),
        index=list(row_names) if row_names is not None else None,
        dtype=object,
    )
    if labels is not None:
        frame.insert(0, TOKEN_COLUMN, list(labels))
    return frame


def cell_text(value: float) -> str:
    """Return a number as people type it, at full precision."""
    whole = value.is_integer() and abs(value) < 1e15 and repr(value) != "-0.0"
    return str(int(value)) if whole else repr(value)


def _columns(titles: Sequence[str]) -> dict[str, Any]:
    numbers = {
        title: st.column_config.TextColumn(title, width=52, alignment="right") for title in titles
    }
    return numbers | {TOKEN_COLUMN: st.column_config.TextColumn(TOKEN_TITLE, width=64, pinned=True)}
