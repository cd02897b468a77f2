"""The metadata of a document, and how well it fits a question that names its source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log

from citations.claim_strength import work_key
from research.extractive.question.parsed_question import NamedThing, ParsedQuestion, QuestionTerm, TermKind
from research.extractive.sentence_cues import tells_changes
from research.extractive.term_rarity import Rarity
from research.extractive.terms import forms, is_stop_word, term_set, words

_VERSION_IN_CARD = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w])")
# The weight of one rare name: titles with less of a question than this are not named by it.
NAMED_FROM = 0.6
NAMED_SHARE = 0.7  # share of the weight of a phrase's words, for a title that it names
_YEAR_ALONE = re.compile(r"(?:19|20)\d\d$")


@dataclass(frozen=True)
class DocumentCard:
    """Title, author, date, site and file name of one document of the library."""

    id: str
    title: str
    author: str = ""
    published: str = ""  # ISO 8601, possibly partial, empty if unknown
    site: str = ""
    path: str = ""

    @cached_property
    def work(self) -> tuple[str, str]:
        """Return what the editions of a work have in common: the title without edition marks, and the publisher."""
        return work_key(self.title) or self.id, (self.site or self.author).casefold()

    @cached_property
    def terms(self) -> frozenset[str]:
        return self.title_terms | term_set((self.published[:4],))

    @cached_property
    def title_terms(self) -> frozenset[str]:
        return term_set((self.title, self.author, self.site, _format_file_name(self.path))) | _compounds(
            self.path
        )

    @cached_property
    def maker_terms(self) -> frozenset[str]:
        """The words of the author and publisher."""
        return term_set((self.author, self.site))

    def is_by(self, name: str, terms: frozenset[str]) -> bool:
        """Return True if the author or publisher has the name (`terms` are its words) or its initials, or the title
        begins with it.
        """
        return (
            bool(terms)
            and terms <= self.maker_terms
            or re.match(rf"{re.escape(name)}\b", self.title, re.IGNORECASE) is not None
            or name in (_initials(self.author), _initials(self.site))
        )

    @cached_property
    def versions(self) -> frozenset[str]:
        return frozenset(_VERSION_IN_CARD.findall(f"{self.title} {_format_file_name(self.path)}"))

    def carries(self, name: NamedThing) -> bool:
        """Return True if the card has the whole name. A year may be that of publication if the title has none."""
        missing = {term.form for term in name.terms} - self.title_terms
        return missing <= self.unmarked_year

    @cached_property
    def unmarked_year(self) -> frozenset[str]:
        """The year of publication, if the title has no year or version."""
        has_year = any(_YEAR_ALONE.match(form) for form in self.title_terms)
        return frozenset() if has_year else frozenset({self.published[:4]})

    @property
    def is_marked(self) -> bool:
        """True if the title has a version or year."""
        return bool(self.versions) or any(_YEAR_ALONE.match(form) for form in self.title_terms)

    @cached_property
    def tells_changes(self) -> bool:
        """True if the title or file name is that of release notes or a changelog: `pumplib-13.0-release-notes.md`."""
        return tells_changes(self.title) or tells_changes(_format_file_name(self.path))

    @property
    def year(self) -> int | None:
        return int(self.published[:4]) if self.published[:4].isdigit() else None


@dataclass(frozen=True, slots=True)
class CardMatch:
    """The match of a card. `fit` (0-1) is the share of the question's description of its source that the card has."""

    fit: float = 0.0
    carried: frozenset[str] = frozenset()
    is_other_version: bool = False  # the same thing, but not the requested version or year


def _initials(name: str) -> str:
    """Return the acronym of a name: "NIST" for the National Institute of Standards and Technology."""
    return "".join(word[0] for word in name.split() if word[0].isupper())


