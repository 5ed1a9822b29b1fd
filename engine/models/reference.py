"""How a model is named: nothing, a folder of this computer, or a repository of the hub."""

from __future__ import annotations

from pathlib import Path

HUB = "hub:"


def folder_of(reference: str) -> Path:
    """Return the folder of a model that is on this computer.

    Parameters
    ----------
    reference : str
        A folder's path, absolute or from ``~``; or ``hub:owner/name``, which stands for the
        snapshot in the hub's cache. Nothing is fetched.

    Raises
    ------
    ModelError
        If the reference is empty or malformed, or there is no such model here.
    """
    raise NotImplementedError


def name_of(reference: str) -> str:
    """Return the last part of a folder's path or of a repository's name."""
    raise NotImplementedError
