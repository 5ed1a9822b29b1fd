"""The Chinese catalogue: which texts the code holds, and ``python -m tests.catalogue``.

The command reads every text that a person can meet out of the code, adds the new ones to the
``.po`` file with an empty translation, drops those that are gone, and compiles the ``.mo`` file.
A text is the first argument of ``t("...")``, of ``mark("...")``, or of an EngineError of any kind.
"""

from __future__ import annotations

import ast
import io
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PO = ROOT / "pages/text/locale/zh_CN/LC_MESSAGES/workbench.po"
MO = PO.with_suffix(".mo")


@dataclass(frozen=True)
class Text:
    """One text in the code, and the place where it stands."""

    text: str
    path: str
    line: int
    function: str
    values: frozenset[str] | None  # names given beside the text; None when they are not literal


@dataclass(frozen=True)
class Unreadable:
    """A call whose text cannot be read out of the code."""

    place: str
    source: str


def sources() -> list[Path]:
    """Return the product's own Python files."""
    folders = [ROOT / "engine", ROOT / "pages"]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return [path for path in [ROOT / "app.py", *files] if path.exists()]


def error_kinds(trees: Iterable[ast.AST]) -> set[str]:
    """Return the names of EngineError and of every class that descends from it."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds = {"EngineError"}
    while True:
        found = {node.name for node in classes if kinds & {_name(base) for base in node.bases}}
        if found <= kinds:
            return kinds
        kinds |= found


def _name(node: ast.expr) -> str:
    """Return ``f`` for both ``f`` and ``module.f``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def collect(paths: Iterable[Path] | None = None) -> tuple[list[Text], list[Unreadable]]:
    """Return every text in the code, and the calls that hide theirs.

    ``t(name)`` is fine: a text kept in a variable is marked where it is written. A text that is
    put together on the spot (an f-string, a sum, a ``format``) can have no translation, and
    an error states its sentence where it is raised.
    """
    trees = {path: ast.parse(path.read_text("utf-8")) for path in paths or sources()}
    kinds = error_kinds(trees.values())
    texts: list[Text] = []
    unreadable: list[Unreadable] = []
    for path, tree in trees.items():
        place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        for call in _calls(tree, {"t", "mark"} | kinds):
            function = _name(call.func)
            values = None if any(k.arg is None for k in call.keywords) else _keywords(call)
            for node in _branches(call.args[0]):
                where = f"{place}:{call.lineno}"
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.append(Text(node.value, place, call.lineno, function, values))
                elif function in kinds or _is_assembled(node):
                    unreadable.append(Unreadable(where, ast.unparse(call)))
    return [text for text in texts if text.text], unreadable


def _calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in names and node.args:
            yield node


def _keywords(call: ast.Call) -> frozenset[str]:
    return frozenset(keyword.arg for keyword in call.keywords if keyword.arg)


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    """Return both texts of ``t("a" if condition else "b")``."""
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _is_assembled(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return _name(node.func) == "format"
    return isinstance(node, ast.JoinedStr | ast.BinOp)


def placeholders(text: str) -> set[str]:
    """Return the names in braces in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def read() -> Catalog:
    """Return the catalogue as it is on disk, or an empty one."""
    if not PO.exists():
        return Catalog(
            locale="zh_CN",
            domain="workbench",
            header_comment="# The Chinese texts of Attention Workbench: python -m tests.catalogue",
            project="Attention Workbench",
            version="1",
            msgid_bugs_address="see README.md",
            last_translator="Attention Workbench",
            language_team="zh_CN",
            revision_date=datetime.now(UTC),
            fuzzy=False,
        )
    with PO.open("rb") as file:
        return read_po(file, locale="zh_CN", domain="workbench")


def merge(catalogue: Catalog, texts: Iterable[Text]) -> None:
    """Make the catalogue hold exactly ``texts``, keeping the translations it has."""
    template = Catalog(domain="workbench")
    for text in texts:
        template.add(text.text, locations=[(text.path, text.line)])
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()


def po_bytes(catalogue: Catalog) -> bytes:
    """Return the text of the ``.po`` file; line numbers are left out, they change too often."""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=100, sort_by_file=True, include_lineno=False)
    return buffer.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """Return the compiled catalogue."""
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def main() -> None:
    """Bring both files up to date with the code, and say what is left to translate."""
    texts, unreadable = collect()
    for call in unreadable:
        print(f"{call.place}: this text cannot be translated: {call.source}")
    catalogue = read()
    merge(catalogue, texts)
    PO.parent.mkdir(parents=True, exist_ok=True)
    PO.write_bytes(po_bytes(catalogue))
    MO.write_bytes(mo_bytes(read()))
    waiting = [message for message in catalogue if message.id and not message.string]
    for message in waiting:
        print(f"untranslated: {message.id}")
    print(f"{len(catalogue)} texts, {len(waiting)} without a translation")


if __name__ == "__main__":
    main()
