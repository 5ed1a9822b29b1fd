"""Drawings that several processes share: the same files, the same failures, nobody left behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from multiprocessing import active_children, context
from pathlib import Path
from types import ModuleType

import pytest

from pages.export import DECK_FORMATS, Slide, deck_bytes, slide_bytes, slide_of
from pages.export.cli import main, produce, stopping, workers
from pages.export.cli.request import Request
from pages.export.deck import Each
from pages.figures.figure import Style
from pages.gallery import prepare
from tests import far_work
from tests.test_export_command import heed_signals

ROOT = Path(__file__).resolve().parent.parent
POSIX = pytest.mark.skipif(os.name != "posix", reason="another system has other signals")
MANY = workers.LEAST
HERE = os.getpid()


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    # A child runs the program's main module again, which AppTest leaves to be the product's own.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    monkeypatch.setattr(workers, "available_cores", lambda: 2)


@lru_cache(maxsize=1)
def pair() -> tuple[Slide, ...]:
    """Return two slides, a picture and a chart."""
    exhibits = prepare(["worked-example-output", "worked-example-row-weights"], (), "numpy")
    return tuple(slide_of(exhibit, Style(language="zh", size="screen")) for exhibit in exhibits)


def asked(folder: Path | None = None, deck: Path | None = None) -> Request:
    return Request(folder, ("svg", "pptx", "csv"), deck, None, (), (), Style(), "numpy")


def deck_and_progress(format_: str, each: Each = map) -> tuple[bytes, list[tuple[int, int]]]:
    seen: list[tuple[int, int]] = []
    made = deck_bytes(pair(), format_, progress=lambda *share: seen.append(share), each=each)
    return made, seen


@pytest.mark.usefixtures("two_cores")
def test_processes_write_the_same_files(tmp_path):
    jobs = produce.jobs_of(asked(tmp_path), pair()[:1])
    alone = {job.path: slide_bytes(job.slide, job.format) for job in jobs}
    with workers.shared(MANY) as each:
        assert len(active_children()) == 2
        assert produce.files_of(asked(tmp_path), jobs, pair(), lambda _: None, each) == alone
        for format_ in DECK_FORMATS:
            assert deck_and_progress(format_, each) == deck_and_progress(format_)
    assert active_children() == []


@pytest.mark.usefixtures("two_cores")
def test_a_failure_comes_in_its_turn_and_as_it_is():
    with workers.shared(MANY) as each:
        results = each(far_work.fail_at_three, range(8))
        assert [next(results)[0] for _ in range(3)] == [0, 1, 2]
        with pytest.raises(PermissionError, match="three"):
            next(results)
    assert active_children() == []


@pytest.mark.usefixtures("two_cores")
def test_what_a_process_cannot_do_is_done_here(capfd):
    with workers.shared(MANY) as each:
        shared_by = {who for *_, who in each(far_work.who, range(4), "abcd")}
        assert HERE not in shared_by
        assert list(each(far_work.panic_apart, range(6))) == list(range(6))
        assert list(each(far_work.die_apart, range(6))) == list(range(6))
        assert list(each(far_work.who, range(2), "ab")) == [(0, "a", HERE), (1, "b", HERE)]
    assert capfd.readouterr() == ("", "")  # no process complains


@pytest.mark.usefixtures("two_cores")
def test_results_come_in_their_order():
    with workers.shared(MANY) as each:
        assert list(each(far_work.later, [0.2, 0, 0.1, 0])) == [0.2, 0, 0.1, 0]


@POSIX
@pytest.mark.usefixtures("two_cores")
def test_a_stop_while_processes_are_ended_leaves_none_either(monkeypatch):
    real = workers._Worker.end

    def end(worker: workers._Worker) -> None:
        os.kill(HERE, signal.SIGTERM)
        real(worker)

    monkeypatch.setattr(workers._Worker, "end", end)
    with stopping.taken(main._stop), workers.shared(MANY):
        assert len(active_children()) == 2
    assert active_children() == []


def spoiled(deck: tuple[Slide, ...], place: int) -> tuple[Slide, ...]:
    """Return a deck with a figure that the converter refuses."""
    figure = replace(deck[place].figure, name="spoiled", spec={"mark": "nothing", "data": {}})
    return (*deck[:place], replace(deck[place], figure=figure), *deck[place + 1 :])


@pytest.mark.usefixtures("two_cores")
def test_a_figure_that_cannot_be_drawn_is_the_same_sentence(tmp_path, monkeypatch, capsys):
    deck = spoiled(spoiled(pair() * 6, 3), 1)
    monkeypatch.setattr(main, "slides_of", lambda *_: deck)
    said = []
    for most in (1, 2):
        monkeypatch.setattr(workers, "available_cores", lambda most=most: most)
        assert main.main(["--deck", str(tmp_path / "a.pdf")]) == 2
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert said[0].err.startswith("The figure spoiled cannot be drawn: ")
    assert said[0].err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    assert active_children() == []


@pytest.mark.parametrize(("drawings", "cores"), [(MANY - 1, 2), (MANY, 1)])
def test_few_drawings_and_one_core_start_no_process(monkeypatch, drawings, cores):
    monkeypatch.setattr(workers, "available_cores", lambda: cores)
    with workers.shared(drawings) as each:
        assert active_children() == []
        assert each is map


@pytest.mark.usefixtures("two_cores")
def test_a_system_that_starts_no_process_draws_here(monkeypatch):
    def refuse(_: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(context.SpawnProcess, "start", refuse)
    with workers.shared(MANY) as each:
        assert list(each(far_work.who, range(2), "ab")) == [(0, "a", HERE), (1, "b", HERE)]


def test_data_and_saved_decks_start_no_process(tmp_path):
    for name, drawings in (("a.json", 0), ("a.ZIP", 2), ("a.pptx", 2)):
        assert produce.drawings_of(asked(deck=tmp_path / name), [], pair()) == drawings
    jobs = produce.jobs_of(asked(tmp_path), pair())
    assert len(jobs) == 6
    assert produce.drawings_of(asked(tmp_path), jobs, pair()) == 4


@POSIX
@pytest.mark.parametrize("fault", [None, OSError()])
def test_a_stop_that_is_put_off_comes_at_the_end(fault):
    reached = []

    def stopped() -> None:
        with stopping.put_off():
            os.kill(HERE, signal.SIGTERM)
            reached.append("the end")
            if fault is not None:
                raise fault
        reached.append("more")

    with stopping.taken(main._stop), pytest.raises(KeyboardInterrupt):
        stopped()
    assert reached == ["the end"]
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, []) & {signal.SIGTERM, signal.SIGINT}


# In a process that shares the drawing, does something in the middle of an import.
STOPPING = """
import os, signal, sys
os.sched_getaffinity = lambda _: {0, 1}
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["STOP_AT"]:
            sys.meta_path.remove(self)
            eval(os.environ["STOP_BY"])
