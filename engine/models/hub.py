"""Models of the Hugging Face Hub: three files each, fetched when a person asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

USUAL_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"


def download(
    repository: str,
    *,
    progress: Callable[[int, int], None] | None = None,
    endpoint: str | None = None,
) -> Path:
    """Fetch ``config.json``, ``tokenizer.json`` and ``model.safetensors`` of a repository.

    Parameters
    ----------
    repository : str
        ``owner/name``.
    progress : callable, optional
        Told bytes done and bytes in all, in the caller's thread; may raise anything to stop.
    endpoint : str, optional
        Address of the hub; the environment's ``HF_ENDPOINT`` or the public one by default.

    Returns
    -------
    Path
        The folder that holds the three files, in the hub's cache.

    Raises
    ------
    ModelError
        If it cannot be fetched as a whole.
    """
    raise NotImplementedError


def is_downloaded(repository: str) -> bool:
    """Say, without asking the hub, whether the three files of a repository are here."""
    raise NotImplementedError
