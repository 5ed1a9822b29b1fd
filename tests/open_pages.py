"""Opens pages through the frame and reads what they show."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).resolve().parent.parent / "app.py")
PAGES = {
    "overview": "pages/overview.py",
    "soft-lookup": "pages/lookup.py",
    "worked-example": "pages/worked_example.py",
    "attention-masks": "pages/masks.py",
    "sqrt-dk": "pages/scaling.py",
    "attention-properties": "pages/properties.py",
    "memory-scaling": "pages/memory.py",
    "who-is-it": "pages/context.py",
    "claims-checked": "pages/claims.py",
    "slide-deck": "pages/deck.py",
}
EXAMPLE, MASKS, DECK = PAGES["worked-example"], PAGES["attention-masks"], PAGES["slide-deck"]
SCALING, MEMORY = PAGES["sqrt-dk"], PAGES["memory-scaling"]
LOOKUP, PROPERTIES = PAGES["soft-lookup"], PAGES["attention-properties"]
CLAIMS, CONTEXT = PAGES["claims-checked"], PAGES["who-is-it"]

# Names and formulas that a Chinese page keeps: everything else in Latin letters is a slip.
LATIN_OUTSIDE = re.compile(r"\$[^$]*\$|`[^`]*`|\\\w+|https?:\S+")
THREE_WORDS = re.compile(r"[A-Za-z]{2,}(?:[ ,]+[A-Za-z]{2,}){2,}")
PROPER = ("Attention Workbench", "AMD EPYC", "Vaswani", "van den Oord", "et al.")


def open_page(page: str, lang: str = "en", backend: str = "auto", **address: str) -> AppTest:
    """Choose a language and a backend, then follow a link to a page.

    AppTest does not apply bound query parameters to widgets; the browser tests cover those.
    """
    app = AppTest.from_file(APP, default_timeout=60).run()
    if lang != "en":
        app.segmented_control(key="lang").set_value(lang).run()
    if backend != "auto":
        app.radio(key=f"backend@{lang}").set_value(backend).run()
    app.query_params.update(address)
    return app.switch_page(page).run()


def address_of(app: AppTest) -> dict[str, str]:
    """Return the address that the page wrote."""
    given = dict(app.query_params)
    return {name: value if isinstance(value, str) else value[0] for name, value in given.items()}


def elements(app: AppTest, kind: str) -> list[Any]:
    """Return the elements of one kind, wherever they stand."""
    return list(app.get(kind))


def words(app: AppTest) -> list[str]:
    """Return every text that a page shows outside its figures."""
    kinds = ("title", "markdown", "caption", "error", "warning", "info", "success", "code")
    shown = [str(element.value) for kind in kinds for element in elements(app, kind)]
    widgets = ("button", "selectbox", "number_input", "toggle", "radio", "slider", "text_input")
    others = ("metric", "download_button", "segmented_control", "file_uploader")
    labelled = [widget for kind in (*widgets, *others) for widget in elements(app, kind)]
    labelled += elements(app, "page_link")
    labels = [str(widget.label) for widget in labelled]
    helps = [str(widget.help) for widget in labelled if getattr(widget, "help", "")]
    options = [
        str(o) for kind in ("selectbox", "radio") for w in elements(app, kind) for o in w.options
    ]
    return [*shown, *labels, *helps, *options]


def charts(app: AppTest) -> int:
    """Return how many figures a page shows."""
    return len(elements(app, "vega_lite_chart"))


def text_of(app: AppTest) -> str:
    """Return the texts of a page as one; the space inside an amount is another one there."""
    return " ".join(words(app)).replace("\N{NO-BREAK SPACE}", " ")


def as_typed(text: object) -> str | float:
    """Return a text without its spaces and commas, as a number where it is one."""
    plain = str(text).replace(",", "").replace(" ", "")
    try:
        number = float(plain)
    except ValueError:
        return plain
    return plain if math.isnan(number) else number


def untimed(app: AppTest) -> list[str]:
    """Return the texts of a page without the status line, which ends with a time."""
    return [text for text in words(app) if not text.startswith("NumPy ·")]


def problems(app: AppTest) -> list[str]:
    """Return every refusal and failure that a page shows."""
    return [str(e.value) for kind in ("error", "exception") for e in elements(app, kind)]


def assert_refused(app: AppTest, field: Callable[[], Any], refused: Mapping[str, str]) -> None:
    """Type what a field refuses: one sentence says why, and neither view nor text is lost.

    ``refused`` holds parts of the sentences by the text that is typed.
    """
    figures, usual = charts(app), field().value
    for text, said in refused.items():
        field().set_value(text).run()
        assert len(problems(app)) == 1, text
        assert said in problems(app)[0].replace("\\", ""), text
        assert charts(app) == figures, "the last result stays"
        assert as_typed(field().value) == as_typed(text), "nothing is lost"
    field().set_value(usual).run()
    assert problems(app) == [], usual


def english_sentences(app: AppTest) -> list[str]:
    """Return the texts that hold three English words in a row.

    The status line, which names the processor, and program code may.
    """
    found = []
    for text in words(app):
        plain = LATIN_OUTSIDE.sub(" ", text)
        for name in PROPER:
            plain = plain.replace(name, " ")
        free = text.startswith("NumPy ·") or "import numpy" in text
        if not free and THREE_WORDS.search(plain):
            found.append(text)
    return found
