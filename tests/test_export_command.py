"""``python -m pages.export``: what it writes, what it says, and what it leaves behind."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
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
from pages.export.cli import main, produce
from pages.figures.figure import Style
from pages.gallery import ENTRIES, IDEAS, prepare
from pages.gallery.notes import command

ROOT = Path(__file__).resolve().parent.parent
NAME = "worked-example-weights"
CHART = "worked-example-row-weights"


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
    assert words[:3] == ["python", "-m", "pages.export"]
    words[words.index("--to") + 1] = str(tmp_path)
    assert run(*words[3:])[0] == 0
    (path,) = tmp_path.iterdir()
    assert path.read_bytes() == slide_bytes(made, "svg")


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "nothing to do": ((), "--list, --to FOLDER or --deck FILE"),
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
    "an unknown format": (("--to", "{}", "--format", "png,gif"), "csv, got gif."),
    "an empty format": (("--to", "{}", "--format", "png,,svg"), "got nothing"),
    "a format without a folder": (("--deck", "{}/a.pptx", "--format", "png"), "belongs to --to"),
    "an unknown deck": (("--deck", "{}/a.key"), ".pptx, .pdf, .zip, .json, got a.key"),
    "an unknown language": (("--to", "{}", "--language", "fr"), "en, zh, got fr"),
    "an unknown theme": (("--to", "{}", "--theme", "drak"), "Did you mean dark?"),
    "an unknown size": (("--to", "{}", "--size", "huge"), "got huge"),
    "too many decimals": (("--to", "{}", "--decimals", "7"), "from 0 to 6, got 7"),
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


def test_a_stop_while_writing_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", Full(1, KeyboardInterrupt()))
    words = ("--to", tmp_path / "a", "--format", "csv,svg", "--figure", NAME)
    assert "Stopped" in refused(*words, code=130)
    assert everything_in(tmp_path) == []


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


def alone(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


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


@pytest.mark.skipif(os.name != "posix", reason="another system has other signals")
def test_a_signal_to_end_is_a_clean_stop(tmp_path):
    words = ["--to", str(tmp_path / "a"), "--format", "png,pdf,svg,pptx"]
    process = subprocess.Popen(
        [sys.executable, "-m", "pages.export", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
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
