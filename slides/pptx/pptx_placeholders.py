"""The PowerPoint placeholders for the parts of a slide: their type, index and style."""

from collections.abc import Mapping
from dataclasses import dataclass

from slides.deck import Layout
from slides.slide_layouts import GAP, PlaceholderRole


@dataclass(frozen=True, slots=True)
class PlaceholderKind:
    """A kind of placeholder. `type` and `idx` are as in `p:ph`; `anchor` is t, ctr or b."""

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


KINDS: Mapping[PlaceholderRole, PlaceholderKind] = {
    PlaceholderRole.TITLE: PlaceholderKind("Title", "title", is_bold=True, prompt="Title"),
    PlaceholderRole.SUBTITLE: PlaceholderKind("Subtitle", "subTitle", 1, prompt="Subtitle"),
    PlaceholderRole.BODY: PlaceholderKind("Body", "body", 1),
    PlaceholderRole.LEFT_HEADING: PlaceholderKind("Left heading", "body", 10, is_bold=True, prompt="Heading"),
    PlaceholderRole.LEFT: PlaceholderKind("Left side", "body", 11),
    PlaceholderRole.RIGHT_HEADING: PlaceholderKind(
        "Right heading", "body", 12, is_bold=True, prompt="Heading"
    ),
    PlaceholderRole.RIGHT: PlaceholderKind("Right side", "body", 13),
    PlaceholderRole.PICTURE: PlaceholderKind("Picture", "pic", 14, prompt="Picture"),
    PlaceholderRole.CHART: PlaceholderKind("Chart", "chart", 15, prompt="Chart"),
    PlaceholderRole.QUOTE: PlaceholderKind("Quote", "body", 16, anchor="ctr", prompt="Quote"),
    PlaceholderRole.ATTRIBUTION: PlaceholderKind("Attribution", "body", 17, prompt="Who said it"),
    PlaceholderRole.CAPTION: PlaceholderKind("Caption", "body", 18, prompt="Caption"),
    PlaceholderRole.FOOTER: PlaceholderKind("Footer", "ftr", 20, anchor="ctr", prompt="Sources"),
    PlaceholderRole.NUMBER: PlaceholderKind("Slide number", "sldNum", 21, anchor="ctr", align="r", prompt=""),
}
HEADINGS = (
    PlaceholderRole.TITLE,
    PlaceholderRole.LEFT_HEADING,
    PlaceholderRole.RIGHT_HEADING,
)  # in the theme's font for headings
_APART: Mapping[PlaceholderRole, float] = {
    PlaceholderRole.BODY: 20,
    PlaceholderRole.LEFT: 2 * GAP,
    PlaceholderRole.RIGHT: 2 * GAP,
}


def kind_of(layout: Layout, role: PlaceholderRole) -> PlaceholderKind:
    """Return the kind of placeholder for a part of a layout.

    On a title slide, the title is a centred one and the byline is in the middle.
    """
    kind = KINDS[role]
    if layout is not Layout.TITLE or role not in (PlaceholderRole.TITLE, PlaceholderRole.CAPTION):
        return kind
    return PlaceholderKind(
        kind.name,
        "ctrTitle" if role is PlaceholderRole.TITLE else kind.type,
        kind.idx,
        "ctr",
        is_bold=kind.is_bold,
        prompt=kind.prompt,
    )


def is_listed(layout: Layout, role: PlaceholderRole) -> bool:
    """Return True if each paragraph has a bullet."""
    return layout is Layout.BULLETS and role is PlaceholderRole.BODY


def apart(layout: Layout, role: PlaceholderRole) -> float:
    """Return the px between paragraphs."""
    return 14 if is_listed(layout, role) else _APART.get(role, 0)
