"""Values in sentences that speak of a column in passing: "It was founded by Ann Lee in 1998 and employs 40 people."."""

import re

from citations.entities.entities import find_entities
from citations.find_quantities import find_quantities
from citations.text.quote_span import Span
from research.pipelines.table.convert_table_cell_values import Value, ValueRefusal, parse_value
from research.pipelines.table.finding.labelled_table_values import trim_span
from research.pipelines.table.finding.parse_table_cell_value import (
    ValueAnswer,
    answer,
    has_matching_noun,
    pieces,
)
from research.pipelines.table.finding.score_table_column_labels import LabelFit, mask_item_name
from research.pipelines.table.finding.table_item_scope import is_other_subject
from research.pipelines.table.table_column_amounts import unit_of
from research.pipelines.table.table_columns import FieldType, TableField

_AFTER = re.compile(
    r"(?:\s*(?:,|:)?\s*\b(?:is|are|was|were|be|been|being|of|in|at|by|with|to|from|as|on|under|near|around|called|named|"
    r"include[sd]?|including|comprises?|the|an?|its|their|both|currently|now|only|mainly|into|city|region|name|code)\b)*\s*[:,]?\s*",
    re.IGNORECASE,
)


def in_sentence(
    item: str, field: TableField, text: str, sentence: Span, fit: LabelFit
) -> ValueAnswer | ValueRefusal | None:
    """The column's value in a sentence that has its words at `fit.words`; why what stands there is none, as a range."""
    if not fit.words:
        return None
    first, last = sentence.start + fit.words[0].start, sentence.start + fit.words[-1].end
    if field.many and _denies(text, sentence, first):
        return ValueAnswer((), sentence)
    if field.type in (FieldType.STRING, FieldType.BOOLEAN):
        return _words_near(item, field, text, sentence, Span(first, last))
    if _tells_of_another(item, text, sentence, first):
        return None
    words = mask_item_name(item, sentence.cut(text))  # the 9 of "Lumen 9" is no value
    inside = pieces(field, words, Span(0, len(words)))
    placed = (Span(sentence.start + piece.start, sentence.start + piece.end) for piece in inside)
    found = sorted(placed, key=lambda piece: _distance(piece, first, last))
    if field.type is FieldType.NUMBER:
        found.sort(key=lambda piece: not _is_in_unit(field, text, sentence, piece))
        found.sort(key=lambda piece: not _is_counted(field, text, sentence, piece))
    if not found and field.type is FieldType.NUMBER:
        quantities = find_quantities(sentence.cut(text))
        ranges = [quantity.text for quantity in quantities if quantity.low != quantity.high]
        refused = parse_value(field, ranges[0]) if ranges else None
        return refused if isinstance(refused, ValueRefusal) else None
    read = [answer(field, text, piece) for piece in found]
    return next((each for each in read if isinstance(each, ValueAnswer)), read[0] if read else None)


_NONE_BEFORE = re.compile(
    r"\b(?:no|without(?: any)?|not have any|n['’]t have any|keine?)\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE
)


def _denies(text: str, sentence: Span, first: int) -> bool:
    """ "It has no land borders": a word for none, just before the column's words."""
    return bool(_NONE_BEFORE.search(text[sentence.start : first]))


def _distance(piece: Span, first: int, last: int) -> int:
    """Characters between a value and the column's words; what follows them comes before what precedes."""
    return piece.start - last if piece.start >= last else 3 * (first - piece.end) + 10


def _is_counted(field: TableField, text: str, sentence: Span, piece: Span) -> bool:
    at = piece.start - sentence.start
    return any(
        quantity.span.start == at and has_matching_noun(field, quantity)
        for quantity in find_quantities(sentence.cut(text))
    )


def _is_in_unit(field: TableField, text: str, sentence: Span, piece: Span) -> bool:
    unit, at = unit_of(field), piece.start - sentence.start
    quantities = find_quantities(sentence.cut(text))
    return unit is not None and any(
        quantity.span.start == at and quantity.unit == unit.name for quantity in quantities
    )


