"""The material for a technical answer, read from the database. Needs the tenant set."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from citations.credibility.source_hosts import bare_name, host_of, is_named_in_host
from research.extractive.answer_document_cards import Cards
from research.extractive.candidate_sentences import Candidate
from research.extractive.sentence_ranking import Ranker
from research.library.library_frozen_text import blocks_of
from research.models import Run, Source, SourceStatus
from research.parsing.parsed_document import BlockKind, TextBlock
from research.pipelines.report.passages_found_for_report import (
    FoundPassage,
    load_found_passages,
    sentences_in,
)
from research.pipelines.report.report_scope import ranker_of
from research.pipelines.technical.technical_config import QuestionType, TechnicalConfig, config_of
from research.pipelines.technical.technical_informative_sentences import leans_on_pronoun
from research.pipelines.technical.technical_official_pages import names_of

MAX_JOINED = 400  # characters of two sentences that are shown as one
NAMED = 0.6  # share (0–1) of the question's description of a source that a paper's title and facts must match


# A name in code, with an underscore, a dot or backticks, and its type or arguments.
_TERM = re.compile(
    r"(?:`(?P<name>[\w.-]+)`|(?P<plain>[A-Za-z][\w-]*[_.][\w.-]+))\s*(?:\([^()]{0,80}\))?\s*:?"
)


def term_of(line: str) -> str:
    """Return the name in code that stands alone in a line, without its type or arguments; empty if none does."""
    found = _TERM.fullmatch(line.strip())
    return found["name"] or found["plain"] if found else ""


@dataclass(frozen=True)
class TechnicalSource:
    """A source that was read, with its passages that were found."""

    source: Source
    passages: tuple[FoundPassage, ...]

    @cached_property
    def blocks(self) -> list[TextBlock]:
        return blocks_of(self.source.content) if self.source.content else []

    @cached_property
    def sentences(self) -> list[Candidate]:
        found = sentences_in(self.source, self.passages)
        return under_terms([with_antecedent(sentence, self.source.text) for sentence in found], self.terms)

    @cached_property
    def terms(self) -> list[tuple[int, str]]:
        """Return the start of each text below a term, with the term; an empty term where a heading begins.

        A term is a setting or function that stands alone above its description: “`max_connections` (integer)”.
        """
        found = []
        for block in self.blocks:
            if block.kind is BlockKind.HEADING:
                found.append((block.start, ""))
            elif block.kind is BlockKind.PARAGRAPH and (
                term := term_of(self.source.text[block.start : block.end])
            ):
                found.append((block.end, term))
        return found

    @cached_property
    def whole(self) -> list[Candidate]:
        """Return all sentences of the source."""
        return sentences_in(self.source, self.passages, is_whole=True)

    @property
    def score(self) -> float:
        """Return the score of the best passage, 0–1."""
        return max((passage.score for passage in self.passages), default=0.0)


@dataclass(frozen=True, slots=True)
class TechnicalMaterial:
    run: Run
    config: TechnicalConfig
    ranker: Ranker
    read: tuple[TechnicalSource, ...]

    @property
    def by_document(self) -> Mapping[str, TechnicalSource]:
        return {str(source.source.library_document_id): source for source in self.read}


def read_material(run_id: UUID) -> TechnicalMaterial:
    run = Run.objects.get(pk=run_id)
    config, ranker = config_of(run), ranker_of(run)
    sources = Source.objects.filter(run=run, status=SourceStatus.PROCESSED).select_related("content")
    found: dict[UUID | None, list[FoundPassage]] = {}
    for passage in load_found_passages(run_id):
        found.setdefault(passage.document, []).append(passage)
    read = tuple(
        TechnicalSource(source, tuple(found.get(source.library_document_id, ())))
        for source in sources.order_by("created_at", "id")
    )
    return TechnicalMaterial(run, config, _with_owners(ranker, read, config), read)


def _with_owners(ranker: Ranker, read: Sequence[TechnicalSource], config: TechnicalConfig) -> Ranker:
    """Return the ranker with each page of a project's site counted as about the project, which it need not name."""
    names = names_of(ranker.question, config.technologies)
    cards = dict(ranker.cards.by_id)
    for read_source in read:
        card = cards.get(str(read_source.source.library_document_id))
        host = host_of(read_source.source.final_url or read_source.source.url)
        owners = [bare_name(name) for name in names if is_named_in_host(name, host)]
        if card and owners:
            cards[card.id] = replace(card, site=" ".join(dict.fromkeys([card.site, *owners])).strip())
    return Ranker.of(ranker.question, Cards(cards.values()), ranker.rarity)


def sentences_of(material: TechnicalMaterial) -> list[Candidate]:
    """Return the sentences that were found; all sentences of the paper if the question asks to summarize one."""
    paper = _paper(material) if material.config.type is QuestionType.PAPER_SUMMARY else None
    return paper.whole if paper else [sentence for read in material.read for sentence in read.sentences]


def under_terms(sentences: Sequence[Candidate], terms: Sequence[tuple[int, str]]) -> list[Candidate]:
    """Return the sentences, each with the term that it describes as its introducing line."""
    places = [start for start, _term in terms]
    named = []
    for sentence in sentences:
        at = bisect_right(places, sentence.start) - 1
        term = terms[at][1] if at >= 0 else ""
        named.append(replace(sentence, lead_in=term) if term and not sentence.lead_in else sentence)
    return named


_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?])\s+)(?=\S)")


def with_antecedent(sentence: Candidate, text: str) -> Candidate:
    """Return a sentence that leans on a pronoun together with the one before it in its paragraph, if both are short."""
    if sentence.kind not in ("paragraph", "list") or not leans_on_pronoun(sentence.text):
        return sentence
    begin = text.rfind("\n", 0, sentence.start) + 1
    before = text[begin : sentence.start].rstrip()
    starts = [begin + found.end() for found in _SENTENCE_START.finditer(before) if found.end() < len(before)]
    if not starts or sentence.end - starts[-1] > MAX_JOINED:
        return sentence
    words = " ".join(text[starts[-1] : sentence.start].split())
    return replace(sentence, start=starts[-1], text=f"{words} {sentence.text}")


def _paper(material: TechnicalMaterial) -> TechnicalSource | None:
    """Return the source with the best matching title and facts, if they match well enough; else None."""
    matches = material.ranker.matches
    fits = {doc: matches[doc].fit for doc in material.by_document if doc in matches}
    best = max(fits, key=fits.__getitem__, default="")
    return material.by_document[best] if best and fits[best] >= NAMED else None
