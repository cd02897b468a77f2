"""Read the deck back from a PPTX or HTML file."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain

from lxml import etree
from lxml import html as lxml_html
from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as PresentationType
from pptx.slide import Slide as PptxSlide

from slides.deck import DeckContent, Slide
from slides.speaker_notes import chart_of, claims_on, passages_of

Pair = tuple[int, int]  # a claim and a source that stands behind it
Worded = tuple[str, tuple[int, ...]]  # a text and the numbers behind it
_CLAIM = re.compile(r"Claim (\d+) \(")
_QUOTE = re.compile(r"\[(\d+)\] “")
_NUMBER = re.compile(r"\d+")


def open_pptx(data: bytes) -> PresentationType:
    return Presentation(BytesIO(data))


def pairs_of(deck: DeckContent) -> frozenset[Pair]:
    """Return the pairs of the claims that its slides show."""
    shown = {claim for slide in deck.slides for claim in claims_on(slide)}
    return frozenset(
        (claim.number, source) for claim in deck.claims if claim.number in shown for source, _ in claim.quotes
    )


def pairs_in_notes(lines: Iterable[str]) -> frozenset[Pair]:
    """A claim's line, then its quotes, each with the number of its source."""
    found, claim = set(), 0
    for line in lines:
        if stated := _CLAIM.match(line):
            claim = int(stated[1])
        elif (quoted := _QUOTE.match(line)) and claim:
            found.add((claim, int(quoted[1])))
        else:
            claim = 0
    return frozenset(found)


def notes_in_pptx(slide: PptxSlide) -> list[str]:
    return [paragraph.text for paragraph in slide.notes_slide.notes_text_frame.paragraphs]


def notes_in_html(page: bytes) -> list[str]:
    return [
        "".join(one.itertext()) for one in lxml_html.fromstring(page).xpath("//details[@class='behind']/p")
    ]


def list_passages(slide: Slide) -> list[Worded]:
    """The passages of a slide of the deck that name sources."""
    said = [(passage.text, passage.sources) for passage in passages_of(slide) if passage.sources]
    chart = chart_of(slide)
    return said + ([(slide.caption, chart.sources)] if chart and chart.sources else [])


def list_pptx_passages(slide: PptxSlide) -> list[Worded]:
    """Paragraphs with raised numbers."""
    paragraphs = chain.from_iterable(
        shape.text_frame.paragraphs for shape in slide.placeholders if shape.has_text_frame
    )
    return [found for paragraph in paragraphs if (found := _apart(paragraph._p))[1]]


def _apart(paragraph: etree._Element) -> Worded:
    text, numbers = "", []
    for run in paragraph.findall(qn("a:r")):
        is_raised = run.find(qn("a:rPr")).get("baseline") is not None
        said = run.findtext(qn("a:t"))
        if is_raised:
            numbers += [int(number) for number in _NUMBER.findall(said)]
        else:
            text += said
    return text, tuple(numbers)


def list_html_passages(page: bytes) -> Iterator[list[Worded]]:
    """Slide by slide."""
    for slide in lxml_html.fromstring(page).xpath("//div[contains(@class, 'slide on-')]"):
        yield [("".join(one.getprevious().itertext()), _numbers(one)) for one in slide.xpath(".//sup")]


def _numbers(raised: etree._Element) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall("".join(raised.itertext()))))
