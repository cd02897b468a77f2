"""Computes the credibility of a source: its scores with their parts, from its current data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from uuid import UUID

from django.utils import timezone

from citations.credibility.credibility import Credibility, author_kind, count_references, credibility
from citations.credibility.source_authority import Authority, authority_of, classify_source
from citations.credibility.source_authority_rules import AuthorityRule, SourceType
from citations.credibility.source_quality import SourceQuality, quality, recency_score
from citations.credibility.source_recency import RecencyBias
from citations.credibility.source_regions import region_of
from citations.dates.find_dates import parse_iso
from citations.models.domain_rule_models import rules_of
from research.db.tenancy import current_tenant_id
from research.models import Run, Source, SourceStatus
from research.models.schemas import ScoreFigure, StoredAssessment

SCORES = ("authority_score", "recency_score", "relevance_score", "quality_score", "credibility", "assessment")
WAS_READ = frozenset({SourceStatus.EXTRACTED, SourceStatus.PROCESSED, SourceStatus.DUPLICATE})


@dataclass(frozen=True, slots=True)
class Judge:
    """Rates sources. `rules` are the admin's domain rules; `bias` weights the age, which is measured at `today`."""

    bias: RecencyBias
    today: date
    rules: Sequence[AuthorityRule] = ()

    def weigh(self, source: Source) -> Source:
        """Set the scores of an unsaved source. Its relevance is not changed."""
        authority = self._authority(source)
        recency = recency_score(parse_iso(source.published_date), self.today, self.bias)
        whole = quality(
            authority=authority.score, relevance=source.relevance_score, recency=recency, bias=self.bias
        )
        source.authority_score, source.recency_score, source.quality_score = (
            authority.score,
            recency,
            whole.score,
        )
        source.region = source.region or (region_of(source.final_url or source.url) or "")
        believed = credibility_of(source, 0, self.today) if source.status in WAS_READ else None
        source.credibility = believed.score if believed else None
        source.assessment = self._assessment(source, whole, authority, believed).model_dump(mode="json")
        return source

    def _authority(self, source: Source) -> Authority:
        return authority_of(
            source.tier,
            SourceType(source.source_type),
            has_author=bool(source.author),
            published=parse_iso(source.published_date),
            today=self.today,
        )

    def _assessment(
        self, source: Source, whole: SourceQuality, authority: Authority, believed: Credibility | None
    ) -> StoredAssessment:
        kind = classify_source(
            url=source.final_url or source.url,
            publisher=source.publisher,
            author=source.author,
            title=source.title,
            rules=self.rules,
        )
        return StoredAssessment(
            day=self.today.isoformat(),
            reason=kind.reason,
            quality=[
                ScoreFigure(name=part.name, value=part.value, weight=part.weight) for part in whole.parts
            ],
            authority=parts_of(authority),
            credibility=parts_of(believed) if believed else [],
        )


def judge_of(run_id: UUID) -> Judge:
    """Return the judge for a run's configuration. Needs the tenant set."""
    return judge_by(Run.objects.values_list("config", flat=True).get(pk=run_id))


def judge_by(config: Mapping[str, object]) -> Judge:
    """Return the judge for a run's configuration. Needs the tenant set."""
    return judge_with(RecencyBias(str(config.get("recency_bias", RecencyBias.BALANCED))))


def judge_with(bias: RecencyBias) -> Judge:
    """Return a judge that scores as of today. Needs the tenant set."""
    return Judge(bias, timezone.now().date(), rules_of(current_tenant_id()))


def parts_of(sum_of_parts: Authority | Credibility) -> list[ScoreFigure]:
    return [
        ScoreFigure(name=field.name, value=round(getattr(sum_of_parts, field.name), 4))
        for field in fields(sum_of_parts)
    ]


def credibility_of(source: Source, corroborating: int, today: date) -> Credibility:
    """Compute a source's credibility; `corroborating` is the number of independent sources that agree."""
    return credibility(
        tier=source.tier,
        source_type=SourceType(source.source_type),
        published=parse_iso(source.published_date),
        today=today,
        author=author_kind(source.author, source.publisher),
        references=count_references(source.text),
        words=source.content.word_count if source.content else 0,
        corroborating=corroborating,
    )
