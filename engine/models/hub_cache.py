"""Repositories of the Hugging Face Hub by name, and what of them is on this computer."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import ModelError
from engine.experiments.text_given import require_text
from engine.models.files import FILES
from engine.models.hub_library import require_library

# What the hub allows, with an owner: letters, digits, - _ . inside; up to 96 characters each.
_PART = r"\w(?:[\w.-]{0,94}\w)?"
_NAME = re.compile(f"{_PART}/{_PART}", re.ASCII)
_FORBIDDEN = ("--", "..")  # they would be read as other paths


def require_repository(repository: object) -> str:
    """Return the name of a repository, ``owner/name``.

    Raises
    ------
    OptionError
        If it is no text.
    ModelError
        If no repository can be called so.
    """
    require_text("repository", repository)
    repository = str(repository)
    if not _is_name(repository):
        raise ModelError(
            "{repository} is not the name of a repository; it has the form owner/name, in "
            "letters, digits, dots, hyphens and underscores.",
            repository=repr(repository),
        )
    return repository


def snapshot_of(repository: str) -> Path | None:
    """Return the folder that holds a repository's three files, or None.

    Of several versions it is the one that was the newest at the last download; where that one is
    not complete, as when its download was stopped, the latest that is.
    """
    folder = repository_folder(repository)
    try:
        newest = (folder / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        newest = ""
    complete = [(path.name == newest, age, path) for path, age in _complete(folder)]
    return max(complete)[2] if complete else None


def repository_folder(repository: str) -> Path:
    """Return the folder of the hub's cache that a repository has, whether it exists or not.

    Raises
    ------
    ModelError
        If the name is none, or the library does not start.
    """
    require_library()
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    name = repo_folder_name(repo_id=require_repository(repository), repo_type="model")
    return Path(constants.HF_HUB_CACHE) / name


def _is_name(repository: str) -> bool:
    allowed = _NAME.fullmatch(repository) and not repository.endswith(".git")
    return bool(allowed) and not any(part in repository for part in _FORBIDDEN)


def _complete(folder: Path) -> list[tuple[Path, float]]:
    """Return the snapshots that hold all three files, and when each was made."""
    try:
        found = [path for path in (folder / "snapshots").iterdir() if _is_complete(path)]
        return [(path, path.stat().st_mtime) for path in found]
    except OSError:  # there is none, or it is out of reach
        return []


def _is_complete(snapshot: Path) -> bool:
    return all((snapshot / name).is_file() for name in FILES)
