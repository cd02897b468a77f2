"""Chunks for retrieval: whole sentences of one section, overlapping by whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from research.parsing.parse_sentences import SentenceSpan, sentences
from research.parsing.parsed_document import BlockKind, ReadDocument

DEFAULT_TOKENS = 220  # of the 256 that the built-in model reads
DEFAULT_OVERLAP = 30
MAX_TOKENS = 1_000
MAX_COUNTED = 20_000  # characters: far more than any chunk has

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A passage text[start:end] that can be retrieved and cited."""

    index: int
    start: int
    end: int
    section: str
    kind: BlockKind  # that of most of its words
    page: int | None  # where it begins
    token_count: int


@dataclass(frozen=True, slots=True)
class _PassagePiece:
    span: SentenceSpan
    start: int
    end: int
    tokens: int


def chunk(
    document: ReadDocument,
    max_tokens: int = DEFAULT_TOKENS,
    overlap: int = DEFAULT_OVERLAP,
    count_tokens: CountTokens | None = None,
) -> list[ChunkDraft]:
    """Return chunks of at most `max_tokens` (up to 1,000), never across sections; a longer sentence is cut
    between words.

    `overlap` is in tokens, rounded down to whole sentences. `count_tokens` counts the tokens of many texts at
    once; the default is the built-in model's tokenizer. Raises ValueError for impossible sizes.
    """
    if not 8 <= max_tokens <= MAX_TOKENS or not 0 <= overlap <= max_tokens // 2:
        raise ValueError(f"chunks of {max_tokens} tokens with an overlap of {overlap} are not possible")
    count = partial(_count, count_tokens or _builtin_count)
    pieces = _pieces(document.text, sentences(document.text, document.blocks), max_tokens, count)
    drafts: list[ChunkDraft] = []
    for _, of_section in groupby(pieces, key=lambda piece: piece.span.section):
        for group in _groups(list(of_section), max_tokens, overlap):
            drafts.append(_draft(len(drafts), group))
    return drafts


def _count(count_tokens: CountTokens, texts: Sequence[str]) -> list[int]:
    """Count the tokens of each text; a text beyond `MAX_COUNTED` characters is too long without counting.

    Counting would take 100 bytes and a microsecond for each of its tokens.
    """
    counts = iter(count_tokens([text for text in texts if len(text) <= MAX_COUNTED]))
    return [next(counts) if len(text) <= MAX_COUNTED else MAX_TOKENS + 1 for text in texts]


def _builtin_count(texts: Sequence[str]) -> list[int]:
    from research.parsing.vectors.embed_texts import builtin_token_counts

    return builtin_token_counts(texts)


def _pieces(
    text: str, spans: Sequence[SentenceSpan], max_tokens: int, count: CountTokens
) -> Iterator[_PassagePiece]:
    counts = count([text[span.start : span.end] for span in spans])
    for span, tokens in zip(spans, counts, strict=True):
        if tokens <= max_tokens:
            yield _PassagePiece(span, span.start, span.end, tokens)
        else:
            yield from _cut(text, span, max_tokens, count)


def _cut(text: str, span: SentenceSpan, max_tokens: int, count: CountTokens) -> Iterator[_PassagePiece]:
    """Halve a sentence that is too long, at a space if there is one, until the parts fit."""
    waiting = [(span.start, span.end)]
    while waiting:
        start, end = waiting.pop()
        tokens = count([text[start:end]])[0]
        if tokens <= max_tokens or end - start < 2:
            yield _PassagePiece(span, start, end, tokens)
            continue
        middle = (start + end) // 2
        blank = text.find(" ", middle, end - 1)
        border = blank if blank > 0 else text.rfind(" ", start + 1, middle)
        border = border if border > start else middle
        waiting.extend([(border + (text[border] == " "), end), (start, border)])


def _groups(pieces: Sequence[_PassagePiece], max_tokens: int, overlap: int) -> Iterator[list[_PassagePiece]]:
    group: list[_PassagePiece] = []
    for piece in pieces:
        if group and _tokens(group) + piece.tokens > max_tokens:
            yield group
            group = _tail(group, min(overlap, max_tokens - piece.tokens))
        group.append(piece)
    if group:
        yield group


def _tail(group: Sequence[_PassagePiece], overlap: int) -> list[_PassagePiece]:
    """Return the last sentences of a chunk that fit into the overlap; never the whole chunk."""
    kept: list[_PassagePiece] = []
    for piece in reversed(group[1:]):
        if _tokens(kept) + piece.tokens > overlap:
            break
        kept.insert(0, piece)
    return kept


def _tokens(pieces: Sequence[_PassagePiece]) -> int:
    return sum(piece.tokens for piece in pieces)


def _draft(index: int, group: Sequence[_PassagePiece]) -> ChunkDraft:
    lengths: dict[BlockKind, int] = {}
    for piece in group:
        lengths[piece.span.kind] = lengths.get(piece.span.kind, 0) + piece.end - piece.start
    kind = max(lengths, key=lambda kind: lengths[kind])
    first = group[0]
    return ChunkDraft(
        index, first.start, group[-1].end, first.span.section, kind, first.span.page, _tokens(group)
    )
