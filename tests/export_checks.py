"""One figure as every kind of picture, and what is wrong with the files: none of it, one hopes.

The functions return faults as sentences, since they run in processes of their own.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import vl_convert
from PIL import Image
from pptx import Presentation
from pypdf import PdfReader

from pages.export import Slide, slide_bytes
from pages.export.convert import to_images
from pages.export.fonts import is_chinese
from pages.figures.figure import Style
from pages.figures.palette import THEMES
from pages.figures.slide import SHEETS
from tests import ink, pptx_structure
from tests.export_cases import slides

SVG = "{http://www.w3.org/2000/svg}"
MAGIC = {"svg": b"<svg ", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "pptx": b"PK\x03\x04"}
PIXEL, INCH = 9525, 914400  # in the unit of Office
_TOKENS = "我们注意它"  # of the tokens, which stay Chinese in an English figure


def prepare_process() -> None:
    """Make warnings errors, as pytest does, and draw the same specification once."""
    warnings.simplefilter("error")
    convert, known = vl_convert.vegalite_to_svg, dict[str, str]()

    def once(specification: str, **options: Any) -> str:
        if specification not in known:
            known.clear()
            known[specification] = convert(specification, **options)
        return known[specification]

    vl_convert.vegalite_to_svg = once  # type: ignore[assignment]


def faults_of(style: Style, number: int, formats: tuple[str, ...]) -> list[str]:
    """Return what is wrong with the files of one figure in one style."""
    slide = slides(style)[number]
    return [f"{slide.figure.name}: {fault}" for fault in faults(slide, files_of(slide, formats))]


def files_of(slide: Slide, formats: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files of one slide; PNG and SVG are drawn together, the rest by itself."""
    files = {"svg": slide_bytes(slide, "svg")}
    if "png" in formats:
        files["png"], files["svg"] = to_images(slide.figure)
    return files | {each: slide_bytes(slide, each) for each in formats if each not in files}


def faults(slide: Slide, files: dict[str, bytes]) -> Iterator[str]:
    """Yield what is wrong with the files of one slide."""
    checks = {"svg": _svg, "png": _png, "pptx": _pptx}
    for kind, data in files.items():
        if not data.startswith(MAGIC[kind]):
            yield f"{kind} begins with {data[:8]!r}"
        elif kind == "pdf":
            yield from (f"pdf: {fault}" for fault in _pdf(slide, data, words_of(files["svg"])))
        else:
            yield from (f"{kind}: {fault}" for fault in checks[kind](slide, data))


