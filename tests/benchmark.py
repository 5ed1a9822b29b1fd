"""Prints how fast the product is here: ``python -m tests.benchmark``.

Nothing is asserted: a number is compared with its target, which was stated for two cores.
"""

from __future__ import annotations

import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from pages.export import to_bytes
from pages.figures.figure import Style
from tests.browser import find_chromium
from tests.navigation import after_the_first_visit

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
TARGETS = {
    "cold start to the first figure (s)": 5.0,
    "rerun of the worked example (ms)": 60.0,
    "rerun at the largest sizes (ms)": 60.0,
    "first visit of the worked example (ms)": None,
    "SVG of a slide (s)": 0.3,
    "PNG of a slide (s)": 1.0,
    "PDF of a slide (s)": 1.0,
}


def main() -> None:
    """Measure everything and print one line each."""
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    measured = {"cold start to the first figure (s)": cold_start(), **reruns(), **exports()}
    for name, target in TARGETS.items():
        goal = "" if target is None else f"   target {target:g}"
        print(f"{name:45} {measured[name]:8.2f}{goal}")


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cold_start() -> float:
    """Return the seconds from the command to the first figure in a browser that is already open."""
    path = find_chromium()
    if path is None:
        sys.exit("The cold start needs Chromium or Chrome.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(path), args=FLAGS)
        page = browser.new_page()
        seconds = statistics.median(one_cold_start(page) for _ in range(3))
        browser.close()
    return seconds


def one_cold_start(page: Page) -> float:
    """Start the server once and wait for a drawn figure."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    started = time.perf_counter()
    server = subprocess.Popen(
        [*command, f"--server.port={port}"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_port(port)
        page.goto(f"http://localhost:{port}/")
        page.wait_for_selector("[data-testid=stVegaLiteChart] :is(canvas, svg)", timeout=60_000)
        return time.perf_counter() - started
    finally:
        server.terminate()
        server.wait()


def wait_for_port(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    sys.exit("The server did not start within 12 s.")


def reruns() -> dict[str, float]:
    """Return the milliseconds of the worked example's script, the frame included."""
    with after_the_first_visit():
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        first = milliseconds(lambda: app.switch_page("pages/worked_example.py").run())
        textbook = rerun(app)
        app.selectbox(key="example.preset@en").set_value("random").run()
        for name, size in (("T", 12), ("d_model", 12), ("d_k", 8), ("d_v", 8)):
            app.number_input(key=f"example.{name}").set_value(size).run()
        largest = rerun(app)
    return {
        "first visit of the worked example (ms)": first,
        "rerun of the worked example (ms)": textbook,
        "rerun at the largest sizes (ms)": largest,
    }


def rerun(app: AppTest) -> float:
    """Return the median of reruns, each with another matrix and another cell than before."""
    times = []
    for turn in range(24):
        before = app.session_state["worked-example.params"]
        rows = ((float(turn), *before.x[0][1:]), *before.x[1:])
        app.session_state["worked-example.params"] = replace(before, x=rows)
        app.session_state["worked-example.revision"] = {"x": turn + 100}
        app.session_state["example.row"] = turn % 4
        times.append(milliseconds(app.run))
    return statistics.median(times)


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1e3


def exports() -> dict[str, float]:
    """Return the seconds that the slowest figure of the worked example takes in each format."""
    from engine.experiments.worked_example import Params, run
    from pages.figures.worked_example import figures

    drawn = figures(run(Params()), Style(size="slide"))
    to_bytes(drawn[0], "png")
    return {
        f"{kind.upper()} of a slide (s)": max(
            milliseconds(lambda f=figure, k=kind: to_bytes(f, k)) / 1e3  # type: ignore[misc]
            for figure in drawn
        )
        for kind in ("svg", "png", "pdf")
    }


if __name__ == "__main__":
    main()
