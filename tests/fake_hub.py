"""A hub on this computer: as much of its protocol as huggingface_hub needs to fetch a file.

As the real one, it gives small files itself and sends those who ask for weights to a store under
another host name, saying size and mark on the way; and it offers them by the Xet protocol, too.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMMIT, NEXT_COMMIT = "c" * 40, "d" * 40
STORE = "/store"
PART = 1 << 14  # bytes that are written at once
FILES = ("config.json", "tokenizer.json", "model.safetensors")


@dataclass
class Manner:
    """How the hub behaves; as the real one unless told otherwise.

    Attributes
    ----------
    status, code : int, str
        Answer to every question: a status such as 401, and the hub's word for it.
    missing : set of str
        Files that the repository does not have.
    said : dict
        Sizes in bytes that it states where they are not the true ones.
    marks : dict
        ETags that it states where they are not the true ones.
    cut_after, cuts : int
        Bytes after which it breaks off, and how many times it does so.
    pause : float
        Seconds between two parts of `PART` bytes.
    ranges : bool
        Whether it can go on in the middle of a file.
    no_hub : bool
        Whether it is just a web server that knows nothing of commits.
    store : str
        Address of the store that it names for weights, where it is not the true one.
    moves_after : str
        File after whose delivery the repository has a new version, `NEXT_COMMIT`.
    """

    status: int = 200
    code: str = ""
    missing: set[str] = field(default_factory=set)
    said: dict[str, int] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    cuts: int = 10**9
    pause: float = 0.0
    ranges: bool = True
    no_hub: bool = False
    store: str = ""
    moves_after: str = ""


@dataclass
class FakeHub:
    """A hub with some repositories.

    Attributes
    ----------
    repositories : dict
        ``owner/name`` to the files' contents by name.
    commits : dict
        The newest version of each; `COMMIT` where it is not stated.
    manner : Manner
    asked : list of str
        What it was asked so far: method and path.
    address : str
        Where it is reached; set while it serves.
    """

    repositories: dict[str, dict[str, bytes]]
    commits: dict[str, str] = field(default_factory=dict)
    manner: Manner = field(default_factory=Manner)
    asked: list[str] = field(default_factory=list)
    address: str = ""


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of a model's three files."""
    return {name: (folder / name).read_bytes() for name in FILES}


@contextmanager
def serving(repositories: dict[str, dict[str, bytes]]) -> Iterator[FakeHub]:
    """Serve repositories on a free port for as long as the block runs."""
    hub = FakeHub(repositories)
    server = _Server(("127.0.0.1", 0), _Answer)
    server.hub = hub
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    hub: FakeHub

    def handle_error(self, request, client_address):
        """Say nothing of connections that the other side has left."""


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for its end
    wbufsize = -1
    server: _Server

    def log_message(self, format, *args):
        """Say nothing."""

    def do_HEAD(self):
        self._answer(body=False)

    def do_GET(self):
        self._answer(body=True)

    def _answer(self, *, body: bool):
        hub = self.server.hub
        hub.asked.append(f"{self.command} {self.path}")
        path = self.path.removeprefix(STORE).removeprefix("/")
        repository, _, rest = path.partition("/resolve/")
        name = rest.partition("/")[2]
        if hub.manner.status != 200:
            return self._refuse(hub.manner.status, hub.manner.code)
        if repository not in hub.repositories:
            return self._refuse(404, "RepoNotFound")
        files = hub.repositories[repository]
        if name not in files or name in hub.manner.missing:
            return self._refuse(404, "EntryNotFound", hub.commits.get(repository, COMMIT))
        commit = hub.commits.get(repository, COMMIT)
        if name.endswith(".safetensors") and not self.path.startswith(STORE):
            return self._send_on(name, files[name], commit)
        if body and name == hub.manner.moves_after:
            hub.commits[repository] = NEXT_COMMIT
        return self._give(name, files[name], commit, body)

    def _refuse(self, status: int, code: str, commit: str = ""):
        self.send_response(status)
        if code:
            self.send_header("X-Error-Code", code)
        if commit:
            self.send_header("X-Repo-Commit", commit)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send_on(self, name: str, content: bytes, commit: str):
        manner = self.server.hub.manner
        self.send_response(302)
        self.send_header(
            "Location",
            manner.store or f"http://localhost:{self.server.server_port}{STORE}{self.path}",
        )
        self.send_header("X-Linked-Size", str(manner.said.get(name, len(content))))
        self.send_header("X-Linked-ETag", f'"{manner.marks.get(name, mark_of(name, content))}"')
        self.send_header("X-Xet-Hash", "a" * 64)
        self.send_header("X-Xet-Refresh-Route", f"{self.server.hub.address}/xet")
        if not manner.no_hub:
            self.send_header("X-Repo-Commit", commit)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _give(self, name: str, content: bytes, commit: str, body: bool):
        manner = self.server.hub.manner
        start = self._start() if manner.ranges else 0
        self.send_response(206 if start else 200)
        size = len(content) if body else manner.said.get(name, len(content))
        self.send_header("Content-Length", str(size - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if not manner.no_hub:
            self.send_header("X-Repo-Commit", commit)
            self.send_header("ETag", f'"{manner.marks.get(name, mark_of(name, content))}"')
        self.end_headers()
        if body:
            self._write(content[start:])

    def _start(self) -> int:
        asked = self.headers.get("Range", "bytes=0-")
        return int(asked.removeprefix("bytes=").partition("-")[0])

    def _write(self, content: bytes):
        manner = self.server.hub.manner
        for start in range(0, len(content), PART):
            if manner.cut_after is not None and start >= manner.cut_after and manner.cuts > 0:
                manner.cuts -= 1
                self.close_connection = True
                return
            self.wfile.write(content[start : start + PART])
            time.sleep(manner.pause)


def mark_of(name: str, content: bytes) -> str:
    """Return a file's ETag: a SHA-256 of large files, the number of a Git blob of others."""
    if name.endswith(".safetensors"):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
