"""A deck as PPTX: editable, native, on a template of its own. It decides nothing about what stands where."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import BytesIO

from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation
from pptx.shapes.placeholder import ChartPlaceholder, PicturePlaceholder
from pptx.slide import Slide as PptxSlide

from slides.deck import Deck, Passage, Side, Slide
from slides.pptx.boxes import BOXES, Role
from slides.pptx.charts import put_chart
from slides.pptx.drawing import NAMESPACES, run, slide_number
from slides.pptx.notes import note_lines
from slides.pptx.pictures import describe, put_picture
from slides.pptx.placeholders import KINDS
from slides.pptx.template import template
from slides.pptx.text import fill, language_tag, one_line
from slides.themes import Theme

Progress = Callable[[float], None]
_OWN = datetime(2000, 1, 1, tzinfo=UTC)  # where nobody says when: the same deck gives the same properties


def write_pptx(
    deck: Deck,
    theme: Theme,
    pictures: Mapping[str, bytes],
    tell: Progress = lambda _share: None,
    made_at: datetime | None = None,
) -> bytes:
    """`pictures`: by the keys of the deck's images; one that is missing leaves its placeholder empty."""
    made = template(theme)
    _describe(made, deck, made_at or _OWN)
    for done, slide in enumerate(deck.slides, 1):
        _Writing(made, deck, slide, pictures).write()
        tell(done / len(deck.slides))
    written = BytesIO()
    made.save(written)
    return written.getvalue()


def _describe(made: Presentation, deck: Deck, made_at: datetime) -> None:
    properties = made.core_properties
    properties.title = one_line(deck.title)
    properties.language = language_tag(deck.language)
    properties.identifier = deck.report_url
    properties.author = properties.last_modified_by = "Plumbline"
    properties.created = properties.modified = made_at.replace(tzinfo=None)
    properties.revision = 1


class _Writing:
    """One slide. What it has nothing for is not left on it as an empty placeholder."""

    def __init__(self, made: Presentation, deck: Deck, slide: Slide, pictures: Mapping[str, bytes]) -> None:
        layout = next(one for one in made.slide_layouts if one.name == slide.layout.value.title())
        self._made: PptxSlide = made.slides.add_slide(layout)
        self._deck, self._slide, self._pictures = deck, slide, pictures
        self._held = {one.placeholder_format.idx: one for one in self._made.placeholders}
        self._urls = {source.number: source.url for source in deck.sources}

    def write(self) -> None:
        for role in BOXES[self._slide.layout]:
            if role not in (Role.FOOTER, Role.NUMBER):
                self._fill(role)
        self._foot()
        self._note()

    def _fill(self, role: Role) -> None:
        idx = KINDS[role].idx or 0
        holder = self._held[idx]
        if role is Role.CHART and self._slide.chart is not None and isinstance(holder, ChartPlaceholder):
            frame = put_chart(holder, self._slide.chart)
            describe(frame, self._slide.chart.summary or self._slide.title)
        elif role is Role.PICTURE and isinstance(holder, PicturePlaceholder) and self._picture is not None:
            put_picture(holder, self._picture, self._slide.image.alt if self._slide.image else "")
        elif passages := self._passages(role):
            fill(holder.element.txBody, passages, self._deck.language, self._link)
        else:
            holder.element.getparent().remove(holder.element)

    @property
    def _picture(self) -> bytes | None:
        return self._pictures.get(self._slide.image.key) if self._slide.image else None

    def _passages(self, role: Role) -> tuple[Passage, ...]:
        slide = self._slide
        left, right = (*slide.sides, Side(), Side())[:2]
        words: Mapping[Role, str] = {
            Role.TITLE: slide.title, Role.SUBTITLE: slide.subtitle, Role.ATTRIBUTION: slide.attribution,
            Role.CAPTION: slide.caption, Role.LEFT_HEADING: left.heading, Role.RIGHT_HEADING: right.heading,
        }  # fmt: skip
        if role in words:
            return (Passage(words[role]),) if words[role] else ()
        held = {Role.LEFT: left.passages, Role.RIGHT: right.passages}
        return held.get(role, slide.passages if role in (Role.BODY, Role.QUOTE) else ())

    def _link(self, source: int) -> dict[str, str] | None:
        url = self._urls.get(source)
        if not url:
            return None
        return {qn("r:id"): self._made.part.relate_to(url, RT.HYPERLINK, is_external=True)}

    def _foot(self) -> None:
        """The deck's title and the slide's number, which python-pptx leaves out."""
        language = language_tag(self._deck.language)
        inner = {
            Role.FOOTER: run(one_line(self._deck.title), language),
            Role.NUMBER: slide_number(language, self._slide.number),
        }
        tree = self._made.shapes._spTree
        for role, held in inner.items():
            kind = KINDS[role]
            number = max(int(one) for one in tree.xpath("//p:cNvPr/@id")) + 1
            tree.append(
                parse_xml(
                    f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="{number}" name="{kind.name}"/><p:cNvSpPr>'
                    f'<a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph {kind.attributes}/></p:nvPr></p:nvSpPr>'
                    f"<p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p>{held}</a:p></p:txBody></p:sp>"
                )
            )

    def _note(self) -> None:
        frame = self._made.notes_slide.notes_text_frame
        if frame is None:  # pragma: no cover - our notes have one
            raise LookupError("The notes have no place for text.")
        fill(
            frame._txBody,
            [Passage(line) for line in note_lines(self._deck, self._slide)],
            self._deck.language,
            self._link,
        )