def words_of(svg: bytes) -> list[str]:
    """Return every text of a drawing."""
    return ["".join(e.itertext()) for e in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def _svg(slide: Slide, data: bytes) -> Iterator[str]:
    root = ElementTree.fromstring(data)
    if not any(words_of(data)):
        yield "there is no live text"
    for tag, wanted in (("title", slide.figure.title), ("desc", slide.figure.alt)):
        if root.findtext(f"{SVG}{tag}") != wanted:
            yield f"its {tag} is {root.findtext(f'{SVG}{tag}')!r}"
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.endswith("href") and not value.startswith(("#", "data:")):
                yield f"it refers to {value}"


def _png(slide: Slide, data: bytes) -> Iterator[str]:
    image, spec = Image.open(io.BytesIO(data)), slide.figure.spec
    if any(abs(side - 300) > 0.01 for side in image.info["dpi"]):
        yield f"it has {image.info['dpi']} pixels per inch"
    wanted = (spec["width"] * 300 / 96, spec["height"] * 300 / 96)
    if any(abs(side - want) > 1 for side, want in zip(image.size, wanted, strict=True)):
        yield f"it is {image.size} and not {wanted}"
    corner = image.crop((0, 0, 1, 1)).convert("RGBA").getpixel((0, 0))
    background = (*bytes.fromhex(THEMES[slide.style.theme].background[1:]), 255)
    if corner != background:
        yield f"its corner is {corner}"
    yield from ink.faults(image, title_box(slide.style))


def title_box(style: Style) -> tuple[int, int, int, int] | None:
    """Return where the title stands in a picture, in its pixels."""
    if style.size == "screen":
        return None
    sheet = SHEETS[style.size]
    box = (sheet.margin + 20, 20, sheet.width - sheet.margin, 100)
    left, top, right, bottom = (round(side * 300 / 96) for side in box)
    return left, top, right, bottom


def _pdf(slide: Slide, data: bytes, words: list[str]) -> Iterator[str]:
    reader, spec = PdfReader(io.BytesIO(data)), slide.figure.spec
    if len(reader.pages) != 1:
        yield f"it has {len(reader.pages)} pages"
    page = reader.pages[0]
    sides = (float(page.mediabox.width), float(page.mediabox.height))
    wanted = (spec["width"] * 0.75, spec["height"] * 0.75)
    if any(abs(side - want) > 0.01 for side, want in zip(sides, wanted, strict=True)):
        yield f"it is {sides} points and not {wanted}"
    text = _letters(page.extract_text())
    yield from (f"the text {word!r} is missing" for word in words if _letters(word) not in text)
    # A figure of symbols alone is the same in both.
    if _speaks_chinese(text) != any(map(_speaks_chinese, words)):
        yield "it speaks the other language"
    if _speaks_chinese(text) and slide.style.language == "en":
        yield "it speaks Chinese"
    if reader.metadata is None or reader.metadata.title != slide.title:
        yield "its title is another"
    language = reader.trailer["/Root"]["/Lang"]  # type: ignore[index]
    if language != ("zh-CN" if any(map(is_chinese, slide.title)) else "en-US"):
        yield f"its language is {language}"


def _speaks_chinese(text: str) -> bool:
    return any(is_chinese(character) for character in text if character not in _TOKENS)


def _letters(text: str) -> str:
    return "".join(text.split())


def _pptx(slide: Slide, data: bytes) -> Iterator[str]:
    yield from pptx_structure.faults(data)
    opened = Presentation(io.BytesIO(data))
    if (opened.slide_width, opened.slide_height) != (1280 * PIXEL, 720 * PIXEL):
        yield "a slide is not 1280 x 720"
    (made,) = opened.slides
    for check in (_said, _shown, _placed, _coloured, _marked):
        yield from check(slide, made)


def _named(made: Any, name: str) -> Any:
    (shape,) = [shape for shape in made.shapes if shape.name == name]
    return shape


def _said(slide: Slide, made: Any) -> Iterator[str]:
    names = [shape.name for shape in made.shapes]
    if names[1:] != ["Title", slide.figure.name, "Caption"]:
        yield f"its parts are {names}"
        return
    figure = _named(made, slide.figure.name)
    said = {
        "title": (made.shapes.title.text_frame.text, " ".join(slide.title.split())),
        "caption": (_named(made, "Caption").text_frame.text, slide.figure.note),
        "notes": (made.notes_slide.notes_text_frame.text, slide.notes),
        "alternative text": (figure._element.xpath("./*/p:cNvPr/@descr"), [slide.figure.alt]),
    }
    for part, (found, wanted) in said.items():
        if found != wanted:
            yield f"its {part} is {found!r}"
    for size in (run.font.size.pt for run in _runs(made) if run.font.size is not None):
        if size < 13.5:
            yield f"a text has {size} points, which is less than 18 pixels"


def _shown(slide: Slide, made: Any) -> Iterator[str]:
    figure = _named(made, slide.figure.name)
    if figure.has_chart != (slide.figure.chart is not None):
        yield "a chart is a picture, or a picture a chart"
    if figure.has_chart:
        return
    image = Image.open(io.BytesIO(figure.image.blob))
    if image.format != "PNG" or figure.image.dpi != (300, 300):
        yield f"its picture is {image.format} of {figure.image.dpi}"
    for pixels, length in zip(image.size, (figure.width, figure.height), strict=True):
        if abs(pixels / (length / INCH) - 300) > 1.5:
            yield f"its picture has {pixels / (length / INCH)} pixels per inch"
    yield from ink.faults(image)


def _placed(_slide: Slide, made: Any) -> Iterator[str]:
    boxes = [(s.left, s.top, s.left + s.width, s.top + s.height) for s in made.shapes]
    for left, top, right, bottom in boxes:
        if left < 0 or top < 0 or right > 1280 * PIXEL or bottom > 720 * PIXEL:
            yield "something leaves the slide"
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            apart = one[2] <= other[0] or other[2] <= one[0]
            if not (apart or one[3] <= other[1] or other[3] <= one[1]):
                yield "something lies over something else"


def _coloured(slide: Slide, made: Any) -> Iterator[str]:
    colour = f"#{made.background.fill.fore_color.rgb}"
    if colour != THEMES[slide.style.theme].background.upper():
        yield f"its background is {colour}"


def _marked(_slide: Slide, made: Any) -> Iterator[str]:
    for run in _runs(made):
        chinese = any(map(is_chinese, run.text))
        language, fonts = run.font._element.get("lang"), run.font._element.xpath("./a:ea/@typeface")
        if language != ("zh-CN" if chinese else "en-US"):
            yield f"{run.text!r} is marked as {language}"
        if fonts != (["Microsoft YaHei"] if chinese else []):
            yield f"{run.text!r} is set in {fonts}"


def _runs(made: Any) -> Iterator[Any]:
    frames = [shape.text_frame for shape in made.shapes if shape.has_text_frame]
    for frame in [*frames, made.notes_slide.notes_text_frame]:
        for paragraph in frame.paragraphs:
            yield from paragraph.runs
