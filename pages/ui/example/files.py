"""Matrices from outside and back: CSV pasted or uploaded, everything together as JSON."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine import EngineError
from engine.experiments.worked_example import NAMES, Params, Sizes, sizes_of, validate
from pages.documents import csv_matrix, json_document
from pages.text import Translator
from pages.ui import messages
from pages.ui.example import state

PASTED = "pasted"
UPLOADED = "uploaded"
OPENED = "opened"


def paste_popover(name: str, t: Translator) -> None:
    """Draw the popover that takes matrix ``name`` as CSV, or gives it away."""
    shape, legend = shape_of(name, sizes_of(state.params()))
    title = NAMES[name]
    with st.popover("CSV", help=t("Paste, upload or save {name}", name=title)):
        st.text_area(
            t(
                "Paste {name}: {rows} rows of {columns} numbers",
                name=title,
                rows=shape[0],
                columns=shape[1],
            ),
            key=state.key(PASTED),
            height=120,
            placeholder="1, 0, 1, 0\n0, 1, 0, 1",
            help=t("Commas, semicolons, tabs or spaces between numbers; a point for decimals."),
            persist_state="session",
        )
        st.button(
            t("Use these numbers"),
            type="primary",
            on_click=taking(lambda: pasted(name, shape, legend)),
            key=state.key("use_pasted"),
        )
        st.file_uploader(
            t("Or upload a CSV file"),
            type=["csv", "txt", "tsv"],
            key=f"{state.key(UPLOADED)}.{name}",
            on_change=taking(lambda: uploaded(name, shape, legend)),
        )
        st.download_button(
            t("Save {name} as CSV", name=title),
            data=csv_matrix.dump(getattr(state.params(), name)),
            file_name=f"{title}.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
        )


def document_popover(t: Translator) -> None:
    """Draw the popover that saves and opens the whole example as JSON."""
    with st.popover("JSON", help=t("Save or open the whole example")):
        st.download_button(
            t("Save the whole example"),
            data=json_document.dump(state.params()),
            file_name="worked-example.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/download:",
            type="primary",
        )
        st.file_uploader(
            t("Open a saved example"),
            type=["json"],
            key=state.key(OPENED),
            on_change=taking(opened),
        )


def shape_of(name: str, sizes: Sizes) -> tuple[tuple[int, int], str]:
    """Return the shape that a matrix must have, and what the two numbers are called."""
    return {
        "x": ((sizes.T, sizes.d_model), "T × d_model"),
        "context": ((sizes.S, sizes.d_model), "T_C × d_model"),
        "w_q": ((sizes.d_model, sizes.d_k), "d_model × d_k"),
        "w_k": ((sizes.d_model, sizes.d_k), "d_model × d_k"),
        "w_v": ((sizes.d_model, sizes.d_v), "d_model × d_v"),
    }[name]


def taking(read: Callable[[], Params | None]) -> Callable[[], None]:
    """Return a callback that loads what ``read`` returns, or keeps its refusal for the page."""

    def callback() -> None:
        try:
            new = read()
            if new is not None:
                validate(new)
                state.load(new)
        except EngineError as error:
            messages.keep(error)

    return callback


def pasted(name: str, shape: tuple[int, int], legend: str) -> Params:
    """Return the parameters with matrix ``name`` from the pasted text."""
    text = str(state.get(PASTED) or "")
    return state.changed(name, csv_matrix.parse(text, NAMES[name], shape, legend))


def uploaded(name: str, shape: tuple[int, int], legend: str) -> Params | None:
    """Return the parameters with ``name`` from the uploaded file, None when it was removed."""
    file = st.session_state.get(f"{state.key(UPLOADED)}.{name}")
    if file is None:
        return None
    matrix = csv_matrix.parse(file.getvalue(), NAMES[name], shape, legend)
    return state.changed(name, matrix)


def opened() -> Params | None:
    """Return the parameters of the opened JSON file, None when it was removed."""
    file = st.session_state.get(state.key(OPENED))
    return None if file is None else json_document.load(file.getvalue())
