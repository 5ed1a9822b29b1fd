"""How a model is named: nothing, a folder of this computer, or a repository of the hub."""

from __future__ import annotations

import os
from pathlib import Path

from engine.errors import ModelError
from engine.experiments.text_given import require_text
from engine.models.files import unreadable
from engine.models.hub_cache import require_repository, snapshot_of

HUB = "hub:"
_IN_CACHE = "models--"  # before owner--name, in the hub's cache
_SAYS_NOTHING = ("model", "models", "snapshot", "snapshots", "checkpoint", "main", "latest")


def folder_of(reference: str) -> Path:
    """Return the folder of a model that is on this computer.

    Parameters
    ----------
    reference : str
        A folder's path, absolute or from ``~``; or ``hub:owner/name``, which stands for the
        snapshot in the hub's cache. Nothing is fetched.

    Raises
    ------
    OptionError
        If the reference is no text.
    ModelError
        If the reference is empty or malformed, or there is no such model here.
    """
    require_text("model", reference)
    if not reference.strip():
        raise ModelError("No model is named; give a folder, or hub:owner/name.")
    repository = repository_of(reference)
    return _folder(reference.strip()) if repository is None else _snapshot(repository)


def repository_of(reference: str) -> str | None:
    """Return the repository that a reference names, or None if it names a folder.

    Raises
    ------
    ModelError
        If it names the hub, but no repository can be called so.
    """
    reference = reference.strip()
    if not reference.startswith(HUB):
        return None
    return require_repository(reference.removeprefix(HUB))


def name_of(reference: str) -> str:
    """Return what a model is called: the last part of its folder's path or repository's name.

    A part that every model may have, such as ``model``, is passed over for the one before it; a
    folder inside the hub's cache is called as its repository.
    """
    written = reference.strip()
    parts = _parts(written.removeprefix(HUB))
    for place, part in enumerate(parts):
        if part.startswith(_IN_CACHE) and parts[place + 1 : place + 2] == ["snapshots"]:
            parts = [*part.removeprefix(_IN_CACHE).split("--"), *parts[place + 3 :]]
            break
    telling = [part for part in parts if part.lower() not in _SAYS_NOTHING]
    return (telling or parts or [reference])[-1]


def _parts(written: str) -> list[str]:
    """Return the names of a path from the outermost on, without its root and ``..``."""
    try:
        path = Path(written).expanduser()
    except RuntimeError:  # there is no such user
        path = Path(written)
    return [part for part in Path(os.path.normpath(path)).parts if part not in (path.anchor, "..")]


def _snapshot(repository: str) -> Path:
    found = snapshot_of(repository)
    if found is None:
        raise ModelError(
            "{repository} is not on this computer yet; download it first.", repository=repository
        )
    return found


def _folder(written: str) -> Path:
    path = _path(written)
    try:
        if path.is_dir():
            return path
        exists = path.exists()
    except OSError as error:
        raise unreadable(path, error) from error
    if exists:
        raise ModelError(
            "{path} is a file; give the folder that holds config.json, tokenizer.json and "
            "model.safetensors.",
            path=written,
        )
    raise ModelError("There is no folder {path}.", path=written)


def _path(written: str) -> Path:
    """Return the path that a text names; characters that no path has would be refused later."""
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in written):
        raise ModelError("The folder's path holds a character that no path has.")
    try:
        path = Path(written).expanduser()
    except RuntimeError as error:
        raise ModelError("There is no folder {path}.", path=written) from error
    if not path.is_absolute():
        raise ModelError(
            "{path} is not a whole path; begin with / or ~, or name a model of the hub as "
            "hub:owner/name.",
            path=written,
        )
    return path
