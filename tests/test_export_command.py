"""``python -m pages.export``: what it writes, what it says, and what it leaves behind."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.backends import registry
from engine.errors import BackendError
from pages.export import (
    DECK_FORMATS,
    FORMATS,
    Slide,
    deck_bytes,
    deck_from_json,
    file_name,
    fonts,
    slide_bytes,
    slide_of,
)
from pages.export.cli import main, options, produce
from pages.export.cli.request import request_of
from pages.figures.figure import Style
from pages.gallery import ENTRIES, IDEAS, prepare
from pages.gallery.notes import command
from pages.gallery.prepare import names_of
from pages.text import translator

ROOT = Path(__file__).resolve().parent.parent
NAME = "worked-example-weights"
CHART = "worked-example-row-weights"
POSIX = pytest.mark.skipif(os.name != "posix", reason="another system has other files and signals")


def run(*words: str | Path) -> tuple[int, str, str]:
    """Return exit code, answer and complaint of a command."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main.main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


def refused(*words: str | Path, code: int = 2) -> str:
    """Return the one sentence of a command that fails and writes nothing to the answer."""
    got, answer, complaint = run(*words)
    assert (got, answer) == (code, "")
    assert complaint.count("\n") == 1
    assert complaint.endswith((".\n", "?\n", "。\n", "？\n"))
    assert "Traceback" not in complaint
    return complaint.strip()


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def slide(name: str = NAME, style: Style | None = None, *settings: str) -> Slide:
    (exhibit,) = prepare([name], settings, "numpy")
    return slide_of(exhibit, style or Style(size="slide"))


def test_the_page_and_the_command_write_the_same_file(tmp_path):
    style = Style("dark", "zh", "half", 2, True)
    code, answer, complaint = run(
        "--to", tmp_path / "a" / "b", "--format", "png,svg", "--format", "PDF,pptx,csv",
        "--figure", NAME, CHART, "--language", "zh", "--theme", "dark", "--size", "half",
        "--decimals", "2", "--transparent", "--backend", "numpy",
        "--set", "worked_example.causal=true",
    )  # fmt: skip
    assert (code, complaint) == (0, "")
    assert "10" in answer
    wanted = {}
    for name in (NAME, CHART):
        made = slide(name, style, "worked_example.causal=true")
        for format_ in FORMATS:
            wanted[file_name(made.figure, format_, style)] = slide_bytes(made, format_)
    assert everything_in(tmp_path / "a" / "b") == sorted(wanted)
    for name, content in wanted.items():
        assert (tmp_path / "a" / "b" / name).read_bytes() == content, name


@pytest.mark.parametrize("format_", DECK_FORMATS)
def test_a_deck_is_written_by_its_ending(tmp_path, format_):
    path = tmp_path / f"lecture.{format_}"
    assert run("--deck", path, "--figure", CHART, NAME, "--backend", "numpy")[0] == 0
    # In the order of a lecture, however they were asked for.
    deck = tuple(slide(name) for name in (NAME, CHART))
    assert path.read_bytes() == deck_bytes(deck, format_)
    assert everything_in(tmp_path) == [path.name]


def test_figures_and_a_deck_are_written_together(tmp_path):
    code, answer, _ = run(
        "--to", tmp_path, "--format", "csv", "--deck", tmp_path / "a.json", "--figure", NAME
    )
    assert code == 0
    assert len(everything_in(tmp_path)) == 2
    assert answer.count("\n") == 1


def test_a_saved_deck_is_written_as_it_is_and_no_slide_replaces_another(tmp_path):
    deck = (slide(), slide().renamed("注意"), slide(CHART, Style("dark", "zh", "square")))
    saved = tmp_path / "saved.json"
    saved.write_bytes(deck_bytes(deck, "json"))
    assert run("--from", saved, "--deck", tmp_path / "b.json", "--to", tmp_path / "c")[0] == 0
    assert deck_from_json((tmp_path / "b.json").read_bytes()) == deck
    assert len(everything_in(tmp_path / "c")) == 3


def test_without_names_every_figure_is_written(tmp_path):
    assert run("--to", tmp_path, "--format", "csv")[0] == 0
    assert len(everything_in(tmp_path)) == len(ENTRIES)