class Cards:
    """All cards of a library, with the rarity of words among them."""

    def __init__(self, cards: Iterable[DocumentCard]) -> None:
        self.by_id: Mapping[str, DocumentCard] = {card.id: card for card in cards}
        self._counts = Counter(term for card in self.by_id.values() for term in card.terms)

    def get_card(self, document_id: str) -> DocumentCard:
        """Return the document's card; an empty one if the library has none."""
        return self.by_id.get(document_id) or DocumentCard(document_id, "")

    def has(self, form: str) -> bool:
        """Return True if a card has a word of this form."""
        return form in self._counts

    def count(self, form: str) -> int:
        return self._counts[form]

    @cached_property
    def _dates(self) -> list[str]:
        return sorted({card.published for card in self.by_id.values() if card.published})

    def recency(self, document_id: str) -> float:
        """Return the rank of its date among those of the library, 0 (oldest) to 1 (newest); 0.5 without a date."""
        card = self.by_id.get(document_id)
        if card is None or not card.published or len(self._dates) < 2:
            return 0.5
        return self._dates.index(card.published) / (len(self._dates) - 1)

    def rarity(self, form: str) -> float:
        """Return the rarity of a word: 0 (on every card) to 1 (on one); also 0 if no card has it."""
        total, count = len(self.by_id), self._counts[form]
        if not count or total < 2:
            return float(bool(count))
        return log(1 + total / count) / log(1 + total)

    def find_named_documents(self, phrase: str) -> list[str]:
        """Return the documents whose title, author or publisher has the phrase, or most of its words by weight."""
        wanted = {
            form: self.rarity(form)
            for word in words(phrase)
            if not is_stop_word(word)
            for form in forms(word)[:1]
        }
        known = {form: rarity for form, rarity in wanted.items() if self.count(form)}
        if not known or sum(known.values()) < NAMED_SHARE * sum(rarity or 1.0 for rarity in wanted.values()):
            return []
        total = sum(known.values())
        shares = {
            card.id: sum(known[form] for form in known.keys() & card.terms) / total
            for card in self.by_id.values()
        }
        best = max(shares.values(), default=0.0)
        return [id for id, share in shares.items() if share >= max(NAMED_SHARE, best - 0.05)]

    def find_own_documents(self, phrase: str) -> list[str]:
        """Return the documents that the phrase names. If it is an author, a publisher or the beginning of a title, only
        these documents count, since texts of others about it are not its own.
        """
        said = term_set((phrase,))
        return [
            card.id for card in self.by_id.values() if card.is_by(phrase, said)
        ] or self.find_named_documents(phrase)

    def match(self, question: ParsedQuestion, rarity: Rarity) -> dict[str, CardMatch]:
        """Return the match of each document's card; a document whose card shares no word is left out."""
        asked = {term.form: self._weight(term, rarity) for term in question.terms if self.count(term.form)}
        found = {
            card.id: self._find_matching_terms(card, question) & asked.keys() for card in self.by_id.values()
        }
        worth = (sum(asked[form] for form in forms) for forms in found.values())
        best = max(NAMED_FROM, *worth, 0.0)
        others = self._other_versions(question)
        return {
            id: CardMatch(sum(asked[form] for form in forms) / best, forms, id in others)
            for id, forms in found.items()
            if forms
        }

    def _weight(self, term: QuestionTerm, rarity: Rarity) -> float:
        """Return the weight of a term: a name in a title weighs more than a word that every passage uses."""
        kind = 1.0 if term.is_specific else 0.6 * rarity.of(term.form)
        return term.weight * kind * self.rarity(term.form)

    def _find_matching_terms(self, card: DocumentCard, question: ParsedQuestion) -> frozenset[str]:
        carried = frozenset(term.form for term in question.terms if term.form in card.terms)
        years = question.year_range
        if years and card.year and years[0] <= card.year <= years[1]:
            carried |= {str(year) for year in years}
        return carried

    def _other_versions(self, question: ParsedQuestion) -> frozenset[str]:
        """Return the cards of versions that the question does not name: "How does 4.0 compare with 5.0?" names two."""
        asked = {card.id for name in question.names for card in self.by_id.values() if card.carries(name)}
        return frozenset(id for name in question.names for id in self._other_versions_of(name)) - asked

    def _other_versions_of(self, name: NamedThing) -> set[str]:
        """Return the cards with the name but not its version or year, if another card has both."""
        marks = {term.form for term in name.terms if term.kind in (TermKind.VERSION, TermKind.YEAR)}
        plain = {term.form for term in name.terms} - marks
        if not marks or not plain:
            return set()
        same = [card for card in self.by_id.values() if len(plain & card.terms) > len(plain) / 2]
        right = {card.id for card in same if marks <= card.terms}
        return {card.id for card in same if right and card.id not in right and _is_dated(card)}


def _is_dated(card: DocumentCard) -> bool:
    return bool(card.versions or card.year)


def _format_file_name(path: str) -> str:
    """Return a file name as words; "800-63b" is kept as one, "asvs-4.0.3-2021" is not."""
    name = re.sub(r"\.[A-Za-z]{1,5}$", "", path)
    return re.sub(r"(?<!\d)[-_]|[-_](?!\d)|[-_](?=(?:19|20)\d\d(?!\d))|/", " ", name)


def _compounds(path: str) -> frozenset[str]:
    """Return neighbouring words of a file name joined: "my-pump-kit-5.9.txt" names a "pump-kit"."""
    pieces = _format_file_name(path).lower().split()
    return frozenset(
        "-".join(pieces[start : start + length])
        for length in (2, 3)
        for start in range(len(pieces) - length + 1)
    )
