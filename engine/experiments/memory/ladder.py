"""From one T x T matrix to what a whole model would hold of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.memory.params import Params


@dataclass(frozen=True)
class Step:
    """One factor, and the bytes when it is counted too.

    Attributes
    ----------
    name : {"matrix", "heads", "batch", "layers"}
        What is counted.
    factor : int
        By which the bytes before are multiplied; of "matrix" the bytes of one T x T matrix.
    bytes : int
        The product of all factors so far.
    """

    name: str
    factor: int
    bytes: int


def steps_of(params: Params) -> tuple[Step, ...]:
    """Return one matrix of scores, then all heads, all sequences (unless it is one), all layers.

    It counts the scores of every device together, and every layer as dense, as training without
    recomputation keeps them. GPT-3, T = 2,048, float32: 16 MiB, 1.5 GiB (96 heads), 144 GiB (96
    layers).
    """
    factors = {
        "matrix": params.T * params.T * params.itemsize,
        "heads": params.heads,
        "batch": params.batch,
        "layers": params.layers,
    }
    steps: list[Step] = []
    total = 1
    for name, factor in factors.items():
        if name == "batch" and factor == 1:
            continue
        total *= factor
        steps.append(Step(name, factor, total))
    return tuple(steps)
