"""A download from the hub: the three files as a whole, or a sentence and nothing half."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx2
import huggingface_hub
import pytest
from huggingface_hub import constants
from huggingface_hub.errors import FileMetadataError
from huggingface_hub.utils._validators import validate_repo_id

from engine.errors import ModelError, OptionError
from engine.models.hub import USUAL_REPOSITORY, download, is_downloaded
from engine.models.hub_cache import require_repository
from engine.models.hub_library import _require_plain
from engine.models.loading import forget, load, loaded
from engine.models.reference import folder_of
from tests.fake_hub import FILES, NEXT_COMMIT, PART, files_of, serving
from tests.model_folders import write_model

NAME = "owner/tiny-model"


class Away(BaseException):
    """What a page raises in its script to end it: no Exception."""


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Return the files of a model whose weights come in several parts."""
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    return files_of(write_model(folder, hidden_size=48, intermediate_size=192))


@pytest.fixture(scope="module", autouse=True)
def session():
    """Close the connections that the library keeps for its next call."""
    yield
    huggingface_hub.close_session()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Let the hub's library keep its files here, and send no one's token."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", True)
    monkeypatch.setattr(
        "huggingface_hub.file_download.time", SimpleNamespace(sleep=lambda _seconds: None)
    )
    monkeypatch.setattr("engine.models.hub_library.CHUNK", PART)
    forget()
    yield tmp_path / "cache"
    forget()


@pytest.fixture
def hub(contents, cache):  # noqa: ARG001 - what is fetched goes there
    with serving({NAME: dict(contents)}) as hub:
        yield hub


def fetch(hub, progress=None, name=NAME):
    return download(name, endpoint=hub.address, progress=progress)


def refusal(call, *arguments, **options):
    with pytest.raises(ModelError) as caught:
        call(*arguments, **options)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def left_half(cache):
    """Return the files that are no whole file of the repository."""
    return list(cache.rglob("*.incomplete"))


def test_the_three_files_arrive_and_can_be_loaded(hub, contents):
    assert not is_downloaded(NAME)
    folder = fetch(hub)
    assert files_of(folder) == contents
    assert is_downloaded(NAME)
    assert folder_of(f"hub:{NAME}") == folder
    model = load(f"hub:{NAME}")
    assert (model.name, model.reference) == ("tiny-model", f"hub:{NAME}")


def test_nothing_but_the_three_files_is_asked_for(hub):
    hub.repositories[NAME] |= {"pytorch_model.bin": b"\x80", "modeling.py": b"print()"}
    fetch(hub)
    assert {path.rsplit("/", 1)[1] for path in hub.asked} == set(FILES)
    assert not any("/xet" in path or "/api" in path for path in hub.asked)


def test_progress_is_told_in_the_thread_that_asked(hub, contents):
    hub.manner.pause = 0.005
    told = []
    fetch(hub, lambda done, total: told.append((done, total, threading.current_thread())))
    whole = sum(map(len, contents.values()))
    assert {total for _, total, _ in told} == {whole}
    assert {thread for _, _, thread in told} == {threading.current_thread()}
    done = [done for done, _, _ in told]
    assert done == sorted(done)
    assert done[-1] == whole
    assert any(0 < part < whole for part in done)


def test_what_is_here_is_not_fetched_again(hub):
    first = fetch(hub)
    hub.asked.clear()
    told = []
    assert fetch(hub, lambda *state: told.append(state)) == first
    assert not any(path.startswith("GET") for path in hub.asked)
    assert told[-1][0] == told[-1][1]


@pytest.mark.parametrize("kind", [Away, KeyboardInterrupt, OSError])
def test_a_download_that_is_stopped_leaves_nothing_half(hub, cache, contents, kind):
    hub.manner.pause = 0.02
    after = len(contents["config.json"]) + len(contents["tokenizer.json"]) + 1

    def stop(done, _total):
        if done > after:
            raise kind

    with pytest.raises(kind):
        fetch(hub, stop)
    assert not left_half(cache)
    assert not is_downloaded(NAME)
    assert "is not on this computer yet" in refusal(folder_of, f"hub:{NAME}")
    hub.manner.pause = 0
    assert files_of(fetch(hub)) == contents


