"""What every file says of the program that wrote it, and of the language it is in."""

from __future__ import annotations

from pages.documents.json_document import PROGRAM

__all__ = ["PROGRAM", "TAGS"]

# Language of the product to the tag that files carry.
TAGS = {"en": "en-US", "zh": "zh-CN"}
