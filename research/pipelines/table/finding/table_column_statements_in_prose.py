"""Statements of prose: lines with a colon, definitions, sections under a heading, and sentences that say what is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.text.claim_words_and_stems import sentence_spans
from citations.text.quote_span import Span
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.labelled_table_values import (
    LabelledValue,
    StatementForm,
    is_former,
    plain_label,
    trim_span,
    year_of,
)
from research.pipelines.table.finding.table_item_names import item_key, names_item
from research.pipelines.table.finding.table_item_scope import ItemScope, is_beside, is_other_subject

_COLON = re.compile(
    r"^[\s*_•·-]*(?P<label>[^\W_][^:.!?\n]{0,70}?)[*_\s]*(?::|\s=|(?<!\d)\s[–—]|\s[–—](?!\s\d)|\t)[*_]*\s+(?P<value>\S.*)$",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"^\s*(\*\*|__)(?P<label>[^*_]{1,60})\1\s*(?P<value>\S.*)$", re.DOTALL)
_IS = re.compile(
    r"\s+(?:is|are|was|were|has been|have been|stands? at|stood at|amounts? to|amounted to|totals?|totalled|equals?|"
    r"remains?|comes? to|reads?|ist|sind|beträgt|betrug|betragen)(?:\s+(?:currently|now|today|still|also|about))?\s+",
    re.IGNORECASE,
)
_ADVERBIAL = re.compile(
    r"^(?:in|as of|by|since|at|according to|today|currently)\b[^,]{0,60},\s*", re.IGNORECASE
)
_MAX_LABEL = 10  # words
_DETERMINER = re.compile(
    r"^(?:the|its|their|his|her|our|this|that|a|an|your|der|die|das|seine?|ihre?)\s+", re.IGNORECASE
)
_PRONOUN = re.compile(r"^(?:it|they|he|she|we|there|this|that|these|which|who|you|i)$", re.IGNORECASE)
_SPOKEN_OF = re.compile(r"^(?P<owner>.{1,80}?)['’]s?\s+(?P<label>.+)$")
_OF = re.compile(r"\s+(?:of|for|in|at)\s+(?P<owner>(?:the\s+)?[^\W\d_].*)$")
_SENTENCES = (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE)


@dataclass(frozen=True, slots=True)
class ItemSentence:
    """A sentence that speaks of the item, and whether it tells of the past."""

    span: Span
    is_former: bool


def sentences(
    item: str, source: ReadText, scope: ItemScope, others: Sequence[str] = ()
) -> tuple[ItemSentence, ...]:
    """The sentences of the item's own page or section; elsewhere those that begin with its name or tell what is its."""
    found = []
    for block in (source.parts[place] for place in source.prose_places):
        if block.kind not in _SENTENCES or is_beside(block.section):
            continue
        is_inside = any(Span(block.start, block.end).within(span) for span in scope.spans)
        for span in _find_own_sentences(item, source.text, block, others):
            if is_inside or begins_with(item, span.cut(source.text)):
                found.append(ItemSentence(span, is_former(span.cut(source.text))))
    return tuple(found)


_RELATION = re.compile(r"\s+(?:is|was|became|remains|serves as|acts as)\s+(?:the|its|their|our|an?)\b")


def _find_own_sentences(item: str, text: str, block: TextBlock, others: Sequence[str]) -> Iterator[Span]:
    """Yield the sentences of a block, without those about one of the `others`: from its name up to the item's.

    "Globex is its owner" tells something of the item too.
    """
    is_of_other = False
    for place in sentence_spans(text[block.start : block.end]):
        span = Span(block.start + place.start, block.start + place.end)
        sentence = span.cut(text)
        end = max((_end_of_subject(other, sentence) for other in others), default=0)
        if end > _end_of_subject(item, sentence):
            is_of_other = True
            if _RELATION.match(sentence, end):
                yield span
        elif not is_of_other or item.casefold() in sentence.casefold():
            is_of_other = False
            yield span


def _end_of_subject(name: str, sentence: str) -> int:
    """Return the end of the name if it is the subject of a sentence, else 0: "Unlike it, the smaller Tenor …"."""
    match = re.match(
        rf"(?:[^,.:]{{1,40}},\s+)?(?:(?:the|its|their|our|an?)\s+(?:[a-z][\w-]*\s+){{0,2}})?(?-i:{re.escape(name)})"
        r"(?=['’]s|[\s,:])(?!\s*(?:and\s+)?(?-i:[A-Z]))",
        sentence,
        re.IGNORECASE,
    )
    return match.end() if match else 0


def begins_with(item: str, sentence: str) -> bool:
    """True for a sentence whose subject is the item: its name, and then a word that is no part of a longer name."""
    match = re.match(
        rf"(?:the\s+)?{re.escape(item.strip())}(?:\s*\([^)]*\))?(?P<next>['’]s|[\s,:])",
        sentence,
        re.IGNORECASE,
    )
    return match is not None and not re.match(r"\s*(?:and\s+)?[A-Z]", sentence[match.end("next") :])


def line_statements(
    item: str, source: ReadText, scope: ItemScope, others: Sequence[str] = ()
) -> Iterator[LabelledValue]:
    blocks = source.parts
    for index in source.prose_places:
        block = blocks[index]
        if is_beside(block.section):
            continue
        if any(Span(block.start, block.end).within(span) for span in scope.spans):
            yield from _of_next(item, source, blocks, index)
            if block.kind in _SENTENCES:
                yield from _of_block(item, source, block, others)
        elif block.kind in _SENTENCES:
            yield from _of_others(item, source, block)


