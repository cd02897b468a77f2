"""The master and the eight layouts as PresentationML, from the table of boxes."""

from slides.deck import Layout
from slides.pptx.boxes import BOXES, DECORATIONS, LINE, SIZES, Role
from slides.pptx.drawing import NAMESPACES, PX, TREE_HEAD, place, points, rectangle, run, slide_number
from slides.pptx.placeholders import KINDS, Kind

_TYPES = {Layout.TITLE: "title", Layout.CONTENT: "obj", Layout.CHART: "chart"}  # others are "cust"
_INDENT = 32  # px of a bullet
_APART = 12  # px between bullets or paragraphs
_LANGUAGE = "en-US"


def layout_xml(layout: Layout) -> str:
    drawn = [rectangle(number, box, colour) for number, (box, colour) in enumerate(DECORATIONS[layout], 2)]
    first = len(drawn) + 2
    held = [placeholder(number, role, layout) for number, role in enumerate(BOXES[layout], first)]
    return (
        f'<p:sldLayout {NAMESPACES} type="{_TYPES.get(layout, "cust")}" preserve="1">'
        f'<p:cSld name="{layout.value.title()}"><p:spTree>{TREE_HEAD}{"".join(drawn + held)}</p:spTree></p:cSld>'
        f"<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def placeholder(number: int, role: Role, layout: Layout | None = None) -> str:
    """Of a layout; of the master where no layout is named."""
    kind, box = KINDS[role], BOXES[layout or Layout.CONTENT][role]
    type_ = "ctrTitle" if role is Role.TITLE and layout is Layout.TITLE else kind.type
    idx = f' idx="{kind.idx}"' if kind.idx is not None else ""
    inner = (
        slide_number(_LANGUAGE) if role is Role.NUMBER else run(kind.prompt, _LANGUAGE) if kind.prompt else ""
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind.name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f'<p:nvPr><p:ph type="{type_}"{idx}/></p:nvPr></p:nvSpPr><p:spPr>{place(box)}'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr vert="horz" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" '
        f'anchor="{kind.anchor}"><a:noAutofit/></a:bodyPr>'
        f"<a:lstStyle>{_levels(role, kind, layout)}</a:lstStyle>"
        f"<a:p>{inner}</a:p></p:txBody></p:sp>"
    )


def master_body() -> str:
    """What all layouts stand on; they place everything themselves."""
    roles = (Role.TITLE, Role.BODY, Role.FOOTER, Role.NUMBER)
    held = "".join(placeholder(number, role) for number, role in enumerate(roles, 2))
    return (
        f'<p:cSld {NAMESPACES}><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr>'
        f"</p:bg><p:spTree>{TREE_HEAD}{held}</p:spTree></p:cSld>"
    )


def text_styles() -> str:
    """Fonts and colours of titles, of text on five levels, and of the rest."""
    title = _level(1, Role.TITLE, KINDS[Role.TITLE], "+mj")
    body = "".join(_level(depth, Role.BODY, KINDS[Role.BODY], "+mn") for depth in range(1, 6))
    other = _level(1, Role.FOOTER, KINDS[Role.FOOTER], "+mn")
    return (
        f"<p:txStyles {NAMESPACES}><p:titleStyle>{title}</p:titleStyle><p:bodyStyle>{body}</p:bodyStyle>"
        f"<p:otherStyle>{other}</p:otherStyle></p:txStyles>"
    )


def _levels(role: Role, kind: Kind, layout: Layout | None) -> str:
    is_listed = role in (Role.LEFT, Role.RIGHT) or (role is Role.BODY and layout is Layout.BULLETS)
    size = SIZES[role] * (1.3 if role is Role.TITLE and layout is Layout.TITLE else 1)
    font = "+mj" if role in (Role.TITLE, Role.LEFT_HEADING, Role.RIGHT_HEADING) else "+mn"
    return _level(1, role, kind, font, is_listed=is_listed, size=size)


def _level(depth: int, role: Role, kind: Kind, font: str, *, is_listed: bool = False, size: float = 0) -> str:
    size = size or SIZES[role]
    indent = round(_INDENT * PX)
    left = indent * (depth - (0 if is_listed else 1))
    bullet = (
        '<a:buClr><a:schemeClr val="accent6"/></a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/>'
        if is_listed
        else "<a:buNone/>"
    )
    apart = points(_APART) if role in (Role.BODY, Role.LEFT, Role.RIGHT) else 0
    return (
        f'<a:lvl{depth}pPr marL="{left}" indent="{-indent if is_listed else 0}" algn="{kind.align}" '
        f'defTabSz="{96 * PX}" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1">'
        f'<a:lnSpc><a:spcPts val="{points(size * LINE[role])}"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{apart}"/></a:spcBef><a:spcAft><a:spcPts val="0"/></a:spcAft>{bullet}'
        f'<a:defRPr lang="{_LANGUAGE}" sz="{points(size)}" b="{int(kind.is_bold)}" kern="1200">'
        f'<a:solidFill><a:schemeClr val="{kind.colour}"/></a:solidFill>'
        f'<a:latin typeface="{font}-lt"/><a:ea typeface="{font}-ea"/><a:cs typeface="{font}-cs"/></a:defRPr>'
        f"</a:lvl{depth}pPr>"
    )


def reference_levels() -> str:
    """The style of a list of sources: the least size that text may have."""
    level = _level(1, Role.BODY, KINDS[Role.BODY], "+mn", size=SIZES[Role.CAPTION])
    return f"<a:lstStyle {NAMESPACES}>{level}</a:lstStyle>"
