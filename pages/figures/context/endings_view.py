"""Which head is looked at where two texts are compared."""

from __future__ import annotations

from dataclasses import dataclass

from engine.experiments.context.endings import EndingsResult
from engine.experiments.scaling.inputs import require_count


@dataclass(frozen=True)
class EndingsView:
    """A head; layer and head count from 1."""

    layer: int = 5
    head: int = 1

    def at(self, result: EndingsResult) -> tuple[int, int]:
        """Return layer and head from 0.

        Raises
        ------
        OptionError
            When the model has no such layer or head.
        """
        require_count("layer", self.layer, 1, result.first.layers)
        require_count("head", self.head, 1, result.first.heads)
        return self.layer - 1, self.head - 1
