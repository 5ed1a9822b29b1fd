"""Turns a Figure into a file: what the screen shows, as PNG, SVG, PDF or CSV.

Everything here is a function of its arguments. A conversion takes some tenths of a second, so a
page asks for it when a person wants the file, not on every rerun.
"""

from pages.export.convert import FORMATS, MEDIA_TYPES, refusal, to_bytes
from pages.export.errors import ExportError
from pages.export.fonts import missing_font
from pages.export.names import file_name

__all__ = [
    "FORMATS",
    "MEDIA_TYPES",
    "ExportError",
    "file_name",
    "missing_font",
    "refusal",
    "to_bytes",
]
