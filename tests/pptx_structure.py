"""Whether a PowerPoint file is built as the format asks, so that no program offers to repair it.

Written from the rules of the format (ECMA-376), without python-pptx.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator

from lxml import etree

Parts = dict[str, bytes]
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "[Content_Types].xml"
FIRST_MASTER_ID, FIRST_SLIDE_ID = 2**31, 256
REQUIRED = ("docProps/core.xml", "docProps/app.xml", "ppt/presentation.xml")
_FILLS = "noFill solidFill gradFill blipFill pattFill grpFill"
_TEXT = (
    f"ln {_FILLS} effectLst effectDag highlight uLnTx uLn uFillTx uFill latin ea cs sym hlinkClick "
    "hlinkMouseOver rtl extLst"
)
_AXIS = (
    "axId scaling delete axPos majorGridlines minorGridlines title numFmt majorTickMark "
    "minorTickMark tickLblPos spPr txPr crossAx crosses crossesAt auto lblAlgn lblOffset "
    "noMultiLvlLbl crossBetween majorUnit minorUnit dispUnits extLst"
)
_LEVEL = (
    "lnSpc spcBef spcAft buClrTx buClr buSzTx buSzPct buSzPts buFontTx buFont buNone buAutoNum "
    "buChar buBlip tabLst defRPr extLst"
)
# The order in which the format wants the children of an element, by its name.
ORDER = {
    name: children.split()
    for name, children in {
        "presentation": "sldMasterIdLst notesMasterIdLst handoutMasterIdLst sldIdLst sldSz notesSz "
        "smartTags embeddedFontLst custShowLst photoAlbum custDataLst kinsoku defaultTextStyle "
        "modifyVerifier extLst",
        "sldMaster": "cSld clrMap sldLayoutIdLst transition timing hf txStyles extLst",
        "sldLayout": "cSld clrMapOvr transition timing hf extLst",
        "notesMaster": "cSld clrMap hf notesStyle extLst",
        "sld": "cSld clrMapOvr transition timing extLst",
        "notes": "cSld clrMapOvr extLst",
        "cSld": "bg spTree custDataLst controls extLst",
        "txStyles": "titleStyle bodyStyle otherStyle extLst",
        "sp": "nvSpPr spPr style txBody extLst",
        "pic": "nvPicPr blipFill spPr style extLst",
        "graphicFrame": "nvGraphicFramePr xfrm graphic extLst",
        "txBody": "bodyPr lstStyle p",
        "p": "pPr r br fld endParaRPr",
        "r": "rPr t",
        "spPr": f"xfrm custGeom prstGeom {_FILLS} ln effectLst effectDag scene3d sp3d extLst",
        "rPr": _TEXT,
        "defRPr": _TEXT,
        "endParaRPr": _TEXT,
        **{f"lvl{level}pPr": _LEVEL for level in range(1, 10)},
        "theme": "themeElements objectDefaults extraClrSchemeLst custClrLst extLst",
        "themeElements": "clrScheme fontScheme fmtScheme extLst",
        "clrScheme": "dk1 lt1 dk2 lt2 accent1 accent2 accent3 accent4 accent5 accent6 hlink "
        "folHlink extLst",
        "fmtScheme": "fillStyleLst lnStyleLst effectStyleLst bgFillStyleLst",
        "chartSpace": "date1904 lang roundedCorners AlternateContent style clrMapOvr pivotSource "
        "protection chart spPr txPr externalData printSettings userShapes extLst",
        "chart": "title autoTitleDeleted pivotFmts view3D floor sideWall backWall plotArea legend "
        "plotVisOnly dispBlanksAs showDLblsOverMax extLst",
        "plotArea": "layout barChart scatterChart catAx valAx dTable spPr extLst",
        "barChart": "barDir grouping varyColors ser dLbls gapWidth overlap serLines axId extLst",
        "scatterChart": "scatterStyle varyColors ser dLbls axId extLst",
        "ser": "idx order tx spPr invertIfNegative marker pictureOptions dPt dLbls trendline "
        "errBars cat val xVal yVal smooth shape extLst",
        "dPt": "idx invertIfNegative marker bubble3D explosion spPr pictureOptions extLst",
        "marker": "symbol size spPr extLst",
        "layout": "manualLayout extLst",
        "manualLayout": "layoutTarget xMode yMode wMode hMode x y w h extLst",
        "title": "tx layout overlay spPr txPr extLst",
        "legendEntry": "idx delete txPr extLst",
        "dLbl": "idx delete layout tx numFmt spPr txPr dLblPos showLegendKey showVal showCatName "
        "showSerName showPercent showBubbleSize separator extLst",
        "dLbls": "dLbl delete numFmt spPr txPr dLblPos showLegendKey showVal showCatName "
        "showSerName showPercent showBubbleSize separator showLeaderLines extLst",
        "catAx": _AXIS,
        "valAx": _AXIS,
        "scaling": "logBase orientation max min extLst",
        "legend": "legendPos legendEntry layout overlay spPr txPr extLst",
    }.items()
}


def faults(data: bytes) -> list[str]:
    """Return what is wrong with the structure of a file, one line each."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        parts = {name: archive.read(name) for name in names}
    found = [f"{name} is there {n} times" for name, n in Counter(names).items() if n > 1]
    found += [f"{name} is missing" for name in REQUIRED if name not in parts]
    found += list(_unreadable(parts))
    if found:
        return found
    checks = (_untyped, _loose_relationships, _unknown_references, _shapes, _numbers, _order)
    return [fault for check in checks for fault in check(parts)] + list(_notes(parts))


def _unreadable(parts: Parts) -> Iterator[str]:
    for name, content in parts.items():
        if name.endswith((".xml", ".rels")):
            try:
                etree.fromstring(content)
            except etree.XMLSyntaxError as error:
                yield f"{name} is no XML: {error}"


