"""What a technical answer is made from, read from the database. Needs the tenant set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from research.agents.extractive.candidates import Candidate
from research.agents.extractive.ranking import Ranker
from research.library.frozen import blocks_of
from research.models import Run, Source, SourceStatus
from research.reading.document import Block
from research.recipes.report.found import FoundPassage, found_passages, sentences_in
from research.recipes.report.scope import ranker_of
from research.recipes.technical.config import TechnicalConfig, config_of


@dataclass(frozen=True)
class Read:
    """A source that was read, with the passages of it that were found."""

    source: Source
    passages: tuple[FoundPassage, ...]

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks_of(self.source.content) if self.source.content else []

    @cached_property
    def sentences(self) -> list[Candidate]:
        return sentences_in(self.source, self.passages)

    @property
    def score(self) -> float:
        """Of its best passage, 0–1."""
        return max((one.score for one in self.passages), default=0.0)


@dataclass(frozen=True, slots=True)
class Material:
    run: Run
    config: TechnicalConfig
    ranker: Ranker
    read: tuple[Read, ...]

    @property
    def by_document(self) -> Mapping[str, Read]:
        return {str(one.source.library_document_id): one for one in self.read}


def read_material(run_id: UUID) -> Material:
    run = Run.objects.get(pk=run_id)
    sources = Source.objects.filter(run=run, status=SourceStatus.PROCESSED).select_related("content")
    found: dict[UUID | None, list[FoundPassage]] = {}
    for one in found_passages(run_id):
        found.setdefault(one.document, []).append(one)
    return Material(
        run,
        config_of(run),
        ranker_of(run),
        tuple(
            Read(one, tuple(found.get(one.library_document_id, ())))
            for one in sources.order_by("created_at", "id")
        ),
    )


def only(material: Material, sources: Sequence[UUID]) -> Material:
    """Of these sources alone."""
    wanted = set(sources)
    return replace(material, read=tuple(one for one in material.read if one.source.pk in wanted))
