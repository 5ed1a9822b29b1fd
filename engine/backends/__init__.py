"""Where computation happens, and how it is chosen: always by an argument, never by a global."""

from engine.backends.base import Backend, BackendStatus, Measurement
from engine.backends.registry import available_backends, backend_statuses, get_backend

__all__ = [
    "Backend",
    "BackendStatus",
    "Measurement",
    "available_backends",
    "backend_statuses",
    "get_backend",
]
