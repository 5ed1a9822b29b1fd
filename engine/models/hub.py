"""Models of the Hugging Face Hub: three files each, fetched when a person asks for it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError, ModelError
from engine.models.background import in_background
from engine.models.config import config_from
from engine.models.files import CONFIG, FILES, WEIGHTS, read_json, require_size
from engine.models.hub_cache import repository_folder, require_repository, snapshot_of
from engine.models.hub_files import is_readable, is_undamaged, is_whole, remove
from engine.models.hub_library import prepare
from engine.models.hub_meter import Meter
from engine.models.hub_refusals import cut_off, in_words

USUAL_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
TIMEOUT = 10.0  # seconds until the hub has to answer
ROOM = 10**8  # bytes that stay free on the disk
_LEFT_BEHIND = 600.0  # seconds without a byte, after which no download is still writing


@dataclass(frozen=True)
class Asked:
    """What the hub says of a file before it is fetched.

    Its name, size in bytes, mark (what its contents are known by), and commit (the repository's
    version that it belongs to).
    """

    name: str
    size: int
    mark: str
    commit: str


def download(
    repository: str,
    *,
    progress: Callable[[int, int], None] | None = None,
    endpoint: str | None = None,
) -> Path:
    """Fetch ``config.json``, ``tokenizer.json`` and ``model.safetensors`` of a repository.

    The library huggingface_hub fetches them into its cache; nothing else of the repository is
    fetched, and nothing of it is run. A file that is cut off is tried again where it broke off;
    when that fails too, what came of it is removed and the next download starts it anew. Files
    that came as a whole stay; what is here and damaged is fetched anew.

    Parameters
    ----------
    repository : str
        ``owner/name``.
    progress : callable, optional
        Told bytes done and bytes in all about ten times a second, in the caller's thread; may
        raise anything to stop. The file under way is removed then.
    endpoint : str, optional
        Address of the hub; the environment's ``HF_ENDPOINT`` or the public one by default.

    Returns
    -------
    Path
        The folder that holds the three files, in the hub's cache.

    Raises
    ------
    OptionError
        If the name is no text.
    ModelError
        If it cannot be fetched as a whole, or is no model that can be run.
    """
    require_repository(repository)
    prepare()
    asked = [_ask(repository, name, endpoint) for name in FILES]
    total = sum(file.size for file in asked)
    with in_words(repository, WEIGHTS, begun=False):
        _require_room(repository, total)
    meter = Meter()

    def tell() -> None:
        if progress is not None:
            progress(min(meter.done, total), total)

    return in_background(
        lambda: _fetch_all(repository, asked, meter, endpoint), tell=tell, stop=meter.stop
    )


def is_downloaded(repository: str) -> bool:
    """Say, without asking the hub, whether the three files of a repository are here, undamaged.

    The weights are compared with their mark, so that they are read as a whole.
    """
    try:
        snapshot = snapshot_of(repository)
    except EngineError:
        return False
    return snapshot is not None and is_undamaged(snapshot)


def _ask(repository: str, name: str, endpoint: str | None) -> Asked:
    """Ask the hub for a file's size, and refuse one that is too large."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    with in_words(repository, name, begun=False):
        address = hf_hub_url(repository, name, endpoint=_trimmed(endpoint))
        found = get_hf_file_metadata(address, timeout=TIMEOUT, endpoint=_trimmed(endpoint))
    size, mark, commit = found.size, found.etag, found.commit_hash
    if size is None or size < 0 or mark is None or commit is None:
        raise ModelError(
            "What answers at the hub's address is not a hub; check the network and HF_ENDPOINT."
        )
    require_size(name, size)
    return Asked(name, size, mark, commit)


def _trimmed(endpoint: str | None) -> str | None:
    return None if endpoint is None else endpoint.rstrip("/")


def _require_room(repository: str, total: int) -> None:
    """Refuse a download that would fill the disk."""
    folder = repository_folder(repository)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    if free < total + ROOM:
        raise ModelError(
            "{repository} needs {size} MB, and the disk has {free} MB free.",
            repository=repository,
            size=-(-(total + ROOM) // 10**6),
            free=free // 10**6,
        )


def _fetch_all(repository: str, asked: list[Asked], meter: Meter, endpoint: str | None) -> Path:
    """Fetch the files one after another, the small ones first."""
    _sweep(repository)
    folders = set()
    for file in asked:
        path = _fetch(repository, file, meter, endpoint)
        if file.name == CONFIG:
            config_from(read_json(path.parent, CONFIG))  # before a large file that is of no use
        folders.add(path.parent)
    if len(folders) != 1:
        raise ModelError(
            "{repository} was changed on the hub while it was fetched; try again.",
            repository=repository,
        )
    return folders.pop()


def _fetch(repository: str, file: Asked, meter: Meter, endpoint: str | None) -> Path:
    from huggingface_hub import hf_hub_download

    with in_words(repository, file.name, begun=True):
        _drop_damaged(repository, file)
        path = Path(
            hf_hub_download(
                repository,
                file.name,
                endpoint=_trimmed(endpoint),
                etag_timeout=TIMEOUT,
                tqdm_class=meter.bar_of(file.name, file.size, cut_off(repository, file.name)),
            )
        )
        if not is_whole(path, file.size, file.mark):
            remove(path)
            raise cut_off(repository, file.name)
    meter.finish(file.name, file.size)
    return path


def _drop_damaged(repository: str, file: Asked) -> None:
    """Remove a file that is here and damaged: the library would take it for the one it fetches."""
    folder = repository_folder(repository)
    path = folder / "snapshots" / file.commit / file.name
    if path.exists() and not (
        is_whole(path, file.size, file.mark) and is_readable(path.parent, file.name)
    ):
        remove(path)
    content = folder / "blobs" / file.mark  # another version may have linked to it
    if content.exists() and not is_whole(content, file.size, file.mark):
        remove(content)


def _sweep(repository: str) -> None:
    """Remove what downloads left behind whose program was ended by force."""
    for path in (repository_folder(repository) / "blobs").glob("*.incomplete"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _LEFT_BEHIND:
                path.unlink()
