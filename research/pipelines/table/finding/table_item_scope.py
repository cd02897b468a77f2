"""The parts of a source that are about an item: all of a page about it, a section, rows, or only a few sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from citations.text.claim_words_and_stems import sentence_spans
from citations.text.quote_span import Span
from research.parsing.parsed_document import BlockKind
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.table_item_names import item_key, names_item


@dataclass(frozen=True, slots=True)
class ItemScope:
    """The spans of a source that are about an item; none for a source that only mentions it.

    `is_page`: the whole source is about it.
    """

    spans: tuple[Span, ...] = ()
    is_page: bool = False


def scope(item: str, source: ReadText, others: Sequence[str] = ()) -> ItemScope:
    """Return the parts about the item, without the sections inside them that other items have to themselves."""
    is_page = is_about(item, source)
    spans = [Span(0, len(source.text))] if is_page else list(_sections(item, source))
    for section in (section for other in others for section in _sections(other, source)):
        spans = [piece for span in spans for piece in _cut_out(span, section)]
    return ItemScope(tuple(spans), is_page)


def _cut_out(span: Span, section: Span) -> list[Span]:
    """Return the span without a section inside it."""
    if not section.within(span) or span == section:
        return [span]
    pieces = (Span(span.start, section.start), Span(section.end, span.end))
    return [piece for piece in pieces if len(piece)]


def is_about(item: str, source: ReadText) -> bool:
    """True for a page about the item: by its address, its title or first heading, or how it begins."""
    if is_address(item):
        return _same_address(item, source.url)
    first = (source.text[block.start : block.end] for block in source.headings[:1])
    names = (source.title, *first)
    return any(names_item(item, name) for name in names if name) or _begins_with(item, source)


def _begins_with(item: str, source: ReadText) -> bool:
    """True for a text whose first sentence says what the item is: "Acme GmbH is a maker of ..."."""
    body = next((block for block in source.blocks if block.kind is BlockKind.PARAGRAPH), None)
    start = body.start if body else 0
    opening = source.text[start : start + 400]
    first = next(iter(sentence_spans(opening)), None)
    if first is None:
        return False
    subject = re.match(
        r"(.{1,120}?)\s*(?:\([^)]*\)\s*)?,?\s+(?:is|was|are|were)\s+(?:an?|the)\b", first.cut(opening)
    )
    return subject is not None and item_key(subject[1]) == item_key(item)


def is_address(item: str) -> bool:
    """Return True if the item is itself the address of a page."""
    return bool(re.match(r"https?://\S+$", item.strip()))


def _same_address(item: str, url: str) -> bool:
    return bool(url) and _plain_address(item) == _plain_address(url)


def _plain_address(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    return f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"


def _sections(item: str, source: ReadText) -> Iterator[Span]:
    """The sections whose heading is the item's name, each up to the next heading of its level or above."""
    for place in source.headings_by_name.get(item_key(item), ()):
        block = source.headings[place]
        later = (
            each.start for each in source.headings[place + 1 :] if (each.level or 1) <= (block.level or 1)
        )
        yield Span(block.start, next(later, len(source.text)))


_BESIDE = re.compile(
    r"^(?:see also|related|external links?|references?|further reading|competitors?|alternatives?|similar|rivals?|"
    r"literature|bibliography|siehe auch|weblinks|literatur|einzelnachweise)\b",
    re.IGNORECASE,
)


def is_beside(section: str) -> bool:
    """True for a section that leads away from what its page is about: "See also", "Competitors"."""
    return any(_BESIDE.match(part) for part in section.split(" > ")[1:])


def is_other_subject(item: str, subject: str) -> bool:
    """True where a sentence is about something else by name: "Germany" on a page about France, not "the country"."""
    plain = re.sub(r"^(?:the|this|that|its|their|our|his|her)\s+", "", subject.strip(), flags=re.IGNORECASE)
    if not plain or not any(character.isupper() for character in plain):
        return False
    key, other = item_key(item), item_key(plain)
    return other != key and not _may_be_short(key, other)


def _may_be_short(key: str, other: str) -> bool:
    """A part of the item's own name, as texts shorten it: "Acme" for "Acme Robotics", not the other way round."""
    words = key.split()
    return bool(other) and (key.startswith(f"{other} ") or other in words and len(words) <= 3)
