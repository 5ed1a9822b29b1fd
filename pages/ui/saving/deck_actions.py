"""What can be done with the deck, in the sidebar of its page."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine import EngineError
from pages.export import (
    DECK_FORMATS,
    MEDIA_TYPES,
    Slide,
    deck_bytes,
    deck_from_json,
    slide_of,
)
from pages.export.limits import LARGEST_FILE
from pages.gallery import ENTRIES, prepare
from pages.text import Translator, mark
from pages.ui import choices, messages, settings
from pages.ui.saving import options, picture, tray

STEM = "attention-slides"
TITLES = {
    "pptx": mark("PowerPoint"),
    "pdf": mark("PDF"),
    "zip": mark("Images"),
    "json": mark("Deck file"),
}
MEANINGS = {
    "pptx": mark(
        "All slides for PowerPoint, Keynote and Google Slides: titles, captions and speaker notes "
        "can be edited there, and so can line and bar charts; beside a half slide or a square "
        "there is room for your own words"
    ),
    "pdf": mark("All slides as pages of one PDF, vectors with their fonts inside"),
    "zip": mark("A ZIP file with each slide as PNG and SVG, numbered in order"),
    "json": mark("The deck itself (JSON): open it here another day and go on"),
}
ADD, REPLACE = "add", "replace"
OPENING = {REPLACE: mark("Replace this deck"), ADD: mark("Add to this deck")}
_OPENING = "deck.opening"
_UPLOADS = "deck.uploads"


def save(t: Translator) -> None:
    """Draw the buttons that save the whole deck, and why some of them cannot."""
    deck = tray.slides()
    boxes = next((each.refused for each in tray.kept() if each.refused), None)
    refused = {kind: tray.too_large() if kind == "json" else boxes for kind in DECK_FORMATS}
    st.markdown(f"**{t('Save the deck')}**")
    _download("pptx", deck, t, primary=True, blocked=refused["pptx"] is not None)
    others = DECK_FORMATS[1:]
    for column, kind in zip(st.columns(len(others), gap="xsmall"), others, strict=True):
        with column:
            _download(kind, deck, t, blocked=refused[kind] is not None)
    if boxes is not None:
        st.caption(f":material/font_download_off: {messages.sentence(boxes, t)}")
    if refused["json"] is not None:
        st.caption(f":material/file_save_off: {messages.sentence(refused['json'], t)}")


def _download(
    format: str,
    deck: tuple[Slide, ...],
    t: Translator,
    *,
    primary: bool = False,
    blocked: bool,
) -> None:
    st.download_button(
        t(TITLES[format]),
        data=lambda: deck_bytes(deck, format),
        file_name=f"{STEM}.{format}",
        mime=MEDIA_TYPES[format],
        key=f"deck.save.{format}",
        help=t(MEANINGS[format]),
        on_click="ignore",
        type="primary" if primary else "secondary",
        icon=":material/download:" if primary else None,
        width="stretch",
        disabled=blocked or not deck,
    )


def this_slide(t: Translator) -> None:
    """Draw what can be done with the chosen slide."""
    deck, place = tray.kept(), tray.chosen()
    number, last = deck[place].number, len(deck) - 1
    st.markdown(f"**{t('This slide')}**")
    left, right = st.columns(2, gap="xsmall")
    with left:
        _act(t("Up"), tray.move, number, place - 1, shortcut="Alt+Up", disabled=place == 0)
        _act(t("To the start"), tray.move, number, 0, disabled=place == 0)
        _act(t("Duplicate"), _duplicate, number)
    with right:
        _act(t("Down"), tray.move, number, place + 1, shortcut="Alt+Down", disabled=place == last)
        _act(t("To the end"), tray.move, number, last, disabled=place == last)
        _act(t("Remove"), tray.remove, number, shortcut="X")


def _act(
    title: str,
    action: Callable[..., None],
    *args: int,
    shortcut: str | None = None,
    disabled: bool = False,
) -> None:
    """Draw a button for one slide; the second click of a double click finds another button."""
    st.button(
        title,
        key=f"deck.act.{title}.{args[0]}",
        on_click=action,
        args=args,
        shortcut=shortcut,
        disabled=disabled,
        width="stretch",
    )


def _duplicate(number: int) -> None:
    try:
        tray.duplicate(number)
    except EngineError as error:
        messages.keep(error)


def whole_deck(t: Translator) -> bool:
    """Draw what changes the whole deck; return whether every figure is to be added now."""
    st.markdown(f"**{t('The whole deck')}**")
    pressed = add_every_button(t, "sidebar")
    left, right = st.columns(2, gap="xsmall")
    with left:
        opening(t)
        st.button(
            t("Undo"),
            on_click=tray.undo,
            shortcut="Z",
            disabled=not tray.can_undo(),
            width="stretch",
            key="deck.undo",
        )
    with right:
        new_figures(t)
        st.button(t("Remove all"), on_click=tray.clear, disabled=not tray.kept(), width="stretch")
    return pressed


def add_every_button(t: Translator, place: str) -> bool:
    """Draw the button that adds every figure of the product; return whether it was pressed."""
    words = options.words(options.style(), t)
    return st.button(
        t("Add every figure"),
        icon=":material/library_add:",
        key=f"deck.every.{place}",
        help=t(
            "All {count} figures of the product in the order of a lecture. {words}",
            count=len(ENTRIES),
            words=words,
        ),
        type="primary" if place == "empty" else "secondary",
        width="content" if place == "empty" else "stretch",
    )


def new_figures(t: Translator) -> None:
    """Draw the popover with the options for what is added from now on."""
    with st.popover(
        t("New figures"), help=t("How figures are drawn that you add from now on"), width="stretch"
    ):
        st.caption(t("Slides that are in the deck already stay as they are."))
        options.draw(t, ".deck")


def opening(t: Translator) -> None:
    """Draw the popover that opens a saved deck."""
    with st.popover(t("Open a deck"), width="stretch"):
        st.session_state.setdefault(_OPENING, REPLACE)
        st.segmented_control(
            t("What to do with the slides of the file"),
            options=list(OPENING),
            format_func=lambda name: t(OPENING[name]),
            required=True,
            key=choices.widget(_OPENING, t),
            on_change=choices.taker(_OPENING, t),
        )
        st.file_uploader(
            t("A deck file that was saved here (JSON)"),
            type=["json"],
            key=_upload_key(),
            on_change=_open,
            max_upload_size=LARGEST_FILE // 1024**2,
        )


def _upload_key() -> str:
    return f"deck.upload.{st.session_state.get(_UPLOADS, 0)}"


def _open() -> None:
    """Take the slides of the uploaded file; a file that is refused changes nothing."""
    file = st.session_state.get(_upload_key())
    if file is None:
        return
    t = settings.translate()
    try:
        deck = deck_from_json(file.getvalue())
        replacing = st.session_state.get(_OPENING) != ADD
        count = tray.put_in_place(deck) if replacing else tray.append(deck)
    except EngineError as error:
        messages.keep(error)
    else:
        st.toast(t("Slides opened: {count}", count=count), icon=":material/folder_open:")
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1


def add_every_figure(t: Translator) -> None:
    """Add every figure that is not in the deck yet, with progress; no room for all adds none."""
    style = options.style()
    bar = st.progress(0.0, t("Computing the figures"))
    try:
        exhibits = prepare(backend=settings.backend().name)
        new: list[Slide] = []
        for done, exhibit in enumerate(exhibits, start=1):
            slide = slide_of(exhibit, style)
            if tray.place_of(slide) is None:
                new.append(slide)
                picture.make(slide.figure)
            bar.progress(
                done / len(exhibits),
                t("Drawing figure {done} of {all}", done=done, all=len(exhibits)),
            )
        tray.append(new)
    except EngineError as error:
        messages.keep(error)
    else:
        st.toast(_added_words(len(new), len(exhibits), t), icon=":material/library_add:")
    st.rerun()


def _added_words(new: int, all: int, t: Translator) -> str:
    if new == all:
        return t("Figures added: {count}", count=new)
    return t("Figures added: {count}; in the deck already: {there}", count=new, there=all - new)
