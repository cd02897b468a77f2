"""Words brought to a column's type: where in a stretch of text its value stands, and what it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.dates.find_dates import find_times, read_date
from citations.find_quantities import Quantity, QuantityKind, find_quantities
from citations.text.claim_numerals import find_numerals
from citations.text.claim_polarity import is_hedged, negations
from citations.text.claim_words_and_stems import sentence_spans
from citations.text.quote_span import Span
from research.pipelines.table.convert_table_cell_values import Value, ValueRefusal, parse_value
from research.pipelines.table.finding.labelled_table_values import trim_span
from research.pipelines.table.finding.score_table_column_labels import tokens, wordings
from research.pipelines.table.table_column_amounts import in_unit, unit_of
from research.pipelines.table.table_columns import FieldType, TableField


@dataclass(frozen=True, slots=True)
class ValueAnswer:
    """A value and the words that give it."""

    value: Value
    span: Span


_NOT_SAID = re.compile(
    r"(?:n/?a|n\.a\.|unknown|not (?:available|known|applicable|given|stated|disclosed|specified)|tb[ad]|\?+|\.{3}|…)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"(?:none|nothing|no|-|–|—|keine?|∅|0)\.?", re.IGNORECASE)


def answer(field: TableField, text: str, span: Span) -> ValueAnswer | ValueRefusal | None:
    """Return the value of a span under the column's label, or None if the text says that it is not known.

    In a column of lists, a text that says that there is none gives an empty list.
    """
    words = span.cut(text)
    if not words or _NOT_SAID.fullmatch(words):
        return None
    if _NOTHING.fullmatch(words) and field.type is not FieldType.BOOLEAN:
        return (
            ValueAnswer((), span)
            if field.many
            else None
            if words in "-–—"
            else _parse_typed_answer(field, text, span)
        )
    return _parse_typed_answer(field, text, span)


def _parse_typed_answer(field: TableField, text: str, span: Span) -> ValueAnswer | ValueRefusal:
    if field.many or field.type in (FieldType.STRING, FieldType.BOOLEAN):
        return _whole(field, text, span)
    pieces = list(_PIECES[field.type](field, text, span))
    for piece in pieces:
        value = parse_value(field, piece.cut(text))
        if not isinstance(value, ValueRefusal):
            return ValueAnswer(value, piece)
    return _whole(field, text, span)


def _whole(field: TableField, text: str, span: Span) -> ValueAnswer | ValueRefusal:
    """Return the value of the first clause, else of the whole span, else of the words that fit the pattern."""
    refusal: ValueRefusal | None = None
    for piece in dict.fromkeys((clause(field, text, span), span)):
        value = parse_value(field, piece.cut(text))
        if not isinstance(value, ValueRefusal):
            return ValueAnswer(value, piece)
        refusal = refusal or value
    fitting = list(_find_fitting(field, text, span)) if field.pattern else []
    if len({found.value for found in fitting}) == 1:
        return fitting[0]
    if field.many and fitting:
        whole = Span(fitting[0].span.start, fitting[-1].span.end)
        return ValueAnswer(
            tuple(dict.fromkeys(each for found in fitting for each in _scalars(found.value))), whole
        )
    return refusal or ValueRefusal("There is no value.")


def _scalars(value: Value) -> tuple[str | int | float | bool, ...]:
    return value if isinstance(value, tuple) else (value,)


_WORD = re.compile(r"[^\s()\[\],;|]+")


def _find_fitting(field: TableField, text: str, span: Span) -> Iterator[ValueAnswer]:
    for match in _WORD.finditer(text, span.start, span.end):
        piece = trim_span(text, *match.span())
        if re.match(r"[vV]\d", piece.cut(text)):  # of a version
            piece = Span(piece.start + 1, piece.end)
        value = parse_value(field, piece.cut(text))
        if len(piece) and not isinstance(value, ValueRefusal):
            yield ValueAnswer(value, piece)


# A name in brackets belongs to the value: "Republic of China (Taiwan)"; "(since 1990)" does not.
_ASIDE = (
    r"\.\s+(?=(?:It|Its|The|They|Their|This|He|She|We|A|An)\s)"
    r"|\.\s+(?=[A-Z][\w-]*(?:\s[A-Z][\w-]*){0,3}\s(?:is|are|was|were|has|have|had)\s)|(?<!\d)\s+[–—]\s|\s+[–—]\s(?!\d)|\s+[(\[](?![A-Z][^\d()]*[)\]])"
    r"|,?\s+(?:which|who|whose|where|while|whereas|although|because)\b"
)
_LIST_END = re.compile(rf"{_ASIDE}|,?\s+and\s+(?:[a-z]+ed|is|are|was|were|has|had|have|its?|the)\s")
_CLAUSE_END = re.compile(
    rf"\s*;|{_ASIDE}|,?\s+(?:though|having|making)\b"
    r"|,\s+(?:and\s+(?:is|was|has|have|it|its|the)|but|with|an?|as|since|after|located|also|not)\s"
    r"|,?\s+(?:since|in|as of|from|until|for|between)\s+(?:the\s+)?(?:early\s+|late\s+)?(?:\d|[A-Z][a-z]+\s+\d{4})"
    r"|\s+but\s",
)


def clause(field: TableField, text: str, span: Span) -> Span:
    """Return the span up to where another statement begins: "Paris, a city of two million" gives "Paris"."""
    first = next(iter(sentence_spans(span.cut(text))), None)
    if first is not None and first.end < len(span):
        span = trim_span(text, span.start, span.start + first.end)
    end = (_LIST_END if field.many else _CLAUSE_END).search(span.cut(text))
    if end is None or end.start() == 0:
        return span
    return trim_span(text, span.start, span.start + end.start())


# --- by type -----------------------------------------------------------------------------------------


_NOTE_MARK = re.compile(r"\[\^[^\]\s]{1,20}\]")


def numbers(field: TableField, text: str, span: Span) -> Iterator[Span]:
    """Yield the amounts that fit the column, those in its own unit first, without former ones; else bare numerals."""
    words = _NOTE_MARK.sub(lambda mark: " " * len(mark[0]), span.cut(text))
    unit = unit_of(field)
    quantities = [
        quantity
        for quantity in find_quantities(words)
        if quantity.kind is not QuantityKind.ORDINAL and not quantity.is_former
    ]
    fitting = [amount for amount in quantities if in_unit(amount, unit) is not None]
    if unit is not None:
        fitting.sort(key=lambda amount: amount.unit != unit.name)
    yield from (_shift_span(amount.span, span.start) for amount in fitting)
    if not quantities:
        yield from (_shift_span(numeral.span, span.start) for numeral in find_numerals(words))


def has_matching_noun(field: TableField, quantity: Quantity) -> bool:
    """Return True if the quantity names what it counts and the column asks for that: "1,200 employees"."""
    asked = {name for wording in wordings(field) for name, _ in wording.weights}
    return bool(
        asked & {token.concept for noun in (*quantity.nouns, quantity.head) for token in tokens(noun)}
    )


def dates(field: TableField, text: str, span: Span) -> Iterator[Span]:
    words = span.cut(text)
    for mention in find_times(words):
        piece = _shift_span(mention.span, span.start)
        if read_date(piece.cut(text)) is not None:
            yield piece


_ADDRESS = re.compile(
    r"https?://[^\s<>\"|]+|(?<![\w@.-])(?:www\.)?(?:[\w-]+\.)+[a-z]{2,24}(?:/[^\s<>\"|]*)?(?![\w@])",
    re.IGNORECASE,
)


def addresses(field: TableField, text: str, span: Span) -> Iterator[Span]:
    for match in _ADDRESS.finditer(text, span.start, span.end):
        written = match.group().rstrip(".,;:!?'”’")
        if written.endswith(")") and "(" not in written:
            written = written.rstrip(").,;")
        yield Span(match.start(), match.start() + len(written))


_FILE_NAME = re.compile(r"[\w.-]+\.[A-Za-z][A-Za-z0-9]{0,7}\b")


def files(field: TableField, text: str, span: Span) -> Iterator[Span]:
    for match in _FILE_NAME.finditer(text, span.start, span.end):
        yield Span(*match.span())


_PIECES = {
    FieldType.NUMBER: numbers,
    FieldType.DATE: dates,
    FieldType.URL: addresses,
    FieldType.FILE: files,
}


def pieces(field: TableField, text: str, span: Span) -> list[Span]:
    """Return the spans of a sentence that are values of the column's type; [] for types without a form of their own."""
    find = _PIECES.get(field.type)
    return list(find(field, text, span)) if find else []


def _shift_span(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


# --- yes and no --------------------------------------------------------------------------------------

_BREAK = re.compile(
    r"[,;:()]|\b(?:but|although|though|while|whereas|however|because|since|and)\b", re.IGNORECASE
)


def truth(sentence: str, first: int, last: int) -> bool | None:
    """Return True if a sentence affirms what its words [first, last) name, False if it denies it, None if unsure."""
    start = max((match.end() for match in _BREAK.finditer(sentence, 0, first)), default=0)
    end = next((match.start() for match in _BREAK.finditer(sentence, last)), len(sentence))
    around = sentence[start:end]
    if (
        is_hedged(around)
        or sentence.rstrip().endswith("?")
        or re.search(r"\b(?:whether|if|appl(?:y|ied))\b", around)
    ):
        return None
    is_denied = bool(negations(around)) or bool(re.search(r"\bnon-?$", sentence[:first], re.IGNORECASE))
    return not is_denied
