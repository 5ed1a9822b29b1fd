"""Every text that a person can meet has its Chinese, with the same values in it."""

from __future__ import annotations

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo

from tests import catalogue

TEXTS, UNREADABLE = catalogue.collect()


def strings(entries: Catalog) -> dict[str, str]:
    """Return text and translation; a text without one is left out, as the compiler does."""
    return {str(entry.id): str(entry.string) for entry in entries if entry.id and entry.string}


def test_every_text_can_be_read_out_of_the_code():
    assert TEXTS
    assert not UNREADABLE


def test_the_catalogue_holds_the_texts_of_the_code_and_no_others():
    entries = catalogue.read()
    assert {entry.id for entry in entries if entry.id} == {text.text for text in TEXTS}
    assert not entries.obsolete


def test_every_text_is_translated():
    entries = [entry for entry in catalogue.read() if entry.id]
    assert not [entry.id for entry in entries if not entry.string or entry.fuzzy]


def test_a_translation_names_the_values_of_its_text():
    for text, translation in strings(catalogue.read()).items():
        assert catalogue.placeholders(translation) == catalogue.placeholders(text), text


def test_every_value_that_a_text_names_is_given():
    # A marked text gets its values elsewhere, and t() without values leaves braces as they are.
    filled = [text for text in TEXTS if text.values or text.function not in ("t", "mark")]
    assert filled
    for text in filled:
        if text.values is not None:
            assert catalogue.placeholders(text.text) <= text.values, text


def test_the_compiled_catalogue_is_up_to_date():
    with catalogue.MO.open("rb") as file:
        compiled = strings(read_mo(file))
    assert compiled == strings(catalogue.read()), "run python -m tests.catalogue"


def collect(tmp_path, source: str) -> tuple[list[str], list[str]]:
    path = tmp_path / "example.py"
    path.write_text(source, "utf-8")
    texts, unreadable = catalogue.collect([path])
    return [text.text for text in texts], [call.source for call in unreadable]


def test_texts_are_found_wherever_they_stand(tmp_path):
    source = """
class Refusal(EngineError): ...
class Detail(module.Refusal): ...
t("plain"); t("one" if many else "two"); self.t("joined " "over lines")
NAME = mark("marked"); t(NAME); t("")
raise Detail("refused {place}", place=1)
"""
    texts, unreadable = collect(tmp_path, source)
    assert sorted(texts) == sorted(
        ["plain", "one", "two", "joined over lines", "marked", "refused {place}"]
    )
    assert unreadable == []


@pytest.mark.parametrize(
    "call",
    ['t(f"row {row}")', 't("row " + name)', 't("{}".format(row))', "ShapeError(message)"],
)
def test_a_text_that_has_no_translation_is_reported(tmp_path, call):
    kinds = "class ShapeError(EngineError): ...\n"
    assert len(collect(tmp_path, kinds + call)[1]) == 1


def test_merging_keeps_translations_and_drops_what_is_gone():
    entries = Catalog(locale="zh_CN")
    entries.add("kept", "留下")
    entries.add("gone", "走了")
    texts = [catalogue.Text(name, "app.py", 1, "t", frozenset()) for name in ("kept", "new")]
    catalogue.merge(entries, texts)
    assert {entry.id for entry in entries if entry.id} == {"kept", "new"}
    assert strings(entries) == {"kept": "留下"}
    assert b"gone" not in catalogue.po_bytes(entries)
