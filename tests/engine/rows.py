"""Looking at, and setting back, the rows of a run."""

from django.db import connection

from research.db.tenancy import tenant_context
from research.models import Run, State, Step


def steps_of(run: Run) -> dict[str, Step]:
    """Key → step, in order of insertion."""
    with tenant_context(run.tenant_id):
        return {step.key: step for step in Step.objects.filter(run=run).order_by("step_index")}


def fresh(run: Run) -> Run:
    with tenant_context(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def sql(run: Run, statement: str, *parameters: object) -> None:
    """Change rows behind the lifecycle's back; `%s` after the parameters is the run."""
    with tenant_context(run.tenant_id), connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, run.pk])


def let_leases_expire(run: Run) -> None:
    sql(
        run,
        "UPDATE research_step SET lease_until = now() - interval '1 second' WHERE status = 'running' AND run_id = %s",
    )


def let_time_pass(run: Run, seconds: float) -> None:
    """Move the start of the run's present state back by so much."""
    past = "state_entered_at = state_entered_at - %s * interval '1 second', "
    sql(
        run,
        f"UPDATE research_run SET {past} state_deadline = state_deadline - %s * interval '1 second' WHERE id = %s",
        seconds,
        seconds,
    )


def put_into(run: Run, state: State, version: int = 5) -> Run:
    """Put the run into a state that it has just entered; what it waits for, where it waits, is not there yet."""
    entered = "state_entered_at = now(), state_deadline = now() + interval '1 hour'"
    sql(
        run, f"UPDATE research_run SET state = %s, version = %s, {entered} WHERE id = %s", str(state), version
    )
    return fresh(run)