def test_a_download_that_stands_still_can_be_stopped(hub):
    hub.manner.pause = 0.5

    def stop(done, _total):
        if done > 0:
            raise Away

    start = time.perf_counter()
    with pytest.raises(Away):
        fetch(hub, stop)
    assert time.perf_counter() - start < 5
    assert not is_downloaded(NAME)


def test_a_file_that_breaks_off_goes_on_where_it_broke(hub, contents):
    hub.manner.cut_after, hub.manner.cuts = 1 << 16, 2
    hub.manner.said["tokenizer.json"] = len(contents["tokenizer.json"])
    assert files_of(fetch(hub)) == contents
    assert hub.manner.cuts == 0


def test_a_hub_that_starts_over_gives_the_whole_file_too(hub, contents):
    hub.manner.cut_after, hub.manner.cuts, hub.manner.ranges = 1 << 18, 1, False
    told = []
    assert files_of(fetch(hub, lambda *state: told.append(state))) == contents
    assert told[-1][0] == told[-1][1]
    assert all(done <= total for done, total in told)


def test_a_file_that_is_always_cut_off_is_refused_and_fetched_anew(hub, cache, contents):
    hub.manner.cut_after, hub.manner.ranges = 1 << 16, False
    sentence = refusal(fetch, hub)
    assert sentence == (
        f"The download of model.safetensors from {NAME} was cut off; nothing of it is kept, "
        "try again."
    )
    assert not left_half(cache)
    assert not is_downloaded(NAME)
    hub.manner.cut_after = None
    assert files_of(fetch(hub)) == contents


@pytest.mark.parametrize("change", [-1000, 1000])
def test_a_size_that_is_not_true_is_refused(hub, cache, contents, change):
    hub.manner.said["model.safetensors"] = len(contents["model.safetensors"]) + change
    assert "was cut off" in refusal(fetch, hub)
    assert not left_half(cache)
    assert not is_downloaded(NAME)


def test_contents_that_are_not_those_marked_are_refused(hub, cache):
    hub.manner.marks["model.safetensors"] = "b" * 64
    assert "was cut off" in refusal(fetch, hub)
    assert not is_downloaded(NAME)
    assert not list(cache.rglob("b" * 64))
    hub.manner.marks.clear()
    assert fetch(hub)


@pytest.mark.parametrize(
    ("status", "code", "sentence"),
    [
        (404, "RepoNotFound", f"There is no repository {NAME} on the hub, or it is private."),
        (401, "RepoNotFound", f"There is no repository {NAME} on the hub, or it is private."),
        (401, "", f"There is no repository {NAME} on the hub, or it is private."),
        (404, "", f"There is no repository {NAME} on the hub, or it is private."),
        (403, "GatedRepo", f"{NAME} is only given to people who have accepted its terms"),
        (401, "GatedRepo", f"{NAME} is only given to people who have accepted its terms"),
        (403, "", f"The hub gives no access to {NAME}."),
        (404, "RevisionNotFound", f"{NAME} has no config.json."),
        (500, "", "The hub answered with error 500; try again later."),
        (429, "", "The hub answered with error 429; try again later."),
    ],
)
def test_a_hub_that_says_no(hub, cache, status, code, sentence):
    hub.manner.status, hub.manner.code = status, code
    assert sentence in refusal(fetch, hub)
    assert len(hub.asked) == 1
    assert not cache.exists()


def test_a_repository_that_is_not_there(hub):
    assert "There is no repository owner/other" in refusal(fetch, hub, name="owner/other")


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("model.safetensors", f"{NAME} has no model.safetensors; weights in other files"),
        ("tokenizer.json", f"{NAME} has no tokenizer.json."),
    ],
)
def test_a_file_that_the_repository_lacks(hub, cache, missing, sentence):
    hub.manner.missing.add(missing)
    assert sentence in refusal(fetch, hub)
    assert not any(path.startswith("GET") for path in hub.asked)
    assert not cache.exists()


def test_a_web_server_that_is_no_hub(hub):
    hub.manner.no_hub = True
    assert "is not a hub" in refusal(fetch, hub)