def test_a_file_that_exists_is_replaced(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    assert run("--deck", path, "--figure", NAME)[0] == 0
    assert len(deck_from_json(path.read_bytes())) == 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_list_names_every_figure_and_setting(language):
    code, answer, complaint = run("--list", "--language", language)
    assert (code, complaint) == (0, "")
    lines = answer.splitlines()
    names = [line.split()[0] for line in lines if line.split() and line.split()[0] in ENTRIES]
    assert names == list(ENTRIES)
    for idea in IDEAS:
        for name in idea.readers:
            assert f"{idea.name}.{name}=" in answer
    assert ("工作示例" in answer or "算例" in answer) == (language == "zh")


def test_the_command_in_the_notes_makes_the_same_file(tmp_path):
    style = Style("dark", "zh", "square", 4, True)
    (exhibit,) = prepare([NAME], ["worked_example.scaled=false", "worked_example.row=2"], "numpy")
    made = slide_of(exhibit, style)
    words = shlex.split(command(exhibit, style, "svg"))
    assert words[1:3] == ["-m", "pages.export"]
    words[words.index("--to") + 1] = str(tmp_path)
    assert run(*words[3:])[0] == 0
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == slide_bytes(made, "svg")


COMMANDS = [
    shlex.split(line)[3:]
    for line in (ROOT / "README.md").read_text("utf-8").splitlines()
    if line.startswith(".venv/bin/python -m pages.export")
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_of_the_readme_can_be_met(words):
    request = request_of(options.read(words))
    assert (request is None) == (words == ["--list"])
    if request is not None and request.figures:
        every = {f"{idea.name}.{name}" for idea in IDEAS for name in names_of(idea)}
        assert {text.partition("=")[0] for text in request.assignments} <= every
        assert set(request.figures) <= set(ENTRIES)


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing to do": ((), "--list, --to FOLDER or --deck FILE"),
    "an empty word": (("",), "no option ''"),
    "a file in the home of nobody": (("--to", "~nobody-here/x"), "~nobody-here/x is unknown"),
    "a deck in the home of nobody": (("--deck", "~nobody-here/x.pdf"), "home folder"),
    "a saved deck in the home of nobody": (
        ("--to", "{}", "--from", "~nobody-here/x"),
        "--from: the home folder",
    ),
    "a path that is none": (("--to", "{}/a\0b"), "a\\x00b"),
    "a saved deck whose name no file has": (
        ("--to", "{}", "--from", "/" + "x" * 300),
        "could not be read: File name too long.",
    ),
    "an unknown option": (("--thme", "dark"), "Did you mean --theme?"),
    "a word too many": (("--to", "{}", "dark"), "no option dark"),
    "an option without its value": (("--to",), "--to needs a value"),
    "an empty value": (("--to", ""), "--to needs a value"),
    "a switch with a value": (("--to", "{}", "--transparent=1"), "--transparent takes no value"),
    "an unknown figure": (("--to", "{}", "--figure", "maks"), "There is no figure called maks"),
    "a mistyped figure": (
        ("--to", "{}", "--figure", "worked-exampel-weights"),
        f"Did you mean {NAME}?",
    ),
    "an empty figure": (("--to", "{}", "--figure", ""), "--figure needs a value."),
    "a blank figure": (("--to", "{}", "--figure", NAME, " "), "--figure needs a value."),
    "an unknown format": (("--to", "{}", "--format", "png,gif"), "csv, got gif."),
    "an empty format": (("--to", "{}", "--format", "png,,svg"), "got nothing"),
    "a format without a folder": (("--deck", "{}/a.pptx", "--format", "png"), "belongs to --to"),
    "an unknown deck": (("--deck", "{}/a.key"), ".pptx, .pdf, .zip, .json, got a.key"),
    "an unknown language": (("--to", "{}", "--language", "fr"), "en, zh, got fr"),
    "an unknown theme": (("--to", "{}", "--theme", "drak"), "Did you mean dark?"),
    "an unknown size": (("--to", "{}", "--size", "huge"), "got huge"),
    "too many decimals": (("--to", "{}", "--decimals", "7"), "from 0 to 6, got 7"),
    "decimals with zeros before": (("--to", "{}", "--decimals", "00009"), "got 00009"),
    "decimals with zeros before what is allowed": (("--to", "{}", "--decimals", "03"), "got 03"),
    "decimals that begin well": (("--to", "{}", "--decimals", "0000200"), "got 0000200"),
    "decimals of 5000 digits": (("--to", "{}", "--decimals", "0" * 5000), "got 000"),
    "decimals with a sign": (("--to", "{}", "--decimals", "+3"), "got +3"),
    "decimals of another script": (("--to", "{}", "--decimals", "３"), "got ３"),
    "no decimals": (("--to", "{}", "--decimals", " "), "got nothing"),
    "decimals below none": (("--to", "{}", "--decimals", "-1"), "got -1"),
    "decimals of words": (("--to", "{}", "--decimals", "three"), "got three"),
    "an unknown backend": (("--to", "{}", "--backend", "cuda"), "auto, numpy, mlx, got cuda"),
    "no setting": (("--to", "{}", "--set", "causal"), "idea.name=value"),
    "an unknown idea": (("--to", "{}", "--set", "worked.causal=1"), "no idea called worked"),
    "an unknown setting": (
        ("--to", "{}", "--set", "worked_example.casual=true"),
        "Did you mean causal?",
    ),
    "an unknown value": (("--to", "{}", "--set", "worked_example.causal=perhaps"), "got perhaps"),
    "a setting that changes nothing": (
        ("--to", "{}", "--figure", "attention-in-six-steps", "--set", "worked_example.causal=true"),
        "changes none of the figures",
    ),
    "a cell outside": (
        ("--to", "{}", "--figure", NAME, "--set", "worked_example.row=99"),
        "row must be from 1 to 4",
    ),
    "a saved deck that is none": (("--to", "{}", "--from", "{}/none.json"), "could not be read"),
    "a saved deck drawn otherwise": (
        ("--to", "{}", "--from", "a.json", "--theme", "dark"),
        "leave out --theme",
    ),
    "a saved deck with settings": (
        ("--to", "{}", "--from", "a.json", "--set", "a.b=c"),
        "leave out --set",
    ),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_request_is_one_sentence_and_writes_nothing(tmp_path, fault):
    words, sentence = BAD[fault]
    folder = tmp_path / "new"
    assert sentence in refused(*(word.replace("{}", str(folder)) for word in words))
    assert everything_in(tmp_path) == []


HOSTILE = "\x1b[31mx\n\r\x9b\u202e\u2028"


@pytest.mark.parametrize(
    "words",
    [
        (HOSTILE,),
        ("--to", "{}", "--figure", HOSTILE),
        ("--to", "{}", "--format", HOSTILE),
        ("--to", "{}", "--set", HOSTILE),
        ("--to", "{}", "--set", f"{HOSTILE}.a=b"),
        ("--to", "{}", "--set", f"worked_example.{HOSTILE}=b"),
        ("--to", "{}", "--set", f"worked_example.causal={HOSTILE}"),
        ("--to", "{}", "--theme", HOSTILE),
        ("--to", "{}", "--decimals", HOSTILE),
        ("--to", "{}", "--from", f"{{}}/{HOSTILE}"),
        ("--deck", f"{{}}/{HOSTILE}"),
        ("--deck", f"~{HOSTILE}/a.pdf"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("repeated", [1, 9000])
def test_what_was_typed_cannot_steer_a_terminal_or_fill_it(tmp_path, words, repeated):
    folder = str(tmp_path / "new")
    typed = (word.replace("{}", folder).replace(HOSTILE, HOSTILE * repeated) for word in words)
    complaint = refused(*typed)
    assert complaint.isprintable()
    assert len(complaint) < 700
    assert everything_in(tmp_path) == []


def test_the_last_line_cannot_steer_a_terminal_either(tmp_path):
    words = ("--format", "csv", "--figure", NAME, "--deck", tmp_path / "\x1b[31m" / "a.json")
    code, answer, _ = run("--to", tmp_path / "\x1b[31m", *words)
    assert code == 0
    assert answer.removesuffix("\n").isprintable()
    assert answer.count("\\x1b[31m") == 2


def test_complaints_are_in_the_language_asked_for(tmp_path):
    english = refused("--to", tmp_path, "--figure", "x")
    chinese = refused("--to", tmp_path, "--figure", "x", "--language", "zh")
    assert english.isascii()
    assert any(map(fonts.is_chinese, chinese))


def test_a_saved_deck_that_is_spoiled_is_one_sentence(tmp_path):
    saved = tmp_path / "a.json"
    document = json.loads(deck_bytes((slide(),), "json"))
    document["slides"][0]["spec"]["data"] = {"url": "https://example.org"}
    saved.write_text(json.dumps(document))
    assert "its spec is not one" in refused("--from", saved, "--to", tmp_path / "b")
    assert everything_in(tmp_path) == ["a.json"]


def test_a_missing_chinese_font_is_said_and_svg_is_written_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("pages.export.fonts.missing_font", lambda _: "Some CJK font")
    monkeypatch.setattr("pages.export.convert.missing_font", lambda _: "Some CJK font")
    words = ("--to", tmp_path / "a", "--figure", NAME, "--language", "zh")
    for format_ in ("png", "pdf", "pptx", "svg,png"):
        assert "Some CJK font" in refused(*words, "--format", format_)
    assert everything_in(tmp_path) == []
    assert run(*words, "--format", "svg,csv")[0] == 0


def test_a_backend_that_is_missing_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(registry._found, "mlx", BackendError("MLX is not here."))
    assert refused("--to", tmp_path / "a", "--backend", "mlx") == "MLX is not here."
    assert everything_in(tmp_path) == []


def test_a_folder_below_a_file_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("x")
    complaint = refused("--to", tmp_path / "file" / "a", "--figure", NAME, code=1)
    assert "file is a file, not a folder" in complaint
    assert "a file, not a folder" in refused(
        "--deck", tmp_path / "file" / "a.pptx", "--figure", NAME, code=1
    )
    assert everything_in(tmp_path) == ["file"]


def test_a_folder_in_the_place_of_a_file_is_left_alone(tmp_path):
    (tmp_path / "a.json").mkdir()
    complaint = refused("--deck", tmp_path / "a.json", "--figure", NAME, code=1)
    assert "it is a folder" in complaint
    assert everything_in(tmp_path) == ["a.json"]


def test_a_closed_folder_is_said_before_anything_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(main, "slides_of", lambda _: pytest.fail("it was drawn"))
    assert "you may not write to" in refused("--to", tmp_path / "a", code=1)


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """Be somebody to whom a closed folder is closed; a superuser is not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@POSIX
@pytest.mark.parametrize(
    ("words", "code"),
    [(("--to", "{}"), 1), (("--deck", "{}/a.pdf"), 1), (("--to", "b", "--from", "{}/a.json"), 2)],
)
def test_what_lies_beneath_a_closed_folder_is_out_of_reach(tmp_path, words, code):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        with without_privileges():
            complaint = refused(*(word.format(closed / "a") for word in words), code=code)
    finally:
        closed.chmod(0o755)
    assert "Permission denied" in complaint
    assert everything_in(tmp_path) == ["closed"]


TOO_LONG = "x" * 300


@pytest.mark.parametrize(
    "words",
    [
        ("--to", f"{{}}/{TOO_LONG}"),
        ("--to", f"{{}}/new/{TOO_LONG}/a"),
        ("--deck", f"{{}}/{TOO_LONG}.pdf"),
        ("--deck", f"{{}}/new/{TOO_LONG}.json"),
        ("--to", "{}/a", "--format", "csv", "--deck", f"{{}}/{TOO_LONG}.json"),
    ],
    ids=range(5),
)
def test_a_name_that_is_too_long_for_a_file_is_said(tmp_path, words):
    typed = (word.format(tmp_path) for word in words)
    assert "File name too long" in refused(*typed, "--figure", NAME, code=1)
    assert everything_in(tmp_path) == []


def test_the_longest_name_that_a_file_can_have_is_written(tmp_path):
    name = "x" * 250 + ".json"
    assert run("--deck", tmp_path / name, "--figure", NAME)[0] == 0
    assert everything_in(tmp_path) == [name]


@POSIX
def test_a_link_to_itself_leads_nowhere(tmp_path):
    (tmp_path / "a.json").symlink_to(tmp_path / "a.json")
    for words in (("--to", tmp_path / "a.json" / "b"), ("--deck", tmp_path / "a.json")):
        complaint = refused(*words, "--figure", NAME, code=1)
        assert os.strerror(errno.ELOOP) in complaint
    assert everything_in(tmp_path) == ["a.json"]


@POSIX
@pytest.mark.parametrize("is_there", [False, True])
def test_a_link_stays_and_the_file_behind_it_is_written(tmp_path, is_there):
    behind, shown = tmp_path / "behind", tmp_path / "shown"
    for folder in (behind, shown):
        folder.mkdir()
    csv = file_name(slide().figure, "csv", slide().style)
    for name in (csv, "a.json"):
        (shown / name).symlink_to(behind / name)
        if is_there:
            (behind / name).write_text("old")
    words = ("--format", "csv", "--deck", shown / "a.json", "--figure", NAME)
    assert run("--to", shown, *words)[0] == 0
    for name, content in ((csv, slide_bytes(slide(), "csv")), ("a.json", None)):
        assert (shown / name).is_symlink()
        assert not (behind / name).is_symlink()
        assert (behind / name).read_bytes() == (content or deck_bytes((slide(),), "json"))
    assert len(everything_in(tmp_path)) == 2 + 2 * 2


@POSIX
def test_what_is_no_ordinary_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "a.json")
    complaint = refused("--deck", tmp_path / "a.json", "--figure", NAME, code=1)
    assert "it is not an ordinary file" in complaint
    assert (tmp_path / "a.json").is_fifo()


@pytest.mark.parametrize("spelling", ["plain", "absolute", "roundabout", "link", "capitals"])
def test_a_deck_does_not_take_the_name_of_a_figure(tmp_path, monkeypatch, spelling):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").symlink_to(tmp_path / "col")
    made = slide()
    name = file_name(made.figure, "pptx", made.style)
    deck = {
        "plain": f"col/{name}",
        "absolute": tmp_path / "col" / name,
        "roundabout": f"col/../col/./{name}",
        "link": f"other/{name}",
        "capitals": f"col/{name.upper()}",
    }[spelling]
    words = ("--to", "col", "--format", "csv,pptx", "--figure", NAME, "--deck", deck)
    assert "another one" in refused(*words)
    assert everything_in(tmp_path) == ["other"]
    # Another format is another name.
    assert run("--to", "col", "--format", "csv", "--figure", NAME, "--deck", deck)[0] == 0
    assert len(everything_in(tmp_path / "col")) == 2


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may write everywhere"
)
def test_a_read_only_folder_cannot_be_written(tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert "you may not write to" in refused("--to", tmp_path, "--figure", NAME, code=1)
    finally:
        tmp_path.chmod(0o755)


class Full:
    """A disk that is full after some writes."""

    def __init__(self, after: int, error: BaseException) -> None:
        self.left, self.error = after, error

    def __call__(self, _: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise self.error


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path, monkeypatch, after):
    full = Full(after, OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(os, "fsync", full)
    words = ("--format", "csv,svg,png", "--figure", NAME)
    complaint = refused("--to", tmp_path / "a" / "b", *words, code=1)
    assert complaint.endswith("could not be written: the disk is full.")
    assert everything_in(tmp_path) == []


def test_a_disk_that_is_full_keeps_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", Full(0, OSError(errno.ENOSPC, "full")))
    refused("--deck", path, "--figure", NAME, code=1)
    assert everything_in(tmp_path) == ["a.json"]
    assert path.read_text() == "old"


def test_a_folder_that_cannot_be_made_takes_its_beginnings_with_it(tmp_path, monkeypatch):
    real = Path.mkdir

    def mkdir(path: Path, *args: Any, **keywords: Any) -> None:
        if path.name == "b" and path.parent.exists():
            raise PermissionError(errno.EACCES, "Permission denied")
        real(path, *args, **keywords)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    assert "Permission denied" in refused(
        "--to", tmp_path / "a" / "b" / "c", "--figure", NAME, code=1
    )
    assert everything_in(tmp_path) == []


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_file_that_cannot_be_put_in_its_place_takes_the_others_back(tmp_path, monkeypatch, after):
    deck, formats = tmp_path / "a.json", ("csv", "svg", "png")
    names = [file_name(slide().figure, format_, slide().style) for format_ in formats]
    (tmp_path / names[0]).write_text("old")
    deck.write_text("old deck")
    real, left = Path.replace, iter(range(after))

    def replace(path: Path, target: Path) -> Path:
        if path.suffix == ".part" and next(left, None) is None:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    words = ("--to", tmp_path, "--format", ",".join(formats), "--figure", NAME, "--deck", deck)
    assert "Operation not permitted" in refused(*words, code=1)
    assert everything_in(tmp_path) == sorted([names[0], "a.json"])
    assert (tmp_path / names[0]).read_text() == "old"
    assert deck.read_text() == "old deck"


def test_a_disk_without_second_names_is_written_all_the_same(tmp_path, monkeypatch):
    def link(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", link)
    (tmp_path / "a.json").write_text("old")
    assert run("--deck", tmp_path / "a.json", "--figure", NAME)[0] == 0
    assert everything_in(tmp_path) == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == deck_bytes((slide(),), "json")


SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


@contextlib.contextmanager
def handled(number: signal.Signals, handler: Any) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def signalling(number: signal.Signals, real: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is told to stop just before it does its work."""

    def function(*arguments: Any) -> Any:
        os.kill(os.getpid(), number)
        return real(*arguments)

    return function


@POSIX
@pytest.mark.parametrize("number", SIGNALS)
def test_every_request_to_stop_while_writing_is_a_clean_stop(tmp_path, monkeypatch, number):
    monkeypatch.setattr(os, "fsync", signalling(number, os.fsync))
    with handled(number, lambda *_: pytest.fail("nobody took the signal")):
        complaint = refused("--deck", tmp_path / "a" / "b.json", "--figure", NAME, code=130)
    assert "Stopped" in complaint
    assert everything_in(tmp_path) == []


@POSIX
@pytest.mark.parametrize("number", SIGNALS)
def test_a_request_to_stop_that_is_ignored_stays_ignored(tmp_path, monkeypatch, number):
    monkeypatch.setattr(os, "fsync", signalling(number, os.fsync))
    with handled(number, signal.SIG_IGN):
        assert run("--deck", tmp_path / "b.json", "--figure", NAME)[0] == 0
    assert everything_in(tmp_path) == ["b.json"]


@POSIX
@pytest.mark.parametrize("number", SIGNALS)
def test_a_stop_does_not_come_between_two_files(tmp_path, monkeypatch, number):
    monkeypatch.setattr(Path, "replace", signalling(number, Path.replace))
    words = ("--to", tmp_path, "--format", "csv,svg", "--figure", NAME)
    with handled(number, lambda *_: pytest.fail("nobody took the signal")):
        assert run(*words)[0] == 0
    assert len(everything_in(tmp_path)) == 2


def test_a_stop_while_writing_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", Full(1, KeyboardInterrupt()))
    words = ("--to", tmp_path / "a", "--format", "csv,svg", "--figure", NAME)
    assert "Stopped" in refused(*words, code=130)
    assert everything_in(tmp_path) == []


# Settings that no other test computes, since what is computed is kept.
@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("scaling-deviation", "scaling.seed=51"),
        ("scaling-saturation", "scaling_saturation.seed=51"),
        ("scaling-training", "scaling_training.steps=51"),
    ],
)
def test_a_stop_while_computing_writes_nothing(tmp_path, monkeypatch, name, setting):
    heard: list[float] = []

    def prepared(figures, settings, backend, _progress):
        def hear(share: float) -> None:
            heard.append(share)
            # Not a signal: where tests run in the background of a shell, an interrupt is ignored.
            raise KeyboardInterrupt

        return prepare(figures, settings, backend, hear)

    monkeypatch.setattr(produce, "prepare", prepared)
    words = ["--to", tmp_path / "new", "--figure", name, "--backend", "numpy", "--set", setting]
    code, answer, complaint = run(*words)
    assert (code, answer, complaint) == (130, "", "Stopped; nothing was left half-written.\n")
    assert (len(heard), everything_in(tmp_path)) == (1, [])
    assert heard[0] < 1


def test_a_stop_while_drawing_writes_nothing(tmp_path, monkeypatch):
    def stop(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(produce, "slide_bytes", stop)
    assert "Stopped" in refused("--to", tmp_path / "a", "--figure", NAME, code=130)
    assert everything_in(tmp_path) == []


def test_too_little_memory_is_one_sentence(tmp_path, monkeypatch):
    def exhausted(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(produce, "slide_bytes", exhausted)
    assert "memory" in refused("--to", tmp_path / "a", "--figure", NAME, code=1)


class PanicException(BaseException):
    """What a panic of the converter looks like: no ordinary exception."""


FAULTS = [
    RuntimeError("first line\nsecond line"),
    ValueError("bad"),
    PanicException("panicked"),
    OSError(errno.EIO, "Input/output error"),
    RecursionError(),
]


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
@pytest.mark.parametrize("place", ["slide_of", "slide_bytes", "deck_bytes"])
def test_a_fault_while_a_figure_is_drawn_names_the_figure(tmp_path, monkeypatch, fault, place):
    real = getattr(produce, place)

    def fail(first: Any, *arguments: Any, **keywords: Any) -> Any:
        if "progress" in keywords:
            keywords["progress"](1, 2)  # one of two slides is done
            raise fault
        if CHART in str(getattr(first, "figure", getattr(first, "entry", None))):
            raise fault
        return real(first, *arguments, **keywords)

    monkeypatch.setattr(produce, place, fail)
    words = ("--to", tmp_path / "a", "--format", "csv", "--figure", NAME, CHART)
    complaint = refused(*words, "--deck", tmp_path / "b.json")
    assert re.match(rf"The figure {CHART}\S* cannot be drawn: ", complaint)
    assert (str(fault).splitlines() or ["RecursionError"])[0].split("] ")[-1] in complaint
    assert everything_in(tmp_path) == []


def test_a_fault_elsewhere_is_one_sentence_too(tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(produce, "prepare", fail)
    assert "ZeroDivisionError: division by zero." in refused("--to", tmp_path / "a")
    assert everything_in(tmp_path) == []


def test_no_more_of_a_file_is_read_than_a_deck_may_have(tmp_path, monkeypatch):
    monkeypatch.setattr(produce, "LARGEST_FILE", 10)
    monkeypatch.setattr(produce, "deck_from_json", lambda data: pytest.fail(f"{len(data)} bytes"))
    (tmp_path / "a.json").write_bytes(bytes(1000))
    with pytest.raises(pytest.fail.Exception, match="^11 bytes$"):
        run("--from", tmp_path / "a.json", "--to", tmp_path / "b")


ALONE = """
import socket, sys
class Closed(socket.socket):
    def __init__(self, *_, **__):
        raise AssertionError("the network was used")
socket.socket = Closed
from pages.export.cli.main import main
code = main(sys.argv[1:])
heavy = {"streamlit", "altair", "pandas", "playwright", "openpyxl"} & set(sys.modules)
assert not heavy, heavy
sys.exit(code)
"""


def alone(*words: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own; ``shell`` is what a shell adds to the command."""
    command = [sys.executable, *words]
    return subprocess.run(
        ["sh", "-c", f'"$0" "$@" {shell}', *command] if shell else command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=heed_signals if os.name == "posix" else None,
    )


def heed_signals() -> None:
    """Take signals as usual: whoever runs the tests in the background may have them ignored."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def test_it_needs_no_streamlit_no_network_and_no_browser(tmp_path):
    words = ("--to", str(tmp_path), "--format", ",".join(FORMATS), "--figure", NAME)
    finished = alone("-c", ALONE, *words, "--deck", str(tmp_path / "a.pdf"))
    assert (finished.returncode, finished.stderr) == (0, "")
    assert len(everything_in(tmp_path)) == len(FORMATS) + 1


def test_a_process_of_its_own_says_one_line_and_its_exit_code():
    finished = alone("-m", "pages.export", "--figure", "x", "--to", "y")
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.count("\n") == 1
    assert finished.stderr.startswith("There is no figure called x")


def test_a_terminal_that_knows_only_ascii_stops_nothing():
    finished = alone("-m", "pages.export", "--list", "--language", "zh", PYTHONIOENCODING="ascii")
    assert finished.returncode == 0
    assert NAME in finished.stdout


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
SHORT = ("--list", "--help")


@FULL
@pytest.mark.parametrize("word", SHORT)
def test_an_answer_that_cannot_be_written_is_said(word):
    finished = alone("-m", "pages.export", word, shell=">/dev/full")
    assert finished.returncode == 1
    assert finished.stderr == ("The answer could not be written: No space left on device.\n")


@POSIX
@pytest.mark.parametrize("word", SHORT)
def test_a_reader_who_goes_away_ends_the_answer_quietly(word):
    finished = alone("-m", "pages.export", word, shell="| true; echo done")
    assert (finished.stdout, finished.stderr) == ("done\n", "")
    process = subprocess.Popen(
        [sys.executable, "-m", "pages.export", word],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


STREAMS = [">&-", "2>&-", "<&- >&- 2>&-", "| true", ">/dev/full", "2>/dev/full", "2>&1 >/dev/full"]


@POSIX
@pytest.mark.parametrize("shell", STREAMS)
def test_no_state_of_a_stream_undoes_what_was_written(tmp_path, shell):
    if "/dev/full" in shell and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = tmp_path / "a.pdf"
    words = ("-m", "pages.export", "--deck", str(path), "--figure", NAME, "--backend", "numpy")
    finished = alone(*words, shell=shell)
    assert finished.returncode == 0
    assert "Traceback" not in finished.stderr
    assert "Exception" not in finished.stderr
    assert path.read_bytes() == deck_bytes((slide(),), "pdf")
    assert everything_in(tmp_path) == ["a.pdf"]


@POSIX
@pytest.mark.parametrize("shell", ["2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_failure_that_nobody_can_be_told_has_its_exit_code(shell):
    finished = alone("-m", "pages.export", "--to", "y", "--figure", "x", shell=shell)
    assert finished.returncode == 2
    assert finished.stdout + finished.stderr == ""


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "endless"])
def test_a_saved_deck_is_an_ordinary_file(tmp_path, kind):
    os.mkfifo(tmp_path / "pipe")
    source = tmp_path / "pipe" if kind == "pipe" else Path("/dev/zero")
    words = ("-m", "pages.export", "--from", str(source), "--to", str(tmp_path / "a"))
    # Where it were read after all, the memory of this machine should not end over it.
    finished = alone("-c", LIMITED, *words)
    assert finished.returncode == 2
    assert finished.stderr == f"{source} could not be read: it is not an ordinary file.\n"
    assert everything_in(tmp_path) == ["pipe"]


LIMITED = """
import resource, runpy, signal, sys
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
signal.alarm(60)
sys.argv = sys.argv[2:]
runpy.run_module("pages.export", run_name="__main__", alter_sys=True)
"""
# Sends a signal in the middle of an import.
STOPPING = """
import os, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["STOP_AT"]:
            os.kill(os.getpid(), int(os.environ["STOP_BY"]))
sys.meta_path.insert(0, Stop())
"""
IMPORTS = ["numpy", "vl_convert", "pages.export.cli.main", "tqdm"]


@POSIX
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("module", IMPORTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stop_while_the_program_loads_is_a_clean_stop(tmp_path, number, module, language):
    (tmp_path / "sitecustomize.py").write_text(STOPPING)
    finished = alone(
        "-m", "pages.export", "--list", "--language", language,
        PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]),
        STOP_AT=module,
        STOP_BY=str(int(number)),
    )  # fmt: skip
    assert finished.returncode == 130
    assert finished.stdout == ""
    assert finished.stderr == translator(language)("Stopped; nothing was left half-written.") + "\n"


@POSIX
def test_a_signal_to_end_is_a_clean_stop(tmp_path):
    words = ["--to", str(tmp_path / "a"), "--format", "png,pdf,svg,pptx"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pages.export", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,
    )
    time.sleep(2.5)  # it is drawing by now, and has far more to draw
    process.send_signal(signal.SIGTERM)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert complaint.count("\n") == 1
    assert everything_in(tmp_path) == []


def test_help_is_shown_in_both_languages():
    for language in ("en", "zh"):
        finished = alone("-m", "pages.export", "--language", language, "--help")
        assert finished.returncode == 0
        for option in ("--to", "--deck", "--from", "--set", "--list"):
            assert option in finished.stdout
