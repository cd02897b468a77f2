"""Build a comparison table: a row for each thing, a column for each aspect, the best sentence in each cell. Pure.

A cell contains a sentence about the thing and the aspect, or is empty. No sentence is used in two cells.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from research.extractive.answer_document_cards import Cards
from research.extractive.candidate_sentences import Candidate
from research.extractive.question.parsed_question import ParsedQuestion
from research.extractive.sentence_ranking import Embed, in_context
from research.extractive.terms import STOP_WORDS, term_set
from research.pipelines.technical.technical_informative_sentences import is_statement
from research.pipelines.technical.technical_queries import find_missing_words

MIN_THINGS = 2
MAX_THINGS, MAX_ASPECTS = 6, 6
MAX_OTHERS = 2  # sentences on requested aspects that found no cell
MIN_ASPECTS = 4  # up to this number, aspects with a cell for only one thing are added
LONGEST = 320  # characters of a sentence in a cell
NEAREST = 6  # best sentences by their words, for each cell, which are also compared by embeddings
CARRIED = 0.5  # least share of an aspect's words
ENOUGH = 0.42  # least score of words and embeddings together
NAMED = 0.08  # added for a sentence that names the thing itself
SIDE_BY_SIDE = 0.15  # added for a sentence that names several things in what was asked for
WHAT_IT_IS = 0.1  # added for sentences on the purpose of a thing, which say little else
PURPOSE = "Purpose"
SUBJECT_WORDS = 4  # words in which a sentence names its subject
LIKE = 0.55  # least cosine to the cell of another thing, or to the aspect, of a sentence that fills an empty cell
# Common aspects of technical comparisons: words that ask for them, and signs of sentences about them.
USUAL: Mapping[str, tuple[str, str]] = {
    PURPOSE: (
        "what it is for",
        r"\bis (?:an?|one of (?:the )?(?:many )?) ?(?:[\w-]+,? ){0,8}(?:librar|database|extension|algorithm|method"
        r"|function"
        r"|tool|engine|client|scheme|framework|package|manager|runtime|language|solution|server|queue|broker|compiler"
        r"|bundler|orm|toolkit)\w*"
        r"|\b(?:library|framework|tool|solution|package) (?:for|that|to|with|using)\b|\bdesigned (?:to|for|as)\b",
    ),
    "Suited for": (
        "when to use it",
        r"\b(?:best for|suit(?:ed|able|s)\b|useful (?:when|if|for)|ideal (?:for|when)"
        r"|good (?:fit|choice) (?:for|when|if)"
        r"|works (?:great|well|best) (?:as|for|with|when|if)"
        r"|use \w+ (?:when|if)|recommended (?:for|when)|(?:large|small|simple|complex) (?:\w+ )?(?:apps?|applications?"
        r"|projects?|teams?))\b",
    ),
    "Setup": (
        "setup and what it requires of an application",
        r"\b(?:wrap\w*|providers?|boilerplate|configur\w+|setup|set up|install\w*|requires?|without"
        r"|administration|server process|(?:runs|deployed) (?:as|on)|self-hosted|single (?:file|binary))\b",
    ),
    "Ease of use": (
        "simplicity and learning curve",
        r"\b(?:simpl\w+|easy|easier|learning curve|opinionated|boilerplate\w*|intuitive|verbose"
        r"|concise|steep\w*|comfy)\b",
    ),
    "Size": (
        "size and dependencies",
        r"\b\d[\d.,]*\s?(?:[kKMG]i?B|bytes?|bits?)\b|\b(?:bundle size|minified|lightweight|tiny|dependenc\w+)\b",
    ),
    "Ecosystem": (
        "tools, extensions and community",
        r"\b(?:ecosystem|middleware|dev ?tools|plugins?|communit\w+|integrations?|extensions?|add-?ons?)\b",
    ),
    "Performance": (
        "performance speed throughput latency",
        r"\b(?:fast(?:er|est)?|slow\w*|speed\w*|performan\w+|throughput|latency|QPS|quick\w*)\b"
        r"|\b(?:took|takes|needed|needs)\b[^.;]*\b\d[\d.,]*\s?(?:ms|s|seconds?|minutes?)\b"
        r"|\b\d[\d.,]*\s?\w* (?:a|per) second\b|\b\d[\d.,]*\s?times (?:faster|slower|as (?:fast|slow))\b",
    ),
    "Concurrency": (
        "concurrency parallel simultaneous access locking",
        r"\b(?:concurren\w+|simultaneous\w*|(?:one|single|many|several|multiple) writers?|at the same (?:time|instant)"
        r"|in parallel|block(?:s|ing)? (?:reads?|reading|writes?|writing)|(?:row|table)-level lock\w*)\b",
    ),
    "Full-text search": (
        "search and indexing",
        r"\b(?:full[- ]text|search (?:functionality|engine|index\w*)|ts_?vector)\b",
    ),
    "Memory and storage": (
        "memory and disk usage",
        r"\b(?:memory|RAM|disk|storage|mmap\w*|bytes|[KMG]i?B)\b",
    ),
    "Security": (
        "resistance to attacks",
        r"\b(?:attack\w*|resist\w*|secur\w+|vulnerab\w+|crack\w*|GPUs?|ASICs?)\b",
    ),
    "Languages and platforms": (
        "programming languages and platforms supported",
        r"\b(?:Python|Java|Rust|C\+\+|Go|JavaScript|Node|Windows|Linux|macOS|Django|Postgres\w*)\b",
    ),
    "Limits": (
        "limits and maximum",
        r"\b(?:up to|at most|maximum|limit\w*|cannot|only|not support\w*|truncat\w*)\b",
    ),
    "Licence": ("license", r"\blicen[cs]e"),
}
_NUMBERED = re.compile(r"\b([A-Za-z]{2,})v\d+\b")  # “UUIDv7” is a UUID
_PRONOUN = re.compile(r"\W*(?:it|its|they|their|this|these)\b", re.I)
_AGAINST = re.compile(
    r"\b(?:as \w+ as|than|unlike|compared (?:to|with)|instead of|in contrast to)\b[^,.;()]*", re.I
)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus|or|and|against|than|with)\s+|\s*[,;/]\s*(?:and\s+|or\s+)?", re.I)


@dataclass(frozen=True, slots=True)
class ComparisonAspect:
    title: str
    words: str  # that texts use for it
    sign: str = ""  # a pattern of sentences about it; "" if only its words count
    is_asked: bool = False  # the question or its keywords name it


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    thing: int
    aspect: int
    sentence: Candidate
    score: float


@dataclass(frozen=True, slots=True)
class ComparisonGrid:
    """A table with at most one cell for each thing and aspect. `others`: more sentences on requested aspects."""

    things: tuple[str, ...]
    aspects: tuple[ComparisonAspect, ...]
    cells: tuple[ComparisonCell, ...] = field(default=())
    others: tuple[Candidate, ...] = ()

    @property
    def is_compared(self) -> bool:
        """Return True if at least two of the things have a cell on the same aspect."""
        said = {(cell.thing, cell.aspect) for cell in self.cells}
        return any(len({t for t, a in said if a == aspect}) >= 2 for aspect in range(len(self.aspects)))


def things_in(question: ParsedQuestion, technologies: Sequence[str], cards: Cards) -> tuple[str, ...]:
    """Return the things compared: the technologies if there are several, else also those that the question compares."""
    if len(technologies) >= 2:
        return tuple(technologies[:MAX_THINGS])
    opposed = _find_opposed_names(question)
    if len(opposed) >= 2:  # a single technology beside them is what they are used with
        return tuple(opposed[:MAX_THINGS])
    coordinated = [name.surface for name in question.names if name.is_coordinated]
    names = coordinated if len(coordinated) >= 2 else [name.surface for name in question.names]
    listed = list(_find_compared_names(question.text, cards))
    is_listed = len(listed) > len(names) or (len(coordinated) < MIN_THINGS <= len(listed))
    found = [*technologies, *(listed if is_listed else names)]
    distinct: dict[str, str] = {}
    for cell in found:
        distinct.setdefault(cell.casefold(), cell)
    return tuple(distinct.values())[:MAX_THINGS]


def _singular(name: str) -> str:
    """Return an acronym without the “s” of its plural, in which sources seldom speak of it."""
    bare = name.rstrip(".?")
    return bare[:-1] if len(bare) > MIN_THINGS and bare.endswith("s") and bare[:-1].isupper() else bare


_OPPOSED = re.compile(
    r"(?P<a>[\w.+#-]+)\s+(?:vs\.?|versus)\s+(?=(?P<b>[\w.+#-]+))"
    r"|\b(?:use|choose|pick|prefer|take)\s+(?P<c>[\w.+#-]+)\s+or\s+(?=(?P<d>[\w.+#-]+))",
    re.IGNORECASE,
)


def _find_opposed_names(question: ParsedQuestion) -> list[str]:
    """Return the things on both sides of “vs”, or of “use A or B”, with all the words of a name in the question."""
    names = {word: name.surface for name in question.names for word in name.surface.split()}
    found = []
    for match in _OPPOSED.finditer(question.text):
        pair = (match["a"] or match["c"], match["b"] or match["d"])
        found += [names.get(word, word) for word in map(_singular, pair)]
    return list(dict.fromkeys(found))


def _find_compared_names(text: str, cards: Cards) -> Iterator[str]:
    """Yield the words beside “or”, “and”, “vs” and commas that occur in the library's documents."""
    parts = _VERSUS.split(text)
    for index, part in enumerate(parts if len(parts) > 1 else ()):
        words = part.strip(" ?.!:“”\"'()").split()
        near = words[-1:] if index == 0 else words[:1]
        for word in near:
            word = word.strip("?.!:,;()")
            forms = term_set((word,)) - STOP_WORDS
            if len(word) > 2 and forms and all(cards.count(form) for form in forms):
                yield word


