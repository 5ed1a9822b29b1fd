"""The hub's own library, set so that it can be followed, stopped, and trusted with a path."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.experiments.number_text import shortened

if TYPE_CHECKING:
    from httpx2 import Client, Response

CHUNK = 1 << 18  # bytes between two looks at whether to stop
# Of the hub itself they are a SHA-1 or SHA-256 in hexadecimal; mirrors have others.
_PLAIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,127}", re.ASCII)
_LONGEST_REASON = 120  # characters

_clients: list[str] = []  # not empty once the library uses clients of `_client`
_guard = threading.Lock()


def require_library() -> None:
    """Import the library; it reads the environment's settings as it is imported.

    Raises
    ------
    ModelError
        If one of them is none.
    """
    try:
        import huggingface_hub.constants
        import huggingface_hub.file_download  # noqa: F401
    except (ImportError, ValueError) as error:
        raise ModelError(
            "The hub's library does not start with the settings of this computer ({reason}); "
            "check the environment's variables that begin with HF_.",
            reason=shortened(str(error), _LONGEST_REASON),
        ) from error


def prepare() -> None:
    """Set the library so that a download can be followed and stopped, and asks nothing else.

    Raises
    ------
    ModelError
        If the environment has settings with which no connection can be made, or forbids any.
    """
    require_library()
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        raise ModelError("Nothing is fetched while HF_HUB_OFFLINE is set.")
    if not constants.HF_HUB_DISABLE_IMPLICIT_TOKEN:
        _require_token()
    # Xet, a faster protocol, runs on threads that no one can stop half-way.
    constants.HF_HUB_DISABLE_XET = True
    # Of its own it tells its progress, and can be stopped, every ten megabytes only.
    constants.DOWNLOAD_CHUNK_SIZE = CHUNK
    # Else it asks the hub for a list of programs first, to tell the hub which one it runs under.
    constants.HF_HUB_DISABLE_TELEMETRY = True
    _connect()


def _require_token() -> None:
    """Refuse a token that cannot be sent; none is needed."""
    from huggingface_hub import get_token

    try:
        token = get_token() or ""
    except OSError as error:
        raise ModelError(
            "The token with which this computer logs in to the hub cannot be read: {reason}.",
            reason=error.strerror or str(error),
        ) from error
    if not token.isascii():
        raise ModelError(
            "The token with which this computer logs in to the hub holds a character that no "
            "token has; check HF_TOKEN, or log in anew with: hf auth login."
        )


def _connect() -> None:
    """Let the library use a client of ours, and make one: a wrong setting shows here."""
    from httpx2 import InvalidURL
    from huggingface_hub import get_session, set_client_factory

    try:
        with _guard:
            if not _clients:
                set_client_factory(_client)
                _clients.append("ours")
        get_session()
    except (ImportError, InvalidURL, ValueError, OSError) as error:
        raise ModelError(
            "No connection can be made with the settings of this computer ({reason}); check the "
            "environment's proxies (HTTPS_PROXY, ALL_PROXY) and SSL_CERT_FILE.",
            reason=shortened(str(error), _LONGEST_REASON),
        ) from error


def _client() -> Client:
    from httpx2 import Client

    # As the library's own, whose timeouts come with each question.
    return Client(event_hooks={"response": [_require_plain]}, follow_redirects=True, timeout=None)


def _require_plain(response: Response) -> None:
    """Refuse a hub that answers with a path: the library names files as the answer says.

    It asks more than once, so that looking at one answer before would not do.
    """
    from huggingface_hub.errors import FileMetadataError

    headers = response.headers
    commit = headers.get("X-Repo-Commit")
    if response.request.method != "HEAD" or commit is None:
        return  # nothing is named after it
    linked = headers.get("X-Linked-ETag")
    mark = linked or (None if response.is_error else headers.get("ETag"))
    # Taken out of its quotes as the library does it.
    plain_mark = mark is None or _PLAIN.fullmatch(mark.lstrip("W/").strip('"'))
    if not plain_mark or not _PLAIN.fullmatch(commit):
        raise FileMetadataError("A commit and a mark are letters and digits.")
