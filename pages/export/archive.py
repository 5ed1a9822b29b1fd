"""ZIP files whose bytes depend on their content alone."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

# The first moment that ZIP can write, in place of the moment of writing.
_WHEN = (1980, 1, 1, 0, 0, 0)
# Packed already: another turn costs time and saves nothing.
_PACKED = (".png", ".jpeg", ".xlsx")


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a ZIP file of (name, content) pairs in their order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.create_system = 3  # else it tells on which system it was written
            entry.external_attr = 0o644 << 16
            packed = name.endswith(_PACKED)
            entry.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def again(data: bytes) -> bytes:
    """Return a ZIP file written anew, every entry where it was."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zipped((entry.filename, archive.read(entry)) for entry in archive.infolist())
