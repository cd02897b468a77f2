"""Arrange an answer that is a list: the items after the line that introduces what the question asks for. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from research.extractive.answer_document_cards import Cards
from research.extractive.answer_instances import find_class_asked
from research.extractive.answer_sections import (
    IN_DETAIL,
    AnswerSection,
    list_unused,
    select_diverse_statements,
    short_answer,
)
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.select_answer_statements import (
    SelectedClaim,
)
from research.extractive.terms import STOP_WORDS, forms, term_set, words
from research.parsing.parsed_document import BlockKind

ITEMS_MOST = 15
MAX_LIST = 1_200  # characters of a list that is one statement
WORDS_OF_NAME = 10  # of an item that is not informative on its own
WHOLE = 0.1  # added for a list that says that it is complete
INTRODUCED = 0.5  # share of the requested words in the line before a list or its headings


def arrange_list(
    question: ParsedQuestion, statements: Sequence[SelectedClaim], cards: Cards
) -> list[AnswerSection]:
    """Return the items of the list that is introduced as the requested one, in its order, each with all its sources."""
    groups: dict[tuple[str, str, str], list[SelectedClaim]] = defaultdict(list)
    for claim in statements:
        for item in claim.sentences:
            candidate = item.candidate
            own = groups[candidate.document_id, candidate.section, candidate.lead_in]
            is_item = candidate.kind in _LISTING and not candidate.continues_item
            if is_item and not any(claim.best in known.sentences for known in own):
                own.append(
                    SelectedClaim(item, tuple(other for other in claim.sentences if other is not item))
                )
    asked = [
        forms(word)[0] for word in words(find_class_asked(question.text)) if word.lower() not in STOP_WORDS
    ]
    best = statements[0].best.score
    # In lower case, too ("passlib"), but as written: "Backing up" is no product in "Which files are backed up?"
    products = {
        card.title.split(maxsplit=1)[0].lower() for card in cards.by_id.values() if card.title.strip()
    }
    named = (word for word in words(question.text) if word.lower() in products)
    subjects = term_set(named) & {term.form for term in question.terms} - set(asked)
    worth = {
        place: _score_introduction(place, asked)
        + sum(claim.best.score for claim in own[:4]) / 4 / best
        + own[0].best.features.heading
        for place, own in groups.items()
        if own
        and max(len(own), len(own[0].best.candidate.siblings)) >= 3
        and _score_introduction(place, asked) >= INTRODUCED
        and subjects <= _list_named(place, cards) | term_set(claim.best.candidate.text for claim in own)
        and own[0].best.score >= 0.6 * best
    }
    if not worth:
        return []
    top = groups[max(worth, key=lambda place: worth[place])]
    items = sorted(top[:ITEMS_MOST], key=lambda claim: claim.best.candidate.start)
    joined = _join_short_items(items)
    if len(joined) == 1:
        return [short_answer(joined)]
    more = select_diverse_statements(list_unused(statements, items), 3, 0.85, best)
    return [short_answer(items), *([AnswerSection(IN_DETAIL, tuple(more))] if more else [])]


def _join_short_items(items: Sequence[SelectedClaim]) -> list[SelectedClaim]:
    """Return the whole list as one statement if its items are names after one line: "The hashers are: A; B; C."."""
    first = items[0].best.candidate
    if any(claim.best.candidate.lead != first.lead for claim in items):
        return list(items)
    whole = join_list(first)
    return [SelectedClaim(replace(items[0].best, candidate=whole))] if whole else list(items)


def join_list(first: Candidate, longest: int = MAX_LIST) -> Candidate | None:
    """Return the whole list of an item as one statement; None if it is too long or its items are not names."""
    named = [each for each in first.siblings if words(each[2])]  # lists in code also have lines of brackets
    listed = tuple(replace(first, start=start, end=end, text=text) for start, end, text in named)
    if not listed:
        return None
    whole = replace(
        first,
        start=listed[0].start,
        end=listed[-1].end,
        text="\n".join([first.lead_text, *(item.text for item in listed)]),
        items=listed,
    )
    is_too_long = len(whole.shown) > longest or any(len(words(item.name)) > WORDS_OF_NAME for item in listed)
    return None if is_too_long else whole


_LISTING = (BlockKind.LIST.value, BlockKind.TABLE.value, BlockKind.CODE.value)


def _score_introduction(place: tuple[str, str, str], asked: Sequence[str]) -> float:
    """Return the share, 0-1, of the requested words in the line before a list or in its headings.

    A little is added if the line says that the list is complete. The score is 0 without the noun itself, the last word.
    """
    _document, section, lead_in = place
    introduces = _INTRODUCES.search(lead_in)  # "The pump has three modes:" introduces modes, and no pumps
    said = term_set((introduces[1] if introduces else lead_in, section))
    if asked and asked[-1] not in said:
        return 0.0
    share = len(said.intersection(asked)) / len(asked) if asked else 1.0
    return share + WHOLE * bool(_IS_WHOLE.search(lead_in))


def _list_named(place: tuple[str, str, str], cards: Cards) -> frozenset[str]:
    """Return the words that say of what a list is: in its document's title, its headings, and the line before it."""
    document, section, lead_in = place
    return term_set((lead_in, section)) | cards.get_card(document).title_terms


_INTRODUCES = re.compile(
    r".*\b(?:has|have|offers?|provides?|contains?|includes?|accepts?|takes?)\b(.*\w{4}.*):$",
    re.IGNORECASE | re.DOTALL,
)
_IS_WHOLE = re.compile(r"\b(?:all|full|complete|entire|every|following)\b", re.IGNORECASE)
