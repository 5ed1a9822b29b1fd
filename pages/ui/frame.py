"""The frame around every page: language, backend, and the status line at the foot."""

from __future__ import annotations

import logging
from collections.abc import Callable

import streamlit as st

import engine
from pages.text import LANGUAGES, Translator, mark
from pages.ui import address, choices, later, messages, settings, status

# Streamlit leaves 5 rem beside the page and a tall foot; a workspace needs that room for figures.
STYLE = """
<style>
.stMainBlockContainer { padding-inline: 2rem; }
/* A scroll bar that appears late would narrow the page under the figures already laid out. */
[data-testid="stMain"] { scrollbar-gutter: stable; }
[data-testid="stBottomBlockContainer"] { padding: 0.25rem 2rem 0.5rem; }
/* Its picture is small and blurred; the bar under each figure saves the real one. */
[data-testid="stElementToolbarButton"]:has([aria-label="Download as PNG"]) { display: none; }
/* It would cover the choice of the matrix above the editor. */
[data-testid="stSidebar"] [data-testid="stElementToolbar"] { display: none; }
[data-testid="stSidebarHeader"] { height: 2.5rem; margin-bottom: 0; padding-block: 0.25rem; }
</style>
"""

LONG = 10.0  # seconds; a time above it is said in them
KINDS = {"gpu": mark("graphics processor"), "cpu": mark("processor")}


def use_the_room() -> None:
    """Give the page the width and height that Streamlit leaves empty."""
    st.html(STYLE)


def tell_language(t: Translator) -> None:
    """Tell the browser the language of the page, for screen readers and for the choice of fonts."""
    code = "zh-CN" if t.language == "zh" else "en"
    script = f"<script>window.parent.document.documentElement.lang = '{code}'</script>"
    st.html(script, unsafe_allow_javascript=True)


def read_address() -> None:
    """Take language and backend from ``?lang=`` and ``?backend=`` when the address brings them.

    Streamlit's own binding writes the label of an option, which would put translated words into
    the address.
    """
    arrival = address.read("frame", (settings.LANGUAGE_KEY, settings.BACKEND_KEY))
    if arrival is not None:
        language = arrival.values.get(settings.LANGUAGE_KEY)
        backend = arrival.values.get(settings.BACKEND_KEY)
        settings.put(settings.LANGUAGE_KEY, language if language in LANGUAGES else "en")
        known = backend in settings.BACKEND_TITLES
        settings.put(settings.BACKEND_KEY, backend if known else settings.AUTOMATIC)
        if language not in (None, *LANGUAGES):
            address.refuse(settings.LANGUAGE_KEY, str(language), LANGUAGES)
        if backend is not None and not known:
            address.refuse(settings.BACKEND_KEY, backend, settings.BACKEND_TITLES)


def write_address() -> None:
    """Keep language and backend in the address, where they differ from the usual."""
    address.write("frame", settings.in_address())


def choose_language() -> None:
    """Draw the language switch."""
    st.segmented_control(
        "Language · 语言",
        options=list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        required=True,
        key=settings.LANGUAGE_KEY,
        persist_state="session",
        label_visibility="collapsed",
    )


def choose_backend(t: Translator) -> None:
    """Draw the backend choice with each device in words."""
    statuses = {each.name: each for each in engine.backend_statuses()}
    names = [settings.AUTOMATIC, *statuses]
    with st.popover(
        settings.backend_title(t),
        icon=":material/memory:",
        help=t("Where the numbers are computed"),
    ):
        st.radio(
            t("Where the numbers are computed"),
            options=names,
            format_func=lambda name: t(settings.BACKEND_TITLES[name]),
            captions=[describe_automatic(t), *(describe(s, t) for s in statuses.values())],
            key=choices.widget(settings.BACKEND_KEY, t),
            on_change=choices.taker(settings.BACKEND_KEY, t),
        )


def describe_automatic(t: Translator) -> str:
    """Return the rule by which the automatic choice is made, and what it chose here."""
    chosen = next(s for s in engine.backend_statuses() if s.automatic)
    return t(
        "MLX where it has a graphics processor, otherwise NumPy. On this machine: {backend}.",
        backend=settings.BACKEND_TITLES[chosen.name],
    )


def describe(backend: engine.BackendStatus, t: Translator) -> str:
    """Return one sentence on a backend: its device and precision, or why it is unavailable."""
    if backend.reason is not None:
        return t("Unavailable here. {reason}", reason=messages.sentence(backend.reason, t))
    return t(
        "{kind}: {device}; computes in {precision}.",
        kind=t(KINDS[backend.kind]),
        device=backend.device,
        precision=backend.precision,
    )


def warn_if_missing(t: Translator) -> None:
    """Say in the page when the chosen backend is not there and another one computes."""
    chosen = settings.chosen_backend()
    missing = next((s for s in engine.backend_statuses() if s.name == chosen and s.reason), None)
    if missing is not None and missing.reason is not None:
        st.warning(
            t(
                "{backend} is not available here, so {fallback} computes this view. {reason}",
                backend=settings.BACKEND_TITLES[chosen],
                fallback=settings.backend_title(t),
                reason=messages.sentence(missing.reason, t),
            ),
            icon=":material/memory:",
        )


def run_page(page: st.Page, t: Translator) -> None:
    """Run a page; a fault of ours becomes one sentence, with its trace in the terminal only."""
    _guarded(page.run, page.url_path or "overview", t)


def carry_on(t: Translator) -> None:
    """Carry on long work that a page asked for, now that all else is drawn."""
    _guarded(later.carry_on, "long work", t)


def _guarded(act: Callable[[], None], name: str, t: Translator) -> None:
    try:
        act()
    except Exception:
        logging.getLogger(__name__).exception("The page stopped: %s.", name)
        st.error(
            t(
                "This page stopped because of a fault in the product, not in your input. "
                "Your input is kept; the details are in the terminal. Undo the last change or "
                "reload the page."
            ),
            icon=":material/error:",
        )


def draw_status_line(t: Translator) -> None:
    """Draw the line at the foot: backend, device, precision, time to compute this view."""
    computing = settings.backend()
    seconds, backend = status.seconds(), status.backend(computing.name)
    parts = [
        settings.BACKEND_TITLES[backend],
        device_words(backend, t),
        status.precision(computing.precision),
    ]
    if seconds is not None and seconds < LONG:
        parts.append(
            t("this view computed in {milliseconds} ms", milliseconds=f"{seconds * 1e3:,.1f}")
        )
    elif seconds is not None:
        parts.append(t("this view computed in {seconds} s", seconds=f"{seconds:,.1f}"))
    with st.bottom:
        st.caption(" · ".join(parts))


def device_words(name: str, t: Translator) -> str:
    """Return the device of one available backend in words."""
    status_of = next(s for s in engine.backend_statuses() if s.name == name)
    return t("{kind}: {device}", kind=t(KINDS[status_of.kind]), device=status_of.device)
