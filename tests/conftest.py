"""What every test shares: one ``backend`` fixture that runs a test on every backend."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from engine import backend_statuses, get_backend
from tests.browser import chromium_path  # noqa: F401 - a fixture
from tests.browsing import address, browser, model_hub, visit  # noqa: F401 - fixtures

# A backend that hypothesis examples share is meant: it holds no state between calls.
settings.register_profile(
    "workbench",
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("workbench")


def require_backend(name):
    """Return a backend; without it fail where all are required, else skip with the reason."""
    status = {status.name: status for status in backend_statuses()}[name]
    if not status.available:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI needs every backend, but {name} is missing: {status.reason}")
        pytest.skip(str(status.reason))
    return get_backend(name)


@pytest.fixture(params=["numpy", "mlx"])
def backend(request):
    """Every backend the product knows, one after the other."""
    return require_backend(request.param)
