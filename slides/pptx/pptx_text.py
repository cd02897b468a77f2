"""Writes passages as paragraphs, each with the numbers of its sources as superscript links."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from lxml import etree
from pptx.oxml.ns import qn

from exports.formats.export_forbidden_characters import clean
from slides.deck import SlidePassage

Link = Callable[[int], Mapping[str, str] | None]  # attributes of a link to a source; None: no link
_LANGUAGES = {"en": "en-US", "de": "de-DE", "fr": "fr-FR", "it": "it-IT", "es": "es-ES", "pt": "pt-PT"}
_RAISED = "30000"  # thousandths of a percent
_RIGHT_TO_LEFT = ("R", "AL")
_LINE_BREAKS = re.compile(r"\s*\n\s*")


def language_tag(code: str) -> str:
    """Return a language tag with the country that PowerPoint expects."""
    return _LANGUAGES.get(code, code) or "en-US"


def fill(body: etree._Element, passages: Iterable[SlidePassage], language: str, link: Link) -> None:
    """Replace the paragraphs of a `p:txBody` with one for each passage."""
    for passage, element in _replace_paragraphs(body, passages):
        add_run(element, one_line(passage.text), language)
        for place, source in enumerate(passage.sources):
            if place:
                add_run(element, ",", language, baseline=_RAISED)
            _add_number(element, source, language, link, baseline=_RAISED)


def fill_references(
    body: etree._Element, passages: Iterable[SlidePassage], language: str, link: Link
) -> None:
    """Replace the paragraphs with a list of sources, each beginning with its number."""
    for passage, element in _replace_paragraphs(body, passages):
        for source in passage.sources:
            _add_number(element, source, language, link)
            add_run(element, "\t", language)  # indents the following lines
        add_run(element, one_line(passage.text), language)


def _replace_paragraphs(
    body: etree._Element, passages: Iterable[SlidePassage]
) -> Iterator[tuple[SlidePassage, etree._Element]]:
    """Yield a new paragraph for each passage, without its text."""
    for paragraph in body.findall(qn("a:p")):
        body.remove(paragraph)
    for passage in passages:
        paragraph = etree.SubElement(body, qn("a:p"))
        if is_right_to_left(passage.text):
            etree.SubElement(paragraph, qn("a:pPr"), rtl="1", algn="r")
        yield passage, paragraph


def _add_number(paragraph: etree._Element, source: int, language: str, link: Link, **properties: str) -> None:
    held = add_run(paragraph, str(source), language, **properties)
    if attributes := link(source):
        etree.SubElement(held, qn("a:hlinkClick"), dict(attributes))


def add_run(paragraph: etree._Element, text: str, language: str, **properties: str) -> etree._Element:
    """Add a run and return its properties element, to which a link may be added."""
    run = etree.SubElement(paragraph, qn("a:r"))
    held = etree.SubElement(run, qn("a:rPr"), {"lang": language_tag(language), **properties})
    etree.SubElement(run, qn("a:t")).text = text
    return held


def one_line(text: str) -> str:
    return _LINE_BREAKS.sub(" ", clean(text)).strip()


def is_right_to_left(text: str) -> bool:
    """Return True if the first letter with a direction is right-to-left (Unicode's bidirectional rule P2)."""
    kinds = (unicodedata.bidirectional(character) for character in text)
    return next((kind for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "L") in _RIGHT_TO_LEFT