def _untyped(parts: Parts) -> Iterator[str]:
    root = etree.fromstring(parts[TYPES])
    overrides = {str(e.get("PartName")).lstrip("/") for e in root if e.tag.endswith("Override")}
    defaults = {str(e.get("Extension")) for e in root if e.tag.endswith("Default")}
    for name in parts:
        extension = name.rpartition(".")[2]
        general = extension in defaults and (extension != "xml" or name == TYPES)
        if name != TYPES and name not in overrides and not general:
            yield f"{name} has no content type"
    yield from (f"{name} has a type and is missing" for name in overrides - set(parts))


def source_of(relationships: str) -> str:
    """Return the part whose relationships a file holds."""
    folder, name = posixpath.split(relationships)
    return posixpath.join(posixpath.dirname(folder), name.removesuffix(".rels")).lstrip("/")


def targets(parts: Parts, source: str) -> dict[str, tuple[str, str]]:
    """Return id -> (kind, part) of the relationships of a part."""
    folder, name = posixpath.split(source)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if path not in parts:
        return {}
    return {
        str(each.get("Id")): (
            str(each.get("Type")).rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, str(each.get("Target")))).lstrip("/"),
        )
        for each in etree.fromstring(parts[path])
        if each.get("TargetMode") != "External"
    }


def _loose_relationships(parts: Parts) -> Iterator[str]:
    reached = {TYPES}
    for name in parts:
        if not name.endswith(".rels"):
            continue
        source = source_of(name)
        if source and source not in parts:
            yield f"{name} belongs to no part"
        identifiers = [each.get("Id") for each in etree.fromstring(parts[name])]
        if len(set(identifiers)) < len(identifiers):
            yield f"{name} has an id twice"
        for _, target in targets(parts, source).values():
            reached.add(target)
            if target not in parts:
                yield f"{name} leads to {target}, which is missing"
    for name in parts:
        if name not in reached and not name.endswith(".rels"):
            yield f"nothing leads to {name}"


def _unknown_references(parts: Parts) -> Iterator[str]:
    for name, content in parts.items():
        if not name.endswith(".xml") or name == TYPES:
            continue
        known = targets(parts, name)
        for element in etree.fromstring(content).iter():
            for key, value in element.attrib.items():
                if str(key).startswith(f"{{{OFFICE}}}") and value not in known:
                    yield f"{name} refers to {value!r}, which it does not know"


def _shapes(parts: Parts) -> Iterator[str]:
    for name, content in parts.items():
        if not name.startswith("ppt/") or not name.endswith(".xml"):
            continue
        root = etree.fromstring(content)
        identifiers = [str(e.get("id")) for e in root.iter("{*}cNvPr")]
        if len(set(identifiers)) < len(identifiers):
            yield f"{name} has a shape id twice"
        if any(not each.isdigit() or int(each) < 1 for each in identifiers):
            yield f"{name} has a shape id below 1"
        for kind in ("pic", "graphicFrame"):
            for element in root.iter(f"{{*}}{kind}"):
                if not next(element.iter("{*}cNvPr")).get("descr"):
                    yield f"{name} has a {kind} without an alternative text"


def _numbers(parts: Parts) -> Iterator[str]:
    root = etree.fromstring(parts["ppt/presentation.xml"])
    slides = [int(str(each.get("id"))) for each in root.iter("{*}sldId")]
    if len(set(slides)) < len(slides) or any(
        not FIRST_SLIDE_ID <= each < FIRST_MASTER_ID for each in slides
    ):
        yield "a slide id is there twice or out of range"
    masters = [int(str(each.get("id"))) for each in root.iter("{*}sldMasterId")]
    for name, content in parts.items():
        if name.startswith("ppt/slideMasters/") and name.endswith(".xml"):
            inside = etree.fromstring(content)
            masters += [int(str(each.get("id"))) for each in inside.iter("{*}sldLayoutId")]
    if len(set(masters)) < len(masters) or any(each < FIRST_MASTER_ID for each in masters):
        yield "a master or layout id is there twice or out of range"


def _order(parts: Parts) -> Iterator[str]:
    for name, content in parts.items():
        if not name.startswith("ppt/") or not name.endswith(".xml"):
            continue
        for element in etree.fromstring(content).iter("*"):
            wanted = ORDER.get(etree.QName(element).localname)
            if wanted is not None:
                yield from _misplaced(name, element, wanted)


def _misplaced(name: str, element: etree._Element, wanted: list[str]) -> Iterator[str]:
    children = [etree.QName(child).localname for child in element.iterchildren("*")]
    unknown = [child for child in children if child not in wanted]
    here = f"{name}: {etree.QName(element).localname}"
    if unknown:
        yield f"{here} may not hold {unknown[0]}"
        return
    # A paragraph mixes runs, breaks and fields as the text has them; axes come in any order.
    free = {"r": "r", "br": "r", "fld": "r", "catAx": "axis", "valAx": "axis"}
    groups = [free.get(child, child) for child in wanted]
    places = [groups.index(free.get(child, child)) for child in children]
    if places != sorted(places):
        yield f"{here} holds {' '.join(children)}, which is out of order"


def _notes(parts: Parts) -> Iterator[str]:
    for name in parts:
        if not name.startswith("ppt/slides/") or not name.endswith(".xml"):
            continue
        notes = [part for kind, part in targets(parts, name).values() if kind == "notesSlide"]
        if len(notes) != 1:
            yield f"{name} has {len(notes)} notes"
            continue
        back = dict(targets(parts, notes[0]).values())
        if back.get("slide") != name or "notesMaster" not in back:
            yield f"{notes[0]} does not lead back to {name} and to its master"
