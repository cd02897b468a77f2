"""Read a report as it was written and cited, for its check."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import inf
from uuid import UUID

from citations.claim_strength import Origin
from citations.dates.date_types import TimeRole
from citations.dates.find_dates import find_times
from citations.models import Citation, Claim, Contradiction, Section
from research.extractive.question.parsed_question import analyse
from research.library.duplicate_library_documents import text_groups
from research.models import Run, Source
from research.pipelines.common.verifying.report_source_origin import origin_of
from research.pipelines.report.decisions.standing_report_decisions import load_accepted_claims
from research.pipelines.report.degrading.rewrite_report_by_rules import (
    UNCITED,
    Hallucination,
    find_hallucinations,
)
from research.pipelines.report.record_report_fallbacks import Fallbacks, read_fallbacks
from research.pipelines.report.report_analysis_evidence import read_open_parts
from research.pipelines.report.report_config import ReportConfig


@dataclass(frozen=True, slots=True)
class SectionToVerify:
    """A section: paragraphs of claims and of the prose between them."""

    heading: str
    paragraphs: tuple[tuple[Claim | str, ...], ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(item for paragraph in self.paragraphs for item in paragraph if isinstance(item, Claim))


@dataclass(frozen=True, slots=True)
class ReportDraft:
    run: Run
    config: ReportConfig
    claims: tuple[Claim, ...]
    sections: tuple[SectionToVerify, ...]
    citations: Mapping[UUID, tuple[Citation, ...]]
    origins: Mapping[UUID, Origin]  # by source
    open_parts: tuple[str, ...]  # of the question
    topic: frozenset[str]  # the question's words
    made_up: tuple[Hallucination, ...] = ()  # statements that no source supports
    fallbacks: Fallbacks = Fallbacks()
    decided: tuple[Contradiction, ...] = ()  # conflicts that a person settled
    accepted: Mapping[UUID, str] = field(default_factory=dict)  # by claim: who accepted it, and why
    question: str | None = None  # if other than the run's topic; empty: no question

    @property
    def question_text(self) -> str:
        return self.run.topic if self.question is None else self.question

    def stale_months(self, today: date) -> float:
        """Return the age in months from which its sources count as old; infinite if the question is about the past."""
        periods = [time.period for time in find_times(self.question_text) if time.role is not TimeRole.SINCE]
        is_about_past = any(period is not None and period.last < today for period in periods)
        return inf if is_about_past else self.config.stale_months


def read_draft(run_id: UUID) -> ReportDraft:
    run = Run.objects.get(pk=run_id)
    made_up = tuple(find_hallucinations(run))
    uncited = [
        hallucination.claim
        for hallucination in made_up
        if hallucination.claim and hallucination.reason == UNCITED
    ]
    placed = Claim.objects.filter(run=run, section__isnull=False).exclude(pk__in=uncited)
    claims = tuple(placed.order_by("number"))
    citations: dict[UUID, list[Citation]] = {claim.pk: [] for claim in claims}
    rows = Citation.objects.filter(claim__in=claims).select_related("chunk").defer("chunk__embedding")
    for row in rows.order_by("citation_index"):
        citations[row.claim_id].append(row)
    sources = _attach_sources([row for found in citations.values() for row in found])
    return ReportDraft(
        run=run,
        config=ReportConfig.model_validate(run.config),
        claims=claims,
        sections=tuple(_sections(run, claims)),
        citations={claim: tuple(found) for claim, found in citations.items()},
        origins=origins_of(sources),
        open_parts=read_open_parts(run_id),
        made_up=made_up,
        topic=frozenset(term.surface.casefold() for term in analyse(run.topic).terms),
        fallbacks=read_fallbacks(run_id),
        decided=tuple(Contradiction.objects.filter(run=run).exclude(resolved_by=None)),
        accepted=load_accepted_claims(run_id),
    )


def _attach_sources(citations: Sequence[Citation]) -> Collection[Source]:
    """Give each citation its source and return the sources.

    Citations of one source share it, since its text is long.
    """
    rows = Source.objects.select_related("content").defer("content__blocks", "content__pages")
    sources = rows.in_bulk({citation.source_id for citation in citations})
    for citation in citations:
        citation.source = sources[citation.source_id]
    return sources.values()


def origins_of(sources: Iterable[Source]) -> dict[UUID, Origin]:
    found = sorted(sources, key=lambda source: source.pk)
    groups = text_groups(source.content for source in found if source.content)
    return {
        source.pk: origin_of(source, groups[source.content.pk] if source.content else "") for source in found
    }


def _sections(run: Run, claims: Iterable[Claim]) -> Iterator[SectionToVerify]:
    by_id = {str(claim.pk): claim for claim in claims}
    rows = Section.objects.filter(run=run, report_version=run.report_version).order_by("index")
    for row in rows:
        blocks = row.body.get("blocks", ())
        yield SectionToVerify(
            row.heading, tuple(tuple(_sentences(block["sentences"], by_id)) for block in blocks)
        )


def _sentences(stored: Iterable[Mapping[str, str]], claims: Mapping[str, Claim]) -> Iterator[Claim | str]:
    for sentence in stored:
        if "text" in sentence:
            yield sentence["text"]
        elif claim := claims.get(sentence["claim"]):
            yield claim
