"""Admission of a model's answers as cells: only where their words stand in a source and their value fits the column."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from citations.anchoring import QuotableText, Span, anchor
from citations.claim_confidence import MatchKind
from citations.text.quote_normalizing import normalize
from research.pipelines.table.convert_table_cell_values import (
    Scalar,
    Value,
    ValueRefusal,
    format_value,
    parse_value,
    same,
    tidy,
)
from research.pipelines.table.filling.select_table_item_passages import ItemPassage
from research.pipelines.table.filling.table_row_answers import CellAnswer
from research.pipelines.table.finding.found_table_values import (
    FoundCell,
    Missing,
    Other,
    ReadText,
    ValueEvidence,
)
from research.pipelines.table.finding.parse_table_cell_value import pieces
from research.pipelines.table.table_column_amounts import read_number, unit_of
from research.pipelines.table.table_columns import FieldType, TableField

MAX_REASON = 300
NOT_SAID = "The passages that were read do not say it."
NOWHERE = "The words that were given for it stand in no source."
INFERRED = 0.5  # fit of words that do not have the value itself


@dataclass(frozen=True, slots=True)
class QuoteLookup:
    """The sources of an item, for looking up what a model quotes."""

    texts: Mapping[str, QuotableText]  # by source
    passages: Mapping[int, ItemPassage]

    def place(self, answer: CellAnswer) -> tuple[str, Span, float] | None:
        """Return the source, span and similarity of a quote, looking first in the passage that the answer names."""
        named = self.passages.get(answer.passage)
        order = sorted(self.texts, key=lambda key: named is None or key != named.source)
        for key in order:
            start = named.start if named is not None and key == named.source else None
            found = anchor(answer.quote, self.texts[key], start)
            if found is not None:
                return key, found.span, found.similarity
            if (short := _verbatim(answer.quote, self.texts[key].text, start or 0)) is not None:
                return key, short, 1.0
        return None


def _verbatim(quote: str, text: str, start: int) -> Span | None:
    """Find a quote word for word from `start`: a cell of a table may be too short to be anchored."""
    quote = quote.strip()
    place = text.find(quote, start) if len(quote) > 1 else -1
    return None if place < 0 else Span(place, place + len(quote))


def reader_of(texts: Iterable[ReadText], passages: Sequence[ItemPassage]) -> QuoteLookup:
    return QuoteLookup(
        {text.key: text.quotable for text in texts},
        {passage.number: passage for passage in passages},
    )


def admit_cells(
    fields: Sequence[TableField], answers: Iterable[CellAnswer], reader: QuoteLookup
) -> list[FoundCell]:
    """Return a cell for each field, in the order of the fields."""
    by_name = {answer.field: answer for answer in reversed([*answers])}
    return [admit(field, by_name.get(field.name), reader) for field in fields]


def admit(field: TableField, answer: CellAnswer | None, reader: QuoteLookup) -> FoundCell:
    if answer is None or not any(value.strip() for value in answer.values):
        reason = " ".join(answer.reason.split())[:MAX_REASON] if answer else ""
        missing = Missing.NOT_SAID if reason else Missing.UNUSABLE
        return FoundCell(field, missing=missing, reason=reason or NOT_SAID)
    value = parse_value(field, answer.values)
    if isinstance(value, ValueRefusal):
        return FoundCell(field, missing=Missing.UNUSABLE, reason=value.reason)
    place = reader.place(answer)
    if place is None:
        return FoundCell(field, missing=Missing.UNUSABLE, reason=NOWHERE)
    return FoundCell(field, value, (_evidence(field, value, reader, place),))


def _evidence(
    field: TableField, value: Value, reader: QuoteLookup, place: tuple[str, Span, float]
) -> ValueEvidence:
    source, span, likeness = place
    words = span.cut(reader.texts[source].text)
    inside = value_in(field, value, words)
    if inside is None:
        return ValueEvidence(
            source, span.start, span.end, span.start, span.end, MatchKind.INFERENCE, INFERRED
        )
    kind = MatchKind.NORMALIZED if likeness == 1 else MatchKind.PARAPHRASE
    start = span.start + inside.start
    return ValueEvidence(source, span.start, span.end, start, span.start + inside.end, kind, likeness)


def value_in(field: TableField, value: Value, words: str) -> Span | None:
    """Return the span of the value in the words, or None if they lack it; for a list, from first to last value."""
    spans = [_scalar_in(field, scalar, words) for scalar in (value if isinstance(value, tuple) else (value,))]
    matches = [span for span in spans if span is not None]
    if not matches or len(matches) < len(spans):
        return None
    return Span(min(span.start for span in matches), max(span.end for span in matches))


_FIGURE = re.compile(r"[-−+]?\d[\d.,'’\u00a0\u202f ]*\d|\d")


def _scalar_in(field: TableField, value: Scalar, words: str) -> Span | None:
    if isinstance(value, bool):
        return None
    if field.type is FieldType.NUMBER:
        return next(
            (number for number in _numbers(field, words) if _reads_as(field, number.cut(words), value)), None
        )
    said = format_value(value)
    if field.type is FieldType.URL:  # sources name most addresses without it
        said = said.partition("://")[2]
    place = re.search(re.escape(said), words, re.IGNORECASE)
    if place is not None:
        return Span(place.start(), place.end())
    has_it = normalize(said) in normalize(words) or _has_date(field, value, words)
    return Span(0, len(words)) if has_it else None


def _numbers(field: TableField, words: str) -> Iterator[Span]:
    """Yield bare figures, then figures with the words that scale them: "1.2 million", "3 square miles"."""
    for figure in _FIGURE.finditer(words):
        yield Span(*figure.span())
    yield from pieces(field, words, Span(0, len(words)))


def _reads_as(field: TableField, figure: str, value: Scalar) -> bool:
    number = read_number(figure.strip(), unit_of(field))
    return number is not None and tidy(number) == value


def _has_date(field: TableField, value: Scalar, words: str) -> bool:
    if field.type is not FieldType.DATE:
        return False
    year = str(value)[:4]
    return bool(re.search(rf"(?<!\d){year}(?!\d)", words)) and same_day(field, value, words)


def same_day(field: TableField, value: Scalar, words: str) -> bool:
    """Return True if the words name the same date as `value`."""
    found = parse_value(field, words)
    return not isinstance(found, ValueRefusal) and same(found, value)


def reconcile_cells(drafts: Sequence[FoundCell], checks: Sequence[FoundCell]) -> list[FoundCell]:
    """Return the cells of a row after the second reading, field by field."""
    return [_reconcile_cell(draft, check) for draft, check in zip(drafts, checks, strict=True)]


def _reconcile_cell(draft: FoundCell, check: FoundCell) -> FoundCell:
    """Return the cell after its check: a confirmed or corrected value counts, with the draft beside a corrected one.

    A value that was not confirmed is kept, since its words do stand in the source, but with little confidence.
    """
    if check.value is None:
        return (
            draft
            if draft.value is None
            else replace(draft, evidence=tuple(map(_downgrade_to_inference, draft.evidence)))
        )
    if draft.value is None:
        return check
    if same(draft.value, check.value):
        return replace(check, evidence=_together(check.evidence, draft.evidence))
    return replace(check, others=(Other(draft.value, draft.evidence),))


def _downgrade_to_inference(evidence: ValueEvidence) -> ValueEvidence:
    return replace(evidence, kind=MatchKind.INFERENCE, fit=min(evidence.fit, INFERRED))


def _together(first: Iterable[ValueEvidence], second: Iterable[ValueEvidence]) -> tuple[ValueEvidence, ...]:
    return tuple(
        {(evidence.source, evidence.start, evidence.end): evidence for evidence in (*second, *first)}.values()
    )