def aspects_of(
    question: ParsedQuestion, things: Sequence[str], keywords: Sequence[str]
) -> tuple[ComparisonAspect, ...]:
    """Return the aspects: the keywords, those that the question asks about, then the usual ones."""
    named = term_set(things)
    matter = [term for term in question.terms if term.form not in named and term.weight >= 0.5]
    content_terms = [term for term in matter if term.surface.casefold() not in _OF_ASKING]
    forms = {term.form for term in content_terms}
    usual = [ComparisonAspect(title, words, sign) for title, (words, sign) in USUAL.items()]
    phrases = _list_aspects(question.text)
    requested = [
        aspect
        for aspect in usual
        if forms & (term_set((aspect.title, aspect.words)) - STOP_WORDS)
        or any(re.search(aspect.sign, phrase, re.IGNORECASE) for phrase in phrases)
    ]
    given = [_aspect_of(keyword) for keyword in find_missing_words(" ".join(things), keywords)]
    words = " ".join(term.surface for term in content_terms)
    own = [ComparisonAspect(_title(words), words)] if words and not requested and not given else []
    covered = term_set(f"{aspect.title} {aspect.words}" for aspect in (*given, *own, *requested))
    listed = [
        _aspect_of(phrase)
        for phrase in phrases
        if not (term_set((phrase,)) - STOP_WORDS) & (covered | named)
        and not any(re.search(aspect.sign, phrase, re.IGNORECASE) for aspect in requested)
    ]
    titles: dict[str, ComparisonAspect] = {}
    for aspect in (*given, *own, *listed, *requested, *usual):
        titles.setdefault(aspect.title.casefold(), aspect)
    return tuple(titles.values())


