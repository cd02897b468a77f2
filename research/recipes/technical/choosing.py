"""Which sentences may become claims of a technical answer: statements, on the things that were asked about. Pure.

Technical pages are full of lines that are none: signatures, headings of lists, links elsewhere, marks of commits.
"""

import re
from collections.abc import Collection, Sequence

from research.agents.extractive.candidates import Candidate
from research.agents.extractive.ranking import Ranker, Scored
from research.agents.extractive.selection import FLOOR, Selected, join_duplicates, select
from research.agents.extractive.terms import term_set
from research.recipes.technical.code.fragments import is_code
from research.recipes.technical.kinds_of_advice import Advice, advice_of

FEWEST_WORDS = 5
ENOUGH = 4  # sentences on all things that were asked about; with fewer, those on most of them count too
LONGEST_LINKS = 0.5  # of a sentence that may be addresses and targets of links

_NO_STATEMENT = re.compile(
    r"[:?]\W*$|^\W*(?:see|check out|for more|refer to|take a look|to see how|you now|let['’]s|click|read more"
    r"|copyright|©|table of contents|\.\. |:\w+:)|take a look at|\bsee the \[",
    re.I,
)
_SIGNATURE = re.compile(
    r"^\W*(?:inline |virtual |static |const |explicit |template\b)*[\w:<>*&]+ [\w:*&]+\([^.]*\)\W*\w*$"
    r"|^\W*\w+\([^.]*\)\W*$|^(?:public|protected|private) \w+$",
    re.I,
)
_COMMIT = re.compile(r"^\W*[0-9a-f]{7,40}\b")
_ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|<[^>]+>")


def is_statement(sentence: Candidate) -> bool:
    """Something is said in it, to whoever reads it alone. Rows of tables are taken as they are."""
    text = " ".join(sentence.text.split())
    if sentence.kind in ("heading", "code"):
        return False
    if len([word for word in text.split() if any(map(str.isalpha, word))]) < FEWEST_WORDS:
        return False
    if _NO_STATEMENT.search(text) or _SIGNATURE.search(text) or _COMMIT.search(text):
        return False
    if sentence.kind != "table" and is_code(text):
        return False
    linked = sum(len(match.group()) for match in _ADDRESS.finditer(text))
    return linked <= LONGEST_LINKS * len(text)


def on_the_things(ranked: Sequence[Scored], ranker: Ranker, technologies: Collection[str]) -> list[Scored]:
    """Of the sentences those whose text, place or document carries all that the question names; if these are few,
    those that carry most of it. In their order.
    """
    wanted = key_forms(ranker, technologies)
    if not wanted:
        return list(ranked)
    carried = {one.candidate.key: _carried(one.candidate, wanted, ranker) for one in ranked}
    for least in range(len(wanted), 0, -1):
        found = [one for one in ranked if carried[one.candidate.key] >= least]
        if len(found) >= ENOUGH:
            return found
    return list(ranked)


def key_forms(ranker: Ranker, technologies: Collection[str]) -> list[frozenset[str]]:
    """Names that stand on titles of documents, and the technologies that were given: each as its forms."""
    cards, rare = ranker.cards, ranker.rarity
    named = [
        frozenset({term.form})
        for term in ranker.question.terms
        if cards.count(term.form)
        and (term.is_specific or (cards.rarity(term.form) > 0.4 and rare.of(term.form) > 0.3))
    ]
    given = [frozenset(term_set((one,))) for one in technologies]
    return list(dict.fromkeys([*named, *given]))


def _carried(sentence: Candidate, wanted: Sequence[frozenset[str]], ranker: Ranker) -> int:
    card = ranker.cards.by_id.get(sentence.document_id)
    title = card.title_terms if card else frozenset()
    there = term_set((sentence.text, sentence.lead_in, sentence.section)) | title
    return sum(one <= there for one in wanted)


def chosen(
    ranked: Sequence[Scored], ranker: Ranker, *, findings: int, of_each: int, taken: Collection[str] = ()
) -> list[Selected]:
    """What answers, best first; then what else there is of practices, recommendations and warnings on the question.

    `ranked` comes best first. `taken` are words that stand elsewhere in the answer.
    """
    free = [one for one in ranked if _words(one) not in taken]
    prose = [one for one in free if is_statement(one.candidate)] or _without_code(free)
    leading = list(select(prose, ranker.question, ranker.cards, limit=2 * findings))[:findings]
    known = {one.best.candidate.key for one in leading}
    return [*leading, *_besides(prose, known, _room(leading, of_each))]


def _without_code(free: Sequence[Scored]) -> Sequence[Scored]:
    """Where nothing is a statement, at least no claim is code, unless there is nothing else."""
    return [one for one in free if one.candidate.kind == "table" or not is_code(_words(one))] or free


def _room(leading: Sequence[Selected], of_each: int) -> dict[Advice, int]:
    room = dict.fromkeys(Advice, of_each) | {Advice.FINDING: 0}
    for one in leading:
        room[advice_of(one.best.candidate.text)] -= 1
    return room


def _besides(prose: Sequence[Scored], known: Collection[object], room: dict[Advice, int]) -> list[Selected]:
    floor = FLOOR * prose[0].score if prose else 0.0
    found = []
    for one in join_duplicates([item for item in prose if item.score >= floor]):
        advice = advice_of(one.best.candidate.text)
        if one.best.candidate.key not in known and one.best.candidate.kind != "table" and room[advice] > 0:
            room[advice] -= 1
            found.append(one)
    return found


def _words(one: Scored) -> str:
    return " ".join(one.candidate.text.split())