def _words_near(item: str, field: TableField, text: str, sentence: Span, cue: Span) -> ValueAnswer | None:
    """Text after the column's words, else the words that qualify them, else the name that is said to be it."""
    for stretch in (
        _find_following(item, text, sentence, cue),
        _find_qualifier(item, text, sentence, cue),
        _find_named_subject(item, text, sentence, cue),
    ):
        if stretch is not None and len(stretch):
            read = answer(field, text, stretch)
            if isinstance(read, ValueAnswer) and not _repeats(item, read.value):
                return read
    return None


def _repeats(item: str, value: Value) -> bool:
    return isinstance(value, str) and value.casefold() == item.strip().casefold()


def _find_following(item: str, text: str, sentence: Span, cue: Span) -> Span | None:
    if _tells_of_another(item, text, sentence, cue.start):
        return None
    link = _AFTER.match(text, cue.end, sentence.end)
    start = link.end() if link else cue.end
    if start <= cue.end and not text[cue.end : cue.end + 1].isspace():
        return None
    rest = trim_span(text, start, sentence.end)
    is_name = rest.cut(text)[:1].isupper() or rest.cut(text)[:1].isdigit()
    is_linked = link is not None and link.group().strip() != ""
    return rest if is_name or is_linked else None


_NOUN_PHRASE = re.compile(
    r"(?:\b(?:the|an?|its|their|in|of|for)\s+)((?:[^\W_][\w.+-]*\s+){1,4})$", re.IGNORECASE
)


def _find_qualifier(item: str, text: str, sentence: Span, cue: Span) -> Span | None:
    """ "in the software industry": software."""
    if _tells_of_another(item, text, sentence, cue.start):
        return None
    before = text[sentence.start : cue.start]
    match = _NOUN_PHRASE.search(before)
    if match is None:
        return None
    return trim_span(text, sentence.start + match.start(1), sentence.start + match.end(1))


_BEING = re.compile(
    r",?\s+(?:is|was|serves as|acts as|has been|became|remains)\s+(?:the|its|their|our|an?)\s+(?:[a-z][\w-]*\s+){0,3}",
    re.IGNORECASE,
)


def _find_named_subject(item: str, text: str, sentence: Span, cue: Span) -> Span | None:
    """ "Ann Lee is its chief executive": the name that the sentence begins with, if it is not the item's own."""
    subject = _subject(text, sentence)
    if subject is None or subject.end > cue.start or not is_other_subject(item, subject.cut(text)):
        return None
    return subject if _BEING.fullmatch(text, subject.end, cue.start) else None


_BACK = re.compile(
    r"\b(?:it|them|its|the (?:company|firm|country|project|package|organi[sz]ation|product))\b", re.IGNORECASE
)


def _tells_of_another(item: str, text: str, sentence: Span, cue: int) -> bool:
    """True for "Its rival Globex employs ...", not for "Ann Lee founded the company in ..." """
    subject = _subject(text, sentence)
    if subject is None or subject.start >= cue or not is_other_subject(item, subject.cut(text)):
        return False
    rest = text[subject.end : sentence.end]
    return not _BACK.search(rest) and item.casefold() not in rest.casefold()


_SUBJECT_START = re.compile(r"(?:(?:the|its|their|his|her|a|an)\s+(?:[a-z-]+\s+){0,3})?", re.IGNORECASE)


def _subject(text: str, sentence: Span) -> Span | None:
    """The name that a sentence begins with, perhaps after what it is: "Its rival Globex"."""
    first = next(iter(find_entities(sentence.cut(text))), None)
    if first is None or not _SUBJECT_START.fullmatch(sentence.cut(text)[: first.span.start]):
        return None
    return Span(sentence.start + first.span.start, sentence.start + first.span.end)
