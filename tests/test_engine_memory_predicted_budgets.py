"""The memory of this machine, and of the container around it, on files made for the test."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from engine.backends import machine_memory
from engine.backends.machine_memory import free_bytes, machine_bytes
from engine.experiments.memory.budgets import GIB, GPUS, MACS

TOTAL, AVAILABLE = 64 * GIB, 40 * GIB
UNLIMITED_V1 = 9_223_372_036_854_771_712  # what version 1 writes where no limit is set


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that lays out files; nothing of the real machine is read."""
    monkeypatch.setattr(machine_memory, "PROC", tmp_path / "proc")
    monkeypatch.setattr(machine_memory, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(
        psutil, "virtual_memory", lambda: SimpleNamespace(total=TOTAL, available=AVAILABLE)
    )

    def lay_out(membership="", files=None):
        (tmp_path / "proc/self").mkdir(parents=True)
        (tmp_path / "proc/self/cgroup").write_text(membership)
        for name, text in (files or {}).items():
            path = tmp_path / "cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")

    return lay_out


@pytest.mark.usefixtures("machine")
def test_without_control_groups_it_is_what_is_built_in():
    assert (machine_bytes(), free_bytes()) == (TOTAL, AVAILABLE)  # a Mac: no such files at all


@pytest.mark.parametrize(
    ("files", "total", "free"),
    [
        ({"memory.max": 8 * GIB, "memory.current": 3 * GIB}, 8 * GIB, 5 * GIB),
        ({"memory.max": "max", "memory.current": 3 * GIB}, TOTAL, AVAILABLE),
        ({"memory.max": 100 * GIB, "memory.current": 1 * GIB}, TOTAL, AVAILABLE),
        # much is used, yet some of it only by files that nothing reads any more
        (
            {
                "memory.max": 8 * GIB,
                "memory.current": 7 * GIB,
                "memory.stat": f"anon {GIB}\nactive_file {GIB}\ninactive_file {5 * GIB}",
            },
            8 * GIB,
            6 * GIB,
        ),
        ({"memory.max": 8 * GIB, "memory.current": 9 * GIB}, 8 * GIB, 0),
        ({"memory.max": 8 * GIB, "memory.stat": "inactive_file 5"}, 8 * GIB, 8 * GIB),
        ({"memory.max": "what", "memory.current": ""}, TOTAL, AVAILABLE),
        ({"memory.max": 8 * GIB, "memory.current": 0, "memory.stat": "inactive_file"},
         8 * GIB, 8 * GIB),
    ],
)  # fmt: skip
def test_a_container_of_version_2(machine, files, total, free):
    machine("0::/\n", files)
    assert (machine_bytes(), free_bytes()) == (total, free)


def test_in_version_2_the_smallest_limit_of_all_groups_above_holds(machine):
    machine(
        "0::/system.slice/app.service\n",
        {
            "system.slice/app.service/memory.max": "max",
            "system.slice/app.service/memory.current": GIB,
            "system.slice/memory.max": 4 * GIB,
            "system.slice/memory.current": 3 * GIB,
        },
    )
    assert (machine_bytes(), free_bytes()) == (4 * GIB, GIB)


V1 = "9:name=systemd:/docker/abc\n4:cpu,memory:/docker/abc\n0::/\n"


@pytest.mark.parametrize("folder", ["memory/docker/abc", "memory/docker", "memory"])
def test_a_container_of_version_1_sees_its_limit_at_its_path_or_at_the_top(machine, folder):
    machine(
        V1,
        {
            f"{folder}/memory.limit_in_bytes": 6 * GIB,
            f"{folder}/memory.usage_in_bytes": 5 * GIB,
            f"{folder}/memory.stat": f"inactive_file 7\ntotal_inactive_file {2 * GIB}",
        },
    )
    assert (machine_bytes(), free_bytes()) == (6 * GIB, 3 * GIB)


def test_version_1_without_a_limit(machine):
    machine(V1, {"memory/memory.limit_in_bytes": UNLIMITED_V1,
                 "memory/memory.usage_in_bytes": 5 * GIB})  # fmt: skip
    assert (machine_bytes(), free_bytes()) == (TOTAL, AVAILABLE)


def test_a_path_that_leads_out_of_the_groups_is_not_followed(machine, tmp_path):
    (tmp_path / "memory.max").write_text("1")
    machine("0::/../../..\n", {"memory.max": 8 * GIB})
    assert machine_bytes() == 8 * GIB


@pytest.mark.parametrize("text", ["nonsense", "::", "0:", "0::/容器", "a:b:c:d"])
def test_a_list_of_groups_that_cannot_be_read_sets_no_limit(machine, text):
    machine(text)
    assert (machine_bytes(), free_bytes()) == (TOTAL, AVAILABLE)


def test_what_is_said_of_this_machine_is_possible():
    real = psutil.virtual_memory()
    assert 0 < machine_bytes() <= real.total
    assert 0 <= free_bytes() <= real.total


def test_what_is_on_sale_rises():
    assert list(MACS) == sorted(set(MACS))
    assert (MACS[0], MACS[-1]) == (8, 512)
    assert GPUS == (24, 80, 141)