NOWHERE = (
    *("nonsense", "http://127.0.0.1:9", "http://a..b", "http://[", "http://[::1", "ftp://x"),
    *("http://h:99999999", "http://h:abc", "http://h:-1", "http://\ud800"),
)


@pytest.mark.parametrize("address", NOWHERE)
def test_no_network(cache, address):
    assert "The hub cannot be reached" in refusal(download, NAME, endpoint=address)
    assert not cache.exists()


@pytest.mark.parametrize("address", [*NOWHERE[1:], "file:///etc/passwd"])
def test_a_hub_that_names_no_store(hub, cache, address):
    hub.manner.store = address.encode("ascii", "replace").decode()
    assert re.search("was cut off|cannot be reached", refusal(fetch, hub))
    assert not left_half(cache)
    assert not is_downloaded(NAME)


def test_a_hub_that_vanishes_half_way(hub, cache, monkeypatch):
    """What the library raises when even its last try finds no one."""

    def vanish(*_arguments, **_options):
        raise httpx2.ReadError("gone")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", vanish)
    assert "was cut off" in refusal(fetch, hub)
    assert not left_half(cache)


PATHS = ("../../../../out", "..", ".", "", "/abs", "a/b", "a\\b", "x" * 300, "-r", "%2e%2e", "é")


def written_into(folder):
    return sorted(path.name for path in folder.rglob("*"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("part", ["mark", "commit"])
def test_a_hub_that_answers_with_a_path_is_refused_before_anything_is_written(
    hub, tmp_path, part, path
):
    if part == "mark":
        hub.manner.marks = dict.fromkeys(FILES, path)
    else:
        hub.commits[NAME] = path
    assert "is not a hub" in refusal(fetch, hub)
    assert not written_into(tmp_path)


class Later:
    """What a hub states once it has been asked about the three files."""

    def __init__(self, hub, value):
        self._hub, self._value = hub, value

    def get(self, _name, usual):
        return self._value if len(self._hub.asked) > len(FILES) else usual


@pytest.mark.parametrize("part", ["marks", "commits"])
def test_a_hub_that_answers_with_a_path_later_is_refused_too(hub, tmp_path, part):
    setattr(hub.manner if part == "marks" else hub, part, Later(hub, "../../../../out"))
    assert "is not a hub" in refusal(fetch, hub)
    assert not written_into(tmp_path)


@pytest.mark.parametrize("mark", ["5f3a-12", "Ab_9", "e" * 128])
def test_marks_of_mirrors_are_taken(hub, contents, mark):
    hub.manner.marks["config.json"] = mark
    assert files_of(fetch(hub)) == contents


@pytest.mark.parametrize(
    ("method", "status", "headers", "refused"),
    [
        ("HEAD", 200, {"X-Repo-Commit": "c1", "ETag": 'W/"c-1"'}, False),
        ("HEAD", 200, {"X-Repo-Commit": "c1", "ETag": 'W/"c/1"'}, True),
        ("HEAD", 200, {"X-Repo-Commit": "c1", "ETag": "W/"}, True),
        ("HEAD", 302, {"X-Repo-Commit": "c1", "ETag": '"c/1"', "X-Linked-ETag": '"c1"'}, False),
        ("HEAD", 302, {"X-Repo-Commit": "c1", "ETag": '"c1"', "X-Linked-ETag": '"c/1"'}, True),
        ("HEAD", 404, {"X-Repo-Commit": "c1", "ETag": 'W/"a/b+c="'}, False),
        ("HEAD", 404, {"X-Repo-Commit": "../c1"}, True),
        ("HEAD", 200, {"ETag": '"a/b"'}, False),
        ("GET", 200, {"X-Repo-Commit": "c/1", "ETag": '"a/b"'}, False),
    ],
)
def test_only_what_the_library_names_files_after_has_to_be_plain(method, status, headers, refused):
    request = httpx2.Request(method, "http://hub")
    response = httpx2.Response(status, headers=headers, request=request)
    if refused:
        with pytest.raises(FileMetadataError):
            _require_plain(response)
    else:
        _require_plain(response)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:9"),
        ("HTTP_PROXY", "ftp://127.0.0.1:9"),
        ("HTTP_PROXY", "http://[::1"),
        ("SSL_CERT_FILE", "/nowhere"),
        ("SSL_CERT_FILE", __file__),
    ],
)
def test_settings_with_which_no_connection_can_be_made(hub, monkeypatch, name, value):
    huggingface_hub.close_session()
    with monkeypatch.context() as wrong:
        wrong.setenv(name, value)
        sentence = refusal(fetch, hub)
        assert sentence.startswith("No connection can be made with the settings of this computer")
        assert "SSL_CERT_FILE" in sentence
    assert not hub.asked
    assert fetch(hub)


