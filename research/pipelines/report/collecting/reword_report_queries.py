"""Reword search queries: a further round must not ask the same again.

Words that many titles of the found pages have, and the query has not, are added to it: pseudo-relevance feedback
(Rocchio, 1971; Lavrenko and Croft, SIGIR 2001). If nothing was found, the query is made broader. Pure.
"""

from collections import Counter
from collections.abc import Sequence

from research.extractive.question.parsed_question import QuestionTerm, analyse

ADDED = 2  # words a round
MIN_TITLES = 2  # titles that contain a word
HEAVY = 0.5  # weight of a specific word


def further_query(query: str, titles: Sequence[str], number: int) -> str | None:
    """Return another wording for the further round of this number, from 1. None if there is no other."""
    new = _characteristic(query, titles)[ADDED * (number - 1) : ADDED * number]
    other = f"{query} {' '.join(new)}" if new else broader(query)
    return other if other and other.casefold() != query.casefold() else None


def broader(query: str) -> str:
    """Return only the query's most specific words, without years and figures."""
    words = (term.surface for term in _terms(query) if not any(sign.isdigit() for sign in term.surface))
    return " ".join(dict.fromkeys(words))


def _characteristic(query: str, titles: Sequence[str]) -> list[str]:
    """Return words that some titles share and the query has in no form; the most frequent first."""
    known = {term.form for term in _terms(query)}
    spelled: dict[str, str] = {}
    counts = Counter[str]()
    for title in titles:
        found = {term.form: term.surface.casefold() for term in _terms(title) if term.form not in known}
        spelled |= {form: min(word, spelled.get(form, word)) for form, word in found.items()}
        counts.update(found.keys())
    common = [form for form, count in counts.items() if count >= MIN_TITLES]
    return [spelled[form] for form in sorted(common, key=lambda form: (-counts[form], form))]


def _terms(text: str) -> list[QuestionTerm]:
    return [term for term in analyse(text).terms if term.weight >= HEAVY and len(term.surface) > 2]
