"""Ada, with a schedule, and clocks that are set by rows."""

from datetime import timedelta

import pytest
from django.utils import timezone

from research.db.tenancy import tenant_context
from research.models import Run, Schedule, State
from research.runs.schedules.run_schedule_beat import update_copy
from tests.people import join


class World:
    def __init__(self, person):
        self.person = person

    def inside(self):
        return tenant_context(self.person.tenant.pk)

    def schedule(self, *, due_s=None, **columns):
        """One that was due `due_s` seconds ago; without it, only tomorrow."""
        values = {"kind": "report", "topic": "Do heat pumps work in the cold?", "name": "Heat pumps"}
        values |= {"config": {"sources": "library"}, "owner": self.person.user}
        if "interval_seconds" not in columns:
            values["cron"] = "0 7 * * *"
        now = timezone.now()
        at = now + timedelta(days=1) if due_s is None else now - timedelta(seconds=due_s)
        with self.inside():
            made = Schedule.objects.create(**{**values, "next_at": at, **columns})
            update_copy(made)
        return made

    def again(self, schedule):
        with self.inside():
            return Schedule.objects.select_related("last_run").get(pk=schedule.pk)

    def make_due(self, schedule, due_s=1):
        with self.inside():
            at = timezone.now() - timedelta(seconds=due_s)
            Schedule.objects.filter(pk=schedule.pk).update(next_at=at)

    def runs(self):
        with self.inside():
            return list(Run.objects.order_by("created_at"))

    def end(self, run, state=State.COMPLETED):
        with self.inside():
            failed = {"failure_code": "no_sources", "failure_message": "No source could be read."}
            run.state = state
            for name, value in failed.items() if state == State.FAILED else ():
                setattr(run, name, value)
            run.save()


@pytest.fixture
def ada(db):
    return join("ada")


@pytest.fixture
def world(ada):
    return World(ada)
