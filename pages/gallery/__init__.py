"""Every figure of the product by name: how it is computed, drawn, and made again.

A page shows an `Exhibit` and the command line makes the same one, so both give the same file.
"""

from pages.gallery.ideas import ENTRIES, IDEAS, entry_named, exhibit, idea_of
from pages.gallery.model import Entry, Exhibit, Idea
from pages.gallery.notes import speaker_notes
from pages.gallery.prepare import prepare

__all__ = [
    "ENTRIES",
    "IDEAS",
    "Entry",
    "Exhibit",
    "Idea",
    "entry_named",
    "exhibit",
    "idea_of",
    "prepare",
    "speaker_notes",
]
