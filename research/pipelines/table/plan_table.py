"""Planning a table: who fills it, what it sets out to do, and the section that its cells' claims are placed in."""

from django.db.models import F

from citations.models import Section
from research.db.tenancy import tenant_context
from research.engine.pipeline_registry import StepResult, StepWork
from research.models import Item, PlanTrigger, Run
from research.models.schemas import Plan, RunOutcome, Subtopic
from research.pipelines.table.table_config import TableConfig
from research.pipelines.table.table_engine import choose
from research.runs.run_plan_versions import keep_version


def plan_table(work: StepWork) -> StepResult:
    """Items and columns are there: what is left to say is who fills them."""
    with tenant_context(work.tenant_id):
        run = Run.objects.get(pk=work.run_id)
        items = Item.objects.filter(run=run).count()
    config = TableConfig.model_validate(run.config)
    engine = choose(config, work.tenant_id)

    def save() -> None:
        keep_version(run, plan_of(run.topic, config), PlanTrigger.PLANNER, "")
        outcome = RunOutcome(engine=engine.value)
        open_section(run)
        Run.objects.filter(pk=run.pk).update(
            result=outcome.model_dump(mode="json"), items_total=items, total_sections=1, report_version=1
        )

    return StepResult(
        {"items": items, "columns": len(config.fields)}, save=save, activity="Planning the table"
    )


def plan_of(topic: str, config: TableConfig) -> Plan:
    """Return the columns of a table as a plan with one subtopic per column."""
    columns = [
        Subtopic(name=field.title, description=field.description, queries=[field.title], target_sources=1)
        for field in config.fields
    ]
    whole = Subtopic(name="Columns", queries=[config.template])
    return Plan(goal=topic, subtopics=columns[:10] or [whole])


def open_section(run: Run) -> None:
    """Every claim of a cell is placed in it."""
    Section.objects.get_or_create(
        run=run, report_version=1, index=0, defaults={"heading": run.topic[:300], "body": {"blocks": []}}
    )


def next_version(run: Run) -> None:
    """The table is filled again: it is another version of the report. Needs the run's row locked."""
    Section.objects.filter(run=run, report_version=run.report_version).update(
        report_version=F("report_version") + 1, status="planned"
    )
    Run.objects.filter(pk=run.pk).update(report_version=F("report_version") + 1)
