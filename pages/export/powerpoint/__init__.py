"""A deck as PowerPoint slides: real titles, captions, notes, alternative texts, and charts."""

from pages.export.powerpoint.deck import pptx_bytes

__all__ = ["pptx_bytes"]