def _aspect_of(phrase: str) -> ComparisonAspect:
    """Return the aspect that the asker names, with the sign of the usual aspect that is asked for in this word."""
    forms = term_set((phrase,)) - STOP_WORDS
    sign = next((sign for title, (words, sign) in USUAL.items() if forms & term_set((title, words))), "")
    return ComparisonAspect(_title(phrase), phrase, _or_words(sign, phrase) if sign else "", is_asked=True)


def _or_words(sign: str, phrase: str) -> str:
    return rf"{sign}|\b{re.escape(phrase)}"


def _list_aspects(text: str) -> list[str]:
    """Return the aspects that a question lists at its end: "…: size, boilerplate and persistence?"."""
    found = _LISTED.search(text)
    return [phrase for phrase in _LIST_JOINT.split(found[1].strip(" ?.")) if phrase] if found else []


_LISTED = re.compile(r"(?::|\b(?:in terms of|regarding|concerning|with regard to))\s+(.+)$", re.IGNORECASE)
_LIST_JOINT = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", re.IGNORECASE)
_OF_ASKING = frozenset(
    "compare comparison compared difference differences better best vs versus differ between".split()
)


def _title(words: str) -> str:
    return words[:1].upper() + words[1:60]


def compare(
    things: Sequence[str],
    aspects: Sequence[ComparisonAspect],
    sentences: Iterable[Candidate],
    cards: Cards,
    embed: Embed,
) -> ComparisonGrid:
    """Build the comparison table: aspects with sentences on two or more things, then a few with sentences on one.

    It has no cells if nothing is compared or stated.
    """
    pool = [sentence for sentence in sentences if len(sentence.text) <= LONGEST and is_statement(sentence)]
    statements = [
        [
            candidate
            for candidate in pool
            if speaks_of(thing, [other for other in things if other != thing], candidate, cards)
        ]
        for thing in things
    ]
    scored_cells = _score_cells(things, aspects, statements, embed)
    kept = _select_aspects(scored_cells, aspects)
    chosen = _each_once([cell for cell in scored_cells if cell.aspect in kept], things, aspects)
    chosen += _fill_empty_cells(chosen, kept, things, aspects, statements, embed)
    filled = {cell.aspect for cell in chosen}
    kept = [aspect for aspect in kept if aspect in filled or (filled and aspects[aspect].is_asked)]
    place = {old: new for new, old in enumerate(kept)}
    cells = tuple(
        ComparisonCell(cell.thing, place[cell.aspect], cell.sentence, cell.score) for cell in chosen
    )
    shown = tuple(_as_written(thing, pool) for thing in things)
    placed = {" ".join(cell.sentence.text.split()) for cell in chosen}
    others = dict.fromkeys(
        cell.sentence
        for cell in scored_cells
        if cell.aspect in kept
        and aspects[cell.aspect].is_asked
        and " ".join(cell.sentence.text.split()) not in placed
    )
    return ComparisonGrid(shown, tuple(aspects[index] for index in kept), cells, tuple(others)[:MAX_OTHERS])


