"""An empty presentation of our own: 16:9, one master with two layouts for every theme in use.

It is written as text, since a template is data: sizes and colours come from the drawn sheet and the
palette, everything else is what PowerPoint itself writes into an empty file.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from pages.export import archive
from pages.export.identity import PROGRAM
from pages.export.powerpoint import geometry
from pages.export.powerpoint.geometry import POINTS_PER_PIXEL, emu
from pages.export.powerpoint.words import CHINESE_FONT
from pages.figures.palette import THEMES, Theme
from pages.figures.slide import Room

LATIN_FONT = "Arial"
FIGURE, BESIDE = "Figure", "Figure beside text"
FIGURE_IDX, CAPTION_IDX = 10, 11
# Each role has one accent colour of the theme, so that what a teacher adds can take it too.
ACCENTS = ("query", "key", "value", "scores", "weights", "output")

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPACES = f'xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}" xmlns:p="{_MAIN}"'
_TYPE = "application/vnd.openxmlformats-officedocument"
_FIRST_MASTER_ID = 2147483648  # Office numbers masters and layouts together, from here on
_PER_THEME = 3  # a master and two layouts


def template(themes: Sequence[str]) -> bytes:
    """Return an empty presentation with a master for each of the named themes, in this order."""
    files = {
        "[Content_Types].xml": _content_types(len(themes)),
        "_rels/.rels": _relationships(
            (f"{_OFFICE}/officeDocument", "ppt/presentation.xml"),
            (f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            (f"{_OFFICE}/extended-properties", "docProps/app.xml"),
        ),
        "docProps/core.xml": _core(),
        "docProps/app.xml": _app(),
        "ppt/presentation.xml": _presentation(len(themes)),
        "ppt/_rels/presentation.xml.rels": _relationships(
            *((f"{_OFFICE}/slideMaster", f"slideMasters/slideMaster{n + 1}.xml")
              for n in range(len(themes))),
            (f"{_OFFICE}/theme", "theme/theme1.xml"),
        ),
    }  # fmt: skip
    for number, name in enumerate(themes):
        files |= _master_files(number, THEMES[name])
    return archive.zipped((name, (_HEAD + text).encode()) for name, text in files.items())


def _relationships(*targets: tuple[str, str]) -> str:
    inside = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inside}</Relationships>'


def _content_types(count: int) -> str:
    parts = [
        ("ppt/presentation.xml", f"{_TYPE}.presentationml.presentation.main+xml"),
        ("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
        ("docProps/app.xml", f"{_TYPE}.extended-properties+xml"),
    ]
    for n in range(1, count + 1):
        parts.append(
            (f"ppt/slideMasters/slideMaster{n}.xml", f"{_TYPE}.presentationml.slideMaster+xml")
        )
        parts.append((f"ppt/theme/theme{n}.xml", f"{_TYPE}.theme+xml"))
        for layout in (2 * n - 1, 2 * n):
            name = f"ppt/slideLayouts/slideLayout{layout}.xml"
            parts.append((name, f"{_TYPE}.presentationml.slideLayout+xml"))
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in parts
    )
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def _core() -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>'
    )


def _app() -> str:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    return f'<Properties xmlns="{space}"><Application>{PROGRAM}</Application></Properties>'


def _presentation(count: int) -> str:
    masters = "".join(
        f'<p:sldMasterId id="{_FIRST_MASTER_ID + _PER_THEME * n}" r:id="rId{n + 1}"/>'
        for n in range(count)
    )
    levels = "".join(
        f'<a:lvl{level}pPr marL="{457200 * (level - 1)}" algn="l" defTabSz="914400" rtl="0" '
        f'eaLnBrk="1" latinLnBrk="0" hangingPunct="1">{_run(1800, "tx1", "mn")}</a:lvl{level}pPr>'
        for level in range(1, 10)
    )
    size = f'cx="{emu(geometry.WIDTH)}" cy="{emu(geometry.HEIGHT)}"'
    return (
        f'<p:presentation {_SPACES} saveSubsetFonts="1">'
        f"<p:sldMasterIdLst>{masters}</p:sldMasterIdLst>"
        f'<p:sldSz {size}/><p:notesSz cx="6858000" cy="9144000"/>'
        f'<p:defaultTextStyle><a:defPPr><a:defRPr lang="en-US"/></a:defPPr>{levels}'
        "</p:defaultTextStyle></p:presentation>"
    )


def _run(size: int, colour: str, font: str, bold: bool = False) -> str:
    """Return the properties of text: hundredths of a point, colour and font of the theme."""
    weight = ' b="1"' if bold else ""
    return (
        f'<a:defRPr sz="{size}"{weight} kern="1200"><a:solidFill><a:schemeClr val="{colour}"/>'
        f'</a:solidFill><a:latin typeface="+{font}-lt"/><a:ea typeface="+{font}-ea"/>'
        f'<a:cs typeface="+{font}-cs"/></a:defRPr>'
    )


def _points(pixels: float) -> int:
    return round(pixels * POINTS_PER_PIXEL * 100)


def _master_files(number: int, theme: Theme) -> dict[str, str]:
    """Return a master, its layouts and its theme; ``number`` counts from 0."""
    first = 2 * number + 1
    master, colours = f"slideMaster{number + 1}.xml", f"theme{number + 1}.xml"
    back = _relationships((f"{_OFFICE}/slideMaster", f"../slideMasters/{master}"))
    return {
        f"ppt/slideMasters/{master}": _master(number),
        f"ppt/slideMasters/_rels/{master}.rels": _relationships(
            (f"{_OFFICE}/slideLayout", f"../slideLayouts/slideLayout{first}.xml"),
            (f"{_OFFICE}/slideLayout", f"../slideLayouts/slideLayout{first + 1}.xml"),
            (f"{_OFFICE}/theme", f"../theme/{colours}"),
        ),
        f"ppt/slideLayouts/slideLayout{first}.xml": _layout(
            FIGURE, geometry.FIGURE, geometry.CAPTION, 20
        ),
        f"ppt/slideLayouts/_rels/slideLayout{first}.xml.rels": back,
        f"ppt/slideLayouts/slideLayout{first + 1}.xml": _layout(
            BESIDE, geometry.BESIDE, geometry.column_beside(geometry.BESIDE[2]), 24
        ),
        f"ppt/slideLayouts/_rels/slideLayout{first + 1}.xml.rels": back,
        f"ppt/theme/{colours}": _theme(theme),
    }


def _place(room: Room) -> str:
    left, top, width, height = map(emu, room)
    return f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'


def _placeholder(
    identifier: int,
    name: str,
    kind: str,
    room: Room | None,
    text: str,
    *,
    body: str,
    style: str = "",
) -> str:
    """Return a placeholder; ``kind`` is what `<p:ph>` says, ``body`` how its text is set."""
    place = "" if room is None else _place(room) + '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{identifier}" name="{escape(name)}"/>'
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph {kind}/></p:nvPr></p:nvSpPr>'
        f"<p:spPr>{place}</p:spPr><p:txBody>{body}<a:lstStyle>{style}</a:lstStyle>{text}</p:txBody>"
        "</p:sp>"
    )


def _body(anchor: str) -> str:
    # Without insets, the text stands where the drawn sheet has it.
    return (
        f'<a:bodyPr vert="horz" lIns="0" tIns="0" rIns="0" bIns="0" rtlCol="0" anchor="{anchor}">'
        "<a:normAutofit/></a:bodyPr>"
    )


def _paragraph(text: str) -> str:
    return f'<a:p><a:r><a:rPr lang="en-US"/><a:t>{escape(text)}</a:t></a:r></a:p>'


def _levels(size: float, colour: str) -> str:
    """Return five levels of text: the first one plain, the others with a bullet."""
    levels = []
    for level in range(1, 6):
        left = 0 if level == 1 else 228600 * (level - 1)
        bullet = "<a:buNone/>" if level == 1 else '<a:buFont typeface="Arial"/><a:buChar char="•"/>'
        indent = 0 if level == 1 else -228600
        levels.append(
            f'<a:lvl{level}pPr marL="{left}" indent="{indent}" algn="l" defTabSz="914400" rtl="0" '
            f'eaLnBrk="1" latinLnBrk="0" hangingPunct="1"><a:lnSpc><a:spcPct val="100000"/>'
            f'</a:lnSpc><a:spcBef><a:spcPts val="600"/></a:spcBef>{bullet}'
            f"{_run(_points(size), colour, 'mn')}</a:lvl{level}pPr>"
        )
    return "".join(levels)


_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)


_SLIDE_NUMBER = (
    '<a:fld id="{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}" type="slidenum"><a:rPr lang="en-US"/>'
    "<a:t>‹#›</a:t></a:fld>"
)


def _foot(start: int, with_place: bool) -> str:
    """Return date, footer and slide number, which a slide has only where a person inserts them."""
    size = _points(18)
    parts = (
        ("Date Placeholder", 'type="dt" sz="half"', 2, 280, "l", ""),
        ("Footer Placeholder", 'type="ftr" sz="quarter"', 3, 480, "ctr", ""),
        ("Slide Number Placeholder", 'type="sldNum" sz="quarter"', 4, 280, "r",
         _SLIDE_NUMBER),
    )  # fmt: skip
    lefts = {2: geometry.MARGIN, 3: (geometry.WIDTH - 480) / 2, 4: geometry.WIDTH - 56 - 280}
    written = []
    for offset, (name, kind, idx, width, align, field) in enumerate(parts):
        room = (lefts[idx], geometry.FOOT + 4, width, 24) if with_place else None
        style = f'<a:lvl1pPr algn="{align}">{_run(size, "tx2", "mn")}</a:lvl1pPr>'
        written.append(
            _placeholder(
                start + offset, f"{name} {start + offset - 1}", f'{kind} idx="{idx + 10}"', room,
                f'<a:p>{field}<a:endParaRPr lang="en-US"/></a:p>',
                body=_body("ctr") if with_place else "<a:bodyPr/>",
                style=style if with_place else "",
            )
        )  # fmt: skip
    return "".join(written)


def _master(number: int) -> str:
    first = _FIRST_MASTER_ID + _PER_THEME * number + 1
    layouts = "".join(f'<p:sldLayoutId id="{first + n}" r:id="rId{n + 1}"/>' for n in range(2))
    title = _placeholder(
        2, "Title Placeholder 1", 'type="title"', geometry.TITLE,
        _paragraph("Title"), body=_body("ctr"),
    )  # fmt: skip
    body = _placeholder(
        3, "Text Placeholder 2", 'type="body" idx="1"', geometry.FIGURE,
        _paragraph("Text"), body=_body("t"),
    )  # fmt: skip
    accents = "".join(f' accent{n}="accent{n}"' for n in range(1, 7))
    heading = _run(_points(36), "tx1", "mj", bold=True)
    return (
        f"<p:sldMaster {_SPACES}><p:cSld><p:bg><p:bgPr><a:solidFill>"
        f'<a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>'
        f"<p:spTree>{_GROUP}{bar(4, 'tx2')}{title}{body}{_foot(5, True)}</p:spTree></p:cSld>"
        f'<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2"{accents} hlink="hlink" '
        f'folHlink="folHlink"/><p:sldLayoutIdLst>{layouts}</p:sldLayoutIdLst><p:txStyles>'
        f'<p:titleStyle><a:lvl1pPr algn="l" defTabSz="914400" rtl="0" eaLnBrk="1" latinLnBrk="0" '
        f'hangingPunct="1"><a:lnSpc><a:spcPct val="100000"/></a:lnSpc><a:spcBef>'
        f'<a:spcPct val="0"/></a:spcBef><a:buNone/>{heading}</a:lvl1pPr></p:titleStyle>'
        f"<p:bodyStyle>{_levels(24, 'tx1')}</p:bodyStyle>"
        f"<p:otherStyle><a:lvl1pPr>{_run(1800, 'tx1', 'mn')}</a:lvl1pPr></p:otherStyle>"
        f"</p:txStyles></p:sldMaster>"
    )


def bar(identifier: int, colour: str) -> str:
    """Return the coloured bar before a title, which says nothing to those who listen."""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{identifier}" name="Role colour"><a:extLst>'
        '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
        'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>'
        '</a:ext></a:extLst></p:cNvPr><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{_place(geometry.BAR)}<a:prstGeom prst="roundRect"><a:avLst>'
        f'<a:gd name="adj" fmla="val 25000"/></a:avLst></a:prstGeom><a:solidFill>'
        f'<a:schemeClr val="{colour}"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr></p:sp>'
    )


def _layout(name: str, figure: Room, caption: Room, size: float) -> str:
    title = _placeholder(
        2, "Title 1", 'type="title"', None, _paragraph("Title"), body="<a:bodyPr/>"
    )
    content = _placeholder(
        3, "Figure 2", f'idx="{FIGURE_IDX}"', figure, _paragraph("Figure"), body=_body("ctr"),
        style=_levels(24, "tx2"),
    )  # fmt: skip
    words = _placeholder(
        4, "Caption 3", f'type="body" sz="quarter" idx="{CAPTION_IDX}"', caption,
        _paragraph("Caption" if name == FIGURE else "Caption and your own words"),
        body=_body("t"), style=_levels(size, "tx2" if name == FIGURE else "tx1"),
    )  # fmt: skip
    return (
        f'<p:sldLayout {_SPACES} preserve="1" userDrawn="1"><p:cSld name="{name}"><p:spTree>'
        f"{_GROUP}{title}{content}{words}{_foot(5, False)}</p:spTree></p:cSld>"
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def _theme(theme: Theme) -> str:
    colours = {
        "dk1": theme.text, "lt1": theme.background, "dk2": theme.muted, "lt2": theme.surface,
        **{f"accent{n}": theme.roles[role] for n, role in enumerate(ACCENTS, start=1)},
        "hlink": theme.roles["query"], "folHlink": theme.roles["weights"],
    }  # fmt: skip
    scheme = "".join(
        f'<a:{name}><a:srgbClr val="{value.lstrip("#")}"/></a:{name}>'
        for name, value in colours.items()
    )
    fonts = "".join(
        f'<a:{name}Font><a:latin typeface="{LATIN_FONT}"/><a:ea typeface="{CHINESE_FONT}"/>'
        f'<a:cs typeface="{LATIN_FONT}"/></a:{name}Font>'
        for name in ("major", "minor")
    )
    name = f"{PROGRAM} {theme.name}"
    return (
        f'<a:theme xmlns:a="{_DRAWING}" name="{name}"><a:themeElements>'
        f'<a:clrScheme name="{name}">{scheme}</a:clrScheme>'
        f'<a:fontScheme name="{PROGRAM}">{fonts}</a:fontScheme>{_FORMATS}</a:themeElements>'
        "<a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )


_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_LINES = "".join(
    f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr">{_FILL}<a:prstDash val="solid"/></a:ln>'
    for width in (9525, 19050, 28575)
)
# Flat: no gradient, no shadow. Office asks for three of each.
_FORMATS = (
    f'<a:fmtScheme name="{PROGRAM}"><a:fillStyleLst>{_FILL * 3}</a:fillStyleLst>'
    f"<a:lnStyleLst>{_LINES}</a:lnStyleLst><a:effectStyleLst>"
    + "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    + f"</a:effectStyleLst><a:bgFillStyleLst>{_FILL * 3}</a:bgFillStyleLst></a:fmtScheme>"
)
