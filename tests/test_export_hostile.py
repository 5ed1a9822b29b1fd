"""A saved deck comes from anybody: what is not ours is refused in one sentence."""

from __future__ import annotations

import base64
import copy
import io
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine.errors import EngineError
from pages.export import ExportError, deck_bytes, deck_from_json
from pages.export.limits import LARGEST_FILE, LONGEST_NOTE, LONGEST_TEXT, LONGEST_TITLE, MOST_SLIDES
from pages.export.spec_check import MOST_MARKS
from pages.figures.canvas import Canvas
from pages.figures.figure import Style
from pages.figures.palette import LIGHT
from tests.export_cases import slides

STYLE = Style("light", "en", "slide")


@lru_cache(maxsize=1)
def document_text() -> str:
    every = slides(STYLE)
    charted = next(slide for slide in every if slide.figure.chart is not None)
    board = next(slide for slide in every if slide.figure.name.startswith("worked-example-scores"))
    return deck_bytes((board, charted), "json").decode()


def document() -> dict[str, Any]:
    return dict(json.loads(document_text()))


def test_the_document_that_the_others_spoil_is_good():
    assert len(deck_from_json(document_text())) == 2


def test_slides_saved_before_marks_were_silent_are_read():
    old = document()
    for slide in old["slides"]:
        for layer in slide["spec"]["layer"]:
            layer["mark"].pop("tooltip", None)
            if layer.get("params", [{}])[0].get("name") == "tip":
                del layer["params"]
    assert old != document()
    assert len(deck_from_json(json.dumps(old))) == 2


