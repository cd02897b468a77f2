"""Candidate values of one source for a column: all that it gives, with how well their words match the column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citations.find_quantities import QuantityKind, find_quantities
from citations.text.claim_numerals import read_digits
from citations.text.quote_span import Span
from research.pipelines.table.convert_table_cell_values import Value, ValueRefusal, parse_value
from research.pipelines.table.finding.found_table_values import ReadText
from research.pipelines.table.finding.labelled_table_values import (
    LabelledValue,
    StatementForm,
    is_former,
    year_of,
)
from research.pipelines.table.finding.parse_table_cell_value import ValueAnswer, answer, truth
from research.pipelines.table.finding.score_table_column_labels import (
    LabelFit,
    label_fit,
    mask_item_name,
    sentence_fit,
)
from research.pipelines.table.finding.table_column_cues import in_sentence
from research.pipelines.table.finding.table_column_statements_in_prose import (
    ItemSentence,
    line_statements,
    read_sentence,
    sentences,
    subject_end,
)
from research.pipelines.table.finding.table_column_statements_in_tables import table_statements
from research.pipelines.table.finding.table_item_scope import ItemScope, scope
from research.pipelines.table.table_column_amounts import (
    PERCENT,
    convert,
    is_money,
    parse_unit,
    unit_in,
    unit_of,
)
from research.pipelines.table.table_columns import FieldType, TableField

MIN_FIT = 0.6  # of a label
MIN_SHARE = 0.99  # of a column's words that a sentence without a label has
_CONVERTED = 0.15  # by how much a column in another unit fits less: one in the same unit is taken, and disputed by none
_LONGEST_AMOUNT = 40  # characters of a cell that is an amount and little else
LOOSE = 0.85  # how much the fit of such a sentence is worth


@dataclass(frozen=True, slots=True)
class ValueCandidate:
    """A value as one place of a source gives it. `fit` 0-1."""

    source: ReadText
    value: Value
    span: Span
    quote: Span
    form: StatementForm
    fit: float
    is_former: bool
    year: int | None


@dataclass(frozen=True, slots=True)
class SearchedSource:
    """A source that was looked through for an item."""

    source: ReadText
    scope: ItemScope
    statements: tuple[LabelledValue, ...]
    sentences: tuple[ItemSentence, ...]


@dataclass(frozen=True, slots=True)
class ColumnCandidates:
    """The candidate values of a source for a column, and why other texts under its label are no value of it."""

    candidates: tuple[ValueCandidate, ...]
    refusals: tuple[str, ...] = ()


def look(item: str, source: ReadText, others: Sequence[str] = ()) -> SearchedSource:
    names = [name for name in others if name in source.prose]
    found = scope(item, source, names)
    statements = (*table_statements(item, source, found), *line_statements(item, source, found, names))
    return SearchedSource(source, found, statements, sentences(item, source, found, names))


def candidates(
    item: str, field: TableField, fields: Sequence[TableField], looked: SearchedSource
) -> ColumnCandidates:
    """Return the candidate values of a source for a column; `fields` are all columns, since another may fit better."""
    accepted: list[ValueCandidate] = []
    refusals: list[str] = []
    for statement in looked.statements:
        fit = label_fit(
            field,
            mask_item_name(item, statement.label) if len(statement.label) > len(item) else statement.label,
            implied=_implied_by_value(looked.source, statement),
        )
        if (
            fit.score < MIN_FIT
            or _belongs_elsewhere(field, fields, statement.label, fit.score)
            or _is_of_other_column(field, statement)
        ):
            continue
        score = fit.score - _CONVERTED if _is_in_other_unit(field, statement) else fit.score
        candidate = _of_statement(item, field, looked.source, statement, score)
        if isinstance(candidate, ValueRefusal):
            refusals.append(candidate.reason)
        elif candidate is not None:
            accepted.append(candidate)
    for found in _of_sentences(item, field, fields, looked):
        if isinstance(found, ValueRefusal):
            refusals.append(found.reason)
        else:
            accepted.append(found)
    return ColumnCandidates(tuple(accepted), tuple(refusals))


def _belongs_elsewhere(field: TableField, fields: Sequence[TableField], label: str, score: float) -> bool:
    return any(label_fit(other, label).score > score + 0.1 for other in fields if other != field)


def _implied_by_value(source: ReadText, statement: LabelledValue) -> str:
    """Return what a value says of itself, by its sign or by that of its column: that it is a share, or a price."""
    words = statement.value.cut(source.text).strip()
    if _BARE.fullmatch(words.rstrip(f" \u00a0\u202f{PERCENT}")) and words.endswith(PERCENT):
        return "share"
    if statement.unit is not None and _BARE.fullmatch(words):
        return "share" if statement.unit.name == PERCENT else "price" if is_money(statement.unit) else ""
    amount = next(iter(find_quantities(words)), None) if len(words) <= _LONGEST_AMOUNT else None
    return "price" if amount is not None and amount.kind is QuantityKind.CURRENCY else ""


def _is_of_other_column(field: TableField, statement: LabelledValue) -> bool:
    """Return True if the label names another currency, kind of amount or year than the column."""
    year = year_of(field.title)
    if year is not None and statement.year not in (None, year):
        return True
    unit, own = unit_of(field), statement.unit
    return unit is not None and own is not None and unit.name != own.name and bool(unit.name and own.name)


def _is_in_other_unit(field: TableField, statement: LabelledValue) -> bool:
    unit, own = unit_of(field), unit_in(statement.label)
    return unit is not None and own is not None and unit != own


def _of_statement(
    item: str, field: TableField, source: ReadText, statement: LabelledValue, score: float
) -> ValueCandidate | ValueRefusal | None:
    words = statement.value.cut(source.text)
    if field.type is FieldType.BOOLEAN and statement.form is StatementForm.SENTENCE:
        return None  # as a sentence, below
    inner = _within(item, field, source, statement) if _is_sentence(words) else None
    read = inner or _plain(field, source, statement)
    if not isinstance(read, ValueAnswer):
        return read
    if statement.form in (StatementForm.CELL, StatementForm.LINE):
        told = f"{statement.label} {words if _is_sentence(words) else ''}"
    else:
        told = _clause_of(source.text, statement.quote, read.span)
    former = _tells_past(field, told)
    return ValueCandidate(
        source, read.value, read.span, statement.quote, statement.form, score, former, statement.year
    )


_PAST = re.compile(r"\b(?:was|were)\b")
_LATEST = re.compile(r"\b(?:latest|current|newest|today['’]s)\b", re.IGNORECASE)


def _tells_past(field: TableField, words: str) -> bool:
    """Return True if the words call their value outdated, unless the column asks for a past value."""
    if is_former(field.title):
        return False
    is_older = bool(_LATEST.search(field.title) and _PAST.search(words) and not _LATEST.search(words))
    return is_former(words) or is_older


def _clause_of(text: str, quote: Span, value: Span) -> str:
    """Return the part of the quote, between semicolons, that holds the value."""
    start = text.rfind(";", quote.start, value.start)
    end = text.find(";", value.end, quote.end)
    return text[max(start, quote.start) : quote.end if end < 0 else end]


def _plain(
    field: TableField, source: ReadText, statement: LabelledValue
) -> ValueAnswer | ValueRefusal | None:
    if field.type is FieldType.BOOLEAN and _is_sentence(statement.value.cut(source.text)):
        verdict = truth(statement.value.cut(source.text), 0, len(statement.value))
        return None if verdict is None else ValueAnswer(verdict, statement.value)
    return _bare_number(field, source, statement) or answer(field, source.text, statement.value)


def _bare_number(field: TableField, source: ReadText, statement: LabelledValue) -> ValueAnswer | None:
    """Return the number of a cell whose unit, if any, its column or table names; None if the cell has other words."""
    if field.type is not FieldType.NUMBER or statement.form is not StatementForm.CELL:
        return None
    words = statement.value.cut(source.text)
    aside = _ASIDE.search(words)
    match = _BARE.fullmatch(words[: aside.start()] if aside and parse_unit(aside[1]) is None else words)
    if match is None:
        return None
    number = read_digits(match["digits"], bool(statement.comma_is_decimal))[0] * (-1 if match["sign"] else 1)
    value = parse_value(field, convert(number, statement.unit, unit_of(field)))
    return None if isinstance(value, ValueRefusal) else ValueAnswer(value, statement.value)


_BARE = re.compile(
    r"(?P<sign>[-−–])?\s?(?P<digits>\d{1,40}|\d{1,3}(?:[ .,'’\u00a0\u2009\u202f]\d{2,3}){0,9}(?:[.,]\d{1,15})?"
    r"|\d{1,15}[.,]\d{1,15})\s?[*†‡]{0,4}"
)
_ASIDE = re.compile(r"\s*[(\[]([^()\[\]]{1,60})[)\]]$")  # "12.345 (31. Dez. 2025)"
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|belongs?|shares?|borders?|uses?|lies|speaks?|employs?|makes?|sells?|offers?|"
    r"includes?|consists?|covers?|runs?|counts?|numbers?|reaches|comprises?|operates?)\b"
)
_LABELLED = re.compile(r"[^\W\d_][^:.\n]{1,40}:\s+\S")


def _is_sentence(words: str) -> bool:
    return len(words.split()) > 3 and bool(_VERB.search(words)) or bool(_LABELLED.match(words))


def _within(item: str, field: TableField, source: ReadText, statement: LabelledValue) -> ValueAnswer | None:
    """Return the value of a sentence in the place of a value: "capital | The capital is Kabul."."""
    span = statement.value
    if field.type is FieldType.BOOLEAN:
        return _true_or_not(item, field, source, span)
    inner = read_sentence(item, source.text, span)
    if inner is not None and label_fit(field, inner.label).score >= MIN_FIT:
        read = answer(field, source.text, inner.value)
        if isinstance(read, ValueAnswer):
            return read
    fit = sentence_fit(field, mask_item_name(item, span.cut(source.text)))
    found = in_sentence(item, field, source.text, span, fit)
    return found if isinstance(found, ValueAnswer) else None


def _true_or_not(item: str, field: TableField, source: ReadText, span: Span) -> ValueAnswer | None:
    words = mask_item_name(item, span.cut(source.text))
    fit = sentence_fit(field, words)
    if fit.share < MIN_SHARE:
        return None
    verdict = truth(words, fit.words[0].start, fit.words[-1].end)
    return None if verdict is None else ValueAnswer(verdict, span)


def _of_sentences(
    item: str, field: TableField, fields: Sequence[TableField], looked: SearchedSource
) -> Iterator[ValueCandidate | ValueRefusal]:
    text = looked.source.text
    for sentence in looked.sentences:
        words = mask_item_name(item, sentence.span.cut(text))
        fit = sentence_fit(field, words, implied=_implied_in_sentence(field, words))
        if fit.share < (MIN_SHARE if field.type is FieldType.BOOLEAN else 0.75) or _is_of_another(
            field, fields, words, fit
        ):
            continue
        read = _loose(item, field, looked.source, sentence, fit)
        if isinstance(read, ValueRefusal):
            yield read
        elif read is not None:
            former = _tells_past(field, _clause_of(text, sentence.span, read.span))
            yield ValueCandidate(
                looked.source,
                read.value,
                read.span,
                sentence.span,
                StatementForm.LOOSE,
                round(LOOSE * fit.share, 4),
                former,
                None,
            )


def _implied_in_sentence(field: TableField, words: str) -> str:
    """Return "price" where a sentence has an amount in the currency of the column: "It was bought for €14,260."."""
    unit = unit_of(field)
    if unit is None or not is_money(unit):
        return ""
    return "price" if any(quantity.unit == unit.name for quantity in find_quantities(words)) else ""


def _loose(
    item: str, field: TableField, source: ReadText, sentence: ItemSentence, fit: LabelFit
) -> ValueAnswer | ValueRefusal | None:
    if field.type is FieldType.BOOLEAN:
        return _true_or_not(item, field, source, sentence.span)
    subject = subject_end(sentence.span.cut(source.text))
    if subject is not None and fit.words[-1].end <= subject:
        return None  # "The capital of Chad is ...": its label decides, above
    return in_sentence(item, field, source.text, sentence.span, fit)


def _is_of_another(field: TableField, fields: Sequence[TableField], words: str, fit: LabelFit) -> bool:
    """Return True if another column matches the same words and more: "calling code" for "code"."""
    mine = {token.start for token in fit.words}
    for other in fields:
        theirs = {token.start for token in sentence_fit(other, words).words} if other != field else set()
        if mine < theirs and sentence_fit(other, words).share >= fit.share:
            return True
    return False