if any("spawn_main" in word for word in sys.orig_argv):
    sys.meta_path.insert(0, Stop())
"""
STARTING, DRAWING = "vl_convert", "xml.dom.expatbuilder"  # what is imported meanwhile
CTRL_C = "os.killpg(0, signal.SIGINT)"
TERMINATED = "os.kill(os.getppid(), signal.SIGTERM)"
KILLED = "os.kill(os.getppid(), signal.SIGKILL)"
STOPPED = (130, "Stopped; nothing was left half-written.\n")


@POSIX
@pytest.mark.parametrize(
    ("stop", "moment", "end"),
    [
        (CTRL_C, STARTING, STOPPED),
        (TERMINATED, DRAWING, STOPPED),
        (KILLED, DRAWING, (-signal.SIGKILL, "")),
    ],
)
def test_a_stop_while_processes_draw_leaves_none_of_them(tmp_path, stop, moment, end):
    (tmp_path / "sitecustomize.py").write_text(STOPPING)
    (tmp_path / "a.json").write_bytes(deck_bytes(pair()[:1] * 20, "json"))
    before = sorted(tmp_path.iterdir())
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "pages.export", "--from", str(tmp_path / "a.json")),
            *("--deck", str(tmp_path / "new" / "b.zip")),
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
            "PYTHONDONTWRITEBYTECODE": "1",
            "STOP_AT": moment,
            "STOP_BY": stop,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_signals,
    )
    # The streams end when nobody is left who might write to them.
    answer, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == end
    assert answer == ""
    assert sorted(tmp_path.iterdir()) == before