def _of_block(
    item: str, source: ReadText, block: TextBlock, others: Sequence[str]
) -> Iterator[LabelledValue]:
    for span in _find_own_sentences(item, source.text, block, others):
        found = read_sentence(item, source.text, span)
        if found is not None:
            yield found


def _of_others(item: str, source: ReadText, block: TextBlock) -> Iterator[LabelledValue]:
    """Yield values from a text about something else.

    Only sentences count that name the item as the owner of what they state.
    """
    if item_key(item) not in item_key(source.text[block.start : block.end]):
        return
    for place in sentence_spans(source.text[block.start : block.end]):
        span = Span(block.start + place.start, block.start + place.end)
        found = read_sentence(item, source.text, span, must_name=True)
        if found is not None:
            yield found


def read_sentence(item: str, text: str, span: Span, *, must_name: bool = False) -> LabelledValue | None:
    """The label and the value of a sentence, if it is of that form and about the item.

    With `must_name` only one that names the item: "The capital of Chad is ...", "Chad's capital is ...".
    """
    sentence = span.cut(text)
    if not must_name:
        match = _COLON.match(sentence) or _EMPHASIS.match(sentence)
        if match and len(match["label"].split()) <= _MAX_LABEL:
            return _build_statement(text, span, match["label"], match.start("value"), StatementForm.LINE)
    opening = _ADVERBIAL.match(sentence)
    start = opening.end() if opening else 0
    match = _IS.search(sentence, start)
    if match is None:
        return None
    label = _find_attribute(item, sentence[start : match.start()], must_name=must_name)
    if label is None or len(label.split()) > _MAX_LABEL:
        return None
    found = _build_statement(text, span, label, match.end(), StatementForm.SENTENCE)
    year = year_of(opening.group()) if opening else None
    return (
        found
        if year is None
        else LabelledValue(found.label, found.value, found.quote, found.form, found.is_former, year)
    )


_IN = re.compile(r"(?:in|at|by|on|from|of|with|to)\s+(?:the\s+)?(?=[^\W_a-z])")


def subject_end(sentence: str) -> int | None:
    """Return the end of the subject in a sentence that says what something is; None for other sentences."""
    opening = _ADVERBIAL.match(sentence)
    match = _IS.search(sentence, opening.end() if opening else 0)
    return match.start() if match else None


def _build_statement(
    text: str, span: Span, label: str, value_start: int, form: StatementForm
) -> LabelledValue:
    label = plain_label(label)
    if form is StatementForm.SENTENCE and (link := _IN.match(text, span.start + value_start, span.end)):
        value_start = link.end() - span.start
    value = trim_span(text, span.start + value_start, span.end)
    former = is_former(label) if form is StatementForm.LINE else is_former(span.cut(text))
    return LabelledValue(label, value, span, form, former, year_of(label))


def _find_attribute(item: str, subject: str, *, must_name: bool) -> str | None:
    """Return the attribute of the item that is the subject of a sentence ("capital").

    None where the subject is the item itself, or belongs to another item.
    """
    plain = _DETERMINER.sub("", subject.strip())
    if not plain or _PRONOUN.match(plain) or item_key(plain) == item_key(item):
        return None
    owner, label = _owner(plain)
    if owner is None:
        return None if must_name else label
    if is_other_subject(item, owner):
        return None
    if must_name and item_key(owner) != item_key(item):
        return None
    return label if item_key(_DETERMINER.sub("", owner)) == item_key(item) or owner[0].isupper() else plain


def _owner(subject: str) -> tuple[str | None, str]:
    """Split a subject into owner and label; the owner is None where not named.

    "Chad's capital" and "capital of Chad" both give ("Chad", "capital").
    """
    if match := _SPOKEN_OF.match(subject):
        return match["owner"], match["label"]
    if match := _OF.search(subject):
        return match["owner"], subject[: match.start()]
    return None, subject


def _of_next(
    item: str, source: ReadText, blocks: tuple[TextBlock, ...], index: int
) -> Iterator[LabelledValue]:
    """A heading, or a term alone on its line, with what stands beneath it."""
    block = blocks[index]
    label = source.text[block.start : block.end]
    is_term = block.kind is BlockKind.LIST or block.kind is BlockKind.PARAGRAPH and len(label) < 60
    if block.kind is not BlockKind.HEADING and not is_term:
        return
    if (
        names_item(item, label)
        or len(label.split()) > _MAX_LABEL
        or re.search(r"[.!?,;]$|: ", label)
        or index + 1 >= len(blocks)
    ):
        return
    beneath = _beneath(blocks, index)
    if beneath is not None:
        value = trim_span(source.text, beneath.start, beneath.end)
        yield LabelledValue(
            plain_label(label),
            value,
            Span(block.start, beneath.end),
            StatementForm.SECTION,
            is_former(label),
            year_of(label),
        )


def _beneath(blocks: tuple[TextBlock, ...], index: int) -> Span | None:
    """Return the span beneath a block: the items of a list beneath a heading, else the one block that follows.

    None if that is no prose, or longer than 600 characters.
    """
    first = blocks[index + 1]
    if first.kind not in _SENTENCES or first.end - first.start > 600:
        return None
    last = first
    if blocks[index].kind is BlockKind.HEADING and first.kind is BlockKind.LIST:
        for block in blocks[index + 1 :]:
            if block.kind is not BlockKind.LIST:
                break
            last = block
    return Span(first.start, last.end)
