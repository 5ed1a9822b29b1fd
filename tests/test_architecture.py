"""The rules that keep computing, drawing and showing apart, read out of the source itself."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import __main__ as command_line

ROOT = Path(__file__).resolve().parent.parent
VISIBLE = {"app.py", "engine", "pages", "tests", "requirements.txt", "README.md", "pyproject.toml"}
HEADLESS = ("figures", "gallery", "export", "documents", "text")
# Streamlit's chart shortcuts swap Altair's global state under concurrent sessions; `install`
# writes a builtin that all sessions share; the keywords are deprecated or open to injection.
FORBIDDEN_CALLS = {
    "altair_chart",
    "area_chart",
    "bar_chart",
    "line_chart",
    "scatter_chart",
    "map",
    "plotly_chart",
    "pyplot",
}
FORBIDDEN_KEYWORDS = {"use_container_width", "unsafe_allow_html"}
# Compared with where it happens to be installed; nothing needs it.
OPTIONAL = {
    "tests/benchmark_attention.py": {"torch"},
    "tests/record_reference.py": {"torch", "transformers"},
}


def files_in(*places: str) -> list[Path]:
    found = []
    for place in places:
        path = ROOT / place
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


def page_scripts() -> list[Path]:
    return [path for path in sorted((ROOT / "pages").glob("*.py")) if path.stem != "__init__"]


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(tree: ast.AST) -> set[str]:
    """Return every dotted module name that a file imports, at any depth of its code."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and called(node).endswith("import_module"):
            names |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return names


def packages(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imported(parse(path))}


def called(node: ast.Call) -> str:
    """Return the name that a call uses, such as ``st.Page``."""
    return ast.unparse(node.func)


def calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(parse(path)) if isinstance(node, ast.Call))


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", files_in("engine"), ids=label)
def test_the_engine_computes_and_nothing_else(path):
    assert not packages(path) & {"streamlit", "altair", "pandas", "vl_convert", "pages", "tests"}


@pytest.mark.parametrize("path", files_in(*(f"pages/{name}" for name in HEADLESS)), ids=label)
def test_what_pages_share_without_a_screen_never_imports_streamlit(path):
    assert "streamlit" not in packages(path)
    assert "pages.ui" not in {".".join(name.split(".")[:2]) for name in imported(parse(path))}


@pytest.mark.parametrize("path", files_in("app.py", "engine", "pages"), ids=label)
def test_mlx_is_imported_in_its_backend_alone(path):
    assert "mlx" not in packages(path) or label(path) == "engine/backends/mlx_backend.py"


@pytest.mark.parametrize("path", [*page_scripts(), *files_in("app.py", "pages/ui")], ids=label)
def test_a_page_shows_what_others_draw(path):
    assert not packages(path) & {"altair", "vl_convert"}
    assert not [called(call) for call in calls(path) if called(call).split(".")[-1] == "Chart"]


@pytest.mark.parametrize("path", files_in("app.py", "engine", "pages"), ids=label)
def test_nothing_that_sessions_would_share_or_that_is_on_its_way_out(path):
    for call in calls(path):
        name = called(call)
        module, _, function = name.rpartition(".")
        assert not (module and function in FORBIDDEN_CALLS and "st" in module.split(".")), name
        assert name != "gettext.install"
        assert not name.startswith(("alt.themes", "alt.theme.enable", "alt.data_transformers"))
        assert not {keyword.arg for keyword in call.keywords} & FORBIDDEN_KEYWORDS


@pytest.mark.parametrize("path", files_in("app.py", "engine", "pages"), ids=label)
def test_no_error_is_swallowed_whole(path):
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ExceptHandler) and len(node.body) == 1:
            broad = node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
            assert not (broad and isinstance(node.body[0], ast.Pass)), node.lineno


def test_pages_is_a_folder_and_not_a_module_with_code():
    (statement,) = parse(ROOT / "pages/__init__.py").body
    assert isinstance(statement, ast.Expr)


def test_the_top_level_is_the_customers():
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode != 0:
        pytest.skip("this copy was not made with git")
    entries = {line.split("/")[0] for line in listing.stdout.splitlines()}
    assert {entry for entry in entries if not entry.startswith(".")} <= VISIBLE


def constant(call: ast.Call, name: str) -> object:
    values = [keyword.value for keyword in call.keywords if keyword.arg == name]
    return values[0].value if values and isinstance(values[0], ast.Constant) else None


def test_every_page_has_an_address_that_is_no_file_stem():
    # Until app.py has run, Streamlit serves pages/*.py at their stems, without app.py around them.
    stems = {path.stem for path in page_scripts()}
    found = [call for call in calls(ROOT / "app.py") if called(call).split(".")[-1] == "Page"]
    assert found
    for call in found:
        script = call.args[0]
        assert isinstance(script, ast.Constant), ast.unparse(call)
        assert (ROOT / str(script.value)).is_file()
        if constant(call, "default") is not True:
            address = constant(call, "url_path")
            assert isinstance(address, str), ast.unparse(call)
            assert address not in stems
            assert address == address.lower()
    assert sum(constant(call, "default") is True for call in found) == 1


