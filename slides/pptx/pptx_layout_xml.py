"""Builds the master and the eight layouts as PresentationML, from the table of boxes and the theme's palette."""

from slides.deck import Layout, Slide
from slides.fitting.slide_emphasis import is_large
from slides.pptx.pptx_drawing import NAMESPACES, PX, TREE_HEAD, place, points, rectangle, run, slide_number
from slides.pptx.pptx_placeholders import HEADINGS, KINDS, PlaceholderKind, apart, is_listed, kind_of
from slides.pptx.pptx_theme_part import colour_xml
from slides.slide_layouts import BOXES, LINE, SHAPES, TITLE_SLIDE_TITLE, PlaceholderRole, ink, size
from slides.theming.deck_themes import Theme

_TYPES = {Layout.TITLE: "title", Layout.CONTENT: "obj", Layout.CHART: "chart"}  # all others are "cust"
_INDENT, _DEPTH = 40, 32  # px of a bullet's indent, and of a level
_TIGHT = 1.12  # lines of the title slide's title
_LANGUAGE = "en-US"


def layout_xml(layout: Layout, theme: Theme) -> str:
    drawn = [
        rectangle(number, shape.box, colour_xml(theme, shape.colour))
        for number, shape in enumerate(SHAPES[layout], 2)
    ]
    roles = [role for role in BOXES[layout] if role in KINDS]
    held = [_placeholder(number, layout, role, theme) for number, role in enumerate(roles, len(drawn) + 2)]
    return (
        f'<p:sldLayout {NAMESPACES} type="{_TYPES.get(layout, "cust")}" preserve="1">'
        f'<p:cSld name="{layout.value.title()}"><p:spTree>{TREE_HEAD}{"".join(drawn + held)}</p:spTree></p:cSld>'
        f"<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def master_body(theme: Theme) -> str:
    """Return the body of the slide master of all layouts, which set all positions themselves."""
    roles = (PlaceholderRole.TITLE, PlaceholderRole.BODY, PlaceholderRole.FOOTER, PlaceholderRole.NUMBER)
    held = "".join(_placeholder(number, Layout.CONTENT, role, theme) for number, role in enumerate(roles, 2))
    return (
        f'<p:cSld {NAMESPACES}><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg1"/></a:solidFill><a:effectLst/></p:bgPr>'
        f"</p:bg><p:spTree>{TREE_HEAD}{held}</p:spTree></p:cSld>"
    )


def text_styles(theme: Theme) -> str:
    """Return fonts and colours of titles, of text on five levels, and of other text."""
    title, other = (
        _level(1, Layout.CONTENT, role, theme) for role in (PlaceholderRole.TITLE, PlaceholderRole.FOOTER)
    )
    body = "".join(_level(depth, Layout.CONTENT, PlaceholderRole.BODY, theme) for depth in range(1, 6))
    return (
        f"<p:txStyles {NAMESPACES}><p:titleStyle>{title}</p:titleStyle><p:bodyStyle>{body}</p:bodyStyle>"
        f"<p:otherStyle>{other}</p:otherStyle></p:txStyles>"
    )


def body_levels(slide: Slide, theme: Theme) -> str:
    """Return the style of text whose size differs from the layout's: smaller for sources, larger for few words."""
    level = _level(
        1, slide.layout, PlaceholderRole.BODY, theme, is_sources=slide.is_sources, is_large=is_large(slide)
    )
    return f"<a:lstStyle {NAMESPACES}>{level}</a:lstStyle>"


def _placeholder(number: int, layout: Layout, role: PlaceholderRole, theme: Theme) -> str:
    kind = kind_of(layout, role)
    inner = slide_number(_LANGUAGE) if role is PlaceholderRole.NUMBER else run(kind.prompt, _LANGUAGE)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{kind.name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr><p:ph {kind.attributes}/></p:nvPr></p:nvSpPr><p:spPr>{place(BOXES[layout][role])}"
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f'<p:txBody><a:bodyPr vert="horz" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" '
        f'anchor="{kind.anchor}"><a:noAutofit/></a:bodyPr>'
        f"<a:lstStyle>{_level(1, layout, role, theme)}</a:lstStyle><a:p>{inner}</a:p></p:txBody></p:sp>"
    )


def _level(
    depth: int,
    layout: Layout,
    role: PlaceholderRole,
    theme: Theme,
    *,
    is_sources: bool = False,
    is_large: bool = False,
) -> str:
    kind, px = KINDS[role], size(layout, role, is_sources=is_sources, is_large=is_large)
    line = px * (_TIGHT if px == TITLE_SLIDE_TITLE else 1.25 if is_sources else LINE[role])
    between = 10 if is_sources else 30 if is_large else apart(layout, role)
    font = "+mj" if role in HEADINGS else "+mn"
    return (
        f"<a:lvl{depth}pPr {_indents(depth, layout, role, kind, is_sources)} "
        f'defTabSz="{96 * PX}" rtl="0" eaLnBrk="1" latinLnBrk="0" hangingPunct="1">'
        f'<a:lnSpc><a:spcPts val="{points(line)}"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="{points(between)}"/></a:spcBef><a:spcAft><a:spcPts val="0"/></a:spcAft>'
        f"{_mark(theme) if is_listed(layout, role) else '<a:buNone/>'}"
        f'<a:defRPr lang="{_LANGUAGE}" sz="{points(px)}" b="{int(kind.is_bold)}" kern="1200">'
        f"<a:solidFill>{colour_xml(theme, ink(layout, role))}</a:solidFill>"
        f'<a:latin typeface="{font}-lt"/><a:ea typeface="{font}-ea"/><a:cs typeface="{font}-cs"/></a:defRPr>'
        f"</a:lvl{depth}pPr>"
    )


def _indents(
    depth: int, layout: Layout, role: PlaceholderRole, kind: PlaceholderKind, is_sources: bool
) -> str:
    hanging = (_INDENT if is_listed(layout, role) else 64 if is_sources else 0) * PX
    return f'marL="{hanging + (depth - 1) * _DEPTH * PX}" indent="{-hanging}" algn="{kind.align}"'


def _mark(theme: Theme) -> str:
    """Return a small square in the accent colour."""
    return (
        f'<a:buClr>{colour_xml(theme, "accent")}</a:buClr><a:buSzPct val="100000"/>'
        '<a:buFont typeface="Arial"/><a:buChar char="▪"/>'
    )
