"""How much memory there is: in this machine, and in those on sale."""

from __future__ import annotations

from dataclasses import dataclass

from engine.backends.machine_memory import machine_bytes

GIB = 2**30
# "24 GB" of a data sheet is counted as 24 GiB, 24 x 2^30 bytes, as memory is built; what a GPU
# itself reports is up to 1 % less.
MACS = (8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512)  # GiB that Macs were sold with
GPUS = (24, 80, 141)  # GiB: GeForce RTX 4090, A100 and H100, H200


@dataclass(frozen=True)
class Budget:
    """An amount of memory.

    Attributes
    ----------
    name : {"machine", ""}
        Whether it is the memory of this machine.
    bytes : int
        How much.
    """

    name: str
    bytes: int


def budget_of(gib: float) -> Budget:
    """Return a budget of so many GiB; 0 stands for the memory of this machine."""
    return Budget("", int(gib * GIB)) if gib else machine_budget()


def machine_budget() -> Budget:
    """Return the memory of this machine as a budget."""
    return Budget("machine", machine_bytes())
