"""A round trip through LibreOffice, which reads what PowerPoint reads."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

from pages.export import Slide, deck_bytes
from pages.figures.figure import Style
from tests.export_cases import slides

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
STYLES = [Style("light", "en", "slide"), Style("dark", "zh", "half"), Style("dark", "en", "square")]
pytestmark = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")


RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"


def pdf_of(data: bytes, folder: Path) -> PdfReader:
    """Return a PowerPoint file as LibreOffice shows it."""
    (folder / "deck.pptx").write_bytes(data)
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    subprocess.run(
        [
            str(OFFICE),
            profile,
            "--headless",
            "--convert-to",
            "pdf",
            "--outdir",
            folder,
            "deck.pptx",
        ],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=180,
    )
    return PdfReader(io.BytesIO((folder / "deck.pdf").read_bytes()))


def letters(text: str) -> str:
    """Return a text without spaces, and without the raised signs of powers.

    LibreOffice takes most of those from another font, and its PDF tells them after the line.
    """
    return "".join(each for each in text if not each.isspace() and each not in RAISED)


def test_libreoffice_shows_every_slide_with_its_words(tmp_path):
    deck: list[Slide] = []
    for style in STYLES:
        every = slides(style)
        charts = [slide for slide in every if slide.figure.chart is not None]
        deck += [every[0], *charts]
    reader = pdf_of(deck_bytes(tuple(deck), "pptx"), tmp_path)
    assert len(reader.pages) == len(deck)
    for page, slide in zip(reader.pages, deck, strict=True):
        assert (page.mediabox.width, page.mediabox.height) == pytest.approx((960, 540), abs=1)
        text = letters(page.extract_text())
        assert letters(slide.title) in text, slide.title
        assert letters(slide.figure.note) in text, slide.title
        if slide.figure.chart is None:
            assert list(page.images), slide.title
        else:
            chart = slide.figure.chart
            # The edges of a band have no name in the legend; the note says what they are.
            named = [series.name for series in chart.series if series.look != "edge"]
            shown = [chart.x_title, *named]
            assert all(letters(word) in text for word in shown), slide.title
