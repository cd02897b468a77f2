"""All rows together: statistics, what stands out, and a summary in sentences."""

from collections.abc import Sequence

from django.db.models import F

from citations.models import Claim, Section, SectionStatus
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepDraft, StepResult, StepWork
from research.models import AgentRole, Run, Source, SourceStatus
from research.models.schemas import RunOutcome, StoredInsight, StoredOverview, StoredStatistic
from research.pipelines.table.items.table_row_lanes import count_items
from research.pipelines.table.synthesizing.table_insights import add_thousands_separators, insights_of
from research.pipelines.table.synthesizing.table_statistic_rows import read_rows
from research.pipelines.table.synthesizing.table_statistics import statistics_of
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import is_by_model
from research.pipelines.table.table_step_names import TableStepName

NOT_READ = "No row needed it any more when the table was finished."


def sum_up(work: StepWork) -> StepResult:
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        config = TableConfig.model_validate(run.config)
        rows = read_rows(work.run_id)
    overview = StoredOverview(
        statistics=statistics_of(config.fields, rows), insights=insights_of(config.fields, rows)
    )
    summary = summary_of(overview.statistics, overview.insights)

    def save() -> None:
        store_overview(work, overview, summary)

    tell = StepDraft("tell", TableStepName.TELL_INSIGHTS, AgentRole.ANALYZER)
    return StepResult(
        {"rows": len(rows), "insights": len(overview.insights)},
        save=save,
        children=[tell] if is_by_model(run) and config.insights == "auto" else (),
        activity="Summing up the rows",
    )


def store_overview(work: StepWork, overview: StoredOverview, summary: Sequence[str]) -> None:
    """Inside the transaction that ends the step."""
    run = Run.objects.get(pk=work.run_id)
    outcome = RunOutcome.model_validate(run.result)
    outcome.table, outcome.summary = overview, list(summary)
    left = Source.objects.filter(run=run, status__in=[SourceStatus.PENDING, SourceStatus.FETCHING])
    left.update(status=SourceStatus.EXCLUDED, error_code="", error_message=NOT_READ)
    sections = Section.objects.filter(run=run, report_version=run.report_version)
    sections.update(status=SectionStatus.CITED)
    weighed = Claim.objects.filter(run=run, section__in=sections).values_list("confidence", flat=True)
    found = [value for value in weighed if value is not None]
    Run.objects.filter(pk=run.pk).update(
        result=outcome.model_dump(mode="json"),
        quality_score=round(100 * sum(found) / len(found), 2) if found else None,
        sections_completed=1,
        snapshot_version=F("snapshot_version") + 1,
    )
    count_items(run.pk)


def summary_of(statistics: Sequence[StoredStatistic], insights: Sequence[StoredInsight]) -> list[str]:
    """Return sentences that say how much of the table is filled, then the two foremost insights."""
    whole = {statistic.name: int(statistic.value or 0) for statistic in statistics if not statistic.column}
    cells, filled = whole["cells"], whole["filled"]
    share = round(100 * filled / cells) if cells else 0
    rows, some, every = whole["rows"], add_thousands_separators(filled), add_thousands_separators(cells)
    first = f"The table has {rows} rows; {some} of {every} cells have a value ({share} %)."
    return [first, *(insight.text for insight in insights[:2])]
