"""Converts the report's statements into passages that keep their claims and sources. Pure."""

import re
from collections.abc import Iterable
from dataclasses import replace

from exports.document.document_tree import BlockEntry, CitationEntry, ClaimEntry, SourceEntry
from slides.deck import DeckClaim, DeckSource, SlidePassage
from slides.fitting.measure_slide_text import load, width
from slides.fitting.slide_budgets import BULLETS, SOURCES

TWO_LINES = 2 * SOURCES.letters
# Asides that can be left out without changing the claim: they have no figures, names of measures or doubts.
_ASIDES = (
    re.compile(r"\s*\((?P<aside>[^()]*)\)"),
    re.compile(r",? as (?:shown|seen|described|reported) (?:above|below|here)(?P<aside>)"),
)
_BEARS_MEANING = re.compile(
    r"\d|\b(?:not|no|never|only|if|unless|except|about|nicht|kein\w*|nur|wenn|außer|etwa)\b", re.IGNORECASE
)


def passage_of(claim: ClaimEntry) -> SlidePassage:
    """Return the claim's own text as a passage."""
    return SlidePassage(claim.plain_text, claim.number or None, sources_of(claim))


def sources_of(claim: ClaimEntry) -> tuple[int, ...]:
    """Return the numbers of the claim's sources, each once, in the report's order."""
    return tuple(
        dict.fromkeys(citation.source.number for citation in claim.citations if citation.source.number)
    )


def as_bullet(passage: SlidePassage) -> SlidePassage:
    """Remove asides if that makes the passage short enough for a bullet."""
    if load(passage.text) <= BULLETS.words_each:
        return passage
    text = passage.text
    for aside in _ASIDES:
        text = aside.sub(lambda found: found[0] if _BEARS_MEANING.search(found["aside"]) else "", text)
    return replace(passage, text=text) if load(text) <= BULLETS.words_each else passage


def of_block(block: BlockEntry) -> list[SlidePassage]:
    """Return the claims of a block's sentences, without connecting text."""
    return [passage_of(sentence.claim) for sentence in block.sentences if sentence.claim]


def words_of_block(block: BlockEntry) -> list[SlidePassage]:
    return [SlidePassage(sentence.text) for sentence in block.sentences if sentence.text.strip()]


def deck_claim(claim: ClaimEntry) -> DeckClaim:
    quotes = tuple(
        (citation.source.number, citation.quote) for citation in claim.citations if citation.source.number
    )
    return DeckClaim(
        number=claim.number,
        text=claim.plain_text,
        strength=claim.strength,
        confidence=claim.confidence,
        quotes=quotes,
        is_disputed=claim.contradiction_status not in ("", "none"),
        attribution=claim.attribution,
    )


def reference_of(source: SourceEntry) -> str:
    """Compose a plain reference from what is known: author (date). Title. Publisher. Address."""
    return _format_reference(source, _name_author(source), source.published, source.url or source.file)


def deck_source(source: SourceEntry, reference: str = "", authors: str = "") -> DeckSource:
    """Build a source of the deck; `reference` and `authors` ("Lind et al.") are formatted strings, if known."""
    whole = reference or reference_of(source)
    return DeckSource(
        number=source.number or 0,
        reference=whole,
        url=source.url,
        short=short_name(source, authors),
        listed=_shorten_reference(source, whole, authors),
    )


def _shorten_reference(source: SourceEntry, reference: str, authors: str) -> str:
    """Return a short form of a reference with many authors or a long address: author, year, title and site."""
    short = _format_reference(source, authors or _name_author(source), source.published[:4])
    return short if width(reference) > TWO_LINES and len(short) < len(reference) else ""


def _name_author(source: SourceEntry) -> str:
    return source.author or source.publisher or source.domain


def _format_reference(source: SourceEntry, who: str, published: str, address: str = "") -> str:
    dated = f"{who} ({published})" if who and published else who or published
    publisher = source.publisher if source.publisher != who else ""
    parts = (dated, source.title, publisher, address)
    told = ". ".join(part.strip().rstrip(".") for part in parts if part.strip())
    return told.replace("?. ", "? ").replace("!. ", "! ")


def attribution_of(citation: CitationEntry, authors: str = "") -> str:
    """Return the author or publisher of the quoted words, else the source's title, and the year."""
    return short_name(citation.source, authors)


def short_name(source: SourceEntry, authors: str = "") -> str:
    """Return the author or publisher, and the year: "A. Lind, 2024"."""
    who = authors or _name_author(source) or source.title
    return ", ".join(filter(None, (" ".join(who.split()), source.published[:4])))


def unique(passages: Iterable[SlidePassage]) -> list[SlidePassage]:
    """Return each text once."""
    return list({passage.text: passage for passage in passages}.values())
