"""Exclude sources on an instruction: set aside with the reason, neither read nor cited from then on.

A step that is reading one of them at that time stores nothing of it (`those_set_aside`). Needs the tenant set.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from research.db.bulk_sql import open_prepared_cursor
from research.models import Run, Source, SourceStatus
from research.pipelines.report.report_config import ReportConfig

CODE = "EXCLUDED"
KEPT_OUT = (SourceStatus.EXCLUDED, SourceStatus.FAILED)
SET_ASIDE = "SELECT id FROM research_source WHERE id = ANY(%(ids)s) AND status = %(status)s"


def those_set_aside(source_ids: Sequence[UUID]) -> frozenset[UUID]:
    with open_prepared_cursor() as cursor:
        cursor.execute(SET_ASIDE, {"ids": list(source_ids), "status": SourceStatus.EXCLUDED})
        return frozenset(row[0] for row in cursor.fetchall())


def set_aside(run_id: UUID, before: ReportConfig, now: ReportConfig) -> int:
    """Set aside sources that the new settings exclude and the old ones did not; return how many.

    Needs the run's row locked.
    """
    refused = dict(_find_unwanted_sources(run_id, before, now))
    for source_id, reason in refused.items():
        Source.objects.filter(pk=source_id).update(
            status=SourceStatus.EXCLUDED,
            error_code=CODE,
            error_message=reason,
            must_read=False,
            duplicate_of=None,
            updated_at=Now(),
        )
    processed = Source.objects.filter(run_id=run_id, status=SourceStatus.PROCESSED).count()
    changes = {"sources_processed": processed, "snapshot_version": F("snapshot_version") + 1}
    Run.objects.filter(pk=run_id).update(**changes)
    return len(refused)


def _find_unwanted_sources(
    run_id: UUID, before: ReportConfig, now: ReportConfig
) -> Iterator[tuple[UUID, str]]:
    new_sites = now.model_copy(
        update={
            "excluded_domains": [
                domain for domain in now.excluded_domains if domain not in before.excluded_domains
            ]
        }
    )
    rows = Source.objects.filter(run_id=run_id).exclude(status__in=KEPT_OUT)
    waiting: list[UUID] = []
    left = 0
    in_order = rows.order_by("-must_read", F("quality_score").desc(nulls_last=True), "created_at")
    for source in in_order:
        if reason := _reason(source, new_sites, now):
            yield source.pk, reason
            continue
        left += 1
        if source.status == SourceStatus.PENDING and not source.must_read:
            waiting.append(source.pk)
    if now.target_sources < before.target_sources:
        spare = min(len(waiting), max(0, left - now.target_sources))
        reason = _("No more than %(wanted)d sources are wanted.") % {"wanted": now.target_sources}
        yield from ((source_id, reason) for source_id in waiting[len(waiting) - spare :])


def _reason(source: Source, new_sites: ReportConfig, now: ReportConfig) -> str:
    """Return the reason to set the source aside, or "".

    A site that is excluded now also excludes its must-read pages.
    """
    refusals = map(new_sites.site_refusal, filter(None, (source.url, source.final_url)))
    if site := next(filter(None, refusals), ""):
        late = _("You said so while it was under way.")
        return f"{site} {late}"
    return "" if source.must_read else now.date_refusal(source.published_date)