def _as_written(thing: str, sentences: Sequence[Candidate]) -> str:
    """Return a name that was given in lower case in the spelling of the sources."""
    if not thing.islower():
        return thing
    name = re.compile(rf"(?<!\w){re.escape(thing)}(?!\w)", re.IGNORECASE)
    written = Counter(found for sentence in sentences for found in name.findall(sentence.text))
    return written.most_common(1)[0][0] if written else thing


def things_spoken_of(things: Sequence[str], sentences: Iterable[Candidate], cards: Cards) -> frozenset[str]:
    """Return the things on which there is a statement."""
    stated = [sentence for sentence in sentences if is_statement(sentence)]
    return frozenset(
        thing
        for thing in things
        if any(
            speaks_of(thing, [other for other in things if other != thing], sentence, cards)
            for sentence in stated
        )
    )


def speaks_of(thing: str, others: Sequence[str], sentence: Candidate, cards: Cards) -> bool:
    """Return True if a sentence names the thing, or names none of the others in a document about the thing.

    The second term of a comparison does not count: “faster than X” is not about X. A sentence that begins with “It” is
    about the thing in its heading.
    """
    terms, named = term_set((thing,)), term_set(others)
    heading = term_set((sentence.heading,))
    if _PRONOUN.match(sentence.text) and (terms <= heading or named & heading):
        return terms <= heading
    text = _NUMBERED.sub(r"\g<0> \1", _AGAINST.sub(" ", sentence.text))
    own = term_set((text, sentence.lead_in, sentence.heading))
    card = cards.by_id.get(sentence.document_id)
    is_about = card is not None and terms <= card.title_terms
    return terms <= own or (is_about and not named & own)


def _score_cells(
    things: Sequence[str],
    aspects: Sequence[ComparisonAspect],
    statements: Sequence[Sequence[Candidate]],
    embed: Embed,
) -> list[ComparisonCell]:
    near = [
        (t, a, sentence, carried)
        for t, sentences in enumerate(statements)
        for a, aspect in enumerate(aspects)
        for carried, sentence in _by_words(things[t], aspect, sentences)
    ]
    if not near:
        return []
    texts = list(dict.fromkeys(in_context(sentence) for _, _, sentence, _ in near))
    queries = [f"{thing} {aspect.title} {aspect.words}" for thing in things for aspect in aspects]
    vectors = embed([*queries, *texts])
    place = {text: len(queries) + index for index, text in enumerate(texts)}
    cells = []
    for t, a, sentence, carried in near:
        close = float(np.dot(vectors[t * len(aspects) + a], vectors[place[in_context(sentence)]]))
        score = (
            0.5 * carried
            + 0.5 * close
            + NAMED * bool(re.search(rf"(?<!\w){re.escape(things[t])}s?(?!\w)", sentence.text, re.I))
        )
        score += WHAT_IT_IS * (aspects[a].title == PURPOSE)
        score += SIDE_BY_SIDE * (aspects[a].is_asked and _names_several(things, sentence.text))
        if score >= ENOUGH:
            cells.append(ComparisonCell(t, a, sentence, round(score, 4)))
    return sorted(cells, key=lambda cell: (-cell.score, cell.thing, cell.aspect, cell.sentence.key))


def names_subject(thing: str, text: str) -> bool:
    """Return True if a sentence begins with the thing, or with a pronoun for it.

    >>> names_subject("SQLite", "FTS5 is an SQLite virtual table module.")
    False
    """
    first = " ".join(text.split()[:SUBJECT_WORDS]).split(" is ")[0]
    return term_set((thing,)) <= term_set((first,)) or bool(_PRONOUN.match(text))


