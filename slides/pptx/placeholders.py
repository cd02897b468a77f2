"""What each part of a slide is in PowerPoint: a placeholder with a type, an index and a style."""

from collections.abc import Mapping
from dataclasses import dataclass

from slides.deck import Layout
from slides.layouts import GAP, Role


@dataclass(frozen=True, slots=True)
class Kind:
    """`type` and `idx` as in `p:ph`; `anchor`: t, ctr, b."""

    name: str
    type: str
    idx: int | None = None
    anchor: str = "t"
    align: str = "l"
    is_bold: bool = False
    prompt: str = "Text"

    @property
    def attributes(self) -> str:
        return f'type="{self.type}"' + (f' idx="{self.idx}"' if self.idx is not None else "")


KINDS: Mapping[Role, Kind] = {
    Role.TITLE: Kind("Title", "title", is_bold=True, prompt="Title"),
    Role.SUBTITLE: Kind("Subtitle", "subTitle", 1, prompt="Subtitle"),
    Role.BODY: Kind("Body", "body", 1),
    Role.LEFT_HEADING: Kind("Left heading", "body", 10, is_bold=True, prompt="Heading"),
    Role.LEFT: Kind("Left side", "body", 11),
    Role.RIGHT_HEADING: Kind("Right heading", "body", 12, is_bold=True, prompt="Heading"),
    Role.RIGHT: Kind("Right side", "body", 13),
    Role.PICTURE: Kind("Picture", "pic", 14, prompt="Picture"),
    Role.CHART: Kind("Chart", "chart", 15, prompt="Chart"),
    Role.QUOTE: Kind("Quote", "body", 16, anchor="ctr", prompt="Quote"),
    Role.ATTRIBUTION: Kind("Attribution", "body", 17, prompt="Who said it"),
    Role.CAPTION: Kind("Caption", "body", 18, prompt="Caption"),
    Role.FOOTER: Kind("Footer", "ftr", 20, anchor="ctr", prompt="Sources"),
    Role.NUMBER: Kind("Slide number", "sldNum", 21, anchor="ctr", align="r", prompt=""),
}
HEADINGS = (Role.TITLE, Role.LEFT_HEADING, Role.RIGHT_HEADING)  # in the theme's font for headings
_APART: Mapping[Role, float] = {Role.BODY: 20, Role.LEFT: 2 * GAP, Role.RIGHT: 2 * GAP}


def kind_of(layout: Layout, role: Role) -> Kind:
    """As the layout has it: on a title slide the title is a centred one, and stands in the middle with its byline."""
    kind = KINDS[role]
    if layout is not Layout.TITLE or role not in (Role.TITLE, Role.CAPTION):
        return kind
    return Kind(
        kind.name,
        "ctrTitle" if role is Role.TITLE else kind.type,
        kind.idx,
        "ctr",
        is_bold=kind.is_bold,
        prompt=kind.prompt,
    )


def is_listed(layout: Layout, role: Role) -> bool:
    """With a mark before each paragraph."""
    return layout is Layout.BULLETS and role is Role.BODY


def apart(layout: Layout, role: Role) -> float:
    """px between paragraphs."""
    return 14 if is_listed(layout, role) else _APART.get(role, 0)
