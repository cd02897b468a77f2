"""The list of results: every source that was read, ranked, with its own words on the question."""

from collections.abc import Iterator, Sequence
from datetime import date

from research.extractive.candidate_sentences import Candidate
from research.models import Source, SourceType
from research.parsing.parsed_document import BlockKind
from research.pipelines.technical.answer.technical_answer import StoredResult, StoredWhy
from research.pipelines.technical.answer.technical_answer_material import TechnicalMaterial, TechnicalSource
from research.pipelines.technical.choose_technical_sentences import on_the_terms
from research.pipelines.technical.rank_technical_sources import Relevance, relevance_of
from research.pipelines.technical.technical_informative_sentences import is_statement, outdated_documents
from research.pipelines.technical.technical_official_pages import names_of, official_type
from research.search.search_protocol import SearchHit

MAX_WORDS = 400  # characters of a snippet, and of a summary
MIN_SUMMARY_LENGTH = 40  # characters: less is a title, a badge or a line of links
PASSAGE = 0.4  # weight of a passage's search score, relative to the words of its best sentence


def rank_results(material: TechnicalMaterial, today: date) -> list[StoredResult]:
    """Return the sources as results, best first; equal ones in the order in which they were found.

    Documents that are outdated for the question come last.
    """
    addresses = {document: address_of(read.source) for document, read in material.by_document.items()}
    old = outdated_documents(material.ranker.question, material.ranker.cards, addresses)
    outdated = {read.source.pk for document, read in material.by_document.items() if document in old}
    scored_sources = [(read_source, *_best(material, read_source)) for read_source in material.read]
    most = max((score for _read, _best_sentence, score in scored_sources), default=0.0) or 1.0
    names = names_of(material.ranker.question, material.config.technologies)
    results = []
    for read_source, sentence, score in scored_sources:
        kind = type_of(read_source.source, names)
        hit = _hit(read_source, sentence, kind)
        relevance = relevance_of(hit, score / most, material.config.prefer, today)
        results.append(_result(read_source, sentence, relevance, kind))
    return sorted(results, key=lambda result: (result.source in outdated, -result.relevance))


def _best(material: TechnicalMaterial, read_source: TechnicalSource) -> tuple[Candidate | None, float]:
    """Return the source's best statement, or its best sentence if it states nothing, and the source's score."""
    asked = on_the_terms(read_source.sentences, material.ranker)
    stated = [sentence for sentence in asked if is_statement(sentence)]
    scored = [material.ranker.score(sentence) for sentence in stated or read_source.sentences]
    best = max(scored, key=lambda s: (s.score, -s.candidate.start), default=None)
    if best is None:
        return None, PASSAGE * read_source.score
    return best.candidate, max(0.0, PASSAGE * read_source.score + (1 - PASSAGE) * min(1.0, best.score))


def type_of(source: Source, names: Sequence[str]) -> SourceType:
    """Return the type of a source; a project's own pages are documentation or code, whatever their publisher."""
    return official_type(address_of(source), names) or SourceType(source.source_type)


def _hit(read_source: TechnicalSource, sentence: Candidate | None, kind: SourceType) -> SearchHit:
    source = read_source.source
    return SearchHit(
        address_of(source),
        source.title,
        _line(sentence.text) if sentence else "",
        published=source.published_date,
        source_type=kind,
        has_code=any(block.kind is BlockKind.CODE for block in read_source.blocks),
    )


def _result(
    read_source: TechnicalSource, sentence: Candidate | None, relevance: Relevance, kind: SourceType
) -> StoredResult:
    return StoredResult(
        source=read_source.source.pk,
        type=kind.value,
        relevance=relevance.value,
        why=[StoredWhy(name=name, value=value) for name, value in relevance.why.items()],
        snippet=_line(sentence.text) if sentence else "",
        summary=summary_of(read_source),
    )


def address_of(source: Source) -> str:
    return source.final_url or source.url


def summary_of(read_source: TechnicalSource) -> str:
    """Return the source's own summary: its first paragraph of prose."""
    text = read_source.source.text
    return _line(next(_prose(text, read_source), ""))


def _prose(text: str, read_source: TechnicalSource) -> Iterator[str]:
    for block in read_source.blocks:
        words = text[block.start : block.end]
        if block.kind is BlockKind.PARAGRAPH and len(words) >= MIN_SUMMARY_LENGTH and _is_prose(words):
            yield words


def _is_prose(words: str) -> bool:
    """Return False for a row of badges and links."""
    letters = sum(word.isalpha() or word.isspace() for word in words)
    return letters >= 0.75 * len(words) and "](http" not in words[:80]


def _line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= MAX_WORDS else line[:MAX_WORDS].rsplit(" ", 1)[0] + " …"


def separate_dead_results(
    results: Sequence[StoredResult], most: int
) -> tuple[list[StoredResult], list[StoredResult]]:
    """Return the results to list, at most `most`, and those whose pages are gone."""
    gone = [result for result in results if result.link == "dead"]
    return [result for result in results if result.link != "dead"][:most], gone
