"""Analyze again after another plan: claims found again keep their ids, and the report starts over."""

from collections.abc import Mapping
from uuid import UUID

from citations.credibility.credibility_evidence_gaps import narrow_scope, unsought
from citations.credibility.evidence_concerns import NARROW_SCOPE
from citations.models import Claim, Section
from citations.models import Warning as Gap
from research.models import Chunk, Run, Source
from research.models.schemas import Plan


def load_claim_ids(run_id: UUID) -> Mapping[str, UUID]:
    """Return the ids of the claims by their text. Needs the tenant set."""
    rows = Claim.objects.filter(run=run_id).order_by("created_at", "id")
    return dict(rows.values_list("text", "pk"))


def start_over(run_id: UUID) -> None:
    """Begin a new version of the report, without the results of an earlier analysis; their rows stay.

    Runs in the step's transaction.
    """
    run = Run.objects.only("report_version").get(pk=run_id)
    if not Section.objects.filter(run=run, report_version=run.report_version).exists():
        return
    Claim.objects.filter(run=run_id).update(section=None, number=None)
    Run.objects.filter(pk=run_id).update(report_version=run.report_version + 1, sections_completed=0)


def keep_scope_gaps(run_id: UUID) -> None:
    """Store gaps for names in the question that the plan does not look for by itself and no source mentions.

    Runs in the step's transaction: the run's exits ask for the gaps.
    """
    run = Run.objects.only("topic", "plan").get(pk=run_id)
    plan = Plan.model_validate(run.plan)
    looked_for = [text for subtopic in plan.subtopics for text in (subtopic.name, *subtopic.queries)]
    missing = [name for name in unsought(run.topic, looked_for) if not _is_mentioned(run_id, name)]
    Gap.objects.filter(run=run_id, code=NARROW_SCOPE).delete()
    Gap.objects.bulk_create(
        Gap(
            run_id=run_id,
            code=gap.code,
            kind=gap.kind.value,
            severity=gap.severity.value,
            text=gap.text,
            advice=gap.advice,
        )
        for gap in narrow_scope(missing)
    )


def _is_mentioned(run_id: UUID, name: str) -> bool:
    in_title = Source.objects.filter(run=run_id, title__icontains=name)
    return in_title.exists() or Chunk.objects.filter(run=run_id, text__icontains=name).exists()