def layer_of(spec: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return a layer with this mark that belongs to no title or caption."""
    return next(
        layer for layer in spec["layer"] if layer["mark"]["type"] == kind and "name" not in layer
    )


def spoil(change: Callable[[dict[str, Any]], object]) -> str:
    spoiled = document()
    change(spoiled["slides"][0])
    return json.dumps(spoiled)


EXPRESSION = {"expr": "while(true){}"}
SPEC: dict[str, Callable[[dict[str, Any]], object]] = {
    "an address for all data": lambda s: s.update(data={"url": "https://example.org/a.csv"}),
    "an address for a layer": lambda s: s["layer"][0].update(data={"url": "file:///etc/passwd"}),
    "an address beside values": lambda s: s["layer"][0]["data"].update(url="http://localhost/"),
    "a picture from elsewhere": lambda s: s["layer"].append(picture("http://localhost/a.png")),
    "a picture that is none": lambda s: s["layer"].append(picture("data:image/png;base64,AAAA")),
    "a vector picture": lambda s: s["layer"].append(picture("data:image/svg+xml,<svg/>")),
    "a picture larger than memory": lambda s: s["layer"].append(picture(bomb())),
    "a link": lambda s: layer_of(s, "text")["encoding"].update(href={"value": "javascript:1"}),
    "a link as a mark": lambda s: layer_of(s, "text")["mark"].update(href="http://localhost/"),
    "a colour that is an address": lambda s: first_row(s, "rect").update(fill="url(http://a/#b)"),
    "an expression in a mark": lambda s: layer_of(s, "text")["mark"].update(fontSize=EXPRESSION),
    "an expression in a size": lambda s: s.update(width=EXPRESSION),
    "an expression in a background": lambda s: s.update(background=EXPRESSION),
    "a signal in a scale": lambda s: s["encoding"]["x"]["scale"].update(domain={"signal": "1"}),
    "parameters": lambda s: s.update(params=[{"name": "a", "expr": "1"}]),
    "another event": lambda s: [
        layer["params"][0]["select"].update(on="wheel{1}")
        for layer in s["layer"]
        if "params" in layer
    ],
    "a transform": lambda s: s["layer"][0].update(transform=[{"calculate": "1", "as": "x"}]),
    "a sequence": lambda s: s["layer"][0].update(data={"sequence": {"start": 0, "stop": 1e9}}),
    "a generator": lambda s: s["layer"][0].update(data={"sphere": {}}),
    "a named data set": lambda s: s.update(datasets={"a": []}),
    "a repeat": lambda s: s.update(repeat={"layer": ["a"] * 1000}),
    "a facet": lambda s: s["encoding"].update(row={"field": "x"}),
    "another schema": lambda s: s.update({"$schema": "https://vega.github.io/schema/vega/v6.json"}),
    "vega beside it": lambda s: s.update(signals=[{"name": "a", "init": "1"}], marks=[]),
    "options of an embedder": lambda s: s["usermeta"].update(embedOptions={"loader": {}}),
    "another configuration": lambda s: s["config"].update(signals=[]),
    "a locale": lambda s: s["config"].update(locale={}),
    "a field that is a path": lambda s: layer_of(s, "text")["encoding"]["text"].update(
        field="constructor.constructor"
    ),
    "a condition": lambda s: layer_of(s, "text")["encoding"]["color"].update(condition={}),
    "an unknown mark": lambda s: layer_of(s, "text").update(mark={"type": "geoshape"}),
    "a mark of another type": lambda s: layer_of(s, "text").update(mark=["text"]),
    "too many marks": lambda s: layer_of(s, "rect")["data"].update(
        values=[first_row(s, "rect")] * (MOST_MARKS + 1)
    ),
    "too many layers": lambda s: s.update(layer=[layer_of(s, "rect")] * 1000),
    "two layers of one name": lambda s: s["layer"].extend(
        [layer for layer in s["layer"] if layer.get("name") == "title"]
    ),
    "a layer of another name": lambda s: s["layer"][0].update(name="x"),
    "a huge size": lambda s: s.update(width=10**6),
    "a size of no figure": lambda s: s.update(width=1281),
    "a size that is true": lambda s: s.update(width=True),
    "a body outside": lambda s: s["usermeta"]["frame"].update(body=[0, 0, 5000, 10]),
    "a body of text": lambda s: s["usermeta"]["frame"].update(body="0000"),
    "no frame": lambda s: s.pop("usermeta"),
    "an unknown role": lambda s: s["usermeta"]["frame"].update(role="x"),
    "a role that is a list": lambda s: s["usermeta"]["frame"].update(role=[]),
    "a mark at the end of the world": lambda s: first_row(s, "rect").update(x=1e9),
    "a mark nowhere": lambda s: first_row(s, "rect").update(x=None),
    "a mark that is text": lambda s: first_row(s, "rect").update(x="1"),
    "a mark with more to it": lambda s: first_row(s, "rect").update(datum="x"),
    "a row that is no object": lambda s: layer_of(s, "rect")["data"]["values"].append(1),
    "values that are no list": lambda s: layer_of(s, "rect")["data"].update(values={"a": 1}),
    "a text that is a list": lambda s: first_row(s, "text").update(text=["a"] * 9),
    "a text too long": lambda s: first_row(s, "text").update(text="a" * 10_000),
    "words without end": lambda s: layer_of(s, "text")["data"].update(
        values=[first_row(s, "text") | {"text": "a" * 1000}] * 41
    ),
    "a path without end": lambda s: s["layer"].append(path_layer("M0,0" * 600_000)),
    "a path of something else": lambda s: s["layer"].append(path_layer("url(#a)")),
    "no layers": lambda s: s.pop("layer"),
    "an empty list of layers": lambda s: s.update(layer=[]),
    "no title": lambda s: s.update(layer=[x for x in s["layer"] if x.get("name") != "title"]),
    "a title without lines": lambda s: named(s, "title")["data"].update(values=[]),
    "a title that is a bar": lambda s: swap_names(s, "title", "bar"),
    "a body down to the edge": lambda s: s["usermeta"]["frame"].update(body=[56, 104, 1168, 616]),
    "two pictures": lambda s: s["layer"].extend([picture(dot()), picture(dot())]),
    "half a picture": lambda s: s["layer"].append(picture(dot()[:-24])),
    "encodings without end": lambda s: s["layer"][0].update(encoding=nested(900)),
    "letters of every script": lambda s: first_row(s, "text").update(
        text="".join(chr(0xAC00 + n) for n in range(1900))
    ),
    "layers that are none": lambda s: s.update(layer=None),
    "a description of another type": lambda s: s.update(description={}),
}


def first_row(spec: dict[str, Any], kind: str) -> dict[str, Any]:
    return dict_of(layer_of(spec, kind)["data"]["values"][0])


def dict_of(value: Any) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def picture(url: str) -> dict[str, Any]:
    canvas = Canvas(1, 1, LIGHT)
    canvas.image((0, 0, 9, 9), url)
    return canvas.layers()[0]


def path_layer(path: str) -> dict[str, Any]:
    canvas = Canvas(1, 1, LIGHT)
    canvas.path(path)
    return canvas.layers()[0]


def named(spec: dict[str, Any], name: str) -> dict[str, Any]:
    return next(layer for layer in spec["layer"] if layer.get("name") == name)


def swap_names(spec: dict[str, Any], one: str, other: str) -> None:
    first, second = named(spec, one), named(spec, other)
    first["name"], second["name"] = other, one


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"x": value}
    return value


def dot() -> str:
    """Return a picture of one pixel."""
    file = io.BytesIO()
    Image.new("L", (1, 1)).save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def bomb() -> str:
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (10**6).to_bytes(4, "big") * 2
    return "data:image/png;base64," + base64.b64encode(head + bytes(20)).decode()


@pytest.mark.parametrize("fault", SPEC)
def test_a_specification_that_no_figure_of_ours_has_is_refused(fault):
    text = spoil(lambda slide: SPEC[fault](slide["spec"]))
    with pytest.raises(
        ExportError, match="^Slide 1 of the deck cannot be read: its spec|different characters"
    ) as caught:
        deck_from_json(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", [0, 1, 8, 11, 12, 13, 27, 0x85, 0x2028, 0xFFFE, 0xFFFF])
def test_no_character_that_xml_forbids_gets_in_anywhere(code):
    spoiled = document()
    bad = f"a{chr(code)}b"

    def change(node: Any, key: Any) -> None:
        before, node[key] = node[key], bad
        with pytest.raises(ExportError):
            deck_from_json(json.dumps(spoiled))
        node[key] = before

    slide = spoiled["slides"][0]
    for key in ("title", "note", "alt", "notes"):
        change(slide, key)
    change(first_row(slide["spec"], "text"), "text")
    change(slide["spec"], "description")
    change(spoiled["slides"][1]["chart"]["series"][0], "name")
    change(slide["table"]["rows"][0], 0)


PARTS: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "a name with a path": ("name", lambda s: s.update(name="../a")),
    "an empty name": ("name", lambda s: s.update(name="")),
    "a name of another type": ("name", lambda s: s.update(name=3)),
    "a title of another type": ("title", lambda s: s.update(title=None)),
    "a title too long": ("title", lambda s: s.update(title="a" * (LONGEST_TITLE + 1))),
    "a lone surrogate": ("title", lambda s: s.update(title="\ud800")),
    "a note too long": ("note", lambda s: s.update(note="a" * (LONGEST_NOTE + 1))),
    "notes too long": ("notes", lambda s: s.update(notes="a" * (LONGEST_TEXT + 1))),
    "an alternative text of numbers": ("alt", lambda s: s.update(alt=[1])),
    "notes of another type": ("notes", lambda s: s.update(notes={})),
    "a missing part": ("content", lambda s: s.pop("alt")),
    "a part too many": ("content", lambda s: s.update(script="x")),
    "an unknown theme": ("style", lambda s: s["style"].update(theme="blue")),
    "a theme that is a list": ("style", lambda s: s["style"].update(theme=[])),
    "an unknown language": ("style", lambda s: s["style"].update(language="fr")),
    "decimals below none": ("style", lambda s: s["style"].update(decimals=-1)),
    "many decimals": ("style", lambda s: s["style"].update(decimals=10**9)),
    "decimals that are true": ("style", lambda s: s["style"].update(decimals=True)),
    "a half decimal": ("style", lambda s: s["style"].update(decimals=1.5)),
    "a switch of text": ("style", lambda s: s["style"].update(transparent="yes")),
    "a style too rich": ("style", lambda s: s["style"].update(more=1)),
    "another size than drawn": ("spec", lambda s: s["style"].update(size="half")),
    "a specification of text": ("spec", lambda s: s.update(spec="{}")),
    "no specification": ("spec", lambda s: s.update(spec=None)),
    "a table of text": ("table", lambda s: s.update(table="a")),
    "a row too short": ("table", lambda s: s["table"]["rows"][0].pop()),
    "a cell that is a list": ("table", lambda s: s["table"]["rows"][0].__setitem__(0, [])),
    "a number of words": (
        "table",
        lambda s: s["table"]["rows"][0].__setitem__(0, {"number": "many"}),
    ),
    "a number of a list": ("table", lambda s: s["table"]["rows"][0].__setitem__(0, {"number": []})),
    "columns of numbers": ("table", lambda s: s["table"].update(columns=[1, 2])),
    "a chart of text": ("chart", lambda s: s.update(chart="bar")),
}
CHART: dict[str, Callable[[dict[str, Any]], object]] = {
    "an unknown kind": lambda c: c.update(kind="pie"),
    "no series": lambda c: c.update(series=[]),
    "nothing along x": lambda c: c.update(x=[]),
    "x of another type": lambda c: c.update(x=[None] * len(c["x"])),
    "a value too few": lambda c: c["series"][0]["values"].pop(),
    "a value of text": lambda c: c["series"][0]["values"].__setitem__(0, "1"),
    "an integer beyond all numbers": lambda c: c["series"][0]["values"].__setitem__(0, 10**400),
    "a colour that is a word": lambda c: c["series"][0].update(colour="red"),
    "a range upside down": lambda c: c.update(y_range=[1, 0]),
    "a range of one": lambda c: c.update(y_range=[1]),
    "a range of nearly nothing": lambda c: c.update(y_range=[0, 5e-324]),
    "a range of rounding": lambda c: c.update(y_range=[1e300, 1.0000000000000002e300]),
    "many reference lines": lambda c: c.update(
        references=[{"at": 1.0, "label": "a", "axis": "y"}] * 100
    ),
    "many series": lambda c: c.update(series=c["series"] * 100),
    "more to it": lambda c: c.update(formula="=1"),
}


@pytest.mark.parametrize("fault", PARTS)
def test_a_part_that_is_not_what_it_must_be_is_refused(fault):
    part, change = PARTS[fault]
    with pytest.raises(ExportError, match=f"^Slide 1 of the deck cannot be read: its {part} is"):
        deck_from_json(spoil(change))


@pytest.mark.parametrize("fault", CHART)
def test_a_chart_that_is_not_what_it_must_be_is_refused(fault):
    spoiled = document()
    CHART[fault](spoiled["slides"][1]["chart"])
    with pytest.raises(ExportError, match="^Slide 2 of the deck cannot be read: its chart is"):
        deck_from_json(json.dumps(spoiled))


WHOLE: dict[str, tuple[bytes | str, str]] = {
    "nothing": (b"", "not a JSON document"),
    "a picture": (b"\x89PNG\r\n\x1a\n", "JSON file in UTF-8"),
    "half a document": ('{"program": "Attention Workbench", ', "not a JSON document"),
    "a list": ("[]", "was not saved by"),
    "another program": ('{"program": "x"}', "was not saved by"),
    "another kind": ('{"program": "Attention Workbench", "kind": "worked-example"}', "not a deck"),
    "another version": (
        '{"program": "Attention Workbench", "kind": "deck", "version": 2, "slides": []}',
        "another version",
    ),
    "a version of true": (
        '{"program": "Attention Workbench", "kind": "deck", "version": true, "slides": []}',
        "another version",
    ),
    "no slides": (
        '{"program": "Attention Workbench", "kind": "deck", "version": 1, "slides": []}',
        f"1 to {MOST_SLIDES} slides",
    ),
    "many slides": (
        '{"program": "Attention Workbench", "kind": "deck", "version": 1, "slides": '
        + json.dumps([{}] * (MOST_SLIDES + 1))
        + "}",
        f"1 to {MOST_SLIDES} slides",
    ),
    "a constant": ('{"program": NaN}', "holds NaN"),
    "a million lists": ("[" + "[]," * 1_600_000 + "[]]", "too many parts"),
    "a deep document": ("[" * 200_000, "too deeply|not a JSON"),
    "a long number": ('{"a": ' + "1" * 10_000 + "}", "number too long"),
}


@pytest.mark.parametrize("fault", WHOLE)
def test_a_document_that_is_no_deck_is_refused_in_a_sentence(fault):
    text, sentence = WHOLE[fault]
    with pytest.raises(ExportError, match=sentence) as caught:
        deck_from_json(text)
    assert "\n" not in str(caught.value)


def test_a_document_too_large_is_not_even_parsed():
    with pytest.raises(ExportError, match="megabytes"):
        deck_from_json(b" " * (LARGEST_FILE + 1))


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every member and item of a document."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


@lru_cache(maxsize=1)
def all_places() -> tuple[tuple[Any, ...], ...]:
    return tuple(places(document()))


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.just({"expr": "1"}),
    st.just({"url": "http://localhost/"}),
    st.just([[]]),
)


@given(st.integers(0, 10**6), JUNK)
def test_one_value_replaced_by_anything_is_read_or_refused_and_never_drawn_badly(number, junk):
    spoiled = copy.deepcopy(document())
    *path, last = all_places()[number * 7919 % len(all_places())]
    node = spoiled
    for key in path:
        node = node[key]
    node[last] = junk
    try:
        deck = deck_from_json(json.dumps(spoiled))
    except ExportError as error:
        assert "\n" not in str(error)
        return
    assert "http://localhost" not in json.dumps([slide.figure.spec for slide in deck])
    try:
        deck_bytes(deck, "json")
    except EngineError as error:
        pytest.fail(f"it was read and cannot be saved: {error}")
