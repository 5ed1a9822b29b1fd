"""A Vega-Lite specification as a finished SVG drawing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from xml.dom import minidom

from pages.export import converter
from pages.export.clean import clean
from pages.export.errors import ExportError
from pages.export.fonts import CHINESE_FAMILIES, is_chinese

if TYPE_CHECKING:
    from pages.figures.figure import Figure

_GENERIC_FAMILIES = ("serif", "sans-serif", "monospace", "system-ui")
_REFERENCE = re.compile(r"(?<=#)[^)\"']+")


def draw(figure: Figure) -> minidom.Element:
    """Return the figure as an SVG element with live text and no reference to anything outside.

    The same figure gives the same element every time, whatever was drawn before it.

    Raises
    ------
    ExportError
        When the specification cannot be drawn.
    """
    try:
        specification = json.dumps(figure.spec, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ExportError(
            "The figure {name} holds a value that no chart can show: {reason}.",
            name=figure.name,
            reason=error,
        ) from error
    _refuse_addresses(figure.name, figure.spec)
    # The converter hands on control characters, which no XML may hold.
    document = minidom.parseString(clean(converter.to_svg(specification, figure.name)))
    elements = list(document.getElementsByTagName("*"))
    drawing = elements[0]
    _number_identifiers(figure.name, elements)
    _complete_families(elements)
    _describe(document, drawing, figure)
    return drawing


def text_of(drawing: minidom.Element) -> str:
    """Return the text that a reader of the drawing sees."""
    return "".join(map(_content, drawing.getElementsByTagName("text")))


def _refuse_addresses(name: str, spec: Mapping[str, Any]) -> None:
    """Refuse data that lies elsewhere: the converter would leave it out without a word."""
    for address in _addresses(spec):
        if not address.startswith("data:"):
            raise ExportError(
                "The figure {name} reads {address}; a figure must carry its own data.",
                name=name,
                address=address,
            )


def _addresses(node: object) -> Iterator[str]:
    """Yield every ``url`` in a specification."""
    if isinstance(node, Mapping):
        if isinstance(node.get("url"), str):
            yield node["url"]
        for value in node.values():
            yield from _addresses(value)
    elif isinstance(node, list | tuple):
        for value in node:
            yield from _addresses(value)


def _number_identifiers(name: str, elements: list[minidom.Element]) -> None:
    """Number gradients and clips from 1; the converter counts through all it ever drew.

    The figure's name in front keeps two drawings apart that are put into one document.
    """
    owners = [element for element in elements if element.hasAttribute("id")]
    renamed = {owner.getAttribute("id"): f"{name}-{n}" for n, owner in enumerate(owners, start=1)}
    for element in elements:
        for key, value in list(element.attributes.items()):
            if key == "id":
                element.setAttribute(key, renamed[value])
            elif value.startswith(("url(", "#")):
                found = _REFERENCE.search(value)
                if found and found.group() in renamed:
                    element.setAttribute(key, value.replace(found.group(), renamed[found.group()]))


def _complete_families(elements: list[minidom.Element]) -> None:
    """Give every text families that exist: Chinese ones before Chinese, a generic one at the end.

    A text whose families are all missing is left out of PNG and PDF without a word.
    """
    for element in elements:
        if not element.hasAttribute("font-family"):
            continue
        families = [part.strip(" '\"") for part in element.getAttribute("font-family").split(",")]
        if any(map(is_chinese, _content(element))):
            families = list(dict.fromkeys([*CHINESE_FAMILIES, *families]))
        if families[-1] not in _GENERIC_FAMILIES:
            families = [*families, "sans-serif"]
        quoted = [part if part in _GENERIC_FAMILIES else f"'{part}'" for part in families]
        element.setAttribute("font-family", ", ".join(quoted))


def _content(node: minidom.Node) -> str:
    """Return all the text below a node."""
    if isinstance(node, minidom.Text):
        return node.data
    return "".join(_content(child) for child in node.childNodes)


def _describe(document: minidom.Document, drawing: minidom.Element, figure: Figure) -> None:
    """Put the title and the description where screen readers and slide programs look for them."""
    for tag, text in (("desc", figure.alt), ("title", figure.title)):
        if text:
            element = document.createElement(tag)
            element.appendChild(document.createTextNode(clean(text)))
            drawing.insertBefore(element, drawing.firstChild)
