"""The inspector of this page: only the controls of the present tab."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from engine.experiments.lookup.axes import MOST_TOKENS as MOST_AXES
from engine.experiments.lookup.table import LIMITS, MOST_TEMPERATURE, SIMILARITIES
from pages.figures.numerals import number_in_full
from pages.text import Translator
from pages.text.lookup_words import similarity_words
from pages.ui import choice_fields, choices, settings, token_source
from pages.ui.lookup import cost_tab, state
from pages.ui.lookup.table_cells import Table
from pages.ui.matrix_editor import edit_cells

WHOLE = partial(choice_fields.whole, state.STORE)
REAL = partial(choice_fields.real, state.STORE)
TEXT = partial(choice_fields.text, state.STORE)
WHOLE_NUMBERS = partial(choice_fields.whole_numbers, state.STORE)
LIST_HEIGHT = 68
# One, two and five of every power of ten that is allowed.
TEMPERATURES = (
    *(float(f"{step}e{power}") for power in range(-3, 3) for step in (1, 2, 5)),
    MOST_TEMPERATURE,
)
LONGEST = 5.0  # to which the slider stretches a query, unless it is longer already


def draw() -> None:
    """Draw every control of the present tab, in the sidebar."""
    t = settings.translate()
    {
        "lookup": looked_up,
        "similarity": compared,
        "roles": roles,
        "axes": axes,
        "cost": cost,
    }[state.word("tab")](t)


def looked_up(t: Translator) -> None:
    """Draw the table, the query, the similarity and the temperature."""
    table(t)
    similarity(t)
    temperature(t)


def compared(t: Translator) -> None:
    """Draw the table, the query, and which key is compared with it in the plane."""
    table(t)
    turning(t)
    temperature(t)
    seed(t)


def table(t: Translator) -> None:
    """Draw the editors of the table and of its query."""
    now = state.table()
    titles = [f"k{number}" for number in range(1, len(now.query) + 1)]
    titles += [f"v{number}" for number in range(1, len(now.values[0]) + 1)]
    cells = [[*key, *value] for key, value in zip(now.keys, now.values, strict=True)]
    st.markdown(f"**{t('Keys and values')}**")
    rows, names = edit_cells(
        cells, titles, key=f"lookup.table.{state.revision()}", labels=now.names
    )
    st.markdown(f"**{t('Query')}**")
    asked, _ = edit_cells(
        [now.query], titles[: len(now.query)], key=f"lookup.query.{state.revision()}"
    )
    state.take(_typed(rows, names or [], asked[0], len(now.query)))
    buttons(t)


def _typed(rows: list[list[object]], names: list[object], asked: list[object], key: int) -> Table:
    """Return what stands in the editors; a cleared cell is an empty text."""
    cells = [tuple(_text(cell) for cell in row) for row in rows]
    return Table(
        tuple(map(_text, names)),
        tuple(row[:key] for row in cells),
        tuple(row[key:] for row in cells),
        tuple(map(_text, asked)),
    )


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else ""


def buttons(t: Translator) -> None:
    """Draw what shuffles the rows, starts over, and changes the sizes of the table."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("Shuffle rows"),
            key=state.key("shuffle"),
            icon=":material/shuffle:",
            help=t("The rows change places; every weight goes with its row."),
            on_click=state.shuffle,
            disabled=len(state.table().names) < 2,
        )
        if not state.is_usual():
            st.button(
                t("Start over"),
                key=state.key("over"),
                icon=":material/restart_alt:",
                on_click=state.start_over,
            )
    titles = {"rows": t("Rows"), "key": t("Key width"), "value": t("Value width")}
    for column, (name, title) in zip(
        st.columns(len(titles), gap="xsmall"), titles.items(), strict=True
    ):
        with column:
            size(title, name)


def size(title: str, name: str) -> None:
    """Draw the choice of one size of the table."""
    least, most = LIMITS[name]
    place, now = state.key(f"size.{name}"), state.table().sizes[name]
    st.session_state[place] = now
    st.number_input(
        title,
        min_value=least,
        max_value=most,
        step=1,
        key=place,
        on_change=_take_size,
        args=(name, place),
        persist_state=choice_fields.PERSIST,
    )


def _take_size(name: str, place: str) -> None:
    state.resize(name, int(st.session_state[place]))