@pytest.mark.usefixtures("cache")
def test_a_library_that_does_not_start(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub.constants", None)
    for call in (lambda: download(NAME), lambda: load(f"hub:{NAME}")):
        assert "The hub's library does not start with the settings of this" in refusal(call)
    assert not is_downloaded(NAME)
    assert loaded(f"hub:{NAME}") is None


def test_a_setting_of_the_library_that_is_none():
    """It is read as the library is imported: in a program of its own."""
    script = (
        "from engine.models.hub import *\n"
        "try: print(is_downloaded('a/b'), download('a/b'))\n"
        "except EngineError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "HF_HUB_DOWNLOAD_TIMEOUT": "abc", "HF_ENDPOINT": "http://127.0.0.1:9"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("The hub's library does not start with the settings of this")
    assert "abc" in done.stdout


def test_a_token_that_cannot_be_sent(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setenv("HF_TOKEN", "hf_é")
    assert "a character that no token has; check HF_TOKEN" in refusal(fetch, hub)
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", "/dev/null/token")
    assert "cannot be read: Not a directory" in refusal(fetch, hub)
    assert not hub.asked
    monkeypatch.setenv("HF_TOKEN", "hf_e")
    assert fetch(hub)


def zeroed(content):
    return bytes(len(content))


def cut(content):
    return content[: len(content) // 2]


def changed(content):
    return content[:-1] + bytes([content[-1] ^ 1])


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *((name, damage) for name in FILES for damage in (zeroed, cut)),
        ("model.safetensors", changed),
        ("tokenizer.json", lambda _content: b""),
        ("model.safetensors", lambda _content: None),
    ],
)
def test_a_damaged_file_in_the_cache_is_fetched_anew(hub, contents, name, damage):
    folder = fetch(hub)
    assert is_downloaded(NAME)
    real = (folder / name).resolve()
    real.unlink()
    if (left := damage(contents[name])) is not None:
        real.write_bytes(left)
    assert not is_downloaded(NAME)
    hub.asked.clear()
    assert fetch(hub) == folder
    assert {path.rsplit("/", 1)[1] for path in hub.asked if path.startswith("GET")} == {name}
    assert is_downloaded(NAME)
    assert files_of(folder) == contents


@pytest.mark.parametrize("name", FILES)
def test_damage_that_another_version_links_to_is_mended_too(hub, contents, name):
    real = (fetch(hub) / name).resolve()
    real.write_bytes(cut(contents[name]))
    hub.commits[NAME] = NEXT_COMMIT
    folder = fetch(hub)
    assert folder.name == NEXT_COMMIT
    assert files_of(folder) == contents


def test_a_folder_in_place_of_a_file_of_the_cache_is_said(hub):
    folder = fetch(hub)
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()
    assert not is_downloaded(NAME)
    assert "cache cannot be written" in refusal(fetch, hub)


def test_what_only_looks_odd_in_the_cache_is_no_damage(hub):
    """A model that cannot be run is what the hub has: another fetch would bring it again."""
    folder = fetch(hub)
    path = (folder / "config.json").resolve()
    path.write_bytes(path.read_bytes().replace(b"BertModel", b"RobModels"))
    assert is_downloaded(NAME)


def test_offline_by_choice(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert "while HF_HUB_OFFLINE is set" in refusal(fetch, hub)


def test_a_model_that_is_too_large_is_not_fetched(hub):
    hub.manner.said["model.safetensors"] = 5 * 10**9
    assert "model.safetensors has 5000 MB; at most 4000 MB" in refusal(fetch, hub)
    assert not any(path.startswith("GET") for path in hub.asked)


def test_a_model_that_cannot_be_run_is_refused_before_its_weights(hub, contents):
    config = contents["config.json"].replace(b'"BertModel"', b'"RobertaForMaskedLM"')
    hub.repositories[NAME]["config.json"] = config.replace(b'"bert"', b'"roberta"')
    assert "RobertaForMaskedLM" in refusal(fetch, hub)
    assert not any(path.startswith("GET") and "safetensors" in path for path in hub.asked)


def test_a_disk_without_room(hub, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=5 * 10**6))
    assert "the disk has 5 MB free" in refusal(fetch, hub)
    assert not any(path.startswith("GET") for path in hub.asked)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [(errno.ENOSPC, "The disk is full"), (errno.EROFS, "cache cannot be written: Read-only")],
)
def test_a_disk_that_refuses_half_way(hub, cache, monkeypatch, number, sentence):
    def fail(*_arguments, **_options):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("huggingface_hub.file_download.http_get", fail)
    assert sentence in refusal(fetch, hub)
    assert not left_half(cache)


def test_a_cache_that_is_a_file(hub, cache):
    cache.write_text("in the way")
    assert "cache cannot be written" in refusal(fetch, hub)
    assert not is_downloaded(NAME)


@pytest.mark.parametrize(
    "name",
    [
        *("", "gpt2", "a/b/c", "/a", "a/", "../b", "a/..", "a/b..c", "a/b--c", "a/b.git", "-a/b"),
        *("a/b-", "a b/c", "a/b\n", "a/b\0", "https://huggingface.co/a/b", "a\\b", "a/b?x=1"),
        *("é/b", "a/b%2f", "x" * 97 + "/b", "\udcff/b"),
    ],
)
@pytest.mark.usefixtures("cache")
def test_names_that_no_repository_has(name):
    assert "is not the name of a repository" in refusal(download, name, endpoint="http://[")
    assert not is_downloaded(name)


@pytest.mark.parametrize("name", [USUAL_REPOSITORY, "a/b", "A_1/b-2.3", "x" * 96 + "/" + "y" * 96])
def test_names_that_a_repository_may_have(name):
    assert require_repository(name) == name
    validate_repo_id(name)


@pytest.mark.parametrize("name", [None, 3, b"a/b", ("a", "b")])
def test_a_name_that_is_no_text(name):
    with pytest.raises(OptionError):
        download(name)
    assert not is_downloaded(name)


def test_two_who_ask_at_once_both_get_it(hub, cache, contents):
    hub.manner.pause = 0.005
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: fetch(hub), range(2))
    assert first == second
    assert files_of(first) == contents
    weights = [path for path in hub.asked if path.startswith("GET /store")]
    assert len(weights) == 1
    assert not left_half(cache)


