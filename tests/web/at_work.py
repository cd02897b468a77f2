"""Steps that are at work, or wait, on a run of `tests.worlds`."""

from datetime import timedelta

from django.utils import timezone

from research.db.tenancy import tenant_context
from research.models import AgentRole, Step, StepStatus


def add_step(world, handler, *, number, wait_s=None, code="", role=AgentRole.EXTRACTOR, **given):
    """Add a running step; with `wait_s` it waits so long after a failure with the code."""
    later = timezone.now() + timedelta(seconds=wait_s or 60)
    state = (
        {"status": StepStatus.RUNNING, "lease_until": later, "started_at": timezone.now()}
        if wait_s is None
        else {"status": StepStatus.RETRYING, "not_before": later, "error_code": code}
    )
    with tenant_context(world.person.tenant.pk):
        return Step.objects.create(
            run=world.run,
            step_index=100 + number,
            key=f"work.{number}",
            handler=handler,
            agent_role=role,
            input=given,
            **state,
        )
