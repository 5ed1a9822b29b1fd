"""Prints how fast the product is here: ``python -m tests.benchmark``.

Nothing is asserted: a number is compared with its target, which was stated for two cores.
"""

from __future__ import annotations

import logging
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from pages.export import Slide, slide_bytes, slide_of
from pages.figures.figure import SizeName, Style
from pages.figures.heatmap import heatmap
from pages.gallery import prepare
from pages.ui.masks import computing
from tests import (
    benchmark_attention,
    benchmark_context,
    benchmark_memory,
    benchmark_properties,
    benchmark_scaling,
)
from tests.browser import find_chromium
from tests.navigation import after_the_first_visit
from tests.timing import milliseconds

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
TARGETS = {
    "cold start to the first figure (s)": 5.0,
    "rerun of the worked example (ms)": 60.0,
    "rerun at the largest sizes (ms)": 60.0,
    "first visit of the worked example (ms)": None,
    "masks, slowest tab at T = 64 (ms)": 150.0,
    "masks, slowest tab at T = 256 (ms)": 600.0,
    **benchmark_scaling.TARGETS,
    **benchmark_memory.TARGETS,
    **benchmark_properties.TARGETS,
    **benchmark_context.TARGETS,
    **benchmark_attention.TARGETS,
    "SVG of the slowest figure (s)": 0.3,
    "PNG of the slowest figure (s)": 1.0,
    "PDF of the slowest figure (s)": 1.0,
    "PPTX of the slowest figure (s)": None,
    "SVG of a 1024 x 1024 heatmap (s)": 0.3,
    "PNG of a 1024 x 1024 heatmap (s)": 1.0,
    "PDF of a 1024 x 1024 heatmap (s)": 1.0,
    "PPTX of a 1024 x 1024 heatmap (s)": None,
    "whole deck as PPTX by the command (s)": 20.0,
    "whole deck as PDF by the command (s)": 20.0,
    "whole deck as ZIP by the command (s)": 20.0,
}
PICTURES = ("svg", "png", "pdf", "pptx")


def main() -> None:
    """Measure everything and print one line each."""
    _silence_the_missing_session()
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    measured = {"cold start to the first figure (s)": cold_start(), **reruns(), **masks()}
    measured |= {**benchmark_scaling.scaling(), **benchmark_memory.memory()}
    measured |= {**benchmark_properties.new_pages(), **benchmark_attention.attention()}
    measured |= benchmark_context.context()
    measured |= {**exports(), **decks()}
    for name, target in TARGETS.items():
        goal = "" if target is None else f"   target {target:g}"
        print(f"{name:45} {measured[name]:8.2f}{goal}")


def _silence_the_missing_session() -> None:
    """Keep back what Streamlit warns of hundreds of times: AppTest has no browser behind it."""
    # A level would not last, since Streamlit sets the levels of its loggers again.
    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True


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


def masks() -> dict[str, float]:
    """Return the milliseconds of the slowest tab of the masks page, nothing remembered."""
    return {f"masks, slowest tab at T = {T} (ms)": slowest_tab(T) for T in (64, 256)}


def slowest_tab(T: int) -> float:
    """Print how long each tab that depends on T takes, and return the longest."""
    times = {tab: tab_of_masks(tab, T) for tab in ("compare", "influence", "growth", "mistakes")}
    print(f"masks at T = {T} (ms): " + ", ".join(f"{tab} {ms:.0f}" for tab, ms in times.items()))
    return max(times.values())


def tab_of_masks(tab: str, T: int) -> float:
    """Return the median of full reruns of one tab: computed afresh, every figure drawn."""
    with after_the_first_visit():
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for name, value in (("tab", tab), ("source", "random"), ("T", str(T))):
            app.query_params[name] = value
        app.run()
        app.switch_page("pages/masks.py").run()

        def rerun_afresh() -> None:
            computing.forget()
            app.run()

        return statistics.median(milliseconds(rerun_afresh) for _ in range(7))


def seconds(action: Callable[[], object]) -> float:
    """Return the shorter of two times: the second finds fonts and imports in place."""
    return min(milliseconds(action) for _ in range(2)) / 1e3


def exports() -> dict[str, float]:
    """Return the seconds that the slowest figure takes in each format, at any size."""
    exhibits = prepare()
    slides = [slide_of(each, Style(size=size)) for size in get_args(SizeName) for each in exhibits]
    heat = large_heatmap()
    measured = {}
    for kind in PICTURES:
        times = [seconds(partial(slide_bytes, slide, kind)) for slide in slides]
        slowest = slides[times.index(max(times))]
        print(f"slowest as {kind}: {slowest.figure.name}, {slowest.style.size}")
        measured[f"{kind.upper()} of the slowest figure (s)"] = max(times)
        took = seconds(partial(slide_bytes, heat, kind))
        measured[f"{kind.upper()} of a 1024 x 1024 heatmap (s)"] = took
    return measured


def large_heatmap() -> Slide:
    """Return a slide of a causal matrix of weights with 1024 rows and columns."""
    scores = np.random.default_rng(0).normal(size=(1024, 1024))
    hidden = np.triu(np.ones((1024, 1024), bool), 1)
    powers = np.where(hidden, 0.0, np.exp(scores))
    style = Style(size="slide")
    figure = heatmap(
        powers / powers.sum(axis=1, keepdims=True),
        style,
        name="heatmap-T1024",
        title="1024 x 1024 weights",
        note="",
        row_title="query",
        column_title="key",
        masked=hidden,
    )
    return Slide(figure, style, "")


def decks() -> dict[str, float]:
    """Return the seconds from the command to the finished deck, the start of Python included."""
    measured = {}
    with TemporaryDirectory() as folder:
        for kind in ("pptx", "pdf", "zip"):
            command = [sys.executable, "-m", "pages.export", "--deck", f"{folder}/deck.{kind}"]
            run = partial(subprocess.run, command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            measured[f"whole deck as {kind.upper()} by the command (s)"] = milliseconds(run) / 1e3
    return measured


if __name__ == "__main__":
    main()
