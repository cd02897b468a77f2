"""Selecting the sentences of technical pages that are informative when read alone. Pure.

Pages for developers are full of lines that are not: signatures, captions of code, links elsewhere, commit marks; and of
lines that no longer apply: what a change log says was fixed, and what an older version's manual says.
"""

import re
from collections.abc import Iterable

from research.extractive.candidate_sentences import Candidate
from research.extractive.document_cards import Cards, DocumentCard
from research.extractive.parsed_question import ParsedQuestion, TermKind
from research.pipelines.technical.code.fragments import is_code
from research.pipelines.technical.config import QuestionType

FEWEST_WORDS = 5
LONGEST_CAPTION = 9  # words
LONGEST_LINKS = 0.5  # of a sentence that may be addresses and targets of links

_NO_STATEMENT = re.compile(
    r"[:?]\W*$|^\W*(?:see|check out|for more|refer to|take a look|to see how|you now|let['’]s|click|read more"
    r"|you can (?:find|also find)|contributions? |it got its name"
    r"|copyright|©|table of contents|\.\. |:\w+:)|take a look at|\bsee the \[|^!\[|(?:\s--?\w[\w-]*[ =]\S+.*){3}",
    re.I,
)
_SIGNATURE = re.compile(
    r"^\W*(?:inline |virtual |static |const |explicit |template\b)*[\w:<>*&]+ [\w:*&]+\([^.]*\)\W*\w*$"
    r"|^\W*\w+\([^.]*\)\W*$|^(?:public|protected|private) \w+$",
    re.I,
)
# Of papers: who wrote them, what they are filed under, and what they cite. A work that a sentence cites is no entry.
_MASTHEAD = re.compile(r"^\W*(?:keywords|key words|index terms)\b", re.I)
_MAIL_ADDRESS = re.compile(r"[^\s@]@[^\s@]+\.\w")
_LIST_OF_WORKS = re.compile(r"\b(?:references|bibliography|works cited|further reading)\W*$", re.I)
_ENTRY = re.compile(
    r"\bCoRR,? abs/|\barXiv preprint\b|\bdoi:? ?10\.|\bdoi\.org/|\bISSN\b|\bISBN\b|\bURL https?://"
    r"|\bpages \d+[–-]\d+, (?:\w+ )?(?:19|20)\d\d|\b\d+\(\d+\): ?\d+[–-]\d+",
    re.I,
)
_COMMIT = re.compile(r"^\W*[0-9a-f]{7,40}\b")
_ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|<[^>]+>")
_CAPTION = re.compile(
    r"^\W*(?:specify|set|create|add|get|use|import|install|run|load|insert|update|delete|enable|define|call|build"
    r"|train|query|search|save|open|connect|then|first|next|also|or|and|example|index|show|check)\b",
    re.I,
)
_HISTORY = re.compile(r"\bchange ?logs?\b|\brelease notes\b", re.I)
_CHANGE = re.compile(
    r"^\W*+(?:v?\d++\.\d++\S*+\s*+(?:\([^)]*\)\s*)?)?(?:fixed|added|reduced|improved|changed|dropped|removed|renamed"
    r"|deprecated|bumped|updated|restored|if upgrading)\b",
    re.I,
)
_ASKS_HISTORY = re.compile(
    r"\b(?:versions?|releas\w+|chang\w+|add(?:ed|s)|introduc\w+|upgrad\w+|deprecat\w+|drop(?:ped|s)|new|since|when"
    r"|fix(?:ed|es)?)\b",
    re.I,
)
_VERSION = re.compile(r"\(?\bv?\d+(?:\.\d+)+\b\)?")


def is_statement(sentence: Candidate) -> bool:
    """Something is said in it, to whoever reads it alone. Rows of tables are taken as they are."""
    text = " ".join(sentence.text.split())
    if sentence.kind in ("heading", "code") or _is_short(text):
        return False
    if _NO_STATEMENT.search(text) or _SIGNATURE.search(text) or _COMMIT.search(text):
        return False
    if _MASTHEAD.search(text) or len(_MAIL_ADDRESS.findall(text)) > 1:
        return False
    if _ENTRY.search(text) or _LIST_OF_WORKS.search(sentence.heading):
        return False
    if sentence.kind != "table" and (is_code(text) or _is_caption(text, sentence.after)):
        return False
    linked = sum(len(match.group()) for match in _ADDRESS.finditer(text))
    return linked <= LONGEST_LINKS * len(text)


def _is_short(text: str) -> bool:
    return len([word for word in text.split() if any(map(str.isalpha, word))]) < FEWEST_WORDS


def _is_caption(text: str, after: str) -> bool:
    """Return True for a line that introduces a block of code; a line with a figure says more and is not one."""
    is_open = text[-1] not in ".!;" and not any(map(str.isdigit, text))
    return is_open and len(text.split()) <= LONGEST_CAPTION and bool(_CAPTION.match(text)) and is_code(after)


def select_current_sentences(
    sentences: Iterable[Candidate], question: ParsedQuestion, kind: QuestionType, cards: Cards
) -> list[Candidate]:
    """Without what older versions of a document say, and without lines of change logs, unless these are asked for."""
    names_version = any(term.kind in (TermKind.VERSION, TermKind.YEAR) for term in question.terms)
    old = frozenset() if names_version else older_versions(cards)
    kept = [sentence for sentence in sentences if sentence.document_id not in old]
    if names_version or kind in _WITH_HISTORY or _ASKS_HISTORY.search(question.text):
        return kept
    return [one for one in kept if not _is_history(one, cards)]


_WITH_HISTORY = frozenset({QuestionType.DEPENDENCY, QuestionType.ERROR_RESOLUTION})


def _is_history(sentence: Candidate, cards: Cards) -> bool:
    card = cards.by_id.get(sentence.document_id)
    is_log = card is not None and _HISTORY.search(f"{card.title} {card.path}") is not None
    return is_log or (
        _VERSION.search(sentence.heading) is not None and _CHANGE.match(sentence.text) is not None
    )


def older_versions(cards: Cards) -> frozenset[str]:
    """Documents of which there is a newer one: the same title but for its version."""
    families: dict[str, list[DocumentCard]] = {}
    for card in cards.by_id.values():
        if _VERSION.search(card.title):
            families.setdefault(_VERSION.sub("", card.title).casefold().strip(), []).append(card)
    newest = {max(family, key=_age).id for family in families.values()}
    return frozenset(card.id for family in families.values() for card in family if card.id not in newest)


def _age(card: DocumentCard) -> tuple[str, tuple[int, ...]]:
    found = _VERSION.search(card.title)
    return card.published, tuple(map(int, re.findall(r"\d+", found.group()))) if found else ()
