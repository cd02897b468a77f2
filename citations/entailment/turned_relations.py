"""Finds relations that a claim turns round: "voted for the plan" and "voted against it", "because of" and "despite"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citations.text.claim_words_and_stems import Word, words
from citations.text.quote_span import Span

_RELATIONS = re.compile(
    r"\b(?:(?P<pro>in favou?r of|for)|(?P<contra>against)"
    r"|(?P<cause>because(?: of)?|due to|owing to|thanks to|as a result of)"
    r"|(?P<concession>despite|in spite of|regardless of|although|even though))\b",
    re.IGNORECASE,
)
_TURNED = {"pro": "contra", "contra": "pro", "cause": "concession", "concession": "cause"}


@dataclass(frozen=True, slots=True)
class WrittenRelation:
    """A relation as written, with the stems of the content words before and after it; "" for none."""

    span: Span
    kind: str
    before: str
    after: str


def find_relations(text: str) -> Iterator[WrittenRelation]:
    content: list[Word] | None = None
    for match in _RELATIONS.finditer(text):
        if content is None:
            content = [word for word in words(text) if word.is_content]
        before = [word.stem for word in content if word.span.end <= match.start()]
        after = [word.stem for word in content if word.start >= match.end()]
        kind = match.lastgroup or ""
        yield WrittenRelation(Span(*match.span()), kind, (before or [""])[-1], (after or [""])[0])


def find_turned_relations(claim: str, said: str) -> Iterator[tuple[WrittenRelation, WrittenRelation]]:
    """Yield relations of the claim that are the opposite in the text, between the same words."""
    theirs = list(find_relations(said))
    for mine in find_relations(claim):
        same = [each for each in theirs if _joins_the_same(mine, each)]
        if same and all(each.kind == _TURNED[mine.kind] for each in same):
            yield mine, same[0]


def _joins_the_same(mine: WrittenRelation, other: WrittenRelation) -> bool:
    """True if the words after are the same, and for positions also those before: "for" introduces much else."""
    if not mine.after or mine.after != other.after:
        return False
    return mine.kind in ("cause", "concession") or mine.before == other.before
