"""The three files a model is made of, and what can be wrong with a file before it is read."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Any

from engine.errors import ModelError

CONFIG = "config.json"
TOKENIZER = "tokenizer.json"
WEIGHTS = "model.safetensors"
FILES = (CONFIG, TOKENIZER, WEIGHTS)
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
MOST_BYTES = {CONFIG: 10**6, TOKENIZER: 10**8, WEIGHTS: 4 * 10**9}

Stamp = tuple[tuple[int, int, int], ...]


def require_file(folder: Path, name: str) -> Path:
    """Return the path of one of a model's files, which is a file of a size that can be read.

    Raises
    ------
    ModelError
        If it is missing, of another kind (a folder, a socket), too large, or out of reach.
    """
    path = folder / name
    status = _status(path)
    if not stat.S_ISREG(status.st_mode):
        raise ModelError("{path} is not a file.", path=str(path))
    require_size(name, status.st_size)
    return path


def require_size(name: str, size: int) -> None:
    """Refuse a file of so many bytes if this program does not read such large ones."""
    if size > MOST_BYTES[name]:
        raise ModelError(
            "{file} has {size} MB; at most {most} MB are read.",
            file=name,
            size=-(-size // 10**6),
            most=MOST_BYTES[name] // 10**6,
        )


def unreadable(path: Path, error: OSError) -> ModelError:
    """Return the refusal for a file that the system does not let this program read."""
    return ModelError(
        "{path} cannot be read: {reason}.", path=str(path), reason=error.strerror or str(error)
    )


def read_json(folder: Path, name: str) -> Any:
    """Return what one of a model's files says in JSON.

    Raises
    ------
    ModelError
        If it cannot be read, or is not JSON.
    """
    path = require_file(folder, name)
    try:
        return json.loads(read_text(path))
    except ModelError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelError("{path} is not valid JSON.", path=str(path)) from error


def read_text(path: Path) -> str:
    """Return the text of a file, without the mark of UTF-8 that some editors put before it.

    Raises
    ------
    ModelError
        If the system does not let this program read it.
    UnicodeError
        If it is not text in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise unreadable(path, error) from error


def stamp_of(folder: Path) -> Stamp:
    """Return what changes when one of the files is written again: size, time, identity.

    Raises
    ------
    ModelError
        If a file is missing or out of reach.
    """
    statuses = [_status(folder / name) for name in FILES]
    return tuple((status.st_size, status.st_mtime_ns, status.st_ino) for status in statuses)


def version_of(folder: Path) -> str:
    """Return the first 12 hexadecimal digits of the SHA-256 of the three files, one after another.

    Raises
    ------
    ModelError
        If a file cannot be read.
    """
    whole = hashlib.sha256()
    for name in FILES:
        path = require_file(folder, name)
        try:
            with path.open("rb") as file:
                while part := file.read(1 << 20):
                    whole.update(part)
        except OSError as error:
            raise unreadable(path, error) from error
    return whole.hexdigest()[:12]


def _status(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except FileNotFoundError as error:
        raise _missing(path.parent, path.name) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _missing(folder: Path, name: str) -> ModelError:
    """Return the refusal for a file that is not there; of weights, say what is there instead."""
    if name == WEIGHTS and (folder / f"{WEIGHTS}.index.json").exists():
        return ModelError(
            "The weights in {folder} are split over several files; only a single "
            "model.safetensors is read.",
            folder=str(folder),
        )
    if name == WEIGHTS and any(file.suffix in _PICKLES for file in folder.glob("*")):
        return ModelError(
            "{folder} has its weights in a pickle only, which could run any program; pickles are "
            "never opened, model.safetensors is read instead.",
            folder=str(folder),
        )
    return ModelError(
        "There is no {file} in {folder}; a model's folder holds config.json, tokenizer.json and "
        "model.safetensors.",
        file=name,
        folder=str(folder),
    )
