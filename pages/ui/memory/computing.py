"""Computes what the tabs of predictions show."""

from __future__ import annotations

from engine.experiments.memory.predicted import Params, Result, run
from pages.gallery.kept_results import Kept
from pages.text import Translator
from pages.ui import status
from pages.ui.computed import Computed
from pages.ui.memory import state

PREDICTED: Kept[Params, Result] = Kept(
    lambda params, backend, _listener: run(params, backend=backend), 6
)
_PREDICTED = Computed(f"{state.PAGE}.predicted", PREDICTED, state.predicted_params, Params())


def predicted(t: Translator) -> Result:
    """Return what the chosen attention needs."""
    result = _PREDICTED.shown(t)
    status.record(result.seconds)
    status.record_precision(t("whole numbers"))
    return result
