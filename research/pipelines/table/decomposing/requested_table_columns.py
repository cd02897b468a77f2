"""The columns that a request in words asks for, and the template that it makes."""

import re
from collections.abc import Iterable, Iterator

from research.pipelines.table.decomposing.guess_table_column_types import field_of
from research.pipelines.table.decomposing.table_request_decomposition import INPUT
from research.pipelines.table.table_column_amounts import without_unit
from research.pipelines.table.table_columns import MAX_FIELDS, TableField

# "of the countries" asks of each, "the cost of the town hall" does not.
_THE_THINGS = (
    r"the(?=\s+(?:[\w-]+\s+){0,2}?(?:[\w-]*[^\Ws]s|company|country|city|town|firm|product|package|item|organi[sz]ation|"
    r"person|project|university|school|book|film|drug|model|place|state|village|region|website|tool)"
    r"(?=\s*(?:$|[^\w\s(]|(?:and|und|or|as|in|with|below|above|listed|here|that|which|is|are|was|were|plus)\b)))"
)
_EACH = re.compile(
    r"\b(?:(?:of|for|about|on|from|per|to|für|von|zu)\s+"
    rf"(?:each|every|all(?: of)?|these|those|the following|any|{_THE_THINGS}|jede[nrsm]?|alle[nr]?|diese[rn]?)\b"
    r"|(?<=\s)(?:jede[rs]|aller|dieser)\b(?=\s+[^\W\d_]))"  # the genitive
    r"(?:\s+(?!(?:find|give|list|what|the|is|in|tell|state)\b)[^\W\d_][\w-]*){0,3}",
    re.IGNORECASE,
)
_VERBS = (
    "please|could you|can you|i (?:want|need|would like)(?: to (?:know|have))?|we (?:want|need)|tell(?: me)?|"
    "show(?: me)?|give(?: me)?|find(?: out)?|list|look up|collect|get|research|determine|state|name|compare|extract|"
    "what (?:is|are|was|were)|bitte|finde|nenne"
)
_OPENING = re.compile(rf"^(?:(?:{_VERBS})\s+)*(?:(?:the|their|its|his|her|an?)\s+)?", re.IGNORECASE)
_NAMED = re.compile(
    r"\b(?:columns?|fields?|spalten?|felder)\s*(?:are|is|:|=)\s*:?\s*(?P<list>.+)", re.IGNORECASE | re.DOTALL
)
_ENTRY = re.compile(
    r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+(?P<title>[^:(\n]{2,80}?)\s*(?:[:–—(]\s*(?P<about>.+?)\)?)?\s*$",
    re.MULTILINE,
)
_PARTS = re.compile(
    r"\s*[,;]\s*(?:and\s+|und\s+|or\s+)?|\s+(?:and|und|as well as|plus|sowie)\s+", re.IGNORECASE
)
_BLANKS = re.compile(r"[^\S\n]+")
_DETERMINER = re.compile(
    r"^(?:and|or|also|the|its|their|his|her|a|an|what|which|der|die|das)\s+(?!$)", re.IGNORECASE
)
_NOTHING = frozenset(
    ("", "me", "us", "it", "them", "this", "that", "these", "those", "something", "everything", "all")
)
_MAX_TITLE = 8  # words: more is a sentence, not a column
_MAX_ALONE = 4  # words of a request for one thing, where nothing else says that it is one
_QUESTIONS = (
    (
        re.compile(r"^when (?:was|were|did) (?:it|they|each|the \w+)(?: been)? (?P<verb>\w+)", re.IGNORECASE),
        "{verb}",
    ),
    (
        re.compile(r"^how many (?P<noun>[\w -]{2,40}?)(?: (?:does|do|has|have|are|is)\b.*)?$", re.IGNORECASE),
        "number of {noun}",
    ),
    (re.compile(r"^who (?:founded|created|wrote|built|made|started) (?:it|them)$", re.IGNORECASE), "founder"),
    (re.compile(r"^who (?:is|are|was) (?:its|their|the)? ?(?P<noun>[\w -]{2,40})$", re.IGNORECASE), "{noun}"),
    (
        re.compile(r"^where (?:is|are) (?:it|they) (?P<verb>based|headquartered|located)$", re.IGNORECASE),
        "headquarters",
    ),
    (
        re.compile(
            r"^(?:whether|if) (?:it|they) (?P<verb>(?:is|has|are|have|offers?) .{2,50})$", re.IGNORECASE
        ),
        "{verb}",
    ),
    (
        re.compile(r"^(?P<verb>is|are|does|do|has|have) (?:it|they) (?P<noun>.{2,50})$", re.IGNORECASE),
        "{verb} {noun}",
    ),
)


def parse_requested_fields(prompt: str, *, is_of_each: bool = False) -> list[TableField]:
    """The columns that a prompt names, in their order; none for one that names none.

    With `is_of_each` it is known to be of each of some items, and need not say so.
    """
    prompt = _BLANKS.sub(" ", prompt)  # many in a row are gone over again and again
    fields = _fields_of(_titles(prompt))
    return fields or (_fields_of((each, "") for each in _parse_title_list(prompt)) if is_of_each else [])


def _parse_title_list(prompt: str) -> list[str]:
    """Return the titles that one line lists, such as "Capital, area in km² and whether it is landlocked".

    Empty for a sentence on something else.
    """
    plain = _OPENING.sub("", prompt.strip().rstrip(".: "))
    pieces = _PARTS.split(plain)
    titles = list(_split(plain))
    is_short = len(without_unit(plain).split()) <= _MAX_ALONE
    is_list = len(titles) == len(pieces) and (len(pieces) > 1 or is_short)
    return titles if is_list and not _EACH.search(plain) and not re.search(r"[.!?:]\s|\n", plain) else []


def _fields_of(titles: Iterable[tuple[str, str]]) -> list[TableField]:
    found: dict[str, TableField] = {}
    for title, description in titles:
        field = field_of(title, description)
        if field is not None and len(found) < MAX_FIELDS:
            found.setdefault(field.name, field)
    return list(found.values())


def _titles(prompt: str) -> Iterator[tuple[str, str]]:
    if named := _NAMED.search(prompt):
        rest = named["list"].split("\n\n")[0]
        entries = list(_ENTRY.finditer("\n" + rest))
        if entries:
            yield from ((entry["title"], entry["about"] or "") for entry in entries)
        else:
            yield from ((each, "") for each in _split(rest.rstrip(". ")))
        return
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", prompt):
        yield from ((each, "") for each in _of_sentence(sentence.strip()))


def _of_sentence(sentence: str) -> Iterator[str]:
    is_question = sentence.endswith("?")
    plain = sentence.rstrip(".!?: ")
    core = _core(plain)
    if core is None and not is_question:
        return
    yield from _split(plain if core is None else core)


def _core(sentence: str) -> str | None:
    """Return the part that names what is wanted, without whose it is; None if the sentence does not speak of each item.

    "the CEO of each company" and "for each company, the CEO" both give "the CEO".
    """
    plain = sentence.replace(INPUT, "each")
    match = _EACH.search(plain)
    if match is None:
        return None
    before, after = plain[: match.start()], plain[match.end() :]
    if re.fullmatch(r"\W*|.{0,12}", _OPENING.sub("", before)) and (
        rest := after.partition(",")[2] or after.partition(":")[2]
    ):
        return rest
    more = re.match(r"\s*(?:,\s*(?:and\s+|und\s+)?|(?:and|und|as well as|plus)\s+)(?=\S)", after)
    return f"{before}, {after[more.end() :]}" if more else before


def _split(words: str) -> Iterator[str]:
    for piece in _PARTS.split(_OPENING.sub("", words.strip())):
        title = _to_column_title(_OPENING.sub("", piece.strip()))
        if title.casefold() not in _NOTHING and len(title.split()) <= _MAX_TITLE:
            yield title


def _to_column_title(piece: str) -> str:
    """A question as a title: "when was it founded" asks for what was founded."""
    for pattern, title in _QUESTIONS:
        if match := pattern.match(piece):
            return title.format(**match.groupdict())
    return _DETERMINER.sub("", piece)


def template_of(prompt: str) -> str:
    """The prompt for one item: with `{{input}}` where it speaks of each.

    >>> template_of("Find the CEO of each company.")
    'Find the CEO of {{input}}.'
    """
    plain = " ".join(prompt.split())
    if INPUT in plain or not plain:
        return plain or INPUT
    match = _EACH.search(plain)
    if match is None:
        return f"{INPUT}: {plain}"
    first = match.group().split()[0]
    preposition = "von" if re.match(r"jede|alle|diese", first) else first
    rest = re.sub(r"^\s*:.*$", ".", plain[match.end() :])
    return f"{plain[: match.start()]}{preposition} {INPUT}{rest}"
