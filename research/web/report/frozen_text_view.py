"""Splits a frozen text into paragraphs with the cited passages marked. Pure: offsets in, segments of text out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from exports.document.document_marked_text import Mark, Piece, cut
from research.parsing.parse_sentences import BULLET

PART_LENGTH = 120_000  # characters shown at once, which a browser lays out in much less than a second
DEEPEST_HEADING = 6


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A cited span of the text."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CitedPassages:
    """The passages that a run quotes from a text.

    `laid` holds the spans of the text that the current passage shares with its claim.
    """

    passages: Sequence[CitedSpan] = ()
    current: CitedSpan | None = None
    laid: Sequence[Mark] = ()


@dataclass(frozen=True, slots=True)
class MarkedSegment:
    """Text inside one paragraph that is marked throughout or not at all."""

    text: str
    is_marked: bool = False
    is_current: bool = False
    anchor: str = ""  # set on the first segment of a passage
    pieces: tuple[Piece, ...] = ()  # in the current passage: the words that it shares with the claim


@dataclass(frozen=True, slots=True)
class TextParagraph:
    kind: str  # a block's kind, or "outside" for text outside blocks
    level: int  # of a heading: 2–6 without gaps; of a list item: its depth
    page: int | None  # set where a new page begins
    segments: tuple[MarkedSegment, ...]

    @property
    def has_own_mark(self) -> bool:
        """True for a list item whose text begins with the page's own bullet, so that none is added."""
        return BULLET.match("".join(segment.text for segment in self.segments[:2])) is not None


@dataclass(frozen=True, slots=True)
class ParagraphGroup:
    """Neighbouring paragraphs of one kind: a list, a table, or ordinary paragraphs."""

    kind: str
    paragraphs: tuple[TextParagraph, ...]


@dataclass(frozen=True, slots=True)
class TextRegion:
    """Part of the text: a block, or the text between two."""

    start: int
    end: int
    kind: str
    level: int | None = None
    page: int | None = None


def stretches(text: str, blocks: Sequence[Mapping[str, object]]) -> list[TextRegion]:
    """Return the whole text in order: each block, and the text between blocks that is not blank."""
    found: list[TextRegion] = []
    reached = 0
    for block in blocks:
        start, end = _number(block["start"]) or 0, _number(block["end"]) or 0
        found += _outside(text, reached, start)
        found.append(
            TextRegion(start, end, str(block["kind"]), _number(block["level"]), _number(block["page"]))
        )
        reached = max(reached, end)
    return found + _outside(text, reached, len(text))


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _outside(text: str, start: int, end: int) -> list[TextRegion]:
    return [TextRegion(start, end, "outside")] if text[start:end].strip() else []


def parts(found: Sequence[TextRegion], length: int = PART_LENGTH) -> list[tuple[TextRegion, ...]]:
    """Group consecutive regions into parts of about `length` characters; return at least one part."""
    result: list[list[TextRegion]] = [[]]
    begin = found[0].start if found else 0
    for stretch in found:
        if result[-1] and stretch.end - begin > length:
            result.append([])
            begin = stretch.start
        result[-1].append(stretch)
    return [tuple(part) for part in result]


def place_of(passage: CitedSpan, found: Sequence[Sequence[TextRegion]]) -> int:
    """Return the index of the part in which the passage begins; 0 if there is none."""
    return next((n for n, part in enumerate(found) if part and passage.start < part[-1].end), 0)


def build_paragraph_groups(
    text: str, part: Sequence[TextRegion], cited: CitedPassages
) -> list[ParagraphGroup]:
    """Group the paragraphs of a part, with every passage in it marked."""
    paragraphs = _paragraphs(text, part, cited)
    return [
        ParagraphGroup(kind, tuple(one_kind))
        for kind, one_kind in groupby(paragraphs, key=lambda paragraph: paragraph.kind)
    ]


def _paragraphs(text: str, part: Sequence[TextRegion], cited: CitedPassages) -> Iterator[TextParagraph]:
    page: int | None = None
    heading = 1
    for stretch in part:
        new_page = stretch.page if stretch.page != page and stretch.page else None
        page = stretch.page or page
        level = stretch.level or 1
        if stretch.kind == "heading":  # no level may be skipped; the page's own title has level 1
            level = heading = min(level + 1, heading + 1, DEEPEST_HEADING)
        yield TextParagraph(stretch.kind, level, new_page, tuple(_segments(text, stretch, cited)))


def _segments(text: str, stretch: TextRegion, cited: CitedPassages) -> Iterator[MarkedSegment]:
    inside = [p for p in cited.passages if p.start < stretch.end and p.end > stretch.start]
    bounds = {stretch.start, stretch.end}
    for passage in inside:
        bounds |= {max(passage.start, stretch.start), min(passage.end, stretch.end)}
    cuts = sorted(bounds)
    for start, end in zip(cuts, cuts[1:], strict=False):
        covering = [p for p in inside if p.start <= start and p.end >= end]
        is_current = cited.current in covering
        yield MarkedSegment(
            text=text[start:end],
            is_marked=bool(covering),
            is_current=is_current,
            anchor=next((p.key for p in covering if p.start == start), ""),
            pieces=cut(text[start:end], cited.laid, start) if is_current else (),
        )