def test_every_page_script_is_in_the_navigation():
    found = [call for call in calls(ROOT / "app.py") if called(call).split(".")[-1] == "Page"]
    scripts = {ROOT / str(call.args[0].value) for call in found}  # type: ignore[attr-defined]
    assert scripts == set(page_scripts())


def modules_after(statement: str) -> set[str]:
    """Return the packages that one import loads in a fresh interpreter."""
    report = f"import sys; {statement}; print(*(name.partition('.')[0] for name in sys.modules))"
    finished = subprocess.run(
        [sys.executable, "-c", report],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(finished.stdout.split())


def test_importing_the_engine_loads_no_mlx_and_nothing_of_the_screen():
    loaded = modules_after("import engine")
    assert "engine" in loaded
    assert not loaded & {"mlx", "streamlit", "altair", "pandas", "vl_convert", "pages"}


@pytest.mark.parametrize("name", HEADLESS)
def test_importing_what_pages_share_loads_no_streamlit(name):
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in files_in(f"pages/{name}")
        if path.stem != "__main__"
    ]
    loaded = modules_after("import " + ", ".join(modules))
    assert "pages" in loaded
    assert "streamlit" not in loaded


@pytest.mark.parametrize("name", ["requirements.txt", "tests/requirements.txt"])
def test_every_requirement_has_a_lower_and_an_upper_bound(name):
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    for line in filter(None, lines):
        bounds = line.partition(";")[0]
        assert ">=" in bounds, line
        assert "<" in bounds.replace(">=", ""), line


def required(name: str) -> set[str]:
    """Return the distributions that a requirements file names, as they are compared."""
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    return {canonical(re.split(r"[\[<>=; ]", line)[0]) for line in filter(None, lines)}


def canonical(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


@pytest.mark.parametrize(
    ("places", "files"),
    [
        (("app.py", "engine", "pages"), ("requirements.txt",)),
        (("tests",), ("requirements.txt", "tests/requirements.txt")),
    ],
)
def test_everything_that_is_imported_is_required(places, files):
    owners, declared = metadata.packages_distributions(), set().union(*map(required, files))
    own = {"app", "engine", "pages", "tests"} | sys.stdlib_module_names
    for path in files_in(*places):
        for package in packages(path) - own - OPTIONAL.get(label(path), set()):
            found = set(map(canonical, owners.get(package, [package])))
            assert found & declared, (label(path), package)


def test_the_product_asks_for_mlx_on_apple_silicon_only():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("mlx")]
    assert 'sys_platform == "darwin" and platform_machine == "arm64"' in line


@pytest.mark.parametrize("failing", [(), (1,), (2,), (1, 2)])
def test_both_phases_run_and_either_can_fail_the_run(monkeypatch, failing):
    asked: list[list[str]] = []

    def run(step, command, **_options):
        asked.append(command[3:])
        if len(asked) in failing:
            raise command_line.StepError(step, len(asked))

    monkeypatch.setattr(command_line, "run", run)
    try:
        command_line.run_tests([])
        code = 0
    except command_line.StepError as failure:
        code = failure.code
    assert code == (failing[0] if failing else 0)
    first, second = asked
    browser = sorted(f"tests/{each.name}" for each in (ROOT / "tests").glob("test_browser*.py"))
    assert second[: len(browser)] == browser, "every file of browser tests"
    assert not any(word.startswith(("-k", "--ignore", "--deselect")) for word in second)
    assert {f"--ignore={each}" for each in browser} <= set(first)


@pytest.mark.parametrize("code", [0, 1])
def test_types_that_do_not_fit_fail_the_run(monkeypatch, code):
    checked = SimpleNamespace(communicate=lambda: (b"said\n", None), returncode=code)
    monkeypatch.setattr("subprocess.Popen", lambda *_words, **_options: checked)
    monkeypatch.setattr(command_line, "run", lambda *_words, **_options: None)
    if code:
        with pytest.raises(command_line.StepError, match="mypy"):
            command_line.check([])
    else:
        command_line.check([])


def test_arguments_reach_pytest_as_they_are(monkeypatch):
    asked: list[list[str]] = []
    monkeypatch.setattr(
        command_line, "run", lambda _step, command, **_options: asked.append(command[3:])
    )
    command_line.run_tests(["tests/test_browser.py", "-k", "deck"])
    assert asked == [["tests/test_browser.py", "-k", "deck"]]


def test_the_command_that_installs_everything_needs_nothing_installed():
    assert packages(ROOT / "tests/__main__.py") <= sys.stdlib_module_names
    assert packages(ROOT / "tests/__init__.py") == set()


def test_every_picture_and_page_of_the_readme_is_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert pictures
    assert [picture for picture in pictures if not (ROOT / picture).is_file()] == []
    titles = re.findall(
        r"st\.Page\(.*?title=(?:t\()?\"([^\"]+)\"", (ROOT / "app.py").read_text("utf-8"), re.S
    )
    assert titles
    assert [title for title in titles if f"| **{title}** |" not in text] == []
