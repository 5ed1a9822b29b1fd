"""How much memory this machine has and how much of it is free, its container's limit included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")


def machine_bytes() -> int:
    """Return the memory that programs of this machine may use at most, in bytes.

    What is built in, or the limit of the container (Linux control groups, version 1 and 2)
    where that is smaller. On a Mac the GPU shares this memory, and may use a part of it.
    """
    limits = (group.limit for group in _groups())
    return min([int(psutil.virtual_memory().total), *(each for each in limits if each)])


def free_bytes() -> int:
    """Return the memory that can be used now without swapping, in bytes; never below 0."""
    free = [int(psutil.virtual_memory().available)]
    free += [group.limit - group.used for group in _groups() if group.limit]
    return max(0, min(free))


@dataclass(frozen=True)
class _Group:
    limit: int | None
    used: int


def _groups() -> Iterator[_Group]:
    """Yield the control group of this process and those that contain it, of both versions."""
    for controllers, path in _memberships():
        if controllers == "":
            yield from _read_all(CGROUPS, path, "memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            yield from _read_all(
                CGROUPS / "memory",
                path,
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file",
            )


def _memberships() -> Iterator[tuple[str, str]]:
    """Yield controllers and path of each group: version 2 names no controllers."""
    for line in _text(PROC / "self/cgroup").splitlines():
        parts = line.split(":", 2)
        if len(parts) == 3:
            yield parts[1], parts[2]


def _read_all(mount: Path, path: str, limit: str, used: str, idle: str) -> Iterator[_Group]:
    """Yield the group at ``path`` and those above it; inside a container only some are to be seen.

    Pages of files that have not been used of late count as free: they are dropped on demand.
    """
    own = mount.joinpath(*(part for part in path.split("/") if part not in ("", "..")))
    for folder in (own, *own.parents):
        most = _number(_text(folder / limit))
        current = _number(_text(folder / used)) or 0
        yield _Group(most, max(0, current - _statistic(folder / "memory.stat", idle)))
        if folder == mount:
            return


def _statistic(path: Path, name: str) -> int:
    for line in _text(path).splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return _number(value) or 0
    return 0


def _number(text: str) -> int | None:
    """Return a whole number; None for "max", which sets no limit, and for what is not there."""
    return int(text) if text.strip().isdecimal() else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