def test_the_last_whole_version_counts_while_a_new_one_is_half(hub, contents):
    old = fetch(hub)
    hub.commits[NAME] = NEXT_COMMIT
    hub.repositories[NAME]["model.safetensors"] = contents["model.safetensors"][::-1]
    hub.repositories[NAME]["config.json"] = contents["config.json"] + b"\n"
    hub.manner.cut_after, hub.manner.ranges = 1 << 16, False
    assert "was cut off" in refusal(fetch, hub)
    assert folder_of(f"hub:{NAME}") == old
    hub.manner.cut_after = None
    new = fetch(hub)
    assert new != old
    assert folder_of(f"hub:{NAME}") == new


def test_a_version_that_changes_on_the_way_is_refused(hub):
    hub.manner.moves_after = "tokenizer.json"
    assert "was changed on the hub while it was fetched" in refusal(fetch, hub)
    assert not is_downloaded(NAME)
    assert fetch(hub)


def test_what_a_killed_program_left_behind_is_removed(hub, cache):
    fetch(hub)
    blobs = next(cache.rglob("blobs"))
    for name, age in (("old", 10_000), ("young", 1)):
        left = blobs / f"{name}.incomplete"
        left.write_bytes(b"half")
        os.utime(left, (time.time() - age,) * 2)
    fetch(hub)
    assert [path.name for path in left_half(cache)] == ["young.incomplete"]
