"""What each part of a slide is in PowerPoint: a placeholder with a type, an index and a style."""

from collections.abc import Mapping
from dataclasses import dataclass

from slides.pptx.boxes import Role


@dataclass(frozen=True, slots=True)
class Kind:
    """`type` and `idx` as in `p:ph`; `anchor`: t, ctr, b. Colour: a name of the scheme."""

    name: str
    type: str
    idx: int | None = None
    anchor: str = "t"
    align: str = "l"
    colour: str = "tx1"
    is_bold: bool = False
    is_listed: bool = False  # with bullets
    prompt: str = "Text"

    @property
    def attributes(self) -> str:
        return f'type="{self.type}"' + (f' idx="{self.idx}"' if self.idx is not None else "")


KINDS: Mapping[Role, Kind] = {
    Role.TITLE: Kind("Title", "title", anchor="b", is_bold=True, prompt="Title"),
    Role.SUBTITLE: Kind("Subtitle", "subTitle", 1, colour="tx2", prompt="Subtitle"),
    Role.BODY: Kind("Body", "body", 1),
    Role.LEFT_HEADING: Kind("Left heading", "body", 10, is_bold=True, prompt="Heading"),
    Role.LEFT: Kind("Left side", "body", 11),
    Role.RIGHT_HEADING: Kind("Right heading", "body", 12, is_bold=True, prompt="Heading"),
    Role.RIGHT: Kind("Right side", "body", 13),
    Role.PICTURE: Kind("Picture", "pic", 14, prompt="Picture"),
    Role.CHART: Kind("Chart", "chart", 15, prompt="Chart"),
    Role.QUOTE: Kind("Quote", "body", 16, anchor="ctr", prompt="Quote"),
    Role.ATTRIBUTION: Kind("Attribution", "body", 17, colour="tx2", prompt="Who said it"),
    Role.CAPTION: Kind("Caption", "body", 18, colour="tx2", prompt="Caption"),
    Role.FOOTER: Kind("Footer", "ftr", 20, anchor="ctr", colour="tx2", prompt=""),
    Role.NUMBER: Kind("Slide number", "sldNum", 21, anchor="ctr", align="r", colour="tx2", prompt=""),
}
