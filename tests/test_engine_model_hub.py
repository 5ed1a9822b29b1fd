"""A download from the hub: the three files as a whole, or a sentence and nothing half."""

from __future__ import annotations

import errno
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import httpx2
import huggingface_hub
import pytest
from huggingface_hub import constants
from huggingface_hub.utils._validators import validate_repo_id

from engine.errors import ModelError, OptionError
from engine.models.hub import USUAL_REPOSITORY, download, is_downloaded
from engine.models.hub_cache import require_repository
from engine.models.loading import forget, load
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
    monkeypatch.setattr("engine.models.hub.CHUNK", PART)
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


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "nonsense", "http://a..b", "http://["])
def test_no_network(cache, address):
    assert "The hub cannot be reached" in refusal(download, NAME, endpoint=address)
    assert not cache.exists()


def test_a_hub_that_vanishes_half_way(hub, cache, monkeypatch):
    """What the library raises when even its last try finds no one."""

    def vanish(*_arguments, **_options):
        raise httpx2.ReadError("gone")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", vanish)
    assert "was cut off" in refusal(fetch, hub)
    assert not left_half(cache)


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
