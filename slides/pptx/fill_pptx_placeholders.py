"""Fills the placeholders of one slide of a PPTX with the contents of the deck."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import override
from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.shapes.placeholder import ChartPlaceholder, PicturePlaceholder
from pptx.slide import Slide as PptxSlide

from slides.deck import DeckContent, Layout, Slide, SlideHalf, SlidePassage
from slides.fitting.slide_emphasis import is_large
from slides.pptx.balance_pptx_title import balance
from slides.pptx.pptx_charts import put_chart
from slides.pptx.pptx_drawing import NAMESPACES, run, slide_number
from slides.pptx.pptx_layout_xml import body_levels
from slides.pptx.pptx_pictures import NotAPicture, describe, put_picture
from slides.pptx.pptx_placeholders import KINDS
from slides.pptx.pptx_text import fill, fill_references, language_tag, one_line
from slides.slide_layouts import BOXES, PlaceholderRole
from slides.speaker_notes import alt_of, chart_of, notes_of, source_line
from slides.theming.deck_themes import Theme

_JUMP = "ppaction://hlinksldjump"
_FEET = (PlaceholderRole.FOOTER, PlaceholderRole.NUMBER)


class Filling:
    """A slide being filled. Empty placeholders are removed. `listing` maps each source to the slides that list it."""

    def __init__(
        self,
        made: PptxSlide,
        theme: Theme,
        deck: DeckContent,
        slide: Slide,
        pictures: Mapping[str, bytes],
        listing: Mapping[int, PptxSlide],
    ) -> None:
        self._made, self._theme, self._deck, self._slide = made, theme, deck, slide
        self._pictures, self._listing = pictures, listing
        self._held = {placeholder.placeholder_format.idx: placeholder for placeholder in made.placeholders}
        self._urls = {source.number: source.url for source in deck.sources}

    def fill(self) -> None:
        for role in BOXES[self._slide.layout]:
            if role in KINDS and role not in _FEET:
                self._fill(role)
        self._foot()
        self._note()

    def _fill(self, role: PlaceholderRole) -> None:
        holder = self._held[KINDS[role].idx or 0]
        is_put = (isinstance(holder, ChartPlaceholder) and self._put_chart(holder)) or (
            isinstance(holder, PicturePlaceholder) and self._put_picture(holder)
        )
        if is_put:
            return
        if passages := self._passages(role):
            self._write(role, holder.element.txBody, passages)
        else:
            holder.element.getparent().remove(holder.element)

    def _put_chart(self, holder: ChartPlaceholder) -> bool:
        chart = chart_of(self._slide)
        if chart is None or not chart.datasets or not chart.labels:
            return False
        describe(put_chart(holder, chart), chart.summary or self._slide.title)
        return True

    def _put_picture(self, holder: PicturePlaceholder) -> bool:
        image = self._slide.image
        data = self._pictures.get(image.key) if image else None
        if image is None or data is None:
            return False
        try:
            with override(self._deck.language):
                put_picture(holder, data, alt_of(image))
        except NotAPicture:
            return False
        return True

    def _write(self, role: PlaceholderRole, body: etree._Element, passages: tuple[SlidePassage, ...]) -> None:
        is_body = role is PlaceholderRole.BODY
        if role is PlaceholderRole.TITLE and self._slide.layout is Layout.TITLE:
            balance(body, passages[0].text)
        if is_body and (self._slide.is_sources or is_large(self._slide)):
            self._resize(body)
        if is_body and self._slide.is_sources:
            fill_references(body, passages, self._deck.language, self._link)
        else:
            fill(body, passages, self._deck.language, self._link)

    def _resize(self, body: etree._Element) -> None:
        """Set the font size that the slide's text needs, if it differs from the layout's."""
        if (levels := body.find(qn("a:lstStyle"))) is not None:
            body.replace(levels, parse_xml(body_levels(self._slide, self._theme)))

    def _passages(self, role: PlaceholderRole) -> tuple[SlidePassage, ...]:
        slide = self._slide
        left, right = (*slide.sides, SlideHalf(), SlideHalf())[:2]
        words: Mapping[PlaceholderRole, str] = {
            PlaceholderRole.TITLE: self._title,
            PlaceholderRole.SUBTITLE: slide.subtitle,
            PlaceholderRole.ATTRIBUTION: slide.attribution,
            PlaceholderRole.LEFT_HEADING: left.heading, PlaceholderRole.RIGHT_HEADING: right.heading,
        }  # fmt: skip
        if role is PlaceholderRole.CAPTION:
            return self._caption
        if role in words:
            return (SlidePassage(words[role]),) if words[role] else ()
        held = {PlaceholderRole.LEFT: left.passages, PlaceholderRole.RIGHT: right.passages}
        return held.get(role, slide.passages if role in (PlaceholderRole.BODY, PlaceholderRole.QUOTE) else ())

    @property
    def _title(self) -> str:
        """Return the title. Every slide has one, because screen readers navigate by titles."""
        if self._slide.part is None:
            return self._slide.title or str(self._slide.number)
        page, pages = self._slide.part
        return f"{self._slide.title} ({page}/{pages})"

    @property
    def _caption(self) -> tuple[SlidePassage, ...]:
        """Return the caption: a chart's sources, a picture's origin, or the description of a missing picture."""
        words, chart = [self._slide.caption], chart_of(self._slide)
        image = self._slide.image if self._slide.layout is Layout.IMAGE else None
        if image and image.key not in self._pictures:
            words.append(image.alt)
        if image and image.is_generated:
            with override(self._deck.language):
                words.append(_("Picture made by a model"))
        text, sources = " · ".join(filter(None, words)), chart.sources if chart else ()
        return (SlidePassage(text, sources=sources),) if text or sources else ()

    def _link(self, source: int) -> Mapping[str, str] | None:
        """Return a link to the source itself, else to the slide that lists it."""
        part, listed = self._made.part, self._listing.get(source)
        if url := self._urls.get(source):
            return {qn("r:id"): part.relate_to(url, RT.HYPERLINK, is_external=True)}
        if listed is None or listed is self._made:
            return None
        return {qn("r:id"): part.relate_to(listed.part, RT.SLIDE), "action": _JUMP}

    def _foot(self) -> None:
        """Add the slide's sources and its number, for which python-pptx has no placeholders."""
        language = language_tag(self._deck.language)
        inner = {
            PlaceholderRole.FOOTER: run(one_line(line), language)
            if (line := source_line(self._deck, self._slide))
            else "",
            PlaceholderRole.NUMBER: slide_number(language, self._slide.number),
        }
        tree = self._made.shapes._spTree
        for role in BOXES[self._slide.layout]:
            if not (held := inner.get(role)):
                continue
            kind = KINDS[role]
            number = max(int(id) for id in tree.xpath("//p:cNvPr/@id")) + 1
            tree.append(
                parse_xml(
                    f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="{number}" name="{kind.name}"/><p:cNvSpPr>'
                    f'<a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph {kind.attributes}/></p:nvPr></p:nvSpPr>'
                    f"<p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p>{held}</a:p></p:txBody></p:sp>"
                )
            )

    def _note(self) -> None:
        frame = self._made.notes_slide.notes_text_frame
        if frame is None:  # pragma: no cover - python-pptx's notes have one
            raise LookupError("The notes have no place for text.")
        lines = [SlidePassage(line) for line in notes_of(self._deck, self._slide)]
        fill(frame._txBody, lines, self._deck.language, self._link)