def _by_words(
    thing: str, aspect: ComparisonAspect, sentences: Sequence[Candidate]
) -> list[tuple[float, Candidate]]:
    """Return the nearest sentences on the aspect, each with the share of the aspect's words in it."""
    sign = re.compile(aspect.sign, re.I) if aspect.sign else None
    wanted = term_set((aspect.words,)) - STOP_WORDS
    cells = []
    for sentence in sentences:
        own, near = term_set((sentence.text,)), term_set((sentence.lead_in, sentence.heading))
        credit = sum(1.0 if form in own else 0.7 if form in near else 0.0 for form in wanted) / (
            len(wanted) or 1
        )
        carried = credit if sign is None else max(CARRIED, credit) * bool(sign.search(sentence.text))
        if aspect.title == PURPOSE and not names_subject(thing, sentence.text):
            continue  # “X is a module of Y” says what X is
        if carried >= CARRIED:
            cells.append((carried, sentence))
    return sorted(cells, key=lambda item: (-item[0], item[1].key))[:NEAREST]


def _select_aspects(cells: Sequence[ComparisonCell], aspects: Sequence[ComparisonAspect]) -> list[int]:
    """Return the aspects to show, in the given order: those that the asker names, if anything is said of them.

    Else those with cells for two things, and a few with one cell.
    """
    things = {a: {cell.thing for cell in cells if cell.aspect == a} for a in range(len(aspects))}
    asked = [a for a, aspect in enumerate(aspects) if aspect.is_asked]
    if any(things[a] for a in asked):
        return asked[:MAX_ASPECTS]
    wide = [a for a in range(len(aspects)) if len(things[a]) >= 2][:MAX_ASPECTS]
    single = [a for a in range(len(aspects)) if len(things[a]) == 1]
    return sorted([*wide, *single[: max(0, MIN_ASPECTS - len(wide)) if wide else 1]])


def _fill_empty_cells(
    chosen: Sequence[ComparisonCell],
    kept: Sequence[int],
    things: Sequence[str],
    aspects: Sequence[ComparisonAspect],
    statements: Sequence[Sequence[Candidate]],
    embed: Embed,
) -> list[ComparisonCell]:
    """Fill empty cells of requested aspects with unused sentences in other words: “requeues” for “retries”.

    They are close in meaning to the aspect, or to what is said of another thing.
    """
    used = {" ".join(cell.sentence.text.split()) for cell in chosen}
    beside: dict[int, list[str]] = {}
    for cell in chosen:
        beside.setdefault(cell.aspect, []).append(in_context(cell.sentence))
    has = {(cell.thing, cell.aspect) for cell in chosen}
    found = []
    for a in (a for a in kept if aspects[a].is_asked and a in beside):
        for t in (t for t in range(len(things)) if (t, a) not in has):
            free = [
                sentence
                for sentence in statements[t]
                if " ".join(sentence.text.split()) not in used
                and not _is_on_other_aspect(sentence, aspects[a])
            ]
            if not free:
                continue
            asked = [f"{things[t]} {aspects[a].words}", *beside[a]]
            vectors = embed([*asked, *map(in_context, free)])
            close = (vectors[len(asked) :] @ vectors[: len(asked)].T).max(axis=1)
            best = int(close.argmax())
            if float(close[best]) >= LIKE:
                used.add(" ".join(free[best].text.split()))
                found.append(ComparisonCell(t, a, free[best], round(float(close[best]), 4)))
    return found


def _is_on_other_aspect(sentence: Candidate, aspect: ComparisonAspect) -> bool:
    others = (sign for title, (_words, sign) in USUAL.items() if sign not in aspect.sign)
    return any(re.search(sign, sentence.text, re.IGNORECASE) for sign in others)


def _each_once(
    cells: Sequence[ComparisonCell], things: Sequence[str], aspects: Sequence[ComparisonAspect]
) -> list[ComparisonCell]:
    """Return the cells, each position filled once; `cells` are sorted best first.

    A sentence fills one cell; one that names several of the things in what was asked for fills a cell of each.
    """
    filled: set[tuple[int, int]] = set()
    used: dict[str, int] = {}
    chosen = []
    for candidate in cells:
        words = " ".join(candidate.sentence.text.split())
        is_shared = used.get(words) == candidate.aspect and aspects[candidate.aspect].is_asked
        is_free = words not in used or (is_shared and _names_several(things, words))
        if (candidate.thing, candidate.aspect) not in filled and is_free:
            filled.add((candidate.thing, candidate.aspect))
            used[words] = candidate.aspect
            chosen.append(candidate)
    return sorted(chosen, key=lambda cell: (cell.thing, cell.aspect))


def _names_several(things: Sequence[str], words: str) -> bool:
    return sum(term_set((thing,)) <= term_set((words,)) for thing in things) >= 2
