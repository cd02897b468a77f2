"""A request for rows that nobody has listed yet: "the 500 largest companies by revenue", "all members of the EU".

It is taken apart into the things that are wanted, how many there are to be, and what is wanted of each.
"""

import re
from dataclasses import dataclass

from citations.text.claim_number_words import cardinals
from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.requested_table_columns import parse_requested_fields
from research.pipelines.table.decomposing.table_request_decomposition import INPUT, MAX_ITEMS
from research.pipelines.table.table_columns import TableField

_COUNT = r"(?P<count>\d{1,3}(?:[,.' ]\d{3})+|\d+)"
# Where the things that are wanted begin.
_ROWS = re.compile(
    r"\b(?:(?:(?:each|every)(?: one)?|all|any|jede[rnsm]?|alle[rn]?|sämtliche[rn]?)(?: of)?(?: the| der| die| den)?"
    rf"|(?:the|der|die|den|des)(?=\s+(?:top\s+)?(?:{_COUNT}|\w+(?:est|ste[nr]?)\b|most\b|members?\b|mitglieder\b))"
    r"|top(?=\s+\d)|list of(?: the| all)?)\s+",
    re.IGNORECASE,
)
# What stands between the things and what is wanted of each.
_THEN = re.compile(
    r"\s*(?:[:;–—]|,?\s+(?:with|including|and|plus|along with|together with|mit|samt|und)\s+"
    r"(?:their|its|the|each one['’]s|ihre[mnrs]?|deren|dem|der|den|die|das|jeweils)\s+|,?\s+(?:with|mit)\s+"
    r"|,\s*(?:give|list|find|what|when|who|where|how)\b|,\s*(?:their|its|ihre[nrs]?|deren)\s+|[.?!](?:\s|$))\s*",
    re.IGNORECASE,
)
_OPENS_WITH_EACH = re.compile(r"^\s*(?:for|of|about|für|zu|von)\s+$", re.IGNORECASE)
_OF = re.compile(r"\s*\b(?:of|for|from|about|in|on|von|für|zu)\s*$", re.IGNORECASE)
_COUNTED = re.compile(rf"^(?:top\s+)?{_COUNT}\s+|^top\s+", re.IGNORECASE)
_MEASURE = re.compile(
    r"\b(?:by|nach)\s+(?P<measure>[\w -]{3,40}?)(?:\s+(?:in|since|as of|im|seit)\b.*)?$", re.IGNORECASE
)
_VERBS = re.compile(
    r"^(?:please|could you|can you|i (?:want|need|would like)|we (?:want|need)|make|create|build|show(?: me)?|"
    r"give(?: me)?|find|list|collect|get|research|tabulate|compile|what (?:are|is)|which are|a table (?:of|with)|"
    r"a list of|bitte|(?:nenne|finde|liste|erstelle|zeige?|gib)(?: mir| uns)?|"
    r"eine (?:tabelle|liste)(?: mit| von)?)\b[\s,:]*",
    re.IGNORECASE,
)
_MAX_WORDS = 14  # of what names the things
_ASCENDING = re.compile(
    r"\b(?:smallest|lowest|shortest|least|fewest|lightest|cheapest|oldest|earliest|kleinste[nr]?|niedrigste[nr]?|"
    r"kürzeste[nr]?|leichteste[nr]?|billigste[nr]?|älteste[nr]?|früheste[nr]?)\b",
    re.IGNORECASE,
)
_DESCENDING = re.compile(r"\b(?:\w{2,}est|most|\w{2,}ste[nr]?)\b", re.IGNORECASE)
_AGE = re.compile(r"\b(?:age|alter)\b", re.IGNORECASE)
# Number words before a superlative: "the seven highest", "die zehn höchsten".
_SMALL = "two three four five six seven eight nine".split()
_GERMAN = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
_NUMBERS = {word: str(n) for n, word in [*enumerate(_SMALL, 2), *enumerate(_GERMAN, 2)]} | {
    "fünfzehn": "15", "zwanzig": "20", "dreißig": "30", "vierzig": "40", "fünfzig": "50", "hundert": "100",
}  # fmt: skip
_COUNT_WORD = re.compile(
    rf"\b(the|top|die|der|den)\s+({'|'.join(_NUMBERS)})(?=\s+(?:\w+(?:est|ste[nr]?)|most)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RowsRequest:
    """The rows that a request wants. `phrase` names them as a search would: "largest companies by revenue"."""

    phrase: str
    count: int | None = None  # None: all that there are
    fields: tuple[TableField, ...] = ()
    template: str = INPUT

    @property
    def measure(self) -> str:
        """The measure by which the rows are ranked, such as "revenue"; empty if the request names none."""
        found = _MEASURE.search(self.phrase)
        return found["measure"].strip() if found else ""

    @property
    def order(self) -> int:
        """1: the smallest figure first; -1: the largest; 0: the request ranks nothing."""
        is_ranked = self.measure and (self.count or _DESCENDING.search(self.phrase))
        if not is_ranked:
            return 0
        is_of_age = bool(_AGE.search(self.measure)) and "oldest" in self.phrase.casefold()
        return 1 if _ASCENDING.search(self.phrase) and not is_of_age else -1

    @property
    def queries(self) -> list[str]:
        first = f"list of {self.phrase}"
        counted = f"top {self.count} {self.phrase}" if self.count else f"complete list {self.phrase}"
        return [first, counted, self.phrase]


def parse_rows_request(prompt: str) -> RowsRequest | None:
    """Return what rows a request wants; None where it names none.

    >>> found = parse_rows_request("CEO and headquarters of the 500 largest companies by revenue")
    >>> found.phrase, found.count, [field.name for field in found.fields]
    ('largest companies by revenue', 500, ['ceo', 'headquarters', 'revenue'])
    """
    plain = write_figures(" ".join(prompt.split()))
    plain = _COUNT_WORD.sub(lambda match: f"{match[1]} {_NUMBERS[match[2].casefold()]}", plain)
    while (shorter := _VERBS.sub("", plain, count=1)) != plain:
        plain = shorter
    match = _ROWS.search(plain)
    before, rest = (plain[: match.start()], plain[match.end() :]) if match else ("", plain)
    if not match and not _COUNTED.match(plain):
        return None
    phrase, after = _split_after(rest, by_comma=bool(_OPENS_WITH_EACH.match(before)))
    counted = _COUNTED.match(phrase)
    count = int(re.sub(r"\D", "", counted["count"])) if counted and counted["count"] else None
    phrase = phrase[counted.end() :].strip() if counted else phrase
    if not phrase or len(phrase.split()) > _MAX_WORDS or count is not None and not 1 < count <= MAX_ITEMS:
        return None
    fields = _parse_fields(_OF.sub("", before), after, phrase)
    titles = ", ".join(field.title for field in fields)
    return RowsRequest(phrase, count, fields, f"{INPUT}: {titles}" if titles else INPUT)


def write_figures(text: str, least: int = 10) -> str:
    """Return the text with its number words of at least `least` as figures: "the 50 tallest buildings"."""
    for number in reversed([*cardinals(text)]):
        if number.value >= least and number.value == int(number.value):
            text = f"{text[: number.span.start]}{int(number.value)}{text[number.span.end :]}"
    return text


def _split_after(rest: str, *, by_comma: bool) -> tuple[str, str]:
    """The name of the things, and what is said after it. `by_comma`: "for each of the 50 states, the capital"."""
    match = _THEN.search(rest)
    comma = rest.find(",") if by_comma else -1
    if comma >= 0 and (match is None or comma < match.start()):
        return rest[:comma].strip(), rest[comma + 1 :].strip()
    if match is None:
        return rest.strip(" .?!"), ""
    return rest[: match.start()].strip(" ,"), rest[match.end() :].strip(" .?!")


def _parse_fields(before: str, after: str, phrase: str) -> tuple[TableField, ...]:
    asked = [
        field for part in (before, after) if part for field in parse_requested_fields(part, is_of_each=True)
    ]
    measure = _MEASURE.search(phrase)
    by = field_of(measure["measure"]) if measure else None
    return tuple({field.name: field for field in (*asked, *([by] if by else []))}.values())