def similarity(t: Translator) -> None:
    """Draw the choice of the similarity, and the seed where it needs one."""
    st.selectbox(
        t("Similarity"),
        options=list(SIMILARITIES),
        format_func=lambda name: similarity_words(name, t),
        key=choices.widget(state.key("similarity"), t),
        on_change=choices.taker(state.key("similarity"), t),
    )
    if state.word("similarity") == "additive":
        seed(t)


def seed(t: Translator) -> None:
    """Draw the seed of the weights of additive attention."""
    WHOLE(t("Seed"), "seed", help=t("Additive attention draws its weights from it."))


def temperature(t: Translator) -> None:
    """Draw the temperature, from nearly hard to nearly the mean, and its exact value."""
    shown = _in_range(state.get("temperature"))
    place = state.key("temperature.slider")
    st.session_state[place] = shown
    st.select_slider(
        t("Temperature, from hard to even"),
        options=sorted({*TEMPERATURES, shown}),
        format_func=lambda value: number_in_full(float(value)),
        key=place,
        on_change=_take_temperature,
        args=(place,),
        help=t("The scores are divided by it before softmax; small is hard, large is even."),
        persist_state=choice_fields.PERSIST,
    )
    left, right = st.columns(2, gap="small", vertical_alignment="bottom")
    with left:
        REAL(t("Exactly"), "temperature")
    right.button(
        "$\\sqrt{d}$",
        key=state.key("temperature.root"),
        help=t("As self-attention has it."),
        on_click=state.put,
        args=("temperature", math.sqrt(len(state.table().query))),
        width="stretch",
    )


def _in_range(value: object) -> float:
    """Return a temperature that the slider can show; what it cannot is said elsewhere."""
    number = float(value) if isinstance(value, int | float) else TEMPERATURES[0]
    return min(max(number, TEMPERATURES[0]), TEMPERATURES[-1])


def _take_temperature(place: str) -> None:
    state.put("temperature", float(st.session_state[place]))


def turning(t: Translator) -> None:
    """Draw what turns and stretches a query in two dimensions, and whose angle is drawn."""
    query = state.numeric_query()
    names = state.table().names
    if query is None or len(query) != 2:
        st.caption(t("A query of two numbers can be turned and stretched here."))
        return
    angle, length = math.degrees(math.atan2(query[1], query[0])), math.hypot(*query)
    longest = max(LONGEST, float(math.ceil(length)))
    left, right = st.columns(2, gap="small")
    for column, name, title, value, least, most, step in (
        (left, "angle", t("Direction, degrees"), round(angle), -180, 180, 1),
        (right, "length", t("Length"), round(length, 2), 0.0, longest, 0.05),
    ):
        place = state.key(name)
        st.session_state[place] = value
        column.slider(
            title,
            min_value=least,
            max_value=most,
            step=step,
            key=place,
            on_change=_turn,
            args=(name, angle, length),
            persist_state=choice_fields.PERSIST,
        )
    options = list(range(len(names) + 1))
    chosen = state.whole("key")
    st.selectbox(
        t("Compared with"),
        options=options,
        format_func=lambda row: f"{row}. {names[row - 1]}" if row else t("the nearest key"),
        key=choice_fields.widget(state.STORE, "key", chosen if chosen in options else 0),
        on_change=choice_fields.taker(state.STORE, "key"),
        persist_state=choice_fields.PERSIST,
    )


def _turn(name: str, angle: float, length: float) -> None:
    """Change one of direction and length, and leave the other as it was."""
    value = float(st.session_state[state.key(name)])
    state.turn(value if name == "angle" else angle, value if name == "length" else length)


def roles(t: Translator) -> None:
    """Draw the sizes of the heads that are drawn, and how many."""
    WHOLE_NUMBERS(
        ("$T$", "roles_T"), (r"$d_{\text{model}}$", "roles_d_model"), ("$d_k$", "roles_d_k")
    )
    WHOLE_NUMBERS((t("Draws"), "draws"), (t("Seed"), "seed"))


def axes(t: Translator) -> None:
    """Draw whose scores are normalised."""
    token_source.draw(state.STORE, MOST_AXES, t)


def cost(t: Translator) -> None:
    """Draw what is timed, with its start and stop."""
    TEXT(t("Values of $T$"), "Ts", height=LIST_HEIGHT)
    TEXT(t("Values of $d_k$"), "d_ks", height=LIST_HEIGHT)
    WHOLE_NUMBERS((t("$T$ beside them"), "cost_T"), (t("$d_k$ beside them"), "cost_d_k"))
    WHOLE_NUMBERS((t("Repeats"), "repeats"), (t("Seed"), "seed"))
    cost_tab.controls(t)
